"""Colours, type and spacing, once: every widget takes them from here, light and dark."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from string import Template

from PySide6.QtCore import QDir, Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from ui.preferences import Scheme, TextSize

_SCHEME, _DARK = "scheme", "dark"
_FOLLOWS, _IS_SYSTEM_DARK = "follows", "is-system-dark"
_QT_SCHEMES = {
    Scheme.SYSTEM: Qt.ColorScheme.Unknown,
    Scheme.LIGHT: Qt.ColorScheme.Light,
    Scheme.DARK: Qt.ColorScheme.Dark,
}
_PICTURES = "pictures"
"""The prefix under which the style sheet names the pictures of the folder beside this module."""
UNIT_PX = 8
"""Distances are multiples of this, in device-independent pixels."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one scheme; every text colour stands at 4.5:1 or more on `window` and `surface`."""

    window: str
    surface: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    mark: str
    """Behind a matched word; text on it keeps `mark_text`."""
    mark_text: str
    outline: str
    """Around a passage on its page."""
    good: str
    bad: str
    warning: str
    warning_surface: str
    hover: str
    selected: str
    """Behind what is selected or switched on; text on it keeps `text`."""


LIGHT = Colours(
    window="#f5f4f1",
    surface="#ffffff",
    text="#1d1f23",
    muted="#5c6068",
    line="#d9d7d1",
    accent="#1f5c99",
    on_accent="#ffffff",
    mark="#ffe58a",
    mark_text="#1d1f23",
    outline="#1f5c99",
    good="#1c6b3a",
    bad="#a1302a",
    warning="#7a4a00",
    warning_surface="#fdf1d8",
    hover="#eceae5",
    selected="#e3edf7",
)
DARK = Colours(
    window="#1b1d21",
    surface="#24272c",
    text="#e8e8e6",
    muted="#a6abb3",
    line="#3a3e45",
    accent="#8ab8ea",
    on_accent="#12161b",
    mark="#6b5610",
    mark_text="#ffffff",
    outline="#8ab8ea",
    good="#7fcf9b",
    bad="#f0958f",
    warning="#f0c473",
    warning_surface="#3a3020",
    hover="#2f3339",
    selected="#2b3a4b",
)


def colours() -> Colours:
    """Return the colours that the application wears."""
    worn = QApplication.instance()
    return DARK if worn and worn.property(_SCHEME) == _DARK else LIGHT


def font(*, scale: float = 1.0, is_bold: bool = False) -> QFont:
    """Return the application's font, `scale` times as large."""
    made = QFont(QApplication.font())
    made.setPointSizeF(made.pointSizeF() * scale)
    made.setBold(is_bold)
    return made


def apply(app: QApplication, scheme: Scheme, text_size: TextSize) -> None:
    """Give the application its style, its text size and the colours of `scheme`."""
    app.setProperty(_IS_SYSTEM_DARK, is_dark(app.palette()))
    app.setStyle("Fusion")
    base = app.font()
    base.setPointSizeF(max(text_size.points, base.pointSizeF() if text_size is TextSize.NORMAL else 0))
    app.setFont(base)
    app.styleHints().colorSchemeChanged.connect(lambda _: wear(app, _followed(app)))
    follow(app, scheme)


def follow(app: QApplication, scheme: Scheme) -> None:
    """Wear light or dark from now on, or whichever of them the system asks for at any time."""
    app.setProperty(_FOLLOWS, scheme.value)
    app.styleHints().setColorScheme(_QT_SCHEMES[scheme])  # for title bars and the dialogs of the system
    wear(app, _followed(app))


def is_dark(system: QPalette) -> bool:
    """Tell whether a palette has light text on a dark ground."""
    text, ground = QPalette.ColorRole.WindowText, QPalette.ColorRole.Window
    return system.color(text).lightness() > system.color(ground).lightness()


def wear(app: QApplication, scheme: Colours) -> None:
    """Put on one scheme; widgets that draw in its colours are told by a change of palette."""
    app.setProperty(_SCHEME, _DARK if scheme is DARK else "light")
    app.setPalette(palette(scheme))
    app.setStyleSheet(sheet(scheme))


def _followed(app: QApplication) -> Colours:
    """The colours asked for. A system that names no scheme may have a dark palette all the same."""
    scheme = app.styleHints().colorScheme()
    if (chosen := Scheme(app.property(_FOLLOWS))) is not Scheme.SYSTEM:
        scheme = _QT_SCHEMES[chosen]
    elif scheme is Qt.ColorScheme.Unknown and app.property(_IS_SYSTEM_DARK):
        scheme = Qt.ColorScheme.Dark
    return DARK if scheme is Qt.ColorScheme.Dark else LIGHT


def sheet(scheme: Colours) -> str:
    """Return the shapes that a palette cannot tell: fields, quiet buttons, cards and chips."""
    QDir.setSearchPaths(_PICTURES, [str(Path(__file__).with_name(_PICTURES))])
    tick = f"{_PICTURES}:tick-{'dark' if scheme is DARK else 'light'}.svg"
    return Template(_SHEET).substitute({each.name: getattr(scheme, each.name) for each in fields(scheme)}, tick=tick)


def palette(scheme: Colours) -> QPalette:
    """Return the scheme as Qt's palette."""
    made = QPalette()
    roles = {
        QPalette.ColorRole.Window: scheme.window,
        QPalette.ColorRole.Base: scheme.surface,
        QPalette.ColorRole.AlternateBase: scheme.window,
        QPalette.ColorRole.Button: scheme.surface,
        QPalette.ColorRole.WindowText: scheme.text,
        QPalette.ColorRole.Text: scheme.text,
        QPalette.ColorRole.ButtonText: scheme.text,
        QPalette.ColorRole.ToolTipBase: scheme.surface,
        QPalette.ColorRole.ToolTipText: scheme.text,
        QPalette.ColorRole.PlaceholderText: scheme.muted,
        QPalette.ColorRole.Highlight: scheme.accent,
        QPalette.ColorRole.HighlightedText: scheme.on_accent,
        QPalette.ColorRole.Link: scheme.accent,
        QPalette.ColorRole.Mid: scheme.line,
    }
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
        if role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
            made.setColor(QPalette.ColorGroup.Disabled, role, QColor(scheme.muted))
    return made


_SHEET = """
QLineEdit { border: 1px solid $line; border-radius: 5px; padding: 3px 7px; background: $surface; color: $text;
  selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QPlainTextEdit { placeholder-text-color: $muted; }
QLineEdit:focus { border: 2px solid $accent; padding: 2px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 2px 6px; color: $text;
  background: transparent; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $selected; border-color: $accent; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $muted; }
QToolButton[tone="sign"] { padding: 2px 3px; }
QToolButton[tone="link"] { color: $accent; }
QToolButton[tone="link"]:hover { text-decoration: underline; }
QToolButton[tone="edge"] { color: $accent; border: none; padding: 0; margin-left: -6px; background: transparent; }
QToolButton[tone="edge"]:hover, QToolButton[tone="edge"]:focus { text-decoration: underline; }
QFrame#card QToolButton { padding: 1px 3px; }
QFrame#card QToolButton[inline="true"] { padding: 0; border: none; }
QToolButton[inline="true"]:focus { text-decoration: underline; }
QToolButton::menu-indicator { image: none; }
QPushButton { border: 1px solid $line; border-radius: 5px; padding: 4px 14px; background: $surface; color: $text; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $selected; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $muted; }
QPushButton:default { background: $accent; border-color: $accent; color: $on_accent; }
QPushButton:default:focus { border-color: $text; }
QRadioButton { spacing: 6px; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid $muted; border-radius: 7px;
  background: $surface; }
QRadioButton::indicator:hover { border-color: $accent; }
QRadioButton::indicator:checked { width: 4px; height: 4px; border: 5px solid $accent; }
QRadioButton:focus, QCheckBox:focus { color: $accent; }
QCheckBox { spacing: 6px; }
QCheckBox::indicator, QListView::indicator { width: 12px; height: 12px; border: 1px solid $muted; border-radius: 3px;
  background: $surface; }
QListView::indicator { width: 10px; height: 10px; }
QCheckBox::indicator:hover, QListView::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QListView::indicator:checked { border-color: $accent; background: $accent;
  image: url($tick); }
QCheckBox:disabled { color: $muted; }
QCheckBox::indicator:disabled { border-color: $line; }
QCheckBox::indicator:checked:disabled { background: $muted; border-color: $muted; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QScrollArea { border: none; background: transparent; }
QFrame#rail { background: $window; border: none; border-right: 1px solid $line; }
QFrame#rail QToolButton { padding: 2px 0; }
QFrame#card { background: transparent; border: 1px solid transparent; border-radius: 6px; margin: 1px; }
QFrame#card:hover { background: $hover; }
QFrame#card[selected="true"] { background: $surface; border-color: $accent; }
QFrame#card[selected="true"]:focus { border: 2px solid $accent; margin: 0; }
QFrame#neighbour { border: none; border-left: 3px solid $line; background: $window; margin-left: 11px; }
QFrame#chip { background: $selected; border: 1px solid $accent; border-radius: 10px; }
QFrame#chip QLabel { color: $text; }
QListWidget#outline { background: transparent; color: $text; border: 1px solid transparent; border-right-color: $line;
  outline: none; }
QListWidget#outline:focus { border-color: $accent; }
QListWidget#outline::item { border: none; }
QListWidget#outline::item:hover { background: $hover; }
QListWidget#outline::item:selected { background: $selected; color: $text; }
QFrame#notice { background: $warning_surface; border: 1px solid $warning; border-radius: 5px; }
QFrame#notice QLabel { color: $warning; }
QFrame#popup { background: $surface; border: 1px solid $line; }
QMenu { background: $surface; color: $text; border: 1px solid $line; padding: 4px 0; }
QMenu::item { padding: 4px 22px 4px 22px; }
QMenu::item:selected { background: $selected; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 4px 0; }
QToolTip { background: $surface; color: $text; border: 1px solid $line; padding: 3px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QTableView, QTreeView, QListView#matters, QListView#entries { background: $surface; border: 1px solid $line;
  border-radius: 6px; outline: none;
  selection-background-color: $selected; selection-color: $text; }
QTableView:focus, QTreeView:focus, QListView#matters:focus, QListView#entries:focus { border-color: $accent; }
QListView#matters { padding: 0 4px; }
QListView#matters::item { padding: 4px 0; border: none; }
QListView#matters::item:selected { background: $selected; color: $text; }
QTableView::item { padding: 0 6px; border: none; }
QTableView::item:selected, QTreeView::item:selected { background: $selected; color: $text; }
QTreeView::item { border: none; }
QHeaderView { background: transparent; }
QHeaderView::section { background: $surface; color: $muted; border: none; border-bottom: 1px solid $line;
  padding: 5px 9px; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: $window; }
QSplitter::handle:hover { background: $line; }
QLabel[tone="muted"] { color: $muted; }
QLabel[tone="warning"] { color: $warning; }
QLabel[tone="good"] { color: $good; }
QLabel[tone="bad"] { color: $bad; }
QLabel[tone="accent"] { color: $accent; }
"""
