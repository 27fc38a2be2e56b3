"""What one sentence of a directive says against the authorities in it.

The sentence is put into a plain form first: each authority becomes one character, with its pages, court and year, and
words that stand for the authority before ("it", "that decision") become another. Rules over this form then need no
more than what stands right before or behind an authority. Pure functions over text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from briefbank.ingest.directives import words
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_FIRST = 0xE000
"""The character of the first authority; behind it those of the others, all for private use."""
_MOST = 0x1000
_LOOK_BACK = 160
"""How many characters of a sentence in front of an authority or of words are looked at. Chosen, not measured."""
_SPACE = re.compile(r"\s")
_QUOTES = frozenset('“”"[]')
_REST_OF_CITATION = bounded(
    r",?\s*(?:at\s+)?(?:¶+\s?|n\.\s?)?\d+(?:\s?[-–]\s?\d+)*"
    r"(?:,?\s?(?:and\s)?(?:nn?\.|¶+)\s?\d+)?(?![\w:-]|\.\w|\s?[A-Z])"
    r"|\s*[(\[](?P<inner>[^()\[\]]{0,120}(?:\([^()]{0,40}\)[^()\[\]]{0,40})?)[)\]]"
)
"""Pages, court and year behind a citation, and whatever else is said in brackets."""
_SUCCESSOR_BEFORE = bounded(
    r"\b(?:by|under|in|with|from|to|per|via|citing|quoting|following|applying|after|than|as|"
    r"(?<!will )(?<!may )(?<!can )(?<!we )(?<!you )(?<!they )(?<!briefs )(?:see|cite|use|follow)|"
    r"(?<!rely )(?<!relied )(?<!relies )(?<!relying )on|of|for|at|now|instead|cf\.|also|but)"
    rf"[\s,:(]{{1,3}}\Z|\bwhether (?:[A-Z]\w+, )?\Z|\b{words.DONE},? \Z",
    re.IGNORECASE,
)
"""In front of an authority that a sentence is not about."""
_TURNS_TO = bounded(
    r"(?:\A\W{0,3}|[.;:] )"
    r"(?:(?:a (?:word|note|reminder)|more|first|next|finally|now|also|and|last),? )?"
    r"(?:as (?:to|for)|regarding|concerning|re:?|about|on|turning to|with respect to) \Z"
    r"|\A\W{0,3}(?:the|that|its|this|our) (?:[\w’'-]+ ){1,4}?(?:of|in|from) \Z",
    re.IGNORECASE,
)
"""In front of one that it is about all the same: "As for State v. Roe", "The test of State v. Roe"."""
_BEGINS_WITH_PRONOUN = bounded(r"\W{0,3}(?:it|they|that|this|both|these|its)\b", re.IGNORECASE)
_AGENT_BEHIND = bounded(
    r"(?:,? ?[^,\ue000-\uefff]{0,120},|,)? ?"
    r"(?:(?:to|has|have|had|then|later|since|now|itself|also|expressly|\w+ly) ){0,3}",
    re.IGNORECASE,
)
"""Between an authority and what it did itself to another one: "State v. Poe, 1 N.J. 2, has since overruled it"."""
_AGENT_BEFORE = bounded(rf"\b{words.DONE}\b[^,;.|\ue000-\uefff]{{0,30}}? ?(?:by|in|per) \Z", re.IGNORECASE)
"""In front of an authority that did it to the one before: "State v. Roe, overruled by State v. Poe, is dead"."""
_OF_THE_CASE = bounded(
    r"\b(?:convictions?|sentences?|verdicts?|pleas?|indictments?|denials?|motions?|orders?|"
    r"(?:mis)?readings?|applications?|interpretations?|reliance|criticisms?|attacks?|challenges?|"
    r"failure|(?:statute|ordinance|regulation|law|provision|instruction) (?:at issue|in issue|"
    r"challenged|involved|in question))\b(?: [\w’'-]+){0,3} (?:in|of|from|on|to|against|cite) \Z"
    r"|\b(?:statute|ordinance|regulation|law|provision) in \Z|\b(?:bills?|proposals?|petitions?) to \w+ \Z",
    re.IGNORECASE,
)
"""In front of a case: what befell the conviction in it; in front of a statute: what is to become of it."""
_PAIR = bounded(r"(?:both|those two|the two|neither|either|these|those|they|them)\b", re.IGNORECASE)
_DENIED_BEFORE = bounded(
    r"\b(?:not|never|nor|neither|nothing|nobody|none|no (?:one|other|later|court|panel|case|decision|opinion|"
    r"majority)|without|whether|until|unless|would|could|might|may|should|(?:declin|refus|ask|urg|"
    r"invit|propos)\w* to|if)"
    r"(?:,? (?!but\b|and\b)[\w’'\ue000-\uefff-]+,?){0,4},? \Z|n[’']t (?:[\w’'-]+,? ){0,3}\Z|\bto (?:\w+ly )?\Z",
    re.IGNORECASE,
)
"""In front of words that then did not happen: "nothing in it casts doubt on", "would have overruled"."""
_HEARSAY = bounded(
    r"\b(?:not\s+true\b|untrue\b|a\s+myth\b|(?:Attorney\s+General|prosecut\w+|State|government|People|"
    r"Commonwealth|opponents?|colleagues?|somebody|adversar\w+|other\s+side|listserv|rumou?rs?|"
    r"headnotes?|callers?|readers?|some|it\s+(?:has\s+been|is|was|is\s+often)|you\s+(?:may|will))\b[^;|]{0,60}\b"
    r"(?:says?|said|tell|tells|told|claim\w*|argu\w+|contend\w*|assert\w*|suggest\w*|think|thought|"
    r"believe\w*|hear\w*|read)\b|reject\w*\s+(?:the|a)\s+(?:\w+\s+)?(?:claim|argument|challenge|contention|view)\b|"
    r"the\s+(?:statement|report|note|entry|claim)\s+that\b|"
    r"(?:brief|papers?)\s+as\b|we\s+wish\b|cannot\b[^;|]{0,30}\b(?:say|mean|hold)\b)[^;|]{0,120}\Z",
    re.IGNORECASE,
)
"""What another says of it, in front of the words: "the prosecutor says it is dead"."""
_IS_DONE = bounded(r"(?:\A\W{0,3}|\b(?:is|are|was|were) )\Z", re.IGNORECASE)
"""In front of what befell an authority that stands before, not behind."""
_OF_THE_JUDGMENT = bounded(
    r"(?:reversed|vacated|affirmed)(?: and remanded)? (?:for|because|where|since)\b(?! that reason)", re.IGNORECASE
)
"""What was decided in the case, and why: "Reversed for failure to charge self-defense"."""
_IN_A_DISSENT = bounded(
    r"[^.;|\ue000-\uefff]{0,40}?\b(?:in|by) (?:an? |one |the )?(?:(?:lone|separate) )?"
    r"(?:dissent|concurrence|(?:dissent|concurr)ing)",
    re.IGNORECASE,
)
"""Words against an authority that no court said: "Questioned in a dissent only"."""
_INSTANCE = bounded(
    r"\b(?:above\s+all|notably|such\s+as|including|among\s+them|namely|e\.g\.,?|for\s+(?:example|instance),?)\s+\Z",
    re.IGNORECASE,
)
"""In front of an authority that stands for those spoken of before: "any case that ... was superseded, notably "."""
_SETTING = bounded(
    r"\b(?:in (?:light|view|consequence) of|because of|after|since|under|given|following|per) \Z", re.IGNORECASE
)
"""In front of an authority that tells why or since when something is said of the next one."""
_LIKEWISE = bounded(r"(?:so|as|and|ditto|likewise|(?:the )?same)\b", re.IGNORECASE)
"""Words that say of an authority what was just said of another one: "so was State v. Roe", "the same is true of"."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words against authorities: their numbers among the mentions of a sentence, empty where those spoken of before are
    meant, and where in the text the words begin.
    """

    mentions: tuple[int, ...]
    start: int
    is_object: bool = False
    is_of_several: bool = False
    is_likewise: bool = False


class PlainSentence:
    """One sentence in its plain form."""

    def __init__(self, text: str, span: Span, mentions: Sequence[Span]) -> None:
        """`mentions` are the ranges of the authorities in the sentence, in order."""
        parts: list[str] = []
        self._offsets: list[int] = []
        at = span.start
        for number, each in enumerate(mentions[:_MOST]):
            self._copy(text, at, each.start, parts)
            parts.append(chr(_FIRST + number))
            self._offsets.append(each.start)
            at = _rest_of_citation(
                text, each.end, mentions[number + 1].start if number + 1 < len(mentions) else span.end
            )
        self._copy(text, at, span.end, parts)
        self._offsets.append(span.end)
        self.text = "".join(parts)

    def _copy(self, text: str, start: int, end: int, parts: list[str]) -> None:
        """Take over what stands between authorities, without marks of quotation and with single spaces."""
        for at in range(start, end):
            char = " " if _SPACE.match(text[at]) else text[at]
            if char in _QUOTES or (char == " " and parts and parts[-1] == " "):
                continue
            parts.append(char)
            self._offsets.append(at)

    def leaders(self) -> tuple[int, ...]:
        """The mentions that the sentence is about: the first ones that are no successors, joined to one another."""
        if _BEGINS_WITH_PRONOUN.match(self.text):
            return ()
        for match in words.GROUP.finditer(self.text):
            before = self._before(match.start())
            if not _SUCCESSOR_BEFORE.search(self.text, *before) or _TURNS_TO.search(self.text, *before):
                return _numbers(match[0])
        return ()

    def is_done_by(self, mention: int, at: int) -> bool:
        """Whether what begins at a place of the text is done by an authority of the sentence itself."""
        first, last = self.text.find(chr(_FIRST + mention)) + 1, bisect_left(self._offsets, at)
        return _AGENT_BEHIND.fullmatch(self.text, first, last) is not None

    def groups(self) -> list[tuple[int, ...]]:
        """All mentions, those joined to one another together."""
        return [_numbers(match[0]) for match in words.GROUP.finditer(self.text)]

    def said(self) -> Iterator[Said]:
        """Yield what is said against authorities, in no order."""
        matches = [
            each for pattern in words.AGAINST for each in pattern.finditer(self.text) if not self._is_of_another(each)
        ]
        asides = [Span(each.end("who"), each.start("said")) for each in matches if each.end("who") < each.start("said")]
        for match in matches:
            # "State v. Roe, which narrowed State v. Poe, has been vacated" says nothing against the latter.
            is_aside = match.start("said") < match.start("who") and Span(*match.span()).overlaps_any(asides)
            if not is_aside:
                yield self._found(match)
        generic = words.GENERIC.search(self.text)
        if generic or matches:
            yield from self._instances(generic.start() if generic else min(each.start("said") for each in matches))

    def _instances(self, at: int) -> Iterator[Said]:
        """The authorities that stand behind words for all that something is said of: "… was superseded, notably"."""
        for match in words.GROUP.finditer(self.text, at):
            if _INSTANCE.search(self.text, *self._before(match.start())):
                yield Said(_numbers(match[0]), self._offsets[at])

    def _found(self, match: re.Match[str]) -> Said:
        who, at = match["who"], match.start("said")
        numbers = _numbers(who)
        if "also" in match.re.groupindex and match["also"]:  # "cannot be squared with State v. Poe, and was overruled"
            numbers = ()
        if len(numbers) > 1 and self.text[match.start("who") + 1 : match.start("who") + 3] == ", ":
            # "In light of State v. Poe, State v. Roe is questionable": not a list.
            numbers = numbers[1:] if _SETTING.search(self.text, *self._before(match.start("who"))) else numbers
        if numbers and match.start("who") < at and _AGENT_BEFORE.search(self.text, *self._before(match.start("who"))):
            numbers = ()
        return Said(
            numbers,
            self._offsets[at],
            is_object=at < match.start("who"),
            is_of_several=_PAIR.match(who) is not None,
            is_likewise=_LIKEWISE.match(self.text, at) is not None,
        )

    def _is_of_another(self, match: re.Match[str]) -> bool:
        """Whether words are told by somebody else, denied, or said of what was decided in the case."""
        said, who = match.start("said"), match.start("who")
        return bool(
            _HEARSAY.search(self.text, *self._before(said))
            or _DENIED_BEFORE.search(self.text, *self._before(said))
            or _IN_A_DISSENT.match(self.text, said)
            or _OF_THE_JUDGMENT.match(self.text, said)
            or self._is_successor(match)
            or (who < said and _OF_THE_CASE.search(self.text, *self._before(who)))
        )

    def _is_successor(self, match: re.Match[str]) -> bool:
        """Whether it is named as what did it to another one: "Overruled, State v. Roe", "is gone, State v. Roe"."""
        if not self.text[match.end("said") : match.start("who")].startswith(","):
            return False
        return _IS_DONE.search(self.text, *self._before(match.start("said"))) is not None

    def _before(self, at: int) -> tuple[int, int]:
        return max(0, at - _LOOK_BACK), at


def _numbers(group: str) -> tuple[int, ...]:
    return tuple(ord(each) - _FIRST for each in group if _FIRST <= ord(each) < _FIRST + _MOST)


def _rest_of_citation(text: str, at: int, end: int) -> int:
    """Where pages, court and year behind a citation end; brackets that say something against it are no part of it."""
    while match := _REST_OF_CITATION.match(text, at, end):
        if match["inner"] and words.ANY_AGAINST.search(match["inner"]):
            break
        at = match.end()
    return at
