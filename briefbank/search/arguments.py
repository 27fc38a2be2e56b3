"""The arguments of a bank, browsed and searched: groups of point headings, in the order asked for.

Knows one generation. How headings are read and grouped stands in `points.py`.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.selection import OneOf, Selection
from briefbank.ingest.structure.numbering import number_of
from briefbank.search.parse import Understanding
from briefbank.search.points import ARGUED_IN, Point, group_points, read_points
from briefbank.search.retrieve import thesaurus
from briefbank.search.scope import Scores
from briefbank.values import Argument, ArgumentGroup, ArgumentOrder, ArgumentsFound

# Chosen, not measured: as `candidate_depth`, so that what is shown first is never cut off by it.
_DEPTH = 200
"""How many passages by meaning, and how many headings by words, are looked at for a search."""
_MEANING_SHARE = 0.6
"""Weight of meaning against the words of a heading, as in `retrieve.strengths`, from which `weak_below` comes."""
# Looked at for seven searches of 107 filed briefs: below it hardly any heading concerned what was asked, and in any
# order but the best match first the strays would stand above what answers.
_SHARE_OF_BEST = 0.6
"""Share of the best group's strength that a group must have to answer a search."""
_EQUIVALENT_SHARE = 0.5
"""What a heading gets, of a term's weight, for holding another word that stands for it; as in the lexical index."""
_MOST_HANDED_OUT = 30
"""Headings of one group that are handed out; `ArgumentGroup` says so, and counts them all."""
_ARTICLE = re.compile(r"\W*(?:(?:an?|the)\b\W*)?", re.IGNORECASE)
_BEHIND_NUMBERS = " \t\n,.:;)-–—"

Question = Callable[[str], tuple[Understanding, Vector]]
"""What a text asks for, and its unit vector."""


class ArgumentIndex:
    """The groups of one generation; made once, then asked any number of times."""

    def __init__(self, generation: Generation, ask: Question, weak_below: float) -> None:
        """Read and group all point headings; groups weaker than `weak_below` (0 to 1) answer no search."""
        self._generation = generation
        self._ask = ask
        self._weak_below = weak_below
        with _collector_paused():
            self._build()

    def _build(self) -> None:
        self._points, self._below = read_points(self._generation)
        newest_first = self._newest_first()
        numbers = group_points([self._points[place] for place in newest_first])
        self._groups: list[list[Point]] = [[] for _ in set(numbers)]
        self._group_of = np.zeros(len(self._points), dtype=np.int64)
        self._group_of[newest_first] = numbers
        for place, number in zip(newest_first, numbers, strict=True):
            self._groups[number].append(self._points[place])
        in_arguments = OneOf("section_kind", tuple(kind.value for kind in ARGUED_IN))
        self._argued = Selection.of(self._generation.dense, [in_arguments])
        self._rows: Rows = np.array([point.row for point in self._points], dtype=np.int64)
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
            return sorted(numbers, key=lambda number: -_brief_count(self._groups[number]))
        if order is ArgumentOrder.ALPHABETICAL:
            return sorted(numbers, key=lambda number: _sort_key(self._groups[number][0].heading))
        return list(numbers)

    def _search(self, text: str) -> list[int]:
        """Return the groups that answer a text, the best first, ties newest first."""
        if not self._points:
            return []
        understanding, vector = self._ask(text)
        shares = self._shares(understanding)
        cosines = np.zeros(len(self._points))
        rows, found = self._generation.dense.search(vector, _DEPTH, self._argued)
        places = self._below[rows]
        np.maximum.at(cosines, places[places >= 0], found[places >= 0])
        # A heading that has the words is weighed by its meaning too, wherever its passages came in.
        worded = np.argsort(-shares, kind="stable")[:_DEPTH]
        worded = worded[(shares[worded] > 0) & (cosines[worded] == 0)]
        if len(worded):
            first, of_point = np.unique(self._rows[worded], return_inverse=True)
            cosines[worded] = (self._generation.dense.vectors(first) @ vector)[of_point]
        strengths = _MEANING_SHARE * cosines + (1 - _MEANING_SHARE) * shares
        best = np.zeros(len(self._groups))
        np.maximum.at(best, self._group_of, strengths)
        least = max(self._weak_below, _SHARE_OF_BEST * best.max())
        strong = np.flatnonzero((best >= least) & (best > 0))
        return [int(number) for number in strong[np.argsort(-best[strong], kind="stable")]]

    def _shares(self, understanding: Understanding) -> Scores:
        """What each heading holds of the question's words, weighted by how rare they are in the bank, 0 to 1."""
        shares, whole = np.zeros(len(self._points)), 0.0
        for term in understanding.own_terms:
            weight = self._generation.lexical.rarity(term)
            held = np.zeros(len(self._points))
            for other in thesaurus().get(term, ()):
                held[self._holders.get(other, [])] = _EQUIVALENT_SHARE
            held[self._holders.get(term, [])] = 1.0
            shares += weight * held
            whole += weight
        return shares / whole

    def _report(self, numbers: Sequence[int], found: int) -> ArgumentsFound:
        groups = [self._groups[number] for number in numbers]
        rows: Rows = np.array([point.row for group in groups for point in group[:_MOST_HANDED_OUT]], dtype=np.int64)
        ids = iter(self._generation.dense.ids(rows))
        return ArgumentsFound(tuple(self._group(group, ids) for group in groups), found, len(self._points))

    def _group(self, group: Sequence[Point], ids: Iterable[str]) -> ArgumentGroup:
        documents = self._generation.documents
        arguments = tuple(
            Argument(point.path, documents[point.document], passage_id, point.page)
            for point, passage_id in zip(group[:_MOST_HANDED_OUT], ids, strict=False)
        )
        filed = documents[group[0].document].filed
        return ArgumentGroup(without_number(group[0].heading), filed, _brief_count(group), len(group), arguments)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from looking again and again at values that all stay: 30 % of the time for 34,000
    headings.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def without_number(heading: str) -> str:
    """Return a heading without its numbers ("II. ISSUE FOUR: …"); one that is nothing else as it is."""
    rest = heading
    while (number := number_of(rest)) and number.length:
        rest = rest[number.length :].lstrip(_BEHIND_NUMBERS)
    return rest or heading


def _sort_key(heading: str) -> str:
    """Return a heading as a catalogue orders it: without its number and the article that it begins with."""
    return _ARTICLE.sub("", without_number(heading), count=1).casefold()


def _brief_count(group: Iterable[Point]) -> int:
    return len({point.document for point in group})
