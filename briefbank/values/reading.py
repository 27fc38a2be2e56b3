"""What is found in a bank and read there, besides results: neighbours, values of filters, words, arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from briefbank.values.records import Document, Passage, ResultCounts, Span


@dataclass(frozen=True, slots=True)
class PassageInContext:
    """A passage with its document and its neighbours there; `before` and `after` are in document order. `cautions` has
    by passage id what must stay with the words of each (`briefbank.values.cautions`); a passage without any is absent.
    """

    document: Document
    before: tuple[Passage, ...]
    passage: Passage
    after: tuple[Passage, ...]
    cautions: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facets(ResultCounts):
    """The values that any search can be narrowed to, counted over all `documents`. `filed_first` and `filed_last`
    are the days of filing of the
    oldest and the newest dated document; `undated` counts the others. `newest` are the last to be filed, newest first.
    """

    documents: int = 0
    filed_first: date | None = None
    filed_last: date | None = None
    undated: int = 0
    newest: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of a brief in its own words: `heading` says what it is ("Questions presented"), `passage_id` names the
    passage that it begins in. `cautions` must stay with its words (`briefbank.values.cautions`).
    """

    heading: str
    text: str
    page_first: int
    page_last: int
    passage_id: str
    cautions: tuple[str, ...] = ()


class FoundWords(NamedTuple):
    """Words found side by side in a document: pairs of a passage's id and a span of its text, several where they run
    from one passage into the next; and the page on which the first of these passages begins.
    """

    parts: tuple[tuple[str, Span], ...]
    page: int


@dataclass(frozen=True, slots=True)
class WordsInDocument:
    """The places in a document at which words were found, in document order. `missing` are those of the words, as they
    were typed, that stand nowhere in it. `is_apart`: several words were looked for and no passage holds all of them, so
    that these are the places of each.
    """

    document_id: str
    hits: tuple[FoundWords, ...]
    missing: tuple[str, ...] = ()
    is_apart: bool = False


class ArgumentOrder(StrEnum):
    """The order in which arguments are shown: by the newest brief that makes them, by how many briefs do, by their
    words, or by how well they answer what was asked.
    """

    NEWEST = "newest"
    FREQUENT = "frequent"
    ALPHABETICAL = "a-z"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Argument:
    """A point heading of one brief: its path of headings as printed, its own last, and the first passage below it with
    its pages.
    """

    path: tuple[str, ...]
    document: Document
    passage_id: str
    page: int

    @property
    def heading(self) -> str:
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class ArgumentGroup:
    """Headings that make the same argument, newest first. `heading` is the newest one without its number, `filed` the
    day of the newest dated brief. `brief_count` counts the briefs of all headings, of which `arguments` has at most the
    first 30; `argument_count` counts the headings.
    """

    heading: str
    filed: date | None
    brief_count: int
    argument_count: int
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class ArgumentsFound:
    """The groups asked for, in the order asked for, and how many there are besides: `found` counts all of them. `total`
    counts the point headings of the whole bank.
    """

    groups: tuple[ArgumentGroup, ...]
    found: int
    total: int
