"""Passages, their vectors and the documents they come from, kept by LanceDB; must not know how a query is understood.

Rows are numbered in the order in which passages are written; the lexical index uses the same numbers.
"""

from __future__ import annotations

import math
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.errors import BankDamagedError, BriefBankError
from briefbank.index import MEND_ADVICE, full_text
from briefbank.index.lance import Approximation, LanceTable, import_lancedb
from briefbank.index.manifest import Form
from briefbank.index.rows import (
    PASSAGE_COLUMNS,
    document_batch,
    filter_values,
    passage_batch,
    passage_schema,
    passages_from,
)
from briefbank.index.selection import SECTION_KINDS, Condition, OneOf, Selection
from briefbank.index.vectors import HalfVectors, VectorSpread, drop_halves, keep_halves
from briefbank.models.encoders.port import Embeddings
from briefbank.values.records import Document, Passage, SectionKind

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.db import DBConnection
    from lancedb.table import Table

EXACT_SEARCH_ROWS = 30_000
"""Up to here every vector is compared; above, an index is asked and its candidates are scored again exactly."""
# Chosen, not measured. The vectors are quantised in the index, so that three times as many candidates are scored again.
_PARTITIONS = 64
_REFINE_FACTOR = 3
_WIDE_REFINE_FACTOR = 2
"""Where all passages are asked and some are chosen, half as many again are asked for (`Selection.reach`): twice as many
candidates of that are as many as three times of what is wanted.
"""
_VECTORS_A_PARTITION = 4_096
"""Of a large bank; what LanceDB itself proposes."""
_SAMPLED_A_PARTITION = 64
"""Vectors that groups are learned from, for each; LanceDB proposes 256. Of 100,000 synthetic passages in 64 groups, 256
take 21 s of processor time and find 99.6 % of the ten best and 95.2 % of the 200 best; 64 take 6 s and find 99.4 and
95.2 %.
"""
_LEAST_GROUPED = 5_000
"""Below it a bank in the large form, which only a test has, compares every vector."""
_SHARE_LOOKED_AT = 0.4
"""Of the groups of a large bank, those nearest to a question. Of the exact ten best and 200 best, for 200 questions on
11,091 vectors of real briefs in 64 groups, 0.3 finds 96.9 and 91.7 %, 0.4 98.7 and 94.5 %, 0.5 99.6 and 96.0 %. Not
measured on millions of vectors: nobody has as many of real text.
"""
_COMPARED_ROWS = 50_000
"""Of so many selected passages of a large bank each is compared: a document's or an author's lie anywhere, most of them
in groups that a question does not look at. Of 140,000 passages in the large form, 8,200 scattered ones take 18 ms,
82,000 135 ms. In the small form all groups are looked at, which takes a third of that for 19,000 selected ones.
"""
_LARGE_CACHE_BYTES = 2 << 30
"""Of the indices, kept in memory. Over 5,000,000 passages p95 of 61 questions was 302 ms with 1 GB, 258 with 2, and
about the same with 3.
"""
_FULL_TEXT_MIB = 2_048
"""Memory that indexing the words of a large bank takes at most."""
_SPREAD_ROWS = 5_000
"""Chosen, not measured: thirteen vectors for each dimension of the shipped encoder, read in a tenth of a second."""
_PASSAGES, _DOCUMENTS = "passages", "documents"

Rows = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PassageColumns:
    """What is held in memory of every passage, by row: its id, the number of its document and of its section kind."""

    ids: pa.StringArray
    document: npt.NDArray[np.int32]
    section_kind: npt.NDArray[np.uint8]


class Nearest(NamedTuple):
    """The passages nearest to a vector, best first: rows and cosines of shape (hits,), vectors (hits, dimension)."""

    rows: Rows
    cosines: Vector
    vectors: Vector


class SectionRun(NamedTuple):
    """Passages of one document under the same headings: the document's number, the path of headings, the rows, and the
    page on which the first begins.
    """

    document: int
    path: tuple[str, ...]
    rows: Rows
    page: int


_KIND_NUMBERS = {kind.value: number for number, kind in enumerate(SECTION_KINDS)}


def write_tables(
    folder: Path,
    documents: Sequence[Document],
    batches: Iterable[tuple[Sequence[Passage], Embeddings]],
    dimension: int,
    take_terms: Callable[[], Sequence[str]] | None = None,
) -> None:
    """Write both tables of a generation into `folder`, one fragment per batch, leaving one version of each.

    In the large form `take_terms` gives the column of terms, of each batch when it has come.
    """
    import pyarrow as pa

    connection: DBConnection = import_lancedb().connect(folder)
    schema = passage_schema(dimension, is_large=take_terms is not None)
    numbers = {document.id: number for number, document in enumerate(documents)}
    if take_terms is None:
        batches = keep_halves(batches, folder)
    failures: list[Exception] = []
    noted = _noting_failures(_record_batches(documents, numbers, batches, take_terms), failures)
    try:
        reader = pa.RecordBatchReader.from_batches(schema, noted)
        passages = connection.create_table(_PASSAGES, data=reader, schema=schema)
    except RuntimeError as error:  # LanceDB wraps whatever the batches raise
        if failures:
            raise failures[0] from error
        raise
    if take_terms:
        _index_large(passages)
    elif passages.count_rows() > EXACT_SEARCH_ROWS:
        _index_vectors(passages, _PARTITIONS)
    else:  # comparing every vector is exact and quick enough
        drop_halves(folder)
    table = connection.create_table(_DOCUMENTS, data=document_batch(documents))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="optimize", category=UserWarning)
        for each in (passages, table):
            # Versions that writing left behind would travel in every pack.
            each.optimize(cleanup_older_than=timedelta(0))


def _index_vectors(passages: Table, partitions: int) -> None:
    from lancedb.index import Bitmap, IvfRq

    passages.create_index(
        "vector", config=IvfRq(distance_type="dot", num_partitions=partitions, sample_rate=_SAMPLED_A_PARTITION)
    )
    for column in ("section_kind", "kind"):
        passages.create_index(column, config=Bitmap())


def _index_large(passages: Table) -> None:
    """Index the words, and the vectors where there are enough to group them."""
    from lancedb.index import FTS, BTree

    count = passages.count_rows()
    if partitions := _large_partitions(count):
        _index_vectors(passages, partitions)
        for column in ("filed", "document"):
            passages.create_index(column, config=BTree())
    # Our terms, as they are: nothing is cut, folded or left out.
    as_they_are = FTS(
        base_tokenizer="whitespace", max_token_length=None, lower_case=False, stem=False, remove_stop_words=False,
        ascii_folding=False, memory_limit=_FULL_TEXT_MIB,
    )  # fmt: skip
    if count:
        passages.create_index(full_text.COLUMN, config=as_they_are)


def _large_partitions(count: int) -> int:
    """Groups of vectors in the large form; 0 where every vector is compared."""
    return max(_PARTITIONS, count // _VECTORS_A_PARTITION) if count > _LEAST_GROUPED else 0


def tables_in_memory(documents: Sequence[Document], passages: Sequence[Passage], vectors: Embeddings) -> DenseIndex:
    """Return both tables of some passages, kept in this process alone and gone with the last use of them."""
    numbers = {document.id: number for number, document in enumerate(documents)}
    return DenseIndex(
        LanceTable.in_memory(_PASSAGES, passage_batch(0, passages, vectors, documents, numbers)),
        LanceTable.in_memory(_DOCUMENTS, document_batch(documents)),
    )


def _record_batches(
    documents: Sequence[Document],
    numbers: Mapping[str, int],
    batches: Iterable[tuple[Sequence[Passage], Embeddings]],
    take_terms: Callable[[], Sequence[str]] | None,
) -> Iterator[pa.RecordBatch]:
    first_row = 0
    for passages, vectors in batches:
        terms = take_terms() if take_terms else None
        yield passage_batch(first_row, passages, vectors, documents, numbers, terms)
        first_row += len(passages)


def _noting_failures(batches: Iterator[pa.RecordBatch], failures: list[Exception]) -> Iterator[pa.RecordBatch]:
    """Note what fails while batches are made: LanceDB turns it into a text that no longer says which disk failed."""
    try:
        yield from batches
    except (BriefBankError, OSError, sqlite3.Error) as error:
        failures.append(error)
        raise


class DenseIndex:
    """The tables of a generation, opened for reading; nothing is ever written through it."""

    def __init__(
        self, passages: LanceTable, documents: LanceTable, form: Form = Form.SMALL, halves: HalfVectors | None = None
    ) -> None:
        self.table = passages
        self._halves = halves
        self._leaves_out = form is Form.LARGE
        """Whether a question does not look at all groups of vectors."""
        if form is Form.LARGE:
            self._looked_at = math.ceil(_SHARE_LOOKED_AT * _large_partitions(passages.count()))
        else:
            # All partitions are looked at, so that only the quantised vectors approximate.
            self._looked_at = _PARTITIONS if passages.has_indices() else 0
        table = documents.scan(["record"], max(documents.count(), 1))
        decode = msgspec.json.Decoder(Document).decode
        self.written_documents: tuple[Document, ...] = tuple(decode(record.as_py()) for record in table["record"])
        """The documents as the index was written."""
        self.documents = self.written_documents
        self.corrected: tuple[int, ...] = ()
        """The numbers of the documents that are not as they were written."""
        self.columns = _read_columns(passages)
        self.masks: dict[Condition, npt.NDArray[np.bool_]] = {}
        """Which passages meet conditions, as `selection` remembers them."""

    def correct(self, corrected: Callable[[Document], Document]) -> None:
        """Have documents be as somebody corrected them, for all that looks at them from now on."""
        self.documents = tuple(map(corrected, self.written_documents))
        pairs = enumerate(zip(self.documents, self.written_documents, strict=True))
        self.corrected = tuple(number for number, (now, written) in pairs if now is not written)
        self.masks.clear()
        self.__dict__.pop("filter_values", None)

    @cached_property
    def filter_values(self) -> tuple[dict[str, Any], ...]:
        """What filters look at, document by document; made when the first search with a filter asks for it."""
        return tuple(map(filter_values, self.documents))

    @classmethod
    def open(cls, folder: Path, form: Form = Form.SMALL) -> Self:
        """Open the tables in `folder`, written in a form.

        Raises:
            BankDamagedError: a table is missing or cannot be read, or its rows are out of order.
        """
        try:
            cache_bytes = _LARGE_CACHE_BYTES if form is Form.LARGE else None
            passages = LanceTable.open(folder, _PASSAGES, cache_bytes)
            halves = HalfVectors.open(folder, passages.count())
            return cls(passages, LanceTable.open(folder, _DOCUMENTS), form, halves)
        except (ValueError, RuntimeError, OSError, KeyError, msgspec.DecodeError) as error:
            raise BankDamagedError(
                f"The tables of the index {folder.name} cannot be read: {error}", MEND_ADVICE
            ) from error

    def __len__(self) -> int:
        return len(self.columns.document)

    def search(self, vector: Vector, depth: int, within: Selection | None = None) -> tuple[Rows, Vector]:
        """Return the `depth` passages nearest to a unit vector, best first, among the selected ones or all.

        Returns:
            Their rows and their cosines, each of shape (hits,).
        """
        found = self.begin_search(vector, depth, within)()
        return found.rows, found.cosines

    def begin_search(self, vector: Vector, depth: int, within: Selection | None = None) -> Callable[[], Nearest]:
        """Begin what `search` does, and return what waits for it; the vectors, which it has read anyhow, come too."""
        if within is None or within.where is None:
            return self._ask(vector, depth)
        selected_count = int(np.count_nonzero(within.mask))
        if self._leaves_out and selected_count <= _COMPARED_ROWS:
            return self._ask(vector, depth, within.where, partitions=0)
        reach = within.reach(depth)
        if reach is None:
            return self._ask(vector, depth, within.where)
        wait_for_all = self._ask(vector, reach, refine_factor=_WIDE_REFINE_FACTOR)

        def found() -> Nearest:
            everywhere = wait_for_all()
            selected = np.flatnonzero(within.mask[everywhere.rows])[:depth]
            if len(selected) < min(depth, selected_count):
                return self._ask(vector, depth, within.where)()
            return Nearest(everywhere.rows[selected], everywhere.cosines[selected], everywhere.vectors[selected])

        return found

    def _ask(
        self,
        vector: Vector,
        depth: int,
        where: str | None = None,
        *,
        partitions: int | None = None,
        refine_factor: int = _REFINE_FACTOR,
    ) -> Callable[[], Nearest]:
        """Ask LanceDB for the nearest passages, of those that meet a condition; 0 partitions compare each of them."""
        looked_at, halves = self._looked_at if partitions is None else partitions, self._halves
        approximation = Approximation(looked_at, None if halves else refine_factor) if looked_at else None
        if halves:
            candidates = self.table.nearest(vector, refine_factor * depth, ["row", "_distance"], where, approximation)
            return lambda: _best(halves, _rows(candidates.result()), vector, depth)
        search = self.table.nearest(vector, depth, ["row", "_distance", "vector"], where, approximation)

        def found() -> Nearest:
            table = search.result()
            # Lance's distance for the dot product is one less the product.
            cosines = 1 - table["_distance"].to_numpy()
            return Nearest(_rows(table), cosines, _vectors(table))

        return found

    def ranking_vectors(self, rows: Rows) -> Vector:
        """Return the vectors of the given rows as `begin_search` does, which may be of half the precision."""
        return self._halves.take(rows) if self._halves else self.vectors(rows)

    def vectors(self, rows: Rows) -> Vector:
        """Return the vectors of the given rows, in their order, shape (rows, dimension)."""
        return _vectors(self._take(rows, ["vector"]))

    @cached_property
    def spread(self) -> VectorSpread:
        """How the vectors lie, by `_SPREAD_ROWS` of them at most, evenly from the first row to the last; the index has
        one row at least.
        """
        rows = np.unique(np.linspace(0, len(self) - 1, min(len(self), _SPREAD_ROWS)).astype(np.int64))
        return VectorSpread.measured(self.vectors(rows))

    def texts(self, rows: Rows) -> list[str]:
        """Return the texts of the given rows, in their order."""
        texts: list[str] = self._take(rows, ["text"])["text"].to_pylist() if len(rows) else []
        return texts

    def texts_under_headings(self, rows: Rows) -> list[tuple[str, tuple[str, ...]]]:
        """Return the texts of the given rows with their paths of headings, in their order."""
        table = self._take(rows, ["text", "section_path"])
        return list(zip(table["text"].to_pylist(), map(tuple, table["section_path"].to_pylist()), strict=True))

    def ids(self, rows: Rows) -> list[str]:
        """Return the passage ids of the given rows, in their order."""
        ids: list[str] = self.columns.ids.take(rows).to_pylist() if len(rows) else []
        return ids

    def passages(self, rows: Rows, *, with_boxes: bool = True) -> list[Passage]:
        """Return the passages of the given rows, in their order."""
        known = self.table.columns - (frozenset() if with_boxes else {"boxes"})
        columns = [name for name in PASSAGE_COLUMNS if name in known]
        return passages_from(self._take(rows, columns)) if len(rows) else []

    def section_runs(self, kinds: Sequence[SectionKind]) -> list[SectionRun]:
        """Return the passages of main text in sections of some kinds, those in a row under the same headings as one
        run, in the order of rows.
        """
        import pyarrow.compute as pc

        wanted = OneOf("section_kind", tuple(kind.value for kind in kinds))
        columns, where = ["row", "page_first", "section_path"], f"{wanted.sql} AND NOT is_footnotes"
        table = self.table.scan(columns, max(len(self), 1), where).sort_by("row")
        if not len(table):
            return []
        rows, pages = table["row"].to_numpy(), table["page_first"].to_numpy()
        paths = table["section_path"].combine_chunks()
        lengths = pc.list_value_length(paths).to_numpy(zero_copy_only=False).astype(np.int64)
        coded = paths.flatten().dictionary_encode()
        codes, headings = coded.indices.to_numpy(), coded.dictionary.to_pylist()
        ends = np.cumsum(lengths)
        # A path is compared with that of the row before it heading by heading, without making it a Python value.
        owner = np.repeat(np.arange(len(rows)), lengths)
        other = codes != codes[np.maximum(np.arange(len(codes)) - lengths[owner], 0)]
        document = self.columns.document[rows]
        begins = np.ones(len(rows), dtype=bool)
        begins[1:] = (document[1:] != document[:-1]) | (lengths[1:] != lengths[:-1])
        begins |= np.bincount(owner[other], minlength=len(rows)) > 0
        firsts = np.flatnonzero(begins).tolist()
        runs = []
        for first, behind in zip(firsts, [*firsts[1:], len(rows)], strict=True):
            path = tuple(headings[code] for code in codes[ends[first] - lengths[first] : ends[first]].tolist())
            runs.append(SectionRun(int(document[first]), path, rows[first:behind].astype(np.int64), int(pages[first])))
        return runs

    def row_of(self, passage_id: str) -> int | None:
        """Return the row of a passage, or None where there is no such passage."""
        row: int = self.columns.ids.index(passage_id).as_py()
        return None if row < 0 else row

    def _take(self, rows: Rows, columns: Sequence[str]) -> pa.Table:
        """Fetch rows by number, in the order given; rows are distinct."""
        table = self.table.take(rows.tolist(), [*columns, "row"])
        # Lance gives rows back in the order of the table.
        order = np.empty(len(rows), dtype=np.int64)
        order[np.argsort(rows)] = np.argsort(table["row"].to_numpy())
        return table.take(order)


def _best(halves: HalfVectors, rows: Rows, vector: Vector, depth: int) -> Nearest:
    """The `depth` of some rows whose vectors are nearest."""
    vectors = halves.take(rows)
    cosines = vectors @ vector
    best = np.argsort(-cosines, kind="stable")[:depth]
    return Nearest(rows[best], cosines[best], vectors[best])


def _rows(table: pa.Table) -> Rows:
    rows: Rows = table["row"].to_numpy().astype(np.int64)
    return rows


def _vectors(table: pa.Table) -> Vector:
    dimension = table.schema.field("vector").type.list_size
    stored = table["vector"].combine_chunks().flatten().to_numpy().reshape(len(table), dimension)
    vectors: Vector = stored.astype(np.float32, copy=False)
    return vectors


def _read_columns(passages: LanceTable) -> PassageColumns:
    count = passages.count()
    table = passages.scan(["row", "id", "document", "section_kind"], max(count, 1))
    if not np.array_equal(table["row"].to_numpy(), np.arange(count)):
        raise BankDamagedError("The passages of the index are out of order.", MEND_ADVICE)
    kinds = table["section_kind"].combine_chunks().dictionary_encode()
    numbers = np.array([_KIND_NUMBERS[kind] for kind in kinds.dictionary.to_pylist()], dtype=np.uint8)
    return PassageColumns(table["id"].combine_chunks(), table["document"].to_numpy(), numbers[kinds.indices.to_numpy()])
