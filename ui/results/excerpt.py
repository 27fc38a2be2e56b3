"""Shortens a passage around its matched words, and writes it as rich text. Pure functions; knows no widget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from briefbank.platform.visible import visible
from briefbank.records import Span
from ui.theme import Colours

_WORD_START = re.compile(r"\b\w")
_SENTENCE_START = re.compile(r"(?<=[.?!;:”\"])\s+(?=[A-Z“\"(\[])")
_SPACE = re.compile(r"\s+")
_PARAGRAPH = re.compile(r"\s*\n\s*\n\s*")
_REACH = 60
"""How far before the matches the start of a sentence is looked for, in characters."""


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


def shorten(text: str, matches: Sequence[Span], limit: int, start: int = 0) -> Excerpt:
    """Return the stretch of at most about `limit` characters that holds the most matched words, cut between words.

    Nothing before `start` is taken.
    """
    if start:
        inner = [Span(match.start - start, match.end - start) for match in matches if match.start >= start]
        part = shorten(text[start:], inner, limit).span
        return Excerpt(Span(part.start + start, part.end + start), is_whole=False)
    whole = Span(0, len(text))
    if len(text) <= limit * 1.15:
        return Excerpt(whole, is_whole=True)
    start = _start(text, _best_start(matches, limit, len(text)))
    end = min(start + limit, len(text))
    if end < len(text):
        space = text.rfind(" ", start + limit // 2, end)
        end = space if space > start else end
        end = max([end, *(match.end for match in matches if match.start < end < match.end)])
    return Excerpt(Span(start, end), is_whole=False)


def rich(text: str, matches: Sequence[Span], span: Span, scheme: Colours, *, is_flat: bool = False) -> str:
    """Return `text[span]` as rich text with its matches bold and on a ground of their own; flat: without paragraphs."""
    between = " " if is_flat else "<br>"
    style = f"font-weight:700; color:{scheme.mark_text}; background-color:{scheme.mark};"
    parts, at = [], span.start
    for match in sorted(matches):
        start, end = max(match.start, at), min(match.end, span.end)
        if start >= end:
            continue
        parts.append(_plain(text[at:start], between))
        parts.append(f'<span style="{style}">{_plain(text[start:end], between)}</span>')
        at = end
    parts.append(_plain(text[at : span.end], between))
    opening = "… " if span.start > 0 else ""
    ending = " …" if span.end < len(text) else ""
    return opening + "".join(parts) + ending


def _best_start(matches: Sequence[Span], limit: int, length: int) -> int:
    """The start of the window with the most matches, the earliest of equals."""
    starts = sorted(match.start for match in matches)
    if not starts:
        return 0
    room = limit - _REACH
    best = max(starts, key=lambda start: (sum(start <= each < start + room for each in starts), -start))
    return max(min(best, length - limit), 0)


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
