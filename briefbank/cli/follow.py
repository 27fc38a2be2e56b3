"""`briefbank follow …`: what is new of saved searches, issues and authorities since somebody looked."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, open_bank
from briefbank.errors import ExitCode, UsageError
from briefbank.platform.visible import visible_name
from briefbank.values.records import Query

if TYPE_CHECKING:
    from briefbank.matters.follows import FollowLog


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
    _action(actions, "list", _list, "what is followed, and what is new of it")
    add = _action(actions, "add", _add, "follow a question or an authority, or a saved search or issue by its name")
    add.add_argument("name", metavar="NAME")
    add.add_argument("question", nargs="*", metavar="QUESTION", help="a search, or an authority; without: as saved")
    add.add_argument("--issue", action="store_true", help="NAME is that of an issue profile")
    add.add_argument("--feedback", type=Path, metavar="LOG", help="the log of the saved search (default: yours)")
    seen = _action(actions, "seen", _seen, "mark as seen what is new")
    seen.add_argument("names", nargs="*", metavar="NAME", help="of these; without: of all")
    stop = _action(actions, "stop", _stop, "follow something no longer")
    stop.add_argument("name", metavar="NAME")


def _action(actions: Any, name: str, run: Any, help_text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=help_text)
    parser.add_argument("--log", type=Path, metavar="LOG", help="a log of what is followed (default: yours)")
    add_bank(parser)
    parser.set_defaults(run=run)
    return parser


def _opened(args: argparse.Namespace) -> FollowLog:
    from briefbank.matters.follows import FollowLog, default_log

    return FollowLog(args.log or default_log())


def _list(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.follows import follows_of

    with _opened(args) as log, open_bank(args) as bank:
        news = bank.news(follows_of(log.events()))
    if args.json:
        told = [
            {"name": each.name, "since": each.since.isoformat(), "new_passages": each.passages, "problem": each.problem}
            for each in news
        ]
        output.out_json({"follows": told})
        return ExitCode.OK
    for each in news:
        output.out(visible_name(f"{each.name}: {each.told}"))
    if not news:
        output.out("Nothing is followed. `briefbank follow add` begins.")
    return ExitCode.OK


def _add(args: argparse.Namespace) -> ExitCode:
    text = " ".join(args.question)
    with open_bank(args) as bank:
        if args.issue:
            bank.profile(args.name)
            query = Query(text or args.name, profile=args.name)
        else:
            query = Query(text) if text else _saved(args)
        known = bank.known_documents()
    _mark(args, {args.name: query}, known)
    return _done(args, f"{args.name} is followed from today on.", args.name)


def _saved(args: argparse.Namespace) -> Query:
    from briefbank.judgements.feedback.log import FeedbackLog, default_log

    with FeedbackLog(args.feedback or default_log()) as log:
        found = next((each.query for each in log.saved_searches() if each.name == args.name), None)
    if found is None:
        raise UsageError(f"No search is saved as {args.name}.", "Give the question behind the name, or --issue.")
    return found


def _seen(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.follows import follows_of

    with _opened(args) as log:
        follows = {each.name: each.query for each in follows_of(log.events())}
    wanted = {name: follows[_known(name, follows)] for name in args.names or follows}
    with open_bank(args) as bank:
        known = bank.known_documents()
    _mark(args, wanted, known)
    return _done(args, f"{output.counted(len(wanted), 'follow')} marked as seen.", *wanted)


def _stop(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.events import new_id, utc_now
    from briefbank.matters.follows import FollowEnded, FollowEvent, follows_of

    with _opened(args) as log:
        name = _known(args.name, [each.name for each in follows_of(log.events())])
        log.append([FollowEvent(new_id(), utc_now(), FollowEnded(name))])
    return _done(args, f"{args.name} is followed no longer.", name)


def _known(name: str, names: Any) -> str:
    if name not in names:
        raise UsageError(f"Nothing is followed as {name}.", "`briefbank follow list` names what is.")
    return name


def _mark(args: argparse.Namespace, queries: dict[str, Query], known: bytes) -> None:
    from briefbank.matters.follows import seen_events

    with _opened(args) as log:
        for name, query in queries.items():
            log.append(seen_events(log.events(), name, query, known))


def _done(args: argparse.Namespace, told: str, *names: str) -> ExitCode:
    if args.json:
        output.out_json({"names": list(names)})
    else:
        output.out(visible_name(told))
    return ExitCode.OK
