"""How much faster passages are encoded than by a plain sentence-transformers loop, and whether alike."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from briefbank.models.encoders import choose_precision, load_passage_encoder
from briefbank.models.encoders.calibration import agrees
from briefbank.models.encoders.sentence_transformer import load_model
from briefbank.models.encoders.source import find_source
from briefbank.platform.settings import Settings

CORPUS = Path(__file__).parents[2] / ".." / "shared" / "corpora" / "defender-queries" / "corpus.jsonl"
GOAL = 4.0


@pytest.mark.slow
@pytest.mark.corpus
def test_passages_are_encoded_four_times_as_fast_where_the_cpu_has_matrix_units() -> None:
    if not CORPUS.is_file():
        pytest.skip("the development corpus is absent")
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").is_file() else ""
    if "amx_bf16" not in flags:
        pytest.skip("the goal holds where the CPU has matrix units")
    with CORPUS.open(encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    texts = [text for text in texts if 100 <= len(text.split()) <= 200][:64]
    model = load_model(find_source(Settings()))
    encoder = load_passage_encoder(Settings(), choose_precision(Settings()))

    def plain() -> object:
        return model.encode(texts, batch_size=32, normalize_embeddings=True, show_progress_bar=False)

    ratios = []
    for _round in range(5):
        slow_s = seconds(plain)
        ratios.append(slow_s / seconds(lambda: encoder.encode_passages(texts)))
    assert agrees(np.asarray(plain()), encoder.encode_passages(texts))
    assert float(np.median(ratios[1:])) >= GOAL, [round(ratio, 2) for ratio in ratios]


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
