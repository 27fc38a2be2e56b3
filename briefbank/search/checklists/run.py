"""Runs a checklist over documents: for each item the passages that answer it, verbatim and in document order.

A passage is an answer where the document is likely to have one and the passage is nearly as likely to be it as the
document's best. Nothing is generated: a language model, where one is asked, chooses among the document's sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from briefbank.index.dense import Rows, Vector
from briefbank.index.generation import Generation
from briefbank.index.surface import SurfacePostings, surface_words
from briefbank.ingest.structure.rows import fold
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.search.alerts import AlertedRows
from briefbank.search.checklists.by_model import CutPassage, SentenceChooser
from briefbank.search.checklists.checklist import Checklist, ChecklistItem
from briefbank.search.checklists.presence import ItemSignals, best_places, shown_places, unfitted
from briefbank.search.profiles.keywords import Places, places_of
from briefbank.search.profiles.profile import Profile
from briefbank.search.profiles.ranking import PreparedProfile
from briefbank.search.scope import HIDDEN, Scores
from briefbank.values.cautions import cautions_of
from briefbank.values.checklists import ChecklistExtract, ChecklistReport, DocumentAnswers, ItemAnswer
from briefbank.values.records import Document, Passage, SectionKind, Span

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


def fitting_to(checklist: Checklist, generation: Generation) -> Checklist:
    """Return a list without what was fitted with another encoder than that of an index."""
    if checklist.encoder in ("", generation.info.encoder_digest):
        return checklist
    return replace(checklist, items=tuple(replace(each, evidence=None) for each in checklist.items))


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
        UsageError: as `prepared`, or nothing of what an item looks for is left.
        LanguageModelError: the model cannot be used at all.
        CancelledError: asked to stop.
    """
    items = fitting_to(checklist, checked.generation).items
    ready = [(each, prepared(each)) for each in items]
    runner = ChecklistRunner(checked.generation, ready, checked.cautions, chooser)
    total = len(items) * len(checked.documents)
    answered: list[DocumentAnswers] = []
    for document in checked.documents:
        answers = []
        for answer in runner.answers(document):
            answers.append(answer)
            cancel.check()
            done = len(items) * len(answered) + len(answers)
            reporter(Progress("checklist", files_done=done, files_total=total, unit="items"))
        answered.append(DocumentAnswers(document, tuple(answers)))
    return ChecklistReport(
        name=checklist.name,
        items=tuple(each.name for each in items),
        documents=tuple(answered),
        notices=(
            *((_OTHER_ENCODER,) if items != checklist.items else ()),
            *(f"{item.name}: {line}" for item, profile in ready for line in profile.notices),
        ),
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

    def answers(self, document: Document) -> Iterator[ItemAnswer]:
        """Answer one item after the other for one document.

        Raises:
            LanguageModelError: the model cannot be used at all.
            CancelledError: asked to stop.
        """
        return (self._answer(*each) for each in self.scored(document.id))

    def scored(self, document_id: str) -> Iterator[tuple[ChecklistItem, DocumentPassages, Scores, list[int]]]:
        """Yield each item with the passages that it is looked for in, how likely each answers it, and the places of
        those that do.
        """
        read = document_passages(self._generation, document_id)
        for item, evidence, signals in self._items:
            part = read.within(item.sections)
            probabilities = evidence.probabilities(signals.signals(part.rows, part.vectors, part.places))
            yield item, part, probabilities, shown_places(probabilities, evidence.threshold)

    def _answer(
        self, item: ChecklistItem, part: DocumentPassages, probabilities: Scores, shown: list[int]
    ) -> ItemAnswer:
        best = float(probabilities.max(initial=0.0))
        signals = next(signals for each, _, signals in self._items if each is item)
        whole = tuple(self._whole(int(part.rows[at]), part.passages[at], signals) for at in shown)
        if self._chooser is None or not len(part.rows):
            return ItemAnswer(item.name, whole, best)
        read = [
            CutPassage(part.passages[at], self._sentences(int(part.rows[at]), part.passages[at]))
            for at in best_places(probabilities)
        ]
        chosen = self._chooser.choose(item, read)
        if chosen.has_failed:
            note = "The language model gave no usable answer; these are the passages that came closest."
            return ItemAnswer(item.name, whole, best, note=note)
        left_out = f"Read without {chosen.left_out} of the best passages, for which there was no room."
        note = left_out if chosen.left_out else ""
        return ItemAnswer(item.name, self._extracts(chosen.extracts), best, by_model=True, note=note)

    def _whole(self, row: int, passage: Passage, signals: ItemSignals) -> ChecklistExtract:
        text, headings = passage.text, {fold(each) for each in passage.section_path}
        own = [each for each in self._sentences(row, passage) if fold(text[slice(*each)]) not in headings]
        sentence = signals.telling(text, own)
        return ChecklistExtract(passage, Span(0, len(passage.text)), self._cautions(passage), sentence)

    def _extracts(self, found: Sequence[tuple[Passage, Span]]) -> tuple[ChecklistExtract, ...]:
        return tuple(ChecklistExtract(passage, span, self._cautions(passage)) for passage, span in found)

    def _sentences(self, row: int, passage: Passage) -> tuple[Span, ...]:
        surface = self._generation.surface
        if surface is None:  # an older program's generation does not tell where sentences begin
            return (Span(0, len(passage.text)),)
        return tuple(_sentence_spans(surface, row, passage.text))


@dataclass(frozen=True, slots=True)
class DocumentPassages:
    """Passages of a document in its order, with what their signals are made of."""

    rows: Rows
    passages: Sequence[Passage]
    vectors: Vector
    places: Sequence[Places]

    def within(self, sections: Sequence[SectionKind]) -> DocumentPassages:
        """Those in some parts of the document; all but tables, captions and the like where none is named."""
        kinds = [each.section_kind for each in self.passages]
        kept = [kind in sections if sections else kind not in HIDDEN for kind in kinds]
        at: list[int] = np.flatnonzero(kept).tolist()
        return DocumentPassages(
            self.rows[at], [self.passages[each] for each in at], self.vectors[at], [self.places[each] for each in at]
        )


def document_passages(generation: Generation, document_id: str) -> DocumentPassages:
    """Return all passages of a document that is in a generation."""
    number = next(number for number, each in enumerate(generation.documents) if each.id == document_id)
    rows: Rows = np.flatnonzero(generation.dense.columns.document == number)
    passages = generation.dense.passages(rows)
    order = sorted(range(len(rows)), key=lambda at: passages[at].order)
    rows, passages = rows[order], [passages[at] for at in order]
    places = [places_of(each.text) for each in passages]
    return DocumentPassages(rows, passages, generation.dense.vectors(rows), places)


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
