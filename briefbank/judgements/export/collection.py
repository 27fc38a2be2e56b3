"""Feedback as a judged collection: a BEIR folder that `briefbank evaluate` takes as it is, or TREC files.

Queries are those asked in words; what was asked as "more like this" has none and is left out. The log holds no text of
briefs: passages are looked up in an index, which may have been built anew since.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection as AnyOf
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.generation import Generation
from briefbank.judgements.evaluate.beir import (
    Entry,
    Qrels,
    Run,
    write_beir,
    write_trec_qrels,
    write_trec_run,
)
from briefbank.judgements.feedback.events import text_sha256
from briefbank.judgements.feedback.merge import temporary_log
from briefbank.judgements.feedback.sources import read_source
from briefbank.platform.files import new_folder
from briefbank.platform.visible import cell
from briefbank.values.records import Passage

QRELS_NAME = "feedback"
RUN_NAME = "shown.run"
_TAG = "shown"

_ROWS_AT_ONCE = 10_000
"""Texts of an index that are compared at a time; chosen to stay below some 30 MB."""

Key = tuple[str, str]
"""A passage as the log knows it: its id and the digest of its text."""


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


@dataclass(frozen=True, slots=True)
class CollectionReport:
    """What an export holds. `gone` counts the passages that the bank no longer has as they were shown, `lost` the
    judgements on these, `divided` the judgements on which people disagree, `left_out` the searches without words.
    """

    queries: int
    passages: int
    judgements: int
    relevant: int
    divided: int
    gone: int
    lost: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Collection:
    """Queries, what their last search showed, and what is said of passages now."""

    queries: tuple[Asked, ...]
    opinions: tuple[Opinion, ...]
    left_out: int

    @property
    def keys(self) -> set[Key]:
        """The passages that were judged or shown."""
        shown = {(passage, digest) for query in self.queries for _, passage, digest, _ in query.run}
        return shown | {(each.passage_id, each.text_sha256) for each in self.opinions}


def collect(database: sqlite3.Connection, *, by_stars: bool = False) -> Collection:
    """Read the collection out of a log: judgements, or with `by_stars` ratings, as grades 0 to 4."""
    said = opinions(database, "rating", "stars") if by_stars else opinions(database)
    return Collection(tuple(asked(database)), tuple(said), like_count(database))


def grades_of(collection: Collection, passages: Mapping[Key, Passage], *, by_stars: bool) -> Qrels:
    """The grades of a collection by the ids that its passages have in the bank now."""
    return _qrels(collection.opinions, {key: each.id for key, each in passages.items()}, by_stars=by_stars)[0]


def write_beir_folder(
    collection: Collection, passages: Mapping[Key, Passage], texts: Mapping[str, str], out: Path, *, by_stars: bool
) -> CollectionReport:
    """Write a BEIR folder with the run as shown beside it.

    `passages` are those that the bank still holds, `texts` their texts by the id they have there now. Queries of which
    nobody said anything are kept, for other tools; `evaluate` asks only the judged ones. Raises UsageError where there
    is something at `out`.
    """
    ids = {key: passage.id for key, passage in passages.items()}
    qrels, divided = _qrels(collection.opinions, ids, by_stars=by_stars)
    run = _run(collection.queries, ids)
    with new_folder(out) as folder:
        corpus = (Entry(each, text) for each, text in texts.items())
        queries = (Entry(query.id, query.text) for query in collection.queries)
        write_beir(folder, corpus, queries, qrels, QRELS_NAME)
        write_trec_run(run, folder / RUN_NAME, _TAG)
    return _report(collection, qrels, divided, len(texts), len(collection.keys - ids.keys()), ids)


def write_trec(collection: Collection, out: Path, *, by_stars: bool) -> CollectionReport:
    """Write a folder with the run as shown, judgements and queries. Raises UsageError where there is something."""
    ids = {key: key[0] for key in collection.keys}
    qrels, divided = _qrels(collection.opinions, ids, by_stars=by_stars)
    with new_folder(out) as folder:
        write_trec_run(_run(collection.queries, ids), folder / RUN_NAME, _TAG)
        write_trec_qrels(qrels, folder / f"{QRELS_NAME}.qrels")
        lines = (f"{query.id}\t{cell(' '.join(query.text.split()))}\n" for query in collection.queries)
        (folder / "queries.tsv").write_text("".join(lines), encoding="utf-8", newline="")
    return _report(collection, qrels, divided, len(set(ids.values())), 0, ids)


def _qrels(said: Iterable[Opinion], ids: Mapping[Key, str], *, by_stars: bool) -> tuple[Qrels, int]:
    """Grades by query and passage, and how many of these people are divided on.

    Each person's last word counts. Of judgements the more frequent one, relevant where they balance (it helped
    somebody); of stars the middle one (the lower of two), less one, as ACORD's grades have it.
    """
    votes: dict[tuple[str, str], dict[str, int]] = {}
    for each in said:
        key = (each.passage_id, each.text_sha256)
        if key in ids:
            votes.setdefault((each.query_id, ids[key]), {})[each.device_id] = each.value
    qrels: Qrels = {}
    for (query, passage), by_person in votes.items():
        values = sorted(by_person.values())
        is_mostly_relevant = 2 * sum(values) >= len(values)
        qrels.setdefault(query, {})[passage] = (
            values[(len(values) - 1) // 2] - 1 if by_stars else int(is_mostly_relevant)
        )
    return qrels, sum(len(set(by_person.values())) > 1 for by_person in votes.values())


def _run(queries: Iterable[Asked], ids: Mapping[Key, str]) -> Run:
    return {
        query.id: [(ids[passage, digest], score) for _, passage, digest, score in query.run if (passage, digest) in ids]
        for query in queries
    }


def _report(
    collection: Collection, qrels: Qrels, divided: int, passages: int, gone: int, ids: Mapping[Key, str]
) -> CollectionReport:
    grades = [grade for each in qrels.values() for grade in each.values()]
    return CollectionReport(
        queries=len(collection.queries),
        passages=passages,
        judgements=len(grades),
        relevant=sum(grade > 0 for grade in grades),
        divided=divided,
        gone=gone,
        lost=sum((each.passage_id, each.text_sha256) not in ids for each in collection.opinions),
        left_out=collection.left_out,
    )


def passages_as_shown(generation: Generation, shown: AnyOf[Key]) -> dict[Key, Passage]:
    """Return the passages that still read as they did, by the id and the text digest under which they were shown.

    One whose id has gone or reads differently now is looked for by its text in the whole index, at the first place that
    holds it. What is not found is absent.
    """
    found: dict[Key, Passage] = {}
    for passage_id, digest in sorted(shown):
        passage = generation.passage(passage_id)
        if passage and text_sha256(passage.text) == digest:
            found[passage_id, digest] = passage
    missing: dict[str, list[Key]] = {}
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


def relevant_passages(log: Path, question: str, generation: Generation) -> tuple[Passage, ...]:
    """Return the passages that most people who judged them for these very words found relevant, in the order of ids.

    Raises:
        UsageError: there are none, or the index has none of them any more.
        SourceError, BankDamagedError, BankNewerError: the log cannot be read.
    """
    with temporary_log(read_source(log).events) as database:
        collection = collect(database)
    asked = query_id(question)
    shown = {(each.passage_id, each.text_sha256) for each in collection.opinions if each.query_id == asked}
    passages = passages_as_shown(generation, shown)
    grades = grades_of(collection, passages, by_stars=False).get(asked, {})
    relevant = {each.id: each for each in passages.values() if grades.get(each.id)}
    if not relevant:
        advice = "Mark passages with R in the window, or give the question as it was typed."
        raise UsageError("No passage of the bank is marked relevant to that question.", advice)
    return tuple(relevant[each] for each in sorted(relevant))
