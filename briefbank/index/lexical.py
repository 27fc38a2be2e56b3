"""The words of a small bank, weighed and kept by bm25s. Knows terms and row numbers, neither texts nor passages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE
from briefbank.index.selection import Selection
from briefbank.index.term_index import DELTA, K1, B, Equivalents, Rows, Scores, TermIndex, top_rows
from briefbank.index.words import WordNumbers

_COLUMNS = ("data", "indices", "indptr")
"""What bm25s calls the weights, the passages and the starts."""
_BATCH = 5_000
"""Passages counted at once: some tens of megabytes."""

Weighed = tuple[dict[str, int], npt.NDArray[np.float32], npt.NDArray[np.int32], npt.NDArray[np.int64]]
"""Numbers of terms; weights, passages and starts, as `LexicalIndex` takes them."""


class LexicalIndexBuilder:
    """Takes the terms of one passage after the other and writes the index when all have come."""

    def __init__(self) -> None:
        self._vocabulary = WordNumbers()
        self._rows: list[npt.NDArray[np.int32]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, terms: Sequence[str]) -> None:
        """Add the next passage. Term numbers are kept, four bytes each, and no text."""
        self._rows.append(self._vocabulary.numbers(terms))

    @property
    def term_rows(self) -> Sequence[npt.NDArray[np.int32]]:
        """The numbers of each passage's terms, in order; a number means one term within this builder only."""
        return self._rows

    def write(self, folder: Path) -> None:
        """Weigh the terms and save the index into `folder`, which is created."""
        from bm25s import BM25

        vocabulary, *arrays = self._weighed()
        index = BM25(k1=K1, b=B, delta=DELTA, method="bm25+", backend="numpy")
        index.vocab_dict, index.scores = vocabulary, {**dict(zip(_COLUMNS, arrays, strict=True)), "num_docs": len(self)}
        index.nonoccurrence_array = np.zeros(len(vocabulary) - 1, dtype=np.float32)
        index.save(folder, show_progress=False)

    def index(self, background: TermIndex) -> LexicalIndex:
        """The index in memory, with terms as rare as if these passages stood among those of `background`."""
        return LexicalIndex(*self._weighed(), len(self), background)

    def _weighed(self) -> Weighed:
        """The weights of BM25+ as bm25s makes them, to the bit, but for whole batches of passages at once: it goes
        through a dictionary for each passage. It gives delta to passages without the term too, which changes no
        ranking; as published (Lv and Zhai 2011) only those have it where the term occurs.
        """
        rows = self._rows if any(map(len, self._rows)) else [np.zeros(1, dtype=np.int32)]
        words = dict(self._vocabulary) or {"": 0}
        lengths = np.array([len(row) for row in rows])
        counted = [_count(rows[first : first + _BATCH], first) for first in range(0, len(rows), _BATCH)]
        holders = sum(np.bincount(each.terms, minlength=len(words)) for each in counted)
        rarity = np.array(
            [math.log((len(rows) + 1) / count) if count else 0.0 for count in np.asarray(holders).tolist()],
            dtype=np.float32,
        )
        weights = []
        for each in counted:
            norm = K1 * (1 - B + B * lengths[each.passages] / lengths.mean())
            weight = rarity[each.terms] * ((K1 + 1) * each.times / (norm + each.times) + DELTA)
            # Delta off and on again: it rounds as bm25s does.
            weights.append((weight - rarity[each.terms]).astype(np.float32) + rarity[each.terms])
        passages, terms = (np.concatenate([getattr(each, name) for each in counted]) for name in ("passages", "terms"))
        order = np.argsort(terms.astype(np.int64) << 32 | passages)
        starts = np.concatenate([[0], np.cumsum(np.bincount(terms, minlength=len(words)))])
        words.setdefault("", len(words))  # bm25s keeps an empty word behind the others
        return words, np.concatenate(weights)[order], passages[order], starts.astype(np.int64)


class _Counts(NamedTuple):
    """How often each passage holds each of its terms: three arrays of one length, by passage and then by term."""

    passages: npt.NDArray[np.int32]
    terms: npt.NDArray[np.int32]
    times: npt.NDArray[np.float32]


def _count(rows: Sequence[npt.NDArray[np.int32]], first: int) -> _Counts:
    """Count the terms of some passages, numbered from `first`."""
    passages = np.repeat(np.arange(first, first + len(rows), dtype=np.int64), [len(row) for row in rows])
    pairs, times = np.unique(passages << 32 | np.concatenate(rows), return_counts=True)
    return _Counts((pairs >> 32).astype(np.int32), pairs.astype(np.int32), times.astype(np.float32))


@dataclass(frozen=True, slots=True)
class ArrayScores:
    """The scores of all passages, shape (passages,); see `TermScores`."""

    values: Scores

    def best(self, depth: int, within: Selection | None = None) -> Rows:
        return top_rows(self.values, depth, within.mask if within else None)

    def best_in_both(self, depth: int, wide: Selection, narrow: Selection) -> tuple[Rows, Rows]:
        return self.best(depth, wide), self.best(depth, narrow)

    def at(self, rows: npt.NDArray[np.integer]) -> Scores:
        scores: Scores = self.values[rows]
        return scores


class LexicalIndex(TermIndex):
    """A saved index, memory-mapped: opening reads the vocabulary only, a query the postings of its terms."""

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        weights: npt.NDArray[np.float32],
        passages: npt.NDArray[np.int32],
        starts: npt.NDArray[np.int64],
        passage_count: int,
        background: TermIndex | None = None,
    ) -> None:
        """Take what bm25s weighed: numbers of terms, and term by term, from its start on, the passages that hold it and
        its weight in each. With a `background`, the weights change to how rare terms are there and here.
        """
        self._vocabulary = vocabulary
        self._weights = weights
        self._passages = passages
        self._starts = np.array(starts)
        self._passage_count = passage_count
        self._background: TermIndex | None = None
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
            # As plain arrays over the mapped files: a slice of a `memmap` takes ten times as long.
            weights, passages, starts = (
                np.asarray(np.load(folder / f"{each}.csc.index.npy", mmap_mode="r")) for each in _COLUMNS
            )
            return cls(vocabulary, weights, passages, starts, passage_count)
        except (OSError, ValueError, EOFError) as error:
            raise BankDamagedError(
                f"The word index of {folder.parent.name} cannot be read: {error}", MEND_ADVICE
            ) from error

    def __len__(self) -> int:
        return self._passage_count

    def scores(self, terms: Sequence[str], equivalents: Equivalents | None = None) -> ArrayScores:
        """See `TermIndex.scores`."""
        scores = np.zeros(self._passage_count, dtype=np.float32)
        for term in terms:
            others = equivalents.get(term, ()) if equivalents else ()
            if others:
                scores += self._concept_scores(term, others)
            else:
                passages, weights = self._postings(term)
                scores[passages] += weights
        return ArrayScores(scores)

    def weighted_scores(self, weights: Mapping[str, float]) -> ArrayScores:
        """See `TermIndex.weighted_scores`."""
        scores = np.zeros(self._passage_count, dtype=np.float32)
        for term, share in weights.items():
            passages, found = self._postings(term)
            scores[passages] += np.float32(share) * found
        return ArrayScores(scores)

    def _concept_scores(self, term: str, others: Sequence[str]) -> Scores:
        scores = np.zeros(self._passage_count, dtype=np.float32)
        for other in others:
            passages, weights = self._postings(other)
            if len(passages):
                share = np.float32(self.share_of(term, other))
                scores[passages] = np.maximum(scores[passages], share * weights)
        passages, weights = self._postings(term)
        scores[passages] = np.maximum(scores[passages], weights)
        return scores

    def holders(self, term: str) -> int:
        """See `TermIndex.holders`."""
        number = self._vocabulary.get(term)
        return 0 if number is None else int(self._starts[number + 1] - self._starts[number])

    def rarity(self, term: str) -> float:
        """See `TermIndex.rarity`; with a background, how rare the term is there and here."""
        passages, holders = self._passage_count, self.holders(term)
        if self._background:
            passages += len(self._background)
            holders += self._background.holders(term)
        return math.log((passages + 1) / max(holders, 1)) or math.ulp(1.0)

    def has_all(self, terms: Sequence[str], within: Selection) -> bool:
        """See `TermIndex.has_all`."""
        return bool((self._matched_counts(terms)[within.mask] == len(set(terms))).any())

    def best_holding(
        self, groups: Sequence[tuple[Sequence[str], float]], depth: int, within: Selection | None = None
    ) -> Rows:
        """See `TermIndex.best_holding`."""
        held = np.zeros(self._passage_count, dtype=np.float32)
        for terms, counts in groups:
            held[self._matched_counts(terms) == len(set(terms))] += counts
        return ArrayScores(held).best(depth, within)

    def count_holding_all(self, terms: Sequence[str]) -> int:
        """See `TermIndex.count_holding_all`."""
        held = (self._postings(term)[0] for term in sorted(set(terms)))
        return len(reduce(partial(np.intersect1d, assume_unique=True), held))

    def count_holding(self, term: str, rows: Rows) -> int:
        """See `TermIndex.count_holding`."""
        passages = self._postings(term)[0]  # ascending
        places = np.minimum(np.searchsorted(passages, rows), max(len(passages) - 1, 0))
        return int((passages[places] == rows).sum()) if len(passages) else 0

    def _matched_counts(self, terms: Sequence[str]) -> npt.NDArray[np.uint16]:
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
