"""Holds a sentence against its source and names what the source does not contain.

Must not know where either comes from. What it cannot see is a wrong statement made of right words: a holding turned
round, two names swapped.
"""

from __future__ import annotations

from briefbank.law.grounding.authorities import KnownAuthorities, authority_spans, name_spans
from briefbank.law.grounding.dates import KnownDates, dates
from briefbank.law.grounding.names import KnownNames
from briefbank.law.grounding.numbers import KnownNumbers
from briefbank.law.grounding.plain import AUTHORITIES, Doubt, DoubtKind, plain, plain_source, without
from briefbank.law.grounding.quotations import KnownWording, quotations

__all__ = ["AUTHORITIES", "Doubt", "DoubtKind", "Source"]


class Source:
    """A text that sentences are held against."""

    def __init__(self, text: str) -> None:
        text = plain_source(text)
        self._authorities = KnownAuthorities(text)
        self._wording = KnownWording(text)
        self._dates = KnownDates(text)
        self._names = KnownNames(text)
        bare = without(text, self._authorities.spans)
        self._numbers = KnownNumbers(without(bare, [date.span for date in dates(bare)]))

    def doubts(self, sentence: str) -> tuple[Doubt, ...]:
        """What the sentence contains and the source does not, in the order of the sentence; spans are those in it."""
        text = plain(sentence)
        found = [*self._authorities.doubts(text), *self._wording.doubts(text)]
        bare = without(text, [*authority_spans(text), *(span for span, _ in quotations(text))])
        found += self._dates.doubts(bare)
        found += self._numbers.doubts(without(bare, [date.span for date in dates(bare)]))
        spans = [*name_spans(bare), *(date.span for date in dates(bare)), *(doubt.span for doubt in found)]
        found += self._names.doubts(without(bare, spans))
        return tuple(_apart(sorted(found, key=lambda doubt: (doubt.span.start, -doubt.span.end))))


def _apart(doubts: list[Doubt]) -> list[Doubt]:
    """Without those that lie within another one."""
    kept: list[Doubt] = []
    for doubt in doubts:
        if not kept or doubt.span.start >= kept[-1].span.end:
            kept.append(doubt)
    return kept
