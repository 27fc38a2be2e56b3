"""What people see of a search: the best passages, by rank, what matches in each and why it was found,
its near-copies and warnings, what else answers the question, and what it can be narrowed to.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

import numpy as np
import numpy.typing as npt

from briefbank.index.generation import Generation
from briefbank.index.rows import filter_key
from briefbank.index.selection import SECTION_KINDS
from briefbank.index.tokens import Token, index_terms, tokenise
from briefbank.law.citations.names import case_names
from briefbank.platform.visible import visible_name
from briefbank.search.alerts import AlertedRows, AlertList
from briefbank.search.exact import Reason
from briefbank.search.parse import Asks, ParsedQuery, Understanding
from briefbank.search.rank import Calibration, Ranked, names_subject
from briefbank.values.reading import Facets
from briefbank.values.records import (
    FACT_FILTERS,
    Counts,
    Document,
    Fact,
    Hit,
    Passage,
    Query,
    ResultCounts,
    SearchResult,
    Sibling,
    Span,
)
from briefbank.values.unreadable import CITATIONS_NOT_READ, PAGES_MISSING, UnreadableFile

# Coarser than `ingest/sentences.py`, which cuts passages: here a wrong end costs no more than one line of explanation.
# A blank line ends one, and a full stop behind a word too long or too plain to be an abbreviation (`v.`, `App. Div.`).
_SENTENCE_END = re.compile(
    r"(?:\b[a-z]{2,}|\b\w{5,}|[)\]”\"’'\d])[.?!][”\"’')\]]*\s+(?=[“\"‘(\[]*[A-Z])|[?!]\s+|\n\s*\n"
)
_MOST_NAMED = 3
"""Files that one search names; chosen, so that the notices leave room for the results."""
_RARE, _RARE_LEAST = 0.01, 2
_USUAL, _USUAL_LEAST = 0.15, 5
"""Shares of the passages that hold a word, and numbers of them in small banks, up to which one shared word is enough,
and up to which two are. Looked up in banks of 745 and 6,993 passages: what a brief is about stands in up to 15 %
(suppression 3 to 7, sentencing 5 to 15), what every brief says (State, court, trial, evidence) in 17 % and more.
"""
_SHORT_CHARS = 3
_OF_ANY_FILE = frozenset(
    "appendix brief copy directive doc document draft exhibit file final letter memo memorandum motion new old page"
    " part pdf revised scan scanned signed version".split()
)
"""Words that tell of a file and not of its matter: they count beside another word alone."""
_JOINS = dict.fromkeys(map(ord, "_-.,()[]"), " ")


_NEWEST = 4
"""As many as fit on the start page below the searches."""


class Presenter:
    """Shows what was found in one generation."""

    def __init__(self, generation: Generation, alerts: AlertList, calibration: Calibration | None) -> None:
        """Take an open generation, the office's alerts, and what says which results are on point."""
        self._generation = generation
        self._calibration = calibration
        self._alerted = AlertedRows(alerts.alerts, generation)
        self._notices = alerts.notices
        self._unreadable = _UnreadableNames(generation)
        self._counts = FacetCounter(generation)

    def result(
        self,
        parsed: ParsedQuery,
        ranked: Ranked,
        reason: Callable[[int, Passage], Reason],
        notices: tuple[str, ...] = (),
        *,
        hidden_count: int = 0,
        lowered_count: int = 0,
        has_exact: bool = True,
        explanation: str = "",
    ) -> SearchResult:
        """The best results; `reason` gives what matches in a passage, and why it was found."""
        unreadable = self._unreadable.notices(parsed.asked_terms)
        return SearchResult(
            query=parsed.query,
            generation=self._generation.name,
            took_ms=0.0,
            hits=self.hits(ranked, parsed.query, reason, parsed.words),
            hidden_count=hidden_count,
            lowered_count=lowered_count,
            has_exact=has_exact,
            weak_count=ranked.weak_count,
            found=ranked.found,
            hints=parsed.hints,
            notices=(*parsed.notices, *notices, *ranked.notices, *self._notices, *unreadable),
            corrections=parsed.corrections,
            explanation=explanation,
            counts=self._counts.count_rows(ranked.counted),
            authority=parsed.authority,
        )

    def hits(
        self,
        ranked: Ranked,
        query: Query,
        reason: Callable[[int, Passage], Reason],
        words: Understanding | None = None,
    ) -> tuple[Hit, ...]:
        """The best hits, by rank; `words` are those of a question."""
        dense = self._generation.dense
        best = ranked.shown[: query.top_k]
        passages = dense.passages(np.array([each.row for each in best], dtype=np.int64))
        hits = []
        for rank, (passage, each) in enumerate(zip(passages, best, strict=True), start=1):
            matches, why = reason(each.row, passage)
            probability, band, is_named = None, None, False
            if self._calibration and ranked.probabilities is not None:
                probability = float(ranked.probabilities[each.place])
                band = self._calibration.band(probability)
                is_named = words is not None and names_subject(passage.section_path, words, self._generation.lexical)
            hit = Hit(
                rank,
                float(ranked.scores[each.place]),
                passage,
                dense.documents[dense.columns.document[each.row]],
                matches,
                why,
                self._siblings(each.siblings),
                self._alerted.warnings(each.row),
                probability,
                band,
                best_sentence(passage.text, matches),
                is_named,
            )
            hits.append(hit)
        return tuple(hits)

    def _siblings(self, rows: Sequence[int]) -> tuple[Sibling, ...]:
        dense = self._generation.dense
        ids = dense.ids(np.array(rows, dtype=np.int64))
        documents = [dense.documents[dense.columns.document[row]] for row in rows]
        return tuple(
            Sibling(passage_id, document.metadata.title.value, document.filed)
            for passage_id, document in zip(ids, documents, strict=True)
        )


def reason_of(parsed: ParsedQuery, words: Understanding) -> Callable[[int, Passage], Reason]:
    """What says which `words` a passage holds and why it was found; where only conditions are asked for, these."""
    conditions = ", ".join(hint.meaning for hint in parsed.hints) if parsed.asks is Asks.CONDITIONS else ""

    def reason(_: int, passage: Passage) -> Reason:
        matches, why = match(words, passage.text)
        return matches, conditions or why

    return reason


def match(understanding: Understanding, text: str) -> tuple[tuple[Span, ...], str]:
    """Return the spans of `text` that the query's words match, in order, and why the passage was found.

    A number marks its parts and what it is a part of (`404(b)` marks `404(b)(2)` and `404`, not `404(a)`), but the
    reason counts it as found only where the passage is as precise.
    """
    numbers = {word.term: number for number, word in enumerate(understanding.words)}
    marked = set(understanding.terms)
    named = case_names(text) if understanding.cases else []
    cases = {each.span: understanding.cases[each.key] for each in named if each.key in understanding.cases}
    spans = list(cases)
    found = [(Token(span, text[slice(*span)], ()), number) for span, number in cases.items()]
    for token in tokenise(text, marked | numbers.keys()):
        if token.span.overlaps_any(cases):
            continue
        held = [numbers[term] for term in token.terms if term in numbers]
        if held:
            found += [(token, number) for number in held]
        if held or token.term in marked:
            spans.append(token.span)
    if understanding.is_sample:
        held_count = len({number for _, number in found})
        return tuple(sorted(spans)), f"like it in meaning; {held_count} of its {len(numbers)} most telling words"
    return tuple(sorted(spans)), _reason(understanding.surfaces, found, text, is_marked=bool(spans))


def best_sentence(text: str, matches: Sequence[Span]) -> Span | None:
    """Return the sentence of `text` with the most different matched words, of equal ones the one with the most matches,
    then the first; None where nothing is matched.
    """
    ends = [end.end() for end in _SENTENCE_END.finditer(text)]
    held: dict[int, list[str]] = {}
    for match in matches:
        held.setdefault(bisect_right(ends, match.start), []).append(text[match.start : match.end].casefold())
    if not held:
        return None
    best = max(held, key=lambda number: (len(set(held[number])), len(held[number]), -number))
    bounds = [0, *ends, len(text)]
    sentence = text[bounds[best] : bounds[best + 1]]
    start = bounds[best] + len(sentence) - len(sentence.lstrip())
    return Span(start, start + len(sentence.strip()))


def _reason(surfaces: Sequence[str], found: Sequence[tuple[Token, int]], text: str, *, is_marked: bool) -> str:
    held = {number for _, number in found}
    if not held:
        return f"holds only a part of {_quoted(surfaces)}" if is_marked else "says it in other words"
    missing = [surface for number, surface in enumerate(surfaces) if number not in held]
    if missing:
        return f"holds {len(held)} of your {len(surfaces)} words, not {_quoted(missing)}"
    if len(surfaces) == 1:
        return f"holds {_quoted(surfaces)} {'once' if len(found) == 1 else f'{len(found)} times'}"
    together = "holds both your words" if len(surfaces) == 2 else "holds all your words"
    return f"{together} in one sentence" if _share_a_sentence(found, text, len(surfaces)) else together


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _share_a_sentence(found: Sequence[tuple[Token, int]], text: str, count: int) -> bool:
    ends = [end.end() for end in _SENTENCE_END.finditer(text)]
    held: dict[int, set[int]] = {}
    for token, number in found:
        held.setdefault(bisect_right(ends, token.span.start), set()).add(number)
    return any(len(numbers) == count for numbers in held.values())


class _UnreadableNames:
    """The names of the files that one index lacks because they could not be read, by their words: the best answer may
    stand in one whose name holds words of the question.
    """

    def __init__(self, generation: Generation) -> None:
        files = generation.unreadable.files if generation.unreadable else ()
        paths = [_with_slashes(each.path) for each in files]
        self._of_any_file = {term for word in _OF_ANY_FILE for term in index_terms(word)}
        root = _common_folder([*paths, *(_with_slashes(each.source_path) for each in generation.documents)])
        self._lexical, self._passages = generation.lexical, generation.info.passage_count
        self._names = [(each, _terms_of_name(path.removeprefix(root))) for each, path in zip(files, paths, strict=True)]

    def notices(self, asked_terms: Collection[str]) -> tuple[str, ...]:
        """A sentence for each file whose name holds what is asked for."""
        asked = {term for term in asked_terms if len(term) >= _SHORT_CHARS}
        shared = [(asked & terms, file) for file, terms in self._names if asked & terms]
        found = sorted((-len(terms), file.path, file) for terms, file in shared if self._is_enough(terms))
        told = [_format_unread(file) for _, _, file in found[:_MOST_NAMED]]
        if more := len(found) - len(told):
            told.append(f"{more} more {'file' if more == 1 else 'files'} whose names match could not be read either.")
        return tuple(told)

    def _is_enough(self, shared: set[str]) -> bool:
        """Whether what a name and a question share is no chance: a rare word, or two that are not in every brief."""
        holders = {term: self._lexical.holders(term) for term in shared}
        rare = max(_RARE * self._passages, _RARE_LEAST)
        usual = max(_USUAL * self._passages, _USUAL_LEAST)
        telling = {term: count for term, count in holders.items() if count <= usual and term not in self._of_any_file}
        has_rare = any(count <= rare and not term.isdigit() for term, count in telling.items())
        return has_rare or (bool(telling) and len(telling.keys() | (shared & self._of_any_file)) > 1)


def _with_slashes(path: str) -> str:
    """A path of any system with slashes between its folders; a backslash is a letter where paths begin with a slash."""
    return path if path.startswith("/") else path.replace("\\", "/")


def _common_folder(paths: Sequence[str]) -> str:
    """The folder that all these lie in, whose name says nothing; empty where there is none."""
    try:
        return posixpath.commonpath([posixpath.dirname(path) for path in paths])
    except ValueError:  # none, or on several drives
        return ""


def _terms_of_name(name: str) -> set[str]:
    """The terms of a path as it stands ("A-1403-22"), and of its words by themselves ("Brown_motion-2019")."""
    stem = posixpath.splitext(name)[0]
    return {*index_terms(stem), *index_terms(stem.translate(_JOINS))}


def _format_unread(file: UnreadableFile) -> str:
    name = visible_name(file.name)
    if file.code == PAGES_MISSING:
        return f"{name} was not read to its end ({file.pages}); what is missing may hold what you look for."
    if file.code == CITATIONS_NOT_READ:
        return f"The citations of {name} could not be read anew; warnings about them may be missing."
    return f"{name} could not be read; it may hold what you look for."


class FacetCounter:
    """Counts the values that filters compare, over any documents and passages of one generation."""

    def __init__(self, generation: Generation) -> None:
        """Number the values of each field once, so that counting them for a search takes no time to speak of."""
        known = [document.metadata for document in generation.documents]
        self._columns = generation.dense.columns
        self._numbered = {"kinds": _numbered([each.kind for each in known])}
        for each in FACT_FILTERS:
            self._numbered[each.field] = _numbered([getattr(metadata, each.fact) for metadata in known])

    def count_rows(self, rows: npt.NDArray[np.int64]) -> ResultCounts:
        """Count the documents that the rows stand in, and the rows themselves by kind of section."""
        return ResultCounts(**self._count(np.unique(self._columns.document[rows]), self._columns.section_kind[rows]))

    def count_all(self) -> dict[str, Counts]:
        """Count every document and every passage, by the fields of `ResultCounts`."""
        return self._count(np.arange(len(self._numbered["kinds"].of_document)), self._columns.section_kind)

    def _count(self, documents: npt.NDArray[np.integer], section_kinds: npt.NDArray[np.uint8]) -> dict[str, Counts]:
        """Count documents, given by number, and kinds of sections, given by place."""
        sections = np.bincount(section_kinds, minlength=len(SECTION_KINDS)).tolist()
        named = zip(SECTION_KINDS, sections, strict=True)
        of_passages = _by_frequency({kind.value: count for kind, count in named if count})
        of_documents = {field: numbered.counted(documents) for field, numbered in self._numbered.items()}
        return {**of_documents, "section_kinds": of_passages}


def facets_of(generation: Generation) -> Facets:
    """Count the documents of each value that a filter takes, and the passages of each kind of section."""
    days = [document.filed for document in generation.documents]
    dated = [day for day in days if day]
    return Facets(
        **FacetCounter(generation).count_all(),
        documents=len(days),
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
