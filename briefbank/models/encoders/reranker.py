"""Reranking through ONNX Runtime, for the search on a laptop: needs `onnxruntime` and `tokenizers`, never torch.

Reads the folder that `reranker_torch` writes. Must not know what was searched for, or how the passages were found.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from briefbank.models.encoders.onnx import (
    TOKENIZER_NAME,
    decode_card,
    length_batches,
    open_session,
    padded,
    verify_files,
)
from briefbank.models.encoders.port import RerankerScores

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

CARD_NAME = "reranker.json"
_BATCH_TOKENS = 768
"""Of passages read at once, as if padded; more leave the processor's cache."""
_ADVICE = "Go back to the generation before (briefbank rollback), or learn again."


class RerankerCard(msgspec.Struct, frozen=True):
    """What a reranker says of itself: how many tokens it reads, what it puts before a text, its files' SHA-256.

    `digest` is the same for all forms of the same weights.
    """

    question_tokens: int
    passage_tokens: int
    query_prefix: str
    passage_prefix: str
    files: dict[str, str]
    digest: str = ""


class PairTokenizer:
    """Turns questions and passages into tokens, each cut at its length; for one thread at a time."""

    def __init__(self, definition: str, card: RerankerCard) -> None:
        """Take the contents of a tokenizer.json."""
        from tokenizers import Tokenizer

        self._card = card
        self._tokenizer = Tokenizer.from_str(definition)
        self._tokenizer.no_padding()

    def question(self, text: str) -> list[int]:
        return self._cut([self._card.query_prefix + text], self._card.question_tokens)[0]

    def passages(self, texts: Sequence[str]) -> list[list[int]]:
        return self._cut([self._card.passage_prefix + text for text in texts], self._card.passage_tokens)

    def _cut(self, texts: list[str], length: int) -> list[list[int]]:
        self._tokenizer.enable_truncation(length)
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]


class OnnxReranker:
    """A reranker in its ONNX form; loaded when the first question comes that it is for."""

    def __init__(self, folder: Path, threads: int = 2) -> None:
        """Verify the folder. Raises ModelError if it is missing or damaged."""
        self._folder = folder
        self._threads = threads
        self._card = decode_card(folder / CARD_NAME, RerankerCard, "reranker", _ADVICE)
        verify_files(folder, self._card.files, "reranker", _ADVICE)

    @property
    def digest(self) -> str:
        return self._card.digest

    def scores(self, question: str, passages: Sequence[str]) -> RerankerScores:
        asked = np.array([self._tokenizer.question(question)], dtype=np.int64)
        scores = np.zeros(len(passages), dtype=np.float32)
        token_ids = self._tokenizer.passages(passages)
        for batch in length_batches(token_ids, _BATCH_TOKENS):
            ids, mask = padded(token_ids, batch)
            given = {"question_ids": asked, "passage_ids": ids, "passage_mask": mask}
            (scores[batch],) = self._session.run(None, given)
        return scores

    def write(self, folder: Path) -> None:
        """Copy it into an empty folder."""
        shutil.copytree(self._folder, folder, dirs_exist_ok=True)

    @cached_property
    def _tokenizer(self) -> PairTokenizer:
        return PairTokenizer((self._folder / TOKENIZER_NAME).read_text(encoding="utf-8"), self._card)

    @cached_property
    def _session(self) -> InferenceSession:
        return open_session(self._folder, self._threads)


def digest_of(card: RerankerCard, weights: Iterable[bytes]) -> str:
    """SHA-256 over a card without files, and weights."""
    digest = hashlib.sha256(msgspec.json.encode(card))
    for weight in weights:
        digest.update(weight)
    return digest.hexdigest()
