"""What a query is after and how it is best searched, after the taxonomy of the NJ BriefBank paper (§4); figures by it.

The rules are few and can be read; they look at the words of a query alone. Knows nothing of search.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from briefbank.errors import UsageError
from briefbank.judgements.evaluate.metrics import PerQuery, averages
from briefbank.platform.visible import table
from briefbank.search.parse import understand


class Intent(StrEnum):
    """What a defender looks for."""

    STANDARD = "standard, rule or doctrine"
    TOPIC = "topical search"
    ARGUMENT = "legal argument"
    CLARIFICATION = "term clarification"
    DEFINITION = "definition"
    EXCEPTION = "exception"
    FACT = "factual answer"
    GOOD_LAW = "good law"


class Strategy(StrEnum):
    """Which kind of search finds it."""

    MEANING = "embeddings"
    WORDS = "keywords"
    STEPS = "agentic"


_ASKED = (
    r"(?:find|show|give|get|provide|list|search|look)(?: (?:me|us|for))?\b",
    r"(?:briefs?|cases?|directives?|memos?)\b",
)
_INTENTS = (
    (Intent.GOOD_LAW, r"\bgood law\b|\boverrul|\bstill (?:valid|binding|controlling)\b"),
    (Intent.CLARIFICATION, r"\bdifferences? between\b|\bdistinction between\b|\bversus\b|\bcompared? (?:to|with)\b"),
    (Intent.EXCEPTION, r"\bexceptions?\b"),
    (Intent.DEFINITION, r"\bdefin(?:e|ed|ition)|\bmeaning of\b|\bwhat (?:does .* mean|counts as|qualifies as)\b"),
    (Intent.FACT, r"^(?:when was|when did|who |how many|how much|where )|^has .* been (?:addressed|decided|amended)\b"),
    (Intent.ARGUMENT, r"\barguments?\b|\bargue|\bagainst (?:admission|admitting)\b"),
    (Intent.TOPIC, rf"^(?:please |can you )?(?:{'|'.join(_ASKED)})"),
)
_STEPS = re.compile(
    r"^(?:when was|when did|who |how many)|\bbeen (?:addressed|decided|amended|overruled)\b|\bgood law\b", re.IGNORECASE
)
_QUESTION = re.compile(
    r"\?|^(?:what|when|where|who|how|why|which|is|are|was|were|does|do|did|can|could|may|must|has|have|should)\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:standards?|rules?|tests?|elements|factors|requirements?|limits|doctrine|burden)\b", re.IGNORECASE
)
_KEYWORDS_MOST = 3


def intent_of(text: str) -> Intent:
    """The intent of a query: the first whose words it holds, else a standard for a question, else a topic."""
    text = text.strip()
    found = next((intent for intent, pattern in _INTENTS if re.search(pattern, text, re.IGNORECASE)), None)
    return found or (Intent.STANDARD if _QUESTION.search(text) or _RULE.search(text) else Intent.TOPIC)


def strategy_of(text: str) -> Strategy:
    """The strategy of a query: steps for the state of the law or its history, words for a citation, rule or statute and
    for few words without a question, else meaning.
    """
    if _STEPS.search(text.strip()):
        return Strategy.STEPS
    try:
        words = understand(text).words
    except UsageError:
        return Strategy.WORDS
    is_bare = not _QUESTION.search(text.strip()) and len(words) <= _KEYWORDS_MOST
    return Strategy.WORDS if is_bare or any(word.is_legal_number for word in words) else Strategy.MEANING


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
