"""`briefbank feedback pool|adjudicate`: passages handed out to be graded, and what several readers made of them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.interrupt import ctrl_c_cancels
from briefbank.cli.options import add_bank, add_json, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.progress import CancelToken

if TYPE_CHECKING:
    from briefbank.judgements.pooling.adjudicate import Adjudication


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

    cancel = CancelToken()
    bank = open_bank(args)
    with ctrl_c_cancels(cancel, "query"), output.progress_reporter(quiet=args.quiet) as reporter:
        report = write_pool(
            bank.pooler(args.runs), args.queries, args.out, per_query=args.per_query, guide=args.guide, seed=args.seed,
            reporter=reporter, cancel=cancel,
        )  # fmt: skip
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
        _tell(found, args.out)
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


def _tell(found: Adjudication, out: Path) -> None:
    from briefbank.judgements.pooling.adjudicate import ENOUGH_KAPPA

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
