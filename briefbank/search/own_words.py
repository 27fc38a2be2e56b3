"""What a brief says of itself, word for word: its questions, the headings over a passage, its summary of argument.

Knows the passages of one document; makes up nothing and shortens nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from briefbank.records import Passage, SectionKind
from briefbank.reports import Extract

_SHOWN = {SectionKind.QUESTIONS: "Questions presented", SectionKind.SUMMARY: "Summary of argument"}


def own_words(passage: Passage, passages: Sequence[Passage]) -> tuple[Extract, ...]:
    """Return the extracts in document order; `passages` are all of the passage's document, in theirs."""
    return tuple(_extracts(passage, passages))


def _extracts(passage: Passage, passages: Sequence[Passage]) -> Iterator[Extract]:
    is_heading_due = bool(passage.section_path) and passage.section_kind not in _SHOWN
    for (kind, is_footnotes), run in groupby(passages, key=lambda each: (each.section_kind, each.is_footnotes)):
        parts = list(run)
        if is_heading_due and any(each.section_path == passage.section_path for each in parts):
            first = next(each for each in parts if each.section_path == passage.section_path)
            outermost = next(each for each in passages if each.section_path[:1] == passage.section_path[:1])
            heading = "\n".join(passage.section_path)
            yield Extract("Point heading", heading, outermost.page_first, first.page_first, first.id)
            is_heading_due = False
        if kind in _SHOWN and not is_footnotes:
            text = "\n\n".join(each.text for each in parts)
            yield Extract(_SHOWN[kind], text, parts[0].page_first, parts[-1].page_last, parts[0].id)
