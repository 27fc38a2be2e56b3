"""Questions made up for passages of the bank by the local language model, as a judged collection to learn from.

After the synthetic queries of "NJ BriefBank" (its figure 6), with the curation that the paper found decisive: passages
that help nobody are declined, questions that name what cannot be known or copy the passage are dropped, and so are
those that do not lead back to their passage. The result is a BEIR folder. The answers so far are in OUT.answers, one
line each: a run that was stopped reads them and goes on after them.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path

import msgspec
import numpy as np

from briefbank.errors import ContextOverflowError, InvalidAnswerError, SourceError, TimeLimitError, UsageError
from briefbank.index.generation import Generation
from briefbank.index.tokens import surfaces
from briefbank.judgements.evaluate.beir import Entry, write_beir
from briefbank.law.grounding import Source
from briefbank.models.language.port import LanguageModel, Priority, Request, read_prompt
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import new_folder, require_new, write_atomic
from briefbank.platform.progress import CancelToken, Progress, Reporter, counting
from briefbank.platform.settings import Settings
from briefbank.search.aids import Grader
from briefbank.search.engine import SearchEngine
from briefbank.search.signals import argument_style
from briefbank.values.records import Passage, Query, SectionKind, SortOrder

_ARGUES = frozenset({SectionKind.ARGUMENT, SectionKind.STANDARD, SectionKind.SUMMARY, SectionKind.BODY})
_FEWEST_WORDS_OF_PASSAGE = 60
"""Chosen, not measured."""
_LEAST_REASONING = 0.4
"""Of `argument_style`; chosen, not measured."""
_BATCH = 256
_SCHEMA = {
    "type": "object",
    "properties": {"helps": {"type": "boolean"}, "query": {"type": "string", "maxLength": 300}},
    "required": ["helps", "query"],
}
_MAX_TOKENS = 120
_FEWEST_WORDS, _MOST_WORDS = 3, 40
_COPIED_WORDS = 8
"""So many words of the passage in a row are a copy; chosen, not measured."""

QRELS_NAME = "synthetic"
_LED_BACK_WITHIN = 20
"""Results of the search for the question; chosen, not measured."""
_LEAST_GRADE = 3
"""Of the grades 0 to 4 of `Grader`; chosen, not measured."""
_TIME_LIMIT_S = 120.0
"""For a question, and again for its grade; nobody waits for either."""


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
    """The model, or the grader, gave no usable answer: a run that goes on asks again."""


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


class _Head(msgspec.Struct, frozen=True):
    generation: str
    model: str
    prompt: str
    seed: int


class _Asked(msgspec.Struct, frozen=True):
    passage_id: str
    fate: Fate
    question: str = ""


@dataclass(frozen=True, slots=True)
class SynthesisReport:
    """How a run ended: questions by what became of them, `failed` those that the model could not answer."""

    kept: int
    declined: int
    dropped: int
    filtered: int
    failed: int
    passages: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Tools:
    """What a run works with; without a grader, a question only has to lead back to its passage."""

    generation: Generation
    engine: SearchEngine
    model: LanguageModel
    grader: Grader | None


def require_possible(out: Path, count: int) -> None:
    """Refuse what no model is needed to refuse.

    Raises:
        UsageError: `count` is below 1, or there is something at `out`.
        SourceError: the folder that is to hold `out` is missing.
    """
    if count < 1:
        raise UsageError("At least one question must be asked for.", "Give --count 1 or more.")
    require_new(out)
    if not out.parent.is_dir():
        raise SourceError(f"There is no folder {out.parent}.", "Make it, or name another place.")


@contextmanager
def tools_for(generation: Generation, engine: SearchEngine, settings: Settings) -> Iterator[Tools]:
    """The tools over one generation; their models end with the block.

    Raises:
        ModelError: no language model is installed for it.
    """
    from briefbank.models.installed import Role, model_for
    from briefbank.models.language import load_language_model

    with ExitStack() as models:
        model = models.enter_context(closing(load_language_model(Role.EXPAND, settings)))
        grader = None
        if model_for(Role.RERANK, form="gguf"):
            judge = models.enter_context(closing(load_language_model(Role.RERANK, settings)))
            grader = Grader(judge, _TIME_LIMIT_S, Priority.BACKGROUND)
        yield Tools(generation, engine, model, grader)


def synthesize(
    tools: Tools, out: Path, *, count: int, seed: int, reporter: Reporter, cancel: CancelToken
) -> SynthesisReport:
    """Make up questions until `count` are kept or no passage is left, and write corpus, queries and qrels into `out`.

    `require_possible` has been asked before.

    Raises:
        UsageError: the answers so far belong to another bank, model or seed.
        CancelledError: asked to stop; the answers so far are kept.
        LanguageModelError: the model cannot be used.
        NoSpaceError: the disk is full.
    """
    started = time.monotonic()
    model = tools.model.info.sha256
    head = _Head(tools.generation.name, model, read_prompt("question").version, seed)
    with disk_guard(out.parent, "writing the questions"):
        answers = out.with_name(f"{out.name}.answers")
        asked = _ask(tools, answers, head, count, reporter, cancel)
        kept = [each for each in asked if each.fate is Fate.KEPT][:count]
        _write(tools.generation, kept, out)
    answers.unlink()
    fates = Counter(each.fate for each in asked)
    return SynthesisReport(
        len(kept),
        fates[Fate.DECLINED],
        fates[Fate.DROPPED],
        fates[Fate.FILTERED],
        fates[Fate.FAILED],
        len(tools.generation.dense),
        time.monotonic() - started,
    )


def _ask(tools: Tools, answers: Path, head: _Head, count: int, reporter: Reporter, cancel: CancelToken) -> list[_Asked]:
    asked = [each for each in _begun(answers, head) if each.fate is not Fate.FAILED]
    known = {each.passage_id for each in asked}
    kept = sum(each.fate is Fate.KEPT for each in asked)
    report = counting(reporter, Progress("asking", files_total=count, unit="questions"), count, begun=kept)
    with answers.open("ab") as file:
        for passage in worth_asking(tools.generation, head.seed):
            if kept >= count:
                break
            if passage.id in known:
                continue
            cancel.check()
            report(kept, failed=len(asked) - kept)
            found = _asked(passage, tools, cancel)
            file.write(msgspec.json.encode(found) + b"\n")
            file.flush()
            asked.append(found)
            kept += found.fate is Fate.KEPT
    return asked


def _asked(passage: Passage, tools: Tools, cancel: CancelToken) -> _Asked:
    fate, question = question_for(passage.text, tools.model, _TIME_LIMIT_S, cancel)
    if fate is Fate.KEPT:
        fate = _fate_of(question, passage, tools, cancel)
    return _Asked(passage.id, fate, question)


def _fate_of(question: str, passage: Passage, tools: Tools, cancel: CancelToken) -> Fate:
    """Kept, if a search for the question finds its passage and a grader says that it helps."""
    found = tools.engine.search(Query(question, _LED_BACK_WITHIN, SortOrder.RELEVANCE, include_weak=True))
    ids = {each for hit in found.hits for each in (hit.passage.id, *(copy.passage_id for copy in hit.siblings))}
    if passage.id not in ids:
        return Fate.FILTERED
    if tools.grader is None:
        return Fate.KEPT
    try:
        grades = tools.grader.grades(question, [passage.text], cancel)
    except ContextOverflowError:
        return Fate.FAILED
    if not grades:
        return Fate.FAILED
    return Fate.KEPT if grades[0] >= _LEAST_GRADE else Fate.FILTERED


def _begun(answers: Path, head: _Head) -> list[_Asked]:
    """What a run that was stopped left, but for a line that it was cut off in; begins the file where there is none."""
    if not answers.exists():
        write_atomic(answers, msgspec.json.encode(head) + b"\n")
        return []
    whole, _, cut_off = answers.read_bytes().rpartition(b"\n")
    try:
        first, *rest = whole.split(b"\n")
        is_same = msgspec.json.decode(first, type=_Head) == head
        asked = [msgspec.json.decode(line, type=_Asked) for line in rest]
    except msgspec.DecodeError as error:
        raise UsageError(f"{answers} cannot be understood.", "Remove it to begin anew.") from error
    if not is_same:
        message = f"{answers} holds answers of a run over another index, or with another model or seed."
        raise UsageError(message, "Remove it to begin anew, or go on as that run began.")
    if cut_off:
        write_atomic(answers, whole + b"\n")
    return asked


def _write(generation: Generation, kept: list[_Asked], out: Path) -> None:
    with new_folder(out) as folder:
        numbered = {f"s{number:05d}": each for number, each in enumerate(kept, 1)}
        passages = chain.from_iterable(generation.passages_of(document.id) for document in generation.documents)
        write_beir(
            folder,
            (Entry(each.id, each.text) for each in passages),
            [Entry(query_id, each.question) for query_id, each in numbered.items()],
            {query_id: {each.passage_id: 1} for query_id, each in numbered.items()},
            QRELS_NAME,
        )
