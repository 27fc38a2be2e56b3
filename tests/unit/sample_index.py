"""A small index over invented passages, shared by the tests of index and search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hashing_encoder import HashingEncoder

from briefbank.index.generation import Generation, write_generation
from briefbank.index.manifest import Form, GenerationInfo
from briefbank.index.notes import Annotator
from briefbank.values.records import Box, Document, Fact, Metadata, PageBox, Passage, SectionKind, Span

ENCODER = HashingEncoder()


def make_document(
    identifier: str,
    *,
    kind: str = "brief",
    filed: str | None = None,
    court: str | None = None,
    docket: str | None = None,
    author: str | None = None,
    outcome: str | None = None,
) -> Document:
    metadata = Metadata(
        title=Fact(f"Title of {identifier}", "invented"),
        kind=Fact(kind, "invented"),
        filed=Fact(filed, "invented") if filed else None,
        court=Fact(court, "invented") if court else None,
        docket=Fact(docket, "invented") if docket else None,
        author=Fact(author, "invented") if author else None,
        outcome=Fact(outcome, "invented") if outcome else None,
    )
    return Document(identifier, f"{identifier}.pdf", "0" * 64, metadata, 9, 0, None, 0)


def make_passage(document: str, order: int, text: str, kind: SectionKind = SectionKind.ARGUMENT) -> Passage:
    return Passage(
        id=f"{document}-{order:03d}",
        document_id=document,
        order=order,
        span=Span(order * 1000, order * 1000 + len(text)),
        text=text,
        section_kind=kind,
        section_path=("ARGUMENT", "POINT I"),
        page_first=order + 1,
        page_last=order + 2,
        boxes=(
            PageBox(order + 1, Box(72.125, 90.5, 540.0, 102.25)),
            PageBox(order + 2, Box(72.0, 90.5, 310.0, 102.25)),
        ),
    )


def build(
    folder: Path,
    documents: Sequence[Document],
    passages: Sequence[Passage],
    *,
    batch: int = 3,
    annotator: Annotator | None = None,
    form: Form = Form.SMALL,
) -> Generation:
    """Write and open a generation with the hashing encoder; with an annotator, one that can be searched exactly."""
    counts = {each.id: sum(passage.document_id == each.id for passage in passages) for each in documents}
    counted = [replace(each, passage_count=counts[each.id]) for each in documents]
    batches = (
        (
            passages[start : start + batch],
            ENCODER.encode_passages([each.text for each in passages[start : start + batch]]),
        )
        for start in range(0, len(passages), batch)
    )
    info = GenerationInfo(ENCODER.digest, ENCODER.precision, ENCODER.dimension, segmenter="none", form=form)
    write_generation(folder, counted, batches, info, annotator)
    return Generation.open(folder)
