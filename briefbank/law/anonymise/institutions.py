"""Which capitalised words belong to a place or an institution, and so to nobody's name. Must not know cases."""

from __future__ import annotations

from briefbank.law.anonymise.analysed_text import PLACE_LEADS, AnalysedText, Knowledge, WordClass


class PlacesAndInstitutions:
    """Tells words of places and institutions from names."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._lexicon, self._titled = knowledge.lexicon, knowledge.titled

    def drop(self, page: AnalysedText) -> None:
        """Class as nothing the words of places and institutions on a page whose words have been classed one by one."""
        self._drop_institutions(page)
        self._drop_places(page)

    def _drop_institutions(self, page: AnalysedText) -> None:
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
            if word.lower in self._lexicon.firms and self._has_given_name(page, first, place):
                continue
            if first < place or word.lower in self._lexicon.terms:
                for each in range(first, place + 1):
                    page.classes[each] = WordClass.NOTHING

    def _is_in_name(self, page: AnalysedText, place: int) -> bool:
        """`Luz Marina Betancourt`: unknown words on both sides."""
        behind = place + 1
        return (
            place > 0
            and behind < len(page.words)
            and page.words[place].goes_on
            and page.words[behind].goes_on
            and page.classes[place - 1] is page.classes[behind] is WordClass.STRONG
        )

    def _is_full_name(self, page: AnalysedText, first: int, last: int) -> bool:
        """Whether a run that ends like an institution is rather a person's name: `Alicia Church`, no place ahead."""
        lists, before = self._lexicon, page.words[first - 1].lower if first else ""
        given = [place for place in range(first, last) if page.classes[place] is not WordClass.INITIAL]
        if (
            page.words[last].lower not in lists.last_names
            or page.words[last].lower in lists.thoroughfares
            or len(given) != 1
        ):
            return False
        is_given = page.classes[given[0]] is WordClass.STRONG or page.words[given[0]].lower in lists.first_names
        return is_given and not page.words[given[0]].is_possessive and before not in PLACE_LEADS

    def _has_given_name(self, page: AnalysedText, first: int, last: int) -> bool:
        """`Maya Roe Law, PLLC`: a firm that bears somebody's full name."""
        names = self._lexicon.first_names | self._lexicon.given_names
        return last - first > 1 and page.words[first].lower in names and page.classes[first + 1] is WordClass.STRONG

    def _is_title(self, page: AnalysedText, place: int) -> bool:
        """Whether a word is a title that begins something: `Nurse Blum`, not `Visiting Nurse Association`."""
        word = page.words[place]
        if page.classes[place] is not WordClass.TITLE or word.is_possessive:
            return False
        before = page.words[place - 1] if place else None
        return not (before and before.is_capital and word.goes_on and page.classes[place - 1] is not WordClass.TITLE)

    def _drop_places(self, page: AnalysedText) -> None:
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

    def _is_told_place(self, page: AnalysedText, place: int) -> bool:
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
            return page.words[place - 2].lower in self._lexicon.divisions
        return (
            before.is_capital
            and before.lower in self._lexicon.place_beginnings
            and page.classes[place - 1] is not WordClass.STRONG
        )

    def _is_place(self, page: AnalysedText, place: int, count: int) -> bool:
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
        is_led_by_given = before is WordClass.WEAK and page.words[place - 1].lower in self._lexicon.first_names
        if is_led_by_given and not page.words[place - 1].is_start:
            return False
        if place + 1 == len(page.words) or word.is_possessive or not page.words[place + 1].goes_on:
            return True
        behind = page.words[place + 1]
        is_surname = behind.is_capital and behind.lower in self._lexicon.last_names - self._lexicon.institutions
        return page.classes[place + 1] not in (WordClass.STRONG, WordClass.INITIAL) and not is_surname
