"""Which paragraphs of a passage its pages set in as block quotations, by where their lines stand."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from briefbank.ingest.structure.rows import fold, mode
from briefbank.pages.filed import outline_of
from briefbank.values.printed_words import paragraphs
from briefbank.values.records import PageBox, Passage, PlacedWord, SectionKind, Span

NO_PROSE = frozenset(
    {
        SectionKind.CAPTION,
        SectionKind.PARTIES,
        SectionKind.CONTENTS,
        SectionKind.AUTHORITIES,
        SectionKind.SIGNATURE,
        SectionKind.CERTIFICATE,
        SectionKind.TABLE,
    }
)
_BULLET = re.compile(r"[•●▪◦‣]")
_TURN = re.compile(r"[A-Z][\w.’' -]{0,30}:\s")
"""What somebody says in a transcript: "THE COURT: Overruled."."""
_LEADS = re.compile(r"[A-Z].*:")
"""A line of the brief's own that leads to a quotation; its first line is set in as others are."""
_SET_IN_PT = 14.0
"""From which a line is set in, as `ingest.structure` has it for type of 12 points; less is the wavering of a scan."""
_SHIFTED_PT = 30.0
"""By how much a page may be scanned farther to the right than the document; beyond it all of the page is set in."""
_EDGE_STEP_PT, _EDGE_SHARE = 3.0, 0.3
"""As `ingest.structure.rows` finds the left edge of a column."""
_TIGHT = 0.8
"""Share of the document's distance of lines below which lines are set closer than its own words are."""


@dataclass(frozen=True, slots=True)
class Column:
    """Where the lines of a document's own words begin, by page, and end; how far they are apart. In points."""

    left: Mapping[int, float]
    right: float
    pitch: float


def column_of(passages: Iterable[Passage]) -> Column:
    """Measure the column of a document by the lines of its passages."""
    lines: dict[int, list[PageBox]] = defaultdict(list)
    for passage in passages:
        for each in passage.boxes:
            lines[each.page].append(each)
    every = [each for page in lines.values() for each in page]
    usual = _left_edge(every)
    left = {page: min(_left_edge(on), usual + _SHIFTED_PT) for page, on in lines.items()}
    ends = sorted(each.box.x1 for each in every)
    down = (below.box.y1 - above.box.y1 for page in lines.values() for above, below in pairwise(page))
    return Column(left, ends[int(0.9 * (len(ends) - 1))] if ends else 0.0, mode((gap for gap in down if gap > 0), 1.0))


def block_quotes(passage: Passage, placed: Sequence[PlacedWord], column: Column) -> tuple[Span, ...]:
    """Return the paragraphs of a passage that stand set in from the left, and from the right or with their lines closer
    together; a single line where it stands beside one that does, or tells who speaks. Headings and bullets are none.

    Of 236 paragraphs of 22 briefs that `ingest.structure` takes for quotations 190 are found; most others it finds are
    bullets and headings.
    """
    if passage.section_kind in NO_PROSE:
        return ()
    headings = fold("".join(passage.section_path))
    found: list[tuple[Span, bool, bool]] = []
    for span, _ in paragraphs(passage.text):
        words = passage.text[slice(*span)]
        lines = outline_of([word for word in placed if span.start <= word.start < span.end])
        is_other = fold(words) in headings or _BULLET.match(words) is not None
        is_in = bool(lines) and not is_other and _is_set_in(lines, column)
        is_block = _is_apart(lines, column) if len(lines) > 1 else _TURN.match(words) is not None
        found.append((span, is_in and not _LEADS.fullmatch(words), is_in and is_block))
    quotes = {place for place, (_, _, is_quote) in enumerate(found) if is_quote}
    for steps in (range(len(found)), range(len(found) - 1, -1, -1)):
        quotes |= {each for each in steps if found[each][1] and quotes & {each - 1, each + 1}}
    return tuple(found[each][0] for each in sorted(quotes))


def _is_set_in(lines: Sequence[PageBox], column: Column) -> bool:
    body = lines[1:] if len(lines) > 2 else lines
    return all(each.box.x0 - column.left.get(each.page, each.box.x0) > _SET_IN_PT for each in body)


def _is_apart(lines: Sequence[PageBox], column: Column) -> bool:
    gaps = [below.box.y1 - above.box.y1 for above, below in pairwise(lines) if above.page == below.page]
    is_tight = bool(gaps) and min(gaps) < _TIGHT * column.pitch
    return is_tight or max(each.box.x1 for each in lines) < column.right - _SET_IN_PT


def _left_edge(lines: Sequence[PageBox]) -> float:
    counts = Counter(round(each.box.x0 / _EDGE_STEP_PT) for each in lines)
    enough = _EDGE_SHARE * max(counts.values(), default=0)
    return _EDGE_STEP_PT * min((step for step, count in counts.items() if count >= enough), default=0)
