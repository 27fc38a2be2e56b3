"""`briefbank summarize`: write summaries ahead of time. Prints counts, never a summary."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode

if TYPE_CHECKING:
    from briefbank.values.summaries import SummariesReport


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "summarize",
        help="write summaries ahead of time",
        description="Have the local language model summarise passages ahead of time, the newest documents first. "
        "A run that was stopped goes on where it ended. Summaries are shown in the window only.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--all", action="store_true", help="every document of the bank")
    which.add_argument("--document", metavar="ID", default="", help="one document (briefbank documents lists them)")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Summarise, then tell the counts."""
    bank = open_bank(args)
    with long_work("passage", quiet=args.quiet) as work:
        report = bank.summarize(args.document, **work)
    if args.json:
        output.out_json(asdict(report))
    else:
        _print_report(report)
    return ExitCode.SOME_FAILED if report.failed else ExitCode.OK


def _print_report(report: SummariesReport) -> None:
    output.out(
        f"{report.written} written, {report.kept} were there, {report.failed} failed, "
        f"in {output.duration(report.seconds)}."
    )
    output.out(
        f"Held against their sources: {report.sentences_marked} sentences marked, "
        f"{report.sentences_withheld} withheld, for what they cite or since they say nothing."
    )
    if report.failed:
        output.out("Those that failed are tried again by the next run.")
