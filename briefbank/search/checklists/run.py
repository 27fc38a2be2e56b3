"""Runs a checklist over documents: for each item the passages that answer it, verbatim and in document order.

A passage is an answer where the document is likely to have one and the passage is nearly as likely to be it as the
document's best. Nothing is generated: a language model, where one is asked, chooses among the document's sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from briefbank.cautions import cautions_of
from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.surface import SurfacePostings, surface_words
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.records import Document, Passage, Span
from briefbank.reports import ChecklistExtract, ChecklistReport, DocumentAnswers, ItemAnswer
from briefbank.search.alerts import AlertedRows
from briefbank.search.checklists.by_model import CutPassage, SentenceChooser
from briefbank.search.checklists.checklist import Checklist, ChecklistItem
from briefbank.search.checklists.presence import Evidence, ItemSignals, unfitted
from briefbank.search.fuse import Scores
from briefbank.search.profiles.keywords import Places, places_of
from briefbank.search.profiles.profile import Profile
from briefbank.search.profiles.ranking import PreparedProfile
from briefbank.search.scope import HIDDEN

MOST_EXTRACTS = 10
"""Passages of one answer at most: as many as [AG] gives to its language model."""
# On the development contracts (docs/evaluation.md, “Checklists”) an answer has 4.1 passages in the mean with these two,
# and macro F1 is 0.75; with all ten passages it is 0.78, and nobody would read them.
SHARE_OF_BEST, SHARE_OF_THRESHOLD = 0.05, 0.25
"""What a passage's probability must be of that of the document's best, and of the threshold, to be shown beside it."""
_OTHER_ENCODER = (
    "What was fitted to judged documents is not used: it was fitted with another encoder than that of this index."
)

Cautions: TypeAlias = Callable[[Passage], tuple[str, ...]]


def profile_of(item: ChecklistItem, named: Callable[[str], Profile]) -> Profile:
    """Return what is looked for as a profile: the item's own question and keywords, and what its profile has besides.

    Raises:
        UsageError: there is no profile of that name.
    """
    profile = named(item.profile) if item.profile else Profile(item.name)
    return replace(profile, question=item.question or profile.question, keywords=(*item.keywords, *profile.keywords))


def cautions_in(generation: Generation, alerted: AlertedRows) -> Cautions:
    """Return what gives the lines that must stay with a passage's words; `alerted` is of the same generation."""

    def cautions(passage: Passage) -> tuple[str, ...]:
        row = generation.dense.row_of(passage.id)
        return cautions_of(passage, () if row is None else alerted.warnings(row))

    return cautions


@dataclass(frozen=True, slots=True)
class Checked:
    """What a checklist is run over: an index, the documents of it that are wanted, and whether they are files in no
    bank; `cautions` gives the lines that must stay with a passage's words.
    """

    generation: Generation
    documents: Sequence[Document]
    cautions: Cautions
    is_of_files: bool = False


def run_checklist(
    checklist: Checklist,
    checked: Checked,
    prepared: Callable[[ChecklistItem], PreparedProfile],
    chooser: SentenceChooser | None,
    reporter: Reporter,
    cancel: CancelToken,
) -> ChecklistReport:
    """Answer every item for every document; a `chooser` has a language model choose the sentences.

    Raises:
        LanguageModelError: the model cannot be used at all.
        CancelledError: asked to stop.
    """
    is_other = checklist.encoder not in ("", checked.generation.info.encoder_digest)
    items = [replace(each, evidence=None) if is_other else each for each in checklist.items]
    is_fitted = any(each.evidence for each in checklist.items)
    runner = ChecklistRunner(checked.generation, [(each, prepared(each)) for each in items], checked.cautions, chooser)
    answered = []
    for done, document in enumerate(checked.documents):
        cancel.check()
        reporter(Progress("documents", files_done=done, files_total=len(checked.documents), unit="documents"))
        answered.append(runner.answers(document))
    return ChecklistReport(
        name=checklist.name,
        items=tuple(each.name for each in items),
        documents=tuple(answered),
        notices=(_OTHER_ENCODER,) if is_other and is_fitted else (),
        is_of_files=checked.is_of_files,
        model=chooser.model_name if chooser else "",
    )


class ChecklistRunner:
    """Answers the items for documents of one generation."""

    def __init__(
        self,
        generation: Generation,
        items: Sequence[tuple[ChecklistItem, PreparedProfile]],
        cautions: Cautions,
        chooser: SentenceChooser | None = None,
    ) -> None:
        """Take an open generation, and each item with the profile that stands for it, made ready."""
        self._generation, self._cautions, self._chooser = generation, cautions, chooser
        self._items = [
            (item, item.evidence or unfitted(profile), ItemSignals(profile, generation)) for item, profile in items
        ]

    def answers(self, document: Document) -> DocumentAnswers:
        """Answer every item for one document.

        Raises:
            LanguageModelError: the model cannot be used at all.
            CancelledError: asked to stop.
        """
        read = _ReadDocument.read(self._generation, document)
        return DocumentAnswers(document, tuple(self._answer(*each, read) for each in self._items))

    def _answer(self, item: ChecklistItem, evidence: Evidence, signals: ItemSignals, read: _ReadDocument) -> ItemAnswer:
        part = read.within(item)
        if not len(part.rows):
            return ItemAnswer(item.name, (), 0.0)
        probabilities = evidence.probabilities(signals.of(part.rows, part.vectors, part.places))
        order = np.lexsort((part.rows, -probabilities))[:MOST_EXTRACTS]
        best = float(probabilities[order[0]])
        whole = _whole(part, probabilities, order, evidence.threshold)
        if self._chooser is None:
            return ItemAnswer(item.name, self._extracts(whole), best)
        shown = [CutPassage(part.passages[at], self._sentences(int(part.rows[at]), part.passages[at])) for at in order]
        chosen = self._chooser.choose(item, shown)
        if chosen.has_failed:
            note = "The language model gave no usable answer; these are the passages that came closest."
            return ItemAnswer(item.name, self._extracts(whole), best, note=note)
        left_out = f"Read without {chosen.left_out} of the best passages, for which there was no room."
        note = left_out if chosen.left_out else ""
        return ItemAnswer(item.name, self._extracts(chosen.extracts), best, by_model=True, note=note)

    def _extracts(self, found: Sequence[tuple[Passage, Span]]) -> tuple[ChecklistExtract, ...]:
        return tuple(ChecklistExtract(passage, span, self._cautions(passage)) for passage, span in found)

    def _sentences(self, row: int, passage: Passage) -> tuple[Span, ...]:
        surface = self._generation.surface
        if surface is None:  # an older program's generation does not tell where sentences begin
            return (Span(0, len(passage.text)),)
        return tuple(_sentence_spans(surface, row, passage.text))


@dataclass(frozen=True, slots=True)
class _ReadDocument:
    """Passages of a document, in order, with what signals are made of."""

    rows: Rows
    passages: Sequence[Passage]
    vectors: Vector
    places: Sequence[Places]

    @classmethod
    def read(cls, generation: Generation, document: Document) -> _ReadDocument:
        number = next(number for number, each in enumerate(generation.documents) if each.id == document.id)
        rows: Rows = np.flatnonzero(generation.dense.columns.document == number)
        passages = generation.dense.passages(rows)
        order = sorted(range(len(rows)), key=lambda at: passages[at].order)
        rows = rows[order]
        passages = [passages[at] for at in order]
        return cls(rows, passages, generation.dense.vectors(rows), [places_of(each.text) for each in passages])

    def within(self, item: ChecklistItem) -> _ReadDocument:
        """Those in the parts of the document that the item is looked for in."""
        at = [
            at
            for at, each in enumerate(self.passages)
            if (each.section_kind in item.sections if item.sections else each.section_kind not in HIDDEN)
        ]
        return _ReadDocument(
            self.rows[at], [self.passages[each] for each in at], self.vectors[at], [self.places[each] for each in at]
        )


def _whole(part: _ReadDocument, probabilities: Scores, order: Rows, threshold: float) -> list[tuple[Passage, Span]]:
    """The best passages, those that are likely enough beside the first, in document order; none where even the first
    is not.
    """
    best = probabilities[order[0]]
    if best < threshold:
        return []
    least = max(SHARE_OF_BEST * best, SHARE_OF_THRESHOLD * threshold)
    chosen = sorted(int(at) for at in order if probabilities[at] >= least)
    return [(part.passages[at], Span(0, len(part.passages[at].text))) for at in chosen]


def _sentence_spans(surface: SurfacePostings, row: int, text: str) -> Iterator[Span]:
    """The sentences of a passage as they were found at indexing; they tile its text."""
    first, behind = surface.passages[row], surface.passages[row + 1]
    sentences = surface.sentences
    starts = sentences[np.searchsorted(sentences, first) : np.searchsorted(sentences, behind)]
    words = surface_words(text)
    cuts = [0]
    for number in (starts - first).tolist()[1:]:
        at = words[number].span.start
        before = text[:at]
        cuts.append(len(before.rstrip()) if before[-1:].isspace() else max(before.rfind(" "), before.rfind("\n")) + 1)
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        if text[start:end].strip():
            yield Span(start, end)
