"""What a question asks for: its content words and legal numbers, without the words of asking. Knows no index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.errors import UsageError
from briefbank.index.tokens import Token, tokenise
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

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
QUOTED = re.compile(r"[\"“„][^\"“”„]*[\"”“]")
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


@dataclass(frozen=True, slots=True)
class Understanding:
    """A question understood.

    `meaning` is its text without the words of asking; `words` are its content words and legal numbers, each once, in
    the order asked. A sample is no question but a text that answers are to be like; its words are its most telling.
    """

    meaning: str
    words: tuple[Token, ...]
    surfaces: tuple[str, ...]
    is_sample: bool = False

    @property
    def terms(self) -> tuple[str, ...]:
        """All terms to look up, prefixes of legal numbers included."""
        return tuple(term for word in self.words for term in word.terms)

    @property
    def own_terms(self) -> tuple[str, ...]:
        """One term a word, the most specific."""
        return tuple(word.term for word in self.words)

    @property
    def legal_number_share(self) -> float:
        """The share of the words that are citations, rules or statutes, 0 to 1."""
        return sum(word.is_legal_number for word in self.words) / len(self.words)


def understand(text: str) -> Understanding:
    """Find what a question is about.

    Where nothing but words of asking or of grammar remains, these are what is looked for.

    Raises:
        UsageError: the text holds no word and no number.
    """
    tokens = tokenise(text)
    if not tokens:
        raise UsageError("There is nothing to search for.", "Type a word, a question or a citation.")
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
    return Understanding(_without(text, start, asides), words, surfaces)


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
