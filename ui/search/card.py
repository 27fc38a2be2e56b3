"""One result: what it is and its words in a few lines; while it is selected, why it is here and what can be done.

The best result of a brief says which brief it is; the others stand below it, under their own headings alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from briefbank.judgements.feedback.log import Mark
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.reading import PassageInContext
from briefbank.values.records import Document, Hit, Passage, Span
from briefbank.values.summaries import SummarySource
from ui.clipboard import copy_with_italics
from ui.engine import EngineClient, FutureWatcher
from ui.flow import FlowLayout, column_of, row_of
from ui.plain import ElidedLabel, PlainLabel, button_text, set_tool_tip
from ui.reading.summary import SummaryPanel
from ui.search.card_parts import FlatButton, MarkLabel, Rating, SourceLabel, VerdictButtons, is_copy
from ui.search.excerpt import Excerpt, body_start, rich, shorten
from ui.shortcuts import IN_THE_RESULTS, key
from ui.theme import UNIT_PX, Colours, colours, font
from ui.wording import (
    case_name,
    copy_passage,
    copy_text,
    count,
    day,
    heading,
    particulars,
    place,
    scanned,
    spoken,
    warned_of,
)

if TYPE_CHECKING:
    from ui.search.result_list import ResultList


class NeighbourView(QFrame):
    """Shows a neighbouring passage in whole."""

    copied = Signal()

    def __init__(self, passage: Passage, document: Document, cautions: tuple[str, ...], *, is_before: bool) -> None:
        """Show `passage`, and on which side of the result it stands; `cautions` are copied along with its words."""
        super().__init__()
        self.setObjectName("neighbour")
        self._passage, self._document, self._cautions = passage, document, cautions
        self._scheme = colours()
        side = "Before" if is_before else "After"
        cited = document.cited_pages(passage.page_first, passage.page_last)
        head = PlainLabel(
            f"{side} this passage{', ' if cited else ''}{cited}", scale=0.85, is_bold=True, tone="muted", wraps=True
        )
        self._text = SourceLabel()
        self._text.setFont(font(scale=0.95))
        self._text.setAccessibleName(f"{side}: {passage.text}")
        self._text.copy_requested.connect(self._copy)
        column_of(head, self._text, within=self, spacing_px=2, margins_px=(UNIT_PX, 3, UNIT_PX, 3))
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_copy(event) and self._text.selected:
            self._copy(self._text.selected)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._scheme is not colours():
            self._show()

    def _show(self) -> None:
        text = self._passage.text
        self._scheme = colours()
        self._text.setText(rich(text, (), Span(0, len(text)), self._scheme))

    def _copy(self, words: str) -> None:
        passage = self._passage
        if words:
            text = copy_text(words, self._document, passage.page_first, passage.page_last, self._cautions)
        else:
            text = copy_passage(passage, self._document, self._cautions)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit()


_LINES = 2
"""Of the passage. With them five briefs, one of them selected, are in sight at 1366 by 728 pixels."""
_SAMPLE = "The court held that the search of the car was unlawful because consent had not been given freely. "
_FULL = 0.94
"""How much of a line is filled on average, where words do not break and matched ones are bold."""
_LEAST_CHARS = 80
_STEP_CHARS = 10
"""By how much the room has to change for the excerpt to change."""

_SMALL = 0.92
_INDENT_PX = 11
"""How far the text of a flat button stands from its edge."""
_FIRST_DONE = IN_THE_RESULTS.index(key("open", IN_THE_RESULTS))
_UNDER_PX = 3 * UNIT_PX
"""How far the other passages of a brief stand in."""


class ResultCard(QFrame):
    """Shows one hit of `results`, whose keys act on it, and which tells what is said of it and wished."""

    def __init__(self, engine: EngineClient, summaries: SummarySource, results: ResultList) -> None:
        """Lay out a card; `show_hit` fills it."""
        super().__init__(results.widget())
        self.hit: Hit
        self._engine, self._results = engine, results
        self._is_whole = self._has_context = False
        self._limit = _LEAST_CHARS
        self._cautioned: tuple[str, ...] = ()
        self._scheme: Colours | None = None
        self._neighbours: list[NeighbourView] = []
        self._context_task: FutureWatcher | None = None
        self.controls: list[QWidget] = []
        """What Tab goes through inside the card, but for its summary."""
        self.setObjectName("card")
        self._title = ElidedLabel(scale=1.05, is_bold=True)
        self._new, self._filed = PlainLabel("new", scale=_SMALL, tone="accent"), PlainLabel(tone="muted")
        self._known = ElidedLabel(scale=_SMALL, tone="muted")
        self._path = ElidedLabel(scale=_SMALL)
        self._why = ElidedLabel(scale=_SMALL, tone="muted")
        self._others = self._button("", key("others", IN_THE_RESULTS).tip, lambda: results.toggle_others(self))
        self._others.setProperty("tone", "link")
        self._others.setProperty("inline", "true")
        self._others.setMaximumHeight(self._known.sizeHint().height())
        self._warnings = PlainLabel(wraps=True, scale=_SMALL, tone="warning")
        self._warnings.setObjectName("warnings")
        self._warnings.setContentsMargins(_INDENT_PX, 0, 0, 0)
        self._warned = ElidedLabel(scale=_SMALL, tone="warning")
        self._warned.setObjectName("warned")
        self._warned.setContentsMargins(_INDENT_PX, 0, 0, 0)
        self._siblings = self._button("", "Older briefs with nearly the same passage")
        self._siblings.setProperty("tone", "link")
        self._siblings.setProperty("inline", "true")
        self._siblings.setMenu(QMenu(self._siblings))
        self._siblings.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._text = SourceLabel()
        self._text.setContentsMargins(_INDENT_PX, 0, 0, 0)
        self._text.copy_requested.connect(self._on_copy_requested)
        self._text.clicked.connect(lambda: results.choose(self))
        self.verdict, self.stars = VerdictButtons(), Rating(self)
        self.mark = MarkLabel(self.verdict, self.stars)
        self.verdict.chosen.connect(lambda verdict: results.judged.emit(self, verdict))
        self.stars.chosen.connect(lambda stars: results.rated.emit(self, stars))
        self.summary = SummaryPanel(engine, summaries)
        self.summary.header.setFont(font(scale=_SMALL))
        self.summary.header.setProperty("inline", "true")
        self.summary.generated.connect(lambda model: results.summary_opened.emit(self.hit, model))
        self.summary.grown.connect(lambda: results.show_grown(self.summary))
        self.summary.copied.connect(results.copied)
        self._rows = column_of(within=self, spacing_px=1, margins_px=None)
        self._lay_out()
        self.set_other_count(0)
        self.set_new(is_new=False)
        self.set_selected(is_selected=False)

    def show_hit(self, hit: Hit, *, is_best: bool = True) -> None:
        """Show another result: shortened around its matches, without context or marks, its summary closed.

        One that is not the best of its brief stands in under the one that is, and does not name the brief again.
        """
        self.hit = hit
        self._place = ""
        self._is_whole = self._has_context = False
        self._drop_context()
        self.summary.set_hit(hit)
        self.set_mark(Mark())
        self.mark.set_collected(is_collected=hit.passage.id in self._results.collected)
        passage = hit.passage
        for each in (self._title, self._filed, self._known):
            each.setVisible(is_best)
        self._rows.setContentsMargins(1 + (0 if is_best else _UNDER_PX), 3, 10, 3)
        self._path.setText(heading(passage))
        set_tool_tip(self._path, place(passage))
        self._why.setText(" · ".join(filter(None, (hit.why, scanned(passage)))))
        self._cautioned = tuple(dict.fromkeys(hit.warnings))
        self._show_warnings()
        self._show_document()
        self._show_text()

    def _show_warnings(self) -> None:
        """All of them on the card that is selected, one line on any other."""
        warnings = self._cautioned
        lines = "\n".join(f"⚠ {each}" for each in warnings)
        is_selected = self.property("selected") == "true"
        self._warnings.setText(lines)
        self._warnings.setVisible(is_selected and bool(warnings))
        self._warned.setText(lines if len(warnings) < 2 else warned_of(len(warnings)))
        set_tool_tip(self._warned, lines)
        self._warned.setVisible(not is_selected and bool(warnings))

    def correct(self, document: Document) -> None:
        """Name a document as it was corrected, where it is that of the result or of a near-copy."""
        self.hit = renamed(self.hit, document)
        self._show_document()

    def _show_document(self) -> None:
        document = self.hit.document
        self._title.setText(case_name(document))
        set_tool_tip(self._title, document.metadata.title.value)
        self._filed.setText(day(document.filed))
        self._known.setText(particulars(document))
        self._show_siblings()
        self.set_place(self._place)

    def set_place(self, place: str) -> None:
        self._place = place
        name = spoken(self.hit)
        self.setAccessibleName(f"{place}. {name}" if place else name)

    def set_new(self, *, is_new: bool) -> None:
        """Show whether it came with the last results that were asked for."""
        self.is_new = is_new
        self._new.setVisible(is_new)

    def set_other_count(self, count_: int, *, is_open: bool = False) -> None:
        text = f"− {count(count_, 'other passage')}" if is_open else f"+ {count(count_, 'more passage')}"
        self._others.setText(text)
        self._others.setAccessibleName(
            f"{count(count_, 'more passage')} of this brief, {'shown' if is_open else 'hidden'}"
        )
        self._others.setVisible(bool(count_))

    def fit(self, width_px: int) -> None:
        """Show as much of the passage as its lines hold in a list of that width."""
        metrics = self._text.fontMetrics()
        room_px = max(width_px - self._rows.contentsMargins().left() - 3 * _INDENT_PX, 1)
        chars = int(_LINES * room_px * _FULL * len(_SAMPLE) / metrics.horizontalAdvance(_SAMPLE))
        limit = max(chars // _STEP_CHARS * _STEP_CHARS, _LEAST_CHARS)
        if limit != self._limit:
            self._limit = limit
            if self._scheme and not self._is_whole:
                self._show_text()

    def set_selected(self, *, is_selected: bool) -> None:
        """Show whether it is the one that keys act on; only then are its buttons on the way of Tab."""
        self.setProperty("selected", "true" if is_selected else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self._show_warnings()
        self._actions.setVisible(is_selected)
        self._others.setEnabled(is_selected)
        self.summary.setVisible(is_selected or self.summary.is_open)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_selected else Qt.FocusPolicy.ClickFocus)
        policy = Qt.FocusPolicy.TabFocus if is_selected else Qt.FocusPolicy.NoFocus
        for each in self.controls:
            each.setFocusPolicy(policy)

    def set_mark(self, mark: Mark) -> None:
        """Show what was said of this passage before."""
        self.verdict.set_verdict(mark.is_relevant)
        self.stars.set_stars(mark.stars)

    def toggle_whole(self) -> None:
        self._is_whole = not self._is_whole
        self._show_text()

    def toggle_context(self) -> None:
        self._has_context = not self._has_context
        if self._has_context:
            asked = self._engine.bank.passage(self.hit.passage.id)
            self._context_task = self._engine.ask(asked, self._on_context_loaded, self._on_context_failed, parent=self)
        else:
            self._drop_context()

    def ask_similar(self) -> None:
        self._results.similar_requested.emit(self.hit)

    def copy(self) -> None:
        self._on_copy_requested(self._text.selected)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._scheme not in (None, colours()):
            self._show_text()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select by a click anywhere; when it ends, because what is selected grows and moves what is below."""
        super().mouseReleaseEvent(event)
        if self.rect().contains(event.position().toPoint()):
            self._results.choose(self)

    def _lay_out(self) -> None:
        self._add_row(self._title, self._new, self._filed)
        self._add_row(self._known, self._others)
        self._add_row(self._path, self.mark)
        self._rows.addWidget(self._text)
        self._rows.addWidget(self._warned)
        self._rows.addWidget(self._warnings)
        self._actions = QWidget()
        more = self._button("⋯", "More: what else can be done with this passage, with its keys")
        more.setAccessibleName("More")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more.setMenu(QMenu(more))
        more.menu().aboutToShow.connect(lambda: self._fill(more.menu()))
        self.controls[-1:] = [*self.verdict.buttons.values(), more]
        below = FlowLayout(between_px=UNIT_PX)
        for each in (self.summary.header, self._siblings):
            below.add_group(each)
        row = row_of((self._why, 1), self.verdict, more, spacing_px=2, margins_px=(_INDENT_PX, 0, 0, 0))
        column_of(row, below, within=self._actions, spacing_px=0)
        self._rows.addWidget(self._actions)
        self._rows.addWidget(self.summary)

    def _show_siblings(self) -> None:
        menu = self._siblings.menu()
        menu.clear()
        for each in self.hit.siblings:
            text = button_text(f"{day(each.filed)}   {each.title}")
            menu.addAction(text, partial(self._results.sibling_requested.emit, each.passage_id))
        self._siblings.setText(f"also in {count(len(self.hit.siblings), 'older brief')} ▾")
        self._siblings.setVisible(bool(self.hit.siblings))

    def _fill(self, menu: QMenu) -> None:
        """List what keys do to this card, but for those that go from one to another."""
        menu.clear()
        for each in IN_THE_RESULTS[_FIRST_DONE:]:
            menu.addAction(each.menu_text(each.does.partition(";")[0]), partial(self._results.do, each, self))

    def _button(self, text: str, tip: str, on_clicked: Callable[[], None] | None = None) -> QToolButton:
        made = FlatButton()
        made.setText(text)
        set_tool_tip(made, tip)
        made.setFont(font(scale=_SMALL))
        if on_clicked:
            made.clicked.connect(lambda _checked: on_clicked())
        self.controls.append(made)
        return made

    def _add_row(self, wide: QWidget, *narrow: QWidget) -> None:
        self._rows.addLayout(row_of((wide, 1), *narrow, margins_px=(_INDENT_PX, 0, 0, 0)))

    def _show_text(self) -> None:
        passage, matches, sentence = self.hit.passage, self.hit.matches, self.hit.sentence
        scheme = self._scheme = colours()
        if self._is_whole:
            excerpt = Excerpt(Span(0, len(passage.text)), is_whole=True)
        else:
            start = body_start(passage.text, passage.section_path)
            excerpt = shorten(passage.text, matches, self._limit - len(self._cited), start, sentence)
        is_flat = not self._is_whole
        shown = rich(passage.text, matches, excerpt.span, scheme, is_flat=is_flat, sentence=sentence, page=self._cited)
        self._text.setText(shown)

    @property
    def _cited(self) -> str:
        """The page, as it stands behind the text: its spaces tell it from words of a brief when text is copied."""
        passage = self.hit.passage
        return self.hit.document.cited_pages(passage.page_first, passage.page_last).replace(" ", "\N{NO-BREAK SPACE}")

    def _on_copy_requested(self, words: str) -> None:
        hit, cautions = self.hit, cautions_of_hit(self.hit)
        words = words.removesuffix(self._cited)
        if words:
            copied = copy_text(words, hit.document, hit.passage.page_first, hit.passage.page_last, cautions)
            QGuiApplication.clipboard().setText(copied)
        else:
            copied = copy_passage(hit.passage, hit.document, cautions)
            copy_with_italics(copied, hit.passage, self._engine, self)
        self._results.copied.emit()

    def _on_context_loaded(self, found: PassageInContext) -> None:
        at = self._rows.indexOf(self._text)

        def view(passage: Passage, *, is_before: bool) -> NeighbourView:
            return NeighbourView(passage, found.document, found.cautions.get(passage.id, ()), is_before=is_before)

        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, "The passages around it are shown."))
        for passage in found.before:
            self._add_neighbour(at, view(passage, is_before=True))
            at += 1
        for passage in reversed(found.after):
            self._add_neighbour(at + 1, view(passage, is_before=False))
        self._results.show_grown(self._text)

    def _on_context_failed(self, problem: Exception) -> None:
        self._has_context = False
        self._results.failed.emit(problem)

    def _add_neighbour(self, at: int, view: NeighbourView) -> None:
        view.copied.connect(self._results.copied)
        self._neighbours.append(view)
        self._rows.insertWidget(at, view)

    def _drop_context(self) -> None:
        if self._context_task:
            self._context_task.cancel()
        for each in self._neighbours:
            each.hide()
            self._rows.removeWidget(each)
            each.deleteLater()
        self._neighbours.clear()


def renamed(hit: Hit, document: Document) -> Hit:
    """A result where a document, its own or that of a near-copy, is called otherwise by now."""
    siblings = tuple(
        replace(each, title=document.metadata.title.value, filed=document.filed)
        if each.passage_id.rpartition("-")[0] == document.id
        else each
        for each in hit.siblings
    )
    return replace(hit, document=document if document.id == hit.document.id else hit.document, siblings=siblings)
