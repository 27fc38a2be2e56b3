"""Whether the hyphen at the end of a line is part of a word ("cross-examination") or only breaks it ("jurisdic-tion").

The document's other words decide, then the words of the language. Word processors break no words by themselves, so that
most hyphens at line ends belong to compounds. Must not know where a line stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from functools import cached_property
from itertools import pairwise

from briefbank.law.word_lists import ordinary_words, rare_words

_HYPHENS = ("-", "\u00ad", "\u2010", "\u2011")
_EDGES = re.compile(r"\A\W++|(?<!\W)\W+$")
_JOINTS = re.compile(r"[-\u2010\u2011]")
_ENDING = re.compile(r"['’]s?\Z")
_NEVER_ALONE = frozenset("com con de dis im ir mis re sub un".split())
"""Beginnings that are words besides, which no hyphen follows where the word is in no list ("re-sentencing")."""
_PREFIXES = frozenset("anti co ex multi non post pre pro quasi semi".split())
"""Beginnings that are written with a hyphen or without: with it where a document breaks no words."""
_ROOT_LETTERS = 4
"""Letters of a word that may stand behind a name and a hyphen ("Strickland-type"); shorter ones end names."""


class Seam(Enum):
    """What stands between the last word of a line and the first of the next, once they are one text."""

    SPACE = auto()
    HYPHEN = auto()
    NOTHING = auto()


class LineEnds:
    """Decides of the line ends of one document."""

    def __init__(self, lines: Iterable[Sequence[str]]) -> None:
        """Take the words of each line, in order: those that no line end can have cut are the document's own words."""
        self._words: set[str] = set()
        self._broken: list[tuple[str, str]] = []
        last = ""
        for words in filter(None, lines):
            if _is_cut(last):
                self._broken.append(_halves(last, words[0]))
            last = words[-1]
            self._words.update(_EDGES.sub("", word).lower() for word in (words[1:-1] if _is_cut(last) else words[1:]))

    def seam(self, last: str, first: str) -> Seam:
        """What parts the last word of a line from the first of the next."""
        if not _is_cut(last):
            return Seam.SPACE
        head, tail = _halves(last, first)
        if not (last[-2].isalpha() and first[:1].isalpha()):
            return Seam.HYPHEN
        may_be_broken = tail[0].islower() or (head + tail).isupper()
        is_broken = last.endswith("\u00ad") or (may_be_broken and self._is_one_word(head, tail))
        return Seam.NOTHING if is_broken else Seam.HYPHEN

    def _is_one_word(self, head: str, tail: str) -> bool:
        is_capital = tail[0].isupper()
        is_name = head[0].isupper() and not is_capital
        head, tail = head.lower(), tail.lower()
        if len(head) < 2:
            return False
        if head + tail in self._words or f"{head}-{tail}" in self._words:
            return head + tail in self._words
        before, after = _JOINTS.split(head)[-1], _JOINTS.split(tail)[0]
        whole, is_compound = before + after, {before, after} <= ordinary_words()
        if is_compound and after != tail:  # "case-in-chief"
            return False
        if whole in ordinary_words() or (whole in rare_words() and (is_name or not is_compound)):
            return before not in _PREFIXES or self._breaks_words
        if is_capital or len(before) < 2:  # nobody knows how names in capitals are written
            return False
        if is_compound:
            return before in _NEVER_ALONE
        is_root = len(after) >= _ROOT_LETTERS and after in ordinary_words()
        return head == before and not (is_root and (is_name or before in _PREFIXES))

    @cached_property
    def _breaks_words(self) -> bool:
        """Whether the document breaks a word at a line end that cannot be a compound."""
        halves = ((head.lower(), tail.lower()) for head, tail in self._broken)
        return any(
            head + tail in ordinary_words() and head not in _PREFIXES and not {head, tail} <= ordinary_words()
            for head, tail in halves
        )


def _is_cut(word: str) -> bool:
    return len(word) > 1 and word.endswith(_HYPHENS)


def _halves(last: str, first: str) -> tuple[str, str]:
    return _EDGES.sub("", last[:-1]), _ENDING.sub("", _EDGES.sub("", first))


def joined_text(lines: Sequence[str]) -> str:
    """Lines as one text, each word that a line end broke whole again; the words of the language alone decide."""
    ends = LineEnds(())
    text = "".join(lines[:1])
    for above, below in pairwise(lines):
        words = above.split(), below.split()
        seam = ends.seam(words[0][-1], words[1][0]) if all(words) else Seam.SPACE
        text = text[:-1] if seam is Seam.NOTHING else text
        text += f" {below}" if seam is Seam.SPACE else below
    return text
