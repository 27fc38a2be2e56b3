"""What screen readers take the window's own widgets for: Qt knows the roles of its own classes only."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_ROLES = {
    "PageView": QAccessible.Role.Document,
    "ResultCard": QAccessible.Role.ListItem,
    "ResultRows": QAccessible.Role.List,
    "Stars": QAccessible.Role.StaticText,  # the rating is in its name, and given by the keys of the list
}
"""By the name of the class or of one that it inherits, as Qt asks."""


def install() -> None:
    """Have Qt ask here first. What is told of a widget besides its role is Qt's own."""
    QAccessible.installFactory(_interface)


def _interface(class_name: str, widget: QObject) -> QAccessibleInterface | None:
    role = _ROLES.get(class_name)
    return QAccessibleWidget(widget, role) if role is not None and isinstance(widget, QWidget) else None
