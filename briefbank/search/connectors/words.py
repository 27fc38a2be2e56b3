"""The forms of a word that are searched with it: plural and possessive, as legal research systems do."""

from __future__ import annotations

import re
from functools import lru_cache

_SHORTEST = 3
_IRREGULAR = {
    "child": "children", "foot": "feet", "tooth": "teeth", "mouse": "mice", "criterion": "criteria",
    "phenomenon": "phenomena", "appendix": "appendices", "index": "indices", "matrix": "matrices",
    "person": "people",
}  # fmt: skip
_PLURALS = tuple(
    (re.compile(ending + r"\Z"), plural)
    for ending, plural in (
        (r"(?<=[^aeiou])y", "ies"),
        (r"(?<=s|x|z)", "es"),
        (r"(?<=ch|sh)", "es"),
        (r"(?<=o)", "es"),
        (r"man", "men"),
        (r"(?<=\w\w)sis", "ses"),
        (r"(?<=\w\w\w)um", "a"),
        (r"(?<=[aeilr])fe?", "ves"),
        (r"", "s"),
    )
)


@lru_cache(maxsize=10_000)
def forms(word: str) -> tuple[str, ...]:
    """A word, its plurals and the possessives of all; words that are no words do no harm, no text holds them.

    Short words and numbers have no plural: that of `a` would be `as`.
    """
    plurals = []
    if len(word) >= _SHORTEST and word.isalpha():
        plurals = [ending.sub(plural, word) for ending, plural in _PLURALS if ending.search(word)]
        plurals += [_IRREGULAR[word]] if word in _IRREGULAR else []
    distinct = dict.fromkeys([word, *plurals])
    return tuple(form for each in distinct for form in (each, f"{each}'s"))
