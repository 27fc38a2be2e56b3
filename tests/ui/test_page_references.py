"""What in a brief refers to another place of it: underlined on the page, followed by mouse and key, and back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import references_brief
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import started

from briefbank.values.pages import PageLink
from briefbank.values.records import PageBox
from ui import theme
from ui.engine import EngineClient
from ui.reading.history import Place
from ui.reading.panel import PagePanel

_WAIT_MS = 30_000
_HEADING = "B. The form was not read to him."


@pytest.fixture(scope="module")
def referring(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineClient]:
    """An engine over a brief that refers to its own places; shared, so never indexed with."""
    with started(references_brief.write_bank(tmp_path_factory.mktemp("referring"))) as engine:
        yield engine


@pytest.fixture
def panel(referring: EngineClient, qtbot: QtBot) -> PagePanel:
    """The panel with the page that refers, its words there."""
    engine, made = referring, PagePanel(referring)
    qtbot.addWidget(made)
    made.resize(640, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    (document,) = engine.bank.documents().result(60)
    opening = engine.bank.first_passage(document.id).result(60).passage
    made.go_to(Place(document, opening, is_whole=True))
    qtbot.waitUntil(lambda: made.view.pages is not None, timeout=_WAIT_MS)
    made.view.setFocus()
    made.view.go_to_page(3)
    qtbot.waitUntil(lambda: 3 in made.view.loader.texts and made.view.page == 3, timeout=_WAIT_MS)
    return made


def reference(panel: PagePanel, title: str) -> PageLink:
    return next(each for each in panel.view.loader.texts[3].links if each.reference and each.title == title)


def top_page(panel: PagePanel) -> int:
    position = panel.view.position()
    assert position
    return position.page


def test_a_click_on_a_reference_follows_it_and_back_returns(panel: PagePanel, qtbot: QtBot) -> None:
    left = panel.view.position()
    point = panel.view.box_on_view(PageBox(3, reference(panel, _HEADING).box)).center().toPoint()
    qtbot.mouseMove(panel.view.viewport(), point)
    assert _HEADING in panel.view.viewport().toolTip()
    assert panel.view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert top_page(panel) == 5
    qtbot.keyClick(panel.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert panel.view.position() == left


def test_keys_choose_a_reference_and_follow_it(panel: PagePanel, qtbot: QtBot) -> None:
    qtbot.keyClick(panel.view, Qt.Key.Key_L)
    assert _HEADING in panel.notice.text.text()
    qtbot.keyClick(panel.view, Qt.Key.Key_L)
    assert _HEADING not in panel.notice.text.text()
    qtbot.keyClick(panel.view, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert top_page(panel) == 5
    assert _HEADING not in panel.notice.text.text()


def test_a_page_that_refers_to_nothing_says_so_without_a_warning(panel: PagePanel, qtbot: QtBot) -> None:
    said: list[str] = []
    panel.message.connect(said.append)
    qtbot.keyClick(panel.view, Qt.Key.Key_L)
    panel.view.go_to_page(6)
    qtbot.waitUntil(lambda: 6 in panel.view.loader.texts, timeout=_WAIT_MS)
    qtbot.keyClick(panel.view, Qt.Key.Key_L)
    assert said == ["Nothing that can be seen here refers to another place of this brief."]
    assert panel.notice.isHidden()


def test_references_are_underlined(panel: PagePanel, qtbot: QtBot) -> None:
    box = panel.view.box_on_view(PageBox(3, reference(panel, _HEADING).box))

    def blue() -> int:
        shown: QImage = panel.view.viewport().grab().toImage()
        row = [shown.pixelColor(x, round(box.bottom()) + down) for x in range(int(box.left()), int(box.right()))
               for down in (-1, 0, 1)]  # fmt: skip
        return sum(each.blue() > each.red() + 40 for each in row)

    assert QColor(theme.LIGHT.accent).blue() > QColor(theme.LIGHT.accent).red() + 40
    assert blue() > 5
    panel.view.loader.texts[3] = panel.view.loader.texts[3].__class__(
        panel.view.loader.texts[3].document_id, 3, panel.view.loader.texts[3].words, panel.view.loader.texts[3].source
    )
    assert blue() == 0
