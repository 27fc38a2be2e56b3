"""Which stretches of a document's texts are legal citations, and which words there are short names of cited cases, or
of the leading cases of criminal law, which briefs name without saying where they are reported.

What is here stays in the text; `kept.toml` says how it is written. Must not know people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from briefbank.law.catalogue import Catalogue, found_in
from briefbank.law.citations import (
    Authority,
    Citation,
    CitationKind,
    DocumentCitations,
    PassageText,
    PatternSet,
    cite_document,
)
from briefbank.law.citations.names import name_key, party_key, short_names
from briefbank.law.citations.reporters import case_mentions
from briefbank.law.legal_numbers import folded
from briefbank.law.word_lists import lexicon, packed
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

KEPT = Catalogue("anonymise/kept.toml")
_LEADS_TO_NAME = re.compile(
    r"\b(?!(?:see|at|in|of|on|as|that|and|cf|citing|also|by|to|under|the|with|or|per|See|In|Under)\s)(?P<lead>[A-Za-z][a-z]+)\.?\s\Z"
)
_LAW_SHORT = re.compile(r"(?:Arts?|Secs?|Ch|Tit|Pt|Vol|Nos?|Doc|Dkt|ECF|Exh?|App|Tab)\.?\s")
_FIRST_SHORT = bounded(r"[\w'’]+\.\s")
_LIKE_NAME = re.compile(r"[A-Z](?:[a-z]+|[A-Z]{1,3})\.?\s")
_ACCENTED = re.compile(r"\b\w*[^\W\d_a-zA-Z]\w*\b")
"""Words with a letter that the names of cases are kept without: Núñez."""
_VERSUS = re.compile(r"\s[Vv]s?\.?\s")
_STOP = bounded(r"(?P<word>[^\W\d_][\w'’]+|\d)[.?!][\"”’')]*\s+(?=[A-Z])|\n\s*\n")
_BESIDE = bounded(r"\s+(?:and|or)\s+(?P<name>[A-Z][\w'’-]+)")
_AHEAD = 120
_CUT_MOST = 5
_ARGUES_FROM = 3
_LEAD = 20
_LED_AHEAD = 20
_PARTY = r"[A-Z][\w.'’&-]*"
_PAIR = re.compile(r"(?!United|New|North|South|West|Rhode|Superior|Municipal|In re|Ex parte)[A-Z][a-z]+[ -][A-Z][a-z]+")
_PARTIES = bounded(
    rf"(?P<first>{_PARTY}(?:\s+(?:of\s+)?{_PARTY}){{0,5}})\s+[vV]s?\.?\s+"
    rf"(?P<second>(?:(?:New|North|South|West|Rhode|United)\s+)?[A-Z][\w'’-]*\w(?:\s+County)?)"
)


@dataclass(frozen=True, slots=True)
class Cited:
    """What a document cites: spans by text, and the names, in lower case, that its cases go by.

    Where `references` are, words are no names, though a number may be a docket. `argues_law` says that there are so
    many citations that well-known cases may be named by surnames that many people have.
    """

    spans: tuple[tuple[Span, ...], ...]
    references: tuple[tuple[Span, ...], ...]
    case_names: frozenset[str]
    argues_law: bool


def cited_in(
    texts: Sequence[str],
    patterns: PatternSet,
    known: frozenset[str] = frozenset(),
    people: frozenset[str] = frozenset(),
) -> Cited:
    """Find the citations of a document.

    The name of a case without its reporter is protected where the document cites it in full somewhere or relies on it
    in words (`under State v. Roe`), and in a text with other citations unless it is told as the matter at hand; never
    where somebody has the name. `known` are full names of cases (`state v carty`) that are cited in full elsewhere,
    `people` parts of names known from elsewhere.
    """
    # A case that is known by its docket may be somebody's of these texts: whether it is, `_is_unpublished` looks up.
    found = cite_document([PassageText(text, ()) for text in texts], patterns, by_docket=False)
    names = {each for each in distinctive_names(known) if not _is_somebody(each, texts, people)} if known else set()
    known |= leading_cases().names
    names |= {short for authority in found.authorities if authority.keys for short in _shorts(authority)}
    spans: list[list[Span]] = []
    for text, citations in zip(texts, found.passages, strict=True):
        kept = [
            found_in(match) for group in ("supra", "history", "law", "review") for match in KEPT[group].finditer(text)
        ]
        kept += leading_cases().named_in(text)
        cited: dict[Span, bool | None] = {}
        for each in citations:
            authority = found.authorities[each.authority]
            if _is_protected(each, authority, known) or _is_unpublished(text, each, authority, texts, people):
                cited[each.span] = None
                names.update(_shorts(authority) if each.kind is CitationKind.NAME else ())
        for match in KEPT["neutral"].finditer(text):
            cited[found_in(match)] = " at " in match.group() if match.group()[0].isdigit() else None
        cited |= {case.span: case.is_short for case in case_mentions(text)}
        for span, is_short in cited.items():
            whole, short = _named(text, span, is_short=is_short)
            kept.append(whole)
            names.update(short)
        spans.append(kept)
    names |= _keep_by_name(texts, found, spans, names, people)
    _keep_pinned(texts, spans, names, people)
    accented = {each.lower() for text in texts if not text.isascii() for each in _ACCENTED.findall(text)}
    names |= {each for each in accented if folded(each) in names}
    argues_law = sum(map(len, spans)) >= _ARGUES_FROM
    references = tuple(map(_references, texts))
    kept_spans = tuple(tuple(sorted(kept)) for kept in spans)
    return Cited(kept_spans, references, frozenset(names), argues_law=argues_law)


def _keep_by_name(
    texts: Sequence[str], found: DocumentCitations, spans: Sequence[list[Span]], names: set[str], people: frozenset[str]
) -> set[str]:
    """Add to `spans` the cases that are cited by name alone; return what those go by for short that `names` lacks."""
    by_name = [
        (text, kept, each.span, _shorts(found.authorities[each.authority]))
        for text, kept, citations in zip(texts, spans, found.passages, strict=True)
        for each in citations
        if each.kind is CitationKind.NAME and each.span not in kept
    ]
    relied_on: set[str] = set()
    for text, _, span, shorts in by_name:
        is_cited = _is_relied_on(text, span) or not _is_at_hand(text, span)
        if is_cited and not any(_is_somebody(short, texts, people) for short in shorts):
            relied_on |= shorts
    for text, kept, span, shorts in by_name:
        if not shorts.isdisjoint(names | relied_on):
            kept.append(_named(text, span, is_short=None)[0])
    return relied_on


def _keep_pinned(texts: Sequence[str], spans: Sequence[list[Span]], names: set[str], people: frozenset[str]) -> None:
    """Add to `spans` short names before a page or a paragraph, where they are a case's and nobody's here."""
    leading = leading_cases()
    for text, kept in zip(texts, spans, strict=True):
        for match in KEPT["pinned"].finditer(text):
            name = party_key(match.group())
            is_case = name in names or name in leading.distinctive
            if is_case and not _is_somebody(name, texts, people):
                kept.append(Span(*match.span()))


def _is_at_hand(text: str, span: Span) -> bool:
    """Whether the words in and around the name of a case say that it is a matter somebody works on, or a caption."""
    return bool(
        KEPT["matter"].search(text[span.start : span.end])
        or KEPT["matter_ahead"].search(text, max(0, span.start - _LEAD), span.start)
        or KEPT["matter_behind"].match(text, span.end)
    )


def _is_relied_on(text: str, span: Span) -> bool:
    """Whether the words around the name of a case say that it is an authority."""
    ahead = KEPT["authority_ahead"].search(text, max(0, span.start - _LEAD), span.start)
    behind = KEPT["authority_behind"].match(text, span.end)
    beside = _BESIDE.match(text, span.end)
    leading = leading_cases()
    return bool(ahead or behind or (beside and beside["name"].lower() in leading.distinctive | leading.common))


def _is_somebody(short: str, texts: Sequence[str], people: frozenset[str]) -> bool:
    """Whether what a case goes by for short is somebody's name in these texts, behind a title, role or first name."""
    if not people.isdisjoint(short.split()):
        return True
    lists = lexicon()
    leads = lists.titles | lists.roles | lists.given_names | lists.first_names
    name = "[ -]".join(map(re.escape, short.split()))
    last = re.escape(short.rsplit(maxsplit=1)[-1])
    before = re.compile(rf"(?P<lead>[\w’']+)\.?[ ](?:{name}|{last})\b", re.IGNORECASE)
    found = {match["lead"] for text in texts for match in before.finditer(text)}
    return any(
        each.lower() in leads or (each.istitle() and len(each) > 1 and not lists.is_ordinary(each.lower()))
        for each in found
    )


def _named(text: str, span: Span, *, is_short: bool | None) -> tuple[Span, tuple[str, ...]]:
    """A citation with the name before it and the year behind it, and what the case is called for short.

    `is_short` says whether it is a case's reporter that follows a short name; it is None of other citations.
    """
    start, end = span
    short: tuple[str, ...] = ()
    if KEPT["law_start"].match(text, start, end):
        return span, short
    if ahead := KEPT["name_ahead"].search(text, max(0, start - _AHEAD), start):
        start = ahead.start()
    elif (alone := KEPT["short_name"].search(text, max(0, start - _AHEAD), start)) and (
        is_short or (is_short is False and "," in alone.group())
    ):
        start = alone.start()
        short = (party_key(alone["name"]),)
    if leading := KEPT["leading"].match(text[start:end]):
        start += leading.end()
    *_, versus = [None, *_VERSUS.finditer(text, start, span.end)]
    start = _sentence_start(text, start, versus.start() if versus else span.start)
    start = max([start, *(case.start for case in leading_cases().named_in(text[start:end], start))])
    if named := KEPT["name_ahead"].search(text, start, span.start):
        if party := named["who"] or named["one"]:
            name = party_key(party.split(" of ")[-1].removesuffix(" Litig."))
        else:
            name = name_key(named["first"], named["second"])
        short = short_names(name)
    behind = KEPT["unpublished"].match(text, end) or KEPT["behind"].match(text, end)
    return Span(start, behind.end() if behind else end), short


def _references(text: str) -> tuple[Span, ...]:
    """Where rules, records and the like are referred to by something short, which might be taken for a name."""
    found = [found_in(match) for match in KEPT["cut_short"].finditer(text)]
    for match in KEPT["reference"].finditer(text):
        start, end = match.span()
        if _LAW_SHORT.match(text, start):
            found.append(Span(start, end))
            continue
        if (first := _FIRST_SHORT.match(text, start)) and _is_name_like(first.group()):
            start = first.end()  # `and Greg. RP 71`
        lead = _LEADS_TO_NAME.search(text, max(0, start - _LEAD), start)
        if lead and _LIKE_NAME.match(text, start):
            first = _FIRST_SHORT.match(text, start)
            is_led_on = (
                lead["lead"].istitle()
                and match.group().rstrip(".").count(".") > 1
                and lead["lead"].lower() not in lexicon().person_leads
            )
            start = start if is_led_on else first.end() if first else end
        if start < end:
            found.append(Span(start, end))
    return tuple(found)


def _is_name_like(short: str) -> bool:
    """Whether what looks like a word cut short is rather a name at the end of a sentence: `Dustin. VR 8`."""
    lists, lower = lexicon(), short.rstrip(". \n").lower()
    is_cut = len(lower) <= _CUT_MOST or lists.is_ordinary(lower) or lower.removesuffix("s") in _shortened()
    return lower in lists.given_names or not is_cut


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

    known = [*CASE_NAME_ABBREVIATIONS, *STATE_ABBREVIATIONS, *lexicon().party_abbreviations]
    return frozenset(each.lower().rstrip(".").removesuffix("s") for each in known)


def _shorts(authority: Authority) -> frozenset[str]:
    return frozenset(short for name in authority.names for short in short_names(name))


def _is_protected(citation: Citation, authority: Authority, known: frozenset[str]) -> bool:
    return citation.kind is not CitationKind.NAME or bool(authority.keys) or not known.isdisjoint(authority.names)


def _is_unpublished(
    text: str, citation: Citation, authority: Authority, texts: Sequence[str], people: frozenset[str]
) -> bool:
    """Whether docket and court follow the name of a case, as of an opinion in no reporter, which is nobody's here."""
    return bool(KEPT["unpublished"].match(text, citation.span.end)) and not any(
        _is_somebody(short, texts, people) for short in _shorts(authority)
    )


@dataclass(frozen=True, slots=True)
class LeadingCases:
    """`names` are whole (`miranda v arizona`). Short ones, of one word, are `distinctive`, or are `common` as surnames,
    first names or words; `phrases` finds those of two words (`Wong Sun`).
    """

    names: frozenset[str]
    distinctive: frozenset[str]
    common: frozenset[str]
    phrases: re.Pattern[str]

    def named_in(self, text: str, offset: int = 0) -> list[Span]:
        """Where the text names one of the cases, both parties; offsets count from `offset`."""
        found = [
            Span(offset + start, offset + match.end())
            for match in _PARTIES.finditer(text)
            for start in _starts(match["first"], match.start())
            if name_key(text[start : match.end("first")], match["second"]) in self.names
        ]
        alone = (Span(offset + match.start(), offset + match.end()) for match in self.phrases.finditer(text))
        return [*found, *(span for span in alone if not _is_led(text, span.start - offset))]


@cache
def leading_cases() -> LeadingCases:
    """The cases of `cases.txt.xz`."""
    lines = [line for line in packed("cases.txt.xz").splitlines() if line and not line.startswith("#")]
    names = frozenset(map(_key, lines))
    distinctive, common = _short_names(names)
    pairs = {party for line in lines for party in line.split(" v. ") if _PAIR.fullmatch(party)}
    phrases = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, pairs)))})(?!\w)")
    return LeadingCases(names, distinctive, common, phrases)


@cache
def distinctive_names(names: frozenset[str]) -> frozenset[str]:
    """What cases, given by their whole names, go by for short if that is no common surname, first name or word."""
    return _short_names(names)[0]


def _short_names(names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The short names of one word, distinctive and common ones."""
    lists = lexicon()
    places = {part for place in lists.places for part in place}
    shorts = {short for name in names for short in short_names(name) if " " not in short} - places - lists.terms
    common = shorts & (
        lists.common_surnames | lists.ordinary | lists.last_names | lists.first_names | lists.given_names
    )
    return frozenset(shorts - common), frozenset(common)


def _starts(party: str, start: int) -> list[int]:
    """Where the words of a party begin: what was taken for its first ones may belong to the sentence before."""
    return [start + match.start() for match in re.finditer(_PARTY, party)]


def _is_led(text: str, start: int) -> bool:
    """Whether a first name or a title stands before."""
    ahead = re.search(r"(?<!\w)(\w+)\.?\s\Z", text[max(0, start - _LED_AHEAD) : start])
    lists = lexicon()
    return ahead is not None and ahead[1].lower() in lists.given_names | lists.first_names | lists.titles


def _key(line: str) -> str:
    first, versus, second = line.partition(" v. ")
    return name_key(first, second) if versus else party_key(line)
