"""`briefbank check`: is every file of the bank what it was when it was written? `--repair` mends what it can."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.interrupt import ctrl_c_cancels
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode
from briefbank.platform.progress import CancelToken

if TYPE_CHECKING:
    from briefbank.reports import BankFinding


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("check", help="verify digests, counts and cross-references")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend what can be mended without the source files; what cannot be made again is put aside",
    )
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print what was mended and the findings; exit 7 if anything is damaged."""
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


def _repaired(args: argparse.Namespace) -> tuple[tuple[str, ...], tuple[BankFinding, ...]]:
    from briefbank.bank import Bank
    from briefbank.platform.layout import default_bank

    cancel = CancelToken()
    with ctrl_c_cancels(cancel, "step"), output.progress_reporter(quiet=args.json) as reporter:
        report = Bank.repair(args.bank or default_bank(), reporter=reporter, cancel=cancel)
    return report.done, report.findings
