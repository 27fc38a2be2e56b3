"""The office's own list of cases and rules to be careful with, what its directives say of others, and which passages
cite one. Says nothing of the law by itself: an authority that is not listed has not been checked by anybody.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from pathlib import Path

import numpy as np

from briefbank.errors import SettingsError, UsageError
from briefbank.index.authorities import AuthorityPostings
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.law.citations import PassageText, PatternSet, citations_in_query, cite_document, load_patterns
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import TABLE_BYTES, read_bounded, write_atomic
from briefbank.values.records import Span

_COLUMNS = ("authority", "says", "date", "source")
_SAVE_AGAIN = "Save the table as CSV again."
_MOST_SHOWN = 80
"""Characters of a cell that a message repeats: one may hold a table's rest, behind a quote that is not closed."""
_REQUIRED = frozenset({"authority", "says"})
NO_WARNING = "no warning"
"""What the list says of an authority that nobody is to be warned of, whatever a directive says."""


@dataclass(frozen=True, slots=True)
class Alert:
    """One entry: the authority as the office writes it, what is to be known, since when, and who says so.

    `keys` are the spellings that the index knows the authority by. `is_of_directive`: nobody put it on the list; a
    directive says it, in these words.
    """

    authority: str
    says: str
    date: date | None
    source: str
    keys: tuple[str, ...]
    is_of_directive: bool = False

    @property
    def is_silent(self) -> bool:
        return self.says.casefold().strip(" .") == NO_WARNING

    @property
    def warning(self) -> str:
        """One line for people."""
        since = f"{self.date.day} {self.date:%b} {self.date.year}" if self.date else ""
        if self.is_of_directive:
            origin = ", ".join(filter(None, (self.source, since)))
            return f"cites {self.authority}: a directive says “{self.says}” ({origin})"
        origin = ", ".join(filter(None, ("office's list", self.source, since)))
        return f"cites {self.authority}: {self.says} ({origin})"


@dataclass(frozen=True, slots=True)
class AlertList:
    """The entries that warn, those that say that nobody is to be warned, and what is wrong with the table or with other
    rows of it.
    """

    alerts: tuple[Alert, ...] = ()
    problems: tuple[SettingsError, ...] = ()
    silent: tuple[Alert, ...] = ()

    @property
    def notices(self) -> tuple[str, ...]:
        """What whoever searches should know: an alert that is not there may be missed."""
        left = "the other alerts are shown" if self.alerts else "no alert is shown"
        return tuple(f"{problem.message.removesuffix('.')}; {left}." for problem in self.problems)

    def warnings_in(self, text: str) -> tuple[str, ...]:
        """Return the warnings of what a text in no brief of the bank cites, in the list's order."""
        cited = cite_document([PassageText(text, (0,), "")], load_patterns()).authorities
        keys = {key for each in cited for key in each.keys}
        return tuple(each.warning for each in self.alerts if not keys.isdisjoint(each.keys))


def read_alerts(path: Path, citation_patterns: Path | None = None) -> AlertList:
    """Read a CSV table with the columns `authority`, `says` and, where known, `date` and `source`; none without a file.

    What is wrong costs its own row and no search; damaged patterns of the office are told of without a table too. An
    authority has to be a citation, a rule or a statute, since a name alone may stand for several cases.
    """
    patterns = load_patterns()
    problems: list[SettingsError] = []
    try:
        patterns = load_patterns(citation_patterns)
    except SettingsError as problem:
        problems.append(problem)
    alerts: list[Alert] = []
    try:
        text = _text_of(path)
        entries = _entries(path, text, patterns) if text is not None else ()
        for each in entries:
            if isinstance(each, Alert):
                alerts.append(each)
            else:
                problems.append(each)
    except SettingsError as problem:
        problems.append(problem)
    silent = tuple(each for each in alerts if each.is_silent)
    return AlertList(tuple(each for each in alerts if not each.is_silent), tuple(problems), silent)


def _entries(path: Path, text: str, patterns: PatternSet) -> Iterator[Alert | SettingsError]:
    """Each entry, or what is wrong with it. Raises SettingsError where the first row names no columns."""
    rows = _rows(io.StringIO(text, newline="").readlines())
    _, header = next(rows, (1, []))
    if isinstance(header, csv.Error):
        raise SettingsError(f"{path}, line 1: {header}.", _SAVE_AGAIN) from header
    if not set(header) >= _REQUIRED or not set(header) <= set(_COLUMNS):
        raise SettingsError(f"{path} has the columns {_cut(', '.join(header))}.", f"Known are: {', '.join(_COLUMNS)}.")
    for line, row in rows:
        origin = f"{path}, line {line}"
        if isinstance(row, csv.Error):
            advice = f"Close its quotes, keep each cell below {csv.field_size_limit():,} characters, and save it again."
            yield SettingsError(f"{origin}: {row}.", advice)
            continue
        try:
            yield _alert(header, row, origin, patterns)
        except SettingsError as problem:
            yield problem


def _rows(lines: Sequence[str]) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Each row that is not empty, or what breaks the form of CSV in it, with the number of its first line.

    Behind a row that breaks the form, reading goes on at the next line: an open quote may have swallowed good rows.
    """
    start = 0
    while start < len(lines):
        begins = start
        reader = csv.reader((lines[place] for place in range(start, len(lines))), strict=True)
        try:
            for row in reader:
                if row:
                    yield begins + 1, row
                begins = start + reader.line_num
            return
        except csv.Error as error:
            yield begins + 1, error
            start = begins + 1


def _text_of(path: Path) -> str | None:
    """The text of the table, None where there is none. Raises SettingsError where it cannot be read."""
    try:
        return read_bounded(path, TABLE_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.", _SAVE_AGAIN) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not in UTF-8.", "Save the table as CSV in UTF-8.") from error


def replace_alerts(table: Path, target: Path, citation_patterns: Path) -> None:
    """Put a CSV table in the place of the list at `target`.

    Raises:
        UsageError: there is no such table.
        SettingsError: the table is wrong; the list stays as it was.
        NoSpaceError: the disk is full.
    """
    if not table.is_file():
        raise UsageError(f"There is no table {table}.", "Name a CSV file.")
    if problems := read_alerts(table, citation_patterns).problems:
        raise problems[0]
    with disk_guard(target.parent, "keeping the alerts"):
        write_atomic(target, read_bounded(table, TABLE_BYTES))


def _alert(header: Sequence[str], row: Sequence[str], origin: str, patterns: PatternSet) -> Alert:
    if len(row) > len(header):
        raise SettingsError(f"{origin} has more cells than there are columns.", "Put texts with commas into quotes.")
    cells = dict(zip(header, row, strict=False))
    authority, says, day, source = (" ".join(cells.get(name, "").split()) for name in _COLUMNS)
    if not says:
        raise SettingsError(
            f"{origin} does not say what is to be known of {_cut(authority)}.", "Fill in the column says."
        )
    cited = [key for each in citations_in_query(authority, patterns, lambda _: ()) for key in each.keys]
    if not cited:
        advice = "Give it with reporter, volume and page, or as a rule or statute: State v. Name, 123 N.J. 456."
        raise SettingsError(f"{origin}: “{_cut(authority)}” is no citation.", advice)
    try:
        since = date.fromisoformat(day) if day else None
    except ValueError as error:
        raise SettingsError(f"{origin}: “{_cut(day)}” is no date.", "Write it as 2024-05-31.") from error
    return Alert(authority, says, since, source, tuple(dict.fromkeys(cited)))


def _cut(cell: str) -> str:
    return cell if len(cell) <= _MOST_SHOWN else f"{cell[:_MOST_SHOWN]}…"


def is_directive(generation: Generation) -> Mask:
    """By row whether the passage is one of a directive that IT names as the office's."""
    dense = generation.dense
    are = np.array([each.metadata.speaks_for_office for each in dense.documents], dtype=bool)
    mask: Mask = are[dense.columns.document]
    return mask


class AlertedRows:
    """Which rows of one generation cite which alerted authorities."""

    def __init__(self, alerts: Sequence[Alert], generation: Generation) -> None:
        authorities = generation.authorities
        self.counts: dict[Alert, int] = dict.fromkeys(alerts, 0)
        """How many passages cite each."""
        self._alerts: dict[int, list[tuple[Alert, tuple[str, ...]]]] = defaultdict(list)
        """By row the alerts for what it cites, each with the spellings that this generation knows it by."""
        self._authorities = authorities
        if authorities is None:
            return
        is_own = is_directive(generation) if any(each.is_of_directive for each in alerts) else None
        for alert in alerts:
            keys = tuple(known for key in alert.keys for known in (authorities.known(key) or [key]))
            rows, _ = authorities.rows(keys)
            if alert.is_of_directive and is_own is not None:  # a directive is not warned of its own words
                rows = rows[~is_own[rows]]
            self.counts[alert] = len(rows)
            for row in rows.tolist():
                self._alerts[row].append((alert, keys))

    def warnings(self, row: int) -> tuple[str, ...]:
        """What is to be known of the authorities that a passage cites, in the order of the list."""
        return tuple(alert.warning for alert, _ in self._alerts.get(row, ()))

    def citations(self, row: int) -> list[tuple[str, tuple[Span, ...]]]:
        """These warnings, each with where in the passage's text the authority is cited."""
        if self._authorities is None:
            return []
        spans = self._authorities.spans
        return [
            (alert.warning, tuple(span for span, _ in spans(keys, row))) for alert, keys in self._alerts.get(row, ())
        ]


class AlertsByAuthority:
    """Alerts, found by the authorities that they stand for: each of many is held against few of them."""

    def __init__(self, alerts: Sequence[Alert], authorities: AuthorityPostings | None) -> None:
        self._alerts, self._authorities = alerts, authorities
        self._places: dict[str | int, set[int]] = defaultdict(set)
        for place, each in enumerate(alerts):
            # Their keys or subdivisions of them that the bank has, or else these themselves.
            known = {name for key in each.keys for name in ((authorities.known(key) if authorities else ()) or [key])}
            for key in self._names(known):
                self._places[key].add(place)

    def said_of(self, keys: Collection[str]) -> tuple[str, ...]:
        """What the office warns of the authority of these keys, in the order of its list."""
        places = sorted(set().union(*(self._places.get(key, ()) for key in self._names(keys))))
        return tuple(self._alerts[place].warning.removeprefix("cites ") for place in places)

    def _names(self, keys: Collection[str]) -> Iterator[str | int]:
        """The keys, and the numbers that the bank has for them."""
        return chain(keys, self._authorities.numbers(keys) if self._authorities else ())
