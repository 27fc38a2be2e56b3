"""The line at the bottom: whether the search helped, how much of it is judged, and which bank this is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from briefbank.values.unreadable import UnreadableFiles
from ui.flow import row_of
from ui.plain import ElidedLabel, PlainLabel, set_tool_tip
from ui.shortcuts import key
from ui.theme import font
from ui.wording import problem_text

_SMALL = 0.92
_MESSAGE_MS = 4000
"""How long what was just done is said before the state of the bank comes back."""


class CommentField(QLineEdit):
    """One line of free text that is told when it is finished."""

    written = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._announced = ""
        self.setAccessibleName("Did this search help?")
        self.setPlaceholderText("In your own words; kept when you press Enter")
        self.returnPressed.connect(self.finish)

    def begin(self, text: str = "") -> None:
        """Show what was written of another search before; what was written of the last one must be finished by then."""
        self._announced = text
        self.setText(text)

    def finish(self) -> None:
        text = self.text().strip()
        if text != self._announced:
            self._announced = text
            self.written.emit(text)
            self.setText(self.text())  # from here on undoing takes back the comment, not its letters

    def event(self, event: QEvent) -> bool:
        """Leave the key that undoes to the window where it takes back the comment that stands here."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_kept = bool(self._announced) and not self.isUndoAvailable()
            if is_kept and event.matches(QKeySequence.StandardKey.Undo):
                event.ignore()
                return False
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finish()


class BottomBar(QWidget):
    """The comment, the count of judgements and the state of the bank."""

    state_clicked = Signal()
    unreadable_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.comment = CommentField()
        self._question = PlainLabel("Did this search &help?")
        self._question.setBuddy(self.comment)
        self._judged = PlainLabel()
        set_tool_tip(self._judged, "Marked relevant or not relevant; stars are not counted")
        self._state = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._unreadable = QToolButton()
        self._unreadable.setProperty("tone", "link")
        self._unreadable.clicked.connect(self.unreadable_clicked)
        self._unreadable.hide()
        self._progress = QToolButton()
        self._progress.clicked.connect(self.state_clicked)
        self._progress.hide()
        self._text = ""
        self._failures: list[str] = []
        """What failed and is still to be read, the one that is shown first."""
        self._waiting = ""
        """What was done meanwhile."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_MESSAGE_MS)
        self._timer.timeout.connect(self._on_read)
        for each in (self._question, self.comment, self._judged, self._state, self._unreadable, self._progress):
            each.setFont(font(scale=_SMALL))
        parts = (self._question, (self.comment, 3), self._judged, (self._state, 4), self._unreadable, self._progress)
        row_of(*parts, within=self)
        self.set_judged(0, 0, is_asked=False)

    @property
    def state(self) -> str:
        """What is said of the bank or, for a moment, of what was just done."""
        return self._state.text()

    @property
    def judged(self) -> str:
        return self._judged.text()

    def set_judged(self, judged: int, shown: int, *, is_asked: bool) -> None:
        """Say how many of the results shown are marked relevant or not.

        A comment is taken on what was asked, if anything was.
        """
        self._judged.setText(f"{judged} of {shown} judged" if shown else "")
        self._question.setEnabled(is_asked)
        self.comment.setEnabled(is_asked)

    def set_comment_shown(self, *, is_shown: bool) -> None:
        """Ask what a search was worth only where there is one on the screen."""
        for each in (self._question, self.comment, self._judged):
            each.setVisible(is_shown)

    def set_state(self, text: str) -> None:
        self._text = text
        if not self._timer.isActive():
            self._state.setText(text)

    @property
    def unreadable(self) -> str:
        """What is said of files that could not be read; nothing where all were."""
        return self._unreadable.text()

    def set_unreadable(self, unreadable: UnreadableFiles | None) -> None:
        """Say how many files no search looks into; None where an older program made the index, and nobody knows."""
        said = "unreadable files not known" if unreadable is None else unreadable.told
        self._unreadable.setText(said)
        self._unreadable.setAccessibleName(said and f"{said}: {key('unreadable').does}")
        set_tool_tip(self._unreadable, key("unreadable").tip)
        self._unreadable.setVisible(bool(said))

    def forget_unreadable(self, _problem: Exception | None = None) -> None:
        """Say nothing where the engine cannot tell; why it cannot is said elsewhere."""
        self._unreadable.hide()

    def show_message(self, message: str) -> None:
        """Say for a moment what was just done, after a failure that is being told."""
        self.announce(message)
        if self._failures:
            self._waiting = message
        else:
            self._show(message)

    def show_failure(self, message: str) -> None:
        """Say what failed or was refused until it is read: what was done before may be confirmed late."""
        self.announce(message)
        if message in self._failures:
            return
        self._failures.append(message)
        if len(self._failures) == 1:
            self._show(message)

    def show_problem(self, problem: Exception) -> None:
        self.show_failure(problem_text(problem))

    def _show(self, message: str) -> None:
        self._state.setText(message)
        self._timer.start()

    def _on_read(self) -> None:
        del self._failures[:1]
        if self._failures:
            self._show(self._failures[0])
        elif self._waiting:
            self._show(self._waiting)
            self._waiting = ""
        else:
            self._state.setText(self._text)

    def announce(self, message: str) -> None:
        """Have a screen reader say something that is shown elsewhere."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, message))

    def set_progress(self, text: str) -> None:
        self._progress.setText(text)
        self._progress.setVisible(bool(text))
