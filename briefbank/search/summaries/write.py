"""Has the model write a summary: one question, then one for what was missed.

What the model is given of a brief are the passage, the questions that the brief presents, and the passages around it in
its section, the nearest first, within a budget of tokens: what does not fit is left out whole and counted. They are
given in document order, which measured best for extraction with language models (AG, "optimised retrieval").

Knows no bank, no cache, no window.
"""

from __future__ import annotations

import json
import logging
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby, takewhile

from briefbank.errors import ContextOverflowError, InvalidAnswerError, TimeLimitError
from briefbank.law.grounding.plain import words
from briefbank.models.language.port import Answer, LanguageModel, Message, Priority, Request, Speaker, read_prompt
from briefbank.platform.progress import CancelToken
from briefbank.values.records import Passage, SectionKind

_LONGEST = 320
"""Characters of a sentence: a grammar needs a bound, or a model that loops never ends."""


class SentenceTopic(StrEnum):
    """What a sentence tells of; the names in the model's answer."""

    LEGAL_ISSUE = "legal_issue"
    FACTS = "facts"
    POSTURE = "posture"


_TOPICS = {str(topic): topic for topic in SentenceTopic}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the model wrote it; it never shows in a `repr`."""

    topic: SentenceTopic
    text: str = field(repr=False)
    is_afterthought: bool = False
    """Whether the follow-up question brought it."""


def schema_of(counts: dict[SentenceTopic, int]) -> dict[str, object]:
    """The schema of an answer with at most so many sentences a topic."""
    sentence = {"type": "string", "maxLength": _LONGEST}
    properties = {
        str(topic): {"type": "array", "items": sentence, "maxItems": count} for topic, count in counts.items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": [str(topic) for topic in counts],
        "additionalProperties": False,
    }


class SentenceStream:
    """Is fed the answer piece by piece and yields each sentence when its closing quotation mark has come."""

    def __init__(self) -> None:
        self._raw = ""
        self._topic = ""
        self._is_in_string = self._is_in_list = self._is_escaped = False

    def feed(self, text: str) -> Iterator[tuple[SentenceTopic, str]]:
        """Take the next piece."""
        for character in text:
            if self._is_in_string:
                self._raw += character
                if character == '"' and not self._is_escaped:
                    self._is_in_string = False
                    yield from self._close()
                self._is_escaped = character == "\\" and not self._is_escaped
            elif character == '"':
                self._raw, self._is_in_string = character, True
            elif character in "[]":
                self._is_in_list = character == "["

    def _close(self) -> Iterator[tuple[SentenceTopic, str]]:
        """What is no JSON, or of no known topic, is passed over: the whole answer is refused for it later."""
        try:
            written = json.loads(self._raw, strict=False).encode("utf-8", "replace").decode("utf-8")
        except ValueError:
            return
        sentence = " ".join(written.split())
        if not self._is_in_list:
            self._topic = written
        elif sentence and self._topic in _TOPICS:
            yield _TOPICS[self._topic], sentence


_PASSAGE, _QUESTIONS, _SECTION = "PASSAGE", "QUESTIONS PRESENTED", "THE SAME SECTION"

_LOG = logging.getLogger(__name__)

_FIRST = {SentenceTopic.LEGAL_ISSUE: 2, SentenceTopic.FACTS: 4, SentenceTopic.POSTURE: 2}
_MISSED = {SentenceTopic.LEGAL_ISSUE: 1, SentenceTopic.FACTS: 2, SentenceTopic.POSTURE: 1}
_FIRST_TOKENS, _MISSED_TOKENS = 900, 500
_PROMPT_TOKENS = 3_000
"""More is not given, though the context may be longer: a laptop reads some 25 tokens a second."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What the model is asked about a passage, and the excerpts given with it: the passage first, then by priority.

    `left_out` counts the passages of its section and of the questions presented for which there was no room.
    """

    messages: tuple[Message, ...]
    excerpts: tuple[Passage, ...]
    left_out: int


def compose(
    passage: Passage,
    passages: Sequence[Passage],
    budget_tokens: int,
    count_tokens: Callable[[tuple[Message, ...]], int],
) -> Composed:
    """Compose the first question about a passage; `passages` are all of its document, in their order.

    Raises:
        ContextOverflowError: the passage alone does not fit.
    """
    wanted = by_priority(passage, passages)
    # The more is taken, the more tokens: how many fit is found by halving.
    count = bisect_right(range(1, len(wanted) + 1), budget_tokens, key=lambda n: count_tokens(_messages(wanted[:n])))
    if count == 0:
        raise ContextOverflowError(
            "This passage is too long for the language model's context.",
            "Ask IT staff for a model with a longer context.",
        )
    taken = wanted[:count]
    return Composed(_messages(taken), tuple(taken), len(wanted) - count)


def by_priority(passage: Passage, passages: Sequence[Passage]) -> list[Passage]:
    """The passage first, then the brief's questions presented, then its section from the passage outwards."""
    questions = [each for each in passages if each.section_kind is SectionKind.QUESTIONS and not each.is_footnotes]
    section = sorted(_section(passage, passages), key=lambda each: (abs(each.order - passage.order), each.order))
    return list({each.id: each for each in (passage, *questions, *section)}.values())


def source_of(excerpts: Sequence[Passage]) -> str:
    """All words of the brief that stand in the excerpts and the headings above them."""
    headings = dict.fromkeys(heading for each in excerpts for heading in each.section_path)
    return "\n\n".join((*headings, *(each.text for each in sorted(excerpts, key=lambda each: each.order))))


def _section(passage: Passage, passages: Sequence[Passage]) -> list[Passage]:
    """The run of passages under one heading that the passage belongs to."""

    def is_same(other: Passage) -> bool:
        return (other.section_kind, other.section_path, other.is_footnotes) == (
            passage.section_kind,
            passage.section_path,
            passage.is_footnotes,
        )

    behind = takewhile(is_same, (each for each in passages if each.order > passage.order))
    before = takewhile(is_same, (each for each in reversed(passages) if each.order < passage.order))
    return [*before, *behind]


def _messages(taken: Sequence[Passage]) -> tuple[Message, ...]:
    return read_prompt("summary").messages(excerpts=_excerpts(taken))


def _excerpts(taken: Sequence[Passage]) -> str:
    """The excerpts in document order, each under what it is and its headings; `taken` begins with the passage."""
    passage = taken[0]

    def heading(each: Passage) -> str:
        kind = _QUESTIONS if each.section_kind is SectionKind.QUESTIONS and each is not passage else _SECTION
        return " > ".join((_PASSAGE if each is passage else kind, *each.section_path))

    ordered = sorted(taken, key=lambda each: each.order)
    runs = ((title, "\n".join(each.text for each in run)) for title, run in groupby(ordered, key=heading))
    return "\n\n".join(f"### {title}\n{text}" for title, text in runs)


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
        spoken = tuple(words(text))
        if spoken and spoken not in known:
            known.add(spoken)
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
