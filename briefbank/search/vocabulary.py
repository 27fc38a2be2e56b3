"""The words of a generation as spelling needs them: which are near, how often each stands, and what stands with it.

Read from the places of words that exact search keeps, and from the records of the documents. Knows no queries.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.surface import Places, SurfacePostings, surface_words
from briefbank.law.known_words import name_words, ordinary_words, rare_words
from briefbank.search.near_words import Near, NearWords
from briefbank.values.records import Document

LEAST_LETTERS = 4
"""Shorter words have too many neighbours: what is unknown among them is mostly an abbreviation."""
_LEAST_COUNT, _LEAST_COUNT_UNKNOWN = 2, 4
"""How often the bank must have a word to be corrected to: what stands there once may be a misread page. The second is
for words that no list has: names, and errors that were copied. What records of documents have is right."""
_SAMPLED = 1_000
"""So many places of a word are looked at for what stands with it."""
_READ = 3
"""So many passages are read for how a word is written."""
_PREFIXES = ("non", "un", "re", "pre", "post", "anti", "counter", "inter", "over", "under", "mis", "sub", "multi")
_ENDINGS = ("er", "ers", "able", "ably", "ability", "ness", "ly")
_PREFIXED_LETTERS, _ROOT_LETTERS = 5, 4
"""How much must be left of a word without them: of shorter ones too many errors are made as well."""


class Vocabulary:
    """The words of one generation. What it holds is made when it is first asked for."""

    def __init__(self, generation: Generation, surface: SurfacePostings) -> None:
        """Take an open generation and its words."""
        self._generation, self._surface = generation, surface

    def near(self, typed: str) -> list[Near]:
        """The words of the bank that may have been meant by one of plain letters; see `NearWords.near`."""
        return self._near.near(typed)

    def count(self, word: str) -> int:
        """How often the bank has a word; 0 where it is too rare or too short to correct to."""
        return self._near.count(word)

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
    def _near(self) -> NearWords:
        # What stands once counts only where a record has it too; so most words of a large bank are not read.
        known, found = self._surface.counts, self._surface.words
        counts = Counter({found[place]: int(known[place]) for place in np.flatnonzero(known >= _LEAST_COUNT).tolist()})
        counts.update({word: times + self._once(word) for word, times in self._of_records.items()})
        listed = ordinary_words() | name_words()
        return NearWords(
            {
                word: count
                for word, count in counts.items()
                if len(word) >= LEAST_LETTERS
                and word.isascii()
                and word.isalpha()
                and (count >= (_LEAST_COUNT if word in listed else _LEAST_COUNT_UNKNOWN) or word in self._of_records)
            }
        )

    def _once(self, word: str) -> int:
        """1 where a word stands once in the passages, else 0."""
        return int(len(self._surface.places(word)) == 1)

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

    def of(self, rows: Rows) -> float:
        """How much more often than by chance the others stand in these passages: the mean of the logarithms."""
        if not self._held:
            return 0.0
        together = []
        for term in self._held:
            share = self._lexical.holders(term) / len(self._lexical)
            together.append((self._lexical.count_holding(term, rows) + 0.5) / (len(rows) * share + 0.5))
        return math.fsum(map(math.log, together)) / len(together)


def is_right(word: str) -> bool:
    """Whether the shipped lists have a word, or one that it is made from by rule."""
    ordinary = ordinary_words()
    if word in ordinary or word in name_words() or word in rare_words() or word.removesuffix("s") in ordinary:
        return True
    rests = [word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)]
    if any(len(rest) >= _PREFIXED_LETTERS and rest in ordinary for rest in rests):
        return True
    roots = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    return any(len(root) >= _ROOT_LETTERS and (root in ordinary or f"{root}e" in ordinary) for root in roots)


def _in_both(some: Places, others: Places) -> int:
    """How many of some numbers are among others, which ascend."""
    found = np.searchsorted(others, some)
    found[found == len(others)] = 0
    return int((others[found] == some).sum()) if len(others) else 0


def _values_of(document: Document) -> Iterator[str]:
    known = document.metadata
    yield from (fact.value for fact in (known.title, known.court, known.author, known.outcome) if fact)
