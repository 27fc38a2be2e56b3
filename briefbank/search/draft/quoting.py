"""What a text quotes: between marks of any kind, or as paragraphs set in.

The marks of one paragraph are read together. The outermost pair is the quotation; what stands in marks within it is a
part of it. An apostrophe looks like the end of a quotation in single marks, and is told from it by what stands beside.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from briefbank.values.records import Span

NOT_CLOSED = "has no closing mark"
_PARAGRAPH = re.compile(r"\n\s*\n")
_OPENING = re.compile(
    r"[“«]|(?<![\w.,;:!?)\]’'”])\"(?=\S)"
    r"|(?<![\w.,;:!?)\]’”])[‘'](?=[^\W\d])(?!(?:em|til|tis|twas|cause|bout|n)\b)",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"[”»]|(?<=\S)\"(?!\w)|(?<=[^\s‘'])[’'](?!\w)")
"""A straight mark opens and closes by what stands beside it: taken in pairs, one short quotation or the sign of an inch
would make quotations of the words between the real ones."""
_OTHER_MARKS = str.maketrans("\u201f\u301d\u301e\uff02\u2033\u2039\u203a", '““”""«»')
_PAIRS = {"“": "”", "«": "»", '"': '"', "‘": "’", "'": "'"}
_GENITIVE = re.compile(r"(?<=s)[’'] [a-z]")
"""Of a plural, as it looks: the officers’ car. A quotation may end so too."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that a text quotes, without their marks; `fault` says why nobody can tell where they end."""

    span: Span
    fault: str = ""


@dataclass(slots=True)
class _Open:
    """A mark that is open: where its words start, what closes it, and what was quoted within it. A single mark has an
    `end`, the only place where it is closed.
    """

    start: int
    closing: str
    end: int = -1
    within: list[Quoted] = field(default_factory=list)


def quoted_in(text: str, set_in: Sequence[Span] = ()) -> Iterator[Quoted]:
    """Yield what a text quotes, in order. `set_in` are its paragraphs that are quotations as they stand, unless they
    begin with a mark of their own.
    """
    text, start = text.translate(_OTHER_MARKS), 0
    for gap in (*_PARAGRAPH.finditer(text), None):
        end = gap.start() if gap else len(text)
        begun = start + len(text[start:end]) - len(text[start:end].lstrip())
        if any(each.start <= begun < each.end for each in set_in) and text[begun : begun + 1] not in _PAIRS:
            yield Quoted(Span(begun, end))
        else:
            yield from _in_paragraph(text, start, end)
        start = gap.end() if gap else end


def _in_paragraph(text: str, start: int, end: int) -> Iterator[Quoted]:
    opening = [match.start() for match in _OPENING.finditer(text, start, end)]
    closing = [match.start() for match in _CLOSING.finditer(text, start, end)]
    doubles = [at for at in opening if text[at] not in "‘'"]
    ends = {mark: _Ends.of(mark, closing, text) for mark in "’'"}
    may_open, may_close = frozenset(opening), frozenset(closing)
    found: list[Quoted] = []
    frames: list[_Open] = []
    counts: Counter[str] = Counter()
    for at in sorted(may_open | may_close):
        mark = text[at]
        if at in may_close and mark in '”»"' and counts[mark]:
            while frames[-1].closing != mark:  # what is open above it was an apostrophe, or a fault within
                counts[frames.pop().closing] -= 1
        is_closed = bool(frames) and at in may_close and frames[-1].closing == mark and frames[-1].end in (-1, at)
        if is_closed:
            frame = frames.pop()
            counts[mark] -= 1
            (frames[-1].within if frames else found).append(Quoted(Span(frame.start, at)))
        elif at in may_open:
            is_single = mark in "‘'"
            last = ends[_PAIRS[mark]].after(at) if is_single else -1
            if last > 0 or not is_single:
                frames.append(_Open(at + 1, _PAIRS[mark], last))
                counts[_PAIRS[mark]] += 1
    follows = text[end:].lstrip()[:1]
    for frame in frames:
        last = frame.start - 1
        if frame.end < 0 and frame is frames[0] and text[last] == follows:
            found.append(Quoted(Span(frame.start, end)))  # each paragraph opens, the last one closes
            break
        if frame.end < 0:
            place = bisect_right(doubles, last)
            last = doubles[place] if place < len(doubles) else end
            found.append(Quoted(Span(frame.start, last), NOT_CLOSED))
        found += [each for each in frame.within if each.span.start > last]
    yield from sorted(found, key=lambda each: each.span)


class _Ends(NamedTuple):
    """Where quotations in single marks may end: those places that are no genitive, and all."""

    sure: list[int]
    every: list[int]

    @classmethod
    def of(cls, mark: str, closing: Sequence[int], text: str) -> Self:
        every = [at for at in closing if text[at] == mark]
        return cls([at for at in every if not _GENITIVE.match(text, at)], every)

    def after(self, at: int) -> int:
        """The first sure one, failing that the last that may be one; -1 where there is none."""
        place = bisect_right(self.sure, at)
        if place < len(self.sure):
            return self.sure[place]
        return self.every[-1] if self.every and self.every[-1] > at else -1
