"""What a text says of how a decision fares in later ones: overruled, abrogated, limited, not followed, and the like.

Reads explicit words alone; that a sentence says nothing is no sign that its authorities are good law. Whole sentences
are read by `treatment.toml`; the verbs here are those of subsequent history, beside a citation or in a list of cases
("overruled by", "limiting"), each with how much it takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
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


_HOLDINGS = {
    Severity.STOP: (
        *("overruled", "overturned", "abrogated", "superseded", "disapproved", "disavowed", "repudiated"),
        *("receded from", "withdrawn", "repealed", "no longer good law", "not good law"),
    ),
    Severity.WARNING: ("declined to follow", "refused to follow"),
    Severity.CAUTION: ("limited", "narrowed", "questioned", "criticized", "drawn criticism", "amended"),
    Severity.NEUTRAL: ("distinguished", "followed"),
}
_JUDGMENTS = {
    Severity.STOP: ("reversed", "rev'd", "vacated", "quashed"),
    Severity.CAUTION: ("modified",),
    Severity.NEUTRAL: ("affirmed", "aff'd"),
}


def _by_verb(verbs: Mapping[Severity, Iterable[str]]) -> dict[str, Severity]:
    return {verb: severity for severity, each in verbs.items() for verb in each}


OF_HOLDINGS: Mapping[str, Severity] = _by_verb(_HOLDINGS)
"""What courts do to what another decision held, by the past participle."""
OF_JUDGMENTS: Mapping[str, Severity] = _by_verb(_JUDGMENTS)
"""What a court does to a judgment under review: that of the decision, or in the decision that of a court below."""
VERBS: Mapping[str, Severity] = {**OF_HOLDINGS, **OF_JUDGMENTS}


def any_of(words: Iterable[str]) -> str:
    """A pattern that finds each of some words as written, with either apostrophe and over the end of a line."""
    return "|".join(re.escape(each).replace(r"\ ", r"\s+").replace("'", "['’]") for each in words)


def any_form_of(participles: Iterable[str]) -> str:
    """A pattern that finds each of some participles in its other forms too: "limited", "limits", "limiting"."""
    return "|".join(map(_forms, participles))


def stem_of(participle: str) -> str:
    """How every form of the first word of a participle begins."""
    verb = participle.split(maxsplit=1)[0]
    return verb.removesuffix("ed").removesuffix("i") if verb.endswith("ed") else verb


def _forms(participle: str) -> str:
    verb, *rest = participle.split()
    if not verb.endswith("ed"):
        return any_of([participle])
    return r"\s+".join((stem_of(participle) + "(?:i?e[sd]|s|y?ing)?", *rest))
