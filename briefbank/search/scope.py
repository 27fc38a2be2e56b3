"""Which passages a search may return: what the filters of a query ask, as conditions of the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from briefbank.errors import UsageError
from briefbank.index.dense import DenseIndex
from briefbank.index.rows import day_number, filter_key
from briefbank.index.selection import Between, Condition, Mask, OneOf, Selection
from briefbank.law.dockets import docket_key
from briefbank.values.records import FACT_FILTERS, Filters, Query, SectionKind

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

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which passages may be returned.

    `shown` is what may be returned, `allowed` that and what only its section kind keeps back. By row, shape
    (passages,): `mask` marks what may be returned, `hidden` what is kept back, `lowered` what ranks lower.
    """

    shown: Selection
    allowed: Selection
    lowered: Mask
    mask: Mask = field(init=False)
    hidden: Mask = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mask", self.shown.mask)
        object.__setattr__(self, "hidden", self.allowed.mask & ~self.shown.mask)

    def without(self, index: DenseIndex, documents: Sequence[int], rows: Sequence[int]) -> Scope:
        """The same without the passages of some documents, by number, and without some rows."""
        named = (("document", documents), ("row", rows))
        left_out = [OneOf(column, tuple(numbers), negated=True) for column, numbers in named if numbers]
        return Scope(self.shown.narrowed(index, left_out), self.allowed.narrowed(index, left_out), self.lowered)


def scope_of(
    query: Query, index: DenseIndex, named: frozenset[SectionKind] = frozenset(), filters: Filters | None = None
) -> Scope:
    """The scope of a query, with `filters` in the place of its own where they are given.

    A section kind that the filters name, or that is in `named`, is neither hidden nor lowered.

    Raises:
        UsageError: the filters name a document that is not there.
    """
    filters = filters or query.filters
    asked = frozenset(filters.section_kinds)
    hidden_kinds = frozenset() if query.include_hidden else HIDDEN - asked - named
    lowered_kinds = frozenset() if query.include_hidden else LOWERED - asked - named
    conditions = _conditions(filters, index)
    if asked:
        conditions.append(_of_kinds(asked))
    allowed = Selection.meeting(index, conditions)
    is_narrower = bool(hidden_kinds) and not asked  # what is asked for is never hidden
    shown = allowed.narrowed(index, [_of_kinds(frozenset(SectionKind) - hidden_kinds)]) if is_narrower else allowed
    return Scope(shown, allowed, Selection.meeting(index, [_of_kinds(lowered_kinds)]).mask)


def _conditions(filters: Filters, index: DenseIndex) -> list[Condition]:
    """What the filters ask of a document."""
    wanted: dict[str, tuple[str, ...]] = {
        "kind": tuple(kind.value for kind in filters.kinds),
        **{each.fact: tuple(map(filter_key, getattr(filters, each.field))) for each in FACT_FILTERS},
    }
    conditions: list[Condition] = [OneOf(column, values) for column, values in wanted.items() if values]
    if filters.since or filters.until:
        first, last = (day_number(day) if day else None for day in (filters.since, filters.until))
        conditions.append(Between("filed", first, last))
    if filters.dockets:
        conditions.append(OneOf("document", tuple(_under_dockets(index, filters))))
    if filters.documents:
        conditions.append(OneOf("document", tuple(numbers_named(index, filters.documents))))
    return conditions


def _of_kinds(kinds: frozenset[SectionKind]) -> OneOf:
    return OneOf("section_kind", tuple(sorted(kind.value for kind in kinds)))


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
    wanted = {docket_key(docket) for docket in filters.dockets}
    return [
        number
        for number, document in enumerate(index.documents)
        if any(docket_key(docket) in wanted for docket in document.metadata.dockets)
    ]
