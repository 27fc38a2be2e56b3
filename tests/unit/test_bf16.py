"""Processors without bf16, which many offices' machines have: nothing is measured or encoded in it there."""

from __future__ import annotations

import numpy as np
import pytest

from briefbank.models.encoders import sentence_transformer
from briefbank.models.encoders.calibration import calibration_sentences
from briefbank.models.encoders.sentence_transformer import SentenceTransformerEncoder, load_model, measure_precision
from briefbank.models.encoders.source import find_source
from briefbank.platform.settings import Settings


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
