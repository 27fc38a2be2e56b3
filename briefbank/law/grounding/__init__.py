"""Holds a sentence against its source and names what the source does not contain.

Must not know where either comes from. What it cannot see is a wrong statement made of right words: a holding turned
round, two names swapped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from briefbank.law.dates import MONTH_NUMBERS, MONTHS, full_year
from briefbank.law.grounding.authorities import KnownAuthorities, authority_spans, name_spans
from briefbank.law.grounding.numbers import KnownNumbers
from briefbank.law.grounding.plain import AUTHORITIES, Doubt, DoubtKind, folded, plain, plain_source, without, words
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

__all__ = ["AUTHORITIES", "Doubt", "DoubtKind", "Source"]

_NAMES = [spelt for name in MONTHS for spelt in (name.capitalize(), name.upper())]
_MONTH = rf"(?P<month>{'|'.join(_NAMES)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_BEFORE_MONTH = (
    "in of since by early late mid until last that from and during through to between before after each every".split()
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1[6-9]\d\d|20\d\d)"
_AND_YEAR = rf"(?:,?\s+(?:of\s+)?{_YEAR})?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"\b{_MONTH}\s+{_DAY}(?![\d:]){_AND_YEAR}",
        rf"\b{_DAY}(?:\s+day)?\s+(?:of\s+)?{_MONTH}(?![a-z]){_AND_YEAR}",
        rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}\b",
        r"(?<![\w/-])(?P<number>\d{1,2})(?P<mark>[/-])(?P<day>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)(?![\w/-])",
        rf"(?<![\w-]){_YEAR}-(?P<number>\d\d)-(?P<day>\d\d)(?![\w-])",
        rf"\b(?i:{'|'.join(_BEFORE_MONTH)})[\s-]+{_MONTH}(?![a-z])(?!\s+\d)",
    )
)
_BARE_YEAR = re.compile(
    rf"(?:(?<![\w$.,:/-])|(?<=[a-z]-)|(?<=\b\d{{4}}-)){_YEAR}(?:s\b)?(?![\w:]|[.,/]\d|-\d(?!\d{{3}}\b))"
)

_QUOTED = re.compile(r"\"([^\"]+)\"|(?<!\w)'(?=\S)((?:[^'\"]|(?<=\w)'(?=\w))+?)'(?!\w)")
_GAP = re.compile(r"\.\s?\.\s?\.(?:\s?\.)?|\u2026|\*\s?\*\s?\*|-{2,}|\[[^\]]*\]")
_CHANGED_LETTERS = re.compile(r"\[([A-Za-z]{1,2})\](?=\w)")
_CHANGED_ENDING = re.compile(r"(?<=\w)\[[a-z]{0,4}\]")
_REACH = 800
"""How many letters an ellipsis may stand for."""

_CAPITALISED = re.compile(r"(?<![\w'])(?:[^\W\d_a-z]\.(?:\s?[^\W\d_a-z]\.)+|[^\W\d_a-zß-ÿ][\w']*(?:-\w+)*(?:&\w+)?)")
_OPENING = re.compile(r"(?:\A|[.?!:]['\"]?\s+|\A\s*['\"(\[]+)\Z")
_JOINT = re.compile(r"\s+(?:(?:of|the|de|la|del|van|von|and|&)\s+)*|,?\s+|\.\s?")
_INFLECTED = re.compile(
    r"(?:ly|ing|ed|tion|sion|ment|ness|ity|ance|ence|ism|ists?|ers|ors|ions|ments|ies|able|ible|ful|less|ous|ive|ical)\Z"
)
_AFTER_A_NAME = bounded(
    r"(?:'s)?,?\s+(?:[a-z]+ly\s+)?(?:is|was|has|had|did|does|would|could|may|argue[sd]|contend(?:s|ed)|claim(?:s|ed)|said|says"
    r"|assert(?:s|ed)|testified|appeal(?:s|ed)|seeks|sought|challenge[sd]|moved|moves|maintain(?:s|ed)|told|asked|asks|saw"
    r"|pleaded|pled|received|denied|admitted|relies|relied|object(?:s|ed)|arrested|stopped|searched|found|took|went|gave)\b"
)
"""What a person does, and hardly a participle that opens a sentence."""
_DOTTED = re.compile(r"\b[A-Z]\.(?:\s?[A-Z]\.)+")
_SMALL_WORDS = frozenset({"of", "the", "and", "for", "in", "on", "to"})


class Source:
    """A text that sentences are held against."""

    def __init__(self, text: str) -> None:
        text = plain_source(text)
        self._authorities = KnownAuthorities(text)
        self._wording = KnownWording(text)
        self._dates = KnownDates(text)
        self._names = KnownNames(text)
        bare = without(text, self._authorities.spans)
        self._numbers = KnownNumbers(without(bare, [date.span for date in dates(bare)]))

    def doubts(self, sentence: str) -> tuple[Doubt, ...]:
        """What the sentence contains and the source does not, in the order of the sentence; spans are those in it."""
        text = plain(sentence)
        found = [*self._authorities.doubts(text), *self._wording.doubts(text)]
        bare = without(text, [*authority_spans(text), *(span for span, _ in quotations(text))])
        found += self._dates.doubts(bare)
        found += self._numbers.doubts(without(bare, [date.span for date in dates(bare)]))
        spans = [*name_spans(bare), *(date.span for date in dates(bare)), *(doubt.span for doubt in found)]
        found += self._names.doubts(without(bare, spans))
        return tuple(_apart(sorted(found, key=lambda doubt: (doubt.span.start, -doubt.span.end))))


def _apart(doubts: list[Doubt]) -> list[Doubt]:
    """Without those that lie within another one."""
    kept: list[Doubt] = []
    for doubt in doubts:
        if not kept or doubt.span.start >= kept[-1].span.end:
            kept.append(doubt)
    return kept


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date where it stands; None for what is not said."""

    span: Span
    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def parts(self) -> tuple[int | None, int | None, int | None]:
        return self.year, self.month, self.day


def dates(text: str) -> list[PartialDate]:
    """The dates in a plain text, in order, none overlapping another."""
    found: list[PartialDate] = []
    for form in (*_FORMS, _BARE_YEAR):
        for match in form.finditer(text):
            span = Span(*match.span("month" if form is _FORMS[-1] else 0))
            if not span.overlaps_any(each.span for each in found):
                found.append(_date(match, span))
    return sorted(found, key=lambda date: date.span)


class KnownDates:
    """The dates of a source, and its years wherever they stand."""

    def __init__(self, text: str) -> None:
        self._dates = dates(text)
        self._years = {int(year) for year in re.findall(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)", text)}
        self._years |= {date.year for date in self._dates if date.year}

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The dates in a plain sentence that the source does not contain."""
        for date in dates(sentence):
            if not self._holds(date):
                yield Doubt(date.span, DoubtKind.DATE, sentence[slice(*date.span)])

    def _holds(self, date: PartialDate) -> bool:
        if date.month is None:
            return date.year in self._years
        return any(self._agree(date, known) for known in self._dates)

    def _agree(self, date: PartialDate, known: PartialDate) -> bool:
        """Whether the source's date says all that the sentence's says; a year may stand elsewhere in the source."""
        if date.month != known.month or (date.day and date.day != known.day):
            return False
        return date.year is None or known.year == date.year or (known.year is None and date.year in self._years)


def _date(match: re.Match[str], span: Span) -> PartialDate:
    groups = match.groupdict()
    year = full_year(groups["year"]) if groups.get("year") else None
    day = int(groups["day"]) if groups.get("day") else None
    if groups.get("number"):
        month: int | None = int(groups["number"])
    else:
        month = MONTH_NUMBERS[groups["month"][:3].lower()] if groups.get("month") else None
    return PartialDate(span, year, month, day)


class KnownWording:
    """The wording of a source: its letters and digits alone, and where among them words begin and end."""

    def __init__(self, text: str) -> None:
        letters: list[str] = []
        edges = {0}
        for character in unicodedata.normalize("NFKD", text):
            if character.isalnum():
                letters.append(character.lower())
            elif not unicodedata.combining(character):
                edges.add(len(letters))
        self._letters = "".join(letters)
        self._edges = edges | {len(letters)}

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The quotations in a plain sentence that the source does not contain."""
        for span, quoted in quotations(sentence):
            if not self._holds(quoted):
                yield Doubt(span, DoubtKind.QUOTATION, sentence[slice(*span)])

    def _holds(self, quoted: str) -> bool:
        has_ending = _CHANGED_ENDING.search(quoted)
        worded = _CHANGED_ENDING.sub(" ... ", _CHANGED_LETTERS.sub(r"\1", quoted))
        pieces = [piece for piece in map(_letters, _GAP.split(worded)) if piece]
        return not pieces or any(
            self._follow(pieces, start, is_open=bool(has_ending)) for start in self._places(pieces[0], 0)
        )

    def _follow(self, pieces: list[str], start: int, *, is_open: bool) -> bool:
        """Whether the pieces follow one another from `start` on; an open one may end within a word."""
        if start not in self._edges:
            return False
        place = start
        for piece in pieces:
            place = next((at for at in self._places(piece, place) if is_open or self._is_whole(at, piece)), -1)
            if place < 0:
                return False
            place += len(piece)
        return place - start <= sum(map(len, pieces)) + _REACH * (len(pieces) - 1)

    def _is_whole(self, at: int, piece: str) -> bool:
        return at in self._edges and at + len(piece) in self._edges

    def _places(self, piece: str, start: int) -> Iterator[int]:
        at = self._letters.find(piece, start)
        while at >= 0:
            yield at
            at = self._letters.find(piece, at + 1)


def quotations(sentence: str) -> list[tuple[Span, str]]:
    """The quoted stretches of a plain sentence, marks included, each with what stands between its marks."""
    return [(Span(*match.span()), match[1] or match[2]) for match in _QUOTED.finditer(sentence)]


def _letters(piece: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", piece).lower() if each.isalnum())


class KnownNames:
    """The words of a source, however capitalised."""

    def __init__(self, text: str) -> None:
        inside = words(text)
        self._words = {*inside, *map(_stem, inside)}
        self._words |= {folded(match.group())[:length] for match in _DOTTED.finditer(text) for length in (2, 9)}
        self._initials = "".join(word[0] for word in inside)
        self._long_initials = "".join(word[0] for word in inside if word not in _SMALL_WORDS)
        self._joined = "".join(inside)

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The names in a plain sentence, all else that is checked blanked out, that the source does not contain."""
        run: list[Span] = []
        for match in _CAPITALISED.finditer(sentence):
            if self._holds(sentence, match):
                continue
            span = Span(*match.span())
            if run and not _JOINT.fullmatch(sentence, run[-1].end, span.start):
                yield _unknown_name(sentence, run)
                run = []
            run.append(span)
        if run:
            yield _unknown_name(sentence, run)

    def _holds(self, sentence: str, match: re.Match[str]) -> bool:
        word = match.group()
        if "." in word:
            return folded(word) in self._words or self._abbreviates(folded(word)) or folded(word) in self._joined
        parts = words(word)
        if all(part in self._words or _stem(part) in self._words or self._is_usual(part) for part in parts):
            return True
        if word.isupper() and 2 <= len(word) <= 6 and (self._abbreviates(folded(word)) or folded(word) in self._joined):
            return True
        if folded(word) in self._joined and len(word) > 5:
            return True
        if not _OPENING.search(sentence[: match.start()]):
            return False
        is_subject = _AFTER_A_NAME.match(sentence, match.end())
        return all(_is_opener(part) or (not is_subject and _is_inflected(part)) for part in parts)

    def _abbreviates(self, letters: str) -> bool:
        return letters in self._initials or letters in self._long_initials

    def _is_usual(self, word: str) -> bool:
        return len(word) < 2 or word in _usual() or any(full in self._words for full in _long_forms().get(word, ()))


def _is_opener(word: str) -> bool:
    return word in _openers() or _stem(word) in _openers()


def _is_inflected(word: str) -> bool:
    return len(word) > 4 and bool(_INFLECTED.search(word))


def _stem(word: str) -> str:
    return re.sub(r"(?:'s|es|s|ed|ing)\Z", "", word) if len(word) > 4 else word


def _unknown_name(sentence: str, run: list[Span]) -> Doubt:
    span = Span(run[0].start, run[-1].end)
    return Doubt(span, DoubtKind.NAME, sentence[slice(*span)])


@cache
def _lists() -> dict[str, list[str]]:
    """The word lists, by the heading that each stands under."""
    text = files("briefbank.law.grounding").joinpath("words.txt").read_text(encoding="utf-8")
    lists: dict[str, list[str]] = {}
    for block in re.split(r"^\[", text, flags=re.MULTILINE)[1:]:
        heading, _, body = block.partition("]")
        lists[heading] = body.split()
    return lists


@cache
def _usual() -> frozenset[str]:
    return frozenset(_lists()["usual"])


@cache
def _openers() -> frozenset[str]:
    return frozenset(_lists()["opening"])


@cache
def _long_forms() -> dict[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = {}
    for pair in _lists()["short"]:
        one, other = pair.split("=")
        forms[one] = (*forms.get(one, ()), other)
        forms[other] = (*forms.get(other, ()), one)
    return forms
