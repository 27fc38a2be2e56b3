"""Events as rows of the log's tables; must not know how these are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from briefbank.judgements.feedback.events import (
    Commented,
    Event,
    Judged,
    Rated,
    SavedForgotten,
    Searched,
    SearchSaved,
    Shown,
    ShownMore,
    SummaryOpened,
)
from briefbank.judgements.feedback.saved import parameters_of

Row = tuple[str, tuple[Any, ...]]
"""A table's name and a value for each of its columns."""


def rows_of(event: Event) -> Iterator[Row]:
    """Yield the rows that an event adds to its own, each after those that it refers to."""
    match event.content:
        case Searched(query, generation, took_ms, shown):
            yield "search", (event.id, query.text, parameters_of(query), generation, took_ms)
            yield from _shown_rows(event.id, event.id, generation, shown)
        case ShownMore(search_id, generation, shown):
            yield from _shown_rows(event.id, search_id, generation, shown)
        case Judged(search_id, passage_id, is_relevant):
            yield "judgement", (event.id, search_id, passage_id, is_relevant)
        case Rated(search_id, passage_id, stars):
            yield "rating", (event.id, search_id, passage_id, stars)
        case Commented(search_id, text):
            yield "comment", (event.id, search_id, text)
        case SummaryOpened(search_id, passage_id):
            yield "summary_opened", (event.id, search_id, passage_id)
        case SearchSaved(name, query):
            yield "saved", (event.id, name, query.text, parameters_of(query))
        case SavedForgotten(name):
            yield "saved", (event.id, name, None, None)


def _shown_rows(event_id: str, search_id: str, generation: str, shown: Iterable[Shown]) -> Iterator[Row]:
    for each in shown:
        place = (each.position, each.rank, each.score)
        passage = (each.passage_id, each.document_id, each.text_sha256)
        yield "shown", (event_id, search_id, *place, *passage, generation)
