"""Finds what an expression says, exactly: every passage that meets it and no other. Knows postings, not ranking.

A match is a stretch of words, from its first to its last by number. What is near something is every match on either
side that has a partner on the other; two matches that share a word are no pair. Words, phrases and nearness are sorted
arrays of matches, everything above them sets of rows, so that no passage is read. One block of passages is evaluated
after the other, on several threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial, reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from briefbank.index.selection import Mask
from briefbank.index.surface import Places, SurfacePostings
from briefbank.platform.settings import core_count
from briefbank.search.connectors.fields import forms
from briefbank.search.connectors.syntax import (
    Boost,
    Both,
    ButNot,
    Cites,
    Either,
    Expression,
    Field,
    Filed,
    Known,
    Near,
    OfKind,
    OfSection,
    Phrase,
    Unit,
    WordPattern,
    has_places,
    wanted_parts,
)

Numbers = npt.NDArray[np.int64]
FieldRows = Callable[[Field], Numbers]
"""The rows, ascending, of the passages that a field allows."""


class Matches(NamedTuple):
    """Stretches of words by the numbers of their first and last, each of shape (matches,), ordered by both."""

    first: Numbers
    last: Numbers


class _Side(NamedTuple):
    """Matches by their first word with the number of the unit each lies in, and their last words with these, sorted."""

    matches: Matches
    units: Numbers
    ends: Numbers
    end_units: Numbers

    @property
    def has_words_alone(self) -> bool:
        """Whether no match is longer than a word."""
        return self.matches.first is self.matches.last


# First word and length of a match in one 64-bit number, so that matches are sorted and made distinct as plain numbers:
# 24 bits for the length hold any passage, the other 39 any generation.
_LENGTH_BITS = 24
_UNITS = {Unit.WORDS: "passages", Unit.SENTENCE: "sentences", Unit.PARAGRAPH: "paragraphs"}
_NONE = Matches(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
BLOCK_ROWS = 1 << 18
"""Passages evaluated at once: no match lies in two, and what a broad expression takes on the way stays small. Over
5,000,000 passages `the /s of` takes 1.3 s so, on two threads, where all at once took 2.9 s and 3 GB more. Blocks of a
quarter are no faster, and would part a bank of 140,000, which takes a tenth longer in parts.
"""
_MOST_THREADS = 4
"""Chosen. Two take two thirds of the time of one for the benchmark's broadest expressions over 5,000,000 passages."""


class Evaluated(NamedTuple):
    """The rows of all passages that meet an expression, ascending. Of each of its wanted parts that have places: how
    often it matches in each of these, shape (rows,), and how many passages it matches in at all.
    """

    rows: Numbers
    times: Mapping[Expression, Numbers]
    holders: Mapping[Expression, int]

    def within(self, mask: Mask) -> Evaluated:
        """The same of those rows that a mask over all passages marks."""
        is_in = mask[self.rows]
        return Evaluated(self.rows[is_in], {part: times[is_in] for part, times in self.times.items()}, self.holders)


class Evaluator:
    """Evaluates an expression over the postings of one generation."""

    def __init__(
        self,
        expression: Expression,
        postings: SurfacePostings,
        field_rows: FieldRows,
        block_rows: int = BLOCK_ROWS,
    ) -> None:
        """Take what to evaluate, and how many passages to evaluate at once."""
        self._expression = expression
        self._parts = [part for part, _ in wanted_parts(expression) if has_places(part)]
        self._postings, self._block_rows = postings, block_rows
        # Each pattern and each field is looked up once, in the whole generation.
        self._places = cache(partial(_places, postings))
        self._field_rows = cache(field_rows)

    def found(self) -> Evaluated:
        """Evaluate the expression over all passages."""
        count = len(self._postings.passages) - 1
        first, *others = range(0, max(count, 1), self._block_rows)
        answers = [self._found_in(first)]  # alone, since it looks up the words for all
        if others:
            with ThreadPoolExecutor(min(_MOST_THREADS, core_count())) as pool:
                answers += pool.map(self._found_in, others)
        holders: Counter[Expression] = Counter()
        for each in answers:
            holders.update(each.holders)
        times = {part: np.concatenate([each.times[part] for each in answers]) for part in self._parts}
        return Evaluated(np.concatenate([each.rows for each in answers]), times, holders)

    def _found_in(self, first: int) -> Evaluated:
        """What is found in the block that begins at a row."""
        block = self.block(first, min(first + self._block_rows, len(self._postings.passages) - 1))
        rows = block.rows(self._expression)
        times = {part: block.times(part) for part in self._parts}
        holders = {part: int(np.count_nonzero(each)) for part, each in times.items()}
        return Evaluated(first + rows, {part: each[rows] for part, each in times.items()}, holders)

    def block(self, first: int, end: int) -> Block:
        """The same within the passages from one row up to, but without, another."""
        return Block(self._postings, self._places, self._field_rows, slice(first, end))


def _places(postings: SurfacePostings, word: WordPattern) -> Places:
    """The numbers of all words of the generation that fit a pattern, ascending."""
    if word.is_root:
        return postings.places_of_root(word.pattern)
    if "*" in word.pattern:
        found = postings.matching(word.pattern)
    else:
        found = [word.pattern] if word.is_exact else list(forms(word.pattern))
    places = [each for each in map(postings.places, found) if len(each)]
    if not places:
        return np.empty(0, dtype=np.uint32)
    return places[0] if len(places) == 1 else np.sort(np.concatenate(places))


class Block:
    """Evaluates expressions over the passages of some rows in a row."""

    def __init__(
        self,
        postings: SurfacePostings,
        places: Callable[[WordPattern], Places],
        field_rows: FieldRows,
        rows: slice,
    ) -> None:
        self._postings, self._places, self._field_rows, self._rows = postings, places, field_rows, rows
        self._ends = np.asarray(postings.passages[[rows.start, rows.stop]])
        """The numbers of the first word of the block, and of the first behind it."""
        self._known: dict[Expression, Matches] = {}
        self._times: dict[Expression, Numbers] = {}

    @property
    def first_place(self) -> int:
        """The number of the first word."""
        return int(self._ends[0])

    def rows(self, expression: Expression) -> Numbers:
        """The passages that meet the expression, ascending, counted from the first of the block."""
        return np.flatnonzero(self._mask(expression))

    def times(self, expression: Expression) -> Numbers:
        """How often an expression that has places matches in each passage of the block, shape (passages,)."""
        if expression not in self._times:
            rows = self._postings.rows(self.matches(expression).first) - self._rows.start
            self._times[expression] = np.bincount(rows, minlength=self._rows.stop - self._rows.start)
        return self._times[expression]

    def _mask(self, expression: Expression) -> Mask:
        """Which passages meet the expression, shape (passages,)."""
        if has_places(expression):
            return self.times(expression) > 0
        match expression:
            case Either(parts):
                return reduce(np.logical_or, map(self._mask, parts))
            case Both(parts):
                return reduce(np.logical_and, map(self._mask, parts))
            case ButNot(wanted, unwanted):
                return self._mask(wanted) & ~self._mask(unwanted)
            case Boost(part):
                return self._mask(part)
            case Known() | Filed() | OfKind() | OfSection() | Cites():
                rows = self._field_rows(expression)
                first, end = np.searchsorted(rows, [self._rows.start, self._rows.stop])
                mask = np.zeros(self._rows.stop - self._rows.start, dtype=bool)
                mask[rows[first:end] - self._rows.start] = True
                return mask
        raise AssertionError(expression)

    def matches(self, expression: Expression) -> Matches:
        """The matches of an expression that has places (`has_places`)."""
        if expression not in self._known:
            self._known[expression] = self._found(expression)
        return self._known[expression]

    def _found(self, expression: Expression) -> Matches:
        match expression:
            case WordPattern():
                places = self._word(expression)
                return Matches(places, places)
            case Phrase(words, None):
                return _ordered([self._side_by_side(each) for each in _written(words, expression.hyphens)])
            case Phrase(words, int(slop)):
                return self._close_together(words, slop)
            case Near():
                return self._near(expression)
            case Either(parts):
                return _ordered([self.matches(part) for part in parts])
            case Boost(part):
                return self.matches(part)
        raise AssertionError(expression)

    def _word(self, word: WordPattern) -> Numbers:
        places = self._places(word)
        first, end = np.searchsorted(places, self._ends)
        return places[first:end].astype(np.int64)

    def _side_by_side(self, words: tuple[WordPattern, ...]) -> Matches:
        # A number is free between two passages, so what stands side by side stands in one.
        places = [self._word(word) - number for number, word in enumerate(words)]
        places.sort(key=len)
        first = reduce(lambda few, many: few[_holds(many, few)], places)
        return Matches(first, first + len(words) - 1)

    def _close_together(self, words: tuple[WordPattern, ...], slop: int) -> Matches:
        """The shortest stretch that ends at each of the words and holds all, where it is short enough."""
        wanted = Counter(words)
        places = {word: self._word(word) for word in wanted}
        last = _distinct(_sorted(list(places.values())))
        first = last
        for word, times in wanted.items():
            # A word that the phrase has twice must have come twice by then: its last place but one counts.
            nth = np.searchsorted(places[word], last, side="right") - times
            reached = places[word][np.maximum(nth, 0)] if len(places[word]) else np.zeros_like(last)
            first = np.where(nth >= 0, np.minimum(first, reached), -1)
        is_short = (first >= 0) & (last - first < len(words) + slop)
        first, last = first[is_short], last[is_short]
        return _of(Matches(first, last), self._postings.rows(first) == self._postings.rows(last))

    def _near(self, near: Near) -> Matches:
        left, right = (self._side(self.matches(each), near.unit) for each in (near.left, near.right))
        reach = near.distance if near.unit is Unit.WORDS else None
        if reach is None and not near.is_ordered and left.has_words_alone and right.has_words_alone:
            together = _sorted([left.matches.first, right.matches.first])
            may_meet = bool((together[1:] == together[:-1]).any())
            pairs = ((left, right), (right, left))
            return _ordered([_of(side.matches, _has_company(side, others, may_meet)) for side, others in pairs])
        found = [
            _of(left.matches, _is_followed(left, right, reach)),
            _of(right.matches, _is_preceded(right, left, reach)),
        ]
        if not near.is_ordered:
            found += [
                _of(right.matches, _is_followed(right, left, reach)),
                _of(left.matches, _is_preceded(left, right, reach)),
            ]
        return _ordered(found)

    def _side(self, matches: Matches, unit: Unit) -> _Side:
        """The matches that lie in one sentence, paragraph or passage as a whole, and in which."""
        units = _UNITS[unit]
        numbers = self._postings.numbers(units, matches.first)
        if matches.first is not matches.last and unit is not Unit.WORDS:
            # What runs over the end of a sentence is within neither of the two.
            is_whole = numbers == self._postings.numbers(units, matches.last)
            matches, numbers = _of(matches, is_whole), numbers[is_whole]
        # The very same array means single words: then the order by last word is that by first.
        if matches.first is matches.last:
            return _Side(matches, numbers, matches.last, numbers)
        order = np.argsort(matches.last, kind="stable")
        return _Side(matches, numbers, matches.last[order], numbers[order])


def _written(words: tuple[WordPattern, ...], hyphens: Iterable[int]) -> Iterator[tuple[WordPattern, ...]]:
    """The words of a phrase, and those that it has where the two beside a hyphen are written as one."""
    yield words
    for place in sorted(hyphens):
        before, after = words[place : place + 2]
        if not before.is_root and before.pattern.isalpha() and after.pattern.isalpha():
            yield (*words[:place], replace(after, pattern=before.pattern + after.pattern), *words[place + 2 :])


def _has_company(side: _Side, others: _Side, may_meet: bool) -> Mask:  # noqa: FBT001
    """Whether the unit of each match, a single word, holds one of the others, which are single words, elsewhere;
    `may_meet` says whether a word may be on both sides.

    Counting by unit spares broad expressions the search for each match's nearest partner.
    """
    if not len(side.units) or not len(others.units):
        return np.zeros(len(side.units), dtype=bool)
    least, most = (choose(side.units[end], others.units[end]) for choose, end in ((min, 0), (max, -1)))
    if not may_meet:
        is_held = np.zeros(most - least + 1, dtype=bool)
        is_held[others.units - least] = True
        held: Mask = is_held[side.units - least]
        return held
    partners = np.bincount(others.units - least, minlength=most - least + 1)[side.units - least]
    is_near: Mask = partners > 0
    # Where the unit holds one partner only, that must be another place than the word itself (`court /s court`).
    alone = np.flatnonzero(partners == 1)
    is_near[alone] = ~_holds(others.matches.first, side.matches.first[alone])
    return is_near


def _is_followed(side: _Side, others: _Side, reach: int | None) -> Mask:
    """Whether one of the others begins behind each match, in the same unit and within reach."""
    last = side.matches.last
    if not len(others.units):
        return np.zeros(len(last), dtype=bool)
    place = np.searchsorted(others.matches.first, last, side="right")
    place_in = np.minimum(place, len(others.units) - 1)
    is_near: Mask = (place < len(others.units)) & (others.units[place_in] == side.units)
    return is_near if reach is None else is_near & (others.matches.first[place_in] - last <= reach)


def _is_preceded(side: _Side, others: _Side, reach: int | None) -> Mask:
    """Whether one of the others ends before each match, in the same unit and within reach."""
    first = side.matches.first
    if not len(others.units):
        return np.zeros(len(first), dtype=bool)
    place = np.searchsorted(others.ends, first, side="left") - 1
    place_in = np.maximum(place, 0)
    is_near: Mask = (place >= 0) & (others.end_units[place_in] == side.units)
    return is_near if reach is None else is_near & (first - others.ends[place_in] <= reach)


def _of(matches: Matches, is_kept: Mask) -> Matches:
    first = matches.first[is_kept]
    return Matches(first, first if matches.first is matches.last else matches.last[is_kept])


def _ordered(found: list[Matches]) -> Matches:
    """All matches, each once, by their first and last word; sorted as one number each, which is quick."""
    if all(each.first is each.last for each in found):
        first = _distinct(_sorted([each.first for each in found]))
        return Matches(first, first)
    both = _distinct(_sorted([(each.first << _LENGTH_BITS) | (each.last - each.first) for each in found]))
    first = both >> _LENGTH_BITS
    return Matches(first, first + (both & ((1 << _LENGTH_BITS) - 1)))


def _sorted(numbers: Sequence[Numbers]) -> Numbers:
    """All numbers of some ascending arrays in one; a stable sort merges such, in an eighth of the time of another."""
    return np.sort(np.concatenate(numbers), kind="stable")


def _distinct(numbers: Numbers) -> Numbers:
    """Each of some ascending numbers once; several times as fast as `np.unique`, which hashes."""
    is_new = np.ones(len(numbers), dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=is_new[1:])
    return numbers[is_new]


def _holds(many: Numbers, numbers: Numbers) -> Mask:
    """Whether the sorted array `many` holds each of the numbers."""
    if not len(many):
        return np.zeros(len(numbers), dtype=bool)
    place = np.minimum(np.searchsorted(many, numbers), len(many) - 1)
    held: Mask = many[place] == numbers
    return held
