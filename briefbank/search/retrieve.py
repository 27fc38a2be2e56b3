"""The candidates of a query: the best by words and by meaning, each scored exactly by both, what cites the authorities
that it names, and how strong each one is.

Answers resemble answers more than questions do: for passages like another, its own vector and its most telling words
are the query. Must not know how candidates are ranked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import Token, index_terms, is_telling, tokenise
from briefbank.law.citations import AuthorityKind, QueryCitation
from briefbank.models.encoders.port import Encoder
from briefbank.search.aids import ModelAids
from briefbank.search.parse import Asks, ParsedQuery, Understanding
from briefbank.search.scope import Scope, Scores, scope_of

# Chosen, not measured: more than the 15 of pseudo-relevance feedback, since there is no question beside them.
_SAMPLE_TERMS = 25
"""How many of the most telling words of a text stand for it."""
# Chosen, not measured: high enough that a near-copy with another number or name is not taken for the passage.
_SAME = 0.97
"""Cosine from which a pasted text is taken for the passage of the bank that it comes from."""
# Chosen, not measured, for want of judged citations: enough to lift what treats the authority at length.
_CITED_BONUS = 0.25
"""What a passage gains in a query in natural language by what it says about an authority that the query cites."""
LEAST = 1e-9
"""In the place of 0, where the best weight is divided by."""


class Weighted(NamedTuple):
    """Rows, ascending, and the weight of each, 0 to 1."""

    rows: Rows
    weights: Scores

    def bonus(self, candidates: Rows) -> Scores:
        """What each of the candidates gains by what it says about an authority that the query names; 0 for most."""
        gained = np.zeros(len(candidates))
        is_named = np.isin(candidates, self.rows)
        gained[is_named] = _CITED_BONUS * self.weights[np.searchsorted(self.rows, candidates[is_named])]
        return gained


NOTHING_WEIGHTED = Weighted(np.empty(0, dtype=np.int64), np.empty(0))


@dataclass(frozen=True, slots=True)
class Target:
    """What to look for: words and meaning, and the documents and rows that must not be found (a text's own brief and
    its family).
    """

    understanding: Understanding
    vector: Vector
    documents: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidates:
    """`rows` are distinct and ascending; `lexical` and `dense` are their scores, shape (candidates,).

    `lexical_run` and `dense_run` are the rows as each retriever ranked them, best first.
    """

    rows: Rows
    lexical: Vector
    dense: Vector
    vectors: Vector
    lexical_run: Rows
    dense_run: Rows
    hidden_count: int
    has_exact: bool


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was looked for in which scope, the candidates that were found, what of them `cites` an authority that the
    query names, and what people should know of how it came about.
    """

    parsed: ParsedQuery
    target: Target
    scope: Scope
    candidates: Candidates
    cites: Weighted
    notices: tuple[str, ...] = ()


def find(
    parsed: ParsedQuery, generation: Generation, encoder: Encoder, aids: ModelAids, candidate_depth: int
) -> Retrieved:
    """Find the candidates of a question, or of what is to be like a passage or a pasted text.

    Raises:
        UsageError: there is no such passage, or no document that the filters name.
    """
    target, notices = _target(parsed, generation, encoder, aids)
    return find_candidates(parsed, target, generation, candidate_depth, notices)


def find_candidates(
    parsed: ParsedQuery, target: Target, generation: Generation, candidate_depth: int, notices: tuple[str, ...] = ()
) -> Retrieved:
    """Find the candidates for what to look for; raises as `find`."""
    scope = scope_of(parsed.query, generation.dense, filters=parsed.filters)
    # A text of the bank finds neither itself nor its own brief.
    scope = scope.without(generation.dense, target.documents, target.rows)
    depth = min(max(candidate_depth, parsed.query.top_k), len(generation.dense))
    is_sample = target.understanding.is_sample
    cites = NOTHING_WEIGHTED if is_sample else citing(parsed.citations, generation, scope, depth)
    candidates = retrieve(generation, target.understanding, target.vector, scope, depth, cites.rows)
    return Retrieved(parsed, target, scope, candidates, cites, notices)


def _target(
    parsed: ParsedQuery, generation: Generation, encoder: Encoder, aids: ModelAids
) -> tuple[Target, tuple[str, ...]]:
    if parsed.asks is Asks.LIKE_PASSAGE:
        return _like_passage(generation, parsed.query.like_passage), ()
    if parsed.words is None:
        raise ValueError(parsed.asks)
    vector = encoder.encode_queries([parsed.words.meaning])[0]
    if parsed.asks is Asks.LIKE_TEXT:
        return _like_text(generation, parsed.text, vector), ()
    notices = aids.missing
    if aids.expander:
        vector, notices = aids.meaning(parsed.words.meaning, vector, encoder)
    return Target(parsed.words, vector), notices


def _like_passage(generation: Generation, passage_id: str) -> Target:
    row = generation.dense.row_of(passage_id)
    if row is None:
        advice = "Ids change when a brief changes: search again, and use the id shown then."
        raise UsageError(f"There is no passage {passage_id} in the live index.", advice)
    return _like_row(generation, row)


def _like_text(generation: Generation, text: str, vector: Vector) -> Target:
    """A text out of the bank is taken for its passage."""
    rows, cosines = generation.dense.search(vector, 1)
    if len(rows) and cosines[0] >= _SAME:
        return _like_row(generation, int(rows[0]))
    # Of what is not in the bank no document or family has to be left out.
    return Target(words_of(generation, text), vector)


def _like_row(generation: Generation, row: int) -> Target:
    place: Rows = np.array([row])
    own = int(generation.dense.columns.document[row])
    text = generation.dense.texts(place)[0]
    family = generation.families.members(row).tolist()
    return Target(words_of(generation, text), generation.dense.vectors(place)[0], (own,), tuple(family))


def words_of(generation: Generation, text: str) -> Understanding:
    """What a text asks for as a sample: its most telling words, each once."""
    terms: list[str] = []
    tokens: dict[str, Token] = {}
    for token in tokenise(text):
        terms.append(token.term)
        tokens.setdefault(token.term, token)
    chosen = telling_terms([terms], generation.lexical, _SAMPLE_TERMS) if terms else {}
    words = tuple(tokens[term] for term in chosen) or tuple(tokens.values())[:1]
    surfaces = tuple(text[word.span.start : word.span.end] for word in words)
    return Understanding(text, words, surfaces, is_sample=True)


def citing(citations: Sequence[QueryCitation], generation: Generation, scope: Scope, depth: int) -> Weighted:
    """The `depth` passages within the scope that say most about what a question cites; constitutions it only names."""
    keys = [key for each in citations if each.kind is not AuthorityKind.CONSTITUTION for key in each.keys]
    if generation.authorities is None or not keys:
        return NOTHING_WEIGHTED
    rows, weights = generation.authorities.rows(keys)
    is_in = scope.mask[rows]
    rows, weights = rows[is_in], weights[is_in]
    best = np.sort(np.lexsort((rows, -weights))[:depth])
    return Weighted(rows[best], weights[best].astype(np.float64) / max(float(weights.max(initial=0.0)), LEAST))


def retrieve(
    generation: Generation, understanding: Understanding, vector: Vector, scope: Scope, depth: int, also: Rows
) -> Candidates:
    """Bring the `depth` best passages of each retriever within the scope, and the rows in `also`, which lie in it.

    A candidate counts as hidden where it would have been among the lexical ones but for its section kind.
    """
    # LanceDB works in threads of its own: what is looked up by words meanwhile costs no time.
    wait_for_nearest = generation.dense.begin_search(vector, depth, scope.shown) if scope.mask.any() else None
    all_scores = generation.lexical.scores(understanding.terms, thesaurus())
    unhidden_run, lexical_run = all_scores.best_in_both(depth, scope.allowed, scope.shown)
    hidden_count = int(scope.hidden[unhidden_run].sum())
    if wait_for_nearest is None:
        return _no_candidates(hidden_count)
    worded = np.union1d(lexical_run, also)
    nothing = np.empty((0, len(vector)), dtype=np.float32)
    vectors_of_worded = generation.dense.ranking_vectors(worded) if len(worded) else nothing
    # "No passage has all these words" is said of the whole scope, not of the candidates.
    own_terms = understanding.own_terms
    has_exact = len(set(own_terms)) == len(own_terms) and generation.lexical.has_all(own_terms, scope.shown)
    nearest = wait_for_nearest()
    # Each candidate gets both scores, whichever retriever brought it, or the mix would punish what only one has found.
    rows = np.union1d(worded, nearest.rows)
    vectors = np.empty((len(rows), len(vector)), dtype=np.float32)
    vectors[np.searchsorted(rows, worded)] = vectors_of_worded
    vectors[np.searchsorted(rows, nearest.rows)] = nearest.vectors
    dense = vectors @ vector
    dense[np.searchsorted(rows, nearest.rows)] = nearest.cosines
    return Candidates(
        rows=rows,
        lexical=all_scores.at(rows),
        dense=dense,
        vectors=vectors,
        lexical_run=lexical_run,
        dense_run=nearest.rows,
        hidden_count=hidden_count,
        has_exact=has_exact,
    )


def _no_candidates(hidden_count: int) -> Candidates:
    nothing = np.empty(0, dtype=np.float32)
    no_rows = np.empty(0, dtype=np.int64)
    no_vectors = np.empty((0, 0), dtype=np.float32)
    return Candidates(no_rows, nothing, nothing, no_vectors, no_rows, no_rows, hidden_count, has_exact=False)


@cache
def thesaurus() -> Mapping[str, tuple[str, ...]]:
    """The equivalents of each term that has any, in alphabetical order, out of `thesaurus.txt`."""
    # By itself it raised Recall@100 of the words' side from 90.7 to 94.9 in a trial on judged queries; fused with
    # meaning it changed nothing. It stays for what meaning does not catch, and because anybody can mend the file.
    text = files("briefbank.search").joinpath("thesaurus.txt").read_text(encoding="utf-8")
    equivalents: dict[str, set[str]] = {}
    for line in text.splitlines():
        group = set() if line.startswith("#") else {index_terms(word)[0] for word in line.split(",") if word.strip()}
        for term in group:
            equivalents.setdefault(term, set()).update(group - {term})
    return {term: tuple(sorted(others)) for term, others in equivalents.items()}


def telling_terms(passages: Sequence[Sequence[str]], index: TermIndex, count: int) -> Mapping[str, float]:
    """The terms that set passages apart, each with its weight; the weights add up to 1.

    A relevance model (RM3; Abdul-Jaleel et al. 2004): a term's weight is its mean share of a passage's terms, and the
    `count` terms are chosen by that share times their rarity.
    """
    shares: defaultdict[str, float] = defaultdict(float)
    for terms in passages:
        for term, times in Counter(terms).items():
            shares[term] += times / len(terms)
    rarity = {term: index.rarity(term) for term in shares if is_telling(term) and index.holders(term) > 1}
    chosen = sorted(rarity, key=lambda term: (-shares[term] * rarity[term], term))[:count]
    total = sum(shares[term] for term in chosen)
    return {term: shares[term] / total for term in chosen}
