"""Answers what is meant to the letter: terms and connectors, and citations asked for alone.

Every passage that meets them is found, then ranked. Must not know how natural language is understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from briefbank.errors import UsageError
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.surface import spans_at
from briefbank.law.citations import CitationKind, QueryCitation, citations_in_query
from briefbank.models.encoders.port import Encoder
from briefbank.search.asked_authority import NamedAuthority, authorities_in
from briefbank.search.connectors import Block, Evaluator, Found, explain, is_connectors, parse
from briefbank.search.connectors.fields import cited_by, cited_spans, field_rows
from briefbank.search.connectors.syntax import (
    Cites,
    Expression,
    OfSection,
    has_places,
    wanted_parts,
    wanted_words,
)
from briefbank.search.query import Understanding
from briefbank.search.scope import LOWERING, Scope
from briefbank.values.records import Passage, SectionKind, Span

# The order of exact matches is chosen (22 November 2026), not measured: next to no judged query uses connectors or asks
# for a citation. What is found does not depend on it.
_SATURATION = 1.2
"""How soon further occurrences add little: `k1` of BM25 in the lexical index, of which this is the same formula."""
_DENSE_SHARE = 0.4
"""Share of nearness in meaning; the words weigh more, since whoever writes an expression has chosen them."""
_NO_POSTINGS = "Index the folder again (briefbank index FOLDER); no file is read a second time for it."

_LEAST = 1e-9
"""In the place of 0, where the best weight is divided by."""
# Chosen, not measured, for the same want of judged citations: enough to lift what treats the authority at length.
_CITED_BONUS = 0.25
"""What a passage gains in a query in natural language by what it says about an authority that the query cites."""
_ASKING = frozenset(
    "address addressed addresses addressing discuss discussed discusses discussing cite cited cites citing mention "
    "mentioned mentions brief briefed briefs raise raised argue argued rely relied relies invoke invoked use used "
    "follow followed apply applied distinguish distinguished cover covered deal dealt write written ever anywhere "
    "anyone anybody somebody someone everyone office offices ours memo memos motion motions filing filings document "
    "documents passage passages case cases decision opinion authority authorities article articles rule rules section "
    "sections statute statutes tex texas still often many times good law valid".split()
)
"""Words that ask who speaks of an authority, and name nothing beside it: "which of our briefs have relied on"."""
_FORMS = {
    CitationKind.FULL: "in full",
    CitationKind.SHORT: "in short form",
    CitationKind.SUPRA: "supra",
    CitationKind.ID: "id.",
    CitationKind.NAME: "by name",
}

Scores = npt.NDArray[np.float64]
Reason = tuple[tuple[Span, ...], str]


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
class ExactAnswer:
    """`rows` are all passages within the scope that meet the query, ascending; `scores` are 0 to 1, shape (rows,).

    `reason` gives, for a row and its passage, the spans that match and why it was found. `hidden_count` says how many
    more there are in sections that are kept back.
    """

    rows: Rows
    scores: Scores
    explanation: str
    hidden_count: int
    reason: Callable[[int, Passage], Reason]

    def best(self, count: int) -> Rows:
        """The places of the best `count` rows, and of those that score as the last of them, ascending."""
        return _best(self.scores, count)


def _best(scores: Scores, count: int) -> Rows:
    """The places of the best `count` scores, and of those that equal the last of them, ascending."""
    if len(scores) <= count:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    return np.flatnonzero(scores >= least)


def is_expression(text: str) -> bool:
    """Whether a query is to be read as terms and connectors."""
    return is_connectors(text)


def answer_to_expression(text: str, generation: Generation, encoder: Encoder, scope: Scope, depth: int) -> ExactAnswer:
    """The passages that meet terms and connectors; nearness in meaning orders the `depth` best of them.

    Raises:
        ConnectorsError: the expression breaks the rules.
        UsageError: the generation was written by a program that knew no terms and connectors.
    """
    expression = parse(text)
    if generation.surface is None:
        message = "This index was built by an older program, which could not search by terms and connectors."
        raise UsageError(message, _NO_POSTINGS)
    evaluator = Evaluator(expression, generation.surface, lambda field: field_rows(field, generation))
    found = evaluator.found()
    hidden_count = int(scope.hidden[found.rows].sum())
    found = found.within(scope.mask)
    rows, scores = found.rows, _said(found, expression, generation)
    if all(weight == 1 for _, weight in wanted_parts(expression)):
        scores = _with_meaning(scores, expression, rows, generation, encoder, depth)

    def reason(row: int, passage: Passage) -> Reason:
        words = _marked(evaluator.block(row, row + 1), expression, passage.text)
        marked = f", {len(words)} word{'' if len(words) == 1 else 's'} marked" if words else ""
        cited = _citations_marked(expression, generation, row)
        times = f", cites it {'once' if len(cited) == 1 else f'{len(cited)} times'}" if cited else ""
        return _united([*words, *cited]), f"meets the expression{marked}{times}"

    return ExactAnswer(rows, _lowered(scores, rows, scope), explain(expression), hidden_count, reason)


def answer_to_citations(
    text: str, understanding: Understanding, generation: Generation, scope: Scope
) -> ExactAnswer | None:
    """The passages that cite all that a query names; None where it asks for anything else or nobody cites that."""
    authorities = generation.authorities
    found = authorities_alone(text, understanding, generation)
    if authorities is None or not found:
        return None
    groups = [authorities.rows(each.keys) for each in found]
    every = reduce(np.intersect1d, (cited for cited, _ in groups))
    if not len(every):
        return None
    rows = every[scope.mask[every]]
    scores = np.zeros(len(rows))
    for cited, weights in groups:
        scores += weights[np.searchsorted(cited, rows)]
    keys = [key for each in found for key in each.keys]
    named = " and ".join(each.words for each in found)

    def reason(row: int, _: Passage) -> Reason:
        spans = authorities.spans(keys, row)
        ways = ", ".join(dict.fromkeys(_FORMS[kind] for _, kind in spans))
        times = "once" if len(spans) == 1 else f"{len(spans)} times"
        return tuple(span for span, _ in spans), f"cites {named} {times}: {ways}"

    explanation = f"Looks for passages that cite {named}, in full or in a short form (supra, id.)."
    scores = _lowered(scores / max(float(scores.max(initial=0.0)), _LEAST), rows, scope)
    return ExactAnswer(rows, scores, explanation, int(scope.hidden[every].sum()), reason)


def authorities_alone(text: str, understanding: Understanding, generation: Generation) -> list[NamedAuthority]:
    """The authorities that a query names; none where it asks for anything else, or understands to be a sample."""
    found = _citations(text, generation)
    return authorities_in(text, generation.authorities) if found and _is_all(found, understanding) else []


def citing(text: str, understanding: Understanding, generation: Generation, scope: Scope, depth: int) -> Weighted:
    """The `depth` passages within the scope that say most about what a question cites; none for a sample of text."""
    keys = [key for citation in _citations(text, generation) for key in citation.keys]
    if generation.authorities is None or not keys or understanding.is_sample:
        return NOTHING_WEIGHTED
    rows, weights = generation.authorities.rows(keys)
    is_in = scope.mask[rows]
    rows, weights = rows[is_in], weights[is_in]
    best = np.sort(np.lexsort((rows, -weights))[:depth])
    return Weighted(rows[best], weights[best].astype(np.float64) / max(float(weights.max(initial=0.0)), _LEAST))


def _citations(text: str, generation: Generation) -> tuple[QueryCitation, ...]:
    authorities = generation.authorities
    return citations_in_query(text, authorities.patterns, authorities.known) if authorities else ()


def _is_all(found: Sequence[QueryCitation], understanding: Understanding) -> bool:
    """Whether a query has no content beside its citations."""
    spans = [citation.span for citation in found]
    return not understanding.is_sample and all(
        token.is_stop_word
        or any(span.start <= token.span.start < span.end for span in spans)
        or surface.casefold() in _ASKING
        for token, surface in zip(understanding.words, understanding.surfaces, strict=True)
    )


def _lowered(scores: Scores, rows: Rows, scope: Scope) -> Scores:
    return np.where(scope.lowered[rows], LOWERING, 1.0) * scores


def sections_named(text: str) -> frozenset[SectionKind]:
    """The kinds of sections that an expression asks for, which are then not kept back; raises as `parse`."""
    return frozenset(part.kind for part, _ in wanted_parts(parse(text)) if isinstance(part, OfSection))


def _said(found: Found, expression: Expression, generation: Generation) -> Scores:
    """How often each passage that was found holds what is wanted, rare things counting more, with the weights given.

    What is cited counts by how much the passage says about it: how often, in how many words, alone or in a string.
    """
    scores = np.zeros(len(found.rows))
    for part, weight in wanted_parts(expression):
        if has_places(part):
            times, holders = found.times[part].astype(np.float64), found.holders[part]
        elif isinstance(part, Cites):
            said = np.zeros(len(generation.dense))
            citing_rows, values = cited_by(part, generation)
            said[citing_rows] = values
            times, holders = said[found.rows], int(np.count_nonzero(said))
        else:
            continue
        rarity = np.log1p(len(generation.dense) / max(1, holders))
        scores += weight * rarity * times / (times + _SATURATION)
    best = float(scores.max(initial=0.0))
    return scores / best if best else scores


def _with_meaning(
    scores: Scores, expression: Expression, rows: Rows, generation: Generation, encoder: Encoder, depth: int
) -> Scores:
    """The scores mixed with nearness in meaning, which is looked up for the best of them."""
    words = " ".join(dict.fromkeys(word.pattern.replace("*", "") for word in wanted_words(expression)))
    if not words or not len(rows):
        return scores
    vector = encoder.encode_queries([words])[0]
    best = _best(scores, depth)
    near = np.sort(best[np.argsort(-scores[best], kind="stable")[:depth]])
    meaning = np.zeros(len(rows))
    meaning[near] = np.clip(generation.dense.ranking_vectors(rows[near]) @ vector, 0, 1)
    return (1 - _DENSE_SHARE) * scores + _DENSE_SHARE * meaning


def _citations_marked(expression: Expression, generation: Generation, row: int) -> list[Span]:
    fields = [part for part, _ in wanted_parts(expression) if isinstance(part, Cites)]
    return [span for field in fields for span in cited_spans(field, generation, row)]


def _united(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans in order, those that overlap as one."""
    united: list[Span] = []
    for span in sorted(spans):
        if united and span.start < united[-1].end:
            united[-1] = Span(united[-1].start, max(united[-1].end, span.end))
        else:
            united.append(span)
    return tuple(united)


def _marked(block: Block, expression: Expression, text: str) -> tuple[Span, ...]:
    """The words of a passage, which is a block of its own, that meet the expression, in order."""
    meant = {place for word in wanted_words(expression) for place in block.matches(word).first.tolist()}
    marked: set[int] = set()
    for part, _ in wanted_parts(expression):
        if has_places(part):
            for first, last in zip(*(numbers.tolist() for numbers in block.matches(part)), strict=True):
                marked.update(meant.intersection(range(first, last + 1)))
    return spans_at(text, (place - block.first_place for place in sorted(marked)))
