"""Rows of body text joined into paragraphs, block quotes and list items; knows one column of text, no headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.ingest.structure.rows import Row, TextColumn
from briefbank.values.records import BlockRole

_ITEM = re.compile(r"(?:[•●▪◦‣*–—-]|o(?= [A-Z…])|(?!v\. )\(?(?:\d{1,2}|[a-zA-Z]|[ivxIVX]{1,5})[.)])\s|[\uf000-\uf0ff]")
_TURN = re.compile(r"(?:Q|A)[.:]?\s|(?:THE |MS?R?S?\.? |DR\.? )?[A-Z][A-Z.’' ]{2,30}:\s")
# Chosen on filed briefs (21 November 2026), none by itself. `tests/quality/test_structure_corpus.py` holds that they
# find nine tenths of the headings that tables of contents list.
_INDENT_EM = 0.8
"""Shift to the right, in type sizes, from which a row is indented."""
_QUOTE_EM = 1.2
"""Shift from which rows are set in as a block quote is; less is the wavering of a scan."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows `first` to `last` (half-open) are one block; rows of a block with `is_lined` stay lines of their own."""

    rows: tuple[Row, ...]
    role: BlockRole

    @property
    def is_lined(self) -> bool:
        return self.role in (BlockRole.LINE, BlockRole.TABLE)


def group_lines(rows: Sequence[Row], starts: frozenset[int]) -> list[RowGroup]:
    """Rows that stay lines (captions, tables, signatures), in groups set apart by space or by `starts`."""
    groups: list[list[Row]] = []
    for index, row in enumerate(rows):
        before = rows[index - 1] if index else None
        if (
            before is None
            or index in starts
            or row.page != before.page
            or (not starts and row.gap > 1.35 * max(1.15 * row.size, _pitch_before(rows, index, len(groups[-1]))))
        ):
            groups.append([])
        groups[-1].append(row)
    return [RowGroup(tuple(group), BlockRole.LINE) for group in groups]


def group_prose(rows: Sequence[Row], layout: TextColumn) -> list[RowGroup]:
    """Rows of running text as paragraphs, block quotes and list items, joined across pages."""
    groups: list[list[Row]] = []
    indents = _block_indents(rows, layout)
    rights = _block_rights(rows, indents, layout)
    for index, row in enumerate(rows):
        if index == 0 or _begins(rows, indents, rights, index, layout, len(groups[-1])):
            groups.append([])
        groups[-1].append(row)
    return [RowGroup(tuple(group), _role(group, layout)) for group in groups]


def _block_indents(rows: Sequence[Row], layout: TextColumn) -> list[float]:
    """For each row the indent of the block it lies in, in points: 0 for body text, more for a quotation.

    A row further in than the one below it is the first line of a paragraph, unless it ends a block of its own indent.
    """
    reach = 1.25 * max(layout.pitch, layout.size)
    indents: list[float] = []
    for index, row in enumerate(rows):
        own = max(0.0, layout.indent(row))
        below = rows[index + 1] if index + 1 < len(rows) else row
        if below.page != row.page or below.gap > reach:
            below = row
        inner = max(0.0, layout.indent(below))
        above = rows[index - 1] if index and rows[index - 1].page == row.page and row.gap < reach else None
        if inner < own - 4 and above is not None and abs(layout.indent(above) - own) < 4:
            opens = (above.ends_sentence or layout.is_short(above)) and not layout.is_short(row)
            indents.append(inner if opens else own)
        else:
            indents.append(min(own, inner))
    return indents


def _block_rights(rows: Sequence[Row], indents: Sequence[float], layout: TextColumn) -> list[float]:
    """For each row the right edge of its block: the column's for body text, its widest row's for a run set in."""
    rights = [layout.right] * len(rows)
    start = 0
    while start < len(rows):
        end = start + 1
        is_in = indents[start] > _QUOTE_EM * rows[start].size
        while end < len(rows) and (indents[end] > _QUOTE_EM * rows[end].size) is is_in:
            end += 1
        if is_in and end - start > 1:
            rights[start:end] = [max(row.box.x1 for row in rows[start:end])] * (end - start)
        start = end
    return rights


def _begins(
    rows: Sequence[Row], indents: Sequence[float], rights: Sequence[float], index: int, layout: TextColumn, length: int
) -> bool:
    """Whether a block begins at a row that has one before it, of `length` rows up to here."""
    row, before = rows[index], rows[index - 1]
    if not layout.has_pages:
        if row.page != before.page and row.style == before.style and not before.ends_sentence:
            return False
        return bool(row.style or before.style) or row.gap > 1.5 * layout.pitch or _is_marked(row)
    if row.style != before.style:
        return True
    em = row.size
    room = rights[index - 1] - before.box.x1 - 0.3 * em - row.stretch * (row.words[0].box.x1 - row.words[0].box.x0)
    has_ended = room > 0.1 * em
    shift = abs(indents[index] - indents[index - 1])
    if row.page != before.page:
        if not before.ends_sentence:
            return has_ended and shift > _QUOTE_EM * em and not row.text[0].islower()
        return has_ended or shift > _QUOTE_EM * em or _is_set_in(rows, indents, index, layout) or _is_marked(row)
    if row.gap > 1.3 * max(_pitch_before(rows, index, length), 1.05 * em):
        return True
    if not has_ended:
        return before.ends_sentence and (_is_set_in(rows, indents, index, layout) or _TURN.match(row.text) is not None)
    if before.ends_sentence or _is_marked(row):
        return True
    return room > 0.3 * layout.width or (shift > _QUOTE_EM * em and not row.text[0].islower())


def _is_marked(row: Row) -> bool:
    return _ITEM.match(row.text) is not None or _TURN.match(row.text) is not None


def _is_set_in(rows: Sequence[Row], indents: Sequence[float], index: int, layout: TextColumn) -> bool:
    """Whether a row is set in as the first line of a paragraph is: against its block, or the row above."""
    own = layout.indent(rows[index])
    if own > indents[index] + _INDENT_EM * rows[index].size:
        return True
    is_last = index + 1 == len(rows) or rows[index + 1].page != rows[index].page
    return (
        is_last
        and rows[index - 1].page == rows[index].page
        and own > (layout.indent(rows[index - 1]) + _INDENT_EM * rows[index].size)
    )


def _pitch_before(rows: Sequence[Row], index: int, length: int) -> float:
    """The distance of lines in the block of `length` rows before `index`; of one row, that of the rows after it."""
    before = rows[index - 1]
    if length > 1 and before.gap > 0:
        return before.gap
    if index + 1 < len(rows) and rows[index + 1].page == before.page:
        return rows[index + 1].gap
    return rows[index].gap


def _role(rows: Sequence[Row], layout: TextColumn) -> BlockRole:
    first = rows[0]
    style = first.style.lower()
    if "quot" in style or (not layout.has_pages and first.text.startswith("> ")):
        return BlockRole.QUOTE
    if "list" in style:
        return BlockRole.LIST_ITEM
    if style.startswith("table"):
        return BlockRole.TABLE
    if layout.has_pages:
        body = rows[1:] if len(rows) > 2 else rows
        least = min(layout.indent(row) for row in body)
        is_in = least > _QUOTE_EM * first.size
        if is_in and (len(rows) > 1 or _TURN.match(first.text)):
            is_narrow = max(row.box.x1 for row in rows) < layout.right - 1.2 * first.size
            is_tight = min((row.gap for row in rows[1:] if row.gap > 0), default=layout.pitch) < 0.8 * layout.pitch
            if is_narrow or is_tight or first.size < layout.size - 0.7:
                return BlockRole.QUOTE
        is_lone = len(rows) == 1 and layout.is_short(first) and not first.ends_sentence
        if is_lone and not _is_marked(first) and not first.text.startswith("("):
            return BlockRole.LINE
    return BlockRole.LIST_ITEM if _ITEM.match(first.text) else BlockRole.PARAGRAPH
