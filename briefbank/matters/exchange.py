"""A matter as one file that people hand to each other: JSON with a version, its items in their order.

Importing one makes a new matter, never changes another. Must not know the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from briefbank import __version__
from briefbank.errors import BankNewerError, SourceError, UsageError
from briefbank.matters.checked import Checks, unchecked
from briefbank.matters.events import Event, ItemAdded, MatterMade
from briefbank.matters.items import Item, OwnText, PassageItem, collected_words
from briefbank.matters.state import Matter
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.platform.files import new_file, read_bounded
from briefbank.platform.versions import MATTER_FILE
from briefbank.platform.visible import LONGEST_NAME

MATTER_BYTES = 16 << 20
MOST_ITEMS = 2_000
MOST_LETTERS = 100_000
"""What a file may hold, the entries of a matter, and the letters of one: thirty-five pages. 2,000 passages are shown in
a second and written in half a minute; a real matter has some hundred.
"""
_MOST_LINES = 100
"""Cautions of a passage, and headings above it."""
_FORMAT = "briefbank matter"
_Version = Annotated[int, msgspec.Meta(ge=1)]


class _Head(msgspec.Struct, frozen=True):
    """What tells such a file apart, whatever else a newer program writes into it."""

    format: Literal["briefbank matter"]
    version: _Version


class _Filed(PassageItem, frozen=True, forbid_unknown_fields=True, tag="passage"):
    """A passage as a file has it; what its writer's bank did not have is told, and believed as little as the rest."""

    not_found: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole file."""

    name: Annotated[str, msgspec.Meta(min_length=1)]
    items: tuple[_Filed | OwnText, ...]
    format: Literal["briefbank matter"]
    version: _Version
    made_by: str = ""


def filed_items(matter: Matter, checks: Checks) -> list[dict[str, Any]]:
    """Return a matter's items as files have them, with what the bank does not have, and the warnings of today."""
    told = []
    for entry in matter.entries:
        item = msgspec.to_builtins(entry.item)
        if isinstance(entry.item, PassageItem):
            check = checks.get(entry.id) or unchecked(collected_words(entry.item))
            item |= {"cautions": list(check.cautions), "not_found": list(check.not_found)}
        told.append(item)
    return told


def write_matter(matter: Matter, out: Path, checks: Checks, *, may_replace: bool = False) -> None:
    """Write a matter into a file, which holds the full words of its passages; a new one, unless one may be replaced.
    What its bank does not have is marked (`matters.checked`).

    Raises:
        UsageError: there is a file of that name, or the matter is larger than one that can be brought in.
        NoSpaceError: the disk is full.
    """
    if too_much := _too_much(matter.name, [entry.item for entry in matter.entries]):
        raise UsageError(f"Nobody could bring this matter in: {too_much}.", "Hand it on in several matters.")
    told = {"name": matter.name, "items": filed_items(matter, checks), "format": _FORMAT, "version": MATTER_FILE}
    data = msgspec.json.encode({**told, "made_by": f"briefbank {__version__}"})
    with new_file(out, may_replace=may_replace) as temporary:
        temporary.touch(mode=0o600)
        temporary.write_bytes(msgspec.json.format(data, indent=1) + b"\n")


def read_matter(
    path: Path, *, clock: Callable[[], datetime] = utc_now, make_id: Callable[[], str] = new_id
) -> tuple[str, list[Event]]:
    """Read a file as the events that make a new matter of it; returns the matter's id and these.

    Raises:
        SourceError: there is no such file, or it is no matter.
        BankNewerError: a newer program wrote it.
    """
    file = _decoded(path)
    matter, now = make_id(), clock()
    events = [Event(make_id(), now, MatterMade(matter, file.name))]
    events += [Event(make_id(), now, ItemAdded(matter, make_id(), _item(each))) for each in file.items]
    return matter, events


def _item(filed: _Filed | OwnText) -> Item:
    """The item without what another bank is said not to have, and without its italics and the like, which no bank can
    look up: they would stress words in a brief's name.
    """
    if not isinstance(filed, _Filed):
        return filed
    kept = {name: getattr(filed, name) for name in PassageItem.__struct_fields__}
    return PassageItem(**kept | {"italics": None, "bold": (), "underlined": ()})


def _decoded(path: Path) -> _File:
    advice = "Name a file that `briefbank matter export --format json` wrote."
    try:
        data = read_bounded(path, MATTER_BYTES)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", advice) from error
    try:
        version = msgspec.json.decode(data, type=_Head).version
        if version > MATTER_FILE:
            raise BankNewerError(
                f"{path} has version {version}; this program, briefbank {__version__}, reads up to {MATTER_FILE}.",
                "Install the newer BriefBank that wrote it.",
            )
        file = _sound(msgspec.json.decode(data, type=_File))
    except RecursionError as error:
        raise SourceError(f"{path} is no matter: brackets stand in too many others.", advice) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # What is wrong in it may be quoted in the reason: only its place is told.
        place = str(error).rpartition(" - at ")[2].strip("` ") if " - at " in str(error) else ""
        where = f" (at {place})" if place else ""
        raise SourceError(f"{path} is no matter, or not as it was written{where}.", advice) from error
    if too_much := _too_much(file.name, file.items):
        message = f"{path} is larger than any matter that is brought in: {too_much}."
        raise SourceError(message, "Have it handed on in several matters.")
    return file


def _too_much(name: str, items: Sequence[Item]) -> str:
    """What a file has too much of, in words, else empty: window and Word would stand still over it."""
    if len(items) > MOST_ITEMS:
        return f"{len(items):,} entries, of at most {MOST_ITEMS:,}"
    if len(name) > LONGEST_NAME:
        return f"a name of {len(name):,} letters, of at most {LONGEST_NAME:,}"
    for number, item in enumerate(items, start=1):
        if len(item.text) > MOST_LETTERS:
            return f"entry {number} has {len(item.text):,} letters, of at most {MOST_LETTERS:,}"
        if isinstance(item, PassageItem):
            lines = (*item.section, *item.cautions)
            told = (item.title, item.kind, item.court, item.docket, item.author, item.pages, *lines)
            if max(map(len, told)) > LONGEST_NAME or len(lines) > _MOST_LINES:
                return (
                    f"entry {number} has more than {_MOST_LINES} headings and warnings, or one of more than "
                    f"{LONGEST_NAME:,} letters"
                )
    return ""


def _sound(file: _File) -> _File:
    """Refuse a date that is none: no source could be written of its passage, and so no export of the whole matter.

    Checked here and not in the item, whose events in a log must stay readable. Raises msgspec.ValidationError.
    """
    if not file.name.strip():
        raise msgspec.ValidationError("no name - at `$.name`")
    for number, item in enumerate(file.items):
        if isinstance(item, PassageItem) and item.filed:
            try:
                date.fromisoformat(item.filed)
            except ValueError as error:
                raise msgspec.ValidationError(f"no date - at `$.items[{number}].filed`") from error
    return file


def find_matter(matters: tuple[Matter, ...], named: str) -> Matter:
    """Return the one matter of that id, beginning of an id (from 6 characters) or name.

    Raises:
        UsageError: there is none, or there are several.
    """
    found = [each for each in matters if each.id == named] or [
        each
        for each in matters
        if each.name.casefold() == named.casefold() or (len(named) >= 6 and each.id.startswith(named))
    ]
    if not found:
        raise UsageError(f"There is no matter “{named}”.", "`briefbank matter list --all` names all of them.")
    if len(found) > 1:
        ids = ", ".join(each.id[:8] for each in found)
        raise UsageError(f"Several matters are called “{named}”.", f"Name one by its id: {ids}.")
    return found[0]
