"""Fictional legal sentences on which two forms of one encoder are compared; must not know any encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from briefbank.models.encoders.port import Embeddings

LEAST_MEAN_COSINE = 0.99
LEAST_TOP_10_OVERLAP = 0.97


def agreement(exact: Embeddings, other: Embeddings) -> tuple[float, float]:
    """Mean cosine of the rows of two encodings, and the share of each row's ten nearest others that both find."""
    cosine = float((exact * other).sum(axis=1).mean())
    pairs = zip(_nearest(exact), _nearest(other), strict=True)
    return cosine, float(np.mean([len(set(a) & set(b)) / len(a) for a, b in pairs]))


def agrees(exact: Embeddings, other: Embeddings) -> bool:
    """Whether the other encoding may stand in for the exact one."""
    cosine, overlap = agreement(exact, other)
    return cosine >= LEAST_MEAN_COSINE and overlap >= LEAST_TOP_10_OVERLAP


def _nearest(vectors: Embeddings) -> list[list[int]]:
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    return [[int(index) for index in row] for row in np.argsort(-similarity, axis=1, kind="stable")[:, :10]]


def calibration_sentences() -> list[str]:
    """Sentences of one to two lines on the matters of criminal appeals."""
    return Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def calibration_passages() -> list[str]:
    """Eight passages of about 150 words, as indexing meets them: runs of the sentences, each begun elsewhere."""
    sentences = calibration_sentences()
    return [" ".join((sentences * 2)[start : start + 9]) for start in range(0, len(sentences), 8)]
