"""Cuts a section into pieces that no passage may break: what a passage is made of. Must not know encoders, nor
import numpy: workers do this.

A piece is a sentence with the citations that support it, a heading with what it heads, a block quote with the words
that introduce it, a list item, or a line of a table.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from briefbank.ingest.sentences import sentence_spans
from briefbank.values.records import Block, BlockRole, Section, SectionKind, Span

_TOKEN = re.compile(r"\S+\s*")
_INTRODUCES = re.compile(r":[\"”’')\]]*\s*\Z")
_CLOSED = re.compile(r"(?:[.?!…*–—-][\"”’'‖)\]]*|[)\]”\"’])(?:\d{1,3}|[†‡])?\s*\Z|\d\s*\Z")
"""How a finished block ends: a full stop, bracket or quotation mark, a number cited, a dash where speech breaks off."""
_PARENTHETICAL = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SIGNAL = re.compile(
    r"[(\[]?(?:see|but see|see also|see, e\.g\.|cf\.|accord|compare|citing|quoting|id\.|ibid\.|e\.g\.)[\s,;.)\]]",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"(?<![\w’'.])[a-z]{4,}(?![\w.])")
_CITING_WORDS = frozenset("also cert citing quoting denied affirmed granted reversed parte exhibit with".split())
_DIGIT = re.compile(r"[0-9]")
_REMARK = re.compile(r"[(\[][\w\s,]{0,40}\b(?:added|omitted|original|supplied|cleaned up)[)\]][.\s]*", re.IGNORECASE)
_SHORT_CHARS = 12
"""A signal without a number cites only if it is about all there is: `Id.`, `See id.`"""
_RECORD_CITE_CHARS = 120
"""Longer sentences in brackets say something of their own."""


BY_LINE = frozenset(
    {
        SectionKind.CAPTION,
        SectionKind.PARTIES,
        SectionKind.CONTENTS,
        SectionKind.AUTHORITIES,
        SectionKind.TABLE,
        SectionKind.CERTIFICATE,
        SectionKind.SIGNATURE,
    }
)
"""Sections without a train of thought: cut by size at line ends."""


class _Kind(Enum):
    HEADING = auto()
    SENTENCE = auto()
    CITATION = auto()
    QUOTE = auto()
    ITEM = auto()
    LINE = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stays whole. `topic` is the part of it that tells what it is about."""

    span: Span
    words: int
    topic: Span
    ends_block: bool


@dataclass(frozen=True, slots=True)
class _Part:
    span: Span
    kind: _Kind
    words: int
    ends_block: bool


def document_pieces(
    text: str, blocks: Sequence[Block], sections: Sequence[Section], most_words: int
) -> tuple[tuple[Piece, ...], ...]:
    """The pieces of each section of a document, in order: all of segmenting that reads the text."""
    return tuple(tuple(_pieces_of(text, blocks, section, most_words)) for section in sections)


def _pieces_of(text: str, blocks: Sequence[Block], section: Section, most_words: int) -> list[Piece]:
    first = bisect_right(blocks, section.span.start, key=lambda block: block.span.end)
    last = bisect_left(blocks, section.span.end, key=lambda block: block.span.start)
    by_line = section.kind in BY_LINE
    return section_pieces(text, blocks[first:last], section, most_words=most_words, by_line=by_line)


def section_pieces(
    text: str, blocks: Sequence[Block], section: Section, *, most_words: int, by_line: bool
) -> list[Piece]:
    """The pieces of one section, in order; they tile it. A section of white space alone has none.

    `blocks` are those that overlap the section. A piece exceeds `most_words` only where it holds a block quote that
    does, alone or with its headings. With `by_line` all but headings is cut at line ends.
    """
    groups: list[list[_Part]] = []
    is_prose = not by_line and not section.is_footnotes
    for part in _parts(text, blocks, section, by_line=by_line):
        room = most_words - (sum(p.words for p in groups[-1]) if groups else 0)
        if groups and (
            _belongs(text, groups[-1][-1], part, room)
            or (is_prose and _goes_on(text, groups[-1][-1], part, room - most_words // 2))
        ):
            first, *rest = _fitting(text, part, room, most_words)
            groups[-1].append(first)
        else:
            rest = _fitting(text, part, most_words, most_words)
        groups.extend([one] for one in rest)
    starts = [section.span.start, *(group[0].span.start for group in groups[1:]), section.span.end]
    return [_piece(group, Span(starts[i], starts[i + 1])) for i, group in enumerate(groups)]


def is_citation(sentence: str) -> bool:
    """Whether a sentence only cites, as `See State v. Doe, 1 N.J. 2 (2000).` or `(2T 13-12 to 20).` do."""
    bare = sentence.strip()
    has_digit = bool(_DIGIT.search(bare))
    unbracketed = _PARENTHETICAL.sub(" ", bare)
    # "See" and the like cite where a number follows, or where next to nothing does.
    if _SIGNAL.match(f"{bare} ") and (has_digit or len(unbracketed.strip()) < _SHORT_CHARS):
        return True
    if not has_digit:
        return _REMARK.fullmatch(bare) is not None
    if bare[0] in "([" and bare.rstrip(".;, ")[-1:] in (")", "]") and len(bare) < _RECORD_CITE_CHARS:
        return True
    # What is left of a citation without names, reporters and brackets are words such as "cert. denied".
    plain = _PLAIN_WORD.findall(unbracketed)
    return all(word in _CITING_WORDS for word in plain)


def _parts(text: str, blocks: Sequence[Block], section: Section, *, by_line: bool) -> Iterator[_Part]:
    for block in blocks:
        start, end = max(block.span.start, section.span.start), min(block.span.end, section.span.end)
        kind = _KIND_OF_ROLE[block.role]
        if by_line and kind is not _Kind.HEADING:
            kind = _Kind.LINE
        words = len(text[start:end].split())
        if kind in (_Kind.SENTENCE, _Kind.LINE):
            spans = sentence_spans(text[start:end]) if kind is _Kind.SENTENCE else _line_spans(text[start:end])
        else:
            spans = [Span(0, end - start)]
        done = 0
        for span in spans:
            here = Span(start + span.start, start + span.end)
            content = text[here.start : here.end]
            count = len(content.split())
            done += count
            if count:
                cites = kind is _Kind.SENTENCE and is_citation(content)
                yield _Part(here, _Kind.CITATION if cites else kind, count, ends_block=done == words)


_KIND_OF_ROLE = {
    BlockRole.HEADING: _Kind.HEADING,
    BlockRole.PARAGRAPH: _Kind.SENTENCE,
    BlockRole.FOOTNOTE: _Kind.SENTENCE,
    BlockRole.QUOTE: _Kind.QUOTE,
    BlockRole.LIST_ITEM: _Kind.ITEM,
    BlockRole.TABLE: _Kind.LINE,
    BlockRole.LINE: _Kind.LINE,
}


def _line_spans(text: str) -> list[Span]:
    spans, start = [], 0
    for line in text.splitlines(keepends=True):
        spans.append(Span(start, start + len(line)))
        start += len(line)
    return spans


def _belongs(text: str, last: _Part, part: _Part, room: int) -> bool:
    """Whether `part` must stand in the same passage as `last`, with `room` words left."""
    if last.kind is _Kind.HEADING:
        return room > 0
    if part.words > room or part.kind is _Kind.HEADING:
        return False
    if part.kind is _Kind.CITATION:
        return last.kind is _Kind.QUOTE or not last.ends_block
    if part.kind is _Kind.QUOTE and last.kind is _Kind.QUOTE:
        return True
    introduces = bool(_INTRODUCES.search(text[last.span.start : last.span.end]))
    return introduces and part.kind in (_Kind.QUOTE, _Kind.ITEM)


def _goes_on(text: str, last: _Part, part: _Part, room: int) -> bool:
    """Whether a new block goes on with the one before: it only cites, or that one is no whole sentence yet.

    So words of a line, item or paragraph that was cut in two, and a title that is no heading, keep with what follows.
    """
    if part.words > room or part.kind is _Kind.HEADING or not last.ends_block:
        return False
    return part.kind is _Kind.CITATION or _CLOSED.search(text[last.span.start : last.span.end]) is None


def _fitting(text: str, part: _Part, room: int, most_words: int) -> list[_Part]:
    """`part` cut into parts of at most `room` words (the first) and `most_words`, at commas where it has some."""
    if part.kind is _Kind.QUOTE or part.words <= room:
        return [part]
    tokens = [match.span() for match in _TOKEN.finditer(text, part.span.start, part.span.end)]
    ends: list[int] = []
    at = 0
    while len(tokens) - at > room:
        window = range(at + room, at + room // 2, -1)
        at = next((i for i in window if text[slice(*tokens[i - 1])].rstrip()[-1] in ";:,"), at + room)
        ends.append(at)
        room = most_words
    bounds = [0, *ends, len(tokens)]
    return [
        _Part(
            Span(tokens[first][0] if first else part.span.start, tokens[last - 1][1]),
            _Kind.SENTENCE if part.kind is _Kind.HEADING else part.kind,
            last - first,
            ends_block=part.ends_block and last == len(tokens),
        )
        for first, last in pairwise(bounds)
    ]


def _piece(group: Sequence[_Part], span: Span) -> Piece:
    telling = [p for p in group if p.kind not in (_Kind.HEADING, _Kind.CITATION)] or group
    return Piece(
        span,
        sum(part.words for part in group),
        Span(telling[0].span.start, telling[-1].span.end),
        group[-1].ends_block,
    )
