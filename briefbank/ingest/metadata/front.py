"""The front of a document: the lines of its first pages, and the clerk's stamps on its first page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from briefbank.records import Line, Reading

_FRONT_PAGES = 3
_STAMP_HEAD = re.compile(r"^(?:E-?)?(?P<word>FILED|ACCEPTED|RECEIVED)\b(?! (?:BY|FOR|UNDER|WITH)\b)", re.IGNORECASE)
_VOID = re.compile(r"^V\s?O\s?I\s?D\b", re.IGNORECASE)
_STAMP_LINES = 7
"""Lines that a stamp has at most, its head included."""
_SMALL_PT = 10.5
"""Stamps are smaller than the text of a cover; larger "Filed" lines are the author's own."""

_COLUMN_GAP = 2.5
"""Space within a line, as a multiple of its letters' size, that parts two columns of a caption."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A clerk's stamp: its head in capitals (FILED, ACCEPTED, RECEIVED) and all its text."""

    word: str
    text: str
    is_void: bool = False


@dataclass(frozen=True, slots=True)
class Front:
    """`cover` are the lines of the first page, `pages` those of the first three; `stamps` in the order of trust."""

    cover: tuple[str, ...]
    pages: tuple[tuple[str, ...], ...]
    stamps: tuple[Stamp, ...]
    largest: str
    """The lines set in the largest type of the first page, joined."""

    @classmethod
    def of(cls, reading: Reading) -> Self:
        pages = [page for page in reading.pages if page.lines][:_FRONT_PAGES]
        first = pages[0].lines if pages else ()
        stamps = _stamps(first)
        texts = tuple(tuple(_plain(part) for line in page.lines for part in _parts(line)) for page in pages)
        return cls(texts[0] if texts else (), texts, stamps, _largest(first))


def _parts(line: Line) -> Iterator[str]:
    """Part a line where a caption's columns stand side by side; a label ("FROM:") keeps what stands behind it."""
    words: list[str] = []
    end = line.box.x1
    for word in line.words:
        if words and word.box.x0 - end > _COLUMN_GAP * line.size_pt and not words[-1].endswith(":"):
            yield " ".join(words)
            words = []
        words.append(word.text)
        end = word.box.x1
    yield " ".join(words)


def _plain(text: str) -> str:
    return re.sub(r"[_⎯─═*~◆♦§]{2,}|^[\s§♦⎯)|]+|[\s§♦⎯(|]+$", " ", text).strip()


def _stamps(lines: tuple[Line, ...]) -> tuple[Stamp, ...]:
    """Filed stamps before accepted ones, void ones last: a voided stamp was replaced by another."""
    heads = [number for number, line in enumerate(lines) if _STAMP_HEAD.match(line.text)]
    stamps = []
    for number in heads:
        below = lines[number : number + _STAMP_LINES]
        behind = next((n for n, line in enumerate(below) if n and _STAMP_HEAD.match(line.text)), len(below))
        own = [line for line in below[:behind] if _is_beside(line, lines[number])]
        if not _is_stamp(own):
            continue
        match = _STAMP_HEAD.match(own[0].text)
        is_void = any(_VOID.match(line.text) for line in lines[number + 1 : number + len(own) + 4])
        stamps.append(Stamp(match["word"].upper() if match else "", " ".join(line.text for line in own), is_void))
    order = {"FILED": 0, "RECEIVED": 1, "ACCEPTED": 2}
    return tuple(sorted(stamps, key=lambda stamp: (stamp.is_void, order[stamp.word])))


def _is_stamp(lines: list[Line]) -> bool:
    text = " ".join(line.text for line in lines)
    is_clerks = re.search(r"\bclerk|\bcourt\b|\bdivision\b", text, re.IGNORECASE) is not None
    return is_clerks and re.search(r"\d", text) is not None and lines[0].size_pt <= _SMALL_PT


def _is_beside(line: Line, head: Line) -> bool:
    return line.box.x0 < head.box.x1 + 72 and line.box.x1 > head.box.x0 - 72 and line.size_pt <= head.size_pt + 1.5


def _largest(lines: tuple[Line, ...]) -> str:
    if not lines:
        return ""
    size = max(line.size_pt for line in lines)
    return " ".join(line.text for line in lines if line.size_pt > size - 0.6)
