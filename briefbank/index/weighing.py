"""bm25s with another way of counting: whole batches of passages as arrays, where bm25s goes through a dictionary for
each passage. Its formulas are called as they are, so that the weights are the same to the bit.

Imports bm25s: import it where an index is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from bm25s import BM25  # noqa: TID253 - a subclass needs it
from bm25s.scoring import (  # noqa: TID253
    _build_idf_array,
    _build_nonoccurrence_array,
    _select_idf_scorer,
    _select_tfc_scorer,
)

_BATCH = 5_000
"""Passages counted at once: some tens of megabytes."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """How often each passage holds each of its terms: three arrays of one length, by passage and then by term."""

    passages: npt.NDArray[np.int32]
    terms: npt.NDArray[np.int32]
    times: npt.NDArray[np.float32]


class CountingBM25(BM25):  # type: ignore[misc]
    """BM25+ over passages given as arrays of term numbers."""

    def build_index_from_ids(
        self, unique_token_ids: Sequence[int], corpus_token_ids: Sequence[npt.NDArray[np.int32]], **_: Any
    ) -> dict[str, Any]:
        """Weigh the terms of all passages; bm25s names this method as the one to override for that."""
        lengths = np.array([len(row) for row in corpus_token_ids])
        counted = [_count(corpus_token_ids[first : first + _BATCH], first) for first in range(0, len(lengths), _BATCH)]
        holders = sum(np.bincount(each.terms, minlength=len(unique_token_ids)) for each in counted)
        frequencies = dict(enumerate(np.asarray(holders).tolist()))
        rarity, by_frequency = _select_idf_scorer(self.idf_method), _select_tfc_scorer(self.method)
        mean = lengths.mean()
        shape = {"l_avg": mean, "k1": self.k1, "b": self.b, "delta": self.delta}
        self.nonoccurrence_array = _build_nonoccurrence_array(
            frequencies, len(lengths), rarity, by_frequency, l_d=mean, dtype=self.dtype, **shape
        )
        rarities = _build_idf_array(frequencies, len(lengths), rarity, dtype=self.dtype)
        weights = []
        for each in counted:
            weighed = rarities[each.terms] * by_frequency(tf_array=each.times, l_d=lengths[each.passages], **shape)
            weighed -= self.nonoccurrence_array[each.terms]
            weights.append(weighed.astype(self.dtype))
        passages, terms = (np.concatenate([getattr(each, name) for each in counted]) for name in ("passages", "terms"))
        data, indices, indptr = self._np_csc(
            np.concatenate(weights), passages, terms, (len(lengths), len(unique_token_ids))
        )
        return {"data": data, "indices": indices, "indptr": indptr, "num_docs": len(lengths)}


def _count(rows: Sequence[npt.NDArray[np.int32]], first: int) -> _Counts:
    """Count the terms of some passages, numbered from `first`."""
    passages = np.repeat(np.arange(first, first + len(rows), dtype=np.int64), [len(row) for row in rows])
    pairs, times = np.unique(passages << 32 | np.concatenate(rows), return_counts=True)
    return _Counts((pairs >> 32).astype(np.int32), pairs.astype(np.int32), times.astype(np.float32))
