"""Annotated clauses looked for inside their own documents, a document and category at a time. Touches no bank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from briefbank.errors import SourceError, UsageError
from briefbank.index.generation import Generation
from briefbank.judgements.evaluate.beir import Run, read_trec_run, write_trec_run
from briefbank.judgements.evaluate.spans.annotations import (
    AnnotatedSpan,
    AnnotatedSpans,
    PlacedDocument,
    Ranges,
    indexed,
    placed_documents,
    read_spans,
)
from briefbank.judgements.evaluate.spans.metrics import (
    LONG_CHUNKS,
    RECALLS,
    SIZES,
    Presence,
    SpanFigures,
    SpanOutcome,
    figures_of,
    fitted_thresholds,
    gain,
)
from briefbank.models.encoders.port import Encoder
from briefbank.platform.disk import require_writable
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent
from briefbank.platform.settings import Settings
from briefbank.search.checklists.checklist import Checklist
from briefbank.search.checklists.run import ChecklistRunner, fitting_to, profile_of
from briefbank.search.engine import SearchEngine
from briefbank.search.profiles.keywords import Places, places_of
from briefbank.search.profiles.profile import Profile, ProfileStore, file_name_of
from briefbank.search.profiles.ranking import PreparedProfile, prepare, scored
from briefbank.values.records import Filters, Query, SortOrder

COVERED = 0.75
"""Share of a clause's characters that must be returned for it to count as found, as in the paper compared with."""
_LIKE = 0.5
"""Jaccard similarity of words from which what is told is like a clause, as in the paper on graphs."""
_TOLD = 10
"""Passages that are told of a document that seems to hold a category."""
# Ten of the chunks of 3,500 characters by which documents are sized.
_CHARACTERS = 35_000
_ASKED = 100
"""Passages that a plain question is asked for: of usual length more than within `_CHARACTERS`."""

Order = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SpanGain:
    """By how much a recall is higher than that of the plain question, with its interval of 95 %."""

    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SpanReport:
    """Figures over all documents, over those of at least 20 chunks, by category and by size in chunks. `over_question`
    compares profiles with the plain question of the same run, clause by clause; empty where nothing else was asked.
    `missing` clauses are not in the text that was read, and count as not found.
    """

    all: SpanFigures
    long: SpanFigures
    by_category: dict[str, SpanFigures]
    by_size: dict[str, SpanFigures]
    over_question: dict[str, SpanGain]
    missing: int


@dataclass(frozen=True, slots=True)
class _Case:
    """One category in one document: its clauses and where they stand, the passages best first, and the strength."""

    document: PlacedDocument
    category: str
    clauses: tuple[tuple[AnnotatedSpan, tuple[int, int] | None], ...]
    order: Order
    strength: float
    shown: Order | None = None
    """What a checklist shows; None where ten passages are told from a strength on."""


def evaluate_spans(
    spans_file: Path,
    folder: Path,
    settings: Settings,
    *,
    profiles: Path | None = None,
    checklist: Checklist | None = None,
    categories: Sequence[str] = (),
    run_file: Path | None = None,
    cache_folder: Path | None = None,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> SpanReport:
    """Index a folder and look for each annotated clause inside its own document, by the profiles of a folder, or by the
    names of the categories asked as plain questions. `run_file` gets the rankings in TREC format. With a
    `checklist`, its items of these names say what is told, and they alone are measured.

    Raises:
        SourceError: the clauses, a document of theirs or a profile cannot be read.
        UsageError: there is no such category, or no profile for one of the categories.
        AccessError, ModelError, NoSpaceError, CancelledError: as their names say.
    """
    if run_file:
        require_writable(run_file)
    cancel = cancel or CancelToken()
    if checklist:
        names = tuple(each.name for each in checklist.items)
        if missing := [each for each in categories if each not in names]:
            raise UsageError(f"The checklist has no item {missing[0]}.", "Give an item the name of each category.")
        categories = tuple(categories) or names
    spans = read_spans(spans_file, categories)
    chosen = _profiles(profiles, spans.categories) if profiles else {}
    with indexed(folder, settings, cache_folder, reporter, cancel) as (generation, encoder):
        searching = _Searching(generation, encoder, folder, spans, reporter, cancel)
        plain = searching.by_questions(SearchEngine(generation, encoder, settings))
        cases = searching.by_profiles(chosen) if profiles else plain
        if checklist:
            cases = searching.by_checklist(checklist, chosen)
    if run_file:
        write_trec_run(_run_of(cases), run_file, "briefbank")
    return _report(cases, plain if profiles or checklist else ())


def compare_span_runs(
    spans_file: Path,
    folder: Path,
    runs: tuple[Path, Path],
    settings: Settings,
    *,
    categories: Sequence[str] = (),
    cache_folder: Path | None = None,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> dict[str, tuple[float, float, SpanGain]]:
    """The recalls of two runs that `evaluate_spans` wrote, and by how much the second is higher; raises as that."""
    cancel = cancel or CancelToken()
    spans = read_spans(spans_file, categories)
    with indexed(folder, settings, cache_folder, reporter, cancel) as (generation, encoder):
        searching = _Searching(generation, encoder, folder, spans, reporter, cancel)
        before, after = (_outcomes(searching.cases_of_run(read_trec_run(file)), {}) for file in runs)
    compared = {}
    for name in RECALLS:
        difference, interval = gain(before, after, name)
        shares = [sum(each.found[name] for each in spans_of) / len(spans_of) for spans_of in (before, after)]
        compared[name] = shares[0], shares[1], SpanGain(difference, *interval)
    return compared


def _profiles(folder: Path, asked: Sequence[str]) -> dict[str, Profile]:
    if not folder.is_dir():
        raise SourceError(f"There is no folder {folder}.", "Make it with: briefbank profile mine --spans FILE FOLDER")
    stored = ProfileStore((folder,)).all()
    for problem in stored.problems:
        raise problem
    by_name = {each.file_name: each for each in stored.profiles}
    if missing := [each for each in asked if file_name_of(each) not in by_name]:
        advice = "Mine one, or measure other categories alone with --category."
        raise UsageError(f"{folder} has no profile for {missing[0]}.", advice)
    return {each: by_name[file_name_of(each)] for each in asked}


class _Searching:
    """The documents of some clauses, searched one at a time."""

    def __init__(
        self,
        generation: Generation,
        encoder: Encoder,
        folder: Path,
        spans: AnnotatedSpans,
        reporter: Reporter,
        cancel: CancelToken,
    ) -> None:
        self._generation, self._encoder, self._reporter, self._cancel = generation, encoder, reporter, cancel
        self._spans: dict[tuple[str, str], list[AnnotatedSpan]] = {}
        for each in spans.spans:
            self._spans.setdefault((each.file, each.category), []).append(each)
        self._documents = placed_documents(generation, folder, spans.files)
        if missing := sorted(spans.files - self._documents.keys()):
            message = f"{len(missing)} annotated files were not read; the first is {missing[0]}."
            raise SourceError(message, "Look whether the folder holds it, and what `briefbank index` says of it.")
        self._categories = spans.categories

    def by_questions(self, engine: SearchEngine) -> list[_Case]:
        """Every category in every document, its name asked as a question of the very search that people use."""
        questions = {name: Profile(name, name) for name in self._categories}
        prepared = {name: prepare(each, self._generation, self._encoder) for name, each in questions.items()}
        cases = []
        for document in self._each_document():
            for category in self._categories:
                order = _asked(engine, category, document)
                found = scored(prepared[category], self._generation, document.rows)
                cases.append(self._case(document, category, order, float(found.strengths.max(initial=0))))
        return cases

    def by_profiles(self, profiles: Mapping[str, Profile]) -> list[_Case]:
        """Every category in every document, ranked by its profile."""
        prepared = {name: prepare(each, self._generation, self._encoder) for name, each in profiles.items()}
        return [case for document in self._each_document() for case in self._ranked(document, prepared)]

    def _ranked(self, document: PlacedDocument, prepared: Mapping[str, PreparedProfile]) -> Iterator[_Case]:
        has_keywords = any(each.keywords for each in prepared.values())
        places: list[Places] = [places_of(each.text) for each in document.passages] if has_keywords else []
        for category in self._categories:
            found = scored(prepared[category], self._generation, document.rows, places)
            order = np.lexsort((np.arange(len(found.rows)), -found.scores)).astype(np.int64)
            yield self._case(document, category, order, float(found.strengths.max(initial=0)))

    def by_checklist(self, checklist: Checklist, profiles: Mapping[str, Profile]) -> list[_Case]:
        """Every category in every document, as the item of its name answers it."""

        def named(name: str) -> Profile:
            if name not in profiles:
                raise UsageError(f"The checklist wants a profile “{name}”.", "Name its folder with --profiles.")
            return profiles[name]

        items = [
            (each, prepare(profile_of(each, named), self._generation, self._encoder))
            for each in fitting_to(checklist, self._generation).items
            if each.name in self._categories
        ]
        runner = ChecklistRunner(self._generation, items, lambda _: ())
        return [case for document in self._each_document() for case in self._answered(document, runner)]

    def _answered(self, document: PlacedDocument, runner: ChecklistRunner) -> Iterator[_Case]:
        for item, part, probabilities, shown in runner.scored(document.document_id):
            at = np.searchsorted(document.rows, part.rows)
            order = at[np.lexsort((part.rows, -probabilities))]
            case = self._case(document, item.name, order, float(probabilities.max(initial=0.0)))
            yield replace(case, shown=at[shown])

    def cases_of_run(self, run: Run) -> list[_Case]:
        """Every category in every document, ranked by a run."""
        cases = []
        for document in self._each_document():
            numbers = {each.id: number for number, each in enumerate(document.passages)}
            for category in self._categories:
                hits = [
                    numbers[passage] for passage, _ in run.get(_query(document, category), ()) if passage in numbers
                ]
                cases.append(self._case(document, category, np.array(hits, dtype=np.int64), 0.0))
        return cases

    def _case(self, document: PlacedDocument, category: str, order: Order, strength: float) -> _Case:
        clauses = self._spans.get((document.file, category), [])
        return _Case(
            document, category, tuple((each, document.place(each.clause)) for each in clauses), order, strength
        )

    def _each_document(self) -> Iterator[PlacedDocument]:
        for done, file in enumerate(sorted(self._documents)):
            self._cancel.check()
            self._reporter(Progress("searching", done, len(self._documents), unit="documents"))
            yield self._documents[file]


def _asked(engine: SearchEngine, question: str, document: PlacedDocument) -> Order:
    """The passages of a document as a search within it ranks them, those that it does not find last."""
    numbers = {each.id: number for number, each in enumerate(document.passages)}
    query = Query(
        question,
        min(len(numbers), _ASKED),
        SortOrder.RELEVANCE,
        Filters(documents=(document.document_id,)),
        include_hidden=True,
        include_weak=True,
        as_typed=True,
    )
    found = dict.fromkeys(numbers[hit.passage.id] for hit in engine.search(query).hits)
    return np.array([*found, *(number for number in numbers.values() if number not in found)], dtype=np.int64)


def _query(document: PlacedDocument, category: str) -> str:
    return f"{document.document_id} {category}"


def _run_of(cases: Sequence[_Case]) -> Run:
    return {
        _query(case.document, case.category): [
            (case.document.passages[place].id, 1 / rank) for rank, place in enumerate(case.order.tolist(), start=1)
        ]
        for case in cases
    }


def _report(cases: Sequence[_Case], plain: Sequence[_Case]) -> SpanReport:
    thresholds = fitted_thresholds(
        [(each.document.file, each.category, each.strength, bool(each.clauses)) for each in cases]
    )
    outcomes = _outcomes(cases, thresholds)
    presences = [
        Presence(each.document.file, each.category, each.strength, bool(each.clauses), _is_told(each, thresholds))
        for each in cases
    ]
    chunks = {each.document.file: each.document.chunk_count for each in cases}
    before = _outcomes(plain, {})
    gains = {name: gain(before, outcomes, name) for name in RECALLS} if plain else {}
    categories = sorted({each.category for each in cases})
    sizes = {f"{low}–{high}" if high < 10**9 else f"{low} or more": (low, high) for low, high in SIZES}
    by_size = {
        name: {file for file, count in chunks.items() if low <= count <= high} for name, (low, high) in sizes.items()
    }
    return SpanReport(
        all=figures_of(outcomes, presences, chunks),
        long=figures_of(outcomes, presences, {file for file, count in chunks.items() if count >= LONG_CHUNKS}),
        by_category={
            name: figures_of(
                [each for each in outcomes if each.category == name],
                [each for each in presences if each.category == name],
                chunks,
            )
            for name in categories
        },
        by_size={name: figures_of(outcomes, presences, files) for name, files in by_size.items() if files},
        over_question={name: SpanGain(value, *interval) for name, (value, interval) in gains.items()},
        missing=sum(place is None for each in cases for _, place in each.clauses),
    )


def _is_told(case: _Case, thresholds: Mapping[tuple[str, str], float]) -> bool:
    if case.shown is not None:
        return bool(len(case.shown))
    return case.strength >= thresholds.get((case.document.file, case.category), 0.0)


def _outcomes(cases: Sequence[_Case], thresholds: Mapping[tuple[str, str], float]) -> list[SpanOutcome]:
    return [outcome for case in cases for outcome in _outcomes_of(case, is_told=_is_told(case, thresholds))]


def _outcomes_of(case: _Case, *, is_told: bool) -> Iterator[SpanOutcome]:
    document, order = case.document, case.order
    within = int((np.cumsum(document.lengths[order]) <= _CHARACTERS).sum())
    cutoffs = dict(zip(RECALLS, (5, 10, within), strict=True))
    told = case.shown if case.shown is not None else order[:_TOLD] if is_told else order[:0]
    texts = [document.passages[place].text for place in told.tolist()]
    for clause, place in case.clauses:
        found = {name: place is not None and _covers(document, order[:count], place) for name, count in cutoffs.items()}
        yield SpanOutcome(
            file=document.file,
            category=case.category,
            found=found,
            is_told=place is not None and _covers(document, told, place),
            is_like=any(_jaccard(text, clause.clause) >= _LIKE for text in texts),
        )


def _covers(document: PlacedDocument, passages: Order, place: tuple[int, int]) -> bool:
    return (
        covered([(int(document.starts[each]), int(document.starts[each + 1])) for each in passages], place) >= COVERED
    )


def covered(ranges: Ranges, place: tuple[int, int]) -> float:
    """The share of a place that ranges, which do not overlap, cover."""
    start, end = place
    return sum(max(0, min(last, end) - max(first, start)) for first, last in ranges) / (end - start)


def _jaccard(one: str, other: str) -> float:
    """How many of the different words of two texts both have."""
    first, second = (set(places_of(text)) for text in (one, other))
    return len(first & second) / len(first | second) if first | second else 0.0
