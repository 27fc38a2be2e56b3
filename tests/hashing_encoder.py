"""A deterministic encoder without a model, for tests: texts that share words get similar vectors.

`offer` makes it known under the name `hashing` to this process and, by `encoder_hook`, to its children.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from briefbank.models.encoders.port import Embeddings, WordMeans
from briefbank.models.encoders.words import WordTable

_DIMENSION = 256
_WORD = re.compile(r"\w+")


class HashingEncoder:
    """Signed feature hashing (Weinberger et al. 2009) of lower-case words and their leading four letters."""

    dimension = _DIMENSION
    precision = "fp32"
    digest = hashlib.sha256(b"briefbank hashing encoder 1").hexdigest()

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            words = _WORD.findall(text.lower()) or [""]
            for feature in (*words, *(f"{word[:4]}-" for word in words)):
                value = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest())
                row[value % _DIMENSION] += 1.0 if value >> 63 else -1.0
            if not row.any():
                row[0] = 1.0
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        return self.encode_passages(texts)

    def word_table(self, folder: Path) -> WordTable:
        return WordTable(substitute=self.digest)

    def encode_queries(self, texts: Sequence[str]) -> Embeddings:
        return self.encode_passages(texts)


def offer() -> None:
    """Have `encoder = "hashing"` mean this encoder from now on."""
    hook = str(Path(__file__).with_name("encoder_hook"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (hook, os.environ.get("PYTHONPATH"))))
    os.environ["BRIEFBANK_TEST_ENCODER"] = f"hashing={__file__}:{HashingEncoder.__name__}"
    from briefbank.models import encoders  # not above: importing it may be what has this file loaded

    encoders.offer("hashing", HashingEncoder())
