"""Carries lookups that read passages on side by side, so that what all of them want next is read in one go.

LanceDB takes milliseconds for each read and microseconds for each of its rows. Must not know what is looked up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Mapping
from typing import TypeVar

import numpy as np

from briefbank.index.dense import DenseIndex, Rows
from briefbank.platform.progress import CancelToken

T = TypeVar("T")
Texts = Mapping[int, str]
Lookup = Generator[Rows, Texts, T]
"""Yields rows, distinct ones, and is sent at least their texts."""

# Both chosen, not measured, for banks of millions of passages, so that memory stays within some hundred megabytes.
_MOST_LOOKUPS = 256
"""Lookups that are under way at a time; each may hold what thousands of passages say."""
_MOST_ROWS = 20_000
"""Rows beyond which no further lookup's are read in one go; passages have some 1,000 characters."""


def read_together(lookups: Iterable[Lookup[T]], dense: DenseIndex, cancel: CancelToken | None = None) -> list[T]:
    """Carry on each lookup to its end and return what they return, in their order.

    Raises:
        CancelledError: asked to stop.
    """
    found: dict[int, T] = {}
    waiting: deque[tuple[int, Lookup[T], Rows]] = deque()
    to_begin = enumerate(lookups)

    def go_on(number: int, lookup: Lookup[T], texts: Texts | None = None) -> None:
        if cancel:
            cancel.check()
        try:
            waiting.append((number, lookup, next(lookup) if texts is None else lookup.send(texts)))
        except StopIteration as end:
            found[number] = end.value

    while True:
        while len(waiting) < _MOST_LOOKUPS and (begun := next(to_begin, None)):
            go_on(*begun)
        if not waiting:
            return [found[number] for number in sorted(found)]
        at_once: list[tuple[int, Lookup[T]]] = []
        wanted: set[int] = set()
        while waiting and (not at_once or len(wanted) < _MOST_ROWS):
            number, lookup, rows = waiting.popleft()
            at_once.append((number, lookup))
            wanted.update(rows.tolist())
        ordered = np.array(sorted(wanted), dtype=np.int64)
        texts = dict(zip(ordered.tolist(), dense.texts(ordered), strict=True))
        for number, lookup in at_once:
            go_on(number, lookup, texts)
