"""Where judgements come from: the feedback log, or a BEIR folder; and the index that they speak of.

A folder that judges passages of the bank is about the bank; any other one brings an index of its own along, which lasts
as long as the learning. Must not know what is learned from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from briefbank.index.generation import Generation
from briefbank.judgements.evaluate.beir import Entry, Qrels, read_beir_qrels, read_corpus
from briefbank.judgements.evaluate.run import index_entries, queries_of
from briefbank.judgements.export.collection import collect, grades_of, passages_as_shown
from briefbank.judgements.feedback.merge import temporary_log
from briefbank.judgements.feedback.sources import read_source
from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.platform.files import remove_unless_open
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken

_PREFIX = "learning-"
_BATCH = 512

Encode = Callable[[Sequence[str]], Embeddings]


@dataclass(frozen=True, slots=True)
class LogOfFeedback:
    """A feedback log; with `by_stars` its ratings, else what was marked relevant or not."""

    path: Path
    by_stars: bool = False


@dataclass(frozen=True, slots=True)
class BeirFolder:
    """A BEIR folder and the name of its judgements."""

    path: Path
    qrels: str


@dataclass(frozen=True, slots=True)
class Judgements:
    """Judged questions, and the index whose passages were judged."""

    generation: Generation
    queries: tuple[Entry, ...]
    qrels: Qrels


@contextmanager
def judgements_of(
    source: LogOfFeedback | BeirFolder,
    live: Generation,
    layout: Layout,
    encoder: Encoder,
    embed: Encode,
    cancel: CancelToken,
) -> Iterator[Judgements]:
    """Read judgements, and yield them with the live index, or with one of the folder's own passages.

    Raises:
        SourceError, UsageError, BankNewerError, BankDamagedError: the log or folder cannot be read.
    """
    for leftover in layout.root.glob(f"{_PREFIX}*"):
        remove_unless_open(leftover)
    if isinstance(source, LogOfFeedback):
        yield _of_log(source, live)
        return
    qrels = read_beir_qrels(source.path, source.qrels)
    queries = tuple(queries_of(source.path, qrels))
    known = set(live.dense.ids(np.arange(len(live.dense))))
    if all(passage in known for grades in qrels.values() for passage in grades):
        yield Judgements(live, queries, qrels)
        return
    entries = read_corpus(source.path)
    texts = [f"{entry.title}\n{entry.text}".strip() for entry in entries]
    batches = []
    for start in range(0, len(texts), _BATCH):
        cancel.check()
        batches.append(embed(texts[start : start + _BATCH]))
    with TemporaryDirectory(prefix=_PREFIX, dir=layout.root, ignore_cleanup_errors=True) as place:
        vectors = np.concatenate(batches)
        yield Judgements(index_entries(Path(place) / "own", entries, texts, vectors, encoder), queries, qrels)


def _of_log(source: LogOfFeedback, live: Generation) -> Judgements:
    events = read_source(source.path).events
    with temporary_log(events) as database:
        collection = collect(database, by_stars=source.by_stars)
    passages = passages_as_shown(live, {(each.passage_id, each.text_sha256) for each in collection.opinions})
    qrels = grades_of(collection, passages, by_stars=source.by_stars)
    queries = tuple(Entry(each.id, each.text) for each in collection.queries if each.id in qrels)
    return Judgements(live, queries, qrels)
