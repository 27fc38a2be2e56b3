"""`briefbank synthesize`: questions made up for passages, to learn from. Prints counts, never a question."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "synthesize",
        help="make up questions to learn from",
        description="Have the local language model make up questions that passages of the bank answer, drop those of "
        "no use, and write them as a BEIR folder, for briefbank learn. A run that was stopped goes on where it ended.",
    )
    parser.add_argument("folder", type=Path, metavar="OUT_FOLDER", help="a folder that is not there yet")
    parser.add_argument("--count", type=int, default=200, metavar="N", help="how many questions to keep (200)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides which passages come first (0)")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Make up the questions, then tell the counts."""
    bank = open_bank(args)
    with long_work("passage", quiet=args.quiet) as work:
        report = bank.synthesize(args.folder, count=args.count, seed=args.seed, **work)
    if args.json:
        output.out_json(asdict(report))
        return ExitCode.OK
    questions = output.counted(report.kept, "question")
    over = output.counted(report.passages, "passage")
    output.out(f"{questions} over {over}, in {output.duration(report.seconds)}.")
    output.out(
        f"Left out: {report.declined} passages that help nobody, {report.dropped} questions that name or copy too "
        f"much, {report.filtered} that do not lead back to their passage, {report.failed} without an answer."
    )
    return ExitCode.OK
