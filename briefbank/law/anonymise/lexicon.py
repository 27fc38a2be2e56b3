"""The word lists that tell names from other capitalised words, read once. Knows files and words only."""

from __future__ import annotations

import lzma
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_DATA = files("briefbank.law.anonymise")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Sets of words in lower case; `lexicon.toml` says what each is. `ordinary` are the words of the language."""

    ordinary: frozenset[str]
    places: frozenset[tuple[str, ...]]
    titles: frozenset[str]
    roles: frozenset[str]
    acts: frozenset[str]
    case_acts: frozenset[str]
    case_nouns: frozenset[str]
    institutions: frozenset[str]
    terms: frozenset[str]
    eponyms: frozenset[str]
    first_names: frozenset[str]
    given_names: frozenset[str]
    last_names: frozenset[str]
    particles: frozenset[str]
    suffixes: frozenset[str]
    abbreviations: frozenset[str]
    party_abbreviations: frozenset[str]
    person_leads: frozenset[str]
    divisions: frozenset[str]
    place_beginnings: frozenset[str]
    thoroughfares: frozenset[str]
    acronyms: frozenset[str]
    forms_of_address: frozenset[str]
    inside_names: frozenset[str]
    cut_names: frozenset[str]
    spelt_joints: frozenset[str]
    case_things: frozenset[str]
    sure_case_things: frozenset[str]
    common_surnames: frozenset[str]
    months: frozenset[str]
    firms: frozenset[str]
    states: frozenset[str]

    def is_ordinary(self, word: str) -> bool:
        """Whether a word, in lower case, is one of the language or of the law."""
        bare = word.removesuffix("'s").replace("'", "")
        return (
            word in self.ordinary or bare in self.ordinary or word in self.terms or word in self.roles or len(word) == 1
        )


def packed(name: str) -> str:
    """A list of this package, which `xz -dc` shows: they are finished, and a quarter of their size so."""
    return lzma.decompress(_DATA.joinpath(name).read_bytes()).decode()


@cache
def lexicon() -> Lexicon:
    """The lists as shipped."""
    table = tomllib.loads(_DATA.joinpath("lexicon.toml").read_text(encoding="utf-8"))
    lists = {name: frozenset(words.lower().replace("’", "'").split()) for name, words in table.items()}
    places = packed("places.txt.xz").lower().replace(".", "").splitlines()
    return Lexicon(
        ordinary=frozenset(packed("words.txt.xz").split()),
        places=frozenset(tuple(place.split()) for place in places),
        **lists,
    )
