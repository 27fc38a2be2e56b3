"""The one QApplication: name and style, what screen readers hear of its widgets, what a fault or a signal does."""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

from PySide6.QtCore import QObject, QSocketNotifier, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QMessageBox, QWidget

from briefbank import __version__
from ui import preferences, theme
from ui.plain import warning_box

_LOG = logging.getLogger(__name__)
_ROLES = {
    "PageView": QAccessible.Role.Document,
    "ResultCard": QAccessible.Role.ListItem,
    "ResultRows": QAccessible.Role.List,
}
"""What screen readers take the window's own widgets for: Qt knows the roles of its own classes only. By the name of the
class or of one that it inherits, as Qt asks.
"""


def make_application() -> QApplication:
    """Make the one QApplication, named and styled."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(sys.argv[:1])
    QAccessible.installFactory(_interface)  # asked before Qt; what is told besides the role is Qt's own
    app.setApplicationName("briefbank")
    app.setApplicationDisplayName("BriefBank")
    app.setApplicationVersion(__version__)
    app.setOrganizationName("briefbank")
    app.setDesktopFileName("briefbank")
    chosen = preferences.load()
    theme.apply(app, chosen.scheme, chosen.text_size)
    return app


def end_on_signal(app: QApplication) -> None:
    """End in order on Ctrl-C and on SIGTERM. Qt waits outside Python, so that a pipe has to wake it."""
    if os.name == "nt":
        return

    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: app.exit(128 + number))
    QSocketNotifier(wake, QSocketNotifier.Type.Read, app).activated.connect(lambda: os.read(wake, 64))


def _interface(class_name: str, widget: QObject) -> QAccessibleInterface | None:
    role = _ROLES.get(class_name)
    return QAccessibleWidget(widget, role) if role is not None and isinstance(widget, QWidget) else None


class FaultReporter:
    """An excepthook. Says where it happened and never what was in hand, which may be the user's text."""

    def __init__(self) -> None:
        self._shown: QMessageBox | None = None

    def __call__(self, kind: type[BaseException], _fault: BaseException, trace: TracebackType | None) -> None:
        places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(trace)]
        _LOG.error("%s at %s", kind.__name__, ", ".join(places))
        if self._shown is None:  # one is enough: a fault while painting comes back sixty times a second
            self._show(f"{kind.__name__} at {places[-1] if places else 'an unknown place'}")

    def _show(self, fault: str) -> None:
        said = "Something in BriefBank itself went wrong. You can go on working; nothing recorded is lost."
        details = f"If it happens again, tell whoever looks after BriefBank: {fault}."
        box = warning_box(QApplication.activeWindow(), "BriefBank met a fault", said, details)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.finished.connect(self._on_finished)
        self._shown = box
        box.open()

    def _on_finished(self) -> None:
        self._shown = None
