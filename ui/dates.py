"""Dates as people type them into a filter: a year, a month or a day."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

_WRITTEN = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def ends_of(text: str) -> tuple[date | None, date | None]:
    """Return the first and the last day that a text such as "2019", "2019-03" or "2019-03-31" names; None for nothing.

    Raises:
        ValueError: it is no date.
    """
    if not text.strip():
        return None, None
    found = _WRITTEN.fullmatch(text.strip())
    if not found:
        raise ValueError(text)
    year, month, day = (int(each or 0) for each in found.groups())
    if not month:
        return date(year, 1, 1), date(year, 12, 31)
    if not day:
        return date(year, month, 1), date(year, month, monthrange(year, month)[1])
    return date(year, month, day), date(year, month, day)


def written(when: date | None, *, is_start: bool) -> str:
    """Return a date as short as `ends_of` reads it back."""
    if when is None:
        return ""
    is_whole_year = (when.month, when.day) == ((1, 1) if is_start else (12, 31))
    return f"{when.year:04}" if is_whole_year else when.isoformat()
