"""How many of some sorted numbers are at most another one, for millions of others at once.

A bit for each number that there could be, and a count for each word of 64 bits (Jacobson 1989): two look-ups and a
count of bits, where a binary search takes twenty steps.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_SHIFT, _WITHIN = np.uint32(6), np.uint32(63)
_ALL = np.uint64(2**64 - 1)
_BLOCK = 1 << 15
"""Numbers prepared or looked up at once: what is worked out on the way stays in the processor's cache."""


class Ranks:
    """Sorted distinct numbers, prepared; takes 1.5 bits for each number up to the greatest."""

    def __init__(self, numbers: npt.NDArray[np.uint32]) -> None:
        """Take one number at least."""
        self._words = np.zeros(int(numbers[-1] >> _SHIFT) + 1, dtype=np.uint64)
        for start in range(0, len(numbers), _BLOCK):
            some = np.asarray(numbers[start : start + _BLOCK])
            words = some >> _SHIFT
            bits = np.uint64(1) << (some & _WITHIN).astype(np.uint64)
            firsts = np.flatnonzero(np.diff(words, prepend=words[:1] + np.uint32(1)))
            self._words[words[firsts]] |= np.bitwise_or.reduceat(bits, firsts)
        counts = np.bitwise_count(self._words).astype(np.uint32)
        self._before = np.concatenate([[0], np.cumsum(counts[:-1])]).astype(np.uint32)

    def of(self, others: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """How many of the numbers are at most each of the others, none of which is above the greatest number."""
        ranks = np.empty(len(others), dtype=np.int64)
        for start in range(0, len(others), _BLOCK):
            places = others[start : start + _BLOCK].astype(np.uint32, copy=False)
            words = places >> _SHIFT
            upto = self._words[words] & (_ALL >> (_WITHIN - (places & _WITHIN)).astype(np.uint64))
            np.add(self._before[words], np.bitwise_count(upto), out=ranks[start : start + _BLOCK])
        return ranks
