"""What IT says of documents in a `briefbank.csv` beside them; it overrides what was found in the files.

One row a file: `file` (relative to the table) and any of title, kind, court, docket, filed, author, outcome.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import date
from pathlib import Path

from briefbank.errors import SourceError
from briefbank.records import DocumentKind, Fact, Metadata

SIDECAR_NAME = "briefbank.csv"
_FIELDS = tuple(field.name for field in fields(Metadata))


def read_sidecars(folder: Path, below: Iterable[Path]) -> dict[str, dict[str, str]]:
    """Return the overrides of every table above `folder` and of those found in or `below` it, by absolute path of the
    file they are for.

    A table nearer to the file wins. Empty cells override nothing.

    Raises:
        SourceError: a table cannot be understood; the message names line and column.
    """
    overrides: dict[str, dict[str, str]] = {}
    above = (parent / SIDECAR_NAME for parent in folder.parents)
    tables = [*filter(Path.is_file, above), *below]
    tables.sort(key=lambda path: (len(path.parts), path))
    for table in tables:
        for path, values in _read_table(table).items():
            overrides.setdefault(path, {}).update(values)
    return overrides


def _read_table(path: Path) -> dict[str, dict[str, str]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", "Check that you may read it.") from error
    text = _decoded(data)
    rows = csv.DictReader(io.StringIO(text), dialect=_dialect(text))
    columns = [(name or "").strip().lower() for name in rows.fieldnames or ()]
    unknown = sorted({*columns} - {"file", *_FIELDS})
    if "file" not in columns or unknown:
        told = f"has unknown columns: {', '.join(unknown)}" if unknown else "has no column 'file'"
        raise SourceError(f"{path} {told}.", f"Columns are: file, {', '.join(_FIELDS)}.")
    rows.fieldnames = columns
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        name = (row.pop("file") or "").strip()
        values = {key: value.strip() for key, value in row.items() if key and value and value.strip()}
        if name:
            _require_valid(values, path, rows.line_num)
            if "filed" in values:  # the basic format and ISO weeks are dates too
                values["filed"] = date.fromisoformat(values["filed"]).isoformat()
            found[str(path.parent / name.replace("\\", "/"))] = values
    return found


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


def _require_valid(values: Mapping[str, str], path: Path, line: int) -> None:
    if "filed" in values:
        try:
            date.fromisoformat(values["filed"])
        except ValueError as error:
            message = f"{path}, line {line}: 'filed' is '{values['filed']}', not a date."
            raise SourceError(message, "Write it as 2021-11-30.") from error
    kinds = [kind.value for kind in DocumentKind]
    if values.get("kind", kinds[0]) not in kinds:
        raise SourceError(f"{path}, line {line}: '{values['kind']}' is no kind.", f"Kinds are: {', '.join(kinds)}.")


def with_overrides(metadata: Metadata, overrides: Mapping[str, str]) -> Metadata:
    """Return the metadata with IT's values in the place of those found."""
    return replace(metadata, **{name: Fact(value, SIDECAR_NAME) for name, value in overrides.items()})
