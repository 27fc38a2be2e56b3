"""What the entries of a directive say against the authorities that they are about.

In each sentence an authority is its subject ("State v. Roe was overruled"), what words are aimed at ("the Court limited
State v. Roe", "do not cite State v. Roe") or a successor ("by State v. Poe", "see State v. Poe"). What a sentence says
without an authority of its own is said of the subject of a sentence before. Short names count as the authority that the
directive cites in full. Pure functions over text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from briefbank.ingest.sentences import sentence_spans
from briefbank.law.behind_citation import sayings
from briefbank.law.citations import Citation, CitationKind, DocumentCitations, PassageText, PatternSet, cite_document
from briefbank.law.citations.names import short_names
from briefbank.law.treatment import Severity
from briefbank.platform.regex import bounded
from briefbank.records import Span
from briefbank.search import directive_words as words
from briefbank.search.directive_units import Unit

_NUMBERED = bounded(r"\A\s*(?:(?:\(?(?:\d{1,3}|[ivx]{1,5})[.)]|\([A-Za-z]\)|[A-QS-Za-z][.)]|[-–—•*·▪])\s+)?")
_NAME_BEFORE = bounded(
    r"(?:\b[A-Z][\w.’'&-]*\s+(?:ex\s+rel\.\s+)?){1,4}v\.?\s+[A-Z][\w.’'&-]*(?:\s+[A-Z][\w.’'&-]*){0,3},\s*\Z"
)
_NAME_CHARS = 80
_SHORT_NAME = bounded(r"(?<![\w.’'-])[A-Z][\w’'-]*[a-z][\w’'-]*(?:\s[A-Z][\w’'-]+)?")
_CELL = re.compile(r"\s\|\s+")
_LAST_WORD = bounded(r"(?P<name>[A-Z][\w’'-]+)\s*\Z")
_BEFORE_FIRST = 40
"""Characters before the authority that a heading or a label in front of it speaks of: "The rule of ", "Former "."""
_AGENT = 40
"""Characters before a verb within which an authority is who did it: "State v. Poe, 1 N.J. 2, has overruled it"."""
_LOOK_BACK = 160
_MOST_SAID = 400
_AGAINST = (Severity.STOP, Severity.WARNING, Severity.CAUTION)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said against an authority: how it is cited, the keys that identify it, the words, and in which unit."""

    authority: str
    keys: tuple[str, ...]
    says: str
    unit: Unit


class _Role(Enum):
    """What an authority is in its sentence."""

    SUBJECT = auto()
    AIMED_AT = auto()
    SUCCESSOR = auto()


@dataclass(slots=True)
class _Mention:
    """An authority where a unit names it, parallel citations together; `group` counts those joined to one another."""

    span: Span
    authority: int
    citation: Citation | None
    role: _Role = _Role.SUBJECT
    group: int = 0


def entries(units: Sequence[Unit], patterns: PatternSet) -> Iterator[Entry]:
    """Yield what a directive says against authorities, unit by unit, each authority once in a unit."""
    spoken = (words.SAID, words.ANYTHING_ELSE_SAID)  # reading citations takes 5 ms a paragraph
    if not any(unit.heading or any(each.search(unit.text) for each in spoken) for unit in units):
        return
    texts = [_NUMBERED.sub("", each.text, count=1) for each in units]
    starts = [_sentence_starts(text) for text in texts]
    cited = cite_document([PassageText(*each) for each in zip(texts, starts, strict=True)], patterns)
    called = _called(cited)
    for unit, text, sentences, citations in zip(units, texts, starts, cited.passages, strict=True):
        reading = _Reading(text, sentences, _mentions(text, citations, called))
        told = reading.told(unit.heading)
        for number, says in told.items():
            authority = cited.authorities[number]
            yield Entry(reading.label(number) or authority.label, authority.keys, says, unit)


def _sentence_starts(text: str) -> list[int]:
    """Where sentences and cells of a table begin."""
    return sorted({0, *(span.start for span in sentence_spans(text)), *(cell.end() for cell in _CELL.finditer(text))})


def _called(cited: DocumentCitations) -> Mapping[str, int]:
    """The authorities of a directive by the name of one party, where one alone bears it."""
    full = {each.authority for passage in cited.passages for each in passage if each.kind is CitationKind.FULL}
    by_name: dict[str, set[int]] = defaultdict(set)
    for number in full:
        for name in {short for each in cited.authorities[number].names for short in short_names(each)}:
            by_name[name].add(number)
    return {name: numbers.pop() for name, numbers in by_name.items() if len(numbers) == 1 and name.isalpha()}


def _mentions(text: str, citations: Sequence[Citation], called: Mapping[str, int]) -> list[_Mention]:
    """What a unit names, in order, parallel citations of an authority as one."""
    known = frozenset(called.values())
    found = [
        _Mention(Span(_name_start(text, each.span.start), each.span.end), each.authority, each)
        for each in citations
        if each.kind is CitationKind.FULL or (each.kind is not CitationKind.ID and each.authority in known)
    ]
    taken = [each.span for each in found]
    for match in _SHORT_NAME.finditer(text):
        number = called.get(match[0].casefold(), called.get(match[0].split()[0].casefold()))
        span = Span(*match.span())
        if number is not None and not span.overlaps_any(taken):
            found.append(_Mention(span, number, None))
    merged: list[_Mention] = []
    for each in sorted(found, key=lambda mention: mention.span):
        last = merged[-1] if merged else None
        if last and last.authority == each.authority and words.PARALLEL.fullmatch(text, last.span.end, each.span.start):
            last.span = Span(last.span.start, each.span.end)
        else:
            merged.append(each)
    return merged


def _name_start(text: str, start: int) -> int:
    """Where its name begins, also one that the citation was found without, of initials ("State v. J.Q., ")."""
    name = _NAME_BEFORE.search(text, max(start - _NAME_CHARS, 0), start)
    return name.start() if name else start


class _Reading:
    """One unit with what it names."""

    def __init__(self, text: str, sentences: Sequence[int], mentions: Sequence[_Mention]) -> None:
        self.text, self._sentences, self._mentions = text, sentences, mentions
        previous: _Mention | None = None
        for each in mentions:
            start = max(self._start(each.span.start), previous.span.end if previous else 0)
            joined = previous and words.JOINED.fullmatch(text, previous.span.end, each.span.start)
            if previous and joined:
                each.role, each.group = previous.role, previous.group
            else:
                each.role, each.group = self._role(start, each.span), previous.group + 1 if previous else 0
            previous = each

    def told(self, heading: str) -> dict[int, str]:
        """What is said against which authority, by its number, in the order of the text."""
        self._told: dict[int, str] = {}
        self._cleared: set[int] = set()
        self._topic: list[_Mention] = []
        self._asked: bool | None = None
        self._leads_in = ""
        if label := words.LABELLED.match(self.text):
            self._tell(self._heads(label.end()), label[0].strip(" :|–—-"))
        for start, end in zip(self._sentences, [*self._sentences[1:], len(self.text)], strict=True):
            self._read(start, end)
        if heading and not words.CLEARED.search(self.text):
            self._tell(self._heads(0), " ".join(heading.split()).rstrip(":"))
        return self._told

    def label(self, number: int) -> str:
        """How the unit cites an authority: its name and first reporter; empty where it only calls it by its name."""
        for each in self._mentions:
            if each.authority == number and each.citation and each.citation.kind is CitationKind.FULL:
                return " ".join(self.text[each.span.start : each.citation.span.end].split())
        return ""

    def _read(self, start: int, end: int) -> None:
        """Take the next sentence."""
        here = [each for each in self._mentions if start <= each.span.start < end]
        if words.ANSWER_MARK.fullmatch(self.text, start, end) or self._answers(start, end):
            return
        if self.text[start:end].rstrip().endswith("?"):
            asked = [each["bad"] is None for each in words.ASKS_WHETHER_GOOD.finditer(self.text, start, end)]
            self._asked = all(asked)
            self._topic = here or self._topic
            return
        for each in here:
            if each.role is _Role.AIMED_AT:
                self._tell([each], self._sentence(start))
            elif (at := self._said_beside(each, end)) is not None:
                self._tell([each], self._sentence(at))
        for said in words.SAID.finditer(self.text, start, end):
            self._take(said, start, here)
        subjects = [each for each in here if each.role is _Role.SUBJECT]
        first = [each for each in subjects if each.group == subjects[0].group]
        if self._leads_in and words.LISTED_IN_PROSE.match(self.text, start, end):
            self._tell(first, self._leads_in)
        if words.LEADS_IN.search(self.text, start, end) and words.ANYTHING_ELSE_SAID.search(self.text, start, end):
            self._leads_in = self._sentence(start)
        if words.CLEARED.search(self.text, start, end):
            self._cleared.update(each.authority for each in first or self._topic)
        self._topic = first or self._topic

    def _answers(self, start: int, end: int) -> bool:
        """Take a sentence that answers the question before it with yes or no; what it goes on to say is a reason."""
        asked, self._asked = self._asked, None
        answer = words.ANSWER.match(self.text, start, end)
        if asked is None or not answer:
            return False
        if asked != bool(answer["yes"]):
            self._tell(self._topic, self._sentence(start))
        else:
            self._cleared.update(each.authority for each in self._topic)
        return True

    def _take(self, said: re.Match[str], start: int, here: Sequence[_Mention]) -> None:
        """Tell words that speak against something of their authorities, if they are meant so."""
        at = said.start()
        reach = at - _AGENT if said["object"] else at  # "State v. Poe overruled it": of another
        before = [each for each in here if each.span.end <= reach and each.role is _Role.SUBJECT]
        heads = [each for each in before if each.group == before[-1].group]
        is_own = bool(heads)
        heads = heads or self._instances(at, here) or self._topic
        if words.DENIED.match(self.text, said.end()):
            self._cleared.update(each.authority for each in heads)
        elif self._is_meant(said, start, heads, is_own=is_own):
            if words.TELLS_WHAT_TO_DO.match(self.text, at):  # whatever was said for it before
                self._cleared.difference_update(each.authority for each in heads)
            self._tell(heads, self._sentence(at))

    def _instances(self, at: int, here: Sequence[_Mention]) -> list[_Mention]:
        """The authorities that stand behind words for all that they are said of: "… was superseded, notably"."""
        found = [
            each
            for each in here
            if each.span.start > at
            and words.INSTANCE.search(self.text, max(each.span.start - _BEFORE_FIRST, at), each.span.start)
        ]
        return [each for each in here if found and each.group == found[0].group]

    def _is_meant(self, said: re.Match[str], start: int, heads: Sequence[_Mention], *, is_own: bool) -> bool:
        """Whether words are said of these authorities, and not told of another or by another."""
        at = said.start()
        if (
            said["not"]
            or self._is_hearsay(at)
            or words.OTHER_SUBJECT.search(self.text, max(start, at - _LOOK_BACK), at)
        ):
            return False
        if said["passive"] and is_own and words.OF_THE_CASE.search(self.text, start, heads[0].span.start):
            return False
        is_clause = any(said[each] for each in ("passive", "state", "be", "to_be", "loses", "stands", "changes"))
        return not is_clause or self._is_subject(start, at, heads)

    def _is_subject(self, start: int, at: int, heads: Sequence[_Mention]) -> bool:
        """Whether the words in front of a verb speak of these authorities."""
        clause = max([start, *(each.span.end for each in self._mentions if each.span.end <= at)])
        before = self.text[clause:at]
        before = before[stop.end() :] if (stop := words.CLAUSE.match(before)) else before
        last = _LAST_WORD.search(before)
        named = " ".join(self.text[slice(*each.span)] for each in heads)
        return bool(last and last["name"] in named) or words.SUBJECT.search(before) is not None

    def _tell(self, mentions: Sequence[_Mention], says: str) -> None:
        for each in mentions:
            if each.authority not in self._cleared:
                self._told.setdefault(each.authority, says)

    def _heads(self, start: int) -> list[_Mention]:
        """The authorities right behind a label or at the beginning of a unit, joined to one another."""
        behind = [each for each in self._mentions if each.span.start >= start]
        if not behind or behind[0].span.start - start > _BEFORE_FIRST or behind[0].role is _Role.SUCCESSOR:
            return []
        return [each for each in behind if each.group == behind[0].group]

    def _role(self, start: int, span: Span) -> _Role:
        """What an authority is in its sentence, by the words in front of it."""
        if (aimed := words.AIMED_AT.search(self.text, start, span.start)) and not self._is_passive(aimed, start):
            return _Role.AIMED_AT
        if words.CITE_IT.search(self.text, start, span.start) and words.ONLY_SO.match(self.text, span.end):
            return _Role.AIMED_AT
        if aimed and aimed["verb"] and self.text[span.start].isdigit():
            return _Role.SUCCESSOR
        if words.SUBJECT_IN.search(self.text, start, span.start):
            return _Role.SUBJECT
        return _Role.SUCCESSOR if words.RECOMMENDED.search(self.text, start, span.start) else _Role.SUBJECT

    def _is_passive(self, aimed: re.Match[str], start: int) -> bool:
        """Whether a verb in front of an authority is said of something before it ("was overruled in"), or denied."""
        at = aimed.start()
        if words.NOT_AIMED.search(self.text, max(start, at - _LOOK_BACK), at) or self._is_hearsay(at):
            return True
        if aimed["verb"] and "," in aimed[0] and self.text[aimed.end()].isdigit():  # "reversed, 12 N.J. 5"
            return True
        return (
            aimed["verb"] is not None
            and aimed["verb"].endswith("d")
            and bool(words.BE.search(self.text, max(start - 1, 0), at))
        )

    def _said_beside(self, mention: _Mention, end: int) -> int | None:
        """Where the words around a citation begin that speak against it in its own sentence, as in briefs."""
        said = sayings(self.text, mention.citation.span) if mention.citation else ()
        against = [each.span.start for each in said if each.severity in _AGAINST and each.span.start < end]
        return min((at for at in against if not self._is_hearsay(at)), default=None)

    def _is_hearsay(self, at: int) -> bool:
        """Whether another is told to say what begins there."""
        return words.HEARSAY.search(self.text, max(self._start(at), at - _LOOK_BACK), at) is not None

    def _start(self, at: int) -> int:
        return max(start for start in self._sentences if start <= at)

    def _sentence(self, begins: int) -> str:
        """The sentence that begins or goes on there, cut between words where it is very long."""
        ends = [start for start in self._sentences if start > begins]
        said = " ".join(self.text[begins : ends[0] if ends else len(self.text)].split()).rstrip(" |")
        said = said if "(" in said or "[" in said else said.rstrip(")]")
        return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID].rsplit(' ', 1)[0]} …"
