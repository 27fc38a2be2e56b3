"""JSON schemas that answers are held to: the grammar that llama.cpp writes by, and the check of what it wrote.

Only what has bounds is allowed: a small model that may write strings or arrays without end does so. Knows no model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from briefbank.errors import InvalidAnswerError

Schema = Mapping[str, Any]

_MOST = 2_000
"""llama.cpp refuses grammars that repeat something more often."""
_KEYS = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems", "maxItems"},
    "string": {"minLength", "maxLength", "enum"},
    "integer": {"minimum", "maximum"},
    "boolean": set[str](),
}
_COMMON_RULES = r"""
sp ::= " "?
char ::= [^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]
"""


def grammar_of(schema: Schema) -> str:
    """The grammar, in llama.cpp's notation, of the JSON documents that fit a schema.

    Allowed are `object` (every property is required, in the order given), `array` with `maxItems`, `string` with
    `maxLength` or `enum`, `integer` with `minimum` (at least 0) and `maximum`, `boolean`.

    Raises:
        ValueError: the schema has no such bounds, or asks for more than that.
    """
    return f"root ::= {_expression(schema, 'the schema')}{_COMMON_RULES}"


def _expression(schema: Schema, where: str) -> str:
    kind = schema.get("type", "string" if "enum" in schema else None)
    if kind not in _KEYS:
        raise ValueError(f"{where}: the type must be one of {', '.join(_KEYS)}")
    if unknown := set(schema) - _KEYS[kind] - {"type", "description"}:
        raise ValueError(f"{where}: {', '.join(sorted(unknown))} cannot be held by the grammar")
    match kind:
        case "object":
            return _object(schema, where)
        case "array":
            return _array(schema, where)
        case "integer":
            return _integer(schema, where)
        case "boolean":
            return '("true" | "false")'
        case _:
            return _string(schema, where)


def _object(schema: Schema, where: str) -> str:
    properties: Mapping[str, Schema] = schema.get("properties", {})
    if set(schema.get("required", properties)) != set(properties):
        raise ValueError(f"{where}: every property must be required")
    members = [f"{_literal(f'{json.dumps(name)}:')} sp {_expression(properties[name], name)}" for name in properties]
    return f'("{{" {_SEPARATOR.join(members)} "}}")'


_SEPARATOR = ' "," sp '


def _array(schema: Schema, where: str) -> str:
    least, most = _bounds(schema, "minItems", "maxItems", where)
    if most == 0:
        raise ValueError(f"{where}: an array must have room for something")
    item = _expression(schema.get("items", {}), f"{where}[]")
    items = f'{item} ("," sp {item}){{{max(least - 1, 0)},{most - 1}}}'
    return f'("[" {items if least else f"({items})?"} "]")'


def _string(schema: Schema, where: str) -> str:
    if "enum" in schema:
        if not schema["enum"] or not all(isinstance(value, str) for value in schema["enum"]):
            raise ValueError(f"{where}: an enum holds strings")
        return f"({' | '.join(_literal(json.dumps(value, ensure_ascii=False)) for value in schema['enum'])})"
    least, most = _bounds(schema, "minLength", "maxLength", where)
    return rf'("\"" char{{{least},{most}}} "\"")'


def _integer(schema: Schema, where: str) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if not (isinstance(least, int) and isinstance(most, int) and 0 <= least <= most):
        raise ValueError(f"{where}: an integer needs minimum, not below 0, and maximum")
    ways = []
    for digits in range(len(str(least)), len(str(most)) + 1):
        first = max(least, 10 ** (digits - 1) if digits > 1 else 0)
        ways.append(_between(str(first), str(min(most, 10**digits - 1))))
    return f"({' | '.join(ways)})"


def _between(least: str, most: str) -> str:
    """The numbers from one to the other, which have the same length, digit by digit."""
    rest = len(least) - 1
    if rest < 0:
        return '""'
    if not least.strip("0") and not most.strip("9"):
        return f"[0-9]{{{len(least)}}}"
    if least[0] == most[0]:
        return f'"{least[0]}" {_between(least[1:], most[1:])}'
    ways = [f'"{least[0]}" {_between(least[1:], "9" * rest)}', f'"{most[0]}" {_between("0" * rest, most[1:])}']
    if int(most[0]) - int(least[0]) > 1:
        ways.append(f"[{int(least[0]) + 1}-{int(most[0]) - 1}] [0-9]{{{rest}}}")
    return f"({' | '.join(ways)})"


def _bounds(schema: Schema, least_key: str, most_key: str, where: str) -> tuple[int, int]:
    least, most = schema.get(least_key, 0), schema.get(most_key)
    if not (isinstance(most, int) and isinstance(least, int) and 0 <= least <= most <= _MOST):
        raise ValueError(f"{where}: {most_key} must be given, and be at most {_MOST}")
    return least, most


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def check_answer(text: str, schema: Schema) -> None:
    """Hold a complete answer against its schema: grammars have been known to fail open.

    Raises:
        InvalidAnswerError: it is not JSON, or does not fit.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _invalid("it is not JSON") from None  # the error would quote the text
    if not _fits(value, schema):
        raise _invalid("it does not have the form asked for")


def _invalid(why: str) -> InvalidAnswerError:
    advice = "Try again; if it happens often, another model follows instructions better."
    return InvalidAnswerError(f"The language model's answer is of no use: {why}.", advice)


def _fits(value: object, schema: Schema) -> bool:
    match value:
        case bool():
            return schema.get("type") == "boolean"
        case int():
            return schema.get("type") == "integer" and bool(schema["minimum"] <= value <= schema["maximum"])
        case str() if "enum" in schema:
            return value in schema["enum"]
        case str():
            return schema.get("type") == "string" and _is_within(value, schema, "minLength", "maxLength")
        case list():
            return (
                schema.get("type") == "array"
                and _is_within(value, schema, "minItems", "maxItems")
                and all(_fits(item, schema["items"]) for item in value)
            )
        case dict():
            return (
                schema.get("type") == "object"
                and value.keys() == schema["properties"].keys()
                and all(_fits(value[name], part) for name, part in schema["properties"].items())
            )
    return False


def _is_within(value: str | list[object], schema: Schema, least_key: str, most_key: str) -> bool:
    return bool(schema.get(least_key, 0) <= len(value) <= schema[most_key])
