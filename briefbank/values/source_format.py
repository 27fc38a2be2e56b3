"""How the source of copied or exported words is written: a template with named fields, some ready ones, and the check
of an office's own. Knows the records and page numbers alone.

`{title}[, {court}][, {docket}] ({dated})` is such a template: a field in braces stands for what is known of the brief,
and a part in square brackets is left out where one of its fields is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from briefbank.errors import UsageError
from briefbank.values.page_numbers import bare
from briefbank.values.records import Document

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MONTHS_US = "Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.".split()
_PART = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")
_FIELD = re.compile(r"\{([^{}]*)\}")
_MOST_LETTERS = 300
"""Longer is no template but a text pasted by mistake."""


@dataclass(frozen=True, slots=True)
class Source:
    """What is known of where words come from; empty or None where it is not. `pages` is as people cite them."""

    title: str
    court: str = ""
    docket: str = ""
    filed: date | None = None
    pages: str = ""
    kind: str = ""
    author: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """What each field of a template stands for."""
        day = self.filed
        number = self.docket if self.docket.casefold().startswith(("no.", "nos.")) else f"No. {self.docket}"
        return {
            "title": self.title,
            "court": self.court,
            "docket": number if self.docket else "",
            "dated": f"filed {_day(day)}" if day else "undated",
            "filed": _day(day) if day else "",
            "dated_us": f"{_MONTHS_US[day.month - 1]} {day.day}, {day.year}" if day else "undated",
            "year": str(day.year) if day else "",
            "pages": self.pages,
            "at": bare(self.pages),
            "kind": self.kind,
            "author": self.author,
        }


FIELDS = {
    "title": "the case or title",
    "court": "the court",
    "docket": "the docket number, with “No.”",
    "dated": "“filed 12 Mar 2024”, or “undated”",
    "filed": "12 Mar 2024",
    "dated_us": "Mar. 12, 2024, or undated",
    "year": "2024",
    "pages": "p. 17, pp. 8–9 (sheets 13–14), sheet 13",
    "at": "17, 8–9, sheet 13",
    "kind": "brief, internal document, directive",
    "author": "who wrote it",
}
"""The fields that a template can name, each with what it stands for."""


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """A template that was checked."""

    template: str

    @classmethod
    def of(cls, template: str) -> SourceFormat:
        """Check a template, or take the ready one of that name.

        Raises:
            UsageError: it names an unknown field, lacks {title}, or its brackets do not match.
        """
        template = PRESETS.get(template, template).strip()
        _require_sound(template)
        return cls(template)

    def line(self, source: Source) -> str:
        """Return the source in one line."""
        fields = source.fields
        written = "".join(_FIELD.sub(lambda found: fields[found[1]], part) for part in _parts(self.template, fields))
        return " ".join(written.split())


PRESETS = {
    "full": "{title}[, {court}][, {docket}] ({dated})[, {pages}]",
    "short": "{title}[, {docket}][, {pages}]",
    "bluebook": "{title}[, {docket}][, at {at}] ([{court}, ]{dated_us})",
}
"""Ready templates by name; the first is used where nobody chose one."""

STANDARD = SourceFormat(PRESETS["full"])


def source_of(document: Document, page_first: int, page_last: int) -> Source:
    """Return what is known of where words on these pages of a document come from."""
    known = document.metadata
    return Source(
        known.title.value,
        known.court.value if known.court else "",
        known.docket.value if known.docket else "",
        document.filed,
        document.cited_pages(page_first, page_last),
        known.kind.value,
        known.author.value if known.author else "",
    )


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _parts(template: str, fields: dict[str, str]) -> Iterator[str]:
    for optional, always in _PART.findall(template):
        if always or all(fields[name] for name in _FIELD.findall(optional)):
            yield always or optional


def _require_sound(template: str) -> None:
    example = f"For example: {PRESETS['full']}"
    if len(template) > _MOST_LETTERS or not template.isprintable():
        raise UsageError(f"A source format is one line of up to {_MOST_LETTERS} letters.", example)
    if "".join(match[0] for match in _PART.finditer(template)) != template:
        raise UsageError("The square brackets of the source format do not match, or stand in one another.", example)
    if any(mark in _FIELD.sub("", template) for mark in "{}"):
        raise UsageError("The braces of the source format do not match.", example)
    unknown = [name for name in _FIELD.findall(template) if name not in FIELDS]
    if unknown:
        advice = f"The fields are {', '.join(FIELDS)}."
        raise UsageError(f"The source format names a field that is not there: {{{unknown[0]}}}.", advice)
    if "{title}" not in re.sub(r"\[[^\]]*\]", "", template):
        raise UsageError("The source format does not name {title} outside of square brackets.", example)
