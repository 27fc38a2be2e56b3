"""What Windows is asked for and other systems have otherwise: access lists, jobs, integrity; tried on its own Python.

Under Wine, which takes limits and does not hold to them, the tests of what is held are skipped.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from program import ROOT

from briefbank.platform.files import make_folder, new_file, write_atomic
from briefbank.platform.processes.child import Child
from briefbank.platform.windows import acl, api

if sys.platform != "win32":
    pytest.skip("these are Windows' own means", allow_module_level=True)

not_in_wine = pytest.mark.skipif(api.is_wine(), reason="Wine takes these limits and does not hold to them")

OTHERS = ("WD", "BU", "AU")
"""Everyone, users, and whoever has signed in, as Windows writes them down."""


def others_in(path: Path) -> list[str]:
    return [who for who in OTHERS if f";;;{who})" in acl.access_list(path)]


def test_files_and_folders_that_the_program_makes_are_private(tmp_path: Path) -> None:
    (tmp_path / "of others").write_bytes(b"x")
    assert others_in(tmp_path / "of others")  # so that the test can fail
    write_atomic(tmp_path / "written", b"x")
    make_folder(tmp_path / "folder" / "deeper")
    with new_file(tmp_path / "export.docx") as made:
        made.write_bytes(b"x")
    for name in ("written", "folder", "folder/deeper", "export.docx"):
        assert others_in(tmp_path / name) == [], name
        assert acl.user() in acl.access_list(tmp_path / name)


@not_in_wine
def test_what_is_made_in_a_private_folder_by_others_is_private_too(tmp_path: Path) -> None:
    make_folder(tmp_path / "bank")
    (tmp_path / "bank" / "by a library").write_bytes(b"x")
    assert others_in(tmp_path / "bank" / "by a library") == []


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
