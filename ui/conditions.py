"""What narrows a search, put into words as chips that take it away again. Knows no widget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from briefbank.records import Filters, Hint, Hit
from ui.chips import Chip
from ui.facets import FACETS, chosen, without
from ui.wording import period

_EACH = 2
"""Values of one filter that get a chip each; more share one."""


def like_chip(hit: Hit, drop: Callable[[], None]) -> Chip:
    """Return the chip of the passage that results are to be like."""
    text = f"Like: {hit.document.metadata.title.value}"
    cited = hit.document.cited_pages(hit.passage.page_first, hit.passage.page_last)
    return Chip(f"{text}, {cited}" if cited else text, drop)


def filter_chips(filters: Filters, change: Callable[[Filters], None]) -> Iterator[Chip]:
    """Yield the chips of filters; each gives those that are left to `change`."""
    if filters.since or filters.until:
        yield Chip(period(filters), partial(change, replace(filters, since=None, until=None)))
    for facet in FACETS:
        values = chosen(filters, facet)
        if len(values) > _EACH:
            yield Chip(f"{facet.name}: {len(values)} chosen", partial(change, without(filters, facet, *values)))
            continue
        for value in values:
            yield Chip(f"{facet.name}: {facet.label(value)}", partial(change, without(filters, facet, value)))


def hint_chips(hints: Sequence[Hint], refuse: Callable[[str], None]) -> Iterator[Chip]:
    """Yield the chips of conditions read out of the words; each gives its words to `refuse`."""
    for hint in hints:
        yield Chip(f"From your words: {hint.meaning}", partial(refuse, hint.text))
