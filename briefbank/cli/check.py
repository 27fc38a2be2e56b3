"""`briefbank check`: is every file of the bank what it was when it was written?"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("check", help="verify digests, counts and cross-references")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the findings; exit 7 if there are any."""
    findings = open_bank(args).check()
    if args.json:
        output.out_json({"findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            output.out(f"{finding.where}: {finding.problem}\n    {finding.advice}")
        output.out("The bank is sound." if not findings else f"{len(findings)} findings")
    return ExitCode.DAMAGED if findings else ExitCode.OK
