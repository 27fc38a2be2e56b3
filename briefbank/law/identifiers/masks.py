"""How identifiers are written where words that hold them are kept: the last digits, a year of birth, initials.

What is left tells a person which one is meant, and nobody what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from briefbank.law.identifiers.finder import IdentifierKind, identifiers_in

_HIDDEN = "…"
_LAST_FOUR = (IdentifierKind.SOCIAL_SECURITY, IdentifierKind.TAX, IdentifierKind.CARD, IdentifierKind.ACCOUNT)
"""Kinds of which a rule allows the last four digits; of a plate these would be most of it."""
_BIRTH_YEAR = re.compile(r"(?P<four>(?:19|20)\d\d)|[-/.]\d{1,2}[-/.](?P<two>\d\d)\Z")


def masked(kind: IdentifierKind, words: str) -> str:
    """Return what of an identifier may be kept: "…7713", "…1991" of a birth, "T. M." of a child."""
    if kind in (IdentifierKind.MINOR, IdentifierKind.HOME):
        return " ".join(f"{each[0]}." for each in re.findall(r"[^\W\d_]+(?:['’-]\w+)*", words)) or _HIDDEN
    if kind is IdentifierKind.BIRTH:
        year = _BIRTH_YEAR.search(words)
        return _HIDDEN + (year["four"] or year["two"] if year else "")
    is_number = any(map(str.isdigit, words))  # not spoken
    letters = re.sub(r"\W", "", words) if is_number else ""
    return _HIDDEN + letters[-4 if kind in _LAST_FOUR else -2 :]


def hiding(known: Mapping[str, str]) -> Callable[[str], str]:
    """Return what masks the identifiers of a text: those that are known, by how they are to be written, whatever the
    spaces between their words, and those that the text itself tells.
    """
    longest_first = sorted(known, key=len, reverse=True)
    spelt = "|".join(r"\s+".join(map(re.escape, each.split())) for each in longest_first)
    pattern = re.compile(rf"(?<!\w)(?:{spelt})(?!\w)") if spelt else None

    @cache
    def hide(text: str) -> str:
        if pattern:
            text = pattern.sub(lambda match: known[" ".join(match[0].split())], text)
        for each in reversed(identifiers_in(text)):
            start, end = each.span
            text = text[:start] + masked(each.kind, text[start:end]) + text[end:]
        return text

    return hide
