"""Pages per second from file to structured text, by kind of page, against plain text extraction in the same workers."""

from __future__ import annotations

import os
import statistics
import time
from concurrent.futures import Future
from pathlib import Path

from report import Figure

from briefbank.errors import SourceError
from briefbank.ingest.parse import with_ocr
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.processes.calls import Task, table
from briefbank.platform.processes.pool import GuardedPool, work
from briefbank.platform.settings import Settings, worker_count

_SCAN_DPI = 200
_TIMEOUT_S = 120.0


def measure(files: list[Path], work: Path, *, quick: bool) -> list[Figure]:
    """Read the born-digital files among `files`, Word files and 200 dpi scans made from them."""
    settings = Settings()
    rounds = 1 if quick else 3
    born_digital = [path for path in files if path.suffix.lower() == ".pdf" and _has_text(path)]
    if not born_digital:
        raise SystemExit("There is no PDF with a text layer in the folder of briefs.")
    scan, scanned_pages = _make_scan(born_digital, work, pages=2 * worker_count(settings) if quick else 16)
    word_files, word_pages = _make_word_files(born_digital, work)
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)  # where the workers find this module
    with GuardedPool("reading", settings) as pool:
        _run(pool, [ReadWhole(born_digital[0], settings)] * 2 * worker_count(settings))
        plain, full = [], []
        for _ in range(rounds):
            plain.append(_rate(pool, [PlainText(file) for file in born_digital]))
            full.append(_rate(pool, [ReadWhole(file, settings) for file in born_digital]))
        word = [_rate(pool, [ReadWhole(file, settings) for file in word_files], word_pages) for _ in range(rounds)]
        seconds, pages = _timed(pool, [ReadScan(scan, n + 1, settings) for n in range(scanned_pages)])
    read = statistics.median(full)
    return [
        Figure("born-digital PDF, text with structure", read, "pages/s", goal=250),
        Figure("born-digital PDF, plain text of PyMuPDF", statistics.median(plain), "pages/s"),
        Figure("structure against plain text", read / statistics.median(plain), "times"),
        Figure("Word files (pages of the same text as PDF)", statistics.median(word), "pages/s"),
        Figure(f"scans at {_SCAN_DPI} dpi, OCR", pages / seconds, "pages/s"),
    ]


class ReadWhole(Task[int], frozen=True):
    """Read one file; pages that wait for OCR are not counted."""

    path: Path
    settings: Settings

    def run(self, _: object, /) -> int:
        reading = read_file(self.path, self.settings)
        return len(structure(with_ocr(reading, {})).pages) - len(reading.pages_to_ocr)


class PlainText(Task[int], frozen=True):
    path: Path

    def run(self, _: object, /) -> int:
        import pymupdf

        with pymupdf.open(self.path) as document:
            for page in document:
                page.get_text()
            return len(document)


class ReadScan(Task[int], frozen=True):
    path: Path
    number: int
    settings: Settings

    def run(self, _: object, /) -> int:
        from briefbank.ingest.ocr.page import ocr_page

        ocr_page(self.path, self.number, self.settings)
        return 1


def _rate(pool: GuardedPool, tasks: list[Task[int]], pages: int = 0) -> float:
    seconds, counted = _timed(pool, tasks)
    return (pages or counted) / seconds


def _timed(pool: GuardedPool, tasks: list[Task[int]]) -> tuple[float, int]:
    started = time.perf_counter()
    pages = sum(_run(pool, tasks))
    return time.perf_counter() - started, pages


def _run(pool: GuardedPool, tasks: list[Task[int]]) -> list[int]:
    """Do every task; a file that cannot be read counts no pages."""
    futures: list[Future[int]] = [pool.submit(task, timeout_s=_TIMEOUT_S) for task in tasks]
    pages = []
    for future in futures:
        try:
            pages.append(future.result())
        except SourceError:
            pages.append(0)
    return pages


def _has_text(path: Path) -> bool:
    import pymupdf

    try:
        with pymupdf.open(path) as document:
            return not document.needs_pass and all(page.get_text().strip() for page in document.pages(0, 3))
    except (RuntimeError, ValueError, IndexError):
        return False


def _make_scan(files: list[Path], work: Path, pages: int) -> tuple[Path, int]:
    """A PDF of page images: pages from the middle of several files, so that covers and tables do not prevail."""
    import pymupdf

    made = pymupdf.open()
    for number in range(pages):
        with pymupdf.open(files[number % len(files)]) as source:
            page = source[(len(source) // 2 + number // len(files)) % len(source)]
            image = page.get_pixmap(dpi=_SCAN_DPI, colorspace=pymupdf.csGRAY).tobytes("jpg", jpg_quality=80)
            made.new_page(width=page.rect.width, height=page.rect.height).insert_image(page.rect, stream=image)
    path = work / "scan.pdf"
    made.save(path)
    return path, pages


def _make_word_files(files: list[Path], work: Path, most: int = 12) -> tuple[list[Path], int]:
    """Word files of the same paragraphs as some PDFs, and the number of pages that the PDFs have."""
    import docx
    import pymupdf

    made, pages = [], 0
    for number, source in enumerate(files[:most]):
        document = docx.Document()
        with pymupdf.open(source) as pdf:
            pages += len(pdf)
            for page in pdf:
                for block in page.get_text("blocks"):
                    text = "".join(c for c in block[4] if c.isprintable() or c == "\n")
                    document.add_paragraph(" ".join(text.split()))
        made.append(work / f"word-{number}.docx")
        document.save(str(made[-1]))
    return made, pages


if __name__ == "__main__":
    work(table(ReadWhole, PlainText, ReadScan))
