"""The record of a case as its files are read: transcripts, appendices, exhibits, page by page as they are printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """The folder that holds the record of a case, and which of its files a draft means by a name: {"3T": "June 5.pdf"}.
    What is not named here is found out where it can be.
    """

    folder: Path
    volumes: dict[str, str] = field(default_factory=dict)


class RecordLine(NamedTuple):
    """A printed line without the number beside it, which is 0 where none is printed."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A page as it was typed, of which a condensed sheet has four: the number printed on it ("45", "Da 12", "iv"),
    empty where it is not known; the sheet of the file; its lines without running heads.
    """

    label: str
    sheet: int
    lines: tuple[RecordLine, ...]
    is_scanned: bool = False
    """Whether OCR has read it, which may misread a word."""


@dataclass(frozen=True, slots=True)
class RecordText:
    """A file of the record: its pages in order, and what its first sheets say of it, as it stands."""

    pages: tuple[RecordPage, ...]
    title: str
