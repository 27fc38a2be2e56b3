"""What happens to matters: one frozen value for each thing that a person does. Nothing is ever changed or deleted; to
undo something is an event of its own. Must not know how events are kept.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

from briefbank.matters.items import Item, OwnText

_Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of a newer program that says more than this one knows is refused rather than cut down."""

    matter: _Text
    """The id of the matter that it is about."""


class MatterMade(_Content, frozen=True, tag="made"):
    """A new matter under a name."""

    name: _Text


class MatterRenamed(_Content, frozen=True, tag="renamed"):
    """Another name for it."""

    name: _Text


class MatterArchived(_Content, frozen=True, tag="archived"):
    """Put away, or taken out again."""

    is_archived: bool


class ItemAdded(_Content, frozen=True, tag="added"):
    """Something put into it behind the item `after`; "" is the beginning, None the end."""

    item_id: _Text
    item: Item
    after: str | None = None


class ItemEdited(_Content, frozen=True, tag="edited"):
    """A note or heading in other words; a passage stays as it was filed."""

    item_id: _Text
    item: OwnText


class ItemMoved(_Content, frozen=True, tag="moved"):
    """An item put behind another one; `after` as in `ItemAdded`."""

    item_id: _Text
    after: str | None


class ItemRemoved(_Content, frozen=True, tag="removed"):
    """Taken out of the matter; it keeps its place for whoever undoes that."""

    item_id: _Text


class ItemRestored(_Content, frozen=True, tag="restored"):
    """Put back where it was."""

    item_id: _Text


Content = MatterMade | MatterRenamed | MatterArchived | ItemAdded | ItemEdited | ItemMoved | ItemRemoved | ItemRestored


class Stamped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that happened, when (in UTC), under an id that no other event has."""

    id: _Text
    at: Annotated[datetime, msgspec.Meta(tz=True)]


class Event(Stamped, frozen=True):
    """What happened to a matter."""

    content: Content
