"""The encoder port: what indexing and search ask of whatever turns text into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Embeddings = npt.NDArray[np.float32]
"""Shape (texts, dimension), rows of length 1."""


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
