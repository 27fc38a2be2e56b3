"""The leading cases of criminal law, which briefs name without saying where they are reported. Knows names only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from briefbank.anonymise.lexicon import lexicon
from briefbank.citations.normalise import name_key, party_key, short_names


@dataclass(frozen=True, slots=True)
class LeadingCases:
    """`names` are whole (`miranda v arizona`). Short ones, of one word, are `distinctive`, or are `common` as surnames,
    first names or words.
    """

    names: frozenset[str]
    distinctive: frozenset[str]
    common: frozenset[str]


@cache
def leading_cases() -> LeadingCases:
    """The cases of `cases.txt`."""
    lines = files("briefbank.anonymise").joinpath("cases.txt").read_text(encoding="utf-8").splitlines()
    names = {_key(line) for line in lines if line and not line.startswith("#")}
    lists = lexicon()
    places = {part for place in lists.places for part in place}
    shorts = {short for name in names for short in short_names(name) if " " not in short} - places - lists.terms
    common = shorts & (
        lists.common_surnames | lists.ordinary | lists.last_names | lists.first_names | lists.given_names
    )
    return LeadingCases(frozenset(names), frozenset(shorts - common), frozenset(common))


def _key(line: str) -> str:
    first, versus, second = line.partition(" v. ")
    return name_key(first, second) if versus else party_key(line)
