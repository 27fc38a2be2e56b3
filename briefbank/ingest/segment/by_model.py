"""Has the local language model say where a section turns to another point. Text cannot change by it: the model sees
numbered pieces and answers with numbers, which are held against what is possible.

After the LLM semantic chunker of Smith and Troynikov 2024, 'Evaluating Chunking Strategies for Retrieval' (Chroma).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from briefbank.errors import ContextOverflowError, InvalidAnswerError, TimeLimitError
from briefbank.ingest.segment.breaks import PassageSize, choose_breaks
from briefbank.models.installed import Role
from briefbank.models.language import load_language_model
from briefbank.models.language.port import LanguageModel, Message, Priority, Request, read_prompt
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings

_LOG = logging.getLogger(__name__)
# Chosen, not measured.
_MOST_PIECES = 60
"""More at once make small models lose count."""
_TOKENS_A_CUT = 6
"""Room for a number of two or three digits, a comma and a space in the answer."""

Numbers = npt.NDArray[np.int64]


class ModelCutter:
    """Cuts sections with a language model, and counts those for which it gives no usable answer."""

    def __init__(self, model: LanguageModel, time_limit_s: float, cancel: CancelToken | None = None) -> None:
        """Take the model and the time that each of its answers may take."""
        self.asked_count = self.refused_count = 0
        self._model = model
        self._time_limit_s = time_limit_s
        self._cancel = cancel

    @property
    def recipe(self) -> str:
        """What the cuts depend on besides the text."""
        return f"{self._model.info.sha256}/{read_prompt('segment').version}"

    def close(self) -> None:
        """End the model."""
        self._model.close()

    def breaks(
        self, texts: Sequence[str], words: Numbers, ends_block: npt.NDArray[np.bool_], size: PassageSize
    ) -> list[int] | None:
        """As `choose_breaks`, of the pieces with these texts; None where the model gave no usable answer.

        Raises:
            LanguageModelError: the model cannot be used at all.
            CancelledError: it was cancelled.
        """
        self.asked_count += 1
        cuts: list[int] = []
        start = 0
        try:
            while start < len(texts):
                window = self._window(texts[start:], size)
                found = [start + cut for cut in self._ask(texts[start : start + window], size)]
                is_last = start + window == len(texts)
                # What follows the last cut of a window goes on in the next one, and is looked at again there.
                cuts += found
                start = len(texts) if is_last else (found[-1] if found else start + window)
        except (ContextOverflowError, InvalidAnswerError, TimeLimitError) as problem:
            self.refused_count += 1
            _LOG.info("a section is cut without the model: %s", problem.code)
            return None
        return _within_bounds([*cuts, len(texts)], words, ends_block, size)

    def _window(self, texts: Sequence[str], size: PassageSize) -> int:
        """How many pieces the model can be shown at once."""
        count = min(len(texts), _MOST_PIECES)
        room = self._model.info.context_tokens - _answer_tokens(count)
        while count > 1 and self._model.count_tokens(_messages(texts[:count], size)) > room:
            count = count * 3 // 4
        return count

    def _ask(self, texts: Sequence[str], size: PassageSize) -> list[int]:
        if len(texts) < 2:
            return []
        schema = {
            "type": "object",
            "properties": {
                "cuts": {
                    "type": "array",
                    "maxItems": len(texts),
                    "items": {"type": "integer", "minimum": 1, "maximum": len(texts)},
                }
            },
            "required": ["cuts"],
        }
        tokens = _answer_tokens(len(texts))
        request = Request(_messages(texts, size), tokens, self._time_limit_s, schema, Priority.BACKGROUND)
        cuts: list[int] = json.loads(self._model.answer(request, cancel=self._cancel).text)["cuts"]
        if any(later <= earlier for earlier, later in pairwise(cuts)):
            raise InvalidAnswerError("The model cut a section in an order that cannot be.")
        return [cut for cut in cuts if cut < len(texts)]


def load_cutter(settings: Settings, cancel: CancelToken) -> ModelCutter | None:
    """The cutter that the settings ask for, or None; its model is loaded when the first section is cut.

    Raises:
        ModelError: a language model is to cut, and none is installed.
    """
    if settings.segmenter != "model":
        return None
    return ModelCutter(load_language_model(Role.SEGMENT, settings), settings.llm_time_limit_s, cancel)


def _messages(texts: Sequence[str], size: PassageSize) -> tuple[Message, ...]:
    sentences = "\n".join(f"[{number}] {' '.join(text.split())}" for number, text in enumerate(texts, 1))
    return read_prompt("segment").messages(sentences=sentences, words=str(size.target))


def _answer_tokens(count: int) -> int:
    return 16 + _TOKENS_A_CUT * count


def _within_bounds(
    breaks: list[int], words: Numbers, ends_block: npt.NDArray[np.bool_], size: PassageSize
) -> list[int]:
    """The model's breaks with what is too short joined to what is beside it, and what is too long cut by size."""
    totals = np.concatenate(([0], np.cumsum(words)))
    kept: list[int] = []
    first = 0
    for end in breaks:
        is_short = totals[end] - totals[first] < size.least
        if is_short and end < breaks[-1]:
            continue
        if is_short and kept:
            kept.pop()
        kept.append(end)
        first = end
    bounded: list[int] = []
    for first, end in pairwise([0, *kept]):
        inner = [end]
        if totals[end] - totals[first] > size.most:
            inner = [first + cut for cut in choose_breaks(words[first:end], ends_block[first:end], None, size)]
        bounded += inner
    return bounded
