"""What the check finds. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from briefbank.values.records import Span


class DoubtKind(StrEnum):
    """What sort of thing the source does not contain, in words for people."""

    CITATION = "citation"
    CASE = "case"
    RULE = "rule or statute"
    NUMBER = "number"
    DATE = "date"
    QUOTATION = "quotation"
    NAME = "name"


AUTHORITIES = frozenset({DoubtKind.CITATION, DoubtKind.CASE, DoubtKind.RULE})
"""What a brief could be taken to task for citing."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Words of a sentence that the source does not contain; they never show in a `repr`."""

    span: Span
    kind: DoubtKind
    words: str = field(repr=False)

    def __str__(self) -> str:
        return f"the {self.kind} {self.words}"
