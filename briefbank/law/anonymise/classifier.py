"""What each word of a text may be by itself: a name, a title, or a part of a place, an institution or a term of law.

Must not know what stands around names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from briefbank.law.anonymise.analysed_text import AnalysedText, Knowledge, TextWord, WordClass, words_of
from briefbank.law.anonymise.institutions import PlacesAndInstitutions
from briefbank.law.catalogue import Catalogue, found_in
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_CONTRACTED = bounded(r"(?P<word>[a-z]+)'(?:m|re|ll|ve|d|t|s|em)\Z")
_NAME_LEAST = 3
_WORN_MOST = 4
_WORN = (("c", "e"), ("b", "h"), ("li", "h"), ("rn", "m"))
"""Letters misread on worn pages: `Thc`, `Tbe`, `Frorn`."""

_MONTH = re.compile(r"(?:Jan|Mar)\.?\s\d")
_QUESTION = re.compile(r"[QA]\.?\s")
_ASKED = re.compile(r"^[ \t]*Q[.:]?\s", re.MULTILINE)
_LETTERS = re.compile(r"(?:[A-Z]\.){2,}[A-Z]?")
_NUMBER_BEHIND = re.compile(
    r"\.?(?:\s|[-–—]{1,2}\s?(?i:crim|civ)\w*\.?\s?)(?:(?:§+\s?|(?:[Rr]ules?|[Aa]rt\.|No\.)\s)\d|\d{3}|\d+[-.:(]\w)"
)
_NO_NAME = re.compile(r"(?:ing|ly|tion|ment|ness|able|ous|ally|ized|ised)\Z")
_ACRONYM_MOST = 5
_PREFIXES = ("post", "pre", "non", "mini")
_LIKE_CASES = ("type", "style", "like", "esque", "compliant", "era", "based")

NAMES = Catalogue("anonymise/names.toml")


class Classifier:
    """Classes the words of a document's texts."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._lexicon = knowledge.lexicon
        self._titled, self._cases = knowledge.titled, knowledge.cases
        self._places_and_institutions = PlacesAndInstitutions(knowledge)

    def read(self, text: str, kept: Sequence[Span]) -> AnalysedText:
        """Class each word of a text."""
        page = AnalysedText(text, words_of(text), tuple(sorted(kept)))
        page.classes = [self._class(word) for word in page.words]
        for place, word in enumerate(page.words):
            if word.span.overlaps_any(page.kept):
                page.classes[place] = WordClass.NOTHING
        for place, word in enumerate(page.words):
            if (
                place
                and page.classes[place] is WordClass.TITLE
                and word.lower in self._titled
                and not self._leads_on(page, place)
            ):
                page.classes[place] = WordClass.WEAK
        self._drop_codes(page)
        self._mark_small(page)
        self._mark_cut(page)
        self._raise_capitals(page)
        self._places_and_institutions.drop(page)
        for place in range(1, len(page.words)):
            if page.classes[place] is WordClass.NOTHING and self._is_surname(page, place):
                page.classes[place] = WordClass.WEAK
        self._mark_told(page)
        return page

    def _class(self, word: TextWord) -> WordClass:
        lists, lower = self._lexicon, word.lower
        plain = lower.rstrip(".")
        if not word.is_capital or word.is_number:
            return WordClass.NOTHING
        if plain in lists.titles and not (plain in lists.acronyms and word.text.istitle()):
            return WordClass.TITLE
        if len(word.text) == 1:
            return WordClass.NOTHING if word.is_article else WordClass.INITIAL
        if plain in lists.terms or plain in lists.abbreviations:
            return WordClass.NOTHING
        if (contracted := _CONTRACTED.match(lower)) and lists.is_ordinary(contracted["word"]):
            return WordClass.NOTHING
        parts = [part for part in re.split(r"[-‑]", lower) if part]
        if "\n" in word.text and all(map(lists.is_ordinary, re.split(r"[-‑]\s*", word.text.lower()))):
            return WordClass.NOTHING
        if len(parts) > 1 and (parts[-1] in _LIKE_CASES or self._is_joined_case(parts)):
            return WordClass.NOTHING
        if len(parts) > 1 and all(part in lists.terms or part in lists.titles for part in parts):
            return WordClass.NOTHING
        if all(lists.is_ordinary(part) for part in parts) and not word.is_spelt:
            return WordClass.WEAK
        if (word.is_start or len(lower) <= _WORN_MOST) and any(
            lower.replace(worn, meant) in lists.terms for worn, meant in _WORN
        ):
            return WordClass.WEAK
        if word.is_all_capitals and not word.is_shouted and len(word.text) <= _ACRONYM_MOST and not word.is_spelt:
            return WordClass.WEAK
        return WordClass.STRONG

    def _mark_told(self, page: AnalysedText) -> None:
        """Mark names that the words around them announce, whatever words they are."""
        lists = self._lexicon
        for group in ("told", "told_given", "told_last_first", "told_rare", "told_unknown"):
            for match in NAMES.matches(group, page.text):
                span = found_in(match)
                places = [place for place, word in enumerate(page.words) if word.span.overlaps_any([span])]
                if span.overlaps_any(page.kept) or not places:
                    continue
                word = page.words[places[0]]
                if group == "told_last_first":
                    word = next((each for each in page.words if each.span.start == match.start("first")), word)
                if word.lower in self._cases and len(places) == 1:
                    continue
                is_given = word.lower in (lists.first_names | lists.given_names) - lists.months
                if (
                    group == "told"
                    or (group in ("told_given", "told_last_first", "told_rare") and is_given)
                    or (group in ("told_rare", "told_last_first") and self._is_rare(word))
                    or (group == "told_unknown" and self._may_be_small_name(word))
                ):
                    page.is_name.update(places)

    def _is_joined_case(self, parts: list[str]) -> bool:
        """`Miranda-waiver`, `post-Crawford`."""
        is_led = parts[0] in self._lexicon.eponyms or (parts[0] in _PREFIXES and parts[1] in self._cases)
        return is_led and all(part in self._cases or self._lexicon.is_ordinary(part) for part in parts)

    def _drop_codes(self, page: AnalysedText) -> None:
        """`C.A.R. 28(g)`, `N.C.P.I.–Crim. 104`: letters with full stops before a number are a code's."""
        for place, word in enumerate(page.words):
            if _LETTERS.fullmatch(word.text) and _NUMBER_BEHIND.match(page.text, word.span.end):
                page.classes[place] = WordClass.NOTHING

    def _is_rare(self, word: TextWord) -> bool:
        """Whether a word is none of the language, no place and no case."""
        lists, lower = self._lexicon, word.lower
        is_surname = lower in lists.last_names and lower not in lists.terms
        is_known = lists.is_ordinary(lower) or lower in lists.titles or (lower,) in lists.places
        return (is_surname or not is_known) and lower not in self._cases

    def _mark_small(self, page: AnalysedText) -> None:
        """What nothing but a name would be although it has no capital: `officer villanueva`, `keyshawn's mom`."""
        starts = [word.is_capital for word in page.words if word.is_start]
        is_careless = sum(starts) * 2 <= len(starts)
        for place, word in enumerate(page.words):
            if _is_mark(page.text, word):
                page.classes[place] = WordClass.NOTHING
            if word.is_capital or word.span.overlaps_any(page.kept):
                continue
            if not self._is_small_name(page, place, is_careless=is_careless):
                continue
            page.classes[place] = WordClass.STRONG
            before = page.words[place - 1]
            if place and word.gap == " " and not before.is_capital and not before.span.overlaps_any(page.kept):
                is_unknown = is_careless and self._may_be_small_name(before)
                if is_unknown or before.text in self._lexicon.first_names:
                    page.classes[place - 1] = WordClass.STRONG

    def _is_small_name(self, page: AnalysedText, place: int, *, is_careless: bool) -> bool:
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
            is_joined = len(parts) > 1 and all(map(str.isalpha, parts)) and not all(map(lists.is_ordinary, parts))
            if is_unknown or is_joined:
                return True
        if not is_careless or word.gap != " ":
            return False
        if before.text in lists.given_names:
            behind = page.words[place + 1].lower if place + 1 < len(page.words) else ""
            return behind not in lists.case_things and word.lower in (
                (lists.last_names - lists.terms - lists.acts) | lists.eponyms
            )
        return is_unknown and self._may_be_small_name(before)

    def _mark_cut(self, page: AnalysedText) -> None:
        """`Ma. Elena`, `O-B-I, hyphen, D-A-N`: short forms before a name, and what is said between spelt words."""
        for place in range(len(page.words) - 1):
            word, behind = page.words[place], page.words[place + 1]
            if (
                word.lower in self._lexicon.spelt_joints
                and place
                and page.words[place - 1].is_spelt
                and behind.is_spelt
            ):
                page.classes[place] = WordClass.STRONG
            if (
                word.lower in self._lexicon.cut_names
                and (word.text.istitle() or (word.text.isupper() and behind.is_all_capitals))
                and behind.gap in (" ", ". ")
                and page.classes[place + 1] is WordClass.STRONG
                and not word.span.overlaps_any(page.kept)
            ):
                page.classes[place] = WordClass.INITIAL

    def _may_be_small_name(self, word: TextWord) -> bool:
        """Whether a word without a capital is none of the language, nor a form of one."""
        lists, lower = self._lexicon, word.lower
        parts = lower.removeprefix("o'").removeprefix("d'").split("-")
        return (
            not word.is_capital
            and all(part.isalpha() and len(part) >= _NAME_LEAST and not lists.is_ordinary(part) for part in parts)
            and not self._cases.issuperset(parts)
            and lower not in lists.abbreviations | lists.particles
            and (lower,) not in lists.places
            and not _NO_NAME.search(lower)
        )

    def _raise_capitals(self, page: AnalysedText) -> None:
        """`SEAN TEARE` in a line of other letters: two unknown words in capitals are no acronyms."""
        for place in range(1, len(page.words)):
            pair = (place - 1, place)
            if page.words[place].goes_on and all(self._is_unknown_capitals(page, each) for each in pair):
                for each in pair:
                    page.classes[each] = WordClass.STRONG

    def _is_unknown_capitals(self, page: AnalysedText, place: int) -> bool:
        word = page.words[place]
        is_free = page.classes[place] in (WordClass.WEAK, WordClass.STRONG)
        return is_free and word.is_all_capitals and not self._lexicon.is_ordinary(word.lower)

    def _is_surname(self, page: AnalysedText, place: int) -> bool:
        """Whether a word of other use stands where a name does: `Lakeshia Ford`, `Prosecutor Bill Price`."""
        lists, word, before = self._lexicon, page.words[place], page.words[place - 1]
        if not word.is_capital or word.span.overlaps_any(page.kept):
            return False
        if self._is_amid(page, place):
            return True
        if word.lower in lists.inside_names and word.text.istitle() and word.gap == " " and self._leads_on(page, place):
            return self._is_inside_name(page, place)
        if before.lower in lists.forms_of_address and word.gap in (" ", ". ") and word.text.istitle():
            return True
        if (
            before.lower in lists.roles
            and not before.is_capital
            and word.gap == " "
            and word.lower in lists.first_names
            and not self._leads_on(page, place)
        ):
            return True
        if word.lower in lists.first_names and self._leads_on(page, place):
            behind = page.words[place + 1].lower
            is_surname = page.classes[place + 1] is WordClass.WEAK and behind in lists.last_names
            return (
                page.classes[place + 1] is WordClass.STRONG
                or (page.classes[place - 1] is WordClass.TITLE and word.goes_on)
                or (is_surname and behind not in lists.terms and (word.lower,) not in lists.places)
            )
        if word.lower not in lists.last_names:
            return False
        if before.lower in ("named", "called", "nicknamed", "surnamed") and word.gap == " ":
            return True
        is_behind_name = (
            page.classes[place - 1] in (WordClass.TITLE, WordClass.STRONG, WordClass.INITIAL)
            or before.lower in lists.first_names
        )
        return is_behind_name and before.is_capital and word.goes_on and not before.is_possessive

    def _is_inside_name(self, page: AnalysedText, place: int) -> bool:
        """`Tillie Two Bulls`: between a name or a title and what may be a name."""
        is_behind_name = (
            page.classes[place - 1] is WordClass.STRONG
            or page.words[place - 1].lower in self._lexicon.first_names
            or (place > 1 and page.classes[place - 2] is WordClass.TITLE)
        )
        may_go_on = page.classes[place + 1] in (WordClass.WEAK, WordClass.STRONG)
        return is_behind_name and not page.words[place].is_shouted and may_go_on

    def _is_amid(self, page: AnalysedText, place: int) -> bool:
        """`Rafiqul Islam Chowdhury`: a term of law or the world between two unknown words."""
        word, behind = page.words[place], page.words[place + 1] if place + 1 < len(page.words) else None
        return (
            behind is not None
            and word.gap == behind.gap == " "
            and len(word.text) > _NAME_LEAST
            and page.classes[place - 1] is page.classes[place + 1] is WordClass.STRONG
            and word.lower not in self._lexicon.institutions | self._lexicon.titles | self._lexicon.roles
        )

    def _leads_on(self, page: AnalysedText, place: int) -> bool:
        """Whether a capitalised word goes on behind this one."""
        behind = page.words[place + 1] if place + 1 < len(page.words) else None
        return behind is not None and behind.is_capital and behind.goes_on


def _is_mark(text: str, word: TextWord) -> bool:
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
        and bool(_ASKED.search(text))
    )
