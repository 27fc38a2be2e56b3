"""Writes the ONNX form of a published cross-encoder with torch, once, where it is added; never used by a search.

Local files only: nothing here may reach a network.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import numpy as np

from briefbank.errors import ModelError
from briefbank.models.encoders.calibration import calibration_passages, calibration_sentences
from briefbank.models.encoders.cross_encoder import CrossEncoderCard, OnnxCrossEncoder
from briefbank.models.encoders.export import halve_weights, write_graph
from briefbank.models.encoders.onnx import MODEL_NAME, TOKENIZER_NAME
from briefbank.models.installed import CROSS_ENCODER_CARD
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import file_sha256

if TYPE_CHECKING:
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import PreTrainedModel

_MOST_TOKENS = 512
"""Of question and passage together: the longest passage, and what most cross-encoders were trained on."""
_MOST_WEIGHTS = 450_000_000
"""An ONNX file holds 2 GB; and a laptop that reads ten passages with more takes half a minute."""
_LEAST_CORRELATION = 0.999
_QUESTIONS = 2
_TEXTS = ("LICENSE", "LICENCE", "NOTICE", "README")
_ADVICE = "Use another cross-encoder; see models/README.md for which suit."


def write_cross_encoder(source: Path, folder: Path) -> None:
    """Write the ONNX form of a sentence-transformers CrossEncoder folder into an empty one, weights with 16 bits.

    Raises:
        ModelError: it cannot be loaded, is too large, or what was written scores otherwise on the calibration pairs.
        NoSpaceError: the disk is full.
    """
    try:
        with disk_guard(folder, "writing the form that a search runs"):
            _write(source, folder)
    except (RuntimeError, ValueError, LookupError, TypeError, AttributeError) as error:  # as torch words what it lacks
        reason = str(error).partition("\n")[0]
        raise ModelError(
            f"The cross-encoder cannot be brought into the form that a search runs: {reason}", _ADVICE
        ) from error


def _write(source: Path, folder: Path) -> None:
    model, network = _load(source)
    if sum(weight.numel() for weight in network.parameters()) > _MOST_WEIGHTS:
        raise ModelError(f"The cross-encoder has more than {_MOST_WEIGHTS:,} weights.", _ADVICE)
    has_types = "token_type_ids" in model.tokenizer.model_input_names
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if has_types else [])]
    _write_graph(network, names, folder / MODEL_NAME)
    halve_weights(folder / MODEL_NAME)
    model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER_NAME))
    own_files = sorted(file for file in source.iterdir() if file.is_file())
    for file in own_files:
        if file.stem.upper() in _TEXTS:
            shutil.copyfile(file, folder / file.name)
    card = CrossEncoderCard(
        architecture=type(network).__name__,
        window=int(model.max_seq_length or 0),
        source={file.name: file_sha256(file) for file in own_files if file.suffix in (".json", ".safetensors")},
        files={name: file_sha256(folder / name) for name in (MODEL_NAME, TOKENIZER_NAME)},
    )
    (folder / CROSS_ENCODER_CARD).write_bytes(msgspec.json.format(msgspec.json.encode(card)))
    _verify(model, OnnxCrossEncoder(folder))


def _load(source: Path) -> tuple[CrossEncoder, PreTrainedModel]:
    """Load it in fp32 on the CPU, its window set. A part that the weights lack, drawn at random else, is refused."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import AutoModelForSequenceClassification
    from transformers.utils import logging

    logging.disable_progress_bar()
    _, loading_info = AutoModelForSequenceClassification.from_pretrained(
        str(source), local_files_only=True, output_loading_info=True
    )
    if loading_info["missing_keys"] or loading_info["mismatched_keys"]:
        raise ModelError("The weights do not hold all of the cross-encoder.", "Copy it again from where it came.")
    model = CrossEncoder(str(source), device="cpu", local_files_only=True, model_kwargs={"dtype": torch.float32}).eval()
    network = cast("PreTrainedModel", model.model)
    config = network.config
    # RoBERTa's kin count positions from behind that of padding.
    before = config.pad_token_id + 1 if "roberta" in config.model_type else 0
    positions = getattr(config, "max_position_embeddings", None) or _MOST_TOKENS
    model.max_seq_length = min(_MOST_TOKENS, model.max_seq_length or _MOST_TOKENS, positions - before)
    return model, network


def _write_graph(network: torch.nn.Module, names: Sequence[str], path: Path) -> None:
    import torch

    class Whole(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *given: torch.Tensor) -> torch.Tensor:
            return cast("torch.Tensor", self.network(**dict(zip(names, given, strict=True))).logits[:, 0])

    ids = torch.arange(5, 39).reshape(2, 17)
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    types = torch.zeros_like(ids)
    types[:, 5:] = 1
    several = {0: "pair", 1: "token"}
    axes = {**dict.fromkeys(names, several), "scores": {0: "pair"}}
    write_graph(Whole().eval(), (ids, mask, types)[: len(names)], path, axes)


def _verify(model: CrossEncoder, written: OnnxCrossEncoder) -> None:
    """See that it scores as its source does, be the passages short or longer than the window."""
    import torch

    sentences = calibration_sentences()
    passages = [*calibration_passages(), *sentences[-4:], " ".join(sentences)]
    for question in sentences[:_QUESTIONS]:
        pairs = [(question, passage) for passage in passages]
        exact = model.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)
        correlation = float(np.corrcoef(exact, written.scores(question, passages))[0, 1])
        if not correlation >= _LEAST_CORRELATION:
            raise ModelError(f"The ONNX form scores differently: correlation {correlation:.4f}.", _ADVICE)
