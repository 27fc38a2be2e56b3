"""What each word of a text may be by itself: a name, a title, or a part of a place, an institution or a term of law.

Must not know what stands around names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from briefbank.anonymise.page import CASE_THINGS, PLACE_LEADS, Knowledge, Page, WordClass, overlaps
from briefbank.anonymise.words import Word, words_of
from briefbank.records import Span

_CONTRACTED = re.compile(r"(?P<word>[a-z]+)'(?:m|re|ll|ve|d|t|s|em)\Z")
_DIVISIONS = frozenset("county city town township borough village parish state district port isle gulf".split())
_PLACE_BEGINNINGS = frozenset("lake fort ft mount mt fci usp fmc fdc mdc pier camp".split())
_ADDRESSES = frozenset("mr mrs ms miss dr".split())
_NAME_LEAST = 3
_WORN_MOST = 4
_WORN = (("c", "e"), ("b", "h"), ("li", "h"), ("rn", "m"))
"""Letters misread on worn pages: `Thc`, `Tbe`, `Frorn`."""
_INSIDE = frozenset("one two three four five six seven many no not all in at on".split())
"""What stands inside names too: `Tillie Two Bulls`, `Ms. Her Many Horses`."""
_CUT_NAMES = frozenset("pa ma wm chas geo jos thos jas al ed md sal".split())
"""What short forms are first names where a name follows: `Ma. Elena`, `Pa Houa`."""
_SPELT_JOINTS = frozenset("hyphen dash space apostrophe".split())
_THOROUGHFARES = frozenset("street road lane drive court place county bank school police".split())

_ACRONYMS = frozenset("ada dag aag".split())
"""Titles in capitals; `Ada` is somebody."""
_MONTH = re.compile(r"(?:Jan|Mar)\.?\s\d")
_QUESTION = re.compile(r"[QA]\.?\s")
_ASKED = re.compile(r"^[ \t]*Q[.:]?\s", re.MULTILINE)
_NO_NAME = re.compile(r"(?:ing|ly|tion|ment|ness|able|ous|ally|ized|ised)\Z")
_ACRONYM_MOST = 5


class Classifier:
    """Classes the words of a document's texts."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._lexicon = knowledge.lexicon
        self._titled, self._cases = knowledge.titled, knowledge.cases

    def read(self, text: str, kept: Sequence[Span]) -> Page:
        """Class each word of a text."""
        page = Page(text, words_of(text), tuple(sorted(kept)))
        page.classes = [self._class(word) for word in page.words]
        for place, word in enumerate(page.words):
            if overlaps(word.span, page.kept):
                page.classes[place] = WordClass.NOTHING
        for place, word in enumerate(page.words):
            if (
                place
                and page.classes[place] is WordClass.TITLE
                and word.lower in self._titled
                and not self._leads_on(page, place)
            ):
                page.classes[place] = WordClass.WEAK
        self._mark_small(page)
        self._mark_cut(page)
        self._raise_capitals(page)
        self._drop_institutions(page)
        self._drop_places(page)
        for place in range(1, len(page.words)):
            if page.classes[place] is WordClass.NOTHING and self._is_surname(page, place):
                page.classes[place] = WordClass.WEAK
        return page

    def _class(self, word: Word) -> WordClass:
        lists, lower = self._lexicon, word.lower
        plain = lower.rstrip(".")
        if not word.is_capital or word.is_number:
            return WordClass.NOTHING
        if plain in lists.titles and not (plain in _ACRONYMS and word.text.istitle()):
            return WordClass.TITLE
        if len(word.text) == 1:
            return WordClass.NOTHING if word.is_article else WordClass.INITIAL
        if plain in lists.terms or plain in lists.abbreviations:
            return WordClass.NOTHING
        if (contracted := _CONTRACTED.match(lower)) and self._is_ordinary(contracted["word"]):
            return WordClass.NOTHING
        parts = [part for part in re.split(r"[-‑]", lower) if part]
        if "\n" in word.text and all(map(self._is_ordinary, re.split(r"[-‑]\s*", word.text.lower()))):
            return WordClass.NOTHING
        if (
            len(parts) > 1
            and parts[0] in lists.eponyms
            and all(part in self._cases or self._is_ordinary(part) for part in parts)
        ):
            return WordClass.NOTHING
        if len(parts) > 1 and all(part in lists.terms or part in lists.titles for part in parts):
            return WordClass.NOTHING
        if all(self._is_ordinary(part) for part in parts) and not word.is_spelt:
            return WordClass.WEAK
        if (word.is_start or len(lower) <= _WORN_MOST) and any(
            lower.replace(worn, meant) in lists.terms for worn, meant in _WORN
        ):
            return WordClass.WEAK
        if word.is_all_capitals and not word.is_shouted and len(word.text) <= _ACRONYM_MOST and not word.is_spelt:
            return WordClass.WEAK
        return WordClass.STRONG

    def _mark_small(self, page: Page) -> None:
        """What nothing but a name would be although it has no capital: `officer villanueva`, `keyshawn's mom`."""
        starts = [word.is_capital for word in page.words if word.is_start]
        is_careless = sum(starts) * 2 <= len(starts)
        for place, word in enumerate(page.words):
            if _is_mark(page.text, word):
                page.classes[place] = WordClass.NOTHING
            if word.is_capital or overlaps(word.span, page.kept):
                continue
            if not self._is_small_name(page, place, is_careless=is_careless):
                continue
            page.classes[place] = WordClass.STRONG
            before = page.words[place - 1]
            if place and word.gap == " " and not before.is_capital and not overlaps(before.span, page.kept):
                is_unknown = is_careless and self._may_be_small_name(before)
                if is_unknown or before.text in self._lexicon.first_names:
                    page.classes[place - 1] = WordClass.STRONG

    def _is_small_name(self, page: Page, place: int, *, is_careless: bool) -> bool:
        """`is_careless` says that the writer uses few capitals."""
        lists, word, before = self._lexicon, page.words[place], page.words[place - 1]
        is_unknown, parts = self._may_be_small_name(word), word.lower.split("-")
        is_double = is_careless and len(parts) > 1
        if is_unknown and (word.lower in lists.given_names or word.is_possessive or is_double):
            return True
        if not place or before.is_capital or before.is_possessive or word.gap not in (" ", ". ", ": ", " = "):
            return False
        is_initial = is_careless and len(before.text) == 1 and before.text not in "vs" and word.gap == ". "
        is_titled = before.lower in lists.titles | lists.roles
        if page.classes[place - 1] is WordClass.STRONG or is_titled or is_initial:
            is_joined = len(parts) > 1 and all(map(str.isalpha, parts)) and not all(map(self._is_ordinary, parts))
            if is_unknown or is_joined:
                return True
        if not is_careless or word.gap != " ":
            return False
        if before.text in lists.given_names:
            behind = page.words[place + 1].lower if place + 1 < len(page.words) else ""
            return behind not in CASE_THINGS and word.lower in (
                (lists.last_names - lists.terms - lists.acts) | lists.eponyms
            )
        return is_unknown and self._may_be_small_name(before)

    def _mark_cut(self, page: Page) -> None:
        """`Ma. Elena`, `O-B-I, hyphen, D-A-N`: short forms before a name, and what is said between spelt words."""
        for place in range(len(page.words) - 1):
            word, behind = page.words[place], page.words[place + 1]
            if word.lower in _SPELT_JOINTS and place and page.words[place - 1].is_spelt and behind.is_spelt:
                page.classes[place] = WordClass.STRONG
            if (
                word.lower in _CUT_NAMES
                and word.text.istitle()
                and behind.gap in (" ", ". ")
                and page.classes[place + 1] is WordClass.STRONG
                and not overlaps(word.span, page.kept)
            ):
                page.classes[place] = WordClass.INITIAL

    def _may_be_small_name(self, word: Word) -> bool:
        """Whether a word without a capital is none of the language, nor a form of one."""
        lists, lower = self._lexicon, word.lower
        parts = lower.removeprefix("o'").removeprefix("d'").split("-")
        return (
            not word.is_capital
            and all(part.isalpha() and len(part) >= _NAME_LEAST and not self._is_ordinary(part) for part in parts)
            and not lists.eponyms.issuperset(parts)
            and lower not in lists.abbreviations | lists.particles
            and (lower,) not in lists.places
            and not _NO_NAME.search(lower)
        )

    def _raise_capitals(self, page: Page) -> None:
        """`SEAN TEARE` in a line of other letters: two unknown words in capitals are no acronyms."""
        for place in range(1, len(page.words)):
            pair = (place - 1, place)
            if page.words[place].goes_on and all(self._is_unknown_capitals(page, each) for each in pair):
                for each in pair:
                    page.classes[each] = WordClass.STRONG

    def _is_unknown_capitals(self, page: Page, place: int) -> bool:
        word = page.words[place]
        is_free = page.classes[place] in (WordClass.WEAK, WordClass.STRONG)
        return is_free and word.is_all_capitals and not self._is_ordinary(word.lower)

    def _is_surname(self, page: Page, place: int) -> bool:
        """Whether a word of other use stands where a name does: `Lakeshia Ford`, `Prosecutor Bill Price`."""
        word, before = page.words[place], page.words[place - 1]
        if not word.is_capital or overlaps(word.span, page.kept):
            return False
        if word.lower in _INSIDE and word.text.istitle() and word.gap == " " and self._leads_on(page, place):
            is_behind_name = page.classes[place - 1] is WordClass.STRONG or before.lower in self._lexicon.first_names
            is_behind_name = is_behind_name or (place > 1 and page.classes[place - 2] is WordClass.TITLE)
            return (
                is_behind_name and not word.is_shouted and page.classes[place + 1] in (WordClass.WEAK, WordClass.STRONG)
            )
        if before.lower in _ADDRESSES and word.gap in (" ", ". ") and word.text.istitle():
            return True
        if (
            before.lower in self._lexicon.roles
            and not before.is_capital
            and word.gap == " "
            and word.lower in self._lexicon.first_names
            and not self._leads_on(page, place)
        ):
            return True
        if word.lower in self._lexicon.first_names and self._leads_on(page, place):
            behind = page.words[place + 1].lower
            is_surname = page.classes[place + 1] is WordClass.WEAK and behind in self._lexicon.last_names
            return (
                page.classes[place + 1] is WordClass.STRONG
                or (page.classes[place - 1] is WordClass.TITLE and word.goes_on)
                or (is_surname and behind not in self._lexicon.terms and (word.lower,) not in self._lexicon.places)
            )
        if word.lower not in self._lexicon.last_names:
            return False
        if before.lower in ("named", "called", "nicknamed", "surnamed") and word.gap == " ":
            return True
        is_behind_name = (
            page.classes[place - 1] in (WordClass.TITLE, WordClass.STRONG, WordClass.INITIAL)
            or before.lower in self._lexicon.first_names
        )
        return is_behind_name and before.is_capital and word.goes_on and not before.is_possessive

    def _leads_on(self, page: Page, place: int) -> bool:
        """Whether a capitalised word goes on behind this one."""
        behind = page.words[place + 1] if place + 1 < len(page.words) else None
        return behind is not None and behind.is_capital and behind.goes_on

    def _is_ordinary(self, part: str) -> bool:
        lists = self._lexicon
        bare = part.removesuffix("'s").replace("'", "")
        return (
            part in lists.ordinary
            or bare in lists.ordinary
            or part in lists.terms
            or part in lists.roles
            or len(part) == 1
        )

    def _drop_institutions(self, page: Page) -> None:
        """`Newark Police Department` names nobody: neither do the capitalised words before it, up to a title."""
        for place, word in enumerate(page.words):
            if not (word.is_capital and word.lower in self._lexicon.institutions) or word.lower in self._titled:
                continue
            if word.lower in self._lexicon.first_names and self._is_in_name(page, place):
                continue
            first = place
            while first and page.words[first].goes_on and page.words[first - 1].is_capital:
                if "\n" in page.words[first].gap and page.words[first].lower in self._lexicon.terms:
                    break
                if self._is_title(page, first - 1):
                    break
                before = page.words[first - 1]
                if (
                    page.words[first].is_shouted
                    and before.lower not in self._lexicon.institutions | self._lexicon.terms
                ):
                    break
                first -= 1
            if first < place and self._is_full_name(page, first, place):
                continue
            if first < place or word.lower in self._lexicon.terms:
                for each in range(first, place + 1):
                    page.classes[each] = WordClass.NOTHING

    def _is_in_name(self, page: Page, place: int) -> bool:
        """`Luz Marina Betancourt`: unknown words on both sides."""
        behind = place + 1
        return (
            place > 0
            and behind < len(page.words)
            and page.words[place].goes_on
            and page.words[behind].goes_on
            and page.classes[place - 1] is page.classes[behind] is WordClass.STRONG
        )

    def _is_full_name(self, page: Page, first: int, last: int) -> bool:
        """Whether a run that ends like an institution is rather a person's name: `Alicia Church`, no place ahead."""
        lists, before = self._lexicon, page.words[first - 1].lower if first else ""
        given = [place for place in range(first, last) if page.classes[place] is not WordClass.INITIAL]
        if (
            page.words[last].lower not in lists.last_names
            or page.words[last].lower in _THOROUGHFARES
            or len(given) != 1
        ):
            return False
        is_given = page.classes[given[0]] is WordClass.STRONG or page.words[given[0]].lower in lists.first_names
        return is_given and not page.words[given[0]].is_possessive and before not in PLACE_LEADS

    def _is_title(self, page: Page, place: int) -> bool:
        """Whether a word is a title that begins something: `Nurse Blum`, not `Visiting Nurse Association`."""
        word = page.words[place]
        if page.classes[place] is not WordClass.TITLE or word.is_possessive:
            return False
        before = page.words[place - 1] if place else None
        return not (before and before.is_capital and word.goes_on and page.classes[place - 1] is not WordClass.TITLE)

    def _drop_places(self, page: Page) -> None:
        for place in range(1, len(page.words)):
            if self._is_told_place(page, place):
                page.classes[place] = WordClass.NOTHING
        longest = max(map(len, self._lexicon.places))
        lowers = [word.lower.rstrip(".") for word in page.words]
        for place in range(len(page.words)):
            for count in range(min(longest, len(lowers) - place), 0, -1):
                if tuple(lowers[place : place + count]) in self._lexicon.places and self._is_place(page, place, count):
                    for each in range(place, place + count):
                        page.classes[each] = WordClass.NOTHING
                    break

    def _is_told_place(self, page: Page, place: int) -> bool:
        """`County of Durham`, `Lake Okeechobee`, `SUFFOLK COUNTY`."""
        word, before = page.words[place], page.words[place - 1]
        if not word.is_capital or page.classes[place] not in (WordClass.WEAK, WordClass.STRONG):
            return False
        behind = page.words[place + 1] if place + 1 < len(page.words) else None
        if word.is_shouted and behind and behind.goes_on and behind.lower == "county":
            return True
        if not word.goes_on:
            return False
        if before.lower == "of" and before.goes_on and place > 1:
            return page.words[place - 2].lower in _DIVISIONS
        return (
            before.is_capital and before.lower in _PLACE_BEGINNINGS and page.classes[place - 1] is not WordClass.STRONG
        )

    def _is_place(self, page: Page, place: int, count: int) -> bool:
        """Whether the words at `place`, which name a place, are not rather a part of somebody's name."""
        if not all(
            page.words[each].is_capital and (each == place or page.words[each].goes_on)
            for each in range(place, place + count)
        ):
            return False
        if count > 1:
            return True
        word = page.words[place]
        before = page.classes[place - 1] if place and word.goes_on else WordClass.NOTHING
        if before in (WordClass.TITLE, WordClass.STRONG, WordClass.INITIAL):
            return False
        if place + 1 == len(page.words) or word.is_possessive or not page.words[place + 1].goes_on:
            return True
        behind = page.words[place + 1]
        is_surname = behind.is_capital and behind.lower in self._lexicon.last_names - self._lexicon.institutions
        return page.classes[place + 1] not in (WordClass.STRONG, WordClass.INITIAL) and not is_surname


def _is_mark(text: str, word: Word) -> bool:
    start = word.span.start
    if len(word.text) == 1 and text[word.span.end : word.span.end + 1] == "&":
        return True
    if word.text in ("Jan", "Mar"):
        return bool(_MONTH.match(text, start))
    ahead = text[max(0, start - 3) : start]
    return (
        word.text in ("Q", "A")
        and (not start or "\n" in ahead)
        and bool(_QUESTION.match(text, start))
        and _is_transcript(text)
    )


def _is_transcript(text: str) -> bool:
    return bool(_ASKED.search(text))
