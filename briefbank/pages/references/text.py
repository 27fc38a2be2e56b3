"""A whole document, put together again from its passages: its text, each character at its offset in the document, and
its headings in their order. The outline of a brief is made of these, and references to points are resolved among them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.ingest.structure.numbering import Number, number_of
from briefbank.ingest.structure.rows import fold
from briefbank.values.records import Passage, Span

_BLANK_LINE = "\n\n"


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document; `passages` come in the order of their spans."""

    passages: tuple[Passage, ...]
    text: str

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> DocumentText:
        """Put the text together; between passages stands what the document has there: a blank, or a blank line."""
        ordered = tuple(sorted(passages, key=lambda each: each.span.start))
        pieces: list[str] = []
        at = 0
        for each in ordered:
            gap = each.span.start - at
            pieces += [_BLANK_LINE.ljust(gap) if gap > 1 else " " * gap, each.text]
            at = each.span.start + len(each.text)
        return cls(ordered, "".join(pieces))

    def passage_at(self, offset: int) -> Passage:
        """Return the passage that an offset of the text lies in."""
        return self.passages[bisect_right(self.passages, offset, key=lambda each: each.span.start) - 1]

    def heading_end(self, passage: Passage, longest: int | None = None) -> int:
        """Return the offset behind the headings that a passage begins with, its start where it begins with none. With
        `longest` what has more characters is no heading.
        """
        headings = [fold(heading) for heading in passage.section_path if longest is None or len(heading) <= longest]
        end = 0
        for paragraph in passage.text.split(_BLANK_LINE):
            key = fold(paragraph)
            if not any(key in heading for heading in headings):
                break
            end += len(paragraph) + len(_BLANK_LINE)
        return passage.span.start + min(end, len(passage.text))

    def is_inside(self, span: Span) -> bool:
        """Whether a range of the text lies in one passage."""
        passage = self.passage_at(span.start)
        return span.end <= passage.span.start + len(passage.text)


@dataclass(frozen=True, slots=True)
class PlacedHeading:
    """A heading: its path with itself last, and the first passage below it, which begins with it."""

    path: tuple[str, ...]
    passage: Passage
    number: Number | None

    @property
    def title(self) -> str:
        return self.path[-1]

    @property
    def level(self) -> int:
        """How deep it stands, from 1."""
        return len(self.path)

    @property
    def decimal(self) -> tuple[int, ...]:
        """The parts of a number like "2.1"; empty where it has another."""
        if self.number is None or not self.number.scheme.startswith("decimal"):
            return ()
        return tuple(map(int, re.findall(r"\d+", self.title[: self.number.length])))


def headings_of(passages: Sequence[Passage]) -> list[PlacedHeading]:
    """Return the headings in the order in which the document has them; `passages` are all of one document, in order."""
    found: list[PlacedHeading] = []
    above: tuple[str, ...] = ()
    for passage in passages:
        path = passage.section_path
        known = next((at for at, pair in enumerate(zip(above, path, strict=False)) if pair[0] != pair[1]), None)
        known = min(len(above), len(path)) if known is None else known
        found += [PlacedHeading(path[:depth], passage, number_of(path[depth - 1]))
                  for depth in range(known + 1, len(path) + 1)]  # fmt: skip
        above = path
    return found
