"""The words of a large bank: LanceDB's full text brings candidates, scored again here as `lexical` scores all passages.

Opening reads no words into memory. The terms lie three times: joined by spaces in a column, which LanceDB indexes; as
numbers, passage after passage, from which scores are worked out; and sorted, with how many passages hold each.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE
from briefbank.index.lance import LanceTable
from briefbank.index.selection import Selection
from briefbank.index.term_index import DELTA, K1, B, Equivalents, Rows, Scores, TermIndex
from briefbank.index.words import SortedWords, WordNumbers

COLUMN = "terms"
"""Of the table of passages: their terms joined by spaces."""
_CANDIDATES_A_RESULT = 5
"""LanceDB ranks by BM25 and knows nothing of equivalents. Over 61 questions on 5,000,000 synthetic passages the
candidates hold 97.4 % of the 200 best by our scores and all of the ten best; 3 a result, with terms repeated up to four
times, held 92.8 and 99.8 %.
"""
# Chosen, not measured: enough for a search that wants a few results, and enough that some of them are selected.
_LEAST_CANDIDATES = 400
_LEAST_ASKED = 100
_WIDER = 2
"""Times as many candidates are asked for under a condition, where those within a narrower selection are wanted too:
contents and captions are kept back, seldom more than half.
"""
_REPEATS = 2
"""A term counts as often as it is repeated in what LanceDB is asked: this often where its weight is the greatest. Over
5,000,000 passages 1,400 candidates take 57 ms and hold 96.5 % of the 200 best; with 4 they take 77 and hold 98.1. With
1 as many as 1,200 take 39 and hold 83.7.
"""
_MOST_COUNTED = 20_000
"""Where passages are counted, no more; in banks of this form as many are no rare thing."""
_PLACES_KEPT = 1 << 16
"""Terms whose place in the vocabulary is remembered, in 10 MB or so: a search asks for each of a hundred several times.
"""
_TERMS, _STARTS, _HOLDERS, _NUMBERS = "passages.bin", "starts.npy", "holders.npy", "numbers.npy"


def _candidate_count(depth: int) -> int:
    """How many of LanceDB's candidates hold the best `depth` by our scores, or nearly all of them."""
    return max(_CANDIDATES_A_RESULT * depth, _LEAST_CANDIDATES)


def term_text(terms: Sequence[str]) -> str:
    """Terms joined by spaces; those within a term (`170 nj 632`) become `_`, which no term has."""
    return "\n".join(terms).replace(" ", "_").replace("\n", " ")


class FullTextBuilder:
    """Takes the terms of one passage after the other; their numbers go to the disk at once."""

    def __init__(self, folder: Path) -> None:
        """Take the folder to write into, which is created."""
        folder.mkdir()
        self._folder = folder
        self._vocabulary = WordNumbers()
        self._holders = array("q")
        self._starts = array("q", [0])
        self._texts: list[str] = []
        self._file = (folder / _TERMS).open("wb")

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, terms: Sequence[str]) -> None:
        """Add the next passage."""
        numbers, holders = self._vocabulary.numbers(terms), self._holders
        holders.extend([0] * (len(self._vocabulary) - len(holders)))
        for number in set(numbers.tolist()):
            holders[number] += 1
        self._file.write(numbers.astype("<i4").tobytes())
        self._starts.append(self._starts[-1] + len(numbers))
        self._texts.append(term_text(terms))

    def take_texts(self) -> list[str]:
        """What goes into the column of terms, of the passages added since this was last called."""
        texts, self._texts = self._texts, []
        return texts

    @cached_property
    def term_rows(self) -> TermRows:
        """The numbers of each passage's terms, in order; to be asked for when all passages are there."""
        self._file.close()
        return TermRows(_mapped(self._folder / _TERMS), np.frombuffer(self._starts, dtype=np.int64))

    def write(self, folder: Path) -> None:
        """Write what is kept beside the numbers into the folder that holds these."""
        self._file.close()
        words = sorted(self._vocabulary)
        numbers = np.array([self._vocabulary[word] for word in words], dtype=np.int32)
        SortedWords.write(folder, words)
        np.save(folder / _NUMBERS, numbers)
        np.save(folder / _HOLDERS, np.frombuffer(self._holders, dtype=np.int64)[numbers])
        np.save(folder / _STARTS, np.frombuffer(self._starts, dtype=np.int64))


def _mapped(file: Path) -> npt.NDArray[np.int32]:
    """The numbers in a file, mapped into memory; an empty file cannot be."""
    mapped = np.memmap(file, dtype="<i4", mode="r") if file.stat().st_size else np.empty(0, dtype=np.int32)
    return np.asarray(mapped)


class TermRows(Sequence[npt.NDArray[np.int32]]):
    """The numbers of each passage's terms, read as they are asked for."""

    def __init__(self, numbers: npt.NDArray[np.int32], starts: npt.NDArray[np.int64]) -> None:
        """Take all numbers, and where those of each passage start, and one start more behind the last."""
        self._numbers, self._starts = numbers, starts

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, row: int | slice) -> Any:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        return np.asarray(self._numbers[self._starts[row] : self._starts[row + 1]])

    def lengths(self, rows: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """How many terms some passages have."""
        lengths: npt.NDArray[np.int64] = self._starts[rows + 1] - self._starts[rows]
        return lengths

    @property
    def mean_length(self) -> float:
        """How many terms a passage has in the mean."""
        return float(self._starts[-1]) / max(len(self), 1)

    def frequencies(self, numbers: Sequence[int], rows: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """How often each of some distinct terms stands in each of some passages, shape (terms, rows)."""
        order = np.argsort(np.array(numbers, dtype=np.int64))
        ascending = np.array(numbers, dtype=np.int64)[order]
        lengths = self.lengths(rows)
        owner = np.repeat(np.arange(len(rows)), lengths)
        # Where each number lies: behind the start of its passage by as many as it lies behind the first of them here.
        before = np.cumsum(lengths) - lengths
        held = self._numbers[np.arange(len(owner)) + np.repeat(self._starts[rows] - before, lengths)]
        places = np.minimum(np.searchsorted(ascending, held), len(ascending) - 1)
        is_one = ascending[places] == held
        cells = order[places[is_one]] * len(rows) + owner[is_one]
        counted: npt.NDArray[np.int64] = np.bincount(cells, minlength=len(numbers) * len(rows))
        by_term: npt.NDArray[np.int64] = counted.reshape(len(numbers), len(rows))
        return by_term


class _Wanted(NamedTuple):
    """A term, what its score is multiplied by, and what stands for it where it is missing, each with its share."""

    term: str
    weight: float
    others: tuple[tuple[str, float], ...] = ()


class FullTextIndex(TermIndex):
    """What the builder wrote, opened for reading, and the table of passages with its column of terms."""

    def __init__(
        self, table: LanceTable, words: SortedWords, rows: TermRows, numbers_and_holders: Sequence[npt.NDArray[Any]]
    ) -> None:
        self._table, self._words, self._rows = table, words, rows
        self._numbers, self._holders = numbers_and_holders
        self._place_of = lru_cache(maxsize=_PLACES_KEPT)(words.place_of)

    @classmethod
    def open(cls, folder: Path, passage_count: int, table: LanceTable) -> Self:
        """Open the index in `folder` over `passage_count` passages, whose terms are a column of `table`.

        Raises:
            BankDamagedError: a file is missing, cut short or cannot be read, or is of other passages.
        """
        try:
            starts, *arrays = (np.load(folder / name, mmap_mode="r") for name in (_STARTS, _NUMBERS, _HOLDERS))
            numbers, words = _mapped(folder / _TERMS), SortedWords.open(folder)
            if len(starts) != passage_count + 1 or len(numbers) != starts[-1] or {*map(len, arrays)} != {len(words)}:
                raise ValueError("its files are of different passages")
        except (OSError, ValueError, EOFError) as error:
            message = f"The word index of {folder.parent.name} cannot be read: {error}"
            raise BankDamagedError(message, MEND_ADVICE) from error
        return cls(table, words, TermRows(numbers, starts), arrays)

    def __len__(self) -> int:
        return len(self._rows)

    def holders(self, term: str) -> int:
        """See `TermIndex.holders`."""
        place = self._place_of(term)
        return 0 if place is None else int(self._holders[place])

    def scores(self, terms: Sequence[str], equivalents: Equivalents | None = None) -> CandidateScores:
        """See `TermIndex.scores`."""
        wanted = []
        for term, times in Counter(terms).items():
            known = [each for each in (equivalents or {}).get(term, ()) if self.holders(each)]
            others = tuple((each, self.share_of(term, each)) for each in known)
            wanted.append(_Wanted(term, times, others))
        return CandidateScores(self, tuple(wanted))

    def weighted_scores(self, weights: Mapping[str, float]) -> CandidateScores:
        """See `TermIndex.weighted_scores`."""
        return CandidateScores(self, tuple(_Wanted(term, weight) for term, weight in weights.items()))

    def has_all(self, terms: Sequence[str], within: Selection) -> bool:
        """See `TermIndex.has_all`."""
        return bool(len(self.holding_all(terms, 1, within))) if terms else bool(within.mask.any())

    def best_holding(
        self, groups: Sequence[tuple[Sequence[str], float]], depth: int, within: Selection | None = None
    ) -> Rows:
        """See `TermIndex.best_holding`; of each group no more than the `depth` passages that LanceDB ranks best."""
        held: defaultdict[int, float] = defaultdict(float)
        for terms, counts in groups:
            for row in self.holding_all(terms, depth, within).tolist():
                held[row] += counts
        best = sorted(held, key=lambda row: (-held[row], row))[:depth]
        return np.array(best, dtype=np.int64)

    def count_holding_all(self, terms: Sequence[str]) -> int:
        """See `TermIndex.count_holding_all`."""
        return len(self.holding_all(terms, _MOST_COUNTED))

    def count_holding(self, term: str, rows: Rows) -> int:
        """See `TermIndex.count_holding`."""
        return int(np.count_nonzero(self.frequencies([term], rows)))

    def holding_all(self, terms: Sequence[str], depth: int, within: Selection | None = None) -> Rows:
        """The rows of at most `depth` selected passages that hold all of the terms, those that LanceDB ranks best."""
        if not all(map(self.holders, terms)):
            return np.empty(0, dtype=np.int64)
        return self.ask_within(term_text(terms), depth, within, needs_all=True)[:depth]

    def question(self, wanted: Sequence[_Wanted]) -> str:
        """What LanceDB is asked for some terms: each repeated by its weight, none of those that no passage holds."""
        weights: defaultdict[str, float] = defaultdict(float)
        for term, weight, others in wanted:
            for each, share in ((term, 1.0), *others):
                if self.holders(each):
                    weights[each] += weight * share
        most = max(weights.values(), default=1.0)
        repeats = {term: max(1, round(_REPEATS * weight / most)) for term, weight in weights.items()}
        common = math.gcd(*repeats.values())  # each repetition is read anew: where all weigh the same, once is enough
        return term_text([term for term, times in repeats.items() for _ in range(times // common)])

    def ask_within(self, question: str, depth: int, within: Selection | None, *, needs_all: bool = False) -> Rows:
        """The selected rows that LanceDB ranks best, best first: `depth`, or more where they came along."""
        reach = within.reach(max(depth, _LEAST_ASKED)) if within and within.where else None
        if within and reach:
            found = self.ask(question, reach, needs_all=needs_all)
            selected = found[within.mask[found]]
            if len(selected) >= depth or len(found) < reach:
                return selected
        return self.ask(question, depth, within.where if within else None, needs_all=needs_all)

    def ask(self, question: str, depth: int, where: str | None = None, *, needs_all: bool = False) -> Rows:
        """The `depth` rows that LanceDB ranks best, best first, of those that meet a condition."""
        if not question:
            return np.empty(0, dtype=np.int64)
        columns, most = ["row", "_score"], min(depth, len(self))
        found = self._table.matching(question, COLUMN, most, columns, where, needs_all=needs_all)
        best_first = np.argsort(-found["_score"].to_numpy(), kind="stable")
        rows: Rows = found["row"].to_numpy().astype(np.int64)[best_first]
        return rows

    def frequencies(self, terms: Sequence[str], rows: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """How often each of some distinct terms stands in each of some passages, shape (terms, rows)."""
        places = [self._place_of(term) for term in terms]
        numbers = [-1 - place if at is None else int(self._numbers[at]) for place, at in enumerate(places)]
        return self._rows.frequencies(numbers, rows)

    def weights(self, terms: Sequence[str], rows: npt.NDArray[np.integer]) -> Scores:
        """The BM25+ score that each of some distinct terms gives each of some passages, shape (terms, rows)."""
        frequencies = self.frequencies(terms, rows)
        norm = K1 * (1 - B + B * self._rows.lengths(rows) / (self._rows.mean_length or 1.0))
        within = np.where(frequencies > 0, frequencies * (K1 + 1) / (frequencies + norm) + DELTA, 0.0)
        rarities = np.array([[self.rarity(term)] for term in terms])
        return (rarities * within).astype(np.float32)


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """Scores that are worked out for the rows that are asked for; see `TermScores`."""

    index: FullTextIndex
    wanted: tuple[_Wanted, ...]

    def best(self, depth: int, within: Selection | None = None) -> Rows:
        """Those of LanceDB's candidates that score best."""
        question = self.index.question(self.wanted)
        return self._ranked(self.index.ask_within(question, _candidate_count(depth), within))[:depth]

    def best_in_both(self, depth: int, wide: Selection, narrow: Selection) -> tuple[Rows, Rows]:
        """See `TermScores.best_in_both`; LanceDB is asked once where its answer has enough in both."""
        question, wanted = self.index.question(self.wanted), _candidate_count(depth)
        reach = narrow.reach(wanted)
        asked, where = (reach, None) if reach else (_WIDER * wanted, wide.where)
        found = self.index.ask(question, asked, where)
        ranked = self._ranked(found[wide.mask[found]])
        inside = ranked[narrow.mask[ranked]]
        if len(inside) < wanted and len(found) >= min(asked, len(self.index)):
            ranked, inside = (self._ranked(self.index.ask(question, wanted, each.where)) for each in (wide, narrow))
        return ranked[:depth], inside[:depth]

    def _ranked(self, rows: Rows) -> Rows:
        return rows[np.lexsort((rows, -self.at(rows)))]

    def at(self, rows: npt.NDArray[np.integer]) -> Scores:
        """See `TermScores.at`."""
        scores = np.zeros(len(rows), dtype=np.float32)
        terms = list(dict.fromkeys(each for term, _, others in self.wanted for each in (term, *(o for o, _ in others))))
        if not terms or not len(rows):
            return scores
        weights = dict(zip(terms, self.index.weights(terms, rows), strict=True))
        for term, weight, others in self.wanted:
            found = weights[term]
            for other, share in others:
                found = np.maximum(found, np.float32(share) * weights[other])
            scores += np.float32(weight) * found
        return scores
