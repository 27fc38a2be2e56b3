"""Shares, long paths, names alike but for the case of letters, and a console, by the program for Windows."""

from __future__ import annotations

import os
import pty
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import office
import pytest
from under_wine import PLACE, PROGRAMS, WINE, briefbank, windows_path

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]
SHARE = r"\\server\share"


@pytest.fixture
def served(data: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The folder that Windows programs reach as a share of another machine."""
    folder = data / f"served-{request.node.name}"
    folder.mkdir()
    share = PLACE / "prefix" / "dosdevices" / "unc" / "server" / "share"
    share.parent.mkdir(parents=True, exist_ok=True)
    share.unlink(missing_ok=True)
    share.symlink_to(folder)
    yield folder
    share.unlink()


def test_briefs_on_a_share_are_indexed_by_its_name_and_a_bank_there_is_refused(served: Path, data: Path) -> None:
    office.write_text(served / "2019" / "aux.txt", office.memo("Arrays", office.LINEUP))
    office.write_text(served / "stop.txt", office.memo("Stops", office.STOP))
    words = ("index", SHARE, "--bank", data / "of-share", "--json", "--quiet")
    first = briefbank(*words)
    assert first.code == 0, first.said
    assert (first.json["indexed"], first.json["failures"]) == (2, [])
    assert briefbank(*words).json["unchanged"] == 2
    found = briefbank("search", "a stop that was prolonged", "--bank", data / "of-share", "--json")
    assert found.json["hits"][0]["source_path"] == rf"{SHARE}\stop.txt"

    refused = briefbank("index", SHARE, "--bank", rf"{SHARE}\bank", "--quiet")
    assert refused.code == 2, refused.said
    assert "another machine" in refused.said
    assert sorted(path.name for path in served.iterdir()) == ["2019", "stop.txt"]


def test_a_brief_whose_path_is_too_long_for_most_programs_is_read_and_found(data: Path) -> None:
    """Wine tells no names of over some 265 characters of files that are open; Windows tells all."""
    folder = data / "long"
    deep = folder.joinpath(*("a folder with a long name " * 3 + str(level) for level in range(2)))
    name = "x" * (262 - len(windows_path(deep)) - len("\\.txt")) + ".txt"
    assert len(windows_path(deep / name)) == 262
    office.write_text(deep / name, office.memo("Arrays", office.LINEUP))
    done = briefbank("index", folder, "--bank", data / "of-long", "--json", "--quiet")
    assert done.code == 0, done.said
    assert (done.json["indexed"], done.json["notes"]) == (1, [])
    assert name in briefbank("search", "photo array", "--bank", data / "of-long", "--json").out


def test_files_whose_names_differ_by_the_case_of_letters_alone_are_two_documents(data: Path) -> None:
    """As on a share of another system; Wine, as such a share, keeps both."""
    folder = data / "twins"
    office.write_text(folder / "Brief.txt", office.memo("Arrays", office.LINEUP))
    office.write_text(folder / "brief.txt", office.memo("Stops", office.STOP))
    words = ("index", folder, "--bank", data / "of-twins", "--json", "--quiet")
    done = briefbank(*words)
    assert done.code == 0, done.said
    assert (done.json["indexed"], done.json["documents"]) == (2, 2)
    again = briefbank(*words)
    assert (again.json["unchanged"], again.json["documents"]) == (2, 2)


def test_ctrl_c_at_a_console_ends_indexing_with_130_and_the_next_run_goes_on(installed: Path, data: Path) -> None:
    bank = data / "stopped"
    console, inner = pty.openpty()
    words = [str(PROGRAMS / "briefbank.exe"), "index", str(installed / "samples"), "--bank", str(bank)]
    named = [windows_path(Path(word)) if word.startswith("/") else word for word in words]
    command = ["sh", str(WINE), "run", "wine", *named]
    with subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, start_new_session=True) as process:
        os.close(inner)
        wait_for(bank / "ledger.sqlite")
        os.write(console, b"\x03")
        told = written(console)
        assert process.wait(300) == 130, told
    assert "Stopping after the file at hand" in told
    assert "Traceback" not in told
    done = briefbank("index", installed / "samples", "--bank", bank, "--quiet", "--json", seconds=1500)
    assert done.code == 12, done.said
    assert briefbank("check", "--bank", bank).code == 0


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 120
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def written(console: int) -> str:
    """Everything that comes to a console until the last program has left it."""
    said = b""
    try:
        while piece := os.read(console, 1 << 16):
            said += piece
    except OSError:  # how Linux tells that nobody is there any more
        pass
    os.close(console)
    return said.decode(errors="replace")
