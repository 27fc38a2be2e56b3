"""Lookups carried on side by side: each ends as it would by itself, and reads are shared."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.errors import CancelledError
from briefbank.index.dense import DenseIndex, Rows
from briefbank.platform.progress import CancelToken
from briefbank.search import reading_together
from briefbank.search.reading_together import Lookup, Texts, read_together


class Noting:
    """Texts by row, and how many rows were read at a time."""

    def __init__(self) -> None:
        self.reads: list[int] = []

    def texts(self, rows: Rows) -> list[str]:
        self.reads.append(len(rows))
        assert len(set(rows.tolist())) == len(rows)
        return [f"text {row}" for row in rows.tolist()]


def lookup(rounds: list[list[int]]) -> Lookup[list[str]]:
    said: list[str] = []
    for rows in rounds:
        texts: Texts = yield np.array(rows, dtype=np.int64)
        said += [texts[row] for row in rows]
    return said


@pytest.mark.parametrize(("lookups", "rows"), [(256, 20_000), (2, 20_000), (256, 3), (1, 1)])
@given(wanted=st.lists(st.lists(st.lists(st.integers(0, 30), max_size=4, unique=True), max_size=3), max_size=6))
def test_each_is_sent_what_it_wants_whatever_the_others_want(
    wanted: list[list[list[int]]], lookups: int, rows: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading_together, "_MOST_LOOKUPS", lookups)
        patch.setattr(reading_together, "_MOST_ROWS", rows)
        found = read_together(map(lookup, wanted), cast("DenseIndex", Noting()))
    assert found == [[f"text {row}" for rows in rounds for row in rows] for rounds in wanted]


def test_a_hundred_lookups_read_as_often_as_the_longest_of_them() -> None:
    dense = Noting()
    read_together([lookup([[number], [7, number]]) for number in range(100)], cast("DenseIndex", dense))
    assert dense.reads == [100, 100]


def test_lookups_stop_when_asked_to() -> None:
    cancel = CancelToken()

    def cancelling() -> Generator[Rows, Texts, Any]:
        cancel.cancel()
        yield np.array([1])

    with pytest.raises(CancelledError):
        read_together([cancelling(), lookup([[1]])], cast("DenseIndex", Noting()), cancel)
