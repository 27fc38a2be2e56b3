"""Which authority a text asks of, where it names just one, and which have its words in their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.index.authorities import AuthorityPostings
from briefbank.law.citations import QueryCitation, citations_in_query, load_patterns
from briefbank.law.citations.names import party_key
from briefbank.platform.regex import bounded
from briefbank.values.authorities import AuthoritiesFound, ListedAuthority

_GOOD_LAW = bounded(r"\b(?:[Ii]s|IS)\s(?P<party>[\w.’'-]{2,30}(?:\s[\w.’'-]{2,30}){0,3}?)\s(?:still\s)?good\slaw\b")


@dataclass(frozen=True, slots=True)
class NamedAuthority:
    """An authority that a text names: its keys, and the words that name it."""

    keys: frozenset[str]
    words: str


def citations_in(text: str, postings: AuthorityPostings | None) -> tuple[QueryCitation, ...]:
    """Return the citations in a text, with the spellings that the bank knows them by."""
    return citations_in_query(
        text,
        postings.patterns if postings else load_patterns(),
        postings.known if postings else lambda _: (),
    )


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
        before = found.get(same, NamedAuthority(frozenset(), text[slice(*each.span)]))
        found[same] = NamedAuthority(before.keys | frozenset(each.keys), before.words)
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
