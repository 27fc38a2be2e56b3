"""The words of a generation as spelling needs them: which are near, how often each stands, and what stands with it.

Read from the places of words that exact search keeps, and from the records of the documents. Knows no queries.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.surface import Places, SurfacePostings, surface_words
from briefbank.law.word_lists import name_words, ordinary_words
from briefbank.values.records import FACT_FILTERS, Document

LEAST_LETTERS = 4
"""Shorter words have too many neighbours: what is unknown among them is mostly an abbreviation."""
_LEAST_COUNT, _LEAST_COUNT_UNKNOWN = 2, 4
"""How often the bank must have a word to be corrected to: what stands there once may be a misread page. The second is
for words that no list has: names, and errors that were copied. What records of documents have is right."""
_SAMPLED = 1_000
"""So many places of a word are looked at for what stands with it."""
_READ = 3
"""So many passages are read for how a word is written."""


_A = ord("a")
_SHORT = 6
"""Up to so many letters a word may have one slip, longer ones two."""
_SHORT_LIMIT, _LONG_LIMIT = 14, 21
"""The most that slips may cost (`cost`): one of nearly any kind; two, unless they are of the rarest."""


@dataclass(frozen=True, slots=True)
class Near:
    """A word, how often the bank has it, and what it takes to have meant it (`cost`)."""

    word: str
    count: int
    cost: int


class Vocabulary:
    """The words of one generation. What it holds is made when it is first asked for."""

    def __init__(self, generation: Generation, surface: SurfacePostings) -> None:
        """Take an open generation and its words."""
        self._generation, self._surface = generation, surface

    def near(self, typed: str) -> list[Near]:
        """The words of the bank that may have been meant by one of plain letters, the cheapest first.

        With another first letter only those that are one slip away.
        """
        limit, reach = (_SHORT_LIMIT, 1) if len(typed) <= _SHORT else (_LONG_LIMIT, 2)
        words = [*self._alike(typed, reach), *(word for word in _with_another_start(typed) if word in self._counts)]
        spent = [(word, cost(typed, word, limit)) for word in words]
        found = [Near(word, self._counts[word], each) for word, each in spent if each <= limit]
        return sorted(found, key=lambda each: (each.cost, -each.count, each.word))

    def count(self, word: str) -> int:
        """How often the bank has a word; 0 where it is too rare or too short to correct to."""
        return self._counts.get(word, 0)

    def is_of_records(self, word: str) -> bool:
        """Whether a title, court, author or outcome of a document has a word."""
        return word in self._of_records

    def rows(self, word: str) -> Rows:
        """Rows of passages that hold a word, of many a sample."""
        places = self._surface.places(word)
        return np.unique(self._surface.rows(places[:: 1 + len(places) // _SAMPLED]))

    def has_capital(self, word: str) -> bool:
        """Whether the bank ever writes a rare word as a name, as far as some of its passages show."""
        texts = self._generation.dense.texts(self.rows(word)[:_READ])
        written = [text[each.span.start] for text in texts for each in surface_words(text) if each.word == word]
        return any(letter.isupper() for letter in written)

    def side_by_side(self, one: str, other: str) -> int:
        """How often two words stand side by side, in this order, as far as a sample of the rarer one's places shows."""
        before, after = self._surface.places(one), self._surface.places(other)
        is_first_rarer = len(before) <= len(after)
        rarer, oftener = (before, after) if is_first_rarer else (after, before)
        step = 1 + len(rarer) // _SAMPLED
        wanted = rarer[::step].astype(np.int64) + (1 if is_first_rarer else -1)
        return step * _in_both(wanted[wanted >= 0].astype(np.uint32), oftener)

    @cached_property
    def _counts(self) -> dict[str, int]:
        """The words that a correction may lead to, each with how often the bank has it."""
        # What stands once counts only where a record has it too; so most words of a large bank are not read.
        known, found = self._surface.counts, self._surface.words
        counts = Counter({found[place]: int(known[place]) for place in np.flatnonzero(known >= _LEAST_COUNT).tolist()})
        counts.update(
            {word: times + (len(self._surface.places(word)) == 1) for word, times in self._of_records.items()}
        )
        listed = ordinary_words() | name_words()
        return {
            word: count
            for word, count in counts.items()
            if len(word) >= LEAST_LETTERS
            and word.isascii()
            and word.isalpha()
            and (count >= (_LEAST_COUNT if word in listed else _LEAST_COUNT_UNKNOWN) or word in self._of_records)
        }

    @cached_property
    def _letters(self) -> tuple[npt.NDArray[np.str_], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """These words, their first letters, and how often each letter is in them, shape (words, 26)."""
        words = list(self._counts)
        lengths = [len(word) for word in words]
        letters = np.frombuffer("".join(words).encode("ascii"), dtype=np.uint8).astype(np.int64) - _A
        cells = np.repeat(np.arange(len(words)), lengths) * len(ascii_lowercase) + letters
        counted = np.bincount(cells, minlength=len(words) * len(ascii_lowercase))
        firsts = np.array([ord(word[0]) for word in words], dtype=np.int8)
        return np.array(words, dtype=str), firsts, counted.reshape(len(words), len(ascii_lowercase)).astype(np.int8)

    def _alike(self, typed: str, reach: int) -> list[str]:
        """The words of the same first letter that are made of the same letters but for `reach` slips, in any order."""
        words, firsts, letters = self._letters
        own = np.bincount(np.frombuffer(typed.encode("ascii"), dtype=np.uint8) - _A, minlength=len(ascii_lowercase))
        begins = np.flatnonzero(firsts == ord(typed[0]))
        slips = letters[begins] - own.clip(max=127).astype(np.int8)
        # A letter in the place of another makes two differ, a missing or an extra one makes one.
        is_near = (np.abs(slips).sum(axis=1) <= 2 * reach) & (np.abs(slips.sum(axis=1)) <= reach)
        alike: list[str] = words[begins[is_near]].tolist()
        return alike

    @cached_property
    def _of_records(self) -> Counter[str]:
        # Most documents share their court and author with others.
        values = Counter(value for document in self._generation.documents for value in _values_of(document))
        counts: Counter[str] = Counter()
        for value, times in values.items():
            for each in surface_words(value):
                counts[each.word] += times
        return counts


class Company:
    """The other words of a question, and in which passages they stand."""

    def __init__(self, generation: Generation, terms: Sequence[str]) -> None:
        """Take the terms of these words; those that no passage holds say nothing."""
        self._lexical = generation.lexical
        self._held = [term for term in dict.fromkeys(terms) if self._lexical.holders(term)]

    def association(self, rows: Rows) -> float:
        """How much more often than by chance the others stand in these passages: the mean of the logarithms."""
        if not self._held:
            return 0.0
        together = []
        for term in self._held:
            share = self._lexical.holders(term) / len(self._lexical)
            together.append((self._lexical.count_holding(term, rows) + 0.5) / (len(rows) * share + 0.5))
        return math.fsum(map(math.log, together)) / len(together)


def _in_both(some: Places, others: Places) -> int:
    """How many of some numbers are among others, which ascend."""
    found = np.searchsorted(others, some)
    found[found == len(others)] = 0
    return int((others[found] == some).sum()) if len(others) else 0


def _values_of(document: Document) -> Iterator[str]:
    known = document.metadata
    facts = (known.title, *(getattr(known, each.fact) for each in FACT_FILTERS))
    yield from (fact.value for fact in facts if fact)


def _with_another_start(typed: str) -> set[str]:
    others = {letter + typed[1:] for letter in ascii_lowercase}
    others |= {letter + typed for letter in ascii_lowercase}
    others |= {typed[1:], typed[1] + typed[0] + typed[2:]}
    return {word for word in others if word[0] != typed[0]}


# What a slip costs, chosen by how often hands make it (Damerau 1964; Kernighan, Church and Gale 1990) and not fitted:
# one and the same word is rarely near two others that only these numbers tell apart.
_DOUBLING = 6
"""A letter doubled or a double letter halved: `supression`."""
_SWAP = 8
"""Two letters the wrong way round."""
_LIKELY_SUBSTITUTE = 9
"""A neighbouring key, another vowel, or a letter that sounds the same."""
_MISSED_OR_EXTRA = SPACE = 10
_SUBSTITUTE = 12
_AT_THE_START = 5
"""What a slip in the first letter costs besides: few are made there, and readers see them."""

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_ALIKE = ("aeiouy", "cks", "sz", "vf", "gj", "mn")


def _likely_pairs() -> frozenset[tuple[str, str]]:
    pairs = {(one, other) for group in _ALIKE for one in group for other in group if one != other}
    for row in _ROWS:
        pairs.update(pairwise(row))
    for upper, lower in pairwise(_ROWS):
        pairs.update(zip(upper, lower, strict=False))
        pairs.update(zip(upper[1:], lower, strict=False))
    return frozenset(pairs | {(other, one) for one, other in pairs})


_LIKELY = _likely_pairs()


def cost(typed: str, meant: str, limit: int) -> int:
    """What turns one word into the other (optimal string alignment); `limit + 1` where it costs more than `limit`."""
    start = 0
    while start < min(len(typed), len(meant)) and typed[start] == meant[start]:
        start += 1
    end = 0
    while end < min(len(typed), len(meant)) - start and typed[-1 - end] == meant[-1 - end]:
        end += 1
    first = _AT_THE_START if start == 0 and typed != meant else 0
    # One letter on either side stays, so that a doubled one is seen whichever of the two is the one too many.
    start, end = max(start - 1, 0), max(end - 1, 0)
    total = first + _aligned(typed[start : len(typed) - end], meant[start : len(meant) - end], limit - first)
    return min(total, limit + 1)


def _aligned(typed: str, meant: str, limit: int) -> int:
    before_last: list[int] = []
    last = [_MISSED_OR_EXTRA * place for place in range(len(meant) + 1)]
    for row, letter in enumerate(typed, 1):
        current = [_MISSED_OR_EXTRA * row]
        extra = _DOUBLING if row > 1 and letter == typed[row - 2] else _MISSED_OR_EXTRA
        for column, other in enumerate(meant, 1):
            missed = _DOUBLING if column > 1 and other == meant[column - 2] else _MISSED_OR_EXTRA
            best = min(
                last[column] + extra, current[column - 1] + missed, last[column - 1] + _substitute(letter, other)
            )
            is_swap = row > 1 and column > 1 and letter == meant[column - 2] and typed[row - 2] == other != letter
            current.append(min(best, before_last[column - 2] + _SWAP) if is_swap else best)
        if min(current) > limit:
            return limit + 1
        before_last, last = last, current
    return last[-1]


def _substitute(letter: str, other: str) -> int:
    if letter == other:
        return 0
    return _LIKELY_SUBSTITUTE if (letter, other) in _LIKELY else _SUBSTITUTE
