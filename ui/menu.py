"""The window's menu and the dialogs that it opens; each dialog is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from briefbank.values import SummarySource
from ui import placement
from ui.dialogs.index_job import IndexJob
from ui.engine import EngineClient
from ui.recorder import Recorder
from ui.shortcuts import IN_A_SEARCH, key


class WindowMenu(QMenu):
    """Undo, redo, index, unreadable files, settings, help, about, windows, quit."""

    undo_requested = Signal()
    redo_requested = Signal()
    window_requested = Signal()
    quit_requested = Signal()
    order_chosen = Signal(object)
    """The SortOrder that was chosen in the settings."""

    def __init__(
        self, engine: EngineClient, summaries: SummarySource, recorder: Recorder, job: IndexJob, window: QWidget
    ) -> None:
        """Make the menu of `window`."""
        super().__init__(window)
        self._recorder = recorder
        self._engine, self._summaries, self._job, self._window = engine, summaries, job, window
        self.addAction(key("undo", IN_A_SEARCH).menu_text("Undo"), self.undo_requested.emit)
        self.addAction(key("redo", IN_A_SEARCH).menu_text("Redo"), self.redo_requested.emit)
        self.addSeparator()
        self.addAction(key("index").menu_text("Index a folder …"), self.show_index)
        self.addAction(key("unreadable").menu_text("Files that could not be read …"), self.show_unreadable)
        self.addAction("Export feedback …", self.show_export)
        self.addAction(key("settings").menu_text("Settings …"), self.show_settings)
        self.addSeparator()
        self.addAction(key("help").menu_text("Help"), self.show_help)
        self.addAction("About BriefBank", self.show_about)
        self.addSeparator()
        self.addAction(key("new-window").menu_text("New window"), self.window_requested.emit)
        self.addAction(key("close").menu_text("Close this window"), window.close)
        self.addAction(key("quit").menu_text("Quit"), self.quit_requested.emit)

    def show_index(self) -> None:
        """Open the dialog that indexes a folder."""
        from ui.dialogs.index import IndexDialog

        self._open(IndexDialog, lambda: IndexDialog(self._job, self._window))

    def show_unreadable(self) -> None:
        """Open the list of files that could not be read."""
        from ui.dialogs.unreadable import UnreadableDialog

        self._open(UnreadableDialog, lambda: UnreadableDialog(self._engine, self._window))

    def show_settings(self) -> None:
        """Open the settings."""
        from ui.dialogs.settings import SettingsDialog

        def make() -> SettingsDialog:
            dialog = SettingsDialog(self._engine, self._summaries, self._window)
            dialog.order_chosen.connect(self.order_chosen)
            return dialog

        self._open(SettingsDialog, make)

    def show_export(self) -> None:
        """Open the dialog that exports feedback."""
        from ui.dialogs.export import ExportDialog

        self._open(ExportDialog, lambda: ExportDialog(self._engine, self._recorder.path, self._window))

    def show_help(self) -> None:
        """Open the guide."""
        from ui.dialogs.help import HelpDialog

        self._open(HelpDialog, lambda: HelpDialog(self._window))

    def show_about(self) -> None:
        """Say what this program is made of."""
        from ui.dialogs.about import AboutDialog

        self._open(AboutDialog, lambda: AboutDialog(self._window))

    def _open(self, kind: type[QDialog], make: Callable[[], QDialog]) -> None:
        """Show a dialog beside the window, which goes on working; one of its kind that is open comes to the front."""
        dialog = next((each for each in self._window.findChildren(kind) if each.isVisible()), None)
        if dialog is None:
            dialog = make()
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            placement.fit(dialog, self._window.screen())
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
