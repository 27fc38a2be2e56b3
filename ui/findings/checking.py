"""A text that is checked against the bank: chosen, waited for, stopped and closed. Drafts and checklists have one each.

A process of its own reads what is checked, and ends with the check. Of a file neither words nor name are kept anywhere;
what was found is gone when it is closed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QProgressBar, QPushButton, QWidget

from briefbank.errors import CancelledError
from briefbank.platform.processes.child import Answer
from briefbank.platform.progress import Progress
from briefbank.platform.visible import visible_name
from briefbank.values.source_files import SUPPORTED_SUFFIXES
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient, FutureWatcher, deliver
from ui.findings.tree import FindingsTree
from ui.flow import FlowLayout
from ui.plain import ElidedLabel, PlainLabel, set_tool_tip
from ui.reading.list_and_page import ListAndPage
from ui.shortcuts import Key, bind, key
from ui.theme import UNIT_PX
from ui.wording import problem_text


class CheckTexts(NamedTuple):
    """What a space says: on its buttons, above its dialog, where a check was stopped, and of how far it is."""

    choose: str
    export: str
    close: str
    dialog: str
    kind: str
    stopped: str
    bar: str
    progress: Callable[[Progress], str]


class Checking(QObject):
    """One text at a time, whose findings stand in `tree`. Its buttons and lines are for the space to place."""

    file_chosen = Signal(object)
    """The Path of a file that is to be checked in the place of what was checked before."""
    stopped = Signal(str)
    """Somebody stopped a check, or it failed: why, in words."""
    export_requested = Signal()
    close_requested = Signal()
    reported = Signal(object)
    """What was found."""
    ended = Signal(str)
    """Nothing is shown that was found: why, in words, or nothing."""
    changed = Signal()
    """A check began or ended."""

    def __init__(
        self,
        engine: EngineClient,
        bottom: BottomBar,
        space: QWidget,
        tree: FindingsTree,
        status: PlainLabel,
        texts: CheckTexts,
        keys: tuple[Key, ...],
    ) -> None:
        """`status` says what was found, in a line; `keys` are those of `WITH_A_DRAFT`."""
        super().__init__(space)
        self._engine, self._bottom, self._space, self._texts = engine, bottom, space, texts
        self._tree, self._status = tree, status
        self.reading: ListAndPage
        """What the tree stands in, once the space has laid itself out."""
        self.title = ElidedLabel(scale=1.2, is_bold=True)
        self._status.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.choose = QPushButton(texts.choose)
        self.export = QPushButton(texts.export)
        self.close_text = QPushButton(texts.close)
        self.stop = QPushButton("&Stop")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(texts.bar)
        self.bar.setFixedHeight(UNIT_PX)
        self.report: Any = None
        self._run: Answer[Any] | None = None
        self._watcher: FutureWatcher | None = None
        does: dict[str, tuple[QPushButton, Callable[[], object]]] = {
            "choose": (self.choose, self.ask_for_file),
            "stop": (self.stop, self._ask_to_stop),
            "export": (self.export, self.export_requested.emit),
            "close": (self.close_text, self.close_requested.emit),
        }
        for name, (button, do) in does.items():
            set_tool_tip(button, key(name, keys).tip)
            button.clicked.connect(do)
            made = bind(keys, {name: do}, space, Qt.ShortcutContext.WidgetWithChildrenShortcut)
            if name == "stop":
                self._stop_keys = made
        space.setAcceptDrops(True)
        space.installEventFilter(self)

    def _ask_to_stop(self) -> None:
        if self.is_checking:
            self.stopped.emit(self._texts.stopped)

    @property
    def is_checking(self) -> bool:
        return self._run is not None

    def row(self, *before: QWidget) -> FlowLayout:
        """Return a row of what stands before the buttons and of these, in more lines where the window is narrow."""
        row = FlowLayout(spacing_px=UNIT_PX, between_px=UNIT_PX, lines_px=UNIT_PX // 2)
        if before:
            row.add_group(*before)
        row.add_group(self.choose, self.stop, self.export, self.close_text)
        return row

    def ask_for_file(self) -> None:
        """Ask which file to check; not in the system's own dialog, which may list it among recent documents."""
        endings = " ".join(f"*{each}" for each in sorted(SUPPORTED_SUFFIXES))
        dialog = QFileDialog(self._space, self._texts.dialog, "", f"{self._texts.kind} ({endings});;All files (*)")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(partial(_leave, dialog, dialog.directory().path(), dialog.history()))
        dialog.fileSelected.connect(lambda name: self.file_chosen.emit(Path(name)))
        dialog.open()

    def begin(self, title: str, run: Answer[Any], said: str) -> None:
        """Wait for what a run finds, its title above it; nothing of what was checked before is shown meanwhile."""
        self.clear("")
        self.title.setText(title)
        self._run = run
        self._watcher = self._engine.ask(run, self._on_checked, self._on_failed, parent=self)
        self.reading.say_empty(said)
        self.bar.setRange(0, 0)
        self.show_state()
        self.stop.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self, why: str) -> None:
        """Stop, and show nothing that was found, and why."""
        self.drop_run()
        self.clear(why)
        self.show_state()
        if self._space.isVisible():
            self._space.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ended.emit(why)

    def go_back(self, report: Any, show: Callable[[], None]) -> None:
        """Stop, and have what was found before stand again, which `show` lists."""
        self.drop_run()
        self._show(report, show)

    def drop_run(self) -> None:
        """Stop what is being checked, and leave what is shown."""
        if self._run and self._watcher:
            self._watcher.cancel()
            self._run.stop()
        self._run = self._watcher = None

    def clear(self, why: str) -> None:
        self.report = None
        self.title.setText("")
        self._status.setText("")
        self._tree.show_findings(())
        self.reading.say_empty(why)

    def show_state(self) -> None:
        self.stop.setVisible(self.is_checking)
        for shortcut in self._stop_keys:  # else the key could not take away what was typed, or close what finds words
            shortcut.setEnabled(self.is_checking)
        self._status.setVisible(not self.is_checking)
        self.bar.setVisible(self.is_checking)
        for each in (self.export, self.close_text):
            each.setVisible(self.report is not None)
        self.changed.emit()

    def say_written(self, future: Future[None], out: Path) -> None:
        """Say in the bottom line when a report is written, or why it is not."""
        said = f"Written: {visible_name(str(out))}"
        self._engine.ask(future, lambda _: self._bottom.show_message(said), self._bottom.show_problem, parent=self)

    def on_progress(self, progress: Progress) -> None:
        deliver(self, partial(self._on_progressed, progress))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            if file := _dropped(event):
                event.acceptProposedAction()
                if not isinstance(event, QDragEnterEvent):
                    self.file_chosen.emit(file)
            return True
        return super().eventFilter(watched, event)

    def _on_progressed(self, progress: Progress) -> None:
        if self._run:
            self.bar.setRange(0, progress.files_total or 0)
            self.bar.setValue(progress.files_done)
            is_counted = bool(progress.files_total)
            said = self._texts.progress(progress) if is_counted else f"{progress.stage.capitalize()} …"
            self.reading.empty.setText(said)

    def _on_checked(self, report: Any) -> None:
        self._run = None
        self._show(report, partial(self.reported.emit, report))

    def _show(self, report: Any, show: Callable[[], None]) -> None:
        self.report = report
        self.reading.say_empty("")
        show()
        self.show_state()
        if self._space.isVisible():
            self._tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, problem: Exception) -> None:
        self._run = None
        self.stopped.emit(self._texts.stopped if isinstance(problem, CancelledError) else problem_text(problem))


def _leave(dialog: QFileDialog, folder: str, history: list[str], _result: int) -> None:
    """Go back to the folder where a dialog began: Qt keeps in a file of its own where each has been."""
    dialog.setDirectory(folder)
    dialog.setHistory(history)


def _dropped(event: QDropEvent) -> Path | None:
    """The one file of this computer that is dropped."""
    urls = event.mimeData().urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
