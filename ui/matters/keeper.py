"""The matters: their log as all windows share it, and as one window has it: which matter is collected in, what was done
here and what takes it back.

Every call returns at once, the log is written in a thread. What was done is shown before it is on the disk, and
confirmed when it is. Must not know widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

from briefbank.errors import BriefBankError, UsageError
from briefbank.matters.events import (
    Content,
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
from briefbank.matters.exchange import MOST_ITEMS
from briefbank.matters.items import Item, OwnText, PassageItem
from briefbank.matters.log import MatterLog
from briefbank.matters.state import Entry, Matter, matters_of
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.platform.event_log.writer import Writer
from ui.engine import deliver
from ui.shortcuts import IN_A_SEARCH, key
from ui.undo import Step, shortened

_BUSY_TIMEOUT_S = 2.0
"""How long another program may hold the log before that is told; writing is tried again after."""


class MatterStore(QObject):
    """What the log holds and what was done since. Signals come on the windows' thread."""

    changed = Signal()
    """Something is in a matter that was not, or the log was read."""
    written = Signal(object)
    """The ids of events that are on the disk now, a tuple."""
    failed = Signal(object)
    """A BriefBankError, for people. What was done is kept in mind and written when it can be."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        make_id: Callable[[], str] = new_id,
    ) -> None:
        """Open the log at `path` in a thread, making one where there is none."""
        super().__init__()
        self.make_id = make_id
        self._clock = clock
        self._events: list[Event] = []
        self._folded: tuple[Matter, ...] | None = None
        self._writer: Writer[MatterLog, Event] = Writer(
            lambda: MatterLog(path, clock=clock, make_id=make_id, busy_timeout_s=_BUSY_TIMEOUT_S),
            on_opened=lambda log: deliver(self, partial(self._on_opened, log.events())),
            on_written=lambda events: deliver(self, lambda: self._on_written(events)),
            on_failed=lambda problem: deliver(self, lambda: self.failed.emit(problem)),
        )

    def close(self) -> int:
        """Write what is left, end the thread, and return how many events could not be written (0 but on failure)."""
        return self._writer.close()

    def flush(self) -> int:
        """Try now to write what waits, and return how many events are not on the disk."""
        return self._writer.flush()

    @property
    def problem(self) -> BriefBankError | None:
        """Why what was done last could not be written; None where it was."""
        return self._writer.problem

    @property
    def matters(self) -> tuple[Matter, ...]:
        """All matters, archived ones among them, in the order in which they were made."""
        if self._folded is None:
            self._folded = matters_of(self._events)
        return self._folded

    def new_event(self, content: Content) -> Event:
        return Event(self.make_id(), self._clock(), content)

    def record(self, events: Sequence[Event]) -> None:
        self._events.extend(events)
        for event in events:
            self._writer.put(event)
        self._on_changed()

    def _on_changed(self) -> None:
        self._folded = None
        self.changed.emit()

    def _on_opened(self, events: list[Event]) -> None:
        """Take up what the log holds; what this session has done since stands behind it."""
        known = {event.id for event in events}
        self._events = [*events, *(event for event in self._events if event.id not in known)]
        self._on_changed()

    def _on_written(self, events: list[Event]) -> None:
        self.written.emit(tuple(event.id for event in events))


_CURRENT = "matters/current"


class MatterKeeper(QObject):
    """The log of matters as one window sees it. Each window collects in a matter of its own choice and undoes its own
    steps; all see the same matters.
    """

    changed = Signal()
    """Something is in a matter that was not, or the log was read."""
    acted = Signal(object)
    """The Step that was done."""
    confirmed = Signal(str)
    """In words, what is on the disk now."""
    failed = Signal(object)
    """A BriefBankError, for people; every window tells it."""

    def __init__(self, store: MatterStore) -> None:
        super().__init__()
        self.store = store
        self._unconfirmed: dict[str, str] = {}
        self._current = str(QSettings().value(_CURRENT, ""))
        store.changed.connect(self.changed)
        store.failed.connect(self.failed)
        store.written.connect(self._on_written)

    @property
    def matters(self) -> tuple[Matter, ...]:
        """All matters, archived ones among them, in the order in which they were made."""
        return self.store.matters

    @property
    def open_matters(self) -> tuple[Matter, ...]:
        """Those that are not archived, the newest first."""
        return tuple(reversed([each for each in self.matters if not each.is_archived]))

    @property
    def current(self) -> Matter | None:
        """The matter that passages are added to; None where there is none, or it was archived."""
        return next((each for each in self.open_matters if each.id == self._current), None)

    def set_current(self, matter_id: str) -> None:
        """Have passages added to another matter from now on."""
        if matter_id != self._current:
            self._current = matter_id
            QSettings().setValue(_CURRENT, matter_id)
            self.changed.emit()

    def make(self, name: str) -> str:
        """Make a matter and add to it from now on; returns its id."""
        matter_id = self.store.make_id()
        name = _sound(name)
        away, back = (MatterArchived(matter_id, is_archived=each) for each in (True, False))
        self._act(MatterMade(matter_id, name), f"Made {name}", f"{name} is put away", away, back)
        self.set_current(matter_id)
        return matter_id

    def rename(self, matter: Matter, name: str) -> None:
        name = _sound(name)
        back = MatterRenamed(matter.id, matter.name)
        self._act(MatterRenamed(matter.id, name), f"Renamed {name}", f"called {matter.name} again", back)

    def archive(self, matter: Matter) -> None:
        back = MatterArchived(matter.id, is_archived=False)
        restored = f"{matter.name} is out of the archive again"
        self._act(MatterArchived(matter.id, is_archived=True), f"Archived {matter.name}", restored, back)

    def take_out(self, matter: Matter) -> None:
        """Take a matter out of the archive and add to it from now on."""
        back = MatterArchived(matter.id, is_archived=True)
        said, restored = f"Took {matter.name} out of the archive", f"{matter.name} is archived again"
        self._act(MatterArchived(matter.id, is_archived=False), said, restored, back)
        self.set_current(matter.id)

    def bring_in(self, events: Sequence[Event]) -> None:
        """Take up the events that make a new matter, as a file of it is read, and add to it from now on."""
        first, *others = events
        if not isinstance(first.content, MatterMade):
            raise TypeError("a matter begins with its making")
        made = first.content
        said = f"Brought in {made.name}"
        away, back = (MatterArchived(made.matter, is_archived=each) for each in (True, False))
        self._record([first, *others], _undoable(said))
        self.set_current(made.matter)
        self._offer_undo(said, f"{made.name} is put away", away, back)

    def add(self, matter: Matter, item: Item, after: str | None = None) -> str:
        """Put an item behind another one, at the end where `after` is None; returns its id, empty where it is full."""
        if len(matter.entries) >= MOST_ITEMS:
            self.failed.emit(UsageError(f"A matter holds {MOST_ITEMS:,} entries at most.", "Go on in another one."))
            return ""
        item_id = self.store.make_id()
        if not isinstance(item, PassageItem):
            item = _sound_text(item)
        said = f"Added to {shortened(matter.name)}: {_called(item)}"
        removed, restored = ItemRemoved(matter.id, item_id), ItemRestored(matter.id, item_id)
        undone = f"taken out of {shortened(matter.name)}: {_called(item)}"
        self._act(ItemAdded(matter.id, item_id, item, after), said, undone, removed, restored)
        return item_id

    def edit(self, matter: Matter, entry: Entry, item: OwnText) -> None:
        if item != entry.item and not isinstance(entry.item, PassageItem):
            back = ItemEdited(matter.id, entry.id, entry.item)
            self._act(ItemEdited(matter.id, entry.id, _sound_text(item)), "Changed", "it reads as before", back)

    def move(self, matter: Matter, item_id: str, after: str) -> None:
        """Put an item behind another one; "" is the beginning."""
        if after not in (item_id, matter.before(item_id)):
            back = ItemMoved(matter.id, item_id, matter.before(item_id))
            self._act(ItemMoved(matter.id, item_id, after), "Moved", "it stands where it was", back)

    def remove(self, matter: Matter, entry: Entry) -> None:
        """Take an item out; undoing puts it back where it was."""
        said = f"Removed: {_called(entry.item)}"
        restored = f"put back: {_called(entry.item)}"
        self._act(ItemRemoved(matter.id, entry.id), said, restored, ItemRestored(matter.id, entry.id))

    def _act(self, content: Content, said: str, restored: str, inverse: Content, again: Content | None = None) -> None:
        """Do something; `restored` says what holds once it is undone, `again` is what does it once more after that,
        where that is not `content`.
        """
        self._write(content, _undoable(said))
        self._offer_undo(said, restored, inverse, again or content)

    def _offer_undo(self, said: str, restored: str, inverse: Content, again: Content) -> None:
        undo = partial(self._write, inverse, f"Undone: {restored}")
        self.acted.emit(Step(undo, partial(self._write, again, f"Again: {_undoable(said)}")))

    def _write(self, content: Content, said: str) -> None:
        self._record([self.store.new_event(content)], said)

    def _record(self, events: Sequence[Event], said: str) -> None:
        self._unconfirmed[events[-1].id] = said
        self.store.record(events)

    def _on_written(self, event_ids: tuple[str, ...]) -> None:
        for event_id in event_ids:
            if said := self._unconfirmed.pop(event_id, ""):
                self.confirmed.emit(said)


def _undoable(said: str) -> str:
    """What was done, and the key that takes it back."""
    return f"{said} · {key('undo', IN_A_SEARCH).sequences[0]} undoes"


def _called(item: Item) -> str:
    """An item in a few words; a note that is still empty by what it is."""
    text = item.title if isinstance(item, PassageItem) else item.text.split("\n")[0]
    return shortened(text) or "a note"


def _sound(text: str) -> str:
    """Text without the halves of characters that a paste can leave and no file can hold."""
    return text.encode("utf-8", "replace").decode().strip()


def _sound_text(item: OwnText) -> OwnText:
    from msgspec.structs import replace

    return replace(item, text=_sound(item.text))
