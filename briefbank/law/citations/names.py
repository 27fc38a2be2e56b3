"""Finds the names of cases (`State v. Carty`, `In re Winship`), and gives each one spelling, however a brief writes it.

Knows no reporters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from briefbank.law.citations.citation import Taken
from briefbank.law.legal_numbers import folded
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_PUNCTUATION = re.compile(r"[^\w\s]+")
_DOTTED = re.compile(r"(?<=\b\w)\.\s?(?=\w\b)")
_STATES = r"(?:new|north|south|west|rhode) \w+|\w+"
_PARTIES = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\b(?:et al|et ux|jr|sr|esq|inc|corp|co|llc|ltd)\b", ""),
        (r"\b(?:com|commw|cmwlth)\b(?= |\Z)", "commonwealth"),
        (r"\A(?:the )?(?:us|u s|usa|united states)(?: of america)?\Z", "united states"),
        (r"\A(?:the )?(?:st|state)(?: of (?:" + _STATES + r"))?\Z", "state"),
        (r"\A(?:the )?people(?: of .+)?\Z", "people"),
        (r"\A(?:the )?commonwealth(?: of .+)?\Z", "commonwealth"),
        (r"\bdept?t?\b", "department"),
    )
)  # fmt: skip
_GOVERNMENT_PARTIES = frozenset({"state", "people", "commonwealth", "united states"})
STATE_NAMES = frozenset(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois "
    "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri "
    "montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington "
    "wisconsin wyoming".split()
) | {
    "new hampshire",
    "new jersey",
    "new mexico",
    "new york",
    "north carolina",
    "north dakota",
    "rhode island",
    "south carolina",
    "south dakota",
    "west virginia",
}
"""Parties that are named for themselves far more often than for their case."""

_WORD = r"[A-Z0-9][\w'’&./-]*"
_JOINT = r"(?:(?:of|the|and|&|for|to|in|on|ex\s+rel\.|de|la|del|von|van|et\s+al\.)\s+)"
_AGAINST = r",?\s+(?:et\s+al\.,?\s+)?(?!V\s+\d)[vV][sS]?\.?\s+"  # "RR V 23" is a page of the fifth volume
_AGAINST_SOMEONE = re.compile(r"\s[vV][sS]?\.?\s")
"""What every match of `_VERSUS` holds; most passages have none, and looking for this takes a fraction of the time."""
_VERSUS = bounded(rf"(?P<first>{_WORD}(?:,?\s+{_JOINT}{{0,2}}{_WORD}){{0,6}}){_AGAINST}(?=[A-Z0-9])")
_NEXT = bounded(_AGAINST)
_AND = bounded(r",?\s+(?:and|&)\s")
_SECOND = bounded(rf"{_WORD}(?:\s+{_JOINT}{{0,2}}{_WORD}){{0,6}}(?:,?\s+et\s+al\.)?")
_SINGLE = bounded(
    r"(?<!\w)(?P<kind>(?:(?:The\s+)?(?:State|STATE|People|Commonwealth)(?:\s+of\s+[A-Z]\w+(?:\s[A-Z]\w+)?)?|United\s+States)"
    r",?\s+(?i:in\s+(?:the\s+)?int(?:\.|erest)\s+of|ex\s+rel\.)"
    r"|(?:[Ii]n|IN)\s+(?:re|RE|Re)(?:\s+the)?(?:\s+[Mm]atter\s+of(?:\s+the)?)?|[Ee]x\s+[Pp]arte|EX\s+PARTE"
    r"|(?:[Ii]n\s+the\s+)?(?:Matter|MATTER)\s+(?i:of)|(?:In\s+(?:the\s+)?)?(?:Interest|INTEREST|Int\.)\s+(?i:of))\s+"
    rf"(?P<who>{_WORD}(?:\s+{_JOINT}{{0,2}}{_WORD}){{0,4}})"
)
"""Cases with no `v.`: "In re Winship", "State in the Interest of A.B.", "Ex parte Moon", "Matter of Roe"."""
_ASKED_SIDE = (
    r"(?:(?:the\s)?(?:state|people|commonwealth)(?:\sof\s(?:(?:new|north|south|west|rhode)\s)?\w+)?"
    r"|united\sstates|u\.?\s?s\b\.?|(?:new|north|south|west|rhode)\s\w+|[\w.]*\w(?:['’-](?!s\b)\w+)*(?:(?<=\.\w)\.)?)"
)
_ASKED = bounded(
    rf"(?<![\w.'’-])(?:(?P<first>{_ASKED_SIDE})\s(?:v|vs)\b\.?\s(?P<second>{_ASKED_SIDE})"
    rf"|(?P<kind>in\sre|ex\sparte|matter\sof|(?:state\s)?in\s(?:the\s)?interest\sof)\s(?:the\s)?(?P<who>{_ASKED_SIDE}))",
    re.IGNORECASE,
)
_SIGNAL = re.compile(
    r"(?:(?:see|also|e\.g\.|in|under|cf\.?|but|accord|compare|contra|and|citing|quoting|with|as|both|the|when|where"
    r"|after|since|before|following|unlike|like|while|because|although|though|by|from|to|per|id\.|ibid\.|supra|moreover|similarly"
    r"|however|thus|for|instance|example|on|court|appellant|additionally|finally|first|second|third|applying|again"
    r"|specifically)[,:;]?\s+)+",
    re.IGNORECASE,
)
_HEADING = bounded(
    r"(?:\d{1,3},?\s+)*+"  # pages of the entry before, as a list has them
    r"(?:(?:(?:index|table|list)\s+of\s+)?(?:legal\s+)?(?:authorities|citations)(?:\s+continued)?\s+(?:pages?\s+)?"
    r"|(?:(?:index|table|list)\s+of\s+|(?:(?:united\s+states|u\.\s?s\.|texas|new\s+jersey|federal|state|other|supreme|courts?|of"
    r"|criminal|appeals?|appellate|division|circuit|published|unpublished)\s+){0,8})cases?(?:\s*law)?(?:\s+(?:cited|continued))?\s+(?:pages?\s+)?)+"
    r"(?=\S)",
    re.IGNORECASE,
)
"""Headings of a table of authorities, right in front of its first entry: "INDEX OF AUTHORITIES Cases Ohio v. Roe"."""
_COURT_IN = bounded(r"(?:[\w.’']+\s+){0,6}(?:Court|Appeals|Division|Circuit)\s+in\s+(?=[A-Z])")
"""Which court decided the case that is named: "The United States Supreme Court in Roe v. State"."""
_NUMBERS = bounded(r"(?:\d{1,3}(?:\s?[-–]\s?\d{1,3})?+\.?+(?:,\s*+|\s++)(?:(?:&|and)\s++)?+)*+")
"""A note's number, that of an entry in a list ("6. Roe v. State"), or the pages of the entry before in a table of
authorities: "66, 72 Roe v. State"."""
_ENTRY = re.compile(r"\n\s*(?=\d{1,3}\.\s)")
_LINE = re.compile(r"\n\s*(?=[A-Z])")
_LEADS = 3
"""Notes one after the other that may stand in front of a name: "159 Id. 160 Id. 161 Roe v. State"."""
_NOTE = re.compile(r"\d{1,3}\.?\s+")
_GOVERNMENT = bounded(
    r"(?:\A|.*\s)(?P<who>(?:(?:The\s+)?State(?:\s+of\s+.+)?|St\.|(?:The\s+)?People(?:\s+of\s+.+)?"
    r"|Commonwealth(?:\s+of\s+.+)?|United\s+States(?:\s+of\s+America)?|U\.\s?S\.))\Z",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE_END = re.compile(
    r"[.,”\"]\d{1,3}(?=\s)|(?<=[a-z]{4})[.?!]['\"”)]*(?=\s+[A-Z])|(?<=\b[A-Z]{4})[.?!]['\"”)]*(?=\s+[A-Z])"
    r"|(?<=\d)[.?!]['\"”)]*(?=\s+(?:\d{1,3}\s+)?[A-Z])|[;:()]"
)
_ABBREVIATED = re.compile(
    r"\b(?:assocs?|assn|auth|bros|bldgs?|cnty|comm|commw|cond|confed?|cong|consol|constr|contl|coop|corp|corrs?|dept|devs?|distr?|"
    r"distribs?|econ|educ|elecs?|engg|enters?|envtl|equip|exch|exec|fedn|found|govt|guar|hosps?|hous|indem|indep|indus|inst|"
    r"intell|invs?|labs?|liab|litig|mach|maint|mass|mech|metro|mgmt|minn|mortg|natl|okla|penn|petrol|pharm|prods?|"
    r"props?|prot|publg|refin|regl|rehab|resol|resp|sanit|schs?|secs?|servs?|subcomm|supt|super|sys|tchrs|techs?|telecomm|"
    r"temp|tenn|transp|univ|util|vill|wash)\.",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"(?<!\w)[A-Z]\.\s?[A-Z]\Z")
_POSSESSIVE = re.compile(r"'s?\Z")


def party_key(party: str) -> str:
    """One side of a case: lower case, no punctuation, governments by one name."""
    plain = _DOTTED.sub("", folded(party).lower().replace("'", ""))
    plain = " ".join(_PUNCTUATION.sub(" ", plain).split())
    for pattern, replacement in _PARTIES:
        plain = pattern.sub(replacement, plain)
    return " ".join(plain.split())


def name_key(first: str, second: str) -> str:
    """The name of a case: `State of New Jersey v. Carty` and `St. vs. CARTY` are both `state v carty`."""
    return f"{party_key(first)} v {party_key(second)}"


def short_names(name: str) -> tuple[str, ...]:
    """What a case may be called after its first citation: either party that is no government, `carty`."""
    parties = (re.sub(r"\A(?:in re|ex parte|matter of|in interest of) ", "", each) for each in name.split(" v "))
    return tuple(party for party in parties if party and party not in _GOVERNMENT_PARTIES)


def telling_party(name: str) -> str:
    """The party that tells a case from others: the shorter one that is neither a government nor a state, of equal ones
    the first; empty where both are.
    """
    parties = [each for each in short_names(name) if each not in STATE_NAMES]
    return min(parties, key=lambda each: len(each.split()), default="")


@dataclass(frozen=True, slots=True)
class CaseName:
    """A case's name where it stands: its normal spelling and the words of its sides as found."""

    span: Span
    key: str


def case_names(text: str) -> list[CaseName]:
    """The names in a text, in order. Where the second side ends is a guess unless a comma or bracket ends it."""
    text = folded(text)
    found = []
    for match in _VERSUS.finditer(text) if _AGAINST_SOMEONE.search(text) else ():
        first_start, first = _first_side(text, *match.span("first"))
        second = _SECOND.match(text, match.end())
        if not first or second is None:
            continue
        end = _second_end(text, second.start(), _before_next(text, second))
        key = name_key(first, text[match.end() : end])
        if not (key.startswith(" v ") or key.endswith(" v ")):
            found.append(CaseName(Span(first_start, end), key))
    taken = Taken(name.span for name in found)
    for match in _SINGLE.finditer(text):
        span = Span(match.start(), _second_end(text, *match.span("who")))
        kind = "ex parte" if match["kind"].lower().startswith("ex") else "in re"
        who = party_key(text[match.start("who") : span.end])
        if who and taken.is_free(span):
            found.append(CaseName(span, f"{kind} {who}"))
    return sorted(found, key=lambda name: name.span)


def case_names_asked(text: str) -> list[CaseName]:
    """The names in a question, in order, in any letters, each side at its shortest: "is state v. carty good law"."""
    found = []
    for match in _ASKED.finditer(folded(text)):
        kind = "ex parte" if (match["kind"] or "")[:2].lower() == "ex" else "in re"
        key = f"{kind} {party_key(match['who'])}" if match["kind"] else name_key(match["first"], match["second"])
        is_case = key.startswith("in re ") and (match["kind"] or "").lower() == "in re"
        is_case |= any(each in _GOVERNMENT_PARTIES | STATE_NAMES for each in key.split(" v "))
        sides = (match["first"] or match["kind"], match["second"] or match["who"])
        if telling_party(key) and (is_case or all(side[0].isupper() for side in sides)):
            found.append(CaseName(Span(*match.span()), key))
    return found


def without_signals(text: str) -> str:
    """A name without the words that only lead to it."""
    signal = _SIGNAL.match(text)
    return text[signal.end() :] if signal else text


def _first_side(text: str, start: int, end: int) -> tuple[int, str]:
    """Where the first side begins, without what only leads to it: `See also`, `Under`, a note's number before these."""
    for line in _LINE.finditer(text, start, end):  # a heading stands before it: "ARGUMENT\nUnder Osei v. State"
        start = line.end() if _SIGNAL.match(text, line.end(), end) else start
    for entry in _ENTRY.finditer(text, start, end):
        start = entry.end()
    for _ in range(_LEADS):
        if (mark := _NOTE.match(text, start, end)) and _SIGNAL.match(text, mark.end(), end):
            start = mark.end()
        if signal := _SIGNAL.match(text, start, end):
            start = signal.end()
    if heading := _HEADING.match(text, start, end):
        start = heading.end()
    if court := _COURT_IN.match(text, start, end):
        start = court.end()
    start = _NUMBERS.match(text, start, end).end()  # type: ignore[union-attr]
    if government := _GOVERNMENT.match(text[start:end]):
        start += government.start("who")
    start = max((stop.end() for stop in _sentence_ends(text, start, end)), default=start)
    start += len(text[start:end]) - len(text[start:end].lstrip(" ,\n"))
    start = _NUMBERS.match(text, start, end).end()  # type: ignore[union-attr]
    return start, text[start:end]


def _second_end(text: str, start: int, end: int) -> int:
    """The end of the second side: not beyond its sentence."""
    stops = (stop.start() for stop in _sentence_ends(text, start, min(len(text), end + 2)))
    end = min(end, next(stops, end))
    side = _POSSESSIVE.sub("", text[start:end].rstrip(" .,\n")).rstrip(" .,\n")
    end = start + len(side)
    return end + bool(_INITIALS.search(side) and text[end : end + 1] == ".")


def _before_next(text: str, second: re.Match[str]) -> int:
    """Where a second side ends at the latest: before the first one of the next name, "Roe and People" v. Poe."""
    joints = list(_AND.finditer(second[0])) if _NEXT.match(text, second.end()) else ()
    return second.start() + joints[-1].start() if joints else second.end()


def _sentence_ends(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    for stop in _SENTENCE_END.finditer(text, start, end):
        is_shortened = stop[0][0] == "." and _ABBREVIATED.search(text, max(start, stop.start() - 12), stop.start() + 1)
        if not (is_shortened and is_shortened.end() == stop.start() + 1):
            yield stop
