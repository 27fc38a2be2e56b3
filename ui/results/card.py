"""One result: what it is, why it is here, its words, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from briefbank.bands import likely
from briefbank.cautions import cautions_of_hit
from briefbank.judgements.feedback.log import Mark
from briefbank.records import Hit, Passage, Span
from briefbank.reports import PassageInContext, SummarySource
from ui.engine import EngineClient
from ui.flow import FlowLayout
from ui.plain import ElidedLabel, PlainLabel, button_text, set_tool_tip
from ui.results.excerpt import Excerpt, body_start, rich, shorten
from ui.results.judging import Stars, VerdictButtons
from ui.results.labels import FlatButton, SourceLabel
from ui.results.neighbour import NeighbourView
from ui.shortcuts import IN_THE_RESULTS, key
from ui.summary import SummaryPanel
from ui.tasks import FutureWatcher
from ui.theme import UNIT_PX, Colours, colours, font
from ui.wording import copy_passage, copy_text, count, day, particulars, place, scanned, spoken

_EXCERPT_CHARS = 300
_LINKS = {True: "shorten\N{NO-BREAK SPACE}again", False: "whole\N{NO-BREAK SPACE}passage"}
"""Stand behind the text, by whether that is whole; the space tells them from words of a brief when text is copied."""

_SMALL = 0.92
_INDENT_PX = 11
"""How far the text of a flat button stands from its edge."""


class ResultCard(QFrame):
    """Shows one hit. Its keys are the list's; whatever is said of it goes out as a signal."""

    pressed = Signal()
    open_requested = Signal()
    similar_requested = Signal()
    sibling_requested = Signal(str)
    """The id of a near-identical passage."""
    judged = Signal(object)
    rated = Signal(object)
    summary_opened = Signal()
    grown = Signal(QWidget)
    """The part of the card that has to be seen after something was opened."""
    copied = Signal()
    failed = Signal(object)

    def __init__(self, engine: EngineClient, summaries: SummarySource, parent: QWidget | None = None) -> None:
        """Lay out a card; `show_hit` fills it."""
        super().__init__(parent)
        self.hit: Hit
        self._engine = engine
        self._is_whole = self._has_context = False
        self._scheme: Colours | None = None
        self._neighbours: list[NeighbourView] = []
        self._context_task: FutureWatcher | None = None
        self.controls: list[QWidget] = []
        """What Tab goes through inside the card."""
        self.setObjectName("card")
        self._title = _line(font(scale=1.05, is_bold=True))
        self._filed = _fixed(font(is_bold=True))
        self._known = _line(font(scale=_SMALL))
        self._rank = _fixed(font(scale=_SMALL))
        self._path = _line(font(scale=_SMALL), Qt.TextElideMode.ElideMiddle)
        self._why = _line(font(scale=_SMALL))
        for each in (self._rank, self._path, self._why):
            each.setProperty("tone", "muted")
        self._warnings = PlainLabel()
        self._warnings.setObjectName("warnings")
        self._warnings.setWordWrap(True)
        self._warnings.setFont(font(scale=_SMALL))
        self._warnings.setProperty("tone", "warning")
        self._warnings.setContentsMargins(_INDENT_PX, 0, 0, 0)
        self._siblings = self._button("", "Older briefs with nearly the same passage")
        self._siblings.setMenu(QMenu(self._siblings))
        self._siblings.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._text = SourceLabel()
        self._text.setAccessibleName("Passage")
        self._text.setContentsMargins(_INDENT_PX, 0, 0, 0)
        self._text.copy_requested.connect(self._on_copy_requested)
        self._text.linkActivated.connect(lambda _: self.toggle_whole())
        self.verdict, self.stars = VerdictButtons(), Stars()
        self.verdict.chosen.connect(self.judged)
        self.stars.chosen.connect(self.rated)
        self.summary = SummaryPanel(engine, summaries)
        self.summary.opened.connect(self.summary_opened)
        self.summary.grown.connect(lambda: self.grown.emit(self.summary))
        self.summary.copied.connect(self.copied)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(1, 7, 10, 5)
        self._rows.setSpacing(2)
        self._lay_out()
        self.set_selected(is_selected=False)

    def show_hit(self, hit: Hit) -> None:
        """Show another result: shortened around its matches, without context or marks, its summary closed."""
        self.hit = hit
        self._is_whole = self._has_context = False
        self._context_button.setChecked(False)
        self._drop_context()
        self.summary.set_hit(hit)
        self.set_mark(Mark())
        passage, document = hit.passage, hit.document
        cited = document.cited_pages(passage.page_first, passage.page_last)
        ocr = scanned(passage)
        self._title.setText(document.metadata.title.value)
        self._filed.setText(day(document.filed))
        self._known.setText(f"{particulars(document)}{' · ' if cited else ''}{cited}")
        self._rank.setText(f"best match {hit.rank}")
        self._path.setText(place(passage))
        self._why.setText(" · ".join(filter(None, (likely(hit), hit.why, ocr))))
        self._warnings.setText("\n".join(f"⚠ {warning}" for warning in hit.warnings))
        self._warnings.setVisible(bool(hit.warnings))
        self._show_siblings()
        self._show_text()
        self.setAccessibleName(spoken(hit))

    def set_selected(self, *, is_selected: bool) -> None:
        """Show whether it is the one that keys act on; only then are its buttons on the way of Tab."""
        self.setProperty("selected", "true" if is_selected else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_selected else Qt.FocusPolicy.ClickFocus)
        policy = Qt.FocusPolicy.TabFocus if is_selected else Qt.FocusPolicy.NoFocus
        for each in self.controls:
            each.setFocusPolicy(policy)

    @property
    def text_shown(self) -> str:
        """The passage as shown, as rich text."""
        return self._text.text()

    def set_mark(self, mark: Mark) -> None:
        """Show what was said of this passage before."""
        self.verdict.set_verdict(mark.is_relevant)
        self.stars.set_stars(mark.stars)

    def toggle_whole(self) -> None:
        """Show the whole passage, or shorten it again."""
        self._is_whole = not self._is_whole
        self._show_text()

    def toggle_context(self) -> None:
        """Show the passages before and after, or hide them again."""
        self._has_context = not self._has_context
        self._context_button.setChecked(self._has_context)
        if self._has_context:
            asked = self._engine.bank.passage(self.hit.passage.id)
            self._context_task = self._engine.ask(asked, self._on_context_loaded, self._on_context_failed, parent=self)
        else:
            self._drop_context()

    def copy(self) -> None:
        """Copy the words selected, or the passage, with their source."""
        self._on_copy_requested(self._text.selected)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Mark the words in the colours of the scheme that came."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._scheme not in (None, colours()):
            self._show_text()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Select by a click anywhere."""
        self.pressed.emit()
        super().mousePressEvent(event)

    def _lay_out(self) -> None:
        self._add_row(self._title, self._filed)
        self._add_row(self._known, self._rank)
        self._add_row(self._path)
        self._rows.addWidget(self._text)
        self._rows.addWidget(self._warnings)
        origin = FlowLayout(between_px=UNIT_PX)
        origin.setContentsMargins(_INDENT_PX, 0, 0, 0)
        origin.add_group(self._why)
        origin.add_group(self._siblings)
        self._rows.addLayout(origin)
        self._add_actions()
        self._rows.addWidget(self.summary)

    def _show_siblings(self) -> None:
        menu = self._siblings.menu()
        menu.clear()
        for each in self.hit.siblings:
            text = button_text(f"{day(each.filed)}   {each.title}")
            menu.addAction(text, partial(self.sibling_requested.emit, each.passage_id))
        self._siblings.setText(f"also in {count(len(self.hit.siblings), 'older brief')} ▾")
        self._siblings.setVisible(bool(self.hit.siblings))

    def _add_actions(self) -> None:
        to_page = self._button("Page", key("open", IN_THE_RESULTS).tip, self.open_requested.emit)
        copy = self._button("Copy", key("copy", IN_THE_RESULTS).tip, self.copy)
        self._context_button = self._button("Context", key("context", IN_THE_RESULTS).tip, self.toggle_context)
        self._context_button.setCheckable(True)
        similar = self._button("Similar", key("similar", IN_THE_RESULTS).tip, self.similar_requested.emit)
        row = FlowLayout()
        row.add_group(to_page, copy, self._context_button, similar)
        row.add_group(self.verdict, self.stars)
        self.controls += [*self.verdict.buttons.values(), self.stars, *self.summary.findChildren(QToolButton)]
        self._rows.addLayout(row)

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
        row = QHBoxLayout()
        row.setContentsMargins(_INDENT_PX, 0, 0, 0)
        row.setSpacing(UNIT_PX)
        row.addWidget(wide, 1)
        for each in narrow:
            row.addWidget(each)
        self._rows.addLayout(row)

    def _show_text(self) -> None:
        passage = self.hit.passage
        scheme = self._scheme = colours()
        text, matches = passage.text, self.hit.matches
        if self._is_whole:
            excerpt = Excerpt(Span(0, len(text)), is_whole=True)
        else:
            excerpt = shorten(text, matches, _EXCERPT_CHARS, body_start(text, passage.section_path))
        shown = rich(text, matches, excerpt.span, scheme, is_flat=not self._is_whole)
        if not excerpt.is_whole or self._is_whole:
            link = _LINKS[self._is_whole]
            shown += f' <a href="whole" style="color:{scheme.accent}; text-decoration:none;">{link}</a>'
        self._text.setText(shown)

    def _on_copy_requested(self, words: str) -> None:
        hit, cautions = self.hit, cautions_of_hit(self.hit)
        words = words.removesuffix(_LINKS[self._is_whole])
        if words:
            copied = copy_text(words, hit.document, hit.passage.page_first, hit.passage.page_last, cautions)
        else:
            copied = copy_passage(hit.passage, hit.document, cautions)
        QGuiApplication.clipboard().setText(copied)
        self.copied.emit()

    def _on_context_loaded(self, found: PassageInContext) -> None:
        at = self._rows.indexOf(self._text)

        def view(passage: Passage, *, is_before: bool) -> NeighbourView:
            return NeighbourView(passage, found.document, found.cautions.get(passage.id, ()), is_before=is_before)

        for passage in found.before:
            self._add_neighbour(at, view(passage, is_before=True))
            at += 1
        for passage in reversed(found.after):
            self._add_neighbour(at + 1, view(passage, is_before=False))
        self.grown.emit(self._text)

    def _on_context_failed(self, problem: Exception) -> None:
        self._has_context = False
        self._context_button.setChecked(False)
        self.failed.emit(problem)

    def _add_neighbour(self, at: int, view: NeighbourView) -> None:
        view.copied.connect(self.copied)
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


def _line(font_: QFont, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> ElidedLabel:
    made = ElidedLabel(mode)
    made.setFont(font_)
    return made


def _fixed(font_: QFont) -> PlainLabel:
    made = PlainLabel()
    made.setFont(font_)
    return made
