"""`briefbank documents`: every document of the bank with its metadata."""

from __future__ import annotations

import argparse
from typing import Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.visible import visible_name


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("documents", help="list every document with its metadata")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the catalogue."""
    from briefbank.cli.as_json import document_json

    rows = [document_json(document) for document in open_bank(args).documents()]
    if args.json:
        output.out_json({"documents": rows})
        return ExitCode.OK
    for row in rows:
        scanned = f", {row['ocr_pages']} by OCR" if row["ocr_pages"] else ""
        pages, passages = output.counted(row["pages"], "page"), output.counted(row["passages"], "passage")
        known = [row["kind"], row["court"], row["docket"], row["author"], row["outcome"]]
        output.out(f"{row['filed'] or 'undated   '}  {visible_name(row['title'])}")
        output.out(f"            {visible_name(' · '.join(each for each in known if each))}")
        output.out(f"            {visible_name(row['source_path'])} ({pages}{scanned}, {passages})")
        if row["note"]:
            output.out(f"            ! {visible_name(row['note'])}")
    output.out(output.counted(len(rows), "document"))
    return ExitCode.OK
