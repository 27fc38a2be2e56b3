"""Has the model write a summary: one question, then one for what was missed. Knows no bank, no cache, no window."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from briefbank.errors import ContextOverflowError, InvalidAnswerError, TimeLimitError
from briefbank.law.grounding.plain import words
from briefbank.models.language.port import Answer, LanguageModel, Message, Priority, Request, Speaker
from briefbank.models.language.prompt_text import read_prompt
from briefbank.platform.progress import CancelToken
from briefbank.records import Passage
from briefbank.summaries.compose import Composed, compose
from briefbank.summaries.sentences import Sentence, SentenceStream, SentenceTopic, schema_of

_LOG = logging.getLogger(__name__)

_FIRST = {SentenceTopic.LEGAL_ISSUE: 2, SentenceTopic.FACTS: 4, SentenceTopic.POSTURE: 2}
_MISSED = {SentenceTopic.LEGAL_ISSUE: 1, SentenceTopic.FACTS: 2, SentenceTopic.POSTURE: 1}
_FIRST_TOKENS, _MISSED_TOKENS = 900, 500
_PROMPT_TOKENS = 3_000
"""More is not given, though the context may be longer: a laptop reads some 25 tokens a second."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How urgent a summary is, and how long each of its two answers may take."""

    priority: Priority
    time_limit_s: float


def compose_for(passage: Passage, passages: Sequence[Passage], model: LanguageModel) -> Composed:
    """What this model is given for a passage; room for both answers and the second question is kept free.

    Raises:
        ContextOverflowError: the passage alone does not fit.
        LanguageModelError: the model cannot be used.
    """
    kept_free = _FIRST_TOKENS + _MISSED_TOKENS + model.count_tokens((_follow_up(),))
    budget = min(model.info.context_tokens - kept_free, _PROMPT_TOKENS)
    return compose(passage, passages, budget, model.count_tokens)


def write_summary(
    composed: Composed,
    model: LanguageModel,
    pace: Pace,
    on_sentence: Callable[[Sentence], None],
    cancel: CancelToken,
) -> tuple[Sentence, ...]:
    """Return the sentences; `on_sentence` is told each when it is complete.

    What the second question brings is an extra: where it fails, the first answer stands.

    Raises:
        ContextOverflowError, InvalidAnswerError, TimeLimitError, LanguageModelError, CancelledError: as
            `LanguageModel.answer`.
    """
    written: list[Sentence] = []
    known: set[tuple[str, ...]] = set()

    def take(topic: SentenceTopic, text: str, *, is_afterthought: bool) -> None:
        told = tuple(words(text))
        if told and told not in known:
            known.add(told)
            written.append(Sentence(topic, text, is_afterthought))
            on_sentence(written[-1])

    def ask(messages: tuple[Message, ...], counts: dict[SentenceTopic, int], tokens: int, *, again: bool) -> Answer:
        stream = SentenceStream()

        def on_text(piece: str) -> None:
            for topic, text in stream.feed(piece):
                take(topic, text, is_afterthought=again)

        request = Request(messages, tokens, pace.time_limit_s, schema_of(counts), pace.priority)
        answer = model.answer(request, on_text=on_text, cancel=cancel)
        for topic, text in SentenceStream().feed(answer.text):  # whatever was not told on the way
            take(topic, text, is_afterthought=again)
        return answer

    answer = ask(composed.messages, _FIRST, _FIRST_TOKENS, again=False)
    messages = (*composed.messages, Message(Speaker.ASSISTANT, answer.text), _follow_up())
    try:
        ask(messages, _MISSED, _MISSED_TOKENS, again=True)
    except (ContextOverflowError, InvalidAnswerError, TimeLimitError) as problem:
        _LOG.info("the follow-up question got no answer: %s", problem.code)
    return tuple(written)


def _follow_up() -> Message:
    return Message(Speaker.USER, read_prompt("summary_missed").user)
