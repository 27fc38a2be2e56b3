"""Groups token sequences of like length into batches; must not know what encodes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def length_batches(token_ids: Sequence[Sequence[int]], budget: int) -> Iterator[list[int]]:
    """Indices of the sequences, longest first, in batches of at most `budget` tokens counted as if padded."""
    order = sorted(range(len(token_ids)), key=lambda index: (-len(token_ids[index]), index))
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, len(token_ids[order[start]])))
        yield order[start : start + size]
        start += size
