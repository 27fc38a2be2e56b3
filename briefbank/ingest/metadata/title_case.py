"""Writes a line in capitals in ordinary case: `STATE V. MCDONALD` as `State v. McDonald`. Knows single lines only."""

from __future__ import annotations

import re

_SMALL_WORDS = frozenset("a an and as at by for from in of on or the to v vs with".split())
_ALWAYS_CAPITALS = frozenset("llc llp pllc nj ny nyc usa us dwi dui dna fbi dea aclu dcpp dyfs ii iii".split())
_NUMBERED = frozenset("appendix article chapter count part point section title volume".split())
"""Nouns that a Roman numeral follows, so that a `V` behind them is a five and no "versus"."""
_MAC_NAMES = frozenset(
    "macalister macallister macarthur macaulay macdonald macdonnell macdougall macdougal macdowell macduff macfarland"
    " macfarlane macgregor macguire macinnes macinnis macintosh macintyre macisaac maclachlan maclaine maclaren maclean"
    " macleod macmahon macmanus macmillan macmurray macnair macnamara macnaughton macneal macneil macneill macphail"
    " macpherson macqueen macrae mactavish macvicar".split()
)
"""Names with a second capital; others that begin so have none (Mack, Macias, Macedo), nor have words (machine)."""
_NUMERAL = re.compile(r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})")
_INITIALS = re.compile(r"(?:[a-z]\.){2,}")
_ORDINAL = re.compile(r"\d{1,6}(?:st|nd|rd|th|s)\b")
_LETTERS = re.compile(r"[^\W\d_]+")
_CONTRACTED = frozenset("s t d m ll re ve".split())
_EDGES = "()[]“”\"'’,;:.!?"


def title_case(text: str) -> str:
    """Write a line that is all in capitals as a title; leave others, and numbers with letters, as they are."""
    if text.upper() != text:
        return text
    words = text.split()
    return " ".join(_cased(word, number, words) for number, word in enumerate(words))


def _cased(word: str, number: int, words: list[str]) -> str:
    lower = word.lower()
    bare = lower.strip(_EDGES)
    is_inside = 0 < number < len(words) - 1
    before = words[number - 1].lower() if number else ""
    if number and bare in _SMALL_WORDS and (not bare.startswith("v") or (is_inside and before not in _NUMBERED)):
        return lower
    if bare in _ALWAYS_CAPITALS or _NUMERAL.fullmatch(bare) or _INITIALS.fullmatch(lower.strip("()[]“”\"'’,;:")):
        return word
    if any(map(str.isdigit, word)) and not _ORDINAL.search(lower):
        return word
    return _LETTERS.sub(_capitalised, lower)


def _capitalised(match: re.Match[str]) -> str:
    """A run of letters with its capitals; what stands before it in its word says whether it has any."""
    letters, before = match[0], match.string[: match.start()]
    if before.endswith(("'", "’")) and (letters in _CONTRACTED or len(letters) == 1) and len(before) > 1:
        return letters
    if before and before[-1].isalnum():
        return letters
    if letters in _MAC_NAMES:
        return f"Mac{letters[3:].capitalize()}"
    if letters.startswith("mc") and len(letters) > 3:
        return f"Mc{letters[2:].capitalize()}"
    return letters.capitalize()
