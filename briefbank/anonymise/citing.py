"""Which stretches of a document's texts are legal citations, and which words there are short names of cited cases.

What is here stays in the text. Must not know people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.citations import Authority, Citation, CitationKind, PassageText, PatternSet, cite_document
from briefbank.citations.normalise import party_key, short_names
from briefbank.citations.reporters import reporter_mentions
from briefbank.records import Span

_BEHIND = re.compile(
    r"(?:,?\s*(?:at\s+)?\*?\d+(?:[-–]\d+)?(?:\s?(?:n\.|nn\.|&)\s?\d+)*)*(?:,?\s*\((?:[^()]{0,50}\b\d{4})\))?"
)
_UNPUBLISHED = re.compile(
    r",?\s*(?:\(?(?:Docket\s+)?(?:(?:No|Nos)\.\s)?[A-Z\d][\w.:/-]+(?:,\s*[\w.:/-]+)*\)?),?\s*(?:at\s+\d+,?\s*)?"
    r"(?:\d{4}\s+WL\s+\d+|\((?=[^()]*\b(?:Div|Cir|Ct|App|Dist|D|N\.J)\b)[^()]{0,60}\d{4}\)|slip\s+op)"
)
_OTHER_LAW = re.compile(
    r"\bG\.\s?L\.\s+c\.\s*\d+\w*,?\s*§+\s*\w+|\b(?:CPL|C\.P\.L\.|P\.L\.|PL|CPLR|Penal\s+Law)\s+§*\s*[\d.]+(?:-\d+)*"
    r"|\b[A-Z][a-z]+\.\s+(?:Stat|Code|Rev)\.[^.;\n]{0,20}§+\s*[\d.:-]+|(?<![\w-])\d{1,2}T\s?\d[\d:\s.,;to-]*"
)
_NAME_AHEAD = re.compile(
    r"(?:[A-Z][\w.'’&-]*(?:\s+(?:[A-Z][\w.'’&-]*|of|the|&)){0,5}?\s+v\.\s+(?P<second>(?:(?!\sv\.)[^;()\"”]){1,60}?)"
    r"|(?:State\s+)?[Ii]n\s+(?:the\s+)?(?:[Ii]nterest\s+of|[Rr]e|[Mm]atter\s+of)\s+(?P<who>[^;()]{1,50}?)),"
    r"\s*(?:\(?supra\)?,?\s*)?\Z"
)
_LEADING = re.compile(
    r"(?:[^;()]{0,80}?[.?!][\"”']?\s+(?=(?:State|People|Commonwealth|United\s+States)\s+v\.)|(?:[A-Z]\.){2,3}\.?\s+(?=[A-Z][a-z]+\s+v\.))"
)
"""The end of the sentence before, where it was taken for a part of the name."""
_SHORT_NAME = re.compile(r"[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?,?\s*(?:\(?supra\)?,?\s*)?\Z")
_SUPRA = re.compile(r"[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?,?\s+\(?supra\b\)?")
_AHEAD = 120


@dataclass(frozen=True, slots=True)
class Cited:
    """What a document cites: spans by text, and the names, in lower case, that its cases go by."""

    spans: tuple[tuple[Span, ...], ...]
    case_names: frozenset[str]


def cited_in(texts: Sequence[str], patterns: PatternSet, known: frozenset[str] = frozenset()) -> Cited:
    """Find the citations of a document.

    The name of a case without its reporter is protected only where the document cites it in full somewhere: `State v.`
    and a name alone is as a rule the matter at hand. `known` are full names of cases (`state v carty`) that are cited
    in full elsewhere.
    """
    found = cite_document([PassageText(text, ()) for text in texts], patterns)
    names = {
        short
        for authority in found.authorities
        if authority.keys
        for name in authority.names
        for short in short_names(name)
    }
    spans = []
    for text, citations in zip(texts, found.passages, strict=True):
        kept = [Span(*match.span()) for match in _OTHER_LAW.finditer(text)]
        kept += [Span(*match.span()) for match in _SUPRA.finditer(text)]
        cited = {each.span: False for each in citations if _is_protected(text, each, found.authorities, known)}
        cited |= {case.span: case.is_short for case in reporter_mentions(text)[0]}
        for span, is_short in cited.items():
            start, end = span
            if ahead := _NAME_AHEAD.search(text, max(0, start - _AHEAD), start):
                start = ahead.start()
                names.add(party_key(ahead["second"] or ahead["who"]))
            elif is_short and (short := _SHORT_NAME.search(text, max(0, start - _AHEAD), start)):
                start = short.start()
            if leading := _LEADING.match(text[start:end]):
                start += leading.end()
            behind = _UNPUBLISHED.match(text, end) or _BEHIND.match(text, end)
            kept.append(Span(start, behind.end() if behind else end))
        spans.append(tuple(sorted(kept)))
    return Cited(tuple(spans), frozenset(names))


def _is_protected(text: str, citation: Citation, authorities: Sequence[Authority], known: frozenset[str]) -> bool:
    authority = authorities[citation.authority]
    if citation.kind is not CitationKind.NAME or authority.keys or _UNPUBLISHED.match(text, citation.span.end):
        return True
    return not known.isdisjoint(authority.names)
