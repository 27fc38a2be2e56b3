"""Gives units to the workers of a cluster and hears how they ended, whoever comes, goes or dies meanwhile.

Must not know what the units hold, nor what becomes of what was read.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice

from briefbank.errors import EngineDiedError, SourceError
from briefbank.ingest.cluster.certificates import Certificates
from briefbank.ingest.cluster.engine import DisconnectedError, Engine
from briefbank.ingest.cluster.share import JobFolder, ListedFile, unit_id
from briefbank.ingest.cluster.tasks import Told
from briefbank.ingest.cluster.unit import FAULT, REFUSED, SHARE_GONE, STOPPED
from briefbank.platform.progress import CancelToken

_AHEAD = 2
"""Units that a worker is given at a time, so that it does not wait for this machine; of the last ones, one."""
_DEATHS = 2
"""How often workers may die over a unit before it is split into its files, and one time less than they may die over one
of these before it is given up: machines are switched off, too."""
PATIENCE_S = 600.0
"""How long the scheduler, all workers or the share may be away before the run ends; the next one goes on. Each has its
own time, from when it went away. Chosen: a machine restarts in this time."""
_ASK_AGAIN_S = 5.0
"""After which a worker that did not reach the share is asked to join again: shares list a new folder late."""
_POLL_S = 0.05
_LOOK_S = 1.0
"""How often the scheduler is asked who is there."""
_PAUSE_S = 2.0
"""Before units are given out again after the share was away."""
_CONNECT_S, _CONNECT_MOST_S = 5.0, 20.0
"""How long a connection may take, the first time and, doubled again and again, at most: on a machine that is busy with
reading one took 3.6 s. Stopping waits as long where nobody answers.
"""
_AGAIN = "Run the same command again when it is back: it goes on where it stopped, and nothing is lost."

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Unit:
    """Files that one worker reads; `is_last` where few are left, `is_split` where it is one file of a unit over which
    workers died.
    """

    name: str
    files: tuple[ListedFile, ...]
    is_last: bool = False
    deaths: int = 0
    is_split: bool = False

    @property
    def is_suspect(self) -> bool:
        return self.is_split or self.deaths > 0


@dataclass(frozen=True, slots=True)
class Counts:
    """What is under way: read, but not yet taken."""

    files: int = 0
    pages: int = 0
    size_bytes: int = 0
    failed: int = 0


@dataclass(slots=True)
class _Worker:
    name: str
    is_ready: bool = False
    away_since: float | None = None
    """When it first did not reach the share or the briefs, if it has read nothing since."""
    ask_at: float | None = None
    """When to ask it again to join."""
    units: dict[str, Unit] = field(default_factory=dict)
    """By attempt, what it was given."""


@dataclass(slots=True)
class Ways:
    """How the cluster is reached: the scheduler's address, this machine's certificates; `keep` is called again and
    again to keep alive what runs on this machine; `warn` is told of workers that may not take part.
    """

    address: str
    certificates: Certificates
    keep: Callable[[], None]
    warn: Callable[[str], None]
    patience_s: float = PATIENCE_S


class Dispatch:
    """The units of one run, until `close`."""

    def __init__(self, ways: Ways, job: JobFolder, cancel: CancelToken) -> None:
        self._ways = ways
        self._job = job
        self._cancel = cancel
        self._engine: Engine | None = None
        self._workers: dict[str, _Worker] = {}
        self._uncut: Iterator[Unit] = iter(())
        self._waiting: deque[Unit] = deque()
        self._given_up: list[Unit] = []
        self._under_way: dict[str, Counts] = {}
        self._attempts = count(1)
        self._look_at = self._give_out_at = 0.0
        self._connect_s = _CONNECT_S
        self._away: dict[str, float] = {}
        """Since when the scheduler, all workers or the share are away; what is there is not in it."""
        self._warned: set[str] = set()

    def close(self) -> None:
        """End the connection."""
        if self._engine:
            self._engine.close()
            self._engine = None

    @property
    def ready_workers(self) -> int:
        return sum(each.is_ready for each in self._workers.values())

    @property
    def under_way(self) -> Counts:
        """What all workers have read of the units they are at."""
        at = self._under_way.values()
        return Counts(
            sum(each.files for each in at),
            sum(each.pages for each in at),
            sum(each.size_bytes for each in at),
            sum(each.failed for each in at),
        )

    def give(self, units: Iterator[Unit]) -> None:
        """Have these units read, each of which is asked for when a worker has room for it."""
        self._uncut = units

    def step(self) -> tuple[list[Unit], list[Unit]]:
        """Look at who came and went and give out units; returns those that were read, and those given up.

        Raises:
            CancelledError: asked to stop.
            EngineDiedError: the scheduler or all workers are away for too long.
            SourceError: the share is.
        """
        self._cancel.check()
        self._ways.keep()
        engine = self._connected()
        if engine is None:
            self._cancel.wait(_POLL_S)
            return [], []
        self._look_at_workers(engine)
        # In this order: what a worker told before its task ended has come by then.
        ended = engine.ended()
        read = [unit for told in engine.told() if (unit := self._heard(told))]
        for attempt in ended:
            self._died(engine, attempt)
        given_up, self._given_up = self._given_up, []
        self.give_out()
        if not read and not given_up:
            self._cancel.wait(_POLL_S)
        return read, given_up

    def share_failed(self) -> None:
        """Say that this machine does not reach the share: nothing is given out for a moment.

        Raises:
            SourceError: it was away for too long.
        """
        self._give_out_at = time.monotonic() + _PAUSE_S
        if self._is_over("share"):
            message = f"The share {self._job.share} went away while the cluster was reading."
            raise SourceError(message, _AGAIN)

    def again(self, unit: Unit) -> None:
        """Have a unit read once more: its result was lost."""
        self._waiting.append(unit)

    def share_answers(self) -> None:
        """Say that this machine reaches the share."""
        self._away.pop("share", None)

    def _is_over(self, what: str) -> bool:
        """Whether it has been away for too long, from when this was first asked after it was there."""
        now = time.monotonic()
        return now - self._away.setdefault(what, now) > self._ways.patience_s

    def _connected(self) -> Engine | None:
        if self._engine and self._engine.is_connected:
            return self._engine
        if self._engine:  # with the scheduler went all that it was given; nobody is to blame
            self._waiting.extendleft(unit for worker in self._workers.values() for unit in worker.units.values())
            self._workers.clear()
            self._under_way.clear()
            self.close()
            self._look_at = 0.0
        try:
            self._engine = Engine(self._ways.address, self._ways.certificates, self._connect_s)
            self._away.pop("scheduler", None)
            self._connect_s = _CONNECT_S
        except DisconnectedError as error:
            self._connect_s = min(2 * self._connect_s, _CONNECT_MOST_S)
            if self._is_over("scheduler"):
                message = f"The scheduler at {self._ways.address} does not answer."
                raise EngineDiedError(message, _AGAIN) from error
        return self._engine

    def _look_at_workers(self, engine: Engine) -> None:
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + _LOOK_S
        try:
            there = engine.workers()
        except DisconnectedError:  # of nobody is known that it is gone
            return
        for address in self._workers.keys() - there.keys():
            self._bury(engine, address)
        for address in there.keys() - self._workers.keys():
            self._workers[address] = _Worker(there[address])
            engine.join(self._job.name, address, self._attempt())
        for address, worker in self._workers.items():
            if worker.ask_at and time.monotonic() > worker.ask_at:
                worker.ask_at = None
                engine.join(self._job.name, address, self._attempt())
        if any(each.is_ready and each.away_since is None for each in self._workers.values()):
            self._away.pop("workers", None)
        elif self._is_over("workers"):
            if any(each.away_since for each in self._workers.values()):
                raise SourceError(f"The share {self._job.share} went away while the cluster was reading.", _AGAIN)
            message = f"No machine of the cluster at {self._ways.address} can take part."
            raise EngineDiedError(message, "Start one with `briefbank cluster worker`, or look at what they say.")

    def _attempt(self) -> str:
        return f"{self._job.name}-{time.time_ns()}-{next(self._attempts)}"

    def give_out(self) -> None:
        """Give units to the workers that have room for one."""
        if self._engine is None or time.monotonic() < self._give_out_at:
            return
        for address, worker in self._workers.items():
            while worker.is_ready and (unit := self._next_for(worker)):
                attempt = self._attempt()
                try:
                    self._job.put_list(unit.name, unit.files)
                    self.share_answers()
                except OSError:
                    self._waiting.appendleft(unit)
                    self.share_failed()
                    return
                worker.units[attempt] = unit
                self._engine.read(self._job.name, unit.name, address, attempt)

    def _next_for(self, worker: _Worker) -> Unit | None:
        """A unit for a worker with room. One over which workers died is read alone, so that no other is blamed, and one
        of the last waits for whoever is free first.
        """
        held = worker.units.values()
        if len(held) >= _AHEAD or any(each.is_suspect for each in held):
            return None
        if not self._waiting:
            self._waiting.extend(islice(self._uncut, 1))
        if not self._waiting or (held and (self._waiting[0].is_suspect or self._waiting[0].is_last)):
            return None
        return self._waiting.popleft()

    def _heard(self, told: Told) -> Unit | None:
        """Take in what a worker told; returns the unit if it was read."""
        worker = self._workers.get(told.worker)
        if worker is None or told.job != self._job.name:
            return None
        unit = worker.units.get(told.attempt)
        if told.receipt is None:
            if unit:
                self._under_way[told.attempt] = Counts(told.files, told.pages, told.size_bytes, told.failed)
            return None
        self._under_way.pop(told.attempt, None)
        problem = told.receipt.problem
        if unit is None:
            self._joined(worker, told.unfit, problem)
            return None
        del worker.units[told.attempt]
        if problem:
            self._went_wrong(worker, unit, problem, told.receipt.detail)
            return None
        worker.away_since = None
        return unit

    def _joined(self, worker: _Worker, unfit: str, problem: str) -> None:
        if unfit:
            self._refuse(worker, unfit)
        elif problem:
            self._share_gone(worker)
        else:
            worker.is_ready = True

    def _went_wrong(self, worker: _Worker, unit: Unit, problem: str, detail: str) -> None:
        if problem == FAULT:
            _log.error("a worker met a fault of this program: %s", detail)
            self._after_death(unit)
            return
        self._waiting.append(unit)
        if problem == REFUSED:
            self._refuse(worker, detail)
        elif problem in (SHARE_GONE, STOPPED):
            self._share_gone(worker)

    def _share_gone(self, worker: _Worker) -> None:
        """Ask a worker that does not reach the share or the briefs again, until it was away for too long."""
        now = time.monotonic()
        worker.is_ready = False
        worker.away_since = worker.away_since or now
        if now - worker.away_since > self._ways.patience_s:
            self._warn(f"{_machine(worker)} takes no part any more: it does not reach the share or the briefs.")
        else:
            worker.ask_at = now + _ASK_AGAIN_S
            self._warn(f"{_machine(worker)} does not reach the share or the briefs; it is asked again and again.")

    def _refuse(self, worker: _Worker, why: str) -> None:
        worker.is_ready = False
        self._warn(
            f"{_machine(worker)} takes no part, for it would read otherwise than this machine. What differs: {why}."
        )

    def _warn(self, told: str) -> None:
        if told not in self._warned:
            self._warned.add(told)
            self._ways.warn(told)

    def _died(self, engine: Engine, attempt: str) -> None:
        """Take note of an attempt that ended; if without a word, its worker died."""
        address = next((address for address, each in self._workers.items() if attempt in each.units), None)
        if address:
            self._bury(engine, address)

    def _bury(self, engine: Engine, address: str) -> None:
        """Forget a worker that died, at once: what it was given until the next look would be blamed for its death."""
        for attempt, unit in self._workers.pop(address).units.items():
            # One that it was given when it was gone already stays with the scheduler for ever.
            engine.drop(attempt)
            self._under_way.pop(attempt, None)
            self._after_death(unit)

    def _after_death(self, unit: Unit) -> None:
        """Have a unit read again over which a worker died, or its files one by one; or give it up."""
        unit.deaths += 1
        if unit.deaths < _DEATHS + unit.is_split:
            self._waiting.append(unit)
        elif unit.is_split:
            self._given_up.append(unit)
        else:
            alone = ((each,) for each in unit.files)
            self._waiting.extend(Unit(unit_id(self._job.name, files), files, is_split=True) for files in alone)


def _machine(worker: _Worker) -> str:
    return worker.name.rsplit(" ", 2)[0]
