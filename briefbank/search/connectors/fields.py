"""Which passages the fields of an expression allow: title, court, date and kind of the document, what is cited."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.surface import surface_words
from briefbank.law.citations import citations_in_query
from briefbank.records import Document
from briefbank.search.connectors.syntax import Cites, Court, Field, Filed, OfKind, Title, Word
from briefbank.search.connectors.words import forms


def field_rows(field: Field, generation: Generation) -> Rows:
    """The rows of the passages that a field allows, ascending.

    Raises:
        UsageError: `cites()` holds nothing that can be read as a citation, or the generation knows no citations.
    """
    match field:
        case Title(words):
            return _of_documents(generation, lambda each: _holds(each.metadata.title.value, words))
        case Court(words):
            return _of_documents(
                generation, lambda each: each.metadata.court is not None and _holds(each.metadata.court.value, words)
            )
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
        case Cites(authority):
            return _citing(authority, generation)


def _of_documents(generation: Generation, is_allowed: Callable[[Document], bool]) -> Rows:
    allowed = np.array([is_allowed(document) for document in generation.documents], dtype=bool)
    rows: Rows = np.flatnonzero(allowed[generation.dense.columns.document])
    return rows


def _holds(text: str, words: Sequence[Word]) -> bool:
    found = [each.word for each in surface_words(text)]
    return all(any(_fits(word, each) for each in found) for word in words)


def _fits(word: Word, found: str) -> bool:
    if word.is_root:
        return found.startswith(word.pattern)
    if "*" in word.pattern:
        return re.fullmatch("[^']".join(map(re.escape, word.pattern.split("*"))), found) is not None
    return found == word.pattern if word.is_exact else found in forms(word.pattern)


def _citing(authority: str, generation: Generation) -> Rows:
    postings = generation.authorities
    if postings is None:
        message = "This index was built by an older program, which did not note what is cited."
        advice = "Index the folder again (briefbank index FOLDER); no file is read a second time for it."
        raise UsageError(message, advice)
    found = citations_in_query(authority, postings.patterns, postings.known)
    rows: Rows = postings.rows(key for citation in found for key in citation.keys)[0]
    return rows
