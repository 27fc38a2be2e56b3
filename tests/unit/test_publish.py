"""Generations going live, kept, and gone back to."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from briefbank.errors import BankDamagedError, BankMissingError
from briefbank.index.publish import generation_before, live_generation, make_live, publish, start_generation
from briefbank.platform.layout import Layout

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "bank")
    made.create()
    return made


def publish_one(layout: Layout, hour: int = 12) -> str:
    building = start_generation(layout, NOON.replace(hour=hour))
    (building / "content").write_text(str(hour), encoding="utf-8")
    return publish(layout, building)


def kept(layout: Layout) -> list[str]:
    return sorted(path.name for path in layout.generations.iterdir())


def test_a_generation_is_live_once_published(layout: Layout) -> None:
    building = start_generation(layout, NOON)
    assert building.name.endswith(".building")
    with pytest.raises(BankMissingError):
        live_generation(layout)
    name = publish(layout, building)
    assert live_generation(layout) == layout.generation(name)
    assert name == "20240301T120000Z"


def test_no_name_is_given_twice_within_a_second_though_older_generations_are_gone(layout: Layout) -> None:
    names = [publish_one(layout) for _ in range(12)]
    assert len(set(names)) == 12, "who holds one open would take the other for it, and answer from what is gone"
    make_live(layout, names[-2])
    assert publish_one(layout) not in names


def test_the_one_before_is_kept_and_older_ones_go(layout: Layout) -> None:
    names = [publish_one(layout, hour) for hour in (9, 10, 11)]
    assert kept(layout) == names[1:]


def test_what_an_interrupted_run_left_is_removed_by_the_next(layout: Layout) -> None:
    live = publish_one(layout, 8)
    start_generation(layout, NOON)
    (layout.generations / "old.removing").mkdir()
    building = start_generation(layout, NOON.replace(hour=13))
    assert kept(layout) == [live, building.name]


def rollback(layout: Layout) -> str:
    make_live(layout, name := generation_before(layout))
    return name


def test_rolling_back_goes_to_the_one_before_and_forth_again(layout: Layout) -> None:
    older, newer = publish_one(layout, 9), publish_one(layout, 10)
    assert rollback(layout) == older
    assert layout.current() == older
    assert rollback(layout) == newer


def test_publishing_after_a_rollback_keeps_the_one_rolled_back_to(layout: Layout) -> None:
    older, _newer = publish_one(layout, 9), publish_one(layout, 10)
    rollback(layout)
    newest = publish_one(layout, 11)
    assert kept(layout) == [older, newest]


def test_there_is_nothing_to_roll_back_to_at_first(layout: Layout) -> None:
    with pytest.raises(BankMissingError):
        rollback(layout)
    publish_one(layout)
    start_generation(layout, NOON.replace(hour=13))
    with pytest.raises(BankMissingError):
        rollback(layout)


def test_a_live_generation_that_is_gone_is_damage_that_rolling_back_mends(layout: Layout) -> None:
    older, newer = publish_one(layout, 9), publish_one(layout, 10)
    layout.generation(newer).rename(layout.generations / "elsewhere.removing")
    with pytest.raises(BankDamagedError, match=newer) as caught:
        live_generation(layout)
    assert "rollback" in caught.value.advice
    assert rollback(layout) == older
    assert live_generation(layout).name == older
