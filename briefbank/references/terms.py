"""Terms that a document defines for itself: (the “Motion”), (hereinafter “Briggs”), (“HPD”); and where they are used.

Testimony is quoted in brackets too, so that a term counts as defined only where the words before the bracket tell what
it stands for. Names of parties that every brief has ("Appellant") are no terms: nobody looks up whom they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from briefbank.platform.regex import bounded
from briefbank.records import Span

_DEFINITION = bounded(
    r"[\w.’'”)],?\s?\((?P<lead>(?i:(?:here(?:in)?after|collectively|together|jointly|each|individually|also|referred to"
    r"(?: herein)?(?: as)?|known as|called|or|and|the|an?|this|such),?:? ){0,6})"
    r"[“\"](?P<term>[A-Z0-9][\w.’'&/-]*(?: [\w.’'&/-]+){0,4}),?[”\"]"
    r"(?: or [“\"][^”\"()]{1,40}[”\"])?\)"
)
_PARTIES = frozenset(
    "appellant appellants appellee appellees defendant defendants plaintiff plaintiffs petitioner petitioners"
    " respondent respondents state government people commonwealth court complainant victim prosecutor prosecution"
    " company agreement party parties movant applicant".split()
)
_WORD = re.compile(r"\w+")
_INITIALS = re.compile(r"[A-Z]")
_REACH = 120
"""Characters before the bracket in which a term's own words must stand; names with titles and firms have up to 90."""
_MOST = 500
"""Definitions that are read of one document; contracts have up to 200. Each is looked for in the whole text."""
_CITED_BEHIND = bounded(r"[,;]? (?:v\.|supra|at \d|\d{1,4} [A-Z])|\s[A-Z][a-z]")
_CITED_BEFORE = ("v. ", "In re ", "Ex parte ", "Matter of ")
_LAST_WORD = bounded(r"([\w’'-]+)(\.?) $")
_DEFINES = re.compile("(?i:here|collectively|referred|called|known|together|jointly)")
_TITLES = frozenset(
    "mr mrs ms dr det detective officer deputy sergeant sgt lieutenant lt captain agent trooper judge justice juror"
    " nurse professor attorney investigator the a an and or of by in to for from with at on that when as if but".split()
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A term, and where it stands in the bracket that defines it."""

    term: str
    span: Span


def definitions_in(text: str) -> list[Definition]:
    """Return what a text defines, in order."""
    found: list[Definition] = []
    for match in _DEFINITION.finditer(text):
        if len(found) == _MOST:
            break
        term = match["term"].rstrip(".,") if not _is_abbreviated(match["term"]) else match["term"]
        if term.casefold() not in _PARTIES and _is_told_by(
            term, match["lead"], text[max(0, match.start() - _REACH) : match.start() + 1]
        ):
            found.append(Definition(term, Span(match.start("term"), match.start("term") + len(term))))
    return found


def uses_of(definitions: list[Definition], text: str) -> Iterator[tuple[Span, Definition]]:
    """Yield the places where a term is used behind its definition, each with the last definition before it."""
    by_term: dict[str, list[Definition]] = {}
    for each in definitions:
        by_term.setdefault(each.term, []).append(each)
    for term, defined in by_term.items():
        first = defined[0].span.end
        for match in re.finditer(rf"(?<![\w“\"‘.-]){re.escape(term)}(?![\w-])", text[first:]):
            span = Span(first + match.start(), first + match.end())
            if _is_use(text, span) and not span.overlaps_any(each.span for each in defined):
                yield span, [each for each in defined if each.span.end <= span.start][-1]


def _is_abbreviated(term: str) -> bool:
    return term.count(".") > 1


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
    last = _LAST_WORD.search(before)
    if last is None or not last[1][0].isupper():
        return True
    return bool(last[2]) or last[1].casefold() in _TITLES
