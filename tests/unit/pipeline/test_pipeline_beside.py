"""What happens beside an index run: files are swapped while they are read, readers meet limits, somebody checks."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import office
import pytest
from index_runs import counts, sources
from pool_at_once import PoolAtOnce

from briefbank.bank.local import Bank
from briefbank.errors import BriefBankError, ChangingFileError, ReaderKilledError, TooSlowError
from briefbank.index.publish import live_generation
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.parse import How
from briefbank.ingest.worker import ReadFile
from briefbank.platform.files import file_sha256
from briefbank.platform.layout import Layout
from briefbank.platform.progress import Progress
from briefbank.platform.settings import Settings
from briefbank.values.records import Query

LISTED_NS = 1_600_000_000_000_000_000
SAID = office.brief("Ada Quince", "A-1482-17T4", "", ("CONSENT.", office.CONSENT))
SWAPPED = SAID.replace("consent", "hearsay")


def as_listed(path: Path, text: str) -> None:
    """Put a file in the place of another: of the same length and time, as whoever swaps them can have it."""
    new = path.with_suffix(".new")
    office.write_text(new, text)
    os.utime(new, ns=(LISTED_NS, LISTED_NS))
    new.replace(path)


def test_no_text_is_kept_under_the_digest_of_another(
    empty_bank: Path, folder: Path, steps: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    brief = folder / "quince.txt"
    as_listed(brief, SAID)
    swaps = iter((SWAPPED, SAID))

    def swap(step: str, path: Path) -> None:
        if path == brief and step == "readfile" and (text := next(swaps, None)):
            as_listed(brief, text)

    monkeypatch.setattr(PoolAtOnce, "before", staticmethod(swap))
    bank = Bank.open(empty_bank)
    for _ in range(2):
        report = bank.index(folder)
        assert sources(bank) == ["lorne.txt"]
        assert [(Path(path).name, "replaced" in note) for path, note in report.notes] == [("quince.txt", True)]

    bank.index(folder)
    assert sources(bank) == ["lorne.txt", "quince.txt"]
    (kept,) = (each for each in bank.documents() if each.sha256 == file_sha256(brief))
    assert "consent" in " ".join(each.text for each in bank.passages_of(kept.id))


def test_a_file_written_to_while_it_is_read_waits_for_the_next_run(folder: Path) -> None:
    brief = folder / "quince.txt"
    as_listed(brief, SAID)
    how = How(Settings(), sha256=file_sha256(brief))

    def write_and_put_back(_: object) -> None:
        for text in (SWAPPED, SAID):
            brief.write_bytes(text.encode())
        os.utime(brief, ns=(LISTED_NS, LISTED_NS))

    read = ReadFile(SourcePlace(folder, brief), how)
    assert read.run(lambda _: None)
    with pytest.raises(ChangingFileError, match="replaced"):
        read.run(write_and_put_back)


LIMITS = [TooSlowError("It took too long.", "Raise it."), ReaderKilledError("Memory ran out.", "Close programs.")]


@pytest.mark.parametrize("error", LIMITS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("at", ["digest", "readfile"])
def test_a_file_that_met_a_limit_is_tried_again_alone_when_all_others_are_done(
    empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, steps: list[Any], error: BriefBankError, at: str
) -> None:
    def fail_first(step: str, path: Path) -> None:
        is_first = at not in (each for each, _ in steps)
        steps.append((step, path.name))
        if step == at and is_first:
            raise error

    monkeypatch.setattr(PoolAtOnce, "before", staticmethod(fail_first))
    for number in range(4 * (os.cpu_count() or 1)):  # more than are at work at a time
        office.write_text(folder / f"{number}.txt", f"Memo {number}. {office.STOP}")
    names = sorted(each.name for each in folder.iterdir())
    bank = Bank.open(empty_bank)
    assert counts(bank.index(folder)) == (len(names), 0, 0, 0)
    failed = next(name for step, name in steps if step == at)
    again = len(steps) - [*reversed(steps)].index((at, failed)) - 1
    assert Counter(steps)[at, failed] == 2
    assert {name for _, name in steps[again:]} == {failed}
    assert sources(bank) == names


@pytest.mark.parametrize("error", LIMITS, ids=lambda each: type(each).__name__)
def test_a_file_that_meets_its_limit_twice_is_named_and_the_others_are_read(
    empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, steps: list[Any], error: BriefBankError
) -> None:
    def fail_always(step: str, path: Path) -> None:
        steps.append((step, path.name))
        if (step, path.name) == ("readfile", "lorne.txt"):
            raise error

    monkeypatch.setattr(PoolAtOnce, "before", staticmethod(fail_always))
    bank = Bank.open(empty_bank)
    report = bank.index(folder)
    assert [(Path(each.path).name, each.code) for each in report.failures] == [("lorne.txt", error.code)]
    assert Counter(steps)["readfile", "lorne.txt"] == 2
    assert sources(bank) == ["quince.txt"]


def publish_twice(bank: Path, folder: Path) -> None:
    """Have a run, and another one, replace the live generation; the one that was live is gone then."""
    for docket in range(2):
        number = len([*folder.iterdir()])
        text = office.brief("Oren Vale", f"A-077{docket}-09T2", "", (f"POINT {number}.", office.STOP))
        office.write_text(folder / f"new{number}.txt", text)
        Bank.open(bank).index(folder)


CHECKS_BY = ["verify_generation", "problem_of", "ledger_entries", "newest_sound", "stored", "read_info"]


@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", CHECKS_BY)
def test_what_is_published_between_the_steps_of_a_check_is_no_damage(
    bank: Bank, empty_bank: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, step: str, is_after: bool
) -> None:
    assert bank.check() == []
    was_live = live_generation(Layout(empty_bank))
    home = "briefbank.office.repair.check"
    real: Callable[..., Any] = getattr(__import__(home, fromlist=[step]), step)
    is_to_come = [True]

    def publishing(*values: Any) -> Any:
        found = real(*values) if is_after else None
        if is_to_come.pop() if is_to_come else False:
            publish_twice(empty_bank, folder)
        return found if is_after else real(*values)

    monkeypatch.setattr(f"{home}.{step}", publishing)
    assert bank.check() == []
    assert not is_to_come
    assert not was_live.exists()
    assert bank.check() == []


def test_a_check_at_any_moment_of_a_run_finds_no_damage(bank: Bank, folder: Path) -> None:
    assert bank.check() == []
    office.write_text(folder / "new.txt", office.brief("Oren Vale", "A-0771-09T2", "", ("THE STOP.", office.STOP)))
    (folder / "lorne.txt").unlink()
    found = []

    def check(progress: Progress) -> None:
        if threading.get_ident() == threading.main_thread().ident:  # not in the threads that Lance reads batches with
            found.append((progress.stage, bank.check()))

    bank.index(folder, reporter=check)
    assert {"reading", "writing the index"} <= {stage for stage, _ in found}
    assert not any(findings for _, findings in found)
    assert bank.search(Query("stop of a car")).hits
    assert bank.check() == []
