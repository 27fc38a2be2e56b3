"""What somebody wants to keep in a matter: values that results and pages hand over. Knows no widget."""

from __future__ import annotations

from dataclasses import dataclass

from briefbank.values.cautions import cautions_of_hit
from briefbank.values.records import Document, Hit, Passage


@dataclass(frozen=True, slots=True)
class Collected:
    """A passage; or `words` selected on pages of its document, the first and last of which are `pages`."""

    passage: Passage
    document: Document
    cautions: tuple[str, ...] = ()
    words: str = ""
    pages: tuple[int, int] = (0, 0)


def of_hit(hit: Hit) -> Collected:
    """Return the passage of a result."""
    return Collected(hit.passage, hit.document, cautions_of_hit(hit))
