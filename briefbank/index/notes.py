"""What the index needs to know of a document besides its words: where sentences begin, and what each passage cites.

Made by whoever reads documents, and kept by them; must not know how.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from briefbank.law.citations import DocumentCitations, PatternSet
from briefbank.records import Passage


@dataclass(frozen=True, slots=True)
class DocumentNotes:
    """For each passage of a document, in order, the offsets at which its sentences begin, and its citations."""

    sentence_starts: tuple[tuple[int, ...], ...]
    citations: DocumentCitations


@dataclass(frozen=True, slots=True)
class Annotator:
    """Makes the notes of a document from its passages; `patterns` are those by which it finds citations."""

    annotate: Callable[[Sequence[Passage]], DocumentNotes]
    patterns: PatternSet
