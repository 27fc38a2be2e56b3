"""What is left out as too weak, and what stands above what, in the samples: on questions about other things than law,
and on those of the judged sets.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from briefbank.bank.local import Bank
from briefbank.values.bands import arranged, band_headings, by_brief
from briefbank.values.records import Band, Query, SortOrder

SAMPLES = Path(__file__).parents[1] / "data" / "samples" / "office"
JUDGED = Path(__file__).parents[2] / "models" / "judgements" / "headings" / "queries.jsonl"
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


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    made = Bank.create(tmp_path_factory.mktemp("samples") / "bank")
    made.index(SAMPLES)
    return made


def test_no_result_is_less_than_half_as_likely_as_one_that_is_hidden_or_stands_lower(bank: Bank) -> None:
    queries = [json.loads(line)["text"] for line in JUDGED.read_text(encoding="utf-8").splitlines()]
    asked = 0
    for text in queries:
        every = bank.search(Query(text, 1_000, SortOrder.RELEVANCE, include_weak=True)).hits
        asked += bool(every) and all(each.probability is not None for each in every)
        for order in SortOrder:
            hits = arranged(bank.search(Query(text, 30, order)).hits, order)
            for shown in (hits, [brief.best for brief in by_brief(hits, order, 5)]):
                documents = {each.document.id for each in shown}
                lower = max((each.probability or 0 for each in every if each.document.id not in documents), default=0)
                for each in reversed(shown):
                    assert each.probability is not None
                    assert each.probability >= lower / 2, (text, order)
                    assert each.band is not Band.WEAK
                    lower = max(lower, each.probability)
            if order is SortOrder.RECENCY and hits and all(each.band is Band.RELATED for each in hits):
                assert hits[0].rank == 1, text
    assert asked > len(queries) * 0.9


def test_a_point_that_headings_name_is_not_said_to_be_missed(bank: Bank) -> None:
    found = bank.search(Query("prosecutor comments in summation on silence", 30)).hits
    hits = arranged(found, SortOrder.RECENCY)
    told = "\n".join(band_headings(hits))
    assert "Related" in told
    assert "squarely" not in told
    assert hits[0].rank == 1
    assert any("summation" in each.passage.section_path[-1] for each in hits[:4])


def test_the_argument_comes_first_whose_passages_answer_most(bank: Bank) -> None:
    first = bank.arguments("dog sniff prolonged stop").groups[0]
    assert "renfrew after the traffic stop was over" in first.heading.casefold()


def test_off_topic_questions_find_next_to_nothing_in_the_samples(bank: Bank) -> None:
    found = [bank.search(Query(text)).found for text in OFF_TOPIC]
    assert sum(count == 0 for count in found) >= len(OFF_TOPIC) - 1
    assert max(found) <= 2
    assert all(bank.search(Query(text)).found >= 5 for text in ON_TOPIC)
