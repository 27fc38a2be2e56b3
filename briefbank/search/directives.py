"""What the office's directives name, sentence by sentence, and which of it beside a verb of treatment.

Judges nothing: the verb may speak of another authority of the sentence, and a warning may have no such verb. Until a
person puts an authority on the office's list, the directive's own words stand in its place.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from briefbank.errors import UsageError
from briefbank.index.generation import Generation
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.behind_citation import Saying, sayings
from briefbank.law.treatment import VERBS, Severity, any_form_of
from briefbank.platform.regex import bounded
from briefbank.search.alerts import NO_WARNING, Alert, is_directive
from briefbank.values.authorities import OF_DIRECTIVE, Decision, SaidByDirective, Standing
from briefbank.values.records import Document, Passage, Span

_VERB = bounded(rf"\b(?:{any_form_of(VERBS)})\b", re.IGNORECASE)
_AGAINST = bounded(
    rf"\b(?:{any_form_of(verb for verb, severity in VERBS.items() if severity is not Severity.NEUTRAL)})\b",
    re.IGNORECASE,
)
_BY = bounded(r"\bby\s+(?:\w+\s+){0,2}\Z")
"""In front of the authority that did it to another one: "overruled by State v. Osei"."""
_BY_CHARS = 30


@dataclass(frozen=True, slots=True)
class DirectiveSentence:
    """An authority that a directive names, the words that name it, and their passage. `severity` is what the verb of
    treatment beside it takes from the authority; None where there is no such verb.
    """

    authority: str
    words: str
    severity: Severity | None
    document: Document
    passage: Passage
    number: int
    """That of the authority in the generation."""

    @property
    def is_treated(self) -> bool:
        return self.severity is not None

    @property
    def date(self) -> date | None:
        return self.document.filed

    @property
    def source(self) -> str:
        return self.document.metadata.title.value


def said_in(text: str, cited: Span, *, is_directive: bool) -> Iterator[Saying]:
    """What a passage says of the authority that it names at `cited`; a directive's sentence beside a verb of treatment
    takes the place of the words of treatment in it.
    """
    treated = treated_in(text, cited) if is_directive else None
    if treated:
        yield treated
    yield from (each for each in sayings(text, cited) if not (treated and each.severity))


def treated_in(text: str, cited: Span) -> Saying | None:
    """The sentence of a directive's passage that names an authority at `cited`, with the one behind or in front of it
    where only that one has a verb of treatment; None where none has.

    Measured on directives of writers who did not know it (`tests/data/directives`): the sentence alone names 17 of 108
    authorities that are warned of, with its neighbours 39, half of what is named in either. A sentence in front takes
    something from the authority only where it ends in a colon: else it mostly speaks of what this authority replaced.
    """
    if _BY.search(text, max(cited.start - _BY_CHARS, 0), cited.start) or not _VERB.search(text):
        return None
    sentences = sentence_spans(text)
    own = next(place for place, each in enumerate(sentences) if cited.start < each.end)
    for place in (own, own + 1, own - 1):
        if 0 <= place < len(sentences) and _VERB.search(text, *sentences[place]):
            first, last = sorted((own, place))
            span = Span(sentences[first].start, sentences[last].end)
            leads = place >= own or text[slice(*sentences[place])].rstrip().endswith(":")
            severity = Severity.WARNING if leads and _AGAINST.search(text, *span) else Severity.NEUTRAL
            return Saying(span, OF_DIRECTIVE, severity)
    return None


def directive_sentences(generation: Generation, listed: Sequence[Alert]) -> tuple[DirectiveSentence, ...]:
    """Return what directives name and the office's list lacks, newest directive first: each sentence with a verb of
    treatment, and behind these every other authority with the sentence that names it first.
    """
    postings, dense = generation.authorities, generation.dense
    if postings is None:
        return ()
    in_list = set(postings.numbers(key for each in listed for key in each.keys))
    rows = np.flatnonzero(is_directive(generation))
    if not len(rows):
        return ()
    passages = dict(zip(rows.tolist(), dense.passages(rows, with_boxes=False), strict=True))
    documents = {each.id: each for each in dense.documents}

    def newest_first(mention: tuple[int, int, Span]) -> tuple[int, str]:
        document = documents[passages[mention[0]].document_id]
        return -(document.filed or date.min).toordinal(), document.id

    treated: dict[tuple[str, str], DirectiveSentence] = {}
    named: dict[str, DirectiveSentence] = {}
    for row, number, cited in sorted(postings.mentions_in(rows), key=newest_first):
        if number in in_list or postings.is_bare_name(number) or postings.is_constitution(number):
            continue
        passage, authority = passages[row], postings.label(number)
        saying = treated_in(passage.text, cited)
        if not saying and authority in named:
            continue
        span = saying.span if saying else next(each for each in sentence_spans(passage.text) if cited.start < each.end)
        words = " ".join(passage.text[slice(*span)].split())
        severity = saying.severity if saying else None
        found = DirectiveSentence(authority, words, severity, documents[passage.document_id], passage, number)
        if saying:
            treated.setdefault((authority, words), found)
        else:
            named[authority] = found
    with_verb = {authority for authority, _ in treated}
    return (*_together(treated.values()), *(each for each in named.values() if each.authority not in with_verb))


def directive_alerts(generation: Generation, listed: Sequence[Alert]) -> tuple[Alert, ...]:
    """Return what directives say against authorities that the office's list says nothing of: of each directive the
    first sentence with a verb that takes something from the authority, as it stands there.

    On the directives of `tests/data/directives` 33 of 108 authorities that are warned of are found, and 27 others:
    so the words are told whole, as the directive's.
    """
    told: dict[tuple[int, str], DirectiveSentence] = {}
    for each in directive_sentences(generation, listed):
        if each.severity is Severity.WARNING:
            told.setdefault((each.number, each.document.id), each)
    keys = generation.authorities.citations_of({number for number, _ in told}) if generation.authorities else {}
    return tuple(
        Alert(each.authority, each.words, each.date, each.source, keys[each.number], is_of_directive=True)
        for each in told.values()
        if each.number in keys
    )


@dataclass(frozen=True, slots=True)
class _Listed:
    """What the office's list says of an authority: which sentences of directives it took over, and what of its own."""

    is_listed: bool
    taken: frozenset[str]
    own: str

    @classmethod
    def of(cls, alerts: Sequence[Alert], sentences: Collection[str]) -> _Listed:
        says = [" ".join(each.says.split()) for each in alerts if not each.is_silent]
        own = next((each for each in says if each not in sentences), "")
        return cls(bool(alerts), frozenset(says) & frozenset(sentences), own)

    def standing(self, sentence: DirectiveSentence) -> Standing:
        if sentence.words in self.taken:
            return Standing.ACCEPTED
        if self.own:
            return Standing.REPLACED
        if self.is_listed:
            return Standing.SILENCED
        return Standing.WARNS if sentence.severity is Severity.WARNING else Standing.NAMES


class DirectiveTable:
    """What the directives of a generation say, each sentence with what the office's list makes of it."""

    def __init__(self, generation: Generation, listed: Sequence[Alert]) -> None:
        """Hold `listed`, all that the list says, against every sentence of a directive."""
        self._listed = listed
        self._sentences: dict[int, dict[str, DirectiveSentence]] = defaultdict(dict)
        for each in directive_sentences(generation, ()):
            self._sentences[each.number].setdefault(each.words, each)
        postings = generation.authorities
        self._alerts: dict[int, list[Alert]] = defaultdict(list)
        for alert in listed:
            for number in postings.numbers(alert.keys) if postings else ():
                self._alerts[number].append(alert)

    def rows(self) -> tuple[SaidByDirective, ...]:
        """Return every sentence in the order of `directive_sentences`."""
        return tuple(
            SaidByDirective(
                each.authority, each.words, each.document, each.passage.id, listed.standing(each), listed.own
            )
            for number, sentences in self._sentences.items()
            for listed in (_Listed.of(self._alerts[number], sentences),)
            for each in sentences.values()
        )

    def decided(self, authority: str, words: str, decision: Decision) -> tuple[Alert, ...]:
        """Return the list as it is once a person has decided on a sentence. Other sentences against the authority that
        warned until then are taken over with it: else the list, which goes before them, would silence them unseen.

        Raises:
            UsageError: there is no such sentence, or the list says something of its own of the authority.
        """
        number = next(
            (n for n, said in self._sentences.items() if words in said and said[words].authority == authority), None
        )
        if number is None:
            raise UsageError("The directives no longer say that.", "Open the table again.")
        sentences, alerts = self._sentences[number], self._alerts[number]
        listed = _Listed.of(alerts, sentences)
        if listed.own:
            advice = "Change it in the table that the list was taken from, and take it again."
            raise UsageError(f"The office’s list says of {authority}: “{listed.own}”.", advice)
        rest = tuple(each for each in self._listed if each not in alerts)
        if decision is Decision.UNDO:
            return rest
        warned = {each.words for each in sentences.values() if each.severity is Severity.WARNING}
        taken = (set(listed.taken) if listed.is_listed else warned) - {words}
        if decision is Decision.ACCEPT:
            taken.add(words)
        said = sentences[words]
        rows = [
            Alert(authority, each.words, each.date, each.source, ())
            for each in sentences.values()
            if each.words in taken
        ]
        return (*rest, *(rows or [Alert(authority, NO_WARNING, said.date, said.source, ())]))


def _together(sentences: Collection[DirectiveSentence]) -> list[DirectiveSentence]:
    """The sentences, those of one authority beside each other, the worst first."""
    first: dict[str, int] = {}
    for place, each in enumerate(sentences):
        first.setdefault(each.authority, place)
    return sorted(sentences, key=lambda each: (first[each.authority], each.severity is Severity.NEUTRAL))


def table(listed: Iterable[Alert], sentences: Iterable[DirectiveSentence]) -> str:
    """Return the CSV table that `replace_alerts` takes: the list, and behind it a row for each directive that names an
    authority beside a verb of treatment. A person strikes that row or fills in what it says; until then the table is
    refused.
    """
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["authority", "says", "date", "source"])
    named: dict[tuple[str, str], DirectiveSentence] = {}
    for sentence in sentences:
        if sentence.is_treated:
            named.setdefault((sentence.authority, sentence.document.id), sentence)
    both: tuple[Alert | DirectiveSentence, ...] = (*listed, *named.values())
    for each in both:
        says = each.says if isinstance(each, Alert) else ""
        rows.writerow([each.authority, says, each.date.isoformat() if each.date else "", each.source])
    return written.getvalue()
