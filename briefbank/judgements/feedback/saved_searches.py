"""Queries as the log keeps them, the searches saved under a name, and the history; must not know who shows them."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from briefbank.values.records import Query


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A query that was given a name."""

    name: str
    query: Query


def parameters_of(query: Query) -> str:
    """Return all of a query but its text, as JSON."""
    table = msgspec.to_builtins(query)
    del table["text"]
    return msgspec.json.encode(table).decode()


def query_of(text: str, parameters: str) -> Query:
    """Return the query that has this text and these `parameters_of`; what an older program did not know is default."""
    return msgspec.convert({**msgspec.json.decode(parameters), "text": text}, Query)


def history(database: sqlite3.Connection, device_id: str, limit: int) -> list[str]:
    """Return what was searched for on this machine, each text once, newest first."""
    statement = """
        SELECT search.text FROM search JOIN event ON event.id = search.event_id
        WHERE search.text <> '' AND event.device_id = ? GROUP BY search.text ORDER BY max(event.seq) DESC LIMIT ?"""
    return [text for (text,) in database.execute(statement, (device_id, limit))]


def saved_searches(database: sqlite3.Connection, device_id: str) -> list[SavedSearch]:
    """Return the searches saved on this machine, by name, without those that only another program understands."""
    statement = "SELECT name, text, parameters FROM current_saved WHERE device_id = ? AND text IS NOT NULL"
    saved = []
    for name, *rest in database.execute(statement, (device_id,)):
        with suppress(msgspec.ValidationError):
            saved.append(SavedSearch(name, query_of(*rest)))
    return sorted(saved, key=lambda each: (each.name.casefold(), each.name))
