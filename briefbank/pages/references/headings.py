"""The headings of a document in their order, each with its number and the first passage below it.

The outline of a brief is made of these, and references to points are resolved among them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.ingest.structure.numbering import Number, number_of
from briefbank.values.records import Passage

_COMPONENT = re.compile(r"[A-Za-z]+|\d+")


@dataclass(frozen=True, slots=True)
class PlacedHeading:
    """A heading: its path with itself last, and the first passage below it, which begins with it."""

    path: tuple[str, ...]
    passage: Passage
    number: Number | None

    @property
    def title(self) -> str:
        return self.path[-1]

    @property
    def level(self) -> int:
        """How deep it stands, from 1."""
        return len(self.path)

    @property
    def decimal(self) -> tuple[int, ...]:
        """The parts of a number like "2.1"; empty where it has another."""
        if self.number is None or not self.number.scheme.startswith("decimal"):
            return ()
        return tuple(map(int, re.findall(r"\d+", self.title[: self.number.length])))


def headings_of(passages: Sequence[Passage]) -> list[PlacedHeading]:
    """Return the headings in the order in which the document has them; `passages` are all of one document, in order."""
    found: list[PlacedHeading] = []
    above: tuple[str, ...] = ()
    for passage in passages:
        path = passage.section_path
        known = next((at for at, pair in enumerate(zip(above, path, strict=False)) if pair[0] != pair[1]), None)
        known = min(len(above), len(path)) if known is None else known
        found += [PlacedHeading(path[:depth], passage, number_of(path[depth - 1]))
                  for depth in range(known + 1, len(path) + 1)]  # fmt: skip
        above = path
    return found
