"""The threshold for weak matches, on questions about other things than law."""

from __future__ import annotations

from pathlib import Path

import pytest

from briefbank.bank.local import Bank
from briefbank.values.records import Query

SAMPLES = Path(__file__).parents[1] / "data" / "samples" / "office"
OFF_TOPIC = (
    "chocolate cake recipe with walnuts",
    "how tall is mount everest",
    "weather in paris tomorrow",
    "asdf qwer zxcv",
    "football scores from sunday",
    "how to change a bicycle tire",
    "photosynthesis in desert plants",
    "guitar chords for beginners",
    "knitting pattern for a scarf",
    "who won the world cup",
)
ON_TOPIC = ("is consent valid if the stop was prolonged", "speedy trial", "withdrawal of a guilty plea", "dog sniff")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
]


def test_off_topic_questions_find_next_to_nothing_in_the_samples(tmp_path: Path) -> None:
    bank = Bank.create(tmp_path / "bank")
    bank.index(SAMPLES)
    found = [bank.search(Query(text)).found for text in OFF_TOPIC]
    assert sum(count == 0 for count in found) >= len(OFF_TOPIC) - 1
    assert max(found) <= 2
    assert all(bank.search(Query(text)).found >= 5 for text in ON_TOPIC)
