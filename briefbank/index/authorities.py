"""Which passages cite which authority, in which form, and how much each says about it. Knows no queries.

Documents that share a key of an authority cite the same one. A case that some document knows by its name only is the
one case of that name in the bank, where there is just one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from briefbank.errors import BankDamagedError
from briefbank.index import MEND_ADVICE
from briefbank.law.citations import Authority, AuthorityKind, CitationKind, DocumentCitations, Pattern, PatternSet
from briefbank.law.citations.names import short_names
from briefbank.values.records import Span

_MENTION = np.dtype([("row", "<u4"), ("start", "<u4"), ("end", "<u4"), ("kind", "u1"), ("weight", "<f4")])
_FIELDS = ("row", "start", "end", "kind", "weight")
_NUMBERED = np.dtype([("authority", "<u4"), *_MENTION.descr])
_KINDS = tuple(CitationKind)
CASE_NAME = re.compile(r" v |\A(?:in re|ex parte) ")
"""What the name of a case has, in the form that keys have; no citation has it."""


class _Table(msgspec.Struct, frozen=True):
    """What is kept beside the mentions: `terms` are sorted, `authorities_of` has their authorities by number."""

    patterns: list[Pattern]
    labels: list[str]
    terms: list[str]
    authorities_of: list[list[int]]
    kinds: list[tuple[AuthorityKind, str]] = []
    """Of each pattern what an older program does not know of, and would not read: its kind and its own letters."""


class AuthoritiesBuilder:
    """Takes the citations of one document after the other, its passages in the order of the rows."""

    def __init__(self, patterns: PatternSet) -> None:
        self._patterns = patterns
        self._numbers: dict[Authority, int] = {}
        """Of all authorities that differ in anything, in the order of first mention; documents share most of them."""
        self._times: Counter[int] = Counter()
        self._mentions: list[npt.NDArray[np.void]] = []
        self._row = 0

    def add(self, citations: DocumentCitations) -> None:
        """Add a document, or the next part of one."""
        numbers = [self._numbers.setdefault(each, len(self._numbers)) for each in citations.authorities]
        self._times.update(numbers)
        mentions = [
            (numbers[each.authority], row, *each.span, _KINDS.index(each.kind), each.weight)
            for row, cited in enumerate(citations.passages, self._row)
            for each in cited
        ]
        self._mentions.append(np.array(mentions, dtype=_NUMBERED))
        self._row += len(citations.passages)

    def write(self, folder: Path) -> None:
        """Save the postings into `folder`, which is created."""
        folder.mkdir()
        table, arrays = self._numbered()
        (folder / "authorities.msgpack").write_bytes(msgspec.msgpack.encode(table))
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)

    def postings(self) -> AuthorityPostings:
        """The postings in memory, as they are read from the folder that `write` writes."""
        return AuthorityPostings(None, *self._numbered())

    def _numbered(self) -> tuple[_Table, dict[str, npt.NDArray[Any]]]:
        # Documents name one case differently; from here on each authority of the bank has one number.
        numbers = _same_numbers(list(self._numbers))
        labels: dict[int, Counter[str]] = defaultdict(Counter)
        terms: dict[str, set[int]] = defaultdict(set)
        for (authority, own), number in zip(self._numbers.items(), numbers, strict=True):
            labels[number][authority.label] += self._times[own]
            for term in (*authority.keys, *authority.names):
                terms[term].add(number)
        ordered = sorted(terms)
        patterns = self._patterns.patterns
        table = _Table(
            [replace(each, kind=AuthorityKind.STATUTE, own_letters="", needs="") for each in patterns],
            [_best_label(labels[number]) for number in range(len(labels))],
            ordered,
            [sorted(terms[term]) for term in ordered],
            [(each.kind, each.own_letters) for each in patterns],
        )
        mentions = np.concatenate([np.empty(0, dtype=_NUMBERED), *self._mentions])
        if len(mentions):
            mentions["authority"] = np.array(numbers, dtype=np.uint32)[mentions["authority"]]
        order = np.lexsort([mentions[name] for name in (*reversed(_FIELDS), "authority")])
        kept = np.empty(len(mentions), dtype=_MENTION)
        for name in _FIELDS:
            kept[name] = mentions[name][order]
        counts = np.bincount(mentions["authority"].astype(np.int64), minlength=len(labels))
        arrays = {
            "mentions": kept,
            "starts": np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
        }
        return table, arrays


def _best_label(labels: Counter[str]) -> str:
    """The way in which most documents write an authority, of equal ones the first; a bare name for want of others.

    In lists and tables what stands in front of a name is read with it ("8 4 Doe v. Roe", "CASES Doe v. Roe"); a number
    is that of a page wherever some document has the name without one. Capitals within words are those of a heading
    ("N.J.R.E. 404(B)") wherever some document writes the same without them.
    """
    written: Counter[str] = Counter()
    for label, count in labels.items():
        written[label.casefold()] += count

    def rank(label: str) -> tuple[bool, bool, int, int, int]:
        return _is_bare(label), label[:1].isdigit(), -written[label.casefold()], _shouted(label), -labels[label]

    return min(labels, key=rank)


def _shouted(label: str) -> int:
    """How many letters are capitals though they follow another letter, or stand alone in brackets."""
    return sum(each.isupper() and (before.isalpha() or before == "(") for before, each in pairwise(label))


def _is_bare(label: str) -> bool:
    """Whether an authority is written as the name of a case alone, which is kept in small letters."""
    return " v " in label and label == label.lower()


def _same_numbers(authorities: Sequence[Authority]) -> list[int]:
    """Number the authorities so that the same one bears the same number, from 0 in the order of first mention."""
    parents = list(range(len(authorities)))

    def root(number: int) -> int:
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    by_key: dict[str, int] = {}
    for number, authority in enumerate(authorities):
        for key in authority.keys:
            parents[root(number)] = root(by_key.setdefault(key, number))
    cases: dict[str, set[int]] = defaultdict(set)
    for number, authority in enumerate(authorities):
        for name in authority.names if authority.keys else ():
            cases[name].add(root(number))
    nameless: dict[str, int] = {}
    for number, authority in enumerate(authorities):
        for name in () if authority.keys else authority.names:
            known = _of_name(name, cases)
            parents[number] = next(iter(known)) if len(known) == 1 else nameless.setdefault(name, number)
    numbered: dict[int, int] = {}
    return [numbered.setdefault(root(number), len(numbered)) for number in range(len(authorities))]


def _of_name(name: str, cases: Mapping[str, set[int]]) -> set[int]:
    """The cases of a name, or of its beginning: where the second party's name ends was a guess."""
    first, _, second = name.partition(" v ")
    words = second.split()
    shorter = (f"{first} v {' '.join(words[:count])}" for count in range(len(words), 0, -1))
    return next((cases[each] for each in shorter if each in cases), set())


class AuthorityPostings:
    """Postings opened for reading; nothing is read before it is asked for."""

    def __init__(
        self,
        folder: Path | None,
        table: _Table | None = None,
        arrays: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        """Take the folder that holds them; or none, and in its place the table and all arrays by name."""
        self._folder = folder or Path()
        self._arrays = arrays or {}
        if table is not None:
            self._table = table

    @cached_property
    def patterns(self) -> PatternSet:
        """The patterns that the citations were found with."""
        patterns, kinds = self._table.patterns, self._table.kinds
        known = zip(patterns, kinds, strict=True) if kinds else ((each, (each.kind, "")) for each in patterns)
        return PatternSet(tuple(replace(each, kind=kind, own_letters=letters) for each, (kind, letters) in known))

    def known(self, key: str) -> list[str]:
        """The keys and names in the bank that are this one or a subdivision of it, sorted."""
        terms = self._table.terms
        found = [key] if self._number(key) is not None else []
        steps = ["("] if "-" in key or ":" not in key else ["(", "-"]
        for step in steps if key[-1:].isalnum() or key.endswith(")") else []:
            first = bisect_left(terms, key + step)
            end = bisect_left(terms, key + chr(ord(step) + 1))
            found += terms[first:end]
        return sorted(found)

    def labels(self, keys: Iterable[str]) -> list[str]:
        """The authorities that these keys and names stand for, as people write them."""
        return [self._table.labels[number] for number in self.numbers(keys)]

    def case_names(self) -> frozenset[str]:
        """The names of the cases that are cited with their reporter somewhere."""
        terms = list(zip(self._table.terms, self._table.authorities_of, strict=True))
        reported = {number for term, numbers in terms if term[:1].isdigit() for number in numbers}
        return frozenset(term for term, numbers in terms if " v " in term and not reported.isdisjoint(numbers))

    def rows(self, keys: Iterable[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The rows of the passages that cite one of these, ascending, and how much each says about it."""
        found = self._mentions_of(keys)
        rows, places = np.unique(found["row"].astype(np.int64), return_inverse=True)
        weights = np.bincount(places, weights=found["weight"], minlength=len(rows)).astype(np.float32)
        return rows, weights

    def spans(self, keys: Iterable[str], row: int) -> list[tuple[Span, CitationKind]]:
        """Where a passage cites one of these, and in which form, in order."""
        found = self._mentions_of(keys)
        found = found[found["row"] == row]
        spans = {(Span(int(each["start"]), int(each["end"])), _KINDS[each["kind"]]) for each in found}
        return sorted(spans)

    def mentions(
        self,
        keys: Iterable[str],
        among: npt.NDArray[np.bool_] | None = None,
        *,
        kind: CitationKind | None = None,
        most: int | None = None,
    ) -> list[tuple[int, Span, CitationKind]]:
        """Every place at which one of these is cited: row, range in the passage, form; by row, then by place. `among`
        says by row where to look; without it, a form and a number all are meant.
        """
        found = self._mentions_of(keys)
        if among is not None:
            found = found[among[found["row"]]]
        if kind is not None:
            found = found[found["kind"] == _KINDS.index(kind)]
        found = found[np.lexsort((found["kind"], found["end"], found["start"], found["row"]))]
        places = list(dict.fromkeys(found[["row", "start", "end", "kind"]].tolist()))[:most]
        return [(row, Span(start, end), _KINDS[number]) for row, start, end, number in places]

    def cited_in(self, rows: npt.NDArray[np.int64]) -> dict[int, list[int]]:
        """The authorities that passages cite, by number, each with the rows of those among `rows` that do."""
        places = np.flatnonzero(np.isin(self._mentions["row"], rows))
        numbers = np.searchsorted(self._starts, places, side="right") - 1
        cited: dict[int, list[int]] = defaultdict(list)
        for number, row in sorted(set(zip(numbers.tolist(), self._mentions["row"][places].tolist(), strict=True))):
            cited[number].append(row)
        return cited

    def counts(self, passage_count: int) -> npt.NDArray[np.int64]:
        """How many citations each passage holds, by row."""
        return np.bincount(self._mentions["row"], minlength=passage_count)

    def mentions_in(self, rows: npt.NDArray[np.int64]) -> list[tuple[int, int, Span]]:
        """Every mention in passages, in order: the row, the number of the authority, and the range in the passage."""
        places = np.flatnonzero(np.isin(self._mentions["row"], rows))
        numbers = (np.searchsorted(self._starts, places, side="right") - 1).tolist()
        found = zip(self._mentions[places].tolist(), numbers, strict=True)
        return sorted(
            ((row, number, Span(start, end)) for (row, start, end, _, _), number in found),
            key=lambda each: (each[0], each[2]),
        )

    def terms_of(self, numbers: Iterable[int]) -> dict[int, str]:
        """For each of these authorities a key or name that stands for it, where there is one for it alone."""
        return {number: self._terms[number] for number in numbers if number in self._terms}

    def citations_of(self, numbers: Collection[int]) -> dict[int, tuple[str, ...]]:
        """For each of these authorities the keys, no names of cases, that stand for it alone."""
        keys: dict[int, list[str]] = defaultdict(list)
        for term, known in zip(self._table.terms, self._table.authorities_of, strict=True):
            if len(known) == 1 and known[0] in numbers and not CASE_NAME.search(term):
                keys[known[0]].append(term)
        return {number: tuple(found) for number, found in keys.items()}

    @cached_property
    def _terms(self) -> Mapping[int, str]:
        terms: dict[int, str] = {}
        for term, known in zip(self._table.terms, self._table.authorities_of, strict=True):
            for number in known:
                if number not in terms or len(known) == 1:
                    terms[number] = term
        return terms

    def label(self, number: int) -> str:
        """An authority of the bank, by number, as people write it."""
        return self._table.labels[number]

    def with_words(self, words: Iterable[str]) -> list[int]:
        """The authorities in whose names all of these words, or beginnings of words, stand; the most cited first."""
        wanted = [f" {word.casefold()}" for word in words]
        found = [
            number
            for number, label in enumerate(self._folded_labels)
            if all(word in label for word in wanted) and not self.is_bare_name(number)
        ]
        return sorted(found, key=lambda number: (-self.passage_count(number), self.label(number)))

    @cached_property
    def _folded_labels(self) -> list[str]:
        return [f" {' '.join(label.casefold().split())}" for label in self._table.labels]

    def is_bare_name(self, number: int) -> bool:
        """Whether an authority is known by the name of a case alone, as that of a record cite ("RR v. 111") or of a
        caption is.
        """
        return _is_bare(self.label(number))

    def is_constitution(self, number: int) -> bool:
        """Whether an authority is a part of a constitution, which nearly every brief names somewhere."""
        return number in self._constitutions

    @cached_property
    def _constitutions(self) -> frozenset[int]:
        terms = zip(self._table.terms, self._table.authorities_of, strict=True)
        parts = (numbers for term, numbers in terms if " const " in term and not CASE_NAME.search(term))
        return frozenset(number for numbers in parts for number in numbers)

    def passage_count(self, number: int) -> int:
        """How many passages cite an authority, by number; one that cites it in three reporters counts once."""
        return int(self._passage_counts[number])

    @cached_property
    def _passage_counts(self) -> npt.NDArray[np.int64]:
        rows = self._mentions["row"]
        is_next = np.ones(len(rows), dtype=bool)  # the mentions of an authority stand in the order of their rows
        is_next[1:] = rows[1:] != rows[:-1]
        is_next[self._starts[:-1][np.diff(self._starts) > 0]] = True
        counted = np.concatenate([[0], np.cumsum(is_next)])
        return np.diff(counted[self._starts])

    def rows_of(self, number: int) -> npt.NDArray[np.int64]:
        """The rows of the passages that cite an authority, by number, ascending."""
        return np.unique(self._mentions["row"][self._starts[number] : self._starts[number + 1]].astype(np.int64))

    def names_of(self, numbers: Iterable[int]) -> list[str]:
        """The names of cases that stand for any of these authorities, by number."""
        return sorted({name for number in numbers for name in self._names.get(number, ())})

    @cached_property
    def _names(self) -> Mapping[int, list[str]]:
        """The names of cases by number."""
        names: dict[int, list[str]] = defaultdict(list)
        for term, numbers in zip(self._table.terms, self._table.authorities_of, strict=True):
            for number in numbers if CASE_NAME.search(term) else ():
                names[number].append(term)
        return names

    def named(self, short_name: str) -> set[int]:
        """The authorities, by number, that may be called by this name of a party alone."""
        return self._by_short_name.get(short_name, set())

    @cached_property
    def _by_short_name(self) -> Mapping[str, set[int]]:
        """The cases, by number, that the name of each party may stand for."""
        cases: dict[str, set[int]] = defaultdict(set)
        for number, names in self._names.items():
            for short in {short for name in names for short in short_names(name)}:
                cases[short].add(number)
        return cases

    def called(self, name: str, volume: str, page: int) -> dict[int, str]:
        """The cases, by number, that a short citation may mean, each with its key: those in a volume (`589 sw3d`) that
        begin at or before a page and bear a name, of both parties or of one.
        """
        terms, start = self._table.terms, f"{volume} "
        begun: dict[int, str] = {}
        for place in range(bisect_left(terms, start), len(terms)):
            first = terms[place].removeprefix(start)
            if not terms[place].startswith(start):
                break
            if first.isdigit() and int(first) <= page:
                begun.update(dict.fromkeys(self._table.authorities_of[place], terms[place]))
        bearing = {*self.numbers([name]), *self.named(name)} if begun else set()
        return {number: key for number, key in begun.items() if number in bearing}

    def numbers(self, keys: Iterable[str]) -> list[int]:
        """The numbers of the authorities that these keys and names stand for, ascending; each of the bank has one."""
        numbers = (self._number(key) for key in keys)
        return sorted({each for number in numbers if number is not None for each in self._table.authorities_of[number]})

    def _number(self, key: str) -> int | None:
        terms = self._table.terms
        number = bisect_left(terms, key)
        return number if number < len(terms) and terms[number] == key else None

    def _mentions_of(self, keys: Iterable[str]) -> npt.NDArray[np.void]:
        ranges = [self._mentions[self._starts[each] : self._starts[each + 1]] for each in self.numbers(keys)]
        return np.concatenate([self._mentions[:0], *ranges])

    @cached_property
    def _table(self) -> _Table:
        try:
            return msgspec.msgpack.decode((self._folder / "authorities.msgpack").read_bytes(), type=_Table)
        except (OSError, ValueError) as error:  # of MessagePack, or of letters within it
            raise self._damaged(error) from error

    @cached_property
    def _mentions(self) -> npt.NDArray[np.void]:
        return self._array("mentions")

    @cached_property
    def _starts(self) -> npt.NDArray[np.int64]:
        return self._array("starts").astype(np.int64)

    def _array(self, name: str) -> npt.NDArray[np.void]:
        if name in self._arrays:
            return self._arrays[name]
        try:
            array: npt.NDArray[np.void] = np.load(self._folder / f"{name}.npy", mmap_mode="r")
        except (OSError, ValueError) as error:
            raise self._damaged(error) from error
        return array

    def _damaged(self, error: Exception) -> BankDamagedError:
        return BankDamagedError(f"The citations of {self._folder.parent.name} cannot be read: {error}", MEND_ADVICE)
