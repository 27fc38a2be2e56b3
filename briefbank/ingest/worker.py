"""The guarded workers of an index run: the tasks that they know.

Run as `python -m briefbank.ingest.worker` by `GuardedPool`. A task is a class: its fields are what it is given, made of
plain values; `run` does the work, in the worker, and returns a value of the declared type. It is entered in `TASKS` at
the end of this module. Heavy imports stand inside `run`; the process sees untrusted files, and no encoder or database.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from briefbank.errors import ChangingFileError
from briefbank.index.notes import DocumentNotes
from briefbank.ingest.beneath import OnDisk, SourcePlace
from briefbank.ingest.ocr.olmocr.merge import Ink, ScanPicture
from briefbank.ingest.parse import FileRead, How, Step, Waits
from briefbank.law.citations import DocumentCitations, Pattern, ShortForm
from briefbank.platform.processes.calls import Task, table
from briefbank.platform.processes.pool import work
from briefbank.values.records import Page, Passage

WORKER = "briefbank.ingest.worker"
"""The module that workers run."""


class Digest(Task[str], frozen=True):
    """The SHA-256 of a file."""

    place: SourcePlace

    def run(self, _: object, /) -> str:
        from briefbank.platform.files import file_sha256

        with self.place.opened() as path:
            return file_sha256(Path(os.fspath(path)))


class ReadFile(Task[FileRead | Waits], frozen=True):
    """See `parse.read_whole`; files for LibreOffice are left to `Convert`."""

    place: SourcePlace
    how: How

    def run(self, report: Callable[[Step], None], /) -> FileRead | Waits:
        from briefbank.ingest.parse import read_whole

        with self.place.opened() as path, _unchanged(path, self.how.sha256):
            return read_whole(path, self.how, report, converts=self.converts)


class Convert(ReadFile, frozen=True):
    """Read a file by way of LibreOffice, which may write files and listen on a socket; nothing else is read here."""

    converts = True


class Annotate(Task[DocumentNotes], frozen=True):
    """See `annotate.annotate`: of passages that were read before, when only the rules of citations have changed."""

    passages: tuple[Passage, ...]
    patterns: tuple[Pattern, ...]

    def run(self, _: object, /) -> DocumentNotes:
        from briefbank.ingest.annotate import annotate
        from briefbank.law.citations import PatternSet

        return annotate(self.passages, PatternSet(self.patterns))


class Cite(Task[tuple[DocumentCitations, tuple[tuple[ShortForm, ...], ...]]], frozen=True):
    """The citations of `annotate.annotate`, and by passage those of `law.citations.short_forms_in`."""

    passages: tuple[Passage, ...]
    patterns: tuple[Pattern, ...]

    def run(self, _: object, /) -> tuple[DocumentCitations, tuple[tuple[ShortForm, ...], ...]]:
        from briefbank.ingest.annotate import annotate
        from briefbank.law.citations import PatternSet, short_forms_in

        citations = annotate(self.passages, PatternSet(self.patterns)).citations
        return citations, tuple(tuple(short_forms_in(passage.text)) for passage in self.passages)


class Render(Task[ScanPicture], frozen=True):
    """See `ocr.page.render`."""

    place: SourcePlace
    number: int
    turn_deg: int

    def run(self, _: object, /) -> ScanPicture:
        from briefbank.ingest.ocr.page import render

        with self.place.opened() as path:
            return render(path, self.number, self.turn_deg)


class Merge(Task[tuple[Page, str]], frozen=True):
    """See `ocr.olmocr.merge.merge`."""

    page: Page
    markdown: str
    ink: Ink

    def run(self, _: object, /) -> tuple[Page, str]:
        from briefbank.ingest.ocr.olmocr.merge import merge

        return merge(self.page, self.markdown, self.ink)


@contextmanager
def _unchanged(path: OnDisk, sha256: str) -> Iterator[None]:
    """See to it that what the block reads of an open file is the content with this digest.

    Raises:
        ChangingFileError: it holds another, or was written to meanwhile; the time of that change nobody can set.
    """
    from briefbank.platform.files import file_sha256

    before = path.stat()
    is_same = not sha256 or file_sha256(Path(os.fspath(path))) == sha256
    if is_same:
        yield
        now = path.stat()
        is_same = (now.st_size, now.st_mtime_ns, now.st_ctime_ns) == (
            before.st_size,
            before.st_mtime_ns,
            before.st_ctime_ns,
        )
    if not is_same:
        raise ChangingFileError("The file was replaced while it was being read.", "The next run reads it.")


TASKS = table(Digest, ReadFile, Convert, Annotate, Cite, Render, Merge)

if __name__ == "__main__":
    # One thread each: there is a worker for every core.
    os.environ |= dict.fromkeys(("OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    work(TASKS)
