"""Writes a person's feedback into a file, in a child process: taking names out may read the whole bank for them.

In two steps, as at the command line: a list of what would go is written, a person reads it, the export follows it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from briefbank.errors import BankMissingError
from briefbank.values import FeedbackExported, FeedbackExportWish
from briefbank.values import NamesInExport as Names

if TYPE_CHECKING:
    from briefbank.bank.local import Bank

_NO_BANK = "There is no bank to learn names from: names in lower case were not looked for."


def export_feedback(root: Path, wish: FeedbackExportWish) -> FeedbackExported:
    """Write what is wished; the bank at `root` tells which names there are.

    Raises:
        UsageError: there is no feedback, or something at `out` already.
        SourceError: the log or the list cannot be read, or `out` cannot be written.
    """
    from briefbank.judgements.evaluate.feedback_export import ExportPlan, export, write_review
    from briefbank.judgements.feedback.sources import read_source

    source = read_source(wish.log)
    problems = [f"{each.where}: {each.reason}" for each in source.problems]
    bank = None if wish.names is Names.KEPT else _open(root)
    if bank is None and wish.names is not Names.KEPT:
        problems.append(_NO_BANK)
    plan = ExportPlan(wish.out, "jsonl" if wish.is_for_merging else "csv", approved=wish.approved)
    if wish.names is Names.LISTED:
        return FeedbackExported(write_review(source.events, plan, bank, wish.out), problems=tuple(problems))
    told = export(source.events, plan, bank)
    written, unlisted = told["events" if wish.is_for_merging else "rows"], told.get("removed_unseen", 0)
    return FeedbackExported(int(str(written)), int(str(unlisted)), tuple(problems))


def _open(root: Path) -> Bank | None:
    """The bank, where there is one that holds an index."""
    from briefbank.bank.local import Bank

    try:
        bank = Bank.open(root)
        bank.case_names()
    except BankMissingError:
        return None
    return bank
