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
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.citations import load_patterns
from briefbank.search.alerts import Alert
from briefbank.values.records import Document, DocumentKind, Span

_NEAR_BEFORE, _NEAR_BEHIND = 8, 2
"""Passages around one that are read with it: the heading of a list may be far above, an entry is seldom long."""


@dataclass(frozen=True, slots=True)
class ProposedAlert:
    """What a directive says of an authority, word by word, and the passage where it begins to, by id and by row."""

    authority: str
    says: str
    keys: tuple[str, ...]
    document: Document
    passage_id: str
    row: int

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
    where = zip(found, dense.columns.document[rows].tolist(), dense.ids(rows), rows.tolist(), strict=True)
    return tuple(
        ProposedAlert(each.authority, each.says, each.keys, dense.documents[number], passage_id, row)
        for each, number, passage_id, row in where
    )


def only_named(
    generation: Generation, listed: Sequence[Alert], proposed: Sequence[ProposedAlert]
) -> tuple[ProposedAlert, ...]:
    """Return the authorities that directives name and neither the list nor a proposal has, newest directive first, each
    with the sentence that names it first: to be read by a person, since not every warning is understood. What only a
    proposal's own words name, as successors, is left out.
    """
    postings, dense = generation.authorities, generation.dense
    if postings is None:
        return ()
    known: tuple[Alert | ProposedAlert, ...] = (*listed, *proposed)
    seen = set(postings.numbers(key for each in known for key in each.keys))
    mentions = sorted(
        postings.mentions_in(_directive_rows(generation)), key=lambda each: _newest_first(generation, each[0])
    )
    first: list[tuple[int, int, Span]] = []
    for row, number, span in mentions:
        if number not in seen and not postings.is_bare_name(number):
            seen.add(number)
            first.append((row, number, span))
    rows = np.array([row for row, _, _ in first], dtype=np.int64)
    told = " ".join(each.says for each in proposed)
    where = zip(first, dense.texts(rows), dense.columns.document[rows].tolist(), dense.ids(rows), strict=True)
    found = (
        ProposedAlert(postings.label(number), _sentence(text, span), (), dense.documents[document], passage_id, row)
        for (row, number, span), text, document, passage_id in where
    )
    return tuple(each for each in found if each.says not in told)


def _directive_rows(generation: Generation) -> Rows:
    kinds = np.array([each.metadata.kind.value for each in generation.dense.documents], dtype=str)
    return np.flatnonzero((kinds == DocumentKind.DIRECTIVE.value)[generation.dense.columns.document])


def _newest_first(generation: Generation, row: int) -> tuple[int, str]:
    document = generation.dense.documents[generation.dense.columns.document[row]]
    return -(document.filed or date.min).toordinal(), document.id


def _sentence(text: str, span: Span) -> str:
    sentence = next((each for each in sentence_spans(text) if each.start <= span.start < each.end), span)
    return " ".join(text[sentence.start : max(sentence.end, span.end)].split())


def _entries(generation: Generation, among: Rows | None) -> list[DirectiveEntry]:
    """The entries of directives, newest directive first: those that the index has, or else those of directives read
    now, near the rows that are given.
    """
    found = list(generation.directives.entries) if generation.directives else list(_read_now(generation, among))
    return sorted(found, key=lambda each: _newest_first(generation, each.passages[0]))


def _read_now(generation: Generation, among: Rows | None) -> Iterator[DirectiveEntry]:
    """The entries of an index that an older program wrote without them; where `among` is given, of the passages around
    these rows alone, each run of them by itself, for a heading between two may not be among them.
    """
    dense = generation.dense
    patterns = generation.authorities.patterns if generation.authorities else load_patterns()
    rows = _directive_rows(generation)
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
