"""What the map for newcomers says of the tree."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROWS = MAP.partition("## Where a change goes")[2].partition("\n## ")[0].strip().splitlines()[2:]


@pytest.mark.parametrize("row", ROWS)
def test_every_place_that_a_change_goes_to_is_there(row: str) -> None:
    """A name without a folder is in the folder that was named before it in the same row; lists without one are those
    that an office keeps in its bank.
    """
    folder = ROOT
    for name in re.findall(r"`([\w./]+(?:\.py|\.html|/)|[\w/]+/\w+\.toml)`", row.split("|")[2]):
        found = [each / name for each in (folder, ROOT / "briefbank", ROOT) if (each / name).exists()]
        assert found, f"{name} is nowhere"
        folder = found[0] if found[0].is_dir() else found[0].parent


def test_every_room_is_on_the_map() -> None:
    rooms = MAP.partition("## The rooms")[2].partition("\n## ")[0]
    there = {f"briefbank/{path.name}/" for path in (ROOT / "briefbank").iterdir() if (path / "__init__.py").is_file()}
    modules = {path.name for path in (ROOT / "briefbank").glob("*.py") if not path.name.startswith("__")}
    assert {name for name in there | modules if f"{name}`" not in rooms} == set()


@pytest.mark.parametrize(("room", "most"), re.findall(r"^\| `([\w/]+)/` \| ([\d,]+) \|", MAP, re.MULTILINE))
def test_no_room_outgrows_its_budget(room: str, most: str) -> None:
    """A feature enters when another leaves, or the budget is raised on purpose, in a commit of its own."""
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / room).rglob("*.py"))
    assert lines <= int(most.replace(",", "")), f"{room} has {lines} lines"


def test_no_two_modules_of_the_tests_carry_one_name() -> None:
    """They are imported by their names alone, so that of two the one found first would stand for both."""
    modules = (path for path in (ROOT / "tests").rglob("*.py") if not (path.parent / "__init__.py").exists())
    counts = Counter(path.name for path in modules if path.name != "conftest.py")
    assert [name for name, count in counts.items() if count > 1] == []
