"""Disks that fail: the n-th call of a command fails, for every n until none is left to fail.

Method: the one SQLite is tested by ("How SQLite Is Tested", I/O error and out-of-space tests), with strace in place of
a file system of our own: `strace -f -e inject=CALL:error=ERROR:when=N`. Each thread counts for itself, so that one run
may fail in several. What a command must then do: end with a documented code and never call it a fault of its own, name
the disk or its space where that is what failed, leave what was there or what was to come, and do its work whole when it
is run again with a disk that works. Where an interrupted call (EINTR) fails, a command may also just succeed.

Longer: `make test-slow`; TRUST_CALLS says how many calls of each kind are failed at most (0: all).
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer
from typing import Any

import office
import pytest
from judged import write_collection
from laptops import laptop
from looking import bank_seen, log_seen, pack_seen
from program import ROOT, Result, command, python_path
from tracing import needs_strace

from briefbank.bank.local import Bank
from briefbank.errors import ExitCode
from briefbank.office.packs.signing_keys import make_key

pytestmark = needs_strace

CALLS = int(os.environ.get("TRUST_CALLS", "3"))
"""How many calls of each kind the slow runs let fail, spread over all; 0: every one of them."""
CHANGES = (
    *("fsync", "fdatasync", "pwrite64", "write", "ftruncate", "openat"),
    *("mkdir", "rename", "renameat", "linkat", "unlink", "unlinkat", "rmdir"),
)
READS = ("read", "pread64", "getdents64")
OF_SPACE = ("pwrite64", "write", "mkdir", "openat")
LONGEST_S = 120
"""A command that takes longer hangs. It is killed, which is an end that none may come to over a file of the bank."""
ENDS = frozenset(map(int, ExitCode)) - {int(ExitCode.OTHER)}


@dataclass(frozen=True, slots=True)
class Job:
    """A command over copies of prepared files: its words, what it writes, how that is looked at, and what else it
    reads there, which stays as it is whatever happens.
    """

    words: tuple[str, ...]
    writes: str
    look: Callable[[Path], Any]
    keeps: tuple[str, ...] = ()

    def kept(self, place: Path) -> list[Any]:
        return [(documents_seen if each in BANKS else log_seen)(place / each) for each in self.keeps]


def documents_seen(bank: Path) -> Any:
    """As `bank_seen`, without the generation's name, which is the time."""
    seen = bank_seen(bank)
    return seen and seen[1:]


BANKS = {"bank", "twice", "laptop"}
JOBS = {
    "index": Job(("index", "{source}/briefs", "--bank", "bank", "--quiet"), "bank", documents_seen),
    "rollback": Job(("rollback", "--bank", "twice"), "twice", documents_seen),
    "pack": Job(("pack", "new.bbpack", "--bank", "twice", "--quiet"), "new.bbpack", pack_seen, ("twice",)),
    "install": Job(("install", "{source}/twice.bbpack", "--bank", "laptop", "--quiet"), "laptop", documents_seen),
    "merge": Job(
        ("feedback", "merge", "a.sqlite", "b.sqlite", "--out", "all.sqlite"),
        "all.sqlite",
        log_seen,
        ("a.sqlite", "b.sqlite"),
    ),
    "learn": Job(("learn", "--bank", "twice", "--judgements", "{source}/judged", "--quiet"), "twice", documents_seen),
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """Where files lie that a job is given copies of, and what each job's look like when it succeeded, once known."""

    source: Path
    copied: Path
    work: Path
    known: dict[str, Any]

    def after(self, name: str) -> Any:
        """What a job's file shows when the job was done and nothing failed."""
        if name not in self.known:
            aside = replace(self, work=self.work.with_name("undisturbed"))
            aside.fresh()
            told = aside.run(JOBS[name])
            assert told.code == 0, told.err
            self.known[name] = JOBS[name].look(aside.work / JOBS[name].writes)
        return self.known[name]

    def fresh(self) -> Path:
        """Give a job its own copies."""
        shutil.rmtree(self.work, ignore_errors=True)
        return Path(shutil.copytree(self.copied, self.work))

    def run(self, job: Job, *before: str) -> Result:
        """Run a job's command in the copies, behind other words."""
        words = [word.format(source=self.source) for word in job.words]
        environment = {
            **os.environ,
            "PYTHONPATH": python_path(ROOT),
            "PYTHONSAFEPATH": "1",  # else Python itself looks for modules beside what the job writes
            "BRIEFBANK_KEYS": str(self.source / "keys"),
        }
        process = subprocess.Popen(
            [*before, *command(*words)],
            cwd=self.work,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        timer = Timer(LONGEST_S, end, [process])
        timer.start()
        try:
            out, err = process.communicate()
        finally:
            timer.cancel()
            end(process)
        return Result(process.returncode, out, err)


def end(process: subprocess.Popen[str]) -> None:
    """Kill a command and what it started; strace killed alone would leave what it follows."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    root = tmp_path_factory.mktemp("calls")
    source, copied = root / "source", root / "copied"
    office.write_text(source / "briefs" / "one.txt", office.memo("Arrays", office.LINEUP))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRIEFBANK_KEYS", str(source / "keys"))
        make_key("Office")
        Bank.open(office.write_bank(copied / "bank")).index(source / "briefs")
        Bank.open(copied / "bank").pack(source / "once.bbpack")
        Bank.install(copied / "laptop", source / "once.bbpack")
        shutil.copytree(copied / "bank", copied / "twice")
        office.write_text(source / "briefs" / "two.txt", office.memo("Consent at the stop", office.CONSENT))
        Bank.open(copied / "twice").index(source / "briefs")
        Bank.open(copied / "twice").pack(source / "twice.bbpack")
        laptop(copied / "a.sqlite", [("the stop", 1, True)])
        laptop(copied / "b.sqlite", [("the array", 2, False)])
        write_collection(source / "judged")
        yield Prepared(source, copied, root / "work", {})


def fail(prepared: Prepared, name: str, call: str, error: str, number: int) -> bool:
    """Let the n-th such call of a job fail and look at what became of it; false where it makes no n such calls, or
    where not all of them were about what it reads and writes, but about the program's own files, or a pipe.
    """
    job, place = JOBS[name], prepared.fresh()
    before, kept = job.look(place / job.writes), job.kept(place)
    trace = place.parent / "trace"
    injected = f"inject={call}:error={error}:when={number}"
    told = prepared.run(job, "strace", "-f", "-y", "-o", str(trace), "-e", f"trace={call}", "-e", injected)
    failed = [line for line in calls_in(trace) if "(INJECTED)" in line]
    if not failed:
        assert told.code == 0, told.err
        return False
    situation = f"{name}, {call} {number} fails with {error}: ends with {told.code}: {told.err}\n{failed}"
    assert job.kept(place) == kept, situation
    seen, after = job.look(place / job.writes), prepared.after(name)
    if not all(concerns(line, place) for line in failed):
        return False
    assert told.code in ENDS, situation
    assert "Traceback" not in told.err, situation
    if told.code and error != "EINTR":
        assert "disk" in told.err.lower() or "space" in told.err.lower(), situation
    assert seen in ((after,) if told.code == 0 else (before, after)), situation
    if seen != after or name == "index":
        if job.look is pack_seen:
            (place / job.writes).unlink(missing_ok=True)  # a pack is never written over
        again = prepared.run(job)
        assert again.code == 0, f"{situation}, and again: {again.err}"
        assert job.look(place / job.writes) == after, situation
    for bank in {job.writes, *job.keeps} & BANKS:  # gone back, the ledger knows files that the live index does not hold
        found = Bank.open(place / bank).check()
        assert [each for each in found if each.is_damage and each.where != "ledger"] == [], situation
    return True


def calls_in(trace: Path) -> Iterator[str]:
    """The calls of a trace, each in one line, also one that was not over when another thread was heard of."""
    begun: dict[str, str] = {}
    for line in trace.read_text(encoding="utf-8", errors="replace").splitlines():
        thread = line.split()[0]
        if line.endswith(" <unfinished ...>"):
            begun[thread] = line.removesuffix(" <unfinished ...>")
        elif " resumed>" in line:
            yield begun.pop(thread, thread) + line.partition(" resumed>")[2]
        else:
            yield line


def concerns(line: str, place: Path) -> bool:
    """Whether a call in a trace is about a file below a folder, the working folder of the command."""
    told = re.sub(r"AT_FDCWD<[^>]*>", "", line)
    return str(place) in told or re.search(r'\((?:, )?"[^/"]', told) is not None


def numbers_of(prepared: Prepared, name: str, call: str) -> list[int]:
    """Which calls of a job, counted in each thread by itself, are about what it reads and writes, when nothing fails:
    those that are in all threads, since the n-th fails in each, or where there is none, those that are in some.
    """
    place = prepared.fresh()
    trace = place.parent / "trace"
    prepared.run(JOBS[name], "strace", "-f", "-y", "-o", str(trace), "-e", f"trace={call}")
    counts: Counter[str] = Counter()
    some, others = set(), set()
    for line in calls_in(trace):
        if f" {call}(" in line:
            thread = line.split()[0]
            counts[thread] += 1
            (some if concerns(line, place) else others).add(counts[thread])
    return sorted(some - others or some)


def spread(numbers: list[int], most: int) -> list[int]:
    """Up to `most` of the numbers, the first and the last among them."""
    if not most or len(numbers) <= most:
        return numbers
    return sorted({numbers[round(each * (len(numbers) - 1) / max(1, most - 1))] for each in range(most)})


@pytest.mark.parametrize(
    ("name", "call", "error", "number"),
    [
        ("index", "fsync", "EIO", 9),
        ("index", "rename", "ENOSPC", 2),
        ("rollback", "fsync", "EIO", 2),
        ("merge", "fdatasync", "EIO", 2),
        ("merge", "pwrite64", "ENOSPC", 5),
        ("rollback", "write", "EINTR", 3),
        ("pack", "write", "ENOSPC", 3),
        ("pack", "rename", "EINTR", 1),
        ("learn", "fsync", "EIO", 60),
    ],
)
def test_a_call_that_fails_ends_the_command_in_words_and_costs_nothing(
    prepared: Prepared, name: str, call: str, error: str, number: int
) -> None:
    assert fail(prepared, name, call, error, number)


def test_a_pack_whose_bank_cannot_be_read_ends_in_words_and_costs_nothing(prepared: Prepared) -> None:
    """Reads are counted first: a command reads its modules in between, as many as it has."""
    assert fail(prepared, "pack", "read", "EIO", numbers_of(prepared, "pack", "read")[-1])


CASES = [
    (name, call, error)
    for error, calls in (("EIO", CHANGES + READS), ("ENOSPC", OF_SPACE), ("EINTR", CHANGES + READS))
    for name in JOBS
    for call in calls
]


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("name", "call", "error"), CASES)
def test_any_call_may_fail(prepared: Prepared, name: str, call: str, error: str) -> None:
    numbers = spread(numbers_of(prepared, name, call), CALLS if name != "learn" else min(CALLS, 3))
    failed = sum(fail(prepared, name, call, error, number) for number in numbers)
    print(f"{name}: {failed} of {len(numbers)} {call} over what it reads and writes failed with {error}")
