"""`briefbank evaluate BEIR_FOLDER`: how well the search finds what people judged relevant."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_json
from briefbank.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from briefbank.evaluate.run import EvaluationReport


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "evaluate",
        help="measure the search on judged queries",
        description="Index the passages of a BEIR folder as they are and run its judged queries through the search.",
    )
    parser.add_argument("folder", type=Path, metavar="BEIR_FOLDER", help="with corpus.jsonl, queries.jsonl and qrels/")
    parser.add_argument("--qrels", metavar="NAME", help="judgements: qrels/NAME.tsv (needed where there are several)")
    parser.add_argument("--judged-only", action="store_true", help="drop passages that nobody judged before scoring")
    parser.add_argument("--relevant-from", type=int, default=1, metavar="GRADE", help="lowest grade that counts (1)")
    parser.add_argument("--run", dest="run_file", type=Path, metavar="FILE", help="write the TREC run to FILE")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the vectors for the next evaluation in DIR")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="a bank.toml whose settings to measure")
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Evaluate and print the table of metrics."""
    from briefbank.evaluate.run import evaluate_folder
    from briefbank.settings import Settings, read_settings

    with output.progress_reporter() as reporter:
        report = evaluate_folder(
            args.folder,
            args.qrels or _only_qrels(args.folder),
            read_settings(args.settings) if args.settings else Settings(),
            judged_only=args.judged_only,
            relevant_from=args.relevant_from,
            run_file=args.run_file,
            cache_folder=args.cache,
            reporter=reporter,
        )
    if args.json:
        output.out_json(asdict(report))
    else:
        _tell(report)
    return ExitCode.OK


def _only_qrels(folder: Path) -> str:
    names = sorted(path.stem for path in folder.glob("qrels/*.tsv"))
    if len(names) == 1:
        return names[0]
    told = f"It has {', '.join(names)}: choose with --qrels." if names else "Put the judgements in qrels/NAME.tsv."
    raise UsageError(f"{folder} has {len(names) or 'no'} sets of judgements.", told)


def _tell(report: EvaluationReport) -> None:
    systems = {"engine": report.metrics, **report.parts}
    output.out(f"{report.query_count} queries, {report.passage_count} passages")
    output.out(f"{'':12}" + "".join(f"{name:>10}" for name in systems))
    for metric in report.metrics:
        output.out(f"{metric:12}" + "".join(f"{values[metric]:>10.3f}" for values in systems.values()))
    output.out(f"judged       {report.judged_share_5:.1%} of the first 5, {report.judged_share_10:.1%} of the first 10")
    output.out(f"search       p50 {report.search_p50_ms:.0f} ms, p95 {report.search_p95_ms:.0f} ms")
