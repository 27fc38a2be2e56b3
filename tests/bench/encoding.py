"""Passages per second of the encoder as indexing uses it, against a plain sentence-transformers loop."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from corpus import PassageMaker, make_material
from hashing_encoder import HashingEncoder
from report import Figure

from briefbank.models.encoders import choose_precision, load_passage_encoder
from briefbank.models.encoders.calibration import LEAST_MEAN_COSINE, LEAST_TOP_10_OVERLAP, agreement
from briefbank.models.encoders.port import Embeddings
from briefbank.models.encoders.sentence_transformer import load_model
from briefbank.models.encoders.source import find_source
from briefbank.platform.settings import Settings

_GOAL_WHERE_MATRIX_UNITS = 4.0


def measure(features: list[str], *, quick: bool) -> list[Figure]:
    """Encode passages of about 150 words both ways in alternating rounds, same threads, nothing cached."""
    settings = Settings()
    maker = PassageMaker(make_material(HashingEncoder()))
    texts = [maker.draw()[0] for _ in range(96 if quick else 320)]
    started = time.perf_counter()
    precision = choose_precision(settings)
    choosing_s = time.perf_counter() - started
    ours, plain = load_passage_encoder(settings, precision), load_model(find_source(settings))

    def plain_loop(batch: list[str]) -> Embeddings:
        vectors = plain.encode(batch, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    ours.encode_passages(texts[:32])
    plain_loop(texts[:32])
    rounds: dict[str, list[tuple[float, float]]] = {"plain": [], "ours": []}
    for _ in range(2 if quick else 5):
        rounds["plain"].append(_seconds(plain_loop, texts))
        rounds["ours"].append(_seconds(ours.encode_passages, texts))
    cosine, overlap = agreement(plain_loop(texts), ours.encode_passages(texts))
    (fast, fast_cpu), (slow, slow_cpu) = (np.median(rounds[name], axis=0).tolist() for name in ("ours", "plain"))
    has_goal = bool({"amx_bf16", "amx_int8", "avx512_vnni", "avx_vnni"} & set(features))
    return [
        Figure(f"encoding, {precision}", len(texts) / fast, "passages/s"),
        Figure("encoding, plain loop, fp32, batches of 32", len(texts) / slow, "passages/s"),
        Figure("encoding against the plain loop", slow / fast, "times", _GOAL_WHERE_MATRIX_UNITS if has_goal else None),
        Figure("encoding against the plain loop, processor time", slow_cpu / fast_cpu, "times"),
        Figure("agreement, mean cosine", cosine, "", goal=LEAST_MEAN_COSINE),
        Figure("agreement, top-10 overlap", overlap, "", goal=LEAST_TOP_10_OVERLAP),
        Figure("choosing the precision, once per machine", choosing_s, "s", is_cost=True),
    ]


def _seconds(encode: Callable[[list[str]], Embeddings], texts: list[str]) -> tuple[float, float]:
    """Wall time and processor time, all threads, of encoding the texts."""
    started, started_cpu = time.perf_counter(), time.process_time()
    encode(texts)
    return time.perf_counter() - started, time.process_time() - started_cpu
