"""Proper names: each one in a sentence stands in the source. Knows no citations, numbers or quotations.

A capital makes a name, but for what briefs capitalise anyway and for words that open a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from briefbank.law.grounding.plain import Doubt, DoubtKind, folded, words
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_CAPITALISED = re.compile(r"(?<![\w'])(?:[^\W\d_a-z]\.(?:\s?[^\W\d_a-z]\.)+|[^\W\d_a-zß-ÿ][\w']*(?:-\w+)*(?:&\w+)?)")
_OPENING = re.compile(r"(?:\A|[.?!:]['\"]?\s+|\A\s*['\"(\[]+)\Z")
_JOINT = re.compile(r"\s+(?:(?:of|the|de|la|del|van|von|and|&)\s+)*|,?\s+|\.\s?")
_INFLECTED = re.compile(
    r"(?:ly|ing|ed|tion|sion|ment|ness|ity|ance|ence|ism|ists?|ers|ors|ions|ments|ies|able|ible|ful|less|ous|ive|ical)\Z"
)


_AFTER_A_NAME = bounded(
    r"(?:'s)?,?\s+(?:[a-z]+ly\s+)?(?:is|was|has|had|did|does|would|could|may|argue[sd]|contend(?:s|ed)|claim(?:s|ed)|said|says"
    r"|assert(?:s|ed)|testified|appeal(?:s|ed)|seeks|sought|challenge[sd]|moved|moves|maintain(?:s|ed)|told|asked|asks|saw"
    r"|pleaded|pled|received|denied|admitted|relies|relied|object(?:s|ed)|arrested|stopped|searched|found|took|went|gave)\b"
)
"""What a person does, and hardly a participle that opens a sentence."""
_DOTTED = re.compile(r"\b[A-Z]\.(?:\s?[A-Z]\.)+")
_SMALL_WORDS = frozenset({"of", "the", "and", "for", "in", "on", "to"})


class KnownNames:
    """The words of a source, however capitalised."""

    def __init__(self, text: str) -> None:
        inside = words(text)
        self._words = {*inside, *map(_stem, inside)}
        self._words |= {folded(match.group())[:length] for match in _DOTTED.finditer(text) for length in (2, 9)}
        self._initials = "".join(word[0] for word in inside)
        self._long_initials = "".join(word[0] for word in inside if word not in _SMALL_WORDS)
        self._joined = "".join(inside)

    def doubts(self, sentence: str) -> Iterator[Doubt]:
        """The names in a plain sentence, all else that is checked blanked out, that the source does not contain."""
        run: list[Span] = []
        for match in _CAPITALISED.finditer(sentence):
            if self._holds(sentence, match):
                continue
            span = Span(*match.span())
            if run and not _JOINT.fullmatch(sentence, run[-1].end, span.start):
                yield _doubt(sentence, run)
                run = []
            run.append(span)
        if run:
            yield _doubt(sentence, run)

    def _holds(self, sentence: str, match: re.Match[str]) -> bool:
        word = match.group()
        if "." in word:
            return folded(word) in self._words or self._abbreviates(folded(word)) or folded(word) in self._joined
        parts = words(word)
        if all(part in self._words or _stem(part) in self._words or self._is_usual(part) for part in parts):
            return True
        if word.isupper() and 2 <= len(word) <= 6 and (self._abbreviates(folded(word)) or folded(word) in self._joined):
            return True
        if folded(word) in self._joined and len(word) > 5:
            return True
        if not _OPENING.search(sentence[: match.start()]):
            return False
        is_subject = _AFTER_A_NAME.match(sentence, match.end())
        return all(_is_opener(part) or (not is_subject and _is_inflected(part)) for part in parts)

    def _abbreviates(self, letters: str) -> bool:
        return letters in self._initials or letters in self._long_initials

    def _is_usual(self, word: str) -> bool:
        return len(word) < 2 or word in _usual() or any(full in self._words for full in _long_forms().get(word, ()))


def _is_opener(word: str) -> bool:
    return word in _openers() or _stem(word) in _openers()


def _is_inflected(word: str) -> bool:
    return len(word) > 4 and bool(_INFLECTED.search(word))


def _stem(word: str) -> str:
    return re.sub(r"(?:'s|es|s|ed|ing)\Z", "", word) if len(word) > 4 else word


def _doubt(sentence: str, run: list[Span]) -> Doubt:
    span = Span(run[0].start, run[-1].end)
    return Doubt(span, DoubtKind.NAME, sentence[slice(*span)])


@cache
def _lists() -> dict[str, list[str]]:
    """The word lists, by the heading that each stands under."""
    text = files("briefbank.law.grounding").joinpath("words.txt").read_text(encoding="utf-8")
    lists: dict[str, list[str]] = {}
    for block in re.split(r"^\[", text, flags=re.MULTILINE)[1:]:
        heading, _, body = block.partition("]")
        lists[heading] = body.split()
    return lists


@cache
def _usual() -> frozenset[str]:
    return frozenset(_lists()["usual"])


@cache
def _openers() -> frozenset[str]:
    return frozenset(_lists()["opening"])


@cache
def _long_forms() -> dict[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = {}
    for pair in _lists()["short"]:
        one, other = pair.split("=")
        forms[one] = (*forms.get(one, ()), other)
        forms[other] = (*forms.get(other, ()), one)
    return forms
