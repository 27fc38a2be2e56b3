"""Numbers as people write them: `3`, `three`, `third`, `$2,500`, `1.2 million`, `twenty-five`. Knows no sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from briefbank.records import Span

_ONES = dict(zip("one two three four five six seven eight nine".split(), range(1, 10), strict=True))
_TEENS = dict(
    zip(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        range(10, 20),
        strict=True,
    )
)
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_ORDINALS = {
    **dict(zip("first second third fourth fifth sixth seventh eighth ninth".split(), range(1, 10), strict=True)),
    **{word + "th": value for word, value in _TEENS.items() if word != "twelve"},
    "twelfth": 12,
    **{word[:-1] + "ieth": value for word, value in _TENS.items()},
    "hundredth": 100,
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_VALUES = {**_ONES, **_TEENS, **_TENS, **_ORDINALS}
_TIMES = {"twice": 2, "thrice": 3}

_LOW = "|".join([*_ONES, *_TEENS])
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s]+(?:{'|'.join(_ONES)}))?|{_LOW})"
_UP_TO_999 = rf"(?:(?:{_SMALL}|a)[-\s]+hundred(?:[-\s]+(?:and\s+)?{_SMALL})?|{_SMALL})"
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
