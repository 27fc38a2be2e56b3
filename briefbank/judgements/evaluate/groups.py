"""Values per query by what the queries are after, and as a file. Knows values and texts, nothing of search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from briefbank.judgements.evaluate.metrics import PerQuery, averages
from briefbank.judgements.evaluate.taxonomy import intent_of, strategy_of
from briefbank.platform.visible import table


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """The queries of one intent or strategy: how many, and the means of their metrics."""

    query_count: int
    metrics: dict[str, float]


def groups_of(texts: Mapping[str, str], values: PerQuery) -> dict[str, QueryGroup]:
    """The groups that have queries, intents before strategies, each kind from the largest; `texts` by query id."""
    groups: dict[str, QueryGroup] = {}
    for classify in (intent_of, strategy_of):
        members: dict[str, list[str]] = {}
        for query, text in texts.items():
            members.setdefault(classify(text).value, []).append(query)
        for name, queries in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
            of_group = {
                metric: {query: each[query] for query in queries if query in each} for metric, each in values.items()
            }
            groups[name] = QueryGroup(len(queries), averages(of_group))
    return groups


def write_per_query(texts: Mapping[str, str], values: PerQuery, file: Path) -> None:
    """Write a line a query, tab-separated: its id, intent and strategy, then each metric, empty where undefined."""
    rows: list[list[str]] = [["query-id", "intent", "strategy", *values]]
    for query, text in texts.items():
        told = [f"{each[query]:.6f}" if query in each else "" for each in values.values()]
        rows.append([query, intent_of(text).value, strategy_of(text).value, *told])
    file.write_text(table(rows, separator="\t", line_end="\n"), encoding="utf-8", newline="")
