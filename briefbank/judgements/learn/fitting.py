"""What is tried from judged questions: a weight of meaning against words, or an adapter of questions, fitted by torch.

Knows no folds and no figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from briefbank.index.learned import Adapter, Card, Learned
from briefbank.judgements.learn.collection import Topic, listwise_targets

_SHARPNESS = 10.0
"""What cosines are multiplied with before they compete."""
_STEPS = 60
_LEARNING_RATE = 4e-3
_FIRMNESS = 1e-3
"""Weight of the squared distance from the identity. On 51 graded contract queries ten times as much gained as much, and
lost more on categories that were held out (docs/evaluation.md, “Learning from judgements”).
"""
_DENSE_WEIGHTS = (0.45, 0.75)
"""On both sides of the one delivered; finer steps are noise with some dozens of questions."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """An adapter, or a weight of meaning against words (None: as it is set)."""

    name: str
    dense_weight: float | None = None
    has_adapter: bool = False


NOTHING = Recipe("as it is")


def recipes() -> tuple[Recipe, ...]:
    """All that is tried, from the least to the most that it changes; the first one learns nothing.

    Without torch there is no adapter.
    """
    weights = [Recipe(f"meaning {weight}", weight) for weight in _DENSE_WEIGHTS]
    return NOTHING, *weights, *([Recipe("adapter", has_adapter=True)] if find_spec("torch") else [])


def fit(recipe: Recipe, topics: Sequence[Topic]) -> Learned:
    """Fit a recipe to judged questions."""
    adapter = fit_adapter(topics) if recipe.has_adapter else None
    return Learned(Card(recipe.name, dense_weight=recipe.dense_weight), adapter)


def fit_adapter(topics: Sequence[Topic]) -> Adapter:
    """Find the matrix that brings questions nearest to what was judged relevant.

    For each question the passages of `listwise_targets` compete (softmax of their cosines), and the grades say what
    share each should have (ListNet; Cao et al. 2007). All of it is one batch: the same topics give the same matrix.
    """
    import torch

    # Beside other busy programs threads that wait for each other took up to seventy times as long (83 s for 1.2).
    torch.set_num_threads(1)
    targets = listwise_targets(topics)
    questions, passages = torch.from_numpy(targets.questions), torch.from_numpy(targets.passages)
    shares, excluded = torch.from_numpy(targets.shares), torch.from_numpy(~targets.competes)
    identity = torch.eye(questions.shape[1])
    matrix = identity.clone().requires_grad_()
    optimiser = torch.optim.Adam([matrix], lr=_LEARNING_RATE)
    for _ in range(_STEPS):
        asked = torch.nn.functional.normalize(questions @ matrix.T, dim=1)
        odds = (_SHARPNESS * asked @ passages.T).masked_fill(excluded, -1e9).log_softmax(dim=1)
        loss = -(shares * odds).sum(dim=1).mean() + _FIRMNESS * (matrix - identity).square().sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return Adapter(matrix.detach().numpy(), targets.questions)
