"""`briefbank authorities`: a list of all authorities that IT brings, by which the citations of drafts are checked."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, add_json, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from briefbank.law.authority_list import ListHead


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "authorities",
        help="the list of authorities by which citations are checked",
        description="Make one file of tables of citations, and show what one holds. The check of a draft tells which "
        "citations are not in it, or bear another name or year there. Each ACTION takes --json.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    build = actions.add_parser("build", help="make a list of tables of citations")
    build.add_argument(
        "tables",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="CSV, as it is or compressed (.bz2): citations and opinion-clusters of CourtListener's bulk data, or any "
        "with the columns volume, reporter, page, name, year",
    )
    build.add_argument("--out", type=Path, required=True, metavar="LIST", help="the list, a new file")
    build.add_argument("--date", required=True, metavar="DATE", help="of when the data is: 2026-09 or 2026-09-30")
    build.add_argument(
        "--licence",
        required=True,
        metavar="TEXT",
        help="whose data it is and under which terms, shown with its answers",
    )
    use = actions.add_parser("use", help="check drafts of a bank by a list, which goes along in its packs")
    use.add_argument("list", type=Path, metavar="LIST", help="a list that `build` made; the bank keeps a copy")
    show = actions.add_parser("show", help="show of when a list is, its licence, and what it holds")
    show.add_argument("list", type=Path, nargs="?", metavar="LIST", help="a list (default: the bank's)")
    add_json(build)
    add_bank(use)
    add_bank(show)
    for each, run in ((build, _build), (use, _use), (show, _show)):
        each.set_defaults(run=run)


def _build(args: argparse.Namespace) -> ExitCode:
    from briefbank.law.authority_list import build_list

    with long_work("table") as work:
        report = build_list(args.tables, args.out, licence=args.licence, date=args.date, **work)
    if args.json:
        output.out_json({**asdict(report), "head": to_builtins(report.head)})
        return ExitCode.OK
    size = f"{report.size_bytes / 1e6:,.1f} MB, made in {report.seconds:,.0f} s"
    output.out(f"Wrote {visible_name(str(args.out))}: {_held(report.head)} ({size}).")
    if report.left_out:
        rows = output.counted(report.left_out, "row")
        output.warn(
            f"Left out, for drafts cite no such volume, reporter or page: {rows}, first {report.first_left_out}."
        )
    return ExitCode.OK


def _use(args: argparse.Namespace) -> ExitCode:
    return _print(open_bank(args).set_authority_list(args.list), as_json=args.json)


def _show(args: argparse.Namespace) -> ExitCode:
    from briefbank.law.authority_list import AuthorityList

    return _print(
        AuthorityList.open(args.list).head if args.list else open_bank(args).authority_list(), as_json=args.json
    )


def _print(head: ListHead | None, *, as_json: bool) -> ExitCode:
    if as_json:
        output.out_json(to_builtins(head))
    elif head is None:
        output.out("This bank has no list of authorities.")
    else:
        output.out(f"The list of {head.date}: {_held(head)}.")
        output.out(visible_name(head.licence))
    return ExitCode.OK


def _held(head: ListHead) -> str:
    return f"{output.counted(head.rows, 'citation')} in {output.counted(len(head.reporters), 'reporter')}"
