"""Finds words in one document, as somebody does who reads it: every place, in document order, nothing ranked.

Also what a brief says of itself, word for word: its questions, the headings over a passage, its summary of argument.
Makes up nothing and shortens nothing. Works on the document's passages alone. Must not know pages; where a place is on
paper is the affair of `pages`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from briefbank.errors import UsageError
from briefbank.index.tokens import Token, surfaces, tokenise
from briefbank.search.parse import understand
from briefbank.values.reading import Extract, FoundWords, WordsInDocument
from briefbank.values.records import Passage, SectionKind, Span

_PHRASE = re.compile(r"[\"“”„]([^\"“”„]*)(?:[\"“”„]|$)")
"""A text in quotation marks; the second mark may be still to come while somebody types."""

_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011](?=[^\W\d_])")


class _Run(NamedTuple):
    """Words found side by side: the places of the first and the last among all words of the document."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is looked for: phrases word by word as they may be written, and the terms of other words with these words:
    one, or of a case its party and where it is reported. A word with a hyphen may be written without.
    """

    phrases: tuple[frozenset[tuple[str, ...]], ...]
    terms: tuple[tuple[frozenset[str], str], ...]


class DocumentWords:
    """The words of a document, taken apart once for as many searches as are made in it."""

    def __init__(self, document_id: str, passages: Sequence[Passage]) -> None:
        """Take the passages of a document in their order."""
        self.document_id = document_id
        self._passages = passages

    def find(self, text: str) -> WordsInDocument:
        """Find words by their stems, and phrases in quotation marks as they are written, capitals apart.

        Of several words and phrases, the places are those in passages that hold all of them, or all places where no
        passage does.

        Raises:
            UsageError: the text holds no word and no number.
        """
        wanted = _wanted(text)
        each = [self._phrase_runs(forms) for forms in wanted.phrases] + [self._term_runs(t) for t, _ in wanted.terms]
        whole = [max(forms, key=len) for forms in wanted.phrases]
        names = [*map(" ".join, whole), *(name for _, name in wanted.terms)]
        together = set.intersection(*({self._passage_at(run.first) for run in runs} for runs in each))
        runs = sorted({run for runs in each for run in runs})
        if together:
            runs = [run for run in runs if self._passage_at(run.first) in together]
        hits = tuple(map(self._found, self._joined(runs)))
        missing = tuple(name for name, runs in zip(names, each, strict=True) if not runs)
        return WordsInDocument(self.document_id, hits, missing, is_apart=bool(hits) and not together)

    @cached_property
    def _words(self) -> list[tuple[int, Token]]:
        """Each word of the document, with the number of its passage."""
        return [(number, token) for number, each in enumerate(self._passages) for token in tokenise(each.text)]

    def _passage_at(self, place: int) -> int:
        return self._words[place][0]

    def _phrase_runs(self, forms: Collection[tuple[str, ...]]) -> list[_Run]:
        words = [token.surface for _, token in self._words]
        return [
            _Run(place, place + len(form) - 1)
            for form in forms
            for place, word in enumerate(words)
            if word == form[0] and tuple(words[place : place + len(form)]) == form
        ]

    def _term_runs(self, terms: frozenset[str]) -> list[_Run]:
        return [_Run(place, place) for place, (_, word) in enumerate(self._words) if not terms.isdisjoint(word.terms)]

    def _joined(self, runs: Sequence[_Run]) -> list[_Run]:
        """Runs with those made one that overlap, or stand in one passage with words of grammar alone between them.

        None holds a word twice: whoever looks for a word alone counts how often it stands there.
        """
        joined: list[_Run] = []
        for run in runs:
            before = joined[-1] if joined else None
            if before and (run.first <= before.last or self._is_beside(before, run)):
                joined[-1] = _Run(before.first, max(before.last, run.last))
            else:
                joined.append(run)
        return joined

    def _is_beside(self, before: _Run, run: _Run) -> bool:
        if self._passage_at(before.last) != self._passage_at(run.first):
            return False
        held = {token.term for _, token in self._words[before.first : before.last + 1]}
        between = self._words[before.last + 1 : run.first]
        return self._words[run.first][1].term not in held and all(token.is_stop_word for _, token in between)

    def _found(self, run: _Run) -> FoundWords:
        parts = []
        for number, words in groupby(self._words[run.first : run.last + 1], key=itemgetter(0)):
            spans = [token.span for _, token in words]
            parts.append((self._passages[number].id, Span(spans[0].start, spans[-1].end)))
        return FoundWords(tuple(parts), self._passages[self._passage_at(run.first)].page_first)


def _wanted(text: str) -> _Wanted:
    written = (match[1] for match in _PHRASE.finditer(text) if surfaces(match[1]))
    phrases = tuple(frozenset({tuple(surfaces(each)), tuple(surfaces(_HYPHEN.sub("", each)))}) for each in written)
    rest = _PHRASE.sub(" ", text)
    if phrases and not surfaces(rest):
        return _Wanted(tuple(dict.fromkeys(phrases)), ())
    try:
        understood = understand(rest)
    except UsageError:
        raise UsageError("There is nothing to look for.", "Type a word, or a phrase in quotation marks.") from None
    cases = understood.cases.values()
    terms = [
        frozenset({word.term, *(term for term in word.terms if place in cases and term[0].isdigit())})
        for place, word in enumerate(understood.words)
    ]
    return _Wanted(tuple(dict.fromkeys(phrases)), tuple(zip(terms, understood.surfaces, strict=True)))


_SHOWN = {SectionKind.QUESTIONS: "Questions presented", SectionKind.SUMMARY: "Summary of argument"}


Cautions = Callable[[Passage], tuple[str, ...]]
"""Tells what must stay with the words of a passage."""


def own_words(passage: Passage, passages: Sequence[Passage], cautions: Cautions) -> tuple[Extract, ...]:
    """Return the extracts in document order; `passages` are all of the passage's document, in theirs."""
    return tuple(_extracts(passage, passages, cautions))


def _extracts(passage: Passage, passages: Sequence[Passage], cautions: Cautions) -> Iterator[Extract]:
    is_heading_due = bool(passage.section_path) and passage.section_kind not in _SHOWN
    for (kind, is_footnotes), run in groupby(passages, key=lambda each: (each.section_kind, each.is_footnotes)):
        parts = list(run)
        if is_heading_due and any(each.section_path == passage.section_path for each in parts):
            first = next(each for each in parts if each.section_path == passage.section_path)
            outermost = next(each for each in passages if each.section_path[:1] == passage.section_path[:1])
            heading = "\n".join(passage.section_path)
            yield Extract("Point heading", heading, outermost.page_first, first.page_first, first.id, cautions(first))
            is_heading_due = False
        if kind in _SHOWN and not is_footnotes:
            text = "\n\n".join(each.text for each in parts)
            known = tuple(dict.fromkeys(line for each in parts for line in cautions(each)))
            yield Extract(_SHOWN[kind], text, parts[0].page_first, parts[-1].page_last, parts[0].id, known)
