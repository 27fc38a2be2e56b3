"""What is found of people in a text. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from briefbank.records import Span


class Kind(StrEnum):
    """What a stretch of text tells of somebody."""

    PERSON = "person"
    ADDRESS = "address"
    DOCKET = "docket"
    BIRTH = "birth"
    PHONE = "phone"
    EMAIL = "email"


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A stretch of text that is to go, and why."""

    span: Span
    kind: Kind
