"""Sections cut by a language model: only numbers come back, and whatever they are, the passages tile the text."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_model import ScriptedModel

from briefbank.errors import InvalidAnswerError, LanguageModelError, TimeLimitError
from briefbank.ingest.segment.breaks import PassageSize
from briefbank.ingest.segment.by_model import ModelCutter

SIZE = PassageSize(target=40, least=10, most=80)


def cutter(*steps: object, context: int = 4096) -> tuple[ModelCutter, ScriptedModel]:
    model = ScriptedModel(*steps, context=context)  # type: ignore[arg-type]
    return ModelCutter(model, 5.0), model


def cuts(*numbers: int) -> str:
    return json.dumps({"cuts": numbers})


def breaks(found: ModelCutter, lengths: list[int], size: PassageSize = SIZE) -> list[int] | None:
    texts = [" ".join(["word"] * length) for length in lengths]
    return found.breaks(texts, np.array(lengths), np.ones(len(lengths), dtype=np.bool_), size)


def test_the_model_says_where_to_cut() -> None:
    found, model = cutter(cuts(2, 4))
    assert breaks(found, [15] * 6) == [2, 4, 6]
    sentences = model.requests[0].messages[-1].text
    assert "[1] word" in sentences
    assert "[6] word" in sentences
    assert "about 40 words" in model.requests[0].messages[0].text


def test_what_is_too_short_is_joined_and_what_is_too_long_is_cut() -> None:
    assert breaks(cutter(cuts(1, 3, 4))[0], [5, 15, 15, 15, 5]) == [3, 5]
    assert breaks(cutter(cuts())[0], [20] * 6) == [2, 4, 6]


def test_a_long_section_is_shown_in_windows_each_from_the_last_cut() -> None:
    found, model = cutter(cuts(40), cuts(10))
    result = breaks(found, [12] * 80, PassageSize(target=150, least=10, most=1_000))
    assert result == [40, 50, 80]
    assert [request.messages[-1].text.count("\n[") for request in model.requests] == [60, 40]


def test_no_window_exceeds_what_the_model_can_see() -> None:
    found, model = cutter(cuts(), context=700)
    assert breaks(found, [40] * 30) is not None
    assert len(model.requests) > 1


@pytest.mark.parametrize("answer", [cuts(3, 2), cuts(2, 2), TimeLimitError("slow"), InvalidAnswerError("nonsense")])
def test_an_answer_of_no_use_is_counted_and_leaves_the_section_to_others(answer: object) -> None:
    found, _ = cutter(answer)
    assert breaks(found, [15] * 6) is None
    assert (found.asked_count, found.refused_count) == (1, 1)


def test_a_model_that_cannot_be_used_stops_the_run() -> None:
    with pytest.raises(LanguageModelError):
        breaks(cutter(LanguageModelError("It died."))[0], [15] * 6)


@given(
    st.lists(st.integers(1, 90), min_size=1, max_size=100),
    st.lists(st.sets(st.integers(1, 60), max_size=20), min_size=1, max_size=5),
)
def test_whatever_it_answers_the_passages_tile_the_section_within_their_bounds(
    lengths: list[int], answers: list[set[int]]
) -> None:
    found, _ = cutter(*(cuts(*sorted(answer)) for answer in answers))
    result = breaks(found, lengths)
    assert result is not None
    assert result == sorted(set(result))
    assert result[-1] == len(lengths)
    firsts = [0, *result[:-1]]
    for first, end in zip(firsts, result, strict=True):
        assert sum(lengths[first:end]) <= SIZE.most or end - first == 1
