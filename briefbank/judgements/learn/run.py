"""One run of learning: judgements in, a verdict out, and a new generation only where they speak for it.

Must not know terminals or windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from briefbank.errors import ModelError, UsageError
from briefbank.index.generation import Generation
from briefbank.index.learned import Learned
from briefbank.index.publish import live_generation
from briefbank.ingest.cache import Cache
from briefbank.ingest.embed import Embedder
from briefbank.ingest.pipeline import republish
from briefbank.judgements.evaluate.compare import Comparison
from briefbank.judgements.learn.collection import JudgedCollection, Topic, prepare
from briefbank.judgements.learn.crossval import Verdict, held_out, judge, random_groups
from briefbank.judgements.learn.judgements import BeirFolder, LogOfFeedback, judgements_of
from briefbank.judgements.learn.recipes import NOTHING, fit
from briefbank.judgements.learn.reranking import RerankerTrainer, is_proven, load_trainer
from briefbank.judgements.learn.tuning import Tuner, load_tuner
from briefbank.models.encoders import encoder_digest, load_query_encoder
from briefbank.platform.disk import disk_guard
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.platform.progress import CancelToken, Progress, Reporter, time_left
from briefbank.platform.settings import Settings

LEAST_QUESTIONS = 10
_WEAK_SHARE = 0.01
"""Share of the passages judged relevant that the threshold for weak matches may cut."""


@dataclass(frozen=True, slots=True)
class RerankingReport:
    """NDCG@5 without a reranker (with what else is adopted) and with one trained on the other questions; bounds of the
    gain as in `LearnReport`.
    """

    before: float
    after: float
    low: float
    high: float
    is_better: bool


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What was tried and what it is worth: NDCG@5 of 0 to 1 on judgements that it had not seen.

    `low` and `high` bound the gain with 95 % confidence (paired bootstrap over the questions). `tried` holds the means
    of all recipes, of which `recipe` is the best; `generation` is the new one, None where nothing was adopted.
    `judged_only` says that passages nobody judged were dropped before scoring. `reranking` is None where no reranker
    can be trained.
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
    reranking: RerankingReport | None
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
        digest = _digest(settings, live)
        encoder = load_query_encoder(layout.encoders / digest, digest)
        with (
            Cache(layout.cache_file) as cache,
            judgements_of(source, live, layout, encoder, Embedder(settings, cache).passages, cancel) as read,
        ):
            collection = prepare(read.generation, settings, read.queries, read.qrels, encoder, cancel)
            trial = _try_all(collection, live, settings, seed, reporter, cancel)
            learned = None if dry_run else trial.adopted(collection, digest, seed)
        generation = None
        if learned:
            reporter(Progress("writing the index"))
            generation = republish(layout, settings, learned, reporter=reporter, cancel=cancel, clock=clock)
    return _report(collection, trial, generation, time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class _Trial:
    """What the trials came to; `fit_adopted` fits what is better, `trainer` is None where it cannot be trained."""

    verdict: Verdict
    fit_adopted: Callable[[Sequence[Topic]], Learned]
    trainer: RerankerTrainer | None
    reranking: Comparison | None

    def adopted(self, collection: JudgedCollection, digest: str, seed: int) -> Learned | None:
        """All that is better, fitted to all judgements; None where nothing is."""
        adopts_reranker = self.reranking is not None and is_proven(self.reranking)
        if not (self.verdict.is_better or adopts_reranker):
            return None
        learned = _learned(collection, self.verdict, self.fit_adopted(collection.topics), digest, seed)
        if self.trainer and self.reranking and adopts_reranker:
            learned = self.trainer.add_to(learned, self.reranking)
        return learned


def _try_all(
    collection: JudgedCollection,
    live: Generation,
    settings: Settings,
    seed: int,
    reporter: Reporter,
    cancel: CancelToken,
) -> _Trial:
    tuner = load_tuner(settings, cancel)
    verdict = _verdict(collection, tuner, seed, reporter, cancel)
    fit_adopted = partial(_fit_adopted, verdict, tuner, seed)
    is_bf16 = live.info.encoder_precision == "bf16"
    trainer = load_trainer(collection, settings, is_bf16=is_bf16, seed=seed, reporter=reporter, cancel=cancel)
    reranking = trainer.trial(_groups(collection, seed), fit_adopted) if trainer else None
    return _Trial(verdict, fit_adopted, trainer, reranking)


def _digest(settings: Settings, live: Generation) -> str:
    digest = encoder_digest(settings)
    if digest != live.info.encoder_digest:
        message = "The index was built with another encoder than the one that is installed."
        raise ModelError(message, "Index the folder again, then learn.")
    return digest


def _verdict(
    collection: JudgedCollection, tuner: Tuner | None, seed: int, reporter: Reporter, cancel: CancelToken
) -> Verdict:
    ids = [topic.id for topic in collection.topics]
    if len(ids) < LEAST_QUESTIONS:
        message = f"{len(ids)} judged questions can be learned from; at least {LEAST_QUESTIONS} are needed."
        raise UsageError(message, "Go on judging results, or merge the logs of several people first.")
    groups = _groups(collection, seed)
    started = time.monotonic()

    def tell(number: int) -> None:
        elapsed = time.monotonic() - started
        left = time_left(elapsed, number, len(groups))
        reporter(Progress(f"trying, part {number + 1} of {len(groups)}", elapsed_s=elapsed, seconds_left=left))

    return judge(held_out(collection, groups, tuner, seed, cancel, tell), groups)


def _groups(collection: JudgedCollection, seed: int) -> list[list[str]]:
    return random_groups([topic.id for topic in collection.topics], seed)


def _fit_adopted(verdict: Verdict, tuner: Tuner | None, seed: int, topics: Sequence[Topic]) -> Learned:
    """Fit to these questions the recipe that was found better, or the one that learns nothing."""
    recipe = verdict.recipe if verdict.is_better else NOTHING
    return fit([recipe], topics, tuner, seed)[recipe]


def _learned(collection: JudgedCollection, verdict: Verdict, learned: Learned, digest: str, seed: int) -> Learned:
    """The same with a card that tells of it."""
    weakest = collection.weakest_relevant(learned, _WEAK_SHARE)
    gain = verdict.gain
    card = replace(
        learned.card,
        encoder_digest=digest,
        weak_below=weakest if weakest < collection.settings.weak_below else None,
        seed=seed,
        query_count=len(collection.topics),
        judgement_count=_judgement_count(collection),
    )
    if verdict.is_better:
        card = replace(card, before=gain.a, after=gain.b, low=gain.low, high=gain.high)
    return replace(learned, card=card)


def _judgement_count(collection: JudgedCollection) -> int:
    return sum(len(collection.qrels[topic.id]) for topic in collection.topics)


def _report(collection: JudgedCollection, trial: _Trial, generation: str | None, seconds: float) -> LearnReport:
    verdict, gain = trial.verdict, trial.verdict.gain
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
        reranking=_reranking_report(trial.reranking) if trial.reranking else None,
        generation=generation,
        seconds=seconds,
    )


def _reranking_report(gain: Comparison) -> RerankingReport:
    return RerankingReport(gain.a, gain.b, gain.low, gain.high, is_proven(gain))
