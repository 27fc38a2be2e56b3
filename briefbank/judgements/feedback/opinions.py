"""What the people of a log say now, one row for a query and a passage, however often it was searched for and judged;
and where the passages that they saw are in an index that may have been built anew since.

Must not know files or metrics.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from briefbank.index.generation import Generation
from briefbank.judgements.feedback.events import text_sha256
from briefbank.values.records import Passage

_ROWS_AT_ONCE = 10_000
"""Texts of an index that are compared at a time; chosen to stay below some 30 MB."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person says now of a passage for a query: whether it helps, or how many stars it has."""

    device_id: str
    query_id: str
    passage_id: str
    text_sha256: str
    value: int
    at: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, however often it was asked; `run` holds what its last search showed: (rank, passage, digest, score)."""

    id: str
    text: str
    run: tuple[tuple[int, str, str, float], ...]


def query_id(text: str) -> str:
    """The same for the same words in every export."""
    return f"q{text_sha256(text)[:12]}"


def opinions(database: sqlite3.Connection, table: str = "judgement", value: str = "is_relevant") -> list[Opinion]:
    """What people say now of passages found for words (not of those found for another passage), oldest first."""
    statement = f"""
        SELECT device_id, text, passage_id, text_sha256, {value} AS value, at FROM current_{table}
        WHERE {value} IS NOT NULL AND coalesce(like_passage, '') = '' AND text <> '' ORDER BY seq"""  # noqa: S608
    return [
        Opinion(
            row["device_id"],
            query_id(row["text"]),
            row["passage_id"],
            row["text_sha256"],
            int(row["value"]),
            row["at"],
        )
        for row in database.execute(statement)
    ]


def asked(database: sqlite3.Connection) -> Iterator[Asked]:
    """Yield every query of words, in the order of first asking, with what its last search showed by relevance."""
    statement = """
        SELECT search.text, search.event_id FROM search JOIN event ON event.id = search.event_id
        WHERE search.text <> '' AND coalesce(json_extract(search.parameters, '$.like_passage'), '') = ''
        ORDER BY event.seq"""
    last = {row["text"]: row["event_id"] for row in database.execute(statement)}
    for text, search_id in last.items():
        shown = database.execute(
            "SELECT rank, passage_id, text_sha256, score FROM shown WHERE search_id = ? ORDER BY rank, passage_id",
            (search_id,),
        )
        yield Asked(query_id(text), text, tuple((each[0], each[1], each[2], each[3]) for each in shown))


def like_count(database: sqlite3.Connection) -> int:
    """How many searches asked for passages like another one."""
    statement = "SELECT count(*) FROM search WHERE coalesce(json_extract(parameters, '$.like_passage'), '') <> ''"
    return int(database.execute(statement).fetchone()[0])


def passages_as_shown(generation: Generation, shown: Collection[tuple[str, str]]) -> dict[tuple[str, str], Passage]:
    """Return the passages that still read as they did, by the id and the text digest under which they were shown.

    One whose id has gone or reads differently now is looked for by its text in the whole index, at the first place that
    holds it. What is not found is absent.
    """
    found: dict[tuple[str, str], Passage] = {}
    for passage_id, digest in sorted(shown):
        passage = generation.passage(passage_id)
        if passage and text_sha256(passage.text) == digest:
            found[passage_id, digest] = passage
    missing: dict[str, list[tuple[str, str]]] = {}
    for key in sorted(set(shown) - found.keys()):
        missing.setdefault(key[1], []).append(key)
    for start in range(0, len(generation.dense) if missing else 0, _ROWS_AT_ONCE):
        rows = np.arange(start, min(start + _ROWS_AT_ONCE, len(generation.dense)))
        for row, text in zip(rows, generation.dense.texts(rows), strict=True):
            keys = missing.pop(text_sha256(text), [])
            if keys:
                passage = generation.dense.passages(np.array([row]))[0]
                found |= dict.fromkeys(keys, passage)
    return found
