"""From headings to sections: what each is, and its path from the outermost heading down.

Knows headings and the order of things, not how they are printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from briefbank.ingest.structure.headings import NEAR_PT, TABLES, Heading, Outline
from briefbank.ingest.structure.numbering import Number
from briefbank.values.records import SectionKind

# Chosen on filed briefs, not measured by itself.
_LONGEST_PART_NAME = 5
"""Words of a heading that names a part of the brief ("Statement of the Case"); a longer one argues."""
_OWN_KINDS = frozenset(
    {SectionKind.ARGUMENT, SectionKind.STANDARD, SectionKind.FACTS, SectionKind.PROCEDURE, SectionKind.QUESTIONS}
)
_OF_ARGUMENTS = frozenset({SectionKind.ARGUMENT, SectionKind.STANDARD})
"""What a sub-point may be called and be: its "relevant facts" and the issue named again still argue the point."""
_APART = TABLES | {SectionKind.PARTIES, SectionKind.CERTIFICATE, SectionKind.APPENDIX, SectionKind.BODY}


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section to be: `first` is its first row, `heading_last` the row behind its heading or `first`.

    `heading_cuts` are the rows at which a further heading follows on the one above it.
    """

    first: int
    heading_last: int
    kind: SectionKind
    path: tuple[str, ...]
    heading_cuts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Open:
    """A heading whose section, or a part of it, is still open."""

    heading: Heading
    text: str
    kind: SectionKind
    scheme: str
    value: int


def build_parts(outline: Outline) -> list[SectionPlan]:
    """One part for each heading, in order."""
    parts: list[SectionPlan] = []
    stack: list[_Open] = []
    kinds_ahead = [h.kind for h in outline.headings if h.is_major]
    for heading in outline.headings:
        if heading.is_major:
            kinds_ahead.pop(0)
        has_argument_ahead = SectionKind.ARGUMENT in kinds_ahead
        if not _opens_under(stack, heading, has_argument_ahead=has_argument_ahead):
            stack = _parents(stack, heading, outline, has_argument_ahead=has_argument_ahead)
        kind = _kind(stack, heading)
        scheme, value = _scheme(stack, heading)
        stack.append(_Open(heading, " ".join(heading.text.split()), kind, scheme, value))
        parts.append(SectionPlan(heading.first, heading.last, kind, tuple(entry.text for entry in stack)))
    return parts


def stack_headings(parts: Sequence[SectionPlan]) -> list[SectionPlan]:
    """Join a heading that has nothing under it but further headings ("ARGUMENT", "POINT I …", "A. …") to the first of
    these, so that no section, and no passage, is a heading alone.
    """
    joined: list[SectionPlan] = []
    for part in parts:
        above = joined[-1] if joined else None
        is_bare = above is not None and above.first < above.heading_last == part.first
        if above is not None and is_bare and (_is_below(part, above) or _names_part(above)):
            path = part.path if _is_below(part, above) else above.path + part.path
            joined[-1] = replace(part, first=above.first, path=path, heading_cuts=(*above.heading_cuts, part.first))
        else:
            joined.append(part)
    return joined


def _is_below(part: SectionPlan, above: SectionPlan) -> bool:
    return part.path[: len(above.path)] == above.path


def _names_part(part: SectionPlan) -> bool:
    """Whether a heading only says that a part of a brief begins, such as "POINTS OF ERROR"."""
    return len(part.path) == 1 and len(part.path[0].split()) <= _LONGEST_PART_NAME and part.kind not in _APART


def _opens_under(stack: Sequence[_Open], heading: Heading, *, has_argument_ahead: bool) -> bool:
    """Whether a numbered heading stands right behind the one that it is under, whatever their indents.

    It does not where its number goes on with a list that is open, or is one of the numbers of that heading's own kind.
    """
    number = heading.number
    if not stack or heading.style_level or number is None or stack[-1].heading.last != heading.first:
        return False
    if not stack[0].heading.is_major or _same_scheme(stack[-1], number):
        return False
    # "POINT I" belongs to the argument, so to no other part where that is still to come.
    if number.scheme == "label" and (heading.is_major or not has_argument_ahead):
        return False
    return not any(_same_scheme(entry, number) and entry.value + 1 == number.value for entry in stack)


def _kind(stack: Sequence[_Open], heading: Heading) -> SectionKind:
    parent = stack[-1].kind if stack else None
    own = _OF_ARGUMENTS if parent is SectionKind.ARGUMENT else _OWN_KINDS
    if heading.kind is not None and (parent is None or heading.kind in own):
        return heading.kind
    if parent is not None:
        return SectionKind.ARGUMENT if parent is SectionKind.STANDARD and len(stack) > 1 else parent
    if heading.number is not None and heading.number.scheme == "label":
        return SectionKind.ARGUMENT
    return SectionKind.BODY


def _parents(stack: list[_Open], heading: Heading, outline: Outline, *, has_argument_ahead: bool) -> list[_Open]:
    """The open headings that the new one stands under."""
    if heading.style_level:
        return [entry for entry in stack if _holds_styled(entry, heading.style_level)]
    if heading.is_major or not stack:
        return []
    if stack[0].kind in TABLES and heading.contents_x0 is not None and not has_argument_ahead:
        return []  # what a table lists is no part of it; further tables are, which stand before the argument
    # Signs in the order in which briefs keep to them: numbers, then looks, then indents in the table of contents.
    if heading.number is None:
        return _parents_by_look(stack, heading)
    inner = range(1 if stack[0].heading.is_major else 0, len(stack))
    # "B." goes on with the list that has "A."; of several such lists, with the one at the same indent.
    alike = [depth for depth in inner if _same_scheme(stack[depth], heading.number)]
    if alike:
        return stack[: max([depth for depth in alike if _is_level(stack[depth].heading, heading)] or alike)]
    if heading.number.scheme == "label":
        root = stack[0]
        holds_points = root.kind in (SectionKind.ARGUMENT, SectionKind.QUESTIONS) or has_argument_ahead
        is_outer = heading.contents_x0 is not None and heading.contents_x0 < outline.contents_x0 + NEAR_PT
        if root.scheme == "label" or (is_outer and root.kind is not SectionKind.ARGUMENT):
            holds_points = False
        return stack[:1] if root.heading.is_major and holds_points else []
    return _parents_by_indent(stack, heading)


def _holds_styled(entry: _Open, level: int) -> bool:
    """Whether a heading of that level by its style stands under an open one: one without a style must be a part."""
    if entry.heading.style_level:
        return entry.heading.style_level < level
    return level > 1 and entry.heading.is_major and entry.kind not in TABLES


def _same_scheme(entry: _Open, number: Number) -> bool:
    if entry.scheme == number.scheme:
        return True
    return number.other is not None and entry.scheme == number.other[0] and number.other[1] == entry.value + 1


def _scheme(stack: Sequence[_Open], heading: Heading) -> tuple[str, int]:
    """The heading's own scheme: "I." after "H." is a letter, after "A." nested in nothing a roman number."""
    number = heading.number
    if number is None or (heading.is_major and number.scheme != "label"):
        return f"look:{heading.look}", 0
    if number.other is not None and number.value != 1 and number.other[1] > 1:
        parents = {entry.scheme for entry in stack}
        if number.scheme in parents:
            return number.other
    return number.scheme, number.value


def _parents_by_look(stack: list[_Open], heading: Heading) -> list[_Open]:
    """An unnumbered heading stands beside the last one that looks the same, else under what is open."""
    lowest = 1 if stack[0].heading.is_major else 0
    for depth in range(len(stack) - 1, lowest - 1, -1):
        entry = stack[depth].heading
        if entry.number is None and (entry.look == heading.look or _is_level(entry, heading)):
            return stack[:depth]
    return _parents_by_indent(stack, heading)


def _is_level(entry: Heading, heading: Heading) -> bool:
    if entry.contents_x0 is None or heading.contents_x0 is None:
        return False
    return abs(entry.contents_x0 - heading.contents_x0) < NEAR_PT


def _parents_by_indent(stack: list[_Open], heading: Heading) -> list[_Open]:
    """Under the last open heading that the table of contents does not set at the same indent or deeper."""
    if heading.contents_x0 is None:
        return list(stack)
    lowest = 1 if stack[0].heading.is_major else 0
    kept = list(stack)
    while len(kept) > lowest:
        # The first number of a list may stand at the indent of the heading above it ("Argument", then "1.").
        x0 = kept[-1].heading.contents_x0
        opens_list = heading.number is not None and heading.number.value == 1 and kept[-1].heading.number is None
        if x0 is None or (opens_list and x0 < heading.contents_x0 + NEAR_PT) or x0 < heading.contents_x0 - NEAR_PT:
            break
        kept.pop()
    return kept
