"""Embeds through the cache: a text that was ever encoded by this model is never encoded again.

Loads the model only when a text is missing, so that a run that changes nothing loads none.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Container, Sequence
from concurrent.futures import Executor, Future
from functools import cached_property
from pathlib import Path

import numpy as np

from briefbank.ingest.cache import Cache
from briefbank.models.encoders import (
    Embeddings,
    Encoder,
    choose_precision,
    encoder_digest,
    export_encoder,
    load_passage_encoder,
)
from briefbank.platform.settings import Settings


def embedding_keys(encoder_digest: str, texts: Sequence[str]) -> list[bytes]:
    """What the vectors of texts are kept under."""
    return [hashlib.sha256(f"{encoder_digest}\0{text}".encode()).digest() for text in texts]


def _missing(keys: Sequence[bytes], texts: Sequence[str], found: Container[bytes]) -> dict[bytes, str]:
    return {key: text for key, text in zip(keys, texts, strict=True) if key not in found}


class Embedder:
    """The passage encoder of a run, in front of it the bank's cache."""

    def __init__(self, settings: Settings, cache: Cache, loaded: Encoder | None = None) -> None:
        """Use the encoder that is `loaded`, or load the one that the settings name when it is first needed."""
        self._settings = settings
        self._cache = cache
        self._loaded = loaded
        self.digest = loaded.digest if loaded else encoder_digest(settings)

    @cached_property
    def encoder(self) -> Encoder:
        """The model itself, loaded at first use in the precision that was measured best on this machine."""
        return self._loaded or load_passage_encoder(self._settings, self.precision)

    @cached_property
    def precision(self) -> str:
        """The precision chosen for this machine; measured once per bank, model and machine."""
        if self._loaded:
            return self._loaded.precision
        key = f"precision:{self.digest}:{platform.node()}:{platform.machine()}"
        known = self._cache.get(key, str)
        if known is None:
            known = choose_precision(self._settings)
            self._cache.put(key, known)
        return known

    def passages(self, texts: Sequence[str]) -> Embeddings:
        """Return the vectors of passages, shape (texts, dimension), encoding and keeping those not cached yet."""
        keys = embedding_keys(self.digest, texts)
        found = self._cache.embeddings(keys)
        missing = _missing(keys, texts, found)
        if missing:
            fresh = dict(zip(missing, self.encoder.encode_passages(list(missing.values())), strict=True))
            self._cache.put_embeddings(fresh)
            found |= fresh
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, 0), dtype=np.float32)

    def encode_beside(self, texts: Sequence[str], threads: Executor) -> Future[Callable[[], None]]:
        """Have one of the threads encode what is not cached yet of passages; what comes of it keeps the vectors, and is
        for the thread that calls here.
        """
        keys = embedding_keys(self.digest, texts)
        missing = _missing(keys, texts, self._cache.embeddings(keys))
        encoder = self.encoder

        def encode() -> Callable[[], None]:
            vectors = encoder.encode_passages(list(missing.values()))
            return lambda: self._cache.put_embeddings(dict(zip(missing, vectors, strict=True)))

        return threads.submit(encode)

    def export_for_queries(self, encoders: Path) -> None:
        """Write the form of the encoder that searching loads; an intact one is kept."""
        export_encoder(self._settings, encoders / self.digest)
