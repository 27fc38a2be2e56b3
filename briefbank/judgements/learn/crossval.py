"""Whether learning helps: every question is answered by what was learned, and chosen, from other questions only.

Knows recipes and values, nothing of banks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from briefbank.judgements.evaluate.compare import Comparison, compare
from briefbank.judgements.learn.collection import METRIC, JudgedCollection
from briefbank.judgements.learn.fitting import Recipe, fit, recipes
from briefbank.platform.progress import CancelToken

FOLDS = 5

Values = dict[Recipe, dict[str, float]]
"""Held-out NDCG@5 by recipe and question."""
Groups = Sequence[Sequence[str]]
"""Questions by id, each in one group; a group is held out as one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all judgements together speak for, and how the way of choosing it did on questions that it had not seen.

    `gain` compares each question as it is answered now with how it was answered by what was learned, and chosen, on the
    others.
    """

    recipe: Recipe
    means: dict[str, float]
    gain: Comparison

    @property
    def is_better(self) -> bool:
        """Whether the whole interval of the gain is above 0."""
        return self.gain.low > 0


def random_groups(ids: Sequence[str], seed: int) -> list[list[str]]:
    """Deal the questions out into at most five groups of like size; the same seed deals them alike."""
    order = np.random.default_rng(seed).permutation(len(ids))
    count = min(FOLDS, len(ids))
    return [[ids[place] for place in order[start::count]] for start in range(count)]


def held_out(
    collection: JudgedCollection,
    groups: Groups,
    cancel: CancelToken,
    on_group: Callable[[int], None] = lambda _: None,
) -> Values:
    """Answer each group by what every recipe learned from the other groups."""
    values: Values = {recipe: {} for recipe in recipes()}
    for number, group in enumerate(groups):
        on_group(number)
        inside = [topic for topic in collection.topics if topic.id in set(group)]
        outside = [topic for topic in collection.topics if topic.id not in set(group)]
        for recipe in values:
            cancel.check()
            values[recipe] |= collection.values(inside, fit(recipe, outside))
    return values


def judge(values: Values, groups: Groups) -> Verdict:
    """Choose for each group by the other groups' values, and compare with the first recipe, which learns nothing.

    The values that choose for a group come from models that saw it, which favours no recipe: what is compared for the
    group itself never does.
    """
    tried = list(values)
    chosen: dict[str, float] = {}
    for group in groups:
        others = [query for each in groups if each is not group for query in each]
        recipe = _best(values, others)
        chosen |= {query: values[recipe][query] for query in group}
    everything = [query for group in groups for query in group]
    gain = compare({METRIC: values[tried[0]]}, {METRIC: chosen})[METRIC]
    means = {recipe.name: _mean(values[recipe], everything) for recipe in tried}
    return Verdict(_best(values, everything), means, gain)


def _best(values: Values, queries: Iterable[str]) -> Recipe:
    """Of the recipes that are surely better than learning nothing on these questions, the one with the best mean.

    Where none is, the first, which learns nothing: whoever chose by the mean alone would mostly choose noise.
    """
    queries = list(queries)
    nothing = next(iter(values))
    of_nothing = {METRIC: {query: values[nothing][query] for query in queries}}
    better = [recipe for recipe in values if compare(of_nothing, {METRIC: values[recipe]})[METRIC].low > 0]
    return max(better, key=lambda recipe: _mean(values[recipe], queries), default=nothing)


def _mean(values: Mapping[str, float], queries: Sequence[str]) -> float:
    return float(np.mean([values[query] for query in queries])) if queries else 0.0
