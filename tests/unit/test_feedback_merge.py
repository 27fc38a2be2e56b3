"""The logs of many laptops in one: nothing lost, doubled or decided, whatever the order of the files."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laptops import event, laptop, search
from systems import is_private, pipes

from briefbank.errors import SourceError, UsageError
from briefbank.judgements.export.export import write_jsonl
from briefbank.judgements.feedback.events import (
    Commented,
    Judged,
    Rated,
    SearchSaved,
    ShownMore,
    SummaryOpened,
    shown_as,
)
from briefbank.judgements.feedback.exchange import LoggedEvent, decode_event, encode_event
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.judgements.feedback.merge import MergeReport, merge_files, unite
from briefbank.judgements.feedback.sources import EventSource, read_source
from briefbank.platform.event_log.database import journal_of
from briefbank.values.records import Query


def state(path: Path) -> list[tuple[Any, ...]]:
    """What holds now in a log, by person."""
    with closing(sqlite3.connect(path)) as database:
        statement = "SELECT device_id, text, passage_id, is_relevant FROM current_judgement ORDER BY 1, 2, 3"
        return database.execute(statement).fetchall()


def events(path: Path) -> tuple[LoggedEvent, ...]:
    return read_source(path).events


def exported(log: Path, out: Path) -> Path:
    write_jsonl(events(log), out)
    return out


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    return [
        laptop(tmp_path / "a.sqlite", [("the stop", 1, True), ("the stop", 2, False), ("hearsay", 1, None)]),
        laptop(tmp_path / "b.sqlite", [("the stop", 1, False), ("the stop", 2, False), ("the array", 3, True)]),
    ]


def test_everything_said_on_two_laptops_is_in_the_merged_log(two: list[Path], tmp_path: Path) -> None:
    report = merge_files(two, tmp_path / "all.sqlite")
    assert (report.events, report.added, report.devices, report.repeated, report.problems) == (12, 12, 2, 0, ())
    assert state(tmp_path / "all.sqlite") == sorted(state(two[0]) + state(two[1]), key=lambda row: row[:3])
    with FeedbackLog(tmp_path / "all.sqlite") as merged:
        assert len(merged.event_ids()) == 12


def test_every_kind_of_event_comes_through_lines_and_merging_as_it_was(tmp_path: Path) -> None:
    with FeedbackLog(tmp_path / "a.sqlite") as log:
        search_id = search(log, Query("the stop", top_k=9, include_weak=True), 2, 1)
        log.append(
            [
                event(ShownMore(search_id, "20240202T000000", shown_as(search_hits(7), 3))),
                event(Judged(search_id, "doc7-3", is_relevant=None)),
                event(Rated(search_id, "doc1-3", 4)),
                event(Commented(search_id, 'Of "no" use;\nnot — at all.')),
                event(SummaryOpened(search_id, "doc1-3")),
                event(SearchSaved("mine", Query("the stop"))),
            ]
        )
    written = events(tmp_path / "a.sqlite")
    assert [decode_event(encode_event(each)) for each in written] == list(written)
    merge_files([exported(tmp_path / "a.sqlite", tmp_path / "a.jsonl")], tmp_path / "all.sqlite")
    assert events(tmp_path / "all.sqlite") == written


def search_hits(*numbers: int) -> Any:
    from hits import result

    return result("x", *numbers).hits


def test_merging_again_changes_nothing(two: list[Path], tmp_path: Path) -> None:
    merged = tmp_path / "all.sqlite"
    merge_files(two, merged)
    before = events(merged)
    again = merge_files([*two, exported(two[0], tmp_path / "a.jsonl"), merged], merged)
    assert (again.added, again.events) == (0, 12)
    assert events(merged) == before


said = st.lists(
    st.tuples(st.sampled_from(("one", "two")), st.integers(1, 2), st.sampled_from((True, False, None))), max_size=4
)


@settings(max_examples=5)
@given(st.lists(st.tuples(said, st.lists(st.integers(0, 5), min_size=4, max_size=4)), min_size=2, max_size=3))
def test_the_order_of_the_files_makes_no_difference_and_each_person_says_the_same(
    people: list[tuple[list[Any], list[int]]],
) -> None:
    """Clocks that go back are among them: a machine's own order counts."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = [laptop(folder / f"{n}.sqlite", told, minutes=minutes) for n, (told, minutes) in enumerate(people)]
        files.append(exported(files[0], folder / "again.jsonl"))
        merged = []
        for number, order in enumerate(list(permutations(files))[:3]):
            merge_files(order, folder / f"merged-{number}.sqlite")
            merged.append(events(folder / f"merged-{number}.sqlite"))
        assert all(each == merged[0] for each in merged)
        assert sorted(state(folder / "merged-0.sqlite"), key=repr) == sorted(
            (row for file in files[:-1] for row in state(file)), key=repr
        )
        staged = folder / "staged.sqlite"
        for file in files:
            merge_files([file], staged)
        assert {each.id for each in events(staged)} == {each.id for each in merged[0]}
        assert state(staged) == state(folder / "merged-0.sqlite")


@given(st.lists(st.lists(st.integers(0, 7), unique=True), max_size=4), st.randoms(use_true_random=False))
def test_orders_that_contradict_give_way_to_time(chains: list[list[int]], random: Any) -> None:
    made = {number: plain_event(number) for number in range(8)}
    sources = [EventSource(Path(f"{n}"), tuple(made[number] for number in chain)) for n, chain in enumerate(chains)]
    united = unite(sources).events
    assert sorted(each.id for each in united) == sorted({f"{n}" for chain in chains for n in chain})
    random.shuffle(sources)
    assert unite(sources).events == united


def plain_event(number: int) -> LoggedEvent:
    return decode_event(
        f'{{"id":"{number}","device_id":"d","at":"2024-05-06T07:0{number}:00Z","program":"1"}}'.encode()
    )


def test_people_who_disagree_are_named_by_machine_and_time(two: list[Path], tmp_path: Path) -> None:
    (conflict,) = merge_files(two, tmp_path / "all.sqlite").conflicts
    assert (conflict.query, conflict.passage_id) == ("the stop", "doc1-3")
    with FeedbackLog(two[0]) as a, FeedbackLog(two[1]) as b:
        ids = {a.device_id: True, b.device_id: False}
    assert {device: is_relevant for device, _, is_relevant in conflict.said} == ids
    assert {at for _, at, _ in conflict.said} == {"2024-05-06T07:08:39+00:00"}


def test_a_damaged_line_is_named_and_costs_only_itself(two: list[Path], tmp_path: Path) -> None:
    lines = exported(two[0], tmp_path / "a.jsonl").read_bytes().splitlines()
    lines[3] = lines[3][:40]  # what was said of the second search
    lines.insert(1, b"\xff\xfe not a line")
    lines.insert(2, b'{"search":{"parameters":{"a":' + b"[" * 100_000)  # brackets in too many others
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    report = merge_files([tmp_path / "a.jsonl", two[1]], tmp_path / "all.sqlite")
    assert [problem.where for problem in report.problems] == [
        f"{tmp_path / 'a.jsonl'}, line {number}" for number in (2, 3, 6)
    ]
    assert report.events == 11


NOON = "2024-02-02T12:00:00+00:00"
SPOILT = {
    "a day that is none": ("2024-13-40T00:00:00+00:00", "{}"),
    "a time before all calendars": ("0001-01-01T03:00:00+09:00", "{}"),
    "a time after all calendars": ("9999-12-31T23:00:00-11:00", "{}"),
    "no time zone": ("2024-02-02T00:00:00", "{}"),
    "parameters cut off": (NOON, '{"top_k": '),
    "parameters that are a list": (NOON, "[1, 2]"),
    "parameters of another kind": (NOON, '{"refused_hints": 7}'),
    "brackets in brackets": (NOON, '{"filters": ' + "[" * 5000 + "]" * 5000 + "}"),
}


@pytest.mark.parametrize(("at", "parameters"), SPOILT.values(), ids=SPOILT)
def test_a_spoilt_event_costs_itself_alone_in_a_log_and_in_lines(
    at: str, parameters: str, two: list[Path], tmp_path: Path
) -> None:
    with closing(sqlite3.connect(two[0])) as database, database:
        database.execute("INSERT INTO event VALUES (0, 'spoilt', 'somebody', ?, '0')", (at,))
        database.execute("INSERT INTO search VALUES ('spoilt', 'the stop', ?, 'g', 1.0)", (parameters,))
    lines = tmp_path / "lines.jsonl"
    search = f'{{"text": "x", "generation": "g", "took_ms": 1.0, "parameters": {parameters}}}'
    line = f'{{"id": "line", "device_id": "somebody", "at": "{at}", "program": "0", "search": {search}}}'
    lines.write_text(f"{line}\n", encoding="utf-8")
    report = merge_files([lines, *two], tmp_path / "all.sqlite")
    assert report.events == 12
    assert {each.where for each in report.problems} == {f"{two[0]}, event spoilt", f"{lines}, line 1"}
    with FeedbackLog(tmp_path / "all.sqlite") as merged:
        assert len(merged.event_ids()) == 12


def test_what_is_said_of_a_search_that_no_file_holds_is_named(two: list[Path], tmp_path: Path) -> None:
    lines = exported(two[0], tmp_path / "a.jsonl").read_bytes().splitlines()
    search_id = decode_event(lines[0]).id
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines[1:]))
    report = merge_files([tmp_path / "a.jsonl"], tmp_path / "all.sqlite")
    assert [problem.reason for problem in report.problems] == [f"it is about search {search_id}, which no file holds"]
    assert report.events == 4
    (tmp_path / "rest.jsonl").write_bytes(lines[0])
    whole = merge_files([tmp_path / "a.jsonl", tmp_path / "rest.jsonl"], tmp_path / "whole.sqlite")
    assert (whole.events, whole.problems) == (6, ())


def test_a_line_of_a_newer_program_is_refused_rather_than_cut_down(tmp_path: Path) -> None:
    line = b'{"id":"1","device_id":"d","at":"2024-05-06T07:00:00Z","program":"9","telepathy":true}\n'
    (tmp_path / "a.jsonl").write_bytes(line)
    source = read_source(tmp_path / "a.jsonl")
    assert source.events == ()
    assert "telepathy" in source.problems[0].reason


def test_a_damaged_log_is_named_and_left_where_it_is(two: list[Path], tmp_path: Path) -> None:
    data = bytearray(two[0].read_bytes())
    data[4096:4300] = b"\xa5" * 204
    two[0].write_bytes(data)
    report = merge_files(two, tmp_path / "all.sqlite")
    (problem,) = report.problems
    assert problem.where == str(two[0])
    assert "damaged" in problem.reason
    assert report.events == 6
    assert two[0].read_bytes() == bytes(data)


def test_a_missing_file_and_another_programs_database_are_named(two: list[Path], tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other:
        other.execute("CREATE TABLE birds (name)")
    report = merge_files([tmp_path / "gone.sqlite", tmp_path / "other.sqlite", two[1]], tmp_path / "all.sqlite")
    assert [Path(problem.where).name for problem in report.problems] == ["gone.sqlite", "other.sqlite"]
    assert report.events == 6


def test_sources_and_their_folders_stay_as_they_are(two: list[Path], tmp_path: Path) -> None:
    share = tmp_path / "share"
    share.mkdir()
    copies = [Path(shutil.copy2(each, share)) for each in two]
    before = {each: each.read_bytes() for each in copies}
    merge_files(copies, tmp_path / "all.sqlite")
    assert {each: each.read_bytes() for each in share.iterdir()} == before


def test_what_a_running_program_wrote_last_is_merged_too(tmp_path: Path) -> None:
    with FeedbackLog(tmp_path / "a.sqlite") as log:
        search(log, "the stop")
        assert merge_files([tmp_path / "a.sqlite"], tmp_path / "all.sqlite").events == 1


def test_the_second_copy_of_a_log_is_merged_like_the_log(two: list[Path], tmp_path: Path) -> None:
    journals = [Path(shutil.copy(journal_of(each).path, tmp_path / f"{each.stem}.copy")) for each in two]
    merge_files(two, tmp_path / "all.sqlite")
    report = merge_files([*two, *journals], tmp_path / "again.sqlite")
    assert report.problems == ()
    assert read_source(tmp_path / "again.sqlite").events == read_source(tmp_path / "all.sqlite").events


def test_a_spoilt_line_of_a_second_copy_costs_itself_alone(two: list[Path], tmp_path: Path) -> None:
    lines = journal_of(two[0]).path.read_bytes().splitlines()
    spoilt = tmp_path / "spoilt"
    spoilt.write_bytes(b"\n".join([*lines[:-1], lines[-1].replace(b"2024", b"2025")]))
    source = read_source(spoilt)
    assert len(source.events) == len(lines) - 2
    assert ["checksum" in problem.reason for problem in source.problems] == [True]


def test_a_merge_that_fails_leaves_the_merged_log_and_nothing_else(
    two: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    merged = tmp_path / "all.sqlite"
    merge_files(two[:1], merged)
    before, names = merged.read_bytes(), sorted(tmp_path.iterdir())

    def pull_the_plug(*_: object) -> MergeReport:
        raise KeyboardInterrupt

    monkeypatch.setattr("briefbank.judgements.feedback.merge.conflicts_in", pull_the_plug)
    with pytest.raises(KeyboardInterrupt):
        merge_files(two, merged)
    assert merged.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == names


def test_a_merged_log_is_its_owners_alone(two: list[Path], tmp_path: Path) -> None:
    merge_files(two, tmp_path / "all.sqlite")
    assert is_private(tmp_path / "all.sqlite")


def test_an_event_told_differently_is_named_and_chosen_alike_in_any_order(two: list[Path], tmp_path: Path) -> None:
    changed = exported(two[0], tmp_path / "a.jsonl")
    changed.write_bytes(changed.read_bytes().replace(b"hearsay", b"anything"))
    for number, files in enumerate(([two[0], changed], [changed, two[0]])):
        report = merge_files(files, tmp_path / f"{number}.sqlite")
        assert [problem.reason for problem in report.problems] == ["two files tell it differently"]
    assert events(tmp_path / "0.sqlite") == events(tmp_path / "1.sqlite")


def test_the_command_merges_and_tells(briefbank: Any, two: list[Path], tmp_path: Path) -> None:
    result = briefbank("feedback", "merge", *two, "--out", tmp_path / "all.sqlite")
    assert result.code == 0
    assert "12 events of 2 people" in result.out
    assert "“the stop” doc1-3" in result.out
    assert "not relevant" in result.out
    again = briefbank("feedback", "merge", *two, tmp_path / "gone", "--out", tmp_path / "all.sqlite", "--json")
    assert again.code == 12
    assert (again.json["added"], len(again.json["conflicts"]), len(again.json["problems"])) == (0, 1, 1)


def test_a_merge_of_nothing_that_can_be_read_ends_with_8_and_writes_nothing(
    briefbank: Any, two: list[Path], tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("{\n", encoding="utf-8")
    out = tmp_path / "all.sqlite"
    result = briefbank("feedback", "merge", tmp_path / "nosuch", damaged, "--out", out)
    assert result.code == 8
    assert f"There is no file {tmp_path / 'nosuch'}." in result.err
    assert f"{damaged}, line 1" in result.err
    assert not out.exists()
    assert briefbank("feedback", "merge", *two, "--out", out).code == 0
    before = out.read_bytes()
    assert briefbank("feedback", "merge", tmp_path / "nosuch", "--out", out).code == 8
    assert out.read_bytes() == before


def test_nobody_merges_into_their_own_log(
    briefbank: Any, two: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_FEEDBACK", str(two[0]))
    before = two[0].read_bytes()
    assert briefbank("feedback", "merge", two[1], "--out", two[0]).code == 2
    assert two[0].read_bytes() == before


@pipes
def test_a_pipe_is_no_log_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "laptop.jsonl")
    with pytest.raises(SourceError, match="pipe"):
        read_source(tmp_path / "laptop.jsonl")


def test_the_log_that_a_user_writes_is_not_merged_into(two: list[Path], tmp_path: Path) -> None:
    merged = tmp_path / "all.sqlite"
    with FeedbackLog(merged) as opened:
        search(opened, "the stop")
        before = merged.read_bytes()
        with pytest.raises(UsageError, match="that this machine's user writes"):
            merge_files(two, merged)
        assert merged.read_bytes() == before
