"""One run of learning: judgements in, a verdict out, and a new generation only where they speak for it.

Every question is answered by what was learned, and chosen, from other questions only.
Must not know terminals or windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from briefbank.errors import ModelError, UsageError
from briefbank.index.generation import Generation
from briefbank.index.learned import Learned
from briefbank.index.publish import live_generation
from briefbank.ingest.cache import Cache
from briefbank.ingest.embed import Embedder
from briefbank.ingest.pipeline import republish
from briefbank.judgements.evaluate.compare import Comparison, compare
from briefbank.judgements.learn.collection import METRIC, JudgedCollection, prepare
from briefbank.judgements.learn.fitting import Recipe, fit, recipes
from briefbank.judgements.learn.judgements import BeirFolder, LogOfFeedback, judgements_of
from briefbank.models.encoders import encoder_digest, load_query_encoder
from briefbank.platform.disk import disk_guard
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import CancelToken, Progress, Reporter, time_left
from briefbank.platform.settings import Settings

FOLDS = 5

Values = dict[Recipe, dict[str, float]]
"""Held-out NDCG@5 by recipe and question."""
Groups = Sequence[Sequence[str]]
"""Questions by id, each in one group; a group is held out as one."""
LEAST_QUESTIONS = 10
_WEAK_SHARE = 0.01
"""Share of the passages judged relevant that the threshold for weak matches may cut."""


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What was tried and what it is worth: NDCG@5 of 0 to 1 on judgements that it had not seen.

    `low` and `high` bound the gain with 95 % confidence (paired bootstrap over the questions). `tried` holds the means
    of all recipes, of which `recipe` is the best; `generation` is the new one, None where nothing was adopted.
    `judged_only` says that passages nobody judged were dropped before scoring.
    """

    questions: int
    judgements: int
    judged_only: bool
    tried: dict[str, float]
    recipe: str
    before: float
    after: float
    low: float
    high: float
    gained: int
    lost: int
    is_better: bool
    generation: str | None
    seconds: float


def learn(
    layout: Layout,
    settings: Settings,
    source: LogOfFeedback | BeirFolder,
    *,
    seed: int = 0,
    dry_run: bool = False,
    reporter: Reporter,
    cancel: CancelToken,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> LearnReport:
    """Try what can be learned from judgements; publish it as a new generation if it is better on held-out ones.

    The same judgements, bank and seed give the same result. With `dry_run` nothing is published.

    Raises:
        BankInUseError: an index run is going on.
        CancelledError: asked to stop; the bank is as it was.
        UsageError: fewer than ten questions can be learned from.
        ModelError: the bank was built with another encoder than the one that is installed.
        SourceError, BankMissingError, BankDamagedError, BankNewerError, NoSpaceError: as their names say.
    """
    started = time.monotonic()
    with disk_guard(layout.root, "learning"), writer_lock(layout.lock_file):
        folder = live_generation(layout)
        reporter(Progress("reading judgements"))
        live = Generation.open(folder)
        digest = encoder_digest(settings)
        if digest != live.info.encoder_digest:
            message = "The index was built with another encoder than the one that is installed."
            raise ModelError(message, "Index the folder again, then learn.")
        encoder = load_query_encoder(layout.encoders / digest, digest)
        with (
            Cache(layout.cache_file) as cache,
            judgements_of(source, live, layout, encoder, Embedder(settings, cache).passages, cancel) as read,
        ):
            collection = prepare(read.generation, settings, read.queries, read.qrels, encoder, cancel)
            verdict = _verdict(collection, seed, reporter, cancel)
            learned = None
            if verdict.is_better and not dry_run:
                learned = _learned(collection, verdict, digest, seed)
        generation = None
        if learned:
            reporter(Progress("writing the index"))
            generation = republish(layout, settings, learned, reporter=reporter, cancel=cancel, clock=clock)
    gain = verdict.gain
    return LearnReport(
        questions=len(collection.topics),
        judgements=_judgement_count(collection),
        judged_only=collection.judged_only,
        tried=verdict.means,
        recipe=verdict.recipe.name,
        before=gain.a,
        after=gain.b,
        low=gain.low,
        high=gain.high,
        gained=len(gain.gained),
        lost=len(gain.lost),
        is_better=verdict.is_better,
        generation=generation,
        seconds=time.monotonic() - started,
    )


def _verdict(collection: JudgedCollection, seed: int, reporter: Reporter, cancel: CancelToken) -> Verdict:
    ids = [topic.id for topic in collection.topics]
    if len(ids) < LEAST_QUESTIONS:
        message = f"{len(ids)} judged questions can be learned from; at least {LEAST_QUESTIONS} are needed."
        raise UsageError(message, "Go on judging results, or merge the logs of several people first.")
    groups = random_groups(ids, seed)
    started = time.monotonic()

    def report(number: int) -> None:
        elapsed = time.monotonic() - started
        left = time_left(elapsed, number, len(groups))
        reporter(Progress(f"trying, part {number + 1} of {len(groups)}", elapsed_s=elapsed, seconds_left=left))

    return judge(held_out(collection, groups, cancel, report), groups)


def _learned(collection: JudgedCollection, verdict: Verdict, digest: str, seed: int) -> Learned:
    """The recipe that was found better, fitted to all judgements, with what is known of it."""
    learned, gain = fit(verdict.recipe, collection.topics), verdict.gain
    weakest = collection.weakest_relevant(learned, _WEAK_SHARE)
    card = replace(
        learned.card,
        encoder_digest=digest,
        weak_below=weakest if weakest < collection.settings.weak_below else None,
        seed=seed,
        query_count=len(collection.topics),
        judgement_count=_judgement_count(collection),
        before=gain.a,
        after=gain.b,
        low=gain.low,
        high=gain.high,
    )
    return replace(learned, card=card)


def _judgement_count(collection: JudgedCollection) -> int:
    return sum(len(collection.qrels[topic.id]) for topic in collection.topics)


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
