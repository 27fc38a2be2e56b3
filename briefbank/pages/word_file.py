"""How a Word file sets the words of its passages, read again from the file: the bank holds words alone.

Reads an untrusted file: runs in a process that may die. Pictures are not recognised again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path
from typing import NamedTuple

from briefbank.ingest.readers.docx import read_docx
from briefbank.ingest.structure.rows import fold, mode
from briefbank.pages.filed import places_of_words
from briefbank.pages.quotations import NO_PROSE
from briefbank.pages.source import is_raised_number, joined
from briefbank.platform.settings import Settings
from briefbank.values.pages import Typography
from briefbank.values.printed_words import paragraphs
from briefbank.values.records import Line, Passage, Span, Word

SUFFIXES = (".docx", ".docm")
_NO_PICTURES = Settings(read_timeout_s=1)
"""Less time than recognising a picture takes."""
_SET_IN_PT = 14.0
"""As in `pages.quotations`."""
_ITEM = re.compile(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|[•●▪◦‣–-])\s")
_NO_QUOTATION = ("heading", "title", "list", "footnote", "endnote", "caption", "toc", "table")


class Face(IntFlag):
    """How a word is set."""

    PLAIN = 0
    BOLD = 1
    ITALIC = 2
    UNDERLINED = 4
    RAISED = 8


class SetLine(NamedTuple):
    """Where in a passage's text a line of the file begins, how far it is set in, and whether it belongs to a block
    quotation.
    """

    start: int
    indent_pt: float
    is_quotation: bool


@dataclass(frozen=True, slots=True)
class SetPassage:
    """How the words and lines of a passage are set, in the order of its text."""

    words: tuple[tuple[Span, Face], ...] = ()
    lines: tuple[SetLine, ...] = ()

    def face_at(self, offset: int) -> Face:
        at = bisect_right(self.words, offset, key=lambda each: each[0].start) - 1
        return self.words[at][1] if at >= 0 and offset < self.words[at][0].end else Face.PLAIN

    def line_at(self, offset: int) -> SetLine:
        at = bisect_right(self.lines, offset, key=lambda each: each.start) - 1
        return self.lines[at] if at >= 0 else SetLine(0, 0.0, is_quotation=False)

    def typography(self, text: str) -> Typography:
        """As `PageSource.typography`; `text` is the passage's."""
        quotes = (span for span, _ in paragraphs(text) if self.line_at(span.start).is_quotation)
        raised = tuple(span for span, face in self.words if Face.RAISED in face)
        italics, bold, underlined = (
            joined((span for span, worn in self.words if face in worn), text)
            for face in (Face.ITALIC, Face.BOLD, Face.UNDERLINED)
        )
        return Typography(italics, raised, tuple(quotes), bold, underlined)


def set_passages(path: Path, passages: Sequence[Passage]) -> dict[str, SetPassage]:
    """Read a Word file and return how it sets each of its passages, by their ids.

    Raises:
        SourceError: it cannot be read.
    """
    reading = read_docx(path, _NO_PICTURES)
    styles = {(number, at): name.casefold() for number, at, name in reading.styles}
    lines = {
        (page.number, line.box.y0): (line, styles.get((page.number, at), ""))
        for page in reading.pages
        for at, line in enumerate(page.lines)
    }
    left = mode((line.box.x0 for line, _ in lines.values() if len(line.words) > 1), 1.0)
    return {each.id: _set_passage(each, lines, left) for each in passages}


def _set_passage(passage: Passage, known: Mapping[tuple[int, float], tuple[Line, str]], left: float) -> SetPassage:
    keys = dict.fromkeys((box.page, box.box.y0) for box in passage.boxes)  # a box for each row of a line
    own = [known[key] for key in keys if key in known]
    words = [(word, at) for at, (line, _) in enumerate(own) for word in line.words]
    headings = {fold(each) for each in passage.section_path}
    found = places_of_words(passage.text, [word.text for word, _ in words])
    starts: dict[int, int] = {}
    for at, span in found.items():
        starts.setdefault(words[at][1], span.start)
    lines = (
        SetLine(start, max(0.0, own[at][0].box.x0 - left), _is_quotation(*own[at], left, headings, passage))
        for at, start in starts.items()
    )
    return SetPassage(tuple(sorted((span, _face(words[at][0])) for at, span in found.items())), tuple(sorted(lines)))


def _face(word: Word) -> Face:
    flags = (
        (word.is_bold, Face.BOLD),
        (word.is_italic, Face.ITALIC),
        (word.is_underlined, Face.UNDERLINED),
        (is_raised_number(word), Face.RAISED),
    )
    return Face(sum(face for is_so, face in flags if is_so))


def _is_quotation(line: Line, style: str, left: float, headings: set[str], passage: Passage) -> bool:
    """Whether a paragraph is a block quotation: its style says so, or it is set in and nothing else that is."""
    if "quot" in style or "block text" in style:
        return True
    is_in = line.box.x0 - left > _SET_IN_PT and passage.section_kind not in NO_PROSE
    is_other = any(each in style for each in _NO_QUOTATION) or _ITEM.match(line.text) or fold(line.text) in headings
    return is_in and not is_other
