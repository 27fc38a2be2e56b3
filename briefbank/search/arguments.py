"""The arguments of a bank, browsed and searched: groups of point headings, in the order asked for.

Headings are compared by their words alone, so that the groups are the same on every machine. Knows one generation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import chain, combinations
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from briefbank.errors import UsageError
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.term_index import EQUIVALENT_SHARE
from briefbank.index.tokens import index_terms, is_telling, own_terms, surfaces
from briefbank.ingest.structure.numbering import number_of
from briefbank.law.dockets import docket_key
from briefbank.law.legal_numbers import LOOKS_LEGAL
from briefbank.search.engine import Answering
from briefbank.search.parse import Understanding
from briefbank.search.rank import of_best
from briefbank.search.retrieve import thesaurus
from briefbank.search.scope import Scores
from briefbank.values.reading import Argument, ArgumentGroup, ArgumentOrder, ArgumentsFound
from briefbank.values.records import SectionKind

ARGUED_IN = (SectionKind.ARGUMENT, SectionKind.STANDARD)
"""The sections whose headings are points; briefs put some of them below a standard of review."""
_GENERIC_WORDS = """
    abuse abused analysis appeal appeals appellant appellants appellate appellee applicable application apply
    argument arguments art article authorities authority background below case code conclusion controlling count
    court courts crim criminal defendant defendants discretion discussion eight error errors fact facts factual
    first five four framework general governing ground grounds harm harmful harmless history ii iii introduction
    issue issues iv law legal nine no number one overview part penal pertinent point points prayer presented
    preservation preserved principles proc procedural proposition question questions relevant restated review rule
    rules second seven six sole standard standards state statement summary ten test third three trial two under vi
    vii viii
"""
_GENERIC = frozenset(index_terms(_GENERIC_WORDS))
"""Words that number, name or frame any point ("POINT TWO", "Applicable Law and Standard of Review") and tell none from
another: the commonest words of headings in 107 filed briefs that argue nothing.
"""
# Chosen on the same briefs: shorter headings name a part of a point ("Rule 403", "Prejudice prong").
_LEAST_TERMS, _LEAST_WORDS = 2, 3
# Judged on the same briefs, which have 58 groups of several briefs at 0.55: at 0.5 headings joined that share a subject
# and not the point (a charge on parties, the jury charge), at 0.6 the same point in other words was lost.
_ALIKE = 0.55
"""Cosine of the weighted terms of two headings from which they make the same argument."""
# On the same briefs 10 of 655 groups differ from those that comparing all headings gives; with 8 none does, and a large
# bank takes twice as long.
_KEY_TERMS = 5
"""Headings are compared where they share two of the rarest so many terms of each, so that few pairs are compared."""
# Chosen, not measured: bounds what a pair of common terms costs in a large bank.
_MOST_COMPARED = 40
"""How many earlier groups with the same two terms a heading is compared with, the first ones."""
_LOOKS_LEGAL = re.compile(LOOKS_LEGAL)


@dataclass(frozen=True, slots=True)
class Point:
    """A point heading of one brief: the number of its document, its path of headings with its own last, and the row
    and page of the first passage below it. `terms` are those of the heading; `topic` leaves out those of any point.
    """

    document: int
    path: tuple[str, ...]
    row: int
    page: int
    terms: frozenset[str]
    topic: frozenset[str]

    @property
    def heading(self) -> str:
        return self.path[-1]


Below = npt.NDArray[np.int32]
"""By row of a generation, the place of the innermost point that the passage stands below; -1 where there is none."""


def read_points(generation: Generation) -> tuple[list[Point], Below]:
    """Return the points of a generation in the order of their rows, and which passages stand below them.

    A heading that a brief has several times, as in a list of its points, is one point: where most stands below it.
    """
    runs = generation.dense.section_runs(ARGUED_IN)
    places: dict[tuple[int, tuple[str, ...]], Point] = {}
    passages: Counter[tuple[int, tuple[str, ...]]] = Counter()
    innermost: list[tuple[int, frozenset[str]] | None] = []
    for document, path, rows, page in runs:
        inner = None
        for depth, heading in enumerate(path, start=1):
            words, terms, topic = _analysed(heading)
            if words >= _LEAST_WORDS and len(topic) >= _LEAST_TERMS:
                key = document, path[:depth]
                passages[key] += len(rows)
                inner = document, topic
                if key not in places:
                    places[key] = Point(document, path[:depth], int(rows[0]), page, terms, topic)
        innermost.append(inner)
    kept: dict[tuple[int, frozenset[str]], Point] = {}
    fullest = sorted(places, key=lambda key: (-passages[key], places[key].row, len(key[1])))
    for point in map(places.__getitem__, fullest):
        kept.setdefault((point.document, point.topic), point)
    points = sorted(kept.values(), key=lambda point: (point.row, len(point.path)))
    numbers = {(point.document, point.topic): place for place, point in enumerate(points)}
    below = np.full(len(generation.dense), -1, dtype=np.int32)
    for run, point_below in zip(runs, innermost, strict=True):
        below[run.rows] = -1 if point_below is None else numbers[point_below]
    return points, below


def group_points(points: Sequence[Point]) -> list[int]:
    """Return for each point the number of the group of points that make the same argument, counted from 0 in the order
    in which the groups begin; `points` come in the order in which they are shown.

    The first of a group stands for it: a later point joins the group whose first is most like it, ties go to the
    earlier group. So no chain of small differences leads from one argument to another.
    """
    counts = Counter(chain.from_iterable(point.topic for point in points))
    weights = {term: log(1 + len(points) / count) ** 2 for term, count in counts.items()}
    firsts: list[tuple[frozenset[str], float]] = []
    known: dict[frozenset[str], int] = {}
    by_pair: dict[tuple[str, str], list[int]] = {}
    for topic in dict.fromkeys(point.topic for point in points):
        length = sqrt(sum(weights[term] for term in topic))
        shared = sorted((term for term in topic if counts[term] > 1), key=lambda term: (-weights[term], term))
        pairs = list(combinations(shared[:_KEY_TERMS], 2))
        near = sorted({number for pair in pairs for number in by_pair.get(pair, ())[:_MOST_COMPARED]})
        place = _most_alike(topic, length, near, firsts, weights)
        if place is None:
            place = len(firsts)
            firsts.append((topic, length))
            for pair in pairs:
                by_pair.setdefault(pair, []).append(place)
        known[topic] = place
    return [known[point.topic] for point in points]


def _most_alike(
    topic: frozenset[str],
    length: float,
    near: Iterable[int],
    firsts: Sequence[tuple[frozenset[str], float]],
    weights: dict[str, float],
) -> int | None:
    best, highest = None, _ALIKE
    for number in near:
        other, other_length = firsts[number]
        cosine = sum(weights[term] for term in topic & other) / (length * other_length)
        if cosine > highest or (cosine == highest and best is None):
            best, highest = number, cosine
    return best


@lru_cache(maxsize=1_000)  # for the headings that almost every brief has
def _analysed(heading: str) -> tuple[int, frozenset[str], frozenset[str]]:
    """Return how many words of a heading are not such as any point may have; its terms: words that are none of grammar,
    and numbers of rules and statutes; and those of the terms that not any point may have.
    """
    words, terms = 0, set[str]()
    for word in heading.split():
        count, told = _analysed_word(word)
        words += count
        terms.update(told)
    return words, frozenset(terms), frozenset(terms - _GENERIC)


@lru_cache(maxsize=200_000)
def _analysed_word(word: str) -> tuple[int, tuple[str, ...]]:
    # Word by word and remembered, since headings share most of theirs.
    terms = own_terms(surfaces(word))
    told = tuple(term for term in terms if (is_telling(term) and len(term) > 1) or _is_legal_number(term))
    return sum(term not in _GENERIC for term in terms), told


def _is_legal_number(term: str) -> bool:
    return any(character.isdigit() for character in term) and bool(_LOOKS_LEGAL.search(term))


# The first three weights were chosen on 49 questions as defenders ask them, over 191 briefs (83.7 % with a right one
# among the first three; with 0.6 for the meaning of what stands right below and 0.4 for words 8.2 [2.0, 16.3] fewer;
# vectors of the headings themselves won nothing beside them), the fourth and `_RANK_K` on 383 judged queries of others,
# where a heading is right that stands above a passage graded 3 (28 November 2026; docs/decisions/0009-ranking.md).
_OWN_WORDS, _MEANING_BELOW, _ANSWER_BELOW, _ANSWERS_BELOW = 0.4, 0.3, 0.3, 0.3
"""Weights of the words of a heading, of the best cosine and the best score of a search below it, and of all that the
search found there by its ranks.
"""
_ABOVE = 0.95
"""What counts for a point of the best that stands below its sub-points."""
_RANK_K = 3
_MEANING_SHARE = 0.6
"""Weight of meaning against words, as in `rank.strengths`, from which `weak_below` comes."""
_SHARE_OF_BEST = 0.4
"""Share of the best group's strength that a group must have to answer a search: in any order but the best match first
strays would stand above what answers. Of the right groups of the 383 queries 99.5 % have it; 28 groups answer.
"""
_MOST_HANDED_OUT = 30
"""Headings of one group that are handed out; `ArgumentGroup` says so, and counts them all."""
_ARTICLE = re.compile(r"\W*(?:(?:an?|the)\b\W*)?", re.IGNORECASE)
_BEHIND_NUMBERS = " \t\n,.:;)-–—"

Answers = Callable[[str, tuple[SectionKind, ...]], Answering]
"""What answers a text in sections of some kinds."""


class ArgumentIndex:
    """The groups of one generation; made once, then asked any number of times."""

    def __init__(self, generation: Generation, ask: Answers, weak_below: float) -> None:
        """Read and group all point headings; groups weaker than `weak_below` (0 to 1) answer no search."""
        self._generation = generation
        self._ask = ask
        self._weak_below = weak_below
        self._points, self._below = read_points(self._generation)
        newest_first = self._newest_first()
        numbers = group_points([self._points[place] for place in newest_first])
        self._groups: list[list[Point]] = [[] for _ in set(numbers)]
        self._group_of = np.zeros(len(self._points), dtype=np.int64)
        self._group_of[newest_first] = numbers
        for place, number in zip(newest_first, numbers, strict=True):
            self._groups[number].append(self._points[place])
        numbers_of = {(point.document, point.path): place for place, point in enumerate(self._points)}
        pairs = [
            (place, numbers_of[point.document, point.path[:depth]])
            for place, point in enumerate(self._points)
            for depth in range(1, len(point.path))
            if (point.document, point.path[:depth]) in numbers_of
        ]
        self._above = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        """Pairs of points, the second above the first."""
        self._holders: dict[str, list[int]] = {}
        for place, point in enumerate(self._points):
            for term in point.terms:
                self._holders.setdefault(term, []).append(place)

    def _newest_first(self) -> list[int]:
        """Return the places of all points, those of the newest document first, then as they stand in it."""
        documents = self._generation.documents
        days = [-(document.filed or date.min).toordinal() for document in documents]
        by_age = sorted(range(len(documents)), key=lambda number: (days[number], documents[number].id))
        ranks = {number: rank for rank, number in enumerate(by_age)}
        return sorted(range(len(self._points)), key=lambda place: (ranks[self._points[place].document], place))

    def find(self, text: str, order: ArgumentOrder | None, top_k: int) -> ArgumentsFound:
        """Return the `top_k` first groups: all that there are, or those that answer `text`.

        Without an order: newest first, with a text the best match first. In any other order of a search stand its
        `top_k` best ones.

        Raises:
            UsageError: `top_k` is below 1, the text holds no word, or there is no best one without a text.
        """
        if top_k < 1:
            raise UsageError("At least one argument must be asked for.", "Ask for 1 or more (--top-k).")
        if not text.strip():
            if order is ArgumentOrder.BEST:
                raise UsageError("Nothing was asked that an argument could answer best.", "Choose another order.")
            found = self._in_order(range(len(self._groups)), order or ArgumentOrder.NEWEST)
            return self._report(found[:top_k], len(found))
        best = self._search(text)
        chosen = best[:top_k]
        shown = chosen if order in (None, ArgumentOrder.BEST) else self._in_order(sorted(chosen), order)
        return self._report(shown, len(best))

    def _in_order(self, numbers: Iterable[int], order: ArgumentOrder) -> list[int]:
        """Put groups, given newest first, into an order; ties stay newest first."""
        if order is ArgumentOrder.FREQUENT:
            return sorted(numbers, key=lambda number: -self._brief_count(self._groups[number]))
        if order is ArgumentOrder.ALPHABETICAL:
            return sorted(numbers, key=lambda number: _sort_key(self._groups[number][0].heading))
        return list(numbers)

    def _search(self, text: str) -> list[int]:
        """Return the groups that answer a text, the best first, ties newest first."""
        if not self._points:
            return []
        asked = self._ask(text, ARGUED_IN)
        shares = self._shares(asked.understanding)
        below = self._below[asked.rows]
        cosines, best_answers = (self._below_points(below, each) for each in (asked.cosines, of_best(asked.scores)))
        by_rank = 1 / (_RANK_K + np.argsort(np.argsort(-asked.scores, kind="stable")))
        answers = of_best(self._below_points(below, by_rank, np.add, 1.0))
        of_points = _OWN_WORDS * shares + _MEANING_BELOW * cosines
        of_points += _ANSWER_BELOW * best_answers + _ANSWERS_BELOW * answers
        enough = np.zeros(len(self._groups))
        np.maximum.at(enough, self._group_of, _MEANING_SHARE * cosines + (1 - _MEANING_SHARE) * shares)
        best = np.zeros(len(self._groups))
        np.maximum.at(best, self._group_of, of_points)
        is_enough = (enough >= self._weak_below) & (enough > 0)
        strong = np.flatnonzero(is_enough & (best >= _SHARE_OF_BEST * best.max()))
        return [int(number) for number in strong[np.argsort(-best[strong], kind="stable")]]

    def _below_points(
        self, below: Below, values: npt.NDArray[np.floating], joined: np.ufunc = np.maximum, above_share: float = _ABOVE
    ) -> Scores:
        """The values of the passages below each point `joined`, given by the point that each stands below; what stands
        below a sub-point counts for the points above it, by `above_share`.
        """
        of_points = np.zeros(len(self._points))
        joined.at(of_points, below[below >= 0], values[below >= 0])
        points, above = self._above
        joined.at(of_points, above, above_share * of_points[points])
        return of_points

    def _shares(self, understanding: Understanding) -> Scores:
        """What each heading holds of the question's words, weighted by how rare they are in the bank, 0 to 1."""
        shares, whole = np.zeros(len(self._points)), 0.0
        for term in understanding.own_terms:
            weight = self._generation.lexical.rarity(term)
            held = np.zeros(len(self._points))
            for other in thesaurus().get(term, ()):
                held[self._holders.get(other, [])] = EQUIVALENT_SHARE
            held[self._holders.get(term, [])] = 1.0
            shares += weight * held
            whole += weight
        return shares / whole

    def _report(self, numbers: Sequence[int], found: int) -> ArgumentsFound:
        groups = [self._groups[number] for number in numbers]
        rows: Rows = np.array([point.row for group in groups for point in group[:_MOST_HANDED_OUT]], dtype=np.int64)
        ids = iter(self._generation.dense.ids(rows))
        return ArgumentsFound(tuple(self._group(group, ids) for group in groups), found, len(self._points))

    def _brief_count(self, group: Iterable[Point]) -> int:
        """How many briefs argue it; a draft and its final, near-copies under no two docket numbers, count once."""
        documents, families = self._generation.documents, self._generation.families
        dockets: dict[int, set[tuple[str, ...]]] = {}
        for point in {point.document: point for point in group}.values():
            under = map(docket_key, documents[point.document].metadata.dockets[:1])
            dockets.setdefault(families.root(point.row), set()).update(under)
        return sum(max(len(each), 1) for each in dockets.values())

    def _group(self, group: Sequence[Point], ids: Iterable[str]) -> ArgumentGroup:
        documents = self._generation.documents
        arguments = tuple(
            Argument(point.path, documents[point.document], passage_id, point.page)
            for point, passage_id in zip(group[:_MOST_HANDED_OUT], ids, strict=False)
        )
        filed = documents[group[0].document].filed
        return ArgumentGroup(without_number(group[0].heading), filed, self._brief_count(group), len(group), arguments)


def without_number(heading: str) -> str:
    """Return a heading without its numbers ("II. ISSUE FOUR: …"); one that is nothing else as it is."""
    rest = heading
    while (number := number_of(rest)) and number.length:
        rest = rest[number.length :].lstrip(_BEHIND_NUMBERS)
    return rest or heading


def _sort_key(heading: str) -> str:
    """Return a heading as a catalogue orders it: without its number and the article that it begins with."""
    return _ARTICLE.sub("", without_number(heading), count=1).casefold()
