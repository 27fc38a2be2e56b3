"""The text of a whole document, put together again from its passages: each character at its offset in the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

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
