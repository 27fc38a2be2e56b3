"""The hashing encoder, but its process dies at a text with a certain word: how tests have a file kill a worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

from hashing_encoder import HashingEncoder

from briefbank.models.encoders.port import Embeddings

DEADLY = "deathcap"


class KillingEncoder(HashingEncoder):
    """Encodes as its parent does, so that what it encoded is known to a bank of the other."""

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        if any(DEADLY in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode_passages(texts)
