"""Retrieval metrics, most of them by ir-measures over trec_eval. Knows runs and judgements, nothing of search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from briefbank.judgements.evaluate.beir import Qrels

Ranking = Mapping[str, Sequence[str]]
"""Passage ids by query id, best first."""
PerQuery = dict[str, dict[str, float]]
"""Values of 0 to 1 by metric and query id. A metric that a query does not define lacks the query."""

# As ACORD grades, from 0 to 4, which it tells as one to five stars.
_BEST_GRADE = 4
_STARS = (3, 4, 5)
# As many as a search shows at first.
_SHOWN = 5


def score(ranking: Ranking, qrels: Qrels, relevant_from: int = 1) -> dict[str, float]:
    """Average the metrics of `score_queries` over the queries that define them."""
    return averages(score_queries(ranking, qrels, relevant_from))


def averages(values: PerQuery) -> dict[str, float]:
    """The mean of each metric over the queries that define it."""
    return {name: sum(each.values()) / len(each) for name, each in values.items() if each}


def score_queries(ranking: Ranking, qrels: Qrels, relevant_from: int = 1) -> PerQuery:
    """Score each query of the qrels; one without results counts 0.

    Recall, MRR, MAP and Useful@5 (the share of the five shown that are relevant) take grades from `relevant_from` as
    relevant, NDCG the grades themselves as gains (Järvelin and Kekäläinen 2002; log2 discount, as trec_eval). An
    unjudged passage counts as not relevant. Where grades run from 0 to 4, the star precisions of ACORD are added.

    Returns:
        Values by name (`Recall@5`, …) and query.
    """
    import ir_measures

    measures = _measures(relevant_from)
    names = {measure: name for name, measure in measures.items()}
    judged = [
        ir_measures.Qrel(query, passage, grade) for query, grades in qrels.items() for passage, grade in grades.items()
    ]
    # trec_eval orders by score and breaks ties its own way: the rank alone decides.
    run = [
        ir_measures.ScoredDoc(query, passage, -float(rank))
        for query, passages in ranking.items()
        for rank, passage in enumerate(passages)
    ]
    values: PerQuery = {name: dict.fromkeys(qrels, 0.0) for name in measures}
    for metric in ir_measures.pytrec_eval.iter_calc(list(measures.values()), judged, run):
        values[names[metric.measure]][metric.query_id] = float(metric.value)
    if max((grade for grades in qrels.values() for grade in grades.values()), default=0) == _BEST_GRADE:
        values |= {f"{stars}-star@5": _star_precision(ranking, qrels, stars) for stars in _STARS}
    return values


def _star_precision(ranking: Ranking, qrels: Qrels, stars: int) -> dict[str, float]:
    """Star precision@5 as ACORD defines it (appendix F.1), by query; grade 0 is one star.

    It is the number of the first five with at least so many stars over the number that there could be, at most five; a
    query without such a passage has none.
    """
    values = {}
    for query, grades in qrels.items():
        viable = {passage for passage, grade in grades.items() if grade + 1 >= stars}
        if viable:
            found = sum(passage in viable for passage in list(ranking.get(query, ()))[:_SHOWN])
            values[query] = found / min(_SHOWN, len(viable))
    return values


def _measures(relevant_from: int) -> dict[str, Any]:
    from ir_measures import AP, RR, P, R, nDCG

    measures: dict[str, Any] = {f"Recall@{k}": R(rel=relevant_from) @ k for k in (1, 5, 10, 100)}
    measures |= {f"NDCG@{k}": nDCG @ k for k in (5, 10)}
    measures |= {"MRR@10": RR(rel=relevant_from) @ 10, "MAP@100": AP(rel=relevant_from) @ 100}
    return measures | {"Useful@5": P(rel=relevant_from) @ _SHOWN}


def judged_share(ranking: Ranking, qrels: Qrels, cutoff: int) -> float:
    """The share of the first `cutoff` results, over all queries of the qrels, that somebody judged, 0 to 1."""
    shown = [(query, passage) for query in qrels for passage in list(ranking.get(query, ()))[:cutoff]]
    return sum(passage in qrels[query] for query, passage in shown) / len(shown) if shown else 0.0
