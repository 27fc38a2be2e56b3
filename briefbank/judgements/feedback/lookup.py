"""Finds the passages that a log speaks of in an index that may have been built anew since. Must not know the log."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from briefbank.index.generation import Generation
from briefbank.judgements.feedback.events import text_sha256
from briefbank.records import Passage

_BATCH = 10_000


def passages_as_shown(generation: Generation, shown: Collection[tuple[str, str]]) -> dict[tuple[str, str], Passage]:
    """Return the passages that still read as they did, by the id and the text digest under which they were shown.

    One whose id has gone or reads differently now is looked for by its text in the whole index, at the first place that
    holds it. What is not found is absent.
    """
    found: dict[tuple[str, str], Passage] = {}
    for passage_id, digest in sorted(shown):
        passage = generation.passage(passage_id)
        if passage and text_sha256(passage.text) == digest:
            found[passage_id, digest] = passage
    missing: dict[str, list[tuple[str, str]]] = {}
    for key in sorted(set(shown) - found.keys()):
        missing.setdefault(key[1], []).append(key)
    for start in range(0, len(generation.dense) if missing else 0, _BATCH):
        rows = np.arange(start, min(start + _BATCH, len(generation.dense)))
        for row, text in zip(rows, generation.dense.texts(rows), strict=True):
            keys = missing.pop(text_sha256(text), [])
            if keys:
                passage = generation.dense.passages(np.array([row]))[0]
                found |= dict.fromkeys(keys, passage)
    return found
