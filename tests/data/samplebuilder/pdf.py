"""Draws a book as PDF; must not know how its lines came about."""

from __future__ import annotations

import re

import pymupdf

from samplebuilder.book import Book
from samplebuilder.pages import SEPARATOR_PT
from samplebuilder.typeset import Line, font, text_width

PAGE_WIDTH_PT, PAGE_HEIGHT_PT, MARGIN_PT = 612.0, 792.0, 72.0
_BOTTOM_PT = PAGE_HEIGHT_PT - MARGIN_PT
_NUMBERED_LEADING_PT = 24.0
_STAMP = re.compile(r"(FILED),? (.+?),? (\w+ \d\d?, \d{4}),? (.+)")
_FIRST_YEAR_OF_ONE_LINE_STAMPS = 2018


def draw(book: Book) -> pymupdf.Document:
    """Return the book as an open PDF."""
    document = pymupdf.open()
    source = book.source
    family = "cour" if source.is_typewritten else "tiro"
    has_cover = book.labels[0] == ""
    for at, (sheet, label) in enumerate(zip(book.sheets, book.labels, strict=True)):
        page = document.new_page(width=PAGE_WIDTH_PT, height=PAGE_HEIGHT_PT)
        writer = pymupdf.TextWriter(page.rect)
        for top, line in sheet.body:
            _draw_line(page, writer, line, MARGIN_PT + top)
        y = _BOTTOM_PT - sheet.notes_height
        if sheet.notes:
            page.draw_line((MARGIN_PT, y + 6), (MARGIN_PT + 144, y + 6), width=0.6)
            y += SEPARATOR_PT
        for line in sheet.notes:
            _draw_line(page, writer, line, y)
            y += line.height
        if label:
            _centred(writer, label, family, 12, PAGE_HEIGHT_PT - 40)
        if source.running_head and at:
            _right(writer, source.running_head, family, 10, 46)
        if source.stamp and not at:
            _stamp(writer, source.stamp, one_line=source.year >= _FIRST_YEAR_OF_ONE_LINE_STAMPS)
        if source.line_numbers and not (has_cover and not at):
            _number_lines(page, writer, family)
        writer.write_text(page)
    document.set_metadata({"producer": "", "creationDate": f"D:{source.filed.replace('-', '')}090000Z", "modDate": ""})
    document.subset_fonts()
    return document


def to_bytes(document: pymupdf.Document, **options: object) -> bytes:
    """Return the PDF as bytes, the same for the same pages."""
    return bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True, **options))


def _draw_line(page: pymupdf.Page, writer: pymupdf.TextWriter, line: Line, top: float) -> None:
    for piece in line.pieces:
        x, y = MARGIN_PT + piece.x, top + line.baseline - piece.rise
        writer.append((x, y), piece.text, font(piece.font), piece.size)
        if piece.underlined:
            end = x + text_width(piece.text.rstrip(), piece.font, piece.size)
            page.draw_line((x, y + 1.6), (end, y + 1.6), width=0.6)
    for x0, y0, x1, y1 in line.rules:
        page.draw_line((MARGIN_PT + x0, top + y0), (MARGIN_PT + x1, top + y1), width=0.7)


def _centred(writer: pymupdf.TextWriter, text: str, name: str, size: float, y: float) -> None:
    writer.append(((PAGE_WIDTH_PT - text_width(text, name, size)) / 2, y), text, font(name), size)


def _right(writer: pymupdf.TextWriter, text: str, name: str, size: float, y: float) -> None:
    writer.append((PAGE_WIDTH_PT - MARGIN_PT - text_width(text, name, size), y), text, font(name), size)


def _stamp(writer: pymupdf.TextWriter, text: str, *, one_line: bool) -> None:
    """Print the clerk's stamp at the top right: in one line as e-filing does now, in a column as it did."""
    found = _STAMP.fullmatch(text)
    lines = [text] if one_line or not found else list(found.groups())
    for at, line in enumerate(lines):
        _right(writer, line, "helv", 9 if at or one_line else 10, 24 + 11 * at)


def _number_lines(page: pymupdf.Page, writer: pymupdf.TextWriter, name: str) -> None:
    count = int((_BOTTOM_PT - MARGIN_PT) / _NUMBERED_LEADING_PT)
    for number in range(1, count + 1):
        y = MARGIN_PT + _NUMBERED_LEADING_PT * number - 3.4
        writer.append((58 - text_width(str(number), name, 12), y), str(number), font(name), 12)
    for x in (64, 66.5):
        page.draw_line((x, 0), (x, PAGE_HEIGHT_PT), width=0.5)
