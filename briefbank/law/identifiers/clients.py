"""Finds the people of an office's other cases where a text names them outside a citation: what is left over when words
of another client's brief are used again.

A client's full name is always told. A surname is told beside a title or a role, and by itself where it is hardly
anything else, or where the text has the client's full name or cites the client's case by its docket; but not where it
stands for the case, nor where the text gives it to somebody else. Must not know where captions come from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from briefbank.law.anonymise.anonymiser import name_parts
from briefbank.law.anonymise.citing import cited_in
from briefbank.law.citations import PatternSet
from briefbank.law.citations.names import STATE_NAMES, name_key, party_key, short_names
from briefbank.law.legal_numbers import folded
from briefbank.law.word_lists import lexicon
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_VERSUS = bounded(r"\s+(?:[vV][sS]?\.?|-?against-?)\s+")
_ONE_PARTY = re.compile(
    r"(?:in\s+re|ex\s+parte|(?:in\s+the\s+)?matter\s+of|.{0,60}\bin\s+(?:the\s+)?interest\s+of)\b(?:\s+the)?",
    re.IGNORECASE,
)
_BEHIND_NAME = re.compile(r",\s+(?!(?:jr|sr|ii|iii|iv)\b)", re.IGNORECASE)
_AND = bounded(r"\s+(?:and|&)\s+|;\s*")
_WORD = bounded(r"[^\W\d_]+(?:['’-][^\W\d_]{2,})*")
_ROLE = bounded(
    r"(?:\b(?:Mr|Mrs|Ms|Miss)\.?|\b(?:represent(?:ed|ing|s)?|on\s+behalf\s+of|for)\s+(?:Dr|Rev|Prof)\."
    r"|\b(?:co-?)?(?:defendant|appellant|petitioner|respondent|client|juvenile|accused)s?,?)\s+\Z",
    re.IGNORECASE,
)
_FIRST_NAME = re.compile(
    r"(?<![\w'’-])(?:(?P<title>[A-Z][a-z]{1,15})\.?\s+)?(?P<first>[A-Z][\w'’-]{0,25})\.?\s+(?:[A-Z]\.\s+)?\Z"
)
"""What stands before a surname: a first name or a title; an initial may stand between, a title before a first name."""
_AGAINST = re.compile(
    r"\b(?:[vV][sS]?\.?|[Rr]e|[Pp]arte|(?:[Mm]atter|[Ii]nterest|[A-Z]\w{1,20})\s+of)\s+(?:[A-Z][\w.'’-]{0,25}\s+){0,2}\Z"
)
_CITED_BEHIND = bounded(
    r",?\s+(?:et\s+al\.,?\s+)?\(?(?:(?:Docket\s+)?Nos?\.|Dkt|Docket|A-\d|supra|slip|\d{1,3}\s+[A-Z]|App\.\s+Div)"
)
_CASE_AHEAD = bounded(
    r"\b(?:see(?:\s+also)?|citing|quoting|under|(?:un)?like|in|of|cf\.|applying|following|distinguish\w{0,4}"
    r"|rel(?:y|ie[sd]|ying)\s+(?:up)?on|the|an?|his|her|their|its|our|no|any|every)\s+\Z",
    re.IGNORECASE,
)
"""In front of the short name of a case, or of a word of the language in capitals."""
_CASE_BEHIND = bounded(
    r",?\s+(?:of\s|supra|slip|at\s+\d|v\.|court|panel|decision|opinion|rule|holds?|held|holding|teaches|controls?|requires|(?:did\s+not\s+|does\s+not\s+)?appl(?:y|ies|ied)|is\s+distinguish\w{0,5}"
    r"|forecloses|the\s+(?:court|panel|appellate)|street|st\.|avenue|ave|road|rd|county|township|university|college"
    r"|(?:from|of|with)\s+the\s+(?:prosecutor|district\s+attorney|attorney\s+general|state|police|probation|public\s+defender|court)"
    r"|hospital|test|hearing|factors?|doctrine|standard|motion|warnings?|analysis)\b",
    re.IGNORECASE,
)
"""Behind the short name of a case, or of the name of a place or a doctrine."""
_THE = re.compile(r"\b(?:[Tt]he|[Oo]ur)\s+\Z")
_MATTER_BEHIND = re.compile(r"\s(?:case|matter|file|trial|appeal)\b")
_REACH = 60


@dataclass(frozen=True, slots=True)
class Client:
    """A person of a caption: the name as the caption has it, and its words in lower case, the surname last."""

    name: str
    words: tuple[str, ...]

    @property
    def surname(self) -> str:
        return self.words[-1]


@dataclass(frozen=True, slots=True)
class ClientMention:
    """Where a text names a client."""

    span: Span
    client: Client


def clients_of(caption: str) -> tuple[Client, ...]:
    """Return the people of a caption: no government, office or place, and nobody who is known by initials alone."""
    head = _BEHIND_NAME.split(caption)[0]
    sides = _VERSUS.split(head, maxsplit=1)
    if len(sides) == 1:
        alone = _ONE_PARTY.match(head)
        sides = [head[alone.end() :].rpartition(" of ")[2]] if alone else []  # `In re Expungement of Cassius Thorne`
    people = []
    for name in (each.strip(" .,") for side in sides for each in _AND.split(side)):
        known = name_parts(folded(name))
        words = tuple(each for each in map(_lower, _WORD.findall(name)) if each in known)
        if words and _is_person(name, words):
            people.append(Client(" ".join(name.split()), words))
    return tuple(people)


def mentions_of(
    text: str, clients: Iterable[Client], own: str, patterns: PatternSet, *, is_near: bool = False
) -> Iterator[ClientMention]:
    """Yield where a text names clients outside citations.

    `own` is the text's own caption: nobody who bears a surname of it is told. `is_near` says that the text was written
    from the clients' briefs, so that each of their surnames counts by itself, however many people have it.
    """
    text = folded(text)
    ours = set(map(_lower, _WORD.findall(own)))
    by_surname: dict[str, list[Client]] = defaultdict(list)
    for each in clients:
        if each.surname not in ours:
            by_surname[each.surname].append(each)
    places: dict[str, list[_Place]] = defaultdict(list)
    for match in _WORD.finditer(text):
        surname = _lower(match[0])
        if match[0][0].isupper() and surname in by_surname:
            places[surname].append(_Place(text, Span(*match.span()), surname))
    if not places:
        return
    cited = cited_in([text], patterns)
    for surname, there in places.items():
        is_by_docket = any(each.is_cited for each in there)
        is_published = surname in cited.case_names and not is_by_docket
        spans = cited.spans[0]
        yield from _named(
            there, by_surname[surname], spans, is_known=is_near or is_by_docket, is_published=is_published
        )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a surname stands in a text."""

    text: str
    span: Span
    surname: str

    def before(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.search(self.text, max(0, self.span.start - _REACH), self.span.start)

    @property
    def has_role(self) -> bool:
        return bool(self.before(_ROLE))

    @property
    def is_cited(self) -> bool:
        """Whether it is a side of a case that is cited by a number."""
        return bool(self.before(_AGAINST) and _CITED_BEHIND.match(self.text, self.span.end))

    @property
    def is_no_person(self) -> bool:
        """Whether the words around speak of a case, or of a place or thing."""
        ahead = self.before(_CASE_AHEAD) or self.before(_AGAINST)
        return bool(ahead or _CASE_BEHIND.match(self.text, self.span.end))

    @property
    def is_matter(self) -> bool:
        """Whether it is the office's name for a case it has: `the Grant matter`."""
        return bool(self.before(_THE) and _MATTER_BEHIND.match(self.text, self.span.end))

    def bearer(self) -> tuple[str, bool]:
        """The first name or title before it, in lower case, and whether that is a title or has one before it."""
        lists, found = lexicon(), self.before(_FIRST_NAME)
        if found is None:
            return "", False
        first, title = _lower(found["first"]), _lower(found["title"] or "")
        if first in lists.titles:
            return first, True
        is_name = first in lists.first_names | lists.given_names or not lists.is_ordinary(first)
        return (first, title in lists.titles) if is_name else ("", False)

    def with_first_name(self) -> Span:
        found = self.before(_FIRST_NAME)
        return Span(found.start("first") if found else self.span.start, self.span.end)


def _named(
    places: Sequence[_Place], clients: Sequence[Client], cited: Collection[Span], *, is_known: bool, is_published: bool
) -> Iterator[ClientMention]:
    """Tell which places of one surname name one of its clients. Whom a surname by itself means, the last place before
    it says that has more: the client's full name, role or case, or somebody else's first name or title.
    """
    by_first = {word: client for client in clients for word in client.words[:-1]}
    is_telling = _is_telling(places[0].surname)
    is_others = is_civilian = False
    for place in places:
        first, is_titled = place.bearer()
        if place.is_cited:
            is_known, is_others = True, False
        elif first in by_first and not place.before(_AGAINST):
            is_known, is_others = True, False
            yield ClientMention(place.with_first_name(), by_first[first])
        elif place.has_role:
            # `Patrolman Price` is nobody's `Mr. Price`.
            if (is_known or not is_civilian) and not _CASE_BEHIND.match(place.text, place.span.end):
                is_known, is_others = True, False
                yield ClientMention(place.span, clients[0])
        elif first:
            is_others, is_civilian = True, is_civilian or not is_titled
        elif place.span.overlaps_any(cited) or is_published or is_others:
            continue
        elif place.is_matter or ((is_known or is_telling) and not place.is_no_person):
            yield ClientMention(place.span, clients[0])


def _is_person(name: str, words: Sequence[str]) -> bool:
    lists, key = lexicon(), party_key(name)
    is_given = len(words) > 1 and words[0] in lists.given_names | lists.first_names  # `Ottavio Rule`
    is_office = not is_given and not set(words).isdisjoint(lists.institutions - lists.last_names | {"county", "of"})
    is_word = len(words) == 1 and lists.is_ordinary(words[0])  # `Registrant Q.R.`
    return bool(short_names(name_key(key, ""))) and key not in STATE_NAMES and not (is_office or is_word)


def _is_telling(surname: str) -> bool:
    """Whether a word is hardly anything but a name that few people have."""
    lists = lexicon()
    many = lists.common_surnames | lists.given_names
    return not (lists.is_ordinary(surname) or surname in many or (surname,) in lists.places)


def _lower(word: str) -> str:
    """Lower case, and no accents: captions and drafts differ in these."""
    return folded(word).lower()
