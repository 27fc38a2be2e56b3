"""`briefbank show PASSAGE_ID`: a passage with its neighbours in document order."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from briefbank.values.records import Passage


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("show", help="show a passage with those before and after it")
    parser.add_argument("passage_id", metavar="PASSAGE_ID")
    parser.add_argument("--context", type=int, default=1, metavar="N", help="neighbours on each side (1)")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the passage in its surroundings."""
    view = open_bank(args).passage(args.passage_id, context=args.context)
    if args.json:
        from briefbank.cli.as_json import document_json, passage_json

        def as_json(passage: Passage) -> dict[str, Any]:
            return passage_json(passage, view.document, view.cautions.get(passage.id, ()))

        output.out_json(
            {
                "document": document_json(view.document),
                "before": [as_json(each) for each in view.before],
                "passage": as_json(view.passage),
                "after": [as_json(each) for each in view.after],
            }
        )
        return ExitCode.OK
    document = view.document
    output.out(visible_name(f"{document.metadata.title.value} · {document.source_path}"))
    for each in (*view.before, view.passage, *view.after):
        mark = ">" if each.id == view.passage.id else " "
        pages = document.cited_pages(each.page_first, each.page_last)
        head = " · ".join(filter(None, (each.id, pages, " › ".join(each.section_path))))
        output.out(f"\n{mark} {visible_name(head)}")
        for line in each.text.splitlines():
            output.out(f"{mark}   {line}")
        for caution in view.cautions.get(each.id, ()):
            output.out(f"{mark} ! {visible_name(caution)}")
    return ExitCode.OK
