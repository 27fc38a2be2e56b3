"""Notes on documents for exact search: their sentences and what they cite; made once and kept in the cache."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from briefbank.errors import SourceError
from briefbank.index.notes import Annotator, DocumentNotes
from briefbank.ingest.cache import Cache
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.citations import (
    CITATIONS_VERSION,
    DocumentCitations,
    PassageText,
    PatternSet,
    cite_document,
    load_patterns,
)
from briefbank.values.records import Passage

_LOG = logging.getLogger(__name__)


def annotate(passages: Sequence[Passage], patterns: PatternSet) -> DocumentNotes:
    """The notes on a document, given its passages in order. Some three milliseconds a passage."""
    starts = tuple(tuple(span.start for span in sentence_spans(passage.text)) for passage in passages)
    texts = [
        PassageText(passage.text, each, (passage.section_path, passage.section_kind, passage.is_footnotes))
        for passage, each in zip(passages, starts, strict=True)
    ]
    return DocumentNotes(starts, cite_document(texts, patterns))


class CachedNotes:
    """Makes the notes of documents, or finds them in the cache."""

    def __init__(
        self,
        cache: Cache,
        recipe: str,
        office_patterns: Path,
        make: Callable[[Sequence[Passage], PatternSet], DocumentNotes],
    ) -> None:
        """Take the recipe of the passages and the office's file of citation patterns, which may be absent.

        `make` has `annotate` run elsewhere: passages come from untrusted files.

        Raises:
            SettingsError: that file is not in order.
        """
        self._cache = cache
        self._make = make
        self.patterns = load_patterns(office_patterns)
        patterns = hashlib.sha256(msgspec.json.encode(self.patterns.patterns)).hexdigest()[:16]
        self.version = f"{CITATIONS_VERSION}:{patterns}"
        """Changes with all that changes the notes of the same passages."""
        self._recipe = f"{self.version}:{recipe}"

    def make(self, passages: Sequence[Passage]) -> DocumentNotes:
        """Make the notes on passages of one document, in order. Raises what `make` of the constructor raises."""
        return self._make(passages, self.patterns)

    def put(self, sha256: str, notes: DocumentNotes) -> None:
        """Keep the notes that were made when the document with this digest was read."""
        self._cache.put(self._key(sha256), notes)

    def _key(self, sha256: str) -> str:
        return f"notes:{sha256}:{self._recipe}"

    def annotator(self, sha256s: Iterable[str], id_length: int) -> Annotator:
        """What gives a generation its notes; the ids of its documents are the starts of these digests."""
        digests = {sha256[:id_length]: sha256 for sha256 in sha256s}
        return Annotator(lambda passages: self._if_found(digests[passages[0].document_id], passages), self.patterns)

    def _if_found(self, sha256: str, passages: Sequence[Passage]) -> DocumentNotes:
        """The notes on a document, made anew where the rules of citations are others than when it was read; one whose
        citations cannot be found then is searched without them rather than not at all.
        """
        notes = self._cache.get(self._key(sha256), DocumentNotes)
        if notes is None:
            try:
                notes = self.make(passages)
            except SourceError as error:
                _LOG.warning("no citations were found in document %s: %s", passages[0].document_id, error.code)
                nothing = DocumentCitations((), tuple(() for _ in passages))
                return DocumentNotes(tuple((0,) for _ in passages), nothing)
            self.put(sha256, notes)
        return notes
