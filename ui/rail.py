"""The rail at the left: a button for each space, and at its foot the window's menu with the dialogs that it opens.

Each dialog is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QDialog, QFrame, QMenu, QToolButton, QWidget

from briefbank.values.summaries import SummarySource
from ui import placement
from ui.engine import EngineClient
from ui.flow import column_of
from ui.icons import icon
from ui.index_run import IndexRun
from ui.plain import set_tool_tip
from ui.recorder import Recorder
from ui.shortcuts import ANYWHERE, IN_A_SEARCH, SPACES, Key, key
from ui.theme import UNIT_PX, colours, font


class WindowMenu(QMenu):
    """Undo, redo, index, unreadable files, directives, settings, help, about, windows, quit."""

    undo_requested = Signal()
    redo_requested = Signal()
    window_requested = Signal()
    keys_requested = Signal()
    quit_requested = Signal()
    order_chosen = Signal(object)
    """The SortOrder that was chosen in the settings."""
    card_requested = Signal(str)
    """The authority whose card somebody wants to see."""

    def __init__(
        self, engine: EngineClient, summaries: SummarySource, recorder: Recorder, index_run: IndexRun, window: QWidget
    ) -> None:
        """Make the menu of `window`."""
        super().__init__(window)
        self._recorder = recorder
        self._engine, self._summaries, self._index_run, self._window = engine, summaries, index_run, window
        self.addAction(key("undo", IN_A_SEARCH).menu_text("Undo"), self.undo_requested.emit)
        self.addAction(key("redo", IN_A_SEARCH).menu_text("Redo"), self.redo_requested.emit)
        self.addSeparator()
        self.addAction(key("index").menu_text("Index a folder …"), self.show_index)
        self.addAction(key("unreadable").menu_text("Files that could not be read …"), self.show_unreadable)
        self.addAction("What directives say …", self.show_directives)
        self.addAction("Export feedback …", self.show_export)
        self.addAction(key("settings").menu_text("Settings …"), self.show_settings)
        self.addSeparator()
        self.addAction(key("help").menu_text("Help"), self.show_help)
        self.addAction(key("keys").menu_text("Keys of where you are"), self.keys_requested.emit)
        self.addAction("About BriefBank", self.show_about)
        self.addSeparator()
        self.addAction(key("new-window").menu_text("New window"), self.window_requested.emit)
        self.addAction(key("close").menu_text("Close this window"), window.close)
        self.addAction(key("quit").menu_text("Quit"), self.quit_requested.emit)

    def show_index(self) -> None:
        from ui.dialogs.index import IndexDialog

        self._open(IndexDialog, lambda: IndexDialog(self._index_run, self._window))

    def show_unreadable(self) -> None:
        from ui.dialogs.files import UnreadableDialog

        self._open(UnreadableDialog, lambda: UnreadableDialog(self._engine, self._window))

    def show_directives(self) -> None:
        from ui.dialogs.directives import DirectivesDialog

        def make() -> DirectivesDialog:
            dialog = DirectivesDialog(self._engine, self._window)
            dialog.card_requested.connect(self.card_requested)
            return dialog

        self._open(DirectivesDialog, make)

    def show_settings(self) -> None:
        from ui.dialogs.settings import SettingsDialog

        def make() -> SettingsDialog:
            dialog = SettingsDialog(self._engine, self._summaries, self._window)
            dialog.order_chosen.connect(self.order_chosen)
            return dialog

        self._open(SettingsDialog, make)

    def show_export(self) -> None:
        from ui.dialogs.export import ExportDialog

        self._open(ExportDialog, lambda: ExportDialog(self._engine, self._recorder.path, self._window))

    def show_help(self) -> None:
        from ui.dialogs.help import HelpDialog

        self._open(HelpDialog, lambda: HelpDialog(self._window))

    def open_keys(self, where: str, groups: Sequence[tuple[str, tuple[Key, ...]]]) -> None:
        from ui.dialogs.keys import KeysDialog

        for each in self._window.findChildren(KeysDialog):
            each.close()  # it may show the keys of another place
        self._open(KeysDialog, lambda: KeysDialog(where, groups, self._window))

    def show_about(self) -> None:
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


_NARROWEST_PX = 78
"""Wider where the text is large: in the largest size a rail of one width said “Arg…nts”."""
_AROUND_PX = 14
_ICON_PX = 22
_SMALL = 0.8


class Rail(QFrame):
    """Says which space is wished, and shows which is open."""

    chosen = Signal(str)
    """The name of a space."""

    def __init__(self, spaces: Iterable[tuple[str, str]], menu: QMenu) -> None:
        """Make a button for each (name, title); `menu` is the window's own."""
        super().__init__()
        self.setObjectName("rail")
        spaces = tuple(spaces)
        self._button_px = _button_width(title for _, title in spaces)
        self.setFixedWidth(self._button_px + UNIT_PX)
        self.current = ""
        self.buttons: dict[str, QToolButton] = {}
        self._icons: list[tuple[QToolButton, str]] = []
        group = QButtonGroup(self)
        column = column_of(within=self, spacing_px=UNIT_PX // 2, margins_px=(4, UNIT_PX, 4, UNIT_PX))
        for name, title in spaces:
            made = self._button(name, title)
            made.setCheckable(True)
            set_tool_tip(made, key(name, (*SPACES, *ANYWHERE)).tip)
            made.clicked.connect(partial(self.chosen.emit, name))
            group.addButton(made)
            column.addWidget(made)
            self.buttons[name] = made
        column.addStretch(1)
        self.menu_button = self._button("menu", "&Menu")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setMenu(menu)
        column.addWidget(self.menu_button)
        self._draw()

    def set_current(self, name: str) -> None:
        self.current = name
        self.buttons[name].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _button(self, icon_name: str, title: str) -> QToolButton:
        made = QToolButton(self)
        made.setText(title)
        made.setAccessibleName(title.replace("&", ""))
        made.setFont(font(scale=_SMALL))
        made.setIconSize(QSize(_ICON_PX, _ICON_PX))
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        made.setFixedWidth(self._button_px)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._icons.append((made, icon_name))
        return made

    def _draw(self) -> None:
        for button, name in self._icons:
            button.setIcon(icon(name, colours().text))


def _button_width(titles: Iterable[str]) -> int:
    """As wide as the longest title in the size of the text that was chosen, with the padding and border of a button."""
    widest = max(QFontMetrics(font(scale=_SMALL)).horizontalAdvance(each) for each in titles)
    return max(_NARROWEST_PX - UNIT_PX, widest + _AROUND_PX)
