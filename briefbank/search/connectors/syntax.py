"""What an expression of terms and connectors is made of, and the error that explains one. Knows no index."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeAlias

from briefbank.errors import UsageError
from briefbank.values.records import DocumentKind, SectionKind


class ConnectorsError(UsageError):
    """An expression that cannot be read; `position` is the offset of the character at fault."""

    code = "connectors"

    def __init__(self, problem: str, advice: str = "", text: str = "", position: int = 0) -> None:
        place, pointer = (f" (at character {position + 1})", _pointer(text, position)) if text else ("", "")
        super().__init__(problem + place, pointer + advice)
        self._told = (problem, advice, text, position)
        self.position = position

    def __reduce__(self) -> tuple[type[ConnectorsError], tuple[str, str, str, int]]:  # type: ignore[override]
        return type(self), self._told


def _pointer(text: str, position: int) -> str:
    """The text on one line with a caret below the character."""
    return f"{''.join(' ' if each.isspace() else each for each in text)}\n{' ' * position}^\n"


class Unit(StrEnum):
    """Within what two things have to stand together."""

    WORDS = "n"
    SENTENCE = "s"
    PARAGRAPH = "p"


@dataclass(frozen=True, slots=True)
class WordPattern:
    """A word: with its plural and possessive forms unless exact; `*` is any character, with `is_root` any ending."""

    pattern: str
    is_exact: bool = False
    is_root: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order side by side or, with `slop`, in any order with so many others among them. `hyphens` are the
    places of those, from 0, that a hyphen joins to the next: a text may have the two as one ("crossexamination").
    """

    words: tuple[WordPattern, ...]
    slop: int | None = None
    hyphens: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Near:
    """Both within `distance` words, or within one sentence or paragraph; `left` first where ordered."""

    left: Expression
    right: Expression
    unit: Unit
    distance: int = 0
    is_ordered: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of the parts."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Both:
    """All parts, anywhere in the passage."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ButNot:
    """`wanted` in passages without `unwanted`."""

    wanted: Expression
    unwanted: Expression


@dataclass(frozen=True, slots=True)
class Boost:
    """A part that counts `factor` times as much in the ranking."""

    part: Expression
    factor: float


class KnownField(StrEnum):
    """What is known of a document and asked for by its words; the values are the names of the fields."""

    TITLE = "title"
    COURT = "court"
    AUTHOR = "author"
    OUTCOME = "outcome"
    DOCKET = "docket"


@dataclass(frozen=True, slots=True)
class Known:
    """Documents of which this part holds all these words."""

    part: KnownField
    words: tuple[WordPattern, ...]


@dataclass(frozen=True, slots=True)
class OfSection:
    """Passages that stand in a section of this kind."""

    kind: SectionKind


@dataclass(frozen=True, slots=True)
class Filed:
    """Documents filed in this range, both ends included."""

    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class OfKind:
    """Documents of this kind."""

    kind: DocumentKind


@dataclass(frozen=True, slots=True)
class Cites:
    """Passages that cite this authority, in any form."""

    authority: str


Field: TypeAlias = Known | Filed | OfKind | OfSection | Cites
Expression: TypeAlias = WordPattern | Phrase | Near | Either | Both | ButNot | Boost | Field
FIELDS = (*KnownField, "kind", "section", "date", "cites")
"""The names of all fields, as people write them before a bracket."""


def has_places(expression: Expression) -> bool:
    """Whether it is made of words and of their nearness alone, so that it can be near to something itself."""
    match expression:
        case WordPattern() | Phrase() | Near():
            return True
        case Either(parts):
            return all(map(has_places, parts))
        case Boost(part):
            return has_places(part)
        case _:
            return False


def wanted_words(expression: Expression) -> tuple[WordPattern, ...]:
    """The words that a passage is found by, in order; not those that it must not hold."""
    match expression:
        case WordPattern():
            return (expression,)
        case Phrase(words):
            return words
        case Near(left, right):
            return wanted_words(left) + wanted_words(right)
        case Either(parts) | Both(parts):
            return tuple(word for part in parts for word in wanted_words(part))
        case ButNot(wanted):
            return wanted_words(wanted)
        case Boost(part):
            return wanted_words(part)
        case _:
            return ()


def wanted_parts(expression: Expression, weight: float = 1.0) -> list[tuple[Expression, float]]:
    """The parts that a passage is found by, as large as they have places, each with the product of its weights."""
    match expression:
        case Boost(part, factor):
            return wanted_parts(part, weight * factor)
        case Either(parts) | Both(parts):
            return [found for part in parts for found in wanted_parts(part, weight)]
        case ButNot(wanted):
            return wanted_parts(wanted, weight)
        case _:
            return [(expression, weight)]
