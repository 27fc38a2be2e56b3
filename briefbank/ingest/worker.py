"""The guarded workers of an index run: the tasks that they know.

Run as `python -m briefbank.ingest.worker` by `GuardedPool`. A task is a class: its fields are what it is given, made of
plain values; `run` does the work, in the worker, and returns a value of the declared type. It is entered in `TASKS` at
the end of this module, and submitted as `pool.submit(Parse(place, settings), timeout_s=…)`. Heavy imports stand inside
`run`; the process sees untrusted files, and no encoder or database.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.ocr.olmocr.layout import Ink, ScanPicture
from briefbank.ingest.pieces import Piece
from briefbank.law.citations import DocumentCitations, Pattern, ShortForm
from briefbank.platform.processes.calls import Task, table
from briefbank.platform.processes.pool import work
from briefbank.platform.settings import Settings
from briefbank.values.records import Block, Page, Passage, Reading, Section, StructuredDocument

WORKER = "briefbank.ingest.worker"
"""The module that workers run."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document; where pages wait for OCR, the reading instead; or neither, where the file is one to `Convert`."""

    document: StructuredDocument | None = None
    reading: Reading | None = None


class Digest(Task[str], frozen=True):
    """The SHA-256 of a file."""

    place: SourcePlace

    def run(self, _: None, /) -> str:
        from briefbank.platform.files import file_sha256

        with self.place.opened() as path:
            return file_sha256(Path(os.fspath(path)))


class Parse(Task[Parsed], frozen=True):
    """See `parse.parse`; files for LibreOffice are left to `Convert`."""

    place: SourcePlace
    settings: Settings

    def run(self, _: None, /) -> Parsed:
        from briefbank.ingest.parse import parse
        from briefbank.ingest.readers import is_for_converter

        with self.place.opened() as path:
            if is_for_converter(path, self.settings):
                return Parsed()
            parsed = parse(path, self.settings)
        return Parsed(reading=parsed) if isinstance(parsed, Reading) else Parsed(parsed)


class Convert(Task[StructuredDocument], frozen=True):
    """Read a file by way of LibreOffice, which may write files and listen on a socket; nothing else is read here."""

    converts = True
    place: SourcePlace
    settings: Settings

    def run(self, _: None, /) -> StructuredDocument:
        from briefbank.ingest.parse import converted

        with self.place.opened() as path:
            return converted(path, self.settings)


class Structure(Task[StructuredDocument], frozen=True):
    """See `parse.structure`."""

    reading: Reading

    def run(self, _: None, /) -> StructuredDocument:
        from briefbank.ingest.parse import structure

        return structure(self.reading)


class Cut(Task[tuple[tuple[Piece, ...], ...]], frozen=True):
    """See `pieces.document_pieces`."""

    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    most_words: int

    def run(self, _: None, /) -> tuple[tuple[Piece, ...], ...]:
        from briefbank.ingest.pieces import document_pieces

        return document_pieces(self.text, self.blocks, self.sections, self.most_words)


class Annotate(Task[tuple[tuple[tuple[int, ...], ...], DocumentCitations]], frozen=True):
    """See `annotate.annotate`: the sentence starts and the citations of its notes."""

    passages: tuple[Passage, ...]
    patterns: tuple[Pattern, ...]

    def run(self, _: None, /) -> tuple[tuple[tuple[int, ...], ...], DocumentCitations]:
        from briefbank.ingest.annotate import annotate
        from briefbank.law.citations import PatternSet

        notes = annotate(self.passages, PatternSet(self.patterns))
        return notes.sentence_starts, notes.citations


class Cite(Task[tuple[DocumentCitations, tuple[tuple[ShortForm, ...], ...]]], frozen=True):
    """The citations of `annotate.annotate`, and by passage those of `law.citations.short_forms_in`."""

    passages: tuple[Passage, ...]
    patterns: tuple[Pattern, ...]

    def run(self, _: None, /) -> tuple[DocumentCitations, tuple[tuple[ShortForm, ...], ...]]:
        from briefbank.ingest.annotate import annotate
        from briefbank.law.citations import PatternSet, short_forms_in

        citations = annotate(self.passages, PatternSet(self.patterns)).citations
        return citations, tuple(tuple(short_forms_in(passage.text)) for passage in self.passages)


class ReadScan(Task[Page], frozen=True):
    """See `ocr.page.ocr_page`."""

    place: SourcePlace
    number: int
    settings: Settings

    def run(self, _: None, /) -> Page:
        from briefbank.ingest.ocr.page import ocr_page

        with self.place.opened() as path:
            return ocr_page(path, self.number, self.settings)


class Render(Task[ScanPicture], frozen=True):
    """See `ocr.olmocr.render.render`."""

    place: SourcePlace
    number: int
    turn_deg: int

    def run(self, _: None, /) -> ScanPicture:
        from briefbank.ingest.ocr.olmocr.render import render

        with self.place.opened() as path:
            return render(path, self.number, self.turn_deg)


class Merge(Task[tuple[Page, str]], frozen=True):
    """See `ocr.olmocr.merge.merge`."""

    page: Page
    markdown: str
    ink: Ink

    def run(self, _: None, /) -> tuple[Page, str]:
        from briefbank.ingest.ocr.olmocr.merge import merge

        return merge(self.page, self.markdown, self.ink)


TASKS = table(Digest, Parse, Convert, Structure, Cut, Annotate, Cite, ReadScan, Render, Merge)

if __name__ == "__main__":
    work(TASKS)
