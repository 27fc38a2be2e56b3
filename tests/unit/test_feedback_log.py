"""The feedback log: what is kept of searches and what people said, and what is refused."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hits import result
from hypothesis import given, settings
from hypothesis import strategies as st
from systems import is_private

from briefbank.errors import BankInUseError, BriefBankError, UsageError
from briefbank.judgements.feedback.events import (
    Commented,
    Content,
    Event,
    Judged,
    Rated,
    SavedForgotten,
    Searched,
    SearchSaved,
    ShownMore,
    SummaryOpened,
    shown_as,
    text_sha256,
)
from briefbank.judgements.feedback.exchange import parameters_of, query_of
from briefbank.judgements.feedback.log import FeedbackLog, Mark, SavedSearch, default_log
from briefbank.platform.event_log.log import new_id
from briefbank.platform.layout import default_bank
from briefbank.platform.windows import api
from briefbank.values.records import DocumentKind, Filters, Query, SectionKind, SortOrder

START = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
EVERYTHING = Query(
    "was the stop lawful",
    top_k=10,
    sort=SortOrder.RELEVANCE,
    filters=Filters(
        (DocumentKind.BRIEF,), date(2001, 2, 3), None, (SectionKind.ARGUMENT,), ("Appellate Division",), ("Teague",), ()
    ),
    include_hidden=True,
    include_weak=True,
    refused_hints=("since 2020",),
    like_passage="doc9-1",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "office" / "feedback.sqlite"


@pytest.fixture
def log(path: Path) -> Iterator[FeedbackLog]:
    with FeedbackLog(path) as opened:
        yield opened


def event(content: Content, number: int = 0) -> Event:
    return Event(new_id(), START + timedelta(seconds=number), content)


def searched(log: FeedbackLog, query: Query | str = "the stop", *numbers: int) -> str:
    found = result(query, *(numbers or (1, 2, 3)))
    made = event(Searched(found.query, found.generation, found.took_ms, shown_as(found.hits)))
    log.append([made])
    return made.id


def marks_of(log: FeedbackLog, text: str = "the stop") -> dict[str, Mark]:
    return {key.passage_id: mark for key, mark in log.marks().items() if key.text == text}


def test_a_search_is_kept_with_all_it_was_asked_and_all_it_showed(path: Path, log: FeedbackLog) -> None:
    search_id = searched(log, EVERYTHING, 2, 1)
    log.append([event(ShownMore(search_id, "20240202T000000", shown_as(result("x", 7).hits, 3)))])
    reader = sqlite3.connect(path)
    text, parameters, generation, took_ms = reader.execute(
        "SELECT text, parameters, generation, took_ms FROM search"
    ).fetchone()
    shown = reader.execute(
        "SELECT position, rank, score, passage_id, document_id, text_sha256, generation FROM shown ORDER BY position"
    ).fetchall()
    reader.close()
    assert query_of(text, parameters) == EVERYTHING
    assert (generation, took_ms) == ("20240101T000000", 12.5)
    digests = [text_sha256(f"Passage {number} speaks of the stop.") for number in (2, 1, 7)]
    assert shown == [
        (1, 2, 1 / 2, "doc2-3", "doc2", digests[0], "20240101T000000"),
        (2, 1, 1.0, "doc1-3", "doc1", digests[1], "20240101T000000"),
        (3, 7, 1 / 7, "doc7-3", "doc7", digests[2], "20240202T000000"),
    ]


def test_every_event_says_when_and_where_it_happened_and_which_program_wrote_it(path: Path, log: FeedbackLog) -> None:
    searched(log)
    reader = sqlite3.connect(path)
    assert reader.execute("SELECT device_id, at, program FROM event").fetchall() == [
        (log.device_id, "2024-05-06T07:08:09+00:00", "0.1.0")
    ]
    reader.close()


def test_no_text_of_a_passage_is_kept(path: Path, log: FeedbackLog) -> None:
    search_id = searched(log)
    log.append([event(SummaryOpened(search_id, "doc1-3"))])
    log.close()
    assert b"speaks of the stop" not in path.read_bytes()
    assert b"State v. Client" not in path.read_bytes()


def test_a_judgement_is_changed_and_withdrawn(log: FeedbackLog) -> None:
    search_id = searched(log)
    for said, expected in (
        (Judged(search_id, "doc1-3", is_relevant=True), Mark(is_relevant=True)),
        (Judged(search_id, "doc1-3", is_relevant=False), Mark(is_relevant=False)),
        (Rated(search_id, "doc1-3", 4), Mark(is_relevant=False, stars=4)),
        (Judged(search_id, "doc1-3", is_relevant=None), Mark(stars=4)),
    ):
        log.append([event(said)])
        assert marks_of(log) == {"doc1-3": expected}
    log.append([event(Rated(search_id, "doc1-3", None))])
    assert log.marks() == {}


def test_what_is_said_in_a_later_search_for_the_same_words_counts(log: FeedbackLog) -> None:
    first, second, other = searched(log), searched(log), searched(log, "the consent")
    log.append([event(Judged(first, "doc1-3", is_relevant=True)), event(Judged(other, "doc1-3", is_relevant=True))])
    log.append([event(Judged(second, "doc1-3", is_relevant=False))])
    assert marks_of(log) == {"doc1-3": Mark(is_relevant=False)}
    assert marks_of(log, "the consent") == {"doc1-3": Mark(is_relevant=True)}


def test_more_like_one_passage_is_not_more_like_another(log: FeedbackLog) -> None:
    for like, is_relevant in (("doc8-1", True), ("doc9-1", False)):
        search_id = searched(log, Query("", like_passage=like))
        log.append([event(Judged(search_id, "doc1-3", is_relevant=is_relevant))])
    assert {key.like_passage: mark.is_relevant for key, mark in log.marks().items()} == {
        "doc8-1": True,
        "doc9-1": False,
    }
    assert log.history() == []


def test_a_passage_that_reads_differently_is_another(log: FeedbackLog) -> None:
    first = searched(log)
    log.append([event(Judged(first, "doc1-3", is_relevant=True))])
    shown = replace(shown_as(result("x", 1).hits)[0], text_sha256=text_sha256("Passage 1, segmented anew."))
    second = event(Searched(Query("the stop"), "20240202T000000", 3.0, (shown,)))
    log.append([second, event(Judged(second.id, "doc1-3", is_relevant=False))])
    assert sorted((key.text_sha256 == shown.text_sha256, mark.is_relevant) for key, mark in log.marks().items()) == [
        (False, True),
        (True, False),
    ]


def test_a_comment_is_replaced_and_withdrawn(log: FeedbackLog) -> None:
    search_id = searched(log)
    log.append([event(Commented(search_id, "Too old.")), event(Commented(search_id, "Just right."))])
    assert log.comments() == {search_id: "Just right."}
    log.append([event(Commented(search_id, ""))])
    assert log.comments() == {}


def test_the_comment_of_a_question_is_the_latest_of_all_its_searches(log: FeedbackLog) -> None:
    first, second = searched(log), searched(log)
    log.append([event(Commented(first, "Too old.")), event(Commented(second, "Just right."))])
    (question,) = log.question_comments()
    assert log.question_comments()[question] == (second, "Just right.")
    log.append([event(Commented(first, "Too old after all."))])
    assert log.question_comments()[question] == (first, "Too old after all.")


def test_history_names_each_text_once_newest_first(log: FeedbackLog) -> None:
    for text in ("the stop", "hearsay", "the stop", "the array"):
        searched(log, text)
    assert log.history() == ["the array", "the stop", "hearsay"]
    assert log.history(limit=2) == ["the array", "the stop"]


def test_a_saved_search_that_only_another_program_understands_is_left_out(path: Path) -> None:
    with FeedbackLog(path) as log:
        log.append([event(SearchSaved(name, Query("the stop"))) for name in ("ours", "theirs")])
        log._db.execute("DROP TRIGGER saved_UPDATE")
        log._db.execute("""UPDATE saved SET parameters = '{"sort": "by moon"}' WHERE name = 'theirs'""")
        assert log.saved_searches() == [SavedSearch("ours", Query("the stop"))]


def test_saved_searches_are_replaced_and_forgotten(path: Path) -> None:
    with FeedbackLog(path) as log:
        log.append([event(SearchSaved(name, Query("old"))) for name in ("stops", "Arrays", "gone")])
        log.append([event(SearchSaved("stops", EVERYTHING)), event(SavedForgotten("gone"))])
    with FeedbackLog(path) as log:
        assert log.saved_searches() == [SavedSearch("Arrays", Query("old")), SavedSearch("stops", EVERYTHING)]


def test_a_query_kept_before_a_parameter_was_known_has_its_default() -> None:
    assert query_of("the stop", '{"top_k": 7, "filters": {"courts": ["Law Division"]}}') == Query(
        "the stop", top_k=7, filters=Filters(courts=("Law Division",))
    )


@given(
    st.builds(
        Query,
        text=st.text(),
        top_k=st.integers(1, 1000),
        sort=st.sampled_from(SortOrder),
        filters=st.builds(
            Filters,
            kinds=st.lists(st.sampled_from(DocumentKind)).map(tuple),
            since=st.none() | st.dates(),
            until=st.none() | st.dates(),
            section_kinds=st.lists(st.sampled_from(SectionKind)).map(tuple),
            courts=st.lists(st.text(st.characters(codec="utf-8"))).map(tuple),
        ),
        refused_hints=st.lists(st.text(st.characters(codec="utf-8"))).map(tuple),
        include_weak=st.booleans(),
    )
)
def test_any_query_comes_back_as_it_was(query: Query) -> None:
    assert query_of(query.text, json.dumps(parameters_of(query))) == query


def test_an_event_written_twice_is_there_once(log: FeedbackLog) -> None:
    search_id = searched(log)
    made = event(Judged(search_id, "doc1-3", is_relevant=True))
    log.append([made])
    log.append([event(Judged(search_id, "doc1-3", is_relevant=False)), made])
    assert log.event_ids().count(made.id) == 1
    assert marks_of(log) == {"doc1-3": Mark(is_relevant=False)}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda search_id: Judged("no-such-search", "doc1-3", is_relevant=True),
        lambda search_id: Judged(search_id, "never-shown", is_relevant=True),
        lambda search_id: Rated(search_id, "doc1-3", 6),
        lambda search_id: Rated(search_id, "doc1-3", 0),
        lambda search_id: Commented(search_id, "half a pair \ud83d"),
    ],
)
def test_an_event_that_makes_no_sense_is_refused_and_takes_its_fellows_back(
    log: FeedbackLog, wrong: Callable[[str], Content]
) -> None:
    search_id = searched(log)
    with pytest.raises(UsageError):
        log.append([event(Judged(search_id, "doc1-3", is_relevant=True)), event(wrong(search_id))])
    assert log.event_ids() == [search_id]


def test_a_passage_shown_again_keeps_its_place(path: Path, log: FeedbackLog) -> None:
    search_id = searched(log)
    log.append([event(ShownMore(search_id, "20240101T000000", shown_as(result("x", 2, 9).hits, 4)))])
    reader = sqlite3.connect(path)
    places = reader.execute("SELECT passage_id, position FROM shown ORDER BY position").fetchall()
    reader.close()
    assert places == [("doc1-3", 1), ("doc2-3", 2), ("doc3-3", 3), ("doc9-3", 5)]


TABLES = ("log", "event", "search", "shown", "judgement", "rating", "comment", "summary_opened", "saved")


@pytest.mark.parametrize("table", TABLES)
def test_nothing_written_is_changed_or_deleted(path: Path, log: FeedbackLog, table: str) -> None:
    search_id = searched(log)
    log.append(
        event(content)
        for content in (
            Judged(search_id, "doc1-3", is_relevant=True),
            Rated(search_id, "doc1-3", 2),
            Commented(search_id, "Good."),
            SummaryOpened(search_id, "doc1-3"),
            SearchSaved("mine", Query("x")),
        )
    )
    intruder = sqlite3.connect(path)
    column = intruder.execute(f"PRAGMA table_info({table})").fetchone()[1]
    for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET {column} = {column}"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
            intruder.execute(statement)
    intruder.close()


def test_every_table_is_guarded(path: Path, log: FeedbackLog) -> None:
    reader = sqlite3.connect(path)
    assert {name for (name,) in reader.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")} == set(TABLES)
    reader.close()


@pytest.mark.skipif(api.is_wine(), reason="in Wine what SQLite makes takes no access list from its folder")
def test_the_log_is_its_owners_alone(path: Path, log: FeedbackLog) -> None:
    searched(log)
    assert [each for each in (path.parent, *path.parent.iterdir()) if not is_private(each)] == []
    log.close()
    path.chmod(0o644)
    FeedbackLog(path).close()
    assert is_private(path)


def test_the_machine_keeps_its_id(path: Path, tmp_path: Path) -> None:
    with FeedbackLog(path) as first:
        pass
    with FeedbackLog(path) as again, FeedbackLog(tmp_path / "other.sqlite") as other:
        assert again.device_id == first.device_id != other.device_id


def test_the_place_of_the_log_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BRIEFBANK_FEEDBACK", str(tmp_path / "mine.sqlite"))
    assert default_log() == tmp_path / "mine.sqlite"
    monkeypatch.delenv("BRIEFBANK_FEEDBACK")
    monkeypatch.delenv("BRIEFBANK_BANK", raising=False)
    assert default_log() == default_bank().with_name("feedback.sqlite")


def test_thousands_of_judgements_are_written_and_read(path: Path) -> None:
    with FeedbackLog(path) as log:
        for number in range(20):
            search_id = searched(log, f"query {number}", *range(1, 101))
            log.append(
                event(Judged(search_id, f"doc{rank}-3", is_relevant=rank % 3 == 0), rank) for rank in range(1, 101)
            )
    with FeedbackLog(path) as log:
        marks = log.marks()
    assert len(marks) == 2_000
    assert sum(mark.is_relevant is True for mark in marks.values()) == 660


def judge_often(path: Path, count: int) -> None:
    with FeedbackLog(path) as log:
        search_id = searched(log)
        for number in range(count):
            log.append([event(Judged(search_id, "doc1-3", is_relevant=bool(number % 2)))])


def test_two_programs_write_at_once(path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    programs = [spawn.Process(target=judge_often, args=(path, 40)) for _ in range(2)]  # neither finds a log there
    for program in programs:
        program.start()
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0, 0]
    with FeedbackLog(path) as log:
        assert len(log.event_ids()) == 82


def test_a_program_that_writes_for_too_long_is_told_of(path: Path) -> None:
    with FeedbackLog(path, busy_timeout_s=0.05) as log:
        search_id = searched(log)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BankInUseError):
            log.append([event(Judged(search_id, "doc1-3", is_relevant=True))])
        other.execute("ROLLBACK")
        other.close()
        log.append([event(Judged(search_id, "doc1-3", is_relevant=True))])
        assert marks_of(log) == {"doc1-3": Mark(is_relevant=True)}


def test_a_place_that_cannot_be_written_is_told_with_advice(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BriefBankError, match="Opening the feedback log failed") as caught:
        FeedbackLog(tmp_path / "file" / "feedback.sqlite")
    assert "BRIEFBANK_FEEDBACK" in caught.value.advice


said = st.tuples(
    st.sampled_from(("one", "two")),
    st.integers(1, 3),
    st.sampled_from((True, False, None)) | st.integers(1, 5).map(str) | st.just("no stars"),
)


@settings(max_examples=40)
@given(st.lists(st.none() | said, max_size=25))
def test_any_course_of_judging_gives_the_state_of_a_plain_dictionary(
    course: list[tuple[str, int, object] | None],
) -> None:
    """None reopens the log; a string is a rating."""
    model: dict[tuple[str, str], Mark] = {}
    with TemporaryDirectory() as folder:
        log = FeedbackLog(Path(folder) / "feedback.sqlite")
        for step in course:
            if step is None:
                log.close()
                log = FeedbackLog(Path(folder) / "feedback.sqlite")
                continue
            text, number, told = step
            passage_id, search_id = f"doc{number}-3", searched(log, text)
            before = model.get((text, passage_id), Mark())
            if isinstance(told, str):
                stars = int(told) if told.isdigit() else None
                log.append([event(Rated(search_id, passage_id, stars))])
                model[text, passage_id] = replace(before, stars=stars)
            else:
                log.append([event(Judged(search_id, passage_id, told))])  # type: ignore[arg-type]
                model[text, passage_id] = replace(before, is_relevant=told)  # type: ignore[arg-type]
            expected = {key: mark for key, mark in model.items() if mark != Mark()}
            assert {(key.text, key.passage_id): mark for key, mark in log.marks().items()} == expected
        log.close()
