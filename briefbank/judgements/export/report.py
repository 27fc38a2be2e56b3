"""What feedback says in figures: how much is searched and judged, by month, intent and strategy, and who agrees.

Counts only: no text of a query leaves this module. Must not know where the log lies.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from briefbank.judgements.evaluate.taxonomy import intent_of, strategy_of
from briefbank.judgements.feedback.agreement import Agreement, cohens_kappa

_LIKE = "more like a passage"


@dataclass(frozen=True, slots=True)
class Usage:
    """Searches and what is said now of what they showed.

    `judged_searches` are those in which somebody judged at least one passage.
    """

    searches: int
    judged_searches: int
    shown: int
    judged: int
    relevant: int

    @property
    def judged_share(self) -> float:
        """The share of searches with a judgement, 0 to 1."""
        return self.judged_searches / self.searches if self.searches else 0.0

    @property
    def relevant_share(self) -> float:
        """The share of the judgements that say relevant, 0 to 1."""
        return self.relevant / self.judged if self.judged else 0.0


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two people, by the ids of their logs, and how far they agree on what both judged."""

    first: str
    second: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class FeedbackReport:
    """The figures of a log. Groups with most searches come first, months in their order."""

    people: int
    total: Usage
    by_month: dict[str, Usage]
    by_intent: dict[str, Usage]
    by_strategy: dict[str, Usage]
    agreement: tuple[PairAgreement, ...]


@dataclass(frozen=True, slots=True)
class _Search:
    text: str
    at: str
    shown: int
    judged: int
    relevant: int


def report_of(database: sqlite3.Connection) -> FeedbackReport:
    """Count a log."""
    searches = _searches(database)
    people = database.execute("SELECT count(DISTINCT device_id) FROM event").fetchone()[0]
    months = _by(searches, lambda search: search.at[:7])
    return FeedbackReport(
        people=int(people),
        total=_usage(searches),
        by_month=dict(sorted(months.items())),
        by_intent=_by(searches, lambda search: intent_of(search.text).value if search.text else _LIKE),
        by_strategy=_by(searches, lambda search: strategy_of(search.text).value if search.text else _LIKE),
        agreement=_agreement(database),
    )


def _searches(database: sqlite3.Connection) -> list[_Search]:
    statement = """
        SELECT search.text, event.at,
               (SELECT count(*) FROM shown WHERE shown.search_id = search.event_id) AS shown,
               count(said.is_relevant) AS judged, coalesce(sum(said.is_relevant), 0) AS relevant
        FROM search JOIN event ON event.id = search.event_id
             LEFT JOIN current_judgement AS said ON said.search_id = search.event_id
        GROUP BY search.event_id ORDER BY event.seq"""
    return [_Search(*row) for row in database.execute(statement)]


def _usage(searches: list[_Search]) -> Usage:
    return Usage(
        searches=len(searches),
        judged_searches=sum(search.judged > 0 for search in searches),
        shown=sum(search.shown for search in searches),
        judged=sum(search.judged for search in searches),
        relevant=sum(search.relevant for search in searches),
    )


def _by(searches: list[_Search], name: Callable[[_Search], str]) -> dict[str, Usage]:
    groups: dict[str, list[_Search]] = defaultdict(list)
    for search in searches:
        groups[name(search)].append(search)
    return {each: _usage(of_group) for each, of_group in sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))}


def _agreement(database: sqlite3.Connection) -> tuple[PairAgreement, ...]:
    """Every two people who judged the same passages for the same queries, those with most in common first."""
    by_person: dict[str, dict[tuple[str, ...], bool]] = defaultdict(dict)
    statement = """
        SELECT device_id, text, coalesce(like_passage, ''), passage_id, text_sha256, is_relevant
        FROM current_judgement WHERE is_relevant IS NOT NULL"""
    for device_id, *item, is_relevant in database.execute(statement):
        by_person[device_id][tuple(item)] = bool(is_relevant)
    pairs = [
        PairAgreement(first, second, cohens_kappa([(by_person[first][each], by_person[second][each]) for each in both]))
        for first, second in combinations(sorted(by_person), 2)
        if (both := sorted(by_person[first].keys() & by_person[second].keys()))
    ]
    return tuple(sorted(pairs, key=lambda pair: (-pair.agreement.items, pair.first, pair.second)))
