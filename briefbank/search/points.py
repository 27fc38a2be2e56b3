"""The point headings of a bank's briefs, and which of them make the same argument. Knows one generation, no query.

Headings are compared by their words alone, so that the groups are the same on every machine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from briefbank.index.generation import Generation
from briefbank.index.tokens import index_terms, is_telling, own_terms, surfaces
from briefbank.law.legal_numbers import LOOKS_LEGAL
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
