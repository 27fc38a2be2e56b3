"""The shipped word lists, read once: words that are right though no document of a bank holds them, and what tells names
from other capitalised words.

Must not know a bank. `rare_words.txt.xz` holds what the larger American English list of SCOWL 2020.12.07 has besides
that of `anonymise/`, whose licence it is under.
"""

from __future__ import annotations

import lzma
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_LAW = files("briefbank.law")
_LISTS = _LAW.joinpath("anonymise")
_NAMES = ("first_names", "given_names", "last_names", "common_surnames", "eponyms")
_COMMENT = re.compile(r"^#.*$", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]+")


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


def packed(name: str, folder: Traversable = _LISTS) -> str:
    """A shipped list, which `xz -dc` shows: they are finished, and a quarter of their size so."""
    return lzma.decompress(folder.joinpath(name).read_bytes()).decode()


@cache
def _table() -> dict[str, str]:
    return tomllib.loads(_LISTS.joinpath("lexicon.toml").read_text(encoding="utf-8"))


@cache
def lexicon() -> Lexicon:
    """The lists as shipped."""
    lists = {name: frozenset(words.lower().replace("’", "'").split()) for name, words in _table().items()}
    places = packed("places.txt.xz").lower().replace(".", "").splitlines()
    return Lexicon(
        ordinary=frozenset(packed("words.txt.xz").split()),
        places=frozenset(tuple(place.split()) for place in places),
        **lists,
    )


@cache
def ordinary_words() -> frozenset[str]:
    """The words of the language, of the law and of places, in lower case; some 65,000, which take 5 MB."""
    legal = _LAW.joinpath("legal_words.txt").read_text(encoding="utf-8")
    return _words(packed("places.txt.xz"), _table()["terms"], _table()["roles"], legal).union(
        packed("words.txt.xz").split()
    )


@cache
def name_words() -> frozenset[str]:
    """Names that many people bear, and those of leading cases, in lower case."""
    cases = packed("cases.txt.xz"), packed("cases_by_state.txt.xz", _LAW)
    return _words(*cases, *(_table()[name] for name in _NAMES))


@cache
def rare_words() -> frozenset[str]:
    """Rarer words of the language, and names of people, places and things, in lower case; 68,000, which take 6 MB."""
    return frozenset(packed("rare_words.txt.xz", _LAW).split())


def _words(*texts: str) -> frozenset[str]:
    """The words of lists, in which a line that begins with # is a comment."""
    lines = (_COMMENT.sub("", text).lower().replace("’", "'").replace("'", "") for text in texts)
    return frozenset(word for each in lines for word in _WORD.findall(each))
