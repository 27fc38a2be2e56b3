"""A judged collection run through the very engine that defenders use. Never touches a bank or the feedback log."""

from __future__ import annotations

import hashlib
import io
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from briefbank.errors import ModelError, SourceError, UsageError
from briefbank.index.generation import Generation, write_generation
from briefbank.index.manifest import Form, GenerationInfo, form_for
from briefbank.judgements.evaluate.beir import (
    Entry,
    Qrels,
    read_beir_qrels,
    read_corpus,
    read_queries,
    read_trec_run,
    write_trec_run,
)
from briefbank.judgements.evaluate.compare import Comparison, compare
from briefbank.judgements.evaluate.metrics import PerQuery, averages, judged_share, score_queries
from briefbank.judgements.evaluate.taxonomy import QueryGroup, groups_of, write_per_query
from briefbank.judgements.evaluate.usefulness import BandFigures, Reliability, band_figures, reliability_of
from briefbank.models.encoders import encoder_digest, load_passage_encoder
from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.platform.disk import require_writable
from briefbank.platform.files import write_atomic
from briefbank.platform.progress import CancelToken, Progress, Reporter, counting, silent
from briefbank.platform.scratch import scratch_folder
from briefbank.platform.settings import Settings
from briefbank.search.aids import load_aids
from briefbank.search.engine import SearchEngine
from briefbank.search.parse import understand
from briefbank.search.rank import reciprocal_rank_fusion
from briefbank.values.records import Band, Document, Fact, Metadata, Passage, Query, SectionKind, SortOrder, Span

# Recall@100 and MAP@100 look no deeper.
_DEPTH = 100
# Unjudged passages are dropped from these before the first hundred are scored.
_JUDGED_ONLY_DEPTH = 1_000
_BATCH = 256
_QUERY_PRECISION = "fp32"
# The last decimal that scores of a run are written with.
_SCORE_STEP = 1e-6
_DOCUMENT = Document("corpus", "", "", Metadata(Fact("", ""), Fact("brief", "")), 1, 0, None, 0)


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Metrics (0 to 1, by name) of the engine and, in `parts`, of its parts in the same run.

    `over_rrf` compares the engine with rank fusion of its parts, query by query. `per_query` holds the engine's metrics
    by name and query, `parts_per_query` those of its parts; `groups` their means by the intents and strategies of the
    queries. `reliability` is None where no judged result has a probability, `bands` where none is on point.
    `weak_share` is the share of the relevant passages among the engine's first 100 that are left out as too weak
    unless these are asked for. The times are those of a search for five passages.
    """

    passage_count: int
    query_count: int
    metrics: dict[str, float]
    parts: dict[str, dict[str, float]]
    over_rrf: dict[str, Comparison]
    per_query: PerQuery
    parts_per_query: dict[str, PerQuery]
    groups: dict[str, QueryGroup]
    weak_share: float
    judged_share_5: float
    judged_share_10: float
    reliability: Reliability | None
    bands: BandFigures | None
    search_p50_ms: float
    search_p95_ms: float


@dataclass(frozen=True, slots=True)
class _Answers:
    """Rankings by system; the engine's scores, probabilities, what is on point and what is too weak; and what each
    search took.
    """

    rankings: dict[str, dict[str, list[str]]]
    scores: dict[str, list[float]]
    probabilities: dict[str, dict[str, float]]
    on_point: dict[str, list[str]]
    weak: dict[str, frozenset[str]]
    took_ms: list[float]

    def add_nothing(self, query: str) -> None:
        """Note that a query found nothing."""
        for ranking in self.rankings.values():
            ranking[query] = []
        self.scores[query] = []
        self.weak[query] = frozenset()


def evaluate_folder(
    folder: Path,
    qrels_name: str,
    settings: Settings,
    *,
    judged_only: bool = False,
    relevant_from: int = 1,
    run_file: Path | None = None,
    per_query_file: Path | None = None,
    cache_folder: Path | None = None,
    reporter: Reporter = silent,
    cancel: CancelToken | None = None,
) -> EvaluationReport:
    """Index the passages of a BEIR folder as they are, run all queries of the qrels, and score the results.

    `judged_only` drops unjudged passages from every ranking before it is scored. Grades from `relevant_from` count as
    relevant. `run_file` gets the engine's run in TREC format, `per_query_file` its metrics. `cache_folder` keeps the
    vectors of the passages for the next run with the same encoder.

    Raises:
        SourceError: a file is missing or a line is wrong, or the qrels are empty or name a query that is not there.
        UsageError: `relevant_from` is below 1.
        AccessError: `run_file` or `per_query_file` cannot be written; found before anything is done.
        ModelError: the encoder is missing.
        CancelledError: it was cancelled.
    """
    if relevant_from < 1:
        raise UsageError("Grade 0 stands for not relevant.", "Give --relevant-from 1 or more.")
    for file in filter(None, (run_file, per_query_file)):
        require_writable(file)
    if cache_folder:
        cache_folder.mkdir(parents=True, exist_ok=True)
    cancel = cancel or CancelToken()
    qrels = read_beir_qrels(folder, qrels_name)
    queries = queries_of(folder, qrels)
    entries = read_corpus(folder)
    texts = [f"{entry.title}\n{entry.text}".strip() for entry in entries]
    vectors = _encode(settings, texts, cache_folder, reporter, cancel)
    encoder = load_passage_encoder(settings, _QUERY_PRECISION)
    with scratch_folder() as place:
        form = form_for(len(entries))
        generation = index_entries(place / "evaluation", entries, texts, vectors, encoder, form)
        depth = _JUDGED_ONLY_DEPTH if judged_only else _DEPTH
        with closing(load_aids(settings)) as aids:
            if aids.missing:  # figures without them would be taken for figures with them
                advice = "Install the model, or measure settings that do without it."
                raise ModelError(" ".join(aids.missing), advice)
            engine = SearchEngine(generation, encoder, settings, aids=aids)
            answers = _search_all(generation, engine, encoder, queries, depth, reporter, cancel)
    if judged_only:
        _drop_unjudged(answers, qrels)
    if run_file:
        write_trec_run(_run_of(answers), run_file, "briefbank")
    report = _report(answers, qrels, queries, len(entries), relevant_from)
    if per_query_file:
        write_per_query({entry.id: entry.text for entry in queries}, report.per_query, per_query_file)
    return report


def compare_runs(
    folder: Path, qrels_name: str, run_a: Path, run_b: Path, relevant_from: int = 1, *, judged_only: bool = False
) -> dict[str, Comparison]:
    """Compare two TREC runs on the judgements of a BEIR folder, metric by metric.

    Raises:
        SourceError: a file is missing or a line is wrong.
    """
    qrels = read_beir_qrels(folder, qrels_name)
    values = []
    for file in (run_a, run_b):
        ranking = {query: [passage for passage, _ in hits] for query, hits in read_trec_run(file).items()}
        if judged_only:
            ranking = {
                query: [passage for passage in passages if passage in qrels.get(query, ())]
                for query, passages in ranking.items()
            }
        values.append(score_queries(ranking, qrels, relevant_from))
    return compare(*values)


def queries_of(folder: Path, qrels: Qrels) -> list[Entry]:
    """The judged queries of a BEIR folder.

    Raises:
        SourceError: nothing is judged, or a query that is judged is not there.
    """
    if not qrels:
        raise SourceError("The judgements are empty.", "Name others with --qrels, or put some into the file.")
    queries = [query for query in read_queries(folder) if query.id in qrels]
    if missing := set(qrels) - {query.id for query in queries}:
        message = f"The judgements name {len(missing)} queries that queries.jsonl does not hold."
        raise SourceError(message, "Use the queries and judgements of one collection.")
    return queries


def _encode(
    settings: Settings, texts: Sequence[str], cache_folder: Path | None, reporter: Reporter, cancel: CancelToken
) -> Embeddings:
    cached = cache_folder / f"{_digest(settings, texts)}.npy" if cache_folder else None
    if cached and cached.is_file():
        vectors: Embeddings = np.load(cached)
        return vectors
    encoder = load_passage_encoder(settings)
    batches = []
    report = counting(reporter, Progress("encoding", files_total=len(texts), unit="passages"), len(texts))
    for start in range(0, len(texts), _BATCH):
        cancel.check()
        report(start)
        batches.append(encoder.encode_passages(texts[start : start + _BATCH]))
    vectors = np.concatenate(batches) if batches else np.empty((0, encoder.dimension), dtype=np.float32)
    if cached:
        written = io.BytesIO()
        np.save(written, vectors)
        write_atomic(cached, written.getvalue())
    return vectors


def _digest(settings: Settings, texts: Sequence[str]) -> str:
    digest = hashlib.sha256(encoder_digest(settings).encode())
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()


def index_entries(
    folder: Path,
    entries: Sequence[Entry],
    texts: Sequence[str],
    vectors: Embeddings,
    encoder: Encoder,
    form: Form = Form.SMALL,
) -> Generation:
    """Write passages with their vectors, shape (entries, dimension), as a generation into `folder`, and open it."""
    passages = [
        Passage(entry.id, _DOCUMENT.id, order, Span(0, len(text)), text, SectionKind.BODY, (), 1, 1)
        for order, (entry, text) in enumerate(zip(entries, texts, strict=True))
    ]
    info = GenerationInfo(encoder.digest, encoder.precision, encoder.dimension, segmenter="none", form=form)
    write_generation(folder, [_DOCUMENT], [(passages, vectors)], info)
    return Generation.open(folder)


def _search_all(
    generation: Generation,
    engine: SearchEngine,
    encoder: Encoder,
    queries: Sequence[Entry],
    depth: int,
    reporter: Reporter,
    cancel: CancelToken,
) -> _Answers:
    answers = _Answers({"engine": {}, "bm25": {}, "dense": {}, "rrf": {}}, {}, {}, {}, {}, [])
    report = counting(reporter, Progress("searching", files_total=len(queries), unit="queries"), len(queries))
    for done, entry in enumerate(queries):
        cancel.check()
        report(done)
        query = Query(entry.text, top_k=depth, sort=SortOrder.RELEVANCE, include_weak=True)
        started = time.perf_counter()
        try:
            engine.search(Query(entry.text))
        except UsageError:  # a query without a word finds nothing, and the others still count
            answers.add_nothing(entry.id)
            continue
        answers.took_ms.append((time.perf_counter() - started) * 1000)
        hits = engine.search(query).hits
        answers.rankings["engine"][entry.id] = [hit.passage.id for hit in hits]
        answers.scores[entry.id] = [hit.score for hit in hits]
        answers.probabilities[entry.id] = {
            hit.passage.id: hit.probability for hit in hits if hit.probability is not None
        }
        answers.on_point[entry.id] = [hit.passage.id for hit in hits if hit.band is Band.ON_POINT]
        strong = {hit.passage.id for hit in engine.search(replace(query, include_weak=False)).hits}
        answers.weak[entry.id] = frozenset(answers.rankings["engine"][entry.id]) - strong
        understanding = understand(query.text)
        vector = encoder.encode_queries([understanding.meaning])[0]
        runs = (
            generation.lexical.scores(understanding.terms).best(depth),
            generation.dense.search(vector, depth)[0],
        )
        bm25, dense = (generation.dense.ids(run) for run in runs)
        answers.rankings["bm25"][entry.id] = bm25
        answers.rankings["dense"][entry.id] = dense
        fused = reciprocal_rank_fusion([bm25, dense])
        answers.rankings["rrf"][entry.id] = sorted(fused, key=lambda each: (-fused[each], each))[:depth]
    return answers


def _drop_unjudged(answers: _Answers, qrels: Qrels) -> None:
    for name, ranking in answers.rankings.items():
        for query, passages in ranking.items():
            kept = [place for place, passage in enumerate(passages) if passage in qrels[query]][:_DEPTH]
            ranking[query] = [passages[place] for place in kept]
            if name == "engine":
                answers.scores[query] = [answers.scores[query][place] for place in kept]


def _run_of(answers: _Answers) -> dict[str, list[tuple[str, float]]]:
    """The engine's run with scores that fall with every rank, so that any reader of the file sees the same order."""
    run: dict[str, list[tuple[str, float]]] = {}
    for query, passages in answers.rankings["engine"].items():
        last = float("inf")
        hits = run.setdefault(query, [])
        for passage, value in zip(passages, answers.scores[query], strict=True):
            last = min(round(value, 6), last - _SCORE_STEP)
            hits.append((passage, last))
    return run


def _weak_share(answers: _Answers, qrels: Qrels, relevant_from: int) -> float:
    found = [
        passage in answers.weak[query]
        for query, passages in answers.rankings["engine"].items()
        for passage in passages[:_DEPTH]
        if qrels[query].get(passage, 0) >= relevant_from
    ]
    return sum(found) / len(found) if found else 0.0


def _report(
    answers: _Answers, qrels: Qrels, queries: Sequence[Entry], passage_count: int, relevant_from: int
) -> EvaluationReport:
    scored = {name: score_queries(ranking, qrels, relevant_from) for name, ranking in answers.rankings.items()}
    engine = answers.rankings["engine"]
    per_query = scored.pop("engine")
    took_ms = answers.took_ms or [0.0]
    return EvaluationReport(
        passage_count=passage_count,
        query_count=len(qrels),
        metrics=averages(per_query),
        parts={name: averages(values) for name, values in scored.items()},
        over_rrf=compare(scored["rrf"], per_query),
        per_query=per_query,
        parts_per_query=scored,
        groups=groups_of({entry.id: entry.text for entry in queries}, per_query),
        weak_share=_weak_share(answers, qrels, relevant_from),
        judged_share_5=judged_share(engine, qrels, 5),
        judged_share_10=judged_share(engine, qrels, 10),
        reliability=reliability_of(answers.probabilities, qrels, relevant_from),
        bands=band_figures(answers.on_point, engine, qrels, relevant_from),
        search_p50_ms=float(np.quantile(took_ms, 0.5)),
        search_p95_ms=float(np.quantile(took_ms, 0.95)),
    )
