"""The text of an electronic form (XFA), whose pages another program would draw: what is printed on it, and what was
filled in. Knows its XML, not PDF; after XFA 3.3 (2012), with the values put to fields by their names in order.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

_UNSEEN = frozenset({"hidden", "invisible", "inactive"})
_FILLED = frozenset({"field", "exclGroup"})


def form_rows(packets: Iterable[bytes]) -> list[str]:
    """The lines of a form in the order of its template, each field with what was filled in; then what was filled into
    fields that are repeated or are not in the template. Empty where the packets, one or several, hold neither.
    """
    from lxml import etree

    form = data = None
    for packet in packets:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, remove_comments=True)
        with suppress(etree.XMLSyntaxError):
            root = etree.fromstring(packet, parser)
            for each in root.iter("{*}template", "{*}data") if root is not None else ():
                form = each if form is None and _name(each) == "template" else form
                data = each if data is None and _name(each) == "data" else data
    values = _Values(data)
    rows = [] if form is None else list(_rows(form, values))
    return [*rows, *values.left()]


class _Values:
    """What was filled in, by the names of the fields."""

    def __init__(self, data: Any) -> None:
        self._by_name: dict[str, deque[str]] = defaultdict(deque)
        for leaf in data.iter("{*}*") if data is not None else ():
            text = (leaf.text or "").strip() if not len(leaf) else ""
            if text:
                self._by_name[_name(leaf)].append(text)

    def take(self, name: str) -> str:
        """The next value of a field of that name; empty where there is none."""
        waiting = self._by_name.get(name)
        return waiting.popleft() if waiting else ""

    def left(self) -> Iterator[str]:
        """What no field took."""
        for name, waiting in self._by_name.items():
            yield from (f"{name}: {value}" for value in waiting)


def _rows(element: Any, values: _Values) -> Iterator[str]:
    for child in element.iterchildren("{*}*"):
        name = _name(child)
        if child.get("presence") in _UNSEEN:
            for field in child.iter("{*}field"):
                values.take(field.get("name", ""))
            continue
        if name == "draw":
            yield from _lines(child.find("{*}value"))
        elif name in _FILLED:
            caption = " ".join(_lines(child.find("{*}caption/{*}value")))
            filled = values.take(child.get("name", "")) or " ".join(_lines(child.find("{*}value")))
            if caption or filled:
                yield f"{caption} {filled}".strip()
            if name == "exclGroup":
                yield from _rows(child, values)
        else:
            yield from _rows(child, values)


def _lines(value: Any) -> Iterator[str]:
    """The lines of a value: plain text, or paragraphs of a web page; pictures have none."""
    if value is None:
        return
    for kind in value.iterchildren("{*}text", "{*}exData", "{*}integer", "{*}decimal", "{*}float", "{*}date"):
        paragraphs = ["".join(each.itertext()) for each in kind.iter("{*}p")]
        lines = paragraphs or "".join(kind.itertext()).splitlines()
        yield from filter(None, (" ".join(line.split()) for line in lines))


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]
