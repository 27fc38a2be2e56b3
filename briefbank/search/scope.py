"""Which passages a search may return: filters as a mask over rows and as a condition in SQL. Both say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import SECTION_KINDS, DenseIndex
from briefbank.index.lexical import Mask
from briefbank.index.rows import day_number, filter_key
from briefbank.records import Filters, Query, SectionKind

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


def scope_of(query: Query, index: DenseIndex, named: frozenset[SectionKind] = frozenset()) -> Scope:
    """The scope of a query.

    A section kind that the filters name, or that is in `named`, is neither hidden nor lowered.

    Raises:
        UsageError: the range of dates is empty.
    """
    filters = query.filters
    if filters.since and filters.until and filters.since > filters.until:
        raise UsageError(f"No date is both since {filters.since} and until {filters.until}.", "Swap the two dates.")
    asked = frozenset(filters.section_kinds)
    hidden_kinds = frozenset() if query.include_hidden else HIDDEN - asked - named
    lowered_kinds = frozenset() if query.include_hidden else LOWERED - asked - named
    mask = _of_documents(index, filters)
    if asked:
        mask &= _of_kinds(index, asked)
    conditions = _conditions(filters, hidden_kinds)
    if filters.dockets:
        numbers = _under_dockets(index, filters)
        mask &= np.isin(index.columns.document, numbers)
        conditions.append(f"document IN ({', '.join(map(str, numbers)) or -1})")
    where = " AND ".join(conditions) or None
    hidden = mask & _of_kinds(index, hidden_kinds)
    return Scope(mask & ~hidden, hidden, _of_kinds(index, lowered_kinds), where)


def _of_kinds(index: DenseIndex, kinds: frozenset[SectionKind]) -> Mask:
    return np.array([kind in kinds for kind in SECTION_KINDS])[index.columns.section_kind]


def _of_documents(index: DenseIndex, filters: Filters) -> Mask:
    """Mark the passages of the documents that the filters allow."""
    accepted = _accepted(filters)
    if not (accepted or filters.since or filters.until):
        return np.ones(len(index), dtype=bool)
    allowed = [
        _is_filed_within(filters, values["filed"]) and all(values[column] in wanted for column, wanted in accepted)
        for values in index.filter_values
    ]
    mask: Mask = np.array(allowed, dtype=bool)[index.columns.document]
    return mask


def _under_dockets(index: DenseIndex, filters: Filters) -> list[int]:
    """The documents, by number, that carry one of the docket numbers."""
    wanted = {filter_key(docket) for docket in filters.dockets}
    return [
        number
        for number, document in enumerate(index.documents)
        if any(filter_key(docket) in wanted for docket in document.metadata.dockets)
    ]


def _is_filed_within(filters: Filters, day: int | None) -> bool:
    if day is None:
        return not (filters.since or filters.until)
    is_late_enough = filters.since is None or day >= day_number(filters.since)
    return is_late_enough and (filters.until is None or day <= day_number(filters.until))


def _accepted(filters: Filters) -> list[tuple[str, list[str]]]:
    """The accepted values by column, for the columns that are filtered at all."""
    wanted = {
        "kind": [kind.value for kind in filters.kinds],
        "court": [filter_key(court) for court in filters.courts],
        "author": [filter_key(author) for author in filters.authors],
        "outcome": [filter_key(outcome) for outcome in filters.outcomes],
    }
    return [(column, values) for column, values in wanted.items() if values]


def _conditions(filters: Filters, hidden_kinds: frozenset[SectionKind]) -> list[str]:
    conditions = [f"{column} IN ({_quoted(values)})" for column, values in _accepted(filters)]
    if filters.since:
        conditions.append(f"filed >= {day_number(filters.since)}")
    if filters.until:
        conditions.append(f"filed <= {day_number(filters.until)}")
    if filters.section_kinds:
        conditions.append(f"section_kind IN ({_quoted(filters.section_kinds)})")
    if hidden_kinds:
        conditions.append(f"section_kind NOT IN ({_quoted(sorted(hidden_kinds))})")
    return conditions


def _quoted(values: list[str] | tuple[SectionKind, ...] | list[SectionKind]) -> str:
    return ", ".join("'" + str(value).replace("'", "''") + "'" for value in values)
