"""Progress of an index run: counts and time left."""

from __future__ import annotations

from pathlib import Path

from briefbank.ingest.discover import SourceFile
from briefbank.ingest.meter import Meter
from briefbank.platform.progress import Progress

BRIEFS = Path("/briefs")
SIZES = (("a", 100), ("b", 300))
FILES = [SourceFile(BRIEFS / f"{name}.pdf", size, 0, supported=True, folder=BRIEFS) for name, size in SIZES]


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_the_file_that_is_read_longest_is_named_until_it_is_done() -> None:
    told: list[Progress] = []
    meter = Meter(told.append, Clock())
    meter.expect(FILES)
    meter.began(FILES[0])
    meter.began(FILES[1])
    meter.page()
    meter.file(FILES[0], 1, is_failed=False)
    meter.file(FILES[1], 1, is_failed=False)
    assert [each.current for each in told] == ["", "a.pdf", "a.pdf", "a.pdf", "b.pdf", ""]


def test_the_time_left_follows_from_the_bytes_left() -> None:
    told: list[Progress] = []
    clock = Clock()
    meter = Meter(told.append, clock)
    clock.now += 100  # looking around does not count
    meter.expect(FILES)
    clock.now += 10
    meter.file(FILES[0], 1, is_failed=False)
    assert told[-1].seconds_left == 30
    assert told[-1].elapsed_s == 110
    clock.now += 30
    meter.file(FILES[1], 1, is_failed=False)
    assert told[-1].seconds_left == 0


def test_no_time_is_estimated_before_there_is_enough_to_go_by() -> None:
    told: list[Progress] = []
    clock = Clock()
    meter = Meter(told.append, clock)
    meter.stage("looking")
    meter.expect(FILES)
    clock.now += 1
    meter.file(FILES[0], 1, is_failed=False)
    assert [each.seconds_left for each in told] == [None] * 3
    assert told[0].files_total is None


def test_from_a_small_part_of_the_work_nothing_is_estimated() -> None:
    told: list[Progress] = []
    clock = Clock()
    meter = Meter(told.append, clock)
    whole = SourceFile(BRIEFS / "scan.pdf", 99_000, 0, supported=True, folder=BRIEFS)
    meter.expect([*FILES, whole])
    clock.now += 60
    meter.file(FILES[0], 1, is_failed=False)
    meter.file(FILES[1], 1, is_failed=False)
    assert told[-1].seconds_left is None


def test_an_estimate_does_not_leap() -> None:
    told: list[Progress] = []
    clock = Clock()
    meter = Meter(told.append, clock)
    sizes = (100, 10, 890)
    files = [SourceFile(BRIEFS / f"{size}.pdf", size, 0, supported=True, folder=BRIEFS) for size in sizes]
    meter.expect(files)
    clock.now += 10
    meter.file(files[0], 1, is_failed=False)
    assert told[-1].seconds_left == 90
    clock.now += 10
    meter.file(files[1], 1, is_failed=False)  # by itself 162: the pace has halved
    assert 110 < (told[-1].seconds_left or 0) < 130
    clock.now += 1
    meter.file(files[2], 1, is_failed=False)
    assert told[-1].seconds_left == 0


def test_writing_has_counts_and_an_estimate_of_its_own() -> None:
    told: list[Progress] = []
    clock = Clock()
    meter = Meter(told.append, clock)
    meter.expect(FILES)
    clock.now += 100
    meter.file(FILES[0], 1, is_failed=False)
    meter.stage("writing the index", 4)
    assert (told[-1].files_done, told[-1].files_total, told[-1].seconds_left) == (0, 4, None)
    clock.now += 20
    meter.written()
    assert (told[-1].files_done, told[-1].seconds_left) == (1, 60)
    meter.stage("finishing the index")
    assert (told[-1].files_total, told[-1].seconds_left) == (None, None)
