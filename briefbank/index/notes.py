"""What an index is told of a document besides its words. Imports no library of an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from briefbank.law.citations import DocumentCitations, PatternSet
from briefbank.values.records import Passage


@dataclass(frozen=True, slots=True)
class DocumentNotes:
    """For each passage of a document, in order, the offsets at which its sentences begin, and its citations."""

    sentence_starts: tuple[tuple[int, ...], ...]
    citations: DocumentCitations


@dataclass(frozen=True, slots=True)
class Annotator:
    """Makes the notes of a document, which the index keeps besides its words; `patterns` find its citations."""

    annotate: Callable[[Sequence[Passage]], DocumentNotes]
    patterns: PatternSet
