"""What models that the office added do for a search, where IT switched it on. A search never fails for want of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from briefbank.errors import LanguageModelError, ModelError
from briefbank.index.dense import Vector
from briefbank.models.encoders.port import Encoder, Reranker
from briefbank.platform.settings import Settings

if TYPE_CHECKING:
    from briefbank.models.language.port import LanguageModel
    from briefbank.search.expansion import Expander
    from briefbank.search.pointwise import Grader

_EXPANDED = "A language model added words of the law to the question."


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
    from briefbank.search.expansion import Expander
    from briefbank.search.pointwise import Grader

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
