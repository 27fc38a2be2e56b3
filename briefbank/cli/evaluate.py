"""`briefbank evaluate BEIR_FOLDER`: how well the search finds what people judged relevant."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank import __version__
from briefbank.cli import output
from briefbank.cli.options import add_json, only_qrels
from briefbank.cli.spans import measure_spans, register_spans, settings_of
from briefbank.errors import ExitCode, UsageError
from briefbank.values.defaults import MOST_GRADED

_QUERIES_SHOWN = 10
_TIME_TO_RERANK_S = 600.0
"""Enough for a slow machine to read all; what people wait for is measured at the search."""
_GROUP_METRICS = ("Recall@5", "NDCG@10", "Useful@5")

if TYPE_CHECKING:
    from briefbank.judgements.evaluate.compare import Comparison
    from briefbank.judgements.evaluate.page.content import LearningCurve
    from briefbank.judgements.evaluate.run import EvaluationReport
    from briefbank.judgements.evaluate.usefulness import BandFigures, Reliability
    from briefbank.platform.settings import Settings


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "evaluate",
        help="measure the search on judged queries",
        description="Index the passages of a BEIR folder as they are and run its judged queries through the search.",
    )
    parser.add_argument(
        "folder",
        type=Path,
        metavar="BEIR_FOLDER",
        help="with corpus.jsonl, queries.jsonl and qrels/; with --spans, the documents",
    )
    register_spans(parser)
    parser.add_argument("--qrels", metavar="NAME", help="judgements: qrels/NAME.tsv (needed where there are several)")
    parser.add_argument("--judged-only", action="store_true", help="drop passages that nobody judged before scoring")
    parser.add_argument("--relevant-from", type=int, default=1, metavar="GRADE", help="lowest grade that counts (1)")
    parser.add_argument("--run", dest="run_file", type=Path, metavar="FILE", help="write the TREC run to FILE")
    parser.add_argument("--per-query", type=Path, metavar="FILE", help="write every query's metrics to FILE (TSV)")
    parser.add_argument(
        "--compare",
        type=Path,
        nargs=2,
        metavar=("RUN_A", "RUN_B"),
        help="search nothing: compare two TREC runs on the judgements, query by query",
    )
    parser.add_argument(
        "--reranker",
        type=int,
        default=0,
        metavar="COUNT",
        help="measure twice and compare: without the model added for rerank, and with it ordering the best COUNT",
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE.html",
        help="write a page with plots; it holds the queries: keep it private",
    )
    parser.add_argument(
        "--learning-curve",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a curve for the page: lines of size, figure, low, high (TSV); may be repeated",
    )
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the vectors for the next evaluation in DIR")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="a bank.toml whose settings to measure")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Evaluate and print the table of metrics, or compare two runs."""
    _require_sense(args)
    if args.spans:
        return measure_spans(args)
    name = args.qrels or only_qrels(args.folder)
    if args.compare:
        return _compare(args, name)
    if args.reranker:
        return _compare_reranked(args, name)
    settings = settings_of(args)
    curves = _prepare_page(args) if args.report else ()
    report = _evaluated(args, name, settings, args.cache)
    if args.json:
        output.out_json(asdict(report))
    else:
        _print(report)
    if args.report:
        _write_page(args, name, settings, report, curves)
    return ExitCode.OK


def _evaluated(args: argparse.Namespace, name: str, settings: Settings, cache: Path | None) -> EvaluationReport:
    from briefbank.judgements.evaluate.run import evaluate_folder

    with output.progress_reporter() as reporter:
        return evaluate_folder(
            args.folder,
            name,
            settings,
            judged_only=args.judged_only,
            relevant_from=args.relevant_from,
            run_file=args.run_file,
            per_query_file=args.per_query,
            cache_folder=cache,
            reporter=reporter,
        )


def _compare_reranked(args: argparse.Namespace, name: str) -> ExitCode:
    """Measure without and with what ranks, and compare; files that the call asks for are of the run with it."""
    from msgspec.structs import replace

    from briefbank.judgements.evaluate.compare import compare
    from briefbank.platform.scratch import scratch_folder

    plain = replace(settings_of(args), graded_results=0, grading_time_s=_TIME_TO_RERANK_S)
    with scratch_folder() as vectors:
        without, with_it = (
            _evaluated(args, name, replace(plain, graded_results=count), args.cache or vectors)
            for count in (0, args.reranker)
        )
    if not args.json:
        output.out(f"A as it is, B with the best {args.reranker} put in order by the model added for rerank")
    _print_comparison(compare(without.per_query, with_it.per_query), as_json=args.json)
    if not args.json:
        times = (f"{each.search_p50_ms:.0f} ms, p95 {each.search_p95_ms:.0f} ms" for each in (without, with_it))
        output.out("five hits    A p50 {}; B p50 {}".format(*times))
    return ExitCode.OK


def _require_sense(args: argparse.Namespace) -> None:
    if (args.profiles or args.checklist or args.categories) and not args.spans:
        raise UsageError(
            "--profiles, --checklist and --category are for annotated clauses.", "Name their file with --spans."
        )
    if args.report and args.spans:
        raise UsageError("There is no page for annotated clauses.", "Leave out --report, or take --json.")
    if args.report and args.compare:
        raise UsageError("--compare searches nothing, so that there is nothing for --report.", "Leave out one of them.")
    if args.reranker and (args.spans or args.report or args.compare or not 1 <= args.reranker <= MOST_GRADED):
        message = f"--reranker takes 1 to {MOST_GRADED}, and goes with none of --spans, --report and --compare."
        raise UsageError(message, "As in: briefbank evaluate FOLDER --reranker 10")
    if args.learning_curve and not args.report:
        raise UsageError("--learning-curve is for the page that --report writes.", "Name the page with --report.")


def _prepare_page(args: argparse.Namespace) -> tuple[LearningCurve, ...]:
    """Look whether the page can be made, before the work that it is to show is done; give its learning curves."""
    from briefbank.judgements.evaluate.page.content import read_learning_curves
    from briefbank.judgements.evaluate.page.write import require_page

    require_page(args.report)
    return read_learning_curves(args.learning_curve, args.folder)


def _write_page(
    args: argparse.Namespace,
    name: str,
    settings: Settings,
    report: EvaluationReport,
    curves: tuple[LearningCurve, ...],
) -> None:
    from briefbank.judgements.evaluate.page.content import Setting, gather
    from briefbank.judgements.evaluate.page.write import write_page

    setting = Setting(
        collection=args.folder.resolve().name,
        qrels=name,
        relevant_from=args.relevant_from,
        is_judged_only=args.judged_only,
        settings=args.settings.name if args.settings else "as delivered",
        encoder=settings.encoder or "as delivered",
        program=__version__,
        when=datetime.now(UTC),
    )
    write_page(gather(report, setting, args.folder, curves), args.report)
    if not args.json:
        output.out(f"report       {args.report}, which holds the queries: for you alone")


def _compare(args: argparse.Namespace, name: str) -> ExitCode:
    from briefbank.judgements.evaluate.run import compare_runs

    run_a, run_b = args.compare
    comparisons = compare_runs(args.folder, name, run_a, run_b, args.relevant_from, judged_only=args.judged_only)
    _print_comparison(comparisons, as_json=args.json)
    return ExitCode.OK


def _print_comparison(comparisons: dict[str, Comparison], *, as_json: bool) -> None:
    if as_json:
        output.out_json({metric: asdict(each) for metric, each in comparisons.items()})
        return
    output.out(f"{'':12}{'A':>8}{'B':>8}{'B − A':>9}   95 % interval        p   gained  lost")
    for metric, each in comparisons.items():
        values = f"{each.a:>8.3f}{each.b:>8.3f}{each.difference:>+9.3f}   [{each.low:+.3f}, {each.high:+.3f}]"
        output.out(f"{metric:12}{values}{each.p_value:>9.4f}{len(each.gained):>9}{len(each.lost):>6}")
    shown = comparisons.get("NDCG@10")
    for title, queries in (("gained most", shown.gained), ("lost most", shown.lost)) if shown else ():
        output.out(f"{title} (NDCG@10): {', '.join(queries[:_QUERIES_SHOWN]) or 'none'}")


def _print(report: EvaluationReport) -> None:
    systems = {"engine": report.metrics, **report.parts}
    queries = output.counted(report.query_count, "query", "queries")
    output.out(f"{queries}, {output.counted(report.passage_count, 'passage')}")
    output.out(f"{'':12}" + "".join(f"{name:>10}" for name in systems) + "   engine − rrf, 95 %")
    for metric in report.metrics:
        gain = report.over_rrf[metric]
        told = f"   {gain.difference:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
        output.out(f"{metric:12}" + "".join(f"{values[metric]:>10.3f}" for values in systems.values()) + told)
    for name, group in report.groups.items():
        counted = output.counted(group.query_count, "query", "queries")
        shown = "  ".join(f"{metric} {group.metrics[metric]:.3f}" for metric in _GROUP_METRICS)
        output.out(f"  {name:30}{counted:>12}  {shown}")
    output.out(f"too weak     {report.weak_share:.1%} of the relevant passages found are left out unless asked for")
    output.out(f"judged       {report.judged_share_5:.1%} of the first 5, {report.judged_share_10:.1%} of the first 10")
    if report.reliability:
        _print_reliability(report.reliability)
    if report.bands:
        _print_bands(report.bands)
    output.out(f"five hits    p50 {report.search_p50_ms:.0f} ms, p95 {report.search_p95_ms:.0f} ms")


def _print_bands(told: BandFigures) -> None:
    low, high = told.precision_interval
    useful = f"{told.precision:.1%} [{low:.1%}, {high:.1%}] of {told.on_point_count} judged results are useful"
    output.out(f"on point     {useful}; {told.coverage:.1%} of {told.answerable_count} queries that can be have one")
    output.out(f"best match   useful for {told.best_useful:.1%} of these queries")


def _print_reliability(told: Reliability) -> None:
    low, high = told.brier_interval
    base = f"always predicting their useful share {told.brier_of_share:.3f}"
    output.out(f"probability  Brier {told.brier:.3f} [{low:.3f}, {high:.3f}] of {told.result_count} results; {base}")
