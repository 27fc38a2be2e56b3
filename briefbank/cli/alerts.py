"""`briefbank alerts`: the office's list of cases and rules to be careful with, and what directives propose for it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.as_json import day_json
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode, UsageError
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from briefbank.bank.local import Bank
    from briefbank.search.directive_alerts import ProposedAlert


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "alerts",
        help="the office's list of cases and rules to be careful with",
        description="Show the list and how many passages cite each authority; every result that cites one says so. "
        "With --set, take the list from a CSV table with the columns authority, says, date and source.",
    )
    parser.add_argument("--set", dest="table", type=Path, metavar="FILE", help="use this table instead of the list")
    parser.add_argument(
        "--propose",
        type=Path,
        metavar="FILE",
        help="write the list and, behind it, what the office's directives say against other authorities to FILE, to be "
        "read, corrected and taken with --set",
    )
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Take a new list, or show the one in use."""
    bank = open_bank(args)
    if args.propose:
        return _propose(bank, args.propose, as_json=args.json)
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
                "date": day_json(alert.date),
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


def _propose(bank: Bank, file: Path, *, as_json: bool) -> ExitCode:
    from briefbank.platform.disk import disk_guard
    from briefbank.platform.files import write_new
    from briefbank.search.directive_alerts import table

    proposed = bank.proposed_alerts()
    with disk_guard(file.parent, "writing the proposals"):
        if not write_new(file, table(bank.alerts(), proposed).encode()):
            raise UsageError(f"{file} is there already.", "Name a file that is not there yet.")
    named = bank.only_named_in_directives(proposed)
    if as_json:
        output.out_json(
            {"proposed": [_as_json(each) for each in proposed], "named": [_as_json(each) for each in named]}
        )
        return ExitCode.OK
    _print(proposed)
    if named:
        output.out(
            f"\nDirectives name {output.counted(len(named), 'more authority', 'more authorities')} and nothing was "
            "understood against them. Not every warning is understood: read what is said.\n"
        )
        _print(named)
    counted = output.counted(len(proposed), "authority", "authorities")
    output.out(
        f"{counted} proposed. Read {file}, strike what is wrong, add what it lacks, and take it with: "
        f"briefbank alerts --set {file}"
    )
    return ExitCode.OK


def _as_json(each: ProposedAlert) -> dict[str, Any]:
    return {
        "authority": each.authority,
        "says": each.says,
        "date": day_json(each.date),
        "source": each.source,
        "passage_id": each.passage_id,
    }


def _print(shown: Sequence[ProposedAlert]) -> None:
    for each in shown:
        output.out(visible_name(f"{each.authority}: {each.says}"))
        output.out(visible_name(f"    {each.source}  [{each.passage_id}]"))
