"""How passages and documents lie in the rows of a table: to Arrow and back. Knows neither tables nor files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from briefbank.models.encoders.port import Embeddings
from briefbank.values.records import FACT_FILTERS, Box, Document, Fact, PageBox, Passage, SectionKind, Span

if TYPE_CHECKING:
    import pyarrow as pa

PASSAGE_COLUMNS = (
    "id", "document_id", "order", "span_start", "span_end", "text", "section_kind", "section_path",
    "page_first", "page_last", "is_footnotes", "ocr_confidence", "boxes", "is_unseen",
)  # fmt: skip
_BOX = np.dtype([("page", "<i4"), ("edges", "<f4", 4)])
_EPOCH = date(1970, 1, 1).toordinal()


def filter_key(value: str) -> str:
    """The form in which courts, authors and outcomes are compared."""
    return value.strip().casefold()


def day_number(day: date) -> int:
    """Days since 1 January 1970."""
    return day.toordinal() - _EPOCH


def filter_values(document: Document) -> dict[str, Any]:
    """What filters look at, by column; None where nothing is known."""
    filed = document.filed
    facts: dict[str, Fact | None] = {each.fact: getattr(document.metadata, each.fact) for each in FACT_FILTERS}
    keys = {column: filter_key(fact.value) if fact else None for column, fact in facts.items()}
    return {"kind": document.metadata.kind.value, "filed": None if filed is None else day_number(filed), **keys}


def passage_schema(dimension: int, *, is_large: bool = False) -> pa.Schema:
    """The columns of the table `passages`: the passage, the number of its document, filter values, the vector.

    In a large bank the vector has half the precision, and the terms are there for LanceDB's full text.
    """
    import pyarrow as pa

    text, number = pa.utf8(), pa.int32()
    terms = [("terms", text)] if is_large else []
    return pa.schema(
        [
            ("row", number), ("document", number), ("id", text), ("document_id", text), ("order", number),
            ("span_start", number), ("span_end", number), ("text", text), ("section_kind", text),
            ("section_path", pa.list_(text)), ("page_first", number), ("page_last", number),
            ("is_footnotes", pa.bool_()), ("ocr_confidence", pa.float32()), ("boxes", pa.binary()),
            ("is_unseen", pa.bool_()),
            ("kind", text), ("filed", number), *((each.fact, text) for each in FACT_FILTERS),
            *terms, ("vector", pa.list_(pa.float16() if is_large else pa.float32(), dimension)),
        ]
    )  # fmt: skip


def passage_batch(
    first_row: int,
    passages: Sequence[Passage],
    vectors: Embeddings,
    documents: Sequence[Document],
    numbers: Mapping[str, int],
    terms: Sequence[str] | None = None,
) -> pa.RecordBatch:
    """Make the rows of some passages, numbered from `first_row`; `numbers` gives each document's place in `documents`,
    `terms` the column of terms in a large bank.

    Raises:
        ValueError: `vectors` is not of the shape (passages, dimension).
    """
    import pyarrow as pa

    count, dimension = vectors.shape
    if count != len(passages):
        raise ValueError(f"{len(passages)} passages came with {count} vectors")
    of_passages = [numbers[passage.document_id] for passage in passages]
    filters = {number: filter_values(documents[number]) for number in set(of_passages)}
    rows = [
        _columns(passage) | {"row": row, "document": number} | filters[number]
        for row, (passage, number) in enumerate(zip(passages, of_passages, strict=True), first_row)
    ]
    schema = passage_schema(dimension, is_large=terms is not None)
    if terms is not None:
        rows = [values | {"terms": text} for values, text in zip(rows, terms, strict=True)]
    precision = np.float32 if terms is None else np.float16
    flat = pa.array(np.ascontiguousarray(vectors, dtype=precision).reshape(-1))
    stored = pa.RecordBatch.from_pylist(rows, schema=schema.remove(schema.get_field_index("vector")))
    return stored.append_column(schema.field("vector"), pa.FixedSizeListArray.from_arrays(flat, dimension))


def _columns(passage: Passage) -> dict[str, Any]:
    boxes = np.array([(each.page, tuple(each.box)) for each in passage.boxes], dtype=_BOX)
    return {
        "id": passage.id,
        "document_id": passage.document_id,
        "order": passage.order,
        "span_start": passage.span.start,
        "span_end": passage.span.end,
        "text": passage.text,
        "section_kind": passage.section_kind.value,
        "section_path": list(passage.section_path),
        "page_first": passage.page_first,
        "page_last": passage.page_last,
        "is_footnotes": passage.is_footnotes,
        "ocr_confidence": passage.ocr_confidence,
        "boxes": boxes.tobytes(),
        "is_unseen": passage.is_unseen,
    }


def passages_from(table: pa.Table) -> list[Passage]:
    """The passages in rows that hold at least `PASSAGE_COLUMNS`; boxes come back to 1/1000 point. Where the column of
    boxes is left out, they have none: making them takes most of the time. Older tables lack `is_unseen`.
    """
    columns = [name for name in PASSAGE_COLUMNS if name in table.column_names]
    return [_passage(values) for values in table.select(columns).to_pylist()]


def _passage(values: dict[str, Any]) -> Passage:
    boxes = np.frombuffer(values.get("boxes", b""), dtype=_BOX)
    confidence = values["ocr_confidence"]
    return Passage(
        id=values["id"],
        document_id=values["document_id"],
        order=values["order"],
        span=Span(values["span_start"], values["span_end"]),
        text=values["text"],
        section_kind=SectionKind(values["section_kind"]),
        section_path=tuple(values["section_path"]),
        page_first=values["page_first"],
        page_last=values["page_last"],
        is_footnotes=values["is_footnotes"],
        ocr_confidence=None if confidence is None else round(confidence, 4),
        boxes=tuple(PageBox(int(page), Box(*(round(float(edge), 3) for edge in edges))) for page, edges in boxes),
        is_unseen=values.get("is_unseen", False),
    )


def document_batch(documents: Sequence[Document]) -> pa.Table:
    """Make the table `documents`: each whole as JSON in `record`, with its id and filter values beside it."""
    import pyarrow as pa

    text = pa.utf8()
    schema = pa.schema(
        [
            ("id", text), ("kind", text), ("filed", pa.int32()), *((each.fact, text) for each in FACT_FILTERS),
            ("record", pa.binary()),
        ]
    )  # fmt: skip
    rows = [filter_values(each) | {"id": each.id, "record": msgspec.json.encode(each)} for each in documents]
    return pa.Table.from_pylist(rows, schema=schema)
