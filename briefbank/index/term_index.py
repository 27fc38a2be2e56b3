"""What a search asks of the words of an index: the port with two forms, `lexical` in small banks and `full_text` in
large ones. Knows terms and row numbers, neither texts nor queries.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from briefbank.index.selection import Mask, Selection

# The usual values, and for delta that of Lv and Zhai (2011); not tuned.
K1 = 1.2
B = 0.75
DELTA = 1.0
# Chosen, not measured by itself (`thesaurus` in `search/retrieve.py` says what the whole list won).
EQUIVALENT_SHARE = 0.5
"""What a passage gets, of a term's weight, for holding another word that stands for it."""

Rows = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]
Equivalents = Mapping[str, Sequence[str]]


class TermScores(Protocol):
    """The scores of all passages for some terms, worked out as far as they are asked for."""

    def best(self, depth: int, within: Selection | None = None) -> Rows:
        """The rows of the `depth` best scores above 0 among the selected, best first, ties by row."""
        ...

    def best_in_both(self, depth: int, wide: Selection, narrow: Selection) -> tuple[Rows, Rows]:
        """What `best` gives within a selection, and within another that lies in it."""
        ...

    def at(self, rows: npt.NDArray[np.integer]) -> Scores:
        """The scores of some rows, shape (rows,)."""
        ...


class TermIndex(ABC):
    """BM25+ over the terms of all passages of a generation."""

    @abstractmethod
    def __len__(self) -> int:
        """How many passages there are."""

    @abstractmethod
    def holders(self, term: str) -> int:
        """How many passages hold a term."""

    @abstractmethod
    def scores(self, terms: Sequence[str], equivalents: Equivalents | None = None) -> TermScores:
        """The BM25+ scores of the passages; a repeated term counts as often as it is given.

        Where a passage holds an equivalent of a term and not the term itself, `EQUIVALENT_SHARE` of the equivalent's
        weight counts, and no more of it than if it were as frequent a word as the term.
        """

    @abstractmethod
    def weighted_scores(self, weights: Mapping[str, float]) -> TermScores:
        """The sums of the BM25+ scores of some terms, each times its weight."""

    @abstractmethod
    def has_all(self, terms: Sequence[str], within: Selection) -> bool:
        """Whether one of the selected passages holds all of the terms."""

    @abstractmethod
    def best_holding(
        self, groups: Sequence[tuple[Sequence[str], float]], depth: int, within: Selection | None = None
    ) -> Rows:
        """The `depth` best of the selected passages by groups of terms, each with what it counts for a passage that
        holds all of its terms; best first.
        """

    @abstractmethod
    def count_holding_all(self, terms: Sequence[str]) -> int:
        """How many passages hold all of the terms; a large index counts no further than some thousands."""

    @abstractmethod
    def count_holding(self, term: str, rows: Rows) -> int:
        """How many of some rows hold a term."""

    def rarity(self, term: str) -> float:
        """The inverse document frequency of a term; one that no passage holds is as rare as one that a single one does.

        It is above 0.
        """
        return math.log((len(self) + 1) / max(self.holders(term), 1)) or math.ulp(1.0)

    def most(self, terms: Sequence[str]) -> float:
        """The score that no passage can exceed, for terms that no equivalent exceeds."""
        return math.fsum(self.rarity(term) * (K1 + 1 + DELTA) for term in terms)

    def share_of(self, term: str, equivalent: str) -> float:
        """What counts of the weight of an equivalent that stands for a term."""
        return EQUIVALENT_SHARE * min(1.0, self.rarity(term) / self.rarity(equivalent))


def top_rows(scores: npt.NDArray[np.floating], depth: int, mask: Mask | None = None) -> Rows:
    """The rows of the `depth` best scores above 0 within the mask, best first, ties by row."""
    rows = np.flatnonzero(scores > 0 if mask is None else (scores > 0) & mask)
    if len(rows) > depth:
        least = np.partition(scores[rows], len(rows) - depth)[len(rows) - depth]
        rows = rows[scores[rows] >= least]
    return rows[np.lexsort((rows, -scores[rows]))][:depth]
