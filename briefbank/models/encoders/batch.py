"""Groups token sequences of like length into batches; must not know what encodes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

TokenIds = npt.NDArray[np.int64]


def length_batches(token_ids: Sequence[Sequence[int]], budget: int) -> Iterator[list[int]]:
    """Indices of the sequences, longest first, in batches of at most `budget` tokens counted as if padded."""
    order = sorted(range(len(token_ids)), key=lambda index: (-len(token_ids[index]), index))
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, len(token_ids[order[start]])))
        yield order[start : start + size]
        start += size


def padded(token_ids: Sequence[Sequence[int]], batch: Sequence[int]) -> tuple[TokenIds, TokenIds]:
    """Those sequences padded with 0 to the length of the first, and their mask; shapes (batch, tokens)."""
    ids = np.zeros((len(batch), len(token_ids[batch[0]])), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, index in enumerate(batch):
        length = len(token_ids[index])
        ids[row, :length] = token_ids[index]
        mask[row, :length] = 1
    return ids, mask
