"""What the window has done once, each in a process of its own that ends with it: an index run, an export, the check of
a draft, a checklist.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from briefbank.bank.local import Bank
from briefbank.errors import BankMissingError
from briefbank.matters.check_record import CheckRecord, EarlierRecord, RecordWish
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent
from briefbank.values.authorities import DraftReport
from briefbank.values.checklists import ChecklistReport
from briefbank.values.feedback import FeedbackExported, FeedbackExportWish, NamesInExport
from briefbank.values.record import CaseRecord
from briefbank.values.state import IndexReport

_PROGRESS_S = 0.1  # as `port` says; each report is a message to the window
_NO_BANK = "There is no bank to learn names from: names in lower case were not looked for."


class BankRuns:
    """The runs over the bank at `root`, which need not be there."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def index(
        self,
        folder: Path,
        *,
        retry_failed: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> IndexReport:
        """See `Bank.index`; the bank is made where there is none."""
        bank = Bank.create(self._root, folder)
        return bank.index(folder, retry_failed=retry_failed, reporter=_now_and_then(reporter), cancel=cancel)

    def export_feedback(self, wish: FeedbackExportWish) -> FeedbackExported:
        """Write a person's feedback into a file; taking names out may read the whole bank for them. In two steps, as at
        the command line: a list of what would go is written, a person reads it, the export follows it.

        Raises:
            UsageError: there is no feedback, or something at `out` already.
            SourceError: the log or the list cannot be read, or `out` cannot be written.
        """
        from briefbank.judgements.export.export import ExportPlan, export, write_review
        from briefbank.judgements.feedback.sources import read_source

        source = read_source(wish.log)
        problems = [f"{each.where}: {each.reason}" for each in source.problems]
        bank = None if wish.names is NamesInExport.KEPT else self._indexed_bank()
        if bank is None and wish.names is not NamesInExport.KEPT:
            problems.append(_NO_BANK)
        plan = ExportPlan(wish.out, "jsonl" if wish.is_for_merging else "csv", approved=wish.approved)
        if wish.names is NamesInExport.LISTED:
            return FeedbackExported(write_review(source.events, plan, bank, wish.out), problems=tuple(problems))
        told = export(source.events, plan, bank)
        written, unlisted = told["events" if wish.is_for_merging else "rows"], told.get("removed_unseen", 0)
        return FeedbackExported(int(str(written)), int(str(unlisted)), tuple(problems))

    def check_draft(
        self,
        file: Path,
        record: CaseRecord | None = None,
        *,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> DraftReport:
        """See `Bank.check_draft`."""
        with Bank.open(self._root, is_pinned=True) as bank:
            return bank.check_draft(file, record, reporter=_now_and_then(reporter), cancel=cancel)

    def write_draft_report(self, report: DraftReport, out: Path, day: date, *, may_replace: bool = False) -> None:
        """See `search.draft.word.export_draft_report`."""
        from briefbank.search.draft.word import export_draft_report

        export_draft_report(report, out, day, may_replace=may_replace)

    def read_check_record(self, path: Path) -> EarlierRecord:
        """See `matters.record_file`."""
        from briefbank.matters.record_file import read_check_record

        return read_check_record(path)

    def save_check_record(
        self, report: DraftReport, wish: RecordWish, out: Path, *, may_replace: bool = False
    ) -> CheckRecord:
        """Write the record of a check; see `Bank.check_record` and `matters.record_file`."""
        from briefbank.matters.record_file import write_check_record

        with Bank.open(self._root, is_pinned=True) as bank:
            record = bank.check_record(report, wish)
        write_check_record(record, out, may_replace=may_replace)
        return record

    def run_checklist(
        self,
        checklist: str,
        document_id: str = "",
        file: Path | None = None,
        *,
        with_model: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> ChecklistReport:
        """See `Bank.run_checklist`; over a document of the bank or, where one is named, over a file in no bank."""
        from briefbank.search.checklists.checklist import named

        report, chosen = _now_and_then(reporter), named(checklist)
        with Bank.open(self._root, is_pinned=True) as bank:
            opened = bank.open_files([file], reporter=report, cancel=cancel) if file else None
            documents = opened or [document_id]
            found = bank.run_checklist(chosen, documents, with_model=with_model, reporter=report, cancel=cancel)
        return replace(found, notices=(*opened.notices, *found.notices)) if opened else found

    def write_checklist_report(
        self, report: ChecklistReport, out: Path, day: date, *, may_replace: bool = False
    ) -> None:
        """Write a report as a Word document, or as a table where `out` ends with .csv; see `search.checklists`."""
        from briefbank.search.checklists.report import export_checklist, export_table

        if out.suffix.casefold() == ".csv":
            export_table(report, out, may_replace=may_replace)
        else:
            export_checklist(report, out, day, may_replace=may_replace)

    def _indexed_bank(self) -> Bank | None:
        bank = None
        try:
            bank = Bank.open(self._root, is_pinned=True)
            bank.require_index()
        except BankMissingError:
            return None
        return bank


def _now_and_then(report: Callable[[Progress], None]) -> Reporter:
    reported_at, stage = -_PROGRESS_S, ""

    def report_some(progress: Progress) -> None:
        nonlocal reported_at, stage
        is_last = progress.files_done == progress.files_total
        if is_last or progress.stage != stage or time.monotonic() - reported_at >= _PROGRESS_S:
            reported_at, stage = time.monotonic(), progress.stage
            report(progress)

    return report_some
