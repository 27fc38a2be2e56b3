"""Prints pages as they were filed, without marks, and opens the file itself in the system's own viewer.

Pages are rendered by the page renderer and painted in a thread of their own. Whether a file is there is looked up
beside the window too: a share that is gone answers only after many seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QPageSize, QPainter, QTransform
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from briefbank.errors import BriefBankError
from briefbank.values.pages import DocumentPages, PageImage
from briefbank.values.records import Document
from ui.engine import EngineClient, FutureWatcher, deliver
from ui.flow import row_of
from ui.plain import PlainLabel
from ui.theme import UNIT_PX
from ui.wording import count

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter


DOTS_AN_INCH = 300
"""What courts ask of scans. A page takes 0.1 to 0.4 s at it, most of that for packing its picture."""
_POINTS_AN_INCH = 72
_NOT_FILED = "Only pages as they were filed are printed, and these are set from the indexed text: open the original."
_NO_PRINTER = "The printer did not take the pages."


class PrintLine(QFrame):
    """Prints one job at a time; hidden while there is none."""

    def __init__(self, engine: EngineClient, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._cancelled: Event | None = None
        """That of the job that is under way."""
        self.dialog: QPrintDialog | None = None
        self.said = PlainLabel(parent=self, tone="muted", wraps=True)
        self.button = QPushButton(self)
        self.button.clicked.connect(self._on_pressed)
        row_of((self.said, 1), self.button, within=self, margins_px=(UNIT_PX, UNIT_PX // 2, UNIT_PX, UNIT_PX // 2))
        self.hide()

    def ask(self, pages: DocumentPages, current: int) -> None:
        """Ask what of a document is to be printed, and where; `current` is the page in view."""
        if self._cancelled or self.dialog:
            return
        if pages.warning or not pages.has_own_pages:
            self._show_text(_NOT_FILED, "Close")
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName("BriefBank")  # a title would stand in the queue of a printer that others see
        paper = QPageSize.id(
            QSizeF(*sorted(pages.sizes[0])), QPageSize.Unit.Point, QPageSize.SizeMatchPolicy.FuzzyMatch
        )
        if paper is not QPageSize.PageSizeId.Custom:
            printer.setPageSize(QPageSize(paper))  # else the paper that is usual where this computer stands
        self.dialog = dialog = QPrintDialog(printer, self)
        dialog.setWindowTitle(f"Print, from {count(len(pages.sizes), 'sheet')} of the file")
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintCurrentPage)
        dialog.setMinMax(1, len(pages.sizes))
        dialog.setFromTo(current, current)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._begin(printer, pages, chosen_pages(printer, len(pages.sizes), current)))
        dialog.finished.connect(self._on_answered)
        dialog.setModal(True)
        dialog.show()

    def _on_answered(self) -> None:
        self.dialog = None

    def _begin(self, printer: QPrinter, pages: DocumentPages, numbers: Sequence[int]) -> None:
        self._cancelled = cancelled = Event()
        self._show_progress(cancelled, 0, len(numbers))
        bank, document_id = self._engine.bank, pages.document.id

        def render(number: int) -> Future[PageImage]:
            return bank.page_image(document_id, number, DOTS_AN_INCH / _POINTS_AN_INCH)

        def report(done: int) -> None:
            deliver(self, partial(self._show_progress, cancelled, done, len(numbers)))

        def work() -> None:
            problem = ""
            try:
                print_pages(printer, numbers, render, cancelled, report)
            except CancelledError:
                pass  # by whoever closed the window
            except BriefBankError as failed:
                problem = f"{failed.message} {failed.advice} Nothing was printed."
            except Exception:  # noqa: BLE001 - the task boundary: a printer may fail in any way
                problem = _NO_PRINTER
            deliver(self, partial(self._end, cancelled, problem))

        # Not a pool's thread, for which Python would wait at the end of the program.
        Thread(target=work, name="briefbank-print", daemon=True).start()

    def _show_progress(self, job: Event, done: int, total: int) -> None:
        if job is self._cancelled:
            self._show_text(f"Printing: {done} of {count(total, 'page')} done …", "Cancel")

    def _end(self, job: Event, problem: str) -> None:
        if job is self._cancelled:
            self._cancelled = None
            if problem:
                self._show_text(problem, "Close")
            else:
                self.hide()

    def _on_pressed(self) -> None:
        if self._cancelled:
            self._cancelled.set()
            self.button.setEnabled(False)
        else:
            self.hide()

    def _show_text(self, text: str, button: str) -> None:
        self.said.setText(text)
        self.setAccessibleName(text)
        self.button.setText(button)
        self.button.setEnabled(not (self._cancelled and self._cancelled.is_set()))
        self.show()


def chosen_pages(printer: QPrinter, page_count: int, current: int) -> list[int]:
    """Return the numbers of the pages that were chosen in the dialog, in their order."""
    from PySide6.QtPrintSupport import QPrinter

    match printer.printRange():
        case QPrinter.PrintRange.CurrentPage:
            return [current]
        case QPrinter.PrintRange.PageRange:
            ranges = printer.pageRanges().toRangeList()
            wanted = {number for each in ranges for number in range(each.from_, each.to + 1)}
            return sorted(wanted & set(range(1, page_count + 1)))
        case _:
            return list(range(1, page_count + 1))


def print_pages(
    printer: QPrinter,
    numbers: Sequence[int],
    render: Callable[[int], Future[PageImage]],
    cancelled: Event,
    report: Callable[[int], None],
) -> None:
    """Paint pages on a printer, each as large as it is on paper, or smaller where the paper is.

    What was sent is taken back where a page fails or the job is cancelled: half a brief passes for a whole one.

    Raises:
        BriefBankError: a page cannot be rendered.
        OSError: the printer does not take pages.
    """
    printer.setFullPage(True)
    painter = QPainter()
    if not painter.begin(printer):
        raise OSError(_NO_PRINTER)
    is_whole = False
    try:
        for done, number in enumerate(numbers):
            if cancelled.is_set():
                return
            page = render(number).result()
            if done and not printer.newPage():
                raise OSError(_NO_PRINTER)
            _draw(painter, printer, page)
            report(done + 1)
        is_whole = True
    finally:
        if not is_whole:
            printer.abort()
        painter.end()
        if not is_whole and printer.outputFileName():
            Path(printer.outputFileName()).unlink(missing_ok=True)


def _draw(painter: QPainter, printer: QPrinter, page: PageImage) -> None:
    image = QImage(page.pixels, page.width_px, page.height_px, page.stride_bytes, QImage.Format.Format_RGB888)
    if image.allGray():
        image = image.convertToFormat(QImage.Format.Format_Grayscale8)  # packed in a third of the time
    paper = QRectF(painter.viewport())
    if (image.width() > image.height()) != (paper.width() > paper.height()):
        image = image.transformed(QTransform().rotate(90))
    dots_a_pixel = printer.resolution() / (page.scale * _POINTS_AN_INCH)
    fitting = min(paper.width() / image.width(), paper.height() / image.height(), dots_a_pixel)
    width, height = image.width() * fitting, image.height() * fitting
    target = QRectF((paper.width() - width) / 2, (paper.height() - height) / 2, width, height)
    painter.drawImage(target, image, QRectF(image.rect()))


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
