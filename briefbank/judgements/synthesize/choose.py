"""Which passages a question can be made up for: those that argue law, not facts, tables or procedure."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from briefbank.index.generation import Generation
from briefbank.index.tokens import surfaces
from briefbank.records import Passage, SectionKind
from briefbank.search.signals import argument_style

_ARGUES = frozenset({SectionKind.ARGUMENT, SectionKind.STANDARD, SectionKind.SUMMARY, SectionKind.BODY})
_FEWEST_WORDS = 60
_LEAST_REASONING = 0.4
_BATCH = 256


def worth_asking(generation: Generation, seed: int) -> Iterator[Passage]:
    """Passages that somebody may look for, in an order that the seed decides; of near-copies only one."""
    rows = list(range(len(generation.dense)))
    random.Random(seed).shuffle(rows)  # noqa: S311  # a choice to be repeated, not a secret
    for start in range(0, len(rows), _BATCH):
        batch = [row for row in rows[start : start + _BATCH] if generation.families.root(row) == row]
        for passage in generation.dense.passages(np.array(batch, dtype=np.int64)):
            if is_worth_asking(passage):
                yield passage


def is_worth_asking(passage: Passage) -> bool:
    """Whether a passage argues, by the part of the brief it stands in and its manner of writing."""
    words = surfaces(passage.text)
    return (
        passage.section_kind in _ARGUES
        and not passage.is_footnotes
        and len(words) >= _FEWEST_WORDS
        and argument_style(passage.text, words) >= _LEAST_REASONING
    )
