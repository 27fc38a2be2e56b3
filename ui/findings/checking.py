"""A text that is checked against the bank: chosen, waited for, stopped, read, saved and closed. What the spaces of
drafts and of checklists have in common.

A process of its own reads what is checked, and ends with the check. Of a file neither words nor name are kept anywhere;
what was found is gone when it is closed.
"""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QProgressBar, QPushButton, QWidget

from briefbank.errors import CancelledError
from briefbank.platform.processes.supervisor import Answer
from briefbank.platform.progress import Progress
from briefbank.platform.visible import visible_name
from ui.bottom_bar import BottomBar
from ui.engine import EngineClient
from ui.findings.space import FindingsSpace
from ui.flow import FlowLayout
from ui.plain import ElidedLabel, set_tool_tip
from ui.shortcuts import Key, bind, key
from ui.tasks import FutureWatcher, deliver
from ui.theme import UNIT_PX, font
from ui.wording import problem_text


class Words(NamedTuple):
    """What a space says: on its buttons, above its dialog, in place of what is found, and of how far a check is."""

    choose: str
    export: str
    close: str
    dialog: str
    kinds: str
    first: str
    stopped: str
    bar: str


class CheckingSpace(FindingsSpace):
    """One text at a time."""

    def __init__(
        self, engine: EngineClient, bottom: BottomBar, name: str, tree_name: str, words: Words, keys: tuple[Key, ...]
    ) -> None:
        """Make the parts; `keys` are those of `WITH_A_DRAFT`, whoever inherits arranges them."""
        super().__init__(engine, bottom, name, tree_name)
        self.title = ElidedLabel()
        self.title.setFont(font(scale=1.2, is_bold=True))
        self.status.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.choose = QPushButton(words.choose)
        self.export = QPushButton(words.export)
        self.close_text = QPushButton(words.close)
        self.stop = QPushButton("&Stop")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(words.bar)
        self.bar.setFixedHeight(UNIT_PX)
        self._words, self._keys = words, keys
        self._run: Answer[Any] | None = None
        self._watcher: FutureWatcher | None = None
        self._report: Any = None
        self.choose.clicked.connect(self.ask_for_file)
        self.stop.clicked.connect(self.cancel)
        self.export.clicked.connect(self.ask_where)
        self.close_text.clicked.connect(self.forget)
        does = {"choose": self.ask_for_file, "export": self.ask_where, "close": self.forget}
        bind(keys, does, self, Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._stop_keys = bind(keys, {"stop": self.cancel}, self, Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.setAcceptDrops(True)

    @property
    def is_checking(self) -> bool:
        """Whether a text is being checked."""
        return self._run is not None

    def check(self, file: Path) -> None:
        """Check a file in the place of what was checked before. Whoever inherits does."""
        raise NotImplementedError

    def show_report(self, report: Any) -> None:
        """Show what was found. Whoever inherits does."""
        raise NotImplementedError

    def progress_text(self, progress: Progress) -> str:
        """Return how far the check is. Whoever inherits does."""
        raise NotImplementedError

    def ask_where(self) -> None:
        """Ask where to write what was found. Whoever inherits does."""
        raise NotImplementedError

    def ask_for_file(self) -> None:
        """Ask which file to check; not in the system's own dialog, which may list it among recent documents."""
        dialog = QFileDialog(self, self._words.dialog, "", self._words.kinds)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(partial(_leave, dialog, dialog.directory().path(), dialog.history()))
        dialog.fileSelected.connect(lambda name: self.check(Path(name)))
        dialog.open()

    def begin(self, title: str, run: Answer[Any], said: str) -> None:
        """Wait for what a run finds, its title above it; nothing of what was checked before is shown meanwhile."""
        self._clear("")
        self.title.setText(title)
        self._run = run
        self._watcher = self.engine.ask(run, self._on_checked, self._on_failed, parent=self)
        self.tell_empty(said)
        self.bar.setRange(0, 0)
        self._tell()
        self.stop.setFocus(Qt.FocusReason.OtherFocusReason)

    def cancel(self) -> None:
        """Stop checking."""
        if self._run:
            self._drop_run()
            self.end(self._words.stopped)

    def forget(self) -> None:
        """Close the text: nothing that was found of it is left."""
        self._drop_run()
        self.end(self._words.first)

    def end(self, why: str) -> None:
        """Show nothing that was found, and why."""
        self._clear(why)
        self._tell()
        if self.isVisible():
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell_written(self, future: Future[None], out: Path) -> None:
        """Say in the bottom line when a report is written, or why it is not."""
        said = f"Written: {visible_name(str(out))}"
        self.engine.ask(future, lambda _: self.bottom.tell(said), self.tell_failure, parent=self)

    def on_progress(self, progress: Progress) -> None:
        """Bring a report of progress to the window's thread."""
        deliver(self, partial(self._on_progressed, progress))

    def row_of(self, *before: QWidget) -> FlowLayout:
        """Return a row of what stands before the buttons and of these, in more lines where the window is narrow."""
        row = FlowLayout(spacing_px=UNIT_PX, between_px=UNIT_PX, lines_px=UNIT_PX // 2)
        for button, name in (
            (self.choose, "choose"),
            (self.stop, "stop"),
            (self.export, "export"),
            (self.close_text, "close"),
        ):
            set_tool_tip(button, key(name, self._keys).tip)
        if before:
            row.add_group(*before)
        row.add_group(self.choose, self.stop, self.export, self.close_text)
        return row

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Take one file."""
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Check what was dropped."""
        if file := _dropped(event):
            event.acceptProposedAction()
            self.check(file)

    def _drop_run(self) -> None:
        if self._run and self._watcher:
            self._watcher.cancel()
            self._run.stop()
        self._run = self._watcher = None

    def _on_progressed(self, progress: Progress) -> None:
        if self._run and progress.files_total:
            self.bar.setRange(0, progress.files_total)
            self.bar.setValue(progress.files_done)
            self.empty.setText(self.progress_text(progress))

    def _on_checked(self, report: Any) -> None:
        self._run, self._report = None, report
        self.tell_empty("")
        self.show_report(report)
        self._tell()
        if self.isVisible():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, problem: Exception) -> None:
        self._run = None
        self.end(self._words.stopped if isinstance(problem, CancelledError) else problem_text(problem))

    def _clear(self, why: str) -> None:
        self._report = None
        self.title.setText("")
        self.status.setText("")
        self.tree.show_findings(())
        self.tell_empty(why)

    def _tell(self) -> None:
        self.stop.setVisible(self.is_checking)
        for shortcut in self._stop_keys:  # else the key could not take away what was typed, or close what finds words
            shortcut.setEnabled(self.is_checking)
        self.status.setVisible(not self.is_checking)
        self.bar.setVisible(self.is_checking)
        for each in (self.export, self.close_text):
            each.setVisible(self._report is not None)


def _leave(dialog: QFileDialog, folder: str, history: list[str], _result: int) -> None:
    """Go back to the folder where a dialog began: Qt keeps in a file of its own where each has been."""
    dialog.setDirectory(folder)
    dialog.setHistory(history)


def _dropped(event: QDropEvent) -> Path | None:
    """The one file of this computer that is dropped."""
    urls = event.mimeData().urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
