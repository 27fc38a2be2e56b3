"""How the law numbers things: one spelling for a rule's number and a reporter's page, subdivisions, words that count.

The analyser, citations and what holds sentences against their source build their patterns from these. Pure functions
over strings; must not know texts or names.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from briefbank.platform.regex import bounded

NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
).split()
ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
SUBDIVISION_MARKS = r"[a-z]|aa|bb|[ivx]{2,5}|\d{1,3}"
"""What stands in the brackets of a subdivision, small or capital: `(a)`, `(iv)`, `(27)`."""
SUBDIVISION_WORD = r",?\s{1,3}(?:subds?\.|subdivisions?|subsections?)\s?"
"""In front of these brackets in California and New York: `section 187, subdivision (a)`."""
LOOKS_LEGAL = r"[:(]|\d\.\d"
"""What the number of a rule or statute has, and a plain number has not: `2C:11-3`, `404(b)`, `33.1`."""

_ROMANS = (
    "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv xxvi xxvii"
).split()
_ROMAN_OF = {
    **dict(zip([*ORDINAL_WORDS, *(f"twenty-{each}" for each in ORDINAL_WORDS)], _ROMANS, strict=False)),
    **dict(zip(NUMBER_WORDS, _ROMANS, strict=False)),
    **{str(place): roman for place, roman in enumerate(_ROMANS, start=1)},
}
_PART_OF_ARTICLE = re.compile(r",?\s{0,3}(?:(?P<paragraph>¶+|par(?:agraph|a)?s?\b)|§+|sec(?:tion)?s?\b)\.?\s{0,3}")
_BASE = re.compile(r"[^(\s]+")
_PARTS = re.compile(r"[a-z0-9]+")
_WORDED = re.compile(SUBDIVISION_WORD)
_LETTERED = bounded(r"(\d+[a-z]?:\d+[a-z]?-[\d.]+|\d{3,4})([a-z])\Z")


class _Folds(dict[int, int]):
    """One plain letter, hyphen, space or apostrophe for each that prints like it; filled as letters come."""

    def __missing__(self, code: int) -> int:
        letter = unicodedata.normalize("NFD", chr(code))[0]
        self[code] = ord(letter) if letter.isascii() and letter.isalpha() else code
        return self[code]


_PRINTED = "\u2010\u2011\u2012\u2013\u2212\u00a0\u2007\u2009\u202f\u2018\u2019\u02bcłŁøØđĐ"
_FOLDS = _Folds(zip(map(ord, _PRINTED), map(ord, "-----    '''lLoOdD"), strict=True))


def folded(text: str) -> str:
    """A text, of the same length, with plain hyphens, spaces and apostrophes and without accents: as it is read for
    citations, whoever typed it and whatever printed it.
    """
    return text if text.isascii() else text.translate(_FOLDS)


class RuleNumber(NamedTuple):
    """The number of a rule or statute, and the steps down to the subdivision meant."""

    base: str
    steps: tuple[str, ...]


def rule_number(number: str, *, is_lettered: bool = True) -> RuleNumber:
    """Take apart a number in lower case and without spaces: `2c:11-3a(1)` is `2c:11-3`, `a` and `1`."""
    found = _BASE.match(number)
    base = found.group() if found else number
    steps = tuple(_PARTS.findall(number[len(base) :]))
    if is_lettered and (lettered := _LETTERED.match(base)):
        return RuleNumber(lettered[1], (lettered[2], *steps))
    return RuleNumber(base, steps)


def reporter_key(reporter: str) -> str:
    """A reporter without its punctuation: `N. J. Super.` is `njsuper`."""
    return "".join(_PARTS.findall(reporter.lower())).replace("2nd", "2d").replace("3rd", "3d")


def case_key(volume: str, reporter: str, page: str) -> str:
    """`170 N. J. 632` as `170 nj 632`."""
    return f"{volume.lstrip('0')} {reporter_key(reporter)} {page.lstrip('0')}"


def docketed_key(docket: str, party: str = "") -> str:
    """A case by its docket as `dockets.cited_dockets` has it; with a party where other courts use the number too."""
    return f"docket {docket} {party}".rstrip()


def constitution_key(number: str) -> str:
    """An article with its part, or an amendment, in one spelling: `1, section 10` is `i,§10`, `Sixth` and `6th` are
    `vi`.
    """
    plain = _PART_OF_ARTICLE.sub(lambda each: ",¶" if each["paragraph"] else ",§", folded(number).lower())
    article, *parts = plain.split(",")
    article = re.sub(r"(?<=\d)(?:st|nd|rd|th)\Z", "", "-".join(article.split()))
    return number_key(",".join([_ROMAN_OF.get(article, article), *parts]))


def number_key(number: str, own_letters: re.Pattern[str] | None = None) -> str:
    """The number of a rule or statute with its subdivisions in one spelling: `2C:11-3a(1)` is `2c:11-3(a)(1)`, but
    `1028A` no `1028(a)` where `own_letters` matches it up to there.
    """
    plain = re.sub(r"\s", "", folded(_WORDED.sub("", number.lower())).rstrip(".-:"))
    base, steps = rule_number(plain, is_lettered=not (own_letters and own_letters.match(number)))
    return base.rstrip(".") + "".join(f"({step})" for step in steps)
