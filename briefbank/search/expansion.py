"""A question put in the words of the law by the local language model, so that its meaning is found more surely.

After the query expansion by issue, rule, application and conclusion of "NJ BriefBank" (its figure 9), with its
constraints enforced on the answer, not only asked for: no statute, case, number, name or jurisdiction that the question
does not contain. What the model wrote is searched with and never shown, kept or logged.
"""

from __future__ import annotations

import json
from collections import OrderedDict

import numpy as np

from briefbank.errors import LanguageModelError
from briefbank.index.dense import Vector
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.grounding import Source
from briefbank.models.encoders.port import Encoder
from briefbank.models.language.port import LanguageModel, Request, read_prompt
from briefbank.platform.regex import bounded

_PARTS = {"issue": 300, "rule": 400, "analysis": 500, "query": 400}
"""What the model is asked for, and the most characters of each."""
_SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string", "maxLength": most} for name, most in _PARTS.items()},
    "required": list(_PARTS),
}
_MAX_TOKENS = 500
_NUMBERED = bounded(r"\w*\d\w*")
_KEPT = 256
"""Expansions kept in memory: the same question is asked again when a filter changes."""
_FAILURES_IN_A_ROW = 2


class Expander:
    """Expands questions with a language model; gives up for good when it fails twice running."""

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
            read_prompt("expand").messages(query=question), _MAX_TOKENS, self._time_limit_s, schema=_SCHEMA
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
    source = Source(question)
    asked = set(_NUMBERED.findall(question))
    sentences = (" ".join(text[span.start : span.end].split()) for span in sentence_spans(text))
    return " ".join(
        sentence
        for sentence in sentences
        if sentence and asked.issuperset(_NUMBERED.findall(sentence)) and not source.doubts(sentence)
    )
