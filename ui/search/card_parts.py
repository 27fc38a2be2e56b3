"""Parts of a card: buttons, words of a brief that can be selected and copied, and what a person says of the result."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from ui.flow import row_of
from ui.plain import PlainLabel, set_tool_tip
from ui.shortcuts import IN_THE_RESULTS, STARS, key
from ui.theme import font

_PARAGRAPH_END = "\u2029"
_BREAK = "\N{ZERO WIDTH SPACE}"
"""Stands in words that are too long for a line (rules of dots, addresses), and in nothing that is copied."""
_UNBROKEN_CHARS = 20
"""At 1000 points such words pushed dates and stars of all results behind a horizontal scroll bar."""
_CHARACTER = r"(?:&#?\w+;|[^\s&])"
_TOO_LONG = re.compile(rf"{_CHARACTER}{{{_UNBROKEN_CHARS + 1},}}")
_STRETCH = re.compile(rf"{_CHARACTER}{{1,{_UNBROKEN_CHARS}}}")
_TAG = re.compile(r"(<[^>]*>)")
_WRAPPED = (
    Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextShowMnemonic | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
)


class FlatButton(QToolButton):
    """A button of a card. Up and Down are the list's, from here too."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the arrows to whoever holds the card."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)


class WrappedButton(QToolButton):
    """A button whose words go on in the next line where they do not fit into one."""

    def __init__(self) -> None:
        super().__init__()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width_px: int) -> int:
        around = self._around()
        room = QRect(0, 0, max(width_px - around.width(), 1), 2**16)
        lines = self.fontMetrics().boundingRect(room, _WRAPPED, self.text())
        return lines.height() + around.height()

    def minimumSizeHint(self) -> QSize:
        widest = max((self.fontMetrics().horizontalAdvance(word) for word in self.text().split()), default=0)
        return QSize(widest + self._around().width(), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        text, option.text = option.text, ""
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        around = self._around()
        room = self.rect().adjusted(around.width() // 2, 0, -(around.width() // 2), 0)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, _WRAPPED, text)
        painter.end()

    def _around(self) -> QSize:
        """How much larger than its words it is."""
        metrics = self.fontMetrics()
        words = metrics.size(Qt.TextFlag.TextShowMnemonic, self.text())
        return (self.sizeHint() - words).expandedTo(QSize(0, 0))


class SourceLabel(QLabel):
    """Words of a brief as rich text. What is copied out of it is told, so that its source can be added."""

    copy_requested = Signal(str)
    """The words selected, or nothing where none are."""
    clicked = Signal()
    """The mouse was released on the words, selecting some of them or none."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.LinksAccessibleByMouse
        )
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    @property
    def selected(self) -> str:
        return self.selectedText().replace(_PARAGRAPH_END, "\n").replace(_BREAK, "").strip()

    def setText(self, text: str) -> None:
        """Show another text; its longest words may be broken, so that they widen nothing."""
        super().setText(_breakable(text))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave every key to the card, which copies with the source."""
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of a click, which Qt keeps to itself where words can be selected."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        if self.selected:
            menu.addAction("Copy selection with source", lambda: self.copy_requested.emit(self.selected))
        menu.addAction("Copy passage with source", lambda: self.copy_requested.emit(""))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())


def _breakable(text: str) -> str:
    """Rich text in which no word is longer than a narrow line."""

    def broken(word: re.Match[str]) -> str:
        return _BREAK.join(_STRETCH.findall(word[0]))

    return "".join(part if part.startswith("<") else _TOO_LONG.sub(broken, part) for part in _TAG.split(text))


def is_copy(event: QKeyEvent) -> bool:
    """Tell whether a key asks to copy, in the system's own way."""
    return event.matches(QKeySequence.StandardKey.Copy)


_SPOKEN = {True: "marked relevant", False: "marked not relevant", None: ""}


class Rating(QObject):
    """1 to 5 stars that a passage is worth as a precedent, or none."""

    chosen = Signal(object)
    """The stars, or None when they are withdrawn."""
    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.stars = 0

    def set_stars(self, stars: int | None) -> None:
        self.stars = stars or 0
        self.changed.emit()

    def choose(self, stars: int) -> None:
        """Give a rating; the one that holds already is withdrawn."""
        self.set_stars(None if stars == self.stars else stars)
        self.chosen.emit(self.stars or None)


class VerdictButtons(QWidget):
    """Relevant, not relevant, or nothing said."""

    chosen = Signal(object)
    """True, False, or None when it is withdrawn."""
    changed = Signal()
    """Something else is shown: what is said, or whether it is on the disk."""

    def __init__(self) -> None:
        super().__init__()
        self.verdict: bool | None = None
        self.may_record: Callable[[], bool] = lambda: True
        """Whether a button may record something now, be it by the mouse or by Space."""
        self._is_kept = True
        self.buttons = {
            True: _button("✓", key("relevant", IN_THE_RESULTS).tip),
            False: _button("✗", key("irrelevant", IN_THE_RESULTS).tip),
        }
        row_of(*self.buttons.values(), within=self, spacing_px=2)
        for verdict, button in self.buttons.items():
            button.clicked.connect(lambda _=False, verdict=verdict: self._on_clicked(verdict))
        self._show()

    def _on_clicked(self, verdict: bool) -> None:  # noqa: FBT001  # which of the two buttons
        if self.may_record():
            self.choose(verdict=verdict)
        else:
            self._show()  # the button has switched itself

    def choose(self, *, verdict: bool) -> None:
        """Say it as by a click; what holds already is withdrawn."""
        self.verdict = None if verdict is self.verdict else verdict
        self._is_kept = False
        self._show()
        self.chosen.emit(self.verdict)

    def set_verdict(self, verdict: bool | None, *, is_kept: bool = True) -> None:  # noqa: FBT001  # the one thing it says
        self.verdict, self._is_kept = verdict, is_kept
        self._show()

    def keep(self) -> None:
        """What was said is on the disk now."""
        self._is_kept = True
        self._show()

    @property
    def is_kept(self) -> bool:
        return self._is_kept

    def _show(self) -> None:
        for verdict, button in self.buttons.items():
            is_on = verdict is self.verdict
            button.setChecked(is_on and self._is_kept)
            name = "Relevant" if verdict else "Not relevant"
            state = "" if not is_on else ", recorded" if self._is_kept else ", being recorded"
            button.setAccessibleName(name + state)
        self.changed.emit()


class MarkLabel(PlainLabel):
    """What was done with a result, on the result itself: ▣ where it is in the current matter, ✓ or ✗ once on the
    disk, and a ★ for each star.
    """

    def __init__(self, verdict: VerdictButtons, stars: Rating) -> None:
        super().__init__()
        self._verdict, self._stars = verdict, stars
        self._is_collected = False
        self.setFont(font(is_bold=True))
        verdict.changed.connect(self._show)
        stars.changed.connect(self._show)
        self._show()

    def set_collected(self, *, is_collected: bool) -> None:
        """Show whether the passage is in the current matter."""
        self._is_collected = is_collected
        self._show()

    def _show(self) -> None:
        verdict = self._verdict.verdict if self._verdict.is_kept else None
        sign = "" if verdict is None else "✓" if verdict else "✗"
        self.setText(" ".join(filter(None, ("▣" if self._is_collected else "", sign, "★" * self._stars.stars))))
        stars = f"{self._stars.stars} of {len(STARS)} stars" if self._stars.stars else ""
        collected = "in the current matter" if self._is_collected else ""
        self.setAccessibleName(", ".join(filter(None, (collected, _SPOKEN[verdict], stars))))
        tone = {True: "good", False: "bad", None: "warning" if self._stars.stars else "accent"}[verdict]
        if tone != self.property("tone"):
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)
        self.setVisible(bool(self.text()))


def _button(text: str, tip: str) -> QToolButton:
    made = FlatButton()
    made.setText(text)
    set_tool_tip(made, tip)
    made.setFont(font(scale=0.92))
    made.setCheckable(True)
    return made
