"""Checks a draft against the bank, point by point: what the office has written on it, which authorities it cited there,
which of the draft's own are alerted or badly treated, and which quotations and references do not hold.

All that it tells can be looked up: it stands in a passage of the bank, in the office's list, or in the draft itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np

from briefbank.index.generation import Generation
from briefbank.index.tokens import tokenise
from briefbank.law.citations import load_patterns
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.platform.settings import Settings
from briefbank.records import Document, DocumentKind, Passage, SectionKind
from briefbank.references.resolve import references_in
from briefbank.reports import (
    AlteredQuotation,
    CitedAuthority,
    DeadReference,
    DraftPoint,
    DraftReport,
    MissingAuthority,
    UnknownQuotation,
)
from briefbank.search.against import Known, KnownAgainst
from briefbank.search.alerts import Alert
from briefbank.search.card import passages_by_row
from briefbank.search.directive_alerts import ProposedAlert, proposed_alerts
from briefbank.search.draft.missing import OwnAuthorities, missing_authorities, numbers_of
from briefbank.search.draft.quotations import compared, joined, quotations
from briefbank.search.draft.reading import Draft, read_draft
from briefbank.search.draft.short_forms import with_short_forms
from briefbank.search.engine import SearchEngine

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
_QUOTE_DEPTH = 8
_Against = Mapping[frozenset[str], Known]


@dataclass(frozen=True, slots=True)
class DraftChecker:
    """Checks drafts against one generation."""

    generation: Generation
    engine: SearchEngine
    alerts: Sequence[Alert]
    settings: Settings

    def check(self, path: Path, reporter: Reporter, cancel: CancelToken) -> DraftReport:
        """Read a draft and hold it against the bank; nothing of it is kept.

        Raises:
            SourceError: it cannot be read.
            CancelledError: asked to stop.
        """
        postings = self.generation.authorities
        draft = read_draft(path, self.settings, postings.patterns if postings else load_patterns(), cancel)
        draft = replace(draft, citations=with_short_forms(draft.citations, draft.short_forms, postings))
        groups = [list(group) for _, group in groupby(draft.parts, key=lambda each: each.section_path)]
        groups = [each for each in groups if each[0].section_kind in _ARGUED]
        argued = [each for each in groups if _word_count(each) >= _LEAST_WORDS]
        own = OwnAuthorities.of(draft.citations, postings)
        points = []
        for done, group in enumerate(argued):
            cancel.check()
            reporter(Progress("points", files_done=done, files_total=len(argued), unit="points"))
            points.append(self._point(group, draft, own))
        against = self._against(draft, points, cancel)
        altered, unknown, count = self._quotations(draft, cancel)
        return DraftReport(
            title=path.name,
            has_pages=draft.document.has_pages,
            points=tuple(_warned(points, against)),
            too_short=tuple(_too_short(groups)),
            authorities=tuple(self._authorities(draft, against)),
            quotations=tuple(altered),
            unknown_quotations=tuple(unknown),
            quotation_count=count,
            references=tuple(_dead_references(draft)),
            unread_pages=draft.unread_pages,
            named_only=tuple(
                sorted({each.label for each in draft.citations.authorities if not each.keys and " v. " in each.label})
            ),
        )

    def _point(self, parts: Sequence[Passage], draft: Draft, own: OwnAuthorities) -> DraftPoint:
        text = " ".join(part.text for part in parts if not part.is_footnotes)
        words = text.split()
        starts = range(0, len(words), _WINDOW_WORDS)[:_MOST_WINDOWS]
        stretches = [" ".join(words[start : start + _WINDOW_WORDS]) for start in starts]
        # A draft that is in the bank already, as the other side's brief may be, is not held against itself.
        itself = [number for number, each in enumerate(self.generation.documents) if each.sha256 == draft.sha256]
        found = self.engine.alike(stretches, _DEPTH, _NEAREST, itself)
        first, last = _pages(parts)
        here = {number for part in parts for number in self._cited_in(part, draft)}
        missing, missing_count = missing_authorities(found.rows, here, own, self.generation)
        return DraftPoint(
            path=parts[0].section_path,
            page_first=first,
            page_last=last,
            nearest=found.hits,
            missing=tuple(missing),
            missing_count=missing_count,
        )

    def _cited_in(self, part: Passage, draft: Draft) -> Iterator[int]:
        """The authorities that a part of a draft cites, by the numbers of the bank."""
        cited = draft.citations.passages[part.order]
        for authority in {each.authority for each in cited}:
            yield from numbers_of(draft.citations.authorities[authority], self.generation.authorities)

    def _authorities(self, draft: Draft, against: _Against) -> Iterator[CitedAuthority]:
        """The table of authorities, by name, with what is known against each."""
        pages: dict[int, set[int]] = defaultdict(set)
        for part, cited in zip(draft.parts, draft.citations.passages, strict=True):
            for each in cited:
                pages[each.authority].add(_page_of(draft, part, each.span.start))
        postings = self.generation.authorities
        for number, authority in sorted(
            enumerate(draft.citations.authorities), key=lambda each: each[1].label.casefold()
        ):
            if not authority.keys or number not in pages:
                continue
            alerts, treatments = against[frozenset(authority.keys)]
            yield CitedAuthority(
                authority=authority.label,
                pages=tuple(sorted(pages[number])),
                is_known=bool(numbers_of(authority, postings)),
                alerts=alerts,
                treatments=treatments,
            )

    def _against(self, draft: Draft, points: Sequence[DraftPoint], cancel: CancelToken) -> _Against:
        """What is known against the draft's authorities, and against those to consider."""
        cited = [frozenset(each.keys) for each in draft.citations.authorities if each.keys]
        lacking = [frozenset({each.key}) for point in points for each in point.missing]
        asked = list(dict.fromkeys((*cited, *lacking)))
        proposed = self._proposed({key for keys in asked for key in keys})
        known = KnownAgainst(self.generation, self.alerts, proposed).of_each(asked, cancel)
        return dict(zip(asked, known, strict=True))

    def _proposed(self, keys: Collection[str]) -> tuple[ProposedAlert, ...]:
        """What directives of the bank say where they cite any of these authorities, read once for all of them."""
        postings = self.generation.authorities
        rows, _ = postings.rows(keys) if postings else (np.array([], dtype=np.int64), None)
        dense = self.generation.dense
        is_directive = np.array([each.metadata.kind.value == DocumentKind.DIRECTIVE for each in dense.documents])
        in_directives = rows[is_directive[dense.columns.document[rows]]]
        return proposed_alerts(self.generation, self.alerts, in_directives)

    def _quotations(
        self, draft: Draft, cancel: CancelToken
    ) -> tuple[list[AlteredQuotation], list[UnknownQuotation], int]:
        """Those that the bank has in other words, those that it does not have, and how many there are."""
        documents: dict[str, Document] = {each.id: each for each in self.generation.documents}
        quoted = [(part, each) for part in draft.parts for each in quotations(part.text)]
        candidates = []
        for _, quotation in quoted:
            cancel.check()
            candidates.append(self._with_words_of(quotation.text))
        passages = passages_by_row((row for rows in candidates for row in rows), self.generation, with_boxes=False)
        altered, unknown = [], []
        for (part, quotation), rows in zip(quoted, candidates, strict=True):
            cancel.check()
            found = [passages[row] for row in rows]
            comparison = compared(quotation, [*found, *joined(found)])
            page, words = _page_of(draft, part, quotation.span.start), " ".join(quotation.text.split())
            if not comparison.is_known:
                unknown.append(UnknownQuotation(words, page))
            if differs := comparison.difference:
                document = documents[differs.passage.document_id]
                passage = self.generation.passage(differs.passage.id) or differs.passage  # its first, if in two
                altered.append(AlteredQuotation(words, page, differs.here, differs.there, passage, document))
        return altered, unknown, len(quoted)

    def _with_words_of(self, text: str) -> list[int]:
        """The rows that hold most words of a quotation: by BM25, for here words count and no meaning."""
        scores = self.generation.lexical.scores([token.term for token in tokenise(text)])
        rows: list[int] = scores.best(_QUOTE_DEPTH).tolist()
        return rows


def _warned(points: Sequence[DraftPoint], against: _Against) -> Iterator[DraftPoint]:
    """The points, with what is known against the authorities to consider."""

    def warned(each: MissingAuthority) -> MissingAuthority:
        alerts, treatments = against[frozenset({each.key})]
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


def _page_of(draft: Draft, part: Passage, offset: int) -> int:
    """The page on which a place of a part begins."""
    at = part.span.start + offset
    blocks = draft.document.blocks
    place = bisect_right(blocks, at, key=lambda each: each.span.start) - 1
    is_inside = place >= 0 and at < blocks[place].span.end
    return blocks[place].page_first if is_inside else part.page_first


def _dead_references(draft: Draft) -> Iterator[DeadReference]:
    """References to points, notes and pages of a number that none of the draft's own has."""
    for each in references_in(draft.parts, draft.document.page_runs):
        if each.is_dead:
            yield DeadReference(each.text, _page_of(draft, each.passage, each.span.start))
