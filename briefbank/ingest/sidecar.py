"""What IT says of documents in a `briefbank.csv` beside them; it overrides what was found in the files.

One row a file: `file` (relative to the table) and any of title, kind, court, docket, filed, author, outcome.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path

from briefbank.errors import SourceError
from briefbank.ingest.beneath import SourcePlace
from briefbank.platform.files import TABLE_BYTES, read_bounded
from briefbank.platform.visible import text_of_cell
from briefbank.records import DocumentKind, Fact, Metadata
from briefbank.reports import Failure

SIDECAR_NAME = "briefbank.csv"
_FIELDS = tuple(field.name for field in fields(Metadata))
_MOST_CHARACTERS = 1_000
"""Of a value; a caption with a dozen parties has a few hundred, a missing quotation mark makes thousands."""
_MOST_NAMED = 20
"""Problems of one table that are named one by one; a file that is no table has one in every line."""
_MOST_SHOWN = 40
"""Characters of a wrong value that are repeated in the message."""


@dataclass(frozen=True, slots=True)
class Table:
    """Where a table lies, in or below the `folder` that it may not lead out of."""

    path: Path
    folder: Path


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the tables say. `values` are by absolute path of the file that they are for.

    `problems` name what could not be understood. Of `unknown` files, and of all files below `unknown` folders, a table
    said something that could not be read: they keep what it said of them before.
    """

    values: Mapping[str, Mapping[str, str]]
    problems: tuple[Failure, ...]
    unknown: frozenset[Path]


def read_sidecars(folder: Path, below: Iterable[Table]) -> Overrides:
    """Read every table above `folder`, and those found in or `below` it.

    A table nearer to the file wins. Empty cells override nothing. A row or a table that cannot be understood is named
    with its place and costs nothing else.
    """
    above = (Table(parent / SIDECAR_NAME, parent) for parent in folder.parents if (parent / SIDECAR_NAME).is_file())
    values: dict[str, dict[str, str]] = {}
    problems: list[Failure] = []
    unknown: set[Path] = set()
    for table in sorted([*above, *below], key=lambda each: (len(each.path.parts), each.path)):
        reader = _TableReader(table)
        reader.read()
        for path, row in reader.values.items():
            values.setdefault(path, {}).update(row)
        problems += reader.named_problems()
        unknown |= reader.unknown
    return Overrides(values, tuple(problems), frozenset(unknown))


class _TableReader:
    """One table on its way."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._problems: list[SourceError] = []
        self.values: dict[str, dict[str, str]] = {}
        self.unknown: set[Path] = set()

    def read(self) -> None:
        try:
            rows = self._rows()
        except SourceError as error:
            self._note(error, self._table.path.parent)
            return
        while True:
            try:
                if (row := next(rows, None)) is None:
                    return
            except csv.Error as error:
                problem = SourceError(f"Line {rows.reader.line_num}: {error}.", "Save the table as CSV again.")
                self._note(problem, self._table.path.parent)
            else:
                self._take(row, rows.reader.line_num)

    def named_problems(self) -> list[Failure]:
        named = [self._named(each.code, each.message, each.advice) for each in self._problems[:_MOST_NAMED]]
        if more := len(self._problems) - len(named):
            named.append(self._named(SourceError.code, f"{more} more rows cannot be understood.", "Mend the table."))
        return named

    def _named(self, code: str, message: str, advice: str) -> Failure:
        return Failure(str(self._table.path), code, message, advice)

    def _note(self, error: SourceError, unknown: Path) -> None:
        self._problems.append(error)
        self.unknown.add(unknown)

    def _rows(self) -> csv.DictReader[str]:
        text = _text(self._table)
        rows = csv.DictReader(io.StringIO(text), dialect=_dialect(text))
        try:
            columns = [(name or "").strip().lower() for name in rows.fieldnames or ()]
        except csv.Error as error:
            raise SourceError(
                f"Its first line is no row of a table: {error}.", "Save the table as CSV again."
            ) from error
        unknown = sorted({*columns} - {"file", *_FIELDS})
        if "file" not in columns or unknown:
            listed = ", ".join(name[:_MOST_SHOWN] for name in unknown[:_MOST_NAMED])
            message = f"It has unknown columns: {listed}" if unknown else "It has no column 'file'"
            raise SourceError(f"{message}.", f"Columns are: file, {', '.join(_FIELDS)}.")
        rows.fieldnames = columns
        return rows

    def _take(self, row: dict[str, str], line: int) -> None:
        name = (row.pop("file") or "").strip()
        if not name:
            return
        file = self._table.path.parent / name.replace("\\", "/")
        values = {key: _value(value) for key, value in row.items() if key and value and value.strip()}
        try:
            _require_valid(values, line)
        except SourceError as error:
            self._note(error, file)
            return
        if "filed" in values:  # the basic format and ISO weeks are dates too
            values["filed"] = date.fromisoformat(values["filed"]).isoformat()
        self.values[str(file)] = values


def _text(table: Table) -> str:
    try:
        with SourcePlace(table.folder, table.path).opened() as opened:
            return _decoded(read_bounded(Path(os.fspath(opened)), TABLE_BYTES))
    except OSError as error:
        raise SourceError(f"It cannot be read: {error.strerror}.", "Put a table that you may read there.") from error


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _dialect(text: str) -> type[csv.Dialect]:
    head = text.partition("\n")[0]
    return csv.excel_tab if "\t" in head else _Semicolon if ";" in head and "," not in head else csv.excel


class _Semicolon(csv.excel):
    """What spreadsheets write where the comma is the decimal sign."""

    delimiter = ";"


def _value(written: str) -> str:
    """The value of a cell, without the apostrophe that the export of corrections puts before a formula."""
    return text_of_cell(" ".join(written.split()))


def _require_valid(values: Mapping[str, str], line: int) -> None:
    for name, value in values.items():
        if len(value) > _MOST_CHARACTERS:
            message = f"Line {line}: '{name}' has {len(value)} characters, more than {_MOST_CHARACTERS}."
            raise SourceError(message, "Look whether a quotation mark is missing, or shorten it.")
    if "filed" in values:
        try:
            date.fromisoformat(values["filed"])
        except ValueError as error:
            message = f"Line {line}: 'filed' is '{values['filed'][:_MOST_SHOWN]}', not a date."
            raise SourceError(message, "Write it as 2021-11-30.") from error
    kinds = [kind.value for kind in DocumentKind]
    if (kind := values.get("kind", kinds[0])) not in kinds:
        raise SourceError(f"Line {line}: '{kind[:_MOST_SHOWN]}' is no kind.", f"Kinds are: {', '.join(kinds)}.")


def with_overrides(metadata: Metadata, overrides: Mapping[str, str]) -> Metadata:
    """Return the metadata with IT's values in the place of those found."""
    return replace(metadata, **{name: Fact(value, SIDECAR_NAME) for name, value in overrides.items()})
