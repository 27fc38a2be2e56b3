"""`briefbank follow …`: what is new of saved searches, issues and authorities since somebody looked."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from briefbank.cli import output
from briefbank.cli.options import add_action, open_bank
from briefbank.errors import ExitCode, UsageError
from briefbank.platform.event_log.log import is_kept_at
from briefbank.platform.visible import visible_name
from briefbank.values.follows import News
from briefbank.values.records import Query


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "follow",
        help="what is new of a saved search, an issue or an authority",
        description="Names what is to be asked again of each new index or pack, and says what stands in documents that "
        "the bank had not when you looked last. Nothing is watched meanwhile.",
        epilog="Every action takes --json and --help.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    action = partial(add_action, actions, log="a log of what is followed")
    action("list", _list, "what is followed, and what is new of it")
    add = action("add", _add, "follow a question or an authority, or a saved search or issue by its name")
    add.add_argument("name", metavar="NAME")
    add.add_argument("question", nargs="*", metavar="QUESTION", help="a search, or an authority; without: as saved")
    add.add_argument("--issue", action="store_true", help="NAME is that of an issue profile")
    add.add_argument("--feedback", type=Path, metavar="LOG", help="the log of the saved search (default: yours)")
    seen = action("seen", _seen, "mark as seen what is new")
    seen.add_argument("names", nargs="*", metavar="NAME", help="of these; without: of all")
    stop = action("stop", _stop, "follow something no longer")
    stop.add_argument("name", metavar="NAME")


def _log(args: argparse.Namespace) -> Path:
    from briefbank.matters.follows import default_log

    return args.log or default_log()


def _list(args: argparse.Namespace) -> ExitCode:
    with open_bank(args) as bank:
        return _print(args, bank.news(_log(args)))


def _add(args: argparse.Namespace) -> ExitCode:
    text = " ".join(args.question)
    with open_bank(args) as bank:
        if args.issue:
            bank.profile(args.name)
            query = Query(text or args.name, profile=args.name)
        else:
            query = Query(text) if text else _saved(args)
        return _print(args, bank.follow({args.name: query}, _log(args)))


def _saved(args: argparse.Namespace) -> Query:
    from briefbank.judgements.feedback.log import FeedbackLog, default_log

    path, found = args.feedback or default_log(), None
    if is_kept_at(path):
        with FeedbackLog(path) as log:
            found = next((each.query for each in log.saved_searches() if each.name == args.name), None)
    if found is None:
        raise UsageError(f"No search is saved as {args.name}.", "Give the question behind the name, or --issue.")
    return found


def _seen(args: argparse.Namespace) -> ExitCode:
    with open_bank(args) as bank:
        new = {each.follow.name: each.query.filters.documents for each in bank.news(_log(args))}
        names = [_followed(name, new) for name in args.names] or new
        seen = {name: new[name] for name in names}
        return _print(args, bank.mark_seen(seen, _log(args)) if seen else ())


def _stop(args: argparse.Namespace) -> ExitCode:
    with open_bank(args) as bank:
        name = _followed(args.name, [each.follow.name for each in bank.news(_log(args))])
        return _print(args, bank.stop_following(name, _log(args)))


def _followed(name: str, names: Collection[str]) -> str:
    if name not in names:
        raise UsageError(f"Nothing is followed as {name}.", "`briefbank follow list` names what is.")
    return name


def _print(args: argparse.Namespace, news: Sequence[News]) -> ExitCode:
    """Print what is followed now, and what is new of it."""
    if args.json:
        told = [
            {
                "name": each.follow.name,
                "since": each.follow.seen.isoformat(),
                "new_passages": each.passages,
                "problem": each.problem,
            }
            for each in news
        ]
        output.out_json({"follows": told})
        return ExitCode.OK
    for each in news:
        output.out(visible_name(f"{each.follow.name}: {each.told}"))
    if not news:
        output.out("Nothing is followed. `briefbank follow add` begins.")
    return ExitCode.OK
