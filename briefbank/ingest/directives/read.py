"""Reads a directive: its paragraphs out of its passages, which `units` divides into entries and `entries` reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from briefbank.index.notes import DirectiveEntry
from briefbank.law.citations import PatternSet
from briefbank.values.records import Passage

DIRECTIVES_VERSION = 3
"""Raised when something else is read out of the same directive; the next index run then reads all of them again."""


def read_directive(passages: Sequence[Passage], patterns: PatternSet) -> tuple[DirectiveEntry, ...]:
    """What a directive says against authorities, given its passages in order. Some two milliseconds a passage."""
    # Their patterns take most of a second to compile, which an index run over unchanged files need not wait for.
    from briefbank.ingest.directives.entries import entries
    from briefbank.ingest.directives.units import units

    places = {passage.id: place for place, passage in enumerate(passages)}
    return tuple(
        DirectiveEntry(each.authority, each.says, each.keys, tuple(places[name] for name in each.unit.passage_ids))
        for each in entries(list(units(_paragraphs(passages))), patterns)
    )


def _paragraphs(passages: Sequence[Passage]) -> Iterator[tuple[list[str], str]]:
    """The paragraphs of a document, each with the ids of the passages that it stands in."""
    text, ids, end = "", list[str](), 0
    for passage in passages:
        if text and passage.span.start != end:  # nothing goes on where passages leave something out
            yield ids, text
            text = ""
        end = passage.span.end
        for number, part in enumerate(re.split(r"\n\s*\n", passage.text)):
            if number and text:
                yield ids, text
                text = ""
            ids = [*ids, passage.id] if text else [passage.id]
            text = f"{text} {part}" if text else part
        if passage.span.end - passage.span.start - len(passage.text) >= 2 and text:
            yield ids, text
            text = ""
    if text:
        yield ids, text
