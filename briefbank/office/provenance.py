"""Which pack a generation came as, and the office's lists that belong to it: alerts, citation patterns and the like.

Where a bank is indexed, the lists lie at its top, for the office to change; a change is in force at once and goes into
the next pack. A generation that came as a pack has the lists of that pack beside its index, and a record of where they
come from and what they are (`installed.toml`). So publishing, rolling back and removing a generation takes them along.

A bank of format 1 has one record, and one copy of the lists, at its top; they are moved by the next install.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import tomli_w

from briefbank.errors import BankDamagedError, SettingsError, UsageError
from briefbank.platform.files import file_sha256, make_private, parse_toml, remove_tree, sync_tree, write_atomic
from briefbank.platform.layout import Layout, profile_files
from briefbank.values.findings import ListUsed
from briefbank.values.state import Provenance

RECORD = "installed.toml"
PROFILES = "profiles/"
_ADVICE = "Have it put back (briefbank check --repair), or install the newest pack again."


@dataclass(frozen=True, slots=True)
class OfficeLists:
    """Where the lists in force lie; a list that the office does not keep has no file."""

    alerts: Path
    citations: Path
    profiles: Path
    """The folder of issue profiles."""
    statement: Path
    """The wording of statements on AI."""

    @classmethod
    def in_folder(cls, folder: Path) -> OfficeLists:
        """The lists below a folder."""
        return cls(*(folder / each for each in ("alerts.csv", "citations.toml", "profiles", "statement.toml")))

    def files(self, *, came_as_pack: bool = False) -> dict[str, Path]:
        """Those that are there, by their names in a pack. Whether they came as a pack tells what to advise.

        Raises:
            SettingsError: one is there that is no file: nobody means to do without the list then.
        """
        there = {path.name: path for path in (self.alerts, self.citations, self.statement) if os.path.lexists(path)}
        there |= {f"{PROFILES}{path.name}": path for path in profile_files(self.profiles)}
        for path in there.values():
            if not path.is_file():
                advice = f"Remove it. {list_advice(path.name, came_as_pack=came_as_pack)}"
                raise SettingsError(f"{path} is no file that can be read.", advice)
        return there


def list_advice(name: str, *, came_as_pack: bool = False) -> str:
    """What to do about a list of the office, by its file's name, that is gone or is no file."""
    if came_as_pack:
        return _ADVICE
    if name == "alerts.csv":
        again = "or take the office's list again: briefbank alerts --set FILE"
        return f"Put it back: briefbank check --repair; {again}. To have no list, take one with its first line alone."
    again, none = "or put the office's file there again", "patterns" if name == "citations.toml" else "wording"
    return f"Put it back: briefbank check --repair; {again}. To have no {none} of its own, put an empty file there."


@dataclass(frozen=True, slots=True)
class _Record:
    installed: Provenance
    lists: dict[str, str]
    """SHA-256 of each list by its name."""


def read_provenance(layout: Layout) -> Provenance | None:
    """Return the pack that the live generation came as, or None where it was indexed on this machine.

    Raises:
        BankDamagedError: the record cannot be understood.
    """
    name = layout.current()
    record = _read(layout.generation(name)) if name else None
    record = record or _read(layout.root)
    return record.installed if record else None


def lists_of(layout: Layout, generation: Path) -> OfficeLists:
    """Return the lists to use with a generation, verified where they came with its pack.

    Raises:
        BankDamagedError: a list that came with the pack is missing or is not as it was packed.
    """
    record = _read(generation)
    if record is None:
        return OfficeLists.in_folder(layout.root)
    folder = _lists_folder(generation, record.installed)
    for name, sha256 in record.lists.items():
        path = folder / name
        if not path.is_file():
            raise BankDamagedError(f"{path} is missing, which came with the office's pack.", _ADVICE)
        if file_sha256(path) != sha256:
            raise BankDamagedError(f"{path} is not as it came with the office's pack.", _ADVICE)
    return OfficeLists.in_folder(folder)


def list_used(layout: Layout, generation: Path, entries: int) -> tuple[ListUsed, ...]:
    """Return the list of alerts in force with a generation, of the day of its file, or of that of the pack that brought
    it; nothing where there is none. Raises as `lists_of`.
    """
    file, record = lists_of(layout, generation).alerts, _read(generation)
    if not file.is_file():
        return ()
    told = record.installed.updated_at if record else ""
    made = datetime.fromisoformat(told) if told else datetime.fromtimestamp(file.stat().st_mtime, UTC)
    return (ListUsed("cases to be careful with (alerts.csv)", made.astimezone().date(), entries),)


def write_record(generation: Path, provenance: Provenance, lists: Mapping[str, bytes]) -> None:
    """Say that a generation came as a pack, with these lists. Whoever reads meanwhile sees the old lists or the new."""
    folder = _lists_folder(generation, provenance)
    remove_tree(folder)
    folder.mkdir(mode=0o700)
    for name, content in lists.items():
        (folder / name).parent.mkdir(mode=0o700, exist_ok=True)
        (folder / name).write_bytes(content)
        make_private(folder / name)
    sync_tree(folder)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in lists.items()}
    record = {"installed": asdict(provenance), "lists": digests}
    write_atomic(generation / RECORD, tomli_w.dumps(record).encode())


def remove_old_lists(generation: Path) -> None:
    """Remove the lists of packs that this generation came as before, as far as its record can be read."""
    record = _readable(generation)
    for folder in generation.glob("lists-*") if record else ():
        if record and folder != _lists_folder(generation, record.installed):
            remove_tree(folder)


def move_from_top(layout: Layout) -> None:
    """Give the live generation of a bank of format 1 the record and the lists at the bank's top as its own."""
    record, name = _readable(layout.root), layout.current()
    live = layout.generation(name) if name else None
    if record is None or live is None or not live.is_dir() or (live / RECORD).exists():
        return
    nothing = layout.root / "nothing else was packed"
    lists = OfficeLists(layout.alerts_file, layout.citations_file, nothing, nothing).files(came_as_pack=True)
    write_record(live, record.installed, {each: path.read_bytes() for each, path in lists.items()})


def clear_top(layout: Layout) -> None:
    """Remove the record and the lists at the top, once every generation has its own."""
    generations = [path for path in layout.generations.iterdir() if "." not in path.name]
    if (layout.root / RECORD).exists() and all((path / RECORD).exists() for path in generations):
        for path in (layout.alerts_file, layout.citations_file, layout.root / RECORD):
            path.unlink(missing_ok=True)


def is_installed(layout: Layout) -> bool:
    """Whether the bank came as a pack, rather than being indexed on this machine."""
    records = (path for path in layout.generations.glob(f"*/{RECORD}") if "." not in path.parent.name)
    return (layout.root / RECORD).exists() or any(records)


def sources_of(layout: Layout) -> Callable[[str], bool]:
    """Return what tells of the path of a brief's file whether it may be looked at: each where the bank is indexed;
    where it came as a pack, those below the folder that BRIEFBANK_SOURCES names on this computer. A path of the
    indexing machine may lead elsewhere here, on Windows to whoever answers for a server's name, with a sign-in.
    """
    if not is_installed(layout):
        return lambda _: True
    root = os.environ.get("BRIEFBANK_SOURCES", "")
    return lambda path: bool(root) and Path(os.path.normpath(path)).is_relative_to(Path(os.path.normpath(root)))


def require_not_installed(layout: Layout) -> None:
    """Refuse to change a bank that came as a pack: what it then held would not be the office's.

    Raises:
        UsageError: it did.
    """
    if is_installed(layout):
        advice = (
            "Index into a bank of its own (--bank DIR); learn, and keep the list of alerts, where the packs are made."
        )
        raise UsageError("This bank was installed from the office's pack; only another pack changes it.", advice)


def _read(folder: Path) -> _Record | None:
    """The record in a generation, or at the top of a bank of format 1; None where there is none."""
    path = folder / RECORD
    try:
        record = parse_toml(path.read_text(encoding="utf-8"))
        return msgspec.convert({"lists": {}, **record}, _Record)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, msgspec.ValidationError) as error:
        raise BankDamagedError(f"{path} is damaged.", "Install the newest pack again.") from error


def _readable(folder: Path) -> _Record | None:
    """As `_read`; None also where the record is damaged, which installing mends."""
    try:
        return _read(folder)
    except BankDamagedError:
        return None


def _lists_folder(generation: Path, provenance: Provenance) -> Path:
    return generation / f"lists-{provenance.pack[:16]}"
