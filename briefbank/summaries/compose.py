"""Chooses what of a brief the model is given for a passage, within a budget of tokens. Knows no bank and no model.

The passage itself, the questions that the brief presents, and the passages around it in its section, the nearest
first. What does not fit is left out whole and counted; nothing is cut. In document order, which measured best for
extraction with language models (AG, "optimised retrieval").
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from briefbank.errors import ContextOverflowError
from briefbank.models.language.port import Message
from briefbank.models.language.prompt_text import read_prompt
from briefbank.records import Passage, SectionKind

_PASSAGE, _QUESTIONS, _SECTION = "PASSAGE", "QUESTIONS PRESENTED", "THE SAME SECTION"


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
    runs = ((told, "\n".join(each.text for each in run)) for told, run in groupby(ordered, key=heading))
    return "\n\n".join(f"### {told}\n{text}" for told, text in runs)
