"""The space in which a brief is gone through with a checklist: a list, a brief, and its answers beside their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QVBoxLayout, QWidget

from briefbank.platform.progress import Progress
from briefbank.platform.visible import visible_name
from briefbank.values import (
    ChecklistExtract,
    ChecklistReport,
    ChecklistsOffered,
    ItemAnswer,
    OfferedChecklist,
    PassageInContext,
)
from briefbank.values.records import Document
from ui.bottom_bar import BottomBar
from ui.briefs.table import BriefsModel
from ui.dialogs.asking import ask_where_of
from ui.engine import EngineClient
from ui.findings.checking import CheckingSpace, Words
from ui.findings.finding import Finding, Source
from ui.headings import sentence_case
from ui.plain import PlainLabel
from ui.reading.beside_page import FilterField
from ui.reading.history import Place
from ui.shortcuts import WITH_A_CHECKLIST
from ui.theme import UNIT_PX
from ui.wording import count, day, particulars

NOT_FOUND = "Not found"


def findings_of(report: ChecklistReport) -> tuple[Finding, ...]:
    """Return the lines of a report, item by item in the order of the list."""
    notices = [Finding(f"⚠ {each}", tone="warning") for each in report.notices]
    items = (
        _item(answer, each.document, is_of_file=report.is_of_files)
        for each in report.documents
        for answer in each.answers
    )
    return (*notices, *items)


def summary_of(report: ChecklistReport) -> str:
    """Return to how many items there are words of the brief, for a reader to judge, and to which there are none."""
    answers = [answer for each in report.documents for answer in each.answers]
    missing = [each.item for each in answers if not each.extracts]
    found = f"Words proposed for {len(answers) - len(missing)} of {count(len(answers), 'item')}"
    by_model = f" · sentences chosen by a language model ({report.model})" if report.model else ""
    lacking = f"\n{NOT_FOUND} (no proof that there is nothing): {', '.join(missing)}" if missing else ""
    return f"{found}{by_model}{lacking}"


def brief_lines(documents: Iterable[Document]) -> tuple[Finding, ...]:
    """Return briefs to choose from."""
    return tuple(
        Finding(each.metadata.title.value, f"{day(each.filed)} · {particulars(each)}", document_id=each.id)
        for each in documents
    )


def _item(answer: ItemAnswer, document: Document, *, is_of_file: bool) -> Finding:
    lines = tuple(_extract(each, document, is_of_file=is_of_file) for each in answer.extracts)
    if not lines:
        return Finding(answer.item, " · ".join(filter(None, (NOT_FOUND, answer.note))), tone="muted")
    return Finding(answer.item, answer.note, children=lines)


def _extract(extract: ChecklistExtract, document: Document, *, is_of_file: bool) -> Finding:
    passage = extract.passage
    pages = document.cited_pages(passage.page_first, passage.page_last)
    headings = (sentence_case(each) for each in reversed(passage.section_path[-1:]))
    is_whole = extract.span == (0, len(passage.text))
    return Finding(
        _without_headings(extract),
        " · ".join(filter(None, (pages, *headings, *(f"⚠ {each}" for each in extract.cautions)))),
        passage_id="" if is_of_file else passage.id,
        places=() if is_whole else (extract.span,),
        source=Source(extract.text, document, passage.page_first, passage.page_last),
        cautions=extract.cautions,
    )


def _without_headings(extract: ChecklistExtract) -> str:
    """The words in a line, but for the headings that a passage begins with: these stand below."""
    words = " ".join(extract.text.split())
    for heading in extract.passage.section_path:
        above = " ".join(heading.split())
        if words.casefold().startswith(f"{above.casefold()} "):
            words = words[len(above) + 1 :]
    return words


_WORDS = Words(
    choose="Another &file …",
    export="Sa&ve …",
    close="&Close the answers",
    dialog="Go through a file that is in no bank",
    kinds="Briefs (*.docx *.doc *.pdf *.rtf *.odt *.wpd *.txt *.md);;All files (*)",
    first="",
    stopped="",
    bar="How far the list is gone through",
)
_ASK = "Which brief? A name, a docket, a court, a year"
_NONE = "No brief has all of these words in its title, docket, court, author or file’s name."
_ANOTHER = "A list of your own …"
_LISTS = "Checklists (*.toml)"
_KEPT = "checklists/list"
_KINDS = {".docx": "Word documents (*.docx)", ".csv": "Tables for a spreadsheet (*.csv)"}
_MOST_LISTED = 200
"""Briefs that are listed at once; typing narrows more. Chosen: nobody reads further, and the list is made at once."""
_LINES, _LINES_OF_FILE = 6, 1_000
"""Lines of an answer shown: the page beside it has all of it, which a file in no bank has not."""
_WHICH = "Which list? Choose it above, or press Return for the one that is named there."
_STOPPED = "Stopped."
_RENEWED = "The index was renewed since: go through the brief again."


class ListChoice(QComboBox):
    """Chooses a list; keys and the wheel change nothing before it is open, since a choice goes through the brief."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Open with the keys that would choose another."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.showPopup()
        elif event.text().strip():
            event.accept()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to nobody."""
        event.ignore()


class ChecklistSpace(CheckingSpace):
    """One brief of the bank, or one file in no bank, at a time."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        """Lay out the space and ask for the lists and the briefs."""
        super().__init__(engine, bottom, "checklists", "Briefs, or the answers of one", _WORDS, WITH_A_CHECKLIST)
        self.field = FilterField(self.tree, _ASK)
        self.list = ListChoice()
        self.description = PlainLabel()
        self.with_model = QCheckBox("Have the language model c&hoose the sentences (minutes)")
        self._documents = BriefsModel(self)
        self._offered: dict[str, OfferedChecklist] = {}
        self._chosen: str | Path = ""
        """The id of the brief that is gone through, or a file in no bank; "" while briefs are listed."""
        self._used = ""
        """The list that is used, by its name or its file."""
        self._is_asking = False
        """Whether a brief is chosen that waits for a list."""
        self._lay_out()
        self._tell()
        self.field.textChanged.connect(self._on_typed)
        self.list.activated.connect(self._on_list_chosen)
        self.with_model.toggled.connect(self._again)
        self.setFocusProxy(self.field)

    def load(self) -> None:
        """Ask for the lists and the briefs; answers that are shown stay, and are said to be of an earlier index."""
        self.engine.ask(self.engine.bank.checklists(), self._on_offered, self.tell_load_failed, parent=self)
        self.engine.ask(self.engine.bank.documents(), self._on_documents, self.tell_load_failed, parent=self)
        if self._report:
            self.status.setText(_RENEWED)

    def go_through(self, document_id: str) -> None:
        """Go through a brief of the bank with the list that was used last; ask which where none was used yet."""
        is_own = self._used and self._used not in self._offered
        if is_own or QSettings().contains(_KEPT):
            self._begin(document_id)
        else:
            self._drop_run()
            self._clear(_WHICH)
            self._chosen, self._is_asking = document_id, True
            self.title.setText(self._title())
            self._tell()
            self._offer()

    def check(self, file: Path) -> None:
        """Go through a file that is in no bank."""
        self._begin(file)

    def forget(self) -> None:
        """Close the answers, and list the briefs again."""
        self._chosen, self._is_asking = "", False
        super().forget()

    def end(self, why: str) -> None:
        """List the briefs again, or say why there are no answers."""
        super().end(why)
        if not why:
            self._list()

    def show_report(self, report: ChecklistReport) -> None:
        """Show the answers of the brief; those of a file that is in no bank in full, for no page stands beside them."""
        self.page.setVisible(not report.is_of_files)
        self.tree.set_most_lines(_LINES_OF_FILE if report.is_of_files else _LINES)
        document = report.documents[0].document
        self.title.setText(document.metadata.title.value)
        self.status.setText(summary_of(report))
        self.tree.show_findings(findings_of(report))
        self.tree.select_first_words()
        self.bottom.announce(self.status.text())

    def show_found(self, found: PassageInContext) -> None:
        """Show the passage of an answer, or a brief to choose from its first page."""
        if self._shown and self._shown.document_id:
            self.page.show_document(found.passage, found.document, found.cautions.get(found.passage.id, ()))
        else:
            super().show_found(found)

    def place_of(self, found: PassageInContext) -> Place:
        """Return the place of an answer, or the beginning of a brief to choose."""
        place = super().place_of(found)
        return replace(place, is_whole=True) if self._shown and self._shown.document_id else place

    def progress_text(self, progress: Progress) -> str:
        """Return which item is looked for, or that a file is read."""
        if progress.unit != "items":
            return "Reading the file …"
        return f"{progress.files_done:,} of {count(progress.files_total or 0, 'item')} …"

    def ask_where(self) -> None:
        """Ask where to write the answers, and whether as a Word document or as a table."""
        if self._report and (place := ask_where_of(self, "Save the answers", "Checklist", _KINDS)):
            today = date.today()  # noqa: DTZ011 - the day on the wall
            written = self.engine.bank.write_checklist_report
            self.tell_written(written(self._report, place[0], today, may_replace=place[1]), place[0])

    def cancel(self) -> None:
        """Stop, and list the briefs again."""
        if self._run:
            self.forget()
            self.bottom.tell(_STOPPED)

    def _begin(self, chosen: str | Path) -> None:
        """Go through a brief or file, once the lists are known."""
        self._drop_run()
        self._chosen = chosen
        self.page.show()
        if self._used:
            self._is_asking = False
            if self._used in self._offered:
                QSettings().setValue(_KEPT, self._used)
            document_id, file = ("", chosen) if isinstance(chosen, Path) else (chosen, None)
            with_model = self.with_model.isChecked()
            run = self.engine.bank.run_checklist(
                self._used, document_id, file, with_model=with_model, reporter=self.on_progress
            )
            self.begin(self._title(), run, "Going through the brief …")

    def _again(self) -> None:
        if self._chosen:
            self._begin(self._chosen)

    def _title(self) -> str:
        if isinstance(self._chosen, Path):
            return self._chosen.name
        row = self._documents.row_of(self._chosen)
        return self._documents.document(row).metadata.title.value if row >= 0 else ""

    def _list(self) -> None:
        """List the briefs that have the words typed."""
        model = self._documents
        model.narrow(self.field.text())
        listed = [model.document(row) for row in range(min(model.rowCount(), _MOST_LISTED))]
        more = f", {len(listed):,} listed; type to narrow them" if len(listed) < model.rowCount() else ""
        self.page.show()
        self.tree.set_most_lines(_LINES)
        self.tree.show_findings(brief_lines(listed))
        self.status.setText(f"{count(model.rowCount(), 'brief')}, the newest first{more}")
        self.tell_empty(_NONE if model.total and not listed else "")

    def _on_typed(self) -> None:
        if self._chosen:
            self._drop_run()
            self._chosen, self._is_asking = "", False
            self._clear("")
            self._tell()
        self._list()

    def _on_offered(self, offered: ChecklistsOffered) -> None:
        """Offer the lists, and begin with the one that was used last; go through what was chosen meanwhile."""
        own = [self.list.itemData(row) for row in range(self.list.count())]
        self._offered = {each.name: each for each in offered.lists}
        self.list.clear()
        for each in offered.lists:
            self.list.addItem(visible_name(f"{each.title} ({count(each.item_count, 'item')})"), each.name)
        for path in own:
            if path and path not in self._offered:
                self.list.addItem(visible_name(Path(path).name), path)
        self.list.addItem(_ANOTHER, "")
        self.with_model.setVisible(bool(offered.model))
        was_known = bool(self._used)
        self._use(self._used or str(QSettings().value(_KEPT, "")))
        if self._is_asking:
            self._offer()
        elif self._chosen and not was_known:
            self._again()

    def _offer(self) -> None:
        """Open the lists, for somebody to choose one."""
        if self.list.count():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.showPopup()

    def _use(self, name: str) -> None:
        self.list.setCurrentIndex(max(self.list.findData(name), 0) if name else 0)
        self._used = str(self.list.currentData())
        described = self._offered.get(self._used)
        self.description.setText(described.description if described else "")
        self._tell()

    def _on_list_chosen(self, row: int) -> None:
        chosen = self.list.itemData(row)
        if chosen:
            self._take(chosen)
            return
        self._use(self._used)
        path, _ = QFileDialog.getOpenFileName(self, "A list of your own", "", _LISTS)
        if path:
            if self.list.findData(path) < 0:
                self.list.insertItem(self.list.count() - 1, visible_name(Path(path).name), path)
            self._take(path)

    def _take(self, name: str) -> None:
        """Use a list from now on, and go through what is shown with it."""
        is_other = name != self._used
        self._use(name)
        if name in self._offered:
            QSettings().setValue(_KEPT, name)
        if is_other or self._is_asking:
            self._again()

    def _on_documents(self, documents: Sequence[Document]) -> None:
        self._documents.show_documents(documents)
        if not self._chosen:
            self._list()
        elif self._is_asking:
            self.title.setText(self._title())

    def _on_selected(self, finding: Finding) -> None:
        if finding.document_id:
            self._shown = finding
            self.show_soon(partial(self.engine.bank.first_passage, finding.document_id))
        else:
            super()._on_selected(finding)

    def _on_opened(self, finding: Finding) -> None:
        if finding.document_id:
            self._begin(finding.document_id)
        else:
            super()._on_opened(finding)

    def _tell(self) -> None:
        super()._tell()
        self.title.setVisible(bool(self._chosen))
        self.description.setVisible(bool(self.description.text()))
        self.close_text.setVisible(bool(self._chosen) and not self.is_checking)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(UNIT_PX)
        label = PlainLabel("&List")
        label.setBuddy(self.list)
        self.list.setAccessibleName("List")
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.description.setProperty("tone", "muted")
        for each in (self.description, self.status):
            each.setWordWrap(True)
        self.with_model.hide()
        column.addLayout(self.row_of(label, self.list))
        for widget in (self.description, self.with_model, self.field, self.title, self.status, self.bar):
            column.addWidget(widget)
        column.addWidget(self.tree, 1)
        self.arrange(left, self.tree)
