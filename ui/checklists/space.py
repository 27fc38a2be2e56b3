"""The space in which a brief is gone through with a checklist: a list, a brief, and its answers beside their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QWidget

from briefbank.platform.visible import visible_name
from briefbank.values.checklists import (
    ChecklistExtract,
    ChecklistReport,
    ChecklistsOffered,
    ItemAnswer,
    OfferedChecklist,
)
from briefbank.values.records import Document, Passage
from ui.bottom_bar import BottomBar
from ui.briefs.table import BriefsModel
from ui.dialogs.asking import ask_where_of
from ui.engine import EngineClient
from ui.findings.actions import FindingActions
from ui.findings.checking import Checking, CheckTexts
from ui.findings.finding import Finding, Source
from ui.findings.tree import FindingsTree
from ui.flow import column_of
from ui.headings import sentence_case
from ui.plain import PlainLabel
from ui.reading.list_and_page import FilterField, ListAndPage, LoadWhenSeen, status_label
from ui.shortcuts import WITH_A_CHECKLIST
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
    """Return how many items have words of the brief, for a reader to judge, and which have none."""
    answers = [answer for each in report.documents for answer in each.answers]
    missing = [each.item for each in answers if not each.extracts]
    found = f"{len(answers) - len(missing)} of {len(answers)} answered"
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
    told = extract.span if is_of_file else extract.told  # of a file in no bank no page is shown beside
    is_whole = told == (0, len(passage.text))
    return Finding(
        _without_headings(passage.text[slice(*told)], passage),
        " · ".join(filter(None, (pages, *headings, *(f"⚠ {each}" for each in extract.cautions)))),
        passage_id="" if is_of_file else passage.id,
        places=() if is_whole else (told,),
        source=Source(extract.text, document, passage.page_first, passage.page_last),
        cautions=extract.cautions,
        tip=extract.text,
    )


def _without_headings(words: str, passage: Passage) -> str:
    """The words in a line, but for the headings that a passage begins with: these stand below."""
    words = " ".join(words.split())
    for heading in passage.section_path:
        above = " ".join(heading.split())
        if words.casefold().startswith(f"{above.casefold()} "):
            words = words[len(above) + 1 :]
    return words


_TEXTS = CheckTexts(
    choose="Another &file …",
    export="Sa&ve …",
    close="&Close the answers",
    dialog="Go through a file that is in no bank",
    kind="Briefs",
    stopped="Stopped.",
    bar="How far the list is gone through",
    progress=lambda each: (
        f"{each.files_done:,} of {count(each.files_total or 0, 'item')} …"
        if each.unit == "items"
        else "Reading the file …"
    ),
)
_ASK = "Which brief? A name, a docket, a court, a year"
_NONE = "No brief has all of these words in its title, docket, court, author or file’s name."
_ANOTHER = "A list of your own …"
_LISTS = "Checklists (*.toml)"
_KEPT = "checklists/list"
_KINDS = {".docx": "Word documents (*.docx)", ".csv": "Tables for a spreadsheet (*.csv)"}
_MOST_LISTED = 200
"""Briefs that are listed at once; typing narrows more. Chosen: nobody reads further, and the list is made at once."""
_LINES, _LINES_OF_FILE = 12, 1_000
"""Lines of an answer shown, more than a sentence takes: the page beside it has all, which a file in no bank has not."""
_WHICH = "Which list? Choose it above, or press Return for the one that is named there."
_RENEWED = "The index was renewed since: go through the brief again."


class ListChoice(QComboBox):
    """Chooses a list; keys and the wheel change nothing before it is open, since a choice goes through the brief."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with the keys that would choose another."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.showPopup()
        elif event.text().strip():
            event.accept()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to nobody."""
        event.ignore()


class ChecklistSpace(QWidget):
    """One brief of the bank, or one file in no bank, at a time."""

    def __init__(self, engine: EngineClient, bottom: BottomBar) -> None:
        super().__init__()
        self._engine, self._bottom = engine, bottom
        self.tree = FindingsTree("Briefs, or the answers of one")
        self.status = status_label()
        self.checking = Checking(engine, bottom, self, self.tree, self.status, _TEXTS, WITH_A_CHECKLIST)
        self.field = FilterField(self.tree, _ASK)
        self.list = ListChoice()
        self.description = PlainLabel(tone="muted", wraps=True)
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
        self.findings = FindingActions(engine, bottom, self.tree, self.splitter)
        self.findings.document_chosen.connect(self._begin)
        self.checking.file_chosen.connect(self._begin)
        self.checking.reported.connect(self._on_reported)
        self.checking.stopped.connect(self._on_stopped)
        self.checking.export_requested.connect(self._ask_where)
        self.checking.close_requested.connect(self._close)
        self.checking.ended.connect(self._on_ended)
        self.checking.changed.connect(self._show_state)
        self.checking.show_state()
        self.field.textChanged.connect(self._on_typed)
        self.list.activated.connect(self._on_list_chosen)
        self.with_model.toggled.connect(self._again)
        self.setFocusProxy(self.field)
        self._loading = LoadWhenSeen(engine, self, self.status, self.load)

    def load(self) -> None:
        """Ask for the lists and the briefs; answers that are shown stay, and are said to be of an earlier index."""
        bank, fail = self._engine.bank, self._loading.fail
        self._engine.ask(bank.checklists(), self._on_offered, fail, parent=self)
        self._engine.ask(bank.documents(), self._on_documents, fail, parent=self)
        if self.checking.report:
            self.status.setText(_RENEWED)

    def go_through(self, document_id: str) -> None:
        """Go through a brief of the bank with the list that was used last; ask which where none was used yet."""
        is_own = self._used and self._used not in self._offered
        if is_own or QSettings().contains(_KEPT):
            self._begin(document_id)
        else:
            self.checking.drop_run()
            self.checking.clear(_WHICH)
            self._chosen, self._is_asking = document_id, True
            self.checking.title.setText(self._title())
            self.checking.show_state()
            self._offer()

    def _close(self) -> None:
        self._chosen, self._is_asking = "", False
        self.checking.end("")

    def _on_stopped(self, why: str) -> None:
        if why == _TEXTS.stopped:
            self._close()
            self._bottom.show_message(why)
        else:
            self.checking.end(why)

    def _on_ended(self, why: str) -> None:
        if not why:
            self._list()

    def _on_reported(self, report: ChecklistReport) -> None:
        """Show the answers of the brief; those of a file that is in no bank in full, for no page stands beside them."""
        self.page.setVisible(not report.is_of_files)
        self.tree.set_most_lines(_LINES_OF_FILE if report.is_of_files else _LINES)
        document = report.documents[0].document
        self.checking.title.setText(document.metadata.title.value)
        self.status.setText(summary_of(report))
        self.tree.show_findings(findings_of(report))
        self.tree.select_first_words()
        self._bottom.announce(self.status.text())

    def _ask_where(self) -> None:
        """Ask where to write the answers, and whether as a Word document or as a table."""
        report = self.checking.report
        if report and (place := ask_where_of(self, "Save the answers", "Checklist", _KINDS)):
            today = date.today()  # noqa: DTZ011 - the day on the wall
            written = self._engine.bank.write_checklist_report(report, place[0], today, may_replace=place[1])
            self.checking.say_written(written, place[0])

    def _begin(self, chosen: str | Path) -> None:
        self.checking.drop_run()
        self._chosen = chosen
        self.page.show()
        if self._used:
            self._is_asking = False
            if self._used in self._offered:
                QSettings().setValue(_KEPT, self._used)
            document_id, file = ("", chosen) if isinstance(chosen, Path) else (chosen, None)
            with_model = self.with_model.isChecked()
            run = self._engine.bank.run_checklist(
                self._used, document_id, file, with_model=with_model, reporter=self.checking.on_progress
            )
            self.checking.begin(self._title(), run, "Going through the brief …")

    def _again(self) -> None:
        if self._chosen:
            self._begin(self._chosen)

    def _title(self) -> str:
        if isinstance(self._chosen, Path):
            return self._chosen.name
        row = self._documents.row_of(self._chosen)
        return self._documents.document(row).metadata.title.value if row >= 0 else ""

    def _list(self) -> None:
        model = self._documents
        model.narrow(self.field.text())
        listed = [model.document(row) for row in range(min(model.rowCount(), _MOST_LISTED))]
        more = f", {len(listed):,} listed; type to narrow them" if len(listed) < model.rowCount() else ""
        self.page.show()
        self.tree.set_most_lines(_LINES)
        self.tree.show_findings(brief_lines(listed))
        self.status.setText(f"{count(model.rowCount(), 'brief')}, the newest first{more}")
        self.splitter.say_empty(_NONE if model.total and not listed else "")

    def _on_typed(self) -> None:
        if self._chosen:
            self.checking.drop_run()
            self._chosen, self._is_asking = "", False
            self.checking.clear("")
            self.checking.show_state()
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
        if self.list.count():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            self.list.showPopup()

    def _use(self, name: str) -> None:
        self.list.setCurrentIndex(max(self.list.findData(name), 0) if name else 0)
        self._used = str(self.list.currentData())
        described = self._offered.get(self._used)
        self.description.setText(described.description if described else "")
        self.checking.show_state()

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
            self.checking.title.setText(self._title())

    def _show_state(self) -> None:
        self.checking.title.setVisible(bool(self._chosen))
        self.description.setVisible(bool(self.description.text()))
        self.checking.close_text.setVisible(bool(self._chosen) and not self.checking.is_checking)

    def _lay_out(self) -> None:
        left = QWidget()
        label = PlainLabel("&List")
        label.setBuddy(self.list)
        self.list.setAccessibleName("List")
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.with_model.hide()
        checking = self.checking
        above = (self.description, self.with_model, self.field, checking.title, self.status, checking.bar)
        column_of(checking.row(label, self.list), *above, (self.tree, 1), within=left)
        self.splitter = checking.reading = ListAndPage(self._engine, self._bottom, left, self.tree, name="checklists")
        self.page, self.empty = self.splitter.page, self.splitter.empty
        column_of(self.splitter, within=self)
