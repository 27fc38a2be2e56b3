"""Answers what is meant to the letter: terms and connectors, and citations asked for alone with the briefs that have
them.

Every passage that meets them is found and scored. Must not know how natural language is understood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.selection import Mask
from briefbank.index.surface import spans_at
from briefbank.law.citations import CitationKind
from briefbank.models.encoders.port import Encoder
from briefbank.search.asked_authority import NamedAuthority, held_spans, holding
from briefbank.search.connectors import Block, Evaluated, Evaluator, explain
from briefbank.search.connectors.fields import cited_by, cited_spans, field_rows
from briefbank.search.connectors.syntax import (
    Cites,
    Expression,
    OfSection,
    has_places,
    wanted_parts,
    wanted_words,
)
from briefbank.search.parse import ParsedQuery
from briefbank.search.retrieve import LEAST
from briefbank.search.scope import LOWERING, Scope, Scores, scope_of
from briefbank.values.authorities import Addressed, AddressingBrief, Step
from briefbank.values.bands import ended_as
from briefbank.values.records import Passage, SortOrder, Span

# The order of exact matches is chosen (22 November 2026), not measured: next to no judged query uses connectors or asks
# for a citation. What is found does not depend on it.
_SATURATION = 1.2
"""How soon further occurrences add little: `k1` of BM25 in the lexical index, of which this is the same formula."""
_DENSE_SHARE = 0.4
"""Share of nearness in meaning; the words weigh more, since whoever writes an expression has chosen them."""
_NO_POSTINGS = "Index the folder again (briefbank index FOLDER); no file is read a second time for it."
_FORMS = {
    CitationKind.FULL: "in full",
    CitationKind.SHORT: "in short form",
    CitationKind.SUPRA: "supra",
    CitationKind.ID: "id.",
    CitationKind.NAME: "by name",
}

Reason = tuple[tuple[Span, ...], str]


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """`rows` are all passages within the `scope` that meet the query, ascending; `scores` are 0 to 1, shape (rows,).

    `reason` gives, for a row and its passage, the spans that match and why it was found. `hidden_count` says how many
    more there are in sections that are kept back.
    """

    scope: Scope
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


def answer_exactly(parsed: ParsedQuery, generation: Generation, encoder: Encoder, depth: int) -> ExactAnswer | None:
    """The passages that meet what is meant to the letter; None where nothing is, or nobody cites all that is named.

    Nearness in meaning orders the `depth` best passages that meet an expression.

    Raises:
        UsageError: the generation was written by a program that knew no terms and connectors, or there is no document
            that the filters name.
    """
    if parsed.expression:
        # The kinds of sections that it asks for are not kept back.
        parts = [part for part, _ in wanted_parts(parsed.expression)]
        named = frozenset(part.kind for part in parts if isinstance(part, OfSection))
        scope = scope_of(parsed.query, generation.dense, named, parsed.filters)
        return _answer_to_expression(parsed.expression, generation, encoder, scope, depth)
    if not parsed.authorities:
        return None
    return _answer_to_citations(
        parsed.authorities, generation, scope_of(parsed.query, generation.dense, filters=parsed.filters)
    )


def _answer_to_expression(
    expression: Expression, generation: Generation, encoder: Encoder, scope: Scope, depth: int
) -> ExactAnswer:
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
        fields = [part for part, _ in wanted_parts(expression) if isinstance(part, Cites)]
        cited = [span for field in fields for span in cited_spans(field, generation, row)]
        times = f", cites it {'once' if len(cited) == 1 else f'{len(cited)} times'}" if cited else ""
        return _united([*words, *cited]), f"meets the expression{marked}{times}"

    return ExactAnswer(scope, rows, _lowered(scores, rows, scope), explain(expression), hidden_count, reason)


def _answer_to_citations(found: Sequence[NamedAuthority], generation: Generation, scope: Scope) -> ExactAnswer | None:
    authorities = generation.authorities
    if authorities is None:
        return None
    groups = [authorities.rows(each.keys) for each in found]
    known = reduce(np.intersect1d, (cited for cited, _ in groups))
    held = {each: holding(each, generation, scope.mask | scope.hidden) for each in found}
    every = reduce(
        np.intersect1d, (np.union1d(cited, held[each][0]) for each, (cited, _) in zip(found, groups, strict=True))
    )
    if not len(every):
        return None
    rows = every[scope.mask[every]]
    scores = np.zeros(len(every))
    for cited, weights in groups:
        is_cited = np.isin(every, cited)
        scores[is_cited] += weights[np.searchsorted(cited, every[is_cited])]
    is_known = np.isin(every, known)
    scores[~is_known] = 0
    scores = scores[scope.mask[every]]
    keys = [key for each in found for key in each.keys]
    named = " and ".join(each.words for each in found)
    numbers = " and ".join(f"“{each.number}”" for each in found)

    def reason(row: int, passage: Passage) -> Reason:
        spans = authorities.spans(keys, row)
        if row not in known:
            places = [span for each in found for span in held_spans(each, passage.text)]
            return _united([*places, *(span for span, _ in spans)]), f"holds {numbers}, in no form known as a citation"
        ways = ", ".join(dict.fromkeys(_FORMS[kind] for _, kind in spans))
        times = "once" if len(spans) == 1 else f"{len(spans)} times"
        return tuple(span for span, _ in spans), f"cites {named} {times}: {ways}"

    explanation = f"Looks for passages that cite {named}, in full or in a short form (supra, id.)."
    if more := int(np.count_nonzero(~np.isin(rows, known))):
        explanation += f" {more:,} more {'holds' if more == 1 else 'hold'} {numbers}; they stand last."
    if unread := max(count for _, count in held.values()):
        explanation += f" Too many have these words to look through all of them: {unread:,} were not."
    scores = _lowered(scores / max(float(scores.max(initial=0.0)), LEAST), rows, scope)
    return ExactAnswer(scope, rows, scores, explanation, int(scope.hidden[every].sum()), reason)


def briefs_addressing(parsed: ParsedQuery, generation: Generation) -> Addressed:
    """Return every brief that cites all of the authorities that a query asks for alone and meets all its conditions,
    with how many briefs each of these leaves: "has State v. Carty been addressed since 2019 in briefs that won".

    They stand newest first, or in the order of outcomes where the query asks for it, undated ones last.
    """
    named, query = parsed.authorities, parsed.query
    steps, groups = [], [generation.authorities.rows(each.keys)[0] for each in named if generation.authorities]
    words = tuple(each.words for each in named)
    meanings = ("", f"cites {' and '.join(words)}"), *((each.text, each.meaning) for each in parsed.hints)
    for (text, meaning), filters in zip(meanings, (query.filters, *parsed.stages), strict=True):
        scope = scope_of(query, generation.dense, filters=filters)
        citing = _citing_all(groups, scope.mask, generation)
        steps.append(Step(text, meaning, len(citing)))
    found = list(_briefs(np.unique(np.concatenate(groups)), citing, scope.mask, generation))
    hidden = _citing_all(groups, scope.mask | scope.hidden, generation).size - citing.size
    by_outcome = query.sort is SortOrder.OUTCOME
    found.sort(
        key=lambda each: (
            ended_as(each.document) if by_outcome else 0,
            -(each.document.filed or date.min).toordinal(),
            each.document.id,
        )
    )
    return Addressed(words, tuple(steps), tuple(found), hidden, parsed.notices)


def _citing_all(groups: Sequence[Rows], mask: Mask, generation: Generation) -> Rows:
    """The documents, by number, with a passage in the mask for each of the groups of rows."""
    documents = generation.dense.columns.document
    return reduce(np.intersect1d, (np.unique(documents[rows[mask[rows]]]) for rows in groups)).astype(np.int64)


def _briefs(rows: Rows, citing: Rows, mask: Mask, generation: Generation) -> Iterator[AddressingBrief]:
    documents = generation.dense.columns.document
    inside = rows[mask[rows] & np.isin(documents[rows], citing)]
    numbers, firsts, counts = np.unique(documents[inside], return_index=True, return_counts=True)
    ids = generation.dense.ids(inside[firsts])
    for number, passage_id, count in zip(numbers.tolist(), ids, counts.tolist(), strict=True):
        yield AddressingBrief(generation.dense.documents[number], count, passage_id)


def _lowered(scores: Scores, rows: Rows, scope: Scope) -> Scores:
    return np.where(scope.lowered[rows], LOWERING, 1.0) * scores


def _said(found: Evaluated, expression: Expression, generation: Generation) -> Scores:
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
