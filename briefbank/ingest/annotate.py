"""Notes on documents for exact search: their sentences and what they cite, made once and kept in the cache.

Knows passages, not the index that the notes go into.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from briefbank.index.generation import Annotator, DocumentNotes
from briefbank.ingest.cache import Cache
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.citations import CITATIONS_VERSION, PassageText, PatternSet, cite_document, load_patterns
from briefbank.records import Passage


def annotate(passages: Sequence[Passage], patterns: PatternSet) -> DocumentNotes:
    """The notes on a document, given its passages in order. Some three milliseconds a passage."""
    starts = tuple(tuple(span.start for span in sentence_spans(passage.text)) for passage in passages)
    texts = [
        PassageText(passage.text, each, (passage.section_path, passage.section_kind, passage.is_footnotes))
        for passage, each in zip(passages, starts, strict=True)
    ]
    return DocumentNotes(starts, cite_document(texts, patterns))


class KeptNotes:
    """Makes the notes of documents, or finds them in the cache."""

    def __init__(self, cache: Cache, recipe: str, office_patterns: Path) -> None:
        """Take the recipe of the passages and the office's file of citation patterns, which may be absent.

        Raises:
            SettingsError: that file is not in order.
        """
        self._cache = cache
        self._patterns = load_patterns(office_patterns)
        patterns = hashlib.sha256(msgspec.json.encode(self._patterns.patterns)).hexdigest()[:16]
        self.version = f"{CITATIONS_VERSION}:{patterns}"
        """Changes with all that changes the notes of the same passages."""
        self._recipe = f"{self.version}:{recipe}"

    def of(self, sha256: str, passages: Sequence[Passage]) -> DocumentNotes:
        """The notes on the document with this digest, given its passages in order."""
        key = f"notes:{sha256}:{self._recipe}"
        notes = self._cache.get(key, DocumentNotes)
        if notes is None:
            notes = annotate(passages, self._patterns)
            self._cache.put(key, notes)
        return notes

    def annotator(self, sha256s: Iterable[str], id_length: int) -> Annotator:
        """What gives a generation its notes; the ids of its documents are the starts of these digests."""
        digests = {sha256[:id_length]: sha256 for sha256 in sha256s}
        return Annotator(lambda passages: self.of(digests[passages[0].document_id], passages), self._patterns)
