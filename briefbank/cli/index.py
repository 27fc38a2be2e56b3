"""`briefbank index FOLDER`: bring the bank up to date with a folder."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_bank
from briefbank.errors import ExitCode, OcrMissingError
from briefbank.progress import CancelToken

if TYPE_CHECKING:
    from briefbank.reports import IndexReport


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "index",
        help="read a folder of briefs into the bank",
        description="Read new and changed files below FOLDER into the bank. The bank searches as before until the end.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--retry-failed", action="store_true", help="read files again that failed before")
    parser.add_argument("--remove-missing", action="store_true", help="accept that the folder is empty now")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Index, then tell what happened."""
    from briefbank.bank import Bank
    from briefbank.layout import default_bank

    cancel = CancelToken()
    bank = Bank.create(args.bank or default_bank())
    with _ctrl_c_cancels(cancel), output.progress_reporter(quiet=args.quiet) as reporter:
        report = bank.index(
            args.folder,
            retry_failed=args.retry_failed,
            remove_missing=args.remove_missing,
            reporter=reporter,
            cancel=cancel,
        )
    if args.json:
        output.out_json(asdict(report))
    else:
        _tell(report)
    if any(failure.code == OcrMissingError.code for failure in report.failures):
        return ExitCode.OCR_MISSING
    return ExitCode.SOME_FAILED if report.failures else ExitCode.OK


@contextmanager
def _ctrl_c_cancels(cancel: CancelToken) -> Iterator[None]:
    """The first Ctrl-C finishes the file at hand and stops; the second one stops at once."""

    def on_signal(_number: int, _frame: object) -> None:
        if cancel.is_cancelled:
            raise KeyboardInterrupt
        output.warn("\nStopping after the file at hand; press Ctrl-C again to stop at once.")
        cancel.cancel()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(report: IndexReport) -> None:
    output.out(
        f"{report.indexed} indexed, {report.unchanged} unchanged, {report.removed} removed, "
        f"{len(report.failures)} failed, in {output.duration(report.seconds)}."
    )
    state = "New" if report.published else "Nothing changed;"
    output.out(f"{state} generation {report.generation}: {report.documents} documents, {report.passages} passages.")
    for path, note in report.notes:
        output.out(f"Note: {path}\n    {note}")
    if report.failures:
        output.out("Failed files are read again when they change, or with --retry-failed.")
    for failure in report.failures:
        output.out(f"Failed: {failure.path}\n    {failure.error}\n    {failure.advice}")
