"""The bank as the doors see it, without either door."""

from __future__ import annotations

import gc
import os
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from briefbank.bank.local import Bank
from briefbank.errors import BankMissingError, UsageError
from briefbank.values.records import DocumentKind, Filters, Query

QUESTION = "may the police search after consent at a prolonged stop"


@pytest.fixture
def bank(library_bank: Path) -> Bank:
    return Bank.open(library_bank)


def test_a_hit_is_a_passage_of_its_document(bank: Bank) -> None:
    documents = {each.id: each for each in bank.documents()}
    for hit in bank.search(Query(QUESTION, top_k=20)).hits:
        assert documents[hit.passage.document_id] == hit.document
        assert bank.passage(hit.passage.id).passage == hit.passage


def test_neighbours_are_those_next_to_a_passage_and_end_with_its_document(bank: Bank) -> None:
    hit = bank.search(Query("consent unequivocal and specific", top_k=1)).hits[0]
    view = bank.passage(hit.passage.id, context=100)
    orders = [each.order for each in (*view.before, view.passage, *view.after)]
    assert orders == list(range(view.document.passage_count))
    alone = bank.passage(hit.passage.id, context=0)
    assert (alone.before, alone.after) == ((), ())
    near = bank.passage(hit.passage.id)
    assert [each.order for each in (*near.before, *near.after)] == [
        order for order in (hit.passage.order - 1, hit.passage.order + 1) if order in orders
    ]


def test_a_passage_tells_its_section_and_page(bank: Bank) -> None:
    query = Query("the form was signed in the dark on the hood", filters=Filters(kinds=(DocumentKind.BRIEF,)), top_k=1)
    (hit,) = bank.search(query).hits
    assert "THE CONSENT WAS TAINTED" in " ".join(hit.passage.section_path)
    assert hit.passage.section_kind.value == "argument"
    assert hit.passage.page_first >= 1
    assert all(box.page in range(hit.passage.page_first, hit.passage.page_last + 1) for box in hit.passage.boxes)
    assert hit.passage.boxes


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (Query("consent", top_k=0), "At least one result must be asked for."),
        (
            Query("consent", filters=Filters(since=date(2020, 1, 2), until=date(2020, 1, 1))),
            "No date is both since 2020-01-02 and until 2020-01-01.",
        ),
        (
            Query("consent & date(since 2020-01-02 and until 2020-01-01)"),
            "No date is both since 2020-01-02 and until 2020-01-01.",
        ),
    ],
)
def test_impossible_limits_are_refused_in_the_same_words_wherever_they_stand(
    bank: Bank, query: Query, said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        bank.search(query)
    assert said in caught.value.message


def test_searching_writes_nothing_into_the_bank(library_bank: Path) -> None:
    def state() -> dict[str, tuple[int, int]]:
        files = (path for path in library_bank.rglob("*") if path.is_file())
        return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}

    before = state()
    bank = Bank.open(library_bank)
    bank.search(Query(QUESTION))
    bank.documents()
    assert state() == before


def test_a_new_bank_is_empty_and_says_so(tmp_path: Path) -> None:
    bank = Bank.create(tmp_path / "bank")
    status = bank.status()
    assert (status.generation, status.documents, status.files, status.failures) == (None, 0, 0, ())
    with pytest.raises(BankMissingError):
        bank.search(Query("consent"))
    with pytest.raises(BankMissingError):
        bank.check()


@pytest.mark.skipif(sys.platform != "linux", reason="where processes tell what they have mapped")
def test_a_closed_bank_holds_none_of_its_files_and_opens_them_again(library_bank: Path) -> None:
    gc.collect()  # tests before this one may have left banks open, and threads that still read them
    assert let_go(library_bank)
    with Bank.open(library_bank) as bank:
        bank.warm()
        document = next(each for each in bank.documents() if each.has_pages)
        bank.page_text(document.id, 1)
        assert held_below(library_bank)
    assert let_go(library_bank)
    assert bank.search(Query(QUESTION)).hits
    bank.close()
    assert let_go(library_bank)


def let_go(folder: Path) -> bool:
    """Whether nothing below a folder is held, at once or within seconds: a bank that forgets to let go never does."""
    end = time.monotonic() + 60
    while held_below(folder) and time.monotonic() < end:
        time.sleep(0.05)
    return not held_below(folder)


def held_below(folder: Path) -> set[str]:
    """The files below a folder that this process has open or mapped."""
    mapped = [line.split()[-1] for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()]
    opened = [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()]
    return {each for each in [*mapped, *opened] if each.startswith(f"{folder}{os.sep}")}
