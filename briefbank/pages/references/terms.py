"""Terms that a document defines for itself: (the “Motion”), (hereinafter “Briggs”), (“HPD”); and where they are used.

Testimony is quoted in brackets too, so that a term counts as defined only where the words before the bracket tell what
it stands for. Names of parties that every brief has ("Appellant") are no terms: nobody looks up whom they mean.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_DEFINITION = bounded(
    r"[\w.’'”)],?\s?\((?P<lead>(?i:(?:here(?:in)?after|collectively|together|jointly|each|individually|also|referred to"
    r"(?: herein)?(?: as)?|known as|called|or|and|the|an?|this|such),?:? ){0,6})"
    r"[“\"](?P<term>[A-Z0-9][\w.’'&/-]*(?: [\w.’'&/-]+){0,4}),?[”\"]"
    r"(?: or [“\"][^”\"()]{1,40}[”\"])?\)"
)
_BRACKET = bounded(r"\([^()]{0,240}\)")
_NAME = r"[A-Z0-9][\w.’'&/-]*(?: [\w.’'&/-]+){0,5}?"
_QUOTED_IN_BRACKET = bounded(rf"[“\"](?P<term>{_NAME})[.,]?[”\"]")
_LED_IN = bounded(
    r"(?:\A\(|\b(?:the|an?|as|called|are|is|or|and|each|this|these|all|any|such"
    r"|(?:collective|individual|joint)ly|together|here(?:in)?(?:after)?),?:?) ?\Z",
    re.IGNORECASE,
)
"""In front of a term in the bracket of a contract: "(each such factor, an ", "(each a “Buyer” and jointly, the "."""
_REFERRED_TO = bounded(
    r"\b(?:(?:referred to|known|called|defined|designated)\b[\w ,]{0,60}?\bas|here(?:in)?(?:after)? called)"
    rf" (?:the |an? )?[“\"](?P<term>{_NAME})[.,]?[”\"]"
    rf"(?:,? (?:and|or)(?: \w+,?){{0,2}} (?:as )?(?:the |an? )?[“\"](?P<other>{_NAME})[.,]?[”\"])?"
)
"""Prose of contracts: "are hereinafter referred to collectively as the “Offerings.”"."""
_QUOTED = r"[“\"](?:[A-Z0-9][\w.’'&/()-]*(?: [\w.’'&/()-]+){0,6}),?[”\"]"
_MEANS = bounded(
    rf"(?P<terms>{_QUOTED}(?:(?:,|,? ?\b(?:and|or)\b|/) ?(?:an? |the )?{_QUOTED}){{0,3}})"
    r"(?:,? ?\([^()]{1,80}\)|,(?: [\w.’'-]+){1,8},| (?:of|for|with respect to)(?: [\w’'-]+){1,5})? "
    r"(?:(?:shall|will|each|both|as used [\w ]{4,30}),? )?"
    r"(?:means?|ha(?:s|ve) the (?:same |respective )?meanings?|refers? to|(?:is|are|be) defined)\b"
)
"""`"Territory" means …`, `"Appendix" and "Appendices" shall mean …`."""
_ENTRY = bounded(rf"(?:\A|\n)(?:\(?[\w.]{{1,6}}[.)]? )?(?P<terms>{_QUOTED})(?::| ?[-–—=](?= )| ?\n\n(?=[a-z]))")
"""`"Territory": …`, at the head of a line; only where a heading above says that definitions follow."""
_GLOSSARY = bounded(
    r"\n[^\n]{0,40}\b(?:definitions?|defined terms|interpretation|glossary)\b|following meanings?\b", re.IGNORECASE
)
_GLOSSARY_REACH = 12_000
"""Characters below a heading "Definitions" in which entries stand; contracts have up to ten pages of them."""
_TERM = re.compile(r"[“\"]([^“”\"]+?),?[”\"]")
_ENTRY_BEFORE = bounded(
    r"(?:\A|\n|[.;:,)]|\b(?:[Tt]he|[Aa]nd|words?|terms?|expressions?|phrases?)) ?(?:\(?[\w.]{1,6}[.)]? )?\Z"
)
"""In front of a term that is defined there: the head of an entry, or "the term"; not a statute that is quoted."""
_PARTIES = frozenset(
    "appellant appellants appellee appellees defendant defendants plaintiff plaintiffs petitioner petitioners"
    " respondent respondents state government people commonwealth court complainant victim prosecutor prosecution"
    " company agreement party parties movant applicant".split()
)
_TRIVIAL = frozenset("agreement party parties".split())
"""In a contract these alone: who the Company is, nobody knows beforehand."""
_WORD = re.compile(r"\w+")
_INITIALS = re.compile(r"[A-Z]")
_REACH = 120
"""Characters before the bracket in which a term's own words must stand; names with titles and firms have up to 90."""
_MOST = 500
"""Definitions that are read of one document; contracts have up to 200. Each is looked for in the whole text."""
_CITED_BEHIND = bounded(
    r"[,;]? (?:v\.|supra|at \d|\d{1,4} [A-Z])|\s[A-Z][a-z]|\s(?:and|or|of|&) (?:[A-Z]\w* ){0,3}(?:Agreement|Act|Plan)\b"
)
_CITED_BEFORE = ("v. ", "In re ", "Ex parte ", "Matter of ")
_LAST_WORD = bounded(r"([\w’'-]+)(\.?) $")
_DEFINES = re.compile("(?i:here|collectively|referred|called|known|together|jointly)")
_POSSESSIVE = ("'s", "’s", "s'", "s’")
_RECORD_BEFORE, _RECORD_BEHIND = re.compile(r"\d \Z"), re.compile(r" \d")
"""Around the name of a part of the record in a citation: "5 RR 208"."""
_NAMED = bounded(r"(?:[A-Z][\w’'-]*|[a-z]{1,3})(?: (?:[A-Z][\w’'-]*|[a-z]{1,3}))+|[A-Z]{2,}s?")
"""A name of its own, or letters that stand for one."""
_TITLES = frozenset(
    "mr mrs ms dr det detective officer deputy sergeant sgt lieutenant lt captain agent trooper judge justice juror"
    " nurse professor attorney investigator the a an and or of by in to for from with at on that when as if but each"
    " any all such this these those no every both upon under unless until during other its their our his her either"
    " neither".split()
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A term, and where it stands in the bracket that defines it."""

    term: str
    span: Span
    is_meant: bool = False
    """Defined by what it means, so that the term has this meaning wherever it stands."""


def definitions_in(text: str, *, has_sections: bool = False) -> list[Definition]:
    """Return what a text defines, in order. A document that `has_sections`, as a contract, quotes no testimony, and
    writes its terms with capitals wherever it uses them; where a brief quotes what a statute means by a word, the word
    is a term only if it is a name.
    """
    if has_sections:
        found = {each.span: each for each in (*_in_brackets(text), *_referred_to(text), *_meant(text))}
        return sorted((each for each in found.values() if each.term.casefold() not in _TRIVIAL), key=_at)[:_MOST]
    meant = (each for each in _meant(text) if _NAMED.fullmatch(each.term))
    named = [each for each in (*_bracketed(text), *meant) if each.term.casefold() not in _PARTIES]
    return sorted(named, key=_at)[:_MOST]


def _at(definition: Definition) -> Span:
    return definition.span


def _bracketed(text: str) -> Iterator[Definition]:
    """Terms in brackets behind what they stand for, as briefs have them: (the “Motion”)."""
    for match in _DEFINITION.finditer(text):
        found = _defined(match["term"], match.start("term"))
        before = text[max(0, match.start() - _REACH) : match.start() + 1]
        if _is_told_by(found.term, match["lead"], before):
            yield found


def _in_brackets(text: str) -> Iterator[Definition]:
    """Terms in the brackets of a contract, several in one: (each a “Party” and collectively, the “Parties”)."""
    for bracket in _BRACKET.finditer(text):
        for match in _QUOTED_IN_BRACKET.finditer(text, *bracket.span()):
            if _LED_IN.search(text[bracket.start() : match.start()]):
                yield _defined(match["term"], match.start("term"))


def _referred_to(text: str) -> Iterator[Definition]:
    for match in _REFERRED_TO.finditer(text):
        for name in ("term", "other"):
            if match[name]:
                yield _defined(match[name], match.start(name))


def _defined(quoted: str, start: int) -> Definition:
    """A term as quoted, without the stop that may stand within the marks."""
    term = quoted if quoted.count(".") > 1 else quoted.rstrip(".,")
    return Definition(term, Span(start, start + len(term)))


def _meant(text: str) -> Iterator[Definition]:
    """Terms of which it is said what they mean, “Territory” means …; in lists of definitions also behind a colon."""
    for match in _MEANS.finditer(text):
        if _ENTRY_BEFORE.search(text, max(0, match.start() - 24), match.start()):
            yield from _terms_of(match)
    for match in _ENTRY.finditer(text):
        if _GLOSSARY.search(text, max(0, match.start() - _GLOSSARY_REACH), match.start() + 1):
            yield from _terms_of(match)


def _terms_of(match: re.Match[str]) -> Iterator[Definition]:
    for each in _TERM.finditer(match["terms"]):
        yield replace(_defined(each[1], match.start("terms") + each.start(1)), is_meant=True)


def uses_of(
    definitions: list[Definition], text: str, *, has_sections: bool = False
) -> Iterator[tuple[Span, Definition]]:
    """Yield the places where a term is used behind its definition, each with the last definition before it; in a
    contract (`has_sections`) also before it, where it says once what the term means, and "Products" where "Product"
    alone is defined.
    """
    by_term: dict[str, list[Definition]] = {}
    for each in definitions:
        by_term.setdefault(each.term, []).append(each)
    quoted = sorted(each.span for each in definitions)
    for term, defined in by_term.items():
        is_everywhere = has_sections and len(defined) == 1 and defined[0].is_meant
        first = 0 if is_everywhere else defined[0].span.end
        plural = f"{term}s" if has_sections and f"{term}s" not in by_term else ""
        for span in (*_places(term, text, first), *(_places(plural, text, first) if plural else ())):
            at = bisect_right(quoted, span)
            if _is_use(text, span) and not span.overlaps_any(quoted[max(0, at - 1) : at + 1]):
                yield span, [each for each in defined if is_everywhere or each.span.end <= span.start][-1]


def _places(term: str, text: str, start: int) -> Iterator[Span]:
    """Where a term stands as words of its own. A contract has hundreds of terms, so that text is searched and no
    pattern, which is ten times slower.
    """
    while (start := text.find(term, start)) >= 0:
        before, behind = text[max(0, start - 1) : start], text[start + len(term) : start + len(term) + 1]
        if not (
            before.isalnum() or before in ("_", "“", '"', "‘", ".", "-") or behind.isalnum() or behind in ("_", "-")
        ):
            yield Span(start, start + len(term))
        start += len(term)


def _is_told_by(term: str, lead: str, before: str) -> bool:
    """Whether the words before a bracket say what a term stands for, or the bracket says that it defines."""
    if _DEFINES.search(lead):
        return True
    if lead.strip() and before[-1] not in ".”":
        return term[0].isupper()
    near = before[-_REACH:]
    words = {word.casefold() for word in _WORD.findall(near)}
    own = [word.casefold() for word in _WORD.findall(term)]
    if any((len(word) > 2 or word.isdecimal()) and word in words for word in own):
        return True
    initials = "".join(_INITIALS.findall("".join(word[0] for word in _WORD.findall(near))))
    letters = "".join(_INITIALS.findall(term))
    return len(letters) >= 2 and letters == "".join(term.replace(".", "").split()) and initials.endswith(letters)


def _is_use(text: str, span: Span) -> bool:
    """Whether a term stands by itself: not in the name of a case, a citation, or somebody's longer name."""
    before, behind = text[max(0, span.start - 40) : span.start], text[span.end : span.end + 24]
    if _CITED_BEHIND.match(behind) or before.endswith(_CITED_BEFORE):
        return False
    if _RECORD_BEFORE.search(before) and _RECORD_BEHIND.match(behind):
        return False
    last = _LAST_WORD.search(before)
    if last is None or not last[1][0].isupper():
        return True
    if last[1].endswith(_POSSESSIVE) and " " in text[slice(*span)]:
        return True
    return bool(last[2]) or last[1].casefold() in _TITLES
