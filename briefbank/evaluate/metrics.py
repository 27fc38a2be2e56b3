"""Retrieval metrics, computed by ir-measures over trec_eval. Knows runs and judgements, nothing of search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from briefbank.evaluate.beir import Qrels

Ranking = Mapping[str, Sequence[str]]
"""Passage ids by query id, best first."""


def score(ranking: Ranking, qrels: Qrels, relevant_from: int = 1) -> dict[str, float]:
    """Average the metrics over the queries of the qrels; a query without results counts 0.

    Recall, precision, MRR and MAP take grades from `relevant_from` as relevant, NDCG the grades themselves as gains
    (Järvelin and Kekäläinen 2002; log2 discount, as trec_eval). An unjudged passage counts as not relevant.

    Returns:
        Values from 0 to 1 by name (`Recall@5`, …).
    """
    import ir_measures

    measures = _measures(relevant_from)
    judged = [
        ir_measures.Qrel(query, passage, grade) for query, grades in qrels.items() for passage, grade in grades.items()
    ]
    # trec_eval orders by score and breaks ties its own way: the rank alone decides.
    run = [
        ir_measures.ScoredDoc(query, passage, -float(rank))
        for query, passages in ranking.items()
        for rank, passage in enumerate(passages)
    ]
    values = ir_measures.pytrec_eval.calc_aggregate(list(measures.values()), judged, run)
    return {name: float(values[measure]) for name, measure in measures.items()}


def _measures(relevant_from: int) -> dict[str, Any]:
    from ir_measures import AP, RR, P, R, nDCG

    measures: dict[str, Any] = {f"Recall@{k}": R(rel=relevant_from) @ k for k in (1, 5, 10, 100)}
    measures |= {f"NDCG@{k}": nDCG @ k for k in (5, 10)}
    measures |= {"MRR@10": RR(rel=relevant_from) @ 10, "MAP@100": AP(rel=relevant_from) @ 100}
    return measures | {"Precision@5": P(rel=relevant_from) @ 5}


def judged_share(ranking: Ranking, qrels: Qrels, cutoff: int) -> float:
    """The share of the first `cutoff` results, over all queries of the qrels, that somebody judged, 0 to 1."""
    shown = [(query, passage) for query in qrels for passage in list(ranking.get(query, ()))[:cutoff]]
    return sum(passage in qrels[query] for query, passage in shown) / len(shown) if shown else 0.0
