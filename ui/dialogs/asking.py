"""Small questions: one of a few things, a name, where a file is to lie, whether to lose what could not be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QMessageBox,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from briefbank.errors import BriefBankError
from ui.plain import warning_box
from ui.theme import UNIT_PX
from ui.wording import count


class Choice(QWidget):
    """One of a few things, side by side or one below the other."""

    chosen = Signal(object)

    def __init__(self, name: str, offered: Mapping[StrEnum, str], now: StrEnum, *, is_upright: bool = False) -> None:
        """Offer the texts of `offered`; `name` is for a screen reader."""
        super().__init__()
        self.setAccessibleName(name)
        self.value = now
        group = QButtonGroup(self)
        row = QVBoxLayout(self) if is_upright else QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(UNIT_PX // 2 if is_upright else 2 * UNIT_PX)
        for value, text in offered.items():
            button = QRadioButton(text)
            button.setAccessibleName(f"{name}: {text}")
            button.setChecked(value == now)
            button.clicked.connect(lambda _=False, value=value: self._choose(value))
            group.addButton(button)
            row.addWidget(button)
        row.addStretch(1)

    def _choose(self, value: StrEnum) -> None:
        self.value = value
        self.chosen.emit(value)


_WIDTH_CHARS = 70
"""A question, shortened as a name, is seen whole."""


def ask_name(parent: QWidget, title: str, question: str, on_given: Callable[[str], None], before: str = "") -> None:
    """Call `on_given` with the name, unless none is given; `before` is the one that stands there first."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(question)
    dialog.setTextValue(before)
    dialog.resize(dialog.fontMetrics().averageCharWidth() * _WIDTH_CHARS, dialog.sizeHint().height())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def give(text: str) -> None:
        if name := text.strip():
            on_given(name)

    dialog.textValueSelected.connect(give)
    dialog.open()


_NO_NAME = '<>:"/\\|?*'
"""What a file's name does not hold on Windows, where it may go."""


def ask_where(parent: QWidget, title: str, name: str, ending: str, kind: str) -> tuple[Path, bool] | None:
    """Ask for the place of a file of one kind; as `ask_where_of`."""
    return ask_where_of(parent, title, name, {ending: kind})


def ask_where_of(parent: QWidget, title: str, name: str, kinds: Mapping[str, str]) -> tuple[Path, bool] | None:
    """Ask for a file's place, offering a name without its ending and what `kinds` calls the kinds by their endings;
    returns that, and whether a file of that name may be replaced, which the dialog has asked. None where nothing was
    chosen.
    """
    offered = "".join("_" if letter in _NO_NAME or not letter.isprintable() else letter for letter in name)
    first = next(iter(kinds))
    chosen, kind = QFileDialog.getSaveFileName(parent, title, f"{offered}{first}", ";;".join(kinds.values()))
    if not chosen:
        return None
    # The dialog asks before it names a file that is there; it knows nothing of one with the ending added.
    is_whole = chosen.casefold().endswith(tuple(kinds))
    ending = next((each for each, called in kinds.items() if called == kind), first)
    return Path(chosen if is_whole else f"{chosen}{ending}"), is_whole


def may_lose_unsaved(window: QWidget, left: int, problem: BriefBankError | None, what: str) -> bool:
    """Whether the window may close: nothing is left to be written, or somebody gives it up. `what` names it in the
    title: "Feedback".
    """
    if not left:
        return True
    said = f"{count(left, 'entry', 'entries')} of your {what.lower()} could not be written down, and will be lost."
    details = f"{problem.message} {problem.advice}" if problem else "The disk does not answer."
    is_one = what == "Feedback"
    box = warning_box(window, f"{what} {'is' if is_one else 'are'} not written down", said, details)
    box.addButton("Quit and lose it", QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton("Stay", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.exec()
    return box.clickedButton() is not stay
