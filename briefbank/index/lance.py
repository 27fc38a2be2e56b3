"""LanceDB as this program uses it: tables opened for reading, asked by its asynchronous interface from any thread.

Knows tables and columns, not what they mean.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from briefbank.platform.left_out import leave_out

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb import AsyncTable
    from lancedb.query import AsyncQuery, AsyncVectorQuery

_Found = TypeVar("_Found")
_METADATA_BYTES = 1 << 28
_NO_LIMIT = 0
_THREADS = "4"
"""Threads that carry what is read. Others come and go for the reading itself; computing has threads of its own."""
_CLIENT = "lance_namespace_urllib3_client"
"""lancedb's client for remote catalogues, which a bank on a local disk never asks. Importing it takes a third of the
processor time of a search from a cold start (0.6 s of 1.9), and brings an HTTP library.
"""


@dataclass(frozen=True, slots=True)
class Approximation:
    """How an index of quantised vectors is asked: partitions to look at (more, where a condition leaves fewer rows
    in them than are wanted), and candidates scored again exactly for each result; None takes the quantised scores.
    """

    partitions: int
    refine_factor: int | None


class LanceTable:
    """A table opened for reading. May be used by several threads."""

    def __init__(self, table: AsyncTable) -> None:
        """Take a table of LanceDB's asynchronous interface."""
        self._table = table

    @classmethod
    def open(cls, folder: Path, name: str, cache_bytes: int | None = None) -> LanceTable:
        """Open a table of the database in `folder`; of its indices up to `cache_bytes` stay in memory, or what LanceDB
        allows.

        Raises:
            ValueError, RuntimeError, OSError: it is missing or cannot be read.
        """
        lancedb, place = import_lancedb(), folder.absolute()

        async def opened() -> AsyncTable:
            session = None if cache_bytes is None else lancedb.Session(cache_bytes, _METADATA_BYTES)
            connection = await lancedb.connect_async(place, session=session)
            table: AsyncTable = await connection.open_table(name)
            return table

        return cls(_run(opened()))

    @classmethod
    def in_memory(cls, name: str, data: pa.Table | pa.RecordBatch) -> LanceTable:
        """A table of this process alone, which goes with the last use of it."""
        lancedb = import_lancedb()

        async def made() -> AsyncTable:
            connection = await lancedb.connect_async("memory://")
            table: AsyncTable = await connection.create_table(name, data=data)
            return table

        return cls(_run(made()))

    @cached_property
    def columns(self) -> frozenset[str]:
        """The names of its columns."""
        return frozenset(_run(self._table.schema()).names)

    def count(self) -> int:
        """How many rows the table has."""
        count: int = _run(self._table.count_rows())
        return count

    def has_indices(self) -> bool:
        """Whether any column is indexed."""
        return bool(_run(self._table.list_indices()))

    def scan(self, columns: Sequence[str], limit: int, where: str | None = None) -> pa.Table:
        """Return some columns of the first `limit` rows that satisfy `where` (SQL)."""
        return _run(self._query(where).select(list(columns)).limit(limit).to_arrow())

    def take(self, rows: Sequence[int], columns: Sequence[str]) -> pa.Table:
        """Return some columns of rows by their numbers, in the order of the table, whatever that of `rows` is."""
        return _run(self._table.take_offsets(list(rows)).select(list(columns)).to_arrow())

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        depth: int,
        columns: Sequence[str],
        where: str | None = None,
        approximation: Approximation | None = None,
    ) -> Future[pa.Table]:
        """Begin to look for the `depth` rows whose `vector` has the greatest dot product with this one, among those
        that satisfy `where`. The column `_distance` is one less the product.
        """
        query: AsyncVectorQuery = self._query(where).nearest_to(vector).distance_type("dot")
        if approximation:
            query.maximum_nprobes(_NO_LIMIT)  # LanceDB refuses a least above the most; both begin at 20
            query.minimum_nprobes(approximation.partitions)
            query.maximum_nprobes(_NO_LIMIT if where else approximation.partitions)
            if approximation.refine_factor:
                query.refine_factor(approximation.refine_factor)
        else:
            query.bypass_vector_index()
        return asyncio.run_coroutine_threadsafe(query.limit(depth).select(list(columns)).to_arrow(), _loop())

    def matching(
        self, words: str, column: str, depth: int, columns: Sequence[str], where: str | None = None, *, needs_all: bool
    ) -> pa.Table:
        """Return some columns of the `depth` rows that LanceDB's full text ranks best for words parted by spaces, among
        those that satisfy `where`; each holds one of the words or, if it `needs_all`, all. A repeated word counts
        as often.
        """
        from lancedb.query import FullTextOperator, MatchQuery

        operator = FullTextOperator.AND if needs_all else FullTextOperator.OR
        asked = MatchQuery(words, column, operator=operator)  # type: ignore[call-arg]  # its fields have defaults
        query = self._query(where).nearest_to_text(asked, columns=[column])
        return _run(query.limit(depth).select(list(columns)).to_arrow())

    def _query(self, where: str | None) -> AsyncQuery:
        """A query of the rows that satisfy `where`: filtered after a search, a narrow filter would leave fewer."""
        query = self._table.query()
        return query.where(where) if where else query


def _run(work: Coroutine[Any, Any, _Found]) -> _Found:
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop that carries what LanceDB answers; it lasts as long as the process, as LanceDB's own does."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="lance-reading", daemon=True).start()
    return loop


def import_lancedb() -> ModuleType:
    """Return the module `lancedb` without its remote client; use this instead of the import statement."""
    os.environ.setdefault("LANCE_LOG", "error")
    # One for each core otherwise, and each is added when it is first needed: 33 threads of an engine grew to 56.
    os.environ.setdefault("TOKIO_WORKER_THREADS", _THREADS)
    leave_out([_CLIENT], is_required=True)
    import lancedb

    return lancedb
