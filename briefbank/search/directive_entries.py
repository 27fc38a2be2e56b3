"""What an entry of a directive says against the authorities that it is about, word by word.

An entry begins with an authority, or several joined to one another, and says what became of it: `State v. Example, 123
N.J. 456 (1990). OVERRULED by …`. What it names behind that are successors. Pure functions over text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from briefbank.ingest.sentences import sentence_spans
from briefbank.law.behind_citation import sayings
from briefbank.law.citations import Citation, CitationKind, PassageText, PatternSet, cite_document
from briefbank.law.treatment import Severity
from briefbank.law.treatment_verbs import OF_HOLDINGS, VERBS, any_form_of, any_of
from briefbank.platform.regex import bounded
from briefbank.search.directive_units import Unit

# Only lists of cases say these of a decision; beside a citation in a brief they mostly tell of something else.
_LISTED = ("replaced", "displaced", "supplemented", "rejected")
_RARER = (
    *("depublished", "invalidated", "undermined", "eroded", "called into question", "called into doubt", "struck down"),
    *(
        "rescinded",
        "revoked",
        "expired",
        "discredited",
        "confined",
        "recalled",
        "recodified",
        "renumbered",
        "rewritten",
    ),
    *("nullified", "undercut", "changed", "revised", "abolished", "supplanted", "curtailed", "weakened", "gutted"),
    *("disagreed with", "not followed"),
)
_CAPITALS = (*(verb for verb, much in VERBS.items() if much is not Severity.NEUTRAL), *_LISTED)
_DONE = (*_CAPITALS, *_RARER)
_NEUTRAL = [verb for verb, much in VERBS.items() if much is Severity.NEUTRAL]
_HOLDINGS = [verb for verb, much in OF_HOLDINGS.items() if much is not Severity.NEUTRAL]
_HOW = (
    r"(?:(?:\w+ly|since|now|later|then|also|in\s+part|in\s+effect|long\s+since|once|ordered|held|declared|deemed|found)"
    r"\s+){0,2}"
)
_CITE = (
    r"(?:cit(?:e|ed|ing)|re(?:ly|lied|lying)(?:\s+(?:up)?on)?|us(?:e|ed)|quot(?:e|ed|ing)|invok(?:e|ed|ing)|followed)"
)
_OF_IT = (
    r"(?=\s*(?:[.;,|:)”\"]|\Z)|\s+(?:it|them|this|these|those|that|either|both|any\s+(?:of|longer|more)|for|as|without|in|unless|until|alone|"
    r"again|at\s+all|when|where|after|before|the\s+(?:case|decision|opinion|rule\s+of))\b)"
)
"""Behind a verb of citing: that it is the authority itself which is not to be cited."""
_THING = r"(?i:opinion|decision|holding|rule|case|test|statute|section|paragraph|provision|text|standard)"
_STATE = (
    r"(?:dead(?:\s+letter)?|obsolete|bad\s+law|void|invalid|unconstitutional|suspect|doubtful|in\s+doubt|questionable|unreliable|"
    r"in\s+(?:conflict|tension)|at\s+odds|inconsistent\s+with|irreconcilable|gone|unsafe|shaky|no\s+authority|not\s+(?:good\s+law|precedent(?:ial)?|citable)|uncitable|noncitable)"
)
_SAID = bounded(
    rf"(?P<not>(?:\b(?:not|never|nor|neither)\s+(?:yet\s+|been\s+|be\s+)?{_HOW}|n['’]t\s+(?:yet\s+|been\s+)?))?(?:"
    rf"\b(?:{any_of(each.upper() for each in _CAPITALS)})\b"
    rf"|\b(?:(?:has|have|had)\s+)?(?:is|was|are|were|been|being|stands?)\s+{_HOW}(?P<passive>{any_of(_DONE)})\b"
    rf"|(?:(?<=[,;)”\"-]\s)|(?<=[(\[])){_HOW}(?i:{any_of(_DONE)})\b"
    r"(?=\s+(?:by|in|as|for|on|to|sub|effective|at|after)\b|[])},.;:|]|\s*\Z)"
    rf"|(?:(?<=[.:–—|]\s)|(?<=[;-]\s)(?={_THING})|\A)(?:status:\s*|(?:the\s+)?{_THING}\s+)?{_HOW}(?i:{any_of(_DONE)})\b"
    r"(?!\s+(?:our|its|his|her|their|the|a|an|this|that|these|those|convictions?|[A-Z][\w’'-]+\s+v\.)\b)"
    rf"|\b(?:is|are|was|were|as|now)\s+{_HOW}(?P<state>{_STATE})\b|(?<=[|:]\s)(?i:{_STATE})\b"
    r"|\b(?i:no\s+longer)\s+(?:good\s+law|to\s+be\s+(?:cited|used|followed)|controls?|controlling|valid|binding|citable|viable|applies|"
    r"authority|the\s+(?:law|test|rule|standard))"
    rf"|\b(?i:(?:do|does|should|must|may|can|need)\s*not|don['’]t|never|cannot|no\s+longer)\s+"
    rf"(?:any\s+longer\s+|ever\s+)?(?P<be>be\s+)?"
    rf"(?i:{_CITE})\b{_OF_IT}"
    rf"|\b(?i:(?P<to_be>(?:not|no\s+longer)\s+(?:to\s+)?be))\s+(?i:{_CITE})\b{_OF_IT}"
    rf"|\b(?i:(?:{_CITE}|handle)(?:\s+(?:it|them|this|these|either|both))?\s+(?:only\b|with\s+(?:caution|care)|sparingly|for\s+nothing))"
    r"|\b(?i:(?:cite|use|approach|treat|proceed|handle|rely)\w*(?:\s+\w+){0,3}\s+with\s+(?:\w+\s+)?(?:caution|care)\b)"
    r"|\b(?i:(?:persuasive|historical|background)\s+(?:\w+\s+)?only\b|(?:red|yellow)[\s-]+flag)"
    r"|(?<=[|:–—-]\s)(?i:only\s+(?:for|as|with|in)\b)"
    r"|\b(?i:(?:review|rehearing|reargument|certiorari|certification|cert\.|certif\.)\s+(?:en\s+banc\s+)?(?:was\s+|has\s+been\s+)?"
    r"granted)\b"
    r"|\b(?i:(?:did|does|do|has|have|could|can)\s*not\s+(?:survived?|stand|be\s+(?:reconciled|squared)))\b"
    r"|\bno\s+(?:continuing|remaining|further)\s+(?:force|vitality|value|weight)\b"
    rf"|\b(?i:{any_form_of(_HOLDINGS)})\s+(?:it|them|both|that\s+(?:decision|case|rule|holding|section|statute))\b"
    r"|(?<=[|.:–—-]\s)(?i:with\s+caution|caution\b|ask\s+(?:first|before)|check\s+(?:first|before)|never[.,;])"
    r"|\b(?:casts?\s+(?:\w+\s+)?doubt|calls?\s+(?:\w+\s+)?into\s+(?:question|doubt)|conflicts?\s+with\b|disagree[sd]?\s+with\s+(?:it|this)\b"
    r"|(?:declined|refused)\s+to\s+follow\s+(?:it|this|them)\b)"
    r")"
)
_ANYTHING_ELSE_SAID = bounded(
    rf"\b(?:{any_of(_CAPITALS)}|(?:{any_of(_NEUTRAL)})\b(?=.{{0,200}}?\b(?:on\s+other|in\s+part|as\s+modified)\b)"
    rf"|(?:{any_form_of(VERBS)})\s+(?:in\s+part\s+)?(?:(?:its|our|the|earlier|prior|decision\s+in|holding\s+in)\s+){{0,3}}"
    r"(?=it\b|that\b|\W?(?-i:[A-Z\d]))"
    r"|(?:not|never|n['’]t|no\s+longer|stop|avoid|cease)\s+(?:to\s+)?(?:cit|rely|us|quot|invok|follow)(?:e|ing)?\b|not\s+(?-i:[A-Z])"
    r"|instead\s+of|in\s+place\s+of|retire|delete|remove|strike|(?:cite|use|quote)\s+.{0,160}?\b(?:only|sparingly|with)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""What stands wherever anything is said against an authority that `_SAID` does not find. Both are looked for first:
reading the citations of a paragraph takes 5 ms, and a directive is mostly about something else."""
_TOLD_BEFORE = bounded(
    r"(?:\b(?:not|never|n['’]t|no\s+longer|stop|avoid|instead\s+of|in\s+place\s+of|cease)\s+(?:to\s+)?(?:cit(?:e|ing)|rely(?:ing)?\s+(?:up)?on|"
    r"us(?:e|ing)|quot(?:e|ing)|follow(?:ing)?)?|\b(?:retire|delete|remove|strike))\s*(?:to\s+|the\s+(?:rule|case|decision)\s+(?:of|in)\s+)?\Z",
    re.IGNORECASE,
)
"""In front of an authority that is told not to be cited: "Do not cite ", "instead of "."""
_CITE_IT = bounded(r"\b(?:cite|use|quote|follow|rely\s+on|invoke)\s+\Z", re.IGNORECASE)
_ONLY_SO = bounded(
    r"[\s,]*(?:\([^()]{0,60}\)[\s,]*)?(?:only\b|sparingly\b|with\s+(?:\w+\s+)?(?:caution|care)\b)", re.IGNORECASE
)
"""Around an authority that may be cited, but not freely: "Use State v. Example with care"."""
_RECOMMENDED = bounded(
    r"\b(?:cite|use|see|quote|follow|prefer|substitute|rely\s+on|instead|now|with|by|under|in|of|from|to|and|than|as)\b[\s,:(“\"]*\Z",
    re.IGNORECASE,
)
"""In front of an authority in the middle of a sentence, or of one that is to be cited in the place of another."""
_HEARSAY = bounded(
    r"\b(?:Attorney\s+General|prosecut\w+|State|government|People|Commonwealth|opponents?|adversar\w+|other\s+side|listserv|rumou?rs?|"
    r"headnotes?|some|it\s+(?:has\s+been|is|was|is\s+often)|you\s+(?:may|will))\b[^.;|]{0,60}\b"
    r"(?:says?|said|tells?|told|claim\w*|argu\w+|contend\w*|assert\w*|suggest\w*|think|thought|believe\w*|hear\w*|read)\b[^.;|]{0,80}\Z",
    re.IGNORECASE,
)
"""What another says of it, in front of the words: "the prosecutor says it is dead"."""
_DENIED = bounded(
    r"[^.;|]{0,80}[.;|]\s*(?:It|That|This|They|Neither)\s+(?:is|was|has|have|were|are|did)(?:\s+not|n['’]t)\b\s*[.,;:]"
)
_OTHER_SUBJECT = bounded(
    r"\b(?:convictions?|sentences?|verdicts?|pleas?|motions?|appeals?|defendants?|indictments?|denials?|petitions?)(?:\s+(?:below|there))?\s+"
    r"(?:(?:has|have|had)\s+)?\Z",
    re.IGNORECASE,
)
_OF_THE_CASE = bounded(
    r"\b(?:convictions?|sentences?|verdicts?|pleas?|indictments?|denials?)\b[^.;]{0,20}\Z", re.IGNORECASE
)
"""In front of a case: what befell the conviction in it."""
_SUBJECT = bounded(
    r"(?:\A|[,)\]”\"—–-]|\d[\w().:-]*|\b(?:it|this|that|they|both|these|those|all|each|which|neither|either|one|ones|first|second|others?|"
    r"and|but|now)|\b(?:the|this|that|its|their|such|either|both|each|all)\s+(?:(?!that\b|which\b)[\w’'-]+\s+){0,3}?"
    r"(?:opinion|decision|holding|rule|ruling|case|test|statute|section|paragraph|provision|text|standard|line|act|order|reasoning|"
    r"presumption|directive|subsection|language|dict(?:um|a)|version)s?\b(?:\s+(?!that\b|which\b)[\w’'-]+){0,7})"
    r"\s*(?:(?:itself|also|since|\w+ly)\s+)?\Z",
    re.IGNORECASE,
)
"""Its authority as the subject of a sentence: the citation itself, a pronoun, "the decision", "its holding"."""
_LAST_WORD = bounded(r"(?P<name>[A-Z][\w’'-]+)\s*\Z")
_CLAUSE = bounded(r".*[.;|:]\s", re.DOTALL)
_LABELLED = bounded(
    rf"\W*{_HOW}(?i:{any_of(_DONE)}|{_STATE}|(?:do\s+not|never)\s+(?:cite|use|rely\s+on)|no-?cite|no\s+longer\s+(?:\w+\s+)?\w+)\b"
    r"[^.|:–—]{0,40}(?:\s[-–—]|[:|–—])\s*"
)
"""What stands in front of the authorities that it is said of: "Overruled: State v. Example, …"."""
_CLEARED = bounded(
    r"\b(?:(?<!longer\s)(?<!not\s)good\s+law|may\s+(?:still\s+)?be\s+(?:cited|used|relied)|still\s+(?:good|valid|binding|controls?|"
    r"controlling|citable|usable|the\s+law)|remains?\s+(?:good|valid|binding|controlling|citable|the\s+law|in\s+force)|safe|unaffected|"
    r"not\s+(?:overruled|affected|limited)|keep|fine\s+to|cleared?|reinstated)\b",
    re.IGNORECASE,
)
"""Words that keep an entry from what the heading above it says."""
_NUMBERED = bounded(r"\A\s*(?:(?:\(?(?:\d{1,3}|[ivx]{1,5})[.)]|\([A-Za-z]\)|[A-QS-Za-z][.)]|[-–—•*·])\s+)?")
_JOINED = bounded(
    r"[\s,;]*(?:\([^()]{0,60}\)[\s,;]*)?(?:(?:and|or|&|as\s+well\s+as|together\s+with|along\s+with)\s+)?(?:its\s+companion(?:\s+case)?,?\s+)?"
    r"(?:(?:all|the|any)\s+cases\s+(?:that\s+)?(?:rest(?:ing)?|rely(?:ing)?|following|applying|depend(?:ing)?)(?:\s+(?:up)?on)?\s*(?:it|them)?"
    r"(?:,\s*(?:among\s+them|including|such\s+as|e\.g\.,?))?\s+)?"
)
_NAME_BEFORE = bounded(
    r"(?:\b[A-Z][\w.’'&-]*\s+(?:ex\s+rel\.\s+)?){1,4}v\.\s+[A-Z][\w.’'&-]*(?:\s+[A-Z][\w.’'&-]*){0,3},\s*\Z"
)
_NAME_CHARS = 80
_BEFORE_FIRST = 40
"""Characters before the first authority of an entry, behind its number: "The rule of ", "As to venue, "."""
_JOINED_CHARS = 2
"""Characters that may stand between what joins two authorities and the second one."""
_MOST_SAID = 400
_LOOK_BACK = 160


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said against an authority: how it is cited, the keys that identify it, the words."""

    authority: str
    keys: tuple[str, ...]
    says: str


def entries(unit: Unit, patterns: PatternSet) -> Iterator[Entry]:
    """Yield what an entry of a directive says against its authorities, in their order."""
    if not (unit.heading or _SAID.search(unit.text) or _ANYTHING_ELSE_SAID.search(unit.text)):
        return
    reading = _Reading(_NUMBERED.sub("", unit.text, count=1), patterns)
    told = reading.told()
    if unit.heading and not told and not _CLEARED.search(reading.text):
        told = dict.fromkeys(reading.heads(0, len(reading.text)), " ".join(unit.heading.split()).rstrip(":"))
    yield from reading.named(told)


class _Reading:
    """One entry with its citations."""

    def __init__(self, text: str, patterns: PatternSet) -> None:
        self.text = text
        self._sentences = [span.start for span in sentence_spans(text)] or [0]
        self._cited = cite_document([PassageText(text, self._sentences)], patterns)
        self._full = [each for each in self._cited.passages[0] if each.kind is CitationKind.FULL]

    def told(self) -> dict[Citation, str]:
        """What is said against which of the authorities."""
        told: dict[Citation, str] = {}
        if label := _LABELLED.match(self.text):
            told |= dict.fromkeys(self.heads(label.end(), len(self.text)), label[0].strip(" :|–—-"))
        for start, end in self._stretches():
            if said := self._said(start, end):
                told |= dict.fromkeys(self.heads(start, said.start()), self._sentence(said.start()))
        for each in self._full:
            if each not in told and (words := self._told_before(each)):
                told |= dict.fromkeys(self.heads(self._name_start(each), len(self.text)), words)
            if each not in told and (words := self._said_beside(each)):
                told[each] = words
        return told

    def heads(self, start: int, end: int) -> Iterator[Citation]:
        """The authorities at the head of a stretch of text, joined to one another."""
        reach = _BEFORE_FIRST
        for each in self._full:
            begins = self._name_start(each)
            if begins < start:
                continue
            if each.span.end > end or begins - start > reach:
                return
            yield each
            joined = _JOINED.match(self.text, each.span.end)
            start, reach = joined.end() if joined else each.span.end, _JOINED_CHARS

    def named(self, told: dict[Citation, str]) -> Iterator[Entry]:
        """The entries, each authority once: parallel citations are one."""
        seen: set[int] = set()
        for each, says in sorted(told.items(), key=lambda item: item[0].span):
            if each.authority not in seen:
                seen.add(each.authority)
                label = " ".join(self.text[self._name_start(each) : each.span.end].split())
                yield Entry(label, self._cited.authorities[each.authority].keys, says)

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """From each sentence that begins with an authority, which is not one to cite instead, to the next."""
        starts = [0]
        for each in self._full:
            begins = self._name_start(each)
            sentence = max(start for start in (0, *self._sentences) if start <= begins)
            is_head = 0 < begins - sentence <= _BEFORE_FIRST or begins == sentence
            is_successor = _RECOMMENDED.search(self.text, sentence, begins) or _SAID.search(self.text, sentence, begins)
            if sentence > starts[-1] and is_head and not is_successor:
                starts.append(sentence)
        yield from zip(starts, [*starts[1:], len(self.text)], strict=True)

    def _said(self, start: int, end: int) -> re.Match[str] | None:
        """The first words of a stretch that speak against its authorities; none where they are denied at once."""
        for said in _SAID.finditer(self.text, start, end):
            if _DENIED.match(self.text, said.end()):
                return None
            if self._is_meant(said, start):
                return said
        return None

    def _is_meant(self, said: re.Match[str], start: int) -> bool:
        """Whether words are said of the entry's authority, and not told of another or by another."""
        at = said.start()
        before = max(start, at - _LOOK_BACK)
        if said["not"] or _HEARSAY.search(self.text, before, at) or _OTHER_SUBJECT.search(self.text, before, at):
            return False
        head = next(self.heads(start, at), None)
        if said["passive"] and head and _OF_THE_CASE.search(self.text, start, self._name_start(head)):
            return False
        is_clause = any(said[each] for each in ("passive", "state", "be", "to_be"))
        return not is_clause or self._is_subject(start, at)

    def _is_subject(self, start: int, at: int) -> bool:
        """Whether the words in front of a verb speak of the authorities at the head of a stretch."""
        clause = max([start, *(each.span.end for each in self._full if each.span.end <= at)])
        before = self.text[clause:at]
        before = before[stop.end() :] if (stop := _CLAUSE.match(before)) else before
        last = _LAST_WORD.search(before)
        heads = " ".join(self.text[self._name_start(each) : each.span.end] for each in self.heads(start, at))
        return last["name"] in heads if last and last["name"] in heads else _SUBJECT.search(before) is not None

    def _said_beside(self, citation: Citation) -> str:
        """What the words around a citation say against it, as in briefs; empty where they say nothing."""
        against = (Severity.STOP, Severity.WARNING, Severity.CAUTION)
        said = [each for each in sayings(self.text, citation.span) if each.severity in against]
        return self._sentence(min(each.span.start for each in said)) if said else ""

    def _told_before(self, citation: Citation) -> str:
        """The sentence that tells in front of it not to cite it, or not freely; empty where there is none."""
        begins = self._name_start(citation)
        told = _TOLD_BEFORE.search(self.text, max(begins - _NAME_CHARS, 0), begins)
        if not told and _ONLY_SO.match(self.text, citation.span.end):
            told = _CITE_IT.search(self.text, max(begins - _NAME_CHARS, 0), begins)
        return self._sentence(max(start for start in (0, *self._sentences) if start <= told.start())) if told else ""

    def _name_start(self, citation: Citation) -> int:
        """Where its name begins, also one that the citation was found without, of initials ("State v. J.Q., ")."""
        start = citation.span.start
        name = _NAME_BEFORE.search(self.text, max(start - _NAME_CHARS, 0), start)
        return name.start() if name else start

    def _sentence(self, begins: int) -> str:
        """The sentence that begins or goes on there, cut between words where it is very long."""
        ends: Sequence[int] = [start for start in self._sentences if start > begins]
        said = " ".join(self.text[begins : ends[0] if ends else len(self.text)].split())
        said = said if "(" in said or "[" in said else said.rstrip(")]")
        return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID].rsplit(' ', 1)[0]} …"
