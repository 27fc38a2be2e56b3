"""A cross-encoder that the office added, through ONNX Runtime: needs `onnxruntime` and `tokenizers`, never torch.

Reads the folder that `cross_encoder_torch` writes. Must not know what was searched for, or how the passages were found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from briefbank.errors import ModelError
from briefbank.models.encoders.onnx import (
    TOKENIZER_NAME,
    decode_card,
    length_batches,
    open_session,
    padded,
    verify_files,
)
from briefbank.models.encoders.port import RerankerScores
from briefbank.models.installed import CROSS_ENCODER_CARD, InstalledModel, verify_models
from briefbank.platform.settings import core_count

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_BATCH_TOKENS = 1024
_CALLED = "cross-encoder"
_ADVICE = "Add the model again (briefbank models add), or install the pack again that carried it."


class CrossEncoderCard(msgspec.Struct, frozen=True):
    """What a cross-encoder's ONNX form says of itself. `window` counts the tokens of question and passage together;
    `source` maps the files that it was made from to their SHA-256, and `files` its own.
    """

    architecture: str
    window: int
    source: dict[str, str]
    files: dict[str, str]


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
        read = tokenizer.encode_batch([(question, passage) for passage in passages])
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
        self._verify()  # it may have been removed since
        return pair_tokenizer((self._folder / TOKENIZER_NAME).read_text(encoding="utf-8"), self._card.window), (
            open_session(self._folder, self._threads)
        )


def pair_tokenizer(definition: str, window: int) -> Tokenizer:
    """Turn the contents of a tokenizer.json into what cuts pairs at the window: the longer of both first, as
    sentence-transformers does, which is the passage unless a question takes half of the window.
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(definition)
    tokenizer.no_padding()
    tokenizer.enable_truncation(window, strategy="longest_first")
    return tokenizer


def load_cross_encoder(model: InstalledModel) -> OnnxCrossEncoder:
    """Verify a model of the user's models folder, and load it with the first question.

    Raises:
        ModelError: it is damaged, or not a cross-encoder in its ONNX form.
    """
    for finding in verify_models(name=model.name):
        raise ModelError(finding.problem, finding.advice)
    return OnnxCrossEncoder(Path(model.folder), threads=core_count())
