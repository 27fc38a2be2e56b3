"""`briefbank index FOLDER`: bring the bank up to date with a folder."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.cluster import add_certificates
from briefbank.cli.interrupt import ctrl_c_cancels
from briefbank.cli.options import add_bank
from briefbank.errors import BriefBankError, ConverterMissingError, ExitCode, OcrMissingError, UsageError
from briefbank.platform.progress import CancelToken
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from briefbank.ingest.process import Elsewhere
    from briefbank.values.state import IndexReport

_MOST_MINUTES = 7 * 24 * 60


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "index",
        help="read a folder of briefs into the bank",
        description="Read new and changed files below FOLDER into the bank. The bank searches as before until the end.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--retry-failed", action="store_true", help="read files again that failed before")
    parser.add_argument(
        "--remove-missing", action="store_true", help="accept that most files are gone, or that FOLDER is empty"
    )
    parser.add_argument("--watch", action="store_true", help="go on, and look at the folder again and again")
    parser.add_argument(
        "--every", type=_minutes, default=15.0, metavar="MINUTES", help="with --watch, how often (default 15)"
    )
    parser.add_argument(
        "--break-lock", action="store_true", help="take the lock from a program on another machine that is gone"
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="have other machines read: tls://HOST:PORT, or 'local' for processes here"
    )
    add_certificates(parser, required=False)
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Index, then tell what happened."""
    from briefbank.bank.local import Bank
    from briefbank.ingest.watch import watch
    from briefbank.platform.layout import default_bank

    if args.watch and (args.remove_missing or args.retry_failed):
        advice = "Run once with those, and then with --watch."
        raise UsageError("--watch goes with neither --remove-missing nor --retry-failed.", advice)
    cancel = CancelToken()
    root = args.bank or default_bank()
    if args.break_lock and (owner := Bank.create(root, args.folder).break_lock()):
        output.warn(f"The lock was taken from {owner}.")
    with (
        ctrl_c_cancels(cancel, "file"),
        output.progress_reporter(quiet=args.quiet) as reporter,
        _elsewhere(args) as elsewhere,
    ):

        def look() -> IndexReport:
            with Bank.create(root, args.folder) as bank:
                return bank.index(
                    args.folder,
                    retry_failed=args.retry_failed,
                    remove_missing=args.remove_missing,
                    elsewhere=elsewhere,
                    reporter=reporter,
                    cancel=cancel,
                )

        if args.watch:
            watch(look, 60 * args.every, cancel, lambda came: _print_look(came, as_json=args.json))
            return ExitCode.OK
        report = look()
    _print_look(report, as_json=args.json)
    if any(failure.code == OcrMissingError.code for failure in report.failures):
        return ExitCode.OCR_MISSING
    return ExitCode.SOME_FAILED if report.failures else ExitCode.OK


@contextmanager
def _elsewhere(args: argparse.Namespace) -> Iterator[Elsewhere | None]:
    """The machines that read, as the call names them; None where this one does."""
    if args.cluster is None:
        if args.certificates:
            raise UsageError("--certificates goes with --cluster.", "Add --cluster ADDRESS.")
        yield None
        return
    from briefbank.ingest.cluster.certificates import machine_certificates
    from briefbank.ingest.cluster.head import Cluster
    from briefbank.ingest.cluster.machines import local_cluster, security

    if args.cluster == "local":
        with local_cluster(args.folder) as local:
            yield Cluster(local.scheduler_address, local.security, warn=output.warn)
        return
    if not args.certificates:
        raise UsageError("--cluster needs --certificates.", "See docs/cluster.md.")
    yield Cluster(args.cluster, security(machine_certificates(args.certificates)), warn=output.warn)


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes <= _MOST_MINUTES:
        raise argparse.ArgumentTypeError(f"more than 0 and up to {_MOST_MINUTES} minutes")
    return minutes


def _print_look(came: IndexReport | BriefBankError, *, as_json: bool) -> None:
    """Tell what came of a look at the folder, at once: whoever reads along wants to see it now."""
    if isinstance(came, BriefBankError):
        output.error(came)
    elif as_json:
        output.out_json(asdict(came))
    else:
        _print_report(came)
    sys.stdout.flush()


def _print_report(report: IndexReport) -> None:
    output.out(
        f"{report.indexed} indexed, {report.unchanged} unchanged, {report.removed} removed, "
        f"{len(report.failures)} failed, in {output.duration(report.seconds)}."
    )
    if report.copies:
        copies = output.counted(report.copies, "file is a copy of another", "files are copies of others")
        output.out(f"{copies}; identical files are one document.")
    state = "New" if report.published else "Nothing changed;"
    output.out(f"{state} generation {report.generation}: {output.holding(report.documents, report.passages)}.")
    output.not_protected(report.missing_protection)
    for path, note in report.notes:
        output.out(f"Note: {visible_name(path)}\n    {visible_name(note)}")
    if report.failures:
        output.out("Failed files are read again when they change, or with --retry-failed.")
    waiting = [failure for failure in report.failures if failure.code == ConverterMissingError.code]
    if waiting:
        kinds = Counter(Path(failure.path).suffix.lower() for failure in waiting)
        counted = ", ".join(f"{count} {suffix}" for suffix, count in sorted(kinds.items()))
        files = output.counted(len(waiting), "file waits", "files wait")
        output.out(f"LibreOffice is not installed: {files} for it ({counted}).")
        output.out(f"    {waiting[0].advice}")
    for failure in report.failures:
        if failure not in waiting:
            output.out(f"Failed: {visible_name(failure.path)}\n    {visible_name(failure.error)}\n    {failure.advice}")
