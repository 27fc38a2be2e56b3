"""What a brief says of itself, word for word: its questions, the headings over a passage, its summary of argument.

Knows the passages of one document; makes up nothing and shortens nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from briefbank.values import Extract
from briefbank.values.records import Passage, SectionKind

_SHOWN = {SectionKind.QUESTIONS: "Questions presented", SectionKind.SUMMARY: "Summary of argument"}


Cautions = Callable[[Passage], tuple[str, ...]]
"""Tells what must stay with the words of a passage."""


def own_words(passage: Passage, passages: Sequence[Passage], cautions: Cautions) -> tuple[Extract, ...]:
    """Return the extracts in document order; `passages` are all of the passage's document, in theirs."""
    return tuple(_extracts(passage, passages, cautions))


def _extracts(passage: Passage, passages: Sequence[Passage], cautions: Cautions) -> Iterator[Extract]:
    is_heading_due = bool(passage.section_path) and passage.section_kind not in _SHOWN
    for (kind, is_footnotes), run in groupby(passages, key=lambda each: (each.section_kind, each.is_footnotes)):
        parts = list(run)
        if is_heading_due and any(each.section_path == passage.section_path for each in parts):
            first = next(each for each in parts if each.section_path == passage.section_path)
            outermost = next(each for each in passages if each.section_path[:1] == passage.section_path[:1])
            heading = "\n".join(passage.section_path)
            yield Extract("Point heading", heading, outermost.page_first, first.page_first, first.id, cautions(first))
            is_heading_due = False
        if kind in _SHOWN and not is_footnotes:
            text = "\n\n".join(each.text for each in parts)
            known = tuple(dict.fromkeys(line for each in parts for line in cautions(each)))
            yield Extract(_SHOWN[kind], text, parts[0].page_first, parts[-1].page_last, parts[0].id, known)
