"""`briefbank pack OUT`: write the live index into one signed archive."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.keys import add_passphrase, passphrase_of
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "pack",
        help="write the index into one signed file, to be installed on laptops",
        description="Write the live index, the query encoder and the stored summaries into OUT, signed with the "
        "office's key.",
    )
    parser.add_argument("out", type=Path, metavar="OUT.bbpack")
    parser.add_argument("--models", action="store_true", help="add the models of this machine's models folder")
    parser.add_argument("--no-summaries", action="store_true", help="leave the stored summaries out")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the private key (default: that of briefbank keys)")
    add_passphrase(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Pack, then tell what came of it."""
    bank = open_bank(args)
    with long_work("step", quiet=args.quiet) as work:
        report = bank.pack(
            args.out,
            args.key,
            passphrase_of(args),
            with_models=args.models,
            with_summaries=not args.no_summaries,
            **work,
        )
    if args.json:
        output.out_json(asdict(report))
        return ExitCode.OK
    for warning in report.warnings:
        output.warn(warning)
    output.out(report.pack)
    output.out(
        f"Generation {report.generation}: {output.holding(report.documents, report.passages)}, "
        f"{report.bytes / 1e6:.1f} MB in {output.duration(report.seconds)}."
    )
    return ExitCode.OK
