"""What matters hold now: a fold over their events, in the order in which the log has them.

Any order of events gives a valid state: one about a matter or item that is not there changes nothing, for another
window may have been writing at the same time. Pure functions; must not know where events come from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from briefbank.matters.events import (
    Event,
    ItemAdded,
    ItemEdited,
    ItemMoved,
    ItemRemoved,
    ItemRestored,
    MatterArchived,
    MatterMade,
    MatterRenamed,
)
from briefbank.matters.items import Item, PassageItem


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in its place."""

    id: str
    item: Item


@dataclass(frozen=True, slots=True)
class Matter:
    """A matter as it is now; `made_at` and `changed_at` are ISO times in UTC."""

    id: str
    name: str
    entries: tuple[Entry, ...]
    is_archived: bool
    made_at: str
    changed_at: str

    @property
    def passages(self) -> tuple[PassageItem, ...]:
        """The passages in it, in order."""
        return tuple(entry.item for entry in self.entries if isinstance(entry.item, PassageItem))

    def before(self, item_id: str) -> str:
        """Return the id of the item before this one, "" where it is the first or not there."""
        ids = ["", *(entry.id for entry in self.entries)]
        return ids[ids.index(item_id) - 1] if item_id in ids[1:] else ""


@dataclass(slots=True)
class _Making:
    """A matter while its events are read. Removed items keep their place in `order`."""

    id: str
    name: str
    made_at: str
    changed_at: str
    is_archived: bool = False
    order: list[str] = field(default_factory=list)
    items: dict[str, Item] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)

    def place(self, item_id: str, after: str | None) -> None:
        """Put an item behind another one; at the end where that one is not known."""
        if item_id in self.items:
            if after == item_id:
                return
            self.order = [each for each in self.order if each != item_id]
        if after == "":
            self.order.insert(0, item_id)
        elif after in self.items:
            self.order.insert(self.order.index(after) + 1, item_id)
        else:
            self.order.append(item_id)


def matters_of(events: Iterable[Event]) -> tuple[Matter, ...]:
    """Return all matters in the order in which they were made, archived ones among them."""
    made: dict[str, _Making] = {}
    for event in events:
        _apply(made, event)
    return tuple(
        Matter(
            each.id,
            each.name,
            tuple(Entry(at, each.items[at]) for at in each.order if at not in each.removed),
            each.is_archived,
            each.made_at,
            each.changed_at,
        )
        for each in made.values()
    )


def _apply(made: dict[str, _Making], event: Event) -> None:
    content, at = event.content, event.at.isoformat()
    if isinstance(content, MatterMade):
        made.setdefault(content.matter, _Making(content.matter, content.name, at, at))
        return
    matter = made.get(content.matter)
    if matter is None:
        return
    matter.changed_at = max(matter.changed_at, at)
    match content:
        case MatterRenamed(name=name):
            matter.name = name
        case MatterArchived(is_archived=is_archived):
            matter.is_archived = is_archived
        case ItemAdded(item_id=item_id, item=item, after=after) if item_id not in matter.items:
            matter.place(item_id, after)
            matter.items[item_id] = item
        case ItemEdited(item_id=item_id, item=item) if isinstance(matter.items.get(item_id), type(item)):
            matter.items[item_id] = item
        case ItemMoved(item_id=item_id, after=after) if item_id in matter.items:
            matter.place(item_id, after)
        case ItemRemoved(item_id=item_id) if item_id in matter.items:
            matter.removed.add(item_id)
        case ItemRestored(item_id=item_id):
            matter.removed.discard(item_id)
