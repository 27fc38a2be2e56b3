"""What a person follows, and what a bank has of it that it had not when they looked last."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from briefbank.values.records import Document, Query

_MARK_BYTES = 5
"""Of a document's digest: two of 100,000 documents share them in one bank out of a hundred, and one is then not new."""


def marks_of(documents: Iterable[Document]) -> bytes:
    """Return by what the documents of a bank are known again, whatever their order."""
    return b"".join(sorted(map(_mark, documents)))


def _mark(document: Document) -> bytes:
    return hashlib.sha256(document.sha256.encode()).digest()[:_MARK_BYTES]


@dataclass(frozen=True, slots=True)
class Follow:
    """A question that is asked again of each new index, under a name: a search, an issue (`query.profile`) or an
    authority. `seen` is when its results were looked at last, `known` the documents that there were (`marks_of`).
    """

    name: str
    query: Query
    seen: date
    known: bytes

    def new_among(self, documents: Iterable[Document]) -> list[Document]:
        """Return the documents that were not there."""
        step = _MARK_BYTES
        known = {self.known[at : at + step] for at in range(0, len(self.known), step)}
        return [each for each in documents if _mark(each) not in known]


@dataclass(frozen=True, slots=True)
class News:
    """What is new of a follow: how many passages, and a query that finds them alone; or the `problem` with that."""

    follow: Follow
    passages: int
    query: Query
    problem: str = ""

    @property
    def told(self) -> str:
        """`3 new passages since 12 May 2026`."""
        if self.problem:
            return self.problem
        counted, day = f"{self.passages:,} new passage{'' if self.passages == 1 else 's'}", self.follow.seen
        return f"{counted if self.passages else 'nothing new'} since {day.day} {day:%B %Y}"
