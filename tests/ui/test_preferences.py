"""What one person prefers: kept, damaged, and worn by the application on platforms that name their scheme or do not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QMenu, QRadioButton, QToolButton
from pytestqt.qtbot import QtBot
from windows import CONSENT, ask, display, opened, titles

from briefbank.values.records import SortOrder
from ui import preferences
from ui.dialogs.settings import SettingsDialog
from ui.engine import EngineClient
from ui.preferences import Preferences, Scheme, TextSize
from ui.rail import Rail
from ui.theme import DARK, LIGHT, Colours, sheet

WEAR = """
import sys
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from ui import theme
from ui.preferences import Scheme, TextSize
app = QApplication([])
ground, text, chosen, size = sys.argv[1:]
if ground:
    system = QPalette()
    system.setColor(QPalette.ColorRole.Window, QColor(ground))
    system.setColor(QPalette.ColorRole.WindowText, QColor(text))
    app.setPalette(system)
theme.apply(app, Scheme.SYSTEM, TextSize(size))
theme.follow(app, Scheme(chosen))
named = "dark" if theme.colours() is theme.DARK else "light"
print(named, app.palette().window().color().name(), app.font().pointSizeF())
"""
KDE_DARK = """
[Colors:Window]
BackgroundNormal=32,35,38
ForegroundNormal=252,252,252
[Colors:View]
BackgroundNormal=20,22,24
ForegroundNormal=252,252,252
[Colors:Button]
BackgroundNormal=41,44,48
ForegroundNormal=252,252,252
"""


def worn(ground: str = "", text: str = "", *, chosen: str = "system", size: str = "normal", **environment: str) -> str:
    """What an application wears, and in which size, whose system has a palette of these two colours."""
    words = [sys.executable, "-c", WEAR, ground, text, chosen, size]
    done = subprocess.run(
        words, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("ground", "text", "chosen", "expected"),
    [
        ("", "", "system", "light #f5f4f1"),
        ("#202124", "#eeeeee", "system", "dark #1b1d21"),
        ("#f0f0f0", "#101010", "system", "light #f5f4f1"),
        ("#202124", "#eeeeee", "light", "light #f5f4f1"),
        ("#f0f0f0", "#101010", "dark", "dark #1b1d21"),
    ],
)
def test_a_system_that_names_no_scheme_is_judged_by_its_palette_unless_one_is_chosen(
    ground: str, text: str, chosen: str, expected: str
) -> None:
    assert worn(ground, text, chosen=chosen).startswith(expected)


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_dark_desktop_makes_the_window_dark_unless_light_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "kdeglobals").write_text(KDE_DARK, encoding="utf-8")
    with display() as name:
        desktop = {
            "DISPLAY": name,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CURRENT_DESKTOP": "KDE",
            "KDE_SESSION_VERSION": "6",
            "KDE_FULL_SESSION": "true",
            "XDG_CONFIG_HOME": str(tmp_path),
        }
        assert worn(**desktop).startswith("dark #1b1d21")
        assert worn(chosen="light", **desktop).startswith("light #f5f4f1")


def test_the_text_has_the_size_that_was_chosen() -> None:
    sizes = [float(worn(size=each).split()[-1]) for each in TextSize]
    assert sizes == [each.points for each in TextSize] == sorted(set(sizes))


def test_preferences_are_kept_and_a_damaged_one_is_its_default() -> None:
    assert preferences.load() == Preferences()
    chosen = Preferences(Scheme.DARK, TextSize.LARGE, SortOrder.RELEVANCE)
    preferences.save(chosen)
    assert preferences.load() == chosen
    for name, value in (("scheme", "sepia"), ("text_size", 3), ("order", b"\xff\x00")):
        QSettings().setValue(f"preferences/{name}", value)
    assert preferences.load() == Preferences()


def test_the_order_chosen_in_the_settings_holds_at_once_for_the_results_in_sight(
    engine: EngineClient, qtbot: QtBot, tmp_path: Path
) -> None:
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, CONSENT)
        newest = titles(window)
        QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
        dialog = window.findChild(SettingsDialog)
        assert isinstance(dialog, SettingsDialog)
        names = [each.accessibleName() for each in dialog.findChildren(QRadioButton) if each.isChecked()]
        assert "Order of results: Newest first" in names
        best = next(each for each in dialog.findChildren(QRadioButton) if each.text() == "Best match first")
        best.setFocus()
        QTest.keyClick(best, Qt.Key.Key_Space)
        dialog.close()
        assert titles(window) != newest
        assert sorted(titles(window)) == sorted(newest)


def test_the_order_that_is_preferred_holds_from_the_first_search_on(
    qtbot: QtBot, engine: EngineClient, tmp_path: Path
) -> None:
    preferences.save(Preferences(order=SortOrder.RELEVANCE))
    with opened(engine, tmp_path / "feedback.sqlite") as window:
        ask(window, qtbot, CONSENT)
        ranks = [card.hit.rank for card in window.search_space.pane.list.cards]
        assert ranks == sorted(ranks)
        window.search_space.switch_order()
        assert [card.hit.rank for card in window.search_space.pane.list.cards] != ranks


def test_no_space_loses_letters_of_its_name_in_the_largest_text(qapp: QApplication) -> None:
    before = qapp.font()
    large = qapp.font()
    large.setPointSizeF(TextSize.LARGEST.points)
    qapp.setFont(large)
    try:
        rail = Rail([("search", "Search"), ("arguments", "Arguments")], QMenu())
        rail.show()
        for button in rail.buttons.values():
            assert button.width() >= button.fontMetrics().horizontalAdvance(button.text()) + 14
        rail.close()
    finally:
        qapp.setFont(before)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_check_box_can_be_seen_and_whether_it_is_ticked(qapp: QApplication, scheme: Colours, qtbot: QtBot) -> None:
    worn = qapp.styleSheet()
    qapp.setStyleSheet(sheet(scheme))
    try:
        ground = relative_luminance(scheme.window)
        for is_ticked, contrasted in ((False, scheme.muted), (True, scheme.on_accent)):
            box = QCheckBox()
            qtbot.addWidget(box)
            box.setChecked(is_ticked)
            box.resize(30, 30)
            drawn = box.grab().toImage()
            seen = {drawn.pixelColor(x, y).name() for x in range(drawn.width()) for y in range(drawn.height())}
            assert contrasted in seen, "its frame, or its tick"
            frame = relative_luminance(scheme.accent if is_ticked else scheme.muted)
            assert (max(frame, ground) + 0.05) / (min(frame, ground) + 0.05) >= 3
            assert (scheme.accent in seen) == is_ticked
    finally:
        qapp.setStyleSheet(worn)


def relative_luminance(colour: str) -> float:
    """As WCAG 2 defines it, 0 for black to 1 for white."""
    parts = (QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF())
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_button_below_a_list_begins_where_the_list_does(qapp: QApplication, qtbot: QtBot) -> None:
    worn = qapp.styleSheet()
    qapp.setStyleSheet(sheet(LIGHT))
    try:
        button = QToolButton()
        qtbot.addWidget(button)
        button.setText("Show 50 more")
        button.setProperty("tone", "edge")
        button.resize(button.sizeHint())
        drawn = button.grab().toImage()
        ground = drawn.pixelColor(drawn.width() - 1, 0)
        columns = [
            x for x in range(drawn.width()) if any(drawn.pixelColor(x, y) != ground for y in range(drawn.height()))
        ]
        assert columns[0] <= 2
    finally:
        qapp.setStyleSheet(worn)
