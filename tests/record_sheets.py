"""Texts of transcripts typeset as courts file them: a page a sheet, four to a condensed one, or as pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_FOOT = 752.0
_NUMBER = re.compile(r"^(?P<head>.*?)\s{3,}(?P<label>(?:[A-Z]\w*\s?)?\d+)\s*$")


def pages_of(text: str) -> list[list[str]]:
    """The pages of a text with form feeds, line by line."""
    return [page.rstrip("\n").split("\n") for page in text.split("\f")]


def write_pages(path: Path, text: str, *, note_size: float = 9.0) -> Path:
    """Write a page to each sheet; what stands below a rule is a footnote, in smaller type."""
    document = _new()
    for rows in pages_of(text):
        _draw(document.new_page(width=612, height=792), rows, 72, 80, 11, 14.5, note_size)
    document.save(str(path))
    return path


def write_condensed(path: Path, text: str) -> Path:
    """Write four pages to a sheet, down the left column and then down the right, each below its number."""
    document, pages = _new(), pages_of(text)
    for first in range(0, len(pages), 4):
        sheet = document.new_page(width=612, height=792)
        for place, rows in enumerate(pages[first : first + 4]):
            x, y = 40 + 280 * (place // 2), 50 + 360 * (place % 2)
            label = _NUMBER.match(rows[0])
            number = label["label"] if label else str(first + place + 1)
            sheet.insert_text((x + 90, y), f"Page {number}", fontsize=7, fontname="cour")
            _draw(sheet, rows[1:] if label else rows, x, y + 14, 7, 11, 7)
    document.save(str(path))
    return path


def write_scanned(path: Path, text: str, *, dpi: int = 200) -> Path:
    """Write pictures of the pages that `write_pages` would write."""
    import pymupdf

    drawn = write_pages(path.with_suffix(".drawn.pdf"), text)
    document = _new()
    with pymupdf.open(str(drawn)) as pages:
        for page in pages:
            sheet = document.new_page(width=612, height=792)
            sheet.insert_image(sheet.rect, pixmap=page.get_pixmap(dpi=dpi))
    document.save(str(path), deflate=True)
    drawn.unlink()
    return path


def _new() -> Any:
    import pymupdf

    return pymupdf.open()


def _draw(sheet: Any, rows: list[str], x: float, y: float, size: float, pitch: float, note_size: float) -> None:
    import pymupdf

    writer, font = pymupdf.TextWriter(sheet.rect), pymupdf.Font("cour")
    is_note = False
    for number, row in enumerate(rows):
        is_note = is_note or bool(re.fullmatch(r"\s*_{8,}\s*", row))
        is_page_number = number == len(rows) - 1 and row.strip().isdecimal()
        at = (x, _FOOT if is_page_number else y + number * pitch)
        if row.strip():
            writer.append(at, row, font=font, fontsize=note_size if is_note and not is_page_number else size)
    writer.write_text(sheet)
