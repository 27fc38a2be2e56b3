"""Where the references of a document stand on its pages, and where there they lead: "Point II, supra", "note 4, supra".

What refers to what is found in the package `references`; this only places it.
"""

from __future__ import annotations

from collections.abc import Sequence

from briefbank.pages.filed import boxes_of, outline_of
from briefbank.pages.references.resolve import references_in
from briefbank.pages.source import PageSource
from briefbank.values import PageLink, Reference
from briefbank.values.page_numbers import PageRun
from briefbank.values.records import Box, PageBox, Passage, Span

_PAGE_TOP = Box(0.0, 0.0, 0.0, 0.0)


class PageReferences:
    """The references of one document, found when the first of its pages is read."""

    def __init__(
        self, passages: Sequence[Passage], runs: Sequence[PageRun], source: PageSource, *, is_filed: bool
    ) -> None:
        """Find nothing yet. `is_filed` where the boxes of the passages are those of the pages of `source`."""
        self._passages, self._runs, self._source, self._is_filed = passages, runs, source, is_filed
        self._found: tuple[Reference, ...] | None = None

    def links(self, number: int) -> tuple[PageLink, ...]:
        """Return what on a page refers to another place, line by line. Raises as `PageSource.page`."""
        if self._found is None:
            self._found = tuple(each for each in references_in(self._passages, self._runs) if not each.is_dead)
        links: list[PageLink] = []
        for each in self._found:
            if self._may_stand_on(each.passage, number):
                boxes = [place.box for place in self._boxes(each.passage, each.span) if place.page == number]
                goal = self._goal(each) if boxes else None
                links += [PageLink(box, goal.page, goal.box.y0, each.title, each.kind) for box in boxes if goal]
        return tuple(links)

    def _may_stand_on(self, passage: Passage, number: int) -> bool:
        return not self._is_filed or passage.page_first <= number <= passage.page_last

    def _goal(self, reference: Reference) -> PageBox | None:
        """The line that a reference leads to."""
        target, at = reference.target, reference.target_offset
        if target is None:
            return PageBox(reference.page, _PAGE_TOP)
        if not at and self._is_filed:
            return target.boxes[0] if target.boxes else None
        return next(iter(self._boxes(target, Span(at, at + 1))), None)

    def _boxes(self, passage: Passage, span: Span) -> tuple[PageBox, ...]:
        placed = self._source.placed(passage)
        outline = passage.boxes if self._is_filed else outline_of(placed)
        return boxes_of(span, passage, placed, outline)
