"""Asks before the window closes over what could not be written down."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from briefbank.errors import BriefBankError
from ui.plain import warning_box
from ui.wording import count


def may_leave(window: QWidget, left: int, problem: BriefBankError | None, what: str) -> bool:
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
