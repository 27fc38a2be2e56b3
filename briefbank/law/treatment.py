"""What a text says of how a decision fares in later ones: overruled, abrogated, limited, not followed, and the like.

Reads explicit words alone; that a sentence says nothing is no sign that its authorities are good law.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from briefbank.platform.regex import bounded
from briefbank.values.records import Span


class Severity(StrEnum):
    """How much a treatment takes from a decision, the most first; the four of the Free Law Project's citator."""

    STOP = "stop"
    WARNING = "warning"
    CAUTION = "caution"
    NEUTRAL = "neutral"


class Treatment(NamedTuple):
    """Words that say how a decision is treated: where they stand, what they say, how much that takes from it."""

    span: Span
    kind: str
    severity: Severity


class TreatmentPattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of `treatment.toml`, which says what each key means."""

    kind: str
    severity: Severity
    regex: str
    examples: list[str]


class TreatmentPatterns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `treatment.toml`."""

    out: list[str]
    counters: list[str]
    treatment: list[TreatmentPattern]


def treatments(sentence: str) -> tuple[Treatment, ...]:
    """Return what a sentence says of how decisions are treated, in order; of words found twice the most severe."""
    heard = sentence
    for daily in _left_out():
        heard = daily.sub(lambda match: " " * len(match[0]), heard)
    found: list[Treatment] = []
    for each in _found(heard):
        if not each.span.overlaps_any(other.span for other in found):
            found.append(each)
    return tuple(sorted(found))


def is_negative(sentence: str) -> bool:
    """Tell whether a sentence says that a decision is good law no longer, or is not to be followed."""
    return any(each.severity in (Severity.STOP, Severity.WARNING) for each in treatments(sentence))


@cache
def treatment_patterns() -> TreatmentPatterns:
    """Return the patterns that this program comes with."""
    text = files("briefbank.law").joinpath("treatment.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=TreatmentPatterns)


def _found(heard: str) -> Iterator[Treatment]:
    for severity in Severity:
        for pattern, regex in _regexes():
            if pattern.severity is severity:
                for match in regex.finditer(heard):
                    yield Treatment(Span(*match.span()), pattern.kind, severity)


@cache
def _regexes() -> tuple[tuple[TreatmentPattern, re.Pattern[str]], ...]:
    return tuple((each, bounded(each.regex, re.IGNORECASE)) for each in treatment_patterns().treatment)


@cache
def _left_out() -> tuple[re.Pattern[str], ...]:
    return tuple(bounded(each, re.IGNORECASE) for each in treatment_patterns().out)
