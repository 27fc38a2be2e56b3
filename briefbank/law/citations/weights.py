"""How much a passage says about each authority that it cites. Knows words and places, not what is cited."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from briefbank.law.citations.citation import Citation, CitationKind

_WORD = re.compile(r"[^\W\d_]{3,}")
_FEW_WORDS = 4
_FULL_SENTENCE = 12.0
"""Words on which an authority counts as discussed in one sentence."""


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
