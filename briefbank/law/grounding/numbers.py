"""Numbers: each one in a sentence stands in the source, and counts there what it counts here. Knows no citations.

Numbers are read as people write them: `3`, `three`, `third`, `$2,500`, `1.2 million`, `twenty-five`. A small count
that the source does not spell out (`two officers` for two who are named) is the writer's right, unless the source
counts the same things otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from briefbank.law.grounding.plain import Doubt, DoubtKind, folded
from briefbank.law.legal_numbers import NUMBER_WORDS, ORDINAL_WORDS
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_ONES = {word: value for value, word in enumerate(NUMBER_WORDS[:9], start=1)}
_TEENS = {word: value for value, word in enumerate(NUMBER_WORDS[9:19], start=10)}
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_ORDINALS = {
    **{word: value for value, word in enumerate(ORDINAL_WORDS, start=1)},
    **{word[:-1] + "ieth": value for word, value in _TENS.items()},
    "hundredth": 100,
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_VALUES = {**_ONES, **_TEENS, **_TENS, **_ORDINALS}
_TIMES = {"twice": 2, "thrice": 3}

_LOW = "|".join([*_ONES, *_TEENS])
_SPELT_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s]+(?:{'|'.join(_ONES)}))?|{_LOW})"
_UP_TO_999 = rf"(?:(?:{_SPELT_SMALL}|a)[-\s]+hundred(?:[-\s]+(?:and\s+)?{_SPELT_SMALL})?|{_SPELT_SMALL})"
_CARDINAL = (
    rf"(?:(?:{_UP_TO_999}|a)[-\s]+(?:thousand|million|billion|dozen)(?:,?[-\s]+(?:and\s+)?{_UP_TO_999})?|{_UP_TO_999}"
    r"|dozen)"
)
_ORDINAL = rf"(?:(?:{'|'.join(_TENS)})[-\s])?(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})"
_HALF = r"(?P<half>[-\s]+and[-\s]+(?:a|one)[-\s]half\b)?"
_IN_WORDS = re.compile(
    rf"(?<![\w.])(?:(?P<ordinal>{_ORDINAL})|(?P<cardinal>{_CARDINAL})|(?P<times>{'|'.join(_TIMES)}))\b{_HALF}",
    re.IGNORECASE,
)
_IN_DIGITS = re.compile(
    r"(?<![\w.:(/])(?P<money>\$\s?)?(?P<digits>\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?P<decimals>\.\d+)?"
    r"(?P<half>\s?½|\s1/2|[-\s]and[-\s](?:a|one)[-\s]half\b)?(?P<tail>(?:st|nd|rd|th|s)\b)?"
    r"(?:[-\s](?P<scale>hundred|thousand|million|billion|dozen)\b)?(?![\w:]|\.\d)"
)

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


@dataclass(frozen=True, slots=True)
class Amount:
    """A number where it stands."""

    span: Span
    value: float
    is_ordinal: bool = False
    is_in_words: bool = False


def amounts(text: str) -> list[Amount]:
    """The numbers in a plain text, in order; neither those within names (`44A`) nor section numbers (`1:36-3`)."""
    return sorted([*_in_digits(text), *_in_words(text)], key=lambda each: each.span)


def value_of(word: str) -> int | None:
    """The value of a single number word, digit string or Roman numeral; None where it is none."""
    if word.isdigit():
        return int(word)
    return _VALUES.get(word.lower()) or _roman(word)


def _in_digits(text: str) -> Iterator[Amount]:
    for match in _IN_DIGITS.finditer(text):
        value = float(match["digits"].replace(",", "") + (match["decimals"] or ""))
        if match["half"]:
            value += 0.5
        if match["scale"]:
            value *= _SCALES[match["scale"].lower()]
        is_ordinal = (match["tail"] or "s") != "s"
        yield Amount(Span(*match.span()), value, is_ordinal=is_ordinal)


def _in_words(text: str) -> Iterator[Amount]:
    for match in _IN_WORDS.finditer(text):
        if match["times"]:
            value = float(_TIMES[match["times"].lower()])
        else:
            value = float(_value(re.findall(r"[a-z]+", (match["ordinal"] or match["cardinal"]).lower())))
        if match["half"]:
            value += 0.5
        yield Amount(Span(*match.span()), value, is_ordinal=bool(match["ordinal"]), is_in_words=True)


def _value(parts: list[str]) -> int:
    """The value of a number in words that the expression above found."""
    total = current = 0
    for part in parts:
        if part == "hundred":
            current = max(current, 1) * 100
        elif part in _SCALES:
            total, current = total + max(current, 1) * _SCALES[part], 0
        else:
            current += _VALUES.get(part, 0)
    return total + current


def _roman(word: str) -> int | None:
    if not re.fullmatch(r"(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})", word):
        return None
    digits = [{"I": 1, "V": 5, "X": 10, "L": 50}[letter] for letter in word]
    return sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))


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
                yield Doubt(amount.span, DoubtKind.NUMBER, _described(sentence, amount))

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


def _described(sentence: str, amount: Amount) -> str:
    """The number with what it counts, for people."""
    match = _COUNTED.match(sentence, amount.span.end)
    end = match.end() if match and match["noun"].lower() not in _NOT_COUNTED else amount.span.end
    return sentence[amount.span.start : end]


def _time(match: re.Match[str]) -> tuple[int, int]:
    return int(match["hour"]) % 12, int(match["minute"])
