"""What the directives of a bank say against authorities, found when they were indexed. Must not know how it is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import msgspec

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE
from briefbank.index.notes import DirectiveEntry


class DirectivesBuilder:
    """Takes the entries of one directive after the other."""

    def __init__(self) -> None:
        self._entries: list[DirectiveEntry] = []

    def add(self, entries: Iterable[DirectiveEntry], first_row: int) -> None:
        """Add those of a directive whose passages begin at a row, or of the next part of one."""
        self._entries += (
            replace(each, passages=tuple(first_row + place for place in each.passages)) for each in entries
        )

    def write(self, file: Path) -> None:
        file.write_bytes(msgspec.msgpack.encode(self._entries))


class DirectiveEntries:
    """Entries opened for reading; nothing is read before it is asked for."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def entries(self) -> tuple[DirectiveEntry, ...]:
        """All of them, each with the rows of its passages, by row. Raises BankDamagedError."""
        try:
            return msgspec.msgpack.decode(self._file.read_bytes(), type=tuple[DirectiveEntry, ...])
        except (OSError, ValueError) as error:  # of MessagePack, or of letters within it
            message = f"What directives say in {self._file.parent.name} cannot be read: {error}"
            raise BankDamagedError(message, MEND_ADVICE) from error
