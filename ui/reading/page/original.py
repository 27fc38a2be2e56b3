"""Opens a document's file in the system's own viewer. Whether it is there is looked up beside the window: a share that
is gone answers only after many seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from briefbank.values.records import Document
from ui.tasks import FutureWatcher


def open_original(document: Document, page: int, on_failed: Callable[[str], None], parent: QObject) -> FutureWatcher:
    """Open the file at a page, where the viewer understands that; `on_failed` is told why it cannot be."""
    path = Path(document.source_path)

    def miss(_problem: Exception | None = None) -> None:
        on_failed(f"{path} is not there any more, or its share is not connected.")

    def show(is_there: bool) -> None:  # noqa: FBT001 - the answer of Path.is_file
        if not is_there:
            miss()
            return
        url = QUrl.fromLocalFile(str(path))
        if path.suffix.lower() == ".pdf":
            url.setFragment(f"page={page}")
        if not QDesktopServices.openUrl(url):
            on_failed(f"This system knows no program that opens {path.name}.")

    looking: Future[bool] = Future()

    def look() -> None:
        try:
            looking.set_result(path.is_file())
        except OSError as problem:
            looking.set_exception(problem)

    task = FutureWatcher(looking, show, miss, parent)
    # Not a pool's thread, for which Python would wait at the end of the program.
    Thread(target=look, name="briefbank-original", daemon=True).start()
    return task
