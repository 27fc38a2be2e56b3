"""The hashing encoder, but slow without using the processor: tests keep workers busy with it, to kill them at work."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hashing_encoder import HashingEncoder

from briefbank.models.encoders.port import Embeddings


class SlowEncoder(HashingEncoder):
    """Encodes as its parent does, so that what it encoded is known to a bank of the other."""

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        time.sleep(0.1)
        return super().encode_passages(texts)
