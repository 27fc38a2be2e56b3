"""Files inside of other files: read where they are text, else named."""

from __future__ import annotations

from briefbank.errors import ConverterMissingError, SourceError
from briefbank.ingest.beneath import HeldFile
from briefbank.platform.settings import Settings
from briefbank.values.records import Reading


def read_attached(file: HeldFile, settings: Settings) -> Reading:
    """Read a file that lies in another one; not by way of LibreOffice, which works on files alone.

    Raises:
        SourceError: it is no text, or cannot be read.
    """
    from briefbank.ingest.readers import read_file
    from briefbank.ingest.readers.lines import typed_page
    from briefbank.ingest.readers.mail import html_text
    from briefbank.ingest.readers.office import office_format

    head = file.data[:4096]
    if office_format(file, head):
        raise ConverterMissingError(
            f"{file.name} is in a format that is read from a file of its own.", "Save it as one."
        )
    if file.suffix.lower() in (".htm", ".html", ".xhtml", ".mht"):
        return Reading(pages=(typed_page(1, html_text(file.data).splitlines()),), has_pages=False)
    return read_file(file, settings)


def rows_of(reading: Reading) -> list[str]:
    """The lines of a reading as rows of text; where a line is a whole paragraph, a blank row follows it."""
    ending = [] if reading.has_pages else [""]
    return [row for page in reading.pages for line in page.lines for row in (line.text, *ending)]


def place_of(number: int, name: str) -> str:
    """How people are told of an attached file."""
    return f"attachment {number} “{' '.join(name.split())}”" if name else f"attachment {number}"


def unread_of(place: str, reading: Reading) -> list[str]:
    """What was not read of an attached file that was."""
    scans = [f"the scanned pages of {place}"] if reading.pages_to_ocr else []
    return [*scans, *(f"{each} in {place}" for each in reading.unread_parts)]


def read_or_name(number: int, file: HeldFile, settings: Settings) -> tuple[list[str], list[str]]:
    """The rows of an attached file, and what of it is not read: all of it where it is no text."""
    place = place_of(number, file.name)
    try:
        reading = read_attached(file, settings)
    except SourceError:
        return [], [place]
    return rows_of(reading), unread_of(place, reading)
