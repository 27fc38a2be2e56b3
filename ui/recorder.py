"""What people say of results, as the window tells it: every call returns at once, the log is written in a thread.

Keeps in mind what the log holds of marks, comments, history and saved searches, and what this session can take back.
Must not know widgets, nor how events are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from briefbank.errors import BriefBankError
from briefbank.judgements.feedback.events import (
    Commented,
    Content,
    Event,
    Judged,
    Rated,
    SavedForgotten,
    Searched,
    SearchSaved,
    Shown,
    ShownMore,
    SummaryOpened,
    shown_as,
)
from briefbank.judgements.feedback.log import FeedbackLog, Mark, MarkKey, QuestionComment, QuestionKey, SavedSearch
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.platform.event_log.writer import Writer
from briefbank.values.records import Hit, Query, SearchResult
from ui.engine import deliver
from ui.undo import Act, Saying

_BUSY_TIMEOUT_S = 2.0
"""How long another window may hold the log before that is told; writing is tried again after."""


class Recorder(QObject):
    """The feedback log as the window sees it. Signals come on the window's thread."""

    recorded = Signal(str)
    """The id of an event that is on the disk now: what `judge` and the others returned."""
    acted = Signal(object)
    """The Act of something that was said now, and can be taken back."""
    confirmed = Signal(object)
    """An Act that is on the disk now: a judgement, stars or a comment, or one of them taken back."""
    failed = Signal(object)
    """A BriefBankError, for people. What was told is kept and written when it can be."""
    history_loaded = Signal(list)
    """The texts searched for, newest first; once, when the log is open."""
    saved_loaded = Signal(list)
    """The saved searches by name, when the log is open and whenever one is saved or forgotten."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], datetime] = utc_now,
        make_id: Callable[[], str] = new_id,
    ) -> None:
        """Open the log at `path` in a thread, making one where there is none.

        What the thread tells waits for the event loop, by when whoever made this has connected to the signals above.
        """
        super().__init__()
        self.path = path
        self._clock = clock
        self._make_id = make_id
        self._questions: dict[str, QuestionKey] = {}
        self._generations: dict[str, str] = {}
        self._shown: dict[str, dict[str, Shown]] = {}
        self._digests: dict[str, str] = {}
        self._marks: dict[MarkKey, Mark] = {}
        self._said: dict[MarkKey, Mark] = {}
        self._comments: dict[QuestionKey, QuestionComment] = {}
        self._unconfirmed: dict[str, Act] = {}
        self._history: list[str] = []
        self._saved: dict[str, SavedSearch] = {}
        self._writer: Writer[FeedbackLog, Event] = Writer(
            lambda: FeedbackLog(path, clock=clock, make_id=make_id, busy_timeout_s=_BUSY_TIMEOUT_S),
            on_opened=self._read_log,
            on_written=lambda events: deliver(self, lambda: self._on_written(events)),
            on_failed=lambda problem: deliver(self, lambda: self.failed.emit(problem)),
        )

    @property
    def unwritten(self) -> int:
        """How many events are not on the disk yet; above 0 for long only while `failed` tells why."""
        return self._writer.unwritten

    @property
    def problem(self) -> BriefBankError | None:
        """Why what was told last could not be written; None where it was."""
        return self._writer.problem

    def flush(self) -> int:
        """Try now to write what was told, waiting a moment for it; return how many events are not on the disk."""
        return self._writer.flush()

    def close(self) -> int:
        """Write what is left, end the thread, and return how many events could not be written (0 but on failure)."""
        return self._writer.close()

    def searched(self, result: SearchResult, shown: tuple[Hit, ...]) -> str:
        """Record a search and the hits shown, in their order on the screen; returns the id of the search."""
        placed = shown_as(shown)
        search_id = self._write(Searched(result.query, result.generation, result.took_ms, placed))
        self._questions[search_id] = QuestionKey(result.query.text, result.query.like_passage)
        self._generations[search_id] = result.generation
        self._shown[search_id] = {}
        self._note_shown(search_id, placed)
        if text := result.query.text:
            self._history = [text, *(each for each in self._history if each != text)]
        return search_id

    def showed_more(self, search_id: str, hits: tuple[Hit, ...], generation: str = "") -> str:
        """Record hits appended to the list; `generation` where it is not that of the search itself."""
        placed = shown_as(hits, len(self._shown[search_id]) + 1)
        self._note_shown(search_id, placed)
        return self._write(ShownMore(search_id, generation or self._generations[search_id], placed))

    def judge(self, search_id: str, hit: Hit, relevant: bool | None) -> str:  # noqa: FBT001  # the one thing it says
        """Record whether a hit helps; None withdraws that. Returns the id that `recorded` will tell."""
        now = Judged(search_id, self._shown_id(search_id, hit), relevant)
        before = self._current_mark(self._key(search_id, hit.passage.id)).is_relevant
        return self._record(now, Judged(now.search_id, now.passage_id, before), hit.document.metadata.title.value)

    def rate(self, search_id: str, hit: Hit, stars: int | None) -> str:
        """Record 1 to 5 stars for a hit; None withdraws them."""
        now = Rated(search_id, self._shown_id(search_id, hit), stars)
        before = self._current_mark(self._key(search_id, hit.passage.id)).stars
        return self._record(now, Rated(now.search_id, now.passage_id, before), hit.document.metadata.title.value)

    def comment(self, search_id: str, text: str) -> str:
        """Record what a person wrote about a search, in place of what they wrote before of the same question."""
        before = self._comments.get(self.question_of(search_id), QuestionComment(search_id, ""))
        now = Commented(before.search_id, _sound(text))
        return self._record(now, Commented(now.search_id, before.text))

    def take_back(self, act: Act) -> Act:
        """Say again what was said before. The log is only added to."""
        return self._take_up(act.before, act.now, act.title, is_undo=True)

    def say_again(self, act: Act) -> Act:
        """Say what was taken back."""
        return self._take_up(act.now, act.before, act.title, is_redo=True)

    def question_of(self, search_id: str) -> QuestionKey:
        """Return what a search asked that was made in this session, or that a comment shown was written of."""
        return self._questions[search_id]

    def comment_of(self, search_id: str) -> str:
        """Return what was written last of the question that a search asked."""
        said = self._comments.get(self.question_of(search_id))
        return said.text if said else ""

    def reads_alike(self, passage_id: str, search_id: str, other_id: str) -> bool:
        """Whether two searches of this session showed a passage in the same words."""
        was, now = (self._shown[each].get(passage_id) for each in (search_id, other_id))
        return was is not None and now is not None and was.text_sha256 == now.text_sha256

    def opened_summary(self, search_id: str, hit: Hit, model: str) -> str:
        return self._write(SummaryOpened(search_id, self._shown_id(search_id, hit), model))

    def save_search(self, name: str, query: Query) -> str:
        """Keep a query under a name, in place of one that had it."""
        return self._write(SearchSaved(_sound(name), query))

    def forget_saved(self, name: str) -> str:
        return self._write(SavedForgotten(_sound(name)))

    def judgements_of(self, text: str, like_passage: str = "") -> dict[str, Mark]:
        """Return the marks for a query that are on the disk, by passage id.

        One for a passage that reads differently today is left out; ask after `searched`, which tells how it reads.
        """
        return {
            key.passage_id: mark
            for key, mark in self._marks.items()
            if (key.text, key.like_passage) == (text, like_passage)
            and self._digests.get(key.passage_id, key.text_sha256) == key.text_sha256
            and mark != Mark()
        }

    def mark_of(self, search_id: str, passage_id: str) -> Mark:
        return self._current_mark(self._key(search_id, passage_id))

    def history(self) -> list[str]:
        """Return the texts searched for, each once, newest first."""
        return list(self._history)

    def saved_searches(self) -> list[SavedSearch]:
        """Return the saved searches that are on the disk, by name."""
        return sorted(self._saved.values(), key=lambda each: (each.name.casefold(), each.name))

    def _write(self, content: Content) -> str:
        event = Event(self._make_id(), self._clock(), content)
        self._writer.put(event)
        return event.id

    def _record(self, now: Saying, before: Saying, title: str = "") -> str:
        """Take up what a person says, which can be taken back; returns the id of its event."""
        act = self._take_up(now, before, title)
        self.acted.emit(act)
        return act.event_id

    def _take_up(self, now: Saying, before: Saying, title: str, *, is_undo: bool = False, is_redo: bool = False) -> Act:
        """Let what is said now hold at once, and write it."""
        match now:
            case Judged(search_id, passage_id, is_relevant):
                key = self._key(search_id, passage_id)
                self._said[key] = replace(self._current_mark(key), is_relevant=is_relevant)
            case Rated(search_id, passage_id, stars):
                key = self._key(search_id, passage_id)
                self._said[key] = replace(self._current_mark(key), stars=stars)
            case Commented(search_id, text):
                self._comments[self.question_of(search_id)] = QuestionComment(search_id, text)
        act = Act(self._write(now), now, before, title, is_undo, is_redo)
        self._unconfirmed[act.event_id] = act
        return act

    def _current_mark(self, key: MarkKey) -> Mark:
        """What is said of a passage now, be it on the disk yet or not."""
        return self._said.get(key) or self._marks.get(key, Mark())

    def _note_shown(self, search_id: str, placed: Iterable[Shown]) -> None:
        for each in placed:
            self._shown[search_id].setdefault(each.passage_id, each)
            self._digests[each.passage_id] = each.text_sha256

    def _shown_id(self, search_id: str, hit: Hit) -> str:
        """The id of a hit's passage, which is recorded as shown if it was not yet."""
        if hit.passage.id not in self._shown[search_id]:
            self.showed_more(search_id, (hit,))
        return hit.passage.id

    def _read_log(self, log: FeedbackLog) -> None:
        """Read what the log holds, in the writer's thread, and bring it to the window's."""
        held = log.marks(), log.question_comments(), log.history(), log.saved_searches()
        deliver(self, partial(self._on_opened, *held))

    def _on_opened(
        self,
        marks: dict[MarkKey, Mark],
        comments: dict[QuestionKey, QuestionComment],
        history: list[str],
        saved: list[SavedSearch],
    ) -> None:
        """Take up what the log holds; what this session has told since stands."""
        self._marks = marks | self._marks
        self._comments = comments | self._comments
        self._questions |= {said.search_id: question for question, said in comments.items()}
        texts = set(self._history)
        self._history += [each for each in history if each not in texts]
        self._saved = {each.name: each for each in saved} | self._saved
        self.history_loaded.emit(self.history())
        self.saved_loaded.emit(self.saved_searches())

    def _on_written(self, events: list[Event]) -> None:
        for event in events:
            match event.content:
                case Judged(search_id, passage_id, is_relevant):
                    key = self._key(search_id, passage_id)
                    self._marks[key] = replace(self._marks.get(key, Mark()), is_relevant=is_relevant)
                case Rated(search_id, passage_id, stars):
                    key = self._key(search_id, passage_id)
                    self._marks[key] = replace(self._marks.get(key, Mark()), stars=stars)
                case SearchSaved(name, query):
                    self._saved[name] = SavedSearch(name, query)
                    self.saved_loaded.emit(self.saved_searches())
                case SavedForgotten(name):
                    self._saved.pop(name, None)
                    self.saved_loaded.emit(self.saved_searches())
            self.recorded.emit(event.id)
            if act := self._unconfirmed.pop(event.id, None):
                self.confirmed.emit(act)

    def _key(self, search_id: str, passage_id: str) -> MarkKey:
        return MarkKey(*self.question_of(search_id), passage_id, self._shown[search_id][passage_id].text_sha256)


def _sound(text: str) -> str:
    """Text without the halves of characters that a paste can leave and no file can hold."""
    return text.encode("utf-8", "replace").decode()
