"""The page numbers that are printed on a document's pages, and how pages are cited by them.

A sheet is a page of the file, counted from 1. Its printed number is what courts cite ("p. 8"), and differs from the
sheet where a cover, a table of contents or an appendix is counted apart. Must not know any other module of the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

_ROMAN = (
    (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_ROMAN = 399
"""Above this no number is made roman: no brief has so many pages before its first."""


_ATTACHED = re.compile(r"((?:(?:attachment \d+|electronic form)(?: in |(?=,)))++), (?:p\.|sheet) ")


class FoundAt(StrEnum):
    """How a page's printed number is known: from its foot, its head, or the numbers of the pages before and behind."""

    FOOT = "foot"
    HEAD = "head"
    BETWEEN = "between"


class NumberStyle(StrEnum):
    """The figures that a printed number is written in."""

    ARABIC = "1"
    ROMAN = "i"
    CAPITAL_ROMAN = "I"


class PageRun(NamedTuple):
    """Sheets `first` to `last`, which bear numbers that rise by one from `number`. What is printed around the number is
    `prefix` ("Da ", "A-") and `suffix` (the "a" of "12a").
    """

    first: int
    last: int
    number: int
    found: FoundAt = FoundAt.FOOT
    style: NumberStyle = NumberStyle.ARABIC
    prefix: str = ""
    suffix: str = ""

    @property
    def attachment(self) -> str:
        """The place ("attachment 2") of the file in the document's file that the pages belong to; they bear the numbers
        that they have there, whatever is printed on them. Empty for the document's own.
        """
        match = _ATTACHED.fullmatch(self.prefix)
        return match[1] if match else ""

    def label(self, sheet: int) -> str:
        """What is printed on a sheet of this run."""
        return f"{self.prefix}{self.figures(sheet)}"

    def figures(self, sheet: int) -> str:
        """The same without what stands before the number."""
        return f"{_written(self.number + sheet - self.first, self.style)}{self.suffix}"

    def is_counted_with(self, other: PageRun) -> bool:
        """Whether both are numbered alike and by one count, so that a range can go from one to the other."""
        return (self.style, self.prefix, self.suffix, self.number - self.first) == (
            other.style, other.prefix, other.suffix, other.number - other.first
        )  # fmt: skip


def _written(number: int, style: NumberStyle) -> str:
    if style is NumberStyle.ARABIC or not 0 < number <= _MOST_ROMAN:
        return str(number)
    roman = ""
    for value, figures in _ROMAN:
        roman += figures * (number // value)
        number %= value
    return roman.upper() if style is NumberStyle.CAPITAL_ROMAN else roman


def attached_run(place: str, first: int, last: int, *, has_pages: bool) -> PageRun:
    """Return the run of the pages of a file that lies at a place ("attachment 2") in the document's file. Where it has
    none they are sheets, which its text is set on.
    """
    return PageRun(first, last, 1, FoundAt.BETWEEN, prefix=f"{place}, {'p.' if has_pages else 'sheet'} ")


def named_in(runs: Sequence[PageRun], sheet: int) -> str:
    """Return the number of a sheet in the file, or in the file in it that it belongs to: "3 of attachment 2"."""
    run = run_of(runs, sheet)
    return f"{run.figures(sheet)} of {run.attachment}" if run and run.attachment else str(sheet)


def run_of(runs: Sequence[PageRun], sheet: int) -> PageRun | None:
    """Return the run that a sheet belongs to; None where its printed number is not known for certain."""
    return next((run for run in runs if run.first <= sheet <= run.last), None)


def label_of(runs: Sequence[PageRun], sheet: int) -> str:
    """Return what is printed on a sheet: "8", "iv", "Da 12"; empty where that is not known for certain."""
    run = run_of(runs, sheet)
    return run.label(sheet) if run else ""


def sheets_bearing(runs: Sequence[PageRun], label: str) -> tuple[int, ...]:
    """Return the sheets that bear a number, however its letters and spaces are written; several where documents with
    page numbers of their own are bound together.
    """
    found = []
    for run in runs:
        number = _number_in(label, run)
        sheet = run.first + number - run.number if number else 0
        if run.first <= sheet <= run.last:
            found.append(sheet)
    return tuple(found)


def is_lacking(runs: Sequence[PageRun], label: str, last: int) -> bool:
    """Return whether surely none of the sheets 1 to `last` bears a number: others are numbered so, and where it would
    stand is no sheet, or one that bears another number.
    """
    places = [run.first + number - run.number for run in runs if (number := _number_in(label, run))]
    is_unsure = any(0 < sheet <= last and run_of(runs, sheet) is None for sheet in places)
    return bool(places) and not is_unsure and not sheets_bearing(runs, label)


def _number_in(label: str, run: PageRun) -> int | None:
    """The number in a label, if it is written as those of the run are."""
    text, prefix, suffix = _folded(label), _folded(run.prefix), _folded(run.suffix)
    if not text.startswith(prefix) or not text.endswith(suffix):
        return None
    figures = text[len(prefix) : len(text) - len(suffix)]
    if run.style is NumberStyle.ARABIC:
        return int(figures) if re.fullmatch("[0-9]{1,6}", figures) else None
    return next((n for n in range(1, _MOST_ROMAN + 1) if _written(n, NumberStyle.ROMAN) == figures), None)


def _folded(label: str) -> str:
    return re.sub(r"[\W_]", "", label).casefold()


def cited(runs: Sequence[PageRun] | None, first: int, last: int) -> str:
    """Return how sheets `first` to `last` are cited: "p. 8", "pp. viii–ix", "Da 12–13", with the sheet behind it where
    it is another number: "p. 8 (sheet 13)". Where the printed number is not known for certain it is "sheet 13" alone.

    `runs` is None for what was indexed before printed numbers were read: the sheet is called its page there, as it was
    then.
    """
    if runs is None:
        return f"p. {first}" if first == last else f"pp. {first}–{last}"
    sheets = f"sheet {first}" if first == last else f"sheets {first}–{last}"
    printed = _printed(runs, first, last)
    if not printed:
        return sheets
    start = run_of(runs, first)
    is_plain = (start and start.attachment) or (_is_its_sheet(runs, first) and _is_its_sheet(runs, last))
    return printed if is_plain else f"{printed} ({sheets})"


def _is_its_sheet(runs: Sequence[PageRun], sheet: int) -> bool:
    """Whether the number on a sheet is the sheet's own, and no other sheet bears it."""
    return label_of(runs, sheet) == str(sheet) and sheets_bearing(runs, str(sheet)) == (sheet,)


def _printed(runs: Sequence[PageRun], first: int, last: int) -> str:
    """The printed numbers of a range of sheets; empty where one end has none, or they do not make a range."""
    start, end = run_of(runs, first), run_of(runs, last)
    if start is None or end is None:
        return ""
    sign, signs = ("", "") if start.prefix else ("p. ", "pp. ")
    if first == last:
        return f"{sign}{start.label(first)}"
    if start.is_counted_with(end):
        return f"{signs}{start.label(first)}–{end.figures(last)}"
    return f"pp. {start.label(first)}, {end.label(last)}" if last == first + 1 else ""


def printed_range(runs: Sequence[PageRun] | None, first: int, last: int) -> str | None:
    """Return the printed numbers of a range of sheets alone ("8–9"); None where they are not known for certain."""
    return bare(_printed(runs or (), first, last)) or None


def bare(cited_pages: str) -> str:
    """Return what `cited` gave without its sign and the sheet behind it, as it stands after "at": "8–9", "sheet 13"."""
    return re.sub(r" \(sheets? [^)]*\)\Z", "", cited_pages).removeprefix("pp. ").removeprefix("p. ")


def named_pages(numbers: Iterable[int]) -> str:
    """Page numbers in words, those in a row as a range: "pages 3, 5–9"."""
    listed = sorted(numbers)
    runs: list[list[int]] = []
    for number in listed:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    ranges = ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
    return f"page{'s' if len(listed) > 1 else ''} {ranges}"
