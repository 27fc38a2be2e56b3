"""What a brief says of an authority in the words around its citation: holdings in parentheses, subsequent history.

Reads what is joined to the citation itself and nothing further off, so that it is never said of another authority.
Pure functions over text; knows citations as spans alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from briefbank.law.treatment import Severity, Treatment, treatments
from briefbank.platform.regex import bounded
from briefbank.records import Span

_REACH = 600
"""Characters behind a citation that are looked at: long parentheticals have 400."""
_REACH_BEFORE = 80
_PARALLEL = bounded(
    r"\s*(?:,?\s*(?:at\s+)?\*?\d+(?:\s?[-–,&]\s?\d+)*(?:\s?n+\.\s?\d+)?(?!\s[A-Z][\w.]*\s?\d))?"
    r"(?:,\s*\d+\s+[A-Z][\w.’' ]{1,30}?\d+(?:[-–]\d+)?)*"
)
"""Pages, and the same case in other reporters: ", 635-36, 790 A.2d 903, 908"."""
_COURT_AND_YEAR = bounded(r"\s*\((?:[^()]{0,40}\s)?\d{4}\)")
_INNER = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))"
_PARENTHETICAL = bounded(rf"\s*\((?P<said>{_INNER}{{3,400}})\)")
_SAYS = re.compile(
    r"(?:(?:expressly|specifically|also|again|further|generally|implicitly)\s+)?(?:hold|find|conclud|recogni[sz]|not|explain|stat|rul|reject|"
    r"affirm|revers|observ|determin|reason|uphold|suppress|vacat|declin|describ|discuss|emphasi[sz]|requir|remand|"
    r"invalidat|apply|adopt|clarif|reaffirm|instruct|grant|deny|dismiss|extend|permit|bar|prohibit|defin|establish|"
    r"articulat|caution|refus|strik|analy[sz]|address|distinguish|interpret|constru|acknowledg)\w*ing\b",
    re.IGNORECASE,
)
_HISTORY = bounded(
    r"[,;]?\s*(?:(?:and|but|which)\s+)?(?:(?:has|have)\s+been\s+|was\s+|were\s+|is\s+)?(?:since\s+|later\s+|subsequently\s+|expressly\s+|"
    r"implicitly\s+|effectively\s+|partially\s+)?(?P<said>(?:overruled|abrogated|superseded|disapproved|rev['’]d|reversed|"
    r"vacated|modified|limited|questioned|criticized|distinguished|followed|aff['’]d|affirmed)\b(?:[^;()]{0,120}?\([^()]{0,40}\d{4}\)|[^.;()]{0,160}))",
)
_BEFORE = bounded(
    r"\b(?:overrul|abrogat|supersed|disapprov|distinguish|limit|question|criticiz|follow)(?:ing|ed|es)\s+"
    r"(?:in\s+part\s+)?(?:(?:its|our|the)\s+)?(?:(?:earlier|prior)\s+)?(?:decision\s+in\s+|holding\s+in\s+|in\s+part\s+)?\Z",
    re.IGNORECASE,
)
_OTHER_GROUNDS = re.compile(r"\bon\s+other\s+(?:grounds|points)|\bin\s+part\b", re.IGNORECASE)
_SEVERITIES = {
    "limited": Severity.CAUTION,
    "limiting": Severity.CAUTION,
    "limits": Severity.CAUTION,
    "modified": Severity.CAUTION,
    "questioned": Severity.CAUTION,
    "questioning": Severity.CAUTION,
    "criticized": Severity.CAUTION,
    "criticizing": Severity.CAUTION,
    "vacated": Severity.STOP,
    "reversed": Severity.STOP,
}


@dataclass(frozen=True, slots=True)
class Saying:
    """What is said of an authority beside one citation of it. `span` are the words, verbatim; without a severity they
    say what it holds.
    """

    span: Span
    kind: str
    severity: Severity | None = None


def sayings(text: str, citation: Span) -> tuple[Saying, ...]:
    """Return what a passage says of the authority that it cites at `citation`, in order."""
    before = _before(text, citation)
    return (*before, *_behind(text, citation.end))


def _before(text: str, citation: Span) -> Sequence[Saying]:
    found = _BEFORE.search(text, max(citation.start - _REACH_BEFORE, 0), citation.start)
    if not found:
        return ()
    verb = found[0].split()[0].lower()
    return (_history(Span(found.start(), citation.end), verb, f"{found[0]} it"),)


def _behind(text: str, at: int) -> Sequence[Saying]:
    found: list[Saying] = []
    end = min(at + _REACH, len(text))
    pages = _PARALLEL.match(text, at, end)
    at = pages.end() if pages else at
    court = _COURT_AND_YEAR.match(text, at, end)
    at = court.end() if court else at
    while said := _PARENTHETICAL.match(text, at, end):
        if _SAYS.match(said["said"]):
            found.append(Saying(Span(*said.span("said")), "holding"))
        at = said.end()
    if history := _HISTORY.match(text, at, end):
        words = history["said"]
        found.append(_history(Span(*history.span("said")), words.split()[0].lower(), words))
    return found


def _history(span: Span, verb: str, words: str) -> Saying:
    said: tuple[Treatment, ...] = treatments(words)
    strict = min(said, key=lambda each: list(Severity).index(each.severity), default=None)
    verb = verb.strip(",").replace("’", "'")
    kind, severity = (strict.kind, strict.severity) if strict else (verb, Severity.NEUTRAL)
    severity = _SEVERITIES.get(verb, severity)
    narrowed = _OTHER_GROUNDS.search(words)
    if narrowed and severity is Severity.STOP:
        return Saying(span, f"{kind} {narrowed[0].lower()}", Severity.CAUTION)
    return Saying(span, kind, severity)
