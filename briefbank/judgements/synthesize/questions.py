"""Chooses passages that a question can be made up for, and has the language model write one, held against its passage.

After the synthetic queries of "NJ BriefBank" (its figure 6), with the curation that the paper found decisive: passages
that help nobody are declined, questions that name what cannot be known or copy the passage are dropped.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from briefbank.errors import ContextOverflowError, InvalidAnswerError, TimeLimitError
from briefbank.index.generation import Generation
from briefbank.index.tokens import surfaces
from briefbank.law.grounding import Source
from briefbank.models.language.port import LanguageModel, Priority, Request
from briefbank.models.language.prompt_text import read_prompt
from briefbank.platform.progress import CancelToken
from briefbank.records import Passage, SectionKind
from briefbank.search.signals import argument_style

_ARGUES = frozenset({SectionKind.ARGUMENT, SectionKind.STANDARD, SectionKind.SUMMARY, SectionKind.BODY})
_FEWEST_WORDS_OF_PASSAGE = 60
_LEAST_REASONING = 0.4
_BATCH = 256
_SCHEMA = {
    "type": "object",
    "properties": {"helps": {"type": "boolean"}, "query": {"type": "string", "maxLength": 300}},
    "required": ["helps", "query"],
}
_MAX_TOKENS = 120
_FEWEST_WORDS, _MOST_WORDS = 3, 40
_COPIED_WORDS = 8


class Fate(StrEnum):
    """What became of a passage."""

    KEPT = "kept"
    DECLINED = "declined"
    """The model found that the passage helps nobody."""
    DROPPED = "dropped"
    """The question names what the passage does not hold, copies it, or is none."""
    FILTERED = "filtered"
    """The question does not lead back to its passage, or a grader found that the passage does not answer it."""
    FAILED = "failed"
    """The model gave no usable answer."""


def worth_asking(generation: Generation, seed: int) -> Iterator[Passage]:
    """Passages that somebody may look for, in an order that the seed decides; of near-copies only one."""
    rows = list(range(len(generation.dense)))
    random.Random(seed).shuffle(rows)  # noqa: S311  # a choice to be repeated, not a secret
    for start in range(0, len(rows), _BATCH):
        batch = [row for row in rows[start : start + _BATCH] if generation.families.root(row) == row]
        for passage in generation.dense.passages(np.array(batch, dtype=np.int64)):
            if is_worth_asking(passage):
                yield passage


def is_worth_asking(passage: Passage) -> bool:
    """Whether a passage argues, by the part of the brief it stands in and its manner of writing."""
    words = surfaces(passage.text)
    return (
        passage.section_kind in _ARGUES
        and not passage.is_footnotes
        and len(words) >= _FEWEST_WORDS_OF_PASSAGE
        and argument_style(passage.text, words) >= _LEAST_REASONING
    )


def question_for(text: str, model: LanguageModel, time_limit_s: float, cancel: CancelToken) -> tuple[Fate, str]:
    """A question for a passage, empty unless its fate is to be kept.

    Raises:
        LanguageModelError: the model cannot be used at all.
        CancelledError: it was cancelled.
    """
    messages = read_prompt("question").messages(passage=text)
    request = Request(messages, _MAX_TOKENS, time_limit_s, _SCHEMA, Priority.BACKGROUND)
    try:
        answer = json.loads(model.answer(request, cancel=cancel).text)
    except (ContextOverflowError, InvalidAnswerError, TimeLimitError):
        return Fate.FAILED, ""
    question = " ".join(answer["query"].split())
    if not answer["helps"] or not question:
        return Fate.DECLINED, ""
    return (Fate.KEPT, question) if _is_sound(question, text) else (Fate.DROPPED, "")


def _is_sound(question: str, text: str) -> bool:
    words = surfaces(question)
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or Source(text).doubts(question):
        return False
    own = surfaces(text)
    runs = {tuple(own[start : start + _COPIED_WORDS]) for start in range(len(own) - _COPIED_WORDS + 1)}
    asked = [tuple(words[start : start + _COPIED_WORDS]) for start in range(len(words) - _COPIED_WORDS + 1)]
    return not runs.intersection(asked)
