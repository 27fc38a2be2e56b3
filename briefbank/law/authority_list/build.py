"""Makes one list of authorities out of tables of citations, which are held as columns of numbers meanwhile."""

from __future__ import annotations

import hashlib
import re
import time
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from briefbank import __version__
from briefbank.errors import SourceError, UsageError
from briefbank.law.authority_list.listed import ROW, VOLUME, YEAR_ZERO, ListHead, first_day
from briefbank.law.authority_list.names import SLOTS, telling_words
from briefbank.law.authority_list.tables import Table, TableKind, bad_row, open_table
from briefbank.law.citations.reporters import reporters
from briefbank.law.legal_numbers import reporter_key
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import new_file, require_new
from briefbank.platform.progress import CancelToken, Progress, Reporter, silent, time_left

_PAGE = re.compile(r"\*?(\d{1,9})(?!\d)")
_YEAR = re.compile(r"\s*(?:(1[5-9]\d\d|20[0-4]\d)(?:-\d\d-\d\d)?)?\s*")
_VOLUME = re.compile(r"\s*0*([1-9]\d{0,3})\s*")
_NUMBER = re.compile(r"\d{1,18}")
_OWN = 1 << 63
"""Above every number that bulk data gives a case: for the rows of other tables."""
_CHARACTERS_OF_LICENCE = 2_000
_BLOCK_ROWS = 1 << 20


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a list was made of. `left_out` rows have a volume, reporter or page of which no draft's citation is looked
    up, as pages in Roman numerals; `first_left_out` is the file and line of the first, or empty.
    """

    head: ListHead
    size_bytes: int
    left_out: int
    first_left_out: str
    seconds: float


@dataclass(slots=True)
class _Columns:
    """What is read of tables: of each citation its reporter, volume and page in 16, 16 and 32 bits, and the number of
    its case; of each case its number, words and year.
    """

    places: array[int] = field(default_factory=lambda: array("Q"))
    cases: array[int] = field(default_factory=lambda: array("Q"))
    numbers: array[int] = field(default_factory=lambda: array("Q"))
    words: array[int] = field(default_factory=lambda: array("H"))
    years: array[int] = field(default_factory=lambda: array("B"))
    reporters: dict[str, int] = field(default_factory=dict)
    left_out: int = 0
    first_left_out: str = ""
    _by_spelling: dict[str, str] = field(default_factory=dict)

    def take(self, table: Table, line: int, row: Sequence[str]) -> None:
        """Take a row. Raises ValueError where it is none."""
        if table.kind is TableKind.CLUSTERS:
            number, name, full, short, filed, approximate = row
            year = 0 if approximate == "t" else _year(filed)
            self._add_case(_number(number), name or full or short, year)
            return
        volume, reporter, page, *rest = row
        place = self._place(volume, reporter, page)
        if table.kind is TableKind.CITATIONS:
            case = _number(rest[0])
        else:
            if not all(each.strip() for each in row[:4]):
                raise ValueError("it lacks a volume, reporter, page or name")
            case = _OWN | len(self.numbers)
            self._add_case(case, rest[0], _year(rest[1]))
        if place is None:
            self.left_out += 1
            self.first_left_out = self.first_left_out or f"{table.path.name}, line {line:,}"
        else:
            self.places.append(place)
            self.cases.append(case)

    def _add_case(self, number: int, name: str, year: int) -> None:
        words = telling_words(name)[:SLOTS]
        self.numbers.append(number)
        self.words.extend((*words, *(0,) * (SLOTS - len(words))))
        self.years.append(max(year - YEAR_ZERO, 0))

    def _place(self, volume: str, reporter: str, page: str) -> int | None:
        if reporter not in self._by_spelling:
            known = reporters().get(reporter_key(reporter))
            self._by_spelling[reporter] = known.key if known else ""
        key, on_page, in_volume = self._by_spelling[reporter], _PAGE.match(page), _VOLUME.fullmatch(volume)
        if not key or on_page is None or in_volume is None:
            return None
        number = self.reporters.setdefault(key, len(self.reporters))
        return number << 48 | int(in_volume[1]) << 32 | int(on_page[1])

    def sorted_rows(self) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
        """All citations as `ROW`s, and their `VOLUME`s. The columns of citations are let go of."""
        places = np.frombuffer(self.places, np.uint64)
        order = np.argsort(places, kind="stable")
        places, cases = places[order], np.frombuffer(self.cases, np.uint64)[order]
        self.places, self.cases = array("Q"), array("Q")
        rows = np.zeros(len(places), ROW)
        rows["page"] = places & np.uint64(0xFFFFFFFF)
        numbers, years = np.frombuffer(self.numbers, np.uint64), np.frombuffer(self.years, np.uint8)
        words = np.frombuffer(self.words, np.uint16).reshape(-1, SLOTS)
        order = np.argsort(numbers, kind="stable")
        for first in range(0, len(rows), _BLOCK_ROWS):
            block, wanted = rows[first : first + _BLOCK_ROWS], cases[first : first + _BLOCK_ROWS]
            at = order[np.minimum(np.searchsorted(numbers, wanted, sorter=order), len(numbers) - 1)]
            is_named = numbers[at] == wanted  # a citation may be newer than the table of cases
            block["words"], block["year"] = words[at] * is_named[:, None], years[at] * is_named
        found, starts = np.unique(places >> np.uint64(32), return_index=True)
        volumes = np.full(len(found) + 1, 0xFFFFFFFF, VOLUME)
        volumes["place"][:-1], volumes["first"] = found, (*starts, len(places))
        return rows, volumes


def build_list(
    paths: Iterable[Path],
    out: Path,
    *,
    licence: str,
    date: str,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> BuildReport:
    """Make a list of tables, in any order, into the new file `out`; `licence` says whose data it is and under which
    terms, `date` of when (2026-09, 2026-09-30). 18 million citations take 1.5 GB of memory.

    Raises:
        UsageError: `out` is there, the date is none, there is no licence, or citations come without their cases.
        SourceError: a table cannot be read, has other columns, or a row that is none; the message names its line.
        NoSpaceError, CancelledError: as their names say; nothing is left behind.
    """
    try:
        first_day(date)
    except ValueError as error:
        raise UsageError(f"{date!r} is no date of a list.", "Write it as 2026-09 or 2026-09-30.") from error
    if not 0 < len(licence.strip()) <= _CHARACTERS_OF_LICENCE:
        raise UsageError("The list has no licence to show.", "Say whose data it is, and under which terms: --licence")
    require_new(out)
    began, columns, cancel = time.monotonic(), _Columns(), cancel or CancelToken()
    tables = [open_table(path) for path in paths]
    kinds = {table.kind for table in tables}
    if (TableKind.CITATIONS in kinds) != (TableKind.CLUSTERS in kinds):
        message = "CourtListener's citations have the names and years of their cases in opinion-clusters."
        raise UsageError(message, "Name both files, of one date.")
    total, before = sum(table.size_bytes for table in tables), 0
    for number, table in enumerate(tables):
        for line, row, read_bytes in table.rows():
            if read_bytes is not None:
                cancel.check()
                elapsed = time.monotonic() - began
                left = time_left(elapsed, before + read_bytes, total)
                reporter(Progress("tables", number, len(tables), elapsed_s=elapsed, seconds_left=left, unit="tables"))
            try:
                columns.take(table, line, row)
            except ValueError as error:
                raise bad_row(table.path, line, str(error)) from error
        before += table.size_bytes
    if not columns.places:
        raise SourceError("There is no citation in these tables.", "Name tables that have some.")
    with disk_guard(out.parent, "writing the list of authorities"):
        head = _write(columns, out, licence.strip(), date)
    took = time.monotonic() - began
    return BuildReport(head, out.stat().st_size, columns.left_out, columns.first_left_out, took)


def _write(columns: _Columns, out: Path, licence: str, date: str) -> ListHead:
    rows, volumes = columns.sorted_rows()
    digest = hashlib.sha256(rows.data)
    digest.update(volumes.data)
    made_by, names = f"briefbank {__version__}", list(columns.reporters)
    head = ListHead(made_by, date, licence, len(rows), len(volumes) - 1, names, digest.hexdigest())
    with new_file(out) as path, path.open("xb") as file:
        file.write(head.encode())
        rows.tofile(file)
        volumes.tofile(file)
    return head


def _number(written: str) -> int:
    if not _NUMBER.fullmatch(written):
        raise ValueError("the number of its case is none")
    return int(written)


def _year(written: str) -> int:
    """The year of a date or year; 0 where none is given."""
    found = _YEAR.fullmatch(written)
    if found is None:
        raise ValueError("what should be a year is none, nor a date like 2021-11-30")
    return int(found[1] or 0)
