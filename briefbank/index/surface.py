"""Where every word of every passage stands, as printed: what exact search is answered from. Knows no expressions.

Words are lower-cased and otherwise left alone: no stems, no stop words. They are numbered through the whole generation,
passage after passage with one number left free between two, so that a sorted array of numbers says where a word
stands, and three arrays of first numbers say in which passage, paragraph and sentence.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE
from briefbank.index.words import SortedWords, WordNumbers
from briefbank.values.records import Span

Places = npt.NDArray[np.uint32]
"""Ascending numbers of words."""

_LETTERS = r"(?:[^\W_]++|[\u0300-\u036f\u00ad\u200b-\u200d])++"
_WORD = re.compile(rf"(?=[^\W_]){_LETTERS}(?:['’]{_LETTERS})*")
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")
_CHUNK = 1 << 20
_LAST = "\U0010ffff"


class SurfaceWord(NamedTuple):
    """A word as it is looked up, and where it stands in its text."""

    word: str
    span: Span


def surface_words(text: str) -> list[SurfaceWord]:
    """The words of a text in order: runs of letters and digits, with apostrophes inside them (`defendant's`)."""
    return [SurfaceWord(folded(match.group()), Span(*match.span())) for match in _WORD.finditer(text)]


def spans_at(text: str, places: Iterable[int]) -> tuple[Span, ...]:
    """Where the words of a text at some places among all of its words stand; several times as fast as their values."""
    words = list(_WORD.finditer(text))
    return tuple(Span(*words[place].span()) for place in places)


@lru_cache(maxsize=100_000)
def folded(word: str) -> str:
    """A word in lower case, with plain apostrophes and without accents, ligatures and soft hyphens."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.replace("’", "'"))
    return "".join(each for each in parts if unicodedata.category(each) not in ("Mn", "Cf")).lower()


@lru_cache(maxsize=200_000)
def _words_in(chunk: str) -> tuple[str, ...]:
    """The words of what stands between white space: no word holds any."""
    return tuple(folded(word) for word in _WORD.findall(chunk))


class SurfaceBuilder:
    """Takes one passage after the other and writes the postings when all have come. Keeps four bytes a word, in memory
    or in the file that it is given.
    """

    def __init__(self, file: IO[bytes] | None = None) -> None:
        """Take an empty file open for writing and reading, or nothing."""
        self._vocabulary = WordNumbers()
        self._file = file
        self._numbers = array("i")  # of the words, passage after passage, behind those in the file
        # Of passages, paragraphs, sentences; as plain numbers, since there are a dozen for each passage.
        self._starts: tuple[array[int], array[int], array[int]] = (array("I"), array("I"), array("I"))
        self._next = 0

    def add(self, text: str, sentence_starts: Sequence[int]) -> None:
        """Add the next passage; `sentence_starts` are the offsets at which its sentences begin."""
        paragraph_starts = [match.end() for match in _PARAGRAPH_END.finditer(text)]
        words, before = _words_before(text, sorted({*sentence_starts, *paragraph_starts}))
        self._numbers.extend(map(self._vocabulary.__getitem__, words))
        for starts, cuts in zip(
            self._starts, ((), paragraph_starts, [*sentence_starts, *paragraph_starts]), strict=True
        ):
            first_words = {0, *map(before.__getitem__, cuts)} - {len(words)}
            starts.extend(self._next + first for first in sorted(first_words | {0}))
        self._next += len(words) + 1
        if self._file and len(self._numbers) > _CHUNK:
            self._numbers.tofile(self._file)
            self._numbers = array("i")

    def write(self, folder: Path, *, maps_words: bool = False) -> None:
        """Save the postings into `folder`, which is created; the vocabulary as it can be mapped, or as text."""
        folder.mkdir()
        words, arrays, renumbered = self._numbered()
        if maps_words:
            SortedWords.write(folder, words)
        else:
            (folder / "words.txt").write_text("\n".join(words), encoding="utf-8", newline="\n")
        for name, values in arrays.items():
            np.save(folder / f"{name}.npy", values)
        places = np.lib.format.open_memmap(
            folder / "places.npy", mode="w+", dtype=np.uint32, shape=_shape_of_places(arrays)
        )
        self._fill(places, arrays, renumbered)
        places.flush()

    def postings(self) -> SurfacePostings:
        """The postings in memory, as they are read from the folder that `write` writes."""
        words, arrays, renumbered = self._numbered()
        places = np.zeros(_shape_of_places(arrays), dtype=np.uint32)
        self._fill(places, arrays, renumbered)
        return SurfacePostings(None, words, {**arrays, "places": places})

    def _numbered(self) -> tuple[list[str], dict[str, Places], npt.NDArray[np.int32]]:
        """The vocabulary, sorted; all arrays but the places; and the place in the vocabulary of each word's number."""
        words = sorted(self._vocabulary)
        renumbered = np.empty(len(words), dtype=np.int32)
        renumbered[[self._vocabulary[word] for word in words]] = np.arange(len(words))
        arrays = {
            name: np.append(np.array(starts, dtype=np.uint32), np.uint32(self._next))
            for name, starts in zip(("passages", "paragraphs", "sentences"), self._starts, strict=True)
        }
        counts = np.zeros(len(words), dtype=np.int64)
        for _, numbers in self._chunks(arrays["passages"]):
            counts += np.bincount(numbers, minlength=len(words))
        arrays["starts"] = np.zeros(len(words) + 1, dtype=np.uint32)
        arrays["starts"][1:] = np.cumsum(counts[np.argsort(renumbered)])
        return words, arrays, renumbered

    def _chunks(self, passages: Places) -> Iterator[tuple[slice, npt.NDArray[np.int32]]]:
        """The next rows with words, as many as hold a million or so, and the numbers of all these words."""
        if self._file:
            self._numbers.tofile(self._file)
            self._numbers = array("i")
            self._file.seek(0)
        # One number is left free behind each passage.
        starts = passages.astype(np.int64) - np.arange(len(passages))
        for rows in np.array_split(np.arange(len(starts) - 1), max(1, int(starts[-1]) // _CHUNK)):
            first, end = (int(starts[rows[0]]), int(starts[rows[-1] + 1])) if len(rows) else (0, 0)
            if first < end:
                words = np.fromfile(self._file, np.int32, end - first) if self._file else self._numbers[first:end]
                yield slice(int(rows[0]), int(rows[-1]) + 1), np.asarray(words, dtype=np.int32)

    def _fill(self, places: Places, arrays: Mapping[str, Places], renumbered: npt.NDArray[np.int32]) -> None:
        """Sort the numbered words by word, a chunk of rows at a time, so that memory stays at four bytes a word."""
        free = arrays["starts"][:-1].astype(np.int64)
        passages = arrays["passages"].astype(np.int64)
        for rows, numbers in self._chunks(arrays["passages"]):
            words = renumbered[numbers]
            lengths = np.diff(passages[rows.start : rows.stop + 1]) - 1
            first = passages[rows.start]
            stands = first + np.arange(len(words)) + np.repeat(np.arange(len(lengths)), lengths)
            counts = np.bincount(words, minlength=len(free))
            order = np.argsort(words, kind="stable")
            ordered = words[order]
            nth = np.arange(len(words)) - (np.cumsum(counts) - counts)[ordered]
            places[free[ordered] + nth] = stands[order]
            free += counts


def _words_before(text: str, cuts: Sequence[int]) -> tuple[list[str], dict[int, int]]:
    """The words of a text, folded, and how many of them begin before each of some ascending offsets."""
    words: list[str] = []
    before: dict[int, int] = {}
    if all(not cut or text[cut - 1 : cut].isspace() for cut in cuts):
        at = 0
        for cut in cuts:
            words.extend(chain.from_iterable(map(_words_in, text[at:cut].split())))
            before[cut], at = len(words), cut
        words.extend(chain.from_iterable(map(_words_in, text[at:].split())))
        return words, before
    found = list(_WORD.finditer(text))
    offsets = [word.start() for word in found]
    return [folded(word.group()) for word in found], {cut: bisect_left(offsets, cut) for cut in cuts}


def _shape_of_places(arrays: Mapping[str, Places]) -> tuple[int]:
    return (max(int(arrays["starts"][-1]), 1),)


class SurfacePostings:
    """Postings opened for reading; nothing is read before it is asked for, and places are memory-mapped."""

    def __init__(
        self, folder: Path | None, words: list[str] | None = None, arrays: Mapping[str, Places] | None = None
    ) -> None:
        """Take the folder that holds them; or none, and in its place the vocabulary and all arrays by name."""
        self._folder = folder or Path()
        self._arrays = dict(arrays or {})
        if words is not None:
            self.words = words

    @cached_property
    def words(self) -> Sequence[str]:
        """The vocabulary, sorted."""
        try:
            if SortedWords.are_in(self._folder):
                return SortedWords.open(self._folder)
            text = (self._folder / "words.txt").read_text(encoding="utf-8")
        except (OSError, ValueError) as error:  # of arrays, or of letters within the text
            raise self._damaged(error) from error
        return text.split("\n") if text else []

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each word of the vocabulary stands in the generation, shape (words,)."""
        starts = self._starts.astype(np.int64)
        counts: npt.NDArray[np.int64] = starts[1:] - starts[:-1]
        return counts

    @cached_property
    def passages(self) -> Places:
        """The number of the first word of each passage, and one number more behind the last."""
        return self._array("passages")

    @cached_property
    def paragraphs(self) -> Places:
        """As `passages`, of the paragraphs."""
        return self._array("paragraphs")

    @cached_property
    def sentences(self) -> Places:
        """As `passages`, of the sentences."""
        return self._array("sentences")

    def rows(self, places: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """The rows of the passages that hold these places."""
        return self.numbers("passages", places) - 1

    def numbers(self, units: str, places: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """How many passages, paragraphs or sentences begin at or before each of some places."""
        # Of one type with the array: NumPy copies the whole array into the wider one otherwise, at each call.
        return np.searchsorted(self._array(units), places.astype(np.uint32, copy=False), side="right")

    def places(self, word: str) -> Places:
        """Where a word stands."""
        number = bisect_left(self.words, word)
        is_known = number < len(self.words) and self.words[number] == word
        return self._between(number, number + 1) if is_known else np.empty(0, dtype=np.uint32)

    def places_of_root(self, root: str) -> Places:
        """Where all words that begin so stand."""
        first, end = bisect_left(self.words, root), bisect_left(self.words, root + _LAST)
        return np.sort(self._between(first, end))

    def places_of_phrase(self, root: str, first: re.Pattern[str], rest: Sequence[str] = ()) -> Places:
        """Where the first word of a phrase stands: one that begins with a root and matches a pattern; then others."""
        words = range(bisect_left(self.words, root), bisect_left(self.words, root + _LAST))
        firsts = [self._between(number, number + 1) for number in words if first.fullmatch(self.words[number])]
        found = np.sort(np.concatenate([self._between(0, 0), *firsts]))
        for step, word in enumerate(rest, start=1):
            places = self.places(word)
            at = np.searchsorted(places, found + step)
            at[at == len(places)] = 0
            found = found[places[at] == found + step] if len(places) else found[:0]
        return found

    def matching(self, pattern: str) -> list[str]:
        """The words that match a pattern in which `*` is any one letter or digit."""
        root = pattern.partition("*")[0]
        first, end = bisect_left(self.words, root), bisect_left(self.words, root + _LAST)
        whole = re.compile("[^']".join(map(re.escape, pattern.split("*"))))
        return [word for word in self.words[first:end] if whole.fullmatch(word)]

    @cached_property
    def _starts(self) -> Places:
        return self._array("starts")

    @cached_property
    def _places(self) -> Places:
        return self._array("places")

    def _between(self, first: int, end: int) -> Places:
        return np.asarray(self._places[int(self._starts[first]) : int(self._starts[end])])

    def _array(self, name: str) -> Places:
        if name not in self._arrays:
            try:
                self._arrays[name] = np.load(self._folder / f"{name}.npy", mmap_mode="r")
            except (OSError, ValueError) as error:
                raise self._damaged(error) from error
        return self._arrays[name]

    def _damaged(self, error: Exception) -> BankDamagedError:
        return BankDamagedError(f"The word places of {self._folder.parent.name} cannot be read: {error}", MEND_ADVICE)
