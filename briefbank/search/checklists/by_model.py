"""Has the local language model choose the sentences that answer an item. Text cannot change by it: the model sees
numbered sentences and answers with numbers, which are held against those that there are.

As in [AG] ("optimised retrieval", 2024), whose steps measured best for extraction: the ten best passages in document
order, the definition, the request, the keywords that deserve attention, then one question that accuses the model of
having missed something.
"""

from __future__ import annotations

import json
import logging
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from briefbank.errors import ContextOverflowError, InvalidAnswerError, TimeLimitError
from briefbank.models.language.port import LanguageModel, Message, Priority, Request, Speaker, read_prompt
from briefbank.platform.progress import CancelToken
from briefbank.search.checklists.checklist import ChecklistItem
from briefbank.values.records import Passage, Span

PASSAGES = 10
"""How many of the best passages the model reads: with twenty, [AG] saw worse answers."""
_TOKENS_A_NUMBER = 6
"""Room for a number of two or three digits, a comma and a space in the answer."""
_MOST_SENTENCES = 60
"""So many sentences in one answer at most: more are no extract any more. Chosen, not measured."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CutPassage:
    """A passage with the ranges of its sentences, in order."""

    passage: Passage
    sentences: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the model chose, in document order. `left_out` counts the passages for which it had no room; `has_failed`:
    it gave no usable answer, and chose nothing.
    """

    extracts: tuple[tuple[Passage, Span], ...] = ()
    left_out: int = 0
    has_failed: bool = False


class SentenceChooser:
    """Asks one model about items, one after the other."""

    def __init__(self, model: LanguageModel, time_limit_s: float, cancel: CancelToken) -> None:
        """Take the model and the time that each of its two answers may take."""
        self._model, self._time_limit_s, self._cancel = model, time_limit_s, cancel

    @property
    def model_name(self) -> str:
        """The model, as the models folder calls it."""
        return self._model.info.name

    def choose(self, item: ChecklistItem, best: Sequence[CutPassage]) -> Chosen:
        """Choose among the sentences of passages, given best first.

        Raises:
            LanguageModelError: the model cannot be used at all.
            CancelledError: asked to stop.
        """
        fitting = self._fitting(item, best[:PASSAGES])
        if not fitting:
            return Chosen(left_out=len(best), has_failed=bool(best))
        shown = sorted(fitting, key=lambda each: each.passage.order)
        count = sum(len(each.sentences) for each in shown)
        messages = _messages(item, shown)
        try:
            first = self._ask(messages, count)
        except (ContextOverflowError, InvalidAnswerError, TimeLimitError) as problem:
            _LOG.info("an item is answered without the model: %s", problem.code)
            return Chosen(left_out=len(best) - len(fitting), has_failed=True)
        numbers = first | self._missed(item, messages, first, count)
        return Chosen(tuple(_extracts(shown, numbers)), len(best) - len(fitting))

    def _fitting(self, item: ChecklistItem, best: Sequence[CutPassage]) -> Sequence[CutPassage]:
        """As many of the best as the context has room for, with both answers and the second question."""
        kept_free = 2 * _answer_tokens(_MOST_SENTENCES) + self._model.count_tokens((_follow_up(item),))
        room = self._model.info.context_tokens - kept_free

        def taken(count: int) -> int:
            shown = sorted(best[:count], key=lambda each: each.passage.order)
            return self._model.count_tokens(_messages(item, shown))

        # The more passages, the more tokens: how many fit is found by halving.
        return best[: bisect_right(range(1, len(best) + 1), room, key=taken)]

    def _missed(self, item: ChecklistItem, messages: tuple[Message, ...], first: set[int], count: int) -> set[int]:
        """What the second question brings: an extra, so that where it fails the first answer stands."""
        said = Message(Speaker.ASSISTANT, json.dumps({"sentences": sorted(first)}))
        try:
            return self._ask((*messages, said, _follow_up(item)), count)
        except (ContextOverflowError, InvalidAnswerError, TimeLimitError) as problem:
            _LOG.info("the follow-up question got no answer: %s", problem.code)
            return set()

    def _ask(self, messages: tuple[Message, ...], count: int) -> set[int]:
        most = min(count, _MOST_SENTENCES)
        numbers = {"type": "integer", "minimum": 1, "maximum": count}
        schema = {
            "type": "object",
            "properties": {"sentences": {"type": "array", "maxItems": most, "items": numbers}},
            "required": ["sentences"],
        }
        request = Request(messages, _answer_tokens(most), self._time_limit_s, schema, Priority.BACKGROUND)
        answer: Mapping[str, list[int]] = json.loads(self._model.answer(request, cancel=self._cancel).text)
        return set(answer["sentences"])


def _messages(item: ChecklistItem, shown: Sequence[CutPassage]) -> tuple[Message, ...]:
    parts, number = [], 0
    for each in shown:
        lines = []
        for span in each.sentences:
            number += 1
            lines.append(f"[{number}] {' '.join(each.passage.text[slice(*span)].split())}")
        parts.append("\n".join([f"### {' > '.join(each.passage.section_path) or 'EXCERPT'}", *lines]))
    return read_prompt("checklist").messages(
        excerpts="\n\n".join(parts), definition=item.definition, request=_request(item), keywords=_attention(item)
    )


def _request(item: ChecklistItem) -> str:
    asked = f" {item.question}" if item.question else ""
    return f"Does the brief say anything under “{item.name}”?{asked}"


def _attention(item: ChecklistItem) -> str:
    terms = ", ".join(f"“{keyword.text}”" for keyword in item.keywords)
    said = f" Assume that every sentence that holds these words is relevant, and examine it thoroughly: {terms}."
    return said if terms else ""


def _follow_up(item: ChecklistItem) -> Message:
    (message,) = read_prompt("checklist_missed").messages(keywords=_attention(item))
    return message


def _answer_tokens(count: int) -> int:
    return 16 + _TOKENS_A_NUMBER * count


def _extracts(shown: Sequence[CutPassage], numbers: set[int]) -> list[tuple[Passage, Span]]:
    """The chosen sentences, those in a row as one range of their passage."""
    extracts: list[tuple[Passage, Span]] = []
    number = 0
    for each in shown:
        is_open = False
        for span in each.sentences:
            number += 1
            if number in numbers:
                start = extracts.pop()[1].start if is_open else span.start
                extracts.append((each.passage, Span(start, span.end)))
            is_open = number in numbers
    return [(passage, _stripped(passage.text, span)) for passage, span in extracts]


def _stripped(text: str, span: Span) -> Span:
    words = text[slice(*span)]
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, start + len(words.strip()))
