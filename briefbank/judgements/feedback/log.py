"""The feedback log: searches, what they showed and what people said of it. In the user's own data folder.

Only ever added to; what holds now follows from the latest events. How it is kept: `platform.event_log`. Must not know
the window, nor what exports make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from briefbank import __version__
from briefbank.judgements.feedback import saved_searches
from briefbank.judgements.feedback.events import Event, new_id, utc_now
from briefbank.judgements.feedback.exchange import LoggedEvent, logged, rows_of
from briefbank.judgements.feedback.rows import FeedbackRows
from briefbank.judgements.feedback.schema import FORMAT
from briefbank.platform.event_log.log import BUSY_TIMEOUT_S, EventLog
from briefbank.platform.layout import own_place

HISTORY_LIMIT = 200


class QuestionKey(NamedTuple):
    """What was asked: a text, or the passage that more like it was asked for."""

    text: str
    like_passage: str


class QuestionComment(NamedTuple):
    """What a person wrote of a question, and the search of which they wrote it."""

    search_id: str
    text: str


class MarkKey(NamedTuple):
    """What a mark is about: a query (its text, or the passage it asks for more like), and a passage as it read then."""

    text: str
    like_passage: str
    passage_id: str
    text_sha256: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person says now of a passage; None where nothing was said or it was withdrawn."""

    is_relevant: bool | None = None
    stars: int | None = None


def default_log() -> Path:
    """The log in the user's data folder, or where BRIEFBANK_FEEDBACK points."""
    return own_place("BRIEFBANK_FEEDBACK", "feedback.sqlite")


class FeedbackLog(EventLog[Event, LoggedEvent]):
    """The open log; `append` refuses what is about a search or passage never shown, and six stars."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        make_id: Callable[[], str] = new_id,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        """Open a log, making an empty one where there is none; raises as `EventLog`."""
        super().__init__(path, FORMAT, FeedbackRows(), clock=clock, make_id=make_id, busy_timeout_s=busy_timeout_s)

    def marks(self) -> dict[MarkKey, Mark]:
        """Return what is said now on this machine, without what was withdrawn."""
        marks: dict[MarkKey, Mark] = {}
        for key, is_relevant in self._current("judgement", "is_relevant"):
            marks[key] = Mark(is_relevant=bool(is_relevant))
        for key, stars in self._current("rating", "stars"):
            marks[key] = replace(marks.get(key, Mark()), stars=stars)
        return marks

    def comments(self) -> dict[str, str]:
        """Return what is written now about searches, by search id, without what was withdrawn."""
        return dict(self._select("SELECT search_id, text FROM current_comment WHERE text <> ''"))

    def question_comments(self) -> dict[QuestionKey, QuestionComment]:
        """Return what was written last of each question on this machine; an empty text where that was withdrawn."""
        statement = """
            SELECT search.text, json_extract(search.parameters, '$.like_passage'), said.search_id, said.text
            FROM current_comment AS said JOIN search ON search.event_id = said.search_id
            WHERE said.device_id = ? ORDER BY said.seq"""
        rows = self._select(statement, (self.device_id,))
        return {QuestionKey(text, like or ""): QuestionComment(*said) for text, like, *said in rows}

    def history(self, limit: int = HISTORY_LIMIT) -> list[str]:
        """Return what was searched for on this machine, each text once, newest first."""
        with self._guard(f"reading the {FORMAT.name}"):
            return saved_searches.history(self._db, self.device_id, limit)

    def saved_searches(self) -> list[saved_searches.SavedSearch]:
        """Return the searches saved on this machine, by name."""
        with self._guard(f"reading the {FORMAT.name}"):
            return saved_searches.saved_searches(self._db, self.device_id)

    def _current(self, table: str, value: str) -> Iterator[tuple[MarkKey, int]]:
        columns = ", ".join(MarkKey._fields)
        statement = f"SELECT {columns}, {value} FROM current_{table} WHERE device_id = ? AND {value} IS NOT NULL"  # noqa: S608
        for *key, mark in self._select(statement, (self.device_id,)):
            yield MarkKey(*key), mark

    def _insert(self, event: Event) -> tuple[int, LoggedEvent] | None:
        """Add the event's rows, and return it with the number of its row; None where it is there already."""
        values = (event.id, self.device_id, event.at.isoformat(), __version__)
        statement = "INSERT INTO event (id, device_id, at, program) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
        added = self._db.execute(statement, values)
        if added.rowcount == 0 or added.lastrowid is None:
            return None
        rows = [row for row in rows_of(event) if self._insert_row(*row)]
        return added.lastrowid, logged(LoggedEvent(event.id, self.device_id, event.at, __version__), rows)

    def _insert_row(self, table: str, row: tuple[Any, ...]) -> bool:
        """Add a row; false for a passage that the search had shown already."""
        marks = ", ".join("?" * len(row))
        again = " ON CONFLICT (search_id, passage_id) DO NOTHING" if table == "shown" else ""
        return bool(self._db.execute(f"INSERT INTO {table} VALUES ({marks}){again}", row).rowcount)  # noqa: S608
