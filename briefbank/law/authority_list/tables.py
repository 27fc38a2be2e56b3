"""Reads the tables that a list of authorities is made from, row by row: CourtListener's bulk data, `citations` with
`opinion-clusters` (https://www.courtlistener.com/help/api/bulk-data/), or any with volume, reporter, page, name, year.

Bulk data is what PostgreSQL's COPY writes with a backslash before the quotation marks of a field, which may have many
lines. Elsewhere these marks are doubled, as years ago there too; both are read. Knows no list.
"""

from __future__ import annotations

import bz2
import csv
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from io import TextIOWrapper
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, Protocol

from briefbank.errors import SourceError
from briefbank.platform.files import require_regular
from briefbank.platform.visible import visible_name

_MOST_FIELD_CHARACTERS = 1 << 26
"""Above the longest field of bulk data, a case's text; where a quote is never closed, the rest of a file is one."""


class TableKind(StrEnum):
    """What a table holds, told by its columns."""

    CITATIONS = "citations of CourtListener"
    CLUSTERS = "opinion-clusters of CourtListener"
    PLAIN = "citations with names"


_COLUMNS = {
    TableKind.CITATIONS: ("volume", "reporter", "page", "cluster_id"),
    TableKind.CLUSTERS: ("id", "case_name", "case_name_full", "case_name_short", "date_filed"),
    TableKind.PLAIN: ("volume", "reporter", "page", "name", "year"),
}
_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_SAVE_ADVICE = "In a spreadsheet, save the table as “CSV UTF-8 (comma delimited)”. Nothing was built."
_APPROXIMATE = "date_filed_is_approximate"
_TOLD_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class Table:
    """A table that can be read, and its size on the disk in bytes."""

    path: Path
    kind: TableKind
    size_bytes: int

    def rows(self) -> Iterator[tuple[int, tuple[str, ...], int | None]]:
        """Yield the rows, each with the number of its last line: of what `_COLUMNS` names, of clusters also whether the
        date is approximate; now and then also how many bytes of the file have been read.

        Raises:
            SourceError: the file cannot be read, or a row is none; the message names the line.
        """
        with _reading(self.path) as (reader, read_bytes):
            header = [each.strip().lower() for each in next(reader)]
            wanted = [header.index(each) for each in _COLUMNS[self.kind]]
            if self.kind is TableKind.CLUSTERS:
                wanted.append(header.index(_APPROXIMATE) if _APPROXIMATE in header else wanted[0])
            pick = itemgetter(*wanted)
            for number, row in enumerate(reader):
                if len(row) == len(header):
                    yield reader.line_num, pick(row), read_bytes() if number % _TOLD_ROWS == 0 else None
                elif row:
                    fields = f"it has {len(row)} fields, the first line {len(header)}"
                    raise bad_row(self.path, reader.line_num, fields)


def open_table(path: Path) -> Table:
    """Look what a file holds.

    Raises:
        SourceError: it cannot be read, or has not the columns of any table that lists are made from.
    """
    header = _header(path, ",")
    if kind := _kind_of(header):
        return Table(path, kind, path.stat().st_size)
    for mark, name in _OTHER_SEPARATORS.items():
        if _kind_of(_header(path, mark)):
            raise SourceError(f"{path} has {name} between its columns, where commas belong.", _SAVE_ADVICE)
    forms = "; ".join(f"{', '.join(columns)} ({kind})" for kind, columns in _COLUMNS.items())
    shown = visible_name(", ".join(sorted(header)))[:200]
    raise SourceError(
        f"{path} is no table of citations: its first line names {shown or 'nothing'}.", f"Needed: {forms}."
    )


class _Rows(Protocol):
    """What `csv.reader` gives, which has no public name of its own in every Python."""

    @property
    def line_num(self) -> int:
        """The line that was read last."""

    def __iter__(self) -> Iterator[list[str]]:
        """Return itself."""

    def __next__(self) -> list[str]:
        """Return the next row."""


def _header(path: Path, separator: str) -> set[str]:
    """The columns that the first line names."""
    with _reading(path, delimiter=separator, strict=False) as (reader, _):
        return {each.strip().lower() for each in next(reader, [])}


def _kind_of(header: set[str]) -> TableKind | None:
    return next((kind for kind, columns in _COLUMNS.items() if header >= set(columns)), None)


@contextmanager
def _reading(path: Path, *, delimiter: str = ",", strict: bool = True) -> Iterator[tuple[_Rows, Callable[[], int]]]:
    """Yield the rows of a CSV file, unpacked where its name says so, and what tells how many of its bytes were read."""
    before = csv.field_size_limit(_MOST_FIELD_CHARACTERS)
    line = 0
    try:
        require_regular(path)
        with path.open("rb") as raw, _unpacked(path, raw) as unpacked:
            text = TextIOWrapper(unpacked, "utf-8-sig", newline="")
            reader = csv.reader(text, delimiter=delimiter, escapechar="\\", strict=strict)
            try:
                yield reader, raw.tell
            finally:
                line = reader.line_num
    except csv.Error as error:
        raise bad_row(path, line, str(error)) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}, line {_first_of_other_text(path):,}: this is no UTF-8.", _SAVE_ADVICE) from error
    except (EOFError, OSError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged or was cut off"
        advice = "Name the table as it was downloaded, .csv or .csv.bz2; download it again where it is damaged."
        raise SourceError(f"{path} cannot be read: {reason}.", advice) from error
    finally:
        csv.field_size_limit(before)


def _unpacked(path: Path, raw: BinaryIO) -> AbstractContextManager[BinaryIO]:
    return bz2.open(raw) if path.suffix.lower() == ".bz2" else nullcontext(raw)  # type: ignore[return-value]


def _first_of_other_text(path: Path) -> int:
    """The number of the first line that is no UTF-8; what reads a table decodes many lines ahead."""
    with path.open("rb") as raw, _unpacked(path, raw) as unpacked:
        for number, line in enumerate(unpacked, start=1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return number
    return number


def bad_row(path: Path, line: int, why: str) -> SourceError:
    """Return the error of a row that cannot be used."""
    advice = "Mend that line; of bulk data, download the file again. Nothing was built."
    return SourceError(f"{path}, line {line:,}: {why}.", advice)
