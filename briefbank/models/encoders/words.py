"""What the words of a text mean without any layer of a model: the same numbers for every form of an encoder.

They are needed where passages are cut, which is in processes that see untrusted files and load no model: these read the
table of words out of a folder (`WordTable.write`, `read_words`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.models.encoders.port import WordMeans

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TABLE_NAME = "words.json"
_LOOK_S, _REPORT_S = 0.02, 1.0


class KnowsWords(Protocol):
    """Whatever knows the words of an encoder."""

    def word_means(self, texts: Sequence[str]) -> WordMeans: ...


class WordTable(msgspec.Struct, frozen=True):
    """Where the embeddings of a vocabulary lie in float32, one after the other, with the tokeniser that numbers them.

    The `dimension` is 0 for a model that has no such embeddings. `substitute` is the digest of an encoder for tests.
    """

    words: str = ""
    tokenizer: str = ""
    dimension: int = 0
    window: int = 0
    substitute: str = ""

    def write(self, folder: Path) -> None:
        """Tell those who read words from that folder, who may be waiting."""
        beside = folder / f"{TABLE_NAME}.new"
        beside.write_bytes(msgspec.json.encode(self))
        beside.replace(folder / TABLE_NAME)


class _TableWords:
    def __init__(self, table: WordTable) -> None:
        from tokenizers import Tokenizer

        self._words = np.memmap(table.words, dtype=np.float32, mode="r").reshape(-1, table.dimension)
        self._tokenizer: Tokenizer = Tokenizer.from_file(table.tokenizer)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(table.window)

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        return means_of(self._words, self._tokenizer, texts)


def read_words(folder: Path, report: Callable[[], None]) -> KnowsWords | None:
    """The words of an encoder by its table in a folder, None where it has none; waits until the table is written, and
    reports meanwhile that it does.
    """
    reported = time.monotonic()
    while not (folder / TABLE_NAME).is_file():
        time.sleep(_LOOK_S)
        if time.monotonic() - reported > _REPORT_S:
            report()
            reported = time.monotonic()
    return _read(folder)


@cache
def _read(folder: Path) -> KnowsWords | None:
    table = msgspec.json.decode((folder / TABLE_NAME).read_bytes(), type=WordTable)
    if table.substitute:
        from briefbank.models.encoders import substitute_with

        return substitute_with(table.substitute)
    return _TableWords(table) if table.dimension else None


def means_of(words: npt.NDArray[np.float32], tokenizer: Tokenizer, texts: Sequence[str]) -> WordMeans:
    """The mean of the rows of `words`, shape (vocabulary, dimension), that each text names; zeros where none."""
    means = np.zeros((len(texts), words.shape[1]), dtype=np.float32)
    encodings = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    for row, encoding in zip(means, encodings, strict=True):
        if encoding.ids:
            row[:] = words[encoding.ids].mean(axis=0)
    return means
