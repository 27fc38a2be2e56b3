"""Notes on documents for exact search: their sentences, what they cite, and what directives say against authorities;
made once and kept in the cache.

Knows passages, not the index that the notes go into.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from briefbank.errors import SourceError
from briefbank.index.notes import Annotator, DirectiveEntry, DocumentNotes
from briefbank.ingest.cache import Cache
from briefbank.ingest.directives.read import DIRECTIVES_VERSION, read_directive
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
        make: Callable[[Sequence[Passage], PatternSet], DocumentNotes] = annotate,
        read: Callable[[Sequence[Passage], PatternSet], tuple[DirectiveEntry, ...]] = read_directive,
    ) -> None:
        """Take the recipe of the passages and the office's file of citation patterns, which may be absent.

        `make` is `annotate`, and `read` is `read_directive`, or they have these run elsewhere: passages come from
        untrusted files.

        Raises:
            SettingsError: that file is not in order.
        """
        self._cache = cache
        self._make, self._read = make, read
        self._patterns = load_patterns(office_patterns)
        patterns = hashlib.sha256(msgspec.json.encode(self._patterns.patterns)).hexdigest()[:16]
        made_by = f"{CITATIONS_VERSION}:{patterns}"
        self._recipe = f"{made_by}:{recipe}"
        self.version = f"{made_by}:{DIRECTIVES_VERSION}"
        """Changes with all that changes the notes of the same passages."""

    def of(self, sha256: str, passages: Sequence[Passage]) -> DocumentNotes:
        """The notes on the document with this digest, given its passages in order.

        Raises what `make` raises.
        """
        key = f"notes:{sha256}:{self._recipe}"
        notes = self._cache.get(key, DocumentNotes)
        if notes is None:
            notes = self._make(passages, self._patterns)
            self._cache.put(key, notes)
        return notes

    def of_directive(self, sha256: str, passages: Sequence[Passage]) -> tuple[DirectiveEntry, ...]:
        """What the directive with this digest says against authorities, given its passages in order.

        Raises what `read` raises.
        """
        key = f"directive:{sha256}:{DIRECTIVES_VERSION}:{self._recipe}"
        entries = self._cache.get(key, tuple[DirectiveEntry, ...])
        if entries is None:
            entries = self._read(passages, self._patterns)
            self._cache.put(key, entries)
        return entries

    def annotator(self, sha256s: Iterable[str], id_length: int) -> Annotator:
        """What gives a generation its notes; the ids of its documents are the starts of these digests."""
        digests = {sha256[:id_length]: sha256 for sha256 in sha256s}
        return Annotator(
            lambda passages: self._if_found(digests[passages[0].document_id], passages),
            self._patterns,
            lambda passages: self._if_read(digests[passages[0].document_id], passages),
        )

    def _if_read(self, sha256: str, passages: Sequence[Passage]) -> tuple[DirectiveEntry, ...]:
        """As `of_directive`, and nothing where that fails, see `_if_found`."""
        try:
            return self.of_directive(sha256, passages)
        except SourceError as error:
            _LOG.warning("directive %s could not be read: %s", passages[0].document_id, error.code)
            return ()

    def _if_found(self, sha256: str, passages: Sequence[Passage]) -> DocumentNotes:
        """As `of`; a document whose citations cannot be found is searched without them rather than not at all.

        Only notes made anew over what an earlier program read can fail here: of a file read now, the file fails.
        """
        try:
            return self.of(sha256, passages)
        except SourceError as error:
            _LOG.warning("no citations were found in document %s: %s", passages[0].document_id, error.code)
            nothing = DocumentCitations((), tuple(() for _ in passages))
            return DocumentNotes(tuple((0,) for _ in passages), nothing)
