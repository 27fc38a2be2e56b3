"""Quotations: every quoted word stands in the source, in this order. Knows no other kinds of claims.

Case, quotation marks, punctuation, white space and hyphens are as the writer likes; an ellipsis stands for words left
out, brackets for words put in or letters changed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from briefbank.law.grounding.plain import Doubt, DoubtKind
from briefbank.values.records import Span

_QUOTED = re.compile(r"\"([^\"]+)\"|(?<!\w)'(?=\S)((?:[^'\"]|(?<=\w)'(?=\w))+?)'(?!\w)")
_GAP = re.compile(r"\.\s?\.\s?\.(?:\s?\.)?|\u2026|\*\s?\*\s?\*|-{2,}|\[[^\]]*\]")
_CHANGED_LETTERS = re.compile(r"\[([A-Za-z]{1,2})\](?=\w)")
_CHANGED_ENDING = re.compile(r"(?<=\w)\[[a-z]{0,4}\]")
_REACH = 800
"""How many letters an ellipsis may stand for."""


class KnownWording:
    """The wording of a source: its letters and digits alone, and where among them words begin and end."""

    def __init__(self, text: str) -> None:
        letters: list[str] = []
        edges = {0}
        for character in unicodedata.normalize("NFKD", text):
            if character.isalnum():
                letters.append(character.lower())
            elif not unicodedata.combining(character):
                edges.add(len(letters))
        self._letters = "".join(letters)
        self._edges = edges | {len(letters)}

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The quotations in a plain sentence that the source does not contain."""
        for span, quoted in quotations(sentence):
            if not self._holds(quoted):
                yield Doubt(span, DoubtKind.QUOTATION, sentence[slice(*span)])

    def _holds(self, quoted: str) -> bool:
        has_ending = _CHANGED_ENDING.search(quoted)
        plain = _CHANGED_ENDING.sub(" ... ", _CHANGED_LETTERS.sub(r"\1", quoted))
        pieces = [piece for piece in map(_letters, _GAP.split(plain)) if piece]
        return not pieces or any(
            self._follow(pieces, start, is_open=bool(has_ending)) for start in self._places(pieces[0], 0)
        )

    def _follow(self, pieces: list[str], start: int, *, is_open: bool) -> bool:
        """Whether the pieces follow one another from `start` on; an open one may end within a word."""
        if start not in self._edges:
            return False
        place = start
        for piece in pieces:
            place = next((at for at in self._places(piece, place) if is_open or self._is_whole(at, piece)), -1)
            if place < 0:
                return False
            place += len(piece)
        return place - start <= sum(map(len, pieces)) + _REACH * (len(pieces) - 1)

    def _is_whole(self, at: int, piece: str) -> bool:
        return at in self._edges and at + len(piece) in self._edges

    def _places(self, piece: str, start: int) -> Iterator[int]:
        at = self._letters.find(piece, start)
        while at >= 0:
            yield at
            at = self._letters.find(piece, at + 1)


def quotations(sentence: str) -> list[tuple[Span, str]]:
    """The quoted stretches of a plain sentence, marks included, each with what stands between its marks."""
    return [(Span(*match.span()), match[1] or match[2]) for match in _QUOTED.finditer(sentence)]


def _letters(piece: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", piece).lower() if each.isalnum())
