"""What a page does not show is no part of its text: unseen, covered, blacked out, cut off, and layers over scans."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from systems import tesseract
from test_readers_pdf import prose, scan_of, write_pdf

from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.parse import FileRead, How, Scans, read_whole
from briefbank.ingest.readers import read_file
from briefbank.platform.settings import Settings
from briefbank.values.records import Page, TextSource

HIDDEN = "Marlinspike v. Tugwell was overruled"


def _page(tmp_path: Path, draw: Callable[[Any], None]) -> Page:
    return read_file(write_pdf(tmp_path / "a.pdf", draw), Settings()).pages[0]


def _words(page: Page) -> str:
    return " ".join(line.text for line in page.lines)


def _covered_by_paper(page: Any) -> None:
    page.insert_text((72, 740), HIDDEN)
    page.draw_rect((60, 725, 500, 750), color=None, fill=(1, 1, 1))


def _covered_by_picture(page: Any) -> None:
    import pymupdf

    page.insert_text((72, 740), HIDDEN)
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 440, 25), 0)
    pixmap.clear_with(230)
    page.insert_image((60, 725, 500, 750), pixmap=pixmap)


def _white_on_its_own_ground(page: Any) -> None:
    page.draw_rect((60, 725, 500, 750), color=None, fill=(0.9, 0.9, 0.6))
    page.insert_text((72, 740), HIDDEN, color=(0.9, 0.9, 0.6))


def _cut_off_by_a_clip(page: Any) -> None:
    page.insert_text((72, 740), HIDDEN)
    number = page.get_contents()[-1]
    page.parent.update_stream(number, b"q 0 0 5 5 re W n " + page.parent.xref_stream(number) + b" Q")


def _outside_the_page(page: Any) -> None:
    page.insert_text((72, 740), HIDDEN)
    page.set_cropbox((0, 0, 612, 720))


def _under_a_broad_line(page: Any) -> None:
    page.insert_text((72, 740), HIDDEN)
    page.draw_line((60, 737), (500, 737), color=(1, 1, 1), width=30)


def _under_many_lines(page: Any) -> None:
    page.insert_text((72, 740), HIDDEN)
    for row in range(12):
        page.draw_line((60, 726 + 2 * row), (500, 726 + 2 * row), color=(1, 1, 1), width=2.4)


def _squeezed(across: float, down: float) -> Callable[[Any], None]:
    def squeeze(page: Any) -> None:
        import pymupdf

        page.insert_text((72, 740), HIDDEN, morph=(pymupdf.Point(72, 740), pymupdf.Matrix(across, down)))

    return squeeze


def _in_an_empty_font(page: Any) -> None:
    page.insert_text((72, 740), "x", fontname="cour")
    document, number = page.parent, page.get_contents()[-1]
    font, glyph, letters = (document.get_new_xref() for _ in range(3))
    codes = range(32, 127)
    document.update_object(glyph, "<<>>")
    document.update_stream(glyph, b"600 0 d0")
    document.update_object(letters, "<<>>")
    document.update_stream(
        letters,
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        b"1 beginbfrange <20> <7E> <0020> endbfrange endcmap",
    )
    document.update_object(
        font,
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/Resources<<>>/FirstChar 32"
        f"/CharProcs<<{' '.join(f'/g{code} {glyph} 0 R' for code in codes)}>>/LastChar 126/Widths[{'600 ' * 95}]"
        f"/Encoding<</Differences[32 {' '.join(f'/g{code}' for code in codes)}]>>/ToUnicode {letters} 0 R>>",
    )
    fonts = page.get_fonts()
    document.update_object(next(each[0] for each in fonts if each[4] == "cour"), document.xref_object(font))
    stream = document.xref_stream(number).partition(b"[<")[0] + f"({HIDDEN}) Tj ET Q".encode()
    document.update_stream(number, stream)


def _white_in_a_field(page: Any) -> None:
    import pymupdf

    field = pymupdf.Widget()
    field.field_type, field.field_name = pymupdf.PDF_WIDGET_TYPE_TEXT, "a"
    field.rect, field.field_value, field.text_color = pymupdf.Rect(60, 725, 500, 750), HIDDEN, (1, 1, 1)
    page.add_widget(field)


def _in_a_note_that_is_not_viewed(page: Any) -> None:
    note = page.add_freetext_annot((60, 725, 500, 750), HIDDEN)
    note.set_flags(32)
    note.update()


def _as_what_other_words_stand_for(page: Any) -> None:
    page.insert_text((72, 740), "It was affirmed")
    number = page.get_contents()[-1]
    inner = page.parent.xref_stream(number)
    page.parent.update_stream(number, f"/Span <</ActualText ({HIDDEN})>> BDC ".encode() + inner + b" EMC")


HIDINGS: dict[str, Callable[[Any], None]] = {
    "invisible": lambda page: page.insert_text((72, 740), HIDDEN, render_mode=3),
    "white": lambda page: page.insert_text((72, 740), HIDDEN, color=(1, 1, 1)),
    "of the ground's colour": _white_on_its_own_ground,
    "transparent": lambda page: page.insert_text((72, 740), HIDDEN, fill_opacity=0.02),
    "tiny": lambda page: page.insert_text((72, 740), HIDDEN, fontsize=0.4),
    "covered by paper": _covered_by_paper,
    "covered by a picture": _covered_by_picture,
    "clipped": _cut_off_by_a_clip,
    "outside the page": _outside_the_page,
    "under a broad line": _under_a_broad_line,
    "under many lines": _under_many_lines,
    "squeezed to a stroke": _squeezed(0.01, 1),
    "squeezed to a line": _squeezed(1, 0.02),
    "in a font without shapes": _in_an_empty_font,
    "white in a field": _white_in_a_field,
    "in a note that is not viewed": _in_a_note_that_is_not_viewed,
    "as what other words stand for": _as_what_other_words_stand_for,
}


@pytest.mark.parametrize("hide", HIDINGS.values(), ids=HIDINGS)
@pytest.mark.parametrize("rotation", [0, 90])
def test_words_that_no_page_shows_are_no_words_of_the_page(
    tmp_path: Path, hide: Callable[[Any], None], rotation: int
) -> None:
    def draw(page: Any) -> None:
        prose(page)
        hide(page)
        page.set_rotation(rotation)

    page = _page(tmp_path, draw)
    assert "Marlinspike" not in _words(page)
    assert "incident to" in _words(page)
    assert not page.blacked_out


SHOWINGS: dict[str, Callable[[Any], None]] = {
    "white on black": lambda page: (
        page.draw_rect((60, 725, 500, 750), color=None, fill=(0, 0, 0)),
        page.insert_text((72, 740), HIDDEN, color=(1, 1, 1)),
    ),
    "grey": lambda page: page.insert_text((72, 740), HIDDEN, color=(0.7, 0.7, 0.7)),
    "behind tinted glass": lambda page: (
        page.insert_text((72, 740), HIDDEN),
        page.draw_rect((60, 725, 500, 750), color=None, fill=(1, 1, 0), fill_opacity=0.4),
    ),
    "marked": lambda page: (
        page.insert_text((72, 740), HIDDEN),
        page.add_highlight_annot(page.search_for("overruled")),
    ),
    "struck through": lambda page: (
        page.insert_text((72, 740), HIDDEN),
        page.draw_line((60, 737), (500, 737), color=(0, 0, 0), width=1),
    ),
    "in a frame": lambda page: (
        page.insert_text((72, 740), HIDDEN),
        page.draw_rect((60, 725, 500, 750), color=(0, 0, 0), width=1),
    ),
    "with spaces past the edge": lambda page: (
        page.insert_text((72, 740), HIDDEN),
        page.insert_text((page.rect.width + 20, 740), "  "),
    ),
    "underlined with a broad rule": lambda page: (
        page.insert_text((72, 740), HIDDEN),
        page.draw_rect((60, 741, 500, 745), color=None, fill=(0, 0, 0)),
    ),
}


@pytest.mark.parametrize("show", SHOWINGS.values(), ids=SHOWINGS)
def test_words_that_the_page_shows_are_kept_however_they_are_drawn(tmp_path: Path, show: Callable[[Any], Any]) -> None:
    def draw(page: Any) -> None:
        prose(page)
        show(page)

    page = _page(tmp_path, draw)
    assert HIDDEN in _words(page)
    assert (page.left_out, page.blacked_out) == (0, 0)


def _drawn_black(page: Any, words: str) -> None:
    for box in page.search_for(words):
        page.draw_rect(box, color=None, fill=(0, 0, 0))


def _marked_black(page: Any, words: str) -> None:
    for box in page.search_for(words):
        page.add_redact_annot(box)


def _inked_black(page: Any, words: str) -> None:
    for box in page.search_for(words):
        middle = (box.y0 + box.y1) / 2
        note = page.add_ink_annot([[(box.x0, middle), (box.x1, middle)]])
        note.set_border(width=box.height - 2)
        note.set_colors(stroke=(0, 0, 0))
        note.update()


def _noted_black(page: Any, words: str) -> None:
    for box in page.search_for(words):
        note = page.add_rect_annot(box)
        note.set_colors(stroke=(0, 0, 0), fill=(0, 0, 0))
        note.update()


@pytest.mark.parametrize("black_out", [_drawn_black, _marked_black, _noted_black, _inked_black])
@pytest.mark.parametrize("with_stamp", [False, True])
def test_what_is_blacked_out_or_marked_to_be_is_told_and_not_read(
    tmp_path: Path, black_out: Callable[[Any, str], None], *, with_stamp: bool
) -> None:
    def draw(page: Any) -> None:
        prose(page)
        page.insert_text((72, 740), "The child, Tabitha Quillfeather, lives in Oxbow Lane, and was called.")
        black_out(page, "Tabitha Quillfeather")
        black_out(page, "Oxbow Lane")
        if with_stamp:
            page.add_freetext_annot((300, 20, 560, 50), "RECEIVED by the clerk")

    path = write_pdf(tmp_path / "a.pdf", draw)
    page = read_file(path, Settings()).pages[0]
    assert "Quillfeather" not in _words(page)
    assert "Oxbow" not in _words(page)
    assert "child," in _words(page)
    assert ("RECEIVED" in _words(page)) is with_stamp
    assert page.blacked_out == 2
    whole = read_whole(path, How(Settings(), is_cut=False), lambda _: None, converts=False)
    assert isinstance(whole, FileRead)
    assert whole.remarks == ("2 passages are blacked out (page 1).",)


def _layered(tmp_path: Path, layer: str) -> Path:
    import pymupdf

    def draw(page: Any) -> None:
        scan_of(page, "The trooper asked the driver twice, and the driver said nothing at all to him. " * 4)
        page.insert_textbox(pymupdf.Rect(72, 72, 540, 700), layer, fontsize=12, render_mode=3)

    return write_pdf(tmp_path / "a.pdf", draw)


def _whole(path: Path, scans: Scans) -> FileRead:
    read = read_whole(path, How(Settings(), scans, is_cut=False), lambda _: None, converts=False)
    assert isinstance(read, FileRead)
    return read


def test_a_layer_over_a_scan_is_said_to_be_one(tmp_path: Path) -> None:
    path = _layered(tmp_path, "The trooper asked the driver twice, and the driver said nothing at all to him. " * 4)
    read = _whole(path, Scans.LEAVE)
    assert read.document is not None
    assert read.document.pages[0].source is TextSource.UNSEEN
    assert read.remarks == (
        "Scanned, and not read from the picture but from a layer of text that nobody sees (page 1).",
    )


@tesseract
def test_a_layer_that_says_something_else_than_its_scan_gives_way_to_ocr(tmp_path: Path) -> None:
    path = _layered(tmp_path, "The driver told the trooper that he agreed and would gladly open the whole car up. " * 4)
    read = _whole(path, Scans.RECOGNISE)
    assert read.document is not None
    assert "said nothing at all" in read.document.text
    assert "gladly" not in read.document.text
    assert read.document.pages[0].source is TextSource.OCR


@tesseract
def test_ocr_keeps_nothing_of_an_unseen_layer(tmp_path: Path) -> None:
    path = _layered(
        tmp_path, "Quite other words than these, agreed to gladly by the driver of the whole car here. " * 4
    )
    assert "gladly" not in _words(ocr_page(path, 1, Settings()))


def test_words_struck_twice_are_read_once(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        prose(page)
        for shift in (0.0, 0.3):
            page.insert_text((72 + shift, 740), "POINT IV THE STOP WAS UNLAWFUL")

    assert _words(_page(tmp_path, draw)).count("POINT IV THE STOP WAS UNLAWFUL") == 1


def test_the_text_of_a_page_is_taken_off_without_a_walk_through_the_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pymupdf

    walked: list[int] = []
    monkeypatch.setattr(pymupdf.Page, "repair_flat_rbgs", lambda page: walked.append(page.number))
    path = write_pdf(tmp_path / "a.pdf", *[_covered_by_paper] * 3)
    assert [page.left_out for page in read_file(path, Settings()).pages] == [4] * 3
    assert not walked
