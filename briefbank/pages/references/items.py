"""The lettered parts of a section: the "(b)" and "(ii)" in its text that "Section 3(b)" and "clause (ii)" lead to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from briefbank.platform.regex import bounded

_MARK = bounded(r"(?:\A|(?<=[\s.;:,)—–]))\(?(?P<mark>[a-z]|[ivx]{1,5}|[A-Z])[).](?=[\s(“\"]|\Z)")
_AT_NUMBER = bounded(r"[\d.]{1,12}(?P<first>\((?P<mark>[a-z]|[ivx]{1,5})\))")
_NAMED_BEFORE = bounded(
    r"(?i:clauses?|sections?|articles?|paragraphs?|subparagraphs?|subsections?|subclauses?|items?|parts?|exhibits?|schedules?)"
    r"(?:\s\d[\d.]*)?(?:\s?\(\w{1,5}\)[, ]{0,2}(?:and|or|through|to)?){0,6}\s?\Z"
)
"""In front of a mark that is named, not set: "clauses (i) and ", "Section 3"."""
_BESIDE = 80
_MOST = 1_000
"""Parts of one section; bounds the work on a hostile document, which looks through them for each reference."""
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")


Items = Sequence[tuple[str, int]]
"""The marks that open the parts of a section, each with its place."""


def part_at(items: Items, start: int, end: int, marks: Sequence[str]) -> int | None:
    """Return where the part begins that marks name one below the other, 3(b)(v), within a section; None where it has
    none, or several may be meant.
    """
    for mark in marks:
        found = [each for each in items if start <= each[1] < end]
        first = _first(found, mark)
        if first is None:
            return None
        following = [at for each, at in found if at > first and each in _next(mark)]
        start, end = first, min(following, default=end)
    return start


def only_part_at(text: str, items: Items, end: int, marks: Sequence[str], near: int) -> int | None:
    """Return where a part begins that marks name in the section around an offset `near`: the only part of the first
    mark, or the only one in the paragraph of the offset.
    """
    found = [at for each, at in items if each == marks[0]]
    if len(found) > 1:
        first, last = text.rfind("\n\n", found[0], near), text.find("\n\n", near, end)
        found = [at for at in found if first <= at < (last if last >= 0 else end)]
    return part_at(items, found[0], end, marks) if len(found) == 1 else None


class ItemsOfText:
    """The marks that open a part, of a whole text; looked for once."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _found(self) -> Items:
        return [
            (each["mark"], each.start())
            for each in _MARK.finditer(self._text)
            if not _NAMED_BEFORE.search(self._text, max(0, each.start() - _BESIDE), each.start())
        ]

    def within(self, start: int, end: int) -> Items:
        """Return those of a section, none where it has more than a section may have."""
        opened = _AT_NUMBER.match(self._text, start, end)
        own = [(opened["mark"], opened.start("first"))] if opened else []
        first = bisect_left(self._found, opened.end() if opened else start, key=_place)
        last = bisect_left(self._found, end, key=_place)
        return [*own, *self._found[first:last]] if last - first <= _MOST else []


def _place(item: tuple[str, int]) -> int:
    return item[1]


def _first(found: Items, mark: str) -> int | None:
    """The first part of a mark; an (i) that may follow (h) behind it, where that is there."""
    at = 0
    if mark in ("i", "v", "x"):
        letters = [place for each, place in found if each == chr(ord(mark) - 1)]
        at = letters[0] if letters else 0
    return next((place for each, place in found if each == mark and place > at), None)


def _next(mark: str) -> tuple[str, ...]:
    """What comes next in the list of a mark: (c) behind (b), (iii) behind (ii)."""
    following = [_ROMAN[_ROMAN.index(mark) + 1]] if mark in _ROMAN[:-1] else []
    if len(mark) == 1 and mark not in "huw":  # an (i) behind (h) may be its own part
        following.append(chr(ord(mark) + 1))
    return tuple(following)
