"""Checks a draft against the bank, point by point: what the office has written on it, which authorities it cited there,
which of the draft's own are alerted or badly treated, and which quotations and references do not hold.

All that it tells can be looked up: it stands in a passage of the bank, in the office's list, or in the draft itself.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from briefbank.index.authorities import AuthorityPostings
from briefbank.index.generation import Generation
from briefbank.index.tokens import tokenise
from briefbank.law.citations import Authority, load_patterns
from briefbank.law.citations.names import case_names
from briefbank.law.treatment import Severity
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.platform.settings import Settings
from briefbank.records import Document, DocumentKind, Hit, Passage, SectionKind
from briefbank.references.resolve import references_in
from briefbank.reports import (
    AlteredQuotation,
    CitedAuthority,
    DeadReference,
    DraftPoint,
    DraftReport,
    MissingAuthority,
)
from briefbank.search.alerts import Alert
from briefbank.search.card import are_read_by_ocr, known_against
from briefbank.search.directive_alerts import ProposedAlert, proposed_alerts
from briefbank.search.draft.quotations import differing, quotations
from briefbank.search.draft.reading import Draft, read_draft
from briefbank.search.engine import SearchEngine

_ARGUED = frozenset({SectionKind.ARGUMENT, SectionKind.BODY, SectionKind.STANDARD})
_LEAST_WORDS = 40
"""A point of fewer words is a heading; what stands below it is a point of its own."""
# Chosen, not measured.
_WINDOW_WORDS = 250
"""A point is looked up by stretches of so many words; a passage has about 150."""
_MOST_WINDOWS = 6
_DEPTH = 40
"""Passages that are looked at for what a point lacks."""
_NEAREST = 5
_MISSING = 10
_SURELY_READ = 20
"""An authority that more passages cite is no error of OCR, which misreads the same name in many ways."""
_RRF_K = 60
_QUOTE_DEPTH = 8
_BAD = (Severity.STOP.value, Severity.WARNING.value)


@dataclass(frozen=True, slots=True)
class _Own:
    """The authorities of a draft: the numbers that the bank knows them by, and the names of its cases."""

    numbers: frozenset[int]
    names: frozenset[str]

    @classmethod
    def of(cls, draft: Draft, postings: AuthorityPostings | None) -> _Own:
        cited = draft.citations.authorities
        numbers = frozenset(number for each in cited for number in _numbers(each, postings))
        return cls(numbers, frozenset(name for each in cited for name in each.names))

    def names_case(self, label: str) -> bool:
        """Whether the draft cites a case of the name that a citation begins with, under whatever number."""
        return any(each.key in self.names for each in case_names(label))


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
        groups = [list(group) for _, group in groupby(draft.parts, key=lambda each: each.section_path)]
        argued = [each for each in groups if each[0].section_kind in _ARGUED and _word_count(each) >= _LEAST_WORDS]
        own = _Own.of(draft, postings)
        points = []
        for done, group in enumerate(argued):
            cancel.check()
            reporter(Progress("points", files_done=done, files_total=len(argued), unit="points"))
            points.append(self._point(group, own, draft.sha256))
        quoted, count = self._quotations(draft, cancel)
        return DraftReport(
            title=draft.document.metadata.title.value,
            has_pages=draft.document.has_pages,
            points=tuple(points),
            authorities=tuple(self._authorities(draft, cancel)),
            quotations=tuple(quoted),
            quotation_count=count,
            references=tuple(_dead_references(draft)),
            unread_pages=draft.unread_pages,
            named_only=tuple(
                sorted({each.label for each in draft.citations.authorities if not each.keys and " v. " in each.label})
            ),
        )

    def _point(self, parts: Sequence[Passage], own: _Own, sha256: str) -> DraftPoint:
        text = " ".join(part.text for part in parts if not part.is_footnotes)
        words = text.split()
        starts = range(0, len(words), _WINDOW_WORDS)[:_MOST_WINDOWS]
        stretches = [" ".join(words[start : start + _WINDOW_WORDS]) for start in starts]
        # A draft that is in the bank already, as the other side's brief may be, is not held against itself.
        hits = [hit for hit in self.engine.alike(stretches, _DEPTH) if hit.document.sha256 != sha256]
        pages = [page for part in parts for page in (part.page_first, part.page_last)]
        return DraftPoint(
            path=parts[0].section_path,
            page_first=min(pages),
            page_last=max(pages),
            nearest=tuple(hits[:_NEAREST]),
            missing=tuple(self._missing(hits, own)),
        )

    def _missing(self, hits: Sequence[Hit], own: _Own) -> Iterator[MissingAuthority]:
        """Authorities of the most similar passages that the draft lacks, the most telling first: cited by many of
        these passages, by the first of them, and by few others in the bank. None that may be one of the draft's own,
        misread by OCR.
        """
        postings = self.generation.authorities
        if postings is None:
            return
        rows = {row: hit for hit in hits if (row := self.generation.dense.row_of(hit.passage.id)) is not None}
        places = {row: place for place, row in enumerate(rows)}
        cited = postings.cited_in(np.array(list(rows), dtype=np.int64))
        total = len(self.generation.dense)
        weights: dict[int, float] = {}
        for number, citing in cited.items():
            if number in own.numbers or postings.is_bare_name(number):
                continue
            best: dict[str, float] = {}
            for row in citing:
                document = rows[row].document.id
                best[document] = max(best.get(document, 0.0), 1 / (_RRF_K + places[row]))
            weights[number] = sum(best.values()) * math.log(1 + total / postings.passage_count(number))
        ordered = sorted(weights, key=lambda each: (-weights[each], each))
        lacking = (
            (number, is_ocr)
            for number in ordered
            if not (
                (is_ocr := self._is_read_by_ocr(postings.rows_of(number))) and own.names_case(postings.label(number))
            )
        )
        for number, is_ocr in islice(lacking, _MISSING):
            hits_of = [rows[row] for row in cited[number]]
            newest = max(hits_of, key=lambda hit: (hit.document.filed or date.min, hit.document.id))
            count = len({hit.document.id for hit in hits_of})
            label = postings.label(number)
            yield MissingAuthority(label, count, newest.document, newest.passage.id, is_ocr)

    def _is_read_by_ocr(self, rows: npt.NDArray[np.int64]) -> bool:
        """Whether what these rows alone of the bank cite may be misread: they are few, and were read by OCR."""
        return len(rows) <= _SURELY_READ and are_read_by_ocr(self.generation.dense.passages(rows))

    def _authorities(self, draft: Draft, cancel: CancelToken) -> Iterator[CitedAuthority]:
        """The table of authorities, by name, with what is known against each."""
        pages: dict[int, set[int]] = defaultdict(set)
        for part, cited in zip(draft.parts, draft.citations.passages, strict=True):
            for each in cited:
                pages[each.authority].add(_page_of(draft, part, each.span.start))
        postings = self.generation.authorities
        proposed = self._proposed(draft)
        for number, authority in sorted(
            enumerate(draft.citations.authorities), key=lambda each: each[1].label.casefold()
        ):
            cancel.check()
            if not authority.keys or number not in pages:
                continue
            alerts, treatments = known_against(set(authority.keys), self.generation, self.alerts, proposed)
            yield CitedAuthority(
                authority=authority.label,
                pages=tuple(sorted(pages[number])),
                is_known=bool(_numbers(authority, postings)),
                alerts=alerts,
                treatments=tuple(each for each in treatments if each.severity in _BAD),
            )

    def _proposed(self, draft: Draft) -> tuple[ProposedAlert, ...]:
        """What directives of the bank say where they cite any of the draft's authorities, read once for all of them."""
        postings = self.generation.authorities
        keys = [key for each in draft.citations.authorities for key in each.keys]
        rows, _ = postings.rows(keys) if postings else (np.array([], dtype=np.int64), None)
        dense = self.generation.dense
        is_directive = np.array([each.metadata.kind.value == DocumentKind.DIRECTIVE for each in dense.documents])
        in_directives = rows[is_directive[dense.columns.document[rows]]]
        return proposed_alerts(self.generation, self.alerts, in_directives)

    def _quotations(self, draft: Draft, cancel: CancelToken) -> tuple[list[AlteredQuotation], int]:
        documents: dict[str, Document] = {each.id: each for each in self.generation.documents}
        altered, count = [], 0
        for part in draft.parts:
            for quotation in quotations(part.text):
                cancel.check()
                count += 1
                candidates = self._with_words_of(quotation.text)
                if found := differing(quotation, candidates):
                    page = _page_of(draft, part, quotation.span.start)
                    words = " ".join(quotation.text.split())
                    document = documents[found.passage.document_id]
                    altered.append(AlteredQuotation(words, page, found.here, found.there, found.passage, document))
        return altered, count

    def _with_words_of(self, text: str) -> list[Passage]:
        """The passages that hold most words of a quotation: by BM25, for here words count and no meaning."""
        scores = self.generation.lexical.scores([token.term for token in tokenise(text)])
        best = np.lexsort((np.arange(len(scores)), -scores))[:_QUOTE_DEPTH]
        return self.generation.dense.passages(best[scores[best] > 0])


def _word_count(parts: Sequence[Passage]) -> int:
    return sum(len(part.text.split()) for part in parts)


def _numbers(authority: Authority, postings: AuthorityPostings | None) -> list[int]:
    """The numbers that the bank knows an authority of a draft by: by its citation; by its name where it has none."""
    return postings.numbers(authority.keys or authority.names) if postings else []


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
