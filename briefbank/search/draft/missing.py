"""Which authorities a point of a draft lacks: those that briefs cite where they write most alike, most telling first.

Two signs are mixed: passages similar to the point cite it, and passages that cite the point's own authorities do. On
57 authorities that were deleted from 60 drafts, made of 20 real briefs, and that the bank cites on the point, 49 (86 %)
are among the first ten, of which five are named; by similar passages of the whole point alone, ranked as search results
are, 31 (54 %).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from briefbank.index.authorities import AuthorityPostings
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.selection import SECTION_KINDS
from briefbank.law.citations import Authority, CitationKind, DocumentCitations
from briefbank.law.citations.names import case_names
from briefbank.search.card import are_read_by_ocr
from briefbank.search.scope import HIDDEN
from briefbank.values.authorities import MissingAuthority
from briefbank.values.records import DocumentKind

_SHOWN = 5
"""Nobody weighs more; they are the most telling."""
# The following were chosen on the deleted authorities named above. Between 5 and 10, 0 and 1, 0.25 and 0.5 the share
# moves by 7 % at most; with the usual 60 of reciprocal rank fusion in the place of 10 it falls by a fifth.
_RANK_CONSTANT = 10
_RARITY_EXPONENT = 0.5
_SHARE_OF_COMPANY = 0.5
_COMMON = 500
"""Passages above which an authority of the draft is so common that what is cited beside it tells nothing."""
_SURELY_READ = 20
"""An authority that more passages cite is no error of OCR, which misreads the same name in many ways."""


@dataclass(frozen=True, slots=True)
class OwnAuthorities:
    """The authorities of a draft: the numbers that the bank knows them by, and the names of its cases."""

    numbers: frozenset[int]
    names: frozenset[str]

    @classmethod
    def in_draft(cls, citations: DocumentCitations, postings: AuthorityPostings | None) -> OwnAuthorities:
        cited = citations.authorities
        numbers = frozenset(number for each in cited for number in numbers_of(each, postings))
        return cls(numbers, frozenset(name for each in cited for name in each.names))

    def names_case(self, label: str) -> bool:
        """Whether the draft cites a case of the name that a citation begins with, under whatever number."""
        return any(each.key in self.names for each in case_names(label))


def numbers_of(authority: Authority, postings: AuthorityPostings | None) -> list[int]:
    """The numbers that the bank knows an authority of a draft by: by its citation; by its name where it has none."""
    return postings.numbers(authority.keys or authority.names) if postings else []


def missing_authorities(
    similar: Sequence[Sequence[int]],
    here: Collection[int],
    own: OwnAuthorities,
    generation: Generation,
    alerted: Collection[int] = (),
) -> tuple[list[MissingAuthority], int]:
    """Return the most telling of the authorities that a point lacks, best first, and how many there are. `similar` are
    the rows most similar to each stretch of it, best first, `here` the authorities that it cites, by number. None is
    named that may be one of the draft's own, misread by OCR, or that directives alone name, or that is `alerted`.
    """
    postings = generation.authorities
    if postings is None:
        return [], 0
    rows = _in_briefs(np.array(sorted({row for rows in similar for row in rows}), dtype=np.int64), generation)
    cited = {number: citing for number, citing in _cited(rows, own, postings).items() if number not in alerted}
    weights = _weights(cited, similar, here, generation)
    lacking = list(_lacking(sorted(weights, key=lambda each: (-weights[each], each)), own, generation))
    shown = lacking[:_SHOWN]
    terms = postings.terms_of(shown)
    missing = []
    for number in shown:
        dense = generation.dense
        documents = {row: dense.documents[dense.columns.document[row]] for row in cited[number]}
        newest = max(documents, key=lambda row: (documents[row].filed or date.min, documents[row].id, -row))
        kinds = {row: [kind for _, kind in postings.spans([terms[number]], row)] for row in documents}
        in_full = [row for row in sorted(documents) if CitationKind.FULL in kinds[row]] or [newest]
        opened = next((row for row in in_full if documents[row] is documents[newest]), in_full[0])
        (passage_id,) = dense.ids(np.array([opened], dtype=np.int64))
        count = len({each.id for each in documents.values()})
        is_ocr = _is_read_by_ocr(postings.rows_of(number), generation)
        label, key = postings.label(number), terms[number]
        missing.append(MissingAuthority(label, count, documents[newest], passage_id, is_ocr, key))
    return missing, len(lacking)


def _in_briefs(rows: Rows, generation: Generation) -> Rows:
    """Those of the rows that stand in briefs and memos: a directive may list an authority as one not to cite."""
    dense = generation.dense
    documents = dense.columns.document[rows].tolist()
    kinds = [dense.documents[number].metadata.kind.value for number in documents]
    briefs = [row for row, kind in zip(rows.tolist(), kinds, strict=True) if kind != DocumentKind.DIRECTIVE.value]
    return np.array(briefs, dtype=np.int64)


def _cited(rows: Rows, own: OwnAuthorities, postings: AuthorityPostings) -> dict[int, list[int]]:
    """The authorities, by number, that rows cite and the draft does not, each with those rows."""
    found = postings.cited_in(rows)
    return {
        number: citing
        for number, citing in found.items()
        if not (number in own.numbers or postings.is_bare_name(number) or postings.is_constitution(number))
    }


def _weights(
    cited: Mapping[int, list[int]], similar: Sequence[Sequence[int]], here: Collection[int], generation: Generation
) -> dict[int, float]:
    """How telling each of the authorities is: each sign as a share of its best, summed over the briefs that give it, of
    each of them the passage that tells most.
    """
    best: dict[int, float] = {}
    for rows in similar:
        for place, row in enumerate(rows, start=1):
            best[row] = max(best.get(row, 0.0), 1 / (_RANK_CONSTANT + place))
    total = len(generation.documents)
    alike = {
        number: sum(of_each.values()) * math.log1p(total / len(of_each)) ** _RARITY_EXPONENT
        for number, rows in cited.items()
        if (of_each := _best_by_document({row: best[row] for row in rows}, generation))
    }
    company = _company(cited, here, generation)
    most_alike, most_company = max(alike.values(), default=1.0), max(company.values(), default=1.0)
    return {
        number: weight / most_alike + _SHARE_OF_COMPANY * company.get(number, 0.0) / most_company
        for number, weight in alike.items()
    }


def _company(cited: Collection[int], here: Collection[int], generation: Generation) -> dict[int, float]:
    """How often each of the `cited` stands in one passage with authorities of the point, rare ones counting more."""
    postings = generation.authorities
    if postings is None:
        return {}
    # A table of authorities lists all of a brief together.
    is_table = np.array([kind in HIDDEN for kind in SECTION_KINDS])[generation.dense.columns.section_kind]
    beside: dict[int, float] = {}
    for number in here:
        rows = postings.rows_of(number)
        rarity = math.log1p(len(generation.documents) / max(len(rows), 1))
        for row in rows[~is_table[rows]].tolist() if len(rows) <= _COMMON else ():
            beside[row] = max(beside.get(row, 0.0), rarity)
    found = postings.cited_in(_in_briefs(np.array(sorted(beside), dtype=np.int64), generation))
    return {
        number: sum(_best_by_document({row: beside[row] for row in rows}, generation).values())
        for number, rows in found.items()
        if number in cited
    }


def _best_by_document(weights: Mapping[int, float], generation: Generation) -> dict[int, float]:
    """Of weights by row the largest of each document, by number."""
    best: dict[int, float] = defaultdict(float)
    for row, weight in weights.items():
        document = int(generation.dense.columns.document[row])
        best[document] = max(best[document], weight)
    return best


def _lacking(numbers: Sequence[int], own: OwnAuthorities, generation: Generation) -> Iterator[int]:
    """Those of the authorities that are not likely the draft's own, misread."""
    postings = generation.authorities
    for number in numbers if postings else ():
        is_own = postings and own.names_case(postings.label(number))
        if postings and not (is_own and _is_read_by_ocr(postings.rows_of(number), generation)):
            yield number


def _is_read_by_ocr(rows: Rows, generation: Generation) -> bool:
    """Whether what these rows alone of the bank cite may be misread: they are few, and were read by OCR."""
    return len(rows) <= _SURELY_READ and are_read_by_ocr(generation.dense.passages(rows, with_boxes=False))
