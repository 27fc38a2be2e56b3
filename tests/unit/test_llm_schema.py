"""Schemas of answers: only bounded ones, numbers held exactly, and a check that trusts no grammar."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm.schemas import SCHEMAS, bounded, fitting

from briefbank.errors import InvalidAnswerError
from briefbank.models.language.schema import check_answer, grammar_of


@given(st.data(), SCHEMAS)
def test_every_document_that_fits_passes(data: st.DataObject, schema: dict[str, Any]) -> None:
    assert grammar_of(schema).startswith("root ::= ")
    check_answer(json.dumps(data.draw(fitting(schema))), schema)


@given(bounded(0, 3_000))
def test_the_grammar_of_an_integer_holds_its_bounds_exactly(bounds: tuple[int, int]) -> None:
    least, most = bounds
    rule = grammar_of({"type": "integer", "minimum": least, "maximum": most}).splitlines()[0].removeprefix("root ::= ")
    pattern = re.compile(rule.replace('"', "").replace(" ", ""))
    near = {0, least - 1, least, (least + most) // 2, most, most + 1, 10 * most + 9}
    assert {n for n in near if n >= 0 and pattern.fullmatch(str(n))} == {n for n in near if least <= n <= most}
    assert not pattern.fullmatch(f"0{most}")


OBJECT = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 5},
        "rank": {"type": "integer", "minimum": 1, "maximum": 3},
        "all": {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
    },
}


@pytest.mark.parametrize(
    "text",
    [
        "not JSON",
        '{"text": "abcdef", "rank": 1, "all": []}',
        '{"text": "abc", "rank": 4, "all": []}',
        '{"text": "abc", "rank": 1, "all": [true, true, true]}',
        '{"text": "abc", "rank": 1, "all": [], "more": 1}',
        "[" * 100_000,
    ],
)
def test_an_answer_that_does_not_fit_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(InvalidAnswerError) as caught:
        check_answer(text, OBJECT)
    assert "abc" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"type": "string"}, "maxLength"),
        ({"type": "array", "items": {"type": "boolean"}}, "maxItems"),
        ({"type": "integer", "minimum": 0}, "maximum"),
        ({"type": "string", "maxLength": 9, "pattern": "a*"}, "pattern"),
        ({}, "type"),
    ],
)
def test_a_schema_without_bounds_is_refused(schema: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        grammar_of(schema)
