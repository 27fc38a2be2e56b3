"""Reads a draft as briefs are read, in confined workers, into memory alone: nothing is kept, indexed or logged."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from concurrent.futures import wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from briefbank.errors import SourceError
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.worker import WORKER, Annotate, Convert, Digest, Parse, Structure
from briefbank.law.citations import DocumentCitations, PatternSet
from briefbank.platform.processes.calls import Task
from briefbank.platform.processes.pool import GuardedPool
from briefbank.platform.progress import POLL_S, CancelToken
from briefbank.platform.settings import Settings
from briefbank.records import Passage, Section, SectionKind, StructuredDocument

A = TypeVar("A")
_NOT_READ = frozenset({SectionKind.CAPTION, SectionKind.PARTIES, SectionKind.CONTENTS, SectionKind.AUTHORITIES,
                       SectionKind.TABLE, SectionKind.SIGNATURE, SectionKind.CERTIFICATE})  # fmt: skip
"""Parts that argue nothing; what tables list is cited again where it is used."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as it was read: each part with the words of one section, and what the parts cite, in the same order."""

    sha256: str
    document: StructuredDocument
    parts: tuple[Passage, ...]
    citations: DocumentCitations
    unread_pages: tuple[int, ...] = ()
    """Pages of the file without text, as scans are."""


def read_draft(path: Path, settings: Settings, patterns: PatternSet, cancel: CancelToken) -> Draft:
    """Read a file of any kind that is indexed.

    Raises:
        SourceError: it is missing, cannot be read, or is a scan, which nothing here reads.
        CancelledError: asked to stop.
    """
    if not path.is_file():
        raise SourceError(f"There is no file {path}.", "Name the draft: a Word, PDF, RTF or text file.")
    place = SourcePlace(path.resolve().parent, path.resolve())
    with GuardedPool(WORKER, settings) as pool:
        read = _Waiting(pool, settings, cancel)
        digest = read.done(Digest(place))
        parsed = read.done(Parse(place, settings))
        unread = parsed.reading.pages_to_ocr if parsed.reading else ()
        if parsed.reading and len(unread) == len(parsed.reading.pages):
            advice = "Save the draft from the program that it was written in, or have its scan read first."
            raise SourceError(f"{path.name} has no page with text.", advice)
        if parsed.reading:
            document = read.done(Structure(replace(parsed.reading, pages_to_ocr=())))
        else:
            document = parsed.document or read.done(Convert(place, settings))
        sections = [each for each in document.sections if each.kind not in _NOT_READ]
        parts = tuple(_part(document, number, each) for number, each in enumerate(sections))
        _, citations = read.done(Annotate(parts, patterns.patterns))
    return Draft(digest, document, parts, citations, unread)


class _Waiting:
    def __init__(self, pool: GuardedPool, settings: Settings, cancel: CancelToken) -> None:
        self._pool, self._settings, self._cancel = pool, settings, cancel

    def done(self, task: Task[A]) -> A:
        future = self._pool.submit(task, timeout_s=self._settings.read_timeout_s, is_waited_for=True)
        while not future.done():
            self._cancel.check()
            wait([future], timeout=POLL_S)
        return future.result()


def _part(document: StructuredDocument, number: int, section: Section) -> Passage:
    blocks, at = document.blocks, section.span
    # Looked up, not looked through: a hostile draft may have as many sections as blocks.
    first = max(bisect_right(blocks, at.start, key=lambda each: each.span.start) - 1, 0)
    inside = blocks[first : bisect_left(blocks, at.end, key=lambda each: each.span.start)]
    return Passage(
        id=f"draft-{number:04d}",
        document_id="draft",
        order=number,
        span=section.span,
        text=document.text[slice(*section.span)].rstrip(),
        section_kind=section.kind,
        section_path=section.path,
        page_first=min((each.page_first for each in inside), default=1),
        page_last=max((each.page_last for each in inside), default=1),
        is_footnotes=section.is_footnotes,
    )
