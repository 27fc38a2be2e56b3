"""Alerts that the office's own directives speak of, to be proposed to whoever keeps the list. Adds none by itself.

An entry is a paragraph that begins with an authority and says what became of it, as a list of cases to be careful with
does: `State v. Example, 123 N.J. 456 (1990). OVERRULED by …`. What it names behind that are successors, and not
proposed.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.behind_citation import sayings
from briefbank.law.citations import Citation, CitationKind, PassageText, PatternSet, cite_document, load_patterns
from briefbank.law.treatment import Severity
from briefbank.law.treatment_verbs import VERBS, any_form_of, any_of
from briefbank.platform.regex import bounded
from briefbank.records import Document, DocumentKind, Passage
from briefbank.search.alerts import Alert

# Only lists of cases say these of a decision; beside a citation in a brief they mostly tell of something else.
_LISTED = ("replaced", "displaced", "supplemented", "rejected")
_DONE = (*(verb for verb, much in VERBS.items() if much is not Severity.NEUTRAL), *_LISTED)
_UPPER = any_of(each.upper() for each in _DONE)
_SAID = bounded(
    rf"(?P<not>\bnot\s+(?:yet\s+|been\s+)?)?(?:\b(?:{_UPPER})\b"
    rf"|\b(?:is|was|are|were|been|stands?)\s+(?:\w+ly\s+|since\s+|in\s+part\s+|now\s+)?(?:{any_of(_DONE)})\b"
    rf"|(?<=[).,;:–—|-]\s)(?:status:\s*)?(?i:{any_of(_DONE)})\b(?=\s+(?:by|in|as|for|on|to|sub)\b|[,.;:|]|\s*\Z)"
    rf"|\bSTATUS:\s*(?:{_UPPER})\b"
    r"|\bno\s+longer\s+(?:good\s+law|to\s+be\s+cited|controls|controlling|valid|the\s+(?:law|test|rule))"
    r"|\b[Dd]o\s+not\s+(?:cite|rely\s+on|use)\b|\bDO\s+NOT\s+(?:CITE|RELY\s+ON|USE)\b"
    r"|\b(?:must|should|may)\s+not\s+(?:any\s+longer\s+)?be\s+(?:cited|relied\s+on|used)\b)"
)
_NEUTRAL = [verb for verb, much in VERBS.items() if much is Severity.NEUTRAL]
_ANYTHING_SAID = bounded(
    rf"\b(?:{any_of(_DONE)}|(?:{any_of(_NEUTRAL)})\b(?=.{{0,200}}?\b(?:on\s+other|in\s+part|as\s+modified)\b)"
    rf"|(?:{any_form_of(VERBS)})\s+(?:in\s+part\s+)?(?:(?:its|our|the|earlier|prior|decision\s+in|holding\s+in)\s+){{0,3}}"
    r"(?=it\b|that\b|\W?(?-i:[A-Z\d]))"
    r"|no\s+longer|not\s+(?:cite|rely|use|any|be)|never\s+(?:cite|rely|use))",
    re.IGNORECASE | re.DOTALL,
)
"""What stands wherever `_SAID`, `_TOLD_FIRST` or `sayings` finds anything against an authority. Looked for first, since
reading the citations of a paragraph takes 5 ms, and a directive is mostly about something else."""
_TOLD_FIRST = bounded(r"\W*(?:[Dd]o\s+not|DO\s+NOT|[Nn]ever)\s+(?:cite|CITE|rely\s+on|RELY\s+ON|use|USE)\s+")
_NUMBERED = bounded(r"\A\s*(?:\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)]\s+|[-–—•*·]\s*)?")
_JOINED = bounded(r"[\s,;]*(?:\([^()]{0,60}\)[\s,;]*)?(?:(?:and|or|&|as\s+well\s+as)\s+)?(?:its\s+companion,?\s+)?")
_NAME_BEFORE = bounded(
    r"(?:\b[A-Z][\w.’'&-]*\s+(?:ex\s+rel\.\s+)?){1,4}v\.\s+[A-Z][\w.’'&-]*(?:\s+[A-Z][\w.’'&-]*){0,3},\s*\Z"
)
_NAME_CHARS = 80
_BEFORE_FIRST = 40
"""Characters before the first authority of an entry, behind its number: "The rule of ", "As to venue, "."""
_JOINED_CHARS = 2
"""Characters that may stand between what joins two authorities and the second one."""
_MOST_SAID = 400
_NEAR = 2
"""Passages before and behind one that are read with it: an entry of a list has seldom more than one."""


@dataclass(frozen=True, slots=True)
class ProposedAlert:
    """What a directive says of an authority, word by word, and the passage where it begins to."""

    authority: str
    says: str
    keys: tuple[str, ...]
    document: Document
    passage_id: str

    @property
    def date(self) -> date | None:
        return self.document.filed

    @property
    def source(self) -> str:
        return self.document.metadata.title.value


def proposed_alerts(
    generation: Generation, listed: Sequence[Alert], among: Rows | None = None
) -> tuple[ProposedAlert, ...]:
    """Return what directives say against authorities that the list lacks, newest directive first; `among` are the rows
    of passages in whose paragraphs to look, without it all directives of the bank are read.
    """
    patterns = generation.authorities.patterns if generation.authorities else load_patterns()
    known = {key for each in listed for key in each.keys}
    proposed: list[ProposedAlert] = []
    wanted = None if among is None else set(generation.dense.ids(among))
    for document, passages in _directives(generation, among):
        for (passage_id, *others), paragraph in _paragraphs(passages):
            if wanted is not None and wanted.isdisjoint([passage_id, *others]):
                continue
            for authority, keys, says in entries(paragraph, patterns):
                if known.isdisjoint(keys):
                    known.update(keys)
                    proposed.append(ProposedAlert(authority, says, keys, document, passage_id))
    return tuple(proposed)


def _directives(generation: Generation, among: Rows | None) -> Iterator[tuple[Document, list[Passage]]]:
    """The directives, newest first, with their passages; of those around the rows `among` alone, where it is given."""
    dense = generation.dense
    kinds = np.array([each.metadata.kind.value for each in dense.documents], dtype=str)
    rows = np.flatnonzero((kinds == DocumentKind.DIRECTIVE.value)[dense.columns.document])
    if among is not None:
        near = np.unique(np.concatenate([among + step for step in range(-_NEAR, _NEAR + 1)]))
        rows = np.intersect1d(rows, near)
    by_document: dict[int, list[int]] = defaultdict(list)
    for row, number in zip(rows.tolist(), dense.columns.document[rows].tolist(), strict=True):
        by_document[number].append(row)
    found = [(dense.documents[number], of_it) for number, of_it in by_document.items()]
    for document, of_it in sorted(found, key=lambda each: (-(each[0].filed or date.min).toordinal(), each[0].id)):
        passages = dense.passages(np.array(of_it, dtype=np.int64), with_boxes=False)
        yield document, sorted(passages, key=lambda passage: passage.order)


def entries(paragraph: str, patterns: PatternSet) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield what a paragraph says against the authorities that it begins with: the citation, its keys, the words."""
    if not _ANYTHING_SAID.search(paragraph):
        return
    paragraph = _NUMBERED.sub("", paragraph, count=1)
    text = PassageText(paragraph, [span.start for span in sentence_spans(paragraph)])
    cited = cite_document([text], patterns)
    full = [each for each in cited.passages[0] if each.kind is CitationKind.FULL]
    said = next((each for each in _SAID.finditer(paragraph) if not each["not"]), None)
    heads = list(_heads(paragraph, full, said.start())) if said else []
    told = {each: _sentence(paragraph, said.start()) for each in heads} if said else {}
    for each in full:
        if each not in told and (words := _said_beside(paragraph, each)):
            told[each] = words
    if said and not told and (named := _told_first(paragraph, full)):
        told[named] = _sentence(paragraph, 0)
    seen: set[int] = set()  # parallel citations are one authority
    for each, says in sorted(told.items(), key=lambda item: item[0].span):
        if each.authority in seen:
            continue
        seen.add(each.authority)
        begins = _name_start(paragraph, each.span.start)
        yield " ".join(paragraph[begins : each.span.end].split()), cited.authorities[each.authority].keys, says


def _said_beside(paragraph: str, citation: Citation) -> str:
    """What the words around a citation say against it, as in briefs; empty where they say nothing."""
    against = (Severity.STOP, Severity.WARNING, Severity.CAUTION)
    said = [each for each in sayings(paragraph, citation.span) if each.severity in against]
    return _sentence(paragraph, min(each.span.start for each in said)) if said else ""


def _told_first(paragraph: str, cited: Sequence[Citation]) -> Citation | None:
    """The authority that an entry begins by telling not to cite."""
    told = _TOLD_FIRST.match(paragraph)
    first = cited[0] if cited else None
    if told and first and _name_start(paragraph, first.span.start) - told.end() <= _JOINED_CHARS:
        return first
    return None


def table(listed: Iterable[Alert], proposed: Iterable[ProposedAlert]) -> str:
    """Return both as the CSV table that `replace_alerts` takes, for a person to read, correct and accept."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["authority", "says", "date", "source"])
    both: tuple[Alert | ProposedAlert, ...] = (*listed, *proposed)
    for each in both:
        rows.writerow([each.authority, each.says, each.date.isoformat() if each.date else "", each.source])
    return written.getvalue()


def _heads(paragraph: str, cited: Sequence[Citation], before: int) -> Iterator[Citation]:
    """The authorities at the head of an entry, joined to one another."""
    start = 0
    reach = _BEFORE_FIRST
    for each in cited:
        if each.span.end > before or _name_start(paragraph, each.span.start) - start > reach:
            return
        yield each
        joined = _JOINED.match(paragraph, each.span.end)
        start, reach = joined.end() if joined else each.span.end, _JOINED_CHARS


def _name_start(paragraph: str, start: int) -> int:
    """Where a case's name begins whose citation was found without it, as names of initials are ("State v. J.Q., ")."""
    name = _NAME_BEFORE.search(paragraph, max(start - _NAME_CHARS, 0), start)
    return name.start() if name else start


def _sentence(paragraph: str, begins: int) -> str:
    """The sentence that begins or goes on there, cut between words where it is very long."""
    ends = [span.end for span in sentence_spans(paragraph) if span.end > begins]
    said = " ".join(paragraph[begins : ends[0] if ends else len(paragraph)].split())
    return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID].rsplit(' ', 1)[0]} …"


def _paragraphs(passages: Sequence[Passage]) -> Iterator[tuple[list[str], str]]:
    """The paragraphs of a document, each with the ids of the passages that it stands in."""
    text, ids, end = "", list[str](), 0
    for passage in passages:
        if text and passage.span.start != end:  # nothing goes on where passages leave something out
            yield ids, text
            text = ""
        end = passage.span.end
        for number, part in enumerate(re.split(r"\n\s*\n", passage.text)):
            if number and text:
                yield ids, text
                text = ""
            ids = [*ids, passage.id] if text else [passage.id]
            text = f"{text} {part}" if text else part
        if passage.span.end - passage.span.start - len(passage.text) >= 2 and text:
            yield ids, text
            text = ""
    if text:
        yield ids, text
