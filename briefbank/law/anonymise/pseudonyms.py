"""Gives everyone and everything that is removed a name that says nothing, the same one wherever it stands.

`[Person7]` is one word to the search, so that a query finds the passages that it found by the name. Knows names only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from briefbank.law.anonymise.values import Kind

_PART = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_NO_PART = frozenset("jr sr ii iii iv esq de la las los del di da von van der den bin ibn al el".split())

_Key = frozenset[str]


def name_parts(name: str) -> _Key:
    """The words by which a person is known: `Thomas J. Early, Jr.` is `thomas` and `early`."""
    parts = (part.lower().replace("’", "'") for part in _PART.findall(name))
    return frozenset(part for part in parts if part not in _NO_PART)


class Pseudonyms:
    """Numbers what it is shown in the order of first sight, kind by kind."""

    def __init__(self) -> None:
        self._numbers: dict[Kind, dict[object, int]] = {kind: {} for kind in Kind}

    def of(self, kind: Kind, key: object) -> str:
        """The pseudonym of something; `key` is what makes two of them the same."""
        numbers = self._numbers[kind]
        return f"[{kind.value.capitalize()}{numbers.setdefault(key, len(numbers) + 1)}]"


def key_of(kind: Kind, text: str, full_names: Counter[_Key]) -> object:
    """What makes two removed stretches the same: of a person the fullest of the `full_names` that it is a part of.

    A part of several people's names is taken for the one named most often.
    """
    if kind is not Kind.PERSON:
        return re.sub(r"\W+", "", text.casefold())
    parts = name_parts(text)
    wider = [name for name in full_names if parts and parts <= name]
    return max(wider, key=lambda name: (full_names[name], len(name), sorted(name)), default=parts or text.casefold())


def full_names_in(names: Iterable[str]) -> Counter[_Key]:
    """Names of two words and more with how often each stands; the fuller form of a name takes the others' counts."""
    counts = Counter(parts for name in names if len(parts := name_parts(name)) > 1)
    for name in sorted(counts, key=lambda each: (len(each), sorted(each))):
        wider = max(
            (each for each in counts if name < each), key=lambda each: (counts[each], sorted(each)), default=None
        )
        if wider is not None:
            counts[wider] += counts.pop(name)
    return counts
