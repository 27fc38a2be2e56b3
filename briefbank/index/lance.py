"""LanceDB as this program uses it: the whole library for writing, its compiled part alone for reading.

Reading imports none of the library's Python modules (pydantic, the registry of embeddings, the client for remote
databases), which took a third of the time of a search from a cold start. Knows tables and columns, not what they mean.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

_Found = TypeVar("_Found")
_COMPILED = "lancedb._lancedb"
_METADATA_BYTES = 1 << 28
_NO_LIMIT = 0
_LOADING = threading.Lock()
_CLIENT = "lance_namespace_urllib3_client"
"""lancedb's client for remote catalogues. Importing it takes half of the time that lancedb takes and brings an HTTP
library; a bank on a local disk never asks one, so that whatever lancedb names of it is an empty class here.
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

    def __init__(self, compiled: Any) -> None:
        """Take what the compiled part of LanceDB calls a table."""
        self._table = compiled

    @classmethod
    def open(cls, folder: Path, name: str, cache_bytes: int | None = None) -> LanceTable:
        """Open a table of the database in `folder`; of its indices up to `cache_bytes` stay in memory, or what LanceDB
        allows.

        Raises:
            ValueError, RuntimeError, OSError: it is missing or cannot be read.
        """
        place = str(folder.absolute())

        async def opened() -> Any:
            compiled = _compiled()
            session = None if cache_bytes is None else compiled.Session(cache_bytes, _METADATA_BYTES)
            connection = await compiled.connect(place, session=session)
            return await connection.open_table(name, [])

        return cls(_run(opened()))

    @classmethod
    def written(cls, table: Any) -> LanceTable:
        """Take what `import_lancedb` calls a table, to read what was written: the only way where it lies in memory."""
        return cls(table._table._inner)  # noqa: SLF001

    def count(self) -> int:
        """How many rows the table has."""

        async def counted() -> int:
            found: int = await self._table.count_rows(None)
            return found

        return _run(counted())

    def has_indices(self) -> bool:
        """Whether any column is indexed."""

        async def listed() -> bool:
            return bool(await self._table.list_indices())

        return _run(listed())

    def scan(self, columns: Sequence[str], limit: int, where: str | None = None) -> pa.Table:
        """Return some columns of the first `limit` rows that satisfy `where` (SQL)."""

        async def scanned() -> pa.Table:
            query = self._table.query()
            if where:
                query.where(where)
            query.limit(limit)
            return await _read(query, columns)

        return _run(scanned())

    def take(self, rows: Sequence[int], columns: Sequence[str]) -> pa.Table:
        """Return some columns of rows by their numbers, in the order of the table, whatever that of `rows` is."""

        async def taken() -> pa.Table:
            return await _read(self._table.take_offsets(list(rows)), columns)

        return _run(taken())

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

        async def searched() -> pa.Table:
            import pyarrow as pa

            query = self._table.query()
            if where:
                query.where(where)  # before the search: filtered after it, a narrow filter would leave fewer
            query = query.nearest_to(pa.array(vector))
            query.distance_type("dot")
            if approximation:
                query.maximum_nprobes(_NO_LIMIT)  # LanceDB refuses a least above the most; both begin at 20
                query.minimum_nprobes(approximation.partitions)
                query.maximum_nprobes(_NO_LIMIT if where else approximation.partitions)
                if approximation.refine_factor:
                    query.refine_factor(approximation.refine_factor)
            else:
                query.bypass_vector_index()
            query.limit(depth)
            return await _read(query, columns)

        return asyncio.run_coroutine_threadsafe(searched(), _loop())

    def matching(
        self, words: str, column: str, depth: int, columns: Sequence[str], where: str | None = None, *, needs_all: bool
    ) -> pa.Table:
        """Return some columns of the `depth` rows that LanceDB's full text ranks best for words parted by spaces, among
        those that satisfy `where`; each holds one of the words or, if it `needs_all`, all. A repeated word counts
        as often.
        """

        async def searched() -> pa.Table:
            query = self._table.query()
            if where:
                query.where(where)  # before the search, as in `nearest`
            asked = MatchQuery(words, column, "AND" if needs_all else "OR")
            query = query.nearest_to_text({"query": asked, "columns": [column]})
            query.limit(depth)
            return await _read(query, columns)

        return _run(searched())


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """A question for full text, as the compiled part knows it by the name of this class and of these fields."""

    query: str
    column: str
    operator: str
    boost: float = 1.0
    fuzziness: int = 0
    max_expansions: int = 50
    prefix_length: int = 0
    document_granularity: None = None

    def query_type(self) -> str:
        """What LanceDB calls this kind of question."""
        return "match"


async def _read(query: Any, columns: Sequence[str]) -> pa.Table:
    import pyarrow as pa

    query.select_columns(list(columns))
    stream = await query.execute()
    return pa.Table.from_batches([batch async for batch in stream], stream.schema)


def _run(work: Coroutine[Any, Any, _Found]) -> _Found:
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop that carries what LanceDB answers; it lasts as long as the process, as LanceDB's own does."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="lance-reading", daemon=True).start()
    return loop


def _compiled() -> Any:
    """The compiled module of LanceDB, without the package around it; `import lancedb` finds it later."""
    os.environ.setdefault("LANCE_LOG", "error")
    with _LOADING:  # it can be made once in a process
        return sys.modules.get(_COMPILED) or _load()


def _load() -> ModuleType:
    package = find_spec("lancedb")
    places = package.submodule_search_locations if package else None
    found = PathFinder.find_spec(_COMPILED.rpartition(".")[2], places) if places else None
    spec = spec_from_file_location(_COMPILED, found.origin) if found and found.origin else None
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("LanceDB is not installed.", name=_COMPILED)
    module = module_from_spec(spec)
    sys.modules[_COMPILED] = module
    spec.loader.exec_module(module)
    return module


class _Absent(ModuleType):
    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _ClientLeftOut(MetaPathFinder, Loader):
    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        is_client = fullname.partition(".")[0] == _CLIENT
        return ModuleSpec(fullname, self, is_package=True) if is_client else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


def import_lancedb() -> ModuleType:
    """Return the module `lancedb` without its remote client; use this instead of the import statement."""
    os.environ.setdefault("LANCE_LOG", "error")
    if "lancedb" not in sys.modules and _CLIENT not in sys.modules:
        sys.meta_path.insert(0, _ClientLeftOut())
    import lancedb

    return lancedb
