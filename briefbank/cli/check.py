"""`briefbank check`: is every file of the bank what it was when it was written? `--repair` mends what it can.

`--machine` tries instead what the machine at hand keeps readers of hostile files from.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.interrupt import long_work
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode

if TYPE_CHECKING:
    from briefbank.values.state import BankFinding


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("check", help="verify digests, counts and cross-references")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend what can be mended without the source files; what cannot be made again is put aside",
    )
    parser.add_argument(
        "--machine",
        action="store_true",
        help="try instead, on this machine, what readers of hostile files are kept from; needs no bank",
    )
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print what was mended and the findings; exit 7 if anything is damaged."""
    if args.machine:
        return _try_machine(args)
    from briefbank.platform.confine import missing_protection

    done, findings = _repaired(args) if args.repair else ((), tuple(open_bank(args).check()))
    missing = missing_protection()
    damage = sum(finding.is_damage for finding in findings)
    if args.json:
        result = {"findings": [asdict(finding) for finding in findings], "missing_protection": missing}
        output.out_json({"done": done, **result} if args.repair else result)
    else:
        for sentence in done:
            output.out(sentence)
        for finding in findings:
            output.out(f"{finding.where}: {finding.problem}\n    {finding.advice}")
        output.not_protected(missing)
        output.out("The bank is sound." if not damage else output.counted(damage, "finding"))
    return ExitCode.DAMAGED if damage else ExitCode.OK


def _try_machine(args: argparse.Namespace) -> ExitCode:
    """Print what a reader is kept from here, one line each; exit 1 unless it is kept from all of it."""
    from briefbank.platform.confine import missing_protection
    from briefbank.platform.confine.trial import held_here

    held, missing = held_here(), missing_protection()
    if args.json:
        output.out_json({"held": held, "missing_protection": missing})
    else:
        for what, is_held in held.items():
            output.out(f"{'Held' if is_held else 'NOT HELD'}: a process that reads a file {what}")
        output.not_protected(missing)
    return ExitCode.OK if all(held.values()) else ExitCode.OTHER


def _repaired(args: argparse.Namespace) -> tuple[tuple[str, ...], tuple[BankFinding, ...]]:
    from briefbank.bank.local import Bank
    from briefbank.platform.layout import default_bank

    with long_work("step", quiet=args.json) as work:
        report = Bank.repair(args.bank or default_bank(), **work)
    return report.done, report.findings
