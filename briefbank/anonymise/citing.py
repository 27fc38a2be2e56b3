"""Which stretches of a document's texts are legal citations, and which words there are short names of cited cases.

What is here stays in the text. Must not know people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from briefbank.citations import Authority, Citation, CitationKind, PassageText, PatternSet, cite_document
from briefbank.citations.normalise import name_key, party_key, short_names
from briefbank.citations.reporters import reporter_mentions
from briefbank.records import Span

_BEHIND = re.compile(
    r"(?:,?\s*(?:at\s+)?\*?\d+(?:[-–]\d+)?(?:\s?(?:n\.|nn\.|&)\s?\d+)*)*(?:,?\s*\([^()]{0,50}\b\d{4}[^()]{0,40}\))?"
    r"(?:\s\((?:opinion\sof\s|per\s)?[A-Z][^()]{0,60}\bJJ?\.(?:,?\s(?:concurring|dissenting|joined|in\schambers)[^()]{0,60})?\))?"
    r"(?:\s\([\"“]?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]*){0,3}\s[IVX]+[\"”]?\))?"
)
_UNPUBLISHED = re.compile(
    r",?\s*(?:\(?(?:Docket\s+)?(?:(?:No|Nos)\.\s)?[A-Z\d][\w.:/-]+(?:,\s*[\w.:/-]+)*\)?),?\s*(?:at\s+\d+,?\s*)?"
    r"(?:\d{4}\s+WL\s+\d+|\((?=[^()]*\b(?:Div|Cir|Ct|App|Dist|D|N\.J)\b)[^()]{0,60}\d{4}\)|slip\s+op)"
)
_NUMBERED = r"\d[\w.:/-]*(?:\s?\([\w.]{1,5}\))*"
_LAW = re.compile(
    rf"(?:(?<![\w-])\d{{1,3}}[A-Z]?\s)?(?:(?:\b[A-Z][A-Za-z]*|(?<!\w)(?:[A-Z]\.){{2,}}|\b[A-Z][a-z]+\.(?=\s(?:&|Law|Code)\b))(?:\s\([A-Z]\w+\))?(?:\s(?:&|and|for|of|on|the))*,?\s(?=[^,]+§|§)){{0,8}}§§?\s*{_NUMBERED}"
    rf"(?:\s\([^()]{{0,30}}\bed\.[^()]{{0,10}}\))?|\bG\.\s?L\.\s+(?:\d{{4}}\s+)?c\.\s*\d+\w*|\b(?:CPL|PL|CPLR|[CP]\.P?\.?L\.)\s+{_NUMBERED}"
    rf"|\b(?:[A-Z]{{2,5}}|[A-Z][A-Za-z]{{0,3}}R[A-Z]{{0,2}})\s+\d[\w.:-]*(?:\((?:[a-z]|[A-Z]|\d{{1,2}}|[ivx]+)\))+"
    rf"|\bC[rR]R?\s+\d{{1,2}}(?:\.\d+)+(?!\d)"
    rf"|\b(?:Penal\s+Law|Supp\.(?=\s+\d+-))\s+[\d.]+(?:-\d+)*"
    rf"|\b(?:S\.|H\.\s?R\.|Exec\.|Pub\.|Conf\.)\s(?:(?:Conf|Rep|Doc|Order|L|Res)\.?\s)*(?i:No)\.\s\d[\d,-]*"
    rf"|\b[A-Z][A-Za-z.-]*\s(?:[A-Z][a-z]+\.?\s)?(?:\d?[a-z]*\s)?Nos?\.\s\d+\.\d+(?:\.\d+)*"
    rf"|\b[A-Z.]{{4,8}}(?:(?:[-—][A-Z][A-Za-z]*\.?(?:4th)?)[ ](?:\(\w+\)\s)?\d+(?:[.:-]\d{{1,3}})+"
    rf"|[ ]\d{{1,2}}[.:]\d{{1,3}})(?![\d-]|[.:]\d)|\bJI[-—]Criminal\s\d+"
    rf"|\bCAL(?:CRIM|JIC)\sNos?\.\s[\d.]+(?:(?:,|\sand)\s[\d.]+)*"
    rf"|(?<![\w-])\d{{1,2}}T\s?\d[\d:\s.,;to-]*"
)
"""Statutes, rules and jury instructions whose numbers might be taken for dockets."""
_SHORT = (
    r"(?>[A-Z][A-Za-z]{0,6}\.(?:\s|(?=[A-Z]))|(?:[A-Z][a-z]*['’][a-z]{1,2}|[A-Z]{1,4}|(?=[A-Z]+[a-z])[A-Z][A-Za-z]*[A-Z][A-Za-z]*"
    r"|[A-Z][a-z]?[bcdprsv]*[ab])(?![A-Za-z'’.])(?:\d[a-z]+)?[-— ]?(?:& )?)"
)
_REFERENCE = re.compile(
    rf"(?<![\w.'’-])(?:\d{{1,2}}-?)?(?>{_SHORT}+)(?:\(\w+\)\s)?(?:(?:[Vv]ol|pp?|art|ch|pt|r|at|tit)\b\.?\s?)*"
    r"[§¶]*[ ]?(?!0[A-Z])\d(?:[\w.:/–-]|\(\w*\))*+(?!\s(?!and|at|to|through|nn?\.|cmt|cl|subd|et|in)[a-z])"
)
"""`Sb 4`, `CP 18-21`, `Aplt. App. 88`, `Crim.R. 11(C)`: what something short with a number behind it refers to."""
_LEADS_TO_NAME = re.compile(
    r"\b(?!(?:see|at|in|of|on|as|that|and|cf|citing|also|by|to|under|the|with|or|per|See|In|Under)\s)(?P<lead>[A-Za-z][a-z]+)\.?\s\Z"
)
_FIRST_SHORT = re.compile(r"[\w'’]+\.\s")
_LIKE_NAME = re.compile(r"[A-Z](?:[a-z]+|[A-Z]{1,3})\.?\s")
_CUT_SHORT = re.compile(
    r"\b(?!(?i:Jr|Sr|Esq|Wm|Geo|Chas|Jos)\.)[A-Z][A-Za-z]{1,7}\.(?=\s?(?:[&¶,;:\])]|(?:at|art|ch|r|nos?|Nos?\.|of|cmt|et|pt|p|pp|cl|(?!I(?:\s[a-z]|['’]))[IVX]+(?!\.))(?!\w)|\((?:Crim|Civ)))"
    r"|\b[A-Z](?i:[a-z]*[bcdfghjklmnpqrstvwxz]['’](?:[glntxryd]|rg))\b"
)
"""`Welf. & Inst.`, `Prof'l`: no name is cut short."""
_NEUTRAL = re.compile(
    r"\b(?:19|20)\d\d(?:-(?:Ohio|NM(?:CA|SC))|\s(?:IL|CO|COA|WI|ND|S\.?\s?D\.?|UT|OK|MT|ME|VT|NH|WY|AR|AZ|PA|GU|Ark\.|Ohio|Guam|NM(?:CA|SC)|NC(?:SC|COA)"
    r"|NY\sSlip\sOp))(?:[\s-](?:App\.?|CIV|CR|APP|COA|CA|SC|Super|U))*(?:\s\(\d\w+\))?[\s-]U?\d+(?:-[A-Z]+)?(?:,?\s¶¶?\s?\d+(?:[-–]\d+)?)?"
    r"|\b\d{1,3}\s?U\.\s?S\.\s?\d{1,4}(?:,\s\d+)*"
    r"|\b\d{2,4}-\d{2,5}\s+\(La\.[^()]{0,20}\)(?:,\s+\d+\s+So\.\s?[23]d\s+\d+)?"
    r"|\b\d{1,4}\s(?:(?:Mich|Or|Ill|Wis|Cal|Md|Neb|Nev|Kan|Ga|NC|SC)(?:\sApp)?(?:\s?[2-5](?:d|th))?|NYS?[23]d"
    r"|AD[23]d|Misc\s?[23]d|[PA][23]d"
    r"|[NS][EW][23]d|So\s?[23]d|F[23]d|F4th|F\sSupp(?:\s?[23]d)?|S\sCt|L\sEd\s?2d)\s\d{1,4}(?:,\s\d+(?:[-–]\d+)?)*"
)
"""Reports without volumes, and reporters written without full stops."""
_AUTHOR = r"(?:[A-Z][\w’'-]+|(?:[A-Z]\.)+)(?:\s(?:[A-Z][\w’'-]*\.?|&|and|et\sal\.|de|van|von))*"
_PAGES = r"\s\d+(?:,\s\d+(?:[-–]\d+)?)*(?:\sn\.\d+)?"
_REVIEW = re.compile(
    rf"(?:\b(?:\d+\s)?{_AUTHOR},\s(?:(?:Note|Comment),\s)?[\"“]?[A-Z](?:(?!\sv\.)[^.;\n]){{4,140}}?[,.?]+[\"”]?\s)?"
    r"\b\d{1,4}\s(?:[A-Z][\w&’'.]*\s){0,5}(?:(?:L\.\s?(?:Rev|J|Q)\.|J\.\s(?:Crim\.\s)?L\.|L\.J\.)"
    rf"(?:\s[A-Z&][\w.&’']*){{0,4}}{_PAGES}(?:\s\([A-Z]?[a-z]*\s?(?:19|20)\d\d\))?"
    rf"|(?:[A-Z][a-z][\w’']*\.|&|of)(?:\s(?:[A-Z][\w&.’']*|&|of|on))*{_PAGES}\s\((?:19|20)\d\d\))"
    rf"|\b(?:\d+\s)?{_AUTHOR},\s[A-Z][^.;\n]{{3,100}}?,?\s(?:§§?\s*[\d.:]+(?:\(\w+\))*[^();.\n]{{0,30}}|\d+\s)"
    r"\((?:[^()]{0,20}\bed\.\s)?(?:1[6-9]|20)\d\d\)"
    rf"|\b\d+\s{_AUTHOR},\s[A-Z][a-z]+(?:\s[A-Za-z]+){{0,5}}\s\*\d+"
    rf"|\b\d+\s{_AUTHOR},\s[A-Z][^();\n]{{3,60}}\s\(\d\w\w\sed\.\s(?:19|20)\d\d\)(?:\s[A-Z][^;.\n]{{0,60}}?§§?\s*[\d.:]+)?"
    r"|\b(?:[A-Z][a-z]+(?:,|\s(?:&|and))\s){0,4}[A-Z][a-z]+,\s(?:Current\s)?N\.J\.\s[^.;\n]{4,60},\scmt\.\s[\d.]+"
    r"|\bModel\s(?:[A-Z]\w+\s)*(?:Charges?|Instructions?)[^\"“.\n]{0,20}[\"“][^\"”\n]{3,120}[\"”](?:\s\([^()]*\))?"
    r"|\bDirective\s(?:No\.\s|\#)[\d-]+"
)
"""Articles and treatises, their authors included."""
_NAME_AHEAD = re.compile(
    r"(?:(?P<first>(?<![\w-])[A-Z][\w.'’&-]*(?:\s+(?:[A-Z][\w.'’&-]*|of|the|&)){0,5}?)\s+vs?\.?\s+(?P<second>(?:(?!\sv\.)[^;()\"”]){1,60}?)"
    r"|(?:(?:Ex\s+parte|Estate\s+of)\s+(?P<one>[^;()]{1,50}?))|(?:State\s+)?(?:[Ii]n\s+(?:the\s+)?(?:[Ii]nt(?:erest"
    r"|\.)\s+of|[Rr]e|[Mm]atter\s+of)|Matter\s+of|ex\s+rel\.)\s+(?P<who>[^;()]{1,50}?))"
    r"(?:\s\((?:[A-Z][\w'’ -]+|(?:19|20)\d\d)\)){0,2},?\s*(?:\(?supra\)?,?\s*)?\Z"
)
_LEADING = re.compile(
    r"(?:[^;()]{0,80}?[.?!][\"”']?\s+(?=(?:State|People|Commonwealth|United\s+States)\s+v\.)"
    r"|(?:[A-Z]\.){2,3}\.?\s+(?=[A-Z][a-z]+\s+v\.))"
)
"""The end of the sentence before, where it was taken for a part of the name."""
_VERSUS = re.compile(r"\s[Vv]s?\.?\s")
_STOP = re.compile(r"(?P<word>[A-Za-z'’]{2,}|\d)[.?!][\"”’')]*\s+(?=[A-Z])|\n\s*\n")
_SHORTENED = frozenset(
    "v vs jr sr ex rel mr mrs ms dr st mt ft dept assn comn fam prof twnshp intern bros telecomm ry atty adj bor hts "
    "wm geo gov app hon lt sgt capt ptl rev dkt civ crim cr mag misc slip op unpub super ct cir cf eg".split()
)
_SHORT_NAME = re.compile(
    r"(?P<name>(?:[A-Z]\.){2,4}|(?:(?!(?:See|Cf|Under|In)\b)[A-Z][\w'’-]+)(?:\s[A-Z][\w'’-]+)?),?\s*(?:\(?[Ss]upra\)?,?\s*)?\Z"
)
_SUPRA = re.compile(r"[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?,?\s+\(?[Ss]upra\b\)?")
_AHEAD = 120
_LEAD = 20
_TITLES = frozenset("Mr Mrs Ms Dr Officer Trooper Detective Sergeant Judge Agent Deputy".split())


@dataclass(frozen=True, slots=True)
class Cited:
    """What a document cites: spans by text, and the names, in lower case, that its cases go by.

    Where `references` are, words are no names, though a number may be a docket.
    """

    spans: tuple[tuple[Span, ...], ...]
    references: tuple[tuple[Span, ...], ...]
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
        kept = [Span(*match.span()) for pattern in (_SUPRA, _LAW, _REVIEW) for match in pattern.finditer(text)]
        cited: dict[Span, bool | None] = {
            each.span: None for each in citations if _is_protected(text, each, found.authorities, known)
        }
        cited |= {Span(*match.span()): None for match in _NEUTRAL.finditer(text)}
        cited |= {case.span: case.is_short for case in reporter_mentions(text)[0]}
        for span, is_short in cited.items():
            whole, short = _named(text, span, is_short=is_short)
            kept.append(whole)
            names.update(short)
        spans.append(tuple(sorted(kept)))
    return Cited(tuple(spans), tuple(map(_references, texts)), frozenset(names))


def _named(text: str, span: Span, *, is_short: bool | None) -> tuple[Span, tuple[str, ...]]:
    """A citation with the name before it and the year behind it, and what the case is called for short.

    `is_short` says whether it is a case's reporter that follows a short name; it is None of other citations.
    """
    start, end = span
    short: tuple[str, ...] = ()
    if ahead := _NAME_AHEAD.search(text, max(0, start - _AHEAD), start):
        start = ahead.start()
    elif (alone := _SHORT_NAME.search(text, max(0, start - _AHEAD), start)) and (
        is_short or (is_short is False and "," in alone.group())
    ):
        start = alone.start()
        short = (party_key(alone["name"]),)
    if leading := _LEADING.match(text[start:end]):
        start += leading.end()
    versus = _VERSUS.search(text, span.start, span.end)
    start = _sentence_start(text, start, versus.start() if versus else span.start)
    if named := _NAME_AHEAD.search(text, start, span.start):
        if party := named["who"] or named["one"]:
            name = party_key(party.split(" of ")[-1].removesuffix(" Litig."))
        else:
            name = name_key(named["first"], named["second"])
        short = short_names(name)
    behind = _UNPUBLISHED.match(text, end) or _BEHIND.match(text, end)
    return Span(start, behind.end() if behind else end), short


def _references(text: str) -> tuple[Span, ...]:
    """Where rules, records and the like are referred to by something short, which might be taken for a name."""
    found = [Span(*match.span()) for match in _CUT_SHORT.finditer(text)]
    for match in _REFERENCE.finditer(text):
        start, end = match.span()
        lead = _LEADS_TO_NAME.search(text, max(0, start - _LEAD), start)
        if lead and _LIKE_NAME.match(text, start):
            first = _FIRST_SHORT.match(text, start)
            is_led_on = (
                lead["lead"].istitle() and match.group().rstrip(".").count(".") > 1 and lead["lead"] not in _TITLES
            )
            start = start if is_led_on else first.end() if first else end
        if start < end:
            found.append(Span(start, end))
    return tuple(found)


def _sentence_start(text: str, start: int, end: int) -> int:
    """Where the sentence of the case's name begins, if what was taken for the name spans two."""
    for stop in _STOP.finditer(text, start, end):
        if (stop["word"] or "").lower().replace("’", "'").removesuffix("s") not in _shortened():
            start = stop.end()
    return start


@cache
def _shortened() -> frozenset[str]:
    """What the names of parties are shortened by, in the singular; a full stop behind it ends no sentence."""
    from reporters_db import CASE_NAME_ABBREVIATIONS, STATE_ABBREVIATIONS

    known = [*CASE_NAME_ABBREVIATIONS, *STATE_ABBREVIATIONS, *_SHORTENED]
    return frozenset(each.lower().rstrip(".").removesuffix("s") for each in known)


def _is_protected(text: str, citation: Citation, authorities: Sequence[Authority], known: frozenset[str]) -> bool:
    authority = authorities[citation.authority]
    if citation.kind is not CitationKind.NAME or authority.keys or _UNPUBLISHED.match(text, citation.span.end):
        return True
    return not known.isdisjoint(authority.names)
