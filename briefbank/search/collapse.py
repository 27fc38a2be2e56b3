"""Families shown once: of near-copies in several briefs, the newest. Knows rows and days, no scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from briefbank.index.families import Families

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A row to show, the ranked `place` of the best of its family, and the family's other rows, newest first."""

    row: int
    place: int
    siblings: tuple[int, ...]


def collapse(rows: Sequence[int], families: Families, days: npt.NDArray[np.int64], mask: Mask) -> Iterator[Collapsed]:
    """Yield each family of the ranked rows once, in the order of its best row.

    Collapsed is the newest of the family within the mask; `days` are the filing days by row. Ties go by row.
    """
    seen: set[int] = set()
    for place, (row, has_copies) in enumerate(zip(rows, families.have_copies(rows), strict=True)):
        if not has_copies:
            yield Collapsed(row, place, ())
            continue
        root = families.root(row)
        if root not in seen:
            seen.add(root)
            members = families.members(row)
            ordered = members[np.lexsort((members, -days[members]))]
            # Within the mask: a filter by year must not show the copy of another year.
            newest = int(ordered[mask[ordered]][0])
            yield Collapsed(newest, place, tuple(int(each) for each in ordered if each != newest))
