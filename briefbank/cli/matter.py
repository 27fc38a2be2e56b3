"""`briefbank matter …`: the matters that users collect in the window: listed, exported to Word, handed on as files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_action, open_bank, require_word_name
from briefbank.errors import BriefBankError, ExitCode, UsageError
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from briefbank.matters.checked import Checks
    from briefbank.matters.state import Matter
    from briefbank.values.collected import Check

_ID = 8
_SHOWN = 40


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "matter",
        help="export what was collected in the window to Word, or hand it on",
        description="A matter keeps passages word for word with their sources, whatever happens to the bank. Passages "
        "are collected in the window. Name a matter by its name or the beginning of its id.",
        epilog="Every action takes --json and --help.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    action = partial(add_action, actions, log="a log of matters")
    listed = action("list", _list, "the matters, newest last")
    listed.add_argument("--all", action="store_true", help="archived ones too")
    export = action("export", _export, "write a matter into a new file")
    export.add_argument("matter", metavar="MATTER")
    export.add_argument("out", type=Path, metavar="OUT")
    export.add_argument(
        "--format", choices=("docx", "json"), help="json can be imported again (json where OUT ends so, else docx)"
    )
    export.add_argument("--passages", choices=("quote", "paragraph"), default="quote", help="block quotes (quote)")
    export.add_argument("--sources", choices=("line", "footnote"), default="line", help="where sources stand (line)")
    export.add_argument(
        "--source-format", default="full", metavar="FORMAT",
        help="full, short, bluebook, or your own, such as '{title}[, {court}][, {docket}] ({dated})[, {pages}]'",
    )  # fmt: skip
    export.add_argument("--without-notes", action="store_true", help="leave your own notes out")
    export.add_argument("--without-authorities", action="store_true", help="no table of authorities")
    export.add_argument("--date", type=date.fromisoformat, metavar="DATE", help="the document's date (today)")
    imported = action("import", _import, "make a new matter of an exported file")
    imported.add_argument("file", type=Path, metavar="FILE")


def _matters(args: argparse.Namespace) -> tuple[Matter, ...]:
    from briefbank.matters.log import default_log, matters_in

    return matters_in(args.log or default_log())


def _in_a_line(matter: Matter) -> str:
    archived = " (archived)" if matter.is_archived else ""
    count = output.counted(len(matter.passages), "passage")
    return f"{matter.id[:_ID]}  {visible_name(matter.name)}{archived} · {count} · {matter.changed_at[:10]}"


def _checks(args: argparse.Namespace, *matters: Matter) -> Checks:
    """What the bank says of all passages; where there is none, each is marked as not checked, and that is told."""
    from briefbank.matters.checked import checks_of

    try:
        with open_bank(args) as bank:
            return {key: check for each in matters for key, check in checks_of(each, bank.check_collected).items()}
    except BriefBankError as problem:
        output.warn(f"{problem.message} No passage could be looked up.")
        return {key: check for each in matters for key, check in checks_of(each, None).items()}


def _warn_of_missing(matter: Matter, checks: Checks) -> None:
    """Name each passage that is not as the bank has it."""
    _warn(matter, {key: check.not_found for key, check in checks.items()})


def _warn_of_confidential(matter: Matter, checks: Checks) -> None:
    """Tell what of each passage is not to be filed."""
    _warn(matter, {key: [each.line for each in check.confidential] for key, check in checks.items()})


def _warn(matter: Matter, lines: Mapping[str, Iterable[str]]) -> None:
    for number, entry in enumerate(matter.entries, start=1):
        for line in lines.get(entry.id, ()):
            output.warn(visible_name(f"Item {number}, {entry.item.text[:_SHOWN]}…: {line}"))


def _as_json(matter: Matter, checks: Checks) -> dict[str, Any]:
    from briefbank.matters.exchange import filed_items

    told = zip(matter.entries, filed_items(matter, checks), strict=True)
    items = [{"item_id": entry.id, **item, **_confidential_json(checks.get(entry.id))} for entry, item in told]
    return {
        "matter_id": matter.id,
        "name": matter.name,
        "is_archived": matter.is_archived,
        "made_at": matter.made_at,
        "changed_at": matter.changed_at,
        "items": items,
    }


def _confidential_json(check: Check | None) -> dict[str, Any]:
    if check is None:
        return {}
    return {"confidential": [{"fact": each.fact, "words": each.words} for each in check.confidential]}


def _list(args: argparse.Namespace) -> ExitCode:
    matters = [each for each in _matters(args) if args.all or not each.is_archived]
    if args.json:
        checks = _checks(args, *matters)
        output.out_json({"matters": [_as_json(each, checks) for each in matters]})
        return ExitCode.OK
    for each in matters:
        output.out(_in_a_line(each))
    output.out(output.counted(len(matters), "matter"))
    return ExitCode.OK


def _export(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.exchange import find_matter, write_matter
    from briefbank.matters.word.export import PassageForm, SourcePlace, WordOptions, export_to_word
    from briefbank.values.source_format import SourceFormat

    source_format = SourceFormat.of(args.source_format)
    form_of_file = _form_of_export(args.out, args.format)
    matter = find_matter(_matters(args), args.matter)
    checks = _checks(args, matter)
    _warn_of_confidential(matter, checks)
    if form_of_file == "json":
        write_matter(matter, args.out, checks)
    else:
        today = args.date or date.today()  # noqa: DTZ011 - the day on the wall
        form, place = PassageForm(args.passages), SourcePlace(args.sources)
        notes, authorities = not args.without_notes, not args.without_authorities
        export_to_word(matter, args.out, WordOptions(today, form, place, source_format, notes, authorities), checks)
    _warn_of_missing(matter, checks)
    if args.json:
        missing = sum(bool(each.not_found) for each in checks.values())
        confidential = sum(bool(each.confidential) for each in checks.values())
        told = {"not_found": missing, "confidential": confidential}
        output.out_json({"out": str(args.out), "passages": len(matter.passages), **told})
    else:
        output.out(f"{output.counted(len(matter.passages), 'passage')} in {args.out}")
    return ExitCode.OK


def _form_of_export(out: Path, asked: str | None) -> str:
    """The form that a file is written in, `docx` or `json`: the one asked for, else that of its name.

    Raises:
        UsageError: no program would open it under its name.
    """
    ending = out.suffix.lower()
    form = asked or ("json" if ending == ".json" else "docx")
    if form == "docx":
        require_word_name(out)
    elif ending == ".docx":
        raise UsageError(f"{out.name} is the name of a Word document.", "End the name with .json.")
    return form


def _import(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.exchange import read_matter
    from briefbank.matters.log import MatterLog, default_log

    with MatterLog(args.log or default_log()) as log:
        matter_id, events = read_matter(args.file)
        log.append(events)
        matter = next(each for each in log.matters() if each.id == matter_id)
    checks = _checks(args, matter)
    _warn_of_missing(matter, checks)
    if args.json:
        output.out_json(_as_json(matter, checks))
    else:
        output.out(_in_a_line(matter))
    return ExitCode.OK
