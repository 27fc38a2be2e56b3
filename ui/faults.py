"""A fault of the program itself, met in the window: logged by its place, told to the user, and the window goes on."""

from __future__ import annotations

import logging
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from ui.plain import warning_box

_LOG = logging.getLogger(__name__)


class FaultTeller:
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
