"""A text being read for names: its words with what is known of each from its place (capitals, sentence starts, what
joins it to others), what each may be by itself, and which of them were found to be names.

Values, and what is known of the whole document; decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise

from briefbank.law.anonymise.citing import Cited, leading_cases
from briefbank.law.word_lists import Lexicon, lexicon
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_MISREAD = (
    r"0['’](?=[A-Z])[^\W\d_]+|0[a-z]{3,}|[^\W\d_]+(?:[015][^\W\d_]{2,})+|[A-Z]{3,}[015][A-Z]+"
    r"|[A-Z][a-z]+1[a-z](?!\w)|[^\W\d_]{3,}0(?!\w)"
)
"""A letter taken for a digit when the page was read: `Gi1christ`, `Pedr0`."""
_NEXT_LINE = r"(?:(?<=[a-z]-)\n[ \t]*(?=[a-z]{2})|(?<=[A-Z]-)\n[ \t]*(?=[A-Z]{2}))"
_WORD = re.compile(
    rf"(?:{_MISREAD}|[^\W\d_]+)(?:['’‑-]{_NEXT_LINE}?[^\W\d_]+)*(?:\.(?:[^\W\d_]\.)+)?|\d+(?:st|nd|rd|th|ST|ND|RD|TH)?"
)
_JOINT = re.compile(r"[-'’]")
_LETTERS = str.maketrans(
    {"0": "o", "1": "l", "5": "s", "’": "'", "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"}
)
_BROKEN = re.compile(r"[-‑]\n[ \t]*")
"""Where a word goes on in the next line."""
_SPELT = re.compile(r"[A-Z](?:[-‑][A-Z])+")
_POSSESSIVE = re.compile(r"['’]s\Z", re.IGNORECASE)
_OPENERS = "\"“”‘'([«—–•*"
_STOPS = ".?!:;•"
_ABBREVIATED = re.compile(
    r"(?:\b(?i:Mr|Mrs|Ms|Dr|Prof|Hon|Sgt|Det|Dets|Lt|Capt|Cpl|Ptl|Inv|Rev|Jr|Sr|St|Ste|Esq|vs?|Gov|Sen|Off|Ofc)"
    r"|\b(?:No|Nos|Rep"
    r"|P\.O|cf|Cf|et al|App|Div|Super|Ct|Cir|art|arts|ch|Ind|Dkt|Crim|Inc|Co|Corp|Ltd"
    r"|U\.S|N\.J|N\.Y|D\.C|aka|e\.g|i\.e)|\b[A-Z])\Z"
)
_LABEL = bounded(r"[A-Z][\w'’-]*(?:[ \t][\w'’-]+){0,5}:")
_NOTE_MARK = re.compile(r"[.?!,;:][\"”’)]?\d{1,3}\Z")
_GOING_ON = re.compile(r"(?:['’]s?)?(?:[ \t\u00a0]*\n?[ \t\u00a0]*|\.[ \t]+)")
_SHOUTED_WORDS = bounded(r"[A-Z][A-Z'’.,-]*(?:\s+[A-Z][A-Z'’.,-]*){3,}")
_SHORT_LINE = 50

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


@dataclass(frozen=True, slots=True)
class TextWord:
    """A word, without the possessive ending behind it. `gap` is what stands between it and the word before.

    `is_start` says that a capital here means nothing: a sentence, a quotation or a line of its own begins.
    """

    span: Span
    text: str
    gap: str
    is_possessive: bool
    is_start: bool
    is_shouted: bool
    """It stands among words in capitals, or in a heading in which every longer word has one."""

    @property
    def lower(self) -> str:
        plain = _BROKEN.sub("", self.text).lower()
        return plain if self.is_number else plain.translate(_LETTERS)

    @property
    def is_number(self) -> bool:
        """Whether it is a number, or an ordinal, and no letter was misread."""
        return self.text[0].isdigit() and (self.text[0] != "0" or self.text.isdigit())

    @property
    def is_capital(self) -> bool:
        return (
            self.text[0].isupper()
            or (self.text[0] == "0" and not self.is_number)
            or any(part[:1].isupper() for part in _JOINT.split(self.text)[1:])
        )

    @property
    def goes_on(self) -> bool:
        """Whether it goes on where the word before it ended."""
        if self.is_start and ("." in self.gap or "\n" in self.gap):
            return False
        return bool(_GOING_ON.fullmatch(self.gap))

    @property
    def is_article(self) -> bool:
        """Whether an `A` is rather the word than somebody's initial."""
        return self.text == "A" and self.is_start

    @property
    def is_spelt(self) -> bool:
        """`D-R-I-S-S`: somebody spells a name."""
        return bool(_SPELT.fullmatch(self.text))

    @property
    def is_all_capitals(self) -> bool:
        return len(self.text) > 1 and self.text.isupper()


def words_of(text: str) -> list[TextWord]:
    """The words of a text, in order."""
    matches = list(_WORD.finditer(text))
    shouted = _shouted_lines(text)
    words: list[TextWord] = []
    end = 0
    for match in matches:
        start, stop = match.span()
        ending = _POSSESSIVE.search(match.group())
        word_end = start + ending.start() if ending and ending.start() else stop
        gap = text[end:start]
        words.append(
            TextWord(
                span=Span(start, word_end),
                text=text[start:word_end],
                gap=gap,
                is_possessive=word_end < stop or (text[stop : stop + 1] in ("'", "’") and text[stop - 1 : stop] == "s"),
                is_start=_is_start(text, end, start),
                is_shouted=any(line.start <= start < line.end for line in shouted),
            )
        )
        end = stop
    return words


def _is_start(text: str, before: int, start: int) -> bool:
    """Whether a sentence begins at `start`; the word before ends at `before`."""
    gap = text[before:start]
    if not before:
        return True
    if _NOTE_MARK.search(text, max(0, before - 6), before):
        return True
    if "\n\n" in gap or gap.count("\n") > 1:
        return True
    if "\n" in gap and _LABEL.match(text, start):
        return True
    if "\n" in gap and len(text[text.rfind("\n", 0, before) + 1 : before].strip()) < _SHORT_LINE:
        return True
    stop = next((each for each in gap if each in _STOPS), "")
    if stop == "." and gap[0] == ".":
        return not _ABBREVIATED.search(text, max(0, before - 12), before)
    return bool(stop) or (bool(gap.strip()) and gap.strip()[-1] in _OPENERS)


def _shouted_lines(text: str) -> list[Span]:
    """Lines of which most words are in capitals, and those in which every longer word begins with one."""
    lines = []
    for match in re.finditer(r"[^\n]+", text):
        words = [
            each for each in re.findall(r"[^\W\d_]{2,}", match.group()) if each not in ("Mr", "Ms", "Mrs", "Dr", "BY")
        ]
        if not words:
            continue
        longer = [each for each in words if len(each) > len("with")]
        is_loud = sum(each.isupper() for each in words) * 2 > len(words)
        is_title = (
            len(longer) > 3
            and sum(each[0].isupper() for each in longer) * 10 >= len(longer) * 9
            and match.group().rstrip()[-1] not in ".,"
        )
        if is_loud or is_title:
            lines.append(Span(*match.span()))
    for first, second in pairwise(_SHOUTED_WORDS.finditer(text + " \n")):
        lines += [Span(*first.span()), Span(*second.span())]
    return lines


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
    well known: the document does not cite them.
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
