"""Passages of real briefs against cutting at fixed size: where they end, how alike their sentences are, their size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from briefbank.ingest.readers import read_file
from briefbank.ingest.segment import segment
from briefbank.ingest.sentences import sentence_spans
from briefbank.ingest.structure import structure_text
from briefbank.models.encoders import load_passage_encoder
from briefbank.models.encoders.port import Encoder
from briefbank.platform.settings import Settings
from briefbank.records import Fact, Metadata, Passage, Section, SectionKind, Span, StructuredDocument

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
        found = structure_text(read_file(path, SETTINGS))
        metadata = Metadata(Fact("Brief", "test"), Fact("brief", "test"))
        document = StructuredDocument(found.text, found.blocks, found.sections, found.words, found.pages, metadata)
        made.append((document, segment(document, encoder, "d")))
    return made


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
