"""The vectors of an index beside LanceDB: once more, in half the precision and one file, by row; and how they lie.

LanceDB takes some 10 µs for each vector that a search reads, this file one: LanceDB is asked by its quantised vectors
which rows may be nearest, and what ranks them is read here. Knows rows and numbers alone.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE
from briefbank.models.encoders.port import Embeddings
from briefbank.values.records import Passage

NAME = "vectors.f16"
_DTYPE = np.dtype("<f2")
_SHRINKAGE = 0.8
"""Of the covariance towards a sphere of the same size. On clauses of contracts 0.3, 0.6 and 0.8 differ by 0.3 points of
recall at 10; the more, the better within 35,000 characters (docs/evaluation.md, “Profiles and spans”).
"""


class HalfVectors:
    """The open file. Of 140,000 vectors compared with 140 no cosine differs by 0.0001 from that of whole numbers."""

    def __init__(self, path: Path, count: int) -> None:
        """Open the vectors of `count` rows.

        Raises:
            BankDamagedError: the file is not as long as that.
            OSError: it cannot be read.
        """
        self._file = path.open("rb")
        weakref.finalize(self, self._file.close)  # with the index, which nobody closes
        self._count = count
        self._dimension, rest = divmod(path.stat().st_size, _DTYPE.itemsize * count)
        if rest:
            raise BankDamagedError(f"{path.name} of the index {path.parent.name} is cut short.", MEND_ADVICE)

    @classmethod
    def open(cls, folder: Path, count: int) -> Self | None:
        """Open those of an index; None where it has none: it is small, large, or an older program wrote it."""
        path = folder / NAME
        return cls(path, count) if count and path.is_file() else None

    def take(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the vectors of some rows, in their order, shape (rows, dimension)."""
        # Mapped for this call alone: what is mapped once stays in memory, page after page, as long as there is room.
        mapped = np.memmap(self._file, _DTYPE, "r", shape=(self._count, self._dimension))
        return np.asarray(mapped[rows], dtype=np.float32)


def keep_halves(
    batches: Iterable[tuple[Sequence[Passage], Embeddings]], folder: Path
) -> Iterator[tuple[Sequence[Passage], Embeddings]]:
    """Pass batches on and write their vectors into the file of an index."""
    with (folder / NAME).open("wb") as file:
        for passages, vectors in batches:
            file.write(vectors.astype(_DTYPE).tobytes())
            yield passages, vectors


def drop_halves(folder: Path) -> None:
    """Remove the file again."""
    (folder / NAME).unlink()


@dataclass(frozen=True, slots=True)
class VectorSpread:
    """The mean of vectors, shape (dimension,), and their covariance, shape (dimension, dimension)."""

    mean: npt.NDArray[np.float64]
    covariance: npt.NDArray[np.float64]

    @classmethod
    def measured(cls, vectors: Embeddings) -> Self:
        """The spread of vectors, shape (vectors, dimension), of which there is one at least."""
        mean = vectors.mean(axis=0, dtype=np.float64)
        apart = vectors - mean
        return cls(mean, apart.T @ apart / len(vectors))

    def away(self, vectors: Embeddings) -> Embeddings:
        """The unit vector in whose direction some vectors, shape (vectors, dimension), differ most from all others.

        Fisher's linear discriminant, with the covariance of all in the place of that within classes, so that it needs
        no counterexamples (Hariharan, Malik and Ramanan 2012).
        """
        size = len(self.mean)
        sphere = np.eye(size) * (np.trace(self.covariance) / size or 1.0)
        shrunk = (1 - _SHRINKAGE) * self.covariance + _SHRINKAGE * sphere
        direction = np.linalg.solve(shrunk, vectors.mean(axis=0, dtype=np.float64) - self.mean)
        away: Embeddings = (direction / (np.linalg.norm(direction) or 1.0)).astype(np.float32)
        return away
