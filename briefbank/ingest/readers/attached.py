"""Files inside of other files: read where they are text, else named."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from briefbank.errors import ConverterMissingError, SourceError, TooLargeError
from briefbank.ingest.beneath import Allowance, HeldFile, Readable
from briefbank.platform.settings import Settings
from briefbank.platform.visible import visible_name
from briefbank.values.records import AttachedPages, Page, Reading

MOST_DEEP = 50
"""How deep files may lie in one another; a mail that was forwarded ten times has about thirty parts."""
_LONGEST_NAME = 120

Way = tuple[tuple[int, str], ...]
"""The way to a file in a file: its number and name in each, the outermost first. Number 0 is the form of a PDF."""
FORM = (0, "Electronic form")


def allowance_of(container: Readable) -> Allowance:
    """What may be read of the files in a file."""
    return container.allowance if isinstance(container, HeldFile) else Allowance()


def held_in(container: Readable, allowance: Allowance, name: str, data: bytes) -> HeldFile:
    """A file that lies in another one, under a name without folders.

    Raises:
        TooLargeError: it lies too deep, or with it there are too many, or too large ones.
    """
    depth = container.depth + 1 if isinstance(container, HeldFile) else 1
    allowance.files -= 1
    allowance.size_bytes -= len(data)
    if depth > MOST_DEEP or allowance.files < 0 or allowance.size_bytes < 0:
        raise TooLargeError(f"{visible_name(name)} is one of too many files in a file.", "Save it as one of its own.")
    return HeldFile(Path(re.split(r"[\\/]", name)[-1].replace("\0", "") or "attachment"), data, depth, allowance)


def read_attached(file: HeldFile, settings: Settings) -> Reading:
    """Read a file that lies in another one; not by way of LibreOffice, which works on files alone.

    Raises:
        SourceError: it is no text, or cannot be read.
    """
    from briefbank.ingest.readers import read_file
    from briefbank.ingest.readers.html import shown_text_of
    from briefbank.ingest.readers.lines import typed_page
    from briefbank.ingest.readers.office import office_format

    head = file.data[:4096]
    if office_format(file, head):
        raise ConverterMissingError(
            f"{file.name} is in a format that is read from a file of its own.", "Save it as one."
        )
    if file.suffix.lower() in (".htm", ".html", ".xhtml", ".mht"):
        text, hidden_words = shown_text_of(file.data)
        page = replace(typed_page(1, text.splitlines()), left_out=hidden_words)
        return Reading(pages=(page,), has_pages=False)
    return read_file(file, settings)


def place_of(number: int, name: str) -> str:
    """How people are told of an attached file."""
    shown = _shown(name)
    return f"attachment {number} “{shown}”" if shown else f"attachment {number}"


def place_at(way: Way) -> str:
    """The same of one that lies at the end of a way."""
    return " in ".join(place_of(number, name) if number else name.lower() for number, name in reversed(way))


def titles_of(way: Way) -> tuple[str, ...]:
    """The headings of the file at the end of a way and of those that it lies in."""
    return tuple(f"Attachment {number}: {_shown(name)}" if number else name for number, name in way)


def named(way: Way) -> tuple[str, tuple[str, ...]]:
    """The place of the file at the end of a way, without its name, and its titles (see `AttachedPages`)."""
    place = " in ".join(f"attachment {number}" if number else name.lower() for number, name in reversed(way))
    return place, titles_of(way)


def _shown(name: str) -> str:
    name = visible_name(" ".join(name.split()))
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


@dataclass(slots=True)
class Gathered:
    """The pages of a file, those of the files in it behind them, and what was not read."""

    pages: list[Page] = field(default_factory=list)
    attached: list[AttachedPages] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def read(self, way: Way, file: HeldFile, settings: Settings) -> None:
        """Read a file in the file, or name it."""
        try:
            reading = read_attached(file, settings)
        except SourceError:
            self.unread.append(place_at(way))
            return
        self.add(way, reading)

    def add(self, way: Way, reading: Reading) -> None:
        """Add the pages of a file in the file, then those of each file in that, and what was not read of them. They are
        not shown as filed, nor is OCR done with them.
        """
        at = place_at(way)
        if reading.pages_to_ocr:
            self.unread.append(f"the scanned pages of {at}")
        if any(page.pictures for page in reading.pages):
            self.unread.append(f"pictures of text in {at}")
        self.unread += (f"{each} in {at}" for each in reading.unread_parts)
        place, titles = named(way)
        last = reading.attached[0].first - 1 if reading.attached else len(reading.pages)
        own = AttachedPages(
            place, titles, 1, last, reading.has_pages, styles=reading.styles, bookmarks=reading.bookmarks
        )
        inner = (
            replace(each, place=f"{each.place} in {place}", titles=titles + each.titles) for each in reading.attached
        )
        for each in (own, *inner):
            first = len(self.pages) + 1
            pages = reading.pages[each.first - 1 : each.last]
            self.pages += (replace(page, number=number, pictures=()) for number, page in enumerate(pages, first))
            self.attached.append(replace(each, first=first, last=len(self.pages), is_filed=False))
