"""Footnotes parted from the body: small or marked rows at the foot of a page; knows no sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.ingest.structure.rows import Row, TextColumn
from briefbank.platform.regex import bounded
from briefbank.values.records import TextSource

_MARK = bounded(r"(?:(\d{1,3})|[*†‡]{1,3}|§{1,3}(?![\s§]*\d))(?=\D|$)")
# Chosen on filed briefs and their scans, none by itself.
_SMALLER_PT = 0.9
"""Points by which notes are set smaller than the body; the usual difference is two."""
_APART_EM = 1.8
"""Distance to the row above, in type sizes, from which a row of a scan is set apart."""
_APART_PITCHES = 1.5
"""The same, in line distances of the body, where the text layer gives them."""
_WORD = re.compile(r"[A-Za-z]{2}")
_MISREAD = re.compile(r"[^\w\s(\[“\"$§¶.]\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its number (0 for a symbol), the page it begins on, its rows, which may run over pages."""

    number: int
    page: int
    rows: tuple[Row, ...]


def split_footnotes(pages: Sequence[Sequence[Row]], layout: TextColumn) -> tuple[list[Row], list[Footnote]]:
    """Rows of the body, and the footnotes in order."""
    body: list[Row] = []
    notes: list[Footnote] = []
    for rows in pages:
        if not layout.has_pages:
            body.extend(row for row in rows if not _is_styled(row))
            _collect([row for row in rows if _is_styled(row)], notes)
            continue
        before = notes[-1].rows[-1] if notes and rows and notes[-1].rows[-1].page == rows[0].page - 1 else None
        is_open = before is not None and not before.ends_sentence
        start = _first_note_row(rows, layout, before, is_open=is_open)
        body.extend(rows[:start])
        _collect(rows[start:], notes, is_new=not is_open and any(map(_is_scanned_note, rows[start : start + 1])))
    if not body:
        return [row for note in notes for row in note.rows], []
    return body, notes


def _is_styled(row: Row) -> bool:
    return row.style.lower().startswith(("footnote", "endnote"))


def _first_note_row(rows: Sequence[Row], layout: TextColumn, before: Row | None, *, is_open: bool) -> int:
    """Index of the first row of the footnotes at the foot of a page; the number of rows if there are none.

    `before` is the row of a footnote that the page before ends with, `is_open` says that its sentence goes on.
    """
    start = len(rows)
    while start > 0 and rows[start - 1].size < layout.size - _SMALLER_PT:
        start -= 1
    if start == 0 and rows and not is_open:
        return len(rows)
    if start < len(rows) and (is_open or _is_scanned_note(rows[start])):
        return start
    if before is not None and 0 < start < len(rows) and _is_rest(rows[start:], before, layout):
        return start
    for index in range(start, len(rows)):
        is_apart = index == start or rows[index].gap > _APART_PITCHES * layout.pitch
        if _mark(rows[index]) is not None and (is_apart or rows[index].words[0].is_superscript):
            return index
    return _first_tight_note(rows, start, layout, is_open=is_open)


def _is_rest(rows: Sequence[Row], before: Row, layout: TextColumn) -> bool:
    """Whether small rows set apart at the foot are the rest of the footnote before: full lines, as low as that."""
    is_low = rows[-1].box.y1 > before.box.y1 - 2 * before.size
    is_full = min(map(layout.indent, rows)) < rows[0].size and not layout.is_short(rows[0])
    return _mark(rows[0]) is None and rows[0].gap > layout.pitch and is_low and is_full


def _is_scanned_note(row: Row) -> bool:
    """Whether small rows at the foot of a scan stand apart and begin with what may be a mark.

    OCR misreads small raised marks more often than not, but seldom as a word.
    """
    return row.source is TextSource.OCR and row.gap > _APART_EM * row.size and _WORD.match(row.text) is None


def _first_tight_note(rows: Sequence[Row], stop: int, layout: TextColumn, *, is_open: bool) -> int:
    """The same where notes are set in the size of the body: raised numbers, or single spacing behind a wide space."""
    for index in range(max(1, len(rows) // 3), stop):
        first = rows[index].words[0]
        is_marked = first.text.isdecimal() and _MARK.match(rows[index].text) is not None
        if not is_marked and not is_open:
            continue
        is_apart = rows[index].gap > _APART_PITCHES * layout.pitch and all(
            row.gap < 0.8 * layout.pitch for row in rows[index + 1 :]
        )
        if (is_marked and first.is_superscript) or (is_apart and layout.pitch > 1.5 * layout.size):
            return index
    return len(rows)


def _mark(row: Row) -> int | None:
    match = _MARK.match(row.text)
    if match is None:
        is_misread = row.source is TextSource.OCR and _MISREAD.match(row.text)
        return 0 if is_misread else None
    return int(match[1]) if match[1] else 0


def _collect(rows: Sequence[Row], notes: list[Footnote], *, is_new: bool = False) -> None:
    """Add the notes that `rows` hold; with `is_new` the first row begins one whatever its mark."""
    held: list[Row] = []
    number: int | None = None
    for index, row in enumerate(rows):
        mark = _mark(row)
        if mark is None and is_new and index == 0:
            mark = 0
        last = number if number is not None else (notes[-1].number if notes else 0)
        begins = mark is not None and (
            row.words[0].is_superscript or mark in (0, last + 1) or (not held and mark != last)
        )
        if begins:
            _close(held, number, notes)
            held, number = [], mark
        held.append(row)
    _close(held, number, notes)


def _close(held: list[Row], number: int | None, notes: list[Footnote]) -> None:
    if not held:
        return
    if number is None and notes and notes[-1].rows[-1].page >= held[0].page - 1:
        before = notes.pop()
        notes.append(Footnote(before.number, before.page, (*before.rows, *held)))
    else:
        notes.append(Footnote(number or 0, held[0].page, tuple(held)))
