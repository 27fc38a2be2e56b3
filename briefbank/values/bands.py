"""How people see results: in which order, what stands above each part. Knows hits alone.

Searches hand out hits by rank; whoever shows some takes their order from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from briefbank.values.outcomes import Ending, ending_of
from briefbank.values.records import Band, Document, Hit, SortOrder

_HEADINGS = {Band.ON_POINT: "On point", Band.RELATED: "Related", Band.WEAK: "Weaker"}
_ENDINGS = tuple(Ending)
_BEST_LOWER = "What matches best, the newest first; the best match stands lower."
_NOTHING_ON_POINT = "Nothing found is squarely on point. {}:"
# Measured on 28 November 2026 on the judged queries that docs/evaluation.md, “On point or related”, describes.
_LIKE = 0.8
"""Share of the probability of the best of some results from which others count as about as likely. Of 1,293 queries
the first brief holds something useful for 74.1 % with it, for 71.2 % with 0.5 (+2.9 [1.8, 3.9]), by match for 73.9 %.
"""
_MAY_ANSWER = 0.35
"""Probability of the best match from which most lists hold something useful though nothing counts as on point: 53 % of
160 queries up to 0.4, 57 % of 283 up to 0.5; 43 % of 138 between 0.3 and here.
"""


def arranged(hits: Iterable[Hit], order: SortOrder) -> tuple[Hit, ...]:
    """Return hits by rank; or newest first among those about as likely useful, undated ones last: no hit stands above
    another that is likelier by more than a quarter, and no band mixes with the next. Where nothing is on point, the
    best match comes first.

    By outcome, those of cases that were won come first among such hits, then those won in part, those that were lost
    last; what is not known to have ended either way stands before these.
    """
    ranked = sorted(hits, key=lambda hit: hit.rank)
    if order is SortOrder.RELEVANCE:
        return tuple(ranked)
    steps = _steps(ranked, is_best_first=order is SortOrder.RECENCY)

    def place(hit: Hit) -> tuple[int, int, int, int]:
        ended = ended_as(hit.document) if order is SortOrder.OUTCOME else 0
        return (steps[hit.rank], ended, -(hit.document.filed or date.min).toordinal(), hit.rank)

    return tuple(sorted(ranked, key=place))


def _steps(ranked: Sequence[Hit], *, is_best_first: bool) -> dict[int, int]:
    """Number the steps, by rank, in which the likelihood of hits falls: at each by a fifth, or to another band."""
    steps: dict[int, int] = {}
    number, before, likely_first = 0, None, 0.0
    for hit in ranked:
        is_behind_best = is_best_first and len(steps) == 1 and before not in (None, Band.ON_POINT)
        likely = hit.probability or 0.0
        if hit.band is not before or likely < _LIKE * likely_first or is_behind_best:
            number, before, likely_first = number + 1, hit.band, likely
        steps[hit.rank] = number
    return steps


def order_notice(hits: Iterable[Hit], order: SortOrder) -> str:
    """Return what people should know of an order that is not by match, or nothing.

    Where no hit has a band, as in what an issue finds, the newest comes first though it may match less, which is said.
    In the order by outcome it is said of how many briefs none is known.
    """
    hits = tuple(hits)
    if order is SortOrder.RECENCY and not any(hit.band for hit in hits):
        first = arranged(hits, order)[:1]
        return _BEST_LOWER if first != arranged(hits, SortOrder.RELEVANCE)[:1] else ""
    endings = {hit.document.id: _ENDINGS[ended_as(hit.document)] for hit in hits} if order is SortOrder.OUTCOME else {}
    unknown = sum(each is Ending.UNKNOWN for each in endings.values())
    if not unknown:
        return ""
    which = f"{unknown:,} of these {len(endings):,} briefs" if len(endings) > 1 else "this brief"
    return f"How the case of {which} ended is not known; such results stand between those of cases won and lost."


def ended_as(document: Document) -> int:
    """Return where a brief stands in the order of outcomes: 0 won, 1 in part, 2 not known, 3 lost."""
    outcome = document.metadata.outcome
    return _ENDINGS.index(ending_of(outcome.value if outcome else None))


@dataclass(frozen=True, slots=True)
class BriefHits:
    """The hits in one brief, the best first, which stands for the others and says in which band the brief stands."""

    hits: tuple[Hit, ...]

    @property
    def best(self) -> Hit:
        return self.hits[0]

    @property
    def document(self) -> Document:
        return self.best.document


def by_brief(hits: Iterable[Hit], order: SortOrder, most: int | None = None) -> tuple[BriefHits, ...]:
    """Return the `most` best briefs that the hits stand in (all where None), arranged as their best hits would be."""
    grouped: dict[str, list[Hit]] = {}
    for hit in arranged(hits, SortOrder.RELEVANCE):
        grouped.setdefault(hit.document.id, []).append(hit)
    best = {each[0].passage.id: BriefHits(tuple(each)) for each in list(grouped.values())[:most]}
    return tuple(best[hit.passage.id] for hit in arranged((each.best for each in best.values()), order))


def band_headings(hits: Iterable[Hit]) -> tuple[str, ...]:
    """What is said above each of the hits, in the order shown: a heading where a band begins, elsewhere nothing.

    The first says that nothing is on point, unless the best match or the headings of one speak against it.
    """
    hits = tuple(hits)
    bands = [hit.band for hit in hits]
    headings = [
        _HEADINGS[band] if band and band is not before else ""
        for before, band in zip([None, *bands], bands, strict=False)
    ]
    may_answer = any(hit.names_subject or (hit.probability or 0.0) >= _MAY_ANSWER for hit in hits)
    if bands and Band.ON_POINT not in bands and bands[0] and not may_answer:
        headings[0] = _NOTHING_ON_POINT.format(_HEADINGS[bands[0]])
    return tuple(headings)
