"""Blocks written into one text, with the place of every word on its page; knows nothing of what the blocks mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from briefbank.ingest.structure.paragraphs import RowGroup
from briefbank.ingest.structure.rows import Row
from briefbank.platform.regex import bounded
from briefbank.records import Block, PlacedWord, Span, Word

_BROKEN = bounded(r"[A-Za-z]{2,}[-\u00ad\u2010]")
_EDGES = re.compile(r"\A\W++|(?<!\W)\W+$")
# A space is at least a fifth of the type size in the usual faces; chosen, not measured.
_JOINED_GAP_EM = 0.12
"""Gap between two words, as a share of their height, below which they are one that a change of face parted."""
_BLANK_LINE = "\n\n"


class TextWriter:
    """Appends blocks to a text that grows, and keeps their spans and words."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._vocabulary = {_EDGES.sub("", word.text).lower() for row in rows for word in row.words[:-1]}
        self.blocks: list[Block] = []
        self.words: list[PlacedWord] = []

    @property
    def length(self) -> int:
        return self._length

    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, group: RowGroup, *, is_last: bool) -> None:
        """Append one block and, unless it is the last of all, the blank line that belongs to it."""
        start = self._length
        previous: Row | None = None
        for row in group.rows:
            if previous is not None:
                self._between(previous, row, is_lined=group.is_lined)
            self._add_row(row)
            previous = row
        if not is_last:
            self._put(_BLANK_LINE)
        span = Span(start, self._length)
        self.blocks.append(Block(span, group.role, group.rows[0].page, group.rows[-1].page))

    def _put(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def _add_row(self, row: Row) -> None:
        page = row.page
        before: Word | None = None
        for word in row.words:
            if before is not None and not _touches(before, word):
                self._put(" ")
            start = self._length
            self._put(word.text)
            self.words.append(PlacedWord(start, self._length, page, word.box))
            before = word

    def _between(self, above: Row, row: Row, *, is_lined: bool) -> None:
        if is_lined:
            self._put("\n")
            return
        last, first = above.words[-1].text, row.words[0].text
        if not last.endswith(("-", "\u00ad", "\u2010")) or len(last) < 2:
            self._put(" ")
        elif _BROKEN.search(last) and first[0].islower() and self._is_one_word(last, first):
            self._drop_hyphen()

    def _is_one_word(self, last: str, first: str) -> bool:
        """Whether a hyphen at the end of a line only breaks a word; the document's other words decide."""
        head, tail = _EDGES.sub("", last[:-1]).lower(), _EDGES.sub("", first).lower()
        if last.endswith("\u00ad") or head + tail in self._vocabulary:
            return True
        if f"{head}-{tail}" in self._vocabulary or "-" in head:
            return False
        return not (head in self._vocabulary and tail in self._vocabulary)

    def _drop_hyphen(self) -> None:
        self._pieces[-1] = self._pieces[-1][:-1]
        self._length -= 1
        word = self.words[-1]
        self.words[-1] = word._replace(end=word.end - 1)


def _touches(before: Word, word: Word) -> bool:
    """Whether two words are printed without a space between them: a raised letter or number behind its word."""
    if before.is_superscript == word.is_superscript:
        return False
    height = max(before.box.y1 - before.box.y0, word.box.y1 - word.box.y0)
    return -height < word.box.x0 - before.box.x1 < _JOINED_GAP_EM * height


def write(groups: Sequence[Sequence[RowGroup]]) -> tuple[TextWriter, list[Span]]:
    """Write the groups of each section in turn; returns the writer and the span of each section."""
    writer = TextWriter(row for section in groups for group in section for row in group.rows)
    total = sum(map(len, groups))
    written = 0
    spans: list[Span] = []
    for section in groups:
        start = writer.length
        for group in section:
            written += 1
            writer.add(group, is_last=written == total)
        spans.append(Span(start, writer.length))
    return writer, spans
