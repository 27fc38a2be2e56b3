"""`briefbank matter …`: passages collected from the bank with notes and headings, and their export to Word."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_bank, add_json, open_bank, require_word_name
from briefbank.errors import ExitCode, UsageError
from briefbank.platform.visible import visible_name

if TYPE_CHECKING:
    from briefbank.matters.events import Content
    from briefbank.matters.items import Item
    from briefbank.matters.log import MatterLog
    from briefbank.matters.state import Matter

_ID = 8
_SHOWN = 70
"""Letters of an item's beginning in a list."""


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "matter",
        help="collect passages with notes and headings, and export them to Word",
        description="A matter keeps passages word for word with their sources, whatever happens to the bank. Name one "
        "by its name or the beginning of its id.",
        epilog="Every action takes --json and --help.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = _action(actions, "list", _list, "the matters, newest last", is_about_one=False)
    listed.add_argument("--all", action="store_true", help="archived ones too")
    _action(actions, "show", _show, "what is in a matter")
    new = _action(actions, "new", _new, "make a matter", is_about_one=False)
    new.add_argument("name", metavar="NAME")
    _register_adding(actions)
    _register_exchange(actions)
    archive = _action(actions, "archive", _archive, "put a matter away; nothing is deleted")
    archive.add_argument("--undo", action="store_true", help="take it out again")


def _register_adding(actions: Any) -> None:
    add = _action(actions, "add", _add, "collect passages", has_json=False)
    add.add_argument("passages", nargs="+", metavar="PASSAGE_ID")
    add_bank(add)
    note = _action(actions, "note", _note, "add a note or heading at the end")
    note.add_argument("text", metavar="TEXT")
    note.add_argument("--heading", type=int, choices=(1, 2, 3), metavar="LEVEL", help="as a heading of level 1, 2 or 3")
    remove = _action(actions, "remove", _remove, "take items out; --undo puts them back in their places")
    remove.add_argument("items", nargs="+", metavar="ITEM_ID", help="as `show` names them, or their beginnings")
    remove.add_argument("--undo", action="store_true", help="put them back")


def _register_exchange(actions: Any) -> None:
    export = _action(actions, "export", _export, "write a matter into a new file")
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
    imported = _action(actions, "import", _import, "make a new matter of an exported file", is_about_one=False)
    imported.add_argument("file", type=Path, metavar="FILE")


def _action(
    actions: Any, name: str, run: Any, told: str, *, is_about_one: bool = True, has_json: bool = True
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=told)
    if is_about_one:
        parser.add_argument("matter", metavar="MATTER")
    parser.add_argument("--log", type=Path, metavar="LOG", help="a log of matters (default: yours)")
    if has_json:
        add_json(parser)
    parser.set_defaults(run=run)
    return parser


def _opened(args: argparse.Namespace) -> MatterLog:
    from briefbank.matters.log import MatterLog, default_log

    return MatterLog(args.log or default_log())


def _append(log: MatterLog, contents: Sequence[Content]) -> None:
    from briefbank.matters.events import Event, new_id, utc_now

    log.append([Event(new_id(), utc_now(), content) for content in contents])


def _named(log: MatterLog, args: argparse.Namespace) -> Matter:
    from briefbank.matters.exchange import find_matter

    return find_matter(log.matters(), args.matter)


def _tell(log: MatterLog, matter_id: str, args: argparse.Namespace) -> ExitCode:
    """Say how a matter is now."""
    matter = next(each for each in log.matters() if each.id == matter_id)
    if args.json:
        output.out_json(_as_json(matter))
    else:
        output.out(_in_a_line(matter))
    return ExitCode.OK


def _in_a_line(matter: Matter) -> str:
    archived = " (archived)" if matter.is_archived else ""
    count = output.counted(len(matter.passages), "passage")
    return f"{matter.id[:_ID]}  {visible_name(matter.name)}{archived} · {count} · {matter.changed_at[:10]}"


def _as_json(matter: Matter) -> dict[str, Any]:
    from msgspec import to_builtins

    items = [{"item_id": entry.id, **to_builtins(entry.item)} for entry in matter.entries]
    return {
        "matter_id": matter.id,
        "name": matter.name,
        "is_archived": matter.is_archived,
        "made_at": matter.made_at,
        "changed_at": matter.changed_at,
        "items": items,
    }


def _list(args: argparse.Namespace) -> ExitCode:
    with _opened(args) as log:
        matters = [each for each in log.matters() if args.all or not each.is_archived]
    if args.json:
        output.out_json({"matters": [_as_json(each) for each in matters]})
        return ExitCode.OK
    for each in matters:
        output.out(_in_a_line(each))
    output.out(output.counted(len(matters), "matter"))
    return ExitCode.OK


def _show(args: argparse.Namespace) -> ExitCode:
    with _opened(args) as log:
        matter = _named(log, args)
        if args.json:
            return _tell(log, matter.id, args)
    output.out(_in_a_line(matter))
    for entry in matter.entries:
        _tell_item(entry.id, entry.item)
    return ExitCode.OK


def _tell_item(item_id: str, item: Item) -> None:
    from briefbank.matters.items import HeadingItem, PassageItem
    from briefbank.matters.sources import source_line
    from briefbank.values.source_format import STANDARD

    if isinstance(item, HeadingItem):
        output.out(f"\n{item_id[:_ID]}  {'#' * item.level} {item.text}")
        return
    output.out(f"\n{item_id[:_ID]}")
    for line in item.text.splitlines():
        output.out(f"    {line}")
    if isinstance(item, PassageItem):
        output.out(f"    — {visible_name(source_line(item, STANDARD))}")
        for caution in item.cautions:
            output.out(f"    ! {visible_name(caution)}")


def _new(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.events import MatterMade, new_id

    if not args.name.strip():
        raise UsageError("A matter needs a name.")
    with _opened(args) as log:
        matter = new_id()
        _append(log, [MatterMade(matter, args.name.strip())])
        return _tell(log, matter, args)


def _add(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.events import ItemAdded, new_id
    from briefbank.matters.items import passage_item

    bank = open_bank(args)
    views = [bank.passage(each, context=0) for each in args.passages]
    items = [
        passage_item(view.passage, view.document, cautions=view.cautions.get(view.passage.id, ())) for view in views
    ]
    with _opened(args) as log:
        matter = _named(log, args)
        _append(log, [ItemAdded(matter.id, new_id(), item) for item in items])
        return _tell(log, matter.id, args)


def _note(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.events import ItemAdded, new_id
    from briefbank.matters.items import HeadingItem, NoteItem

    if not args.text.strip():
        raise UsageError("There is nothing to note.")
    item = HeadingItem(args.text.strip(), args.heading) if args.heading else NoteItem(args.text)
    with _opened(args) as log:
        matter = _named(log, args)
        _append(log, [ItemAdded(matter.id, new_id(), item)])
        return _tell(log, matter.id, args)


def _remove(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.events import ItemAdded, ItemRemoved, ItemRestored

    with _opened(args) as log:
        matter = _named(log, args)
        ids = [
            event.content.item_id
            for event in log.events()
            if isinstance(event.content, ItemAdded) and event.content.matter == matter.id
        ]
        found = [_item_id(ids, each) for each in args.items]
        _append(log, [(ItemRestored if args.undo else ItemRemoved)(matter.id, each) for each in found])
        return _tell(log, matter.id, args)


def _item_id(ids: Sequence[str], named: str) -> str:
    found = [each for each in ids if each.startswith(named)]
    if len(found) != 1:
        raise UsageError(f"{len(found) or 'No'} items begin with {named}.", "`briefbank matter show` names each item.")
    return found[0]


def _archive(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.events import MatterArchived

    with _opened(args) as log:
        matter = _named(log, args)
        _append(log, [MatterArchived(matter.id, is_archived=not args.undo)])
        return _tell(log, matter.id, args)


def _export(args: argparse.Namespace) -> ExitCode:
    from briefbank.matters.exchange import write_matter
    from briefbank.matters.word.export import PassageForm, SourcePlace, WordOptions, export_to_word
    from briefbank.values.source_format import SourceFormat

    source_format = SourceFormat.of(args.source_format)
    form_of_file = _form_of_export(args.out, args.format)
    with _opened(args) as log:
        matter = _named(log, args)
    if form_of_file == "json":
        write_matter(matter, args.out)
    else:
        today = args.date or date.today()  # noqa: DTZ011 - the day on the wall
        form, place = PassageForm(args.passages), SourcePlace(args.sources)
        notes, authorities = not args.without_notes, not args.without_authorities
        export_to_word(matter, args.out, WordOptions(today, form, place, source_format, notes, authorities))
    if args.json:
        output.out_json({"out": str(args.out), "passages": len(matter.passages)})
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

    with _opened(args) as log:
        matter, events = read_matter(args.file)
        log.append(events)
        return _tell(log, matter, args)
