"""What the words of a text mean without any layer of a model: the same numbers for every form of an encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from briefbank.models.encoders.port import WordMeans


def word_means(words: npt.NDArray[np.float32], token_ids: Sequence[Sequence[int]]) -> WordMeans:
    """The mean of the rows of `words`, shape (vocabulary, dimension), that each text names; zeros where it names none.

    `token_ids` are those of the tokeniser without the special ones.
    """
    means = np.zeros((len(token_ids), words.shape[1]), dtype=np.float32)
    for row, ids in zip(means, token_ids, strict=True):
        if ids:
            row[:] = words[ids].mean(axis=0)
    return means
