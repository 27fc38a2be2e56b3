"""How likely a defender finds a result useful: the scores of a search calibrated on graded judgements.

Scores compare the candidates of one search with one another; a probability means the same for every question. It falls
with the score within a search, so that it changes no order. Must not know passages or how they were found.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np

from briefbank.search.fuse import Scores
from briefbank.values.records import Band

SIGNALS = ("score", "best_score", "mean_score", "best_words", "best_meaning", "question")
"""The columns of `Standing.signals`."""
_LEADERS = 10
"""How many of the best scores make `mean_score`."""
_FILE = "relevance.toml"


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a search's candidates: their `scores`, shape (candidates,), the largest share that the query's
    words reach in one of what they could (`best_words`), the largest cosine (`best_meaning`), and how many content
    words the query has (`word_count`).
    """

    scores: Scores
    best_words: float
    best_meaning: float
    word_count: int

    def signals(self) -> Scores:
        """What a probability follows from, shape (candidates, len(SIGNALS)): all but the first are the same for all."""
        best = np.sort(self.scores)[::-1][:_LEADERS]
        shared = (best[0], best.mean(), self.best_words, self.best_meaning, math.log1p(self.word_count))
        return np.column_stack([self.scores, np.tile(shared, (len(self.scores), 1))])


class Calibration(msgspec.Struct, frozen=True):
    """A logistic regression from `SIGNALS` to the probability that a passage is graded useful (2 or 3 of 3).

    It holds for the encoder of this digest alone, since another one's cosines mean something else. What is at least
    `on_point` likely counts as on point.
    """

    encoder: str
    on_point: float
    constant: float
    weights: dict[str, float]

    def probabilities(self, standing: Standing) -> Scores:
        """The probability of each candidate, shape (candidates,), 0 to 1."""
        if not len(standing.scores):
            return np.empty(0)
        odds = self.constant + standing.signals() @ np.array([self.weights[name] for name in SIGNALS])
        probabilities: Scores = 1 / (1 + np.exp(-odds))
        return probabilities

    def band(self, probability: float) -> Band:
        """Where a result of this probability stands."""
        return Band.ON_POINT if probability >= self.on_point else Band.RELATED


def calibration_for(encoder_digest: str) -> Calibration | None:
    """The calibration for an encoder; None where nothing was fitted for it."""
    shipped = _shipped()
    return shipped if shipped.encoder == encoder_digest else None


@cache
def _shipped() -> Calibration:
    text = files("briefbank.search").joinpath(_FILE).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Calibration)
