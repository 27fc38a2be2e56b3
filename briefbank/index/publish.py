"""Makes a finished generation the live one, and takes that back; must not know what is in a generation's files.

A generation is written under a name ending in `.building`, renamed when it is whole, and live once `current` names it:
one atomic step. A bank keeps the live generation and the one before it.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from briefbank.errors import BankDamagedError, BankMissingError
from briefbank.index import MEND_ADVICE
from briefbank.index.manifest import require_intact
from briefbank.platform.files import (
    UNFINISHED,
    remove_unless_open,
    replace,
    sync_folder,
    sync_tree,
    write_atomic,
)
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock

_BUILDING = ".building"


def start_generation(layout: Layout, now: datetime) -> Path:
    """Make the folder of a new generation, named by the time; what interrupted runs left behind is removed.

    Of one second each has a higher number than those that are there: the name of one that was removed, which a program
    may still hold open, is not given again.
    """
    clear_unfinished(layout)
    second = now.strftime("%Y%m%dT%H%M%SZ")
    names = [path.name.partition(".")[0] for path in layout.generations.iterdir()]
    numbers = [int(name.partition("-")[2] or 1) for name in names if name.partition("-")[0] == second]
    name = f"{second}-{max(numbers) + 1}" if numbers else second
    folder = layout.generation(name + _BUILDING)
    folder.mkdir(mode=0o700)
    return folder


def unfinished(layout: Layout) -> list[Path]:
    """Folders of generations and encoders that interrupted work left behind, where nobody else is writing."""
    places = (layout.generations, layout.encoders)
    return [path for place in places for path in place.iterdir() if path.name.endswith((_BUILDING, *UNFINISHED))]


def clear_unfinished(layout: Layout) -> None:
    """Remove what interrupted work left behind: of an encoder that was being exported, some 90 MB. On Windows what a
    window still has open stays for another time.
    """
    for leftover in unfinished(layout):
        remove_unless_open(leftover)


def publish(layout: Layout, building: Path) -> str:
    """Put a whole generation in the place of the live one and return its name. Older ones but the last are removed; on
    Windows one that a window still searches stays until the next publishing.
    """
    name = building.name.removesuffix(_BUILDING)
    before = layout.current()
    sync_tree(building)
    # Flushed, renamed, the rename flushed, and only then named: a power cut leaves `current` on something whole.
    replace(building, layout.generation(name))
    sync_folder(layout.generations)
    make_live(layout, name)
    for other in layout.generations.iterdir():
        if other.name not in (name, before):
            remove_unless_open(other)
    return name


def generation_before(layout: Layout) -> str:
    """Return the name of the other kept generation, to which a rollback goes.

    Raises:
        BankMissingError: there is none.
    """
    live = layout.current()
    others = [path.name for path in layout.generations.iterdir() if path.name != live and "." not in path.name]
    if live is None or not others:
        raise BankMissingError("There is no earlier generation to go back to.", "Index again, or install a pack.")
    return max(others)


def live_generation(layout: Layout) -> Path:
    """Return the folder of the live generation.

    Raises:
        BankMissingError: nothing was ever published.
        BankDamagedError: `current` names a generation that is not there.
    """
    name = layout.current()
    if name is None:
        raise BankMissingError(
            f"The bank at {layout.root} holds no index yet.", "Index a folder: briefbank index FOLDER"
        )
    folder = layout.generation(name)
    if not folder.is_dir():
        raise BankDamagedError(f"The live generation {name} is missing from the bank.", MEND_ADVICE)
    return folder


def roll_back(layout: Layout) -> str:
    """Make the generation before the live one live, and return its name.

    Raises:
        BankInUseError: an index run is going on.
        BankMissingError: there is no earlier generation.
        BankDamagedError, BankNewerError: it is not as it was written; the live one stays live.
    """
    with writer_lock(layout.lock_file):
        name = generation_before(layout)
        require_intact(layout.generation(name), "The live index stays live. Index again, or install a pack.")
        make_live(layout, name)
        return name


def make_live(layout: Layout, name: str) -> None:
    """Name a generation that is there as the live one; in one step."""
    write_atomic(layout.current_file, f"{name}\n".encode())
