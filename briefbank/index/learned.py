"""What a bank learned from judgements, as a part of a generation: read by every search, written by learning alone.

It lies inside the generation, so it is published, rolled back, packed and verified with it. Knows vectors and settings;
must not know how it was learned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import msgspec
import numpy as np

from briefbank.errors import BankDamagedError
from briefbank.models.encoders.port import Embeddings, Encoder, WordMeans
from briefbank.models.encoders.words import WordTable
from briefbank.platform.settings import Settings

FOLDER = "learned"
# Picked among four pairs on 51 contract queries: without them the adapter loses 3.2 points of NDCG@5 on categories of
# questions that were held out (docs/evaluation.md, “Learning from judgements”).
_STRANGE, _FAMILIAR = 0.45, 0.75
"""Cosines to the nearest question learned from between which trust in what was learned grows from none to full."""
_LEAST = 1e-12
"""In the place of 0, where a length is divided by."""
_CARD, _ADAPTER = "learned.json", "adapter.npz"
_TUNED, _RERANKER = "questions", "reranker"
"""Folders of earlier versions, which also learned an encoder for questions and a reranker; neither is applied now."""
_ADVICE = "Go back to the generation before (briefbank rollback), or learn again."


@dataclass(frozen=True, slots=True)
class Card:
    """What was learned, from how much, and how it did on judgements that it had not seen (NDCG@5, 0 to 1).

    `encoder_digest` names the encoder that was adapted; the adapter means nothing with another one. `low` and `high`
    bound the gain with 95 % confidence. `dense_weight` and `weak_below` stand in for the settings of these names.
    """

    recipe: str
    encoder_digest: str = ""
    dense_weight: float | None = None
    weak_below: float | None = None
    seed: int = 0
    query_count: int = 0
    judgement_count: int = 0
    before: float = 0.0
    after: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @property
    def description(self) -> str:
        """What was learned, in words for people."""
        gain = f"NDCG@5 {self.after - self.before:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"
        return f"{self.recipe}, from {self.judgement_count} judgements on {self.query_count} questions: {gain}"


@dataclass(frozen=True, slots=True)
class Adapter:
    """Moves the vectors of questions that are like those it was fitted to: `matrix` has shape (dimension, dimension),
    `questions` are their unit vectors, shape (questions, dimension).
    """

    matrix: Embeddings
    questions: Embeddings

    def adapt(self, vectors: Embeddings) -> Embeddings:
        """Move unit vectors, shape (texts, dimension), the farther the nearer they are to a question learned from."""
        return _moved(vectors, _unit(vectors @ self.matrix.T), _trust(vectors, self.questions))


def _trust(vectors: Embeddings, questions: Embeddings) -> Embeddings:
    """How far to go by what was learned, 0 to 1, shape (texts, 1).

    What is near no question stays as it is: of other matters nothing was learned, and what was would do harm.
    """
    nearest = (vectors @ questions.T).max(axis=1, keepdims=True)
    trust: Embeddings = np.clip((nearest - _STRANGE) / (_FAMILIAR - _STRANGE), 0, 1)
    return trust


def _moved(vectors: Embeddings, aims: Embeddings, trust: Embeddings) -> Embeddings:
    moved: Embeddings = np.where(trust > 0, _unit(vectors + trust * (aims - vectors)), vectors).astype(np.float32)
    return moved


def _unit(vectors: Embeddings) -> Embeddings:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: Embeddings = vectors / np.maximum(lengths, _LEAST)
    return result


@dataclass(frozen=True, slots=True)
class Learned:
    """What searching applies: an adapter of questions, and the card."""

    card: Card
    adapter: Adapter | None = None

    @property
    def digest(self) -> str:
        """SHA-256 over all of it."""
        digest = hashlib.sha256(msgspec.json.encode(self.card))
        for part in (self.adapter.matrix, self.adapter.questions) if self.adapter else ():
            digest.update(part.tobytes())
        return digest.hexdigest()

    @property
    def moves_questions(self) -> bool:
        """Whether questions are searched with otherwise than the encoder alone would have it."""
        return self.adapter is not None or self.card.dense_weight is not None

    def adapt(self, vectors: Embeddings) -> Embeddings:
        """Turn the encoder's unit vectors of questions, shape (texts, dimension), into those to search with."""
        return self.adapter.adapt(vectors) if self.adapter else vectors

    def applied_to(self, settings: Settings) -> Settings:
        """The settings with what was learned in place of those that were left as delivered."""
        delivered = Settings()
        values = {"dense_weight": self.card.dense_weight, "weak_below": self.card.weak_below}
        changes = {
            name: value
            for name, value in values.items()
            if value is not None and getattr(settings, name) == getattr(delivered, name)
        }
        return msgspec.structs.replace(settings, **changes)

    def write(self, generation: Path) -> None:
        """Write into the folder of a generation that is being built."""
        folder = generation / FOLDER
        folder.mkdir()
        (folder / _CARD).write_bytes(msgspec.json.format(msgspec.json.encode(self.card)))
        if self.adapter is not None:
            np.savez(folder / _ADAPTER, matrix=self.adapter.matrix, questions=self.adapter.questions)

    @classmethod
    def read(cls, generation: Path) -> Self | None:
        """Read from a generation; None where nothing was learned.

        Of what earlier versions learned, the parts that are not applied any more are named in the card's recipe.

        Raises:
            BankDamagedError: a file is missing or cannot be read.
        """
        folder = generation / FOLDER
        if not folder.is_dir():
            return None
        try:
            card = msgspec.json.decode((folder / _CARD).read_bytes(), type=Card)
            adapter = _read_adapter(folder / _ADAPTER)
        except (OSError, ValueError, msgspec.DecodeError) as error:
            raise BankDamagedError(f"What the index {generation.name} learned cannot be read.", _ADVICE) from error
        if (folder / _TUNED).is_dir():
            # The gain was that of the tuned encoder; without it nothing is known of the adapter beside it.
            recipe = f"nothing ({card.recipe} of an earlier version is not applied any more; learn again)"
            return cls(replace(card, recipe=recipe, before=0.0, after=0.0, low=0.0, high=0.0))
        if (folder / _RERANKER).is_dir():
            card = replace(card, recipe=f"{card.recipe} (without the reranker of an earlier version)")
        return cls(card, adapter)


def _read_adapter(file: Path) -> Adapter | None:
    if not file.is_file():
        return None
    with np.load(file) as parts:
        return Adapter(parts["matrix"], parts["questions"])


class AdaptedEncoder:
    """An encoder whose questions are adapted; its passages, and so its digest, are the encoder's own."""

    def __init__(self, encoder: Encoder, learned: Learned) -> None:
        self._encoder = encoder
        self._learned = learned
        self.dimension = encoder.dimension
        self.digest = encoder.digest
        self.precision = encoder.precision

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        return self._encoder.encode_passages(texts)

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        return self._encoder.word_means(texts)

    def word_table(self, folder: Path) -> WordTable:
        return self._encoder.word_table(folder)

    def encode_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._learned.adapt(self._encoder.encode_queries(texts))
