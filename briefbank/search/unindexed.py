"""Files that are in no bank, read into a generation in memory that is searched as the bank's own is. Nothing of them is
stored or logged, and nothing is left of them when it is let go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from briefbank.errors import UsageError
from briefbank.index.generation import Generation
from briefbank.index.in_memory import generation_in_memory
from briefbank.index.notes import DocumentNotes
from briefbank.ingest.documents import DOCUMENT_ID_LENGTH
from briefbank.ingest.one_file import FileReader, FileText, file_reader
from briefbank.ingest.parse import ocr_summary
from briefbank.ingest.segment import PASSAGE_SIZE, segment
from briefbank.law.citations import PatternSet, load_patterns
from briefbank.models.encoders.port import Encoder
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.platform.settings import Settings
from briefbank.search.engine import SearchEngine
from briefbank.search.present import facets_of
from briefbank.search.profiles.ranking import PreparedProfile
from briefbank.values import Facets
from briefbank.values.records import Document, Fact, Passage, Query, SearchResult


@dataclass(frozen=True, slots=True)
class UnindexedFiles:
    """Files as a generation, and the search over it; `notices` say which of their pages were not read.

    The ids of documents and passages are those that they would have in a bank: nothing there can be shown or judged by
    them.
    """

    generation: Generation
    engine: SearchEngine
    notices: tuple[str, ...]

    def facets(self) -> Facets:
        """Return what a search of the files can be narrowed to."""
        return facets_of(self.generation)

    def search(self, query: Query) -> SearchResult:
        """Search the files; words are as rare as if the files were in the bank.

        Raises:
            UsageError: as `SearchEngine.search`, or the query names documents or a passage of the bank.
        """
        self._require_none_of_bank(query)
        result = self.engine.search(query)
        return replace(result, notices=(*self.notices, *result.notices))

    def search_by_profile(self, profile: PreparedProfile, query: Query) -> SearchResult:
        """Search the files with a profile that the bank made ready, whose filters on documents of the bank say nothing
        of files; raises as `search`.
        """
        self._require_none_of_bank(query)
        of_files = replace(profile, filters=replace(profile.filters, documents=()))
        result = self.engine.by_profile(of_files, query)
        return replace(result, notices=(*self.notices, *result.notices))

    def _require_none_of_bank(self, query: Query) -> None:
        if query.filters.documents or query.like_passage:
            advice = "Search the files and what is in the bank one after the other."
            raise UsageError("A search is of files or of documents of the bank, not of both.", advice)


def open_unindexed(
    paths: Sequence[Path],
    bank: Generation,
    encoder: Encoder,
    settings: Settings,
    engine_over: Callable[[Generation], SearchEngine],
    reporter: Reporter,
    cancel: CancelToken,
) -> UnindexedFiles:
    """Read files as briefs are read, and cut and encode them with the encoder of the bank; of equal ones the first.

    Passages are never cut by a language model, for which nobody would want to wait.

    Raises:
        SourceError: one of them is missing, cannot be read, or is a scan, which nothing here reads.
        CancelledError: asked to stop.
    """
    patterns = bank.authorities.patterns if bank.authorities else load_patterns()
    read: dict[str, _ReadFile] = {}
    notices = []
    with file_reader(settings, cancel) as reader:
        for done, path in enumerate(paths):
            reporter(Progress("reading", files_done=done, files_total=len(paths)))
            text = reader.read(path)
            if text.unread_pages:
                pages = ", ".join(map(str, text.unread_pages))
                notices.append(f"Not read in {path.name}, for there is no text on them: pages {pages} of the file.")
            if text.sha256 not in read:
                read[text.sha256] = _cut(path, text, reader, encoder, patterns)
            cancel.check()
    files = list(read.values())
    passages = [passage for each in files for passage in each.passages]
    reporter(Progress("encoding"))
    vectors = encoder.encode_passages([passage.text for passage in passages])
    notes = [each.notes for each in files]
    documents = [each.document for each in files]
    generation = generation_in_memory(bank, documents, passages, vectors, notes, patterns)
    return UnindexedFiles(generation, engine_over(generation), tuple(notices))


@dataclass(frozen=True, slots=True)
class _ReadFile:
    document: Document
    passages: list[Passage]
    notes: DocumentNotes


def _cut(path: Path, text: FileText, reader: FileReader, encoder: Encoder, patterns: PatternSet) -> _ReadFile:
    structured, document_id = text.document, text.sha256[:DOCUMENT_ID_LENGTH]
    pieces = reader.cut(structured, PASSAGE_SIZE.most)
    passages = segment(structured, encoder, document_id, size=PASSAGE_SIZE, pieces=pieces)
    return _ReadFile(_document(path, text, len(passages)), passages, reader.annotate(passages, patterns))


def _document(path: Path, text: FileText, passage_count: int) -> Document:
    structured = text.document
    ocr_page_count, ocr_confidence = ocr_summary(structured)
    metadata = structured.metadata
    if not metadata.title.value:
        metadata = replace(metadata, title=Fact(path.stem, "file name"))
    return Document(
        id=text.sha256[:DOCUMENT_ID_LENGTH],
        source_path=str(path),
        sha256=text.sha256,
        metadata=metadata,
        page_count=len(structured.pages),
        ocr_page_count=ocr_page_count,
        ocr_confidence=ocr_confidence,
        passage_count=passage_count,
        is_paginated=structured.has_pages,
        page_runs=structured.page_runs,
    )
