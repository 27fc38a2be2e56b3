"""A text being read for names: its words, what each may be by itself, and which of them were found to be names.

Values, and what is known of the whole document; decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from briefbank.law.anonymise.citing import Cited
from briefbank.law.anonymise.leading import leading_cases
from briefbank.law.anonymise.lexicon import Lexicon, lexicon
from briefbank.law.anonymise.words import TextWord, words_of
from briefbank.records import Span

CASE_LEADS = frozenset(
    "under Under unlike Unlike quoting See citing Citing applying Applying overruling distinguishing decided "
    "adopted adopting overruled post per cite cites cited overrule overrules violated violates violating".split()
)
PLACE_LEADS = frozenset(
    "the in on at near of from to along down off behind a an and into around through past toward".split()
)
DETERMINERS = frozenset("the a an this these those each every any no our its another such".split())

_INITIALS_MOST = 4
_PARTED_MOST = 3


class WordClass(IntEnum):
    """What a capitalised word may be, by itself."""

    NOTHING = 0
    TITLE = 1
    INITIAL = 2
    WEAK = 3
    """A word of the language or an acronym, that may be a name too."""
    STRONG = 4


@dataclass(slots=True)
class AnalysedText:
    """A text; `kept` are stretches that hold no names. `is_name` holds the places of words found to be names."""

    text: str
    words: list[TextWord]
    kept: tuple[Span, ...]
    classes: list[WordClass] = field(default_factory=list)
    is_name: set[int] = field(default_factory=set)


class Knowledge:
    """What is known of a document while it is read: words of names in `known`, of cases in `cases`, and words that
    stand behind a form of address in `titled`, all in lower case. Those of `leading` are cases only because they are
    well known: the document does not cite them. `heard_of` may be cases, if the words around say so.
    """

    def __init__(self, cited: Cited, titled: set[str], full_names: Iterable[str]) -> None:
        self.lexicon: Lexicon = lexicon()
        names = [*cited.case_names, *(name.replace(" ", "-") for name in cited.case_names)]
        parted = [name for name in names if len(name.split()) <= _PARTED_MOST]  # longer ones hold more than the name
        self.cases = {part for name in parted for part in (name, *name.split())} - self.lexicon.ordinary
        self.cases |= {name for name in names if " " not in name} | self.lexicon.eponyms
        self.cases |= {"".join(f"{letter}." for letter in name) for name in names if len(name) <= _INITIALS_MOST}
        self.cases |= {f"o'{name[1:]}" for name in self.cases if name.startswith("o")}  # `obrien` is O'Brien
        known_well = leading_cases().distinctive | (leading_cases().common if cited.argues_law else frozenset())
        self.leading = known_well - self.cases
        self.cases |= self.leading
        self.heard_of = (cited.heard_of | leading_cases().heard_of) - self.cases
        self.titled = titled
        self.known: set[str] = set()
        for name in full_names:
            self.learn(words_of(name))

    def learn(self, words: Iterable[TextWord]) -> None:
        """Remember the words of a name by which the person is known."""
        no_names = self.lexicon.particles | self.lexicon.suffixes | self.lexicon.states
        self.known |= {
            word.lower for word in words if len(word.text) > 1 and word.is_capital and word.lower not in no_names
        }
