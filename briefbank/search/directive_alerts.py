"""Alerts that the office's own directives speak of, to be proposed to whoever keeps the list. Adds none by itself.

Directives are divided into entries by `directive_units`, and read by `directive_entries`.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import numpy as np

from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.law.citations import load_patterns
from briefbank.records import Document, DocumentKind, Passage
from briefbank.search.alerts import Alert
from briefbank.search.directive_entries import entries
from briefbank.search.directive_units import units

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
    of passages in whose paragraphs to look, without it all directives of the bank are read.
    """
    patterns = generation.authorities.patterns if generation.authorities else load_patterns()
    known = {key for each in listed for key in each.keys}
    proposed: list[ProposedAlert] = []
    wanted = None if among is None else set(generation.dense.ids(among))
    for document, passages in _directives(generation, among):
        for each in entries(list(units(_paragraphs(passages))), patterns):
            if wanted is not None and wanted.isdisjoint(each.unit.passage_ids):
                continue
            if known.isdisjoint(each.keys):
                known.update(each.keys)
                where = each.unit.passage_ids[0]
                proposed.append(ProposedAlert(each.authority, each.says, each.keys, document, where))
    return tuple(proposed)


def _directives(generation: Generation, among: Rows | None) -> Iterator[tuple[Document, list[Passage]]]:
    """The directives, newest first, with their passages; where `among` is given, the passages around these rows alone,
    each run of them by itself, for a heading between two may not be among them.
    """
    dense = generation.dense
    kinds = np.array([each.metadata.kind.value for each in dense.documents], dtype=str)
    rows = np.flatnonzero((kinds == DocumentKind.DIRECTIVE.value)[dense.columns.document])
    if among is not None:
        near = np.unique(np.concatenate([among + step for step in range(-_NEAR_BEFORE, _NEAR_BEHIND + 1)]))
        rows = np.intersect1d(rows, near)
    by_document: dict[int, list[int]] = defaultdict(list)
    for row, number in zip(rows.tolist(), dense.columns.document[rows].tolist(), strict=True):
        by_document[number].append(row)
    found = [(dense.documents[number], of_it) for number, of_it in by_document.items()]
    for document, of_it in sorted(found, key=lambda each: (-(each[0].filed or date.min).toordinal(), each[0].id)):
        passages = dense.passages(np.array(of_it, dtype=np.int64), with_boxes=False)
        breaks = [place for place in range(1, len(of_it)) if of_it[place] != of_it[place - 1] + 1]
        for first, behind in pairwise([0, *breaks, len(of_it)]):
            yield document, sorted(passages[first:behind], key=lambda passage: passage.order)


def table(listed: Iterable[Alert], proposed: Iterable[ProposedAlert]) -> str:
    """Return both as the CSV table that `replace_alerts` takes, for a person to read, correct and accept."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["authority", "says", "date", "source"])
    both: tuple[Alert | ProposedAlert, ...] = (*listed, *proposed)
    for each in both:
        rows.writerow([each.authority, each.says, each.date.isoformat() if each.date else "", each.source])
    return written.getvalue()


def _paragraphs(passages: Sequence[Passage]) -> Iterator[tuple[list[str], str]]:
    """The paragraphs of a document, each with the ids of the passages that it stands in."""
    text, ids, end = "", list[str](), 0
    for passage in passages:
        if text and passage.span.start != end:  # nothing goes on where passages leave something out
            yield ids, text
            text = ""
        end = passage.span.end
        for number, part in enumerate(re.split(r"\n\s*\n", passage.text)):
            if number and text:
                yield ids, text
                text = ""
            ids = [*ids, passage.id] if text else [passage.id]
            text = f"{text} {part}" if text else part
        if passage.span.end - passage.span.start - len(passage.text) >= 2 and text:
            yield ids, text
            text = ""
    if text:
        yield ids, text
