"""What is made of annotated clauses: profiles, one for each category, with its clauses as samples and keywords mined
from them; and a checklist with an item for each, and what its signals weigh. Touches no bank.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from briefbank.errors import UsageError
from briefbank.index.generation import Generation
from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import is_telling, tokenise
from briefbank.judgements.evaluate.spans.annotations import (
    AnnotatedSpan,
    PlacedDocument,
    indexed,
    placed_documents,
    read_spans,
)
from briefbank.judgements.evaluate.spans.run import COVERED, covered
from briefbank.models.encoders.port import Embeddings, Encoder, WordMeans
from briefbank.models.encoders.words import WordTable
from briefbank.platform.files import new_file, new_folder
from briefbank.platform.layout import PROFILE_SUFFIX
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent
from briefbank.platform.settings import Settings
from briefbank.search.checklists.checklist import Checklist, ChecklistItem, write_checklist
from briefbank.search.checklists.presence import Evidence, ItemSignals, Signals, shown_places
from briefbank.search.checklists.run import DocumentPassages, document_passages
from briefbank.search.profiles.keywords import mined_keywords
from briefbank.search.profiles.profile import Profile, Sample, write_profile
from briefbank.search.profiles.ranking import central_places, prepare

_FOLDS = 5
"""Parts of the documents: each is scored by samples of the others, for a sample is always like itself."""
_LEAST_OVERLAP = 30
"""Characters of a clause that a passage must hold to count as an answer: less is the end of another paragraph."""
_RIDGE = 1.0
"""Weight of the squared coefficients, over standardised signals. Chosen, not tuned: three signals overfit little."""
_STEPS = 25
_THRESHOLDS = np.round(np.geomspace(0.01, 0.9, 60), 4)
_LEAST_DOCUMENTS = 5
"""Documents with a category below which nothing is fitted to it."""


def mine_profiles(
    spans_file: Path,
    folder: Path,
    out: Path,
    settings: Settings,
    *,
    categories: Sequence[str] = (),
    cache_folder: Path | None = None,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> tuple[Profile, ...]:
    """Write a profile for every category of annotated clauses into a new folder, and return them. The folder of
    documents is indexed, to tell which words are rare.

    Raises:
        SourceError: the clauses or the folder cannot be read.
        UsageError: there is something at `out`, or no such category.
        ModelError, NoSpaceError, CancelledError: as their names say.
    """
    spans = read_spans(spans_file, categories).spans
    with (
        new_folder(out) as written,
        indexed(folder, settings, cache_folder, reporter, cancel or CancelToken()) as (generation, encoder),
    ):
        profiles = tuple(profiles_of(spans, generation.lexical, encoder))
        for profile in profiles:
            (written / f"{profile.file_name}{PROFILE_SUFFIX}").write_bytes(write_profile(profile))
    return profiles


def profiles_of(spans: Iterable[AnnotatedSpan], index: TermIndex, encoder: Encoder) -> Iterable[Profile]:
    """A profile for each category, in the order of names; one whose clauses hold no word is left out."""
    by_category: dict[str, dict[str, None]] = {}
    for each in spans:
        by_category.setdefault(each.category, {})[each.clause] = None
    for category, clauses in sorted(by_category.items()):
        texts = [text for text in clauses if any(is_telling(token.term) for token in tokenise(text))]
        if texts:
            places = set(central_places(encoder.encode_passages(texts)))
            samples = tuple(Sample(text, central=place in places) for place, text in enumerate(texts))
            yield Profile(category, category, samples, mined_keywords(texts, index))


def fit_checklist(
    spans_file: Path,
    folder: Path,
    out: Path,
    settings: Settings,
    *,
    categories: Sequence[str] = (),
    cache_folder: Path | None = None,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> Checklist:
    """Write a checklist with an item for every category of annotated clauses, each with the profile of its name
    (`mine_profiles` makes them), and return it.

    Raises:
        SourceError: the clauses or the folder cannot be read.
        UsageError: there is something at `out`, or too few documents hold any of the categories.
        ModelError, NoSpaceError, CancelledError: as their names say.
    """
    stop = cancel or CancelToken()
    spans = read_spans(spans_file, categories)
    with new_file(out) as written, indexed(folder, settings, cache_folder, reporter, stop) as (generation, encoder):
        documents = placed_documents(generation, folder, spans.files)
        fitting = _Fitting(generation, _Remembering(encoder), list(documents.values()), spans.spans)
        items = []
        for done, category in enumerate(spans.categories):
            stop.check()
            reporter(Progress("fitting", done, len(spans.categories), unit="categories"))
            items.append(ChecklistItem(category, profile=category, evidence=fitting.evidence(category)))
        if not any(each.evidence for each in items):
            message = f"No category is in {_LEAST_DOCUMENTS} documents, so that nothing can be fitted."
            raise UsageError(message, "Annotate more of them.")
        checklist = Checklist(spans_file.stem, tuple(items), "Fitted to annotated clauses.", encoder.digest)
        written.write_bytes(write_checklist(checklist))
    return checklist


class _Remembering:
    """An encoder that encodes each text once: every clause is a sample in all folds but its own."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, npt.NDArray[np.float32]] = {}
        self.dimension, self.digest, self.precision = encoder.dimension, encoder.digest, encoder.precision

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known |= dict(zip(missing, self._encoder.encode_passages(missing), strict=True))
        return np.stack([self._known[text] for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._encoder.encode_queries(texts)

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        return self._encoder.word_means(texts)

    def word_table(self, folder: Path) -> WordTable:
        return self._encoder.word_table(folder)


@dataclass(frozen=True, slots=True)
class _Case:
    """One document for one category: the signals of its passages, which of them answer, and where the clauses stand."""

    document: PlacedDocument
    signals: Signals
    is_answer: npt.NDArray[np.bool_]
    clauses: tuple[tuple[int, int], ...]
    at: npt.NDArray[np.int64]
    """The places of the scored passages among those of the document."""


class _Fitting:
    def __init__(
        self,
        generation: Generation,
        encoder: Encoder,
        documents: Sequence[PlacedDocument],
        spans: Sequence[AnnotatedSpan],
    ) -> None:
        self._generation, self._encoder, self._documents, self._spans = generation, encoder, documents, spans
        self._read: dict[str, DocumentPassages] = {}

    def evidence(self, category: str) -> Evidence | None:
        """What the signals of a category weigh; None where too few documents hold it."""
        of_category = [each for each in self._spans if each.category == category]
        if len({each.file for each in of_category}) < _LEAST_DOCUMENTS:
            return None
        cases = [case for fold in range(_FOLDS) for case in self._cases(fold, of_category)]
        weigh = _weighed(
            np.vstack([each.signals for each in cases]), np.concatenate([each.is_answer for each in cases])
        )
        return max((weigh(threshold) for threshold in _THRESHOLDS.tolist()), key=lambda each: _f1(cases, each))

    def _cases(self, fold: int, spans: Sequence[AnnotatedSpan]) -> Iterable[_Case]:
        """The documents of a fold, scored by the samples of the others."""
        others = [each for each in spans if _fold(each.file) != fold]
        profiles = tuple(profiles_of(others, self._generation.lexical, self._encoder))
        if not profiles:
            return
        signals = ItemSignals(prepare(profiles[0], self._generation, self._encoder), self._generation)
        for document in self._documents:
            if _fold(document.file) == fold:
                found = (document.place(each.clause) for each in spans if each.file == document.file)
                yield self._case(document, signals, tuple(place for place in found if place))

    def _case(self, document: PlacedDocument, signals: ItemSignals, clauses: tuple[tuple[int, int], ...]) -> _Case:
        read = self._read.setdefault(
            document.file, document_passages(self._generation, document.document_id).within(())
        )
        at = np.searchsorted(document.rows, read.rows)
        held = [sum(_overlap(document, int(each), clause) for clause in clauses) for each in at]
        is_answer = np.array(held) >= _LEAST_OVERLAP
        return _Case(document, signals.signals(read.rows, read.vectors, read.places), is_answer, clauses, at)


def _overlap(document: PlacedDocument, place: int, clause: tuple[int, int]) -> int:
    """The characters of a clause that a passage holds."""
    first, last = int(document.starts[place]), int(document.starts[place + 1])
    return max(0, min(last, clause[1]) - max(first, clause[0]))


def _fold(file: str) -> int:
    return hashlib.sha256(file.encode()).digest()[0] % _FOLDS


def _weighed(signals: Signals, is_answer: npt.NDArray[np.bool_]) -> Callable[[float], Evidence]:
    """A ridge logistic regression by Newton's method; takes the threshold that goes with it."""
    mean, spread = signals.mean(axis=0), signals.std(axis=0) + 1e-9
    inputs = np.column_stack([np.ones(len(signals)), (signals - mean) / spread])
    penalty = np.diag([0.0, *[_RIDGE] * signals.shape[1]])
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (is_answer - expected) - penalty @ weights
        curvature = (inputs * (expected * (1 - expected))[:, None]).T @ inputs + penalty
        weights += np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), gradient)
    slopes = weights[1:] / spread
    constant = float(weights[0] - slopes @ mean)
    meaning, words, keywords = (round(float(each), 3) for each in slopes)
    return lambda threshold: Evidence(round(constant, 3), meaning, words, keywords, threshold)


def _f1(cases: Sequence[_Case], evidence: Evidence) -> float:
    """F1 over clauses: found where 75 % of one is shown, false where a document without any has something shown."""
    found = missed = false = 0
    for case in cases:
        shown = case.at[shown_places(evidence.probabilities(case.signals), evidence.threshold)]
        starts = case.document.starts
        ranges = [(int(starts[place]), int(starts[place + 1])) for place in shown]
        hits = sum(covered(ranges, clause) >= COVERED for clause in case.clauses)
        found, missed = found + hits, missed + len(case.clauses) - hits
        false += bool(ranges) and not case.clauses
    return 2 * found / (2 * found + missed + false) if found else 0.0
