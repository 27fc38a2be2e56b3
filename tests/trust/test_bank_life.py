"""A bank's whole life, drawn at random: whatever was done to it before, it answers from what it was given, and says so.

Method: stateful testing (Hypothesis, `RuleBasedStateMachine`; Claessen and Hughes, "Testing Monadic Code with
QuickCheck", 2002). An office adds, changes and removes files, indexes, is killed while it does, goes back, packs whole
and by what changed; a laptop installs and goes back; people judge and their logs are merged; a disk changes a byte and
the bank is checked and mended. A small model (which documents, by digest, in which generation) says what must be seen
after every step. A failure is shrunk to the fewest steps and printed as a program.

Longer: `make test-slow`; TRUST_LIVES says how many lives (default 15), each of up to 30 steps.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp

import office
import pytest
from hits import result
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from looking import QUESTION
from program import ROOT, command

from briefbank.bank.local import Bank
from briefbank.errors import ExitCode, UsageError
from briefbank.judgements.export.export import write_jsonl
from briefbank.judgements.feedback.events import Event, Judged, Searched, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.judgements.feedback.merge import merge_files
from briefbank.judgements.feedback.sources import read_source
from briefbank.office.packs.signing_keys import make_key
from briefbank.platform.event_log.log import new_id

LIVES = int(os.environ.get("TRUST_LIVES", "15"))
TEXTS = (office.STOP, office.CONSENT, office.HEARSAY, office.CHARGE, office.LINEUP)
NAMES = ("quince.txt", "hale.md", "older/lorne.txt", "copies/quince.txt")
START_S = 0.8
"""About what a command takes before it does anything; killing it earlier tests nothing of ours."""

Digests = frozenset[str]


@dataclass(frozen=True, slots=True)
class Generation:
    """What a generation holds, and how many were made before it."""

    name: str
    documents: Digests
    number: int


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack that was made."""

    path: Path
    holds: Generation


class Life(RuleBasedStateMachine):
    """The office's machine, a laptop, and two people's logs, with what each must be seen to hold."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(mkdtemp(prefix="briefbank-life-"))
        self.briefs = self.root / "briefs"
        self.texts: dict[str, str] = {}
        self.live: Generation | None = None
        self.other: Generation | None = None
        self.made = 0
        self.packs: list[Pack] = []
        self.on_laptop: list[Generation] = []
        self.said: dict[str, list[str]] = {"a": [], "b": []}
        self.merged: set[str] = set()
        self.lasting: Bank | None = None

    @initialize(text=st.sampled_from(TEXTS))
    def open_the_office(self, text: str) -> None:
        self.bank = office.write_bank(self.root / "bank")
        self.laptop = self.root / "laptop"
        os.environ["BRIEFBANK_KEYS"] = str(self.root / "keys")
        make_key("Office")
        self.write(NAMES[0], text, 0)
        self.index()

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    # --- the folder -------------------------------------------------------------------------------------------------

    @rule(name=st.sampled_from(NAMES), text=st.sampled_from(TEXTS), number=st.integers(0, 2))
    def write(self, name: str, text: str, number: int) -> None:
        """Add a file, or change one; the same text under two names is one document."""
        whole = office.memo(f"Notes {number}", text)
        office.write_text(self.briefs / name, whole)
        self.texts[hashlib.sha256(whole.encode()).hexdigest()] = " ".join(whole.split())

    @precondition(lambda self: len(self.files()) > 1)
    @rule(chance=st.randoms(use_true_random=False))
    def remove(self, chance: random.Random) -> None:
        chance.choice(self.files()).unlink()

    def files(self) -> list[Path]:
        return sorted(path for path in self.briefs.rglob("*") if path.is_file())

    def in_folder(self) -> Digests:
        return frozenset(hashlib.sha256(path.read_bytes()).hexdigest() for path in self.files())

    # --- the office's bank ------------------------------------------------------------------------------------------

    def seen(self, bank: Path) -> Digests:
        return frozenset(document.sha256 for document in Bank.open(bank).documents())

    def published(self) -> None:
        """Take note of the live generation, where it is another than before."""
        status = Bank.open(self.bank).status()
        assert status.generation is not None
        if self.live is None or status.generation != self.live.name:
            self.made += 1
            self.live, self.other = Generation(status.generation, self.seen(self.bank), self.made), self.live

    @rule()
    def index(self) -> None:
        report = Bank.open(self.bank).index(self.briefs)
        assert report.failures == ()
        self.published()
        assert self.seen(self.bank) == self.in_folder()

    @rule(seconds=st.floats(0, 1.5))
    def index_and_be_killed(self, seconds: float) -> None:
        words = command("index", self.briefs, "--bank", self.bank, "--quiet")
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(START_S + seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert self.live
        assert self.seen(self.bank) in (self.live.documents, self.in_folder())
        self.published()

    @precondition(lambda self: self.other is not None)
    @rule()
    def go_back(self) -> None:
        Bank.open(self.bank).rollback()
        self.live, self.other = self.other, self.live

    @rule()
    def check(self) -> None:
        """What was read and is not in the live index is named after a kill or after going back, until the next run."""
        assert [each for each in Bank.open(self.bank).check() if each.is_damage and each.where != "ledger"] == []

    @rule(chance=st.randoms(use_true_random=False))
    def lose_a_byte_and_mend(self, chance: random.Random) -> None:
        """Change one byte of any file, as a disk does; it is found, and mended or said, and no document is lost."""
        self.index()
        assert Bank.open(self.bank).check() == []
        files = self.files_of_bank()
        file = files[int(chance.random() * len(files))]  # drawn as a share: names and sizes differ when it is replayed
        stat, data = file.stat(), bytearray(file.read_bytes())
        data[int(chance.random() * len(data))] ^= 1 << chance.randrange(8)
        file.write_bytes(data)
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        told = subprocess.run(command("check", "--bank", self.bank), cwd=ROOT, capture_output=True, check=False)
        name = file.relative_to(self.bank)
        if not self.other or self.other.name not in name.parts:  # searching does without that one
            assert told.returncode in (ExitCode.DAMAGED, ExitCode.SETTINGS, ExitCode.NEWER), (name, told)
        mended = Bank.repair(self.bank)
        assert [each for each in mended.findings if each.is_damage] == [], name
        before = {each.name: each for each in (self.live, self.other) if each}
        self.published()
        kept = Bank.open(self.bank).status().other_generations  # what was damaged is put aside, and not gone back to
        self.other = max((before[each] for each in kept), key=lambda each: each.number, default=None)
        assert self.seen(self.bank) == self.in_folder(), name

    def files_of_bank(self) -> list[Path]:
        """Whatever the bank uses: not what was put aside, nor what SQLite makes anew."""
        used = (each for each in self.bank.rglob("*") if each.is_file() and each.stat().st_size)
        return sorted(each for each in used if ".damaged" not in str(each) and not each.name.endswith(("-shm", "-wal")))

    # --- packs and the laptop ---------------------------------------------------------------------------------------

    @rule()
    def pack(self) -> None:
        assert self.live
        path = self.root / f"{len(self.packs)}.bbpack"
        Bank.open(self.bank).pack(path)
        self.packs.append(Pack(path, self.live))

    @precondition(lambda self: self.packs)
    @rule(chance=st.randoms(use_true_random=False), may_be_older=st.booleans())
    def install(self, chance: random.Random, may_be_older: bool) -> None:
        pack = chance.choice(self.packs[-3:])
        try:
            Bank.install(self.laptop, pack.path, allow_older=may_be_older)
        except UsageError:
            is_older = bool(self.on_laptop) and pack.holds.number < self.on_laptop[0].number
            assert is_older
            assert not may_be_older
            return
        if not self.on_laptop or self.on_laptop[0].name != pack.holds.name:
            self.on_laptop = [pack.holds, *self.on_laptop[:1]]

    @precondition(lambda self: len(self.on_laptop) > 1)
    @rule()
    def go_back_on_the_laptop(self) -> None:
        Bank.open(self.laptop).rollback()
        self.on_laptop.reverse()

    # --- judgements -------------------------------------------------------------------------------------------------

    @rule(who=st.sampled_from("ab"), number=st.integers(1, 3), is_relevant=st.booleans())
    def judge(self, who: str, number: int, is_relevant: bool) -> None:
        now = datetime.now(UTC)
        found = result("the stop", 1, 2, 3)
        search = Event(new_id(), now, Searched(found.query, found.generation, 1.0, shown_as(found.hits)))
        mark = Event(new_id(), now, Judged(search.id, f"doc{number}-3", is_relevant=is_relevant))
        with FeedbackLog(self.root / f"{who}.sqlite") as log:
            log.append([search, mark])
        self.said[who] += [search.id, mark.id]

    @precondition(lambda self: any(self.said.values()))
    @rule(who=st.sampled_from("ab"), is_exported=st.booleans())
    def merge(self, who: str, is_exported: bool) -> None:
        log = self.root / f"{who}.sqlite"
        if not log.exists():
            return
        if is_exported:
            lines = self.root / f"{len(self.said[who])}-{time.monotonic_ns()}.jsonl"
            write_jsonl(read_source(log).events, lines)
            log = lines
        merge_files([log], self.root / "all.sqlite")
        self.merged |= set(self.said[who])

    # --- what must be seen, whatever was done -----------------------------------------------------------------------

    @invariant()
    def answers_come_from_what_was_indexed(self) -> None:
        if self.live is None:
            return
        if self.lasting is None:
            self.lasting = Bank.open(self.bank)
        for bank in (Bank.open(self.bank), self.lasting):  # as a window that was open all the while
            self.require_answers(bank, self.live.documents)
        if self.on_laptop:
            self.require_answers(Bank.open(self.laptop), self.on_laptop[0].documents)

    def require_answers(self, bank: Bank, documents: Digests) -> None:
        found = bank.search(QUESTION)
        assert {document.sha256 for document in bank.documents()} == documents
        assert found.hits
        for hit in found.hits:
            assert hit.document.sha256 in documents
            assert " ".join(hit.passage.text.split()) in self.texts[hit.document.sha256]

    @invariant()
    def nothing_said_is_lost(self) -> None:
        for who, said in self.said.items():
            if said:
                with FeedbackLog(self.root / f"{who}.sqlite") as log:
                    assert log.event_ids() == said
        if self.merged:
            assert {event.id for event in read_source(self.root / "all.sqlite").events} == self.merged


def live(lives: int, steps: int, *, is_repeatable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIEFBANK_KEYS", "")
    phases = (Phase.explicit, Phase.generate) if is_repeatable else (Phase.explicit, Phase.generate, Phase.shrink)
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=lives,
            stateful_step_count=steps,
            derandomize=is_repeatable,
            database=None,
            deadline=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_bank_answers_from_what_it_was_given_whatever_is_done_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    live(2, 10, is_repeatable=True, monkeypatch=monkeypatch)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_bank_answers_from_what_it_was_given_in_many_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    live(LIVES, 30, is_repeatable=False, monkeypatch=monkeypatch)
