"""The list of what is to be removed, for a person to approve: written, and read again with their decisions.

A table that any spreadsheet opens. It holds what is to be kept from others, and is confidential. Knows no texts.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from briefbank.errors import SourceError
from briefbank.law.anonymise.forms import Kind
from briefbank.platform.files import TABLE_BYTES, read_bounded
from briefbank.platform.visible import table, text_of_cell

_COLUMNS = ("remove", "kind", "text", "stands_for", "count", "example")
_NO = frozenset(("no", "n", "0", "false"))

Item = tuple[Kind, str]
"""What was found: its kind and its words, white space folded."""


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """Something found: how it will read, how often it stands, and where it stands first."""

    kind: Kind
    text: str
    stands_for: str
    count: int
    example: str


@dataclass(frozen=True, slots=True)
class Approval:
    """What a person decided: `kept` stays, `added` goes too; what is in neither and not `listed` they never saw."""

    listed: frozenset[Item]
    kept: frozenset[Item]
    added: tuple[Item, ...]


def folded(text: str) -> str:
    """A text with its white space folded."""
    return " ".join(text.split())


def review_table(lines: Iterable[ReviewLine]) -> bytes:
    """The list as a CSV file, most frequent first within each kind."""
    order = {kind: place for place, kind in enumerate(Kind)}
    rows = [
        ("yes", line.kind.value, line.text, line.stands_for, line.count, line.example)
        for line in sorted(lines, key=lambda each: (order[each.kind], -each.count, each.text, each.stands_for))
    ]
    return table([_COLUMNS, *rows]).encode("utf-8-sig")  # spreadsheets take it for another encoding without the mark


def read_review(path: Path) -> Approval:
    """Read an approved list: lines with `no` stay in the text, lines without a count were added.

    Raises:
        SourceError: the file cannot be read, or a line is wrong.
    """
    advice = "Keep the columns remove, kind and text; kinds are " + ", ".join(Kind) + "."
    try:
        table = csv.DictReader(io.StringIO(read_bounded(path, TABLE_BYTES).decode("utf-8-sig"), newline=""))
        rows = list(table)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"The approved list {path} cannot be read: {error}.", advice) from error
    if not {"kind", "text"} <= set(table.fieldnames or ()):
        raise SourceError(f"{path} is no list of what is to be taken out.", advice)
    listed, kept, added = set(), set(), []
    for number, row in enumerate(rows, start=2):
        try:
            item = (Kind((row["kind"] or "").strip().lower()), folded(text_of_cell(row["text"] or "")))
        except (KeyError, ValueError) as error:
            raise SourceError(f"{path}, line {number}: there is no such kind.", advice) from error
        if not item[1]:
            continue
        listed.add(item)
        if (row.get("remove") or "").strip().lower() in _NO:
            kept.add(item)
        elif not (row.get("count") or "").strip():
            added.append(item)
    return Approval(frozenset(listed), frozenset(kept), tuple(added))
