"""Fixtures of all tests: the invented office's library, a bank built from it, the command line, a watch for leaks."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import hashing_encoder
import hypothesis
import office
import psutil
import pytest
from kept_workers import MARK, KeptPool, kept_pool, kept_workers
from program import ROOT, Briefbank, Result, command
from scripted_model import ScriptedModel, Step

from briefbank.cli.main import main

# What passes once passes again, on a busy machine too; `make test-slow` looks for examples that nobody had.
hypothesis.settings.register_profile("repeatable", deadline=None, derandomize=True)
hypothesis.settings.register_profile("searching", deadline=None, derandomize=False)
hypothesis.settings.load_profile("repeatable")

hashing_encoder.offer()

__all__ = ["kept_pool", "kept_workers"]

_LASTING_THREADS = ("LanceDBBackgroundEventLoop", "lance-reading", "tqdm_monitor", "Dask-Offload_0")
_LASTING_PROCESSES = ("multiprocessing.resource_tracker", MARK)
_GRACE_S = 30.0


@pytest.fixture(autouse=True)
def _nothing_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a process or thread behind; not one that borrows a pool of its module."""
    if "pool" in request.fixturenames:
        yield
        return
    before = _running()
    yield
    deadline = time.monotonic() + _GRACE_S
    while (left := _running() - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, f"left running: {', '.join(sorted(left))}"


def _running() -> set[str]:
    """Names of the threads and child processes that are alive."""
    found = {
        f"thread {each.name} ({each.ident})"
        for each in threading.enumerate()
        if each.name not in _LASTING_THREADS and each.ident not in KeptPool.threads
    }
    for child in psutil.Process().children(recursive=True):
        try:
            command = " ".join(child.cmdline())
        except psutil.NoSuchProcess:
            continue
        if command and not any(name in command for name in _LASTING_PROCESSES):
            found.add(f"process {child.pid} {command[:200]}")
    return found


@pytest.fixture
def briefbank(capsys: pytest.CaptureFixture[str]) -> Briefbank:
    """Run a command in this process, as the user would type it."""

    def run(*arguments: object) -> Result:
        capsys.readouterr()
        try:
            code = int(main([str(each) for each in arguments]))
        except SystemExit as exit_:  # argparse ends so for usage and help
            code = int(exit_.code or 0)
        told = capsys.readouterr()
        return Result(code, told.out, told.err)

    return run


@pytest.fixture
def briefbank_process() -> Briefbank:
    """Run a command in a process of its own; keywords are environment variables."""

    def run(*arguments: object, **variables: str) -> Result:
        environment = {**os.environ, **variables}
        done = subprocess.run(
            command(*arguments),
            cwd=ROOT,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=250,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The office's folder; shared, so never changed."""
    return office.write_library(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def library_bank(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of that folder; shared, so never written to."""
    bank = office.write_bank(tmp_path_factory.mktemp("office") / "bank")
    assert main(["index", str(library), "--bank", str(bank), "--quiet"]) == 12
    return bank


@pytest.fixture
def own_bank(library_bank: Path, tmp_path: Path) -> Path:
    """A copy of the library's bank that a test may spoil."""
    return Path(shutil.copytree(library_bank, tmp_path / "bank"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small folder of two briefs that a test may change."""
    made = tmp_path / "briefs"
    office.write_text(
        made / "quince.txt", office.brief("Alder Quince", "A-1482-17T4", "May 4, 2018", ("THE STOP.", office.STOP))
    )
    office.write_text(
        made / "lorne.txt", office.brief("Petra Lorne", "A-0311-04T2", "March 3, 2005", ("HEARSAY.", office.HEARSAY))
    )
    return made


@pytest.fixture
def empty_bank(tmp_path: Path) -> Path:
    """A bank without documents that needs no model."""
    return office.write_bank(tmp_path / "bank")


@pytest.fixture
def decided_bank(tmp_path: Path) -> Path:
    """A bank of three briefs on stops: the newest was lost, the middle one, which is on hearsay too, is not known, the
    oldest was won.
    """
    folder, bank = tmp_path / "decided", office.write_bank(tmp_path / "bank")
    for client, docket, filed in (
        ("Alder Quince", "A-1482-17", "May 4, 2018"),
        ("Petra Lorne", "A-0311-04", "March 3, 2005"),
        ("Osric Tamm", "A-0007-20", "June 1, 2021"),
    ):
        points = [(f"THE STOP OF {client.upper()}.", f"{client} objects. {office.STOP}")]
        points += [("THE CALLER WAS ABSENT.", office.HEARSAY)] if docket == "A-1482-17" else []
        text = office.brief(client, docket, filed, *points)
        office.write_text(folder / f"{docket}.txt", text)
    office.write_text(folder / "briefbank.csv", "docket,outcome\nA-7-20,affirmed\nA-311-04,reversed and remanded\n")
    assert main(["index", str(folder), "--bank", str(bank), "--quiet"]) == 0
    return bank


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptedModel]:
    """Have a scripted model loaded wherever a language model is."""

    def put(*steps: Step) -> ScriptedModel:
        model = ScriptedModel(*steps)
        monkeypatch.setattr("briefbank.models.language.load_language_model", lambda *_arguments: model)
        return model

    return put
