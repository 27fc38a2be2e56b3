"""Footnotes parted from the body: small or marked rows at the foot of a page; knows no sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.ingest.structure.rows import Layout, Row
from briefbank.records import TextSource

_MARK = re.compile(r"(?:(\d{1,3})|[*†‡§]{1,3})(?=\D|$)")
_SMALLER_PT = 0.9
_APART_EM = 1.8
_WORD = re.compile(r"[A-Za-z]{2}")
_MISREAD = re.compile(r"[^\w\s(\[“\"$§¶.]\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its number (0 for a symbol), the page it begins on, its rows, which may run over pages."""

    number: int
    page: int
    rows: tuple[Row, ...]


def split_footnotes(pages: Sequence[Sequence[Row]], layout: Layout) -> tuple[list[Row], list[Footnote]]:
    """Rows of the body, and the footnotes in order."""
    body: list[Row] = []
    notes: list[Footnote] = []
    for rows in pages:
        if not layout.has_pages:
            body.extend(row for row in rows if not _is_styled(row))
            _collect([row for row in rows if _is_styled(row)], notes)
            continue
        is_open = bool(notes) and _is_unfinished(notes[-1], rows)
        start = _first_note_row(rows, layout, is_open=is_open)
        body.extend(rows[:start])
        _collect(rows[start:], notes, is_new=not is_open and any(map(_is_scanned_note, rows[start : start + 1])))
    if not body:
        return [row for note in notes for row in note.rows], []
    return body, notes


def _is_styled(row: Row) -> bool:
    return row.style.lower().startswith(("footnote", "endnote"))


def _is_unfinished(note: Footnote, rows: Sequence[Row]) -> bool:
    return bool(rows) and note.rows[-1].page == rows[0].page - 1 and not note.rows[-1].ends_sentence


def _first_note_row(rows: Sequence[Row], layout: Layout, *, is_open: bool) -> int:
    """Index of the first row of the footnotes at the foot of a page; the number of rows if there are none."""
    start = len(rows)
    while start > 0 and rows[start - 1].size < layout.size - _SMALLER_PT:
        start -= 1
    if start == 0 and rows and not is_open:
        return len(rows)
    if start < len(rows) and (is_open or _is_scanned_note(rows[start])):
        return start
    for index in range(start, len(rows)):
        if _mark(rows[index]) is not None and (index == start or rows[index].words[0].is_superscript):
            return index
    return _first_tight_note(rows, start, layout)


def _is_scanned_note(row: Row) -> bool:
    """Whether small rows at the foot of a scan stand apart and begin with what may be a mark.

    OCR misreads small raised marks more often than not, but seldom as a word.
    """
    return row.source is TextSource.OCR and row.gap > _APART_EM * row.size and _WORD.match(row.text) is None


def _first_tight_note(rows: Sequence[Row], stop: int, layout: Layout) -> int:
    """The same where notes are set in the size of the body: raised numbers, or single spacing behind a wide space."""
    for index in range(max(1, len(rows) // 3), stop):
        first = rows[index].words[0]
        if not first.text.isdecimal() or _MARK.match(rows[index].text) is None:
            continue
        is_apart = rows[index].gap > 1.5 * layout.pitch and all(
            row.gap < 0.8 * layout.pitch for row in rows[index + 1 :]
        )
        if first.is_superscript or (is_apart and layout.pitch > 1.5 * layout.size):
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
    if number is None and notes:
        before = notes.pop()
        notes.append(Footnote(before.number, before.page, (*before.rows, *held)))
    else:
        notes.append(Footnote(number or 0, held[0].page, tuple(held)))
