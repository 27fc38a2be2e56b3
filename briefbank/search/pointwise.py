"""The best passages read one by one and graded by the local language model; must not know where they come from.

Pointwise, after ACORD (its appendix D), where grading one passage at a time did better than comparing two.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from briefbank.errors import InvalidAnswerError, TimeLimitError
from briefbank.models.language.port import LanguageModel, Priority, Request, read_prompt
from briefbank.platform.progress import CancelToken

BEST_GRADE = 4
_SCHEMA = {
    "type": "object",
    "properties": {"grade": {"type": "integer", "minimum": 0, "maximum": BEST_GRADE}},
    "required": ["grade"],
}
_MAX_TOKENS = 16


class Grader:
    """Grades passages for a question from 0 to 4."""

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
                request = Request(messages, _MAX_TOKENS, left, _SCHEMA, self._priority)
                answer = self._model.answer(request, cancel=cancel)
            except (TimeLimitError, InvalidAnswerError):
                break
            found.append(int(json.loads(answer.text)["grade"]))
        return found
