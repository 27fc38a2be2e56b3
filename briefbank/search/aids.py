"""What models that the office added do for a search, where IT switched it on: a language model puts the question in the
words of the law or grades the best passages, a cross-encoder reads these. A search never fails for want of one.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from briefbank.errors import InvalidAnswerError, LanguageModelError, ModelError, TimeLimitError
from briefbank.index.dense import Vector
from briefbank.ingest.sentences import sentence_spans
from briefbank.models.encoders.port import Encoder, Reranker, RerankerScores
from briefbank.models.language.port import LanguageModel, Priority, Request, read_prompt
from briefbank.platform.progress import CancelToken
from briefbank.platform.regex import bounded
from briefbank.platform.settings import Settings
from briefbank.search.scope import Scores

if TYPE_CHECKING:
    from briefbank.models.installed import Role

_EXPANDED = "A language model added words of the law to the question."
_PARTS = {"issue": 300, "rule": 400, "analysis": 500, "query": 400}
"""What the model is asked for, and the most characters of each."""
_EXPANSION_SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string", "maxLength": most} for name, most in _PARTS.items()},
    "required": list(_PARTS),
}
_EXPANSION_TOKENS = 500
_NUMBERED = bounded(r"\w*\d\w*")
_KEPT = 256
"""Expansions kept in memory: the same question is asked again when a filter changes."""
_FAILURES_IN_A_ROW = 2
BEST_GRADE = 4
_GRADE_SCHEMA = {
    "type": "object",
    "properties": {"grade": {"type": "integer", "minimum": 0, "maximum": BEST_GRADE}},
    "required": ["grade"],
}
# The whole answer is `{"grade": 4}`.
_GRADE_TOKENS = 16
# Four pairs take 0.3 to 2 s of one core (docs/evaluation.md, “A cross-encoder of your own”), and by no more than that a
# search may overrun its limit.
_AT_ONCE = 4
"""Passages that a cross-encoder reads between two looks at the clock."""


class Expander:
    """Expands questions with a language model; gives up for good when it fails twice running.

    After the query expansion by issue, rule, application and conclusion of "NJ BriefBank" (its figure 9), with its
    constraints enforced on the answer, not only asked for: no statute, case, number, name or jurisdiction that the
    question does not contain. What the model wrote is searched with and never shown, kept or logged.
    """

    def __init__(self, model: LanguageModel, share: float, time_limit_s: float) -> None:
        """Take the model, the share of the expanded question in the meaning searched for, and the time it may take."""
        self._model = model
        self._share = share
        self._time_limit_s = time_limit_s
        self._known: OrderedDict[str, str] = OrderedDict()
        self._failures = 0

    @property
    def is_given_up(self) -> bool:
        """Whether it failed so often that it is not asked any more."""
        return self._failures >= _FAILURES_IN_A_ROW

    def towards_meaning(self, question: str, vector: Vector, encoder: Encoder) -> Vector:
        """The vector of a question, moved towards that of its expansion; of length 1.

        Raises:
            LanguageModelError: there is no expansion, for a reason that can be told.
        """
        expansion = self.expand(question)
        if not expansion:
            return vector
        expanded = encoder.encode_queries([f"{question}\n{expansion}"])[0]
        moved = (1 - self._share) * vector + self._share * expanded
        result: Vector = (moved / np.linalg.norm(moved)).astype(np.float32)
        return result

    def expand(self, question: str) -> str:
        """What the question is about in the words of the law; empty where all of it went beyond the question.

        Raises:
            LanguageModelError: the model cannot be used, is too slow, or answers nonsense.
        """
        if question in self._known:
            self._known.move_to_end(question)
            return self._known[question]
        if self.is_given_up:
            raise LanguageModelError("The language model failed twice; it is not asked again.", "Open the bank again.")
        request = Request(
            read_prompt("expand").messages(query=question),
            _EXPANSION_TOKENS,
            self._time_limit_s,
            schema=_EXPANSION_SCHEMA,
        )
        try:
            answer = json.loads(self._model.answer(request).text)
        except LanguageModelError:
            self._failures += 1
            raise
        self._failures = 0
        expansion = _within(question, " ".join(answer[part] for part in _PARTS if answer[part].strip()))
        self._known[question] = expansion
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return expansion


def _within(question: str, text: str) -> str:
    """The sentences of a text that name nothing the question does not; no digit is let in whatever it stands for."""
    from briefbank.law.grounding import Source  # slow to import, and most banks expand nothing

    source = Source(question)
    asked = set(_NUMBERED.findall(question))
    sentences = (" ".join(text[span.start : span.end].split()) for span in sentence_spans(text))
    return " ".join(
        sentence
        for sentence in sentences
        if sentence and asked.issuperset(_NUMBERED.findall(sentence)) and not source.doubts(sentence)
    )


class Grader:
    """Grades passages for a question from 0 to 4, one by one.

    Pointwise, after ACORD (its appendix D), where grading one passage at a time did better than comparing two.
    """

    def __init__(self, model: LanguageModel, time_limit_s: float, priority: Priority = Priority.WAITED_FOR) -> None:
        """Take the model and the time that all grades of one question may take together."""
        self._model = model
        self._time_limit_s = time_limit_s
        self._priority = priority

    def grades(self, question: str, passages: Sequence[str], cancel: CancelToken | None = None) -> list[int]:
        """The grades of the first passages, as many as there was time for; an answer that makes no sense ends them.

        Raises:
            LanguageModelError: the model cannot be used.
            ContextOverflowError: a passage is too long for it.
            CancelledError: it was cancelled.
        """
        found: list[int] = []
        end = time.monotonic() + self._time_limit_s
        for passage in passages:
            left = end - time.monotonic()
            if left <= 0:
                break
            messages = read_prompt("grade").messages(query=question, passage=passage)
            try:
                request = Request(messages, _GRADE_TOKENS, left, _GRADE_SCHEMA, self._priority)
                answer = self._model.answer(request, cancel=cancel)
            except (TimeLimitError, InvalidAnswerError):
                break
            found.append(int(json.loads(answer.text)["grade"]))
        return found


@dataclass(frozen=True, slots=True)
class Reranking:
    """Puts the best results in order by a cross-encoder's scores alone, since nobody knows what they would weigh beside
    the fused ones; these decide between equal ones.

    Passages for which `time_limit_s` leaves no time keep their places behind those that were read.
    """

    reranker: Reranker
    depth: int
    time_limit_s: float

    def order(self, question: str, passages: Sequence[str], fused: Scores) -> tuple[list[int], tuple[str, ...]]:
        """Places of the first passages, the best first, and what people should know of it; `fused` are the scores so
        far, shape (passages,), falling.
        """
        end = time.monotonic() + self.time_limit_s
        read: list[RerankerScores] = []
        try:
            for start in range(0, len(passages), _AT_ONCE):
                if read and time.monotonic() >= end:
                    break
                read.append(self.reranker.scores(question, passages[start : start + _AT_ONCE]))
        except ModelError as problem:
            return [], (f"Ranked without the cross-encoder: {problem.message}",)
        scores = np.concatenate(read)
        order = np.lexsort((-fused[: len(scores)], -scores))
        return list(map(int, order)), (f"A cross-encoder chose the order of the best {len(scores)}.",)


@dataclass(frozen=True, slots=True)
class ModelAids:
    """The expander of questions, the grader of the best `graded_count` passages, and the cross-encoder that reads them
    in its place; None where not in use.

    `missing` says in a sentence what is switched on but cannot be used; `models` are the language models.
    """

    expander: Expander | None = None
    grader: Grader | None = None
    graded_count: int = 0
    missing: tuple[str, ...] = ()
    models: tuple[LanguageModel, ...] = ()
    cross_encoder: Reranker | None = None

    def close(self) -> None:
        """End the models."""
        for model in self.models:
            model.close()

    def meaning(self, question: str, vector: Vector, encoder: Encoder) -> tuple[Vector, tuple[str, ...]]:
        """The vector to search with, and what people should know of how it came about."""
        if self.expander is None or self.expander.is_given_up:
            return vector, self.missing
        try:
            moved = self.expander.towards_meaning(question, vector, encoder)
        except LanguageModelError as problem:
            return vector, (*self.missing, f"Searched without rewording the question: {problem.message}")
        return moved, self.missing if moved is vector else (*self.missing, _EXPANDED)

    def order(self, question: str, passages: list[str]) -> tuple[list[int], tuple[str, ...]]:
        """The best places of the passages, by grade and then as they were; and what people should know of it.

        Passages for which there was no time keep their places behind those that were graded.
        """
        grades: list[int] = []
        notices: tuple[str, ...] = ()
        if self.grader is not None and passages:
            try:
                grades = self.grader.grades(question, passages)
            except LanguageModelError as problem:
                notices = (f"Ranked without the language model: {problem.message}",)
        if grades:
            notices = (f"A language model chose the order of the best {len(grades)}.",)
        graded = sorted(range(len(grades)), key=lambda place: (-grades[place], place))
        return [*graded, *range(len(grades), len(passages))], notices


def load_aids(settings: Settings) -> ModelAids:
    """The aids that the settings ask for; models are loaded by the first search that needs them."""
    if not settings.expansion_share and not settings.graded_results:
        return ModelAids()
    from briefbank.models.installed import Role, model_for
    from briefbank.models.language import load_language_model

    models: dict[str, LanguageModel] = {}
    missing: list[str] = []
    expander = grader = cross_encoder = None

    def of(role: Role) -> LanguageModel:
        model = load_language_model(role, settings)
        return models.setdefault(model.info.sha256, model)  # not yet loaded: one that does both takes its memory once

    try:
        if settings.expansion_share:
            expander = Expander(of(Role.EXPAND), settings.expansion_share, settings.expansion_time_s)
    except ModelError as problem:
        missing.append(f"Searched without rewording the question: {problem.message}")
    ranks = "language model"
    try:
        if settings.graded_results:
            ranker = model_for(Role.RERANK)
            if ranker is None or ranker.format == "gguf":
                grader = Grader(of(Role.RERANK), settings.grading_time_s)
            else:
                from briefbank.models.encoders.cross_encoder import load_cross_encoder

                ranks = "cross-encoder"
                cross_encoder = load_cross_encoder(ranker)
    except ModelError as problem:
        missing.append(f"Ranked without the {ranks}: {problem.message}")
    return ModelAids(expander, grader, settings.graded_results, tuple(missing), tuple(models.values()), cross_encoder)
