"""`briefbank install PACK`: put a pack's index in the place of the one that is searched."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank
from briefbank.errors import ExitCode


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "install",
        help="install a pack made by briefbank pack",
        description="Verify PACK and make its index the one that is searched. Until then, and if anything is wrong "
        "with it, the bank searches as before. An open window takes the new index up by itself.",
    )
    parser.add_argument("pack", type=Path, metavar="PACK")
    parser.add_argument(
        "--trust", type=Path, metavar="KEY", help="trust this public key for this pack (see briefbank keys)"
    )
    parser.add_argument(
        "--older",
        action="store_true",
        help="install a pack that is older than what is searched, with its older list of alerts",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Install, then tell what is searched now."""
    from briefbank.bank.local import Bank
    from briefbank.platform.layout import default_bank

    with long_work("step", quiet=args.quiet) as work:
        report = Bank.install(args.bank or default_bank(), args.pack, trust=args.trust, allow_older=args.older, **work)
    if args.json:
        output.out_json(asdict(report))
        return ExitCode.OK
    state = "is live now" if report.is_new else "was installed already, nothing was changed"
    output.out(
        f"Generation {report.generation} {state}: {output.holding(report.documents, report.passages)}, "
        f"signed by {report.signed_by}, in {output.duration(report.seconds)}."
    )
    if report.before:
        output.out(f"Kept back: {report.before} (briefbank rollback)")
    return ExitCode.OK
