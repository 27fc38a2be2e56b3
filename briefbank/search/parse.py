"""A question read once: its words, the authorities that it cites, its conditions, its corrections, what it asks.

What comes behind works with the `ParsedQuery` made here and reads no text of a question again. Must not know passages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cache

from briefbank.errors import UsageError
from briefbank.index.generation import Generation
from briefbank.index.tokens import Token, tokenise
from briefbank.law.citations import QueryCitation
from briefbank.law.citations.names import telling_party
from briefbank.law.dates import SWAP_DATES, why_no_day
from briefbank.platform.regex import bounded
from briefbank.search.asked_authority import (
    CitedWords,
    NamedAuthority,
    asked_authority,
    citations_in,
    cited_in,
    distinct,
)
from briefbank.search.connectors import parse as parse_connectors
from briefbank.search.connectors.syntax import FIELDS, Expression
from briefbank.search.hints import HintReader
from briefbank.search.spelling import QUOTED, Corrected, Speller
from briefbank.values.records import Correction, Filters, Hint, Query, Span

_DETERMINERS = (
    r"(?:(?:a|an|the|any|all|some|our|more|other|another|every|good|recent|past|previous|prior|old|sample|relevant|legal"
    r"|appellate|trial|specific|possible|main|best|common|current|proper|applicable) )*"
)
_THING = (
    r"(?:briefs?|passages?|paragraphs?|sections?|memos?|memorand(?:um|a)|documents?|filings?|arguments?|language"
    r"|examples?|samples?|instances?|authorit(?:y|ies)|cases?|case ?law|law|materials?|anything|something|information"
    r"|results?|research|situations?|fact patterns?)"
)
_THINGS = rf"{_DETERMINERS}{_THING}(?:(?:,| and| or) {_DETERMINERS}{_THING})*"
_TREATING = (
    r"(?:that |which )?(?:discuss|address|concern|regard|involv|cover|analy[sz]|argu|explain|describ|deal|relat|treat"
    r"|mention|cit|rais|challeng|talk|focus)(?:e|es|s|ing|ed)?(?: (?:with|to|about|on))?"
)
_ABOUT = rf"(?:{_TREATING}|about|on|where|in which|whether|as to|in support of|in favou?r of|against)"
_VERB = (
    r"(?:(?:please|kindly) )*(?:(?:can|could|would|will) you )?(?:please )?(?:help me )?"
    r"(?:find|show|give|get|provide|bring|pull|locate|list|search|look|retrieve|fetch|send|tell)"
)
_WISH = (
    r"(?:i|we)(?:'m| am|'re| are|'d| would)? (?:need|want|like|looking for|searching for|trying to find)"
    r"(?: to (?:find|see|know|read|learn|understand))?(?: about)?"
)
_OWNED = r"(?:(?:do|did) we (?:ever )?have|is there|are there)"
_DONE = (
    r"ha(?:s|ve) (?:we|anyone|anybody|someone|(?:our|the) office) (?:ever )?"
    r"(?:briefed|argued|raised|addressed|covered|litigated|written|filed|made|had|seen)"
)
_SUBJECT = (
    r"(?:standards?|rules?|law|tests?|elements|definitions?|meaning|factors|requirements?|limits|arguments?|principles?"
    r"|differences?)"
)
_QUESTION = (
    rf"what(?: is|'s| are| was| were) {_DETERMINERS}(?:\w+ )?{_SUBJECT} (?:{_ABOUT}|for|of|under|behind|governing|to)"
)
_FRAMES = tuple(
    bounded(pattern + r"(?![\w'])[\s,:]*", re.IGNORECASE)
    for pattern in (
        rf"{_VERB}(?: up)?(?: (?:me|us))?(?: (?:with|for))? {_THINGS}(?: (?:{_ABOUT}|for|of|when))?",
        rf"{_VERB}(?: up)? (?:me|us)(?: (?:with|about))?",
        r"(?:please )?(?:find|locate|retrieve|fetch)",
        _WISH,
        rf"(?:{_OWNED}|{_DONE}) {_THINGS}(?: (?:{_ABOUT}|for|of|when))?",
        rf"{_DONE}(?: about| on| that)?",
        rf"{_THINGS} {_ABOUT}",
        _QUESTION,
        r"(?:about|regarding|concerning|discussing|whether)",
    )
)
_YES_OR_NO = re.compile(r"(?:is|are|was|were|does|do|did|has|have|had|can|may|must|should|whether|if)\b", re.IGNORECASE)
_TREATED = r"(?:addressed|discussed|briefed|covered|mentioned|dealt with|written about)"
_ASIDES_ANYWHERE = re.compile(r"\b(?:(?:still|no longer|(?:is|are|be|remains?)) )*good law\b", re.IGNORECASE)
_ASIDES_IN_QUESTIONS = re.compile(
    rf"\bstill\b(?! (?:photo|image|picture|shot|frame|life|born))|\b(?:ever )?(?:been )?{_TREATED}\b", re.IGNORECASE
)
"""What asks whether something holds or was written about, and says nothing of it. Only where a question that is
answered by yes or no begins the text: a breath test may be addressed, and a still photograph shown.
"""
_FILING_LAST = bounded(
    r"(?P<before>[\w'’-]+)\s+(?P<filing>briefs?|memos?|memoranda|motions|filings)\W*\Z", re.IGNORECASE
)
_NAMES_FILING = frozenset(
    "anders amicus reply supplemental pro se opening letter merits joint late untimely timely adequate inadequate "
    "deficient frivolous successive multiple repeated oral written pretrial pre-trial posttrial post-trial limine "
    "omnibus pending dispositive sealed court electronic public too very so unduly relatively unreasonably".split()
)
"""Words with which a filing is itself what is asked about: “Anders briefs”, “successive motions”, “too brief”."""
_DESIGNATORS = frozenset("r rule rules section sec art article statute chapter njsa njre usc fre".split())


# Terms and connectors, by marks that no question carries by chance.
_IN_QUOTES = r"[\"“„][^\"“”„]*[\"”“]"
_NEARNESS = r"(?:^|(?<=[\s)\"”]))[/+](?:[sp]|\d{1,3})(?=[\s(\"“]|$)"
_FIELD = rf"(?:^|(?<=[\s(]))(?:{'|'.join(FIELDS)})\((?!(?:s|es|[a-z]|\d+)\))"
_FIELD_ALONE = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}+\([^()]{3,}+\)")
"""Nothing but a word with a bracket at it: a field, known or not."""
_LIST = re.compile(r"\[[^\[\]]*[,\"“][^\[\]]*\]\.?")
"""Keywords in square brackets: `["change control"~5^5, "written notice"]`."""
_NUMBERED = r"(?<=[\"”])[~^]\d|(?<=\w)\^\d|(?<=\))\^\d"
_SURE = re.compile(rf"{_NEARNESS}|{_FIELD}|{_NUMBERED}", re.IGNORECASE)
_LIKELY = re.compile(
    r"(?<=[\w\"”)!*] )[&%](?= [\w\"“(#])"
    r"|(?<![!\w])[^\W\d_]{3,}!(?=[\s)]|$)"
    r"|(?<![\w*])(?=\w*[^\W\d_])\w+\*+\w*(?![\w*])"
    r"|(?:^|(?<=[\s(\"“]))#[^\W\d_]{2,}"
    r"|(?<=[\w\"”)!*] )(?:but not)(?= [\"“(])"
)
_CAPITALS = re.compile(r"(?<=\s)(?:AND|OR|BUT\s+NOT)(?=\s)")
_OPERAND = rf"[(\s]*(?:{_IN_QUOTES}|[^\s()\"“”„]+)[)\s]*"
_JOINED = re.compile(
    rf"(?<![(\s]){_OPERAND}(?:(?<=[\s)\"”])(?:and|or|but\s+not)(?=[\s(\"“]){_OPERAND})*", re.IGNORECASE
)
_CRY = re.compile(r"[^\W_]!$")
_ASKING = frozenset(
    "address addressed addresses addressing discuss discussed discusses discussing cite cited cites citing mention "
    "mentioned mentions brief briefed briefs raise raised argue argued rely relied relies invoke invoked use used "
    "follow followed apply applied distinguish distinguished cover covered deal dealt write written ever anywhere "
    "anyone anybody somebody someone everyone office offices ours memo memos motion motions filing filings document "
    "documents passage passages case cases decision opinion authority authorities article articles rule rules section "
    "sections statute statutes tex texas still often many times good law valid".split()
)
"""Words that ask who speaks of an authority, and name nothing beside it: "which of our briefs have relied on"."""
# Chosen, not measured. People's questions are shorter: the longest of the judged defenders' ones has 25 words.
PASTED_WORDS = 40
"""A query of so many words is taken for pasted text."""


class Asks(Enum):
    """What a query asks for."""

    QUESTION = auto()
    CONDITIONS = auto()
    """Nothing but conditions: "directives since 2020"."""
    EXPRESSION = auto()
    """Terms and connectors."""
    LIKE_PASSAGE = auto()
    LIKE_TEXT = auto()
    """What resembles a pasted text."""
    PROFILE = auto()
    """What an issue profile ranks; no words are read."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """A question understood.

    `meaning` is its text without the words of asking; `words` are its content words, legal numbers and citations, each
    once, in the order asked. A sample is no question but a text that answers are to be like; its words are its most
    telling. `cases` are the names of the cases that it cites, each with the place of its word.
    """

    meaning: str
    words: tuple[Token, ...]
    surfaces: tuple[str, ...]
    is_sample: bool = False
    cases: Mapping[str, int] = field(default_factory=dict)
    terms: tuple[str, ...] = field(init=False)
    """All terms to look up, prefixes of legal numbers included."""
    own_terms: tuple[str, ...] = field(init=False)
    """One term a word, the most specific."""
    legal_number_share: float = field(init=False)
    """The share of the words that are citations, rules or statutes, 0 to 1."""

    def __post_init__(self) -> None:
        legal = sum(word.is_legal_number for word in self.words)
        object.__setattr__(self, "terms", tuple(term for word in self.words for term in word.terms))
        object.__setattr__(self, "own_terms", tuple(word.term for word in self.words))
        object.__setattr__(self, "legal_number_share", legal / len(self.words) if self.words else 0.0)


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """All that is read out of a query; what does not apply to what it `asks` is empty.

    `text` is what is searched for, corrected and without conditions; `words` and `citations` are those of it.
    `authorities` are set only where nothing is asked for beside who cites them. `filters` are those set by hand and
    those of the `hints`, `stages` the filters after each of these. `asked_terms` are the terms of the query as typed
    and as corrected; `authority` names the one authority of the bank that it asks of.
    """

    query: Query
    asks: Asks
    filters: Filters
    text: str = ""
    words: Understanding | None = None
    citations: tuple[QueryCitation, ...] = ()
    authorities: tuple[NamedAuthority, ...] = ()
    expression: Expression | None = None
    hints: tuple[Hint, ...] = ()
    stages: tuple[Filters, ...] = ()
    corrections: tuple[Correction, ...] = ()
    notices: tuple[str, ...] = ()
    asked_terms: frozenset[str] = frozenset()
    authority: str = ""


class QueryParser:
    """Parses queries over one generation."""

    def __init__(self, generation: Generation, speller: Speller | None = None) -> None:
        """Take an open generation; a `speller` where words are right that another generation holds."""
        self._authorities = generation.authorities
        self._hints = HintReader(generation.documents)
        self.speller = speller or Speller(generation)

    def parse(self, query: Query) -> ParsedQuery:
        """Read a query.

        Raises:
            UsageError: it holds no word or asks for no result, its dates exclude each other, or its expression breaks
                the rules of terms and connectors.
        """
        require_sensible(query)
        if query.like_passage:
            hinted = self._hints.read(query)
            return ParsedQuery(query, Asks.LIKE_PASSAGE, hinted.filters, hints=hinted.hints, notices=hinted.notices)
        is_pasted = len(query.text.split()) >= PASTED_WORDS
        citations = cache(self._citations)  # most often the text is one and the same all the way
        tokens = tokenise(query.text)
        terms, authority = [], ""
        if not is_pasted:
            terms = [token.term for token in tokens if not token.is_stop_word]
            authority = asked_authority(query.text, citations(query.text), self._authorities)
        if is_connectors(query.text):
            expression = parse_connectors(query.text)
            return ParsedQuery(
                query,
                Asks.EXPRESSION,
                query.filters,
                query.text,
                expression=expression,
                notices=self.speller.missing(expression),
                asked_terms=frozenset(terms),
                authority=authority,
            )
        # Before conditions are read, so that a misspelt month or court sets its condition too.
        is_right = is_pasted or query.as_typed
        corrected = Corrected(query.text) if is_right else self.speller.correct(query.text, tokens, citations)
        terms += [token.term for each in corrected.corrections for token in tokenise(each.corrected)]
        hinted = self._hints.read(replace(query, text=corrected.text))
        words = understand(hinted.text, citations(hinted.text))
        is_rest = bool(hinted.rest) and hinted.rest != hinted.text
        rest = understand(hinted.rest, citations(hinted.rest)) if is_rest else words
        asks = Asks.CONDITIONS if hinted.is_hints_alone else Asks.QUESTION
        return ParsedQuery(
            query,
            Asks.LIKE_TEXT if is_pasted else asks,
            hinted.filters,
            hinted.text,
            words,
            citations(hinted.text),
            self._alone(hinted.rest, rest, citations(hinted.rest)),
            hints=hinted.hints,
            stages=hinted.stages,
            corrections=corrected.corrections,
            notices=hinted.notices,
            asked_terms=frozenset(terms),
            authority=authority,
        )

    def _citations(self, text: str) -> tuple[QueryCitation, ...]:
        return citations_in(text, self._authorities) if self._authorities else ()

    def _alone(self, text: str, words: Understanding, citations: Sequence[QueryCitation]) -> tuple[NamedAuthority, ...]:
        """The authorities that a text cites, if it has no content beside them."""
        spans = [citation.span for citation in citations]
        is_alone = all(
            token.is_stop_word or _is_within(token.span, spans) or surface.casefold() in _ASKING
            for token, surface in zip(words.words, words.surfaces, strict=True)
        )
        return tuple(distinct(text, citations, self._authorities)) if citations and is_alone else ()


def is_connectors(text: str) -> bool:
    """Whether a text is to be read as terms and connectors.

    Distances, fields, weights and a list in square brackets always say so. `&`, `%`, `!`, `*`, `#`, capital AND and OR
    do in a text that does not end as a question, quotes where everything is joined by connectors.
    """
    plain = text.strip()
    if _SURE.search(plain) or _FIELD_ALONE.fullmatch(plain) or _LIST.fullmatch(plain):
        return True
    if plain.endswith("?"):
        return False
    if re.search(_IN_QUOTES, plain) and _JOINED.fullmatch(plain):
        return True
    if _CAPITALS.search(plain) and not plain.isupper():
        return True
    found = list(_LIKELY.finditer(plain))
    is_cry = len(found) == 1 and _CRY.search(plain) and found[0].end() == len(plain) and " " in plain
    return bool(found) and not is_cry


def require_sensible(query: Query) -> None:
    """Refuse a query that nothing can answer, whatever its words.

    Raises:
        UsageError: it asks for no result, or its dates exclude each other.
    """
    if query.top_k < 1:
        raise UsageError("At least one result must be asked for.", "Ask for 1 or more (--top-k).")
    if problem := why_no_day(query.filters.since, query.filters.until):
        raise UsageError(problem, SWAP_DATES)


def understand(text: str, citations: Sequence[QueryCitation] | None = None) -> Understanding:
    """Find what a question is about; `citations` are those in it, where a bank was asked for the names it knows.

    A citation counts as one word. Where nothing but words of asking or of grammar remains, these are what is looked
    for.

    Raises:
        UsageError: the text holds no word and no number.
    """
    tokens = tokenise(text)
    if not tokens:
        raise UsageError("There is nothing to search for.", "Type a word, a question or a citation.")
    cited = cited_in(text, citations_in(text, None) if citations is None else citations)
    tokens = _with_citations(tokens, cited)
    start = _frame_end(text)
    asides = [*_asides(text, start), *_filing_last(text, start)]
    content = [
        token
        for token in tokens
        if token.span.start >= start and not token.is_stop_word and not _is_within(token.span, asides)
    ]
    content = [token for place, token in enumerate(content) if not _designates(token, content[place + 1 : place + 2])]
    if not content:
        start, asides, content = 0, [], [token for token in tokens if not token.is_stop_word] or tokens
    words = tuple({token.term: token for token in reversed(content)}.values())[::-1]
    surfaces = tuple(text[word.span.start : word.span.end] for word in words)
    cases = {
        each.case: place for each in cited for place, word in enumerate(words) if each.case and word.span == each.span
    }
    return Understanding(_without(text, start, asides), words, surfaces, cases=cases)


def _with_citations(tokens: Sequence[Token], cited: Sequence[CitedWords]) -> list[Token]:
    """The same with one token for each citation: the number of a law, or the party that tells a case from others."""
    joined = [token for token in tokens if not _is_within(token.span, [each.span for each in cited])]
    for each in cited:
        terms = tuple(token.term for token in reversed(tokenise(each.case and telling_party(each.case))))
        inside = [token for token in tokens if _is_within(token.span, [each.span])]
        # Of a case, not the year in its brackets.
        number = next((token for token in inside if (token.is_legal_number if each.case else token.is_number)), None)
        if terms:
            joined.append(Token(each.span, each.case, (*terms, *(number.terms if number else ()))))
        elif number:
            joined.append(Token(each.span, number.surface, number.terms))
        else:
            joined += inside
    return sorted(joined, key=lambda token: token.span)


def _frame_end(text: str) -> int:
    """The offset behind all frames of asking at the start of the text."""
    position = len(text) - len(text.lstrip())
    plain = text.translate({0x2018: "'", 0x2019: "'", 0x0A: " ", 0x09: " "})
    while True:
        ends = [match.end() for frame in _FRAMES if (match := frame.match(plain, position))]
        if not ends:
            return position
        position = max(ends)


def _asides(text: str, start: int) -> list[Span]:
    """What asks rather than names, behind the frame; nothing of it where it stands in quotes."""
    patterns = [_ASIDES_ANYWHERE, *([_ASIDES_IN_QUESTIONS] if _YES_OR_NO.match(text, start) else [])]
    quoted = [Span(*match.span()) for match in QUOTED.finditer(text)]
    found = sorted(Span(*match.span()) for pattern in patterns for match in pattern.finditer(text, start))
    return [each for each in found if not _is_within(each, quoted)]


def _filing_last(text: str, start: int) -> list[Span]:
    """The word for what is looked for at the end of a request: the `briefs` of “speedy trial briefs”."""
    match = _FILING_LAST.search(text, start)
    if not match:
        return []
    before = match["before"].casefold().replace("’", "'")
    is_content = before in _NAMES_FILING or before.endswith(("'s", "s'")) or tokenise(before)[-1:] == []
    if is_content or tokenise(before)[-1].is_stop_word:
        return []
    return [Span(*match.span("filing"))]


def _is_within(span: Span, spans: Sequence[Span]) -> bool:
    return any(each.start <= span.start < each.end for each in spans)


def _without(text: str, start: int, asides: Sequence[Span]) -> str:
    parts = []
    for aside in asides:
        parts.append(text[start : aside.start].rstrip())
        start = max(start, aside.end)
    return "".join([*parts, text[start:]]).strip()


def _designates(token: Token, following: list[Token]) -> bool:
    """Whether a word only says what kind of number follows: the `R.` of `R. 3:5-7`."""
    return token.term in _DESIGNATORS and bool(following) and following[0].is_number
