"""What a brief says of an authority in the words around its citation: holdings in parentheses, subsequent history.

Reads what is joined to the citation itself and nothing further off, so that it is never said of another authority.
Pure functions over text; knows citations as spans alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from briefbank.law.treatment import OF_HOLDINGS, OF_JUDGMENTS, VERBS, Severity, any_form_of, any_of, treatments
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_REACH = 600
"""Characters behind a citation that are looked at: long parentheticals have 400."""
_REACH_BEFORE = 80
_PARALLEL = bounded(
    r"\s*(?:,?\s*(?:at\s+)?\*?\d+(?:\s?[-–,&]\s?\d+)*(?:\s?n+\.\s?\d+)?(?!\s[A-Z][\w.]*\s?\d))?"
    r"(?:,\s*\d+\s+[A-Z][\w.’' ]{1,30}?\d+(?:[-–]\d+)?)*"
)
"""Pages, and the same case in other reporters: ", 635-36, 790 A.2d 903, 908"."""
_INNER = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))"
_PARENTHETICAL = bounded(rf"\s*\((?P<said>{_INNER}{{3,400}})\)")
_SAYS = re.compile(
    r"(?:(?:expressly|specifically|also|again|further|generally|implicitly)\s+)?(?:hold|find|conclud|recogni[sz]|not|explain|stat|rul|reject|"
    r"affirm|revers|observ|determin|reason|uphold|suppress|vacat|declin|describ|discuss|emphasi[sz]|requir|remand|"
    r"invalidat|apply|adopt|clarif|reaffirm|instruct|grant|deny|dismiss|extend|permit|bar|prohibit|defin|establish|"
    r"articulat|caution|refus|strik|analy[sz]|address|distinguish|interpret|constru|acknowledg)\w*ing\b",
    re.IGNORECASE,
)
_DONE = rf"(?:{any_of(VERBS)})"
_FATE_WORDS = (
    rf"(?:{_DONE}\s+(?:in\s+part,?\s+)?(?:by|on\s+other\s+(?:grounds|points)|sub\s+nom\.|as\s+(?:stated\s+in|to)|and\s+remanded)(?=\s|[;,)]|\Z)"
    r"|(?:overruled|abrogated|superseded)(?:\s+in\s+part)?(?=\s*(?:\)|\Z)))"
)
_FATE = bounded(rf"(?:[^();]{{0,60}};\s*)?(?P<fate>{_FATE_WORDS})")
"""How a parenthesis begins that tells what became of a case: "(overruled by State v. Osei)", "(overruled on other
grounds)", "(not designated for publication; overruled as to venue)"."""
_COURT_AND_YEAR = bounded(
    r"\s*\((?:(?:[^()]{0,40}[\s.])?\d{4}|(?:App|Law|Ch)\.\s?Div\.|\d{1,2}(?:d|th|nd|rd|st)\s+Cir\.)"
    r"(?:,\s*(?:no\s+)?(?:pet|writ|cert|certif)\.?[^();]{0,40}?)?"
    rf"(?:\s*[;,]\s*(?P<fate>{_FATE_WORDS}[^()]{{0,200}}))?\)"
)
"""The court and the year in brackets; some write there what became of the case: "(App. Div. 2003; overruled on other
grounds)"."""
_ORDER = (
    r"(?:cert(?:if)?\.?|certification|review|appeal|leave|pet\.?|writ|reh['’]?g|rehearing)\s+(?:en\s+banc\s+)?"
    r"(?:was\s+)?(?:denied|granted|ref['’]d|dismissed)"
)
"""An order on whether a court will hear a case: "certif. denied"."""
_REPORT = r"\d+\s+[A-Z][\w.’' ]{1,20}?\d+"
_ORDERS = rf"(?:,\s*{_ORDER}(?:,\s*{_REPORT}){{0,3}}\s*(?:\([^()]{{0,40}}\))?)*"
"""Steps of procedure on the way to what became of it: ", certif. denied, 361 U.S. 907 (1959)"."""
_BETWEEN = (
    r"(?:[,;\s]++|\([^()]{0,60}\)|which|that|a\s+decision|the\s+decision|(?:and|but)\b|once|as\b|it\b|its\s+\w+|order|opinion|judgment|"
    r"has|have|had|been|was|were|is|are|being|now|since|later|subsequently|expressly|effectively|implicitly|partially|"
    r"sharply|together|itself|in\s+(?:part|full|terms)|en\s+banc|the|of\b|by\s+name|on\s+\w+\s+grounds|"
    r"[A-Z][\w.’'-]*+)"
)
"""What may stand between a citation and the words on its fate; anything else begins to speak of something else."""
_SENTENCE_END = (
    r"\.(?:(?<=[a-z]{4}\.)|(?<=\s[a-z]{2}\.)|(?<=\s[a-z]{3}\.)(?<!nom\.)(?<!rel\.)|(?<=\d{4}\.))(?=\s+[A-Z])"
)
_IN_SENTENCE = rf"(?:[^.;()]|(?!{_SENTENCE_END})\.)"
"""Up to the end of a sentence, which the full stops of abbreviations are not."""
_HISTORY = bounded(
    rf"{_ORDERS}{_BETWEEN}{{0,14}}?\b(?P<said>{_DONE}\b(?:{_IN_SENTENCE}{{0,120}}?\([^()]{{0,40}}\d{{4}}\)|[^.;()]{{0,160}}))"
)
_ACTIVE = bounded(
    rf"\A{_DONE}\s+(?:in\s+part\s+)?(?:our|its|his|her|their|the|a|an|this|that|these|those|whether|counsel|"
    r"convictions?|sentences?|orders?|judgments?|defendants?|[A-Z][\w.’'-]*)\b"
    r"|\A(?:reversed|vacated|affirmed|modified)(?:\s+and\s+remanded)?+"
    r"(?:\s*(?:[.;]|\Z)|,?\s+(?:and|holding|finding|because|for)\b)"
)
"""The decision, or a court that cites it, does it to something else: "overruled State v. Brandt", "reversed"."""
_ATTRIBUTE = bounded(
    rf"\A{_DONE}\s+(?!(?:by|in|on|upon|to|at|as|and|or|but|per|with|without|from|for|under|after|before|following|pending|"
    r"because|when|where|while|until|since|insofar|solely|\w+ly|en|sub|sua|again|there|elsewhere|therein|thereafter|hereafter|mem|other\s+grounds)\b)[a-z]"
)
"""A participle that goes with the noun behind it: "Under Osei, limited searches are lawful". Words of a decision's fate
go on with a preposition, an adverb or a conjunction, or end there."""
_OF_A_NOUN = bounded(r"\b(?:an?|the|this|that|such|any|no|its|more|most|less|very)\s+(?:\w+ly\s+)?\Z", re.IGNORECASE)
"""In front of one that goes with the name behind it: "a limited Osei hearing"."""
_NO_FATE = frozenset({"limited", "narrowed", "modified", "amended"})
"""Participles that name a kind of hearing or search; "the overruled Osei decision" tells of the decision."""
_PASSIVE = bounded(r"\b(?:been|was|were|is|are|being)\b[^.]*\Z", re.IGNORECASE)
_SUBJECT = bounded(
    r"\b(?:the\s+(?:order|judgment)|(?P<name>(?!It\b|That\b|This\b|Which\b)[A-Z][\w’'-]+))\s+"
    r"(?:(?:has|have|had)\s+(?:\w+\s+){0,2}been|was|were|is|are)\b"
)
"""What is said to have fallen where it is no pronoun: "but Osei was overruled"."""
_LATER = bounded(
    rf"(?P<said>(?:{any_form_of(each for each, much in OF_HOLDINGS.items() if much is Severity.STOP)})\s+(?:it|"
    r"that\s+(?:decision|case|opinion|holding|rule)|"
    r"(?P<name>(?!State\b|People\b|Commonwealth\b|United\b)[A-Z][\w’'-]+)(?!\s+v\.))\b)"
)
"""Said of it a little further on, by a pronoun or its short name: "has now overruled it in terms". Not that it was
reversed or vacated: what "the panel reversed" there is mostly the order of a trial court."""
_LATER_REACH = 160
_BEFORE = bounded(
    rf"\b(?:{any_form_of(VERBS)})\s+(?:in\s+part\s+)?(?:(?:its|our|the)\s+)?(?:(?:earlier|prior)\s+)?"
    r"(?:decision\s+in\s+|holding\s+in\s+|in\s+part\s+)?\Z",
    re.IGNORECASE,
)
"""Said in front of it: "overruling State v. Brandt", "limited in part our holding in Brandt"."""
_BEHIND_AN_ORDER = bounded(rf"\b(?i:{_ORDER}),\s+(?:(?:{_REPORT}|Nos?\.\s[\w-]{{4,20}}),\s+){{0,2}}\Z")
"""In front of the citation of an order, in up to three reporters; what follows is said of the case:
"certif. denied, 121 N.J. 1, overruled"."""
_IN_THE_CASE = bounded(
    r"\b(?:convictions?|sentences?|pleas?|verdicts?|indictments?|acquittals?|denials?)\b[^.;()]{0,40}?\s(?:in|of|from)\s+\Z",
    re.IGNORECASE,
)
"""In front of a case that reviewed it: "the conviction in State v. Brandt, 101 N.J. 5 (1986), was reversed because"."""
_BY_A_COURT = bounded(r"\sby\b|\d\s+[A-Z][\w.’' ]{0,20}?\s?\d+")
"""Who reversed it, or where that is reported: then it befell the case itself."""
_NOT = bounded(
    r"\b(?:not|never|neither|nor|cannot|without|whether|if|would|could|should|may|might|rather\s+than|instead\s+of|short\s+of|"
    r"(?:avoid|declin|refus|consider|urg|ask|argu|request|propos|invit|seek)\w*|sought)\b[^,;.()]{0,60}\Z"
    r"|n['’]t\s[^,;.()]{0,60}\Z"
    r"|\b(?:nothing|nobody|none|no\s+(?:later\s+|other\s+)?(?:one|court|case|decision|opinion|panel))"
    r"(?:\s+(?!and\b|but\b)\w+){0,4}\s+\Z",
    re.IGNORECASE,
)
"""Words before a verb that say that it did not happen, or not yet: "has never overruled", "without overruling",
"no court has overruled"."""
BAD = frozenset({Severity.STOP, Severity.WARNING})
"""What `sayings` finds has the severity of the verb that it begins with: one of these."""
_ON_OTHER_GROUNDS = bounded(r"\s*\(?on\s+other\s+(?:grounds|points)\)?")
"""Behind the words on its fate, in a bracket of its own: "rev'd, 670 S.W.3d 646 (2023) (on other grounds)"."""
_REPORTED = bounded(r"\d\s+[A-Z][\w.’' ]{0,20}?\s?\d+\s*[,(]")
_NARROWED = re.compile(r"\b(?:on\s+)?other\s+(?:grounds|points)|\bin\s+part\b|\bas\s+(?:modified|to)\b", re.IGNORECASE)


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
    if _in_front(_BEHIND_AN_ORDER, text, citation.start):
        return ()
    holdings, at = _holdings(text, citation.end)
    history = _next_history(text, citation, at) or _later_history(text, citation, at)
    return tuple(each for each in (_earlier_history(text, citation), *holdings, history) if each)


def _in_front(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    r"""The words right in front of a place, as a pattern that ends with `\Z` has them."""
    return pattern.search(text, max(at - _REACH_BEFORE, 0), at)


def _earlier_history(text: str, citation: Span) -> Saying | None:
    """What the words in front of a citation say of it."""
    found = _in_front(_BEFORE, text, citation.start)
    if not found or _in_front(_NOT, text, found.start()):
        return None
    if found[0].split()[0].casefold() in _NO_FATE and _in_front(_OF_A_NOUN, text, found.start()):
        return None
    return _history(Span(found.start(), citation.end), f"{found[0]} it")


def _holdings(text: str, at: int) -> tuple[list[Saying], int]:
    """The parentheses behind a citation that say what it holds or what became of it, and where they end."""
    end, found = min(at + _REACH, len(text)), []
    if pages := _PARALLEL.match(text, at, end):
        at = pages.end()
    if decided := _COURT_AND_YEAR.match(text, at, end):
        at = decided.end()
        if decided["fate"]:
            found.append(_history(Span(*decided.span("fate")), decided["fate"]))
    while said := _PARENTHETICAL.match(text, at, end):
        if _SAYS.match(said["said"]):
            found.append(Saying(Span(*said.span("said")), "holding"))
        elif fate := _FATE.match(said["said"]):
            words = Span(said.start("said") + fate.start("fate"), said.end("said"))
            found.append(_history(words, text[slice(*words)]))
        at = said.end()
    return found, at


def _next_history(text: str, citation: Span, at: int) -> Saying | None:
    """What the words from `at` on, which is behind a citation, say became of it."""
    history = _HISTORY.match(text, at, min(citation.end + _REACH, len(text)))
    if not history:
        return None
    words, between = history["said"], text[at : history.start("said")]
    subject = _SUBJECT.search(between)
    if subject and (subject["name"] is None or subject["name"] not in text[slice(*citation)]):
        return None
    is_passive = _PASSIVE.search(between) is not None
    if not is_passive and (_ACTIVE.match(words) or _ATTRIBUTE.match(words)):
        return None
    is_of_a_judgment = _verb(words)[0] in OF_JUDGMENTS and not _BY_A_COURT.search(words)
    if is_passive and is_of_a_judgment and _in_front(_IN_THE_CASE, text, citation.start):
        return None
    end = history.end("said")
    if narrowed := _ON_OTHER_GROUNDS.match(text, end):
        end = narrowed.end()
    return _history(Span(history.start("said"), end), text[history.start("said") : end])


def _later_history(text: str, citation: Span, at: int) -> Saying | None:
    """What is said of a case a little behind its citation, by a pronoun or by its short name."""
    later = _LATER.search(text, at, min(at + _LATER_REACH, len(text)))
    if not later or _in_front(_NOT, text, later.start()):
        return None
    if _REPORTED.search(text, at, later.start()) or (later["name"] and later["name"] not in text[slice(*citation)]):
        return None  # another case stands between, or is named
    return _history(Span(*later.span("said")), later["said"])


def _history(span: Span, words: str) -> Saying:
    """What words say that begin with a verb of history, of which the worst counts."""
    verb, severity = _verb(words)
    worst = min(treatments(words), key=lambda each: list(Severity).index(each.severity), default=None)
    kind = worst.kind if worst else verb
    narrowed = _NARROWED.search(words)
    if narrowed and severity is not Severity.CAUTION:
        how = next((told for told in ("other grounds", "other points") if narrowed[0].lower().endswith(told)), "")
        how = f"on {how}" if how else narrowed[0].lower().replace("as to", "in part")
        return Saying(span, f"{kind} {how}", Severity.CAUTION)
    return Saying(span, kind, severity)


def _verb(words: str) -> tuple[str, Severity]:
    """The verb that words begin with, in its own participle, and how much it takes."""
    return next((verb, severity) for verb, severity, form in _forms() if form.match(words))


@cache
def _forms() -> tuple[tuple[str, Severity, re.Pattern[str]], ...]:
    return tuple((each, VERBS[each], bounded(rf"(?:{any_form_of([each])})\b", re.IGNORECASE)) for each in VERBS)
