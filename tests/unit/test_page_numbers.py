"""The page numbers that are printed in a document: read, held against their sequence, cited."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import office
import pytest
from hits import hit
from hypothesis import given
from hypothesis import strategies as st
from made_up_pages import BODY, L, number, page

from briefbank.bank.local import Bank
from briefbank.ingest.structure import structure
from briefbank.ingest.structure.printed import EdgeNumber, edge_numbers, page_runs
from briefbank.values.bands import arranged
from briefbank.values.page_numbers import FoundAt, NumberStyle, PageRun, cited, label_of, sheets_bearing
from briefbank.values.records import Document, Query, Reading, TextSource

LONG = f"{office.STOP} {office.CONSENT} {office.HEARSAY} {office.CHARGE} {office.SENTENCE} {office.FACTS}"
NONE = ""
HEAD_Y = 50.0


def read(*pages: Sequence[L | str], source: TextSource = TextSource.TEXT_LAYER) -> tuple[PageRun, ...]:
    laid = (page(sheet, lines, source) for sheet, lines in enumerate(pages, 1))
    return structure(Reading(tuple(laid))).page_runs


def labels(*printed: str) -> list[str]:
    """What is found on pages with these lines at their feet, and text above."""
    runs = read(*[[*BODY, *([number(each)] if each else [])] for each in printed])
    return [label_of(runs, sheet) for sheet in range(1, len(printed) + 1)]


@pytest.mark.parametrize(
    "form",
    ["{}", "- {} -", "–{}–", "[{}]", "Page {}", "Page {} of 18", "p. {}", "{} of 18", "{}.", "{} | P a g e", "~ {} ~"],
)
def test_a_page_number_is_read_in_every_form(form: str) -> None:
    assert labels(*[form.format(n) for n in range(4, 9)]) == [str(n) for n in range(4, 9)]


def test_roman_front_matter_is_followed_by_arabic_pages() -> None:
    assert labels(NONE, "i", "ii", "iii", "iv", "1", "2", "3", "4") == ["", "i", "ii", "iii", "iv", "1", "2", "3", "4"]
    assert labels(NONE, "II", "III", "IV", "5", "6", "7") == ["", "II", "III", "IV", "5", "6", "7"]


@pytest.mark.parametrize("form", ["Da {}", "Da{}", "A-{}", "App. {}", "Supp. {}", "MAPLE{}", "{}a"])
def test_an_appendix_keeps_what_stands_around_its_numbers(form: str) -> None:
    appendix = [form.format(n) for n in range(1, 6)]
    assert labels("1", "2", "3", "4", *appendix) == ["1", "2", "3", "4", *appendix]


@pytest.mark.parametrize("shown", ["Photo {}", "Juror {}", "June {}", "May {}", "Lot {}"])
def test_what_a_page_shows_is_counted_apart_from_the_page(shown: str) -> None:
    runs = read(*[[L(shown.format(n), y=HEAD_Y), *BODY, number(str(n + 3))] for n in range(1, 6)])
    assert [label_of(runs, sheet) for sheet in range(1, 6)] == ["4", "5", "6", "7", "8"]


def test_numbers_in_a_running_head_count() -> None:
    runs = read(
        BODY, *[[L(f"State v. Maple – Brief of Appellant – Page {n} of 9", y=HEAD_Y), *BODY] for n in range(2, 8)]
    )
    assert runs == (PageRun(2, 7, 2, FoundAt.HEAD),)


def test_a_stamp_of_the_court_counts_sheets_and_not_pages() -> None:
    stamp = "Case: 22-1873 Document: 31 Page: {} Date Filed: 01/09/2023"
    roman = ["", "i", "ii", "iii", "1", "2", "3", "4"]
    runs = read(
        *[[L(stamp.format(n), y=30.0), *BODY, *([number(each)] if each else [])] for n, each in enumerate(roman, 1)]
    )
    assert [label_of(runs, sheet) for sheet in range(1, 9)] == roman


def test_a_page_without_a_number_is_counted_between_its_neighbours() -> None:
    runs = read(*[[*BODY, *([number(each)] if each else [])] for each in ["4", "5", NONE, "7", "8"]])
    assert label_of(runs, 3) == "6"
    assert [run.found for run in runs] == [FoundAt.FOOT, FoundAt.BETWEEN, FoundAt.FOOT]


def test_a_page_is_not_counted_on_beyond_the_last_number() -> None:
    assert labels(NONE, "2", "3", "4", NONE) == ["", "2", "3", "4", ""]
    assert labels("i", "ii", "iii", NONE, "2", "3", "4") == ["i", "ii", "iii", "", "2", "3", "4"]


def test_a_page_that_bears_another_number_than_its_place_in_the_sequence_has_none() -> None:
    assert labels("ii", "iii", "iv", "vi", "vi", "1", "2", "3") == ["ii", "iii", "iv", "", "vi", "1", "2", "3"]
    assert labels("4", "5", "8", "7", "8", "9") == ["4", "5", "", "7", "8", "9"]


def test_numbers_without_sequence_are_no_page_numbers() -> None:
    assert labels("12", "3", "44", "7", "19") == [""] * 5
    assert labels(NONE, NONE, "8", NONE, NONE) == [""] * 5
    assert labels("0211", "0212", "0213", "0214") == [""] * 4


def test_a_roman_number_that_ocr_took_for_digits_is_read_as_its_neighbours_are() -> None:
    assert labels("II", "III", "lv", "V", "VI", "1", "2", "3") == ["ii", "iii", "iv", "v", "vi", "1", "2", "3"]
    assert labels("11", "111", "lv", "v", "vi", "vii", "1", "2", "3") == [
        "ii",
        "iii",
        "iv",
        "v",
        "vi",
        "vii",
        "1",
        "2",
        "3",
    ]


def test_numbers_that_are_misread_throughout_are_not_guessed_at() -> None:
    assert labels("lI", "llI", "lV") == ["", "", ""]


@pytest.mark.parametrize("below", [[], [L("and so the trial court held.", y=736.0, size=10.0)]])
def test_the_numbers_of_footnotes_are_no_page_numbers(below: list[L]) -> None:
    notes = [
        [*BODY, L(str(n), y=720.0, size=7.0), L(f"See the {ordinal} exhibit.", x=90.0, y=724.0, size=10.0), *below]
        for n, ordinal in enumerate(["first", "second", "third", "fourth", "fifth"], 1)
    ]
    assert read(BODY, *notes) == ()


def test_headings_at_the_head_of_pages_are_no_page_numbers() -> None:
    assert read(*[[L(f"{roman}.", x=None, y=HEAD_Y), *BODY] for roman in ("I", "II", "III", "IV")]) == ()


def test_several_briefs_in_one_file_each_keep_their_numbers() -> None:
    runs = read(*[[*BODY, number(str(n))] for n in (1, 2, 3, 4, 5, 1, 2, 3, 4)])
    assert sheets_bearing(runs, "3") == (3, 8)
    assert cited(runs, 3, 3) == "p. 3 (sheet 3)"
    assert cited(runs, 8, 8) == "p. 3 (sheet 8)"
    assert cited(runs, 5, 5) == "p. 5"


def test_of_two_numbers_on_an_exhibit_the_appendix_is_cited() -> None:
    exhibit = [[*BODY, number(str(n + 40)), L(f"Da {n}", x=480.0, y=770.0)] for n in range(1, 6)]
    runs = read(*[[*BODY, number(str(n))] for n in range(1, 5)], *exhibit)
    assert cited(runs, 5, 6) == "Da 1–2 (sheets 5–6)"


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        (1, 1, "sheet 1"),
        (2, 4, "pp. i–iii (sheets 2–4)"),
        (4, 5, "pp. iii, 1 (sheets 4–5)"),
        (14, 14, "p. 10 (sheet 14)"),
        (15, 16, "Da 1–2 (sheets 15–16)"),
    ],
)
def test_pages_are_cited_by_their_printed_numbers_first(first: int, last: int, shown: str) -> None:
    runs = (
        PageRun(2, 4, 1, style=NumberStyle.ROMAN),
        PageRun(5, 12, 1),
        PageRun(13, 13, 9, FoundAt.BETWEEN),
        PageRun(14, 14, 10),
        PageRun(15, 19, 1, prefix="Da "),
        PageRun(20, 22, 1, suffix="a"),
    )
    assert cited(runs, first, last) == shown


def test_what_was_indexed_before_numbers_were_read_is_cited_as_it_was() -> None:
    document = hit(1).document
    record = msgspec.to_builtins(document)
    del record["page_runs"]
    old = msgspec.convert(record, Document)
    assert (old.cited_pages(8, 8), old.cited_pages(8, 9)) == ("p. 8", "pp. 8–9")
    assert old.printed_pages(8, 8) is None


@pytest.mark.parametrize(
    ("typed", "sheets"),
    [("8", (12,)), ("III", (4,)), ("Da2", (16,)), ("da-2", (16,)), ("2", (6,)), ("99", ()), ("", ())],
)
def test_a_number_is_found_however_it_is_typed(typed: str, sheets: tuple[int, ...]) -> None:
    runs = (PageRun(2, 4, 1, style=NumberStyle.ROMAN), PageRun(5, 12, 1), PageRun(15, 19, 1, prefix="Da "))
    assert sheets_bearing(runs, typed) == sheets


def test_a_run_without_end_costs_no_time() -> None:
    endless = PageRun(1, 10**15, 10**15, style=NumberStyle.CAPITAL_ROMAN)
    assert sheets_bearing((endless,), "x") == ()
    assert cited((endless,), 7, 8) == f"pp. {10**15 + 6}–{10**15 + 7} (sheets 7–8)"


PRINTED = st.lists(
    st.sampled_from(["", "1", "2", "3", "4", "i", "ii", "lv", "v", "Da 1", "Da 2", "9a", "12"]), max_size=14
)


@given(PRINTED)
def test_whatever_is_printed_each_sheet_has_one_number_at_most(printed: list[str]) -> None:
    numbers = [each for sheet, text in enumerate(printed, 1) for each in at_the_foot(text, sheet)]
    runs = page_runs(numbers)
    sheets = [sheet for run in runs for sheet in range(run.first, run.last + 1)]
    assert sheets == sorted(set(sheets))
    assert set(sheets) <= set(range(1, len(printed) + 1))
    assert all(printed[sheet - 1] in ("", "lv", label_of(runs, sheet)) for sheet in sheets)


def at_the_foot(text: str, sheet: int) -> list[EdgeNumber]:
    return edge_numbers(text, sheet, 740.0, is_top=False, is_apart=True, is_running=False)


def numbered_pdf(path: Path, text: str, first: int) -> Path:
    """Write a PDF whose pages bear numbers at their feet, from sheet `first` on."""
    import pymupdf

    drawn = office.write_pdf(path.with_suffix(".drawn"), text)
    with pymupdf.open(drawn, filetype="pdf") as document:
        for number, sheet in enumerate(document.pages(first - 1), 1):
            sheet.insert_text((300, 750), f"- {number} -", fontname="tiro", fontsize=11)
        document.save(path)
    drawn.unlink()
    return path


def test_a_result_is_cited_by_the_number_printed_on_its_page(empty_bank: Path, folder: Path) -> None:
    points = [(f"REASON {number}.", f"{LONG} {LONG}") for number in range(1, 7)]
    text = office.brief("Ash Rowan", "A-99-20T4", "May 4, 2021", *points, ("THE ARRAY.", office.LINEUP))
    numbered_pdf(folder / "rowan.pdf", text, first=3)
    bank = Bank.open(empty_bank)
    assert bank.index(folder).failures == ()
    result = bank.search(Query("blind administration of the photographic array"))
    best = arranged(result.hits, result.query.sort)[0]
    sheet = best.passage.page_first
    assert sheet > 3
    assert best.document.cited_pages(sheet, sheet) == f"p. {sheet - 2} (sheet {sheet})"
    assert best.document.cited_pages(1, 2) == "sheets 1–2"
    assert best.document.printed_pages(3, 4) == "1–2"


def test_a_number_elsewhere_on_the_page_hides_none() -> None:
    pages = [[*BODY, number(str(n))] for n in range(1, 7)]
    pages[3] = [L("147)", y=HEAD_Y), *BODY, number("4")]
    pages[4] = [L("IV", x=None, y=HEAD_Y), *BODY]
    runs = read(*pages)
    assert [label_of(runs, sheet) for sheet in range(1, 7)] == ["1", "2", "3", "4", "5", "6"]


def test_of_two_equally_good_numbers_neither_is_chosen() -> None:
    runs = read(*[[*BODY, number(str(n)), L(str(n + 40), x=480.0, y=770.0)] for n in range(1, 6)])
    assert runs == ()
