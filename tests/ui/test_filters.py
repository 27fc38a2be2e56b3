"""The lists of the filter bar, opened and used by keyboard."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QToolButton
from pytestqt.qtbot import QtBot

from briefbank.values.reading import Facets
from briefbank.values.records import DocumentKind, Filters, ResultCounts
from ui.search.filter_bar import DatePopup, FilterBar, Popup, ValuePopup

FACETS = Facets(
    documents=40,
    kinds=(("brief", 38), ("directive", 2)),
    courts=(("Appellate Division", 30),),
    authors=tuple((f"Author {number:02}", 40 - number) for number in range(30)),
    outcomes=(),
    section_kinds=(("argument", 400),),
    filed_first=date(2001, 5, 21),
    filed_last=date(2026, 2, 12),
    undated=3,
)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def bar(qtbot: QtBot) -> FilterBar:
    made = FilterBar()
    qtbot.addWidget(made)
    made.set_facets(FACETS)
    made.show()
    return made


def _opened(bar: FilterBar, name: str, kind: type[Popup]) -> Popup:
    button = next(each for each in bar.findChildren(object) if getattr(each, "accessibleName", str)() == name)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    return next(each for each in bar.findChildren(kind) if each.isVisible())


def test_a_value_is_ticked_by_keyboard_and_told_at_once(bar: FilterBar, qtbot: QtBot):
    popup = _opened(bar, "Any kind", ValuePopup)
    values = popup.findChild(QListWidget)
    assert [values.item(row).text() for row in range(values.count())] == ["Brief  (38)", "Directive  (2)"]
    with qtbot.waitSignal(bar.changed) as told:
        QTest.keyClick(values, Qt.Key.Key_Space)
    assert told.args == [Filters(kinds=(DocumentKind.BRIEF,))]
    with qtbot.waitSignal(bar.changed) as told:
        QTest.keyClick(values, Qt.Key.Key_Space)
    assert told.args == [Filters()]
    popup.hide()


def test_values_are_counted_in_what_was_found_unless_they_narrow_it_already(bar: FilterBar):
    bar.set_found(ResultCounts(kinds=(("directive", 2), ("brief", 1))))
    popup = _opened(bar, "Any kind", ValuePopup)
    values = popup.findChild(QListWidget)
    assert [values.item(row).text() for row in range(values.count())] == ["Directive  (2)", "Brief  (1)"]
    assert "what this search finds" in popup._note.text()
    popup.hide()
    popup = _opened(bar, "Any court", ValuePopup)
    assert popup.findChild(QListWidget).item(0).text() == "Appellate Division  (0)"
    popup.hide()
    bar.set_filters(Filters(kinds=(DocumentKind.BRIEF,)))
    popup = _opened(bar, "Brief", ValuePopup)
    assert popup.findChild(QListWidget).item(0).text() == "Brief  (38)"
    assert "whole bank" in popup._note.text()
    popup.hide()


def test_recent_years_are_chosen_by_one_button(bar: FilterBar, qtbot: QtBot):
    popup = _opened(bar, "Filing date: any", DatePopup)
    popup._today = lambda: date(2024, 2, 29)
    button = next(each for each in popup.findChildren(QToolButton) if each.text() == "Last 5 years")
    button.setFocus()
    with qtbot.waitSignal(bar.changed) as told:
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert told.args == [Filters(since=date(2019, 2, 28))]
    assert not popup.isVisible()


def test_among_many_values_one_is_found_by_typing(bar: FilterBar, qtbot: QtBot):
    popup = _opened(bar, "Any author", ValuePopup)
    field = QApplication.focusWidget() or popup._find
    QTest.keyClicks(field, "author 07")
    values = popup.findChild(QListWidget)
    shown = [values.item(row).text() for row in range(values.count()) if not values.item(row).isHidden()]
    assert shown == ["Author 07  (33)"]
    popup.hide()


def test_dates_are_typed_and_an_impossible_one_is_explained(bar: FilterBar, qtbot: QtBot):
    popup = _opened(bar, "Filing date: any", DatePopup)
    popup.since.setText("soon")
    QTest.keyClick(popup.since, Qt.Key.Key_Return)
    assert popup.isVisible()
    assert "Write a year" in popup._problem.text()
    popup.since.setText("2019")
    popup.until.setText("2020-06")
    with qtbot.waitSignal(bar.changed) as told:
        QTest.keyClick(popup.until, Qt.Key.Key_Return)
    assert told.args == [Filters(since=date(2019, 1, 1), until=date(2020, 6, 30))]
    assert not popup.isVisible()


def test_a_filter_that_holds_is_named_on_its_button(bar: FilterBar):
    bar.set_filters(Filters(courts=("Appellate Division",), since=date(2019, 1, 1)))
    assert bar._buttons["courts"].text() == "Appellate Division ▾"
    assert bar._dates.text() == "Filed since 1 Jan 2019 ▾"
    assert bar._buttons["kinds"].text() == "Any kind ▾"
