"""Quotations of a draft held word by word against the same words in the bank.

What the writer marks as changed is no difference: brackets, ellipses, capitals, punctuation. A quotation that the bank
does not have is not judged, and told apart from one that it has in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import NamedTuple

from briefbank.index.generation import Generation
from briefbank.index.tokens import tokenise
from briefbank.platform.progress import CancelToken
from briefbank.platform.regex import bounded
from briefbank.search.card import passages_by_row
from briefbank.search.draft.quoting import quoted_in
from briefbank.search.draft.reading import DraftText
from briefbank.values.authorities import AlteredQuotation, UncomparedQuotation, UnknownQuotation
from briefbank.values.records import Passage, Span

_SENTENCE_END = re.compile(r"(?<=[.;:?!])\s+")
_PIECE_LETTERS = 1200
"""Letters from which a quotation is cut at the end of a sentence: what is held against the bank is no longer than a
passage."""
_GAP = re.compile(r"(?:\.\s?){3,4}|…|\*\s?\*\s?\*")
_WORD = bounded(
    r"\[[^\]]{0,40}\][\w’']*|\d+(?:(?:[.,]|: ?| ?[-\u2010\u2011–] ?)\d+)+"
    r"|[\w’'\-\u00ad\u2010\u2011]+(?:\[[^\]]{0,40}\][\w’']*)?"
)
"""A number is one word with its points and hyphens: 1.5 grams are not 15."""
_FIRST_LETTER = re.compile(r"\A\[(\w)\](?=\w)")
_LEAST_WORDS = 7
TOO_SHORT = f"has fewer than {_LEAST_WORDS} words"
_SOURCE = bounded(r"\s*(?:[\[(][^\[\]()]{0,300}[\])]|\b(?:Id\.|[A-Z][\w’'.]{0,40} v\. )[^“”]{0,200})\.?\s*\Z")
"""Where a quotation that is set in comes from, at its end."""
_LIKE = 0.75
"""Share of words in common from which two stretches are the same quotation; chosen, not measured."""
_MARGIN = 4
"""Words more on either side that a quotation is held against, since words taken out or put in move its ends."""
DENIAL = (
    r"(?:\b(?:not|never|no|nor|neither|none|nobody|nothing|nowhere|without|cannot|hardly|barely|scarcely|unable"
    r"|den(?:y|ie)\w*|refus\w+|declin\w+|fail\w*|disput\w+|contest\w+|doubt\w*)\b|n['’]t\b)"
)
"""A word that turns what is said into its contrary."""
_DENIAL = bounded(DENIAL, re.IGNORECASE)
_ANY = "[]"
_ALIKE = str.maketrans(dict.fromkeys("\u2010\u2011–", "-") | {"’": "'", " ": None})
_NO_HYPHENS = re.compile(r"\u00ad|(?<!\d)-|-(?!\d)|(?<=\d),(?=\d{3}\b)")
"""A number's are kept, but for the sign of its thousands."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words that are quoted: where in their part, the words, and why they cannot be held against the bank, if so."""

    span: Span
    text: str
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A quotation whose words differ from a passage of the bank: the words here, and those there."""

    quotation: Quotation
    passage: Passage
    here: str
    there: str


def quotations(text: str, set_in: Sequence[Span] = ()) -> Iterator[Quotation]:
    """Yield what a text quotes, cut where words are left out. What cannot be held against the bank has a `fault`.
    `set_in` as in `quoted_in`.
    """
    for quoted in quoted_in(text, set_in):
        end = quoted.span.end
        if text[quoted.span.start - 1 : quoted.span.start] in ("", "\n"):  # it is set in, without marks
            end = quoted.span.start + len(_SOURCE.sub("", text[slice(*quoted.span)]))
        for piece in _pieces(text[quoted.span.start : end]):
            span = Span(quoted.span.start + piece.start, quoted.span.start + piece.end)
            words = text[slice(*span)]
            if count := len(_WORD.findall(words)):
                fault = quoted.fault or ("" if count >= _LEAST_WORDS else TOO_SHORT)
                yield Quotation(span, words, fault)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the bank has of a quotation: nothing like it, the same words, or others."""

    is_known: bool
    difference: Difference | None = None
    passage: Passage | None = None
    place: Span | None = None
    """Where in the text of `passage` the words stand."""


def compared(quotation: Quotation, candidates: Sequence[Passage]) -> Comparison:
    """Return whether a passage has a quotation, and how it differs from the one most like it. A passage with brackets
    in the place of its words has them only where no passage without is as like.
    """
    words = words_of(quotation.text)
    best, likeness = Comparison(is_known=False), 0.0
    for passage in candidates:
        found = _held_against(quotation, words, passage)
        if found is None:
            continue
        new = Comparison(is_known=True, difference=found.difference, passage=passage, place=found.place)
        if found.difference is None and found.likeness == 1.0:
            return new
        if found.likeness > likeness or (found.likeness == likeness and best.difference is None):
            best, likeness = new, found.likeness
    return best


def joined(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield two and three that follow each other in a document as one, under the first one's name: a quotation may run
    over the end of a passage.
    """
    by_place = {(each.document_id, each.order): each for each in passages}
    for count in (2, 3):
        for document_id, order in sorted(by_place):
            run = [by_place.get((document_id, order + step)) for step in range(count)]
            parts = [each for each in run if each]
            if len(parts) == count:
                yield replace(parts[0], text="\n\n".join(each.text for each in parts), page_last=parts[-1].page_last)


def _pieces(text: str) -> Iterator[Span]:
    start = 0
    for gap in _GAP.finditer(text):
        yield from _sentences(text, start, gap.start())
        start = gap.end()
    yield from _sentences(text, start, len(text))


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """A piece, in runs of sentences where it is long."""
    if end - start > _PIECE_LETTERS:
        for gap in _SENTENCE_END.finditer(text, start, end):
            if gap.end() - start > _PIECE_LETTERS // 2:
                yield Span(start, gap.start())
                start = gap.end()
    yield Span(start, end)


def words_of(text: str) -> list[tuple[str, Span]]:
    """The words with their places, without hyphens: a line end may have lost one. One with brackets in it may be any
    word, but for a first letter of another size.
    """
    found = []
    for match in _WORD.finditer(text.replace("\n", " ")):
        plain = _FIRST_LETTER.sub(r"\1", match[0])
        word = _ANY if "[" in plain else _NO_HYPHENS.sub("", plain.casefold().translate(_ALIKE)).strip("'")
        if word:
            found.append((word, Span(*match.span())))
    return found


class _Held(NamedTuple):
    """How alike the most similar stretch of a passage is, what of it differs, and where it stands."""

    likeness: float
    difference: Difference | None
    place: Span


def _held_against(quotation: Quotation, words: Sequence[tuple[str, Span]], passage: Passage) -> _Held | None:
    """The stretch of a passage that is most like a quotation; None where nothing in it is like it."""
    theirs = words_of(passage.text)
    ours = [word for word, _ in words]
    other = [word for word, _ in theirs]
    blocks = [each for each in SequenceMatcher(None, other, ours, autojunk=False).get_matching_blocks() if each.size]
    if not blocks:
        return None
    longest = max(blocks, key=lambda each: each.size)
    first = max(longest.a - longest.b - _MARGIN, 0)
    stretch = other[first : longest.a - longest.b + len(ours) + _MARGIN]
    if len(stretch) < len(ours) - 2:
        return None  # the passage ends within it
    matcher = SequenceMatcher(None, stretch, ours, autojunk=False)
    alike = [each for each in matcher.get_matching_blocks() if each.size]
    same = [word for each in alike for word in ours[each.b : each.b + each.size]]
    likeness = _own_words(same) / max(_own_words(ours), 1)
    if likeness < _LIKE:
        return None
    place = Span(theirs[first + alike[0].a][1].start, theirs[first + alike[-1].a + alike[-1].size - 1][1].end)
    changed = [_without_margin(each, len(stretch)) for each in matcher.get_opcodes() if each[0] != "equal"]
    changed = [each for each in changed if not (each[0] == "delete" and (each[1] == 0 or each[2] == len(stretch)))]
    changed = [
        each
        for each in changed
        if each[0] == "delete"
        or _own_words(ours[each[3] : each[4]])
        or _is_denied_in_one(stretch[each[1] : each[2]], quotation.text, words[each[3] : each[4]])
    ]
    changed = [each for each in changed if "".join(stretch[each[1] : each[2]]) != "".join(ours[each[3] : each[4]])]
    told = [each for each in changed if not _is_hidden(stretch[each[1] : each[2]], ours[each[3] : each[4]])]
    if not told:
        return _Held(likeness if changed else 1.0, None, place)
    here = " … ".join(_said(quotation.text, words, each[3], each[4]) for each in told)
    there = " … ".join(_said(passage.text, theirs, first + each[1], first + each[2]) for each in told)
    return _Held(likeness, Difference(quotation, passage, here, there), place)


def _is_denied_in_one(theirs: Sequence[str], text: str, ours: Sequence[tuple[str, Span]]) -> bool:
    """Whether brackets of a quotation take a denial away, or put one in."""
    denies_here = any(_DENIAL.search(text, *span) for _, span in ours)
    return denies_here != any(map(_DENIAL.search, theirs))


def _is_hidden(theirs: Sequence[str], ours: Sequence[str]) -> bool:
    """Whether brackets of a passage may stand for what differs. They take no word away: "[was] not" is no "was"."""
    return _ANY in theirs and (_ANY in ours or not _own_words(theirs))


def _own_words(words: Sequence[str]) -> int:
    """How many of some words are no brackets, which stand for any."""
    return sum(word != _ANY for word in words)


def _without_margin(change: tuple[str, int, int, int, int], end: int) -> tuple[str, int, int, int, int]:
    """A change with what stands there for it. At either end of the stretch no equal word bounds it, and it takes in
    words that lie beyond the quotation: there it is as many words as stand here.
    """
    kind, a, b, c, d = change
    if kind == "replace" and b == end:
        b = min(b, a + d - c)
    elif kind == "replace" and a == 0:
        a = max(a, b - (d - c))
    return kind, a, b, c, d


def _said(text: str, words: Sequence[tuple[str, Span]], first: int, last: int) -> str:
    """The words from one place to another with one word before and behind, as they stand."""
    first, last = max(first - 1, 0), min(last + 1, len(words))
    return " ".join(text[words[first][1].start : words[last - 1][1].end].split())


_DEPTH = 8
"""Passages that a quotation is held against."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotations that the bank has in other words, those that it does not have, how many were compared, and those
    that were not.
    """

    altered: tuple[AlteredQuotation, ...]
    unknown: tuple[UnknownQuotation, ...]
    count: int
    uncompared: tuple[UncomparedQuotation, ...]


def check_quotations(draft: DraftText, generation: Generation, cancel: CancelToken) -> Quoted:
    """Compare each quotation with the passages that hold most of its words, also as one where they follow each other.

    Raises:
        CancelledError: asked to stop.
    """
    documents = {each.id: each for each in generation.documents}
    read = [(part, each) for part in draft.parts for each in quotations(part.text, draft.set_in(part))]
    quoted = [(part, each) for part, each in read if not each.fault]
    uncompared = (
        UncomparedQuotation(" ".join(each.text.split()), draft.page_of(part, each.span.start), each.fault)
        for part, each in read
        if each.fault
    )
    candidates = []
    for _, quotation in quoted:
        cancel.check()
        # By BM25, for here words count and no meaning.
        scores = generation.lexical.scores([token.term for token in tokenise(quotation.text)])
        candidates.append(scores.best(_DEPTH).tolist())
    passages = passages_by_row((row for rows in candidates for row in rows), generation, with_boxes=False)
    altered, unknown = [], []
    for (part, quotation), rows in zip(quoted, candidates, strict=True):
        cancel.check()
        found = [passages[row] for row in rows]
        comparison = compared(quotation, [*found, *joined(found)])
        page, words = draft.page_of(part, quotation.span.start), " ".join(quotation.text.split())
        if not comparison.is_known:
            unknown.append(UnknownQuotation(words, page))
        if differs := comparison.difference:
            document = documents[differs.passage.document_id]
            passage = generation.passage(differs.passage.id) or differs.passage  # its first, if in two
            altered.append(AlteredQuotation(words, page, differs.here, differs.there, passage, document))
    return Quoted(tuple(altered), tuple(unknown), len(quoted), tuple(uncompared))
