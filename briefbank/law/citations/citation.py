"""What a citation is: the values that reading a document yields, that indices keep and that others ask for; and how
much a passage says about each authority that it cites.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from briefbank.values.records import Span

_WORD = re.compile(r"[^\W\d_]{3,}")
_FEW_WORDS = 4
_FULL_SENTENCE = 12.0
"""Words on which an authority counts as discussed in one sentence."""


class CitationKind(StrEnum):
    """The form in which an authority is cited."""

    FULL = "full"
    SHORT = "short"
    """`Carty, 170 N.J. at 640`; a rule by its bare number."""
    SUPRA = "supra"
    ID = "id"
    NAME = "name"
    """The name of a case without its reporter."""


class AuthorityKind(StrEnum):
    """What an authority is."""

    CASE = "case"
    STATUTE = "statute"
    RULE = "rule"
    REGULATION = "regulation"
    CONSTITUTION = "constitution"
    GUIDELINE = "guideline"
    TREATISE = "treatise"
    """What is written of the law: books, articles, annotations, model codes."""
    RECORD = "record"
    """What was filed or said in a case: transcripts, appendices, exhibits, pleadings, briefs."""


@dataclass(frozen=True, slots=True)
class Authority:
    """A case, rule or statute as one document cites it.

    `keys` identify it (`170 nj 632`, `njsa 2c:11-3(a)(1)`), parallel reporters included; two documents that share one
    cite the same. `names` are what it may be asked for by besides (`state v carty`, `404(b)`), and need not be its own
    alone. `label` is the citation as people write it.
    """

    keys: tuple[str, ...]
    names: tuple[str, ...]
    label: str
    kind: AuthorityKind = AuthorityKind.CASE


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation in a passage: where in its text, in which form, the number of its authority in the document.

    `weight` says how much the passage says about the authority there: about 1 for a bare entry in a string of
    citations, more with every sentence that rests on it.
    """

    span: Span
    kind: CitationKind
    authority: int
    weight: float


@dataclass(frozen=True, slots=True)
class DocumentCitations:
    """The authorities of a document and, passage by passage in their order, the citations."""

    authorities: tuple[Authority, ...]
    passages: tuple[tuple[Citation, ...], ...]


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage as citations see it; `section` tells the sections of the document apart."""

    text: str
    sentence_starts: Sequence[int]
    section: object = None


class Taken:
    """Stretches of a text that do not overlap; looks up in logarithmic time whether another one does."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._spans = sorted(spans)

    def is_free(self, span: Span) -> bool:
        """Whether a span overlaps none of them."""
        at = bisect_left(self._spans, span.end, key=lambda each: each.start)
        return at == 0 or self._spans[at - 1].end <= span.start

    def add(self, spans: Iterable[Span]) -> None:
        """Add some that are free."""
        for span in spans:
            insort(self._spans, span)


def is_in_passing(citation: Citation, authority: Authority) -> bool:
    """Whether a sentence only speaks of an authority: "the Sixth Amendment"."""
    return citation.kind is CitationKind.NAME and authority.kind is AuthorityKind.CONSTITUTION


def weights(text: str, sentence_starts: Sequence[int], citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """The citations of a passage with their weights."""
    starts = sorted({0, *sentence_starts})
    in_sentence: dict[int, list[Citation]] = defaultdict(list)
    for citation in citations:
        in_sentence[bisect_right(starts, citation.span.start) - 1].append(citation)
    said = Counter[int]()
    for sentence, cited in in_sentence.items():
        words = _prose_words(text, starts, sentence, cited)
        if words <= _FEW_WORDS and sentence and sentence - 1 not in in_sentence:
            words += _prose_words(text, starts, sentence - 1, ())
        authorities = {each.authority for each in cited}
        for authority in authorities:
            said[authority] += words // len(authorities)
    times = Counter(each.authority for each in citations)
    shares = {
        authority: (1 + math.log1p(said[authority] / _FULL_SENTENCE) + math.log(count)) / count
        for authority, count in times.items()
    }
    return tuple(
        replace(each, weight=round(shares[each.authority] * (0.8 if each.kind is CitationKind.NAME else 1.0), 4))
        for each in citations
    )


def _prose_words(text: str, starts: Sequence[int], sentence: int, cited: Sequence[Citation]) -> int:
    start = starts[sentence]
    end = starts[sentence + 1] if sentence + 1 < len(starts) else len(text)
    words = 0
    for citation in cited:
        words += len(_WORD.findall(text, start, citation.span.start))
        start = max(start, citation.span.end)
    return words + len(_WORD.findall(text, start, end))
