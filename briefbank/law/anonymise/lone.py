"""Names that nothing but their capital shows, and which of them are cited cases, as the words around them say."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean

from briefbank.law.anonymise.leading import leading_cases
from briefbank.law.anonymise.mentions import log_odds
from briefbank.law.anonymise.page import AnalysedText, Knowledge

_LEAST = 1.5
_LEAST_COMMON = 0.5
_LEAST_HEARD_OF = -1.0
"""From where on mentions speak of a case, as mean log odds: of any name, of a common one that a leading case has too,
and of one that is known as a case's and rare otherwise. Chosen so that few people are lost for each case that stays."""


class LoneNames:
    """Takes back names of one word that no title, role or other name shows anywhere in a document."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._known, self._heard_of = knowledge.known, knowledge.heard_of
        self._first_names = knowledge.lexicon.given_names | knowledge.lexicon.first_names
        self._mentions: defaultdict[str, list[tuple[AnalysedText, int]]] = defaultdict(list)
        self._shown: set[str] = set()

    def note(self, page: AnalysedText, group: list[int], *, is_shown: bool) -> None:
        """Remember a run of words that was found to be a name; `is_shown` says that its capital is not all it has."""
        first = page.words[group[0]]
        if is_shown or len(group) > 1 or first.is_all_capitals or first.lower in self._first_names:
            self._shown.update(page.words[place].lower for place in group)
        else:
            self._mentions[first.lower].append((page, group[0]))

    def withdraw_cases(self) -> None:
        """Forget the names of which the words around their mentions, on average, speak as of cases."""
        for name, mentions in self._mentions.items():
            if name in self._shown or any(self._is_listed(page, place) for page, place in mentions):
                continue
            if fmean(log_odds(page.words, place) for page, place in mentions) > self._least(name):
                self._known.discard(name)
                for page, place in mentions:
                    page.is_name.discard(place)

    def _is_listed(self, page: AnalysedText, place: int) -> bool:
        """`Officers Roe and Osei`: beside a name that more than its capital shows."""
        for step in (-1, 1):
            joint, other = place + step, place + 2 * step
            if 0 <= other < len(page.words) and page.words[joint].lower in ("and", "or"):
                return other in page.is_name and page.words[other].lower in self._shown
        return False

    def _least(self, name: str) -> float:
        if name in self._heard_of:
            return _LEAST_HEARD_OF
        return _LEAST_COMMON if name in leading_cases().common else _LEAST
