"""What a process that parses or shows untrusted files may still do, tried from inside it on the real kernel."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import office
import psutil
import pytest
from program import ROOT, command, python_path

from briefbank.bank.port import ChildRole, methods_of
from briefbank.bank.remote import start_child
from briefbank.ingest.cache import Cache, ocr_key
from briefbank.ingest.readers.office import find_converter
from briefbank.platform.processes.calls import method_call
from briefbank.values.records import Page, TextSource

if sys.platform != "linux":
    pytest.skip("Landlock and seccomp are Linux's own", allow_module_level=True)

sys.path.insert(0, str(Path(__file__).parent))
import attacks

from briefbank.platform.confine import landlock, missing_protection, seccomp

needs_seccomp = pytest.mark.skipif(not seccomp.is_there(), reason="this kernel filters no calls")
needs_landlock = pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")
needs_scopes = pytest.mark.skipif(landlock.version() < landlock.SCOPES, reason="Linux before 6.12")

_OLDER = [sys.executable, str(Path(__file__).with_name("older_kernel.py"))]
_AS_BEFORE_6_12 = ["strace", "-f", "-qq", "-o", os.devnull, "-e", "trace=landlock_create_ruleset"]
_AS_BEFORE_6_12 += ["-e", "inject=landlock_create_ruleset:retval=3:when=1"]


class Scene(NamedTuple):
    """A file, a process and a socket to be attacked, and where a reader may write."""

    folder: Path
    scratch: Path
    process: int
    listener: str


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    folder, scratch = tmp_path / "folder", tmp_path / "scratch"
    folder.mkdir()
    scratch.mkdir()
    (folder / "kept").write_text("kept", encoding="utf-8")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener, subprocess.Popen(["sleep", "600"]) as other:
        listener.bind(str(tmp_path / "listener"))
        listener.listen()
        yield Scene(folder, scratch, other.pid, str(tmp_path / "listener"))
        assert other.poll() is None
        other.kill()


def attacked(scene: Scene, limits: str, names: Sequence[str], kernel: Sequence[str] = ()) -> dict[str, Any]:
    """What came of these attacks by a process with these limits, and what it was told that is missing."""
    script = Path(__file__).with_name("attacks.py")
    words = [*kernel, sys.executable, script, limits, scene.scratch, scene.folder, scene.process, scene.listener]
    ran = subprocess.run(
        [*map(str, words), *names], cwd=ROOT, env=_environment(), capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": python_path(ROOT)}


def all_refused(came: Mapping[str, str]) -> bool:
    return set(came.values()) == {"refused"}


@pytest.mark.parametrize("limits", ["read", "convert", "show"])
def test_nothing_that_a_hostile_file_could_try_gets_through(scene: Scene, limits: str) -> None:
    missing = missing_protection()
    names = set(attacks.ATTACKS)
    if missing:
        pytest.skip(f"not all is there: {missing}")
    names -= {"read": set(), "show": {"lock the log"}, "convert": {*attacks.LOCKS, *attacks.UNIX_SOCKET}}[limits]
    told = attacked(scene, limits, sorted(names))
    assert {name: how for name, how in told["came"].items() if how != "refused"} == {}
    assert told["missing"] == []
    assert [each.name for each in scene.folder.iterdir()] == ["kept"]
    assert (scene.folder / "kept").read_text() == "kept"


@needs_seccomp
def test_without_limits_the_same_attacks_get_through(scene: Scene) -> None:
    """What is refused above is refused by the limits, not by the machine."""
    usual = [*attacks.ON_FILES, *attacks.LOCKS, *attacks.UNIX_SOCKET, "signal another", "internet", "connect"]
    usual += ["change rights", "change the time", "change rights by chmod", "limits of another", "a hold on another"]
    usual += ["memory as a file", "own signals", "reserve disk"]
    assert set(attacked(scene, "none", usual)["came"].values()) == {"done"}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="its numbers are asked for")
@needs_seccomp
def test_an_unlisted_call_is_answered_as_by_a_kernel_that_lacks_it(scene: Scene) -> None:
    """Libraries fall back then; and a program of 32 bits, whose numbers mean other calls, runs into the same."""
    asked = "import ctypes, os; from pathlib import Path; from briefbank.platform.confine import confine; "
    asked += f"confine(Path({str(scene.scratch)!r}), 2_000_000_000); libc = ctypes.CDLL(None, use_errno=True); "
    asked += "print([(libc.syscall(n, 0, 0), ctypes.get_errno()) for n in (435, 425, 321, 0x40000000 + 39, 5000)])"
    ran = subprocess.run([sys.executable, "-c", asked], env=_environment(), capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == str([(-1, 38)] * 5)


@needs_landlock
def test_a_process_that_may_write_nothing_finds_the_pages_that_ocr_read(scene: Scene) -> None:
    """SQLite would put a file beside a database that nobody has open."""
    with Cache(scene.folder / "cache.sqlite") as cache:
        cache.put(ocr_key("a" * 64, 1, "tesseract"), Page(1, 612.0, 792.0, (), TextSource.OCR, 0.9))
    asked = "from pathlib import Path; from briefbank.platform.confine import confine; "
    asked += f"confine(Path({str(scene.scratch)!r}), 2_000_000_000); "
    asked += "from briefbank.ingest.cache import stored_ocr_pages; "
    asked += f"print(list(stored_ocr_pages(Path({str(scene.folder / 'cache.sqlite')!r}), 'a' * 64)))"
    ran = subprocess.run([sys.executable, "-c", asked], env=_environment(), capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[1]"


@needs_seccomp
def test_without_landlock_calls_are_still_refused_and_what_is_missing_is_said(scene: Scene) -> None:
    told = attacked(scene, "read", [*attacks.ON_CALLS, "remove", "rename", "empty by opening"], [*_OLDER, "landlock"])
    (missing,) = told["missing"]
    assert "no Landlock" in missing
    assert "6.12" in missing
    assert told["came"].pop("empty by opening") == "done"
    assert all_refused(told["came"])


@needs_landlock
def test_without_seccomp_files_are_still_held_and_what_is_missing_is_said(scene: Scene) -> None:
    told = attacked(scene, "read", [*attacks.ON_FILES, "change rights"], [*_OLDER, "seccomp"])
    (missing,) = told["missing"]
    assert "seccomp" in missing
    assert "network" in missing
    assert told["came"].pop("change rights") == "done"
    assert all_refused(told["came"])


@needs_scopes
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_before_linux_6_12_signals_get_through_and_that_is_said(scene: Scene) -> None:
    names = [*attacks.ON_FILES, *attacks.ON_CALLS, "signal another"]
    told = attacked(scene, "read", names, _AS_BEFORE_6_12)
    (missing,) = told["missing"]
    assert "6.12" in missing
    assert told["came"].pop("signal another") == "done"
    assert all_refused(told["came"])


def test_a_process_with_a_second_thread_is_not_taken_for_confined(tmp_path: Path) -> None:
    asked = "import threading, time; from briefbank.platform.confine import only_read; "
    asked += "threading.Thread(target=time.sleep, args=(5,), daemon=True).start(); only_read()"
    ran = subprocess.run([sys.executable, "-c", asked], env=_environment(), capture_output=True, text=True, check=False)
    assert "RuntimeError" in ran.stderr


_READ_ALL = """
import hashlib, json, sys
from pathlib import Path
from briefbank.platform.confine import confine

limits, scratch, *paths = sys.argv[1:]
if limits != "none":
    confine(Path(scratch), 2_000_000_000, converts=limits == "convert")

from briefbank.errors import SourceError  # NumPy starts threads when it is imported
from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.parse import with_ocr
from briefbank.ingest.structure import structure
from briefbank.ingest.readers import read_file
from briefbank.platform.settings import Settings

def read(path):
    try:
        reading = read_file(path, Settings())
        pages = {number: ocr_page(path, number, Settings()) for number in reading.pages_to_ocr[:1]}
        document = structure(with_ocr(reading, pages))
    except SourceError as error:
        return error.code
    return hashlib.sha256(repr(document).encode()).hexdigest()

print(json.dumps({path: read(Path(path)) for path in paths}))
"""


def read_all(limits: str, scratch: Path, paths: Sequence[Path]) -> dict[str, str]:
    """The digest of what each file says, or why it cannot be read, by a process with these limits."""
    words = [sys.executable, "-c", _READ_ALL, limits, scratch, *paths]
    ran = subprocess.run(list(map(str, words)), env=_environment(), capture_output=True, encoding="utf-8", check=True)
    read: dict[str, str] = json.loads(ran.stdout)
    return read


def test_what_is_read_and_recognised_under_limits_is_the_same_as_without(tmp_path: Path) -> None:
    office.write_library(tmp_path)
    office.write_scan(tmp_path / "scan.pdf", office.memo("Consent", office.CONSENT))
    assert_read_alike(tmp_path, tmp_path)


@pytest.mark.slow
def test_the_samples_are_read_under_limits_as_without(tmp_path: Path) -> None:
    assert_read_alike(ROOT / "tests" / "data" / "samples" / "office", tmp_path)


def assert_read_alike(folder: Path, scratch: Path) -> None:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    free = read_all("none", scratch, paths)
    assert sum(len(told) == 64 for told in free.values()) > 4
    assert read_all("read", scratch, paths) == free


@pytest.mark.skipif(find_converter() is None, reason="LibreOffice is not installed")
def test_a_converter_reads_an_old_format_under_limits(tmp_path: Path) -> None:
    paths = [office.write_text(tmp_path / "old.rtf", rf"{{\rtf1\ansi {office.paragraph(office.SENTENCE)}\par}}")]
    free = read_all("none", tmp_path, paths)
    assert len(free[str(paths[0])]) == 64
    assert read_all("convert", tmp_path, paths) == free


@pytest.mark.parametrize("verb", ["index", "status", "check"])
def test_it_is_told_what_protection_is_missing(folder: Path, own_bank: Path, verb: str) -> None:
    words = [verb, *([str(folder), "--quiet"] if verb == "index" else []), "--bank", str(own_bank)]
    kernel = [*_OLDER, "landlock,seccomp"]
    plain, told = (
        subprocess.run(
            [*kernel, *command(*words, *more)],
            env=_environment(),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        for more in ((), ("--json",))
    )
    assert re.search("Not protected: .*seccomp.* network", plain.stdout), plain.stdout + plain.stderr
    assert re.search("Not protected: .*Landlock.* files", plain.stdout)
    assert len(json.loads(told.stdout)["missing_protection"]) == 2


def test_the_child_that_shows_pages_has_given_up_its_rights(library_bank: Path) -> None:
    known = set(psutil.Process().children())
    child = start_child(ChildRole.PAGES, library_bank)
    try:
        child.ask(method_call(methods_of(ChildRole.PAGES)["document_pages"], "no such document")[0])
        next(child.messages())
        (started,) = set(psutil.Process().children()) - known
        status = Path(f"/proc/{started.pid}/status").read_text(encoding="ascii")
    finally:
        child.tell_to_end()
        child.end(seconds=10)
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status
