"""Words that are right though no document of a bank holds them: of the language and of the law, and names.

Read from the shipped lists only; must not know a bank. `rare_words.txt.xz` holds what the larger American English list
of SCOWL 2020.12.07 has besides that of `anonymise/`, whose licence it is under.
"""

from __future__ import annotations

import lzma
import re
import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_LAW = files("briefbank.law")
_LISTS = _LAW.joinpath("anonymise")  # by path: importing that package would take several times as long
_NAMES = ("first_names", "given_names", "last_names", "common_surnames", "eponyms")
_COMMENT = re.compile(r"^#.*$", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]+")


@cache
def ordinary_words() -> frozenset[str]:
    """The words of the language, of the law and of places, in lower case; some 65,000, which take 5 MB."""
    legal = _LAW.joinpath("legal_words.txt").read_text(encoding="utf-8")
    return _words(_packed(_LISTS, "places.txt.xz"), _table()["terms"], _table()["roles"], legal).union(
        _packed(_LISTS, "words.txt.xz").split()
    )


@cache
def name_words() -> frozenset[str]:
    """Names that many people bear, and those of leading cases, in lower case."""
    cases = _packed(_LISTS, "cases.txt.xz"), _packed(_LAW, "cases_by_state.txt.xz")
    return _words(*cases, *(_table()[name] for name in _NAMES))


@cache
def rare_words() -> frozenset[str]:
    """Rarer words of the language, and names of people, places and things, in lower case; 68,000, which take 6 MB."""
    return frozenset(_packed(_LAW, "rare_words.txt.xz").split())


def _words(*texts: str) -> frozenset[str]:
    """The words of lists, in which a line that begins with # is a comment."""
    lines = (_COMMENT.sub("", text).lower().replace("’", "'").replace("'", "") for text in texts)
    return frozenset(word for each in lines for word in _WORD.findall(each))


@cache
def _table() -> dict[str, str]:
    return tomllib.loads(_LISTS.joinpath("lexicon.toml").read_text(encoding="utf-8"))


def _packed(folder: Traversable, name: str) -> str:
    return lzma.decompress(folder.joinpath(name).read_bytes()).decode()
