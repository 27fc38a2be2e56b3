"""What a search can be narrowed by: the fields of Filters, how they and their values are called. Knows no widget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from briefbank.records import DocumentKind, Filters, SectionKind
from ui.wording import KINDS, PARTS


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that a search can be narrowed by: a field of Filters, and how it and its values are called."""

    field: str
    name: str
    any: str
    label: Callable[[str], str]
    value: Callable[[str], object]


FACETS = (
    Facet("kinds", "Kind", "Any kind", lambda value: KINDS[DocumentKind(value)], DocumentKind),
    Facet("courts", "Court", "Any court", str, str),
    Facet("authors", "Author", "Any author", str, str),
    Facet("outcomes", "Outcome", "Any outcome", str, str),
    Facet("section_kinds", "Part", "Any part", lambda value: PARTS[SectionKind(value)], SectionKind),
)


def chosen(filters: Filters, facet: Facet) -> tuple[str, ...]:
    """Return the values that `filters` holds of a facet, as text."""
    return tuple(each.value if isinstance(each, StrEnum) else each for each in getattr(filters, facet.field))


def without(filters: Filters, facet: Facet, *values: str) -> Filters:
    """Return `filters` less some values of a facet."""
    left: dict[str, Any] = {
        facet.field: tuple(facet.value(each) for each in chosen(filters, facet) if each not in values)
    }
    return replace(filters, **left)
