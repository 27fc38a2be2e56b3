"""Whether what may be a person's name is a place or a cited case instead: by its words and what is beside them.

Must not know how runs are found.
"""

from __future__ import annotations

import re

from briefbank.law.anonymise.analysed_text import CASE_LEADS, AnalysedText, Knowledge, WordClass


class CaseOrPlace:
    """Tells names of places and cited cases from names of people, one run of words at a time. It knows which cases a
    document cites, and which are known without that.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._lexicon = knowledge.lexicon
        self._cases, self._leading = knowledge.cases, knowledge.leading
        self._case_acts = self._lexicon.case_acts - self._lexicon.acts

    def is_case_or_place(self, page: AnalysedText, group: list[int]) -> bool:
        """Whether a lone unknown word is rather a place (`in Paramus`) or a cited case (`in Elders`)."""
        if self.is_case(page, group):
            return True
        if len([place for place in group if page.classes[place] is not WordClass.INITIAL]) > 1:
            return False
        word = page.words[group[0]]
        if self.is_called_case(page, group[0], self._lexicon.case_things | self._case_acts):
            return True
        before = page.words[group[0] - 1].lower if group[0] else ""
        if group[0] > 1 and page.words[group[0] - 2].lower in ("brief", "briefs", "reply", "petition", "motion"):
            return False
        behind = page.text[word.span.end :]
        if re.match(r",\s+(?:[A-Z][a-z]+\s+)?(?:[A-Z][a-z]+|[A-Z]{2}|[A-Z]\.\s?[A-Z]\.)(?=[,.;\s])", behind):
            after = tuple(re.findall(r"[\w.]+", behind.lower())[:2])
            if after[:1] in self._lexicon.places or after in self._lexicon.places:
                return True
        return (
            before in ("in", "near", "within", "outside", "through", "throughout")
            and " " in word.gap
            and word.gap.strip() == ""
            and not word.is_possessive
        )

    def is_case(self, page: AnalysedText, group: list[int]) -> bool:
        """Whether a run is the short name of a cited case, in all its words; which is never written in capitals."""
        group = self._within_heading(page, group)
        first = page.words[group[0]]
        is_loud = first.is_all_capitals and (page.classes[group[0]] is WordClass.WEAK or first.lower in self._leading)
        if first.lower in self._leading and (self._is_owner(page, group[-1]) or self._is_led(page, group[0])):
            return False
        lowers = (page.words[place].lower for place in group)
        numbers = self._lexicon.suffixes | {"i", "v"}  # `Olenowski I` is the first decision of that name
        return not is_loud and " ".join(each for each in lowers if each not in numbers) in self._cases

    def _within_heading(self, page: AnalysedText, group: list[int]) -> list[int]:
        """The name of `B. Strickland Test`, without the letter of the heading and what follows a case's name."""
        reach = [*group, group[-1] + 1] if group[-1] + 1 < len(page.words) else group
        things = (index for index, place in enumerate(reach) if page.words[place].lower in self._lexicon.case_things)
        end = next(things, 0)
        if not end:
            return group
        is_lettered = end > 1 and page.classes[group[0]] is WordClass.INITIAL and page.words[group[0]].is_start
        return group[is_lettered:end]

    def _is_led(self, page: AnalysedText, place: int) -> bool:
        """Whether a first name or a role stands before a word: `Wayne Ledbetter`, `my brother-in-law Gilbert`."""
        lists, before = self._lexicon, page.words[place - 1].lower if place else ""
        return page.words[place].gap == " " and before in lists.given_names | lists.first_names | lists.roles

    def _is_owner(self, page: AnalysedText, place: int) -> bool:
        """`Sandoval's brother`, where `Sandoval's rule` is a case's."""
        behind = page.words[place + 1].lower if place + 1 < len(page.words) else ""
        return page.words[place].is_possessive and behind not in self._lexicon.case_nouns | self._lexicon.case_things

    def is_called_case(self, page: AnalysedText, place: int, things: frozenset[str]) -> bool:
        """Whether a lone word is called what only cases are: `under Elders`, `a Clawans charge`."""
        word = page.words[place]
        before = page.words[place - 1] if place else None
        after = page.words[place + 1] if place + 1 < len(page.words) else None
        lead = before.lower if before and word.is_all_capitals else before.text if before else ""
        if lead in CASE_LEADS and word.gap.isspace():
            return True
        return (
            after is not None
            and after.gap == " "
            and not things.isdisjoint((after.lower, after.lower.removesuffix("s")))
            and not word.is_possessive
        )
