"""What the documents of a generation can be narrowed to, counted. Reads what filters compare, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

import numpy as np
import numpy.typing as npt

from briefbank.index.generation import Generation
from briefbank.index.rows import filter_key
from briefbank.index.selection import SECTION_KINDS
from briefbank.values import Facets
from briefbank.values.records import Document, Fact, ResultCounts

_NEWEST = 4
"""As many as fit on the start page below the searches."""

Counts = tuple[tuple[str, int], ...]


class FacetCounter:
    """Counts the values that filters compare, over any documents and passages of one generation."""

    def __init__(self, generation: Generation) -> None:
        """Number the values of each field once, so that counting them for a search takes no time to speak of."""
        known = [document.metadata for document in generation.documents]
        self._columns = generation.dense.columns
        self._kinds = _numbered([each.kind for each in known])
        self._courts = _numbered([each.court for each in known])
        self._authors = _numbered([each.author for each in known])
        self._outcomes = _numbered([each.outcome for each in known])

    def of_rows(self, rows: npt.NDArray[np.int64]) -> ResultCounts:
        """Count the documents that the rows stand in, and the rows themselves by kind of section."""
        return self.of(np.unique(self._columns.document[rows]), self._columns.section_kind[rows])

    def of_all(self) -> ResultCounts:
        """Count every document and every passage."""
        return self.of(np.arange(len(self._kinds.of_document)), self._columns.section_kind)

    def of(self, documents: npt.NDArray[np.integer], section_kinds: npt.NDArray[np.uint8]) -> ResultCounts:
        """Count documents, given by number, and kinds of sections, given by place."""
        sections = np.bincount(section_kinds, minlength=len(SECTION_KINDS)).tolist()
        named = zip(SECTION_KINDS, sections, strict=True)
        return ResultCounts(
            kinds=self._kinds.counted(documents),
            courts=self._courts.counted(documents),
            authors=self._authors.counted(documents),
            outcomes=self._outcomes.counted(documents),
            section_kinds=_by_frequency({kind.value: count for kind, count in named if count}),
        )


def facets_of(generation: Generation) -> Facets:
    """Count the documents of each value that a filter takes, and the passages of each kind of section."""
    counts = FacetCounter(generation).of_all()
    days = [document.filed for document in generation.documents]
    dated = [day for day in days if day]
    return Facets(
        documents=len(days),
        kinds=counts.kinds,
        courts=counts.courts,
        authors=counts.authors,
        outcomes=counts.outcomes,
        section_kinds=counts.section_kinds,
        filed_first=min(dated, default=None),
        filed_last=max(dated, default=None),
        undated=len(days) - len(dated),
        newest=_newest(generation.documents),
    )


@dataclass(frozen=True, slots=True)
class _Numbered:
    """The values of one field, each under its most frequent spelling, and which of them each document has; -1: none."""

    values: tuple[str, ...]
    of_document: npt.NDArray[np.int64]

    def counted(self, documents: npt.NDArray[np.integer]) -> Counts:
        numbers = self.of_document[documents]
        counts = np.bincount(numbers[numbers >= 0], minlength=len(self.values)).tolist()
        return _by_frequency({value: count for value, count in zip(self.values, counts, strict=True) if count})


def _numbered(facts: Sequence[Fact | None]) -> _Numbered:
    """Number the values as filters compare them."""
    written = [fact.value if fact else None for fact in facts]
    # Thousands of documents have a few values in common: each is brought into the form of filters once.
    keys = {value: filter_key(value) for value in dict.fromkeys(written) if value is not None}
    spellings: dict[str, Counter[str]] = {key: Counter() for key in keys.values()}
    for value, count in Counter(written).items():
        if value is not None:
            spellings[keys[value]][value.strip()] += count
    places = {key: place for place, key in enumerate(spellings)}
    of_document = [-1 if value is None else places[keys[value]] for value in written]
    values = tuple(_by_frequency(each)[0][0] for each in spellings.values())
    return _Numbered(values, np.array(of_document, dtype=np.int64))


def _newest(documents: Iterable[Document]) -> tuple[Document, ...]:
    dated = [(each.filed.toordinal(), each) for each in documents if each.filed]
    return tuple(each for _, each in nsmallest(_NEWEST, dated, key=lambda item: (-item[0], item[1].id)))


def _by_frequency(counts: dict[str, int]) -> Counts:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
