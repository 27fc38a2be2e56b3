"""Answers "has State v. Carty been addressed since 2019 in briefs that won": the briefs that cite the authority,
narrowed by one condition after the other, each with how many briefs it leaves. Must not know how conditions are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import reduce

import numpy as np

from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.search.asked_authority import NamedAuthority
from briefbank.search.hints import Hinted
from briefbank.search.scope import scope_of
from briefbank.values import Addressed, AddressingBrief, Step
from briefbank.values.bands import ended_as
from briefbank.values.records import Query, SortOrder


def briefs_addressing(
    named: Sequence[NamedAuthority], hinted: Hinted, query: Query, generation: Generation
) -> Addressed:
    """Return every brief that cites all of the authorities `named` and meets all conditions, and the steps to them.

    They stand newest first, or in the order of outcomes where the query asks for it, undated ones last.
    """
    steps, groups = [], [generation.authorities.rows(each.keys)[0] for each in named if generation.authorities]
    words = tuple(each.words for each in named)
    meanings = ("", f"cites {' and '.join(words)}"), *((each.text, each.meaning) for each in hinted.hints)
    for (text, meaning), filters in zip(meanings, (query.filters, *hinted.stages), strict=True):
        scope = scope_of(replace(query, filters=filters), generation.dense)
        citing = _citing_all(groups, scope.mask, generation)
        steps.append(Step(text, meaning, len(citing)))
    found = list(_briefs(np.unique(np.concatenate(groups)), citing, scope.mask, generation))
    hidden = _citing_all(groups, scope.mask | scope.hidden, generation).size - citing.size
    by_outcome = query.sort is SortOrder.OUTCOME
    found.sort(
        key=lambda each: (
            ended_as(each.document) if by_outcome else 0,
            -(each.document.filed or date.min).toordinal(),
            each.document.id,
        )
    )
    return Addressed(words, tuple(steps), tuple(found), hidden, hinted.notices)


def _citing_all(groups: Sequence[Rows], mask: Mask, generation: Generation) -> Rows:
    """The documents, by number, with a passage in the mask for each of the groups of rows."""
    documents = generation.dense.columns.document
    return reduce(np.intersect1d, (np.unique(documents[rows[mask[rows]]]) for rows in groups)).astype(np.int64)


def _briefs(rows: Rows, citing: Rows, mask: Mask, generation: Generation) -> Iterator[AddressingBrief]:
    documents = generation.dense.columns.document
    inside = rows[mask[rows] & np.isin(documents[rows], citing)]
    numbers, firsts, counts = np.unique(documents[inside], return_index=True, return_counts=True)
    ids = generation.dense.ids(inside[firsts])
    for number, passage_id, count in zip(numbers.tolist(), ids, counts.tolist(), strict=True):
        yield AddressingBrief(generation.dense.documents[number], count, passage_id)
