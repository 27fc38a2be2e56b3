"""How much of what was planted in 240 summaries the check finds, and how often it doubts what is true.

The held-out half was not looked at while the check was built. Wrong holdings are made of right words, so that nothing
that compares words can find them; they are counted apart.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import pytest

from briefbank.law.grounding import Source

DATA = Path(__file__).parents[1] / "data" / "summaries"
PAIRS = 100
CAUGHT_FLOOR, ALARM_CEILING = 0.98, 0.03


@dataclass
class Count:
    """So many of so many."""

    hits: int = 0
    total: int = 0

    def add(self, *, is_hit: bool) -> None:
        self.hits += is_hit
        self.total += 1

    @property
    def rate(self) -> float:
        return self.hits / self.total

    def __str__(self) -> str:
        """The rate with its 95 % interval by Wilson."""
        z2 = 1.96**2
        centre = (self.rate + z2 / (2 * self.total)) / (1 + z2 / self.total)
        half = math.sqrt(z2 * (self.rate * (1 - self.rate) / self.total + z2 / (4 * self.total**2)))
        half /= 1 + z2 / self.total
        return f"{self.hits} of {self.total} = {self.rate:.1%} ({centre - half:.1%} to {centre + half:.1%})"


@pytest.mark.parametrize("half", ["build", "held_out"])
def test_planted_inventions_are_caught_and_clean_sentences_left_alone(half: str) -> None:
    caught, alarms, holdings = Count(), Count(), Count()
    lines = (DATA / f"checked_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    for pair in map(json.loads, lines):
        source = Source(pair["source"])
        for sentence in pair["sentences"]:
            text, error = sentence["text"], sentence["error"]
            doubts = source.doubts(text)
            if error is None:
                alarms.add(is_hit=bool(doubts))
                continue
            start = text.index(error["span"])
            end = start + len(error["span"])
            found = any(doubt.span.start < end and start < doubt.span.end for doubt in doubts)
            (holdings if error["kind"] == "holding" else caught).add(is_hit=found)
    told = f"{half}: caught {caught}; false alarms {alarms}; wrong holdings {holdings}"
    print(told)
    assert len(lines) >= PAIRS
    assert caught.rate >= CAUGHT_FLOOR, told
    assert alarms.rate <= ALARM_CEILING, told
