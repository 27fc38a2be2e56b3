"""Which authorities a page cites, and where on it: in full, in short or by "Id."."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from briefbank.index.generation import Generation
from briefbank.pages.renderer import PageRenderer
from briefbank.values.pages import CitedOnPage
from briefbank.values.records import Box


def cited_on(generation: Generation, renderer: PageRenderer, document_id: str, number: int) -> tuple[CitedOnPage, ...]:
    """Return the authorities that page `number` (from 1) of a document cites, in the order of the page; none that is
    known by a name alone, as the parties of a caption are.

    Raises:
        UsageError: there is no such document.
        SourceError: its pages cannot be read.
    """
    if generation.authorities is None:
        return ()
    is_filed = renderer.document_pages(document_id).has_own_pages
    passages = {
        row: passage
        for passage in generation.passages_of(document_id)
        if not is_filed or passage.page_first <= number <= passage.page_last
        if (row := generation.dense.row_of(passage.id)) is not None
    }
    mentions = defaultdict(list)
    for row, authority, span in generation.authorities.mentions_in(np.array(list(passages), dtype=np.int64)):
        mentions[row].append((authority, span))
    boxes: dict[int, list[Box]] = defaultdict(list)
    for row, cited in mentions.items():
        marks = renderer.marks(passages[row].id, [span for _, span in cited])
        for (authority, _), places in zip(cited, marks.matches, strict=True):
            boxes[authority] += [place.box for place in places if place.page == number]
    terms = generation.authorities.terms_of(boxes)
    found = [
        CitedOnPage(generation.authorities.label(authority), terms[authority], tuple(places))
        for authority, places in boxes.items()
        if places and authority in terms and not generation.authorities.is_bare_name(authority)
    ]
    return tuple(sorted(found, key=lambda each: (each.boxes[0].y0, each.boxes[0].x0)))
