"""Tables for spreadsheets, in which no cell is a formula: a brief's file name or a query must not become a command.

Must not know what the tables are about.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA = re.compile(r"(?<!')'*[=+\-@\t\r\n＝＋－＠]")  # noqa: RUF001 - spreadsheets take the wide ones for the narrow ones
"""What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), behind apostrophes or not."""


def cell(value: object) -> object:
    """Return a value as a cell: a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def text_of_cell(text: str) -> str:
    """Return the text that `cell` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def table(rows: Iterable[Sequence[object]], *, separator: str = ",", line_end: str = "\r\n") -> str:
    """Return rows as a table, each value as a `cell`."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=separator, lineterminator=line_end)
    writer.writerows([cell(value) for value in row] for row in rows)
    return written.getvalue()
