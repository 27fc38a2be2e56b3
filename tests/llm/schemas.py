"""Random schemas within bounds, and documents that fit them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.text('abc_é"\\ ', min_size=1, max_size=6)


def bounded(least: int, most: int) -> st.SearchStrategy[tuple[int, int]]:
    numbers = st.integers(least, most)
    return st.tuples(numbers, numbers).map(lambda pair: (min(pair), max(pair)))


LEAVES = st.one_of(
    st.just({"type": "boolean"}),
    bounded(0, 2_000_000).map(lambda pair: {"type": "integer", "minimum": pair[0], "maximum": pair[1]}),
    bounded(0, 12).map(lambda pair: {"type": "string", "minLength": pair[0], "maxLength": pair[1]}),
    st.lists(NAMES, min_size=1, max_size=3).map(lambda values: {"type": "string", "enum": values}),
)


def nested(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    arrays = st.tuples(inner, bounded(0, 3)).map(
        lambda made: {"type": "array", "items": made[0], "minItems": made[1][0], "maxItems": max(made[1][1], 1)}
    )
    objects = st.dictionaries(NAMES, inner, min_size=1, max_size=3).map(
        lambda properties: {"type": "object", "properties": properties}
    )
    return arrays | objects


SCHEMAS = st.recursive(LEAVES, nested, max_leaves=4)


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema["minimum"], schema["maximum"])
        case "string":
            return st.text(min_size=schema["minLength"], max_size=schema["maxLength"])
        case "array":
            return st.lists(fitting(schema["items"]), min_size=schema["minItems"], max_size=schema["maxItems"])
        case _:
            return st.fixed_dictionaries({name: fitting(part) for name, part in schema["properties"].items()})
