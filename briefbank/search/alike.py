"""More like this: what a passage or a pasted text asks for when it stands as the query. Knows one generation.

Answers resemble answers more than questions do: the passage's own vector and its most telling words are the query.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.tokens import Token, tokenise
from briefbank.search.pseudo_relevance import telling_terms
from briefbank.search.query import Understanding

# Chosen, not measured. People's questions are shorter: the longest of the judged defenders' ones has 25 words.
PASTED_WORDS = 40
"""A query of so many words is taken for pasted text."""
# Chosen, not measured: more than the 15 of pseudo-relevance feedback, since there is no question beside them.
_TERMS = 25
"""How many of the most telling words of a text stand for it."""
# Chosen, not measured: high enough that a near-copy with another number or name is not taken for the passage.
_SAME = 0.97
"""Cosine from which a pasted text is taken for the passage of the bank that it comes from."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """A text as a query, and the documents and rows that it must not find: its own brief and its family."""

    understanding: Understanding
    vector: Vector
    documents: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()


def is_pasted(text: str) -> bool:
    """Whether a query is so long that it is a text rather than a question."""
    return len(text.split()) >= PASTED_WORDS


def like_passage(generation: Generation, passage_id: str) -> Likeness:
    """Ask for passages like one of the bank.

    Raises:
        UsageError: there is no such passage in the live generation.
    """
    row = generation.dense.row_of(passage_id)
    if row is None:
        advice = "Ids change when a brief changes: search again, and use the id shown then."
        raise UsageError(f"There is no passage {passage_id} in the live index.", advice)
    return _like_row(generation, row)


def like_text(generation: Generation, text: str, vector: Vector) -> Likeness:
    """Ask for passages like a pasted text with its unit vector; a text out of the bank is taken for its passage."""
    rows, cosines = generation.dense.search(vector, 1)
    if len(rows) and cosines[0] >= _SAME:
        return _like_row(generation, int(rows[0]))
    # Of what is not in the bank no document or family has to be left out.
    return Likeness(words_of(generation, text), vector)


def _like_row(generation: Generation, row: int) -> Likeness:
    place: Rows = np.array([row])
    own = int(generation.dense.columns.document[row])
    text = generation.dense.texts(place)[0]
    family = generation.families.members(row).tolist()
    return Likeness(words_of(generation, text), generation.dense.vectors(place)[0], (own,), tuple(family))


def words_of(generation: Generation, text: str) -> Understanding:
    """What a text asks for as a sample: its most telling words, each once."""
    terms: list[str] = []
    tokens: dict[str, Token] = {}
    for token in tokenise(text):
        terms.append(token.term)
        tokens.setdefault(token.term, token)
    chosen = telling_terms([terms], generation.lexical, _TERMS) if terms else {}
    words = tuple(tokens[term] for term in chosen) or tuple(tokens.values())[:1]
    surfaces = tuple(text[word.span.start : word.span.end] for word in words)
    return Understanding(text, words, surfaces, is_sample=True)
