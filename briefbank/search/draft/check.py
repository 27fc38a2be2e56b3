"""Checks a draft against the bank, point by point: what the office has written on it, which authorities it cited there,
which of the draft's own are alerted or badly treated, and which quotations and references do not hold.

All that it tells can be looked up: it stands in a passage of the bank, in the office's list, or in the draft itself.
What is known against the draft's authorities is read for all of them at once: a draft has a hundred, some of which
thousands of passages cite.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Self

import numpy as np

from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.law.behind_citation import BAD, Saying
from briefbank.law.citations import DocumentCitations, load_patterns
from briefbank.law.citations.contradictions import Contradiction, contradictions
from briefbank.law.treatment import VERBS, Severity, any_form_of, stem_of
from briefbank.models.encoders.port import Embeddings
from briefbank.pages.references.resolve import references_in
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.search.alerts import Alert, AlertsByAuthority, is_directive
from briefbank.search.card import mentions_of, newest_once, passages_by_row, reported, worst_first
from briefbank.search.directives import said_in
from briefbank.search.draft.confidential import confidential_part
from briefbank.search.draft.findings import with_parts
from briefbank.search.draft.listed import held_against_list
from briefbank.search.draft.missing import OwnAuthorities, missing_authorities, numbers_of
from briefbank.search.draft.quotations import check_quotations
from briefbank.search.draft.reading import DraftReading, DraftText, with_short_forms
from briefbank.search.draft.record import RECORD_KINDS, record_part
from briefbank.search.draft.record_files import RecordReading
from briefbank.search.engine import SearchEngine
from briefbank.search.short_mentions import CaseNames, Lookup, read_together
from briefbank.values.authorities import (
    CitedAuthority,
    ContradictedCitation,
    DeadReference,
    DraftPoint,
    DraftReport,
    MissingAuthority,
    ReportedSaying,
)
from briefbank.values.findings import CheckPart
from briefbank.values.records import Passage, SectionKind

Keys = frozenset[str]
"""The keys that one authority is known by."""
Known = tuple[tuple[str, ...], tuple[ReportedSaying, ...]]
"""The alerts of an authority, and what directives and briefs say that is bad, newest first."""


class KnownAgainst:
    """Looks up authorities by their keys, all that are asked for side by side."""

    def __init__(self, generation: Generation, alerts: Sequence[Alert]) -> None:
        """Take the office's alerts."""
        self._generation = generation
        self._alerts = AlertsByAuthority(alerts, generation.authorities)
        self._is_directive = is_directive(generation)
        self._names = CaseNames(generation)
        self._found: dict[frozenset[str], list[tuple[int, Saying]]] = {}

    def look_up(self, authorities: Iterable[Keys], cancel: CancelToken) -> None:
        """Look up what briefs say of authorities that `of_each` will be asked for, each once.

        Raises:
            CancelledError: asked to stop.
        """
        new = [each for each in dict.fromkeys(authorities) if each not in self._found]
        said = read_together(map(self._said, new), self._generation.dense, cancel)
        self._found.update(zip(new, said, strict=True))

    def of_each(self, authorities: Collection[Keys], cancel: CancelToken) -> dict[Keys, Known]:
        """Return what is known against each of some authorities; raises as `look_up`."""
        self.look_up(authorities, cancel)
        documents = {each.id: each for each in self._generation.documents}
        rows = {row for keys in authorities for row, _ in self._found[keys]}
        passages = passages_by_row(rows, self._generation, with_boxes=False)
        known = {}
        for keys in authorities:
            said = newest_once(reported(saying, passages[row], documents) for row, saying in self._found[keys])
            known[keys] = self._alerts.said_of(keys), worst_first(said)
        return known

    def _said(self, keys: Keys) -> Lookup[list[tuple[int, Saying]]]:
        """Look up what briefs and directives say that is bad of an authority, each with its row."""
        mentions = yield from mentions_of(keys, self._generation, self._names, self._treating)
        texts = yield np.unique(np.array([row for row, _, _ in mentions], dtype=np.int64))
        is_listed = bool(self._alerts.said_of(keys))
        return [
            (row, said)
            for row, span, _ in mentions
            for said in said_in(texts[row], span, is_directive=not is_listed and bool(self._is_directive[row]))
            if said.severity in BAD
        ]

    @cached_property
    def _treating(self) -> Mask:
        """By row whether a passage may say anything bad of an authority, by the index of words alone: a brief by fewer
        verbs than a directive.
        """
        surface, count = self._generation.surface, len(self._generation.dense)
        if surface is None:
            return np.ones(count, dtype=bool)
        rows = np.zeros(count, dtype=bool)
        for verb, severity in VERBS.items():
            if severity is Severity.NEUTRAL:
                continue
            first, *rest = verb.split()
            form = re.compile(f"(?:{any_form_of([first])})(?:'.*)?")
            found = surface.rows(surface.places_of_phrase(stem_of(verb), form, rest))
            rows[found if severity in BAD else found[self._is_directive[found]]] = True
        return rows


_ARGUED = frozenset({SectionKind.ARGUMENT, SectionKind.BODY, SectionKind.STANDARD})
_LEAST_WORDS = 40
"""A point of fewer words is not looked up: most are headings, whose text stands below them in points of their own."""
# Chosen, not measured.
_WINDOW_WORDS = 250
"""A point is looked up by stretches of so many words; a passage has about 150."""
_MOST_WINDOWS = 6
_DEPTH = 40
"""Passages that are looked at for what a point lacks."""
_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft with what its parts cite, in the same order."""

    text: DraftText
    citations: DocumentCitations


@dataclass(frozen=True, slots=True)
class _Group:
    """What stands under one heading: its parts, and the stretches of their text by which it is looked up."""

    parts: tuple[Passage, ...]
    stretches: tuple[str, ...]

    @classmethod
    def under_heading(cls, parts: Iterable[Passage]) -> Self:
        parts = tuple(parts)
        words = " ".join(part.text for part in parts if not part.is_footnotes).split()
        starts = range(0, len(words), _WINDOW_WORDS)[:_MOST_WINDOWS]
        return cls(parts, tuple(" ".join(words[start : start + _WINDOW_WORDS]) for start in starts))


@dataclass(frozen=True, slots=True)
class DraftChecker:
    """Checks drafts against one generation."""

    generation: Generation
    engine: SearchEngine
    alerts: Sequence[Alert]
    authority_list: Path
    """The list of all authorities; it need not be there."""
    warned: Sequence[Alert] = ()
    """What the list and directives warn of: none to consider."""

    def check(
        self, reading: DraftReading, reporter: Reporter, cancel: CancelToken, record: RecordReading | None = None
    ) -> DraftReport:
        """Hold a draft that is being read against the bank, and its cites of the `record` of the case, where that is
        read, against that; nothing of either is kept.

        Raises:
            SourceError: one of them cannot be read.
            UsageError: as `record_part`.
            CancelledError: asked to stop.
        """
        reporter(Progress("reading the draft"))
        postings, text = self.generation.authorities, reading.text()
        citing = reading.begin_citing(postings.patterns if postings else load_patterns())
        groups = [_Group.under_heading(group) for _, group in groupby(text.parts, key=lambda each: each.section_path)]
        groups = [each for each in groups if each.parts[0].section_kind in _ARGUED]
        argued = [each for each in groups if _word_count(each.parts) >= _LEAST_WORDS]
        # The encoder and the confined reader leave the interpreter free.
        with ThreadPoolExecutor(max_workers=1) as ahead:
            vectors = [ahead.submit(self.engine.vectors_of, each.stretches) for each in argued]
            try:
                reporter(Progress("comparing quotations"))
                quoted = check_quotations(text, self.generation, cancel)
                reporter(Progress("reading citations"))
                draft = Draft(text, with_short_forms(*citing.result(), postings))
                cited = [frozenset(each.keys) for each in draft.citations.authorities if each.keys]
                reporter(Progress("looking up authorities"))
                against = KnownAgainst(self.generation, self.alerts)
                against.look_up(cited, cancel)
                points = list(self._points(argued, vectors, draft, reporter, cancel))
            finally:
                ahead.shutdown(wait=False, cancel_futures=True)
        lacking = [frozenset({each.key}) for point in points for each in point.missing]
        known = against.of_each(dict.fromkeys((*cited, *lacking)), cancel)
        contradicted = list(_contradicted(text))
        report = DraftReport(
            title=reading.name,
            sha256=text.sha256,
            dated=reading.dated,
            shown=(reading.as_shown(),),
            generation=self.generation.name,
            has_pages=text.document.has_pages,
            points=tuple(_warned(points, known)),
            too_short=tuple(_too_short([each.parts for each in groups])),
            authorities=tuple(self._authorities(draft, known)),
            quotations=quoted.altered,
            unknown_quotations=quoted.unknown,
            quotation_count=quoted.count,
            uncompared_quotations=quoted.uncompared,
            references=tuple(_dead_references(text)),
            contradicted=tuple(
                ContradictedCitation(
                    " ".join(part.text[slice(*each.span)].split()), text.page_of(part, each.span.start), each.fact
                )
                for part, each in contradicted
            ),
            unread_pages=text.unread_pages,
            remarks=text.remarks,
            named_only=tuple(
                sorted({each.label for each in draft.citations.authorities if not each.keys and " v. " in each.label})
            ),
        )
        cancel.check()
        patterns = self.generation.authorities.patterns if self.generation.authorities else load_patterns()
        confidential = confidential_part(text, self.generation, points, patterns, reporter, cancel)
        impossible = {(part.order, each.span.end) for part, each in contradicted}
        parts = [confidential, held_against_list(text, self.authority_list, impossible)]
        if record:
            parts.append(record_part(text, draft.citations, record, reporter, cancel))
        else:
            parts.append(CheckPart("cites of the record", not_run=RECORD_KINDS))
        return with_parts(report, parts)

    def _points(
        self,
        groups: Sequence[_Group],
        vectors: Sequence[Future[Embeddings]],
        draft: Draft,
        reporter: Reporter,
        cancel: CancelToken,
    ) -> Iterator[DraftPoint]:
        postings = self.generation.authorities
        own = OwnAuthorities.in_draft(draft.citations, postings)
        alerted = postings.numbers(key for each in self.warned for key in each.keys) if postings else ()
        # A draft that is in the bank already, as the other side's brief may be, is not held against itself.
        itself = [number for number, each in enumerate(self.generation.documents) if each.sha256 == draft.text.sha256]
        for done, (group, encoded) in enumerate(zip(groups, vectors, strict=True)):
            cancel.check()
            reporter(Progress("points", files_done=done, files_total=len(groups), unit="points"))
            found = self.engine.alike(group.stretches, encoded.result(), _DEPTH, _NEAREST, itself)
            here = {number for part in group.parts for number in self._cited_in(part, draft)}
            missing, missing_count = missing_authorities(found.rows, here, own, self.generation, alerted)
            path, (first, last) = group.parts[0].section_path, _pages(group.parts)
            yield DraftPoint(path, first, last, found.hits, tuple(missing), missing_count)

    def _cited_in(self, part: Passage, draft: Draft) -> Iterator[int]:
        """The authorities that a part of a draft cites, by the numbers of the bank."""
        cited = draft.citations.passages[part.order]
        for authority in {each.authority for each in cited}:
            yield from numbers_of(draft.citations.authorities[authority], self.generation.authorities)

    def _authorities(self, draft: Draft, known: Mapping[Keys, Known]) -> Iterator[CitedAuthority]:
        """The table of authorities, by name, with what is known against each."""
        pages: dict[int, set[int]] = defaultdict(set)
        for part, cited in zip(draft.text.parts, draft.citations.passages, strict=True):
            for each in cited:
                pages[each.authority].add(draft.text.page_of(part, each.span.start))
        postings = self.generation.authorities
        for number, authority in sorted(
            enumerate(draft.citations.authorities), key=lambda each: each[1].label.casefold()
        ):
            if not authority.keys or number not in pages:
                continue
            alerts, treatments = known[frozenset(authority.keys)]
            yield CitedAuthority(
                authority=authority.label,
                pages=tuple(sorted(pages[number])),
                is_known=bool(numbers_of(authority, postings)),
                alerts=alerts,
                treatments=treatments,
            )


def _warned(points: Sequence[DraftPoint], known: Mapping[Keys, Known]) -> Iterator[DraftPoint]:
    """The points, with what is known against the authorities to consider."""

    def warned(each: MissingAuthority) -> MissingAuthority:
        alerts, treatments = known[frozenset({each.key})]
        return replace(each, alerts=alerts, treatments=treatments)

    for point in points:
        yield replace(point, missing=tuple(map(warned, point.missing)))


def _word_count(parts: Sequence[Passage]) -> int:
    return sum(len(part.text.split()) for part in parts)


def _pages(parts: Sequence[Passage]) -> tuple[int, int]:
    return min(part.page_first for part in parts), max(part.page_last for part in parts)


def _too_short(groups: Sequence[Sequence[Passage]]) -> Iterator[DraftPoint]:
    """The points that were not looked up, but for headings with points of their own below them.

    Before the first point that was, stand lines of a caption that were taken for headings: only what is known to argue
    is told there.
    """
    paths = [each[0].section_path for each in groups]
    is_behind = False
    for group, path in zip(groups, paths, strict=True):
        has_points_below = any(len(each) > len(path) and each[: len(path)] == path for each in paths) if path else False
        is_short = _word_count(group) < _LEAST_WORDS
        is_behind = is_behind or not is_short
        if is_short and not has_points_below and (is_behind or group[0].section_kind is not SectionKind.BODY):
            yield DraftPoint(path, *_pages(group))


def _contradicted(text: DraftText) -> Iterator[tuple[Passage, Contradiction]]:
    """Citations that cannot be as they are written, with their part."""
    for part in text.parts:
        for each in contradictions(part.text, datetime.now(UTC).year):
            yield part, each


def _dead_references(text: DraftText) -> Iterator[DeadReference]:
    """References to points, notes and pages of a number that none of the draft's own has."""
    for each in references_in(text.parts, text.document.page_runs):
        if each.is_dead:
            yield DeadReference(each.text, text.page_of(each.passage, each.span.start))
