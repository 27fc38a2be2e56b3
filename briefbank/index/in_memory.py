"""A generation in memory, of documents that no bank holds: searched as one on the disk, and gone after use.

Its terms are as rare as if its documents stood in the bank beside the others, so that a document scores as it will when
it is indexed (but for the mean length of passages, which is its own).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from briefbank.index.authorities import AuthoritiesBuilder
from briefbank.index.dense import tables_in_memory
from briefbank.index.families import find_families
from briefbank.index.generation import Generation
from briefbank.index.lexical import LexicalIndexBuilder
from briefbank.index.manifest import Form
from briefbank.index.notes import DocumentNotes
from briefbank.index.surface import SurfaceBuilder
from briefbank.index.tokens import index_terms
from briefbank.law.citations import PatternSet
from briefbank.models.encoders.port import Embeddings
from briefbank.values.records import Document, Passage

NAME = "in memory"
"""What stands in the place of a generation's name."""


def generation_in_memory(
    bank: Generation,
    documents: Sequence[Document],
    passages: Sequence[Passage],
    vectors: Embeddings,
    notes: Sequence[DocumentNotes],
    patterns: PatternSet,
) -> Generation:
    """Return a generation of some documents, one at least; `notes` has those of each document, in order.

    `bank` is the generation that they could stand in: its encoder made the `vectors`, shape (passages, dimension), and
    what it learned holds here too. Passages follow each other document by document.
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
        folder=Path(NAME),
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
