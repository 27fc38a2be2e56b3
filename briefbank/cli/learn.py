"""`briefbank learn`: let what people judged change the ranking, where that is shown to help."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, feedback_log, only_qrels, open_bank
from briefbank.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from briefbank.judgements.learn.judgements import BeirFolder, LogOfFeedback
    from briefbank.judgements.learn.run import LearnReport


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "learn",
        help="learn the ranking from judgements",
        description="Fit the ranking to judgements. It is changed only if it is better on judgements kept apart.",
    )
    parser.add_argument("--judgements", type=Path, metavar="BEIR_FOLDER", help="learn from these instead of feedback")
    parser.add_argument("--qrels", metavar="NAME", help="judgements: qrels/NAME.tsv (needed where there are several)")
    parser.add_argument("--log", type=Path, metavar="LOG", help="a feedback log, merged ones too (default: yours)")
    parser.add_argument("--stars", action="store_true", help="learn from the stars of the log instead of its marks")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="deals the questions out (0)")
    parser.add_argument("--dry-run", action="store_true", help="tell what would come of it, and change nothing")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Learn, then tell what came of it."""
    bank, source = open_bank(args), _source(args)
    with long_work("step", quiet=args.quiet) as work:
        report = bank.learn(source, seed=args.seed, dry_run=args.dry_run, **work)
    if args.json:
        output.out_json(asdict(report))
    else:
        _print(report)
    return ExitCode.OK


def _source(args: argparse.Namespace) -> LogOfFeedback | BeirFolder:
    from briefbank.judgements.learn.judgements import BeirFolder, LogOfFeedback

    if args.judgements is None:
        if args.qrels:
            raise UsageError("--qrels names judgements of a BEIR folder.", "Give --judgements BEIR_FOLDER too.")
        return LogOfFeedback(feedback_log(args), by_stars=args.stars)
    if args.log or args.stars:
        raise UsageError("Judgements come from a folder or from a log.", "Give --judgements or --log, not both.")
    return BeirFolder(args.judgements, args.qrels or only_qrels(args.judgements))


def _print(report: LearnReport) -> None:
    scored = ", what nobody judged left out" if report.judged_only else ""
    output.out(
        f"{output.counted(report.questions, 'question')}, {output.counted(report.judgements, 'judgement')}; "
        f"NDCG@5 on judgements kept apart{scored}:"
    )
    for name, value in report.tried.items():
        output.out(f"  {value:.3f}  {name}")
    output.out(
        f"learned and chosen on the other questions: {report.after:.3f} against {report.before:.3f} now, "
        f"{report.after - report.before:+.3f} [{report.low:+.3f}, {report.high:+.3f}] with 95 % confidence; "
        f"{report.gained} gained, {report.lost} lost."
    )
    if report.generation:
        output.out(f"Adopted ({report.recipe}): generation {report.generation} is live. Undo: briefbank rollback")
    elif report.is_better:
        output.out(f"It would be adopted ({report.recipe}); this was a dry run.")
    else:
        output.out("The whole interval must be above 0: nothing was changed.")
