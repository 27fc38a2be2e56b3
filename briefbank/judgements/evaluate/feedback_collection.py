"""Feedback as a judged collection: a BEIR folder that `briefbank evaluate` takes as it is, or TREC files.

Queries are those asked in words; what was asked as "more like this" has none and is left out. Must not know the bank.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from briefbank.judgements.evaluate.beir import (
    Entry,
    Qrels,
    Run,
    write_beir_qrels,
    write_entries,
    write_trec_qrels,
    write_trec_run,
)
from briefbank.judgements.feedback.opinions import Asked, Opinion, asked, like_count, opinions
from briefbank.platform.files import new_folder
from briefbank.platform.visible import cell
from briefbank.values.records import Passage

QRELS_NAME = "feedback"
RUN_NAME = "shown.run"
_TAG = "shown"

Key = tuple[str, str]
"""A passage as the log knows it: its id and the digest of its text."""


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


def write_beir(
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
        write_entries(folder / "corpus.jsonl", (Entry(each, text) for each, text in texts.items()))
        write_entries(folder / "queries.jsonl", (Entry(query.id, query.text) for query in collection.queries))
        (folder / "qrels").mkdir(mode=0o700)
        write_beir_qrels(qrels, folder / "qrels" / f"{QRELS_NAME}.tsv")
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
