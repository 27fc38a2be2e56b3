"""The summaries of one bank: out of its cache, else written by the language model and kept.

Every sentence is held against its source before it is shown. The model is loaded when the first summary has to be
written, never before. Knows no window.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from briefbank.errors import (
    ContextOverflowError,
    InvalidAnswerError,
    LanguageModelError,
    ModelError,
    TimeLimitError,
    UsageError,
)
from briefbank.index.generation import Generation
from briefbank.law.grounding import AUTHORITIES, Source
from briefbank.law.grounding.plain import words
from briefbank.models.language.port import LanguageModel, Priority, read_prompt
from briefbank.platform.progress import CancelToken, Progress, Reporter, time_left
from briefbank.platform.settings import Settings
from briefbank.search.scope import HIDDEN
from briefbank.search.summaries.cache import Summary, SummaryCache, prompt_version
from briefbank.search.summaries.write import (
    Composed,
    Pace,
    Sentence,
    SentenceTopic,
    compose_for,
    source_of,
    write_summary,
)
from briefbank.values.records import Passage
from briefbank.values.summaries import SummariesReport, SummaryModel, SummaryPart

WITHHELD = "[A sentence is withheld: it cites what the source does not contain.]"
SAYS_NOTHING = "[A sentence is left out: it repeats itself, or what the model was asked.]"
_LONGEST_LOOP = 12
_LEAST_ECHO = 5
"""Words in a row, and two thirds of the sentence: "is asked of the reviewing court" may well be part of one."""
_OF_ANOTHER = (
    "[Not by {0}, which writes summaries here now, but by {1}, which wrote this earlier or elsewhere. "
    "`briefbank summarize` has {0} write them too.]\n"
)
_HEADINGS = {
    SentenceTopic.LEGAL_ISSUE: "Legal issue:",
    SentenceTopic.FACTS: "Facts:",
    SentenceTopic.POSTURE: "Posture:",
}
_AFTERTHOUGHT = "Also:"

_LOG = logging.getLogger(__name__)


class Presenter:
    """Checks sentences against their source and turns them into parts to show, in order."""

    def __init__(self, source: str) -> None:
        self._source, self._source_words = Source(source), f" {' '.join(words(source))} "
        self._heading = ""
        self.withheld = self.doubted = 0

    def parts(self, sentence: Sentence) -> tuple[SummaryPart, ...]:
        """The sentence, under its heading where one is due; a note in its place where it cites what is not there."""
        doubts = self._source.doubts(sentence.text)
        heading = self._due(sentence)
        if says_nothing(words(sentence.text), self._source_words):
            self.withheld += 1
            return (*heading, SummaryPart(f" {SAYS_NOTHING}"))
        if any(doubt.kind in AUTHORITIES for doubt in doubts):
            self.withheld += 1
            return (*heading, SummaryPart(f" {WITHHELD}"))
        self.doubted += bool(doubts)
        return (*heading, SummaryPart(f" {sentence.text}", "; ".join(map(str, doubts))))

    def count(self, sentence: Sentence) -> None:
        """Check a sentence, for the counts only."""
        self.parts(sentence)

    def _due(self, sentence: Sentence) -> tuple[SummaryPart, ...]:
        heading = _AFTERTHOUGHT if sentence.is_afterthought else _HEADINGS[sentence.topic]
        if heading == self._heading:
            return ()
        before, self._heading = self._heading, heading
        return (SummaryPart(f"\n{heading}" if before else heading),)


def says_nothing(spoken: Sequence[str], source: str) -> bool:
    """Whether a sentence's words go round in a loop, or are the prompt's own for the most part; not where the source,
    its words between single spaces, has the same.
    """
    for period in range(1, _LONGEST_LOOP + 1):
        turns = 0  # words in a row that stand there one period before
        for place in range(period, len(spoken)):
            turns = turns + 1 if spoken[place] == spoken[place - period] else 0
            if turns >= max(2, 2 * period - 1):
                return f" {' '.join(spoken[place - turns - period + 1 : place + 1])} " not in source
    asked = _prompt_words()
    least = max(_LEAST_ECHO, -(-2 * len(spoken) // 3))
    runs = (f" {' '.join(spoken[place : place + least])} " for place in range(len(spoken) - least + 1))
    return any(run in asked and run not in source for run in runs)


@cache
def _prompt_words() -> str:
    texts = (
        text for name in ("summary", "summary_missed") for text in (read_prompt(name).system, read_prompt(name).user)
    )
    return f" {' '.join(words(' '.join(texts)))} "


def left_out_part(count: int) -> SummaryPart | None:
    """Return a note on excerpts for which the model had no room, or None where there are none."""
    if not count:
        return None
    passages = "1 passage" if count == 1 else f"{count} passages"
    return SummaryPart(f"\n[Written without {passages} of the same section, for which there was no room.]")


def open_summarizer(cache_file: Path, settings: Settings) -> Summarizer:
    """The summarizer of a bank, with the language model that is installed for summaries."""

    def load_model() -> LanguageModel:
        from briefbank.models.installed import Role
        from briefbank.models.language import load_language_model

        return load_language_model(Role.SUMMARY, settings)

    cache = SummaryCache(cache_file, prompt_version())
    return Summarizer(cache, load_model, time_limit_s=settings.llm_time_limit_s)


def _today() -> date:
    return datetime.now(UTC).astimezone().date()


class Summarizer:
    """Used by one thread at a time; `close` gives the model's memory back."""

    def __init__(
        self,
        cache: SummaryCache,
        load_model: Callable[[], LanguageModel],
        *,
        time_limit_s: float,
        today: Callable[[], date] = _today,
    ) -> None:
        """`time_limit_s` is how long the model may take for each of a summary's two answers."""
        self.cache = cache
        self._load_model = load_model
        self._time_limit_s = time_limit_s
        self._today = today
        self._model: LanguageModel | None = None

    @property
    def model(self) -> LanguageModel:
        """The model, loaded when it is first needed.

        Raises:
            ModelError: there is none, or it cannot be used.
        """
        if self._model is None:
            self._model = self._load_model()
        return self._model

    def close(self) -> None:
        """End the model, if it was loaded."""
        if self._model is not None:
            self._model.close()
            self._model = None

    def show(
        self,
        passage: Passage,
        passages: Sequence[Passage],
        on_part: Callable[[SummaryPart], None],
        cancel: CancelToken,
    ) -> SummaryModel:
        """Tell a summary part by part, each checked against its source, and return who wrote it, and when.

        `passages` are all of the passage's document, in their order.

        Raises:
            ModelError: there is no model, or it failed; CancelledError: it was cancelled.
        """
        kept = self.cache.get(passage, self._own_digest())
        if kept is not None:
            if self._model is not None and kept.model_sha256 != self._model.info.sha256:
                on_part(SummaryPart(_OF_ANOTHER.format(self._model.info.name, kept.model_name)))
            _tell(kept, [each for each in passages if each.id in kept.excerpt_ids], on_part)
            return SummaryModel(kept.model_name, kept.written_on)
        model = self.model
        composed = compose_for(passage, passages, model)
        presenter = Presenter(source_of(composed.excerpts))

        def on_sentence(sentence: Sentence) -> None:
            for part in presenter.parts(sentence):
                on_part(part)

        summary = self._write(passage, composed, Priority.WAITED_FOR, on_sentence, cancel)
        if note := left_out_part(summary.left_out):
            on_part(note)
        return SummaryModel(summary.model_name, summary.written_on)

    def _own_digest(self) -> str:
        try:
            return self.model.info.sha256
        except ModelError:  # summaries that came with the bank need no model
            return ""

    def prepare(self, passage: Passage, passages: Sequence[Passage], cancel: CancelToken) -> Presenter:
        """Write a summary for later and return what checked it, with its counts; raises as `show`."""
        composed = compose_for(passage, passages, self.model)
        presenter = Presenter(source_of(composed.excerpts))
        self._write(passage, composed, Priority.BACKGROUND, presenter.count, cancel)
        return presenter

    def _write(
        self,
        passage: Passage,
        composed: Composed,
        priority: Priority,
        on_sentence: Callable[[Sentence], None],
        cancel: CancelToken,
    ) -> Summary:
        model = self.model
        sentences = write_summary(composed, model, Pace(priority, self._time_limit_s), on_sentence, cancel)
        ids = tuple(each.id for each in composed.excerpts)
        written_on = self._today().isoformat()
        summary = Summary(model.info.name, model.info.sha256, written_on, sentences, ids, composed.left_out)
        try:
            self.cache.put(passage, summary)
        except sqlite3.OperationalError as error:  # a bank that cannot be written to still tells
            _LOG.warning("a summary was not kept: %s", error.sqlite_errorname)
        return summary


def _tell(summary: Summary, excerpts: Sequence[Passage], on_part: Callable[[SummaryPart], None]) -> None:
    presenter = Presenter(source_of(excerpts))
    for sentence in summary.sentences:
        for part in presenter.parts(sentence):
            on_part(part)
    if note := left_out_part(summary.left_out):
        on_part(note)


_LOG = logging.getLogger(__name__)

_ABOUT_THE_PASSAGE = (ContextOverflowError, InvalidAnswerError, TimeLimitError)
_DEATHS = 3
"""A model that dies so often in a row will die again."""


def precompute(
    summarizer: Summarizer, generation: Generation, document_id: str, reporter: Reporter, cancel: CancelToken
) -> SummariesReport:
    """Summarise every passage that searches show and that this model has not summarised yet, newest documents first.

    Without `document_id`, those of all documents.

    Raises:
        UsageError: there is no such document.
        ModelError: there is no model, or it died three times in a row; CancelledError: it was cancelled. What was
            written is kept.
    """
    documents = [each for each in generation.documents if document_id in ("", each.id)]
    if document_id and not documents:
        advice = "`briefbank documents` lists the documents with their ids."
        raise UsageError(f"There is no document {document_id} in the live index.", advice)
    run = _Run(summarizer, sum(each.passage_count for each in documents), reporter, cancel)
    for document in sorted(documents, key=lambda each: (each.filed or date.min, each.id), reverse=True):
        run.document(generation.passages_of(document.id))
    return run.report()


class _Run:
    def __init__(self, summarizer: Summarizer, total: int, reporter: Reporter, cancel: CancelToken) -> None:
        self._summarizer = summarizer
        self._total = total
        self._reporter = reporter
        self._cancel = cancel
        self._started = time.monotonic()
        self._seen = self._written = self._kept = self._withheld = self._doubted = self._failed = self._deaths = 0

    def document(self, passages: Sequence[Passage]) -> None:
        for passage in passages:
            self._cancel.check()
            if passage.section_kind in HIDDEN:
                self._total -= 1
                continue
            if self._summarizer.cache.holds(passage, self._summarizer.model.info.sha256):
                self._kept += 1
            else:
                self._summarise(passage, passages)
            self._seen += 1
            self._tell()

    def report(self) -> SummariesReport:
        return SummariesReport(
            written=self._written,
            kept=self._kept,
            failed=self._failed,
            sentences_marked=self._doubted,
            sentences_withheld=self._withheld,
            seconds=time.monotonic() - self._started,
        )

    def _summarise(self, passage: Passage, passages: Sequence[Passage]) -> None:
        try:
            checked = self._summarizer.prepare(passage, passages, self._cancel)
        except LanguageModelError as problem:
            _LOG.warning("passage %s has no summary: %s", passage.id, problem.code)
            self._failed += 1
            self._deaths = 0 if isinstance(problem, _ABOUT_THE_PASSAGE) else self._deaths + 1
            if self._deaths >= _DEATHS:
                raise
        else:
            self._deaths = 0
            self._written += 1
            self._withheld += checked.withheld
            self._doubted += checked.doubted

    def _tell(self) -> None:
        elapsed = time.monotonic() - self._started
        tried = self._written + self._failed
        left = time_left(elapsed, tried, tried + self._total - self._seen)
        stage = f"{self._seen} of {self._total} passages"
        self._reporter(Progress(stage, failed=self._failed, elapsed_s=elapsed, seconds_left=left))
