"""What a document says of itself: title, kind, court, docket, filing date, author, outcome, each with its place.

Pure functions over a reading; must not know file names (a bank is indexed under any names) or sidecars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from briefbank.ingest.metadata.author_and_outcome import find_author, find_outcome
from briefbank.ingest.metadata.caption import find_court, find_docket, find_kind, find_title
from briefbank.ingest.metadata.dates import find_filed
from briefbank.ingest.metadata.front import Front
from briefbank.ingest.metadata.stamps import Stamp, without_stamps
from briefbank.platform.visible import shorten
from briefbank.values.records import DocumentKind, Fact, Metadata, Reading, Section

__all__ = ["find_metadata", "without_stamps"]


def find_metadata(reading: Reading, stamps: tuple[Stamp, ...], text: str, sections: Sequence[Section]) -> Metadata:
    """Find what a document states; what it does not state stays None, and an untitled one has an empty title. Takes the
    reading and the stamps of `without_stamps`.
    """
    front = Front.of(reading, stamps)
    kind = find_kind(front, sections)
    is_brief = kind.value == DocumentKind.BRIEF
    title = find_title(front, reading, is_brief=is_brief)
    return Metadata(
        title=replace(title, value=shorten(title.value)),
        kind=kind,
        court=_shortened(find_court(front)) if is_brief else None,
        docket=_shortened(find_docket(front)) if is_brief else None,
        filed=find_filed(front, reading),
        author=_shortened(find_author(front, reading)),
        outcome=_shortened(find_outcome(text, sections)),
    )


def _shortened(fact: Fact | None) -> Fact | None:
    return fact and replace(fact, value=shorten(fact.value))
