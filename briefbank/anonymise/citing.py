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
_STATE_WORDS = (
    r"(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Delaware|Florida|Georgia|Hawai['’]?i|Idaho|Illinois"
    r"|Indiana"
    r"|Iowa|Kansas|Maine|Ohio|Oregon|Texas|Utah|Vermont|Virginia|Federal)"
)
_ABBREVIATION = (
    r"(?:(?:Ala|Ariz|Ark|Cal|Calif|Colo|Conn|Del|Fla|Ga|Haw|Ill|Ind|Kan|Ky|La|Mass|Md|Me|Mich|Minn|Miss|Mo|Mont|Neb|Nev"
    r"|Okla|Or|Ore|Pa|Tenn|Tex|Va|Vt|Wash|Wis|Wyo|Fed|Mil|Stat|Ann|Rev|Gen|Crim|Cr|Proc|Penal|Evid|App|Civ|Const"
    r"|Comp|Cons"
    r"|Veh|Educ|Jud|Fam|Prof|Lab|Welf|Inst|Consol|Admin|Regs?|Pub|Super|Sup|Ct|Juv|Prac|Bk|Serv|[A-Z])\.\s?)"
)
_NUMBERED = r"\d[\w.:/-]*(?:\s?\([\w.]{1,5}\))*"
_CODE = re.compile(
    rf"(?:\b\d{{1,3}}\s+)?(?:\b{_STATE_WORDS}\s+)?\b(?:{_ABBREVIATION}|(?:General\s+|Revised\s+)?(?:Statutes?|Laws?"
    rf"|Codes?|Practice\s+Book|Rules?)[ ,])"
    rf"{{1,6}}(?:\s?(?:Law|Code|Ann\.|Art(?:icle|\.)),?\s*)?(?:(?:tit|ch|c|art|pt)\.\s*\w+,\s*)?§§?\s*{_NUMBERED}"
    rf"|\b[A-Z](?:\.[A-Z]){{1,3}}\.,?\s+(?:(?:19|20)\d\d\s+)?Supp\.\s+{_NUMBERED}"
    rf"|\b(?:{_STATE_WORDS}\s+|{_ABBREVIATION})*(?:R\.\s?|Rules?\s+(?:of\s+)?)(?!R\.){_ABBREVIATION}{{1,3}}{_NUMBERED}"
    rf"|\b(?:C[rR]R?|ER|GR|RCr|[KM]?RE|OEC|RAP|RALJ|RCW|KRS|NRS|ORS|HRS|MCL|RSA|HRPP"
    rf"|MCR)\s+§?\s*\d{{1,4}}[A-Z]?(?!\d)(?:[.:-]\w+)*(?:\(\w+\))*"
)
"""Codes and rules, by their form."""
_NEUTRAL = re.compile(
    r"\b(?:19|20)\d\d[\s-](?:IL(?:\sApp)?|Ohio|CO|COA|WI(?:\sApp)?|ND|SD|UT|OK(?:\sCR)?|MT|ME|VT|NH|NM(?:CA|SC)|WY"
    r"|AR|NCSC|NCCOA"
    r"|NY\sSlip\sOp)(?:\s\(\d\w+\))?[\s-]\d+(?:-[A-Z])?(?:,?\s¶¶?\s?\d+(?:[-–]\d+)?)?"
    r"|\b\d{2,4}-\d{2,5}\s+\(La\.[^()]{0,20}\)(?:,\s+\d+\s+So\.\s?[23]d\s+\d+)?"
    r"|\b\d{1,4}\s(?:(?:Mich|Or|Ill|Wis|Cal|Md|Neb|Nev|Kan|Ga|NC|SC)(?:\sApp)?(?:\s?[2-5](?:d|th))?|NYS?[23]d"
    r"|AD[23]d|Misc\s?[23]d|[PA][23]d"
    r"|[NS][EW][23]d|So\s?[23]d|F[23]d|F4th|F\sSupp(?:\s?[23]d)?|S\sCt|L\sEd\s?2d)\s\d{1,4}(?:,\s\d+(?:[-–]\d+)?)*"
)
"""Reports without volumes, and reporters written without full stops."""
_REVIEW = re.compile(
    r"\b(?:[A-Z][a-z]+(?:,|\s(?:&|and))\s){0,4}[A-Z][a-z]+,\s(?:Current\s)?N\.J\.\s[^.;\n]{4,60},\scmt\.\s[\d.]+"
    r"|\bDirective\s(?:No\.\s|\#)[\d-]+"
    r"|"
    r"(?:\b[A-Z][\w.’'-]+(?:\s(?:[A-Z][\w.’'-]*|&"
    r"|and)){1,6},\s[^.;\n]{4,140}?[,.]\s)?\b\d{1,4}\s(?:[A-Z][\w.&’']*\s){0,5}"
    r"(?:L\.\s?(?:Rev|J|Q)\.|J\.\s(?:Crim\.\s)?L\."
    r"|L\.J\.)(?:\s[A-Z&][\w.&’']*){0,4}\s\d+(?:,\s\d+(?:[-–]\d+)?)*(?:\s\((?:19|20)\d\d\))?"
    r"|\b[A-Z][\w.’'-]+(?:\s(?:[A-Z][\w.’'-]*|&"
    r"|and)){0,6},\s[A-Z][^.;,\n]{3,80},?\s§§?\s*[\d.:]+(?:\(\w+\))*[^();.\n]{0,30}\((?:[^()]{0,20}\bed\.\s)?(?:19"
    r"|20)\d\d\)"
)
"""Articles and treatises, their authors included."""
_NAME_AHEAD = re.compile(
    r"(?:[A-Z][\w.'’&-]*(?:\s+(?:[A-Z][\w.'’&-]*|of|the"
    r"|&)){0,5}?\s+vs?\.?\s+(?P<second>(?:(?!\sv\.)[^;()\"”]){1,60}?)(?:\s\((?:19|20)\d\d\))?"
    r"|(?:(?:Ex\s+parte|Estate\s+of)\s+(?P<one>[^;()]{1,50}?))|(?:State\s+)?(?:[Ii]n\s+(?:the\s+)?(?:[Ii]nt(?:erest"
    r"|\.)\s+of|[Rr]e|[Mm]atter\s+of)|ex\s+rel\.)\s+(?P<who>[^;()]{1,50}?)),?"
    r"\s*(?:\(?supra\)?,?\s*)?\Z"
)
_LEADING = re.compile(
    r"(?:[^;()]{0,80}?[.?!][\"”']?\s+(?=(?:State|People|Commonwealth|United\s+States)\s+v\.)"
    r"|(?:[A-Z]\.){2,3}\.?\s+(?=[A-Z][a-z]+\s+v\.))"
)
"""The end of the sentence before, where it was taken for a part of the name."""
_STOP = re.compile(r"(?P<word>[a-z]{4,})[.?!][\"”’')]*\s+(?=[A-Z])")
_SHORTENED = frozenset(
    "corp bros comm dept prop educ dist auth indus assn hosp univ transp enters invs elec prods mach pharm rels acad "
    "cnty twnshp intern serv servs supp bldg atty prob constr telecomm".split()
)
_SHORT_NAME = re.compile(r"(?:(?:[A-Z]\.){2,4}|[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?),?\s*(?:\(?supra\)?,?\s*)?\Z")
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
        kept += [Span(*match.span()) for pattern in (_SUPRA, _CODE, _REVIEW) for match in pattern.finditer(text)]
        cited = {each.span: False for each in citations if _is_protected(text, each, found.authorities, known)}
        cited |= {Span(*match.span()): False for match in _NEUTRAL.finditer(text)}
        cited |= {case.span: case.is_short for case in reporter_mentions(text)[0]}
        for span, is_short in cited.items():
            start, end = span
            if ahead := _NAME_AHEAD.search(text, max(0, start - _AHEAD), start):
                start = ahead.start()
                names.add(party_key(ahead["second"] or ahead["who"] or ahead["one"]))
            elif is_short and (short := _SHORT_NAME.search(text, max(0, start - _AHEAD), start)):
                start = short.start()
            if leading := _LEADING.match(text[start:end]):
                start += leading.end()
            start = _sentence_start(text, start, span.start)
            behind = _UNPUBLISHED.match(text, end) or _BEHIND.match(text, end)
            kept.append(Span(start, behind.end() if behind else end))
        spans.append(tuple(sorted(kept)))
    return Cited(tuple(spans), frozenset(names))


def _sentence_start(text: str, start: int, end: int) -> int:
    """Where the sentence of the case's name begins, if what was taken for the name spans two."""
    for stop in _STOP.finditer(text, start, end):
        if stop["word"].lower() not in _SHORTENED:
            start = stop.end()
    return start


def _is_protected(text: str, citation: Citation, authorities: Sequence[Authority], known: frozenset[str]) -> bool:
    authority = authorities[citation.authority]
    if citation.kind is not CitationKind.NAME or authority.keys or _UNPUBLISHED.match(text, citation.span.end):
        return True
    return not known.isdisjoint(authority.names)
