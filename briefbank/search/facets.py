"""What the documents of a generation can be narrowed to, counted. Reads what filters compare, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest

import numpy as np

from briefbank.index.dense import SECTION_KINDS
from briefbank.index.generation import Generation
from briefbank.index.rows import filter_key
from briefbank.records import Document, Fact
from briefbank.reports import Facets

_NEWEST = 4
"""As many as fit on the start page below the searches."""

Counts = tuple[tuple[str, int], ...]


def facets_of(generation: Generation) -> Facets:
    """Count the documents of each value that a filter takes, and the passages of each kind of section."""
    known = [document.metadata for document in generation.documents]
    days = [document.filed for document in generation.documents]
    dated = [day for day in days if day]
    passages = np.bincount(generation.dense.columns.section_kind, minlength=len(SECTION_KINDS)).tolist()
    return Facets(
        documents=len(known),
        kinds=_by_frequency(Counter(each.kind.value for each in known)),
        courts=_counted(each.court for each in known),
        authors=_counted(each.author for each in known),
        outcomes=_counted(each.outcome for each in known),
        section_kinds=_by_frequency(
            {kind.value: count for kind, count in zip(SECTION_KINDS, passages, strict=True) if count}
        ),
        filed_first=min(dated, default=None),
        filed_last=max(dated, default=None),
        undated=len(days) - len(dated),
        newest=_newest(generation.documents),
    )


def _newest(documents: Iterable[Document]) -> tuple[Document, ...]:
    dated = [(each.filed.toordinal(), each) for each in documents if each.filed]
    return tuple(each for _, each in nsmallest(_NEWEST, dated, key=lambda item: (-item[0], item[1].id)))


def _counted(facts: Iterable[Fact | None]) -> Counts:
    """Count values as filters compare them, each under its most frequent spelling."""
    spellings: dict[str, Counter[str]] = {}
    for fact in facts:
        if fact:
            spellings.setdefault(filter_key(fact.value), Counter())[fact.value.strip()] += 1
    return _by_frequency({_by_frequency(each)[0][0]: each.total() for each in spellings.values()})


def _by_frequency(counts: dict[str, int]) -> Counts:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
