"""Whether the words around a lone surname speak of a cited case or of a person.

A logistic regression over those words, fitted to the marked passages by `tests/data/anonymise/fit_mentions.py`, which
writes `mentions.tsv`. Must not know what is found elsewhere in the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from briefbank.law.anonymise.analysed_text import TextWord
from briefbank.law.anonymise.lexicon import lexicon

WEIGHTS = "mentions.tsv"
_NEAR = 8
_BESIDE = (-3, -2, -1, 1, 2, 3)
BIAS = "bias"


def log_odds(words: Sequence[TextWord], place: int) -> float:
    """How much more likely the word at `place` is the short name of a case than a person's: natural logarithm."""
    weights = _weights()
    return sum(weights.get(feature, 0.0) for feature in features(words, place))


def features(words: Sequence[TextWord], place: int) -> set[str]:
    """What a mention is judged by: the words and marks beside it, what they are, the words near it, its own form."""
    return {BIAS, *_beside(words, place), *_own(words[place])}


def _beside(words: Sequence[TextWord], place: int) -> Iterator[str]:
    word = words[place]
    tokens = {step: _token(words[place + step]) if 0 <= place + step < len(words) else "<none>" for step in _BESIDE}
    for step, token in tokens.items():
        yield f"{step} {token}"
    ahead = _mark(word.gap)
    behind = _mark(words[place + 1].gap) if place + 1 < len(words) else "<end>"
    yield f"ahead {ahead}"
    yield f"behind {behind}"
    yield f"ahead {ahead} {tokens[-1]}"
    yield f"behind {behind} {tokens[1]}"
    yield f"-2-1 {tokens[-2]} {tokens[-1]}"
    yield f"1 2 {tokens[1]} {tokens[2]}"
    if word.is_possessive:
        yield "owner"
        yield f"owner {tokens[1]}"
    if word.is_start:
        yield "start"
        yield f"start {tokens[1]}"
    for step in (-1, 1, 2):
        if 0 <= place + step < len(words):
            for kind in _kinds(words[place + step].lower):
                yield f"{step} {kind}"
    for near in range(max(0, place - _NEAR), min(len(words), place + _NEAR + 1)):
        if near != place:
            yield f"near {_token(words[near])}"


def _own(word: TextWord) -> Iterator[str]:
    lists, parts = lexicon(), word.lower.split("-")
    if word.lower in lists.given_names | lists.first_names:
        yield "a first name"
    if word.lower in lists.common_surnames | lists.last_names:
        yield "a common surname"
    if lists.is_ordinary(word.lower):
        yield "a word"
    if word.is_all_capitals:
        yield "capitals"
    if len(parts) > 1:
        yield "a double name"


def _token(word: TextWord) -> str:
    """A word as it is, or what it is where it says little itself: a number, a name, a title."""
    lists, lower = lexicon(), word.lower
    if word.text[0].isdigit():
        return "<number>"
    if lower in lists.titles:
        return "<title>"
    if lower in lists.roles:
        return "<role>"
    if word.is_capital and not word.is_start and lower in lists.given_names | lists.first_names:
        return "<first name>"
    if word.is_capital and not lists.is_ordinary(lower):
        return "<name>"
    return lower


def _kinds(lower: str) -> Iterator[str]:
    lists = lexicon()
    kinds = {
        "<thing of a case>": lists.case_things | lists.sure_case_things,
        "<noun of a case>": lists.case_nouns,
        "<act>": lists.acts,
        "<act of a case>": lists.case_acts,
    }
    yield from (kind for kind, words in kinds.items() if lower in words)
    if lower.endswith("ed"):
        yield "<past>"


def _mark(gap: str) -> str:
    """What stands between two words, in short."""
    if "\n\n" in gap.replace(" ", ""):
        return "<paragraph>"
    return " ".join(gap.split()) or ("<line>" if "\n" in gap else "<space>")


@cache
def _weights() -> dict[str, float]:
    lines = files("briefbank.law.anonymise").joinpath(WEIGHTS).read_text(encoding="utf-8").splitlines()
    return {feature: float(weight) for weight, _, feature in (line.partition("\t") for line in lines)}
