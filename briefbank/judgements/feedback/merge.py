"""Puts the logs of many laptops into one: each event once, in an order that does not depend on that of the files.

Nothing is decided between people who disagree: everything that anyone said is kept, with who and when. Must not know
what the merged log is used for.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from briefbank.errors import BankInUseError, BriefBankError, SourceError, UsageError
from briefbank.judgements.feedback.exchange import LoggedEvent, encode_event, insert_event
from briefbank.judgements.feedback.schema import FORMAT
from briefbank.judgements.feedback.sources import EventSource, Problem, read_source
from briefbank.platform.disk import disk_guard
from briefbank.platform.event_log.database import journal_of
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.platform.files import new_file
from briefbank.platform.scratch import scratch_folder

_When = tuple[datetime, str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two or more people who say different things of the same passage for the same query: who, when and what."""

    query: str
    passage_id: str
    said: tuple[tuple[str, str, bool], ...]
    """(device, time, whether it helps), by time."""


@dataclass(frozen=True, slots=True)
class MergeReport:
    """What a merge made. `repeated` counts events that several files hold, `added` those that `out` did not hold."""

    out: str
    files: int
    devices: int
    events: int
    added: int
    repeated: int
    problems: tuple[Problem, ...]
    conflicts: tuple[Conflict, ...]


def merge_files(paths: Sequence[Path], out: Path) -> MergeReport:
    """Merge logs and exported lines into the log `out`, which is made, or gains what it lacks; in one step.

    A file that cannot be read is named among the problems, and the others are merged.

    Raises:
        SourceError: none of the files holds an event that can be read; nothing is written.
        UsageError: `out` is a log that a user writes, with a second copy that would not agree any more.
        BriefBankError: `out` cannot be read or is in use.
        NoSpaceError: the disk is full.
    """
    before = [read_source(out)] if out.exists() else []
    if out.with_name(f"{out.name}-wal").exists():
        raise BankInUseError(f"{out} is open in another program.", "Close it, and merge again.")
    if journal_of(out).exists():
        advice = "Name another file; whoever uses BriefBank here goes on in that log."
        raise UsageError(f"{out} is a log that this machine's user writes.", advice)
    sources, problems = list(before), []
    for path in paths:
        try:
            sources.append(read_source(path))
        except BriefBankError as problem:
            problems.append(Problem(str(path), problem.message))
    problems += [problem for source in sources for problem in source.problems]
    if problems and not any(source.events for source in sources[len(before) :]):
        reasons = "\n".join(f"{problem.where}: {problem.reason}" for problem in problems)
        raise SourceError("None of the files can be read, and nothing was written.", reasons)
    union = unite(sources)
    with (
        disk_guard(out.parent, "writing the merged log"),
        new_file(out, may_replace=True) as temporary,
        closing(_open_new(temporary)) as database,
    ):
        refused = fill(database, union.events)
        return MergeReport(
            out=str(out),
            files=len(sources) - len(before),
            devices=len({event.device_id for event in union.events}),
            events=len(union.events) - len(refused),
            added=len({event.id for event in union.events} - {event.id for source in before for event in source.events})
            - len(refused),
            repeated=union.repeated,
            problems=(*problems, *union.problems, *refused),
            conflicts=tuple(conflicts_in(database)),
        )


@dataclass(frozen=True, slots=True)
class Union:
    """Events of several sources, each once and in order."""

    events: tuple[LoggedEvent, ...]
    repeated: int = 0
    problems: tuple[Problem, ...] = ()


def unite(sources: Iterable[EventSource]) -> Union:
    """Unite sources: a machine's events stay in the order in which that machine wrote them, else the time decides.

    An event that two files tell differently (one of them anonymised, say) is named, and taken from the one whose line
    comes first by its bytes.
    """
    chosen: dict[str, LoggedEvent] = {}
    chains: list[list[str]] = []
    repeated, differing = 0, set()
    for source in sources:
        by_device: dict[str, dict[str, None]] = {}
        for event in source.events:
            by_device.setdefault(event.device_id, {})[event.id] = None
            known = chosen.setdefault(event.id, event)
            if known is not event:
                repeated += 1
            if known != event:
                differing.add(event.id)
                chosen[event.id] = min(known, event, key=encode_event)
        chains += [list(chain) for chain in by_device.values()]
    order = _in_order(chains, {event.id: (event.at, event.id) for event in chosen.values()})
    problems = tuple(Problem(f"event {each}", "two files tell it differently") for each in sorted(differing))
    return Union(tuple(chosen[each] for each in order), repeated, problems)


def _in_order(chains: Iterable[Sequence[str]], when: Mapping[str, _When]) -> list[str]:
    """Every id once, no chain turned round; whoever is free comes by time. Chains that contradict give way to time."""
    after: dict[str, set[str]] = {each: set() for each in when}
    waiting = dict.fromkeys(when, 0)
    for chain in chains:
        for first, second in pairwise(chain):
            if second not in after[first]:
                after[first].add(second)
                waiting[second] += 1
    ready = [when[each] for each, count in waiting.items() if not count]
    heapq.heapify(ready)
    order: list[str] = []
    while waiting:
        if not ready:
            heapq.heappush(ready, min(when[each] for each in waiting))
        event_id = heapq.heappop(ready)[1]
        if waiting.pop(event_id, None) is None:
            continue
        order.append(event_id)
        for each in after[event_id] & waiting.keys():
            waiting[each] -= 1
            if not waiting[each]:
                heapq.heappush(ready, when[each])
    return order


def fill(
    database: sqlite3.Connection, events: Sequence[LoggedEvent], on_event: Callable[[int], None] = lambda _: None
) -> list[Problem]:
    """Write events into a new log in this order, whatever refers to whatever; returns those that the log refuses.

    `on_event` is told how many are done.
    """
    refused = []
    database.execute("BEGIN IMMEDIATE")
    in_phases = sorted(enumerate(events, start=1), key=lambda each: (_phase(each[1]), each[0]))
    for done, (seq, event) in enumerate(in_phases):
        on_event(done)
        if problem := insert_or_refuse(database, seq, event):
            refused.append(problem)
    database.execute("COMMIT")
    return refused


def insert_or_refuse(database: sqlite3.Connection, seq: int, event: LoggedEvent) -> Problem | None:
    """Write an event with its row's number inside a transaction; returns why not, if the log refuses it."""
    problem = None
    database.execute("SAVEPOINT one")
    try:
        insert_event(database, event, seq)
    except (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError) as error:
        database.execute("ROLLBACK TO one")
        is_lost = "FOREIGN KEY" in str(error) and event.search_ids
        why = (
            f"it is about search {event.search_ids[0]}, which no file holds"
            if is_lost
            else f"it makes no sense: {error}"
        )
        problem = Problem(f"event {event.id} of {event.at:%Y-%m-%d}", why)
    database.execute("RELEASE one")  # not after other errors: a disk that fails ends the savepoint too
    return problem


def _phase(event: LoggedEvent) -> int:
    """Searches before what they showed later, and both before what was said of it."""
    return 0 if event.search else 1 if event.shown else 2


def _open_new(path: Path) -> sqlite3.Connection:
    FORMAT.create(path, new_id(), utc_now())
    database = sqlite3.connect(path, isolation_level=None)
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA foreign_keys=ON")
    return database


@contextmanager
def temporary_log(
    events: Sequence[LoggedEvent], on_event: Callable[[int], None] = lambda _: None
) -> Iterator[sqlite3.Connection]:
    """Yield a temporary database of these events, to query their current state; rows come as `sqlite3.Row`.

    Anonymised, merged and dated selections are made of events, so the views of a log are asked of a copy.
    `on_event` is called with the number that are in it.
    """
    with (
        scratch_folder() as folder,
        closing(_open_new(folder / "feedback.sqlite")) as database,
    ):
        database.execute("PRAGMA synchronous=OFF")
        fill(database, events, on_event)
        yield database


def conflicts_in(database: sqlite3.Connection) -> Iterator[Conflict]:
    """Yield what people disagree on in a log, by query and passage."""
    statement = """
        SELECT text, passage_id, text_sha256, like_passage, device_id, at, is_relevant
        FROM current_judgement WHERE is_relevant IS NOT NULL ORDER BY text, like_passage, passage_id, text_sha256, at"""
    said: dict[tuple[str, ...], list[tuple[str, str, bool]]] = {}
    for row in database.execute(statement):
        key = (row["text"], row["like_passage"] or "", row["passage_id"], row["text_sha256"])
        said.setdefault(key, []).append((row["device_id"], row["at"], bool(row["is_relevant"])))
    for (text, like_passage, passage_id, _), each in said.items():
        if len({is_relevant for _, _, is_relevant in each}) > 1:
            yield Conflict(text or f"like {like_passage}", passage_id, tuple(each))
