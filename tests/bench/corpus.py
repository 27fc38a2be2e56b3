"""Synthetic banks for the benchmark: passages recombined from the sentences of the sample documents.

Sentences are drawn anew for every passage and carry transcript cites and dockets of their own, so that no two passages
are near-copies and the vocabulary grows as it does in an office. Must not know what is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import numpy as np

from briefbank.ingest.cache import Cache
from briefbank.ingest.documents import CachedDocument
from briefbank.ingest.embed import embedding_keys
from briefbank.ingest.ledger import Ledger, LedgerEntry
from briefbank.ingest.pipeline import republish
from briefbank.ingest.process import FileProcessor
from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, silent
from briefbank.platform.settings import Settings
from briefbank.values.records import Box, Document, Fact, Metadata, PageBox, Passage, SectionKind, Span

SENTENCES = Path(__file__).resolve().parents[1] / "data" / "samples" / "sentences.txt"
PASSAGES_PER_DOCUMENT = 41
"""140,000 passages over 3,415 documents, the bank that the design plans for."""
_BATCH_PASSAGES = 100 * PASSAGES_PER_DOCUMENT
_TOPICS = 64
_ON_TOPIC = 0.6
_NOISE = 0.25
"""Length of the random part of a passage's vector, against 1 for the mean of its sentences."""
_KINDS = ("brief",) * 8 + ("internal", "directive")
_COURTS = ("Superior Court of New Jersey, Appellate Division", "Supreme Court of New Jersey", "Law Division")
_SECTIONS = (
    *(SectionKind.ARGUMENT,) * 12, *(SectionKind.FACTS,) * 3, SectionKind.PROCEDURE, SectionKind.BODY,
    SectionKind.CONTENTS, SectionKind.AUTHORITIES, SectionKind.CAPTION,
)  # fmt: skip


def source_sentences() -> list[str]:
    """The distinct running sentences of the sample documents, of 6 to 80 words, in a stable order."""
    return SENTENCES.read_text(encoding="utf-8").splitlines()


@dataclass(frozen=True, slots=True)
class Material:
    """Sentences, their vectors of shape (sentences, dimension), and the sentences of each topic by number."""

    sentences: tuple[str, ...]
    vectors: Embeddings
    topics: tuple[tuple[int, ...], ...]


def make_material(encoder: Encoder) -> Material:
    """Encode the sentences once and sort them into topics by their nearest of some random sentences."""
    sentences = source_sentences()
    vectors = encoder.encode_passages(sentences)
    centres = vectors[np.random.default_rng(1).choice(len(sentences), min(_TOPICS, len(sentences)), replace=False)]
    nearest = (vectors @ centres.T).argmax(axis=1)
    topics = tuple(tuple(np.flatnonzero(nearest == topic).tolist()) for topic in range(len(centres)))
    return Material(tuple(sentences), vectors, tuple(each for each in topics if each))


class PassageMaker:
    """Draws passages of 30 to 350 words, about 150 on average, from one seed."""

    def __init__(self, material: Material, seed: int = 7) -> None:
        self._material = material
        self._random = np.random.default_rng(seed)
        self._word_counts = [len(each.split()) for each in material.sentences]

    def draw(self) -> tuple[str, list[int]]:
        """A passage's text and the numbers of its sentences."""
        random, topics = self._random, self._material.topics
        topic = topics[random.integers(len(topics))]
        wanted = float(np.clip(random.lognormal(5.0, 0.35), 30, 350))
        chosen: list[int] = []
        words = 0
        while words < wanted:
            pool = topic if random.random() < _ON_TOPIC else range(len(self._word_counts))
            number = pool[random.integers(len(pool))]
            chosen.append(number)
            words += self._word_counts[number]
        volume, page, line, docket = random.integers((1, 1, 1, 1), (20, 260, 26, 6000)).tolist()
        parts = [self._material.sentences[number] for number in chosen]
        parts[0] += f" ({volume}T {page}-{line} to {page + 1}-{line}; A-{docket:04d}-{volume:02d})"
        return " ".join(parts), chosen

    def vectors(self, chosen: list[list[int]]) -> Embeddings:
        """Unit vectors that stand in for encoding: the mean of the sentences' vectors, and noise."""
        known = self._material.vectors
        means = np.stack([known[each].mean(axis=0) for each in chosen])
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        noise = self._random.standard_normal(means.shape, dtype=np.float32)
        made = means + noise * (_NOISE / np.sqrt(means.shape[1]))
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made.astype(np.float32)

    def passages(self, count: int) -> Iterator[tuple[list[Passage], Embeddings]]:
        """Yield `count` passages with their vectors, batch by batch."""
        for first in range(0, count, _BATCH_PASSAGES):
            numbers = range(first, min(first + _BATCH_PASSAGES, count))
            drawn = [self.draw() for _ in numbers]
            kinds = self._random.integers(len(_SECTIONS), size=len(numbers))
            made = [
                _passage(n, text, _SECTIONS[kind]) for n, (text, _), kind in zip(numbers, drawn, kinds, strict=True)
            ]
            yield made, self.vectors([chosen for _, chosen in drawn])


def _passage(number: int, text: str, kind: SectionKind) -> Passage:
    document, order = divmod(number, PASSAGES_PER_DOCUMENT)
    identifier = f"{document:016x}"
    page = order // 2 + 1
    lines = max(1, len(text) // 75)
    return Passage(
        id=f"{identifier}-{order:04d}",
        document_id=identifier,
        order=order,
        span=Span(order * 4_000, order * 4_000 + len(text)),
        text=text,
        section_kind=kind,
        section_path=("ARGUMENT", f"POINT {order // 10 + 1}"),
        page_first=page,
        page_last=page,
        boxes=tuple(PageBox(page, Box(72.0, 72.0 + 14 * line, 540.0, 84.0 + 14 * line)) for line in range(lines)),
    )


def make_documents(passage_count: int) -> list[Document]:
    """The documents of so many passages, spread over 25 years, three kinds and three courts."""
    documents = []
    for number in range(-(-passage_count // PASSAGES_PER_DOCUMENT)):
        filed = date(2001, 1, 1) + timedelta(days=number * 37 % 9_131)
        metadata = Metadata(
            title=Fact(f"Synthetic document {number}", "made"),
            kind=Fact(_KINDS[number % len(_KINDS)], "made"),
            court=Fact(_COURTS[number % len(_COURTS)], "made"),
            docket=Fact(f"A-{number:06d}", "made"),
            filed=Fact(filed.isoformat(), "made"),
            author=Fact(f"Author {number % 60}", "made"),
        )
        identifier = f"{number:016x}"
        held = min(PASSAGES_PER_DOCUMENT, passage_count - number * PASSAGES_PER_DOCUMENT)
        documents.append(Document(identifier, f"/{number:06d}.pdf", f"{identifier:0<64}", metadata, 21, 0, None, held))
    return documents


def fill_bank(root: Path, passage_count: int, material: Material, encoder: Encoder, export: Path) -> None:
    """Make a bank as an index run leaves it that has read so many passages and published nothing: texts, vectors and
    notes in the cache. `export` is the query encoder's folder, which is linked to.
    """
    layout = Layout(root)
    layout.create()
    (layout.encoders / encoder.digest).symlink_to(export.resolve(), target_is_directory=True)
    documents = {each.id: each for each in make_documents(passage_count)}
    with Ledger(layout.ledger_file) as ledger, Cache(layout.cache_file) as cache:
        files = FileProcessor(_settings(export), cache, layout.scratch, layout.citations_file, CancelToken(), encoder)
        with files.texts.at_work():
            for passages, vectors in PassageMaker(material).passages(passage_count):
                keys = embedding_keys(encoder.digest, [passage.text for passage in passages])
                cache.put_embeddings(dict(zip(keys, vectors, strict=True)))
                for document_id, group in groupby(passages, key=attrgetter("document_id")):
                    document, of_it = documents[document_id], tuple(group)
                    files.notes.put(document.sha256, files.notes.make(of_it))
                    read = CachedDocument(document.metadata, document.page_count, 0, None, of_it, True, (), ())
                    files.documents.put(document.sha256, read)
                    ledger.record(LedgerEntry(document.source_path, 1, 1, document.sha256))


def publish_bank(root: Path, export: Path) -> None:
    """Have the bank that `fill_bank` made write its index and publish it."""
    republish(Layout(root), _settings(export), None, reporter=silent, cancel=CancelToken())


def _settings(export: Path) -> Settings:
    """Settings of a bank whose passages are encoded by an export, which is loaded in a moment."""
    return Settings(encoder=str(export))
