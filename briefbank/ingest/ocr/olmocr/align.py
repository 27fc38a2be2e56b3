"""Pairs the words of one reading of a page with those of another, which knows where they stand.

Equal words anchor the pairing, in order first and then as blocks that moved; what lies between is compared letter by
letter, so that joined, split and misread words find their partners; what is left is shared out. Knows no boxes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import groupby
from typing import NamedTuple

_ALIKE = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "\xad": "-", "|": "I"}
)
_LEADER = re.compile(r"[.·]{3,}")
_SURE_LETTERS = 8
"""Letters that a run of equal words must have to anchor the pairing; shorter ones are found among their neighbours."""

_MOVED_LETTERS = 12
_SINGLE_LETTERS = 4
"""Letters of a block, and of a word that occurs once on each side, that is taken for the same in another place."""

_MOST_COMPARED = 1_000_000
"""Product of lengths above which letters are not compared: that would take seconds."""

_MOST_UNEQUAL = 3.0
"""Ratio of lengths up to which words that have nothing in common are taken for readings of the same print."""


class WordShare(NamedTuple):
    """A share of a placed word, `start` to `end` in 0..1, that the letters of a token from `cut` on stand on."""

    word: int
    start: float
    end: float
    cut: int


class Alignment(NamedTuple):
    """Where a token stands, in order; nowhere if the other reading has nothing there. `agreed` is the share of its
    letters that both readings have.
    """

    places: tuple[WordShare, ...]
    agreed: float


class _Link(NamedTuple):
    token: int
    word: int
    token_at: int
    word_at: int
    letters: int


def align(tokens: Sequence[str], words: Sequence[str]) -> list[Alignment]:
    """Return a match for every token."""
    pairing = _Pairing([_folded(each) for each in tokens], [_folded(each) for each in words])
    pairing.pair_equal()
    pairing.pair_moved()
    pairing.lower()
    pairing.pair_letters()
    return pairing.matches()


def _folded(text: str) -> str:
    """The text with letters of one look made one, as long as before, so that offsets hold; the dots that lead to a page
    number are as one letter, however many.
    """
    if _LEADER.fullmatch(text):
        return "…"
    text = _LEADER.sub(lambda dots: "…" * len(dots[0]), text)
    return text.translate(_ALIKE)


def _common_blocks(one: Sequence[str], other: Sequence[str]) -> list[Match]:
    return SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()


def _lowered(text: str) -> str:
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


class _Pairing:
    def __init__(self, tokens: Sequence[str], words: Sequence[str]) -> None:
        self._tokens = tokens
        self._words = words
        self._of_token: list[list[_Link]] = [[] for _ in tokens]
        self._of_word: list[list[_Link]] = [[] for _ in words]

    def pair_equal(self) -> None:
        for token, word, size in _common_blocks(self._tokens, self._words):
            if sum(map(len, self._tokens[token : token + size])) >= _SURE_LETTERS:
                self._link_equal(range(token, token + size), range(word, word + size))

    def pair_moved(self) -> None:
        """Blocks that another reading order put elsewhere: the columns of a caption, footnotes, stamps."""
        free_tokens, free_words = self._free_tokens(), self._free_words()
        tokens, words = [self._tokens[each] for each in free_tokens], [self._words[each] for each in free_words]
        for at, other, size in _common_blocks(tokens, words):
            if sum(map(len, tokens[at : at + size])) >= _MOVED_LETTERS and size > 1:
                self._link_equal(free_tokens[at : at + size], free_words[other : other + size])
        once = dict(self._once(self._words, self._free_words()))
        for key, token in self._once(self._tokens, self._free_tokens()):
            if key in once and len(key) >= _SINGLE_LETTERS:
                self._link_equal((token,), (once[key],))

    def lower(self) -> None:
        """Tell capitals from small letters no more; a heading begins with the same words as the text below it."""
        self._tokens = [_lowered(each) for each in self._tokens]
        self._words = [_lowered(each) for each in self._words]

    def pair_letters(self) -> None:
        """Compare what lies between paired words letter by letter."""
        for run in self._runs():
            beside = self._beside(run)
            owners = [(token, at) for token in run for at in range(len(self._tokens[token]))]
            others = [(word, at) for word in beside for at in range(len(self._words[word]))]
            if not others or len(owners) * len(others) > _MOST_COMPARED:
                continue
            one = "".join(self._tokens[token] for token in run)
            other = "".join(self._words[word] for word in beside)
            found: dict[tuple[int, int], _Link] = {}
            for at, there, size in _common_blocks(one, other):
                for (token, token_at), (word, word_at) in zip(
                    owners[at : at + size], others[there : there + size], strict=True
                ):
                    first = found.get((token, word), _Link(token, word, token_at, word_at, 0))
                    found[token, word] = first._replace(letters=first.letters + 1)
            for link in found.values():
                if 2 * link.letters >= min(len(self._tokens[link.token]), len(self._words[link.word])):
                    self._link(link)

    def matches(self) -> list[Alignment]:
        places = [list(self._places(token)) for token in range(len(self._tokens))]
        for run in self._runs():
            self._share_out(run, places)
        agreed = (sum(link.letters for link in links) for links in self._of_token)
        return [
            Alignment(tuple(each), letters / max(1, len(token)))
            for each, letters, token in zip(places, agreed, self._tokens, strict=True)
        ]

    @staticmethod
    def _once(texts: Sequence[str], free: Sequence[int]) -> Iterator[tuple[str, int]]:
        counts = Counter(texts[each] for each in free)
        return ((texts[each], each) for each in free if counts[texts[each]] == 1)

    def _link(self, link: _Link) -> None:
        self._of_token[link.token].append(link)
        self._of_word[link.word].append(link)

    def _link_equal(self, tokens: Sequence[int], words: Sequence[int]) -> None:
        for token, word in zip(tokens, words, strict=True):
            self._link(_Link(token, word, 0, 0, len(self._tokens[token])))

    def _free_tokens(self) -> list[int]:
        return [token for token, links in enumerate(self._of_token) if not links]

    def _free_words(self) -> list[int]:
        return [word for word, links in enumerate(self._of_word) if not links]

    def _runs(self) -> list[list[int]]:
        """Runs of neighbouring tokens without a partner."""
        numbered = ((token - place, token) for place, token in enumerate(self._free_tokens()))
        return [[token for _, token in run] for _, run in groupby(numbered, key=lambda pair: pair[0])]

    def _beside(self, run: Sequence[int]) -> list[int]:
        """Free words where a run of tokens should stand: behind the partner before it, before the partner after it."""
        left = self._of_token[run[0] - 1][-1].word if run[0] else None
        right = self._of_token[run[-1] + 1][0].word if run[-1] + 1 < len(self._tokens) else None
        if left is None and right is None:
            return self._free_words()
        after = list(self._free_from(left + 1, 1)) if left is not None else []
        before = list(self._free_from(right - 1, -1))[::-1] if right is not None else []
        return after + [word for word in before if word not in after]

    def _free_from(self, word: int, step: int) -> Iterator[int]:
        while 0 <= word < len(self._words) and not self._of_word[word]:
            yield word
            word += step

    def _places(self, token: int) -> Iterator[WordShare]:
        links = self._of_token[token]
        for number, link in enumerate(links):
            sharers = self._of_word[link.word]
            at, length = sharers.index(link), max(1, len(self._words[link.word]))
            start = link.word_at / length if at else 0.0
            end = sharers[at + 1].word_at / length if at + 1 < len(sharers) else 1.0
            yield WordShare(link.word, start, max(start, end), link.token_at if number else 0)

    def _share_out(self, run: Sequence[int], places: list[list[WordShare]]) -> None:
        """Put tokens over the words that stand in their place though they read otherwise, by length."""
        beside = self._beside(run)
        letters = sum(len(self._tokens[token]) for token in run)
        room = sum(len(self._words[word]) for word in beside)
        if not room or not 1 / _MOST_UNEQUAL <= letters / room <= _MOST_UNEQUAL:
            return
        done = 0
        for token in run:
            start, done = done, done + len(self._tokens[token])
            places[token] = list(self._slice(beside, start, done, room / letters))
            for place in places[token]:
                self._link(_Link(token, place.word, place.cut, round(place.start * len(self._words[place.word])), 0))

    def _slice(self, words: Sequence[int], start: int, end: int, scale: float) -> Iterator[WordShare]:
        """The shares of words that the letters from `start` to `end` of a run stand on, each `scale` letters wide."""
        at = 0.0
        for word in words:
            length = len(self._words[word])
            low, high = max(start * scale, at), min(end * scale, at + length)
            if high > low:
                yield WordShare(word, (low - at) / length, (high - at) / length, round((low - start * scale) / scale))
            at += length
