"""What the entries of a directive say against the authorities that they are about.

`sentences` reads each sentence; here its words are given to authorities. What a sentence says without an
authority of its own is said of the subject of a sentence before, and short names count as the authority that the
directive cites in full. Pure functions over text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from briefbank.ingest.directives import words
from briefbank.ingest.directives.sentences import PlainSentence, Said
from briefbank.ingest.directives.units import Unit
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.citations import Citation, CitationKind, DocumentCitations, PassageText, PatternSet, cite_document
from briefbank.law.citations.names import short_names
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_NUMBERED = bounded(r"\A\s*(?:(?:\(?(?:\d{1,3}|[ivx]{1,5})[.)]|\([A-Za-z]\)|[A-QS-Za-z][.)]|[-–—•*·▪])\s+)?")
_NAME_BEFORE = bounded(
    r"(?:\b[A-Z][\w.’'&-]*\s+(?:ex\s+rel\.\s+)?){1,4}v\.?\s+[A-Z][\w.’'&-]*(?:\s+[A-Z][\w.’'&-]*){0,3}(?:\s\([^()]{1,20}\))?,\s*\Z"
)
_NAME_CHARS = 80
_NOT_OF_A_NAME = bounded(
    r"(?:(?:Strike|Delete|Remove|Drop|Pull|Retire|Replace|Avoid|Forget|Confine|Cite|Use|Quote|Follow|"
    r"Keep|Leave|Instead|Neither|Both|Either|Do|Don[’']t|DO|DON[’']T|"
    r"Not|Never|Only|Stop|Since|Under|Because|Although|While|Unlike|Like|See|But|And|So|Now)\s+)++(?=[A-Z])"
)
"""Words of the sentence that begin with a capital and stand right in front of a name."""
_SHORT_NAME = bounded(r"(?<![\w.’'-])[A-Z][\w’'-]*[a-z][\w’'-]*(?:\s[A-Z][\w’'-]+)?")
_WORD = re.compile(r"\S+")
_REWRITTEN = bounded(
    r"\b(?:amend(?:s|ed|ing)|rewr(?:ites?|iting|itten|ote)|chang(?:es|ed|ing)|revis(?:es|ed|ing))\s+(?:the\s+)?\Z"
)
"""In front of a statute or rule that somebody changed to undo a case: what it says now is good law."""
_CASE_NAME = bounded(r"\bv[.s]|\A(?:In\s+re|In\s+the|Ex\s+parte|Matter)\b")
_UNKNOWN = bounded(
    r"\W*(?:[A-Z][\w.’'&-]*,?\s+){0,6}(?:§+\s?\d|v\.?\s[A-Z]|(?:[Aa]rt(?:icle|\.)|[Rr]ule|No\.)\s?[IVX\d])"
)
"""A sentence that begins with an authority, recognised or not."""
_CELL = re.compile(r"\s(?:\||--)\s+")
_BEFORE_FIRST = 40
"""Characters before the authority that a heading or a label in front of it speaks of: "The rule of ", "Former "."""
_MOST_SAID = 400


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said against an authority: how it is cited, the keys that identify it, the words, and in which unit."""

    authority: str
    keys: tuple[str, ...]
    says: str
    unit: Unit


@dataclass(slots=True)
class _Mention:
    """An authority where a unit names it, parallel citations together."""

    span: Span
    authority: int
    citation: Citation | None


def entries(units: Sequence[Unit], patterns: PatternSet) -> Iterator[Entry]:
    """Yield what a directive says against authorities, unit by unit, each authority once in a unit."""
    # Reading citations takes 5 ms a paragraph.
    if not any(unit.heading or words.ANY_AGAINST.search(unit.text) for unit in units):
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
    found += _short_mentions(text, called, [each.span for each in found])
    merged: list[_Mention] = []
    for each in sorted(found, key=lambda mention: mention.span):
        last = merged[-1] if merged else None
        if last and last.authority == each.authority and words.PARALLEL.fullmatch(text, last.span.end, each.span.start):
            last.span = Span(last.span.start, each.span.end)
        else:
            merged.append(each)
    return merged


def _short_mentions(text: str, called: Mapping[str, int], taken: Sequence[Span]) -> Iterator[_Mention]:
    """The names of parties that stand for authorities, "Roe" and "Roe's", apart from citations."""
    for match in _SHORT_NAME.finditer(text):
        words_of_it = (
            Span(match.start() + each.start(), match.start() + each.end()) for each in _WORD.finditer(match[0])
        )
        for span in (Span(*match.span()), *words_of_it):
            name = text[slice(*span)]
            bare = name.removesuffix("’s").removesuffix("'s")
            if bare.casefold() in called and not span.overlaps_any(taken):
                yield _Mention(Span(span.start, span.start + len(bare)), called[bare.casefold()], None)
                break


def _name_start(text: str, start: int) -> int:
    """Where its name begins, also one that the citation was found without, of initials ("State v. J.Q., ")."""
    name = _NAME_BEFORE.search(text, max(start - _NAME_CHARS, 0), start)
    start = name.start() if name else start
    return first.end() if (first := _NOT_OF_A_NAME.match(text, start)) else start


class _Reading:
    """One unit with what it names."""

    def __init__(self, text: str, sentences: Sequence[int], mentions: Sequence[_Mention]) -> None:
        self.text, self._sentences, self._mentions = text, sentences, mentions

    def told(self, heading: str) -> dict[int, str]:
        """What is said against which authority, by its number, in the order of the text."""
        self._told: dict[int, str] = {}
        self._cleared: set[int] = set()
        self._topic: Sequence[_Mention] = []
        self._pair: Sequence[_Mention] = []
        self._asked: bool | None = None
        self._leads_in = ""
        self._was_told = False
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
        if not here and _UNKNOWN.match(self.text, start, end):
            self._topic, self._pair = [], []  # what follows is said of an authority that was not recognised
        if words.ANSWER_MARK.fullmatch(self.text, start, end) or self._answers(start, end):
            return
        plain = PlainSentence(self.text, Span(start, end), [each.span for each in here])
        leaders = [here[number] for number in plain.leaders()]
        if self.text[start:end].rstrip().endswith("?"):
            asked = [each["bad"] is None for each in words.ASKS_WHETHER_GOOD.finditer(self.text, start, end)]
            self._asked = all(asked) if asked else None
            self._topic = leaders or here or self._topic
            return
        self._pair = next(
            ([here[each] for each in group] for group in plain.groups()[::-1] if len(group) > 1), self._pair
        )
        spoken_of: Sequence[_Mention] = leaders
        before, self._was_told = self._was_told, False
        is_denied = words.DENIED.match(self.text, end) is not None
        may_speak = (here or self._topic or self._pair) and words.ANY_AGAINST.search(plain.text)
        for said in sorted(plain.said(), key=lambda each: each.start) if may_speak else ():
            if is_denied or (said.is_likewise and not (before or self._was_told)):
                continue
            meant = self._meant(said, plain, here, leaders)
            meant = [each for each in meant if not (said.is_object and self._is_rewritten(each))]
            self._tell(meant, self._sentence(start if said.is_object else said.start))
            spoken_of = spoken_of or (meant if said.mentions else [])
        if self._leads_in and words.LISTED_IN_PROSE.match(self.text, start, end):
            self._tell(leaders, self._leads_in)
        if words.LEADS_IN.search(self.text, start, end) and words.ANY_AGAINST.search(self.text, start, end):
            self._leads_in = self._sentence(start)
        self._topic = spoken_of or self._topic

    def _meant(
        self, said: Said, plain: PlainSentence, here: Sequence[_Mention], leaders: Sequence[_Mention]
    ) -> Sequence[_Mention]:
        """The authorities that something is said against: those named, else what a pronoun or nothing stands for."""
        if said.mentions:
            return [here[number] for number in said.mentions]
        if said.is_of_several and self._pair:
            return self._pair
        if not leaders or leaders[0].span.start > said.start:
            return self._topic
        is_own_deed = said.is_object and plain.is_done_by(here.index(leaders[0]), said.start)
        return self._topic if is_own_deed else leaders

    def _is_rewritten(self, mention: _Mention) -> bool:
        """Whether it is a statute or rule that the words in front of it say was given other words."""
        start, end = mention.span.start, mention.span.end
        return not _CASE_NAME.search(self.text, start, end) and bool(
            _REWRITTEN.search(self.text, max(start - _BEFORE_FIRST, 0), start)
        )

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

    def _tell(self, mentions: Sequence[_Mention], says: str) -> None:
        self._was_told = self._was_told or bool(mentions)
        for each in mentions:
            if each.authority not in self._cleared:
                self._told.setdefault(each.authority, says)

    def _heads(self, start: int) -> list[_Mention]:
        """The authorities right behind a label or at the beginning of a unit, joined to one another."""
        behind = [each for each in self._mentions if each.span.start >= start]
        if not behind or behind[0].span.start - start > _BEFORE_FIRST:
            return []
        plain = PlainSentence(self.text, Span(start, len(self.text)), [each.span for each in behind])
        first = plain.leaders()
        return [behind[number] for number in first] if 0 in first else []

    def _sentence(self, begins: int) -> str:
        """The sentence that begins or goes on there, cut between words where it is very long."""
        ends = [start for start in self._sentences if start > begins]
        said = " ".join(self.text[begins : ends[0] if ends else len(self.text)].split()).rstrip(" |")
        said = said if "(" in said or "[" in said else said.rstrip(")]")
        return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID].rsplit(' ', 1)[0]} …"
