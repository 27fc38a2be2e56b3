"""Which passages a search may return: each filter once, from which follow a mask over rows and a condition in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import SECTION_KINDS, DenseIndex
from briefbank.index.lexical import Mask
from briefbank.index.rows import day_number, filter_key
from briefbank.law.dates import SWAP_DATES, why_no_day
from briefbank.records import Filters, Query, SectionKind

# They hold the words of every question and answer none. Chosen by what they are; `include_hidden` shows them.
HIDDEN = frozenset(
    {
        SectionKind.CONTENTS,
        SectionKind.AUTHORITIES,
        SectionKind.TABLE,
        SectionKind.CAPTION,
        SectionKind.PARTIES,
        SectionKind.CERTIFICATE,
        SectionKind.SIGNATURE,
    }
)
LOWERED = frozenset({SectionKind.FACTS, SectionKind.PROCEDURE})
# Chosen on 21 November 2026, not measured by itself: a fifth puts an argument before facts that match about as well,
# and leaves facts that match far better where they are.
LOWERING = 0.8
"""What the score of a passage in a lowered section is multiplied by."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which passages may be returned.

    `mask` marks what may be returned, `hidden` what the filters allow but the section kind keeps back.

    `lowered` marks what ranks lower; all are of shape (passages,). `where` is the condition of `mask` in SQL, None
    where everything may be returned.
    """

    mask: Mask
    hidden: Mask
    lowered: Mask
    where: str | None

    def without(self, index: DenseIndex, documents: Sequence[int], rows: Sequence[int]) -> Scope:
        """The same without the passages of some documents, by number, and without some rows."""
        left_out = np.isin(index.columns.document, documents)
        left_out[list(rows)] = True
        conditions = [self.where] if self.where else []
        named = (("document", documents), ("row", rows))
        conditions += [f"{name} NOT IN ({', '.join(map(str, numbers))})" for name, numbers in named if numbers]
        return Scope(self.mask & ~left_out, self.hidden & ~left_out, self.lowered, " AND ".join(conditions) or None)


def require_sensible(query: Query) -> None:
    """Refuse a query that nothing can answer, whatever its words.

    Raises:
        UsageError: it asks for no result, or its dates exclude each other.
    """
    if query.top_k < 1:
        raise UsageError("At least one result must be asked for.", "Ask for 1 or more (--top-k).")
    if problem := why_no_day(query.filters.since, query.filters.until):
        raise UsageError(problem, SWAP_DATES)


def scope_of(query: Query, index: DenseIndex, named: frozenset[SectionKind] = frozenset()) -> Scope:
    """The scope of a query.

    A section kind that the filters name, or that is in `named`, is neither hidden nor lowered.

    Raises:
        UsageError: the filters name a document that is not there.
    """
    filters = query.filters
    asked = frozenset(filters.section_kinds)
    hidden_kinds = frozenset() if query.include_hidden else HIDDEN - asked - named
    lowered_kinds = frozenset() if query.include_hidden else LOWERED - asked - named
    conditions = _conditions(filters, index)
    allowed = _of_documents(index, conditions) & _of_kinds(index, asked or frozenset(SECTION_KINDS))
    hidden = allowed & _of_kinds(index, hidden_kinds)
    shown_kinds = (asked or frozenset(SECTION_KINDS)) - hidden_kinds
    if len(shown_kinds) < len(SECTION_KINDS):
        conditions.append(_OneOf("section_kind", tuple(sorted(kind.value for kind in shown_kinds))))
    where = " AND ".join(condition.sql for condition in conditions) or None
    return Scope(allowed & ~hidden, hidden, _of_kinds(index, lowered_kinds), where)


@dataclass(frozen=True, slots=True)
class _OneOf:
    """A column has one of these values."""

    column: str
    accepted: tuple[str, ...] | tuple[int, ...]

    @property
    def sql(self) -> str:
        if not self.accepted:
            return "false"
        quoted = (str(each) if isinstance(each, int) else "'" + each.replace("'", "''") + "'" for each in self.accepted)
        return f"{self.column} IN ({', '.join(quoted)})"

    def allows(self, value: object) -> bool:
        return value in self.accepted


@dataclass(frozen=True, slots=True)
class _Filed:
    """The day of filing is known and lies in a range of days, either end of which may be open."""

    first: int | None
    last: int | None
    column: ClassVar[str] = "filed"

    @property
    def sql(self) -> str:
        ends = [f"filed >= {self.first}"] if self.first is not None else []
        return " AND ".join([*ends, *([f"filed <= {self.last}"] if self.last is not None else [])])

    def allows(self, value: object) -> bool:
        if not isinstance(value, int):
            return False
        return (self.first is None or value >= self.first) and (self.last is None or value <= self.last)


def _conditions(filters: Filters, index: DenseIndex) -> list[_OneOf | _Filed]:
    """What the filters ask of a document: each condition says itself in SQL and of a value whether it allows it."""
    wanted: dict[str, tuple[str, ...]] = {
        "kind": tuple(kind.value for kind in filters.kinds),
        "court": tuple(map(filter_key, filters.courts)),
        "author": tuple(map(filter_key, filters.authors)),
        "outcome": tuple(map(filter_key, filters.outcomes)),
    }
    conditions: list[_OneOf | _Filed] = [_OneOf(column, values) for column, values in wanted.items() if values]
    if filters.since or filters.until:
        first, last = (day_number(day) if day else None for day in (filters.since, filters.until))
        conditions.append(_Filed(first, last))
    if filters.dockets:
        conditions.append(_OneOf("document", tuple(_under_dockets(index, filters))))
    if filters.documents:
        conditions.append(_OneOf("document", tuple(numbers_named(index, filters.documents))))
    return conditions


def _of_documents(index: DenseIndex, conditions: Sequence[_OneOf | _Filed]) -> Mask:
    """Mark the passages of the documents that meet all conditions."""
    if not conditions:
        return np.ones(len(index), dtype=bool)
    columns = (values | {"document": number} for number, values in enumerate(index.filter_values))
    allowed = [all(each.allows(values[each.column]) for each in conditions) for values in columns]
    mask: Mask = np.array(allowed, dtype=bool)[index.columns.document]
    return mask


def _of_kinds(index: DenseIndex, kinds: frozenset[SectionKind]) -> Mask:
    return np.array([kind in kinds for kind in SECTION_KINDS])[index.columns.section_kind]


def numbers_named(index: DenseIndex, ids: Sequence[str]) -> list[int]:
    """Return the documents, by number, that have these ids.

    Raises:
        UsageError: there is no document of one of them.
    """
    numbers = {document.id: number for number, document in enumerate(index.documents)}
    if missing := [each for each in ids if each not in numbers]:
        advice = "Ids change when a brief changes: `briefbank documents` shows those that there are."
        raise UsageError(f"There is no document {missing[0]} in the live index.", advice)
    return [numbers[each] for each in ids]


def _under_dockets(index: DenseIndex, filters: Filters) -> list[int]:
    """The documents, by number, that carry one of the docket numbers."""
    wanted = {filter_key(docket) for docket in filters.dockets}
    return [
        number
        for number, document in enumerate(index.documents)
        if any(filter_key(docket) in wanted for docket in document.metadata.dockets)
    ]
