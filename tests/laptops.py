"""Made-up laptops for tests of merging, exporting and counting: logs with searches and what was said of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hits import result

from briefbank.judgements.feedback.events import Content, Event, Judged, Searched, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.platform.event_log.log import new_id
from briefbank.values.records import Query

START = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
Said = tuple[str, int, bool | None]
"""A query, the number of a passage that it shows, and what is said of that."""


def event(content: Content, minute: float = 0) -> Event:
    """Return an event so many minutes after the start."""
    return Event(new_id(), START + timedelta(minutes=minute), content)


def search(log: FeedbackLog, query: Query | str, *numbers: int, minute: float = 0) -> str:
    """Write a search that shows the made-up hits of these numbers; returns its id."""
    found = result(query, *(numbers or (1, 2, 3)))
    made = event(Searched(found.query, found.generation, found.took_ms, shown_as(found.hits)), minute)
    log.append([made])
    return made.id


def laptop(path: Path, said: Sequence[Said] = (), *, minutes: Sequence[float] = ()) -> Path:
    """Write the log of a person who searches, one search for each thing said; `minutes` says when."""
    with FeedbackLog(path) as log:
        for place, (query, number, is_relevant) in enumerate(said):
            minute = minutes[place] if minutes else place
            search_id = search(log, query, minute=minute)
            log.append([event(Judged(search_id, f"doc{number}-3", is_relevant=is_relevant), minute + 0.5)])
    return path
