"""The words by which the name of a case is told from another's, as digests of 15 bits.

A name is never written alike twice: "State v. Roe", "State of New Jersey, Plaintiff-Respondent, v. Steven J. Roe".
What tells is a party's own word: not "State", nor what the tables of abbreviations have ("Board of Education").
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import zip_longest

from briefbank.law.citations.names import STATE_NAMES
from briefbank.law.legal_numbers import folded

SLOTS = 4
"""Words that a list keeps of a name: with two words asked for, another name's has one of them by chance once in 4,000
times."""
_DOTTED = re.compile(r"(?<=\b\w)\.\s?(?=\w\b)")
_SIDES = re.compile(r"\s(?:v|vs)\b\.?")
_WORD = re.compile(r"[^\W_]+")
_STATE = re.compile(rf"\b(?:{'|'.join(sorted(STATE_NAMES, key=lambda each: (-len(each), each)))})\b")
_EMPTY = frozenset(
    "v vs the of in on re and for to ex rel et al ux matter interest int estate state people commonwealth commw com us "
    "usa united states america st jr sr ii iii iv esq llc llp lp ltd no nos parte minor plaintiff defendant appellant "
    "appellee petitioner respondent appellants appellees petitioners respondents plaintiffs defendants de la del von "
    "van le el".split()
)
"""Words that tell nothing of a case."""
_MORE_GENERIC = frozenset(
    "city town twp cty cnty dept board bd school district sheriff warden director secretary attorney general court "
    "company corp corporation inc incorporated co bank trust".split()
)
_VOWEL = re.compile(r"(?<!^)[aeiouy]")
_DOUBLED = re.compile(r"(.)\1+")
_LEAST_LETTERS = 3
"""Of a word without vowels and doubled letters; of others there are too many alike."""
_GENERIC = 1
"""The lowest bit of the digest of a word that tells little: it counts where a name has no other."""


def telling_words(name: str) -> list[int]:
    """The digests of a name's words, 1 to 65,535, the most telling of each side first; odd ones are generic."""
    plain = folded(unicodedata.normalize("NFKC", name)).lower().replace("'", "")
    own, generic = list[list[str]](), list[str]()
    for side in _SIDES.split(plain, maxsplit=1):
        undotted = _DOTTED.sub("", side) if "." in side else side
        words = [each for each in _WORD.findall(_STATE.sub(" ", undotted)) if each not in _EMPTY]
        strong = [each for each in words if each not in _generic_words()]
        own.append([*strong[-1:], *strong])  # a person's last name, an office's first word, then the rest
        generic += [_generic_words()[each] for each in words if each in _generic_words()]
        generic += _STATE.findall(side)
    in_turn = (each for words in zip_longest(*own) for each in words if each)
    return list(dict.fromkeys((*map(_digest, in_turn), *(_digest(each) | _GENERIC for each in generic))))


def may_be(asked: Sequence[int], listed: Sequence[int]) -> bool:
    """Whether two names may be of one case: by their `telling_words`, of which a list keeps `SLOTS`, they share one, or
    either has none.
    """
    shared = {each for each in asked if each in set(listed)}
    if not any(listed) or not asked or any(not each & _GENERIC for each in shared):
        return True
    has_own = [any(each and not each & _GENERIC for each in name) for name in (asked, listed)]
    return not all(has_own) and bool(shared)


@cache
def _generic_words() -> dict[str, str]:
    """Words that have a standard abbreviation, and these, each in one spelling."""
    from reporters_db import CASE_NAME_ABBREVIATIONS

    known = {each: each for each in _MORE_GENERIC}
    for short, full in CASE_NAME_ABBREVIATIONS.items():
        spelling = "".join(_WORD.findall(short.lower()))
        known |= dict.fromkeys((spelling, *(word.lower() for word in full)), spelling)
    return known


@lru_cache(maxsize=1 << 18)
def _digest(word: str) -> int:
    """An even digest, never 0, the same for what a slip makes of a word: "Fulminate", "Fulminante"."""
    letters = _VOWEL.sub("", word)
    skeleton = _DOUBLED.sub(r"\1", letters)
    told = skeleton if len(skeleton) >= _LEAST_LETTERS and not word[0].isdigit() else word
    return (zlib.crc32(told.encode()) & 0xFFFE) or 2
