"""The file of the log: damaged, of another program, older, newer, written by two."""

from __future__ import annotations

import random
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest
from hits import result

from briefbank import __version__
from briefbank.errors import BankDamagedError, BankNewerError, UsageError
from briefbank.judgements.feedback import schema
from briefbank.judgements.feedback.events import Event, Judged, Rated, Searched, new_id, shown_as, utc_now
from briefbank.judgements.feedback.log import FeedbackLog, Mark
from briefbank.records import Query

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


def assert_put_aside(path: Path, content: bytes) -> None:
    with pytest.raises(BankDamagedError) as caught:
        FeedbackLog(path)
    assert not path.exists()
    assert (aside(path) / path.name).read_bytes() == content
    assert str(aside(path)) in caught.value.message
    assert "new log" in caught.value.advice
    with FeedbackLog(path) as log:
        assert log.event_ids() == []


@pytest.mark.parametrize("share", [0, 0.001, 0.01, 0.3, 0.7, 0.99])
def test_a_truncated_log_is_put_aside_whole(path: Path, share: float) -> None:
    write_some(path)
    content = path.read_bytes()[: int(share * path.stat().st_size)]
    path.write_bytes(content)
    assert_put_aside(path, content)


def test_a_log_with_a_spoilt_page_is_put_aside_whole(path: Path) -> None:
    write_some(path)
    content = bytearray(path.read_bytes())
    content[3 * 4096 : 4 * 4096] = random.Random(1).randbytes(4096)
    path.write_bytes(content)
    assert_put_aside(path, bytes(content))


def test_a_file_that_is_no_database_is_put_aside(path: Path) -> None:
    path.write_bytes(b"a letter, not a database " * 200)
    assert_put_aside(path, b"a letter, not a database " * 200)


def test_what_is_not_in_the_main_file_yet_goes_along(path: Path, tmp_path: Path) -> None:
    log = FeedbackLog(path)
    search(log)
    for name in (path.name, f"{path.name}-wal"):  # as after a power cut: the last events stand in the -wal
        shutil.copy(tmp_path / name, tmp_path / f"copied-{name}")
    log.close()
    copied = tmp_path / f"copied-{path.name}"
    copied.write_bytes(b"spoilt" + copied.read_bytes()[6:])
    with pytest.raises(BankDamagedError):
        FeedbackLog(copied)
    assert {each.name for each in aside(path).iterdir()} >= {copied.name, f"{copied.name}-wal"}
    with FeedbackLog(copied) as log:
        assert log.event_ids() == []


def test_a_log_whose_main_file_was_removed_leaves_nothing_to_the_next(path: Path, tmp_path: Path) -> None:
    log = FeedbackLog(path)
    search(log)
    shutil.copy(f"{path}-wal", tmp_path / "copied-wal")
    log.close()
    path.unlink()
    shutil.move(tmp_path / "copied-wal", f"{path}-wal")
    with pytest.raises(BankDamagedError, match="main file is gone"):
        FeedbackLog(path)
    with FeedbackLog(path) as log:
        assert log.event_ids() == []


def test_a_log_cut_off_anywhere_while_it_was_written_keeps_what_came_before(path: Path, tmp_path: Path) -> None:
    """What a power cut can do to a file that is appended to: its end is missing."""
    log = FeedbackLog(path)
    search_id = search(log)
    for _ in range(20):
        log.append([Event(new_id(), utc_now(), Judged(search_id, "doc1-3", is_relevant=True))])
    ids = log.event_ids()
    main, tail = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    log.close()
    cuts = random.Random(2)  # a seed, so that a failure can be repeated
    seen = set()
    for number in range(30):
        copied = tmp_path / f"{number}.sqlite"
        copied.write_bytes(main)
        Path(f"{copied}-wal").write_bytes(tail[: cuts.randrange(len(tail))])
        with FeedbackLog(copied) as log:
            kept = log.event_ids()
        assert kept == ids[: len(kept)]
        seen.add(len(kept))
    assert len(seen) > 5


def test_a_newer_log_is_refused_and_left_as_it_is(path: Path) -> None:
    write_some(path)
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {len(schema.STEPS) + 3}")
    database.close()
    content = path.read_bytes()
    with pytest.raises(BankNewerError) as caught:
        FeedbackLog(path)
    assert f"version {len(schema.STEPS) + 3}" in caught.value.message
    assert f"briefbank {__version__}, reads up to {len(schema.STEPS)}" in caught.value.message
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
    schema.migrate(database, path, (*schema.STEPS, STEP))
    assert database.execute("PRAGMA user_version").fetchone()[0] == len(schema.STEPS) + 1
    assert database.execute("SELECT language FROM comment").fetchall() == []
    assert [each for (each,) in database.execute("SELECT id FROM event ORDER BY seq")] == ids
    database.close()
    copy = path.with_name(f"feedback.version-{len(schema.STEPS)}.sqlite")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with FeedbackLog(copy) as log:
        assert log.event_ids() == ids


def test_a_migration_that_fails_leaves_the_log_as_it_was(path: Path) -> None:
    ids = write_some(path)
    database = sqlite3.connect(path, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        schema.migrate(database, path, (*schema.STEPS, STEP + "DROP TABLE nowhere;"))
    database.close()
    with FeedbackLog(path) as log:
        assert log.event_ids() == ids
        log.append([Event(new_id(), utc_now(), Rated(ids[0], "doc1-3", 3))])
