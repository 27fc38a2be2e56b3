"""Seals: what the files of a bank that carry no digest of their own were when it was last known to be sound.

A file whose size and time are those of its seal, and whose bytes are not, was changed by the disk. One that was written
since is not judged by it, unless nothing ever writes it twice. Short texts are kept whole, to be put back. The office's
lists at the top of a bank stay sealed when they are gone, since a search without them says nothing of it.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from briefbank.errors import BankDamagedError, SettingsError
from briefbank.index.manifest import MANIFEST_NAME
from briefbank.models.encoders.onnx import CARD_NAME
from briefbank.office.provenance import RECORD, OfficeLists, is_installed, list_advice
from briefbank.platform.files import file_sha256, read_bounded, remove_unfinished, write_atomic
from briefbank.platform.layout import Layout, profile_files

_NAME = "seals.json"
_LARGEST_TEXT_BYTES = 1 << 20
"""Above any list of alerts that people keep: some 10,000 entries."""
_LARGEST_BYTES = 256 * _LARGEST_TEXT_BYTES
"""Above the seals of any bank: each of its few generations has three or four such texts, most of a few kilobytes."""
_NO_FILE = (errno.EISDIR, errno.EINVAL, errno.ELOOP)
"""What `read_bounded` raises of something that is no file or too large, rather than of a disk that cannot be read."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Seal:
    """What a file was. `text` is its content where that is short, else None."""

    size_bytes: int
    mtime_ns: int
    sha256: str
    text: bytes | None


@dataclass(frozen=True, slots=True)
class _Sealed:
    files: dict[str, Seal]
    sha256: str


def seals_file(layout: Layout) -> Path:
    """Where the seals lie."""
    return layout.root / _NAME


def seal(layout: Layout) -> None:
    """Remember what the bank's files are now; on a disk that cannot be written this does nothing.

    The caller has not checked these files, so a lost or damaged one keeps its earlier seal. Damaged seals of a bank
    that is indexed here are left for `check` to name, for nothing else tells which lists it had; seals that cannot be
    read now are left as they are.
    """
    try:
        earlier = read_seals(layout)
    except OSError as error:
        _not_sealed(error)
        return
    except BankDamagedError:
        if not is_installed(layout):
            return
        earlier = {}
    files = {name: was for name, was in earlier.items() if is_lost(layout, layout.root / name)}
    for path in sealed_paths(layout):
        with_log = path.with_name(f"{path.name}-wal")
        if path.is_file() and not (with_log.exists() and with_log.stat().st_size):
            name, now = path.relative_to(layout.root).as_posix(), _seal_of(path)
            was = earlier.get(name, now)
            is_spoilt = (was.size_bytes, was.mtime_ns) == (now.size_bytes, now.mtime_ns) and was.sha256 != now.sha256
            files[name] = was if is_spoilt else now
    _write(layout, files)


def seal_file(layout: Layout, path: Path) -> None:
    """Remember what one file is now, which a command has just written; damaged seals stay, for `check` to name."""
    try:
        earlier = read_seals(layout)
    except OSError as error:
        _not_sealed(error)
        return
    except BankDamagedError:
        return
    _write(layout, {**earlier, path.relative_to(layout.root).as_posix(): _seal_of(path)})


def _seal_of(path: Path) -> Seal:
    now = path.stat()
    is_text = path.suffix != ".sqlite" and now.st_size <= _LARGEST_TEXT_BYTES
    return Seal(now.st_size, now.st_mtime_ns, file_sha256(path), path.read_bytes() if is_text else None)


def _write(layout: Layout, files: dict[str, Seal]) -> None:
    try:
        remove_unfinished(seals_file(layout))
        write_atomic(seals_file(layout), msgspec.json.encode(_Sealed(files, _digest(files))))
    except OSError as error:
        _not_sealed(error)


def _not_sealed(error: OSError) -> None:
    _LOG.info("the bank was not sealed: %s", type(error).__name__)


def read_seals(layout: Layout) -> dict[str, Seal]:
    """Return the seals by path below the bank; none where it was never sealed.

    Raises:
        BankDamagedError: they are not as they were written, or what lies in their place is no file.
        OSError: the disk cannot be read, or the file may not be; that says nothing of the seals.
    """
    advice = "Run briefbank check --repair; they are made anew where the rest of the bank is sound."
    try:
        sealed = msgspec.json.decode(read_bounded(seals_file(layout), _LARGEST_BYTES), type=_Sealed)
    except FileNotFoundError:
        return {}
    except ValueError as error:  # of JSON, or of letters within it
        raise BankDamagedError(f"{_NAME} is damaged.", advice) from error
    except OSError as error:
        if error.errno not in _NO_FILE:
            raise
        raise BankDamagedError(f"{_NAME} is damaged: {error.strerror}.", advice) from error
    if sealed.sha256 != _digest(sealed.files):
        raise BankDamagedError(f"{_NAME} is damaged.", advice)
    return sealed.files


def sealed_paths(layout: Layout) -> Iterator[Path]:
    """The files that are sealed. All others are verified by digests that a generation or an encoder holds of them."""
    yield from (layout.settings_file, *office_lists(layout), layout.current_file)
    yield from (layout.root / RECORD, layout.ledger_file, layout.cache_file, layout.summaries_file)
    yield from sorted(layout.generations.glob(f"*/{MANIFEST_NAME}"))
    yield from sorted(layout.generations.glob(f"*/{RECORD}"))
    yield from sorted(layout.generations.glob("*/lists-*/*"))
    yield from sorted(layout.generations.glob("*/lists-*/profiles/*"))
    yield from profile_files(layout.profiles)
    yield from sorted(layout.encoders.glob(f"*/{CARD_NAME}"))


def office_lists(layout: Layout) -> tuple[Path, ...]:
    """The office's lists at the top of a bank, which people change."""
    lists = OfficeLists.in_folder(layout.root)
    return lists.alerts, lists.citations, lists.statement


def is_written_once(path: Path) -> bool:
    """Whether nothing ever writes this file a second time."""
    is_list = any(folder.name.startswith("lists-") for folder in (path.parent, path.parent.parent))
    return is_list or path.name in (MANIFEST_NAME, CARD_NAME)


def is_lost(layout: Layout, path: Path) -> bool:
    """Whether a sealed file is gone, or is no file any more, though what it belongs to is there.

    Of files whose absence no other check finds.
    """
    if path in office_lists(layout):
        belongs = (layout.root / RECORD).exists() or not is_installed(layout)
    else:
        belongs = path.name == RECORD and path.parent.parent == layout.generations and path.parent.is_dir()
    return belongs and not path.is_file()


def require_lists(layout: Layout) -> None:
    """Refuse to go on without a list of the office that the bank had: a pack without it would take it from laptops.

    Raises:
        SettingsError: one is gone since it was sealed.
        BankDamagedError: the seals, which alone tell of it, are not as they were written.
    """
    sealed = read_seals(layout)
    for path in office_lists(layout):
        if path.relative_to(layout.root).as_posix() in sealed and is_lost(layout, path):
            advice = list_advice(path.name, came_as_pack=is_installed(layout))
            raise SettingsError(f"{path.name} is gone, which the bank had.", advice)


def is_broken(path: Path, was: Seal) -> bool:
    """Whether the file was changed by something other than a program that writes it, or what has its name is no file;
    false where it is gone.
    """
    try:
        now = path.stat()
        if not stat.S_ISREG(now.st_mode):
            return True
        is_same = (now.st_size, now.st_mtime_ns) == (was.size_bytes, was.mtime_ns)
        return (is_same or is_written_once(path)) and file_sha256(path) != was.sha256
    except FileNotFoundError:
        return False


def _digest(files: dict[str, Seal]) -> str:
    return hashlib.sha256(msgspec.json.encode(files)).hexdigest()
