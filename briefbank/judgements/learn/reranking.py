"""A reranker trained on judged questions, and whether it helps on those that it has not seen.

It comes on top of what else was learned: it is compared with the ranking without it. Knows nothing of banks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from briefbank.index.learned import Card, Learned
from briefbank.judgements.evaluate.compare import Comparison, compare
from briefbank.judgements.learn.collection import METRIC, JudgedCollection, Places, Topic
from briefbank.judgements.learn.crossval import Groups
from briefbank.models.encoders.source import find_export, find_source
from briefbank.models.encoders.substitute import substitute_named
from briefbank.platform.progress import CancelToken, Progress, Reporter, time_left
from briefbank.platform.settings import Settings
from briefbank.search.fuse import Scores
from briefbank.search.rerank import blended

if TYPE_CHECKING:
    import torch

    from briefbank.models.encoders.reranker_torch import TorchReranker

_WEIGHT = 0.1
"""Of the reranker's scores beside the fused ones; what it learns suits this weight."""
_POOL, _BEST, _SHOWN = 30, 7, 18
"""A step shows some of the best candidates: those of the best grades, and others of the first `_POOL`."""
_QUESTIONS = 2
"""In one step."""
_MOST_QUESTIONS = 100
"""Judged questions that are used, so that learning ends in time and fits into memory."""
_STEPS = (1e-4, 5e-3)
"""Of the layers and of the head, at their largest."""
_WARM_UP = 6
_MOST_CHANCE = 0.05
_LAST_STEP = 0.1
"""Share of the step's size that is left at the end."""


@dataclass(slots=True)
class _Training:
    """How far the work has come, told after each step."""

    reporter: Reporter
    cancel: CancelToken
    steps: int
    done: int = 0
    started: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        self.cancel.check()
        elapsed = time.monotonic() - self.started
        left = time_left(elapsed, self.done, self.steps)
        self.reporter(Progress("training the reranker", elapsed_s=elapsed, seconds_left=left))
        self.done += 1


class RerankerTrainer:
    """Trains rerankers from one start; keeps what the start's lower layers make of the texts, which stays the same."""

    def __init__(
        self, start: TorchReranker, collection: JudgedCollection, seed: int, reporter: Reporter, cancel: CancelToken
    ) -> None:
        order = np.random.default_rng(seed).permutation(len(collection.topics))[:_MOST_QUESTIONS]
        self._start = start
        self._collection = collection
        self._seed = seed
        self._reporter = reporter
        self._cancel = cancel
        self._topics = [collection.topics[place] for place in np.sort(order).tolist()]
        self._questions: dict[str, torch.Tensor] = {}
        self._passages: dict[int, torch.Tensor] = {}
        self._ranked: dict[str, tuple[Places, Scores]] = {}

    def trial(self, groups: Groups, before: Callable[[Sequence[Topic]], Learned]) -> Comparison:
        """Rerank what each group finds, by `before` learned from the other groups, with a reranker trained on these;
        compare it with the same not reranked.
        """
        ids = {topic.id for topic in self._topics}
        dealt = [ids.intersection(group) for group in groups]
        outsides = [[topic for topic in self._topics if topic.id not in group] for group in dealt]
        training = _Training(self._reporter, self._cancel, sum(map(_step_count, outsides)))
        without: dict[str, float] = {}
        reranked: dict[str, float] = {}
        for group, outside in zip(dealt, outsides, strict=True):
            inside = [topic for topic in self._topics if topic.id in group]
            reranker, learned = self._train(outside, training), before(outside)
            found = [self._collection.ranked(topic, learned) for topic in inside]
            orders = [self._order(reranker, topic, *each) for topic, each in zip(inside, found, strict=True)]
            without |= self._collection.values_of(inside, [places for places, _ in found])
            reranked |= self._collection.values_of(inside, orders)
        return compare({METRIC: without}, {METRIC: reranked})[METRIC]

    def add_to(self, learned: Learned, gain: Comparison) -> Learned:
        """The same with a reranker trained on all questions; these and the seed always give the same one."""
        reranker = self._train(self._topics, _Training(self._reporter, self._cancel, _step_count(self._topics)))
        card = replace(
            learned.card,
            reranker_weight=_WEIGHT,
            reranker_gain=gain.difference,
            reranker_low=gain.low,
            reranker_high=gain.high,
        )
        return replace(learned, card=card, reranker=reranker)

    def _train(self, topics: Sequence[Topic], training: _Training) -> TorchReranker:
        """Bring what was judged relevant before the rest, the better of it first.

        For each question some of the best candidates compete by the sum of fused and reranker's scores (softmax), and
        the grades say what share each should have (ListNet; Cao et al. 2007). One round of AdamW: on some dozens of
        questions a second one learns them by heart.
        """
        import torch

        reranker = self._start.copy()
        chance = np.random.default_rng(self._seed)
        parts = (reranker.joint.requires_grad_(requires_grad=True), reranker.head.requires_grad_(requires_grad=True))
        optimiser = torch.optim.AdamW([{"params": part.parameters()} for part in parts])
        order, steps = chance.permutation(len(topics)), _step_count(topics)
        for step in range(steps):
            training.step()
            pace = min(1.0, (step + 1) / _WARM_UP) * (1 - (1 - _LAST_STEP) * step / steps)
            for group, size in zip(optimiser.param_groups, _STEPS, strict=True):
                group["lr"] = size * pace
            optimiser.zero_grad()
            for place in order[_QUESTIONS * step : _QUESTIONS * (step + 1)].tolist():
                (self._loss(reranker, topics[place], chance) / _QUESTIONS).backward()
            torch.nn.utils.clip_grad_norm_(reranker.joint.parameters(), 1.0)
            optimiser.step()
        for part in parts:
            part.requires_grad_(requires_grad=False)
        return reranker

    def _loss(self, reranker: TorchReranker, topic: Topic, chance: np.random.Generator) -> torch.Tensor:
        import torch

        places, fused = self._shown(topic, chance)
        self._keep_states(topic, places)
        passages = [self._passages[row] for row in topic.candidates.rows[places].tolist()]
        scores = reranker.joint_scores(self._questions[topic.id], passages)
        worth = torch.tensor(np.exp2(topic.grades[places]) - 1, device=scores.device)
        odds = (torch.tensor(fused / _WEIGHT, dtype=torch.float32, device=scores.device) + scores).log_softmax(0)
        return -(worth / worth.sum() * odds).sum()

    def _shown(self, topic: Topic, chance: np.random.Generator) -> tuple[Places, Scores]:
        """Some candidates and their fused scores as nothing is learned, so that these do not know the grades."""
        if topic.id not in self._ranked:
            self._ranked[topic.id] = self._collection.ranked(topic, Learned(Card("as it is")))
        places, scores = self._ranked[topic.id]
        grades = topic.grades[places]
        mixed = chance.permutation(len(places))
        best = mixed[grades[mixed] > 0]
        best = best[np.argsort(-grades[best], kind="stable")][:_BEST]
        others = np.setdiff1d(mixed[mixed < _POOL], best)
        shown = np.concatenate([best, chance.permutation(others)[: _SHOWN - len(best)]])
        return places[shown], scores[shown]

    def _order(self, reranker: TorchReranker, topic: Topic, places: Places, fused: Scores) -> Places:
        import torch

        depth = self._collection.settings.reranked_results
        best, rest = places[:depth], places[depth:]
        self._keep_states(topic, best)
        passages = [self._passages[row] for row in topic.candidates.rows[best].tolist()]
        with torch.inference_mode():
            read = reranker.joint_scores(self._questions[topic.id], passages).cpu().numpy()
        return np.concatenate([best[blended(fused[: len(best)], read, _WEIGHT)], rest])

    def _keep_states(self, topic: Topic, places: Places) -> None:
        self._cancel.check()
        if topic.id not in self._questions:
            self._questions[topic.id] = self._start.question_state(topic.understanding.meaning)
        rows = [row for row in topic.candidates.rows[places].tolist() if row not in self._passages]
        texts = self._collection.generation.dense.texts(np.array(rows, dtype=np.int64)) if rows else []
        self._passages |= dict(zip(rows, self._start.passage_states(texts), strict=True))


def is_proven(gain: Comparison) -> bool:
    """Whether a reranker is to be believed: the whole interval is above 0, and the randomisation test agrees.

    Where only a few questions change at all, the interval alone lets chance pass.
    """
    return gain.low > 0 and gain.p_value <= _MOST_CHANCE


def _step_count(topics: Sequence[Topic]) -> int:
    return -(-len(topics) // _QUESTIONS)


def load_trainer(
    collection: JudgedCollection,
    settings: Settings,
    *,
    is_bf16: bool,
    seed: int,
    reporter: Reporter,
    cancel: CancelToken,
) -> RerankerTrainer | None:
    """Load the encoder that rerankers are started from; None where there is no such encoder, no torch, or no wish.

    Raises:
        ModelError: the model is missing, or not the one that its digest names.
    """
    is_without_weights = substitute_named(settings.encoder) or find_export(settings)
    if is_without_weights or not settings.reranked_results or not find_spec("sentence_transformers"):
        return None
    from briefbank.models.encoders.reranker_torch import TorchReranker, can_rerank
    from briefbank.models.encoders.sentence_transformer import load_model

    source = find_source(settings)
    model = load_model(source)
    if not can_rerank(model):
        return None
    return RerankerTrainer(TorchReranker(source, model, is_bf16=is_bf16), collection, seed, reporter, cancel)
