"""Shortens a passage around its matched words, and writes it as rich text. Pure functions; knows no widget."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from briefbank.platform.visible import visible
from briefbank.values.records import Span
from ui.theme import Colours

_WORD_START = re.compile(r"\b\w")
_SENTENCE_START = re.compile(r"(?<=[.?!;:”\"])\s+(?=[A-Z“\"(\[])")
_SPACE = re.compile(r"\s+")
_PARAGRAPH = re.compile(r"\s*\n\s*\n\s*")
_REACH = 60
"""How far before the matches the start of a sentence is looked for, in characters."""


_LENIENT = 1.15
"""By how much a passage may be longer than what an excerpt holds, and still be shown whole."""


class Excerpt(NamedTuple):
    """A part of a passage: its span, and whether it is all of it."""

    span: Span
    is_whole: bool


def body_start(text: str, headings: Sequence[str]) -> int:
    """Return where a passage's own words begin, behind headings that it opens with; 0 where it has nothing else."""
    at = 0
    for heading in headings:
        words = heading.split()
        found = re.compile(r"\s*" + r"\s+".join(map(re.escape, words)) + r"\s*").match(text, at) if words else None
        at = found.end() if found else at
    return at if at < len(text) else 0


def shorten(text: str, matches: Sequence[Span], limit: int, start: int = 0, sentence: Span | None = None) -> Excerpt:
    """Return a stretch of at most about `limit` characters, cut between words, that holds the most matched words: from
    the start of `sentence` where that fits, or within it where it is longer. Nothing before `start` is taken.
    """
    if start:
        inner = [Span(match.start - start, match.end - start) for match in matches if match.start >= start]
        moved = Span(max(sentence.start - start, 0), sentence.end - start) if sentence else None
        part = shorten(text[start:], inner, limit, sentence=moved if moved and moved.end > 0 else None).span
        return Excerpt(Span(part.start + start, part.end + start), is_whole=False)
    if len(text) <= limit * _LENIENT:
        return Excerpt(Span(0, len(text)), is_whole=True)
    whole = sentence if sentence and sentence.end - sentence.start <= limit else None
    inside = [match for match in matches if sentence is None or match.overlaps_any((sentence,))]
    near = whole.start if whole else _best_start(inside, limit)
    if near + limit >= len(text):  # all of the end fits
        start = min(text.find(" ", len(text) - limit) + 1, near) or near
    else:
        start = near if whole else _start(text, near)
    end = min(start + limit, len(text))
    if end < len(text):
        space = text.rfind(" ", start + limit // 2, end)
        end = space if space > start else end
        end = max([end, *(match.end for match in matches if match.start < end < match.end), whole.end if whole else 0])
    return Excerpt(Span(start, end), is_whole=False)


def rich(
    text: str,
    matches: Sequence[Span],
    span: Span,
    scheme: Colours,
    *,
    is_flat: bool = False,
    sentence: Span | None = None,
    page: str = "",
) -> str:
    """Return `text[span]` as rich text with its matches on a ground of their own; flat: without paragraphs.

    What is outside of `sentence` stands back in a muted colour, as does `page` behind it all; without one nothing does.
    """
    between = " " if is_flat else "<br>"
    plain = f"color:{scheme.muted};"
    marked = f"color:{scheme.mark_text}; background-color:{scheme.mark};"
    parts = []
    for piece, is_match in _pieces(matches, span, sentence or span):
        words = _plain(text[slice(*piece)], between)
        style = marked if is_match else plain if sentence and not piece.overlaps_any((sentence,)) else ""
        parts.append(f'<span style="{style}">{words}</span>' if style and words else words)
    opening = "… " if span.start > 0 else ""
    ending = " …" if span.end < len(text) else ""
    cited = f' <span style="{plain}">{escape(visible(page))}</span>' if page else ""
    return opening + "".join(parts) + ending + cited


def _pieces(matches: Sequence[Span], span: Span, sentence: Span) -> Iterator[tuple[Span, bool]]:
    """Yield `span` in pieces, each with whether it is a match; none is partly in the sentence."""
    at = span.start
    for match in (*sorted(matches), Span(span.end, span.end)):
        start, end = max(match.start, at), min(match.end, span.end)
        if start > end or (start == end and start < span.end):
            continue
        cuts = sorted({at, start, *(cut for cut in sentence if at < cut < start)})
        yield from ((Span(*piece), False) for piece in pairwise(cuts))
        if start < end:
            yield Span(start, end), True
        at = end


def _best_start(matches: Sequence[Span], limit: int) -> int:
    """The start of the window with the most matches, the earliest of equals."""
    starts = sorted(match.start for match in matches)
    if not starts:
        return 0
    room = limit - _REACH
    return max(starts, key=lambda start: (sum(start <= each < start + room for each in starts), -start))


def _start(text: str, near: int) -> int:
    """The start of a sentence shortly before `near`, or of a word."""
    if near == 0:
        return 0
    from_ = max(near - _REACH, 0)
    if from_ == 0:
        return 0
    sentences = [found.end() for found in _SENTENCE_START.finditer(text, from_, near + 1)]
    if sentences:
        return sentences[-1]
    found = _WORD_START.search(text, max(near - _REACH // 2, 0), near + 1)
    return found.start() if found else near


def _plain(text: str, between: str) -> str:
    """Text as rich text; lines run on, `between` stands between paragraphs."""
    return between.join(escape(visible(_SPACE.sub(" ", part))) for part in _PARAGRAPH.split(text))
