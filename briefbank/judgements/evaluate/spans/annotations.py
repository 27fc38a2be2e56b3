"""Annotated clauses as a file (JSON lines with `file`, `category` and `clause`, word for word but for white space), and
their documents: indexed as any folder is, into a bank that is not kept, and each clause placed.

Must not know how anything is searched or scored.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from briefbank.errors import SourceError, UsageError
from briefbank.index.dense import Rows
from briefbank.index.generation import Generation
from briefbank.index.publish import live_generation
from briefbank.ingest.pipeline import index_folder
from briefbank.models.encoders import load_query_encoder
from briefbank.models.encoders.port import Encoder
from briefbank.platform.files import COLLECTION_BYTES, file_sha256, read_bounded
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Reporter
from briefbank.platform.scratch import scratch_folder
from briefbank.platform.settings import Settings
from briefbank.values.records import Passage

_ADVICE = 'Each line is a JSON object with "file", "category" and "clause", in UTF-8.'
_SPACE = re.compile(r"\s+")
_CHUNK, _STRIDE = 3_500, 2_800
"""Characters of a chunk, and from one to the next, in the paper that the figures are compared with."""

Ranges = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class AnnotatedSpan:
    """A clause of a file, the name of which is relative to its folder, and what it was annotated as."""

    file: str
    category: str
    clause: str


class _Line(msgspec.Struct):
    file: str
    category: str
    clause: str
    found: bool = True
    """False of a clause that the makers of the annotations could not place in the text."""


@dataclass(frozen=True, slots=True)
class AnnotatedSpans:
    """Annotated clauses, each once, and the files that were annotated, some of which may hold none of them."""

    spans: tuple[AnnotatedSpan, ...]
    files: frozenset[str]

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(sorted({each.category for each in self.spans}))


def read_spans(path: Path, categories: Sequence[str] = ()) -> AnnotatedSpans:
    """Read annotated clauses; those of some categories where any are named.

    Raises:
        SourceError: the file cannot be read, a line is wrong, or there is no clause.
        UsageError: there is no such category.
    """
    try:
        lines = read_bounded(path, COLLECTION_BYTES).split(b"\n")
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.", _ADVICE) from error
    decode = msgspec.json.Decoder(_Line).decode
    spans = []
    for number, line in enumerate(lines, start=1):
        try:
            read = decode(line) if line.strip() else None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise SourceError(f"{path}, line {number}: {error}.", _ADVICE) from error
        if read and read.found and read.clause.strip():
            spans.append(AnnotatedSpan(read.file, read.category, read.clause))
    known = {each.category for each in spans}
    if missing := [each for each in categories if each not in known]:
        raise UsageError(f"No clause is annotated as {missing[0]}.", f"There are: {', '.join(sorted(known))}.")
    if not spans:
        raise SourceError(f"{path} holds no clause.", _ADVICE)
    wanted = dict.fromkeys(each for each in spans if not categories or each.category in categories)
    return AnnotatedSpans(tuple(wanted), frozenset(each.file for each in spans))


def _squeezed(text: str) -> str:
    """A text without white space."""
    return _SPACE.sub("", text)


@dataclass(frozen=True)
class PlacedDocument:
    """A document whose clauses are looked for. Places count characters without white space, so that line ends and
    spaces that reading made regular change nothing.
    """

    file: str
    document_id: str
    rows: Rows
    passages: tuple[Passage, ...]

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """Where each passage starts, and behind them where the last ends; shape (passages + 1,)."""
        return np.cumsum([0, *(len(_squeezed(each.text)) for each in self.passages)])

    @cached_property
    def text(self) -> str:
        return "".join(_squeezed(each.text) for each in self.passages)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Characters of each passage, white space included."""
        return np.array([len(each.text) for each in self.passages], dtype=np.int64)

    @property
    def chunk_count(self) -> int:
        """How many chunks of 3,500 characters, 700 of which overlap, the document has."""
        characters = int(self.lengths.sum())
        return max(-(-(characters - _CHUNK) // _STRIDE), 0) + 1 if characters else 0

    def place(self, clause: str) -> tuple[int, int] | None:
        """Where a clause stands first, its end excluded; None where the text does not hold it."""
        wanted = _squeezed(clause)
        start = self.text.find(wanted) if wanted else -1
        return None if start < 0 else (start, start + len(wanted))


@contextmanager
def indexed(
    folder: Path, settings: Settings, cache: Path | None, reporter: Reporter, cancel: CancelToken
) -> Iterator[tuple[Generation, Encoder]]:
    """Index a folder into a bank of its own, and yield its index and the encoder of it. The bank is removed again, or
    kept below `cache` for the next time.

    Raises:
        SourceError, ModelError, NoSpaceError, CancelledError: as `ingest.pipeline.index_folder`.
    """
    with _bank(folder, cache) as root:
        layout = Layout(root)
        layout.create()
        index_folder(layout, settings, folder, reporter=reporter, cancel=cancel)
        generation = Generation.open(live_generation(layout))
        digest = generation.info.encoder_digest
        yield generation, load_query_encoder(layout.encoders / digest, digest)


@contextmanager
def _bank(folder: Path, cache: Path | None) -> Iterator[Path]:
    if cache is None:
        with scratch_folder() as scratch:
            yield scratch / "bank"
        return
    cache.mkdir(parents=True, exist_ok=True)
    yield cache / f"spans-{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"


def placed_documents(generation: Generation, folder: Path, files: Collection[str]) -> Mapping[str, PlacedDocument]:
    """The documents that annotations name, by that name; files that were not read are missing. Of files with the same
    bytes one is indexed, which stands for the others.
    """
    root = Path(os.path.abspath(folder))  # noqa: PTH100 - as the folder was indexed: no link is followed
    by_name = {Path(each.source_path).relative_to(root).as_posix(): each.id for each in generation.documents}
    by_sha256 = {each.sha256: each.id for each in generation.documents}
    placed = {}
    for file in sorted(files):
        document_id = by_name.get(file)
        if document_id is None and (root / file).is_file():
            document_id = by_sha256.get(file_sha256(root / file))
        if document_id is not None:
            passages = generation.passages_of(document_id)
            rows = [generation.dense.row_of(each.id) for each in passages]
            kept = np.array([row for row in rows if row is not None], dtype=np.int64)
            placed[file] = PlacedDocument(file, document_id, kept, tuple(passages))
    return placed
