"""Files that are in no bank, read into a generation in memory that is searched as the bank's own is. Nothing of them is
stored or logged, and nothing is left of them when it is let go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from briefbank.errors import UsageError
from briefbank.index.generation import Generation, generation_in_memory
from briefbank.ingest.documents import DOCUMENT_ID_LENGTH
from briefbank.ingest.parse import FileRead
from briefbank.ingest.texts import file_reader
from briefbank.law.citations import load_patterns
from briefbank.models.encoders.port import Encoder
from briefbank.platform.progress import CancelToken, Progress, Reporter
from briefbank.platform.settings import Settings
from briefbank.search.engine import SearchEngine
from briefbank.search.present import facets_of
from briefbank.search.profiles.ranking import PreparedProfile
from briefbank.values.reading import Facets
from briefbank.values.records import Document, Fact, Query, SearchResult


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
    read: dict[str, tuple[Path, FileRead]] = {}
    notices = []
    with file_reader(settings, cancel) as reader:
        for done, path in enumerate(paths):
            reporter(Progress("reading", files_done=done, files_total=len(paths)))
            sha256, read_file = reader.read_passages(path, encoder, patterns)
            if read_file.unread_pages:
                pages = ", ".join(map(str, read_file.unread_pages))
                notices.append(f"Not read in {path.name}, for there is no text on them: pages {pages} of the file.")
            notices += [f"{path.name}: {each}" for each in read_file.remarks]
            if read_file.unread_parts:
                notices.append(f"Not read, though {path.name} holds it: {', '.join(read_file.unread_parts)}.")
            read.setdefault(sha256, (path, read_file))
            cancel.check()
    passages = [passage for _, each in read.values() for passage in each.passages]
    reporter(Progress("encoding"))
    vectors = encoder.encode_passages([passage.text for passage in passages])
    notes = [each.notes for _, each in read.values() if each.notes]
    documents = [_document(path, sha256, each) for sha256, (path, each) in read.items()]
    generation = generation_in_memory(bank, documents, passages, vectors, notes, patterns)
    return UnindexedFiles(generation, engine_over(generation), tuple(notices))


def _document(path: Path, sha256: str, read: FileRead) -> Document:
    metadata = read.metadata
    if not metadata.title.value:
        metadata = replace(metadata, title=Fact(path.stem, "file name"))
    return Document(
        id=sha256[:DOCUMENT_ID_LENGTH],
        source_path=str(path),
        sha256=sha256,
        metadata=metadata,
        page_count=read.page_count,
        ocr_page_count=read.ocr_page_count,
        ocr_confidence=read.ocr_confidence,
        passage_count=len(read.passages),
        is_paginated=read.has_pages,
        page_runs=read.page_runs,
    )
