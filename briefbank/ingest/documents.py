"""What the cache keeps of each document that was read, and the documents that an index is made of.

A document is kept under the digest of its file's content and the recipe by which it was read. Must not open files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from briefbank.errors import BankDamagedError
from briefbank.ingest.cache import Cache, decoded
from briefbank.ingest.ledger import LedgerEntry
from briefbank.ingest.sidecar import with_overrides
from briefbank.platform.progress import CancelToken
from briefbank.values.page_numbers import PageRun
from briefbank.values.records import Document, Fact, Metadata, Passage

DOCUMENT_ID_LENGTH = 16
ADVICE = "Index the folder again, which reads what is missing anew, then run the same command again."


@dataclass(frozen=True, slots=True)
class CachedDocument:
    """What the cache keeps of a document that was read and cut. `ocr_readings` names the kinds of OCR whose pages the
    cache holds for it; `note` says what is missing from its text, whatever name its file has by now.
    """

    metadata: Metadata
    page_count: int
    ocr_page_count: int
    ocr_confidence: float | None
    passages: tuple[Passage, ...]
    has_pages: bool
    ocr_readings: tuple[str, ...]
    page_runs: tuple[PageRun, ...]
    note: str = ""


class _Described(msgspec.Struct, frozen=True):
    """The part of a `CachedDocument` that says what it is."""

    metadata: Metadata


class LostDocumentsError(BankDamagedError):
    """The cache held documents that it cannot give back."""

    code = "lost-documents"


class CachedDocuments:
    """The documents in a bank's cache, by the SHA-256 of their files' content."""

    def __init__(self, cache: Cache, recipe: str) -> None:
        self._cache = cache
        self._recipe = recipe

    def _key(self, sha256: str) -> str:
        return f"document:{sha256}:{self._recipe}"

    def holds(self, sha256: str) -> bool:
        """Whether there is one; whether it can be read is found when it is asked for."""
        return self._cache.holds(self._key(sha256))

    def digests(self) -> set[str]:
        """The contents of which there is a document, by SHA-256."""
        parts = (key.split(":", 2) for key in self._cache.keys("document:"))
        return {sha256 for _, sha256, *recipe in parts if recipe == [self._recipe]}

    def decoded(self, sha256: str, key: str, value: bytes) -> CachedDocument | None:
        """Return a document as another cache kept it; None where it is no document of that content and this recipe."""
        if key != self._key(sha256):
            return None
        try:
            document = decoded(value, CachedDocument)
        except ValueError:
            return None
        is_own = all(passage.document_id == sha256[:DOCUMENT_ID_LENGTH] for passage in document.passages)
        return document if is_own else None

    def put(self, sha256: str, read: CachedDocument) -> None:
        self._cache.put(self._key(sha256), read)

    def get(self, sha256: str) -> CachedDocument:
        """Return what was kept. Raises LostDocumentsError where it cannot be decoded; it is not held any more then."""
        read = self._cache.get(self._key(sha256), CachedDocument)
        if read is None:
            raise LostDocumentsError("The cache of this bank lost a document while the index was written.", ADVICE)
        return read

    def metadata(self, sha256: str) -> Metadata | None:
        """What was found of a document in its file, without its text, which takes long to decode; None where that
        cannot be decoded, and is not held any more.
        """
        read = self._cache.get(self._key(sha256), _Described)
        return read.metadata if read else None

    def note(self, sha256: str | None) -> str:
        """What is missing from a document's text; empty also where it cannot be decoded, and is not held any more."""
        read = self._cache.get(self._key(sha256), CachedDocument) if sha256 else None
        return read.note if read else ""

    def documents(self, entries: Iterable[LedgerEntry], cancel: CancelToken) -> dict[str, Document]:
        """Return the documents of the files, by SHA-256. Of identical files the first by path stands for all.

        Raises:
            LostDocumentsError: some cannot be decoded; none of these is held any more then.
            CancelledError: asked to stop.
        """
        documents: dict[str, Document] = {}
        lost: LostDocumentsError | None = None
        for entry in entries:
            if entry.sha256 is None or entry.sha256 in documents:
                continue
            cancel.check()
            try:
                documents[entry.sha256] = _document(entry, entry.sha256, self.get(entry.sha256))
            except LostDocumentsError as error:
                lost = error
        if lost:
            raise lost
        return documents


def _document(entry: LedgerEntry, sha256: str, read: CachedDocument) -> Document:
    named = read.metadata
    if not named.title.value:
        named = replace(named, title=Fact(Path(entry.path).stem, "file name"))
    return Document(
        id=sha256[:DOCUMENT_ID_LENGTH],
        source_path=entry.path,
        sha256=sha256,
        metadata=with_overrides(named, entry.overrides),
        page_count=read.page_count,
        ocr_page_count=read.ocr_page_count,
        ocr_confidence=read.ocr_confidence,
        passage_count=len(read.passages),
        is_paginated=read.has_pages,
        ocr_readings=read.ocr_readings,
        page_runs=read.page_runs,
        note=read.note,
    )
