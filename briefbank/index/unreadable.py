"""Which files a generation lacks because they could not be read, as a part of it: so that it travels with the index to
machines that have neither the files nor the ledger. Must not know how files are read.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE
from briefbank.platform import versions
from briefbank.platform.files import COLLECTION_BYTES, read_bounded
from briefbank.values.unreadable import UnreadableFile, UnreadableFiles

_FILE = "unreadable.json"


class _Version(msgspec.Struct, frozen=True):
    version: int


class _Table(_Version, frozen=True):
    known_files: int
    files: tuple[UnreadableFile, ...]


def write_unreadable(folder: Path, unreadable: UnreadableFiles) -> None:
    """Write the table into the folder of a generation that is being made."""
    table = _Table(versions.UNREADABLE, unreadable.known_files, unreadable.files)
    (folder / _FILE).write_bytes(msgspec.json.encode(table))


def read_unreadable(folder: Path) -> UnreadableFiles | None:
    """Return the table; None where an older program wrote the generation, or a newer one in another form.

    Raises:
        BankDamagedError: it cannot be read.
    """
    try:
        data = read_bounded(folder / _FILE, COLLECTION_BYTES)
        if msgspec.json.decode(data, type=_Version).version > versions.UNREADABLE:
            return None
        table = msgspec.json.decode(data, type=_Table)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BankDamagedError(f"The index {folder.name} has no readable {_FILE}.", MEND_ADVICE) from error
    return UnreadableFiles(table.known_files, table.files)
