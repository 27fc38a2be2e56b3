"""How much is found in passages marked by hand: some were read while the rules were written, others never."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from briefbank.law.anonymise import find_personal

MARKED = Path(__file__).parents[1] / "data" / "anonymise"
FLOORS = {
    "build": (0.99, 0.99, 0.99),
    "more": (0.97, 0.99, 0.95),
    "held_out": (0.97, 0.98, 0.95),
    "rare": (0.94, 0.98, 0.94),
    "office": (0.98, 0.99, 0.95),
    "states": (0.98, 0.99, 0.92),
    "fresh_read": (0.97, 0.99, 0.9),
    "fresh_unread": (0.97, 0.98, 0.92),
}
"""Share of the marked entities found, of the citations kept, of what was found that was marked."""


@cache
def measured(half: str) -> dict[str, float]:
    """Every marked entity counts once, and as found only if each letter of it would go."""
    counts: Counter[str] = Counter()
    for line in (MARKED / f"marked_{half}.jsonl").read_text(encoding="utf-8").splitlines():
        passage: dict[str, Any] = json.loads(line)
        text = passage["text"]
        (found,) = find_personal([text]).found
        gone = {place for each in found for place in range(*each.span)}
        for entity in passage["remove"]:
            letters = {place for place in range(entity["start"], entity["end"]) if text[place].isalnum()}
            counts["entities"] += 1
            counts["removed"] += letters <= gone
        for kept in passage["keep"]:
            counts[kept["kind"]] += 1
            counts[f"{kept['kind']} kept"] += gone.isdisjoint(range(kept["start"], kept["end"]))
        marked = {place for entity in passage["remove"] for place in range(entity["start"], entity["end"])}
        counts["found"] += len(found)
        counts["rightly found"] += sum(not marked.isdisjoint(range(*each.span)) for each in found)
    return {
        "recall": counts["removed"] / counts["entities"],
        "citations": counts["citation kept"] / counts["citation"],
        "terms": counts["term kept"] / counts["term"],
        "precision": counts["rightly found"] / counts["found"],
    }


@pytest.mark.parametrize("half", FLOORS)
def test_marked_people_go_and_citations_stay(half: str) -> None:
    recall, citations, precision = FLOORS[half]
    figures = measured(half)
    assert figures["recall"] >= recall
    assert figures["citations"] >= citations
    assert figures["precision"] >= precision
