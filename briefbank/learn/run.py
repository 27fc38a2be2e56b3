"""One run of learning: judgements in, a verdict out, and a new generation only where they speak for it.

Must not know terminals or windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from briefbank.encode import encoder_digest, load_query_encoder
from briefbank.errors import ModelError, UsageError
from briefbank.files import space_guard
from briefbank.index.generation import Generation
from briefbank.index.learned import Learned
from briefbank.index.publish import live_generation
from briefbank.ingest.cache import Cache
from briefbank.ingest.embed import Embedder
from briefbank.ingest.pipeline import republish
from briefbank.layout import Layout
from briefbank.learn.crossval import Verdict, held_out, judge, random_groups
from briefbank.learn.judgements import BeirFolder, LogOfFeedback, judgements_of
from briefbank.learn.recipes import fit, recipes
from briefbank.learn.topics import Ground, prepare
from briefbank.lock import writer_lock
from briefbank.progress import CancelToken, Progress, Reporter
from briefbank.settings import Settings

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
    with (
        space_guard(layout.root, "learning"),
        writer_lock(layout.lock_file),
        Cache(layout.cache_file) as cache,
    ):
        reporter(Progress("reading judgements"))
        live = Generation.open(live_generation(layout))
        digest = _digest(settings, live)
        encoder = load_query_encoder(layout.encoders / digest, digest)
        embed = Embedder(settings, cache).passages
        with judgements_of(source, live, layout, encoder, embed, cancel) as read:
            ground = prepare(read.generation, settings, read.queries, read.qrels, encoder, cancel)
            verdict = _verdict(ground, seed, reporter, cancel)
            adopts = verdict.is_better and not dry_run
            learned = _learned(ground, verdict, digest, seed) if adopts else None
    generation = None
    if learned:
        reporter(Progress("writing the index"))
        with writer_lock(layout.lock_file):
            generation = republish(layout, settings, learned, reporter=reporter, cancel=cancel, clock=clock)
    return _report(ground, verdict, generation, time.monotonic() - started)


def _digest(settings: Settings, live: Generation) -> str:
    digest = encoder_digest(settings)
    if digest != live.info.encoder_digest:
        message = "The index was built with another encoder than the one that is installed."
        raise ModelError(message, "Index the folder again, then learn.")
    return digest


def _verdict(ground: Ground, seed: int, reporter: Reporter, cancel: CancelToken) -> Verdict:
    ids = [topic.id for topic in ground.topics]
    if len(ids) < LEAST_QUESTIONS:
        message = f"{len(ids)} judged questions can be learned from; at least {LEAST_QUESTIONS} are needed."
        raise UsageError(message, "Go on judging results, or merge the logs of several people first.")
    groups = random_groups(ids, seed)
    started = time.monotonic()

    def tell(number: int) -> None:
        elapsed = time.monotonic() - started
        left = elapsed / number * (len(groups) - number) if number else None
        reporter(Progress(f"trying, part {number + 1} of {len(groups)}", elapsed_s=elapsed, seconds_left=left))

    return judge(held_out(ground, groups, recipes(), cancel, tell), groups)


def _learned(ground: Ground, verdict: Verdict, digest: str, seed: int) -> Learned:
    """Fit the chosen recipe to all judgements."""
    learned = fit([verdict.recipe], ground.topics)[verdict.recipe]
    weakest = ground.weakest_relevant(learned, _WEAK_SHARE)
    gain = verdict.gain
    card = replace(
        learned.card,
        encoder_digest=digest,
        weak_below=weakest if weakest < ground.settings.weak_below else None,
        seed=seed,
        query_count=len(ground.topics),
        judgement_count=_judgement_count(ground),
        before=gain.a,
        after=gain.b,
        low=gain.low,
        high=gain.high,
    )
    return replace(learned, card=card)


def _judgement_count(ground: Ground) -> int:
    return sum(len(ground.qrels[topic.id]) for topic in ground.topics)


def _report(ground: Ground, verdict: Verdict, generation: str | None, seconds: float) -> LearnReport:
    gain = verdict.gain
    return LearnReport(
        questions=len(ground.topics),
        judgements=_judgement_count(ground),
        judged_only=ground.judged_only,
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
        seconds=seconds,
    )
