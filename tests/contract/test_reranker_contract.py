"""What every reranker must do, whatever runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from briefbank.models.encoders.reranker import OnnxReranker
from tiny_bert import write_tiny_bert, write_tiny_cross_encoder

from briefbank.errors import ModelError
from briefbank.models.encoders import cross_encoder_converter
from briefbank.models.encoders.cross_encoder import OnnxCrossEncoder
from briefbank.models.encoders.onnx import MODEL_NAME
from briefbank.models.encoders.port import Reranker
from briefbank.models.encoders.source import describe_folder

QUESTION = "Is consent given during an unlawful stop the fruit of the stop?"
PASSAGES = [
    "The trooper kept the driver at the roadside after the ticket was written.",
    "Consent given during an unlawful stop is presumed to be its fruit.",
    "",
    "Fruit of the stop, " + "stop " * 200,
]
TOLERANCE = 0.05
"""Scores start as tenfold cosines; bf16 has three digits."""


@pytest.fixture(scope="module")
def trainable(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], Reranker]:
    pytest.importorskip("sentence_transformers", reason="learning needs the extra 'index'")
    import torch
    from briefbank.models.encoders.reranker_torch import TorchReranker

    from briefbank.models.encoders.sentence_transformer import load_model

    source = describe_folder(write_tiny_bert(tmp_path_factory.mktemp("model") / "tiny", [QUESTION, *PASSAGES]))

    def make(is_bf16: bool) -> Reranker:
        reranker = TorchReranker(source, load_model(source), is_bf16=is_bf16).copy()
        torch.manual_seed(1)
        for weight in (*reranker.joint.parameters(), *reranker.head):
            weight.add_(torch.randn_like(weight), alpha=0.1)
        return reranker

    return make


@pytest.fixture(scope="module")
def trained(trainable: Callable[[bool], Reranker]) -> Reranker:
    return trainable(False)


@pytest.fixture(scope="module")
def exported(trained: Reranker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    trained.write(folder)
    return folder


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder as it is kept when it was added."""
    convert = cross_encoder_converter() or pytest.skip("adding a cross-encoder needs the extra 'index'")
    folder = tmp_path_factory.mktemp("converted")
    convert(write_tiny_cross_encoder(tmp_path_factory.mktemp("model") / "cross", [QUESTION, *PASSAGES]), folder)
    return folder


LEARNED = ["torch", "torch bf16", "onnx", "onnx copied"]
ADDED = ["cross-encoder", "cross-encoder copied"]


@pytest.fixture(scope="module", params=[*LEARNED, *ADDED])
def reranker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    if request.param.startswith("torch"):
        return request.getfixturevalue("trainable")(request.param == "torch bf16")
    kind, source = (OnnxCrossEncoder, "converted") if request.param in ADDED else (OnnxReranker, "exported")
    folder = request.getfixturevalue(source)
    if not request.param.endswith("copied"):
        return kind(folder)
    copied = tmp_path_factory.mktemp("copied")
    kind(folder).write(copied)
    return kind(copied, threads=1)


def test_passages_get_a_finite_float32_score_each(reranker: Reranker) -> None:
    scores = reranker.scores(QUESTION, PASSAGES)
    assert scores.shape == (len(PASSAGES),)
    assert scores.dtype == np.float32
    assert np.isfinite(scores).all()
    assert reranker.scores(QUESTION, []).shape == (0,)
    assert reranker.scores("", PASSAGES).shape == (len(PASSAGES),)


def test_a_score_does_not_depend_on_the_passages_beside_it(reranker: Reranker) -> None:
    together = reranker.scores(QUESTION, PASSAGES)
    assert np.allclose(together[::-1], reranker.scores(QUESTION, PASSAGES[::-1]), atol=TOLERANCE)
    assert np.allclose(together, [reranker.scores(QUESTION, [each])[0] for each in PASSAGES], atol=TOLERANCE)


def test_a_score_depends_on_the_question_and_on_the_passage(reranker: Reranker) -> None:
    scores = reranker.scores(QUESTION, PASSAGES)
    assert len(set(scores.tolist())) == len(PASSAGES)
    assert not np.allclose(scores, reranker.scores("Was the ticket written?", PASSAGES), atol=2 * TOLERANCE)


def test_what_lies_beyond_its_reach_is_not_read(reranker: Reranker) -> None:
    one, other = reranker.scores(QUESTION, ["stop " * 120 + "ticket", "stop " * 120 + "fruit driver"])
    assert one == pytest.approx(other, abs=TOLERANCE)
    asked = [reranker.scores("stop " * 130 + end, PASSAGES) for end in ("ticket", "fruit driver")]
    assert np.allclose(*asked, atol=TOLERANCE)


def test_every_form_has_one_digest_and_scores_alike(reranker: Reranker, request: pytest.FixtureRequest) -> None:
    is_added = isinstance(reranker, OnnxCrossEncoder)
    first = OnnxCrossEncoder(request.getfixturevalue("converted")) if is_added else request.getfixturevalue("trained")
    assert reranker.digest == first.digest
    assert len(bytes.fromhex(reranker.digest)) == 32
    # ONNX keeps the weights with 16 bits.
    assert np.allclose(reranker.scores(QUESTION, PASSAGES), first.scores(QUESTION, PASSAGES), atol=0.15)


def test_one_trained_with_16_bits_is_written_exactly(trainable: Callable[[bool], Reranker], tmp_path: Path) -> None:
    trainable(True).write(tmp_path)
    exact = trainable(False).scores(QUESTION, PASSAGES)
    assert np.corrcoef(exact, OnnxReranker(tmp_path).scores(QUESTION, PASSAGES))[0, 1] > 0.999


@pytest.mark.parametrize(("kind", "whole"), [(OnnxReranker, "exported"), (OnnxCrossEncoder, "converted")])
def test_a_damaged_reranker_is_refused(
    kind: Callable[[Path], Reranker], whole: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder = tmp_path / "damaged"
    folder.mkdir()
    kind(request.getfixturevalue(whole)).write(folder)
    data = bytearray((folder / MODEL_NAME).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / MODEL_NAME).write_bytes(data)
    with pytest.raises(ModelError, match="SHA-256"):
        kind(folder)
    with pytest.raises(ModelError, match="missing"):
        kind(tmp_path / "nothing")
