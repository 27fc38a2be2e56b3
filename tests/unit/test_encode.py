"""Batches, agreement, sources and exports of encoders, without running a model where none is needed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from program import ROOT

from briefbank.errors import ModelError
from briefbank.models.encoders import (
    encoder_digest,
    load_passage_encoder,
    load_query_encoder,
    sentence_transformer,
)
from briefbank.models.encoders.calibration import agreement, agrees, calibration_sentences
from briefbank.models.encoders.onnx import length_batches
from briefbank.models.encoders.sentence_transformer import SentenceTransformerEncoder, load_model, measure_precision
from briefbank.models.encoders.source import find_source
from briefbank.platform.settings import Settings

HASHING = Settings(encoder="hashing")


@given(st.lists(st.integers(0, 300)), st.integers(1, 1000))
def test_batches_hold_every_text_once_and_keep_to_the_budget(lengths: list[int], budget: int) -> None:
    token_ids = [[0] * length for length in lengths]
    batches = list(length_batches(token_ids, budget))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= budget for batch in batches)


def test_an_encoding_agrees_with_itself_and_not_with_a_shuffled_one() -> None:
    vectors = load_passage_encoder(HASHING).encode_passages(calibration_sentences())
    assert agreement(vectors, vectors) == (pytest.approx(1.0), 1.0)
    assert agrees(vectors, vectors)
    assert not agrees(vectors, np.roll(vectors, 1, axis=0))


def test_a_folder_without_a_model_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as refused:
        load_passage_encoder(Settings(encoder=str(tmp_path)))
    assert "encoder" in refused.value.advice


def make_folder(folder: Path, weights: bytes = b"weights", prompts: dict[str, str] | None = None) -> Settings:
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(weights)
    for name in ("modules.json", "tokenizer.json", "config.json"):
        (folder / name).write_text("{}", encoding="utf-8")
    text = json.dumps({"prompts": prompts or {}})
    (folder / "config_sentence_transformers.json").write_text(text, encoding="utf-8")
    return Settings(encoder=str(folder))


def test_the_digest_covers_weights_tokeniser_and_prefixes_and_not_the_place(tmp_path: Path) -> None:
    plain = encoder_digest(make_folder(tmp_path / "a"))
    assert encoder_digest(make_folder(tmp_path / "b")) == plain
    assert encoder_digest(make_folder(tmp_path / "c", weights=b"other")) != plain
    assert encoder_digest(make_folder(tmp_path / "d", prompts={"query": "query: "})) != plain
    settings = make_folder(tmp_path / "e")
    (tmp_path / "e" / "tokenizer.json").write_text("[]", encoding="utf-8")
    assert encoder_digest(settings) != plain


def test_a_folder_brings_its_own_prefixes(tmp_path: Path) -> None:
    source = find_source(make_folder(tmp_path / "a", prompts={"query": "query: ", "passage": "passage: "}))
    assert (source.query_prefix, source.passage_prefix) == ("query: ", "passage: ")


def make_export(folder: Path, digest: str) -> None:
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"graph")
    (folder / "tokenizer.json").write_bytes(b"{}")
    card = {"source_digest": digest, "dimension": 4, "window": 8, "query_prefix": "", "passage_prefix": "", "files": {}}
    (folder / "export.json").write_text(json.dumps(card), encoding="utf-8")


def test_an_export_that_is_missing_damaged_or_of_another_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="missing or damaged"):
        load_query_encoder(tmp_path / "none", "1" * 64)
    make_export(tmp_path / "export", "1" * 64)
    with pytest.raises(ModelError, match="not the one"):
        load_query_encoder(tmp_path / "export", "2" * 64)
    with pytest.raises(ModelError, match="SHA-256 differs"):
        load_query_encoder(tmp_path / "export", "1" * 64)
    card = tmp_path / "export" / "export.json"
    card.write_bytes(card.read_bytes().replace(b"1111", b"11\xf11", 1))
    with pytest.raises(ModelError, match="missing or damaged"):
        load_query_encoder(tmp_path / "export", "1" * 64)


NAMES_IT = """
import os
from briefbank.errors import ModelError
from briefbank.models.encoders import load_passage_encoder
from briefbank.platform.settings import Settings
try:
    load_passage_encoder(Settings(encoder="hashing"))
except ModelError as refused:
    print(refused.message)
"""


def test_without_the_hook_of_the_tests_no_variable_has_the_program_run_a_file(tmp_path: Path) -> None:
    file = tmp_path / "planted.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n", encoding="utf-8")
    variables = dict.fromkeys(("BRIEFBANK_TEST_ENCODER", "BRIEFBANK_ENCODER"), f"hashing={file}:Planted")
    done = subprocess.run(
        [sys.executable, "-c", NAMES_IT],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "no sentence-transformers model in hashing" in done.stdout
    assert not (tmp_path / "ran").exists()


def test_what_is_delivered_knows_nothing_of_the_tests() -> None:
    delivered = [path for room in ("briefbank", "ui", "installer") for path in (ROOT / room).rglob("*.py")]
    named = [path.name for path in delivered if re.search(r"_TEST_|hashing_encoder|encoder_hook", path.read_text())]
    assert named == []


# --- processors without bf16 ------------------------------------------------------------------------------------------


@pytest.fixture
def without_bf16(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_transformer, "has_bf16", lambda: False)


@pytest.mark.usefixtures("without_bf16")
def test_a_bank_begun_in_bf16_goes_on_in_fp32_where_the_processor_lacks_it() -> None:
    source = find_source(Settings())
    model = load_model(source)
    sentences = calibration_sentences()[:4]
    exact = SentenceTransformerEncoder(source, model, "fp32").encode_passages(sentences)
    encoder = SentenceTransformerEncoder(source, model, "bf16")
    assert encoder.precision == "fp32"
    assert np.array_equal(encoder.encode_passages(sentences), exact)


@pytest.mark.usefixtures("without_bf16")
def test_no_other_precision_is_measured_where_the_processor_lacks_it() -> None:
    assert measure_precision(find_source(Settings())) == "fp32"


def test_the_precision_measured_here_is_one_that_encodes_here() -> None:
    source = find_source(Settings())
    precision = measure_precision(source)
    encoder = SentenceTransformerEncoder(source, load_model(source), precision)
    assert encoder.precision == precision
    vectors = encoder.encode_passages(calibration_sentences()[:2])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-2)
