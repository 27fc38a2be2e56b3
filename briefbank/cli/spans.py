"""Annotated clauses on the command line: the options for them, and the figures over them. `evaluate` and `profile`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from briefbank.judgements.evaluate.spans.metrics import SpanFigures
    from briefbank.judgements.evaluate.spans.run import SpanReport
    from briefbank.platform.settings import Settings

_SHOWN = ("recall@5", "recall@10", "recall@35000", "presence_auc", "f1", "jaccard")


def register_spans(parser: argparse.ArgumentParser, *, measures: bool = True) -> None:
    """Add the options for annotated clauses, and those of measuring with them."""
    parser.add_argument(
        "--spans",
        type=Path,
        metavar="FILE",
        help="annotated clauses of the documents in the folder: JSON lines with file, category and clause",
    )
    parser.add_argument(
        "--category",
        dest="categories",
        action="append",
        default=[],
        metavar="NAME",
        help="these clauses alone; may be repeated",
    )
    if measures:
        parser.add_argument(
            "--profiles", type=Path, metavar="DIR", help="look for each category with the profile of its name in DIR"
        )
        parser.add_argument(
            "--checklist", metavar="LIST", help="tell of each category what the item of its name answers, of this list"
        )


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings to index documents with: those of the file that the call names, or as delivered."""
    from briefbank.platform.settings import Settings, read_settings

    if args.settings and not args.settings.is_file():
        raise UsageError(f"There is no file {args.settings}.", "Name a bank.toml with the settings to measure.")
    return read_settings(args.settings, for_evaluation=True) if args.settings else Settings()


def measure_spans(args: argparse.Namespace) -> ExitCode:
    """Measure how well annotated clauses are found inside their documents, or compare two runs over them."""
    from briefbank.judgements.evaluate.spans.run import compare_span_runs, evaluate_spans

    settings = settings_of(args)
    given: dict[str, Any] = {"categories": args.categories, "cache_folder": args.cache}
    with output.progress_reporter() as reporter:
        if args.compare:
            compared = compare_span_runs(
                args.spans, args.folder, tuple(args.compare), settings, reporter=reporter, **given
            )
        else:
            from briefbank.search.checklists.checklist import named

            checklist = named(args.checklist) if args.checklist else None
            given |= {"profiles": args.profiles, "run_file": args.run_file, "checklist": checklist}
            report = evaluate_spans(args.spans, args.folder, settings, reporter=reporter, **given)
    if args.compare:
        return _print_compared(compared, as_json=args.json)
    if args.json:
        output.out_json(_as_json(report))
    else:
        _print(report)
    return ExitCode.OK


def _print_compared(compared: dict[str, tuple[float, float, Any]], *, as_json: bool) -> ExitCode:
    if as_json:
        output.out_json({name: {"a": a, "b": b, **asdict(change)} for name, (a, b, change) in compared.items()})
        return ExitCode.OK
    output.out(f"{'':14}{'A':>8}{'B':>8}{'B − A':>9}   95 % interval")
    for name, (a, b, change) in compared.items():
        told = f"{a:>8.3f}{b:>8.3f}{change.difference:>+9.3f}   [{change.low:+.3f}, {change.high:+.3f}]"
        output.out(f"{name:14}{told}")
    return ExitCode.OK


def _as_json(report: SpanReport) -> dict[str, Any]:
    return {
        **_figures_json(report.all),
        "long": _figures_json(report.long),
        "by_category": {name: _figures_json(each) for name, each in report.by_category.items()},
        "by_size": {name: _figures_json(each) for name, each in report.by_size.items()},
        "over_question": {name: asdict(each) for name, each in report.over_question.items()},
        "missing": report.missing,
    }


def _figures_json(figures: SpanFigures) -> dict[str, Any]:
    intervals = {name: list(interval) for name, interval in figures.intervals.items()}
    return {
        "spans": figures.span_count,
        "documents": figures.document_count,
        **{name: figures.metrics.get(name) for name in _SHOWN},
        "intervals": intervals,
    }


def _print(report: SpanReport) -> None:
    clauses = output.counted(report.all.span_count, "clause")
    output.out(f"{clauses} in {output.counted(report.all.document_count, 'document')}")
    long = output.counted(report.long.document_count, "document")
    output.out(f"{'':14}{'all':>8}   95 % interval   {long} of 20 chunks or more")
    for name in _SHOWN:
        output.out(f"{name:14}{_with_interval(report.all, name)}   {_with_interval(report.long, name)}")
    for name, change in report.over_question.items():
        output.out(f"{name:14}{change.difference:>+8.3f}   [{change.low:+.3f}, {change.high:+.3f}] over the question")
    for groups in (report.by_category, report.by_size):
        for name, figures in groups.items():
            shown = "  ".join(f"{each} {_value(figures, each)}" for each in _SHOWN)
            output.out(f"  {name:34}{figures.span_count:>5}  {shown}")
    if report.missing:
        output.out(
            f"{output.counted(report.missing, 'clause')} not in the text that was read, and counted as not found"
        )


def _value(figures: SpanFigures, name: str) -> str:
    return f"{figures.metrics[name]:.3f}" if name in figures.metrics else "    –"


def _with_interval(figures: SpanFigures, name: str) -> str:
    if name not in figures.metrics:
        return f"{'–':>8}{'':17}"
    low, high = figures.intervals[name]
    return f"{figures.metrics[name]:>8.3f}   [{low:.3f}, {high:.3f}]"
