"""The space in which a draft is held against the bank: findings at the left, the draft's own page with their words
marked, and beside it the bank's page that they were held against.

What a person decides is kept in memory until they save the record; nothing is written otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QMessageBox, QPushButton, QWidget

from briefbank.matters.check_record import (
    CheckRecord,
    DecidedFinding,
    Decision,
    EarlierRecord,
    RecordWish,
    carried_over,
)
from briefbank.platform.visible import visible_name
from briefbank.values.authorities import DraftReport
from briefbank.values.record import CaseRecord
from ui.bottom_bar import BottomBar
from ui.dialogs.asking import ask_name, ask_where, ask_where_of
from ui.draft.lines import Show, lines_of, place_of, record_place, summary_of
from ui.engine import EngineClient
from ui.findings.actions import FindingActions, marked_place
from ui.findings.checking import Checking, CheckTexts
from ui.findings.finding import Finding
from ui.findings.tree import FindingsTree
from ui.flow import FlowLayout, column_of
from ui.matters.keeper import MatterKeeper
from ui.plain import set_tool_tip, warning_box
from ui.reading.list_and_page import ListAndPage, LoadWhenSeen, status_label
from ui.shortcuts import IN_A_DRAFT, WITH_A_DRAFT, bind, key
from ui.theme import UNIT_PX

_TEXTS = CheckTexts(
    choose="Check a &draft …",
    export="As &Word …",
    close="&Close",
    dialog="Check a draft",
    kind="Drafts",
    stopped="Stopped. Nothing was kept of the draft.",
    bar="How far the check is",
    progress=lambda each: f"Looking up point {each.files_done + 1:,} of {each.files_total:,} …",
)
_FIRST = (
    "Choose a draft, or drop its file here: yours, the other side’s, or an old one.\n"
    "Word, PDF, RTF or text. It is read into memory; nothing of it is kept."
)
_STANDS = "What was found and decided before stands."
_RENEWED = "The index was renewed since: check the draft again."
_NONE = {
    Show.OPEN: f"Everything is decided. Save the record with {key('save', IN_A_DRAFT).sequences[0]}.",
    Show.MEND: "Nothing is to be mended.",
    Show.REVIEW: "Nothing is to be reviewed.",
    Show.DONE: "Nothing is decided yet.",
    Show.OFFICE: "The office wrote nothing on its points.",
}
_INITIALS = "draft/initials"
_BUTTONS = {"mended": "&Mended", "reviewed": "Re&viewed", "reopen": "&Open", "note": "No&te …"}
_MORE = {"save": "&Save …", "record": "&Record …", "earlier": "&Earlier …"}


class DraftSpace(QWidget):
    """One draft at a time."""

    def __init__(self, engine: EngineClient, bottom: BottomBar, matters: MatterKeeper, log: Path) -> None:
        """`log` is the user's own, of what they opened; the record tells counts of it."""
        super().__init__()
        self._engine, self._bottom, self._matters, self._log = engine, bottom, matters, log
        self.decided: tuple[DecidedFinding, ...] = ()
        self._gone: tuple[DecidedFinding, ...] = ()
        self._earlier = EarlierRecord(None, "")
        self._report: DraftReport | None = None
        """What `decided` is of; it stays while a second check goes on, which may be stopped or fail."""
        self._file: Path | None = None
        self._record: CaseRecord | None = None
        self._begun: tuple[Path | None, CaseRecord | None] = (None, None)
        """The file and the record of the check that goes on."""
        self._is_unsaved = self._is_shown = False
        self.tree = FindingsTree("What the check found")
        self.status = status_label()
        self.show_which = QComboBox()
        self.show_which.setAccessibleName("Which findings are shown")
        for each in Show:
            self.show_which.addItem(each.value, each)
        set_tool_tip(self.show_which, key("filter", IN_A_DRAFT).tip)
        self.checking = checking = Checking(engine, bottom, self, self.tree, self.status, _TEXTS, WITH_A_DRAFT)
        self.buttons = {name: QPushButton(text) for name, text in (_BUTTONS | _MORE).items()}
        above, below = checking.row(), FlowLayout(spacing_px=UNIT_PX, between_px=UNIT_PX, lines_px=UNIT_PX // 2)
        above.add_group(*(self.buttons[name] for name in _MORE))
        below.add_group(*(self.buttons[name] for name in _BUTTONS))
        left = QWidget()
        shown = (self.show_which, (self.tree, 1), below)
        column_of(above, checking.title, self.status, checking.bar, *shown, within=left)
        self.splitter = checking.reading = ListAndPage(engine, bottom, left, self.tree, name="draft")
        self.page, self.empty = self.splitter.page, self.splitter.empty
        self.page.is_of_bank = False
        column_of(self.splitter, within=self)
        self.findings = FindingActions(engine, bottom, self.tree, self.splitter, is_showing=False)
        self._connect()
        self.setFocusProxy(checking.choose)
        self._end(_FIRST)
        self._loading = LoadWhenSeen(engine, self, self.status, self.load)

    def _connect(self) -> None:
        checking = self.checking
        checking.file_chosen.connect(self.check)
        checking.reported.connect(self._on_reported)
        checking.stopped.connect(self._on_stopped)
        checking.export_requested.connect(self._ask_where)
        checking.close_requested.connect(self._close)
        checking.changed.connect(self._show_buttons)
        self.tree.selected.connect(lambda line: self.splitter.do_soon(partial(self._show_page, line)))
        self.tree.opened.connect(self._on_opened)
        self.show_which.currentIndexChanged.connect(self._show_lines)
        does: dict[str, Callable[[], object]] = {
            "next": lambda: self._step(1),
            "previous": lambda: self._step(-1),
            "mended": lambda: self.decide(Decision.MENDED),
            "reviewed": lambda: self.decide(Decision.REVIEWED),
            "reopen": lambda: self.decide(Decision.OPEN),
            "note": self._ask_note,
            "filter": self._show_next,
            "record": self._ask_record,
            "earlier": self._ask_earlier,
            "save": self._ask_to_save,
        }
        for name, button in self.buttons.items():
            set_tool_tip(button, key(name, IN_A_DRAFT).tip)
            button.clicked.connect(does[name])
        of_space = ("record", "earlier", "save")
        within, alone = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WidgetShortcut
        bind(IN_A_DRAFT, {name: does[name] for name in of_space}, self, within)
        bind(IN_A_DRAFT, {name: do for name, do in does.items() if name not in of_space}, self.tree, alone)

    def load(self) -> None:
        """Say of what is shown that it is of an earlier index."""
        self.status.setText(_RENEWED if self.checking.report else "")

    def check(self, file: Path, record: CaseRecord | None = None) -> None:
        """Hold a file against the bank, in the place of what was checked before; of a file of the same name decisions
        are carried over, and the record of the case is the one from before where none is given.
        """
        if self._report and self._report.title == file.name:
            self.checking.drop_run()
        elif self.may_lose_decisions():
            self._end(_FIRST)
        else:
            return
        self._begun = file, record or self._record
        run = self._engine.bank.check_draft(*self._begun, reporter=self.checking.on_progress)
        self.checking.begin(file.name, run, "Reading the draft …")

    def write(self, out: Path, *, may_replace: bool = False) -> None:
        """Write what was found into a Word document, in place of one of that name where that was agreed to."""
        today = date.today()  # noqa: DTZ011 - the day on the wall
        report = self.checking.report
        written = self._engine.bank.write_draft_report(report, out, today, may_replace=may_replace)
        self.checking.say_written(written, out)

    def take_earlier(self, path: Path) -> None:
        """Take the decisions of a record over."""
        read = self._engine.bank.read_check_record(path)
        self._engine.ask(read, self._on_earlier, self._bottom.show_problem, parent=self)

    def decide(self, decision: Decision) -> None:
        """Say what is decided on the finding selected, and go on to the next."""
        initials = str(QSettings().value(_INITIALS, "")) if decision is not Decision.OPEN else ""
        self._change(lambda each: replace(each, decision=decision, initials=initials))
        left = sum(each.decision is Decision.OPEN for each in self.decided)
        self._bottom.announce(f"{decision.value.capitalize()}. {left:,} not decided.")

    def save_record(self, out: Path, *, may_replace: bool = False) -> None:
        """Write the record of the check, a Word document or JSON as its name says."""
        report, matter = self.checking.report, self._matters.current
        wish = RecordWish(
            findings=self.decided,
            checked=date.today(),  # noqa: DTZ011 - the day on the wall
            log=self._log,
            gone=self._gone,
            earlier=self._earlier.sha256,
            notices=self._earlier.told(report.title),
            matter=matter.name if matter else "",
            since=datetime.fromisoformat(matter.made_at).astimezone().date() if matter else None,
        )
        saved = self._engine.bank.save_check_record(report, wish, out, may_replace=may_replace)
        self._engine.ask(saved, partial(self._on_saved, out, self.decided), self._bottom.show_problem, parent=self)

    def may_lose_decisions(self) -> bool:
        """Whether the draft may be closed: no decision would be lost, or somebody gives them up."""
        if not self._is_unsaved:
            return True
        said = "What you decided on this draft is not saved in a record, and will be lost."
        box = warning_box(self, "The record is not saved", said, "")
        box.addButton("Lose it", QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton("Stay", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        box.exec()
        self._is_unsaved = box.clickedButton() is stay
        return not self._is_unsaved

    def _close(self) -> None:
        if self.may_lose_decisions():
            self._end(_FIRST)

    def _end(self, why: str) -> None:
        self._file = self._record = self._report = None
        self._begun, self._earlier = (None, None), EarlierRecord(None, "")
        self.decided, self._gone, self._is_unsaved = (), (), False
        self.checking.end(why)
        self.splitter.beside_left.emit()
        if self._is_shown:
            self._is_shown = False
            self._engine.ask(self._engine.bank.show_others(()), lambda _: None, lambda _: None, parent=self)

    def _on_stopped(self, why: str) -> None:
        """Go back to what was found before, where a second check was stopped or failed."""
        if self._report:
            self.checking.go_back(self._report, self._show_lines)
            self._bottom.show_failure(f"{'Stopped.' if why == _TEXTS.stopped else why} {_STANDS}")
        else:
            self._end(why)

    def _on_reported(self, report: DraftReport) -> None:
        before = (*self.decided, *self._gone) if self._report else None
        sha256 = self._report.sha256 if self._report else ""
        self.decided, self._gone = carried_over(report.findings, report.sha256, before, sha256, report.could_find)
        self._report, (self._file, self._record) = report, self._begun
        self._show_lines()
        shown = self._engine.bank.show_others(report.shown)
        self._engine.ask(shown, self._on_shown, self._bottom.show_problem, parent=self)
        self._bottom.announce(f"The draft is checked. {self.status.text()}")

    def _on_shown(self, _: None) -> None:
        self._is_shown = True
        if self.tree.current:
            self._show_page(self.tree.current)

    def _on_earlier(self, earlier: EarlierRecord) -> None:
        """Decide what is open here as an earlier record did; one that was changed by hand changes nothing."""
        if (report := self._report) is None:
            return
        for each in earlier.told(report.title):
            self._bottom.show_failure(each)
        if known := earlier.record:
            self._earlier = earlier
            findings = [each.finding for each in self.decided]
            before = *known.findings, *known.gone
            there, gone = carried_over(findings, report.sha256, before, known.sha256, report.could_find)
            self.decided = tuple(map(_filled, self.decided, there))
            own = {each.finding.key for each in self._gone}
            self._gone = (*self._gone, *(each for each in gone if each.finding.key not in own))
            if self.checking.report:
                self._show_lines()

    def _on_saved(self, out: Path, saved: tuple[DecidedFinding, ...], record: CheckRecord) -> None:
        if self.decided == saved:  # else something was decided meanwhile
            self._is_unsaved = False
        told = f"Saved: {visible_name(str(out))}"
        self._bottom.show_message(f"{told} · {record.matter}" if record.matter else told)

    def _on_opened(self, line: Finding) -> None:
        """Go to the words in the draft, to the card of an authority, or to what is folded below a heading."""
        if line.key:
            self._show_page(line)
            self.page.view.setFocus(Qt.FocusReason.OtherFocusReason)
        elif line.authority:
            self.findings.card_requested.emit(line.authority, line.authority)
        else:
            index = self.tree.currentIndex()
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _show_page(self, line: Finding) -> None:
        """Show the words in the draft, and beside them what they were held against."""
        report: DraftReport | None = self.checking.report
        decided = next((each.finding for each in self.decided if each.finding.key == line.key), None)
        if report and decided and self._is_shown and (place := place_of(decided, report.shown[0])):
            self.page.go_to(place)
        passages = (each for each in (line, *line.children) if each.passage_id)
        there = next(passages, None)
        if report and there and (place := record_place(there.passage_id, report.shown)):
            self.splitter.beside_requested.emit(place)
        elif there:
            asked = partial(self._engine.bank.passage, there.passage_id)
            self.splitter.show_beside(asked, partial(marked_place, there))
        elif line.key:
            self.splitter.beside_emptied.emit()

    def _show_lines(self) -> None:
        """Show the lines that are chosen, the same place of the list selected as before."""
        report: DraftReport | None = self.checking.report
        show = Show(self.show_which.currentData())
        lines = lines_of(show, report, self.decided, self._gone) if report else ()
        at = self.tree.currentIndex().row()
        self.tree.show_findings(lines)
        self.status.setText(summary_of(report, self.decided) if report else "")
        if report:
            self.splitter.say_empty("" if lines else _NONE[show])
        if lines and at >= 0:
            self.tree.setCurrentIndex(self.tree.rows.index(min(at, len(lines) - 1), 0))
        self._show_buttons()

    def _show_buttons(self) -> None:
        is_there = self.checking.report is not None
        for each in (self.show_which, *self.buttons.values()):
            each.setVisible(is_there)

    def _show_next(self) -> None:
        self.show_which.setCurrentIndex((self.show_which.currentIndex() + 1) % self.show_which.count())
        self._bottom.announce(f"{self.show_which.currentText()}: {len(list(self.tree.findings())):,}")

    def _step(self, by: int) -> None:
        """Go to the next finding, whatever is unfolded between them."""
        index = self.tree.currentIndex()
        at = index.parent().row() if index.parent().isValid() else index.row()
        if (to := self.tree.rows.index(at + by, 0)).isValid():
            self.tree.setCurrentIndex(to)

    def _change(self, change: Callable[[DecidedFinding], DecidedFinding]) -> None:
        line = self.tree.current
        if line and line.key:
            self.decided = tuple(change(each) if each.finding.key == line.key else each for each in self.decided)
            self._is_unsaved = True
            shown = self.tree.currentIndex().row()
            self._show_lines()
            if (now := self.tree.current) and now.key == line.key and self.tree.rows.rowCount() > shown + 1:
                self.tree.setCurrentIndex(self.tree.rows.index(shown + 1, 0))

    def _ask_note(self) -> None:
        line = self.tree.current
        found = [each for each in self.decided if line and each.finding.key == line.key]
        if found:
            note = partial(self._note, found[0].finding.key)
            ask_name(self, "Note", "What is to be known of this finding?", note, found[0].note)

    def _note(self, finding_key: str, note: str) -> None:
        self.decided = tuple(
            replace(each, note=note) if each.finding.key == finding_key else each for each in self.decided
        )
        self._is_unsaved = True
        self._show_lines()

    def _ask_where(self) -> None:
        if self.checking.report and (
            place := ask_where(self, "Save as Word", "Draft check", ".docx", "Word documents (*.docx)")
        ):
            self.write(place[0], may_replace=place[1])

    def _ask_record(self) -> None:
        """Check once more, with the record of the case."""
        if self._file and self.checking.report:
            folder = QFileDialog.getExistingDirectory(self, "The folder of transcripts and appendices")
            if folder:
                self.check(self._file, CaseRecord(Path(folder)))

    def _ask_earlier(self) -> None:
        if self.checking.report:
            kinds = "Records of a check (*.docx *.json)"
            name, _ = QFileDialog.getOpenFileName(self, "An earlier record", "", kinds)
            if name:
                self.take_earlier(Path(name))

    def _ask_to_save(self) -> None:
        """Ask whose decisions these are, where that is not known yet, and where to save them."""
        if not self.checking.report:
            return
        if any(each.decision is not Decision.OPEN and not each.initials for each in self.decided):
            ask_name(self, "Save the record", "Your initials, beside what you decided:", self._sign)
        else:
            self._ask_where_to_save()

    def _sign(self, initials: str) -> None:
        QSettings().setValue(_INITIALS, initials)
        self.decided = tuple(
            replace(each, initials=initials) if each.decision is not Decision.OPEN and not each.initials else each
            for each in self.decided
        )
        self._show_lines()
        self._ask_where_to_save()

    def _ask_where_to_save(self) -> None:
        kinds = {".docx": "Word documents (*.docx)", ".json": "JSON (*.json)"}
        if place := ask_where_of(self, "Save the record", "Record of the check", kinds):
            self.save_record(place[0], may_replace=place[1])


def _filled(here: DecidedFinding, there: DecidedFinding) -> DecidedFinding:
    """What was decided and noted here, and where that is nothing, what an earlier record has."""
    decided = there if here.decision is Decision.OPEN else replace(here, change=there.change)
    return replace(decided, note=here.note or there.note)
