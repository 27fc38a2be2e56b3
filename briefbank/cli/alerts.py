"""`briefbank alerts`: the office's list of cases and rules to be careful with, and what directives say of others."""

from __future__ import annotations

import argparse
from itertools import groupby
from operator import attrgetter
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
    from briefbank.search.directives import DirectiveSentence


_NO_FILE = Path()


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "alerts",
        help="the office's list of cases and rules to be careful with",
        description="Show the list, what directives say against other authorities, and how many passages cite each; "
        "every result that cites one says so. With --set, take the list from a CSV table with the columns authority, "
        "says, date and source.",
    )
    parser.add_argument("--set", dest="table", type=Path, metavar="FILE", help="use this table instead of the list")
    parser.add_argument(
        "--propose",
        nargs="?",
        const=_NO_FILE,
        type=Path,
        metavar="FILE",
        help="print the sentences of the office's directives that name authorities which the list lacks; with FILE, "
        "write the list there and behind it a row for each that stands beside a word of treatment, to be filled in or "
        "struck, and taken with --set",
    )
    add_bank(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Take a new list, or show the one in use."""
    bank = open_bank(args)
    if args.propose is not None:
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
                "is_of_directive": alert.is_of_directive,
            }
            for alert, count in alerts.items()
        ]
        output.out_json({"alerts": shown, "problems": [problem.message for problem in problems]})
        return code
    for alert, count in alerts.items():
        output.out(f"{count:>6} passage{'' if count == 1 else 's'}: {alert.warning.removeprefix('cites ')}")
    listed = output.counted(sum(not each.is_of_directive for each in alerts), "authority", "authorities")
    output.out(f"{listed} listed. Others have not been checked by anybody.")
    return code


def _propose(bank: Bank, file: Path, *, as_json: bool) -> ExitCode:
    sentences = bank.directive_sentences()
    if file != _NO_FILE:
        _write_table(bank, file, sentences)
    treated = [each for each in sentences if each.is_treated]
    named = [each for each in sentences if not each.is_treated]
    if as_json:
        output.out_json({"proposed": [_as_json(each) for each in treated], "named": [_as_json(each) for each in named]})
        return ExitCode.OK
    output.out(
        f"Directives name {_counted(treated)} beside a word of treatment (overruled, limited, amended …). Which is "
        "meant, and whether it is so, BriefBank does not judge: read each sentence.\n"
    )
    _print(treated)
    output.out(f"They also name {_counted(named)} without such a word, here with the sentence that does so first.\n")
    _print(named)
    output.out(
        "Until the list says something of an authority, these words are shown wherever it is cited. Say in "
        f"{'alerts.csv' if file == _NO_FILE else file} in your own words what is to be known of it, or “no warning”, "
        "and take the list with: briefbank alerts --set FILE"
    )
    return ExitCode.OK


def _write_table(bank: Bank, file: Path, sentences: Sequence[DirectiveSentence]) -> None:
    from briefbank.platform.disk import disk_guard
    from briefbank.platform.files import write_new
    from briefbank.search.directives import table

    with disk_guard(file.parent, "writing the list"):
        if not write_new(file, table(bank.listed_alerts(), sentences).encode()):
            raise UsageError(f"{file} is there already.", "Name a file that is not there yet.")


def _counted(sentences: Sequence[DirectiveSentence]) -> str:
    return output.counted(len({each.authority for each in sentences}), "authority", "authorities")


def _as_json(each: DirectiveSentence) -> dict[str, Any]:
    return {
        "authority": each.authority,
        "says": each.words,
        "date": day_json(each.date),
        "source": each.source,
        "passage_id": each.passage.id,
    }


def _print(sentences: Sequence[DirectiveSentence]) -> None:
    for authority, group in groupby(sentences, key=attrgetter("authority")):
        output.out(visible_name(authority))
        for each in group:
            pages = each.document.cited_pages(each.passage.page_first, each.passage.page_last)
            output.out(visible_name(f"    “{each.words}”"))
            output.out(f"    {output.brief_line(each.document, pages, f'[{each.passage.id}]')}")
        output.out()
