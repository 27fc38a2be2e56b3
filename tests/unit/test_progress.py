"""Progress on the command line, and work that is told to stop."""

from __future__ import annotations

import pytest

from briefbank.cli import output
from briefbank.platform.progress import Progress


def test_progress_goes_to_standard_error_alone(capsys: pytest.CaptureFixture[str]) -> None:
    moment = Progress("reading", 3, 8, pages_done=40, failed=1, elapsed_s=20.0, seconds_left=100.0, current="a.pdf")
    with output.progress_reporter() as reporter:
        reporter(moment)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "reading · 3 of 8 files · 40 pages (2.0/s) · 1 failed · about 2 min left · a.pdf\n"


def test_lines_of_progress_come_now_and_then_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with output.progress_reporter() as reporter:
        for done in range(200):
            reporter(Progress("reading", done, 200))
    assert capsys.readouterr().err.count("\n") == 1


def test_on_a_terminal_a_long_name_stays_in_its_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(output, "_KNOWS_CODES", True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with output.progress_reporter() as reporter:
        reporter(Progress("reading", 3, 8, current="State v. Brown, motion to suppress, " + "x" * 80 + ".pdf"))
    line = capsys.readouterr().err.split("\x1b[2K")[1].rstrip("\r")
    assert len(line) == 59
    assert line.startswith("reading · 3 of 8 files · State v. Brown, motion")


def test_a_console_of_windows_is_sent_no_codes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(output, "_KNOWS_CODES", False)
    with output.progress_reporter() as reporter:
        reporter(Progress("reading", 3, 8))
    output.warn("done")
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert [line.strip() for line in said.split("\r") if line.strip()] == ["reading · 3 of 8 files", "done"]
