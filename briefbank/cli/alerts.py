"""`briefbank alerts`: the office's list of cases and rules to be careful with."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "alerts",
        help="the office's list of cases and rules to be careful with",
        description="Show the list and how many passages cite each authority; every result that cites one says so. "
        "With --set, take the list from a CSV table with the columns authority, says, date and source.",
    )
    parser.add_argument("--set", dest="table", type=Path, metavar="FILE", help="use this table instead of the list")
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Take a new list, or show the one in use."""
    bank = open_bank(args)
    if args.table:
        bank.set_alerts(args.table)
    alerts, problems = bank.alerts(), bank.alert_problems()
    for problem in problems:
        output.error(problem)
    code = ExitCode.SETTINGS if problems else ExitCode.OK
    if args.json:
        shown = [
            {
                "authority": alert.authority,
                "says": alert.says,
                "date": alert.date.isoformat() if alert.date else None,
                "source": alert.source,
                "passages": count,
            }
            for alert, count in alerts.items()
        ]
        output.out_json({"alerts": shown, "problems": [problem.message for problem in problems]})
        return code
    for alert, count in alerts.items():
        output.out(f"{count:>6} passage{'' if count == 1 else 's'}: {alert.warning.removeprefix('cites ')}")
    output.out(
        f"{output.counted(len(alerts), 'authority', 'authorities')} listed. Others have not been checked by anybody."
    )
    return code
