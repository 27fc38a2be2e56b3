"""Which passages the fields of an expression allow (by their document, their section, what they cite), and which forms
of a word are searched with it: plural and possessive, as legal research systems do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.authorities import AuthorityPostings
from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.selection import SECTION_KINDS
from briefbank.index.surface import surface_words
from briefbank.law.citations import citations_in_query
from briefbank.law.dockets import docket_key
from briefbank.search.connectors.syntax import Cites, Field, Filed, Known, KnownField, OfKind, OfSection, WordPattern
from briefbank.values.records import Document, Span

_SHORTEST = 3
_IRREGULAR = {
    "child": "children", "foot": "feet", "tooth": "teeth", "mouse": "mice", "criterion": "criteria",
    "phenomenon": "phenomena", "appendix": "appendices", "index": "indices", "matrix": "matrices",
    "person": "people",
}  # fmt: skip
_PLURALS = tuple(
    (re.compile(ending + r"\Z"), plural)
    for ending, plural in (
        (r"(?<=[^aeiou])y", "ies"),
        (r"(?<=s|x|z)", "es"),
        (r"(?<=ch|sh)", "es"),
        (r"(?<=o)", "es"),
        (r"man", "men"),
        (r"(?<=\w\w)sis", "ses"),
        (r"(?<=\w\w\w)um", "a"),
        (r"(?<=[aeilr])fe?", "ves"),
        (r"", "s"),
    )
)


@lru_cache(maxsize=10_000)
def forms(word: str) -> tuple[str, ...]:
    """A word, its plurals and the possessives of all; words that are no words do no harm, no text holds them.

    Short words and numbers have no plural: that of `a` would be `as`.
    """
    plurals = []
    if len(word) >= _SHORTEST and word.isalpha():
        plurals = [ending.sub(plural, word) for ending, plural in _PLURALS if ending.search(word)]
        plurals += [_IRREGULAR[word]] if word in _IRREGULAR else []
    distinct = dict.fromkeys([word, *plurals])
    return tuple(form for each in distinct for form in (each, f"{each}'s"))


def field_rows(field: Field, generation: Generation) -> Rows:
    """The rows of the passages that a field allows, ascending.

    Raises:
        UsageError: `cites()` holds nothing that can be read as a citation, or the generation knows no citations.
    """
    match field:
        case Known(KnownField.DOCKET, words):
            plain = [replace(word, pattern=word.pattern.lstrip("0") or word.pattern) for word in words]
            return _of_documents(
                generation, lambda each: any(_is_docket(text, plain) for text in each.metadata.dockets)
            )
        case Known(part, words):
            return _of_documents(
                generation,
                lambda each: (fact := getattr(each.metadata, part.value)) is not None and _holds(fact.value, words),
            )
        case OfSection(kind):
            return np.flatnonzero(generation.dense.columns.section_kind == SECTION_KINDS.index(kind))
        case OfKind(kind):
            return _of_documents(generation, lambda each: each.metadata.kind.value == kind.value)
        case Filed(since, until):
            return _of_documents(
                generation,
                lambda each: (
                    each.filed is not None
                    and (since is None or each.filed >= since)
                    and (until is None or each.filed <= until)
                ),
            )
        case Cites():
            return cited_by(field, generation)[0]


def _of_documents(generation: Generation, is_allowed: Callable[[Document], bool]) -> Rows:
    allowed = np.array([is_allowed(document) for document in generation.documents], dtype=bool)
    rows: Rows = np.flatnonzero(allowed[generation.dense.columns.document])
    return rows


def _is_docket(docket: str, words: Sequence[WordPattern]) -> bool:
    """Whether a docket has these words, which begin with no zero, as it is printed or in the form that all share."""
    plain = re.sub(r"(?<!\w)0+(?=\w)", "", docket)
    return _holds(plain, words) or _holds("-".join(docket_key(docket)), words)


def _holds(text: str, words: Sequence[WordPattern]) -> bool:
    found = [each.word for each in surface_words(text)]
    return all(any(_fits(word, each) for each in found) for word in words)


def _fits(word: WordPattern, found: str) -> bool:
    if word.is_root:
        return found.startswith(word.pattern)
    if "*" in word.pattern:
        return re.fullmatch("[^']".join(map(re.escape, word.pattern.split("*"))), found) is not None
    return found == word.pattern if word.is_exact else found in forms(word.pattern)


def cited_by(field: Cites, generation: Generation) -> tuple[Rows, Vector]:
    """The rows of the passages that cite an authority, ascending, and how much each says about it; raises as
    `field_rows`.
    """
    postings, keys = _cited(field, generation)
    return postings.rows(keys)


def cited_spans(field: Cites, generation: Generation, row: int) -> list[Span]:
    """Where a passage cites an authority, in order; raises as `field_rows`."""
    postings, keys = _cited(field, generation)
    return [span for span, _ in postings.spans(keys, row)]


def _cited(field: Cites, generation: Generation) -> tuple[AuthorityPostings, list[str]]:
    postings = generation.authorities
    if postings is None:
        message = "This index was built by an older program, which did not note what is cited."
        advice = "Index the folder again (briefbank index FOLDER); no file is read a second time for it."
        raise UsageError(message, advice)
    found = citations_in_query(field.authority, postings.patterns, postings.known)
    return postings, [key for citation in found for key in citation.keys]
