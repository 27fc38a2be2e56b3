"""What Windows is asked for and other systems have otherwise: access lists, jobs, integrity; tried on its own Python.

Under Wine, which takes limits and does not hold to them, the tests of what is held are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import office
import psutil
import pytest
from program import ROOT, Briefbank, command
from systems import shared_with

from briefbank.errors import ExitCode
from briefbank.platform.files import make_folder, new_file, write_atomic
from briefbank.platform.processes.child import Child
from briefbank.platform.windows import acl, api

if sys.platform != "win32":
    pytest.skip("these are Windows' own means", allow_module_level=True)

not_in_wine = pytest.mark.skipif(api.is_wine(), reason="Wine takes these limits and does not hold to them")


def test_files_and_folders_that_the_program_makes_are_private(tmp_path: Path) -> None:
    (tmp_path / "of others").write_bytes(b"x")
    assert shared_with(tmp_path / "of others")  # so that the test can fail
    write_atomic(tmp_path / "written", b"x")
    make_folder(tmp_path / "folder" / "deeper")
    with new_file(tmp_path / "export.docx") as made:
        made.write_bytes(b"x")
    for name in ("written", "folder", "folder/deeper", "export.docx"):
        assert shared_with(tmp_path / name) == [], name
        assert acl.user() in acl.access_list(tmp_path / name)


def test_a_file_that_stays_open_to_others_on_a_local_disk_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = api.done

    def refuse(name: str, *arguments: object, path: str | None = None) -> object:
        if name == "SetFileSecurityW":
            raise api.fault(5, path)  # access denied, as for what somebody else owns
        return call(name, *arguments, path=path)

    monkeypatch.setattr(api, "done", refuse)
    shared = tmp_path / "of others"
    shared.write_bytes(b"x")
    with pytest.raises(PermissionError) as refused:
        acl.make_private(shared)
    assert refused.value.filename == str(shared)


@not_in_wine
def test_what_is_made_in_a_private_folder_by_others_is_private_too(tmp_path: Path) -> None:
    make_folder(tmp_path / "bank")
    (tmp_path / "bank" / "by a library").write_bytes(b"x")
    assert shared_with(tmp_path / "bank" / "by a library") == []


# --- jobs -----------------------------------------------------------------------------------------------------------

_STARTS_ONE = """
import subprocess, sys, time
inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
open(sys.argv[1], "w").write(str(inner.pid))
time.sleep(300)
"""


def wait_for(what: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def child_that_starts_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Child, int]:
    (tmp_path / "starts_one.py").write_text(_STARTS_ONE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    child = Child("starts_one", str(tmp_path / "note"))
    wait_for(lambda: text_of(tmp_path / "note"))
    return child, int(text_of(tmp_path / "note"))


def test_killing_a_child_kills_what_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child, inner = child_that_starts_one(tmp_path, monkeypatch)
    assert psutil.pid_exists(inner)
    child.kill()
    child.end(5)
    wait_for(lambda: not psutil.pid_exists(inner))


def test_what_a_child_leaves_behind_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child, inner = child_that_starts_one(tmp_path, monkeypatch)
    psutil.Process(child.pid).kill()
    child.end(5)
    wait_for(lambda: not psutil.pid_exists(inner))


def test_children_end_with_their_parent_however_it_ends(tmp_path: Path) -> None:
    (tmp_path / "starts_one.py").write_text(_STARTS_ONE, encoding="utf-8")
    words = "import os, sys, time; sys.path.insert(0, sys.argv[1]); os.environ['PYTHONPATH'] = sys.argv[1]\n"
    words += "from briefbank.platform.processes.child import Child\n"
    words += "child = Child('starts_one', sys.argv[2]); time.sleep(300)"
    note = tmp_path / "note"
    with subprocess.Popen([sys.executable, "-c", words, str(tmp_path), str(note)], cwd=ROOT) as parent:
        wait_for(lambda: text_of(note))
        family = [each.pid for each in psutil.Process(parent.pid).children(recursive=True)]
        assert int(text_of(note)) in family
        parent.kill()
    wait_for(lambda: not any(map(psutil.pid_exists, family)))


# --- confinement ----------------------------------------------------------------------------------------------------

_CONFINED = """
import sys, subprocess
from pathlib import Path
from briefbank.platform.confine import confine, only_read, windows
scratch, kept, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
missing = only_read() if how == "show" else confine(scratch, 300_000_000, converts=how == "converts")
def tried(what):
    try:
        what()
    except (OSError, MemoryError) as error:
        return type(error).__name__
    return "done"
print(windows.privileges())
print(tried(lambda: kept.write_bytes(b"harmed")))
print(tried(lambda: (scratch / "made").write_bytes(b"x")))
print(tried(lambda: bytearray(1_000_000_000)))
print(tried(lambda: subprocess.run([sys.executable, "-c", ""], check=True)))
print(len(missing))
"""


def confined(tmp_path: Path, how: str) -> list[str]:
    """What came of trying, in a confined process: privileges left, harm to a file, a file in scratch, memory, a child;
    then how many protections it was told are missing.
    """
    make_folder(tmp_path / "scratch")
    write_atomic(tmp_path / "kept", b"kept")
    words = [sys.executable, "-c", _CONFINED, str(tmp_path / "scratch"), str(tmp_path / "kept"), how]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


@pytest.mark.parametrize("how", ["reads", "converts", "show"])
def test_a_confined_process_has_no_privileges_and_is_told_what_windows_lacks(tmp_path: Path, how: str) -> None:
    told = confined(tmp_path, how)
    assert told[0] == "0"
    assert told[-1] == ("2" if api.is_wine() else "1")


@not_in_wine
def test_a_confined_process_changes_no_file_but_in_its_scratch_folder(tmp_path: Path) -> None:
    assert confined(tmp_path, "reads")[1:5] == ["PermissionError", "PermissionError", "MemoryError", "done"]
    assert confined(tmp_path, "converts")[1:5] == ["PermissionError", "done", "MemoryError", "done"]
    assert confined(tmp_path, "show")[1:3] == ["PermissionError", "PermissionError"]
    assert confined(tmp_path, "show")[4] == "OSError"
    assert (tmp_path / "kept").read_bytes() == b"kept"


# --- names and consoles ---------------------------------------------------------------------------------------------


def test_a_folder_named_in_other_letters_is_the_same_folder(
    briefbank: Briefbank, folder: Path, empty_bank: Path
) -> None:
    assert briefbank("index", folder, "--bank", empty_bank, "--json").json["indexed"] == 2
    for named in (str(folder).upper(), str(folder).lower(), str(folder).replace("\\", "/"), f"{folder}\\"):
        told = briefbank("index", named, "--bank", str(empty_bank).upper(), "--json").json
        assert (told["unchanged"], told["removed"], told["documents"]) == (2, 0, 2), named


@pytest.mark.parametrize("named", [r"\\server\share\bank", r"\\?\UNC\server\share\bank", "//server/share/bank"])
def test_a_bank_on_a_share_is_refused_by_every_command(briefbank: Briefbank, folder: Path, named: str) -> None:
    for words in (("index", folder), ("search", "stop"), ("check",)):
        told = briefbank(*words, "--bank", named)
        assert told.code == ExitCode.USAGE, told.err
        assert "another machine's share" in told.err


def test_names_that_windows_would_change_are_read(briefbank: Briefbank, folder: Path, empty_bank: Path) -> None:
    memo = office.memo("Arrays", office.LINEUP).encode()
    for name in ("aux.txt", "memo .txt", "ends in a dot..txt", "con.txt"):
        with open(f"\\\\?\\{folder}\\{name}", "wb") as file:  # noqa: PTH123 - as no other program would
            file.write(memo + name.encode())
    told = briefbank("index", folder, "--bank", empty_bank, "--json").json
    assert (told["indexed"], told["failures"]) == (6, [])
    shown = briefbank("documents", "--bank", empty_bank).out
    assert all(name in shown for name in ("aux.txt", "con.txt"))

    shutil.rmtree(empty_bank / "cache")  # so that all of them are read again, from wherever they were indexed
    office.write_text(folder / "more" / "memo.txt", office.memo("More", office.STOP))
    told = briefbank("index", folder / "more", "--bank", empty_bank, "--json").json
    assert (told["documents"], told["notes"]) == (7, [])


def test_what_is_printed_is_utf8_whatever_the_console_is_set_to(folder: Path, empty_bank: Path) -> None:
    office.write_text(folder / "Mär § — Ł.txt", office.memo("Arrays", office.LINEUP))
    settings = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    for words in (("index", folder, "--bank", empty_bank, "--quiet"), ("documents", "--bank", empty_bank)):
        done = subprocess.run(command(*words), cwd=ROOT, env=settings, capture_output=True, timeout=250, check=False)
        assert done.returncode == 0, done.stderr
    assert "Mär § — Ł.txt" in done.stdout.decode("utf-8")
