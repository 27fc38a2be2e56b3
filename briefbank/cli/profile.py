"""`briefbank profile …`: issues that the office looks for again and again, and what the bank has on them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.filters import add_filters, add_sort, filters_and_files, opened_files, with_full_names
from briefbank.cli.options import add_bank, feedback_log, open_bank
from briefbank.cli.search import print_result
from briefbank.cli.spans import register_spans, settings_of
from briefbank.errors import ExitCode, UsageError
from briefbank.values.defaults import RESULTS_SHOWN
from briefbank.values.records import Query, SortOrder

if TYPE_CHECKING:
    from briefbank.bank.local import Bank
    from briefbank.search.profiles.profile import Profile, Sample


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "profile",
        help="issues to look for again and again: a question with samples of good answers and keywords",
        description="A profile finds more than a question does, because answers resemble answers. It is kept in the "
        "bank and travels in packs; what you made in the window is yours alone.",
        epilog="Every action takes --bank, --json and --help.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _action(
        actions, "list", _list, "the profiles of the bank, and those that you made in the window", is_about_one=False
    )
    _action(actions, "show", _show, "what a profile holds")
    _register_new(_action(actions, "new", _new, "make a profile of a question, samples and keywords"))
    found = _action(actions, "run", _run, "the passages that a profile ranks best")
    found.add_argument(
        "--top-k", type=int, default=RESULTS_SHOWN, metavar="N", help="how many passages to show (%(default)s)"
    )
    add_sort(found, SortOrder.RELEVANCE)
    found.add_argument("--include-hidden", action="store_true", help="show tables and captions too")
    add_filters(found)
    _action(actions, "remove", _remove, "remove a profile for good")
    relevant = _action(
        actions, "from-relevant", _from_relevant, "make a profile of what was marked relevant to a question"
    )
    relevant.add_argument("--question", required=True, metavar="TEXT", help="as it was searched for")
    relevant.add_argument("--log", type=Path, metavar="LOG", help="a log of feedback (default: yours)")
    relevant.add_argument("--replace", action="store_true", help="in the place of the profile of that name")
    _register_mining(actions)


def _register_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--question", default="", metavar="TEXT")
    parser.add_argument(
        "--sample", action="append", default=[], metavar="PASSAGE_ID", help="a passage of the bank that answers it"
    )
    parser.add_argument("--text", action="append", default=[], metavar="TEXT", help="a sample in your own words")
    parser.add_argument(
        "--keywords", default="", metavar="LIST",
        help="words near each other, which lift what holds them: '\"change control\"~5^5, \"written notice\"~5'",
    )  # fmt: skip
    parser.add_argument("--replace", action="store_true", help="in the place of the profile of that name")
    add_filters(parser)


def _register_mining(actions: Any) -> None:
    parser: argparse.ArgumentParser = actions.add_parser(
        "mine",
        help="keywords out of a profile's samples; with --spans, profiles out of annotated clauses",
        description="Give the profile NAME keywords mined from its samples, in the place of its own. With --spans FILE "
        "FOLDER --out DIR, make a profile for every category of annotated clauses of the documents in FOLDER.",
    )
    parser.add_argument("target", metavar="NAME|FOLDER", help="a profile; with --spans, a folder of documents")
    parser.add_argument("--out", type=Path, metavar="DIR", help="a new folder for the profiles of annotated clauses")
    register_spans(parser, measures=False)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the index of FOLDER for the next time in DIR")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="a bank.toml whose settings to index FOLDER with")
    add_bank(parser)
    parser.set_defaults(run=_mine)


def _action(actions: Any, name: str, run: Any, help_text: str, *, is_about_one: bool = True) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=help_text)
    if is_about_one:
        parser.add_argument("name", metavar="NAME")
    add_bank(parser)
    parser.set_defaults(run=run)
    return parser


def _list(args: argparse.Namespace) -> ExitCode:
    with open_bank(args) as bank:
        profiles = bank.own_profiles()
        stored = profiles.all()
        own = {each.name for each in stored.profiles if profiles.is_own(each.name)}
    for problem in stored.problems:
        output.error(problem)
    if args.json:
        problems = [problem.message for problem in stored.problems]
        listed = [{**_as_json(each), "own": each.name in own} for each in stored.profiles]
        output.out_json({"profiles": listed, "problems": problems})
    else:
        for each in stored.profiles:
            output.out(_in_a_line(each) + (" (your own)" if each.name in own else ""))
        if not stored.profiles:
            output.out("There are no profiles yet. Make one with: briefbank profile new NAME --question TEXT")
    return ExitCode.SETTINGS if stored.problems else ExitCode.OK


def _show(args: argparse.Namespace) -> ExitCode:
    with open_bank(args) as bank:
        profile = bank.own_profiles().named(args.name)
    return _print_profile(profile, args)


def _new(args: argparse.Namespace) -> ExitCode:
    from briefbank.search.profiles.keywords import read_keywords
    from briefbank.search.profiles.profile import Profile, Sample

    given, files = filters_and_files(args)
    if files:
        raise UsageError("The documents of a profile are those of the bank.", "Name a file to `profile run` instead.")
    with open_bank(args) as bank:
        samples = (*_samples(bank, args.sample), *(Sample(text) for text in args.text))
        filters = with_full_names(given, bank.facets)
        profile = Profile(args.name, args.question, samples, read_keywords(args.keywords), filters)
        bank.save_profile(profile, may_replace=args.replace)
    return _print_profile(profile, args)


def _samples(bank: Bank, passages: list[str]) -> list[Sample]:
    """Passages as samples, with their words: these last when the passage gets another id."""
    from briefbank.search.profiles.profile import Sample

    return [Sample(bank.passage(each, context=0).passage.text, each) for each in passages]


def _run(args: argparse.Namespace) -> ExitCode:
    filters, files = filters_and_files(args)
    with open_bank(args) as bank:
        profile = bank.prepared_profile(bank.own_profiles().named(args.name))
        searched = opened_files(bank, files) if files else bank
        filters = filters if args.json else with_full_names(filters, searched.facets)
        query = Query("", args.top_k, SortOrder(args.sort), filters, include_hidden=args.include_hidden)
        result = searched.search_by_profile(profile, query)
    if args.json:
        from briefbank.cli.as_json import result_json

        output.out_json({"profile": args.name, **result_json(result, is_of_files=bool(files))})
    else:
        print_result(result, is_of_files=bool(files))
    return ExitCode.OK


def _from_relevant(args: argparse.Namespace) -> ExitCode:
    with open_bank(args) as bank:
        profile = bank.profile_from_relevant(args.name, args.question, feedback_log(args))
        bank.save_profile(profile, may_replace=args.replace)
    return _print_profile(profile, args)


def _mine(args: argparse.Namespace) -> ExitCode:
    if args.spans:
        return _mine_spans(args)
    if args.out or args.categories or args.cache or args.settings:
        message = "--out, --category, --cache and --settings are for annotated clauses."
        raise UsageError(message, "Name their file with --spans.")
    with open_bank(args) as bank:
        profile = bank.with_mined_keywords(bank.profile(args.target))
        bank.save_profile(profile, may_replace=True)
    return _print_profile(profile, args)


def _mine_spans(args: argparse.Namespace) -> ExitCode:
    from briefbank.judgements.evaluate.spans.fit import mine_profiles

    if args.out is None:
        raise UsageError("Where are the profiles to go?", "Name a folder that is not there yet with --out.")
    folder = Path(args.target)
    with output.progress_reporter() as reporter:
        profiles = mine_profiles(
            args.spans,
            folder,
            args.out,
            settings_of(args),
            categories=args.categories,
            cache_folder=args.cache,
            reporter=reporter,
        )
    if args.json:
        output.out_json({"profiles": [_as_json(each) for each in profiles], "folder": str(args.out)})
    else:
        for each in profiles:
            output.out(_in_a_line(each))
    return ExitCode.OK


def _remove(args: argparse.Namespace) -> ExitCode:
    with open_bank(args) as bank:
        own = bank.own_profiles()
        remove = own.remove if own.is_own(args.name) else bank.remove_profile
        remove(args.name)
    if args.json:
        output.out_json({"removed": args.name})
    else:
        output.out(f"The profile “{args.name}” is removed.")
    return ExitCode.OK


def _print_profile(profile: Profile, args: argparse.Namespace) -> ExitCode:
    from briefbank.search.profiles.keywords import write_keywords
    from briefbank.search.profiles.profile import set_filters

    if args.json:
        output.out_json(_as_json(profile))
        return ExitCode.OK
    output.out(_in_a_line(profile))
    if profile.question:
        output.out(f"question: {profile.question}")
    if profile.keywords:
        output.out(f"keywords: {write_keywords(profile.keywords)}")
    for name, value in set_filters(profile.filters).items():
        output.out(f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}")
    for number, sample in enumerate(profile.samples, start=1):
        where = f" (passage {sample.passage})" if sample.passage else ""
        output.out(f"sample {number}{where}: {' '.join(sample.text.split())}")
    return ExitCode.OK


def _in_a_line(profile: Profile) -> str:
    samples = output.counted(len(profile.samples), "sample")
    return f"{profile.name}: {samples}, {output.counted(len(profile.keywords), 'keyword')}"


def _as_json(profile: Profile) -> dict[str, Any]:
    from briefbank.search.profiles.profile import set_filters

    return {
        "name": profile.name,
        "question": profile.question,
        "samples": [{"text": each.text, "passage_id": each.passage or None} for each in profile.samples],
        "keywords": [str(each) for each in profile.keywords],
        "filters": set_filters(profile.filters),
    }
