"""What dates are made of: months, years of two figures, the days of a year or month.

Also a day as somebody types it, whether any day is in a range, and what is told where none is. Knows no texts.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date

MONTHS = tuple("january february march april may june july august september october november december".split())
MONTH_NUMBERS = {spelt: number for number, name in enumerate(MONTHS, start=1) for spelt in (name, name[:3])} | {
    "sept": 9
}
"""By the month's name and its short form, in lower case and without a full stop."""
_PIVOT = 50
"""Years of two figures from here on are of the last century: no office has briefs from before 1950."""
SWAP_DATES = "Swap the two dates."
"""What to do about what `why_no_day` says."""


def day_as_typed(text: str) -> date:
    """The day that a whole text names: 2021-11-30, 11/30/2021, 30 Nov 2021 or November 30, 2021.

    Raises:
        ValueError: it names none.
    """
    words = text.replace(",", " ").replace("/", " ").replace(".", " ").casefold().split()
    if len(words) != 3:
        return date.fromisoformat(text.strip())
    first, second, year = words
    if len(year) != 4:
        raise ValueError(text)
    if month := MONTH_NUMBERS.get(second):
        return date(int(year), month, int(first))
    return date(int(year), MONTH_NUMBERS.get(first) or int(first), int(second))


def full_year(year: str) -> int:
    """A year as it is written, in two figures or four: `98` is 1998."""
    value = int(year)
    return value if len(year) > len("98") else value + (1900 if value >= _PIVOT else 2000)


def period(year: int, month: int | None = None, day: int | None = None) -> tuple[date, date]:
    """The first and the last day of a year, or of its month, or the day itself.

    Raises:
        ValueError: there is no such day.
    """
    first = date(year, month or 1, day or 1)
    last_month = month or len(MONTHS)
    return first, date(year, last_month, day or monthrange(year, last_month)[1])


def why_no_day(since: date | None, until: date | None) -> str:
    """Why no day is in a range that includes both its ends, either of which may be open; empty where one is."""
    return f"No date is both since {since} and until {until}." if since and until and since > until else ""
