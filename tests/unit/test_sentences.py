"""Where sentences of legal prose end."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.ingest.sentences import sentence_spans

MARKED = (Path(__file__).parents[1] / "data" / "sentences.txt").read_text(encoding="utf-8").splitlines()


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text)]


@pytest.mark.parametrize("marked", MARKED)
def test_legal_sentences_end_where_they_are_marked(marked: str) -> None:
    assert sentences(marked.replace("‖", "")) == marked.split("‖")


def test_a_blank_line_ends_a_sentence_without_a_full_stop() -> None:
    assert sentences("STATEMENT OF FACTS\n\nHe ran.") == ["STATEMENT OF FACTS\n\n", "He ran."]


@pytest.mark.parametrize("cite", ["(3RR 35)", "(R.R. Vol. 4 at 92)", "(5RR 129) (6RR 88)", "[6 RR 58–59]"])
def test_a_record_cite_without_a_full_stop_is_a_sentence_of_its_own(cite: str) -> None:
    text = f"The van slowed down. {cite} The trooper followed it."
    assert sentences(text) == ["The van slowed down. ", f"{cite} ", "The trooper followed it."]


@pytest.mark.parametrize(
    "text", ["(a)(1) The court may order it.", "The van (Exhibit 4) The Grey was seen.", "(2) He ran."]
)
def test_other_brackets_end_no_sentence(text: str) -> None:
    assert sentences(text) == [text]


@given(st.text(alphabet=st.sampled_from("aBv1. ?!\n\t()[]“”’…§¶*")) | st.text())
def test_sentence_spans_tile_any_text(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join(text[span.start : span.end] for span in spans) == text
    assert all(before.end == after.start for before, after in pairwise(spans))
    assert all(span.start < span.end for span in spans)


@given(st.text(alphabet=st.sampled_from("aBv1. ?!\n“”")))
def test_white_space_belongs_to_the_sentence_before(text: str) -> None:
    assert not any(text[span.start].isspace() for span in sentence_spans(text)[1:])


@pytest.mark.parametrize("unit", ["a. ", ". ", "! ", "(", "e.g. ", "a\n\n"])
@pytest.mark.timeout(30)
def test_monotonous_text_takes_no_more_than_linear_time(unit: str) -> None:
    assert sentence_spans(unit * 10_000)[-1].end == 10_000 * len(unit)
