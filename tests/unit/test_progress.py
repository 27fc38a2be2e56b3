"""Progress on the command line, and work that is told to stop."""

from __future__ import annotations

import pytest

from briefbank.cli import output
from briefbank.errors import CancelledError, ExitCode
from briefbank.platform.progress import CancelToken, Progress, silent


def test_a_token_stops_work_only_after_it_is_set() -> None:
    token = CancelToken()
    token.check()
    token.cancel()
    token.cancel()
    assert token.is_cancelled
    with pytest.raises(CancelledError) as caught:
        token.check()
    assert caught.value.exit_code is ExitCode.INTERRUPTED
    assert "again" in caught.value.advice


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


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    silent(Progress("reading"))
    with output.progress_reporter(quiet=True) as reporter:
        reporter(Progress("reading"))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "0 s"), (59.4, "59 s"), (60, "1 min"), (3599, "1 h 0 min"), (7500, "2 h 5 min")]
)
def test_times_are_told_as_people_say_them(seconds: float, said: str) -> None:
    assert output.duration(seconds) == said


@pytest.mark.parametrize(("count", "told"), [(0, "0 people"), (1, "1 person"), (2, "2 people")])
def test_one_of_a_kind_is_told_as_one(count: int, told: str) -> None:
    assert output.counted(count, "person", "people") == told
    assert output.counted(1, "page") == "1 page"
    assert output.holding(1, 2) == "1 document, 2 passages"


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
