"""A list of authorities on the disk: a head in JSON with its own digest and the body's, then rows of fixed width.

    magic, version, length of the head, SHA-256 of the head | head | rows of `ROW` | volumes of `VOLUME`

Rows are sorted by reporter, volume and page. A volume tells its first row; a last one, of no reporter, the end.
"""

from __future__ import annotations

import hashlib
import struct
from bisect import bisect_left, bisect_right
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Self

import msgspec
import numpy as np

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankNewerError, SourceError
from briefbank.law.authority_list.names import SLOTS
from briefbank.platform import versions
from briefbank.platform.files import naming, require_regular

ROW = np.dtype([("page", "<u4"), ("words", "<u2", SLOTS), ("year", "u1")])
VOLUME = np.dtype([("place", "<u4"), ("first", "<u4")])
"""The number of a reporter in the head, in the upper 16 bits, and of the volume, with its first row."""
YEAR_ZERO = 1799
"""A row has the years since then in one byte; 0 is a year that is not known, or earlier."""
_MAGIC = b"BBAUTHL\n"
_PREFIX = struct.Struct("<8sHHI32s")
_MOST_HEAD_BYTES = 1 << 20
_HASHED_BYTES = 1 << 22


class ListHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a list says of itself: its date (2026-09 or 2026-09-30), whose data it is under which terms, how many
    citations and volumes it has, of which reporters, and the SHA-256 of what comes behind the head.
    """

    made_by: str
    date: str
    licence: str
    rows: Annotated[int, msgspec.Meta(ge=1)]
    volumes: Annotated[int, msgspec.Meta(ge=1)]
    reporters: list[str]
    body_sha256: str

    def encode(self) -> bytes:
        """The first bytes of a list."""
        encoded = msgspec.json.encode(self)
        digest = hashlib.sha256(encoded).digest()
        return _PREFIX.pack(_MAGIC, *versions.AUTHORITY_LIST, len(encoded), digest) + encoded


class AuthorityList:
    """A list that is as it was made; mapped, so that only what is looked up is read."""

    def __init__(self, path: Path, head: ListHead, body_start: int) -> None:
        """Take what `open` has verified."""
        self.head = head
        self._numbers = {reporter: number for number, reporter in enumerate(head.reporters)}
        # As plain arrays: a slice of a `memmap` takes ten times as long.
        self._rows = np.asarray(np.memmap(path, ROW, "r", body_start, head.rows))
        volumes = np.memmap(path, VOLUME, "r", body_start + self._rows.nbytes, head.volumes + 1)
        self._places, self._starts = (np.ascontiguousarray(volumes[name]) for name in ("place", "first"))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a list and verify all of it, once per process and version of the file.

        Raises:
            SourceError: it is missing, cannot be read, or is no list of authorities.
            BankNewerError: a newer program made it.
            BankDamagedError: it is not as it was made.
        """
        try:
            require_regular(path)
            with path.open("rb") as file, naming(path):
                prefix = file.read(_PREFIX.size)
                encoded = file.read(_head_bytes(prefix, path))
            head, start = _decoded(encoded, prefix, path), len(prefix) + len(encoded)
            stat = path.stat()
            if stat.st_size != start + head.rows * ROW.itemsize + (head.volumes + 1) * VOLUME.itemsize:
                raise _damaged(path, "it was cut off, or something was added")
            if _body_sha256(path, start, stat.st_size, stat.st_mtime_ns) != head.body_sha256:
                raise _damaged(path, "its rows are not as they were written")
            return cls(path, head, start)
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}.", "Name a list of authorities.") from error

    def has_reporter(self, reporter: str) -> bool:
        """Whether it has any citation to a reporter, by the key that `reporters.reporters` gives it."""
        return reporter in self._numbers

    def find(self, volume: int, reporter: str, page: int) -> list[tuple[list[int], int]] | None:
        """Look up a citation to one of its reporters: of each case there as many `telling_words` as a list keeps, and
        its year or 0; None where the list has nothing of the volume.
        """
        wanted = self._numbers[reporter] << 16 | volume
        place = int(np.searchsorted(self._places, wanted))
        if self._places[place] != wanted:
            return None
        first, last = map(int, self._starts[place : place + 2])
        begin, end = (
            cut(self._rows, page, first, last, key=lambda row: int(row["page"])) for cut in (bisect_left, bisect_right)
        )
        found = self._rows[begin:end]
        years = [YEAR_ZERO + year if year else 0 for year in found["year"].tolist()]
        return list(zip(found["words"].tolist(), years, strict=True))


def first_day(written: str) -> date:
    """Return the first day of a list's date, 2026-09 or 2026-09-30. Raises ValueError where it is none."""
    if len(written) not in (len("2026-09"), len("2026-09-30")):
        raise ValueError
    return date.fromisoformat(f"{written}-01"[: len("2026-09-30")])


def _head_bytes(prefix: bytes, path: Path) -> int:
    if len(prefix) < _PREFIX.size or not prefix.startswith(_MAGIC):
        advice = "Name a file that briefbank authorities build has made."
        raise SourceError(f"{path} is no list of authorities, or its beginning is damaged.", advice)
    _, major, minor, head_bytes, _ = _PREFIX.unpack(prefix)
    if major > versions.AUTHORITY_LIST.major:
        raise BankNewerError(
            f"{path} has format {major}.{minor}; this program, briefbank {__version__}, reads up to "
            f"{versions.AUTHORITY_LIST}.",
            "Install the newer BriefBank that made it, or build the list with this one.",
        )
    if head_bytes > _MOST_HEAD_BYTES:
        raise _damaged(path, "its head has no such length")
    return int(head_bytes)


def _decoded(encoded: bytes, prefix: bytes, path: Path) -> ListHead:
    if not prefix.endswith(hashlib.sha256(encoded).digest()):
        raise _damaged(path, "its head is not as it was written")
    try:
        head = msgspec.json.decode(encoded, type=ListHead)
        first_day(head.date)
        return head
    except ValueError as error:  # msgspec's are too
        raise _damaged(path, "its head cannot be understood") from error


def _damaged(path: Path, how: str) -> BankDamagedError:
    advice = "Copy the list again, or build it anew (briefbank authorities build)."
    return BankDamagedError(f"The list of authorities {path} is damaged: {how}.", advice)


@lru_cache(maxsize=8)
def _body_sha256(path: Path, start: int, _size: int, _mtime_ns: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file, naming(path):
        file.seek(start)
        while piece := file.read(_HASHED_BYTES):
            digest.update(piece)
    return digest.hexdigest()
