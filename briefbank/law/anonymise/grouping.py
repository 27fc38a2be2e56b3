"""Which words of a text may make up one name: initials, particles, nicknames and suffixes included.

Must not know whether they are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from briefbank.law.anonymise.analysed_text import AnalysedText, WordClass
from briefbank.law.anonymise.lexicon import lexicon
from briefbank.platform.regex import bounded

_JOINED = re.compile(r"[ \t\u00a0]*\n?[ \t\u00a0]*|\.[ \t\n]+|\.,[ \t]+|[ \t]+\(?[\"“'(‘]|[\"”')’]\)?[ \t]+|,[ \t]+")
_QUOTED = bounded(r"[ \t]+\(?[\"“'(‘]\Z")


class Grouping:
    """Joins the words of a text that may make up one name."""

    def __init__(self) -> None:
        self._lexicon = lexicon()

    def groups(self, page: AnalysedText) -> Iterator[list[int]]:
        """Runs of words that may make up one name."""
        group: list[int] = []
        for place, word in enumerate(page.words):
            is_part = page.classes[place] in (WordClass.INITIAL, WordClass.WEAK, WordClass.STRONG)
            is_suffix = (
                bool(group)
                and word.lower.rstrip(".") in self._lexicon.suffixes
                and word.is_capital
                and not word.span.overlaps_any(page.kept)
            )
            is_particle = self._is_particle(page, place)
            joins = bool(group) and self.joins(page, group[-1], place)
            if (is_part or is_suffix or is_particle) and (joins or not group):
                group.append(place)
                continue
            if group:
                yield group
            group = [place] if is_part or is_particle else []
        if group:
            yield group

    def _is_particle(self, page: AnalysedText, place: int) -> bool:
        """Whether a word is a `de la` inside or before a name."""
        word = page.words[place]
        if (
            word.lower.rstrip(".") not in self._lexicon.particles
            or place + 1 >= len(page.words)
            or word.span.overlaps_any(page.kept)
        ):
            return False
        after = page.words[place + 1]
        if not re.fullmatch(r"\.?[ \t\n]+", after.gap):
            return False
        return page.classes[place + 1] in (WordClass.WEAK, WordClass.STRONG) or self._is_particle(page, place + 1)

    def joins(self, page: AnalysedText, last: int, place: int) -> bool:
        word, before = page.words[place], page.words[last]
        if place != last + 1 or before.is_possessive or not _JOINED.fullmatch(word.gap):
            return False
        gap = word.gap
        if "\n" in gap and word.is_all_capitals != before.is_all_capitals and not before.text.endswith("-"):
            return len(before.text) == 1 or len(word.text) == 1
        if gap.startswith("."):
            lower = before.lower.rstrip(".")
            return (
                page.classes[last] is WordClass.INITIAL
                or lower in self._lexicon.suffixes
                or lower in self._lexicon.particles
            )
        if gap.startswith(","):
            return self._is_reversed(page, last, place)
        if _QUOTED.search(gap):
            return self._is_nickname(page, place)
        if gap[:1] in "\"”')’":
            return place >= 2 and bool(_QUOTED.search(before.gap)) and page.classes[place] is not WordClass.INITIAL
        return not ("\n" in gap and page.classes[place] is WordClass.WEAK and word.is_start)

    def _is_reversed(self, page: AnalysedText, last: int, place: int) -> bool:
        """`Early, Thomas J.`, `Hollister, D.`, `Early, Jr.`: a comma inside a name."""
        word = page.words[place]
        if word.lower.rstrip(".") in self._lexicon.suffixes or (word.is_spelt and not page.words[last].is_capital):
            return True
        if page.words[last].is_spelt:
            return word.is_spelt or not word.is_capital
        if page.classes[last] not in (WordClass.WEAK, WordClass.STRONG):
            return False
        behind = page.text[word.span.end :]
        if page.classes[place] is WordClass.INITIAL:
            return behind.startswith(".")
        return bool(re.match(r"\s[A-Z](?:\.|\b(?!['’\w]))", behind)) and page.classes[place] in (
            WordClass.STRONG,
            WordClass.WEAK,
        )

    @staticmethod
    def _is_nickname(page: AnalysedText, place: int) -> bool:
        """`Anthony "Lefty" Spinelli`, `Fidel (Chuy) Ochoa`."""
        word = page.words[place]
        return bool(re.match(r"[\"”')’]", page.text[word.span.end :]))
