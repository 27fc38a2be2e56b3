"""A draft in parts, with what each cites; read into memory alone: nothing is kept, indexed or logged."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from pathlib import Path

from briefbank.ingest.one_file import file_reader
from briefbank.law.citations import DocumentCitations, PatternSet, ShortForm
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings
from briefbank.records import Passage, Section, SectionKind, StructuredDocument

_NOT_READ = frozenset({SectionKind.CAPTION, SectionKind.PARTIES, SectionKind.CONTENTS, SectionKind.AUTHORITIES,
                       SectionKind.TABLE, SectionKind.SIGNATURE, SectionKind.CERTIFICATE})  # fmt: skip
"""Parts that argue nothing; what tables list is cited again where it is used."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as it was read: each part with the words of one section, and what the parts cite, in the same order; the
    short citations of cases once more by themselves.
    """

    sha256: str
    document: StructuredDocument
    parts: tuple[Passage, ...]
    citations: DocumentCitations
    short_forms: tuple[tuple[ShortForm, ...], ...]
    unread_pages: tuple[int, ...] = ()
    """Pages of the file without text, as scans are."""


def read_draft(path: Path, settings: Settings, patterns: PatternSet, cancel: CancelToken) -> Draft:
    """Read a file of any kind that is indexed.

    Raises:
        SourceError: it is missing, cannot be read, or is a scan, which nothing here reads.
        CancelledError: asked to stop.
    """
    with file_reader(settings, cancel) as reader:
        read = reader.read(path)
        document = read.document
        sections = [each for each in document.sections if each.kind not in _NOT_READ]
        parts = tuple(_part(document, number, each) for number, each in enumerate(sections))
        citations, short_forms = reader.cite(parts, patterns)
    return Draft(read.sha256, document, parts, citations, short_forms, read.unread_pages)


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
