"""BM25 over all passages of a generation, kept by bm25s. Knows terms and row numbers, neither texts nor passages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE

if TYPE_CHECKING:
    from bm25s import BM25

# The usual values, and for delta that of Lv and Zhai (2011); not tuned.
K1 = 1.2
B = 0.75
DELTA = 1.0
# Chosen, not measured by itself (`thesaurus` in `search/retrieve.py` says what the whole list won).
EQUIVALENT_SHARE = 0.5
"""What a passage gets, of a term's weight, for holding another word that stands for it."""

_COLUMNS = ("data", "indices", "indptr")
"""What bm25s calls the weights, the passages and the starts."""

Scores = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class LexicalIndexBuilder:
    """Takes the terms of one passage after the other and writes the index when all have come."""

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._rows: list[npt.NDArray[np.int32]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, terms: Sequence[str]) -> None:
        """Add the next passage. Term numbers are kept, four bytes each, and no text."""
        vocabulary = self._vocabulary
        numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in terms]
        self._rows.append(np.array(numbers, dtype=np.int32))

    @property
    def term_rows(self) -> Sequence[npt.NDArray[np.int32]]:
        """The numbers of each passage's terms, in order; a number means one term within this builder only."""
        return self._rows

    def write(self, folder: Path) -> None:
        """Weigh the terms and save the index into `folder`, which is created."""
        self._weighed().save(folder, show_progress=False)

    def index(self, background: LexicalIndex) -> LexicalIndex:
        """The index in memory, with terms as rare as if these passages stood among those of `background`."""
        weighed = self._weighed()
        weights, passages, starts = (weighed.scores[name] for name in _COLUMNS)
        return LexicalIndex(weighed.vocab_dict, weights, passages, starts, len(self), background)

    def _weighed(self) -> BM25:
        from bm25s import BM25
        from bm25s.tokenization import Tokenized

        index = BM25(k1=K1, b=B, delta=DELTA, method="bm25+", backend="numpy")
        rows = self._rows if any(map(len, self._rows)) else [np.zeros(1, dtype=np.int32)]
        index.index(Tokenized(ids=_TermLists(rows), vocab=self._vocabulary or {"": 0}), show_progress=False)
        # bm25s gives delta to passages without the term too, which changes no ranking; BM25+ as published
        # (Lv and Zhai 2011) gives it only where the term occurs.
        per_term = np.diff(index.scores["indptr"])
        index.scores["data"] += np.repeat(index.nonoccurrence_array[: len(per_term)], per_term)
        index.nonoccurrence_array[:] = 0
        return index


class _TermLists:
    """Rows of term numbers as the lists that bm25s counts quickly, one at a time: all at once they fill the memory."""

    def __init__(self, rows: Sequence[npt.NDArray[np.int32]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[list[int]]:
        return (row.tolist() for row in self._rows)


class LexicalIndex:
    """A saved index, memory-mapped: opening reads the vocabulary only, a query the postings of its terms."""

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        weights: npt.NDArray[np.float32],
        passages: npt.NDArray[np.int32],
        starts: npt.NDArray[np.int32],
        passage_count: int,
        background: LexicalIndex | None = None,
    ) -> None:
        """Take what bm25s weighed: numbers of terms, and term by term, from its start on, the passages that hold it and
        its weight in each. With a `background`, the weights change to how rare terms are there and here.
        """
        self._vocabulary = vocabulary
        self._weights = weights
        self._passages = passages
        self._starts = np.array(starts)
        self._passage_count = passage_count
        self._background: LexicalIndex | None = None
        if background is not None:
            # Without the empty word, which bm25s adds behind the others.
            terms = {term: number for term, number in self._vocabulary.items() if term}
            alone = [self.rarity(term) for term in terms]
            self._background = background
            ratios = np.zeros(len(self._starts) - 1, dtype=np.float32)
            ratios[list(terms.values())] = [self.rarity(term) for term in terms] / np.array(alone)
            # A weight of BM25+ is the term's rarity times what its frequency in the passage gives.
            self._weights = self._weights * np.repeat(ratios, np.diff(self._starts))

    @classmethod
    def open(cls, folder: Path, passage_count: int) -> Self:
        """Open the index in `folder` over `passage_count` passages.

        Raises:
            BankDamagedError: a file is missing, cut short or cannot be read.
        """
        # What bm25s wrote is read without it: importing it, and SciPy with it, took 0.2 s of every cold start.
        try:
            vocabulary = msgspec.json.decode((folder / "vocab.index.json").read_bytes(), type=dict[str, int])
            weights, passages, starts = (np.load(folder / f"{each}.csc.index.npy", mmap_mode="r") for each in _COLUMNS)
            return cls(vocabulary, weights, passages, starts, passage_count)
        except (OSError, ValueError, EOFError) as error:
            raise BankDamagedError(
                f"The word index of {folder.parent.name} cannot be read: {error}", MEND_ADVICE
            ) from error

    def __len__(self) -> int:
        return self._passage_count

    def scores(self, terms: Sequence[str], equivalents: Mapping[str, Sequence[str]] | None = None) -> Scores:
        """The BM25+ score of every passage, shape (passages,); a repeated term counts as often as it is given.

        Where a passage holds an equivalent of a term and not the term itself, `EQUIVALENT_SHARE` of the equivalent's
        weight counts, and no more of it than if it were as frequent a word as the term.
        """
        scores = np.zeros(self._passage_count, dtype=np.float32)
        for term in terms:
            others = equivalents.get(term, ()) if equivalents else ()
            if others:
                scores += self._concept_scores(term, others)
            else:
                passages, weights = self._postings(term)
                scores[passages] += weights
        return scores

    def weighted_scores(self, weights: Mapping[str, float]) -> Scores:
        """The sum of the BM25+ scores of some terms, each times its weight, shape (passages,)."""
        scores = np.zeros(self._passage_count, dtype=np.float32)
        for term, share in weights.items():
            passages, found = self._postings(term)
            scores[passages] += np.float32(share) * found
        return scores

    def _concept_scores(self, term: str, others: Sequence[str]) -> Scores:
        scores = np.zeros(self._passage_count, dtype=np.float32)
        rarity = self.rarity(term)
        for other in others:
            passages, weights = self._postings(other)
            if len(passages):
                share = EQUIVALENT_SHARE * min(1.0, rarity / self.rarity(other))
                scores[passages] = np.maximum(scores[passages], np.float32(share) * weights)
        passages, weights = self._postings(term)
        scores[passages] = np.maximum(scores[passages], weights)
        return scores

    def holders(self, term: str) -> int:
        """How many passages hold a term."""
        number = self._vocabulary.get(term)
        return 0 if number is None else int(self._starts[number + 1] - self._starts[number])

    def rows(self, term: str) -> npt.NDArray[np.int32]:
        """The rows of the passages that hold a term."""
        return self._postings(term)[0]

    def rarity(self, term: str) -> float:
        """The inverse document frequency of a term; one that no passage holds is as rare as one that a single one does.

        It is above 0.
        """
        passages, holders = self._passage_count, self.holders(term)
        if self._background:
            passages += len(self._background)
            holders += self._background.holders(term)
        return math.log((passages + 1) / max(holders, 1)) or math.ulp(1.0)

    def most(self, terms: Sequence[str]) -> float:
        """The score that no passage can exceed, for terms that no equivalent exceeds."""
        return math.fsum(self.rarity(term) * (K1 + 1 + DELTA) for term in terms)

    def matched_counts(self, terms: Sequence[str]) -> npt.NDArray[np.uint16]:
        """How many of the distinct terms each passage holds, shape (passages,)."""
        counts = np.zeros(self._passage_count, dtype=np.uint16)
        for term in sorted(set(terms)):
            counts[self._postings(term)[0]] += 1
        return counts

    def _postings(self, term: str) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        number = self._vocabulary.get(term)
        if number is None:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)
        start, end = self._starts[number], self._starts[number + 1]
        return self._passages[start:end], self._weights[start:end]


def top_rows(scores: Scores, depth: int, mask: Mask | None = None) -> npt.NDArray[np.int64]:
    """The rows of the `depth` best scores above 0 within the mask, best first, ties by row."""
    rows = np.flatnonzero(scores > 0 if mask is None else (scores > 0) & mask)
    if len(rows) > depth:
        least = np.partition(scores[rows], len(rows) - depth)[len(rows) - depth]
        rows = rows[scores[rows] >= least]
    return rows[np.lexsort((rows, -scores[rows]))][:depth]
