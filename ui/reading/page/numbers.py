"""How the bar above a page tells which page is in view, and finds the one that is asked for: by the number printed on
it, and by its sheet where that is another. Knows no widget.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from briefbank.platform.visible import visible_name
from briefbank.values.page_numbers import FoundAt, PageRun, label_of, run_of, sheets_bearing
from ui.wording import count as counted

_FOUND = {
    FoundAt.FOOT: "The page number, as printed at the foot of the page",
    FoundAt.HEAD: "The page number, as printed at the head of the page",
    FoundAt.BETWEEN: "The page bears no number; it is counted from those before and behind it",
}
_UNKNOWN = "No page number is certain here: look at the page before you cite it"
_SHEET = "The page of the file, counted from 1"


class PageTold(NamedTuple):
    """What stands in the field of the page number, what behind it, and how the number is known."""

    number: str
    of: str
    known_by: str


@dataclass(frozen=True, slots=True)
class PageNumbers:
    """The numbers of `count` pages. `runs` are those printed on them, None where they were never read. Without
    `has_own_pages` the pages were set for showing them alone.
    """

    count: int = 0
    runs: Sequence[PageRun] | None = None
    has_own_pages: bool = True

    def told(self, sheet: int) -> PageTold:
        """What to tell of a page."""
        if not self.count:
            return PageTold("", "", "")
        if self.runs and self.has_own_pages:
            run, label = run_of(self.runs, sheet), label_of(self.runs, sheet)
            is_same = label == str(sheet)
            of = f"of {self.count:,}" if is_same else f"· sheet {sheet:,} of {self.count:,}"
            return PageTold(visible_name(label), of, _FOUND[run.found] if run else _UNKNOWN)
        of = f"{self.count:,}" if self._is_page else counted(self.count, "sheet")
        return PageTold(str(sheet), f"of {of}", _SHEET)

    @property
    def sign(self) -> str:
        """What stands before the number."""
        return "p." if self.count and self._is_page else ""

    @property
    def widest(self) -> str:
        """The longest text that can stand behind the number, so that nothing moves when pages are turned."""
        told = [self.told(self.count).of]
        if self.runs and self.has_own_pages:
            told.append(f"· sheet {self.count:,} of {self.count:,}")
        return max(told, key=len)

    def spoken(self, sheet: int) -> str:
        """Return "page 8, sheet 13 of 18" for a screen reader."""
        number, of, _ = self.told(sheet)
        if of.startswith("·"):
            return f"page {number}, {of[2:]}" if number else of[2:]
        return f"page {number} {of}" if self._is_page else f"sheet {number} of {self.count:,}"

    @property
    def _is_page(self) -> bool:
        """Whether sheets are called pages: where printed numbers are known, or were never read."""
        return self.has_own_pages and self.runs != ()

    def asked(self, text: str, near: int) -> int | None:
        """Return the sheet that a text asks for: the one that bears this number, of several the nearest to `near`; else
        the one of this number in the file ("13", "sheet 13"). None where there is none.
        """
        typed = re.fullmatch(r"(sheet)?\s*([^\s].*?)\s*", text, re.IGNORECASE)
        if not typed:
            return None
        bearing = () if typed[1] or not self.has_own_pages else sheets_bearing(self.runs or (), typed[2])
        bearing = tuple(sheet for sheet in bearing if sheet <= self.count)
        if bearing:
            return min(bearing, key=lambda sheet: (abs(sheet - near), sheet))
        is_sheet = typed[2].isdecimal() and len(typed[2]) < 7 and 1 <= int(typed[2]) <= self.count
        return int(typed[2]) if is_sheet else None
