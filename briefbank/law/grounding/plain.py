"""What the check finds, and text made comparable for it: character by character, so that spans stay true."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from briefbank.values.records import Span

_SAME_LENGTH = (
    dict.fromkeys((0x201C, 0x201D, 0x201E, 0x201F, 0xAB, 0xBB), '"')
    | dict.fromkeys((0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x60, 0xB4), "'")
    | dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
    | dict.fromkeys((9, 10, 11, 12, 13, 0xA0, 0xAD, 0x2007, 0x2009, 0x202F), " ")
)
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0x2026: "..."}
_WORD = re.compile(r"[^\W_]+(?:['&][^\W_]+)*")
_POSSESSIVE = re.compile(r"'s?\Z", re.IGNORECASE)
_BLANK = "\0"


class DoubtKind(StrEnum):
    """What sort of thing the source does not contain, in words for people."""

    CITATION = "citation"
    CASE = "case"
    RULE = "rule or statute"
    NUMBER = "number"
    DATE = "date"
    QUOTATION = "quotation"
    NAME = "name"


AUTHORITIES = frozenset({DoubtKind.CITATION, DoubtKind.CASE, DoubtKind.RULE})
"""What a brief could be taken to task for citing."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Words of a sentence that the source does not contain; they never show in a `repr`."""

    span: Span
    kind: DoubtKind
    words: str = field(repr=False)

    def __str__(self) -> str:
        return f"the {self.kind} {self.words}"


def plain(text: str) -> str:
    """The text with plain quotation marks, dashes and spaces; offsets stay the same."""
    return text.translate(_SAME_LENGTH)


def plain_source(text: str) -> str:
    """The same for a text whose offsets nobody needs: ligatures and ellipses are written out besides."""
    return plain(text.translate(_LIGATURES))


def without(text: str, spans: Iterable[Span]) -> str:
    """The text with the spans blanked out; offsets stay the same."""
    for span in spans:
        text = text[: span.start] + _BLANK * (span.end - span.start) + text[span.end :]
    return text


def folded(word: str) -> str:
    """A word in lower case, without accents, possessive and apostrophes: `Nuñez's` is `nunez`."""
    bare = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", plain(word).lower()))
    return "".join(each for each in bare if each.isalnum())


def words(text: str) -> list[str]:
    """The words of a plain text, folded, in order; the parts of a hyphenated one each for itself."""
    return [folded(match.group()) for match in _WORD.finditer(text)]
