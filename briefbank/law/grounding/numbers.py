"""Numbers: each one in a sentence stands in the source, and counts there what it counts here. Knows no citations.

A small count that the source does not spell out (`two officers` for two who are named) is the writer's right, unless
the source counts the same things otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from briefbank.law.grounding.amounts import Amount, amounts
from briefbank.law.grounding.plain import folded
from briefbank.law.grounding.values import Doubt, DoubtKind
from briefbank.platform.regex import bounded
from briefbank.records import Span

_SMALL = 6
"""Up to here people count for themselves what a text lists."""
_FOURTH = 4
"""First, second and third also order what is told."""
_COUNTED = bounded(
    r"(?:[-\s]+(?:more|other|full|separate|consecutive|different|of the|of his|of her)\b)*[-\s]+(?P<noun>[A-Za-z]+)"
)
_AGE = re.compile(r"[-\s]years?[-\s](?:old|of\s+age)\b")
_CLOCK = re.compile(r"(?<![\d:])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?!\d|:)")
_TWELVE = re.compile(r"\b(?:noon|midnight)\b", re.IGNORECASE)
_ONE_OF = re.compile(
    r"\b(?:(?P<share>half|quarter)\s+(?:of\s+)?)?(?:an?|per|each)\s+(?P<noun>[a-z]+)(?P<half>\s+and\s+a\s+half\b)?",
    re.IGNORECASE,
)
_SHARES = {"half": 0.5, "quarter": 0.25}
_MEASURES = frozenset(
    "second minute hour day week fortnight month year decade percent dollar gram ounce pound kilogram milligram kilo"
    " mile foot feet inch yard block meter metre degree age am pm oclock cent".split()
)
_IN = {
    "month": (("year", 1 / 12),),
    "year": (("month", 12), ("decade", 1 / 10)),
    "decade": (("year", 10),),
    "hour": (("minute", 60), ("day", 1 / 24)),
    "minute": (("hour", 1 / 60), ("second", 60)),
    "second": (("minute", 1 / 60),),
    "day": (("week", 1 / 7), ("hour", 24)),
    "week": (("day", 7), ("fortnight", 1 / 2)),
}
"""The same length of time in other units."""
_NOT_COUNTED = frozenset(
    "and or to in on at of for from by with the a an as that this which who when was were is had have until before p"
    " after but into under than if per so".split()
)


class KnownNumbers:
    """The numbers of a source and what each counts; citations and dates are blanked out of `text` before."""

    def __init__(self, text: str) -> None:
        found = amounts(text)
        self._clock = {_time(match) for match in _CLOCK.finditer(text)}
        self._clock |= {(0, 0) for _ in _TWELVE.finditer(text)}
        self._values = {each.value for each in found} | {float(hour or 12) for hour, _ in self._clock}
        self._counts: dict[str, set[float]] = defaultdict(set)
        for number, amount in enumerate(found):
            self._counts[_noun(text, found, number)].add(amount.value)
        for match in _ONE_OF.finditer(text):
            share = _SHARES[match["share"].lower()] if match["share"] else 1.0
            self._counts[_singular(folded(match["noun"]))].add(share + (0.5 if match["half"] else 0.0))

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The numbers in a plain sentence, citations and dates blanked out, that the source does not contain."""
        found = amounts(sentence)
        for match in _CLOCK.finditer(sentence):
            hour, minute = _time(match)
            if (hour, minute) not in self._clock and (minute or hour not in self._values):
                yield Doubt(Span(*match.span()), DoubtKind.NUMBER, match.group())
        for number, amount in enumerate(found):
            if not self._holds(amount, _noun(sentence, found, number)):
                yield Doubt(amount.span, DoubtKind.NUMBER, _told(sentence, amount))

    def _holds(self, amount: Amount, noun: str) -> bool:
        if noun in _MEASURES:
            return self._measures(amount, noun)
        if amount.is_ordinal:
            return amount.value in self._values or (amount.is_in_words and amount.value < _FOURTH)
        if amount.value in self._values or (amount.value == 1 and amount.is_in_words):
            return True
        is_small = amount.value <= _SMALL and amount.value == int(amount.value)
        return is_small and bool(noun) and noun not in self._counts

    def _measures(self, amount: Amount, noun: str) -> bool:
        """Whether the source measures so, or does not say what it counts; one of a measure may be "a" or "the"."""
        times = ((noun, 1.0), ("", 1.0), *_IN.get(noun, ()))
        if any(amount.value * each in self._counts.get(other, ()) for other, each in times):
            return True
        return amount.value == 1 and amount.is_in_words and noun not in self._counts


def _noun(text: str, found: list[Amount], number: int) -> str:
    """What a number counts: the noun behind it; nothing where it opens a range."""
    end = found[number].span.end
    if text[found[number].span.start : end].startswith("$"):
        return "dollar"
    match = _COUNTED.match(text, end)
    if _AGE.match(text, end):
        return "age"
    if text[end : end + 2].strip().startswith("%"):
        return "percent"
    if not match or match["noun"].lower() in _NOT_COUNTED:
        return ""
    return _singular(folded(match["noun"]))


def _singular(noun: str) -> str:
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") and len(noun) > 3 else noun


def _told(sentence: str, amount: Amount) -> str:
    """The number with what it counts, for people."""
    match = _COUNTED.match(sentence, amount.span.end)
    end = match.end() if match and match["noun"].lower() not in _NOT_COUNTED else amount.span.end
    return sentence[amount.span.start : end]


def _time(match: re.Match[str]) -> tuple[int, int]:
    return int(match["hour"]) % 12, int(match["minute"])
