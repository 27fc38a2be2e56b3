"""Notes on documents for exact search: their sentences and what they cite; made once and kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from briefbank.errors import SourceError
from briefbank.index.notes import Annotator, DocumentNotes
from briefbank.ingest.cache import Cache
from briefbank.ingest.documents import ADVICE, LostDocumentsError
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


def annotate(passages: Sequence[Passage], patterns: PatternSet) -> DocumentNotes:
    """The notes on a document, given its passages in order. Some three milliseconds a passage."""
    starts = tuple(tuple(span.start for span in sentence_spans(passage.text)) for passage in passages)
    texts = [
        PassageText(passage.text, each, (passage.section_path, passage.section_kind, passage.is_footnotes))
        for passage, each in zip(passages, starts, strict=True)
    ]
    return DocumentNotes(starts, cite_document(texts, patterns))


def notes_key(sha256: str, rules: str, passages: str) -> str:
    """Under what the notes of a document are kept: by the rules of its citations and the recipe of its passages."""
    return f"notes:{sha256}:{rules}:{passages}"


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
        self._passages = recipe

    def make(self, passages: Sequence[Passage]) -> DocumentNotes:
        """Make the notes on passages of one document, in order. Raises what `make` of the constructor raises."""
        return self._make(passages, self.patterns)

    def put(self, sha256: str, notes: DocumentNotes) -> None:
        """Keep the notes that were made when the document with this digest was read."""
        self._cache.put(self._key(sha256), notes)

    def _key(self, sha256: str) -> str:
        return notes_key(sha256, self.version, self._passages)

    def lacking(self, sha256s: Iterable[str]) -> list[str]:
        """Those of the documents whose notes have to be made anew: other rules were in force when they were read."""
        kept = set(self._cache.keys("notes:"))
        return [each for each in sha256s if self._key(each) not in kept]

    def make_anew(
        self,
        passages: Iterable[tuple[str, Sequence[Passage]]],
        annotated: Callable[..., Iterator[tuple[str, DocumentNotes | SourceError]]],
    ) -> dict[str, SourceError]:
        """Make and keep the notes of these documents, by SHA-256, several at a time (`TextWorkers.annotated`). Returns
        why there are none of some; of these the earlier ones stay.
        """
        failed: dict[str, SourceError] = {}
        for sha256, made in annotated(passages, self.patterns):
            if isinstance(made, SourceError):
                failed[sha256] = made
                continue
            self.put(sha256, made)
            self._cache.drop(self._other_keys(sha256))
        return failed

    def _other_keys(self, sha256: str) -> list[str]:
        """Where notes on the same passages by other rules are kept, the newest version first."""
        keys = self._cache.keys(f"notes:{sha256}:")
        others = (key for key in keys if key.endswith(f":{self._passages}") and key != self._key(sha256))
        return sorted(others, key=lambda key: (len(key), key), reverse=True)  # 10:… is newer than 9:…

    def annotator(self, sha256s: Iterable[str], id_length: int, unread: Mapping[str, SourceError]) -> Annotator:
        """What gives a generation its notes; the ids of its documents are the starts of these digests. An `unread` one
        has those that were made by earlier rules.
        """
        digests = {sha256[:id_length]: sha256 for sha256 in sha256s}

        def notes(passages: Sequence[Passage]) -> DocumentNotes:
            sha256 = digests[passages[0].document_id]
            keys = self._other_keys(sha256) if sha256 in unread else [self._key(sha256)]
            kept = (self._cache.get(key, DocumentNotes) for key in keys)
            found = next((each for each in kept if each and len(each.sentence_starts) == len(passages)), None)
            if found is None and sha256 not in unread:
                raise LostDocumentsError("The cache of this bank lost citations while the index was written.", ADVICE)
            return found or _not_read(len(passages))

        return Annotator(notes, self.patterns)


def _not_read(passages: int) -> DocumentNotes:
    """What stands in the place of notes that nobody could make; whoever writes it says so (`CITATIONS_NOT_READ`)."""
    return DocumentNotes(((0,),) * passages, DocumentCitations((), ((),) * passages))
