"""Colours, type and spacing, once: every widget takes them from here, light and dark."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

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
)


def colours() -> Colours:
    """Return the colours of the scheme that the system asks for."""
    return DARK if QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT


def font(*, scale: float = 1.0, is_bold: bool = False) -> QFont:
    """Return the application's font, `scale` times as large."""
    made = QFont(QApplication.font())
    made.setPointSizeF(made.pointSizeF() * scale)
    made.setBold(is_bold)
    return made


def apply(app: QApplication) -> None:
    """Give the application its style and palette, and follow the system when it changes between light and dark."""
    app.setStyle("Fusion")
    app.styleHints().colorSchemeChanged.connect(lambda: app.setPalette(palette(colours())))
    app.setPalette(palette(colours()))


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
