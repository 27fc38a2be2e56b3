"""The words of a bank that are spelt nearly like another. Knows words and how often each stands, nothing of queries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from briefbank.search.edits import cost

_A = ord("a")
_SHORT = 6
"""Up to so many letters a word may have one slip, longer ones two."""
_SHORT_LIMIT, _LONG_LIMIT = 14, 21
"""The most that slips may cost (`edits.cost`): one of nearly any kind; two, unless they are of the rarest."""


@dataclass(frozen=True, slots=True)
class Near:
    """A word, how often the bank has it, and what it takes to have meant it (`edits.cost`)."""

    word: str
    count: int
    cost: int


@dataclass(frozen=True, slots=True)
class _Shelf:
    """The words with one first letter, sorted; their lengths; how often each letter is in them, shape (words, 26)."""

    words: list[str]
    lengths: npt.NDArray[np.int16]
    letters: npt.NDArray[np.int8]


class NearWords:
    """Words of plain letters, to be found by others that are misspelt."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        """Take the words that a correction may lead to, each with how often it stands in the bank."""
        self._counts = counts
        self._words = sorted(counts)
        edges = [bisect_left(self._words, letter) for letter in ascii_lowercase] + [len(self._words)]
        self._shelves = {
            letter: _shelf(self._words[start:end])
            for letter, start, end in zip(ascii_lowercase, edges, edges[1:], strict=False)
        }

    def count(self, word: str) -> int:
        """How often the bank has a word; 0 where no correction may lead to it."""
        return self._counts.get(word, 0)

    def near(self, typed: str) -> list[Near]:
        """The words that may have been meant by one of plain letters, the cheapest first.

        With another first letter only those that are one slip away.
        """
        limit = _SHORT_LIMIT if len(typed) <= _SHORT else _LONG_LIMIT
        reach = 1 if len(typed) <= _SHORT else 2
        places = _alike(self._shelves[typed[0]], typed, reach)
        words = [self._shelves[typed[0]].words[place] for place in places]
        words += [word for word in _with_another_start(typed) if word in self._counts]
        found = [
            Near(word, self._counts[word], spent) for word in words if (spent := cost(typed, word, limit)) <= limit
        ]
        return sorted(found, key=lambda each: (each.cost, -each.count, each.word))


def _shelf(words: list[str]) -> _Shelf:
    lengths = np.array([len(word) for word in words], dtype=np.int16)
    letters = np.frombuffer("".join(words).encode("ascii"), dtype=np.uint8).astype(np.int64) - _A
    cells = np.repeat(np.arange(len(words)), lengths) * len(ascii_lowercase) + letters
    counted = np.bincount(cells, minlength=len(words) * len(ascii_lowercase))
    return _Shelf(words, lengths, counted.reshape(len(words), len(ascii_lowercase)).astype(np.int8))


def _alike(shelf: _Shelf, typed: str, reach: int) -> list[int]:
    """The places of the words that are made of the same letters but for `reach` slips, in whatever order."""
    own = np.bincount(np.frombuffer(typed.encode("ascii"), dtype=np.uint8) - _A, minlength=len(ascii_lowercase))
    first = np.flatnonzero(np.abs(shelf.lengths - len(typed)) <= reach)
    differing = np.abs(shelf.letters[first] - own.astype(np.int8)).sum(axis=1)
    # A letter in the place of another makes two differ, a missing or an extra one makes one.
    places: list[int] = first[differing <= 2 * reach].tolist()
    return places


def _with_another_start(typed: str) -> set[str]:
    others = {letter + typed[1:] for letter in ascii_lowercase}
    others |= {letter + typed for letter in ascii_lowercase}
    others |= {typed[1:], typed[1] + typed[0] + typed[2:]}
    return {word for word in others if word[0] != typed[0]}
