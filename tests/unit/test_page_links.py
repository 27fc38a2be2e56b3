"""What on a page leads to another one: entries of tables that the file itself does not link."""

from __future__ import annotations

from pathlib import Path

import office
import pymupdf
import pytest

from briefbank.bank.local import Bank
from briefbank.pages.renderer import entry_links
from briefbank.values.page_numbers import PageRun
from briefbank.values.records import Box, Line, Page, TextSource, Word

RUNS = (PageRun(5, 24, 1),)
EVERYWHERE = (Box(0, 0, 612, 792),)


def page(*rows: str) -> Page:
    lines = []
    for at, row in enumerate(rows):
        x, words = 72.0, []
        for text in row.split():
            words.append(Word(text, Box(x, 100 + 20 * at, x + 6 * len(text), 112 + 20 * at)))
            x += 6 * (len(text) + 1)
        lines.append(Line(tuple(words), Box.around(word.box for word in words)))
    return Page(2, 612, 792, tuple(lines), TextSource.TEXT_LAYER)


@pytest.mark.parametrize(
    ("row", "sheets"),
    [
        ("POINT I THE STOP WAS PROLONGED ........ 8", [12]),
        ("State v. Carty, 170 N.J. 632 (2002) . . . . . . 8, 11", [15, 12]),
        ("CONCLUSION........20", [24]),
        ("State v. King, 44 N.J. 346 (1965) ....... passim", []),
        ("N.J.S.A. 2C:11-3 and, as amended in 2002, article 8", []),
        ("APPENDIX ......... 99", []),
    ],
)
def test_the_numbers_behind_the_dots_lead_to_the_pages_that_bear_them(row: str, sheets: list[int]) -> None:
    assert [link.page for link in entry_links(page(row), EVERYWHERE, RUNS)] == sheets


def test_a_table_of_contents_leads_to_the_pages_of_its_brief(tmp_path: Path) -> None:
    points = ("THE STOP WAS UNLAWFULLY PROLONGED.", "THE CONSENT WAS TAINTED.", "THE STATEMENT WAS HEARSAY.")
    numerals = ("I", "II", "III")
    contents = [f"POINT {n} {p} {'.' * 20} {at}" for at, (n, p) in enumerate(zip(numerals, points, strict=True), 1)]
    bodies = [
        f"POINT {n}\n\n{p}\n\n" + "\n\n".join([office.paragraph(text)] * 3)
        for n, p, text in zip(numerals, points, (office.STOP, office.CONSENT, office.HEARSAY), strict=True)
    ]
    head = office.brief("Alder Quince", "A-1482-17T4").split("STATEMENT OF FACTS")[0]
    (tmp_path / "files").mkdir()
    with pymupdf.open() as drawn:
        sheets = [head, "TABLE OF CONTENTS\n\n" + "\n\n".join(contents), *bodies]
        for number, text in enumerate(sheets, -1):
            each = office.write_pdf(tmp_path / "sheet.pdf", text)
            with pymupdf.open(each) as one:
                drawn.insert_pdf(one, to_page=0)
            if number > 0:
                drawn[-1].insert_text((300, 750), str(number), fontname="tiro", fontsize=11)
        drawn.save(tmp_path / "files" / "quince.pdf")
    with Bank.open(office.write_bank(tmp_path / "bank")) as bank:
        bank.index(tmp_path / "files")
        (document,) = bank.documents()
        links = bank.page_text(document.id, 2).links
        assert [link.page for link in links] == [3, 4, 5]
        assert bank.page_text(document.id, 3).links == ()


def test_a_number_that_several_pages_bear_leads_nowhere() -> None:
    row = page("POINT I THE STOP WAS PROLONGED ........ 8")
    assert entry_links(row, EVERYWHERE, (*RUNS, PageRun(30, 60, 1))) == ()
