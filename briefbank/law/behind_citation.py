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
_DONE = (
    r"(?:overruled|overturned|abrogated|superseded|disapproved|disavowed|repudiated|quashed|receded\s+from|withdrawn|rev['’]d|"
    r"reversed|vacated|modified|limited|narrowed|questioned|criticized|amended|repealed|distinguished|followed|aff['’]d|"
    r"affirmed|no\s+longer\s+good\s+law|not\s+good\s+law|drawn\s+criticism)"
)
_DENIED = (
    r"(?:,\s*(?:(?:cert(?:if)?\.?|certification|review|appeal|leave|pet\.?|writ|reh['’]?g|rehearing)\s+(?:en\s+banc\s+)?"
    r"(?:was\s+)?(?:denied|granted|ref['’]d|dismissed)(?:,\s*\d+\s+[A-Z][\w.’' ]{1,20}?\d+)?\s*(?:\([^()]{0,40}\))?))"
)
"""Steps of procedure on the way to what became of it: ", certif. denied, 361 U.S. 907 (1959)"."""
_BETWEEN = (
    r"(?:[,;\s]++|\([^()]{0,60}\)|which|that|a\s+decision|the\s+decision|(?:and|but)\b|once|as\b|it\b|its\s+\w+|order|opinion|judgment|"
    r"has|have|had|been|was|were|is|are|being|now|since|later|subsequently|expressly|effectively|implicitly|partially|"
    r"sharply|together|itself|in\s+(?:part|full|terms)|en\s+banc|the|of\b|by\s+name|on\s+\w+\s+grounds|"
    r"[A-Z][\w.’'-]*+)"
)
"""What may stand between a citation and the words on its fate; anything else begins to speak of something else."""
_HISTORY = bounded(
    rf"{_DENIED}*{_BETWEEN}{{0,14}}?\b(?P<said>{_DONE}\b(?:[^;()]{{0,120}}?\([^()]{{0,40}}\d{{4}}\)|[^.;()]{{0,160}}))"
)
_ACTIVE = bounded(
    rf"\A{_DONE}\s+(?:in\s+part\s+)?(?:our|its|his|her|their|the|a|an|this|that|these|those|whether|counsel|"
    r"convictions?|sentences?|orders?|judgments?|defendants?|[A-Z][\w.’'-]*)\b"
    r"|\A(?:reversed|vacated|affirmed|modified)(?:\s+and\s+remanded)?+(?:\s*(?:[.;]|\Z)|,?\s+(?:and|holding|finding|because|for)\b)"
)
"""The decision, or a court that cites it, does it to something else: "overruled State v. Brandt", "reversed"."""
_PASSIVE = bounded(r"\b(?:been|was|were|is|are|being)\b[^.]*\Z", re.IGNORECASE)
_SUBJECT = bounded(
    r"\b(?:the\s+(?:order|judgment)|(?P<name>(?!It\b|That\b|This\b|Which\b)[A-Z][\w’'-]+))\s+"
    r"(?:(?:has|have|had)\s+(?:\w+\s+){0,2}been|was|were|is|are)\b"
)
"""What is said to have fallen where it is no pronoun: "but Osei was overruled"."""
_LATER = bounded(
    r"(?P<said>(?:overrul|abrogat|disapprov|disavow|repudiat|overturn|supersed)\w+\s+(?:it|that\s+(?:decision|case|opinion|holding|rule)|(?P<name>(?!State\b|People\b|Commonwealth\b|United\b)[A-Z][\w’'-]+)(?!\s+v\.))\b)"
)
"""Said of it a little further on, by a pronoun or its short name: "has now overruled it in terms". Not that it was
reversed or vacated: what "the panel reversed" there is mostly the order of a trial court."""
_LATER_REACH = 160
_BEFORE = bounded(
    r"\b(?:overrul|abrogat|supersed|disapprov|distinguish|limit|question|criticiz|follow|vacat|quash|disavow|recede\w*\s+from|reced|narrow)(?:ing|ed|es)?\s+(?:from\s+)?"
    r"(?:in\s+part\s+)?(?:(?:its|our|the)\s+)?(?:(?:earlier|prior)\s+)?(?:decision\s+in\s+|holding\s+in\s+|in\s+part\s+)?\Z",
    re.IGNORECASE,
)
_NOT = bounded(
    r"\b(?:not|never|neither|nor|cannot|without|whether|if|would|could|should|may|might|rather\s+than|instead\s+of|short\s+of|"
    r"(?:avoid|declin|refus|consider|urg|ask|argu|request|propos|invit|seek)\w*|sought)\b[^,;.()]{0,60}\Z"
    r"|n['’]t\s[^,;.()]{0,60}\Z",
    re.IGNORECASE,
)
"""Words before a verb that say that it did not happen, or not yet: "has never overruled", "without overruling"."""
_REPORTED = bounded(r"\d\s+[A-Z][\w.’' ]{0,20}?\s?\d+\s*[,(]")
_OTHER_GROUNDS = re.compile(r"\bon\s+other\s+(?:grounds|points)|\bin\s+part\b|\bas\s+modified\b", re.IGNORECASE)
_SEVERITIES = {
    "limited": Severity.CAUTION,
    "limiting": Severity.CAUTION,
    "limits": Severity.CAUTION,
    "modified": Severity.CAUTION,
    "questioned": Severity.CAUTION,
    "questioning": Severity.CAUTION,
    "criticized": Severity.CAUTION,
    "criticizing": Severity.CAUTION,
    "narrowed": Severity.CAUTION,
    "narrowing": Severity.CAUTION,
    "amended": Severity.CAUTION,
    "drawn": Severity.CAUTION,
    "vacated": Severity.STOP,
    "vacating": Severity.STOP,
    "reversed": Severity.STOP,
    "rev'd": Severity.STOP,
    "quashed": Severity.STOP,
    "withdrawn": Severity.STOP,
    "repealed": Severity.STOP,
    "superseded": Severity.STOP,
    "receded": Severity.STOP,
    "overturned": Severity.STOP,
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
    return (*before, *_behind(text, citation))


def _before(text: str, citation: Span) -> Sequence[Saying]:
    found = _BEFORE.search(text, max(citation.start - _REACH_BEFORE, 0), citation.start)
    if not found or _is_not_done(text, found.start()):
        return ()
    verb = found[0].split()[0].lower()
    return (_history(Span(found.start(), citation.end), verb, f"{found[0]} it"),)


def _is_not_done(text: str, at: int) -> bool:
    """Whether the words before a verb at `at` say that what it tells did not happen."""
    return _NOT.search(text, max(at - _REACH_BEFORE, 0), at) is not None


def _behind(text: str, citation: Span) -> Sequence[Saying]:
    found: list[Saying] = []
    at, named = citation.end, text[slice(*citation)]
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
        words, between = history["said"], text[at : history.start("said")]
        subject = _SUBJECT.search(between)
        is_other = subject is not None and (subject["name"] is None or subject["name"] not in named)
        if not is_other and (_PASSIVE.search(between) or not _ACTIVE.match(words)):
            found.append(_history(Span(*history.span("said")), " ".join(words.split()[:2]).lower(), words))
            return found
    return [*found, *_later(text, at, named)]


def _later(text: str, at: int, named: str) -> Sequence[Saying]:
    """What is said of a case a little behind its citation, by a pronoun or by its short name."""
    later = _LATER.search(text, at, min(at + _LATER_REACH, len(text)))
    if not later or _is_not_done(text, later.start()):
        return ()
    if _REPORTED.search(text, at, later.start()) or (later["name"] and later["name"] not in named):
        return ()  # another case stands between, or is named
    return (_history(Span(*later.span("said")), later["said"].split()[0].lower(), later["said"]),)


def _history(span: Span, verb: str, words: str) -> Saying:
    said: tuple[Treatment, ...] = treatments(words)
    strict = min(said, key=lambda each: list(Severity).index(each.severity), default=None)
    verb = verb.split(maxsplit=1)[0].strip(",").replace("’", "'")
    kind, severity = (strict.kind, strict.severity) if strict else (verb, Severity.NEUTRAL)
    severity = _SEVERITIES.get(verb, severity)
    narrowed = _OTHER_GROUNDS.search(words)
    if narrowed and severity is not Severity.CAUTION:
        return Saying(span, f"{kind} {narrowed[0].lower()}", Severity.CAUTION)
    return Saying(span, kind, severity)
