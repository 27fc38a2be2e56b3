"""How a passage's words are told apart where they are copied or written: paragraphs, headings, and notes left out.

Knows texts and ranges of them alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from briefbank.values.records import Span

_PARAGRAPH = re.compile(r"\S(?:(?!\n\s*\n).)*", re.DOTALL)
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_CALL = re.compile(rf"(?<=\S)[{SUPERSCRIPTS}]+")
AS_DIGITS = str.maketrans(SUPERSCRIPTS, "0123456789")


class ParagraphRole(StrEnum):
    """What a paragraph of a passage is."""

    HEADING = "heading"
    QUOTATION = "quotation"
    TEXT = "text"


def paragraphs(
    text: str, quotes: Sequence[Span] = (), headings: Iterable[str] = ()
) -> Iterator[tuple[Span, ParagraphRole]]:
    """Yield each paragraph with what it is: one that begins in one of `quotes` is a quotation, one that reads as one of
    `headings` that.
    """
    known = {_folded(each) for each in headings}
    for match in _PARAGRAPH.finditer(text):
        span = Span(match.start(), match.end())
        is_quote = any(each.start <= span.start < each.end for each in quotes)
        role = ParagraphRole.QUOTATION if is_quote else ParagraphRole.TEXT
        yield span, ParagraphRole.HEADING if _folded(match[0]) in known else role


class Emphasis(NamedTuple):
    """How a run of words is printed."""

    is_italic: bool = False
    is_bold: bool = False
    is_underlined: bool = False


def runs(
    within: Span, italics: Sequence[Span], bold: Sequence[Span] = (), underlined: Sequence[Span] = ()
) -> Iterator[tuple[Span, Emphasis]]:
    """Cut a range wherever one of the three begins or ends; yield each piece with what it is printed in."""
    faces = (italics, bold, underlined)
    edges = (min(max(edge, within.start), within.end) for spans in faces for span in spans for edge in span)
    for start, end in pairwise(sorted({*within, *edges})):
        yield Span(start, end), Emphasis(*(any(each.start <= start < each.end for each in spans) for spans in faces))


def omitted_notes(text: str) -> str:
    """Say which footnotes are called in a text by superscripts and do not come with it; empty where none is."""
    numbers = list(dict.fromkeys(call[0].translate(AS_DIGITS) for call in _CALL.finditer(text)))
    if not numbers:
        return ""
    named = " and ".join(filter(None, (", ".join(numbers[:-1]), numbers[-1])))
    return (
        f"Footnote {named} of the brief is left out"
        if len(numbers) == 1
        else f"Footnotes {named} of the brief are left out"
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
