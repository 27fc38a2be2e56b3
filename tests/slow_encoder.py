"""The hashing encoder, but slow without using the processor, and its process dies at a text with a certain word: tests
keep workers busy with it, to kill them at work, or have a file kill them.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence

from hashing_encoder import HashingEncoder

from briefbank.models.encoders.port import Embeddings

DEADLY = "deathcap"


class SlowEncoder(HashingEncoder):
    """Encodes as its parent does, so that what it encoded is known to a bank of the other."""

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        time.sleep(0.1)
        if any(DEADLY in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode_passages(texts)
