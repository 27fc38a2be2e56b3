"""Which authority a text asks of, where it names just one, and which have its words in their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.index.authorities import AuthorityPostings
from briefbank.law.citations import PatternSet, citations_in_query, load_patterns
from briefbank.reports import AuthoritiesFound, ListedAuthority


@dataclass(frozen=True, slots=True)
class NamedAuthority:
    """An authority that a text names: its keys, and the words that name it."""

    keys: frozenset[str]
    words: str


def authorities_in(text: str, postings: AuthorityPostings | None) -> list[NamedAuthority]:
    """Return the authorities that a text names, in the order of their first mention, each once. A name that several
    cases bear means the one that the text cites besides.
    """
    patterns: PatternSet = postings.patterns if postings else load_patterns()
    found: dict[frozenset[int] | frozenset[str], NamedAuthority] = {}
    for each in citations_in_query(text, patterns, postings.known if postings else lambda _: ()):
        same = _identity(each.keys, postings)
        before = found.get(same, NamedAuthority(frozenset(), text[slice(*each.span)]))
        found[same] = NamedAuthority(before.keys | frozenset(each.keys), before.words)
    return [each for same, each in found.items() if not any(other < same for other in found)]


def asked_authority(text: str, postings: AuthorityPostings | None) -> str:
    """Return the words that name the one authority of a text, of which the bank cites it; empty where there is none, or
    several.
    """
    found = authorities_in(text, postings)
    is_one_known = len(found) == 1 and postings is not None and bool(postings.numbers(found[0].keys))
    return found[0].words if is_one_known else ""


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


def _identity(keys: Sequence[str], postings: AuthorityPostings | None) -> frozenset[int] | frozenset[str]:
    """What two names of one authority have in common: its numbers in the bank, or the keys where none cites it."""
    return frozenset(postings.numbers(keys) if postings else ()) or frozenset(keys)
