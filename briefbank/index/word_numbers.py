"""Numbers words in the order in which they are met. Knows nothing of what is kept under the numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt


class WordNumbers(dict[str, int]):
    """The number of each word, from 0; a word that is asked for first gets the next one, by brackets alone."""

    def __missing__(self, word: str) -> int:
        """Number a new word."""
        self[word] = number = len(self)
        return number

    def of(self, words: Iterable[str]) -> npt.NDArray[np.int32]:
        """The numbers of some words, in their order, four bytes each."""
        return np.fromiter(map(self.__getitem__, words), dtype=np.int32)
