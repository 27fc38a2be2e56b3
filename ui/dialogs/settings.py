"""The settings dialog, made from the one table of settings: a control for each type, its limits, its help."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from briefbank.errors import BriefBankError, SettingsError
from briefbank.platform.layout import Layout
from briefbank.platform.settings import Effect, Setting, Settings, all_settings, change_settings, read_settings
from ui.engine import EngineClient
from ui.plain import PlainLabel, set_tool_tip
from ui.theme import UNIT_PX, font

Value = int | float | str

_MEGABYTE = 1_000_000
_NO_LIMIT = 2**31 - 1
_UNITS = {"_bytes": " MB", "_s": " s", "_dpi": " dpi"}
_CONTROL_PX = 22 * UNIT_PX


class SettingsDialog(QDialog):
    """Changes the settings of the engine's bank; writes only what was changed."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        """Show the bank's settings as they are now."""
        super().__init__(parent)
        self._engine = engine
        self._layout = Layout(engine.bank_root)
        self.setWindowTitle("Settings")
        self._rows: list[SettingRow] = []
        self._problem = PlainLabel()
        self._problem.setWordWrap(True)
        self._problem.setProperty("tone", "warning")
        self._problem.setVisible(False)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save
            | QDialogButtonBox.StandardButton.Cancel
            | QDialogButtonBox.StandardButton.RestoreDefaults
        )
        self._buttons.accepted.connect(self._on_accepted)
        self._buttons.rejected.connect(self.reject)
        restore = self._buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        restore.clicked.connect(self._on_restore_clicked)
        self._lay_out(self._read())

    def _read(self) -> Settings:
        """The settings as they are; where they cannot be understood, the defaults, and nothing can be saved."""
        try:
            if self._layout.settings_file.exists():
                self._layout.require()
            return read_settings(self._layout.settings_file)
        except BriefBankError as problem:
            self._show_problem(problem)
            self._buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(False)
            return Settings()

    def _lay_out(self, settings: Settings) -> None:
        form = QWidget()
        grid = QGridLayout(form)
        grid.setHorizontalSpacing(2 * UNIT_PX)
        grid.setVerticalSpacing(UNIT_PX // 2)
        grid.setColumnStretch(0, 1)
        for effect, group in groupby(sorted(all_settings(), key=_place), key=lambda each: each.effect):
            self._add_heading(grid, effect)
            for setting in group:
                row = SettingRow(setting, getattr(settings, setting.name))
                row.place(grid)
                self._rows.append(row)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(form)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        whole = QVBoxLayout(self)
        whole.addWidget(scroll, 1)
        whole.addWidget(self._problem)
        whole.addWidget(self._buttons)
        self.resize(90 * UNIT_PX, 80 * UNIT_PX)

    @staticmethod
    def _add_heading(grid: QGridLayout, effect: Effect) -> None:
        title = PlainLabel(_GROUPS[effect])
        title.setFont(font(scale=1.15, is_bold=True))
        when = PlainLabel(f"Takes effect: {effect[0].lower()}{effect[1:]}")
        when.setProperty("tone", "muted")
        title.setContentsMargins(0, UNIT_PX, 0, 0)
        when.setContentsMargins(0, 0, 0, UNIT_PX)
        for label in (title, when):
            grid.addWidget(label, grid.rowCount(), 0, 1, 3)

    def _on_restore_clicked(self) -> None:
        for row in self._rows:
            row.reset()

    def _on_accepted(self) -> None:
        changes = {row.setting.name: row.change for row in self._rows if row.is_changed}
        if changes:
            try:
                self._layout.create()
                change_settings(self._layout.settings_file, changes)
            except BriefBankError as problem:
                self._show_problem(problem)
                return
            except OSError as error:
                advice = "See that the disk is connected and that you may write to it."
                self._show_problem(SettingsError(f"{self._layout.root} cannot be written: {error.strerror}.", advice))
                return
        if any(row.setting.effect is Effect.NEXT_SEARCH for row in self._rows if row.is_changed):
            # The engine notices a changed bank.toml by itself, but only within seconds; a search before that would run
            # by the old settings.
            self._engine.bank.restart()
        self.accept()

    def _show_problem(self, problem: BriefBankError) -> None:
        self._problem.setText(f"{problem.message}\n{problem.advice}")
        self._problem.setVisible(True)


class SettingRow:
    """One setting: its name and help, its control, and the button that gives it its default back."""

    def __init__(self, setting: Setting, value: Value) -> None:
        """Show `value`."""
        self.setting = setting
        self._before = value
        self._control, self._show, self._shown = _control(setting)
        self._show(setting.default)
        default = _text(self._control)
        self._show(value)
        # A control may round what was written by hand; only what a person changes in it is a change.
        self._shown_before = self._shown()
        self._control.setFixedWidth(_CONTROL_PX)
        self._control.setAccessibleName(setting.title)
        self._help = f"{setting.help} Default: {default or 'empty'}."
        self._control.setAccessibleDescription(self._help)
        self._default = QPushButton("Default")
        self._default.setAccessibleName(f"{setting.title}: back to the default")
        self._default.setAutoDefault(False)
        self._default.clicked.connect(self.reset)

    @property
    def is_changed(self) -> bool:
        """Whether a person chose another value than the bank has."""
        return self._shown() != self._shown_before

    @property
    def change(self) -> Value | None:
        """What to write: the value, or None for the default."""
        value = self._shown()
        return None if value == self.setting.default else value

    def reset(self) -> None:
        """Show the default."""
        self._show(self.setting.default)

    def place(self, grid: QGridLayout) -> None:
        """Take the next two rows of a grid."""
        row = grid.rowCount()
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, UNIT_PX)
        column.setSpacing(0)
        name = PlainLabel(self.setting.title)
        name.setBuddy(self._control)
        set_tool_tip(name, f"{self.setting.name} in bank.toml")
        help_text = PlainLabel(self._help)
        help_text.setWordWrap(True)
        help_text.setProperty("tone", "muted")
        column.addWidget(name)
        column.addWidget(help_text)
        grid.addLayout(column, row, 0)
        grid.addWidget(self._control, row, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._default, row, 2, Qt.AlignmentFlag.AlignTop)


def _control(setting: Setting) -> tuple[QWidget, Callable[[Value], None], Callable[[], Value]]:
    """Return a control for the type of a setting, how to show a value in it, and how to tell the value shown."""
    if setting.type is str:
        field = QLineEdit()
        return field, lambda value: field.setText(str(value)), lambda: field.text().strip()
    if setting.type is float:
        box = QDoubleSpinBox()
        box.setRange(_or(setting.minimum, -_NO_LIMIT), _or(setting.maximum, _NO_LIMIT))
        box.setSingleStep(0.05 if setting.maximum == 1 else 1)
        box.setDecimals(2 if setting.maximum == 1 else 1)
        _dress(box, setting)
        return box, lambda value: box.setValue(float(value)), box.value
    share = _MEGABYTE if setting.name.endswith("_bytes") else 1
    count = QSpinBox()
    count.setRange(-(-int(_or(setting.minimum, -_NO_LIMIT)) // share), int(_or(setting.maximum, _NO_LIMIT)))
    count.setGroupSeparatorShown(True)
    _dress(count, setting)
    return count, lambda value: count.setValue(round(int(value) / share)), lambda: count.value() * share


def _text(control: QWidget) -> str:
    return control.text() if isinstance(control, QLineEdit | QAbstractSpinBox) else ""


def _dress(box: QSpinBox | QDoubleSpinBox, setting: Setting) -> None:
    box.setSuffix(next((unit for ending, unit in _UNITS.items() if setting.name.endswith(ending)), ""))
    box.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
    # Otherwise a turn of the mouse wheel over the form changes whatever lies under it.
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    box.wheelEvent = lambda event: event.ignore()  # type: ignore[method-assign]


def _or(limit: float | None, otherwise: float) -> float:
    return otherwise if limit is None else limit


def _place(setting: Setting) -> int:
    return list(_GROUPS).index(setting.effect)


_GROUPS = {
    Effect.NEXT_SEARCH: "Searching",
    Effect.NEXT_ANSWER: "Language model",
    Effect.NEXT_FILES: "Reading files",
    Effect.ALL_FILES: "Passages",
}
