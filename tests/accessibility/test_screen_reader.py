"""What a screen reader is told of the window, through the accessibility bus of the system (AT-SPI)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import desk
import pytest
from desk import Desk, Listener, Node

WHY_NOT = desk.missing()
pytestmark = [pytest.mark.accessibility, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]
QUESTION = "consent to search"
PLACE = re.compile(r"\d of \d briefs")
WITHOUT_MEANING = {"filler", "unknown", "invalid", "panel"}
"""Roles of which a screen reader says nothing, or nothing that tells what can be done."""


@pytest.fixture(scope="module")
def bench() -> Iterator[Desk]:
    with desk.set_up() as made:
        yield made


@pytest.fixture
def reader(bench: Desk, library_bank: Path, tmp_path: Path) -> Iterator[Listener]:
    with bench.listening(library_bank, tmp_path) as listener:
        yield listener


def asked(reader: Listener) -> None:
    """Ask a question and go to its first result."""
    reader.type(QUESTION)
    reader.press("Return")
    reader.hears(lambda each: each.type == "announcement" and "briefs" in each.said, "how many briefs were found")
    reader.press("Ctrl+j")
    reader.until(lambda: reader.focused.startswith("1 of "), "the first result")


def paged(reader: Listener) -> None:
    """Wait for the page of the result."""
    reader.until(lambda: "document frame" in {each.role for each in reader.tree()}, "the page")


def collected(reader: Listener) -> None:
    """Ask, and collect the first result in a new matter."""
    asked(reader)
    reader.press("a")
    reader.until(lambda: "Name a new matter" in reader.focused, "the question for a name")
    reader.type("oakes")
    reader.press("Return")
    reader.hears(lambda each: each.said.startswith("Added to oakes"), "that it was added")


def nameless(nodes: Iterable[Node]) -> list[Node]:
    return [each for each in nodes if "focusable" in each.states and not each.spoken.strip()]


def test_all_that_takes_the_focus_in_a_search_has_a_name_and_a_role(reader: Listener) -> None:
    asked(reader)
    paged(reader)
    reader.press("x", "Ctrl+Shift+o")
    reader.named("Headings of this brief")
    reader.press("Ctrl+f")
    reader.named("Find in this brief")
    nodes = reader.tree()
    assert len([each for each in nodes if "focusable" in each.states]) > 40
    assert nameless(nodes) == []
    assert [each for each in nodes if "focusable" in each.states and each.role in WITHOUT_MEANING] == []
    assert [each for each in nodes if "<" in each.description] == []
    assert {"document frame", "list item"} <= {each.role for each in nodes}


@pytest.mark.parametrize(
    ("keys", "focused"),
    [
        ("Ctrl+2", "Type to narrow the briefs: a name, a docket, a court, a year"),
        ("Ctrl+3", "What did we argue? Words of a heading, or what it is about"),
        ("Ctrl+4", "What is in the matter"),
        ("Ctrl+5", "Check a draft …"),
        ("Ctrl+6", "A citation, a rule, or words of a case’s name; Return shows its card"),
        ("Ctrl+7", "Which brief? A name, a docket, a court, a year"),
        ("Ctrl+Comma", "Close"),
        ("Ctrl+i", "Folder of briefs"),
        ("F1", "Sections of the help"),
        ("F8", "Files that need attention"),
    ],
)
def test_all_that_takes_the_focus_elsewhere_has_a_name_and_a_role(reader: Listener, keys: str, focused: str) -> None:
    collected(reader)
    reader.press(keys)
    reader.until(lambda: focused in reader.focused, f"{focused} in {reader.focused}")
    nodes = reader.tree()
    assert nameless(nodes) == []
    assert [each for each in nodes if "focusable" in each.states and each.role in WITHOUT_MEANING] == []
    assert [each for each in nodes if "<" in each.description] == []


def test_the_choices_of_an_export_are_named(reader: Listener) -> None:
    collected(reader)
    reader.press("Ctrl+4")
    reader.until(lambda: "What is in the matter" in reader.focused, "the matter")
    reader.press("Ctrl+Shift+e")
    reader.until(lambda: "Passages" in {each.label for each in reader.tree()}, "the dialog")
    nodes = reader.tree()
    assert nameless(nodes) == []
    boxes = {each.label: each.name for each in nodes if each.role == "combo box"}
    assert boxes["Passages"] == "Block quotes"
    assert boxes["Sources"] == "A line below each passage"


def test_results_are_gone_through_from_the_first_to_the_last_and_then_comes_the_page(reader: Listener) -> None:
    asked(reader)
    paged(reader)
    nodes = reader.tree()
    names = [each.spoken for each in nodes]
    places = [number for number, name in enumerate(names) if PLACE.match(name)]
    briefs = len(places)
    assert briefs > 2
    assert [names[each].partition(",")[0] for each in places] == [
        f"{each} of {briefs} briefs" for each in range(1, briefs + 1)
    ]
    assert places[-1] < [each.role for each in nodes].index("document frame")


def test_the_words_of_each_passage_can_be_read_where_they_stand(reader: Listener) -> None:
    asked(reader)
    nodes = reader.tree()
    cards = " ".join(each.name for each in nodes if each.role == "list item")
    labels = [each.name.strip("… ") for each in nodes if each.role == "label"]
    assert [each for each in labels if "consent" in each and len(each) > 80 and each[:60] in " ".join(cards.split())]


def test_a_judgement_is_told_and_its_button_is_checked(reader: Listener) -> None:
    asked(reader)
    reader.press("r")
    reader.hears(lambda each: each.said.startswith("Marked relevant"), "that it is marked")
    reader.until(lambda: "checked" in reader.named("Relevant, recorded").states, "a button that is down")
    reader.press("Ctrl+z")
    reader.hears(lambda each: each.said.startswith("Undone"), "that it is undone")
    assert "checked" not in reader.named("Relevant").states


def test_what_opens_says_whether_it_is_open(reader: Listener) -> None:
    asked(reader)
    reader.press("x")
    reader.hears(lambda each: each.said.startswith("The passages around"), "context is shown")
    reader.press("s")
    reader.until(lambda: any(each.name.endswith(", open") for each in reader.tree()), "an opened summary")
    reader.press("s")
    reader.until(lambda: any(each.name.endswith(", collapsed") for each in reader.tree()), "a closed one")


def test_a_space_is_named_by_its_button_and_the_focus_goes_straight_to_its_field(reader: Listener) -> None:
    reader.press("Ctrl+3")
    told = reader.hears(lambda each: each.is_on and each.name.startswith("What did we argue?"), "the new focus")
    assert {each.name for each in told if each.type == "focused"} & {"Search", "Did this search help?"} == set()
    assert "checked" in reader.named("Arguments").states
    assert "checked" not in reader.named("Search").states
