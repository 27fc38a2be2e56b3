"""`briefbank feedback …`: what defenders said of results, for those who evaluate the search; and pools of passages that
are handed out to be graded, with what several readers made of them.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, add_json, feedback_log, first_date, open_bank
from briefbank.errors import BankMissingError, ExitCode, SourceError, UsageError
from briefbank.platform.progress import Progress

if TYPE_CHECKING:
    from briefbank.bank.local import Bank
    from briefbank.judgements.export.report import FeedbackReport, Usage
    from briefbank.judgements.feedback.exchange import LoggedEvent
    from briefbank.judgements.feedback.merge import MergeReport
    from briefbank.judgements.pooling.sheet import Adjudication

_SHOWN = 10
_ID = 8
_PATIENCE_S = 1.0
"""How long nothing need be said."""
_ALL_GONE = "The bank holds none of the passages that were judged or shown: --bank names the bank that was searched."
_NEXT_STEP = """
Nothing is exported yet. Read the list in a spreadsheet: write `no` before what must stay, add lines for what was
missed. Then run the same command with --approved '{review}' in place of --anonymise."""


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "feedback",
        help="export, merge and count what people said of results; gather graded judgements",
        description="The feedback log holds searches, what they showed and what people said of it.",
        epilog="Every action takes --json and --help.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _register_export(actions)
    register_pool(actions)
    register_adjudicate(actions)
    merge = actions.add_parser("merge", help="put the logs of many laptops into one")
    merge.add_argument("files", type=Path, nargs="+", metavar="FILE", help="a feedback.sqlite, or exported JSON lines")
    merge.add_argument("--out", type=Path, required=True, metavar="LOG", help="the merged log; gains what it lacks")
    add_json(merge)
    merge.set_defaults(run=_run_merge)
    report = actions.add_parser("report", help="searches, judgements and agreement in figures")
    _add_log(report)
    add_json(report)
    report.set_defaults(run=_run_report)


def _register_export(actions: Any) -> None:
    export = actions.add_parser("export", help="write feedback for evaluation or other programs")
    export.add_argument("out", type=Path, metavar="OUT", help="a new folder (beir, trec) or file (csv, jsonl)")
    export.add_argument(
        "--format", choices=("beir", "trec", "csv", "jsonl"), required=True, help="jsonl can be merged again"
    )
    export.add_argument(
        "--since", type=first_date, metavar="DATE", help="only from this day on, e.g. 2024 or 2024-06-30"
    )
    export.add_argument(
        "--grades",
        choices=("judged", "stars"),
        default="judged",
        help="what beir and trec grade by: judged 0/1 (default)",
    )
    names = export.add_mutually_exclusive_group()
    names.add_argument(
        "--anonymise", action="store_true", help="write only the list of what would be removed, for a person to approve"
    )
    names.add_argument(
        "--approved", type=Path, metavar="LIST", help="that list, approved: export without what it names"
    )
    _add_log(export)
    add_bank(export)
    export.set_defaults(run=_run_export)


def _add_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--log", type=Path, metavar="LOG", help="a feedback log (default: yours)")


def _events(args: argparse.Namespace) -> tuple[LoggedEvent, ...]:
    from briefbank.judgements.feedback.sources import read_source

    source = read_source(feedback_log(args))
    for problem in source.problems:
        output.warn(f"{problem.where}: {problem.reason}")
    return source.events


def _run_export(args: argparse.Namespace) -> ExitCode:
    from briefbank.judgements.export.export import ExportPlan, export, write_review

    if args.approved and not args.approved.is_file():
        advice = "Name the list that --anonymise wrote: OUT.confidential-review.csv, beside OUT."
        raise SourceError(f"There is no approved list {args.approved}.", advice)
    plan = ExportPlan(args.out, args.format, args.since, by_stars=args.grades == "stars", approved=args.approved)
    with output.progress_reporter(after_s=_PATIENCE_S) as reporter:
        reporter(Progress("reading feedback"))
        events, library = _events(args), _library(args)
        if args.anonymise:
            review = args.out.with_name(f"{args.out.name}.confidential-review.csv")
            answer: dict[str, object] = {"review": str(review)}
            answer["lines"] = write_review(events, plan, library, review, reporter)
        else:
            answer = export(events, plan, library, reporter)
    if args.json:
        output.out_json(answer)
    else:
        for name, count in answer.items():
            output.out(f"{name.replace('_', ' '):16}{count}")
        if args.anonymise:
            output.out(_NEXT_STEP.format(review=answer["review"]))
    if answer.get("gone") and not answer.get("passages"):
        output.warn(_ALL_GONE)
        return ExitCode.SOME_FAILED
    return ExitCode.OK


def _library(args: argparse.Namespace) -> Bank | None:
    """The bank, where it is needed or, for the names of its authors and clients, where there is one."""
    is_needed = args.format == "beir" or args.bank
    if not (is_needed or args.anonymise or args.approved):
        return None
    try:
        bank = open_bank(args)
        bank.require_index()  # a bank that holds no index is as good as none
        return bank
    except BankMissingError:
        if is_needed:
            raise
        output.warn("There is no bank to learn names from: names in lower case will not be found.")
        return None


def _run_merge(args: argparse.Namespace) -> ExitCode:
    from briefbank.judgements.feedback.log import default_log
    from briefbank.judgements.feedback.merge import merge_files

    if args.out.resolve() == default_log().resolve():
        raise UsageError("Your own log is not merged into.", "Name a new file with --out.")
    report = merge_files(args.files, args.out)
    if args.json:
        output.out_json(asdict(report))
    else:
        _print_merge(report)
    return ExitCode.SOME_FAILED if report.problems else ExitCode.OK


def _print_merge(report: MergeReport) -> None:
    people = output.counted(report.devices, "person", "people")
    output.out(f"{output.counted(report.events, 'event')} of {people} in {report.out}, {report.added} of them new")
    conflicts = output.counted(len(report.conflicts), "passage")
    output.out(f"{report.repeated} told again by several files, {conflicts} judged differently")
    for conflict in report.conflicts[:_SHOWN]:
        output.out(f"  “{conflict.query}” {conflict.passage_id}")
        for device, at, is_relevant in conflict.said:
            output.out(
                f"    {at[:16].replace('T', ' ')} {device[:_ID]}  {'relevant' if is_relevant else 'not relevant'}"
            )
    if len(report.conflicts) > _SHOWN:
        output.out(f"  and {len(report.conflicts) - _SHOWN} more; --json tells all")
    for problem in report.problems:
        output.warn(f"{problem.where}: {problem.reason}")


def _run_report(args: argparse.Namespace) -> ExitCode:
    from briefbank.judgements.export.report import report_of
    from briefbank.judgements.feedback.merge import temporary_log

    with temporary_log(_events(args)) as database:
        report = report_of(database)
    if args.json:
        output.out_json(_report_json(report))
    else:
        _print_report(report)
    return ExitCode.OK


def _report_json(report: FeedbackReport) -> dict[str, object]:
    def usage(each: Usage) -> dict[str, object]:
        return {**asdict(each), "judged_share": each.judged_share, "relevant_share": each.relevant_share}

    groups = {name: getattr(report, name) for name in ("by_month", "by_intent", "by_strategy")}
    return {
        "people": report.people,
        "total": usage(report.total),
        **{name: {key: usage(each) for key, each in group.items()} for name, group in groups.items()},
        "agreement": [asdict(pair) for pair in report.agreement],
    }


def _print_report(report: FeedbackReport) -> None:
    output.out(output.counted(report.people, "person", "people"))
    output.out(f"{'':32}{'searches':>9}{'judged':>9}{'judgements':>12}{'relevant':>10}")
    groups = ({"all": report.total}, report.by_month, report.by_intent, report.by_strategy)
    for group in groups:
        for name, each in group.items():
            shares = f"{each.judged_share:>9.0%}{each.judged:>12}{each.relevant_share:>10.0%}"
            output.out(f"{name:32}{each.searches:>9}{shares}")
        output.out()
    for pair in report.agreement[:_SHOWN]:
        agreement = pair.agreement
        kappa = "undefined: one label throughout"
        if agreement.kappa is not None:
            kappa = f"{agreement.kappa:+.2f} [{agreement.low:+.2f}, {agreement.high:+.2f}]"
        judged = f"{agreement.items} judged by both, {agreement.observed:.0%} alike"
        output.out(f"{pair.first[:_ID]} and {pair.second[:_ID]}: {judged}, kappa {kappa}")
    if not report.agreement:
        output.out("No two people judged the same passage for the same query.")


def register_pool(actions: Any) -> None:
    """Add the action."""
    pool = actions.add_parser(
        "pool",
        help="hand out passages to be graded",
        description="For each query, gather what several rankings bring, near-copies once, and write it blind and "
        "shuffled as a sheet for readers: pool.csv for a spreadsheet, pool.jsonl for programs, both with the guide on "
        "top. Readers fill in the column 'grade' of a copy each.",
    )
    pool.add_argument(
        "queries", type=Path, metavar="QUERIES", help="a text file with one query a line, or BEIR JSON lines"
    )
    pool.add_argument("out", type=Path, metavar="OUT_FOLDER", help="a folder that is not there yet")
    pool.add_argument("--per-query", type=int, default=14, metavar="N", help="passages for each query (14)")
    pool.add_argument(
        "--run", type=Path, action="append", default=[], dest="runs", metavar="FILE",
        help="a further ranking of the bank's passages, in TREC format; may be given several times",
    )  # fmt: skip
    pool.add_argument("--guide", type=Path, metavar="FILE", help="your own guide in place of the one that comes along")
    pool.add_argument("--seed", type=int, default=0, metavar="N", help="decides the order and the hard ones (0)")
    pool.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(pool)
    pool.set_defaults(run=_run_pool)


def register_adjudicate(actions: Any) -> None:
    """Add the action."""
    settle = actions.add_parser(
        "adjudicate",
        help="compare readers' grades and settle them",
        description="Tell how far the readers of a pool agree, and write the grades on which they do as a BEIR folder, "
        "for briefbank evaluate and learn. What they differ on is written as a sheet for a third reader, without "
        "grades; name that sheet too when it is filled in.",
    )
    settle.add_argument(
        "sheets", type=Path, nargs="+", metavar="SHEET", help="graded copies of one pool, a reader each"
    )
    settle.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="a folder that is not there yet")
    add_json(settle)
    settle.set_defaults(run=_run_adjudicate)


def _run_pool(args: argparse.Namespace) -> ExitCode:
    from briefbank.judgements.pooling.pool import write_pool

    bank = open_bank(args)
    with long_work("query", quiet=args.quiet) as work:
        report = write_pool(
            bank.pooler(args.runs), args.queries, args.out, per_query=args.per_query, guide=args.guide, seed=args.seed,
            **work)  # fmt: skip
    if args.json:
        output.out_json({"queries": report.queries, "pairs": report.pairs, "without_candidates": report.empty})
        return ExitCode.OK
    queries, pairs = output.counted(report.queries, "query", "queries"), output.counted(report.pairs, "passage")
    output.out(f"{pairs} to be graded for {queries} in {args.out}: pool.csv, pool.jsonl")
    for query in report.empty:
        output.warn(f"Nothing was found for the query {query}.")
    return ExitCode.OK


def _run_adjudicate(args: argparse.Namespace) -> ExitCode:
    from briefbank.judgements.pooling.pool import adjudicate_sheets

    found = adjudicate_sheets(args.sheets, args.out)
    if args.json:
        output.out_json(_as_json(found))
    else:
        _print(found, args.out)
    return ExitCode.OK


def _as_json(found: Adjudication) -> dict[str, object]:
    return {
        "settled": len(found.settled),
        "disputed": len(found.disputed),
        "ungraded": found.ungraded,
        "agreement": [
            {
                "first": each.first,
                "second": each.second,
                "pairs": each.pairs,
                "quadratic_kappa": each.quadratic,
                "useful_alike": each.useful.observed,
                "useful_kappa": each.useful.kappa,
            }
            for each in found.compared
        ],
    }


def _print(found: Adjudication, out: Path) -> None:
    from briefbank.judgements.pooling.sheet import ENOUGH_KAPPA

    for each in found.compared:
        if each.quadratic is None:
            output.out(f"{each.first} and {each.second}: {each.pairs} graded by both, too alike or too few for a kappa")
            continue
        verdict = (
            "" if each.quadratic >= ENOUGH_KAPPA else f"; below {ENOUGH_KAPPA}: read the guide again, or revise it"
        )
        output.out(
            f"{each.first} and {each.second}: {each.pairs} graded by both, quadratic kappa {each.quadratic:.2f}, "
            f"{each.useful.observed:.0%} alike on useful or not{verdict}"
        )
    output.out(f"{output.counted(len(found.settled), 'grade')} settled in {out}")
    if found.disputed:
        output.out(f"{output.counted(len(found.disputed), 'pair')} for a third reader: {out / 'third-reading.csv'}")
    if found.ungraded:
        output.out(f"{output.counted(found.ungraded, 'pair')} graded by nobody")
