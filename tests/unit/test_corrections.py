"""Metadata corrected by whoever reads: kept beside the bank, shown at once, handed to IT, who has the last word."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import date
from pathlib import Path

import msgspec
import numpy as np
import office
import pytest
from filelock import FileLock
from systems import is_private

from briefbank.bank.local import Bank
from briefbank.errors import BankInUseError, UsageError
from briefbank.judgements.corrections import CORRECTED_HERE, Corrections, value_of
from briefbank.platform.journal import Journal, Record
from briefbank.search.scope import scope_of
from briefbank.values.records import Document, Filters, Query


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the corrections of this test are kept; nothing is there yet."""
    path = tmp_path / "own" / "corrections.jsonl"
    monkeypatch.setenv("BRIEFBANK_CORRECTIONS", str(path))
    return path


@pytest.fixture
def indexed(folder: Path, tmp_path: Path, place: Path) -> Path:
    """A bank of two briefs, Quince of 2018 and Lorne of 2005."""
    with Bank.open(office.write_bank(tmp_path / "bank")) as bank:
        bank.index(folder)
    return tmp_path / "bank"


def quince(bank: Bank) -> Document:
    return next(each for each in bank.documents() if each.source_path.endswith("quince.txt"))


def court(document: Document) -> tuple[str, str]:
    fact = document.metadata.court
    return (fact.value, fact.found_in) if fact else ("", "")


def test_a_correction_is_shown_wherever_the_document_is_and_the_bank_stays_as_it_is(indexed: Path, place: Path) -> None:
    with Bank.open(indexed) as bank:
        document = quince(bank)
        told = bank.correct(document.id, "court", "  Supreme  Court of New Jersey ")
        wanted = ("Supreme Court of New Jersey", CORRECTED_HERE)
        assert court(told) == wanted
        assert court(quince(bank)) == wanted
        hit = next(hit for hit in bank.search(Query("prolonged stop")).hits if hit.document.id == document.id)
        assert court(hit.document) == wanted
        assert court(bank.passage(hit.passage.id).document) == wanted
        assert court(bank.first_passage(document.id).document) == wanted
    place.unlink()
    with Bank.open(indexed) as untouched:
        assert quince(untouched) == document


def test_filters_and_counts_go_by_what_was_corrected(indexed: Path) -> None:
    query = Query("prolonged stop", filters=Filters(authors=("Juniper Ashgrove",)))
    with Bank.open(indexed) as bank:
        assert not bank.search(query).hits
        bank.correct(quince(bank).id, "author", "Juniper Ashgrove")
        assert {hit.document.id for hit in bank.search(query).hits} == {quince(bank).id}
        assert "Juniper Ashgrove" in repr(bank.facets())
        for filters in (query.filters, Filters(authors=("Nobody",)), Filters(until=date(2010, 1, 1))):
            index = bank._opened.generation().dense
            shown = scope_of(replace(query, filters=filters), index).allowed
            rows = index.table.scan(["row"], len(index), shown.where)["row"].to_pylist()
            assert sorted(rows) == np.flatnonzero(shown.mask).tolist()


def test_results_come_newest_first_by_corrected_dates(indexed: Path) -> None:
    with Bank.open(indexed) as bank:
        query = Query("statement of the stop", include_weak=True)
        before = [Path(hit.document.source_path).name for hit in bank.search(query).hits if hit.band is None]
        assert before.index("quince.txt") < before.index("lorne.txt")
        lorne = next(each for each in bank.documents() if each.source_path.endswith("lorne.txt"))
        bank.correct(lorne.id, "filed", "2024-02-01")
        after = [Path(hit.document.source_path).name for hit in bank.search(query).hits]
        assert after.index("lorne.txt") < after.index("quince.txt")


def test_corrections_are_kept_for_their_owner_alone(indexed: Path, place: Path) -> None:
    with Bank.open(indexed) as bank, Bank.open(indexed) as other:
        assert court(quince(other))[1] != CORRECTED_HERE
        bank.correct(quince(bank).id, "court", "Supreme Court of New Jersey")
        assert court(quince(other))[0] == "Supreme Court of New Jersey"
    with Bank.open(indexed) as again:
        assert court(quince(again))[0] == "Supreme Court of New Jersey"
    assert is_private(place)
    assert "prolonged" not in place.read_text("utf-8")


@pytest.mark.parametrize("value", ["", "as the bank has it"])
def test_a_correction_is_taken_back_by_emptying_it_or_by_what_the_bank_says(indexed: Path, value: str) -> None:
    with Bank.open(indexed) as bank:
        before = quince(bank)
        bank.correct(before.id, "court", "Supreme Court of New Jersey")
        assert bank.correct(before.id, "court", value and court(before)[0]) == before


def test_what_the_office_says_since_holds_again(indexed: Path, folder: Path) -> None:
    with Bank.open(indexed) as bank:
        bank.correct(quince(bank).id, "court", "Supreme Court")
        office.write_text(folder / "briefbank.csv", "file,court\nquince.txt,Superior Court of Essex County\n")
        bank.index(folder)
        assert court(quince(bank)) == ("Superior Court of Essex County", "briefbank.csv")


def test_what_is_handed_to_it_is_taken_in_by_the_next_run(indexed: Path, folder: Path) -> None:
    with Bank.open(indexed) as bank:
        document = quince(bank)
        bank.correct(document.id, "title", 'State v. Quince, "Reply"')
        bank.correct(document.id, "filed", "20180502")
        bank.correct(document.id, "kind", "internal")
        assert bank.export_corrections(folder / "briefbank.csv") == 1
        report = bank.index(folder)
        assert not report.failures
    with Bank.open(indexed) as plain:
        known = quince(plain).metadata
    assert (known.title.value, known.title.found_in) == ('State v. Quince, "Reply"', "briefbank.csv")
    assert known.filed
    assert (known.filed.value, known.kind.value) == ("2018-05-02", "internal")


def test_a_table_for_it_holds_no_formula_and_is_read_back_as_it_was_told(indexed: Path, folder: Path) -> None:
    told = {"title": '=HYPERLINK("a")', "court": "+1", "docket": "-1", "author": "@x", "outcome": "'=x"}
    out = folder / "briefbank.csv"
    with Bank.open(indexed) as bank:
        for name, value in told.items():
            bank.correct(quince(bank).id, name, value)
        bank.export_corrections(out)
        (row,) = csv.DictReader(out.read_text("utf-8-sig").splitlines())
        assert {name: row[name] for name in told} == {name: f"'{value}" for name, value in told.items()}
        bank.index(folder)
    with Bank.open(indexed) as plain:
        known = quince(plain)
    assert {name: value_of(known, name) for name in told} == told


@pytest.mark.parametrize(
    ("name", "value"), [("filed", "soon"), ("kind", "poem"), ("pages", "12"), ("court", "x" * 1_001)]
)
def test_what_makes_no_sense_is_refused_and_nothing_is_kept(indexed: Path, place: Path, name: str, value: str) -> None:
    with Bank.open(indexed) as bank:
        with pytest.raises(UsageError):
            bank.correct(quince(bank).id, name, value)
        with pytest.raises(UsageError):
            bank.correct("0" * 16, "court", "Supreme Court")
    assert not place.exists()


def test_two_windows_write_one_after_the_other(indexed: Path, place: Path) -> None:
    with Bank.open(indexed) as bank:
        document = quince(bank)
    corrections = Corrections(place, busy_timeout_s=0.05)
    corrections.add(document, "court", "Supreme Court")
    kept = place.read_bytes()
    with FileLock(place.with_name(f".{place.name}.lock")), pytest.raises(BankInUseError, match="Another program"):
        corrections.add(document, "court", "Tax Court")
    assert place.read_bytes() == kept
    corrections.add(document, "court", "Tax Court")
    assert court(Corrections(place).of(document))[0] == "Tax Court"


def test_a_damaged_line_costs_that_line_and_is_told_until_the_next_correction(indexed: Path, place: Path) -> None:
    query = Query("prolonged stop")
    with Bank.open(indexed) as bank:
        document = quince(bank)
        bank.correct(document.id, "court", "Supreme Court")
        bank.correct(document.id, "author", "Juniper Ashgrove")
        assert not bank.search(query).notices
    lines = place.read_bytes().splitlines(keepends=True)
    damaged = lines[0].replace(b"Supreme", b"Sup\xffeme") + lines[1]
    place.write_bytes(damaged)
    with Bank.open(indexed) as bank:
        found = quince(bank).metadata
        assert found.court == document.metadata.court
        assert found.author
        assert found.author.value == "Juniper Ashgrove"
        (notice,) = bank.search(query).notices
        assert f"{place} is damaged: 1 of your corrections cannot be read" in notice
        bank.correct(document.id, "court", "Supreme Court")
        assert (court(quince(bank))[0], bank.search(query).notices) == ("Supreme Court", ())
    (aside,) = place.parent.glob("corrections.damaged-*.jsonl")
    assert aside.read_bytes() == damaged
    assert is_private(aside)
    with Bank.open(indexed) as again:
        known = quince(again)
    assert (court(known)[0], value_of(known, "author")) == ("Supreme Court", "Juniper Ashgrove")


def test_a_correction_whose_writing_was_interrupted_is_no_damage(indexed: Path, place: Path) -> None:
    with Bank.open(indexed) as bank:
        bank.correct(quince(bank).id, "court", "Supreme Court")
        bank.correct(quince(bank).id, "author", "Juniper Ashgrove")
        place.write_bytes(place.read_bytes()[:-9])
        assert (court(quince(bank))[0], value_of(quince(bank), "author")) != ("Supreme Court", "Juniper Ashgrove")
        bank.correct(quince(bank).id, "docket", "A-7-24")
        assert not bank.search(Query("prolonged stop")).notices
        assert (court(quince(bank))[0], value_of(quince(bank), "docket")) == ("Supreme Court", "A-7-24")
    assert len(place.read_bytes().splitlines()) == 2
    assert not list(place.parent.glob("*damaged*"))


@pytest.mark.parametrize(("name", "value"), [("filed", "soon"), ("court", "x" * 1_001)])
def test_a_correction_that_no_program_wrote_is_passed_over(indexed: Path, place: Path, name: str, value: str) -> None:
    with Bank.open(indexed) as bank:
        before = quince(bank)
        line = {"sha256": before.sha256, "field": name, "was": value_of(before, name), "value": value, "at": ""}
        place.parent.mkdir()
        Journal(place).append([Record(1, msgspec.json.encode(line))])
        assert quince(bank) == before
        assert quince(bank).filed == before.filed
        assert bank.search(Query("prolonged stop")).hits


def test_a_card_and_the_check_of_a_draft_name_documents_as_they_were_corrected(indexed: Path, tmp_path: Path) -> None:
    draft = office.brief(
        "Dee Hart", "A-0100-26T1", "", ("HEARSAY.", office.HEARSAY.replace("182 N.J. 338", "1 N.J. 2"))
    )
    with Bank.open(indexed) as bank:
        lorne = next(each for each in bank.documents() if each.source_path.endswith("lorne.txt"))
        bank.correct(lorne.id, "title", "Lorne, as it should read")
        card = bank.card("182 N.J. 338")
        report = bank.check_draft(office.write_text(tmp_path / "desk" / "draft.txt", draft))
    assert [each.document.metadata.title.value for each in card.citing] == ["Lorne, as it should read"]
    (point,) = (each for each in report.points if "HEARSAY" in " ".join(each.path))
    titles = {hit.document.id: hit.document.metadata.title.value for hit in point.nearest}
    assert titles[lorne.id] == "Lorne, as it should read"
    newest = {each.newest.id: each.newest.metadata.title.value for each in point.missing}
    assert newest[lorne.id] == "Lorne, as it should read"
