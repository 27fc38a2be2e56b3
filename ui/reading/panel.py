"""The panel beside a list: one passage on its page, with everything that is done with it there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from textwrap import shorten

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from briefbank.platform.visible import visible_name
from briefbank.values.pages import DocumentPages, PageLink, PassageMarks
from briefbank.values.reading import PassageInContext
from briefbank.values.records import Document, PageBox, TextSource
from ui.clipboard import copy_printed, copy_with_italics
from ui.engine import EngineClient, FutureWatcher
from ui.flow import column_of, row_of
from ui.icons import icon
from ui.matters.collecting import Collected
from ui.plain import ElidedLabel, PlainLabel, set_tool_tip
from ui.reading.bars import Notice, PageBar, PageNumbers, PageStates, PassageBar, in_words, tool
from ui.reading.citations import CitedMenu, PageAlerts
from ui.reading.find import DocumentFinder, FindBar, FinderState
from ui.reading.history import History, Place, Position, place_of
from ui.reading.outline import OutlineList
from ui.reading.printing import PrintLine, open_original
from ui.reading.view import Fit, PageView
from ui.shortcuts import ON_THE_PAGE, READING, bind, key
from ui.theme import UNIT_PX, colours
from ui.wording import COPIED, COPIED_ALONE, copy_text, headline

_HEAD = {"back": "←", "forward": "→", "find": "", "outline": "", "beside": ""}
"""The keys that have a button above the page, and what it says; those without words wear a sign."""
_LOADING_MS = 200
"""How long the page before stays in view before "loading" takes its place."""
_ABOVE_HEADING_PT = 18.0
"""What of the page is seen above a heading that was gone to."""
_TITLE_LETTERS = 26
"""As many have room beside the buttons, or the title stands above them: in the largest size of text 17 had, a name."""
_TITLE_SHOWN = 110
"""Characters of what a reference leads to that are shown above the page: about one line."""


class PagePanel(QWidget):
    """One row above the pages (what the document is, where one is in it, what can be done), the outline beside them,
    and below what is done most with the passage. No row while nothing is shown.

    Asks the engine for the pages, the passage's marks and its neighbours.
    """

    passage_requested = Signal(str)
    """The id of the passage before or behind this one, which the user wants to see."""
    message = Signal(str)
    """In words, what a key did, or found nothing to do it with."""
    add_requested = Signal(object)
    """A Collected for the current matter."""
    checklist_requested = Signal(str)
    """The id of the document that is to be gone through with a checklist."""
    two_pages_toggled = Signal(bool)
    """Whether two pages are to stand side by side from now on, which need room."""
    outline_toggled = Signal(bool)
    """Whether somebody wants the headings beside the page, which need room, or no more."""
    beside_toggled = Signal()
    """What is shown is to stay beside, or what is beside is to go."""

    def __init__(self, engine: EngineClient) -> None:
        super().__init__()
        self._engine = engine
        self._head = QWidget(self)
        self.title, self.note = ElidedLabel(parent=self), PlainLabel(parent=self)
        self.back, self.forward, self.find_button, self.headings, self.beside = (
            tool(text, key(name, READING).tip, self) for name, text in _HEAD.items()
        )
        self.bar, self.notice = PageBar(self), Notice(self)
        self.view = PageView(engine, self)
        self.finder = DocumentFinder(engine, self)
        self.find_bar = FindBar(self.finder, lambda: self.view.page, self)
        self.printing = PrintLine(engine, self)
        self.outline = OutlineList(engine, self.view, self)
        self.alerts, self.alert_line = PageAlerts(engine, self.view, self), ElidedLabel(parent=self)
        self.cited = CitedMenu(engine, self.view, self)
        self.states = PageStates(self.view, self)
        self.passage_bar = PassageBar(self)
        self.note.setProperty("tone", "muted")
        self.alert_line.setProperty("tone", "warning")
        self.alert_line.setContentsMargins(UNIT_PX, 0, UNIT_PX, UNIT_PX // 2)
        for each in (self.headings, self.beside):
            each.setCheckable(True)
        self._draw_signs()
        self.is_of_bank = True
        """Whether what it shows may go into a matter, which keeps words of briefs alone."""
        self._shown: Place | None = None
        self._marks: PassageMarks | None = None
        self._hits: tuple[tuple[PageBox, ...], ...] = ()
        self._hit = -1
        self._neighbours = ("", "")
        self._tasks: list[FutureWatcher] = []
        self._page_problem: Exception | None = None
        self._message = ""
        self._is_finding_anew = False
        """Whether nothing was gone to yet since somebody began to look for words."""
        self._history = History()
        self._goal: Position | None = None
        """Where the view goes instead of to the passage: somebody went back to it."""
        self._loading = QTimer(self, singleShot=True, interval=_LOADING_MS)
        self._loading.timeout.connect(self.states.show_loading)
        self._lay_out()
        self._connect()
        self._bind_keys()
        self.clear()

    # --- what is shown ---

    def go_to(self, place: Place) -> None:
        """Show a passage where it stands, or a document from its beginning, unless that is shown already."""
        shown = self._shown
        if shown and self._shows(place.document) and shown.is_whole == place.is_whole:
            if place.is_whole:
                return
            if (shown.passage.id, shown.matches) == (place.passage.id, place.matches):
                self._goal = None
                self._place(is_gliding=True)
                return
        self.show_place(place)

    @property
    def place(self) -> Place | None:
        """What is shown, and how far the reader has scrolled; None where nothing is."""
        position = self.view.position() if self._pages else self._goal
        return replace(self._shown, position=position) if self._shown else None

    def show_place(self, place: Place) -> None:
        """Show what another panel shows."""
        self._leave()
        self._history.visit(place)
        self._show(place)

    def correct(self, document: Document) -> None:
        """Take up what was corrected of a document, so that words are copied with it from now on."""
        self._history.correct(document)
        if self._shown and self._shown.document.id == document.id:
            self._shown = replace(self._shown, document=document)
            self._show_title(document)
            self._update()

    @property
    def is_empty(self) -> bool:
        return self._shown is None

    def clear(self) -> None:
        self._leave()
        self._history.leave_empty()
        self._drop_tasks()
        self._shown = self._page_problem = self._marks = self._goal = None
        self._hits, self._hit, self._neighbours, self._message = (), -1, ("", ""), ""
        self.find_bar.close_find()
        self.alerts.turn_to("")
        self.view.clear()
        self.outline.turn_to(None)
        self.title.setText("")
        self.states.show_empty()
        self._update()

    def go_back(self) -> None:
        self._leave()
        if place := self._history.back():
            self._show(place)

    def go_forward(self) -> None:
        self._leave()
        if place := self._history.forward():
            self._show(place)

    def _shows(self, document: Document) -> bool:
        return self._shown is not None and self._shown.document.id == document.id and self._pages is not None

    def _show(self, place: Place) -> None:
        is_same = self._shows(place.document)
        self._drop_tasks()
        self._shown, self._goal = place, place.position
        self._marks, self._hits, self._hit, self._neighbours, self._message = None, (), -1, ("", ""), ""
        self.view.select_nothing()
        self._show_title(place.document)
        self.finder.turn_to(place.document.id)
        self._update()
        if is_same:
            self._place(is_gliding=True)
        self._load()
        if not is_same:
            self._loading.start()

    def _show_title(self, document: Document) -> None:
        self.title.setText(headline(document))
        set_tool_tip(self.title, document.metadata.title.value)

    def _leave(self) -> None:
        if place := self.place:
            self._history.leave(place)

    def _jump(self, go: Callable[[], None]) -> None:
        """Go somewhere else in the document in such a way that Back leads to where the view was."""
        if place := self.place:
            self._leave()
            self._history.visit(replace(place, position=None))
            self._goal = None
            go()
            self._update()

    def _load(self) -> None:
        """Ask for all that is needed to show the passage; also when its document is shown already, for its file may
        have changed since.
        """
        if not (shown := self._shown):
            return
        document, passage = shown.document, shown.passage
        self._drop_tasks()
        bank, ask = self._engine.bank, partial(self._engine.ask, parent=self)
        self.alerts.turn_to(document.id)
        self._tasks = [
            # Without the first only the way to the neighbours is missing; without the second the hits are not marked,
            # while the outline, which the passage itself knows, stays.
            ask(bank.passage(passage.id, context=1), self._on_context_loaded),
            ask(bank.marks(passage.id, shown.matches), self._on_marks_found),
            ask(bank.document_pages(document.id), self._on_pages_loaded, self._on_failed),
        ]

    def _drop_tasks(self) -> None:
        self._loading.stop()
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    def _on_pages_loaded(self, pages: DocumentPages) -> None:
        self._loading.stop()
        self.states.show_view()
        if pages != self.view.pages:
            self._page_problem = None
            self.view.show_pages(pages)
            self.outline.turn_to(pages)
            self._place(is_gliding=False)
        self._update()

    def _on_failed(self, problem: Exception) -> None:
        self._loading.stop()
        self.view.clear()
        self.outline.turn_to(None)
        self.states.show_failure(*in_words(problem))
        self._update()

    def _on_marks_found(self, marks: PassageMarks) -> None:
        passage = self._shown.passage if self._shown else None
        if passage and any(place.box.y1 > place.box.y0 for place in passage.boxes) and marks.outline != passage.boxes:
            return  # the index was renewed since, and its passage of this id stands elsewhere
        self._marks = marks
        self._hits = tuple(hit for hit in marks.matches if hit)
        self._hit = 0 if self._hits else -1
        self._place(is_gliding=True)
        self._update()

    def _on_context_loaded(self, context: PassageInContext) -> None:
        before, after = context.before, context.after
        self._neighbours = (before[-1].id if before else "", after[0].id if after else "")
        if self._shown and context.passage.text == self._shown.passage.text:
            # Else the index was renewed since, and what is known of its passage of this id says nothing of this one.
            cautions = context.cautions.get(context.passage.id, ())
            self._shown = replace(self._shown, cautions=cautions)
        self._update()

    def _place(self, *, is_gliding: bool) -> None:
        """Bring the passage into view, by the boxes that it carries until its marks are there; then its first hit.

        Where somebody went back to, the view goes to what was seen there instead, once.
        """
        if not self._shown or not self._pages:
            return
        outline = self._mark()
        self.outline.mark("" if self._shown.is_whole else self._shown.passage.id)
        if self._goal:
            self.view.go_to_position(self._goal)
            self._goal = None if self._marks else self._goal
            return
        if not self.view.is_reached(outline):
            self.view.go_to_boxes(outline, is_gliding=is_gliding)
        if self._hits and not self.view.is_reached(self._hits[0]):
            self.view.go_to_boxes(self._hits[0], is_gliding=is_gliding)

    def _mark(self) -> tuple[PageBox, ...]:
        """Outline the passage, and mark what was found in the document or else the passage's hits."""
        if not self._shown or not self._pages:
            return ()
        carried = self._shown.passage.boxes if self._pages.has_own_pages else ()
        outline = self._marks.outline if self._marks else carried
        if self._shown.is_whole:
            outline = ()
        if self.finder.state in (FinderState.WORDS, FinderState.NOTHING):
            self.view.set_marks(outline, self.finder.boxes, self.finder.current)
        else:
            self.view.set_marks(outline, self._hits, self._hit)
        return outline

    @property
    def _pages(self) -> DocumentPages | None:
        """The pages in view, unless they are still those of the document before."""
        pages = self.view.pages
        return pages if pages and self._shown and pages.document.id == self._shown.document.id else None

    # --- finding, and going to a heading ---

    def open_find(self) -> None:
        if self._shown:
            self._is_finding_anew = True
            self.find_bar.open()

    def toggle_outline(self) -> None:
        """Open the headings of the document and go to them, or close them."""
        if is_opening := self.outline.count() > 0 and not self.outline.is_open:
            self.outline_toggled.emit(is_opening)  # first, for it closes again when its room is taken away
        self.outline.toggle()
        if self.outline.is_open:
            self.outline.take_focus()
        else:
            self.outline_toggled.emit(is_opening)
            self._take_focus()

    def place_outline(self, column: QSplitter | None) -> None:
        """Have the headings stand at the end of a column of the window, or beside the page."""
        is_open = self.outline.is_open
        self.outline.set_in_column(is_in=column is not None)
        if column:
            column.addWidget(self.outline)
        else:
            self._middle.insertWidget(0, self.outline)
            self.outline.set_room(self.width(), self.view.across)
        self.outline.setVisible(is_open)

    def toggle_two_pages(self) -> None:
        across = 1 if self.view.across > 1 else 2
        self.two_pages_toggled.emit(across > 1)
        self.outline.set_room(self.width(), across)
        self.view.set_across(across)

    def set_reading_keys(self, *, is_on: bool) -> None:
        """Take the keys for reading, or leave them to another panel in the window."""
        for each in self._reading_keys:
            each.setEnabled(is_on)

    def _on_heading_chosen(self, place: PageBox) -> None:
        above = Position(place.page, place.box.y0 - _ABOVE_HEADING_PT)
        self._jump(lambda: self.view.go_to_position(above))
        self._take_focus()

    def _follow(self, link: PageLink) -> None:
        """Go to what a place on a page leads to; Back leads to where it was followed."""
        above = Position(link.page, max(0.0, link.down_pt - _ABOVE_HEADING_PT))
        self._jump(lambda: self.view.go_to_position(above) if link.down_pt else self.view.go_to_page(link.page))

    def _step_reference(self, step: int) -> None:
        """Choose a reference on the pages in view, and say where it leads."""
        link = self.view.step_reference(step)
        followed = key("follow", ON_THE_PAGE).sequences[0]
        title = shorten(visible_name(link.title), _TITLE_SHOWN, placeholder=" …") if link else ""
        self._show_notice(f"{followed} leads to: {title}" if link else "")
        if not link:
            self.message.emit("Nothing that can be seen here refers to another place of this brief.")

    def _follow_reference(self) -> None:
        self._message = ""
        self.view.follow_reference()

    def _take_focus(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the finding with the key that drops a selection, where nothing is selected."""
        if event.key() == Qt.Key.Key_Escape and self.find_bar.isVisible():
            self.find_bar.close_find()
        else:
            super().keyPressEvent(event)

    def _on_found(self) -> None:
        self._mark()
        self._update()

    def _on_reached(self, boxes: tuple[PageBox, ...]) -> None:
        """Go to what was found; Back leads to where somebody began to look."""
        if self.view.is_reached(boxes):
            return
        if self._is_finding_anew:
            self._is_finding_anew = False
            self._jump(lambda: self.view.go_to_boxes(boxes))
        else:
            self.view.go_to_boxes(boxes)

    # --- what is done ---

    def show_cited(self, at: QPoint | None = None) -> None:
        """Open the menu of a place of the page, or of the page in view: what is cited there, and what can be done."""
        if self._shown and self._pages:
            commands = (
                ("Copy with its source", self.copy_with_source),
                ("Add to matter", self.add),
                ("Go through this brief with a checklist", self.ask_checklist),
            )
            self.cited.ask(self._shown.document.id, commands if at else (), at)

    def ask_checklist(self) -> None:
        if self._shown:
            self.checklist_requested.emit(self._shown.document.id)

    def step_hit(self, step: int) -> None:
        """Go to the next hit, or to the one before: of what was looked for in the document, else of the passage."""
        if self.finder.state is not FinderState.NOTHING_ASKED:
            self.finder.step(step)
            return
        if not self._hits:
            return
        self._hit = (self._hit + step) % len(self._hits)
        self.view.set_marks(self.view.outline, self._hits, self._hit)
        if not self.view.is_reached(self._hits[self._hit]):
            self.view.go_to_boxes(self._hits[self._hit])
        self._update()

    def copy(self) -> None:
        text = self._copyable()
        if text:
            copy_printed(text, self.view.selection.printed(text))
            self.message.emit(COPIED_ALONE)

    def copy_with_source(self) -> None:
        """Copy what is selected with its source, or the whole passage where nothing is."""
        if not (shown := self._shown):
            return
        document, passage = shown.document, shown.passage
        selected = self.view.selection.selected if self._pages else None
        if selected is None and shown.is_whole:
            self._show_notice("Select the words that you want to copy first.")
        elif selected is None:
            text = copy_text(passage.text, document, passage.page_first, passage.page_last, shown.cautions)
            copy_with_italics(text, passage, self._engine, self)
            self.message.emit(COPIED)
        elif text := self._copyable().strip():
            cautions = self.alerts.of_selection(self.view.loader.texts, shown.cautions)
            copied = copy_text(text, document, selected.start.page, selected.end.page, cautions)
            copy_printed(copied, self.view.selection.printed(text))
            self.message.emit(COPIED)

    def add(self) -> None:
        """Hand over what is selected, or the whole passage where nothing is, for a matter."""
        if not (shown := self._shown):
            return
        document, passage = shown.document, shown.passage
        selected = self.view.selection.selected if self._pages else None
        if not self.is_of_bank:
            self._show_notice("This file is in no bank: its words can be copied, not kept.")
        elif selected is None and shown.is_whole:
            self._show_notice("Select the words that you want to add first.")
        elif selected is None:
            self.add_requested.emit(Collected(passage, document, shown.cautions))
        elif words := self._copyable().strip():
            cautions = self.alerts.of_selection(self.view.loader.texts, shown.cautions)
            ends = selected.start.page, selected.end.page
            self.add_requested.emit(
                Collected(passage, document, cautions, words, ends, self.view.selection.printed(words))
            )

    def open_original(self) -> None:
        if self._shown:
            is_filed = self._pages is not None and self._pages.has_own_pages
            page = max(1, self.view.page) if is_filed else self._shown.passage.page_first
            document = self._shown.document

            def show(may_open: bool) -> None:  # noqa: FBT001 - the bank's answer
                if may_open:
                    open_original(document, page, self._show_notice, self)
                else:
                    self._show_notice("Files of briefs are not opened on this computer; IT staff can allow it.")

            self._engine.ask(self._engine.bank.may_open(document.source_path), show, parent=self)

    def print_pages(self) -> None:
        if self._pages:
            self.printing.ask(self._pages, self.view.page)

    def _copyable(self) -> str:
        text = self.view.selection.text()
        if text is None:
            self._show_notice("The words of these pages are still on their way: copy again in a moment.")
        return text or ""

    def _show_notice(self, text: str) -> None:
        self._message = text
        self._update()

    def _on_page_failed(self, problem: Exception | None) -> None:
        self._page_problem = problem
        self._update()

    def _on_notice_pressed(self) -> None:
        if self._page_problem:
            self.view.retry()
        else:
            self._show_notice("")

    # --- what is told ---

    def _update(self) -> None:
        pages, view = self._pages, self.view
        numbers = (
            PageNumbers(len(pages.sizes), pages.document.page_runs, pages.has_own_pages) if pages else PageNumbers()
        )
        self.bar.show_page(view.page, numbers)
        self._place_title()
        is_hit_shown = bool(self._shown and self._shown.matches) and self.finder.state is FinderState.NOTHING_ASKED
        self.bar.show_hit(self._hit, len(self._hits) if self._marks else None, is_shown=is_hit_shown)
        self.bar.show_zoom(view.zoom if view.pages else 0, view.fit, view.across)
        self.back.setEnabled(self._history.can_go_back)
        self.forward.setEnabled(self._history.can_go_forward)
        self.find_button.setEnabled(self._shown is not None)
        closes = self.beside.isChecked() or not self.beside.isCheckable()
        self.beside.setEnabled(closes or self._shown is not None)
        self.bar.print.setEnabled(pages is not None)
        self.headings.setChecked(self.outline.is_open)
        self.headings.setEnabled(self.outline.count() > 0)
        self.bar.previous.setEnabled(bool(self._neighbours[0]))
        self.bar.next.setEnabled(bool(self._neighbours[1]))
        for each in (self.passage_bar.copy, self.passage_bar.add, self.bar.original, self.bar.checklist):
            each.setEnabled(self._shown is not None)
        for row in (self._head, self._below):
            row.setVisible(self._shown is not None)
        self.note.setText(self._page_note())
        self._update_notice()
        self.alert_line.setVisible(bool(pages and self.alerts.marks))
        self.alert_line.setText(self.alerts.describe(view.row))
        if pages:
            view.setAccessibleName(f"{numbers.spoken(view.page)}, {self.title.text()}")
            spoken = (
                *self.alerts.on_pages(view.row),
                self.note.text(),
                self._shown.passage.text if self._shown else "",
            )
            view.setAccessibleDescription(". ".join(filter(None, spoken)))
        else:
            view.setAccessibleName("Page")
            view.setAccessibleDescription("")

    def _update_notice(self) -> None:
        pages = self._pages
        if self._page_problem and pages:
            self.notice.show_text(" ".join(in_words(self._page_problem)), "Try again")
        elif self._message:
            self.notice.show_text(self._message, "Close")
        else:
            warning = pages.warning if pages and pages.has_own_pages else ""
            self.notice.show_text(" ".join(filter(None, (warning, self._shown.document.note if self._shown else ""))))

    def _page_note(self) -> str:
        if self._pages and not self._pages.has_own_pages:
            return "no pages of its own"
        found = (self.view.loader.texts.get(number) for number in self.view.row if self._pages)
        known = [text for text in found if text]
        if any(text.source is TextSource.UNSEEN for text in known):
            return "scanned, its words not read from the picture"
        scanned = [text for text in known if text.source is TextSource.OCR]
        sure = [text.ocr_confidence for text in scanned if text.ocr_confidence is not None]
        return f"scanned, OCR {100 * min(sure):.0f} % sure" if sure else "scanned" if scanned else ""

    # --- how it is put together ---

    def _lay_out(self) -> None:
        tools = (self.bar, self.find_button, self.headings, self.beside, self.bar.more)
        margins = (UNIT_PX // 2, 2, UNIT_PX // 2, 2)
        places = (self.back, self.forward, (self.title, 1), 0)
        self._tools = row_of(*places, *tools, spacing_px=2)
        self._rows = column_of(self._tools, within=self._head, spacing_px=2, margins_px=margins)
        above = (self._head, self.alert_line, self.find_bar, self.notice, self.printing)
        self._middle = row_of(self.outline, (self.states, 1), spacing_px=0)
        self._below = QWidget(self)
        row_of((self.passage_bar, 1), self.note, within=self._below, margins_px=(0, 0, UNIT_PX, 0))
        column_of(*above, (self._middle, 1), self._below, within=self, spacing_px=0)

    def _draw_signs(self) -> None:
        for name, button in (("search", self.find_button), ("outline", self.headings), ("beside", self.beside)):
            if not button.text():
                button.setIcon(icon(name, colours().text))
                button.setIconSize(QSize(1, 1) * self.fontMetrics().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw_signs()

    def _connect(self) -> None:
        bar, view, below = self.bar, self.view, self.passage_bar
        bar.page_turned.connect(view.turn)
        bar.two_pages_asked.connect(self.toggle_two_pages)
        bar.page_entered.connect(lambda page: self._jump(lambda: view.go_to_page(page)))
        bar.hit_stepped.connect(self.step_hit)
        bar.zoom_stepped.connect(view.zoom_by)
        bar.whole_zoom_asked.connect(lambda: view.set_zoom(1.0))
        bar.fit_asked.connect(view.set_fit)
        view.page_changed.connect(self._update)
        view.zoom_changed.connect(self._update)
        view.failed.connect(self._on_page_failed)
        view.link_followed.connect(self._follow)
        view.menu_asked.connect(self.show_cited)
        view.loader.text_came.connect(self._update)
        bar.previous.triggered.connect(lambda: self.passage_requested.emit(self._neighbours[0]))
        bar.next.triggered.connect(lambda: self.passage_requested.emit(self._neighbours[1]))
        below.copy.clicked.connect(self.copy_with_source)
        below.add.clicked.connect(self.add)
        bar.original.triggered.connect(self.open_original)
        bar.checklist.triggered.connect(self.ask_checklist)
        self.notice.pressed.connect(self._on_notice_pressed)
        self.back.clicked.connect(self.go_back)
        self.forward.clicked.connect(self.go_forward)
        self.find_button.clicked.connect(self.open_find)
        self.headings.clicked.connect(self.toggle_outline)
        self.beside.clicked.connect(self.beside_toggled)
        self.beside.toggled.connect(self._update)
        bar.print.triggered.connect(self.print_pages)
        self.find_bar.left.connect(self._take_focus)
        self.outline.left.connect(self._take_focus)
        self.outline.chosen.connect(self._on_heading_chosen)
        self.outline.changed.connect(self._update)
        self.alerts.changed.connect(self._update)
        self.finder.changed.connect(self._on_found)
        self.finder.reached.connect(self._on_reached)
        self.finder.passage_reached.connect(lambda hit: self.go_to(place_of(hit)))
        self.states.retried.connect(self._load)
        self._engine.corrected.connect(self.correct)

    def _bind_keys(self) -> None:
        """Keys of the page work on the page, those for reading wherever the keyboard is while this panel is seen."""
        view = self.view
        on_the_page = {
            "next-page": lambda: view.turn(1),
            "previous-page": lambda: view.turn(-1),
            "two-pages": self.toggle_two_pages,
            "zoom-in": lambda: view.zoom_by(1),
            "zoom-out": lambda: view.zoom_by(-1),
            "zoom-fit": lambda: view.set_fit(Fit.WIDTH),
            "reference": lambda: self._step_reference(1),
            "reference-before": lambda: self._step_reference(-1),
            "follow": self._follow_reference,
            "select-page": view.select_page,
            "copy": self.copy,
            "copy-source": self.copy_with_source,
            "add": self.add,
        }
        reading = {
            "find": self.open_find,
            "next-hit": lambda: self.step_hit(1),
            "previous-hit": lambda: self.step_hit(-1),
            "outline": self.toggle_outline,
            "cited": self.show_cited,
            "checklist": self.ask_checklist,
            "beside": self.beside_toggled.emit,
            "print": self.print_pages,
            "back": self.go_back,
            "forward": self.go_forward,
        }
        bind(ON_THE_PAGE, on_the_page, view, Qt.ShortcutContext.WidgetShortcut)
        self._reading_keys = bind(READING, reading, self, Qt.ShortcutContext.WindowShortcut)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.outline.set_room(self.width(), self.view.across)
        self._place_title()

    def _place_title(self) -> None:
        """Have the title stand beside the buttons, or above them where these leave it no room."""
        needed = _TITLE_LETTERS * self.title.fontMetrics().averageCharWidth()
        is_above = self.width() - self._tools.minimumSize().width() < needed
        if is_above != (self._rows.indexOf(self.title) >= 0):
            self._rows.removeWidget(self.title)
            self._tools.removeWidget(self.title)
            if is_above:
                self._rows.insertWidget(0, self.title)
            else:
                self._tools.insertWidget(2, self.title, 1)
