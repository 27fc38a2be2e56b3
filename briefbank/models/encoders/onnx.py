"""Encoding through ONNX Runtime, for the search on a laptop: needs `onnxruntime` and `tokenizers`, never torch.

Reads the folder that `export` writes and trusts no file in it whose digest differs. Texts are encoded
in batches of like length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.errors import ModelError
from briefbank.models.encoders.port import Embeddings, WordMeans
from briefbank.models.encoders.words import WordTable, means_of
from briefbank.platform.files import TABLE_BYTES, read_bounded, sha256_once

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

TokenIds = npt.NDArray[np.int64]

CARD_NAME = "export.json"
MODEL_NAME = "model.onnx"
TOKENIZER_NAME = "tokenizer.json"
WORDS_NAME = "words.f32"
"""The embeddings of the vocabulary in float32, one after the other. The graph has them from there too."""
FORM = 2

_BATCH_TOKENS = 1024
_CALLED = "query encoder"
_ADVICE = "Index the folder again on the indexing machine, or install the bank's pack again."


Card = TypeVar("Card")


def length_batches(token_ids: Sequence[Sequence[int]], budget: int) -> Iterator[list[int]]:
    """Indices of the sequences, longest first, in batches of at most `budget` tokens counted as if padded."""
    order = sorted(range(len(token_ids)), key=lambda index: (-len(token_ids[index]), index))
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, len(token_ids[order[start]])))
        yield order[start : start + size]
        start += size


def padded(token_ids: Sequence[Sequence[int]], batch: Sequence[int]) -> tuple[TokenIds, TokenIds]:
    """Those sequences padded with 0 to the length of the first, and their mask; shapes (batch, tokens)."""
    ids = np.zeros((len(batch), len(token_ids[batch[0]])), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, index in enumerate(batch):
        length = len(token_ids[index])
        ids[row, :length] = token_ids[index]
        mask[row, :length] = 1
    return ids, mask


@dataclass(frozen=True, slots=True)
class ExportCard:
    """What an export says of itself; `files` maps each of its files to its SHA-256, `window` counts tokens.

    Those of form 1, which earlier programs wrote, have no `WORDS_NAME`: they encode questions, and cut no passages for
    a bank. `word_dimension` is 0 for these, for halved ones, and for models without embeddings of words.
    """

    source_digest: str
    dimension: int
    window: int
    query_prefix: str
    passage_prefix: str
    files: dict[str, str]
    form: int = 1
    word_dimension: int = 0


def read_card(folder: Path, expected_digest: str | None = None) -> ExportCard:
    """Read an export's card and verify its files, and that it is of the encoder expected, if one is.

    Raises:
        ModelError: a file is missing or changed, or the export is of another encoder.
    """
    card = decode_card(folder / CARD_NAME, ExportCard, _CALLED, _ADVICE)
    if expected_digest not in (None, card.source_digest):
        raise ModelError(f"The query encoder in {folder} is not the one that the index was built with.", _ADVICE)
    verify_files(folder, card.files, _CALLED, _ADVICE)
    return card


def decode_card(path: Path, kind: type[Card], called: str, advice: str) -> Card:
    """Read what a model says of itself. Raises ModelError if it cannot be read; `called` is what people know it as."""
    try:
        return msgspec.json.decode(read_bounded(path, TABLE_BYTES), type=kind)
    except (OSError, ValueError) as error:  # of JSON, or of letters within it
        raise ModelError(f"The {called} is missing or damaged: {path}", advice) from error


def verify_files(folder: Path, files: Mapping[str, str], called: str, advice: str) -> None:
    """Hold a model's files against their card's SHA-256. Raises ModelError if one is missing or differs."""
    for name in sorted({MODEL_NAME, TOKENIZER_NAME, *files}):
        file = folder / name
        if not file.is_file() or sha256_once(file) != files.get(name):
            raise ModelError(f"A file of the {called} is missing, or its SHA-256 differs: {file}", advice)


def open_session(folder: Path, threads: int) -> InferenceSession:
    """Load the model of a verified folder."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # A search is short and rare: threads that spin between searches would only cost battery.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(folder / MODEL_NAME, options, providers=["CPUExecutionProvider"])


def is_intact(folder: Path, digest: str) -> bool:
    """Whether the folder holds a whole export of that encoder, in the form that this program writes."""
    try:
        return read_card(folder, digest).form == FORM
    except ModelError:
        return False


class OnnxEncoder:
    """An encoder over an export folder; texts longer than the window are cut there."""

    precision = "fp32"

    def __init__(self, folder: Path, expected_digest: str, threads: int = 2) -> None:
        """Verify and load the export. Raises ModelError as `read_card` does."""
        card = read_card(folder, expected_digest)
        from tokenizers import Tokenizer

        self._folder = folder
        self._card = card
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_NAME))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(card.window)
        self._session = open_session(folder, threads)

    @property
    def dimension(self) -> int:
        return self._card.dimension

    @property
    def digest(self) -> str:
        return self._card.source_digest

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        return self._encode([self._card.passage_prefix + text for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._encode([self._card.query_prefix + text for text in texts])

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        if not self._card.word_dimension:
            return self.encode_passages(texts)
        words = np.memmap(self._folder / WORDS_NAME, dtype=np.float32, mode="r")
        return means_of(words.reshape(-1, self._card.word_dimension), self._tokenizer, texts)

    def word_table(self, folder: Path) -> WordTable:  # noqa: ARG002  # all of it lies in the export
        places = (self._folder / name for name in (WORDS_NAME, TOKENIZER_NAME))
        words, tokenizer = (str(place.resolve()) for place in places)
        return WordTable(words, tokenizer, self._card.word_dimension, self._card.window)

    def _encode(self, texts: list[str]) -> Embeddings:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        token_ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]
        for batch in length_batches(token_ids, _BATCH_TOKENS):
            ids, mask = padded(token_ids, batch)
            (vectors[batch],) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        return vectors
