"""Words and their numbers: a sorted list in mapped files, and words numbered as they are met. Knows no meanings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

_LETTERS, _ENDS = "words.npy", "word-ends.npy"


class SortedWords(Sequence[str]):
    """Words in ascending order of their characters, UTF-8 one behind the other, and where each one ends."""

    def __init__(self, letters: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> None:
        # A word is compared with some twenty: as slices of mapped arrays these took a third of a search's time.
        self._letters, self._ends = letters.data, ends.data

    @staticmethod
    def write(folder: Path, words: Sequence[str]) -> None:
        """Write sorted words into a folder that is there."""
        encoded = [word.encode() for word in words]
        np.save(folder / _LETTERS, np.frombuffer(b"".join(encoded), dtype=np.uint8))
        np.save(folder / _ENDS, np.cumsum([len(each) for each in encoded], dtype=np.int64))

    @classmethod
    def open(cls, folder: Path) -> SortedWords:
        """Open what was written. Raises OSError or ValueError where it cannot be read."""
        letters, ends = (np.load(folder / name, mmap_mode="r") for name in (_LETTERS, _ENDS))
        if len(letters) != (ends[-1] if len(ends) else 0):
            raise ValueError(f"{_LETTERS} and {_ENDS} are not of the same words")
        return cls(letters, ends)

    @staticmethod
    def are_in(folder: Path) -> bool:
        """Whether a folder holds words in this form."""
        return (folder / _LETTERS).is_file()

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        start = self._ends[place - 1] if place else 0
        return str(self._letters[start : self._ends[place]], "utf-8")

    def place_of(self, word: str) -> int | None:
        """The place of a word, or None where it is not among them."""
        place = bisect_left(self, word)
        return place if place < len(self) and self[place] == word else None


class WordNumbers(dict[str, int]):
    """The number of each word, from 0; a word that is asked for first gets the next one, by brackets alone."""

    def __missing__(self, word: str) -> int:
        """Number a new word."""
        self[word] = number = len(self)
        return number

    def numbers(self, words: Iterable[str]) -> npt.NDArray[np.int32]:
        """The numbers of some words, in their order, four bytes each."""
        return np.fromiter(map(self.__getitem__, words), dtype=np.int32)
