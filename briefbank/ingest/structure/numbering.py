"""Numbers of headings ("POINT II", "IV.", "B.", "Third Issue:") and the schemes they belong to; knows text only."""

from __future__ import annotations

import re
from typing import NamedTuple

from briefbank.law.legal_numbers import NUMBER_WORDS, ORDINAL_WORDS

_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ROMAN = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE | re.ASCII)
_LABEL_NOUN = (
    r"(?:(?:appellant['’]?s?['’]?|defendant['’]?s) )?(?:points?(?: of (?:error|appeal|law|review))?"
    r"|issues?(?: of error| presented)?|grounds?(?: of error| for review)?|errors?|assignments? of error|questions?"
    r"|propositions?(?: of law)?|arguments?|claims?|(?P<part>counts?|parts?|sections?))"
)
_WORD_NUMBER = "|".join([*sorted(NUMBER_WORDS, key=len, reverse=True)])
_LABEL = re.compile(
    rf"{_LABEL_NOUN}\s*(?:numbers?|nos?\.?|no\.|#)?\s*(?P<n>\d{{1,2}}|{_WORD_NUMBER}|[ivxl]{{1,6}}|[A-H])\b"
    r"(?:(?:,? and |, | & |-| through |\s*[-–]\s*)(?:\d{1,2}|[ivxl]{1,6}|" + _WORD_NUMBER + r")\b)*"
    r"(?:\s*\((?:restated|re-?stated)\)| restated)?\s*[.:;)–—-]*\s*",
    re.IGNORECASE | re.ASCII,
)
_ORDINAL_LABEL = re.compile(
    rf"(?:appellant['’]?s )?(?P<n>{'|'.join(ORDINAL_WORDS)}) {_LABEL_NOUN}\b(?: restated)?\s*[.:;)–—-]*\s*",
    re.IGNORECASE | re.ASCII,
)
_DECIMAL = re.compile(r"(?P<n>\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+(?=\S)")
_PLAIN = re.compile(
    r"(?!(?-i:v)\. )(?P<open>\(?)(?P<n>[ivxlc]{1,6}|[a-z]|\d{1,2})(?P<close>\.\)|[.):])(?:\s+|$)",
    re.IGNORECASE | re.ASCII,
)
_MISREAD = re.compile(rf"(?P<label>(?i:{_LABEL_NOUN})\s+)?(?P<n>[Il1|VX]{{2,5}})(?=[.:)\s]|$)", re.ASCII)
_AS_PRINTED = str.maketrans("l1|", "III")
_DASHED = re.compile(r"(?P<n>[IVX]{1,5}|[A-H])\s*[-–—]\s+(?=\S)")


class Number(NamedTuple):
    """A heading's number: its scheme, its value, the length of its text, and, for letters, the other reading."""

    scheme: str
    value: int
    length: int
    other: tuple[str, int] | None = None


def with_roman_mended(text: str) -> str:
    """The line with the roman number at its head as it was printed, where OCR took an I for an l, a 1 or a bar.

    Only behind a label ("POINT Il") or before capitals ("Ill. THE STOP"): "Ill. App." begins a citation.
    """
    match = _MISREAD.match(text)
    if match is None or not (match["label"] or text[match.end() :].isupper()):
        return text
    roman = match["n"].translate(_AS_PRINTED)
    is_misread = roman != match["n"] and not match["n"].isdecimal() and _ROMAN.fullmatch(roman)
    return f"{match['label'] or ''}{roman}{text[match.end('n') :]}" if is_misread else text


def number_of(text: str) -> Number | None:
    """The number that a line begins with; None if it begins with none."""
    text = with_roman_mended(text)
    for pattern in (_LABEL, _ORDINAL_LABEL):
        match = pattern.match(text)
        if match:
            return Number("part" if match["part"] else "label", _value(match["n"].lower()), match.end())
    match = _DECIMAL.match(text)
    if match:
        parts = match["n"].split(".")
        return Number(f"decimal{len(parts)}", int(parts[-1]), match.end())
    match = _PLAIN.match(text)
    if match:
        return _plain(match["n"], match["open"] or ("" if match["close"] != ")" else ")"), match.end())
    match = _DASHED.match(text)
    return _plain(match["n"], "-", match.end()) if match else None


def _plain(printed: str, mark: str, length: int) -> Number | None:
    if printed.isdecimal():
        return Number(f"1{mark}", int(printed), length)
    case = "A" if printed.isupper() else "a"
    roman = ("I" if case == "A" else "i") + mark
    letter = (f"{case}{mark}", ord(printed.lower()) - 96) if len(printed) == 1 else None
    if _ROMAN.fullmatch(printed):
        return Number(roman, roman_value(printed), length, letter)
    return Number(letter[0], letter[1], length) if letter else None


def _value(printed: str) -> int:
    if printed.isdecimal():
        return int(printed)
    for names in (NUMBER_WORDS, ORDINAL_WORDS):
        if printed in names:
            return names.index(printed) + 1
    return roman_value(printed) if _ROMAN.fullmatch(printed) else ord(printed[0]) - 96


def roman_value(printed: str) -> int:
    """The value of a roman number; 0 if there is a character that is no roman digit."""
    values = [_ROMAN_DIGITS.get(c, 0) for c in printed.lower()]
    if 0 in values:
        return 0
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))
