"""`briefbank arguments`: the point headings of all briefs, like ones in groups, browsed or searched."""

from __future__ import annotations

import argparse
from typing import Any

from briefbank.cli import output
from briefbank.cli.as_json import brief_json, day_json
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name
from briefbank.values.defaults import ARGUMENTS_SHOWN
from briefbank.values.reading import Argument, ArgumentGroup, ArgumentOrder


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "arguments", help="list the point headings of all briefs, like ones together, or search them"
    )
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what the arguments are about; without: all of them")
    parser.add_argument(
        "--order",
        choices=[order.value for order in ArgumentOrder],
        help="newest brief first, what most briefs argue first, by the alphabet, or, with WORDS, best match first "
        "(default: newest; with WORDS: best)",
    )
    parser.add_argument(
        "--top-k", type=int, default=ARGUMENTS_SHOWN, metavar="N", help="how many groups (default: %(default)s)"
    )
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the groups."""
    order = ArgumentOrder(args.order) if args.order else None
    with open_bank(args) as bank:
        found = bank.arguments(" ".join(args.words), order=order, top_k=args.top_k)
    if args.json:
        groups = [_group_json(group) for group in found.groups]
        output.out_json({"groups": groups, "found": found.found, "headings": found.total})
        return ExitCode.OK
    if not found.groups:
        nothing = "No brief argues that. Try other words; `briefbank search` looks in all text."
        output.out(nothing if args.words else "No brief of this bank has point headings.")
        return ExitCode.OK
    for group in found.groups:
        output.out_styled([(visible_name(group.heading), "bold")])
        output.out(f"    argued in {output.counted(group.brief_count, 'brief')}, last {output.filed_day(group.filed)}")
        for argument in group.arguments:
            cited = argument.document.cited_pages(argument.page, argument.page)
            output.out(f"    {output.brief_line(argument.document, cited, f'[{argument.passage_id}]')}")
        if more := group.argument_count - len(group.arguments):
            output.out(f"    and {output.counted(more, 'older heading')}")
    output.out(f"{len(found.groups)} of {output.counted(found.found, 'argument')}")
    return ExitCode.OK


def _group_json(group: ArgumentGroup) -> dict[str, Any]:
    return {
        "heading": group.heading,
        "filed": day_json(group.filed),
        "briefs": group.brief_count,
        "headings": group.argument_count,
        "arguments": [_argument_json(argument) for argument in group.arguments],
    }


def _argument_json(argument: Argument) -> dict[str, Any]:
    document = argument.document
    return {
        "heading": argument.heading,
        "section_path": list(argument.path),
        "passage_id": argument.passage_id,
        **brief_json(document),
        "page": argument.page if document.has_pages else None,
        "page_label": document.printed_pages(argument.page, argument.page),
    }
