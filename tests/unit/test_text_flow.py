"""Text as it reads: what courts and paper add to pages stays out of it, and columns are read one after the other."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings
from briefbank.values.records import StructuredDocument

Draw = Callable[[Any, int], None]
NOUNS = (
    "heron anvil lantern orchard saddle kettle ribbon barrel shovel candle mirror pillow basket hammer curtain".split()
)


def words(seed: int, count: int) -> str:
    return " ".join(random.Random(seed).choices(NOUNS, k=count))


def lines_of(seed: int, count: int, width: int = 13) -> list[str]:
    """So many full lines of prose, each with a word of its own."""
    return [f"{words(100 * seed + number, width)} q{seed}x{number}" for number in range(count)]


def drawn(path: Path, count: int, *draws: Draw) -> StructuredDocument:
    """Draw pages, each by all of the functions with its number from 1, and structure what is read of them."""
    import pymupdf

    with pymupdf.open() as document:
        for number in range(1, count + 1):
            page = document.new_page(width=612, height=792)
            for draw in draws:
                draw(page, number)
        document.save(path)
    return structure(read_file(path, Settings()))


def prose(page: Any, number: int) -> None:
    for at, line in enumerate(lines_of(number, 24)):
        page.insert_text((90, 90 + 27 * at), line, fontsize=10)


def at(x: float, y: float, text: str, **how: Any) -> Draw:
    return lambda page, number: page.insert_text((x, y), text.format(n=number), fontsize=8, **how)


def marks(text: str) -> list[str]:
    return [word for word in text.split() if word[0] == "q" and word[1:2].isdecimal()]


@pytest.mark.parametrize("stamp", [
    at(72, 16, "Case 4:19-cv-04771-QZ   Document 212-3   Filed 11/02/20   Page {n} of 9   PageID #: 45{n}"),
    at(150, 300.5, "Appellate Case: 19-8812     Document: 010110     Date Filed: 11/02/2020     Page: {n}"),
    at(28, 640, "FILED, Clerk of the Appellate Division, November 02, 2020, A-009977-19", rotate=90),
    at(590, 60, "USCA9 Case: 19-81234, 11/02/2020, ID: 11881234, DktEntry: 45, Page {n} of 9", rotate=270),
    at(330, 50, "Case 19-3412, Document 45, 11/02/2020, 2970443, Page{n} of 9"),
    at(72, 785, "ESX-19-004477   11/02/2020 4:05:12 PM   Pg {n} of 9   Trans ID: CRM2020884412"),
])  # fmt: skip
def test_what_courts_print_over_pages_is_no_text_but_tells_the_date(tmp_path: Path, stamp: Draw) -> None:
    head = at(90, 50, "BRIEF OF THE HERONRY SOCIETY")
    found = drawn(tmp_path / "a.pdf", 2, head, prose, stamp)
    assert not any(word in found.text for word in ("11/02", "November", "Case", "Clerk", "Trans", "9977"))
    assert marks(found.text) == [f"q{page}x{n}" for page in (1, 2) for n in range(24)]
    assert found.metadata.filed is not None
    assert found.metadata.filed.value == "2020-11-02"


def test_a_stamp_of_several_lines_leaves_the_cover_alone(tmp_path: Path) -> None:
    said = (
        "FILED IN",
        "9th COURT OF APPEALS",
        "ALDERTON, TEXAS",
        "2/3/2021 4:05 PM",
        "QUENTIN ASH",
        "Clerk of The Court",
    )
    stamp = [at(430, 100 + 10 * row, text) for row, text in enumerate(said)]
    cover = [
        at(200, 100 + 24 * row, text) for row, text in enumerate(("IN THE COURT OF APPEALS", "FOR THE NINTH DISTRICT"))
    ]
    found = drawn(tmp_path / "a.pdf", 1, *cover, *stamp)
    assert found.text.split() == "IN THE COURT OF APPEALS FOR THE NINTH DISTRICT".split()
    assert found.metadata.filed is not None
    assert found.metadata.filed.value == "2021-02-03"


@pytest.mark.parametrize("line", [
    "The clerk filed Document 12 on 11/02/20, and the page was 3 of 9.", "Docket No. 19-cv-4417, filed 11/02/20.",
    "Judgment of conviction, filed November 2, 2020, Pa12 to Pa14", "Page 3 of the transcript filed 11/02/20 is lost.",
])  # fmt: skip
def test_a_sentence_about_papers_is_text(tmp_path: Path, line: str) -> None:
    assert line in drawn(tmp_path / "a.pdf", 1, prose, at(90, 60, line)).text


def paper(page: Any, number: int) -> None:
    """Pleading paper: 28 numbers beside the lines, rules, and the firm at the side."""
    for row in range(28):
        page.insert_text((60, 60 + 25 * row), str(row + 1))
    for x in (84, 87, 570):
        page.draw_line((x, 30), (x, 780))
    page.insert_text((30, 600), "HERON & ANVIL, 12 LANTERN STREET", fontsize=8, rotate=90)


def test_of_pleading_paper_the_text_alone_is_read(tmp_path: Path) -> None:
    found = drawn(tmp_path / "a.pdf", 4, paper, prose, at(300, 778, "{n}"))
    assert marks(found.text) == [f"q{page}x{n}" for page in (1, 2, 3, 4) for n in range(24)]
    assert not any(word.isdecimal() or word.isupper() for word in found.text.split())


def columns(*xs: float, by_rows: bool = True, lower: float = 0.0, size: float = 9) -> Draw:
    def draw(page: Any, number: int) -> None:
        texts = [lines_of(10 * number + column, 30, 12 // len(xs)) for column in range(len(xs))]
        placed = [
            (xs[column], 120 + 14 * row + lower * column, text)
            for column, rows in enumerate(texts)
            for row, text in enumerate(rows)
        ]
        for x, y, text in sorted(placed, key=lambda each: each[1]) if by_rows else placed:
            page.insert_text((x, y), text, fontsize=size)

    return draw


@pytest.mark.parametrize("draw", [
    columns(60, 320), columns(60, 320, lower=5), columns(60, 320, by_rows=False), columns(50, 220, 390, size=7),
    columns(60, 320, by_rows=False, lower=6),
])  # fmt: skip
def test_columns_are_read_one_after_the_other_in_whatever_order_they_are_drawn(tmp_path: Path, draw: Draw) -> None:
    across = at(
        60, 90, "A sentence that runs across all of the columns of this page stands over them, and is read first"
    )
    found = drawn(tmp_path / "a.pdf", 2, across, draw, at(300, 770, "{n}"))
    names = marks(found.text)
    assert names == sorted(names, key=lambda name: tuple(map(int, name[1:].split("x"))))
    assert len(names) in (120, 180)
    assert found.text.count("stands over them") == 2
    assert found.text.index("stands over") < found.text.index(names[0])
    assert max(len(text) for text in found.text.split("\n\n")) > 600


def test_cells_side_by_side_stay_rows(tmp_path: Path) -> None:
    rows = [(f"Item {row}", f"{NOUNS[row]} ({row} pieces)") for row in range(12)]
    cells = [
        at(x, 100 + 20 * row, text) for row, pair in enumerate(rows) for x, text in zip((72, 320), pair, strict=True)
    ]
    text = " ".join(drawn(tmp_path / "a.pdf", 1, *cells).text.split())
    assert all(f"{left} {right}" in text for left, right in rows)


@pytest.mark.parametrize("order", [((0, 0), (0, 1), (1, 0), (1, 1)), ((0, 0), (1, 0), (0, 1), (1, 1))])
def test_four_pages_of_a_transcript_on_a_sheet_are_read_in_the_order_of_their_numbers(
    tmp_path: Path, order: Sequence[tuple[int, int]]
) -> None:
    def draw(page: Any, number: int) -> None:
        for row in (0, 1):
            for column in (0, 1):
                label = 4 * number - 3 + order.index((column, row))
                x, y = 40 + 290 * column, 60 + 360 * row
                page.insert_text((x + 100, y), f"Page {label}", fontsize=7)
                for line in range(25):
                    page.insert_text((x, y + 14 + 12 * line), str(line + 1), fontsize=7)
                    said = f"{'QA'[line % 2]}. q{label}x{line} {words(100 * label + line, 5)}"
                    page.insert_text((x + 20, y + 14 + 12 * line), said, fontsize=7)

    found = drawn(tmp_path / "a.pdf", 2, draw)
    assert marks(found.text) == [f"q{page}x{line}" for page in range(1, 9) for line in range(25)]
    assert not any(word.isdecimal() for word in found.text.split())


@pytest.mark.parametrize(("printed", "read"), [
    ("A R G U M E N T", "ARGUMENT"), ("L E G A L   A R G U M E N T", "LEGAL ARGUMENT"), ("P O I N T  I I", "POINT II"),
    ("See A B and C", "See A B and C"),
])  # fmt: skip
def test_letters_set_apart_are_words(tmp_path: Path, printed: str, read: str) -> None:
    assert drawn(tmp_path / "a.pdf", 1, at(220, 60, printed), prose).text.startswith(read + "\n")


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.5, 0.0), (1.0, 0.8)])
def test_a_heading_struck_twice_is_read_once(tmp_path: Path, shift: tuple[float, float]) -> None:
    dx, dy = shift
    twice = at(200, 60, "THE SHOVEL WAS SEIZED"), at(200 + dx, 60 + dy, "THE SHOVEL WAS SEIZED")
    assert drawn(tmp_path / "a.pdf", 1, *twice, prose).text.count("SHOVEL") == 1


def renamed(page: Any, rename: Callable[[int], int]) -> None:
    """Have the font of a page's text name other letters than it draws."""
    document, (font, *_) = page.parent, page.get_fonts()[0]
    pairs = [f"<{code:02x}> <{rename(code):04x}>" for code in range(32, 123)]
    cmap = document.get_new_xref()
    document.update_object(cmap, "<<>>")
    head = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def"
    space = "1 begincodespacerange <00> <ff> endcodespacerange"
    blocks = [f"{len(some)} beginbfchar {' '.join(some)} endbfchar" for some in (pairs[:50], pairs[50:])]
    document.update_stream(cmap, f"{head} {space} {' '.join(blocks)} endcmap end end".encode(), new=True)
    document.xref_set_key(font, "ToUnicode", f"{cmap} 0 R")


@pytest.mark.parametrize("rename", [
    lambda code: code - 29, lambda code: code + 0xF000, lambda code: 33 + (7 * code) % 90,
    lambda code: code if code < 64 else 64 + (code + 11) % 32,
])  # fmt: skip
def test_words_of_a_font_that_names_other_letters_are_read_by_ocr(tmp_path: Path, rename: Callable[[int], int]) -> None:
    import pymupdf

    said = "The lantern that nobody had lit was found behind the orchard wall on the second day of the search"
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((72, 300), [said[:48], said[48:]], fontsize=12, fontname="tiro")
        renamed(page, rename)
        for row, line in enumerate(lines_of(1, 6, 9)):
            page.insert_text((72, (100, 120, 140, 500, 520, 540)[row]), line, fontname="helv")
        document.save(tmp_path / "a.pdf")
    (page,) = read_file(tmp_path / "a.pdf", Settings()).pages
    assert [line.text for line in page.lines] == lines_of(1, 6, 9)
    lines = [line.text for line in ocr_page(tmp_path / "a.pdf", 1, Settings()).lines]
    assert (" ".join(lines[3:5]), len(lines)) == (said, 8)
