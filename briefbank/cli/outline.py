"""`briefbank outline DOCUMENT_ID`: the headings of a brief, and what in it refers to another place of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from briefbank.values.pages import OutlineEntry, Reference
    from briefbank.values.records import Document


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "outline",
        help="list the headings of a brief with their pages",
        description="The headings of a brief with the pages that bear them. With --references also where its text "
        "refers to a point, note, page or defined term of its own, and where that leads.",
    )
    parser.add_argument("document_id", metavar="DOCUMENT_ID", help="as `briefbank documents --json` gives it")
    parser.add_argument("--references", action="store_true", help="also list references within the brief")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the outline."""
    with open_bank(args) as bank:
        headings = bank.outline(args.document_id)
        document = bank.first_passage(args.document_id).document
        references = bank.references(args.document_id) if args.references or args.json else ()
    if args.json:
        from briefbank.cli.as_json import document_json

        rows = [_heading_json(each, document) for each in headings]
        found = [_reference_json(each, document) for each in references]
        output.out_json({"document": document_json(document), "headings": rows, "references": found})
        return ExitCode.OK
    output.out_styled([(visible_name(document.metadata.title.value), "bold")])
    for each in headings:
        page = document.cited_pages(each.place.page, each.place.page)
        output.out(visible_name(f"{'  ' * each.level}{' '.join(each.title.split())}{f'  {page}' if page else ''}"))
    for reference in references:
        _print_reference(reference, document)
    return ExitCode.OK


def _print_reference(reference: Reference, document: Document) -> None:
    here = document.cited_pages(reference.on_page, reference.on_page)
    there = document.cited_pages(reference.page, reference.page) if reference.page else "nothing in this brief"
    leads_to = " · ".join(filter(None, (there, reference.title)))
    output.out(visible_name(f"{f'{here}: ' if here else ''}“{reference.text}” → {leads_to}"))


def _heading_json(entry: OutlineEntry, document: Document) -> dict[str, Any]:
    page = entry.place.page
    return {
        "level": entry.level,
        "heading": entry.title,
        "page": page if document.has_pages else None,
        "page_label": document.printed_pages(page, page),
        "passage_id": entry.passage_id,
    }


def _reference_json(reference: Reference, document: Document) -> dict[str, Any]:
    page = reference.page
    return {
        "kind": reference.kind.value,
        "text": reference.text,
        "passage_id": reference.passage.id,
        "span": list(reference.span),
        "page": reference.on_page if document.has_pages else None,
        "page_label": document.printed_pages(reference.on_page, reference.on_page),
        "leads_to": None
        if reference.is_dead
        else {
            "page": page if document.has_pages else None,
            "page_label": document.printed_pages(page, page),
            "passage_id": reference.target.id if reference.target else None,
            "title": reference.title,
        },
    }
