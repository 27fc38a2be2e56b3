"""One generation of a bank's index: written once, then only read. Must not know which generation is live."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import Self

import numpy as np
import tomli_w

from briefbank.errors import BankDamagedError, BankNewerError
from briefbank.index import MEND_ADVICE
from briefbank.index.authorities import AuthoritiesBuilder, AuthorityPostings
from briefbank.index.dense import DenseIndex, Rows, tables_in_memory, write_tables
from briefbank.index.families import Families, find_families
from briefbank.index.full_text import FullTextBuilder, FullTextIndex
from briefbank.index.learned import FOLDER as LEARNED_FOLDER
from briefbank.index.learned import Learned
from briefbank.index.lexical import LexicalIndex, LexicalIndexBuilder
from briefbank.index.manifest import (
    MANIFEST_NAME,
    Finding,
    Form,
    GenerationInfo,
    find_damage,
    read_info,
    read_unreadable,
)
from briefbank.index.notes import Annotator, DocumentNotes
from briefbank.index.surface import SurfaceBuilder, SurfacePostings
from briefbank.index.term_index import TermIndex
from briefbank.index.tokens import index_terms
from briefbank.law.citations import PatternSet
from briefbank.law.record_cites import is_column_of_record_cites
from briefbank.models.encoders.port import Embeddings
from briefbank.platform import versions
from briefbank.platform.files import file_sha256, sync_tree, write_atomic
from briefbank.values.reading import PassageInContext
from briefbank.values.records import Document, Passage
from briefbank.values.unreadable import UnreadableFiles

_LEXICAL = "lexical"
_FAMILIES = "families.npy"
_SURFACE, _CITED = "surface", "cited"
IN_MEMORY = "in memory"
"""What stands in the place of the name of a generation that is not on the disk."""


def write_generation(
    folder: Path,
    documents: Sequence[Document],
    batches: Iterable[tuple[Sequence[Passage], Embeddings]],
    info: GenerationInfo,
    annotator: Annotator | None = None,
) -> GenerationInfo:
    """Write a whole generation into a folder that is empty but for what was learned and which files it lacks, flush it
    to the disk, and return `info` with its counts.

    `batches` is read once: passages with their vectors, shape (passages, `info.dimension`); some thousands in a batch
    keep memory low and the tables quick. Every passage's document is among `documents`, and follows that document's
    other passages. Without `annotator` the generation has no postings for exact search.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if info.form is Form.LARGE:
        lexical: LexicalIndexBuilder | FullTextBuilder = FullTextBuilder(folder / _LEXICAL)
    else:
        lexical = LexicalIndexBuilder()
    document_numbers = array("i")
    take_terms = lexical.take_texts if isinstance(lexical, FullTextBuilder) else None
    # A large bank's words would take gigabytes; the file has no name, and is gone with the block.
    with TemporaryFile(dir=folder) if info.form is Form.LARGE else nullcontext() as numbers:
        # Each wrapper passes batches on as the tables take them, so that no more than one batch is in memory at a time.
        if annotator:
            surface, cited = SurfaceBuilder(numbers), AuthoritiesBuilder(annotator.patterns)
            batches = _adding_postings(batches, annotator, surface, cited)
        batches = _adding_document_numbers(batches, documents, document_numbers)
        write_tables(folder, documents, _adding_terms(batches, lexical), info.dimension, take_terms)
        if annotator:
            surface.write(folder / _SURFACE, maps_words=info.form is Form.LARGE)
            cited.write(folder / _CITED)
    lexical.write(folder / _LEXICAL)
    find_families(lexical.term_rows, np.array(document_numbers, dtype=np.int32)).write(folder / _FAMILIES)
    # An older program would ignore what was learned and rank otherwise: the higher format has it refuse.
    has_learned = (folder / LEARNED_FOLDER).is_dir()
    generation_format = versions.GENERATION_WITH_LEARNED if has_learned else versions.GENERATION
    if info.form is Form.LARGE:
        generation_format = versions.GENERATION_LARGE
    counts = {"passage_count": len(lexical), "document_count": len(documents), "format": generation_format}
    info = GenerationInfo(**{**asdict(info), **counts})
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST_NAME)
    digests = {path.relative_to(folder).as_posix(): file_sha256(path) for path in files}
    write_atomic(folder / MANIFEST_NAME, tomli_w.dumps({"generation": asdict(info), "files": digests}).encode())
    # The manifest is last: a folder without one was not written to its end.
    sync_tree(folder)
    return info


def _adding_document_numbers(
    batches: Iterable[tuple[Sequence[Passage], Embeddings]], documents: Sequence[Document], collected: array[int]
) -> Iterator[tuple[Sequence[Passage], Embeddings]]:
    """Pass batches on, and collect the number of each passage's document."""
    numbers = {document.id: number for number, document in enumerate(documents)}
    for passages, vectors in batches:
        collected.extend(numbers[passage.document_id] for passage in passages)
        yield passages, vectors


def _adding_terms(
    batches: Iterable[tuple[Sequence[Passage], Embeddings]], lexical: LexicalIndexBuilder | FullTextBuilder
) -> Iterator[tuple[Sequence[Passage], Embeddings]]:
    for passages, vectors in batches:
        for passage in passages:
            lexical.add(index_terms(passage.text))
        yield passages, vectors


def _adding_postings(
    batches: Iterable[tuple[Sequence[Passage], Embeddings]],
    annotator: Annotator,
    surface: SurfaceBuilder,
    cited: AuthoritiesBuilder,
) -> Iterator[tuple[Sequence[Passage], Embeddings]]:
    for passages, vectors in batches:
        for _, group in groupby(passages, key=attrgetter("document_id")):
            of_document = list(group)
            notes = annotator.annotate(of_document)
            for passage, starts in zip(of_document, notes.sentence_starts, strict=True):
                surface.add(passage.text, starts)
            cited.add(notes.citations)
        yield passages, vectors


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation opened for reading. `name` is that of its folder."""

    folder: Path
    info: GenerationInfo
    dense: DenseIndex
    lexical: TermIndex
    families: Families
    surface: SurfacePostings | None = None
    authorities: AuthorityPostings | None = None
    """Both are None where an older program wrote the generation."""
    learned: Learned | None = None
    unreadable: UnreadableFiles | None = None
    """The files that it lacks; None where an older program wrote it."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def documents(self) -> tuple[Document, ...]:
        return self.dense.documents

    @classmethod
    def open(cls, folder: Path, damage: Future[list[Finding]] | None = None) -> Self:
        """Open a generation, every file of it verified by its SHA-256; `damage` is what `find_damage` will find, where
        that was begun before.

        Raises:
            BankDamagedError: a part is missing, is not as it was written, or cannot be read.
            BankNewerError: a newer program wrote it.
        """
        if damage is None:
            with ThreadPoolExecutor(max_workers=1) as executor:  # libraries are imported while the files are hashed
                return cls.open(folder, executor.submit(find_damage, folder))
        info = read_info(folder)
        try:
            dense = DenseIndex.open(folder, info.form)
            lexical = _open_lexical(folder / _LEXICAL, info, dense)
        finally:  # a damaged file is the cause of whatever opening ran into, so it is what is told
            if found := damage.result():
                raise BankDamagedError(found[0].message, found[0].advice)
        if len(dense) != info.passage_count or len(dense.documents) != info.document_count:
            raise BankDamagedError(f"The index {folder.name} does not hold what its manifest says.", MEND_ADVICE)
        surface = SurfacePostings(folder / _SURFACE) if (folder / _SURFACE).is_dir() else None
        authorities = AuthorityPostings(folder / _CITED) if (folder / _CITED).is_dir() else None
        families = Families.read(folder / _FAMILIES, info.passage_count)
        learned, unreadable = Learned.read(folder), read_unreadable(folder)
        return cls(folder, info, dense, lexical, families, surface, authorities, learned, unreadable)

    def passage(self, passage_id: str) -> Passage | None:
        """Return a passage by its id, or None where there is none."""
        row = self.dense.row_of(passage_id)
        return None if row is None else self.dense.passages(np.array([row]))[0]

    def passages_of(self, document_id: str) -> list[Passage]:
        """Return all passages of a document in their order; none where there is no such document."""
        numbers = [number for number, each in enumerate(self.documents) if each.id == document_id]
        rows: Rows = np.flatnonzero(np.isin(self.dense.columns.document, numbers))
        return sorted(self.dense.passages(rows), key=lambda passage: passage.order)

    def in_context(self, passage: Passage, reach: int) -> PassageInContext:
        """Return a passage with its document and up to `reach` neighbours on each side, past those that are nothing but
        notes on the record.
        """
        near = [each for each in self.passages_of(passage.document_id) if not is_column_of_record_cites(each.text)]
        before = [each for each in near if each.order < passage.order]
        return PassageInContext(
            next(each for each in self.documents if each.id == passage.document_id),
            tuple(before[max(0, len(before) - reach) :]),
            passage,
            tuple([each for each in near if each.order > passage.order][:reach]),
        )

    def newest_first(self) -> tuple[Document, ...]:
        """Return all documents, those without a date last; ties by id."""
        dated = [each for each in self.documents if each.filed]
        undated = [each for each in self.documents if not each.filed]
        dated.sort(key=lambda each: (each.filed or date.min, each.id), reverse=True)
        return (*dated, *sorted(undated, key=lambda each: each.id))


def _open_lexical(folder: Path, info: GenerationInfo, dense: DenseIndex) -> TermIndex:
    if info.form is Form.LARGE:
        return FullTextIndex.open(folder, info.passage_count, dense.table)
    return LexicalIndex.open(folder, info.passage_count)


def verify_generation(folder: Path) -> Iterator[Finding]:
    """Compare every file with its digest and every part with the others; yields what is wrong."""
    try:
        damage = find_damage(folder)
    except (BankDamagedError, BankNewerError) as error:
        yield Finding(error.message, error.advice)
        return
    yield from damage
    if not damage:
        yield from _verify_parts(folder)


def _verify_parts(folder: Path) -> Iterator[Finding]:
    try:
        generation = Generation.open(folder)
    except BankDamagedError as error:
        yield Finding(error.message, error.advice)
        return
    counts = np.bincount(generation.dense.columns.document, minlength=len(generation.documents))
    for document, count in zip(generation.documents, counts, strict=True):
        if document.passage_count != count:
            differs = f"{document.passage_count} passages, the index holds {count}"
            yield Finding(f"The record of document {document.id} says {differs}.")


def generation_in_memory(
    bank: Generation,
    documents: Sequence[Document],
    passages: Sequence[Passage],
    vectors: Embeddings,
    notes: Sequence[DocumentNotes],
    patterns: PatternSet,
) -> Generation:
    """Return a generation of some documents, one at least, that no bank holds: searched as one on the disk, gone after
    use. `notes` has those of each document, in order.

    `bank` is the generation that they could stand in: its encoder made the `vectors`, shape (passages, dimension), and
    what it learned holds here too. Terms are as rare as if the documents stood in the bank beside the others, so that
    they score as they will when they are indexed (but for the mean length of passages, which is their own). Passages
    follow each other document by document.
    """
    lexical, surface, cited = LexicalIndexBuilder(), SurfaceBuilder(), AuthoritiesBuilder(patterns)
    starts = [each for note in notes for each in note.sentence_starts]
    for passage, sentence_starts in zip(passages, starts, strict=True):
        lexical.add(index_terms(passage.text))
        surface.add(passage.text, sentence_starts)
    for note in notes:
        cited.add(note.citations)
    numbers = {document.id: number for number, document in enumerate(documents)}
    of_passages = np.array([numbers[passage.document_id] for passage in passages], dtype=np.int32)
    return Generation(
        folder=Path(IN_MEMORY),
        info=replace(
            bank.info, passage_count=len(passages), document_count=len(documents), source_digest="", form=Form.SMALL
        ),
        dense=tables_in_memory(documents, passages, vectors),
        lexical=lexical.index(bank.lexical),
        families=find_families(lexical.term_rows, of_passages),
        surface=surface.postings(),
        authorities=cited.postings(),
        learned=bank.learned,
        unreadable=None,
    )
