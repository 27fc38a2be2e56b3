"""A published cross-encoder that the office added: written as ONNX with torch, once, where it is added; a search runs
that with `onnxruntime` and `tokenizers`, never torch.

Local files only: nothing here may reach a network, and no code of a model's folder is run. Must not know what was
searched for, or how the passages were found.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from briefbank.errors import ModelError
from briefbank.models.encoders.calibration import calibration_passages, calibration_sentences
from briefbank.models.encoders.onnx import (
    MODEL_NAME,
    TOKENIZER_NAME,
    decode_card,
    length_batches,
    open_session,
    padded,
    verify_files,
)
from briefbank.models.encoders.port import RerankerScores
from briefbank.models.installed import CROSS_ENCODER_CARD, InstalledModel, verify_models
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import file_sha256
from briefbank.platform.settings import core_count

if TYPE_CHECKING:
    import torch
    from onnxruntime import InferenceSession
    from sentence_transformers import CrossEncoder
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

_BATCH_TOKENS = 1024
_CALLED = "cross-encoder"
_MOST_TOKENS = 512
"""Of question and passage together: the longest passage, and what most cross-encoders were trained on."""
_MOST_WEIGHTS = 450_000_000
"""An ONNX file holds 2 GB; and a laptop that reads ten passages with more takes half a minute."""
_LEAST_CORRELATION = 0.999
_QUESTIONS = 2
_KEPT_TEXTS = ("LICENSE", "LICENCE", "NOTICE", "README")
_OTHER_ADVICE = "Use another cross-encoder; see models/README.md for which suit."
_MATRIX = 2
"""Dimensions of the weights that are many; vectors and single numbers stay exact."""
_ADVICE = "Add the model again (briefbank models add), or install the pack again that carried it."


class CrossEncoderCard(msgspec.Struct, frozen=True):
    """What a cross-encoder's ONNX form says of itself. `window` counts the tokens of question and passage together;
    `source` maps the files that it was made from to their SHA-256, and `files` its own. `question_prefix` is put in
    front of the question.
    """

    architecture: str
    window: int
    source: dict[str, str]
    files: dict[str, str]
    question_prefix: str = ""


class OnnxCrossEncoder:
    """A cross-encoder in its ONNX form; loaded when the first question comes that it is for."""

    def __init__(self, folder: Path, threads: int = 2) -> None:
        """Verify the folder. Raises ModelError if it is missing or damaged."""
        self._folder = folder
        self._threads = threads
        self._card = decode_card(folder / CROSS_ENCODER_CARD, CrossEncoderCard, _CALLED, _ADVICE)
        self._verify()

    @property
    def digest(self) -> str:
        lines = [f"{name} {sha256}" for name, sha256 in sorted(self._card.source.items())]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def scores(self, question: str, passages: Sequence[str]) -> RerankerScores:
        """Its logits, the better the higher. Raises ModelError if its files have gone before they were first needed."""
        tokenizer, session = self._loaded
        names = [each.name for each in session.get_inputs()]
        scores = np.zeros(len(passages), dtype=np.float32)
        asked = self._card.question_prefix + question
        read = tokenizer.encode_batch([(asked, passage) for passage in passages])
        token_ids, type_ids = [each.ids for each in read], [each.type_ids for each in read]
        for batch in length_batches(token_ids, _BATCH_TOKENS):
            ids, mask = padded(token_ids, batch)
            types, _ = padded(type_ids, batch)
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
            (scores[batch],) = session.run(None, {name: given[name] for name in names})
        return scores

    def _verify(self) -> None:
        verify_files(self._folder, self._card.files, _CALLED, _ADVICE)

    @cached_property
    def _loaded(self) -> tuple[Tokenizer, InferenceSession]:
        from tokenizers import Tokenizer

        self._verify()  # it may have been removed since
        tokenizer = Tokenizer.from_str((self._folder / TOKENIZER_NAME).read_text(encoding="utf-8"))
        tokenizer.no_padding()
        # As sentence-transformers does: the passage is cut, unless a question takes half of the window.
        tokenizer.enable_truncation(self._card.window, strategy="longest_first")
        return tokenizer, open_session(self._folder, self._threads)


def load_cross_encoder(model: InstalledModel) -> OnnxCrossEncoder:
    """Verify a model of the user's models folder, and load it with the first question.

    Raises:
        ModelError: it is damaged, or not a cross-encoder in its ONNX form.
    """
    for finding in verify_models(name=model.name):
        raise ModelError(finding.problem, finding.advice)
    return OnnxCrossEncoder(Path(model.folder), threads=core_count())


def _halve_weights(path: Path) -> None:
    """Keep the weights as float16, each behind a cast that ONNX Runtime works out once, when it loads the file."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(path)
    casts = []
    for weight in model.graph.initializer:
        if weight.data_type == TensorProto.FLOAT and len(weight.dims) == _MATRIX:
            name, halved = weight.name, f"{weight.name}.half"
            weight.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(weight).astype(np.float16), halved))
            casts.append(helper.make_node("Cast", [halved], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, path)


def cross_encoder_converter() -> Callable[[Path, Path], None] | None:
    """`write_cross_encoder`; None where torch is not installed."""
    return write_cross_encoder if find_spec("sentence_transformers") else None


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
            f"The cross-encoder cannot be brought into the form that a search runs: {reason}", _OTHER_ADVICE
        ) from error


def _write(source: Path, folder: Path) -> None:
    model, network = _load(source)
    if sum(weight.numel() for weight in network.parameters()) > _MOST_WEIGHTS:
        raise ModelError(f"The cross-encoder has more than {_MOST_WEIGHTS:,} weights.", _OTHER_ADVICE)
    has_types = "token_type_ids" in model.tokenizer.model_input_names
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if has_types else [])]
    _write_graph(model, names, folder / MODEL_NAME)
    _halve_weights(folder / MODEL_NAME)
    model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER_NAME))
    for file in source.iterdir():
        if file.is_file() and file.stem.upper() in _KEPT_TEXTS:
            shutil.copyfile(file, folder / file.name)
    made_from = sorted(file for file in source.rglob("*") if file.suffix in (".json", ".safetensors"))
    card = CrossEncoderCard(
        architecture=type(network).__name__,
        window=int(model.max_seq_length or 0),
        source={file.relative_to(source).as_posix(): file_sha256(file) for file in made_from},
        files={name: file_sha256(folder / name) for name in (MODEL_NAME, TOKENIZER_NAME)},
        question_prefix=model.prompts.get(model.default_prompt_name or "") or "",
    )
    (folder / CROSS_ENCODER_CARD).write_bytes(msgspec.json.format(msgspec.json.encode(card)))
    _verify(model, OnnxCrossEncoder(folder))


def _load(source: Path) -> tuple[CrossEncoder, PreTrainedModel]:
    """Load it in fp32 on the CPU, its window set. A part that the weights lack, drawn at random else, is refused."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    import torch
    from sentence_transformers import CrossEncoder
    from transformers.utils import logging

    logging.disable_progress_bar()
    model = CrossEncoder(str(source), device="cpu", local_files_only=True, model_kwargs={"dtype": torch.float32}).eval()
    if model.num_labels != 1 or model.model is None:
        raise ModelError(f"The cross-encoder gives {model.num_labels} scores for a passage, not one.", _OTHER_ADVICE)
    network = cast("PreTrainedModel", model.model)
    home = min(source.rglob("config.json"), key=lambda file: (len(file.parts), file)).parent
    # What comes behind the network sentence-transformers refuses by itself where the weights lack a part of it.
    loaded: Any = type(network).from_pretrained(str(home), local_files_only=True, output_loading_info=True)
    if loaded[1]["missing_keys"] or loaded[1]["mismatched_keys"]:
        raise ModelError("The weights do not hold all of the cross-encoder.", "Copy it again from where it came.")
    # RoBERTa's kin count positions from behind that of padding.
    tables = (part for name, part in network.named_modules() if name.endswith("position_embeddings"))
    before = max((part.padding_idx + 1 for part in tables if getattr(part, "padding_idx", None) is not None), default=0)
    positions = getattr(network.config, "max_position_embeddings", None) or _MOST_TOKENS
    model.max_seq_length = min(_MOST_TOKENS, model.max_seq_length or _MOST_TOKENS, positions - before)
    return model, network


def _write_graph(model: CrossEncoder, names: Sequence[str], path: Path) -> None:
    import torch

    from briefbank.models.encoders.export import write_graph

    class Whole(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: torch.Tensor) -> torch.Tensor:
            return cast("torch.Tensor", self.model(dict(zip(names, given, strict=True)))["scores"][:, 0])

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
            raise ModelError(f"The ONNX form scores differently: correlation {correlation:.4f}.", _OTHER_ADVICE)
