"""What IT says of documents in a `briefbank.csv` beside them; it overrides what was found in the files.

One row a file: `file` (relative to the table) and any of title, kind, court, docket, filed, author, outcome. A row
whose file ends with a slash tells the kind of all files in that folder. A row without a file tells the outcome of the
case of its docket, which holds of all briefs under that docket. A table speaks for its own folder alone, and what
speaks for the office only the tables at the top or above say: a folder that was received may bring a table of its own.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from pathlib import Path

from briefbank.errors import SourceError
from briefbank.ingest.beneath import SourcePlace
from briefbank.law.dockets import docket_key
from briefbank.platform.files import TABLE_BYTES, read_bounded
from briefbank.platform.visible import LONGEST_NAME, text_of_cell
from briefbank.values.records import BY_IT, DocumentKind, Fact, Metadata
from briefbank.values.state import Failure

SIDECAR_NAME = BY_IT
_FIELDS = tuple(each.name for each in fields(Metadata))
_MOST_NAMED = 20
"""Problems of one table that are named one by one; a file that is no table has one in every line."""
_NOT_OF_OFFICE = (
    f"What is a directive of the office, only the {SIDECAR_NAME} at the top of the folder of briefs says."
    " Move these rows there."
)
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
    outcomes: tuple[DocketOutcomes, ...] = ()
    """The outcomes by docket, of the tables nearest to the files first."""
    kinds: Mapping[Path, str] = field(default_factory=dict)
    """The kinds of the documents in folders, by the folder."""
    notes: tuple[tuple[str, str], ...] = ()
    """What a table may not say, as (its path, note)."""

    def of(self, path: Path) -> dict[str, str]:
        """Return what the tables say of a file: its own rows, else of its kind the nearest folder above it."""
        by_folder = next((self.kinds[each] for each in path.parents if each in self.kinds), "")
        return {**({"kind": by_folder} if by_folder else {}), **self.values.get(str(path), {})}

    def outcome_of(self, path: Path, dockets: Iterable[str]) -> str:
        """Return what the nearest table above a file that knows any of its dockets says of their outcome; empty where
        none does. A brief that was filed in cases which ended differently has all outcomes.
        """
        keys = [docket_key(each) for each in dockets]
        for table in self.outcomes:
            if table.path.parent in path.parents:
                found = [table.by_key[key][1] for key in keys if key in table.by_key]
                if found:
                    return "; ".join(dict.fromkeys(found))
        return ""


@dataclass(frozen=True, slots=True)
class DocketOutcomes:
    """The outcomes that one table tells by docket: by `docket_key` the line, the outcome, and the docket as written."""

    path: Path
    by_key: Mapping[tuple[str, ...], tuple[int, str, str]]

    def unused_note(self, known: Collection[tuple[str, ...]]) -> str:
        """Return what to tell of the dockets that no brief is under; empty where there is none. `known` are keys."""
        unused = [(line, docket) for key, (line, _, docket) in self.by_key.items() if key not in known]
        if not unused:
            return ""
        named = ", ".join(f"{docket} (line {line})" for line, docket in unused[:_MOST_NAMED])
        more = f" and {len(unused) - _MOST_NAMED:,} more" if len(unused) > _MOST_NAMED else ""
        count = f"{len(unused):,} of its {len(self.by_key):,} dockets" if len(self.by_key) > 1 else "Its docket"
        return f"{count} {'is' if len(unused) == 1 else 'are'} on no brief below this folder: {named}{more}."


def read_sidecars(folder: Path, below: Iterable[Table]) -> Overrides:
    """Read every table above `folder`, and those found in or `below` it.

    A table nearer to the file wins. Empty cells override nothing. A row or a table that cannot be understood is named
    with its place and costs nothing else.
    """
    above = (Table(parent / SIDECAR_NAME, parent) for parent in folder.parents if (parent / SIDECAR_NAME).is_file())
    values: dict[str, dict[str, str]] = {}
    problems: list[Failure] = []
    unknown: set[Path] = set()
    outcomes: list[DocketOutcomes] = []
    kinds: dict[Path, str] = {}
    notes: list[tuple[str, str]] = []
    for table in sorted([*above, *below], key=lambda each: (len(each.path.parts), each.path)):
        reader = _TableReader(table, is_of_office=table.path.parent in (folder, *folder.parents))
        reader.read()
        kinds |= reader.kinds
        if lines := reader.claims:
            named = ", ".join(map(str, lines[:_MOST_NAMED])) + (" and more" if len(lines) > _MOST_NAMED else "")
            notes.append((str(table.path), f"{_NOT_OF_OFFICE} Lines: {named}."))
        for path, row in reader.values.items():
            values.setdefault(path, {}).update(row)
        problems += reader.named_problems()
        unknown |= reader.unknown
        if reader.outcomes:
            outcomes.insert(0, DocketOutcomes(table.path, reader.outcomes))
    return Overrides(values, tuple(problems), frozenset(unknown), tuple(outcomes), kinds, tuple(notes))


class _TableReader:
    """One table on its way. One that is not of the office makes no directives; `claims` are the lines that would."""

    def __init__(self, table: Table, *, is_of_office: bool) -> None:
        self._table = table
        self._is_of_office = is_of_office
        self.kinds: dict[Path, str] = {}
        self.claims: list[int] = []
        self._problems: list[SourceError] = []
        self.values: dict[str, dict[str, str]] = {}
        self.outcomes: dict[tuple[str, ...], tuple[int, str, str]] = {}
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
        if unknown or not {"file", "docket"} & {*columns}:
            listed = ", ".join(name[:_MOST_SHOWN] for name in unknown[:_MOST_NAMED])
            message = f"It has unknown columns: {listed}" if unknown else "It has no column 'file' and no 'docket'"
            raise SourceError(f"{message}.", f"Columns are: file, {', '.join(_FIELDS)}.")
        rows.fieldnames = columns
        return rows

    def _take(self, row: dict[str, str], line: int) -> None:
        name = (row.pop("file", "") or "").strip()
        values = {key: _value(value) for key, value in row.items() if key and value and value.strip()}
        if not name:
            self._take_outcome(values, line)
            return
        folder = self._table.path.parent
        file = Path(os.path.normpath(folder / name.replace("\\", "/")))
        if file != folder and folder not in file.parents:
            message = f"Line {line}: {name[:_MOST_SHOWN]} is not in the folder of this table."
            self._problems.append(SourceError(message, "Move the row to the table of a folder above that file."))
            return
        try:
            _require_valid(values, line)
        except SourceError as error:
            self._note(error, file)
            return
        if values.get("kind") == DocumentKind.DIRECTIVE and not self._is_of_office:
            self.claims.append(line)
            del values["kind"]
        if name.endswith(("/", "\\")):
            if other := sorted(values.keys() - {"kind"}):
                message = (
                    f"Line {line}: of a folder it tells {', '.join(other)[:_MOST_SHOWN]}; it can tell the kind alone."
                )
                self._problems.append(SourceError(message, "Name files, or fill in the column kind alone."))
            elif values:
                self.kinds[file] = values["kind"]
            return
        if "filed" in values:  # the basic format and ISO weeks are dates too
            values["filed"] = date.fromisoformat(values["filed"]).isoformat()
        self.values[str(file)] = values

    def _take_outcome(self, values: dict[str, str], line: int) -> None:
        """Take a row without a file, which tells how the case of a docket ended."""
        if not values:
            return
        try:
            _require_valid(values, line)
            docket, outcome = _docket_and_outcome(values, line)
            before = self.outcomes.setdefault(docket_key(docket), (line, outcome, docket))
            if before[1] != outcome:
                message = f"Line {line}: line {before[0]} has another outcome of {docket[:_MOST_SHOWN]}, which counts."
                raise SourceError(message, "Keep one row for a docket.")
        except SourceError as error:
            self._problems.append(error)


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
        if len(value) > LONGEST_NAME:
            message = f"Line {line}: '{name}' has {len(value)} characters, more than {LONGEST_NAME}."
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


def _docket_and_outcome(values: Mapping[str, str], line: int) -> tuple[str, str]:
    if set(values) != {"docket", "outcome"}:
        said = ", ".join(sorted(values))
        message = f"Line {line}: without a file it tells {said[:_MOST_SHOWN]}; it can tell docket and outcome alone."
        raise SourceError(message, "Name the file, or fill in these two columns and no other.")
    return values["docket"], values["outcome"]


def with_overrides(metadata: Metadata, overrides: Mapping[str, str]) -> Metadata:
    """Return the metadata with IT's values in the place of those found."""
    return replace(metadata, **{name: Fact(value, SIDECAR_NAME) for name, value in overrides.items()})
