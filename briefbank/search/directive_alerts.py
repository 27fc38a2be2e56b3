"""Alerts that the office's own directives speak of, to be proposed to whoever keeps the list. Adds none by itself.

Directives are read when they are indexed, by `ingest.directives`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.notes import DirectiveEntry
from briefbank.ingest.directives.read import read_directive
from briefbank.law.citations import load_patterns
from briefbank.records import Document, DocumentKind
from briefbank.search.alerts import Alert

_NEAR_BEFORE, _NEAR_BEHIND = 8, 2
"""Passages around one that are read with it: the heading of a list may be far above, an entry is seldom long."""


@dataclass(frozen=True, slots=True)
class ProposedAlert:
    """What a directive says of an authority, word by word, and the passage where it begins to."""

    authority: str
    says: str
    keys: tuple[str, ...]
    document: Document
    passage_id: str

    @property
    def date(self) -> date | None:
        return self.document.filed

    @property
    def source(self) -> str:
        return self.document.metadata.title.value


def proposed_alerts(
    generation: Generation, listed: Sequence[Alert], among: Rows | None = None
) -> tuple[ProposedAlert, ...]:
    """Return what directives say against authorities that the list lacks, newest directive first; `among` are the rows
    of passages at whose entries to look, without it all directives of the bank count.
    """
    known = {key for each in listed for key in each.keys}
    wanted = None if among is None else set(among.tolist())
    found: list[DirectiveEntry] = []
    for each in _entries(generation, among):
        if (wanted is None or not wanted.isdisjoint(each.passages)) and known.isdisjoint(each.keys):
            known.update(each.keys)
            found.append(each)
    dense = generation.dense
    rows = np.array([each.passages[0] for each in found], dtype=np.int64)
    where = zip(found, dense.columns.document[rows].tolist(), dense.ids(rows), strict=True)
    return tuple(
        ProposedAlert(each.authority, each.says, each.keys, dense.documents[number], passage_id)
        for each, number, passage_id in where
    )


def _entries(generation: Generation, among: Rows | None) -> list[DirectiveEntry]:
    """The entries of directives, newest directive first: those that the index has, or else those of directives read
    now, near the rows that are given.
    """
    found = list(generation.directives.entries) if generation.directives else list(_read_now(generation, among))
    dense = generation.dense

    def place(entry: DirectiveEntry) -> tuple[int, str]:
        document = dense.documents[dense.columns.document[entry.passages[0]]]
        return -(document.filed or date.min).toordinal(), document.id

    return sorted(found, key=place)


def _read_now(generation: Generation, among: Rows | None) -> Iterator[DirectiveEntry]:
    """The entries of an index that an older program wrote without them; where `among` is given, of the passages around
    these rows alone, each run of them by itself, for a heading between two may not be among them.
    """
    dense = generation.dense
    patterns = generation.authorities.patterns if generation.authorities else load_patterns()
    kinds = np.array([each.metadata.kind.value for each in dense.documents], dtype=str)
    rows = np.flatnonzero((kinds == DocumentKind.DIRECTIVE.value)[dense.columns.document])
    if among is not None:
        near = np.unique(np.concatenate([among + step for step in range(-_NEAR_BEFORE, _NEAR_BEHIND + 1)]))
        rows = np.intersect1d(rows, near)
    documents = dense.columns.document[rows]
    breaks = np.flatnonzero((np.diff(rows) != 1) | (np.diff(documents) != 0)) + 1
    for run in np.split(rows, breaks) if len(rows) else ():
        for each in read_directive(dense.passages(run, with_boxes=False), patterns):
            yield replace(each, passages=tuple(int(run[place]) for place in each.passages))


def table(listed: Iterable[Alert], proposed: Iterable[ProposedAlert]) -> str:
    """Return both as the CSV table that `replace_alerts` takes, for a person to read, correct and accept."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["authority", "says", "date", "source"])
    both: tuple[Alert | ProposedAlert, ...] = (*listed, *proposed)
    for each in both:
        rows.writerow([each.authority, each.says, each.date.isoformat() if each.date else "", each.source])
    return written.getvalue()
