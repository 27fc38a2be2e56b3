"""Mentions of a case by the name of one of its parties alone, in briefs that cite it: “Carty”, “the Carty Court”.

Looked for when a card is asked for: in the index a name of one word would make a citation of every witness of that
name. So are left out facts and procedure, briefs that cite two cases of the name or whose own case bears it, and names
beside which other words of a person's or a place's name stand.

Lookups are carried on side by side, so that what all of them want next is read in one go: LanceDB takes milliseconds
for each read and microseconds for each of its rows.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

import numpy as np

from briefbank.index.authorities import AuthorityPostings
from briefbank.index.dense import DenseIndex, Rows
from briefbank.index.generation import Generation
from briefbank.index.selection import SECTION_KINDS, Mask
from briefbank.index.surface import surface_words
from briefbank.law.citations import CitationKind
from briefbank.law.citations.names import STATE_NAMES, party_key, short_names
from briefbank.platform.progress import CancelToken
from briefbank.platform.regex import bounded
from briefbank.values.records import SectionKind, Span

T = TypeVar("T")
Texts = Mapping[int, str]
Lookup = Generator[Rows, Texts, T]
"""Yields rows, distinct ones, and is sent at least their texts."""

# Both chosen, not measured, for banks of millions of passages, so that memory stays within some hundred megabytes.
_MOST_LOOKUPS = 256
"""Lookups that are under way at a time; each may hold what thousands of passages say."""
_MOST_ROWS = 20_000
"""Rows beyond which no further lookup's are read in one go; passages have some 1,000 characters."""


def read_together(lookups: Iterable[Lookup[T]], dense: DenseIndex, cancel: CancelToken | None = None) -> list[T]:
    """Carry on each lookup to its end and return what they return, in their order.

    Raises:
        CancelledError: asked to stop.
    """
    found: dict[int, T] = {}
    waiting: deque[tuple[int, Lookup[T], Rows]] = deque()
    to_begin = enumerate(lookups)

    def go_on(number: int, lookup: Lookup[T], texts: Texts | None = None) -> None:
        if cancel:
            cancel.check()
        try:
            waiting.append((number, lookup, next(lookup) if texts is None else lookup.send(texts)))
        except StopIteration as end:
            found[number] = end.value

    while True:
        while len(waiting) < _MOST_LOOKUPS and (begun := next(to_begin, None)):
            go_on(*begun)
        if not waiting:
            return [found[number] for number in sorted(found)]
        at_once: list[tuple[int, Lookup[T]]] = []
        wanted: set[int] = set()
        while waiting and (not at_once or len(wanted) < _MOST_ROWS):
            number, lookup, rows = waiting.popleft()
            at_once.append((number, lookup))
            wanted.update(rows.tolist())
        ordered = np.array(sorted(wanted), dtype=np.int64)
        texts = dict(zip(ordered.tolist(), dense.texts(ordered), strict=True))
        for number, lookup in at_once:
            go_on(number, lookup, texts)


_ARGUED = frozenset(
    {
        *(SectionKind.ARGUMENT, SectionKind.BODY, SectionKind.STANDARD, SectionKind.SUMMARY),
        *(SectionKind.PRELIMINARY, SectionKind.CONCLUSION),
    }
)
_NAME = re.compile(r"[^\W\d_][^\W\d_]*(?:['’-][^\W\d_]+)?(?: [^\W\d_]{3,})?(?<=...)")
"""Names of one or two words; initials and longer ones are seldom used alone."""
_BEFORE = bounded(r"(?P<word>[A-Z][\w’'-]*\.?|\bv\.?)[\s“\"(]*\Z")
_MAY_PRECEDE = frozenset(
    "a also although and applying as at because before both but by cf citing contrary court distinguishing even "
    "following for from given here however if in indeed like moreover neither no nor not on only or per rather see "
    "since so still such that the then there therefore this thus to under unlike until unless what when where "
    "whether which while with within yet".split()
)
_BEHIND = bounded(
    r"(?:[’']s)?\s+(?P<word>[A-Z][\w’'-]*|v\.?(?=\s)|(?:had\s+|then\s+|later\s+)?(?:testified|told|said|drove|walked|ran|shot|"
    r"arrived|pleaded|fled|replied|was\s+(?:arrested|driving|shot|charged))\b)"
)
_MAY_FOLLOW = frozenset(
    "court courts decision standard test rule factors panel majority and or but i the id see".split()
)
_NO_ROWS: Rows = np.empty(0, dtype=np.int64)
_FULL_READ = 50
"""Full citations in which it is looked up how the parties are written."""
_ADJACENT = 20
"""Characters to a longer form of the same citation, of which the name is a part: "Carty, 170 N.J. at 640"."""


class CaseNames:
    """The names by which the cases of one generation are called."""

    def __init__(self, generation: Generation) -> None:
        self._generation = generation

    @cached_property
    def _argued(self) -> Mask:
        """By row whether a passage argues."""
        return np.array([kind in _ARGUED for kind in SECTION_KINDS])[self._generation.dense.columns.section_kind]

    @cached_property
    def _titles(self) -> list[str]:
        return [each.metadata.title.value.casefold() for each in self._generation.documents]

    def mentions(
        self, keys: Collection[str], known: Collection[tuple[int, Span, CitationKind]], among: Mask | None = None
    ) -> Lookup[list[tuple[int, Span, CitationKind]]]:
        """Look up the mentions by name alone: row, range in the passage, form. `known` are those that the index has;
        `among` says by row where to look, without it everywhere.
        """
        postings, surface, dense = self._generation.authorities, self._generation.surface, self._generation.dense
        if postings is None or surface is None:
            return []
        numbers = postings.numbers(keys)
        citing = np.unique(dense.columns.document[postings.rows(keys)[0]]).astype(np.int64)
        cites = np.zeros(len(dense.documents), dtype=bool)
        cites[citing] = True
        wanted = self._argued & cites[dense.columns.document]
        wanted = wanted if among is None else wanted & among
        spans: dict[int, list[Span]] = {}
        for row, span, _ in known:
            spans.setdefault(row, []).append(span)
        names = {short for each in postings.names_of(numbers) for short in short_names(each)} - STATE_NAMES
        may_stand: list[tuple[str, Rows]] = []
        for key, name in sorted((yield from self._as_written(names, keys, postings))):
            first = surface_words(name)[0].word
            places = [surface.places(form) for form in (first, f"{first}'s")]
            rows = np.unique(surface.rows(np.concatenate(places)))
            rows = rows[wanted[rows]]
            if not len(rows):
                continue
            others = self._others_of(key, numbers, citing, postings)
            may_stand.append((name, rows[~np.isin(dense.columns.document[rows], others)]))
        texts = yield np.unique(np.concatenate([_NO_ROWS, *(rows for _, rows in may_stand)]))
        found = {
            (row, span)
            for name, rows in ((_pattern_of(name), rows) for name, rows in may_stand)
            for row in rows.tolist()
            for span in _places(name, texts[row], spans.get(row, []))
        }
        return [(row, span, CitationKind.NAME) for row, span in sorted(found)]

    def _as_written(
        self, names: Collection[str], keys: Collection[str], postings: AuthorityPostings
    ) -> Lookup[set[tuple[str, str]]]:
        """The names of parties, each with a form in which it may be written: the index leaves out hyphens and the
        like.
        """
        forms = {(each, _capitalised(each)) for each in names if _NAME.fullmatch(each)}
        full = postings.mentions(keys, kind=CitationKind.FULL, most=_FULL_READ)
        texts = yield np.array(sorted({row for row, _, _ in full}), dtype=np.int64)
        for named in {" ".join(texts[row][slice(*span)].partition(",")[0].split()) for row, span, _ in full}:
            for party in re.split(r" v\.? ", named):
                if party_key(party) in names and _NAME.fullmatch(party.casefold()):
                    forms.add((party_key(party), _capitalised(party)))
        return forms

    def _others_of(self, name: str, numbers: Collection[int], among: Rows, postings: AuthorityPostings) -> Rows:
        """The documents, by number, in which the name may mean another case; or `among` some of them, a party of their
        own.
        """
        documents = self._generation.dense.columns.document
        cited = [documents[postings.rows_of(each)] for each in postings.named(name) if each not in numbers]
        own = [
            number
            for number in among.tolist()
            if name in self._titles[number] and re.search(rf"\b{re.escape(name)}\b", self._titles[number])
        ]
        return np.unique(np.concatenate([np.array(own, dtype=np.int64), *cited]).astype(np.int64))


def _capitalised(name: str) -> str:
    """A name with a capital at the beginning of each of its words."""
    return " ".join(word[0].upper() + word[1:] for word in name.split())


def _pattern_of(name: str) -> re.Pattern[str]:
    """What finds a name where it is no part of a longer word. It begins with a letter, which `re` looks for first."""
    words = r"\s+".join(re.escape(word) for word in name.replace("’", "'").split())
    first, rest = words[0], words[1:].replace("'", "['’]")
    return re.compile(rf"{first}(?<![\w.’'-]{first}){rest}(?!\w|-)")


def _places(name: re.Pattern[str], text: str, known: Collection[Span]) -> Iterator[Span]:
    """Where a name stands for a case in a text, apart from longer forms that are known."""
    for match in name.finditer(text):
        span = Span(*match.span())
        if any(span.start < each.end and each.start - _ADJACENT < span.end for each in known if each.end > span.start):
            continue
        before, behind = _BEFORE.search(text, 0, span.start), _BEHIND.match(text, span.end)
        if before and before["word"].casefold() not in _MAY_PRECEDE:
            continue
        if behind and behind["word"].casefold() not in _MAY_FOLLOW:
            continue
        yield span
