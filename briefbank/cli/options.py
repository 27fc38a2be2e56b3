"""Options that several verbs share."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from briefbank.bank import Bank


def add_bank(parser: argparse.ArgumentParser) -> None:
    """Add `--bank` and `--json`."""
    parser.add_argument(
        "--bank", type=Path, metavar="DIR", help="the bank (default: BRIEFBANK_BANK, else in your data folder)"
    )
    add_json(parser)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")


def open_bank(args: argparse.Namespace) -> Bank:
    """Open the bank that the call names."""
    from briefbank.bank import Bank
    from briefbank.layout import default_bank

    return Bank.open(args.bank or default_bank())


def iso_date(text: str) -> date:
    """Read a date option; a year or month alone means its first day."""
    try:
        return date.fromisoformat(f"{text}-01-01"[:10] if len(text) == 4 else f"{text}-01"[:10])
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a date like 2021-11-30") from None
