"""An append-only file of checksummed lines, for what people wrote: a flipped bit is noticed, and costs one line.

Each line is JSON, `{"n":NUMBER,"sum":"CHECKSUM","record":RECORD}`, and is on the disk when `append` returns. It is the
second copy of what a database holds; whoever uses both keeps them in step. Must not know what the records say.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from briefbank.platform.files import naming, replace, sync_folder, touch_private

JOURNAL_START = b'{"n":'
"""How each line of a journal begins."""

_LINE = re.compile(rb'\{"n":(\d{1,18}),"sum":"([0-9a-f]{16})","record":(.*)\}')
_SUM_BYTES = 8
"""64 bits: of the lines of a damaged file one in 10^19 is taken for sound."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record and its number, which the user of the journal gives it; `payload` is JSON without line ends."""

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not as it was written. `is_cut_off`: the last one, whose writing may have been interrupted."""

    line: int
    is_cut_off: bool


class Journal:
    """The journal at a path, which need not be there. Several programs may append, one at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def exists(self) -> bool:
        return self.path.exists()

    def append(self, records: Iterable[Record]) -> None:
        """Add the records, all or none of them; they are on the disk when this returns.

        Raises:
            OSError: they could not be written; it names the file.
        """
        data = b"".join(map(_line_of, records))
        is_new = not self.path.exists()
        if is_new:
            touch_private(self.path)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            with naming(self.path):
                _append(descriptor, data)
        finally:
            os.close(descriptor)
        if is_new:
            sync_folder(self.path.parent)

    def read(self) -> Iterator[Record | BadLine]:
        """Yield what stands in the file, line by line; nothing where there is no file."""
        if not self.path.exists():
            return
        with naming(self.path), self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield record_of(line) or BadLine(number, is_cut_off=not line.endswith(b"\n"))

    def replace(self, records: Iterable[Record]) -> None:
        """Put a journal of these records in the place of what is there, in one step."""
        fresh = Journal(self.path.with_name(f".{self.path.name}.new"))
        fresh.path.unlink(missing_ok=True)
        fresh.append(records)
        replace(fresh.path, self.path)
        sync_folder(self.path.parent)


def record_of(line: bytes) -> Record | None:
    """Return the record of a journal's line, or None where the line is not as it was written."""
    found = _LINE.fullmatch(line.rstrip(b"\n"))
    if found and _sum(found[1], found[3]) == found[2]:
        return Record(int(found[1]), found[3])
    return None


def _line_of(record: Record) -> bytes:
    number = b"%d" % record.number
    return b'{"n":%b,"sum":"%b","record":%b}\n' % (number, _sum(number, record.payload), record.payload)


def _sum(number: bytes, payload: bytes) -> bytes:
    return hashlib.blake2b(number + b":" + payload, digest_size=_SUM_BYTES).hexdigest().encode()


def _append(descriptor: int, data: bytes) -> None:
    """Write behind the last line, and take a part back that was written before the disk refused the rest."""
    before = os.lseek(descriptor, 0, os.SEEK_END)
    if before and _last_byte(descriptor, before) != b"\n":  # an earlier program was interrupted
        data = b"\n" + data
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, before)
        raise


def _last_byte(descriptor: int, size_bytes: int) -> bytes:
    os.lseek(descriptor, size_bytes - 1, os.SEEK_SET)
    return os.read(descriptor, 1)
