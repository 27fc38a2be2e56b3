"""Families: passages of different documents that say nearly the same, as a draft and the brief as filed do.

Knows term numbers and rows, neither texts nor dates. Deterministic: the same passages in the same order make the same
families.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE

# Chosen on 22 November 2026, not measured: a passage of 150 words stays in its family with some 8 words changed apart
# from one another, or a sentence added. Higher would show drafts beside the brief as filed.
RESEMBLANCE = 0.7
"""Share of their shingles that two passages have in common (Jaccard) to be of one family."""
_SHINGLE = 3
_LEAST_SHINGLES = 20
"""Passages with fewer, as captions and headings are, resemble one another by chance."""
# 60 minimum hashes in 20 bands of 3: a pair that resembles by 0.7 shares a band with a chance of 1 - (1 - 0.7³)²⁰,
# which is 99.98 %, and one by 0.3 with 42 %; most of the latter are stopped by `_LIKELY`, which lies three standard
# deviations of the estimate below 0.7.
_BINS = 60
_BAND = 3
_LIKELY = 0.5
"""Share of equal bins, an estimate of the resemblance, below which no pair is compared in full."""
_BATCH = 5_000
_EMPTY = np.iinfo(np.uint64).max

Rows = npt.NDArray[np.int64]
_Hashes = npt.NDArray[np.uint64]
_Sketches = npt.NDArray[np.uint32]


def find_families(term_rows: Sequence[npt.NDArray[np.int32]], documents: npt.NDArray[np.int32]) -> Families:
    """Find the families among passages, given the numbers of each one's terms and of its document.

    Candidates share a band of minimum hashes (one permutation, binned; Li, Owen and Zhang 2012); each is compared in
    full with the first and the last before it in its bucket, so that text used everywhere stays linear.
    """
    parents = np.arange(len(term_rows))
    sketches = np.empty((len(term_rows), _BINS), dtype=np.uint32)
    large = np.zeros(len(term_rows), dtype=bool)
    for start in range(0, len(term_rows), _BATCH):
        batch = term_rows[start : start + _BATCH]
        # Half of each hash is kept: 240 bytes a passage, and a band has three.
        sketches[start : start + _BATCH] = _sketches(batch)
        large[start : start + _BATCH] = [len(terms) >= _LEAST_SHINGLES + _SHINGLE - 1 for terms in batch]
    seen: set[tuple[int, int]] = set()
    for start in range(0, _BINS, _BAND):
        # The sketches agree in most bins before the shingles themselves are compared, which costs much more.
        for pair in _likely(_bucket_pairs(sketches[:, start : start + _BAND], large), sketches, documents):
            if pair not in seen:
                seen.add(pair)
                if _resemble(*(term_rows[row] for row in pair)):
                    _join(parents, *pair)
    return Families(np.array([_root(parents, row) for row in range(len(parents))], dtype=np.int32))


class Families:
    """Which family each passage is of; a passage without near-copies is a family of its own."""

    def __init__(self, roots: npt.NDArray[np.int32]) -> None:
        self._roots = roots
        self._order = np.argsort(roots, kind="stable")
        self._sorted = roots[self._order]
        self._sizes = np.bincount(roots, minlength=len(roots))

    def __len__(self) -> int:
        return len(self._roots)

    def root(self, row: int) -> int:
        """The first row of the family that a row is of."""
        return int(self._roots[row])

    def have_copies(self, rows: Sequence[int]) -> list[bool]:
        """Whether each of some rows has near-copies."""
        found: list[bool] = (self._sizes[self._roots[np.asarray(rows, dtype=np.int64)]] > 1).tolist()
        return found

    def count(self, rows: Rows) -> int:
        """How many families there are among some rows."""
        is_there = np.zeros(len(self._roots), dtype=bool)
        is_there[self._roots[rows]] = True
        return int(is_there.sum())

    def members(self, row: int) -> Rows:
        """All rows of the family that a row is of, itself among them, ascending."""
        root = self._roots[row]
        start, end = np.searchsorted(self._sorted, [root, root + 1])
        return self._order[start:end]

    def write(self, file: Path) -> None:
        """Write the families."""
        np.save(file, self._roots, allow_pickle=False)

    @classmethod
    def read(cls, file: Path, passage_count: int) -> Self:
        """Read the families of a generation; one written before there were families has passages without copies.

        Raises:
            BankDamagedError: the file cannot be read, or is of another number of passages.
        """
        if not file.is_file():
            return cls(np.arange(passage_count, dtype=np.int32))
        try:
            roots = np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise BankDamagedError(f"The families of the index cannot be read: {error}", MEND_ADVICE) from error
        if roots.shape != (passage_count,):
            raise BankDamagedError("The families of the index are of other passages.", MEND_ADVICE)
        return cls(roots)


def _shingles(terms: npt.NDArray[np.int32]) -> _Hashes:
    """The hash of the run of terms that begins at each place, none where there are too few."""
    mixed = np.zeros(max(len(terms) - _SHINGLE + 1, 0), dtype=np.uint64)
    for offset in range(_SHINGLE):
        mixed = _scrambled(mixed + terms[offset : offset + len(mixed)].astype(np.uint64) + np.uint64(1))
    return mixed


def _scrambled(values: _Hashes) -> _Hashes:
    """A bijection that spreads the values over 64 bits (the finaliser of splitmix64)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scrambled: _Hashes = values ^ (values >> np.uint64(31))
    return scrambled


def _sketches(term_rows: Sequence[npt.NDArray[np.int32]]) -> _Hashes:
    """The least hash in each bin, shape (passages, bins); an empty bin takes the value of the next one, in a circle."""
    lengths = np.array([len(terms) for terms in term_rows])
    hashes = _shingles(np.concatenate(term_rows))
    row = np.repeat(np.arange(len(term_rows)), lengths)
    within = row[: len(hashes)] == row[_SHINGLE - 1 :] if len(hashes) else np.empty(0, dtype=bool)
    hashes, row = hashes[within], row[: len(hashes)][within]
    sketches = np.full(len(term_rows) * _BINS, _EMPTY, dtype=np.uint64)
    np.minimum.at(sketches, row * _BINS + (hashes % np.uint64(_BINS)).astype(np.int64), hashes)
    by_passage: _Hashes = sketches.reshape(len(term_rows), _BINS)
    for _ in range(_BINS):
        empty = by_passage == _EMPTY
        if not empty.any():
            break
        by_passage = np.where(empty, np.roll(by_passage, -1, axis=1), by_passage)
    return by_passage


def _bucket_pairs(bands: _Sketches, large: npt.NDArray[np.bool_]) -> Rows:
    """Each row with the first and with the last row before it that have the same band, shape (pairs, 2), ascending."""
    rows = np.flatnonzero(large)
    order = rows[np.lexsort((rows, *bands[rows].T))]
    sorted_bands = bands[order]
    same = np.flatnonzero((sorted_bands[1:] == sorted_bands[:-1]).all(axis=1)) + 1
    starts = np.arange(len(order))
    starts[same] = 0
    starts = np.maximum.accumulate(starts)
    is_third = starts[same] < same - 1
    before = np.concatenate([same - 1, starts[same[is_third]]])
    return np.stack([order[before], order[np.concatenate([same, same[is_third]])]], axis=1)


def _likely(pairs: Rows, sketches: _Sketches, documents: npt.NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    """The pairs of different documents whose sketches agree in enough bins."""
    pairs = pairs[documents[pairs[:, 0]] != documents[pairs[:, 1]]]
    for start in range(0, len(pairs), _BATCH):
        batch = pairs[start : start + _BATCH]
        agreeing = np.count_nonzero(sketches[batch[:, 0]] == sketches[batch[:, 1]], axis=1)
        yield from map(tuple, batch[agreeing >= _LIKELY * _BINS].tolist())


def _resemble(one: npt.NDArray[np.int32], other: npt.NDArray[np.int32]) -> bool:
    first, second = np.unique(_shingles(one)), np.unique(_shingles(other))
    common = len(np.intersect1d(first, second, assume_unique=True))
    return common >= RESEMBLANCE * (len(first) + len(second) - common)


def _root(parents: Rows, row: int) -> int:
    while parents[row] != row:
        parents[row] = parents[parents[row]]
        row = int(parents[row])
    return row


def _join(parents: Rows, one: int, other: int) -> None:
    # The lower row becomes the root, so that roots do not depend on the order of the joins.
    first, second = sorted((_root(parents, one), _root(parents, other)))
    parents[second] = first
