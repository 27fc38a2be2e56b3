"""The ports of encoders, which turn texts into vectors, and of rerankers, which read a question with a passage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from briefbank.models.encoders.words import WordTable

Embeddings = npt.NDArray[np.float32]
"""Shape (texts, dimension), rows of length 1."""
WordMeans = npt.NDArray[np.float32]
"""Shape (texts, dimension of the model's words); only their differences mean anything."""
RerankerScores = npt.NDArray[np.float32]
"""Shape (passages,); only differences mean anything."""


class Encoder(Protocol):
    """Turns texts into unit vectors. The same `digest` means the same vectors, up to precision."""

    @property
    def dimension(self) -> int: ...

    @property
    def digest(self) -> str:
        """SHA-256 over weights, tokeniser and pooling."""
        ...

    @property
    def precision(self) -> str:
        """`fp32`, `bf16` or `int8`."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> Embeddings: ...

    def encode_queries(self, texts: Sequence[str]) -> Embeddings: ...

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        """The mean of the model's embeddings of the words of each text, before any layer; it costs next to nothing."""
        ...

    def word_table(self, folder: Path) -> WordTable:
        """Where other processes find those embeddings; may put them into the folder."""
        ...


class Reranker(Protocol):
    """Reads a question with each of some passages. The same `digest` means the same scores, up to precision."""

    @property
    def digest(self) -> str:
        """SHA-256 over all that its scores follow from."""
        ...

    def scores(self, question: str, passages: Sequence[str]) -> RerankerScores:
        """How well each passage answers; the more, the better. It does not depend on the passages beside it."""
        ...
