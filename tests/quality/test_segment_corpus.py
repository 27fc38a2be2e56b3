"""Passages of real briefs against cutting at fixed size: where they end, how alike their sentences are, their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hashing_encoder import HashingEncoder

from briefbank.ingest.pieces import Piece, document_pieces
from briefbank.ingest.readers import read_file
from briefbank.ingest.segment import PASSAGE_SIZE, segment
from briefbank.ingest.sentences import sentence_spans
from briefbank.ingest.structure import structure
from briefbank.models.encoders import load_passage_encoder
from briefbank.models.encoders.port import Encoder, WordMeans
from briefbank.platform.settings import Settings
from briefbank.values.records import Fact, Metadata, Passage, Section, SectionKind, Span, StructuredDocument

BRIEFS = Path(__file__).parents[3] / "shared" / "corpora" / "briefs"
BRIEF_COUNT = 2
RUNNING = (SectionKind.ARGUMENT, SectionKind.FACTS, SectionKind.STANDARD, SectionKind.PROCEDURE, SectionKind.SUMMARY)
SETTINGS = Settings()

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BRIEFS.is_dir(), reason="the real briefs are not beside the checkout"),
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_passage_encoder(SETTINGS)


@pytest.fixture(scope="module")
def cut_documents(encoder: Encoder) -> list[tuple[StructuredDocument, list[Passage]]]:
    paths = sorted(BRIEFS.glob("*.pdf"), key=lambda path: path.stat().st_size)[20 : 20 + BRIEF_COUNT]
    made = []
    for path in paths:
        document = structured(path)
        made.append((document, segment(document, encoder, "d")))
    return made


def structured(path: Path) -> StructuredDocument:
    found = structure(read_file(path, SETTINGS))
    metadata = Metadata(Fact("Brief", "test"), Fact("brief", "test"))
    return StructuredDocument(found.text, found.blocks, found.sections, found.words, found.pages, metadata)


class Blind(HashingEncoder):
    """An encoder to which all words are the same."""

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        return np.zeros((len(texts), 1), dtype=np.float32)


def with_headings_ignored(document: StructuredDocument) -> tuple[StructuredDocument, list[list[Piece]], list[int]]:
    """The document with sections of running text that follow each other made one, the pieces of its sections, and where
    sections began that begin no more.
    """
    sections: list[Section] = []
    pieces: list[list[Piece]] = []
    hidden = []
    for section, own in zip(
        document.sections,
        document_pieces(document.text, document.blocks, document.sections, PASSAGE_SIZE.most),
        strict=True,
    ):
        is_running = section.kind in RUNNING and not section.is_footnotes and sum(piece.words for piece in own) > 60
        if is_running and sections and sections[-1].kind is SectionKind.ARGUMENT:
            hidden.append(section.span.start)
            sections[-1] = replace(sections[-1], span=Span(sections[-1].span.start, section.span.end))
            pieces[-1] += own
        else:
            # What is no running text is made of a kind that ends a run.
            kind = SectionKind.ARGUMENT if is_running else SectionKind.TABLE
            sections.append(replace(section, kind=kind))
            pieces.append(list(own))
    return replace(document, sections=tuple(sections)), pieces, hidden


def broken_sections(document: StructuredDocument, passages: Sequence[Passage]) -> list[tuple[Section, list[Span]]]:
    """Sections of running text with more than one passage, and the spans of these."""
    found = []
    for section in document.sections:
        spans = [p.span for p in passages if section.span.start <= p.span.start < section.span.end]
        if section.kind in RUNNING and not section.is_footnotes and len(spans) > 1:
            found.append((section, spans))
    return found


def fixed_spans(text: str, section: Section, count: int) -> list[Span]:
    """The section cut at sentence ends into about `count` spans of like size."""
    start, end = section.span
    ends = np.array([start + span.end for span in sentence_spans(text[start:end])])
    wanted = np.linspace(start, end, count + 1)[1:-1]
    cuts = sorted({start, end, *(int(ends[np.abs(ends - place).argmin()]) for place in wanted)})
    return [Span(*pair) for pair in pairwise(cuts)]


def contrast(encoder: Encoder, text: str, spans: Sequence[Span]) -> tuple[list[float], list[float]]:
    """Mean similarity of sentences within each span, and between each two neighbours."""
    grouped = [[text[slice(*span)][s.start : s.end] for s in sentence_spans(text[slice(*span)])] for span in spans]
    vectors = encoder.encode_passages([sentence for group in grouped for sentence in group])
    parts = np.split(vectors, np.cumsum([len(group) for group in grouped])[:-1])
    within = [(float((v @ v.T).sum()) - len(v)) / (len(v) * (len(v) - 1)) for v in parts if len(v) > 1]
    return within, [float((v @ w.T).mean()) for v, w in pairwise(parts)]


def test_passages_end_at_paragraph_ends_more_often_than_pieces_of_fixed_size(
    cut_documents: list[tuple[StructuredDocument, list[Passage]]],
) -> None:
    ours, fixed = [], []
    for document, passages in cut_documents:
        paragraph_ends = {block.span.end for block in document.blocks}
        for section, spans in broken_sections(document, passages):
            ours += [span.end in paragraph_ends for span in spans[:-1]]
            fixed += [span.end in paragraph_ends for span in fixed_spans(document.text, section, len(spans))[:-1]]
    assert np.mean(ours) > 0.7
    assert np.mean(ours) > np.mean(fixed) + 0.2


def test_sentences_of_a_passage_are_more_alike_than_in_pieces_of_fixed_size(
    encoder: Encoder, cut_documents: list[tuple[StructuredDocument, list[Passage]]]
) -> None:
    gaps = []
    for cutter in ("ours", "fixed"):
        within: list[float] = []
        between: list[float] = []
        for document, passages in cut_documents:
            for section, spans in broken_sections(document, passages):
                used = spans if cutter == "ours" else fixed_spans(document.text, section, len(spans))
                inside, across = contrast(encoder, document.text, used)
                within += inside
                between += across
        gaps.append(np.mean(within) - np.mean(between))
    assert gaps[0] > 1.25 * gaps[1]


def test_where_a_heading_was_ignored_passages_end_more_often_than_by_size_and_paragraphs_alone(
    encoder: Encoder,
) -> None:
    found: dict[str, list[bool]] = {"ours": [], "blind": []}
    for path in sorted(BRIEFS.glob("*.pdf")):
        document, pieces, hidden = with_headings_ignored(structured(path))
        for name, own in (("ours", encoder), ("blind", Blind())):
            starts = {passage.span.start for passage in segment(document, own, "d", pieces=pieces)}
            found[name] += [place in starts for place in hidden]
    assert len(found["ours"]) > 500
    assert np.mean(found["ours"]) > np.mean(found["blind"]) + 0.04


def test_passages_have_the_size_asked_for(cut_documents: list[tuple[StructuredDocument, list[Passage]]]) -> None:
    words = [
        len(document.text[slice(*span)].split())
        for document, passages in cut_documents
        for _, spans in broken_sections(document, passages)
        for span in spans
    ]
    assert 130 <= np.median(words) <= 170
    assert np.percentile(words, 5) >= 60
    assert np.percentile(words, 95) <= 260
