"""Power cuts, all of them: what a writer did is recorded, and every state a cut may have left is opened.

Method: the trace of a writer replayed (ALICE: Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014). The
writer runs once under strace; from its calls the disk is followed, with what was synced and what was not; at each point
the states that a cut may leave there are made real and opened with the program. It must find what was there before or
what came after, never damage, and nothing that was acknowledged may be gone. Beside it the invariant: when a rename
publishes, nothing below what it publishes is unsynced.

Proves it for the calls that were made in this order; what it cannot show is a disk that says "synced" and lies. Longer:
`make test-slow`, with TRUST_STATES for how many states are indexed in again.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import office
import pytest
from disks import Disk, Files, read_tree, write_tree
from judged import write_collection
from looking import SEEN
from program import ROOT, python_path
from tracing import Call, calls, needs_strace, record

from briefbank.bank.local import Bank

pytestmark = needs_strace

WRITER = Path(__file__).parent / "writer.py"
TOML = "bank/bank.toml"
MOMENTS = 60
"""How many moments the short runs look at, beside every rename and acknowledgement."""
STATES = int(os.environ.get("TRUST_STATES", "60"))
"""In how many states of the bank, of thousands, the slow run indexes again."""


def of_reader(path: str) -> bool:
    """Whether a search reads the file: neither ledger nor cache, and no generation that is being built."""
    parts = path.split("/")
    return not (
        any(part.endswith((".building", ".removing", ".tmp", ".part", "-shm")) for part in parts)
        or {"cache", "scratch", "writer.lock", "writer.owner", "seals.json", "installing"} & set(parts[1:2])
        or parts[1:2] in (["ledger.sqlite"], ["ledger.sqlite-journal"])
    )


# --- the record of a writer -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    """A writer's calls in an empty folder, and what was seen of each thing after each of its acknowledgements."""

    place: Path
    trace: Path
    mapped: dict[int, bytes]
    seen: dict[str, list[Any]]

    def moments(self) -> Iterator[tuple[Call, Disk, dict[str, int]]]:
        """Every call that changed the disk, the disk after it, and how often each thing was acknowledged so far."""
        disk, told = Disk(self.place, self.mapped), dict.fromkeys(SEEN, 0)
        for call in calls(self.trace):
            if subject := acknowledged(call):
                told[subject] += 1
            elif not disk.follow(call):
                continue
            yield call, disk, told


def acknowledged(call: Call) -> str:
    """What a call tells the user to be done; empty for any other."""
    if call.name != "write" or not (call.strings() or [b""])[0].startswith(b"done "):
        return ""
    return call.strings()[0].decode().split()[1]


def recorded(root: Path, *works: str) -> Record:
    """Let a writer work under strace, below `root`/place."""
    office.write_text(
        root / "briefs" / "quince.txt",
        office.brief("Alder Quince", "A-1-18", "May 4, 2018", ("THE STOP.", office.STOP)),
    )
    office.write_text(root / "briefs" / "lineup.txt", office.memo("Arrays", office.LINEUP))
    office.write_text(root / "more.txt", office.memo("Consent at the stop", office.CONSENT))
    place = root / "place"
    place.mkdir()
    tests = WRITER.parents[1]
    environment = {
        **os.environ,
        "PYTHONPATH": python_path(ROOT, tests),
        "BRIEFBANK_KEYS": str(root / "keys"),
        "BRIEFBANK_MODELS": str(root / "models"),
    }
    record([sys.executable, str(WRITER), str(place), *works], root / "trace", environment=environment, cwd=ROOT)
    seen: dict[str, list[Any]] = {name: [look(root / "nothing")] for name, look in SEEN.items()}
    last = Disk(place)
    for call in calls(root / "trace"):
        last.follow(call)
    made = Record(place, root / "trace", last.mapped(), seen)
    for number, (call, disk, _) in enumerate(made.moments()):
        last = disk
        if subject := acknowledged(call):
            real = write_tree(disk.now.tree(), root / "acknowledged" / str(number))
            seen[subject].append(SEEN[subject](real / subject))
            shutil.rmtree(real)
    assert without_shared_memory(last.now.tree()) == without_shared_memory(read_tree(place)), "the trace missed a write"
    return made


def without_shared_memory(files: Files) -> Files:
    """Leave out what SQLite maps into memory: its index of a write-ahead log, made anew after a power cut."""
    return {path: data for path, data in files.items() if not path.endswith("-shm")}


def states(
    record: Record, *, moments: int, is_wanted: Callable[[str], bool] = lambda _: True
) -> dict[str, list[tuple[Files, set[int]]]]:
    """The different states of each thing at `moments` moments (0: at all), each with how often the thing was
    acknowledged when it may be left so. States that differ only in unwanted files are one.
    """
    chance = random.Random(20)  # a seed, so that a failure can be repeated
    every = sum(1 for _ in record.moments())
    chosen = set(chance.sample(range(every), moments)) if 0 < moments < every else set(range(every))
    subjects = [subject for subject, values in record.seen.items() if len(values) > 1]
    found: dict[str, dict[frozenset[tuple[str, bytes | None]], tuple[Files, set[int]]]] = {
        each: {} for each in subjects
    }
    for number, (call, disk, told) in enumerate(record.moments()):
        if number not in chosen and "rename" not in call.name and not acknowledged(call):
            continue
        for files in disk.crashes(chance):
            for subject in subjects:
                stem = subject.split(".")[0]  # a log is kept twice, under names with one beginning
                mine = {path: data for path, data in files.items() if path.split("/")[0].startswith(stem)}
                key = frozenset((path, data) for path, data in mine.items() if is_wanted(path))
                found[subject].setdefault(key, (mine, set()))[1].add(told[subject])
    return {subject: list(each.values()) for subject, each in found.items()}


def assert_opens(record: Record, place: Path, *, moments: int) -> None:
    """Open every state: it is as last acknowledged, or as acknowledged next."""
    for subject, each in states(record, moments=moments, is_wanted=of_reader).items():
        print(f"{subject}: {len(each)} states")
        values = record.seen[subject]
        for number, (files, acknowledgements) in enumerate(each):
            folder = write_tree(files, place / f"{subject}-{number}")
            try:
                found = SEEN[subject](folder / subject)
                for told in acknowledgements:
                    assert found in values[told : told + 2]
            except Exception as problem:
                problem.add_note(f"{subject} after {sorted(acknowledgements)} acknowledgements: {sorted(files)}")
                raise
            shutil.rmtree(folder)


def assert_goes_on(record: Record, place: Path, *, moments: int, limit: int) -> None:
    """Index again in states of the bank: it ends as a bank that never lost power, and nothing is wrong with it."""
    whole = [state for state in states(record, moments=moments)["bank"] if b"hashing" in (state[0].get(TOML) or b"")]
    print(f"{len(whole)} states of the bank with its ledger and cache")
    for number, (files, _) in enumerate(random.Random(21).sample(whole, min(limit, len(whole)))):
        bank = write_tree(files, place / str(number)) / "bank"
        try:
            report = Bank.create(bank).index(record.place.parent / "briefs")
            assert (report.documents, report.failures) == (3, ())
            assert {each.id for each in Bank.open(bank).documents()} == documents_of(record)
            assert [finding for finding in Bank.open(bank).check() if finding.is_damage] == []
        except Exception as problem:
            problem.add_note(f"state {number}: {sorted(files)}")
            raise
        shutil.rmtree(bank)


def documents_of(record: Record) -> set[str]:
    """The documents of the bank after the last change, by id."""
    return set(max((value[1] for value in record.seen["bank"] if value), key=len))


@pytest.fixture(scope="module")
def record_of_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Record]:
    """A bank made, indexed, packed, installed; changed, packed, installed again; rolled back; marks and their merge."""
    works = "create index key pack install change index pack_next install_next rollback judge merge"
    root = tmp_path_factory.mktemp("trace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRIEFBANK_KEYS", str(root / "keys"))  # as the writer has it: only packs of a trusted key are read
        yield recorded(root, *works.split())


def test_nothing_below_a_name_that_is_published_is_unsynced(record_of_office: Record) -> None:
    published = []
    for call, disk, _ in record_of_office.moments():
        path = Path(call.paths()[-1]) if "rename" in call.name else Path()
        if path.name == "current" or (path.parent == record_of_office.place and path.name in ("bank", "laptop")):
            bank = path.parent.name if path.name == "current" else path.name
            now = disk.now.tree()
            name = f"{bank}/generations/{(now.get(f'{bank}/current') or b'').decode().strip()}"
            kept = disk.kept.copy()
            kept.apply(disk.pending[-1][1])  # the rename itself, whenever that comes to the disk
            below = {path: data for path, data in now.items() if path == name or path.startswith(f"{name}/")}
            found = kept.tree()
            assert {path: found.get(path, b"lost") for path in below} == below
            published.append(bank)
    assert {"bank", "laptop"} <= set(published)
    assert len(published) >= 5


def test_a_power_cut_leaves_what_was_or_what_came(record_of_office: Record, tmp_path: Path) -> None:
    assert_opens(record_of_office, tmp_path, moments=MOMENTS)


def test_after_a_power_cut_the_next_run_ends_whole(record_of_office: Record, tmp_path: Path) -> None:
    assert_goes_on(record_of_office, tmp_path, moments=MOMENTS, limit=2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_power_cut_at_any_moment_leaves_what_was_or_what_came(record_of_office: Record, tmp_path: Path) -> None:
    assert_opens(record_of_office, tmp_path, moments=0)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_after_a_power_cut_at_any_moment_the_next_run_ends_whole(record_of_office: Record, tmp_path: Path) -> None:
    assert_goes_on(record_of_office, tmp_path, moments=0, limit=STATES)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_power_cut_while_learning_leaves_what_was_or_what_came(tmp_path: Path) -> None:
    write_collection(tmp_path / "judged")
    record = recorded(tmp_path, "create", "index", "learn")
    assert len(record.seen["bank"]) == 4
    assert_opens(record, tmp_path / "open", moments=0)
