"""What a person follows, as a log beside that of matters: a name with its question, and when it was looked at last.

Which documents there were then is written once for all that is looked at in one state of the bank. Must not know banks.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

from briefbank.matters.events import Stamped
from briefbank.matters.log import TABLES, JsonEventLog, JsonRows
from briefbank.platform.event_log.database import LogFormat, refusals
from briefbank.platform.event_log.log import is_kept_at, new_id, utc_now
from briefbank.platform.layout import own_place
from briefbank.values.follows import Follow
from briefbank.values.records import Query

_Text = Annotated[str, msgspec.Meta(min_length=1)]
_NAME = "log of what is followed"
STEPS: tuple[str, ...] = (TABLES + refusals(_NAME, ("log", "event")),)
FORMAT = LogFormat(
    name=_NAME,
    goes_on="following goes on",
    variable="BRIEFBANK_FOLLOWS",
    application_id=0x42426666,  # "BBff"
    steps=STEPS,
)


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a newer program that says more than this one knows is refused rather than cut down."""


class BankKnown(_Content, frozen=True, tag="bank"):
    """The documents that a bank had (`values.follows.marks_of`), under a name of their own."""

    state: _Text
    known: bytes


class FollowSeen(_Content, frozen=True, tag="seen"):
    """That something is followed, or was looked at, in a state of the bank that stands before it in the log."""

    name: _Text
    query: Query
    state: _Text


class FollowEnded(_Content, frozen=True, tag="ended"):
    """That something is followed no longer."""

    name: _Text


class FollowEvent(Stamped, frozen=True):
    """What happened to what is followed."""

    content: BankKnown | FollowSeen | FollowEnded


def event(content: BankKnown | FollowSeen | FollowEnded) -> FollowEvent:
    """Return an event that happens now."""
    return FollowEvent(new_id(), utc_now(), content)


def default_log() -> Path:
    """The log in the user's data folder, or where BRIEFBANK_FOLLOWS points."""
    return own_place("BRIEFBANK_FOLLOWS", "follows.sqlite")


def follows_of(events: Iterable[FollowEvent]) -> tuple[Follow, ...]:
    """Return what is followed now, by name. Any order of events gives a valid state."""
    known: dict[str, bytes] = {}
    follows: dict[str, Follow] = {}
    for event in events:
        match event.content:
            case BankKnown(state=state, known=marks):
                known[state] = marks
            case FollowSeen(name=name, query=query, state=state):
                follows[name] = Follow(name, query, event.at.astimezone().date(), known.get(state, b""))
            case FollowEnded(name=name):
                follows.pop(name, None)
    return tuple(sorted(follows.values(), key=lambda each: (each.name.casefold(), each.name)))


def follows_in(log: Path) -> tuple[Follow, ...]:
    """Return what is followed in a log, nothing where there is none; raises as `EventLog`."""
    if not is_kept_at(log):
        return ()
    with FollowLog(log) as opened:
        return follows_of(opened.events())


def seen_events(events: Iterable[FollowEvent], name: str, query: Query, known: bytes) -> list[FollowEvent]:
    """Return the events that say that something was looked at while the bank had these documents; `events` are those
    that are written already.
    """
    held = {each.content.known: each.content.state for each in events if isinstance(each.content, BankKnown)}
    state = held.get(known) or new_id()
    made = [] if known in held else [event(BankKnown(state, known))]
    return [*made, event(FollowSeen(name, query, state))]


class FollowLog(JsonEventLog[FollowEvent]):
    """The open log of what is followed."""

    log_format = FORMAT
    rows = JsonRows(msgspec.json.Decoder(FollowEvent))
