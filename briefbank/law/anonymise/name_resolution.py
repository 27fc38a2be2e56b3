"""Which words of a text may make up one name, and every place of a document where a name found once in it stands; where
it is a cited case instead, it is left.

Must not know how names were found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from briefbank.law.anonymise.analysed_text import (
    CASE_LEADS,
    DETERMINERS,
    PLACE_LEADS,
    AnalysedText,
    Knowledge,
    TextWord,
    WordClass,
)
from briefbank.law.word_lists import lexicon
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_INITIALS = re.compile(r"(?<![\w.])(?:[A-Z]\.[ ]?){1,3}[A-Z]\.(?:-[A-Z]\.)?(?!\w)")
_LED_BY = frozenset("van von der den de del della di du dos ter ten bin ibn".split())
_AHEAD = 30
_DATE_LEADS = frozenset("by since until till before after during last next early late mid of st day first".split())
_SHORT_NAME = 3
"""The longest name that is taken for a word of the language: `Do`, `Her`."""
_CASE_AHEAD = re.compile(
    r"\b(?:[Rr]el(?:y|ies|ied|ying|iance)\s+(?:up)?on|(?:State|[Cc]ourt|People|[Bb]rief|prosecution)\s+cite[sd]?)\s+\Z"
)
_CASE_BEHIND = bounded(
    r"\s+(?:is|was|are)\s+(?:\w+\s+)?(?:on\s+point|(?:in)?apposite|distinguishable|instructive|controlling|dispositive"
    r"|good\s+law|no\s+help|binding|to\s+the\s+contrary|in\s+accord)\b|,\s+at\s+\d"
)
_SINCE = re.compile(r"\b(?:After|Since|Before)\s+\Z")
_DAY = re.compile(r"(?:April|May|June|August)\s+\d")
_UNDER = ("under", "Under")
_LISTED = bounded(r",?\s+(?:and|or|nor)\s+(?:(?:in|under)\s+)?")
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


class NameResolver:
    """Decides of every word that is somebody's name."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._lexicon = knowledge.lexicon
        self._cases, self._known = knowledge.cases, knowledge.known
        self._leading = knowledge.leading
        self._grouping = Grouping()

    def resolve(self, page: AnalysedText) -> list[Span]:
        """Find the names known from the whole document, and return all spans of a text."""
        for place, word in enumerate(page.words):
            if place in page.is_name or not word.is_capital or word.span.overlaps_any(page.kept):
                continue
            if _DAY.match(page.text, word.span.start):
                continue
            may_be = page.classes[place] is not WordClass.NOTHING or word.lower in self._lexicon.last_names
            may_be = may_be or (
                len(word.text) <= _SHORT_NAME and word.text.istitle() and not word.is_shouted and not word.is_start
            )
            may_be = may_be or self._is_place_used_as_name(page, place) or self._is_month_used_as_name(page, place)
            if may_be and self._is_known(word) and self._is_meant(page, place):
                page.is_name.add(place)
        for place in sorted(page.is_name):
            if (page.words[place].lower in self._cases or self._is_listed(page, place)) and not self._is_person(
                page, place
            ):
                page.is_name.discard(place)
        for name in sorted(page.is_name):
            place = name
            while place and page.words[place].gap == " " and page.words[place - 1].text in _LED_BY:
                place -= 1
            page.is_name.update(range(place, name))
        apart: list[Span] = []
        for span in sorted([*self._spans(page), *self._initials(page)], key=lambda span: span.start - span.end):
            if not span.overlaps_any(apart):
                apart.append(span)
        return sorted(apart)

    def _is_place_used_as_name(self, page: AnalysedText, place: int) -> bool:
        """`Washington` where somebody of that name was met, and nothing says that the place is meant."""
        word = page.words[place]
        before = page.words[place - 1] if place else None
        behind = page.words[place + 1] if place + 1 < len(page.words) else None
        is_joined = any(
            each and each.is_capital and other.goes_on for each, other in ((before, word), (behind, behind)) if other
        )
        return (
            (word.lower,) in self._lexicon.places
            and not is_joined
            and (before is None or before.lower not in PLACE_LEADS)
        )

    def _is_month_used_as_name(self, page: AnalysedText, place: int) -> bool:
        """`April` where somebody of that name was met, and no date stands there."""
        word = page.words[place]
        if word.lower not in self._lexicon.first_names or (word.lower,) in self._lexicon.places:
            return False
        before = page.words[place - 1] if place else None
        behind = page.words[place + 1] if place + 1 < len(page.words) else None
        is_dated = behind is not None and (behind.text[0].isdigit() or behind.lower == "of")
        is_led = before is not None and (
            before.text[0].isdigit() or before.lower in PLACE_LEADS | DETERMINERS | _DATE_LEADS
        )
        return not is_dated and not is_led

    def _is_known(self, word: TextWord) -> bool:
        lower = word.lower
        return lower in self._known or ("-" in lower and all(part in self._known for part in lower.split("-")))

    def _is_meant(self, page: AnalysedText, place: int) -> bool:
        """Whether a word that is somebody's name means that person here."""
        word = page.words[place]
        if page.classes[place] is WordClass.STRONG:
            return True
        after = page.words[place + 1] if place + 1 < len(page.words) else None
        before = page.words[place - 1] if place else None
        if word.is_shouted and word.is_all_capitals:
            return word.lower in self._lexicon.last_names | self._lexicon.first_names
        if not word.is_start:
            return before is None or before.lower not in DETERMINERS or word.is_possessive
        if word.is_possessive or after is None or not after.gap.isspace():
            return True
        if after.is_capital and self._is_known(after):
            return True
        return (
            after.lower in self._lexicon.acts
            or after.lower.endswith("ed")
            or (after.lower.endswith("s") and after.lower not in self._lexicon.ordinary)
        )

    def _is_person(self, page: AnalysedText, place: int) -> bool:
        """Whether a word that is the name of a cited case too means a person here."""
        word = page.words[place]
        before = page.words[place - 1] if place else None
        after = page.words[place + 1] if place + 1 < len(page.words) else None
        if word.lower in self._leading and word.is_all_capitals:
            return True
        if any(each in page.is_name and page.words[max(each, place)].goes_on for each in (place - 1, place + 1)):
            return True
        if before and word.goes_on:
            if before.lower.rstrip(".") in self._lexicon.titles | self._lexicon.roles:
                return True
            if (
                word.is_possessive
                and after
                and before.text not in _UNDER
                and after.lower not in self._lexicon.case_nouns | self._lexicon.case_things
            ):
                return word.lower in self._known
            if before.text in CASE_LEADS or before.lower == "in":
                return False
            if before.lower == "of" and place > 1 and page.words[place - 2].lower in self._lexicon.case_nouns:
                return False
        ahead = page.text[max(0, word.span.start - _AHEAD) : word.span.start]
        if _CASE_AHEAD.search(ahead) or _CASE_BEHIND.match(page.text, word.span.end):
            return False
        if _SINCE.search(ahead) and page.text[word.span.end : word.span.end + 1] == ",":
            return False
        if self._is_beside_case(page, place):
            return False
        return word.lower in self._known and not self._is_spoken_of_as_case(page, place)

    def _is_spoken_of_as_case(self, page: AnalysedText, place: int) -> bool:
        """Whether what stands behind a name is done by cases, or is what cases have: `Roe controls`, `the Roe test`."""
        after = page.words[place + 1] if place + 1 < len(page.words) else None
        return after is not None and after.gap.isspace() and after.lower in self._lexicon.case_acts - self._lexicon.acts

    def _is_beside_case(self, page: AnalysedText, place: int) -> bool:
        """`Doyle and Muhammad`, where the other is a case only."""
        for joint, other in ((place - 1, place - 2), (place + 1, place + 2)):
            if 0 <= other < len(page.words) and page.words[joint].lower in ("and", "or"):
                lower = page.words[other].lower
                is_settled = other < place and other not in page.is_name
                if lower in self._cases and (is_settled or lower not in self._known):
                    return True
        return False

    @staticmethod
    def _is_listed(page: AnalysedText, place: int) -> bool:
        """Whether a citation follows in one breath: `in Riley or in State v. Andrews`."""
        behind = _LISTED.match(page.text, page.words[place].span.end)
        return behind is not None and any(span.start == behind.end() for span in page.kept)

    def _spans(self, page: AnalysedText) -> Iterator[Span]:
        """Names as stretches of text; neighbours make one."""
        span: Span | None = None
        last = -1
        for place in sorted(page.is_name):
            word = page.words[place]
            end = word.span.end
            if (page.classes[place] is WordClass.INITIAL or word.lower in self._lexicon.suffixes) and page.text[
                end : end + 1
            ] == ".":
                end += 1
            if (
                span
                and place == last + 1
                and not page.words[last].is_possessive
                and self._grouping.joins(page, last, place)
            ):
                span = Span(span.start, end)
            else:
                if span:
                    yield span
                span = Span(word.span.start, end)
            last = place
        if span:
            yield span

    def _initials(self, page: AnalysedText) -> Iterator[Span]:
        """`A.B.`, `J.M.R.`: people who are not named."""
        for match in _INITIALS.finditer(page.text):
            plain = match.group().rstrip(".").replace(" ", "").lower()
            span = Span(*match.span())
            is_record = page.text[span.end : span.end + 2].strip()[:1].isdigit()
            ahead, behind = (
                page.text[: span.start].split()[-1:],
                re.findall(r"[a-z]{2,}", page.text[span.end : span.end + 20])[:1],
            )
            is_led = bool({*ahead} & (CASE_LEADS | {"in", "In"}) or {*behind} & self._lexicon.case_acts)
            is_titled = bool(
                {each.lower().rstrip(".") for each in ahead} & (self._lexicon.titles | self._lexicon.roles)
            )
            is_told_of = is_titled or page.text[span.end : span.end + 1] in ("'", "’")
            is_case = plain.replace(".", "") in self._cases and (is_led or not is_told_of)
            if (
                not is_case
                and not is_record
                and plain not in self._lexicon.abbreviations
                and not span.overlaps_any(page.kept)
            ):
                yield span
