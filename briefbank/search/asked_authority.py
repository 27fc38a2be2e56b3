"""Which authority a text asks of, where it names just one, and which have its words in their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from briefbank.index.authorities import CASE_NAME, AuthorityPostings
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.index.surface import surface_words
from briefbank.law.citations import AuthorityKind, QueryCitation, citations_in_query, load_patterns
from briefbank.law.citations.names import case_names_asked, party_key
from briefbank.law.legal_numbers import folded
from briefbank.platform.regex import bounded
from briefbank.values.authorities import AuthoritiesFound, ListedAuthority
from briefbank.values.records import Span

_GOOD_LAW = bounded(r"\b(?:[Ii]s|IS)\s(?P<party>[\w.’'-]{2,30}(?:\s[\w.’'-]{2,30}){0,3}?)\s(?:still\s)?good\slaw\b")
_LAW = r"§|\bsec(?:tions?|\.)|\brules?|\barticles?|\barts?\."
_PIECE = re.compile(r"\w+|[^\w\s]")
_FRONT = 40
"""Characters in front of a number in which the word for a law stands."""
_BEHIND_NAME = re.compile(r"[\s,(]*")
_PAGES = r"(?:,?\s(?:at\s)?\d{1,5}(?:[-–]\d{1,5})?(?![\w.]))"
_BEHIND_CASE = bounded(
    rf"{_PAGES}*,?\s?\((?:(?:[A-Z][\w.'’—-]*|\d{{1,2}}(?:st|nd|rd|d|th)|\[[\w.\s]{{1,20}}\]),?\s){{0,6}}(?:1[789]|20)\d\d"
    rf"(?:,[^()]{{0,40}})?\)|(?<=\d){_PAGES}+(?=\s*\Z|[;?])"
)
"""What a citation of a case goes on with: its pages, its court and year, what became of it."""
_NO_ROWS: Rows = np.empty(0, dtype=np.int64)
MOST_HOLDING = 10_000
"""Passages that are read one by one for a number; each takes 0.04 ms, so that one of the commonest takes 0.4 s: else it
would be hidden where its form is not known.
"""
_NUMBER = bounded(r"\S*\d\S*(?:\s?\([^()]{1,4}\))*\Z")


@dataclass(frozen=True, slots=True)
class NamedAuthority:
    """An authority that a text names: its keys, and the words that name it. `number` are those of them that a passage
    cannot do without: the number of a law, all words of a case.
    """

    keys: frozenset[str]
    words: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class CitedWords:
    """Where a text cites an authority, from its name to the last number, of a case to the end of its brackets; the name
    of a case as `names.name_key` has it, empty for a law.
    """

    span: Span
    case: str = ""


def citations_in(text: str, postings: AuthorityPostings | None) -> tuple[QueryCitation, ...]:
    """Return the citations in a text, with the spellings that the bank knows them by."""
    return citations_in_query(
        text,
        postings.patterns if postings else load_patterns(),
        postings.known if postings else lambda _: (),
    )


def cited_in(text: str, citations: Sequence[QueryCitation]) -> list[CitedWords]:
    """Return what a text cites, each authority as one: a case by its name and where it is reported."""
    cited: list[CitedWords] = []
    names = [CitedWords(_with_brackets(text, each.span), each.key) for each in case_names_asked(text)]
    laws = [each for each in citations if each.kind is not AuthorityKind.CONSTITUTION]  # which no number alone tells
    numbers = [
        CitedWords(
            _with_brackets(text, each.span) if each.kind is AuthorityKind.CASE else each.span,
            next(filter(CASE_NAME.search, each.keys), ""),
        )
        for each in laws
    ]
    for each in sorted([*names, *numbers], key=lambda each: each.span):
        before = cited[-1] if cited else None
        gap = text[before.span.end : each.span.start] if before else ""
        if before and (
            each.span.start < before.span.end or (before.case and not each.case and _BEHIND_NAME.fullmatch(gap))
        ):
            span = Span(before.span.start, max(before.span.end, each.span.end))
            cited[-1] = CitedWords(span, max(before.case, each.case, key=len))
        else:
            cited.append(each)
    return cited


def _with_brackets(text: str, span: Span) -> Span:
    behind = _BEHIND_CASE.match(text, span.end)
    return Span(span.start, behind.end()) if behind else span


def authorities_in(text: str, postings: AuthorityPostings | None) -> list[NamedAuthority]:
    """Return the authorities that a text names, in the order of their first mention, each once."""
    return distinct(text, citations_in(text, postings), postings)


def distinct(text: str, citations: Sequence[QueryCitation], postings: AuthorityPostings | None) -> list[NamedAuthority]:
    """Return what a text cites in the order of the first mention, each authority once. A name that several cases bear
    means the one that the text cites besides.
    """
    found: dict[frozenset[int] | frozenset[str], NamedAuthority] = {}
    for each in citations:
        # What two names of one authority have in common: its numbers in the bank, or the keys where none cites it.
        same: frozenset[int] | frozenset[str] = frozenset(postings.numbers(each.keys) if postings else ())
        same = same or frozenset(each.keys)
        words = text[slice(*each.span)]
        number = _NUMBER.search(words) if each.kind is not AuthorityKind.CASE else None
        before = found.get(same, NamedAuthority(frozenset(), words, number[0] if number else words))
        found[same] = replace(before, keys=before.keys | frozenset(each.keys))
    return [each for same, each in found.items() if not any(other < same for other in found)]


def asked_authority(text: str, citations: Sequence[QueryCitation], postings: AuthorityPostings | None) -> str:
    """Return the words that name the one authority of a text, of which the bank cites it; empty where there is none, or
    several. Who asks whether something is good law may name a case by one party alone.
    """
    if postings is None:
        return ""
    found = distinct(text, citations, postings)
    if not found and (asked := _GOOD_LAW.search(text)):
        cases = cases_of_party(asked["party"], postings)
        return postings.label(cases[0]) if len(cases) == 1 else ""
    return found[0].words if len(found) == 1 and postings.numbers(found[0].keys) else ""


def cases_of_party(text: str, authorities: AuthorityPostings) -> list[int]:
    """Return the cases, by number, that are called by the name of a party alone: where any has a citation, those that
    have one.
    """
    called = sorted(authorities.named(party_key(text))) if party_key(text) else []
    return [each for each in called if not authorities.is_bare_name(each)] or called


def authorities_with(text: str, postings: AuthorityPostings | None, top_k: int) -> AuthoritiesFound:
    """Return the `top_k` most cited authorities in whose names all words of a text stand, or their beginnings."""
    if postings is None:
        return AuthoritiesFound((), 0)
    found = postings.with_words(text.split())
    terms = postings.terms_of(found[:top_k])
    listed = (
        ListedAuthority(postings.label(number), terms[number], postings.passage_count(number))
        for number in found[:top_k]
        if number in terms
    )
    return AuthoritiesFound(tuple(listed), len(found))


def holding(authority: NamedAuthority, generation: Generation, among: Mask) -> tuple[Rows, int]:
    """Return the rows, ascending, of the passages that hold the number of an authority where nothing is known to be
    cited: its words in a form that no reader knew; and how many that may do so were not looked through. `among` says by
    row which count.
    """
    surface, postings = generation.surface, generation.authorities
    words = [each.word for each in surface_words(authority.number)]
    if surface is None or postings is None or not words:
        return _NO_ROWS, 0
    places = surface.places_of_phrase(words[0], re.compile(re.escape(words[0])), words[1:])
    every = np.unique(surface.rows(places))
    every = every[among[every]]
    rows = every[:MOST_HOLDING]
    known: dict[int, list[Span]] = {}
    for row, _, span in postings.mentions_in(rows):
        known.setdefault(row, []).append(span)
    texts = zip(rows.tolist(), generation.dense.texts(rows), strict=True)
    found = [
        row
        for row, text in texts
        if any(not span.overlaps_any(known.get(row, ())) for span in held_spans(authority, text))
    ]
    return np.array(found, dtype=np.int64), len(every) - len(rows)


def held_spans(authority: NamedAuthority, text: str) -> list[Span]:
    """Return where a text holds the number of an authority; a plain one only behind a word or sign for a law."""
    text = folded(text)
    held, front = _patterns_of_number(authority)
    found = (
        (front.search(text, max(0, each.start() - _FRONT), each.start()), each.end()) for each in held.finditer(text)
    )
    return [Span(before.start(), end) for before, end in found if before]


@lru_cache(maxsize=16)
def _patterns_of_number(authority: NamedAuthority) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds the number of an authority, and what must stand in front of it; both in one take ten times as long."""
    number = _PIECE.findall(folded(authority.number))
    lead = ""
    if "".join(number).isdigit():
        own = map(re.escape, authority.words.removesuffix(authority.number).split()[-2:])
        lead = rf"(?:{'|'.join([_LAW, *own])})\s*"
    held = r"[\s,]{0,3}".join(map(re.escape, number)) + r"(?!\d|[:.-]\d)"
    front = rf"{lead}(?<![^\W_])(?<!\d[.:-])\Z"
    return re.compile(held, re.IGNORECASE), re.compile(front, re.IGNORECASE)
