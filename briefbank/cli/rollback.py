"""`briefbank rollback`: make the generation before the live one live again."""

from __future__ import annotations

import argparse
from typing import Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("rollback", help="go back to the generation before")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Swap the generations and say which one is live."""
    bank = open_bank(args)
    name = bank.rollback()
    pack = bank.status().installed
    if args.json:
        output.out_json({"generation": name, "pack": pack.file if pack else None})
        return ExitCode.OK
    output.out(f"Generation {name} is live now.")
    if pack:
        output.out(f"So is the list of cases to be careful with that came with it, in {pack.file or pack.pack[:16]}.")
    return ExitCode.OK
