"""Finds identifiers by their forms, their checksums and what stands around them; which rule names each kind."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from briefbank.law.anonymise.forms import FORMS as PERSONAL
from briefbank.law.anonymise.forms import Kind, PersonalSpan, forms_in
from briefbank.law.catalogue import Catalogue, found_in
from briefbank.law.citations.citation import Taken
from briefbank.law.dates import full_year
from briefbank.law.dockets import CITED
from briefbank.law.legal_numbers import folded
from briefbank.law.record_cites import record_cites
from briefbank.law.word_lists import lexicon
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

FORMS = Catalogue("identifiers/forms.toml")


class Rule(StrEnum):
    """A rule that keeps identifiers out of public filings."""

    NEW_JERSEY = "N.J. R. 1:38-7(a)"
    FEDERAL = "Fed. R. Crim. P. 49.1(a)"

    @property
    def only_active(self) -> tuple[IdentifierKind, ...]:
        """Kinds that it names where they are still in use."""
        return (IdentifierKind.ACCOUNT, IdentifierKind.CARD) if self is Rule.NEW_JERSEY else ()


class IdentifierKind(StrEnum):
    """A kind of identifier; its value is what people call it."""

    SOCIAL_SECURITY = "Social Security number"
    TAX = "taxpayer-identification number"
    CARD = "credit card number"
    LICENCE = "driver’s license number"
    PLATE = "vehicle plate number"
    POLICY = "insurance policy number"
    ACCOUNT = "financial account number"
    BIRTH = "birth date"
    MINOR = "minor’s name"
    HOME = "home address"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that name it."""
        return _RULES[self]

    @property
    def with_article(self) -> str:
        """What it is called at the beginning of a sentence."""
        return f"{'An' if self[0] in 'aeiou' else 'A'} {self}"


_RULES = {
    IdentifierKind.SOCIAL_SECURITY: (Rule.NEW_JERSEY, Rule.FEDERAL),
    IdentifierKind.TAX: (Rule.FEDERAL,),
    IdentifierKind.CARD: (Rule.NEW_JERSEY, Rule.FEDERAL),
    IdentifierKind.LICENCE: (Rule.NEW_JERSEY,),
    IdentifierKind.PLATE: (Rule.NEW_JERSEY,),
    IdentifierKind.POLICY: (Rule.NEW_JERSEY,),
    IdentifierKind.ACCOUNT: (Rule.NEW_JERSEY, Rule.FEDERAL),
    IdentifierKind.BIRTH: (Rule.FEDERAL,),
    IdentifierKind.MINOR: (Rule.FEDERAL,),
    IdentifierKind.HOME: (Rule.FEDERAL,),
}


def rule_of_court(court: str) -> Rule | None:
    """Return the rule of the court that a caption names; None where it is neither New Jersey's nor federal."""
    lower = court.casefold()
    if "united states" in lower or "u.s." in lower:
        return Rule.FEDERAL
    return Rule.NEW_JERSEY if "new jersey" in lower else None


@dataclass(frozen=True, slots=True, order=True)
class Identifier:
    """An identifier where it stands."""

    span: Span
    kind: IdentifierKind


_YEAR_ALONE = bounded(r"\W*(?:(?:19|20)\d\d|['’]\d\d)\W*")
_ISSUERS = re.compile(
    r"(?:4|5[1-5]|2(?:2[3-9]|[3-6]\d|7[01])|6011|65|64[4-9]|35(?:2[89]|[3-8]\d))\d{10,}(?<=\d{16})|3[47]\d{13}"
)
"""Cards by their first digits and their length: Visa, Mastercard (two ranges), Discover, JCB; American Express."""
_HOUSE = re.compile(
    r"(?:(?:Apt|Apartment|Unit|No)\b\W*)?#?\w?\d|(?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|[A-Z][a-z]+(?:teen|ty))\b"
)
_AT_HOME = bounded(
    r"\b(?:homes?|house|apartment|residen(?:ce|t|tial)|reside[sd]?|residing|liv(?:es?|ed|ing)|stay(?:s|ed|ing)|moved|dwelling"
    r"|address(?:es)?|domiciled?|rents?|rented|tenants?|household|sleeps)\b",
    re.IGNORECASE,
)
_NO_HOME = bounded(
    r"\b(?:office|offices|court|courthouse|suite|floor|business|employer|work(?:s|ed|place)?|store|shop|prison|jail|church"
    r"|school|hospital|station|headquarters|restaurant|bank|tavern|SBN|bar|club|precinct|mailing|P\.\s?O\.|Esq|attorney"
    r"|counsel|premises|defender|prosecutor|clerk|center|centre|facility|inc|llc|company)\b",
    re.IGNORECASE,
)
_COUNSEL = re.compile(
    r"\b(?:attorneys?|counsel|esq|law|SBN|SBOT|bar\s+(?:no|card|#)|fax|facsimile|telephone|tel|e-?mail)\b",
    re.IGNORECASE,
)
_COUNSEL_NEAR = 200
"""Letters around an address in which counsel's own particulars stand."""
_FLAT = re.compile(r"\bAp(?:t|artment)\b|#\s?\d|\bUnit\s", re.IGNORECASE)
_HOMES = re.compile(r"\b(?:RESIDENCE|HOME ADDRESS|HOME)\b")
"""Heads of columns."""
_BEFORE, _BEHIND, _COLUMN = 90, 60, 500
_NUMBERS = {
    IdentifierKind.SOCIAL_SECURITY: "social_security",
    IdentifierKind.TAX: "tax",
    IdentifierKind.CARD: "card",
    IdentifierKind.LICENCE: "licence",
    IdentifierKind.PLATE: "plate",
    IdentifierKind.POLICY: "policy",
    IdentifierKind.ACCOUNT: "account",
    IdentifierKind.BIRTH: "birth",
}
"""The groups of forms, those that tell more first."""
_REACH = {
    IdentifierKind.SOCIAL_SECURITY: 200,
    IdentifierKind.LICENCE: 250,
    IdentifierKind.PLATE: 250,
    IdentifierKind.POLICY: 400,
    IdentifierKind.ACCOUNT: 200,
    IdentifierKind.BIRTH: 100,
}
"""Letters within which something has to tell what a number without a word beside it is."""
_CARD_REACH = 200
_FAR = 400
_LABEL = 40
_SAID_OF = 150
_OF_AGE = 18
_NAME = re.compile(r"(?<![\w.'-])[A-Z](?:[A-Za-z]|['-](?=[A-Z][A-Za-z]))+(?![\w-])")
_BEFORE_SURNAME = re.compile(r"(?<![\w'-])(?P<word>[A-Za-z][\w'-]{0,30})(?P<dot>\.?)\s+(?:[A-Z]\.\s+)?\Z")
_OTHERS_ROLES = frozenset("v vs defendant codefendant co-defendant appellant petitioner respondent".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PSEUDONYM = re.compile(r"\b(?:pseudonyms?|fictitious|fictional|not\s+(?:his|her|their)\s+real)\b", re.IGNORECASE)
_SAID = 25
_OTHERS = (Kind.PHONE, Kind.EMAIL, Kind.ADDRESS)
_CITED_DOCKET = re.compile(CITED, re.IGNORECASE)
_DATE = re.compile(r"\d{1,2}-\d{1,2}-(?:\d{4}|\d{2})|(?:19|20)\d\d-\d\d-\d\d")


def identifiers_in(text: str, pause: Callable[[], None] = lambda: None) -> list[Identifier]:
    """Return the identifiers of a text in order, none overlapping another. `pause` is called now and then, and may
    raise what ends the search.

    What the rules allow is none: the last digits of a number, the year of a birth, a child's initials, a home's town.
    """
    plain = folded(text)
    personal = []
    for each in forms_in(plain):
        pause()
        personal.append(each)
    others = _merged([*record_cites(plain), *(Span(*match.span()) for match in _CITED_DOCKET.finditer(plain))])
    taken, found = Taken(), list[Identifier]()

    def take(identifiers: Iterable[Identifier]) -> None:
        for each in identifiers:
            pause()
            if others.is_free(each.span) and taken.is_free(each.span):
                found.append(each)
                taken.add([each.span])

    take(_told(plain, personal, pause))
    take(_by_what_is_near(plain, personal, pause))
    births = [each.span for each in found if each.kind is IdentifierKind.BIRTH]
    take(Identifier(span, IdentifierKind.MINOR) for span in _minors(plain, births))
    return sorted(found)


def _merged(spans: Iterable[Span]) -> Taken:
    """Stretches that may overlap, as such that do not."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return Taken(merged)


def _told(text: str, personal: Sequence[PersonalSpan], pause: Callable[[], None]) -> Iterator[Identifier]:
    """What is known by its form, or by a word beside it."""
    for kind, group in _NUMBERS.items():
        pause()
        if group not in FORMS.groups:
            continue
        spans = _cards(text) if kind is IdentifierKind.CARD else map(found_in, FORMS.matches(group, text))
        yield from (Identifier(span, kind) for span in spans)
    yield from (Identifier(each.span, IdentifierKind.BIRTH) for each in personal if _is_birth_date(text, each))
    yield from (Identifier(span, IdentifierKind.HOME) for span in _homes(text, personal))


def _by_what_is_near(text: str, personal: Sequence[PersonalSpan], pause: Callable[[], None]) -> list[Identifier]:
    """Numbers without a word beside them, where something around tells what they are; of several the nearest."""
    others = _merged(each.span for each in personal if each.kind in _OTHERS and not text[slice(*each.span)].isdigit())
    found = []
    for kind, reach in _REACH.items():
        group = _NUMBERS[kind]
        for match in FORMS.matches(f"{group}_bare", text):
            pause()
            span = Span(*match.span())
            is_other = FORMS["other_number"].search(text, max(0, span.start - _LABEL), span.start)
            is_date = kind is not IdentifierKind.BIRTH and _DATE.fullmatch(match[0])
            if is_other or is_date or not others.is_free(span):
                continue
            if (distance := _distance(f"{group}_near", text, span)) <= reach:
                found.append((distance, Identifier(span, kind)))
    return [each for _, each in sorted(found)]


def _distance(group: str, text: str, span: Span) -> float:
    """How many letters lie between a stretch and the next of what a group finds."""
    start = max(0, span.start - _FAR)
    found = FORMS[group].finditer(text, start, span.end + _FAR)
    return min((max(span.start - each.end(), each.start() - span.end, 0) for each in found), default=math.inf)


def _is_birth_date(text: str, found: PersonalSpan) -> bool:
    """Whether more than the year of a birth is told, and not the day of what else is said to have happened."""
    start, end = found.span
    happened = PERSONAL["event"].search(text, max(0, start - _SAID), start)
    return found.kind is Kind.BIRTH and not (_YEAR_ALONE.fullmatch(text, start, end) or happened)


def _cards(text: str) -> Iterator[Span]:
    for match in FORMS.matches("card", text):
        span, words = found_in(match), match[0]
        digits = re.sub(r"\D", "", text[slice(*span)])
        is_told = "value" in match.re.groupindex or (
            not words.isdigit() and _distance("card_near", text, span) <= _CARD_REACH
        )
        if is_told or (_ISSUERS.fullmatch(digits) and has_luhn_checksum(digits)):
            yield span


def has_luhn_checksum(digits: str) -> bool:
    """Whether the last of some digits is the check digit of those before it, as on every payment card (ISO 7812)."""
    doubled = (sum(divmod(2 * int(each), 10)) for each in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0


def _minors(text: str, births: Iterable[Span]) -> Iterator[Span]:
    """Children that are told as such or have a birth date of late, and wherever else they are named."""
    newest = max(map(int, _YEAR.findall(text)), default=0)
    late = (each for each in births if _year_in(text[slice(*each)]) > newest - _OF_AGE)
    born = (FORMS["minor_born"].search(text, max(0, each.start - _SAID_OF), each.start) for each in late)
    told = [
        tuple(re.findall(r"[\w'-]{2,}", text[slice(*found_in(match))]))
        for match in (*FORMS.matches("minor", text), *filter(None, born))
        if not _PSEUDONYM.search(text, max(0, match.start() - _SAID_OF), match.end() + _SAID_OF)
    ]
    children = [
        tuple(map(str.lower, each)) for each in dict.fromkeys(map(_name_of, told)) if each and _may_be_child(each, text)
    ]
    further: dict[str, set[tuple[str, ...]]] = defaultdict(lambda: {()})
    for first, *others in children:
        further[first].add(tuple(others))
    places = list(_NAME.finditer(text))
    for surname in _surnames(text, places, children):
        further[surname].add(())
    for match in places:
        if (word := match[0].lower()) in further:
            end = max(_end_of(text, match.end(), words) for words in further[word])
            if end > match.end() or not (match[0].isupper() and lexicon().is_ordinary(word)):
                yield Span(match.start(), end)


def _name_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that are a name: in a line of capitals others may follow (`TESSA MARLOW TESTIFIED`)."""
    while words and words[0].isupper() and lexicon().is_ordinary(words[-1].lower()):
        words = words[:-1]
    return words


def _surnames(text: str, places: Iterable[re.Match[str]], children: Iterable[Sequence[str]]) -> set[str]:
    """Surnames of children which, by themselves, mean nobody else: words of no other use that the text gives to no
    other person, as a parent or the defendant.
    """
    own = {word for each in children for word in each}
    last = {each[-1] for each in children if len(each) > 1 and not _is_no_name(each[-1])}
    return last - {word for match in places if (word := match[0].lower()) in last and _is_of_other(text, match, own)}


def _is_of_other(text: str, surname: re.Match[str], own: Collection[str]) -> bool:
    """Whether a first name, title or role before a surname is not a child's."""
    before = _BEFORE_SURNAME.search(text, max(0, surname.start() - _LABEL), surname.start())
    if before is None:
        return False
    lists, word = lexicon(), before["word"].lower()
    if word in own:
        return False
    if word in lists.titles | _OTHERS_ROLES:
        return True
    if len(word) == 1:
        return before["word"].isupper() and not any(each.startswith(word) for each in own)
    is_name = word in lists.first_names | lists.given_names or not _is_no_name(word)
    return before["word"][0].isupper() and not before["dot"] and is_name


def _end_of(text: str, at: int, words: Sequence[str]) -> int:
    """Where words end that stand at a place, whatever the spaces between them; 0 where they do not."""
    spelt = re.compile("".join(rf"\s+{re.escape(each)}\b" for each in words), re.IGNORECASE).match(text, at)
    return spelt.end() if spelt else 0


def _may_be_child(words: Sequence[str], text: str) -> bool:
    """Whether words are a name, and no case's (`In Jeffley, a 15-year-old`) nor nobody's (`Jane Doe`)."""
    lists, lowers = lexicon(), [each.lower() for each in words]
    is_known = lowers[0] in lists.first_names | lists.given_names
    if is_known and len(words) == 1:
        is_name = not words[0].isupper() or len(words[0]) > len("T.M")
    else:
        is_name = is_known or not (
            any(map(_is_no_name, set(lowers) - lists.particles)) or (len(words) == 1 and words[0].isupper())
        )
    first, last = re.escape(words[0]), re.escape(words[-1])
    other = rf"\bv\.\s+{first}|\b{last}\s+v\.|\b{first}\s+(?:and\s+\w+\s+)?(?:Doe|Roe)\b"
    return is_name and lowers[0] not in lists.months | lists.titles and not re.search(other, text, re.IGNORECASE)


def _year_in(words: str) -> int:
    """The year of a date, 0 where it has none."""
    years = re.findall(r"\d{4}|\d\d(?!\d)", words)
    return full_year(years[-1]) if years else 0


def _is_no_name(word: str) -> bool:
    return lexicon().is_ordinary(word) or (word,) in lexicon().places


def _homes(text: str, personal: Sequence[PersonalSpan]) -> Iterator[Span]:
    """Addresses where somebody is said to live, in a column of homes, or with the number of a flat."""
    for each in personal:
        start, end = each.span
        if each.kind is not Kind.ADDRESS or not _HOUSE.match(text, start, end):
            continue
        before, behind = text[max(0, start - _BEFORE) : start], text[end : end + _BEHIND]
        before = re.split(r"\n\s*\n|(?<=[a-z\d)])(?<!\bM[rs])(?<!\bMrs)(?<!\bDr)(?<!\bSt)[.;]\s+(?=[A-Z])", before)[-1]
        behind = re.split(r"\n\s*\n|[.;]\s", behind)[0]
        elsewhere = max((found.start() for found in _NO_HOME.finditer(before)), default=-1)
        at_home = max(_AT_HOME.finditer(before), key=re.Match.start, default=None)
        if at_home and at_home.start() > elsewhere and not at_home[0].lower().startswith("address"):
            yield each.span
        elif elsewhere < 0:
            is_listed = _HOMES.search(text, max(0, start - _COLUMN), start)
            is_told = at_home or _AT_HOME.search(behind) or _FLAT.search(text, start, end)
            of_counsel = _COUNSEL.search(text, max(0, start - _COUNSEL_NEAR), end + _COUNSEL_NEAR)
            if is_listed or (is_told and not of_counsel):
                yield each.span
