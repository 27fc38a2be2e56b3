"""Cuts a structured document into the passages that are searched: pieces, breaks between them, and where each passage
stands on its pages. Must not know readers, banks or indexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from briefbank.ingest.pieces import BY_LINE, Piece, document_pieces
from briefbank.ingest.segment.breaks import PassageSize, choose_breaks
from briefbank.models.encoders.port import Embeddings, WordMeans
from briefbank.models.encoders.words import KnowsWords
from briefbank.values.records import Box, PageBox, Passage, Section, Span, StructuredDocument, TextSource

if TYPE_CHECKING:
    from briefbank.ingest.segment.by_model import ModelCutter

# Chosen, not tuned. Windows of 64 words won 4.7 points alone and nothing once fused with words, for four times the
# vectors (docs/decisions/0009-ranking.md).
PASSAGE_SIZE = PassageSize(150, 30, 350)
"""Words that a passage should have, fewer than which it joins its neighbour, and more than which it is cut."""
# Two passages of two thirds each lie as far below the wanted size as one of four thirds lies above it.
_WHOLE_FACTOR = 4 / 3
"""A section up to this many times the wanted size is one passage; no break in it would leave two better ones."""
_SAME = 1e-5
"""Differences as small, against the vectors themselves, are those of rounding."""
_LINE_OVERLAP = 0.4
"""Share of the lower word's height by which two words of one line overlap; superscripts and OCR need some slack."""


def segment(
    document: StructuredDocument,
    words: KnowsWords,
    document_id: str,
    cutter: ModelCutter | None = None,
    *,
    size: PassageSize = PASSAGE_SIZE,
    pieces: Sequence[Sequence[Piece]] | None = None,
) -> list[Passage]:
    """Passages of a document in text order. Those of a section tile its span; sections of white space have none.

    `pieces` are those of `document_pieces`, where they were made before. What they are about is told by their words
    alone (`KnowsWords.word_means`). Passages never cross sections, and never cut a block quote, a list item, or a
    citation from the sentence that it supports. A `cutter` is asked first where turns of meaning would decide.

    Raises:
        LanguageModelError, CancelledError: as `ModelCutter.breaks`.
    """
    if pieces is None:
        pieces = document_pieces(document.text, document.blocks, document.sections, size.most)
    vectors = _embed(document, pieces, words, size)
    placer = _Placer(document)
    passages: list[Passage] = []
    for section, own, own_vectors in zip(document.sections, pieces, vectors, strict=True):
        for span in _passage_spans(document.text, own, own_vectors, size, cutter):
            passages.append(placer.passage(document_id, len(passages), span, section))
    return passages


def _embed(
    document: StructuredDocument, pieces: Sequence[Sequence[Piece]], words: KnowsWords, size: PassageSize
) -> list[Embeddings | None]:
    """Vectors of the pieces of each section, or None for sections that are cut without.

    The mean of its words without what all pieces of the document have in common (after Mu and Viswanath 2018, 'All-but-
    the-Top') tells a turn nearly as well as the whole model does, at no cost (docs/decisions/0028-cut-by-words.md).
    """
    wanted = [
        section.kind not in BY_LINE and sum(piece.words for piece in own) > size.target * _WHOLE_FACTOR
        for section, own in zip(document.sections, pieces, strict=True)
    ]
    topics = [
        " ".join(document.text[slice(*piece.topic)].split())
        for own, is_wanted in zip(pieces, wanted, strict=True)
        if is_wanted
        for piece in own
    ]
    if not topics:
        return [None] * len(pieces)
    vectors = _apart(words.word_means(topics))
    found: list[Embeddings | None] = []
    done = 0
    for own, is_wanted in zip(pieces, wanted, strict=True):
        found.append(vectors[done : done + len(own)] if is_wanted else None)
        done += len(own) if is_wanted else 0
    return found


def _apart(means: WordMeans) -> Embeddings:
    """What sets each row apart from their mean, at length 1; zeros for rows that nothing does."""
    apart: Embeddings = means - means.mean(axis=0)
    lengths = np.linalg.norm(apart, axis=1, keepdims=True)
    is_told = lengths > _SAME * np.linalg.norm(means, axis=1).max()
    apart /= np.where(is_told, lengths, np.float32(np.inf))
    return apart


def _passage_spans(
    text: str, pieces: Sequence[Piece], vectors: Embeddings | None, size: PassageSize, cutter: ModelCutter | None
) -> list[Span]:
    if not pieces:
        return []
    words = np.array([piece.words for piece in pieces], dtype=np.int64)
    if vectors is None and words.sum() <= size.target * _WHOLE_FACTOR:
        return [Span(pieces[0].span.start, pieces[-1].span.end)]
    ends_block = np.array([piece.ends_block for piece in pieces], dtype=np.bool_)
    breaks = None
    if cutter and vectors is not None:
        breaks = cutter.breaks([text[slice(*piece.span)] for piece in pieces], words, ends_block, size)
    breaks = breaks or choose_breaks(words, ends_block, vectors, size)
    firsts = [0, *breaks[:-1]]
    return [
        Span(pieces[first].span.start, pieces[behind - 1].span.end)
        for first, behind in zip(firsts, breaks, strict=True)
    ]


class _Placer:
    """Finds the pages, lines and boxes of a span; holds the words of one document as arrays."""

    def __init__(self, document: StructuredDocument) -> None:
        self._document = document
        starts, _, pages = np.frombuffer(document.words.places, dtype=np.int64).reshape(-1, 3).T
        self._starts, self._pages = np.ascontiguousarray(starts), np.ascontiguousarray(pages)
        self._boxes = np.frombuffer(document.words.boxes, dtype=np.float64).reshape(-1, 4)
        self._line_starts = _line_starts(self._pages, self._boxes)
        self._confidence = {page.number: page.ocr_confidence for page in document.pages}
        self._unseen = {page.number for page in document.pages if page.source is TextSource.UNSEEN}

    def passage(self, document_id: str, order: int, span: Span, section: Section) -> Passage:
        first, behind = np.searchsorted(self._starts, span)
        pages = self._page_range(span, int(first), int(behind))
        known = [self._confidence.get(page) for page in range(pages[0], pages[1] + 1)]
        return Passage(
            id=f"{document_id}-{order:04d}",
            document_id=document_id,
            order=order,
            span=span,
            text=self._document.text[span.start : span.end].rstrip(),
            section_kind=section.kind,
            section_path=section.path,
            page_first=pages[0],
            page_last=pages[1],
            is_footnotes=section.is_footnotes,
            ocr_confidence=min((value for value in known if value is not None), default=None),
            boxes=self._line_boxes(int(first), int(behind)),
            is_unseen=not self._unseen.isdisjoint(range(pages[0], pages[1] + 1)),
        )

    def _page_range(self, span: Span, first: int, behind: int) -> tuple[int, int]:
        if first < behind:
            pages = self._pages[first:behind]
            return int(pages.min()), int(pages.max())
        blocks = self._document.blocks
        near = [block for block in blocks if block.span.start < span.end and block.span.end > span.start]
        return min(block.page_first for block in near), max(block.page_last for block in near)

    def _line_boxes(self, first: int, behind: int) -> tuple[PageBox, ...]:
        if first == behind:
            return ()
        cuts = np.unique(np.append(np.flatnonzero(self._line_starts[first:behind]), 0))
        boxes = self._boxes[first:behind]
        corners = np.hstack(
            (np.minimum.reduceat(boxes[:, :2], cuts, axis=0), np.maximum.reduceat(boxes[:, 2:], cuts, axis=0))
        )
        pages = self._pages[first:behind][cuts]
        return tuple(PageBox(int(page), Box(*map(float, row))) for page, row in zip(pages, corners, strict=True))


def _line_starts(pages: npt.NDArray[np.int64], boxes: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Whether each word begins a printed line, told from the word before it."""
    if not len(pages):
        return np.zeros(0, dtype=np.bool_)
    before, here = boxes[:-1], boxes[1:]
    overlap = np.minimum(before[:, 3], here[:, 3]) - np.maximum(before[:, 1], here[:, 1])
    height = np.minimum(before[:, 3] - before[:, 1], here[:, 3] - here[:, 1])
    is_new = (pages[1:] != pages[:-1]) | (overlap < _LINE_OVERLAP * height) | (here[:, 2] <= before[:, 0])
    return np.concatenate(([True], is_new))
