"""Fits the probabilities of results to the graded judgements, and says what they are worth on queries held out.

    python models/judgements/fit_relevance.py BANK [JUDGEMENTS]

The bank holds the documents that the judgements were made of (see README.md); JUDGEMENTS is a folder with
`queries.jsonl` and `grades.tsv`, by default this one. What is printed goes into `briefbank/search/relevance.toml`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
from rebuild import HERE, rebuild

from briefbank.bank.local import Bank
from briefbank.index.generation import Generation
from briefbank.index.publish import live_generation
from briefbank.judgements.evaluate.beir import read_beir_qrels
from briefbank.judgements.evaluate.run import queries_of
from briefbank.judgements.learn.collection import JudgedCollection, Topic, prepare
from briefbank.models.encoders import load_query_encoder
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings
from briefbank.search.rank import SIGNALS, Standing, rank
from briefbank.search.retrieve import citing, shares_of_most
from briefbank.search.scope import scope_of
from briefbank.values.records import Query

FOLDS = 4
USEFUL_FROM = 2
MOST_GONE = 0.01
"""Share of the grades that may be missing: weights from a few of them would pass for the whole."""
STRENGTH = 1.0
"""Inverse of the regularisation, as scikit-learn has it; 0.1 and 10 give the same third digit."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The judged candidates of one query: their signals, shape (candidates, len(SIGNALS)), and which are useful."""

    fold: int
    signals: npt.NDArray[np.float64]
    useful: npt.NDArray[np.bool_]


def judged(collection: JudgedCollection, topic: Topic) -> Judged:
    """Rank a query's candidates as a search does, and keep what was judged of them."""
    generation, candidates = collection.generation, topic.candidates
    weight = collection.settings.dense_weight
    scores = rank(generation, topic.understanding, topic.vector, candidates, topic.lowered, weight)
    scope = scope_of(Query(topic.understanding.meaning), generation.dense)
    depth = collection.settings.candidate_depth
    named = citing(topic.understanding.meaning, topic.understanding, generation, scope, depth)
    scores += named.bonus(candidates.rows)
    shares = shares_of_most(generation.lexical, topic.understanding, candidates)
    standing = Standing(scores, float(shares.max()), float(candidates.dense.max()), len(topic.understanding.words))
    fold = int(hashlib.sha256(topic.id.encode()).hexdigest(), 16) % FOLDS
    return Judged(fold, standing.signals()[topic.judged], topic.grades[topic.judged] >= USEFUL_FROM)


def fit(queries: Sequence[Judged]) -> Any:
    """Fit a logistic regression to all judged candidates."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, max_iter=1_000))
    return model.fit(
        np.concatenate([each.signals for each in queries]), np.concatenate([each.useful for each in queries])
    )


def brier_held_out(queries: Sequence[Judged]) -> tuple[float, float]:
    """The Brier score on queries held out, and that of always saying the mean."""
    errors: list[npt.NDArray[np.float64]] = []
    useful = np.concatenate([each.useful for each in queries])
    for fold in range(FOLDS):
        model = fit([each for each in queries if each.fold != fold])
        held_out = (each for each in queries if each.fold == fold)
        errors += [(model.predict_proba(each.signals)[:, 1] - each.useful) ** 2 for each in held_out]
    return float(np.concatenate(errors).mean()), float(useful.mean() * (1 - useful.mean()))


def main(bank_folder: Path, judgements: Path) -> None:
    """Print the constant, the weights and the Brier scores."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "judgements"
        found, gone = rebuild(Bank.open(bank_folder), judgements, folder)
        if gone > MOST_GONE * (found + gone):
            sys.exit(f"{gone} of {found + gone} grades are of passages that this bank does not hold: index them first.")
        qrels = read_beir_qrels(folder, "graded")
        generation = Generation.open(live_generation(Layout(bank_folder)))
        digest = generation.info.encoder_digest
        encoder = load_query_encoder(Layout(bank_folder).encoders / digest, digest)
        queries_read = queries_of(folder, qrels)
        collection = prepare(generation, Settings(), queries_read, qrels, encoder, CancelToken(), keeps_unanswered=True)
        queries = [judged(collection, topic) for topic in collection.topics if topic.judged.any()]
    scaler, regression = fit(queries)
    weights = regression.coef_[0] / scaler.scale_
    brier, mean = brier_held_out(queries)
    lines = [
        f'encoder = "{digest}"',
        f"constant = {regression.intercept_[0] - weights @ scaler.mean_:.4f}",
        "[weights]",
    ]
    lines += [f"{name} = {weight:.4f}" for name, weight in zip(SIGNALS, weights, strict=True)]
    pairs = sum(len(each.useful) for each in queries)
    lines.append(f"# {len(queries)} queries, {pairs} grades. Brier score {brier:.3f}; always the mean: {mean:.3f}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else HERE)
