"""Corrects misspelt words of a question to words that the bank holds, and says so. Must not know how results rank.

A word is left alone where a list of the program has it, in quotes, in a citation, as the name of a case (beside a `v.`,
behind `in re`, in front of a reporter), where it is an abbreviation or has a digit; so is another name, unless a single
slip of the hand parts it from one that the bank has. What the bank does not hold, or only as an error of its own, is
read as a noisy channel has it (Kernighan, Church and Gale 1990): the word of the bank is meant that is the likelier,
the more often it stands there, the fewer slips lead to what was typed, and the more passages hold it together with the
other words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from briefbank.index.generation import Generation
from briefbank.index.tokens import Token, is_telling, own_terms, tokenise
from briefbank.law.citations import AuthorityKind, QueryCitation
from briefbank.law.word_lists import name_words, ordinary_words, rare_words
from briefbank.platform.regex import bounded
from briefbank.search.connectors.fields import forms
from briefbank.search.connectors.syntax import Expression, wanted_words
from briefbank.search.vocabulary import LEAST_LETTERS, SPACE, Company, Near, Vocabulary
from briefbank.values.records import Correction, Span

QUOTED = re.compile(r"[\"“„][^\"“”„]*[\"”“]")
# All of the numbers below were chosen on 23 November 2026 with a seeded model of typing errors over 2,703 queries and
# two banks (docs/evaluation.md, “Misspelt words”).
_PER_COST = 0.45
"""What a tenth of a missing letter weighs against frequency: a word as many times rarer as e to this is as likely."""
_MARGIN = 1.0
"""By how much the best word must be ahead of the next; where it is less, it is open which was meant."""
_COMPARED = 5
"""So many of the likeliest words are looked up with the other words of the question."""
_SHORTEST_LIMIT, _NAME_LIMIT = 8, 10
"""The most that slips may cost in a word of four letters (`lwop`), and in what may be a name: many a name is one slip
from another, and a person or a case that the bank lacks must not become one that it has."""
_NAME_LETTERS, _CAPITAL_LETTERS = 6, 7
"""How long an unknown word must be to be corrected to what no list has (a name, mostly), and how long one that is
written as a name is to be corrected to a word that is none."""
_OFTENER = 20
"""A word that stands in the bank is taken for an error there if what it resembles stands so many times as often."""
_ABBREVIATION_LETTERS = 6
"""Up to so many letters a word in capitals among others stands for several."""
_FAR, _OFTEN = 14, 10
"""A word that costs more must stand in the bank so many times: to a rare one two slips lead by chance."""
_JOINED_LETTERS, _PART_LETTERS = 7, 3
_JOINED_TIMES = 3
"""How often two words must stand side by side to be taken out of one that joins them."""
_PREFIXES = ("non", "un", "re", "pre", "post", "anti", "counter", "inter", "over", "under", "mis", "sub", "multi")
_ENDINGS = ("er", "ers", "able", "ably", "ability", "ness", "ly")
_PREFIXED_LETTERS, _ROOT_LETTERS = 5, 4
"""How much must be left of a word without them: of shorter ones too many errors are made as well."""
_VERSUS = ("v", "v.", "vs", "vs.", "versus")
_IN_RE = bounded(
    r"\b(?:in\s+re|in\s+the\s+matter\s+of)\s+(?:(?:[a-z'’-]+\s+){1,4}of\s+)?(?:the\s+)?[a-z'’-]+", re.IGNORECASE
)
"""A case without a `v.`: "in re hernandez", "in the matter of the civil commitment of hernandez"."""
_LAST_NAME = bounded(r"[\w'’-]{1,60},\s{1,3}\Z")
"""In front of the reporter of a case: "hernandez, 201 N.J. 44"."""
# As far back as `_LAST_NAME` matches: 60 letters, a comma and three spaces.
_NAME_REACH = 64


Citations = Callable[[str], Sequence[QueryCitation]]
"""Finds the citations of a text."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A text with its corrections made, in the order in which they stand."""

    text: str
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class _Doubtful:
    """A word that no list has: its place among the tokens of the text, and how many passages hold it in any form."""

    place: int
    token: Token
    word: str
    held: int

    def is_form_of(self, word: str) -> bool:
        """Whether a search takes both for the same, so that a correction changes nothing but what it means."""
        return own_terms([word]) == [self.token.term]


@dataclass(frozen=True, slots=True)
class _Change:
    span: Span
    to: str


class Speller:
    """Corrects queries over one generation; reads its vocabulary when the first doubtful word comes."""

    def __init__(self, generation: Generation) -> None:
        """Take an open generation. One that an older program wrote, without the places of words, corrects nothing."""
        self._generation = generation
        self._vocabulary = Vocabulary(generation, generation.surface) if generation.surface else None

    def warm(self) -> None:
        """Read the vocabulary now, so that the first misspelt word does not wait for it."""
        if self._vocabulary:
            self._vocabulary.near("warm")

    def correct(self, text: str, tokens: Sequence[Token], citations: Citations) -> Corrected:
        """Correct the misspelt words of a question in natural language with these tokens."""
        if self._vocabulary is None:
            return Corrected(text)
        doubtful = list(self._doubtful(text, tokens, self._vocabulary))
        if doubtful:
            fixed = _fixed(text, citations(text))
            doubtful = [each for each in doubtful if not each.token.span.overlaps_any(fixed)]
        if not doubtful:
            return Corrected(text)
        changes = list(_Reader(text, tokens, doubtful, self._generation, self._vocabulary).changes())
        told = tuple(Correction(text[slice(*each.span)], each.to) for each in changes)
        return Corrected(_applied(text, changes), told)

    def missing(self, expression: Expression) -> tuple[str, ...]:
        """What to tell of the words of an expression that no document holds, which are left as they are."""
        surface = self._generation.surface
        if surface is None:
            return ()
        words = {each.pattern: None for each in wanted_words(expression) if each.pattern.isalpha() and not each.is_root}
        absent = [word for word in words if not any(len(surface.places(form)) for form in forms(word))]
        corrected = [self.correct(word, tokenise(word), lambda _: ()) for word in absent]
        return tuple(_not_held(word, each.corrections) for word, each in zip(absent, corrected, strict=True))

    def _doubtful(self, text: str, tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[_Doubtful]:
        for place, token in enumerate(tokens):
            word = _plain(token)
            if not word.isalpha() or not word.isascii() or len(word) < LEAST_LETTERS or token.is_stop_word:
                continue
            is_in_capitals = text[slice(*token.span)].isupper() and not text.isupper()
            if (is_in_capitals and len(word) <= _ABBREVIATION_LETTERS) or _is_party(text, token):
                continue
            if not _is_right(word) and not vocabulary.is_of_records(word):
                yield _Doubtful(place, token, word, self._generation.lexical.holders(token.term))


def _fixed(text: str, citations: Sequence[QueryCitation]) -> list[Span]:
    """What is meant as it is written: in quotes, a citation, or the name of a case."""
    starts = [each.span.start for each in citations if each.kind is AuthorityKind.CASE]
    names = [_LAST_NAME.search(text, max(start - _NAME_REACH, 0), start) for start in starts]
    written = (*QUOTED.finditer(text), *_IN_RE.finditer(text), *filter(None, names))
    return [*(Span(*match.span()) for match in written), *(each.span for each in citations)]


class _Reader:
    """Reads the doubtful words of one text."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        doubtful: Sequence[_Doubtful],
        generation: Generation,
        vocabulary: Vocabulary,
    ) -> None:
        self._text, self._tokens, self._doubtful = text, tokens, doubtful
        self._vocabulary = vocabulary
        places = {each.place for each in doubtful}
        others = [token.term for place, token in enumerate(tokens) if place not in places and is_telling(token.term)]
        self._company = Company(generation, others)

    def changes(self) -> Iterator[_Change]:
        """What to put in the place of what, in the order of the text."""
        end = 0
        for each in self._doubtful:
            if each.token.span.start < end:
                continue
            if change := self._joined(each.place, end) or self._changed(each):
                end = change.span.end
                yield change

    def _changed(self, doubtful: _Doubtful) -> _Change | None:
        if best := self._best(doubtful):
            span = doubtful.token.span
            ending = doubtful.token.surface[len(doubtful.word) :]
            return _Change(span, _as_written(best, self._text[slice(*span)]) + ending)
        return None

    def _joined(self, place: int, end: int) -> _Change | None:
        """A doubtful word made one with a neighbour: a space was typed into it."""
        for first, last in ((place - 1, place), (place, place + 1)):
            if first < 0 or last >= len(self._tokens) or self._tokens[first].span.start < end:
                continue
            span = Span(self._tokens[first].span.start, self._tokens[last].span.end)
            word = _plain(self._tokens[first]) + _plain(self._tokens[last])
            if self._text[slice(*span)].lower().replace(" ", "", 1) == word and self._is_common(word):
                return _Change(span, word)
        return None

    def _is_common(self, word: str) -> bool:
        return len(word) >= _NAME_LETTERS and word in ordinary_words() and bool(self._vocabulary.count(word))

    def _best(self, doubtful: _Doubtful) -> str:
        """The word that was meant, or two; empty where that is open."""
        found = [each for each in self._vocabulary.near(doubtful.word) if self._may_be_meant(each, doubtful)]
        found = sorted(found, key=_alone, reverse=True)[:_COMPARED]
        scored = [(_alone(each), each.word) for each in found]
        if len(found) > 1:
            scored = [(score + self._company.association(self._vocabulary.rows(word)), word) for score, word in scored]
        if split := self._split(doubtful):
            scored.append((math.log(split[1]) - _PER_COST * SPACE, split[0]))
        scored.sort(key=lambda each: (-each[0], each[1]))
        terms = own_terms(each for _, each in scored)
        rivals = [score for (score, _), term in zip(scored, terms, strict=True) if term != terms[0]]
        is_open = not scored or (bool(rivals) and scored[0][0] - rivals[0] < _MARGIN)
        if is_open or (doubtful.held and self._vocabulary.has_capital(doubtful.word)):
            return ""
        return scored[0][1]

    def _may_be_meant(self, near: Near, doubtful: _Doubtful) -> bool:
        """Whether so near a word is near enough, for what both may be: the fewer letters and the more of a name, the
        less is certain.
        """
        has_capital = self._has_capital(doubtful)
        is_ordinary = near.word in ordinary_words()
        is_certain = is_ordinary and not has_capital and not doubtful.held
        limit = math.inf if is_certain else _NAME_LIMIT
        if near.cost > (_SHORTEST_LIMIT if len(doubtful.word) == LEAST_LETTERS else limit):
            return False
        is_oftener = near.count >= _OFTENER * doubtful.held or doubtful.is_form_of(near.word)
        if doubtful.held and not (is_ordinary and is_oftener):
            return False
        if near.cost > _FAR and near.count < _OFTEN:
            return False
        if self._vocabulary.is_of_records(near.word):
            return len(doubtful.word) > LEAST_LETTERS
        if has_capital:
            return is_ordinary and len(doubtful.word) >= _CAPITAL_LETTERS
        return is_ordinary or len(doubtful.word) >= _NAME_LETTERS

    def _has_capital(self, doubtful: _Doubtful) -> bool:
        """Whether a word is written as a name is, and as the first of a sentence."""
        written = self._text[slice(*doubtful.token.span)]
        return written[0].isupper() and not written.isupper()

    def _split(self, doubtful: _Doubtful) -> tuple[str, int] | None:
        """The two words that were typed without a space, and how often they stand side by side."""
        word, found = doubtful.word, []
        if len(word) < _JOINED_LETTERS or self._has_capital(doubtful):
            return None
        for cut in range(_PART_LETTERS, len(word) - _PART_LETTERS + 1):
            one, other = word[:cut], word[cut:]
            if one in ordinary_words() and other in ordinary_words():
                found.append((self._vocabulary.side_by_side(one, other), f"{one} {other}"))
        times, pair = max(found, default=(0, ""))
        return (pair, times) if times >= max(_JOINED_TIMES, _OFTENER * doubtful.held) else None


def _is_right(word: str) -> bool:
    """Whether the shipped lists have a word, or one that it is made from by rule."""
    ordinary = ordinary_words()
    if word in ordinary or word in name_words() or word in rare_words() or word.removesuffix("s") in ordinary:
        return True
    rests = [word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)]
    if any(len(rest) >= _PREFIXED_LETTERS and rest in ordinary for rest in rests):
        return True
    roots = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    return any(len(root) >= _ROOT_LETTERS and (root in ordinary or f"{root}e" in ordinary) for root in roots)


def _not_held(word: str, corrections: Sequence[Correction]) -> str:
    meant = f" Did you mean “{corrections[0].corrected}”?" if corrections else ""
    return f"No brief holds “{word}”.{meant}"


def _alone(near: Near) -> float:
    """How likely a word was meant, as a logarithm, whatever stands beside it."""
    return math.log(near.count) - _PER_COST * near.cost


def _plain(token: Token) -> str:
    """A token's word without the ending of a possessive."""
    return token.surface.removesuffix("'s")


def _is_party(text: str, token: Token) -> bool:
    """Whether a word stands beside a `v.`, as the parties of a case do."""
    before, after = text[: token.span.start].split(), text[token.span.end :].split()
    return (bool(before) and before[-1].lower() in _VERSUS) or (bool(after) and after[0].lower() in _VERSUS)


def _as_written(word: str, typed: str) -> str:
    if typed.isupper():
        return word.upper()
    return word.capitalize() if typed[0].isupper() else word


def _applied(text: str, changes: Sequence[_Change]) -> str:
    parts, end = [], 0
    for change in changes:
        parts += [text[end : change.span.start], change.to]
        end = change.span.end
    return "".join([*parts, text[end:]])
