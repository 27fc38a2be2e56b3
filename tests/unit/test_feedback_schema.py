"""The file of the log: damaged, of another program, older, newer, written by two."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hits import result
from systems import is_private

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankNewerError, UsageError
from briefbank.judgements.feedback.events import Commented, Event, Judged, Rated, Searched, SearchSaved, shown_as
from briefbank.judgements.feedback.log import FeedbackLog, Mark, MarkKey, SavedSearch
from briefbank.judgements.feedback.schema import FORMAT, STEPS
from briefbank.platform.event_log.database import is_wal, journal_of
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.platform.journal import Record
from briefbank.platform.windows import api
from briefbank.values.records import Query

FROZEN = Path(__file__).parents[1] / "formats" / "feedback-1.sqlite"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "feedback.sqlite"


def write_some(path: Path, count: int = 300) -> list[str]:
    """Fill a log of several pages and return the ids of its events."""
    with FeedbackLog(path) as log:
        search_id = search(log)
        log.append(
            Event(new_id(), utc_now(), Judged(search_id, f"doc{1 + number % 3}-3", is_relevant=True))
            for number in range(count)
        )
        return log.event_ids()


def search(log: FeedbackLog) -> str:
    event = Event(new_id(), utc_now(), Searched(Query("the stop"), "G", 1.0, shown_as(result("x", 1, 2, 3).hits)))
    log.append([event])
    return event.id


def aside(path: Path) -> Path:
    (folder,) = path.parent.glob("*.damaged-*")
    return folder


def assert_put_aside(path: Path, content: bytes, kept: list[str]) -> None:
    with pytest.raises(BankDamagedError) as caught:
        FeedbackLog(path)
    assert (aside(path) / path.name).read_bytes() == content
    assert str(aside(path)) in caught.value.message
    assert f"{len(kept)} entries were restored" in caught.value.advice or not kept
    with FeedbackLog(path) as log:
        assert log.event_ids() == kept


@pytest.mark.parametrize("share", [0, 0.001, 0.3, 0.99])
def test_a_truncated_log_is_put_aside_whole_and_made_again(path: Path, share: float) -> None:
    ids = write_some(path)
    content = path.read_bytes()[: int(share * path.stat().st_size)]
    path.write_bytes(content)
    assert_put_aside(path, content, ids)


def test_a_log_with_a_spoilt_page_is_put_aside_whole_and_made_again(path: Path) -> None:
    ids = write_some(path)
    content = bytearray(path.read_bytes())
    content[3 * 4096 : 4 * 4096] = random.Random(1).randbytes(4096)
    path.write_bytes(content)
    assert_put_aside(path, bytes(content), ids)


def test_a_log_whose_database_was_removed_is_made_again(path: Path) -> None:
    ids = write_some(path)
    path.unlink()
    with pytest.raises(BankDamagedError, match="main file is gone") as caught:
        FeedbackLog(path)
    assert f"All {len(ids)} entries were restored" in caught.value.advice
    with FeedbackLog(path) as log:
        assert log.event_ids() == ids


def test_a_log_whose_second_copy_was_removed_gets_it_again(path: Path) -> None:
    ids = write_some(path)
    journal_of(path).path.unlink()
    FeedbackLog(path).close()
    path.unlink()
    with pytest.raises(BankDamagedError):
        FeedbackLog(path)
    with FeedbackLog(path) as log:
        assert log.event_ids() == ids


@pytest.mark.skipif(api.is_wine(), reason="in Wine what SQLite makes takes no access list from its folder")
def test_what_is_put_aside_of_either_copy_is_its_owners_alone_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        write_some(path)
        journal = journal_of(path).path
        journal.write_bytes(journal.read_bytes().replace(b"true", b"tRue", 1))
        path.write_bytes(path.read_bytes()[:5000])
        with pytest.raises(BankDamagedError, match="damaged"):
            FeedbackLog(path)
    finally:
        os.umask(before)
    kept = [path, journal, aside(path), *aside(path).iterdir()]
    assert {path.name, journal.name} <= {each.name for each in kept[2:]}
    assert [each.name for each in kept if not is_private(each)] == []


def test_a_log_of_an_earlier_program_that_is_damaged_and_has_no_second_copy_is_put_aside(path: Path) -> None:
    write_some(path)
    journal_of(path).path.unlink()
    content = path.read_bytes()[:5000]
    path.write_bytes(content)
    assert_put_aside(path, content, [])


def test_a_spoilt_mark_of_the_program_alone_loses_nothing_without_a_second_copy(path: Path) -> None:
    ids = write_some(path)
    journal_of(path).path.unlink()
    flip(path, 70, 3)  # within the application's id
    with pytest.raises(BankDamagedError, match="header") as caught:
        FeedbackLog(path)
    assert f"{len(ids)} of its entries" in caught.value.advice
    with FeedbackLog(path) as log:
        assert log.event_ids() == ids


def write_in_wal_mode(path: Path, tmp_path: Path) -> list[str]:
    """Leave a log as an earlier program that lost its power left it: the last events stand in the -wal alone."""
    there = tmp_path / "earlier" / path.name
    with FeedbackLog(there) as log:
        search(log)
    earlier = sqlite3.connect(there, isolation_level=None)
    earlier.execute("PRAGMA journal_mode=WAL")
    device_id = earlier.execute("SELECT device_id FROM log").fetchone()[0]
    for number in range(5):
        earlier.execute(
            "INSERT INTO event (id, device_id, at, program) VALUES (?, ?, ?, '0.1.0')",
            (f"{number:032}", device_id, "2024-05-06T07:08:09+00:00"),
        )
        earlier.execute("INSERT INTO saved VALUES (?, ?, 'x', '{}')", (f"{number:032}", f"name {number}"))
    for suffix in ("", "-wal"):
        shutil.copy(f"{there}{suffix}", f"{path}{suffix}")
    ids = [each for (each,) in earlier.execute("SELECT id FROM event ORDER BY seq")]
    earlier.close()
    return ids


def test_a_log_in_write_ahead_mode_is_brought_over_after_a_copy(path: Path, tmp_path: Path) -> None:
    ids = write_in_wal_mode(path, tmp_path)
    assert is_wal(path)
    with FeedbackLog(path) as log:
        assert log.event_ids() == ids
    assert not is_wal(path)
    assert not Path(f"{path}-wal").exists()
    with FeedbackLog(path.with_name("feedback.before-journal.sqlite")) as copy:
        assert copy.event_ids() == ids


def test_a_log_in_write_ahead_mode_that_an_earlier_program_has_open_is_shared_with_it(
    path: Path, tmp_path: Path
) -> None:
    write_in_wal_mode(path, tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as earlier:
        assert earlier.execute("SELECT count(*) FROM event").fetchone() == (6,)
        with FeedbackLog(path) as log:
            made = search(log)
            assert earlier.execute("SELECT count(*) FROM event").fetchone() == (7,)
    FeedbackLog(path).close()
    assert not is_wal(path)
    with FeedbackLog(path) as log:
        assert log.event_ids()[-1] == made


def test_what_is_not_in_the_main_file_yet_goes_along(path: Path, tmp_path: Path) -> None:
    write_in_wal_mode(path, tmp_path)
    path.write_bytes(b"spoilt" + path.read_bytes()[6:])
    with pytest.raises(BankDamagedError):
        FeedbackLog(path)
    assert {each.name for each in aside(path).iterdir()} >= {path.name, f"{path.name}-wal"}
    with FeedbackLog(path) as log:
        assert log.event_ids() == []


def test_what_an_interrupted_program_left_in_the_second_copy_alone_is_taken_over(path: Path) -> None:
    ids = write_some(path, 3)
    before = path.read_bytes()
    with FeedbackLog(path) as log:
        log.append([Event(new_id(), utc_now(), Rated(ids[0], "doc1-3", 2))])
        ids = log.event_ids()
    path.write_bytes(before)  # killed before the database had it
    for _ in range(2):
        with FeedbackLog(path) as log:
            assert log.event_ids() == ids
            assert [mark.stars for mark in log.marks().values()].count(2) == 1


def test_a_second_copy_cut_off_anywhere_is_completed_without_a_word(path: Path) -> None:
    """What a power cut can do to a file that is appended to: its end is missing."""
    ids = write_some(path, 20)
    journal = journal_of(path).path
    whole = journal.read_bytes()
    cuts = random.Random(2)  # a seed, so that a failure can be repeated
    for cut in (0, *(cuts.randrange(len(whole)) for _ in range(12))):
        journal.write_bytes(whole[:cut])
        FeedbackLog(path).close()
        assert sorted(journal.read_bytes().splitlines()) == sorted(whole.splitlines())
    path.unlink()
    with pytest.raises(BankDamagedError):
        FeedbackLog(path)
    with FeedbackLog(path) as log:
        assert log.event_ids() == ids


def flip(path: Path, place: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(data)


def small_log(folder: Path) -> tuple[Path, dict[MarkKey, Mark], list[str]]:
    """A log with some of everything, and what it says."""
    path = folder / "feedback.sqlite"
    with FeedbackLog(path) as log:
        search_id = search(log)
        log.append(
            Event(new_id(), utc_now(), content)
            for content in (
                Judged(search_id, "doc1-3", is_relevant=True),
                Rated(search_id, "doc2-3", 4),
                Commented(search_id, "The first one had it all."),
                SearchSaved("arrays", Query("was the array shown")),
                Judged(search_id, "doc1-3", is_relevant=False),
            )
        )
        return path, log.marks(), log.event_ids()


def require_nothing_lost(path: Path, marks: dict[MarkKey, Mark], ids: list[str]) -> None:
    """Open a log, a second time where the first told of damage, and look whether it holds all and can be written."""
    told = []
    for _ in range(3):
        try:
            with FeedbackLog(path) as log:
                assert log.event_ids() == ids
                assert log.marks() == marks
                assert list(log.comments().values()) == ["The first one had it all."]
                assert log.saved_searches() == [SavedSearch("arrays", Query("was the array shown"))]
                assert log.history() == ["the stop"]
                search(log)
                return
        except BankDamagedError as damage:
            told.append(damage.message)
    pytest.fail(f"still damaged after {told}")


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: on a disk, a thousand logs wait minutes for it."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as folder:
        yield Path(folder)


def places_to_flip(size_bytes: int) -> list[tuple[int, int]]:
    """A bit of each of the first hundred bytes, where SQLite has its header, and some of the others."""
    chosen = random.Random(4)  # a seed, so that a failure can be repeated
    header = [(place, chosen.randrange(8)) for place in range(min(100, size_bytes))]
    return header + [(chosen.randrange(size_bytes), chosen.randrange(8)) for _ in range(100)]


@pytest.mark.parametrize("part", ["feedback.sqlite", "feedback.journal.jsonl"])
def test_one_flipped_bit_in_either_copy_loses_nothing(in_memory: Path, part: str) -> None:
    path, marks, ids = small_log(in_memory / "log")
    whole = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    for place, bit in places_to_flip(len(whole[part])):
        shutil.rmtree(path.parent)
        path.parent.mkdir()
        for name, data in whole.items():
            (path.parent / name).write_bytes(data)
        flip(path.parent / part, place, bit)
        try:
            require_nothing_lost(path, marks, ids)
        except BaseException as failure:
            failure.add_note(f"bit {bit} of byte {place}")
            raise


def test_a_newer_log_is_refused_and_left_as_it_is(path: Path) -> None:
    write_some(path)
    newer = len(STEPS) + 3
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {newer}")
    database.close()
    header = {"device_id": "x", "made_at": "2030-01-01T00:00:00+00:00", "made_by": "9.0", "version": newer}
    journal_of(path).append([Record(0, msgspec.json.encode(header))])
    content = path.read_bytes()
    with pytest.raises(BankNewerError) as caught:
        FeedbackLog(path)
    assert f"version {len(STEPS) + 3}" in caught.value.message
    assert f"briefbank {__version__}, reads up to {len(STEPS)}" in caught.value.message
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_left_as_it_is(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE theirs (x)")
    database.close()
    content = path.read_bytes()
    with pytest.raises(UsageError, match="another program"):
        FeedbackLog(path)
    assert path.read_bytes() == content


def test_a_log_of_version_1_is_read_and_written(path: Path) -> None:
    """The file was written by the first program that had a log, and is never written again."""
    shutil.copy(FROZEN, path)
    path.chmod(0o600)
    with FeedbackLog(path) as log:
        assert log.history() == ["was the array shown by a blind administrator", "prolonged stop"]
        assert [saved.name for saved in log.saved_searches()] == ["arrays"]
        assert {(key.text, key.passage_id): mark for key, mark in log.marks().items()} == {
            ("prolonged stop", "doc1-3"): Mark(is_relevant=True, stars=4),
            ("prolonged stop", "doc2-3"): Mark(is_relevant=False),
            ("was the array shown by a blind administrator", "doc5-3"): Mark(stars=5),
        }
        assert list(log.comments().values()) == ["The first one had it all."]
        before = log.event_ids()
        search(log)
        assert log.event_ids()[:-1] == before


STEP = "ALTER TABLE comment ADD COLUMN language TEXT NOT NULL DEFAULT 'en';"


def test_migrating_writes_a_copy_first_and_keeps_every_event(path: Path) -> None:
    ids = write_some(path)
    database = sqlite3.connect(path, isolation_level=None)
    replace(FORMAT, steps=(*STEPS, STEP)).migrate(database, path)
    assert database.execute("PRAGMA user_version").fetchone()[0] == len(STEPS) + 1
    assert database.execute("SELECT language FROM comment").fetchall() == []
    assert [each for (each,) in database.execute("SELECT id FROM event ORDER BY seq")] == ids
    database.close()
    copy = path.with_name(f"feedback.version-{len(STEPS)}.sqlite")
    assert is_private(copy)
    with FeedbackLog(copy) as log:
        assert log.event_ids() == ids


def test_a_migration_that_fails_leaves_the_log_as_it_was(path: Path) -> None:
    ids = write_some(path)
    database = sqlite3.connect(path, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        replace(FORMAT, steps=(*STEPS, STEP + "DROP TABLE nowhere;")).migrate(database, path)
    database.close()
    with FeedbackLog(path) as log:
        assert log.event_ids() == ids
        log.append([Event(new_id(), utc_now(), Rated(ids[0], "doc1-3", 3))])
