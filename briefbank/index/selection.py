"""Which passages of an index may be returned. Each condition is written once; a mask over rows and SQL follow from it.

Knows the columns of the tables, not what they mean to a search.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from briefbank.values.records import SectionKind

if TYPE_CHECKING:
    from briefbank.index.dense import DenseIndex

Mask = npt.NDArray[np.bool_]
SECTION_KINDS = tuple(SectionKind)
_MASKS_KEPT = 8
"""Of an index, a byte for each passage. Of 5,000,000 that is 40 MB; making one takes 9 ms, and a search needs two or
three, of which most are those of the search before.
"""
# Chosen; what follows was measured over 5,000,000 synthetic passages.
_LEAST_SHARE = 1 / 8
"""Where fewer are selected the condition is asked."""
_SPARE = 1.5
"""Times as many are asked for as would do if the selected ones were spread evenly.

LanceDB first finds out which of all passages meet a condition. To find 200 vectors takes 21 ms, under a condition 40 to
190, and 2,207 of all passages 50; one rare word takes 11 ms, under a condition 10 to 142.
"""


class Condition(Protocol):
    """What one column must be."""

    @property
    def column(self) -> str: ...

    @property
    def sql(self) -> str: ...

    def allows(self, values: Sequence[object]) -> Mask:
        """Mark the values that meet it, shape (values,)."""
        ...


@dataclass(frozen=True, slots=True)
class OneOf:
    """The column has one of these values, or, where it is `negated`, none of them; then it is always known."""

    column: str
    values: tuple[str, ...] | tuple[int, ...]
    negated: bool = False

    @property
    def sql(self) -> str:
        if not self.values:
            return "true" if self.negated else "false"
        quoted = (str(each) if isinstance(each, int) else "'" + each.replace("'", "''") + "'" for each in self.values)
        return f"{self.column} {'NOT ' if self.negated else ''}IN ({', '.join(quoted)})"

    def allows(self, values: Sequence[object]) -> Mask:
        known = frozenset(self.values)
        if isinstance(values, range):  # numbers of all rows or documents, from 0
            marked = np.zeros(len(values), dtype=bool)
            marked[[each for each in known if isinstance(each, int)]] = True
            return ~marked if self.negated else marked
        marked = np.fromiter(map(known.__contains__, values), dtype=bool, count=len(values))
        return ~marked if self.negated else marked


@dataclass(frozen=True, slots=True)
class Between:
    """The column is known and lies in a range of numbers, either end of which may be open, but not both."""

    column: str
    first: int | None
    last: int | None

    @property
    def sql(self) -> str:
        ends = [f"{self.column} >= {self.first}"] if self.first is not None else []
        return " AND ".join([*ends, *([f"{self.column} <= {self.last}"] if self.last is not None else [])])

    def allows(self, values: Sequence[object]) -> Mask:
        numbers = np.array(values, dtype=np.float64)  # what is not known is no number, and in no range
        first = -np.inf if self.first is None else self.first
        last = np.inf if self.last is None else self.last
        marked: Mask = (numbers >= first) & (numbers <= last)
        return marked


@dataclass(frozen=True, slots=True)
class Selection:
    """Passages of one index: `mask` marks them, shape (passages,); `where` is the same in SQL, None for all of them."""

    mask: Mask
    where: str | None

    @classmethod
    def meeting(cls, index: DenseIndex, conditions: Sequence[Condition]) -> Selection:
        """Select the passages that meet all conditions."""
        return cls(np.ones(len(index), dtype=bool), None).narrowed(index, conditions)

    def narrowed(self, index: DenseIndex, conditions: Sequence[Condition]) -> Selection:
        """Select those that meet some more conditions."""
        mask = self.mask
        for each in conditions:
            mask = mask & _marked(index, each)
        told = [self.where] if self.where else []
        return Selection(mask, " AND ".join([*told, *(_sql(index, each) for each in conditions)]) or None)

    def reach(self, depth: int) -> int | None:
        """How many of all passages are to be asked for so that `depth` selected ones are among them, most likely; None
        where so few are selected that the condition is to be asked.
        """
        share = np.count_nonzero(self.mask) / max(len(self.mask), 1)
        return math.ceil(_SPARE * depth / share) if share >= _LEAST_SHARE else None


def _sql(index: DenseIndex, condition: Condition) -> str:
    """A condition in SQL; of documents that somebody corrected, the table holds the values as they were written."""
    if not index.corrected or condition.column in ("row", "document", "section_kind"):
        return condition.sql
    allowed = condition.allows([index.filter_values[number][condition.column] for number in index.corrected])
    met = tuple(number for number, is_met in zip(index.corrected, allowed, strict=True) if is_met)
    as_written = OneOf("document", index.corrected, negated=True)
    return f"(({condition.sql}) AND {as_written.sql} OR {OneOf('document', met).sql})"


def _marked(index: DenseIndex, condition: Condition) -> Mask:
    """Mark the passages that meet a condition, by their kind of section, their row, or their document's values.

    The index remembers the last masks, all but those by row, which are of one search.
    """
    columns = index.columns
    if condition.column == "row":
        return condition.allows(range(len(index)))
    known = index.masks.get(condition)
    if known is not None:
        return known
    if condition.column == "section_kind":
        mask = condition.allows([kind.value for kind in SECTION_KINDS])[columns.section_kind]
    elif condition.column == "document":
        mask = condition.allows(range(len(index.documents)))[columns.document]
    else:
        mask = condition.allows([values[condition.column] for values in index.filter_values])[columns.document]
    mask.flags.writeable = False
    if len(index.masks) >= _MASKS_KEPT:
        index.masks.clear()
    index.masks[condition] = mask
    return mask
