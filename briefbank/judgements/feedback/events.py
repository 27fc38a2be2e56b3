"""What can be told of a search and its results: one frozen value for each thing that happened.

An event is made once, where it happens, with an id that no other machine makes; writing it twice is writing it once.
Holds ids, ranks and digests of passages, never their text, and nothing that a language model wrote. Must not know how
events are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import msgspec

from briefbank.values.records import Hit, Query


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands as a row in a table of the log, and in a line of JSON; a line of a newer program that says more than
    this one knows is refused rather than cut down.
    """


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage on the screen: `position` in the list as shown, `rank` by relevance, both from 1."""

    position: int
    rank: int
    score: float
    passage_id: str
    document_id: str
    text_sha256: str


@dataclass(frozen=True, slots=True)
class Searched:
    """A search and its first results. The event's id is the id of the search."""

    query: Query
    generation: str
    took_ms: float
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class ShownMore:
    """Further results of a search; a passage that it had shown already keeps its place."""

    search_id: str
    generation: str
    shown: tuple[Shown, ...]


class Judged(Row, frozen=True):
    """Whether a passage helps with the query; None withdraws what was said before."""

    search_id: str
    passage_id: str
    is_relevant: bool | None


class Rated(Row, frozen=True):
    """How good a precedent a passage is, 1 to 5 stars; None withdraws the rating."""

    search_id: str
    passage_id: str
    stars: int | None


class Commented(Row, frozen=True):
    """What a person wrote about a search, in place of what they wrote before; empty withdraws it."""

    search_id: str
    text: str


class SummaryOpened(Row, frozen=True):
    """That a summary that `model` had generated was looked at; never what it said. Without a model an earlier program
    wrote it, which did so for a brief's own words too.
    """

    search_id: str
    passage_id: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class SearchSaved:
    """A query kept under a name, in place of one that had that name."""

    name: str
    query: Query


@dataclass(frozen=True, slots=True)
class SavedForgotten:
    """The name of a saved search that is no longer wanted."""

    name: str


Content = Searched | ShownMore | Judged | Rated | Commented | SummaryOpened | SearchSaved | SavedForgotten


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, when, under an id of its own; `at` is in UTC."""

    id: str
    at: datetime
    content: Content


def shown_as(hits: Iterable[Hit], first_position: int = 1) -> tuple[Shown, ...]:
    """Return hits as they stand on the screen, from `first_position` downwards."""
    return tuple(
        Shown(position, hit.rank, hit.score, hit.passage.id, hit.document.id, text_sha256(hit.passage.text))
        for position, hit in enumerate(hits, start=first_position)
    )


def text_sha256(text: str) -> str:
    """Return the hexadecimal SHA-256 of a passage's text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
