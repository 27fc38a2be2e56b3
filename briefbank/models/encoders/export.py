"""Writes the ONNX form of a sentence-transformers model, accepted only if it retrieves as its source does.

The graph holds pooling and normalisation, so that the search side needs nothing but the tokeniser. The embeddings of
words lie in a file of their own, from which texts are cut into passages without running the graph.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.errors import ModelError
from briefbank.models.encoders.calibration import agreement, agrees, calibration_sentences
from briefbank.models.encoders.onnx import (
    CARD_NAME,
    FORM,
    MODEL_NAME,
    TOKENIZER_NAME,
    WORDS_NAME,
    ExportCard,
    OnnxEncoder,
    is_intact,
)
from briefbank.models.encoders.sentence_transformer import load_model, window, word_embeddings
from briefbank.models.encoders.source import EncoderSource
from briefbank.platform.files import file_sha256, replaced_folder

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

_OPSET = 17


def export_source(source: EncoderSource, folder: Path) -> None:
    """Export into `folder`, which appears whole or not at all; an intact export of the same source is kept.

    Raises:
        ModelError: the export does not agree with its source on the calibration sentences.
    """
    if is_intact(folder, source.digest):
        return
    model = load_model(source)
    with replaced_folder(folder) as fresh:
        _write(source, model, fresh)


def _write(source: EncoderSource, model: SentenceTransformer, folder: Path) -> None:
    _write_encoder(model, folder / MODEL_NAME)
    words = word_embeddings(model)
    if words is not None:
        _set_words_apart(folder / MODEL_NAME, words)
    model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER_NAME))
    card = ExportCard(
        source_digest=source.digest,
        dimension=int(model.get_embedding_dimension() or 0),
        window=window(model),
        query_prefix=source.query_prefix,
        passage_prefix=source.passage_prefix,
        files={file.name: file_sha256(file) for file in sorted(folder.iterdir())},
        form=FORM,
        word_dimension=0 if words is None else words.shape[1],
    )
    (folder / CARD_NAME).write_bytes(msgspec.json.format(msgspec.json.encode(card)))
    _verify(source, model, folder)


def _write_encoder(model: SentenceTransformer, path: Path) -> None:
    import torch

    class Whole(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            embedding = self.model({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]
            return torch.nn.functional.normalize(embedding, dim=1)

    ids = torch.arange(5, 39).reshape(2, 17)
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    several = {0: "text", 1: "token"}
    axes = {"input_ids": several, "attention_mask": several, "embedding": {0: "text"}}
    write_graph(Whole(), (ids, mask), path, axes)


def write_graph(
    module: torch.nn.Module, example: tuple[torch.Tensor, ...], path: Path, axes: dict[str, dict[int, str]]
) -> None:
    """Write a module's ONNX form, traced with an example. `axes` names its inputs, in order, and last its output, and
    which of their axes vary in length.
    """
    import torch

    *inputs, output = axes
    with warnings.catch_warnings(), torch.inference_mode():
        # The tracing exporter is called deprecated; the newer one took ten times as long.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module,
            example,
            str(path),
            input_names=inputs,
            output_names=[output],
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )


def _set_words_apart(path: Path, words: npt.NDArray[np.float32]) -> None:
    """Move the embeddings of words out of the graph's file into one beside it."""
    import onnx
    from onnx import TensorProto, external_data_helper, numpy_helper

    model = onnx.load(path)
    shape = list(words.shape)
    tables = [weight for weight in model.graph.initializer if list(weight.dims) == shape]
    table = next(weight for weight in tables if np.array_equal(numpy_helper.to_array(weight), words))
    table.CopyFrom(TensorProto(name=table.name, dims=shape, data_type=TensorProto.FLOAT, raw_data=words.tobytes()))
    external_data_helper.set_external_data(table, WORDS_NAME)
    onnx.save(model, path)


def _verify(source: EncoderSource, model: SentenceTransformer, folder: Path) -> None:
    sentences = calibration_sentences()
    prefixed = [source.query_prefix + sentence for sentence in sentences]
    exact = model.encode(prefixed, prompt="", normalize_embeddings=True, show_progress_bar=False)
    exported = OnnxEncoder(folder, source.digest).encode_queries(sentences)
    if not agrees(exact, exported):
        cosine, overlap = agreement(exact, exported)
        raise ModelError(
            f"The ONNX form of {source.folder} retrieves differently: "
            f"mean cosine {cosine:.4f}, top-10 overlap {overlap:.3f}.",
            "Use another encoder; this one cannot be searched with.",
        )
