"""Writes the summaries of many passages ahead of time, on a machine that has it. Counts; never passes texts on.

Each summary is kept as soon as it is written, so that a run that was stopped or killed is taken up where it ended.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import date

from briefbank.errors import ContextOverflowError, InvalidAnswerError, LanguageModelError, TimeLimitError, UsageError
from briefbank.index.generation import Generation
from briefbank.platform.progress import CancelToken, Progress, Reporter, time_left
from briefbank.search.scope import HIDDEN
from briefbank.summaries.summarizer import Summarizer
from briefbank.values import SummariesReport
from briefbank.values.records import Passage

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
