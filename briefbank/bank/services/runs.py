"""What the window has done once in a process of its own, which ends with it: an index run, an export, the check of a
draft, a checklist. Each call is a class, as in `calls`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from briefbank.platform.processes.calls import Call, LongCall, Turn
from briefbank.platform.progress import Progress, Reporter
from briefbank.values import ChecklistReport, DraftReport, FeedbackExported, FeedbackExportWish, IndexReport

_PROGRESS_S = 0.1


class Index(LongCall[Path, IndexReport, Progress], frozen=True):
    """Index a folder into the bank at a path, made where there is none; tells at most ten times a second."""

    folder: Path
    retry_failed: bool

    def run(self, turn: Turn[Path, Progress], /) -> IndexReport:
        from briefbank.bank.local import Bank

        bank = Bank.create(turn.on, self.folder)
        reporter = _now_and_then(turn.tell)
        return bank.index(self.folder, retry_failed=self.retry_failed, reporter=reporter, cancel=turn.cancel)


class ExportFeedback(Call[Path, FeedbackExported], frozen=True):
    """See `services.feedback_export`."""

    wish: FeedbackExportWish

    def run(self, root: Path, /) -> FeedbackExported:
        from briefbank.bank.services.feedback_export import export_feedback

        return export_feedback(root, self.wish)


class CheckDraft(LongCall[Path, DraftReport, Progress], frozen=True):
    """See `CorrectedBank.check_draft`; in a child of its own, so that searches go on, and nothing outlives it."""

    file: Path

    def run(self, turn: Turn[Path, Progress], /) -> DraftReport:
        from briefbank.bank.services.corrected import CorrectedBank

        with CorrectedBank.open(turn.on) as bank:
            return bank.check_draft(self.file, reporter=_now_and_then(turn.tell), cancel=turn.cancel)


class WriteDraftReport(Call[Path, None], frozen=True):
    """See `search.draft.word.export_draft_report`."""

    report: DraftReport
    out: Path
    day: date
    may_replace: bool

    def run(self, _root: Path, /) -> None:
        from briefbank.search.draft.word import export_draft_report

        export_draft_report(self.report, self.out, self.day, may_replace=self.may_replace)


class RunChecklist(LongCall[Path, ChecklistReport, Progress], frozen=True):
    """Run a list, by its name or file, over a document of the bank or, where one is named, over a file in no bank; see
    `CorrectedBank.run_checklist`. In a child of its own, as `CheckDraft`.
    """

    checklist: str
    document: str
    file: Path | None
    with_model: bool

    def run(self, turn: Turn[Path, Progress], /) -> ChecklistReport:
        from briefbank.bank.services.corrected import CorrectedBank
        from briefbank.search.checklists.checklist import named

        reporter, checklist = _now_and_then(turn.tell), named(self.checklist)
        with CorrectedBank.open(turn.on) as bank:
            opened = bank.open_files([self.file], reporter=reporter, cancel=turn.cancel) if self.file else None
            report = bank.run_checklist(
                checklist,
                opened or [self.document],
                with_model=self.with_model,
                reporter=reporter,
                cancel=turn.cancel,
            )
        return replace(report, notices=(*opened.notices, *report.notices)) if opened else report


class WriteChecklistReport(Call[Path, None], frozen=True):
    """Write a report as a Word document, or as a table where `out` ends with .csv; see `search.checklists`."""

    report: ChecklistReport
    out: Path
    day: date
    may_replace: bool

    def run(self, _root: Path, /) -> None:
        from briefbank.search.checklists.spreadsheet import export_table
        from briefbank.search.checklists.word import export_checklist

        if self.out.suffix.casefold() == ".csv":
            export_table(self.report, self.out, may_replace=self.may_replace)
        else:
            export_checklist(self.report, self.out, self.day, may_replace=self.may_replace)


def _now_and_then(tell: Callable[[Progress], None]) -> Reporter:
    reported_at, reported = -_PROGRESS_S, ""

    def report(progress: Progress) -> None:
        nonlocal reported_at, reported
        is_last = progress.files_done == progress.files_total
        if is_last or progress.stage != reported or time.monotonic() - reported_at >= _PROGRESS_S:
            reported_at, reported = time.monotonic(), progress.stage
            tell(progress)

    return report
