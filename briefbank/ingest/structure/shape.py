"""How lines look that are headings: set apart, in capitals, bold, underlined or italic; knows no table of contents."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from briefbank.ingest.structure.contents import GOES_ON
from briefbank.ingest.structure.kinds import kind_named
from briefbank.ingest.structure.numbering import Number, number_of
from briefbank.ingest.structure.rows import Row, TextColumn
from briefbank.platform.regex import bounded
from briefbank.values.records import SectionKind

LEADER = re.compile(r"[.…]{3}|(?:\. ){3}")
_SPEAKER = bounded(r"(?:[A-Z][\w.’']*\s){0,3}[A-Z][\w.’']*:\s+\S")
_SPEAKER_ALONE = bounded(
    r"(?:THE |MR\b|MRS\b|MS\b|DR\b|BY\b|HON\b|(?:PROSPECTIVE )?JUROR|VENIRE|[QA]\b).*:|(?:[A-Z]\.? ?){0,3}[A-Z]+:"
)
_CITATION = re.compile(r"\bv\. |§|\d (?:U\.S|S\.W|S\. ?Ct|F\.|N\.J|Tex)")
# Chosen on filed briefs (21 November 2026), none by itself. `tests/quality/test_structure_corpus.py` holds that they
# find nine tenths of the headings that tables of contents list.
_LONGEST_HEADING_ROWS = 14
"""Point headings state a whole holding; some of those filed run over a dozen lines."""
_LONGEST_UNNUMBERED_ROWS = 5
"""Without a number, more lines in capitals or bold are emphasis, or a quotation."""


def shaped_end(
    rows: Sequence[Row], layout: TextColumn, index: int, listed: Container[int], *, needs_number: bool
) -> int | None:
    """The row behind the heading that begins at `index` by its look; None if none begins there.

    A heading stands apart from the text before and after it. `listed` are rows where other headings begin; with
    `needs_number` only numbered ones count.
    """
    row = rows[index]
    number = number_of(row.text)
    is_label = is_label_alone(row)
    emphasis = emphasis_of(row, layout)
    if not emphasis and _is_italic_title(rows, layout, index):
        return index + 1
    if not emphasis and not (is_label and (layout.is_centred(row) or stands_alone(rows, layout, index))):
        return None
    if runs_on(rows, layout, index):
        return None
    last = heading_end(rows, layout, index, listed, is_label=is_label)
    block = rows[index:last]
    if sum(c.isalpha() for r in block for c in r.text) < 4 or _is_speech(rows, index, number):
        return None
    if number is None and (needs_number or not _is_title(block) or not _leads_text(rows, layout, last)):
        return None
    return last if is_label or _is_closed(rows, layout, last) else None


def is_label_alone(row: Row) -> bool:
    """Whether a line is nothing but a label such as "POINT I" or "Second Issue:"."""
    number = number_of(row.text)
    return number is not None and number.scheme in ("label", "part") and number.length >= len(row.text)


def stands_out(row: Row, layout: TextColumn) -> bool:
    """Whether a line differs from running text by its look or place."""
    return row.is_caps or (row.is_bold and not layout.is_bold) or row.is_underlined or layout.is_centred(row)


def stands_alone(rows: Sequence[Row], layout: TextColumn, index: int) -> bool:
    """Whether a short line has no neighbour that it could run on from or into."""
    row = rows[index]
    if not row.text[0].isupper() or row.text.endswith((".", ",")) or not layout.is_narrow(row):
        return False
    above = rows[index - 1] if index else None
    if above is not None and above.page == row.page and not above.ends_sentence and not layout.is_short(above):
        return False
    below = rows[index + 1] if index + 1 < len(rows) else None
    return below is None or below.page != row.page or below.text[0].isupper() or below.gap > 1.2 * layout.pitch


def emphasis_of(row: Row, layout: TextColumn) -> frozenset[str]:
    """How a line is emphasised: C capitals, B bold, U underlined; bold means nothing where all text is bold."""
    marks = {"C"} if row.is_caps else set()
    if row.is_bold and not layout.is_bold:
        marks.add("B")
    if row.is_underlined:
        marks.add("U")
    return frozenset(marks)


def _is_italic_title(rows: Sequence[Row], layout: TextColumn, index: int) -> bool:
    """Whether a short line in italics, which alone say little, stands apart as a sub-heading does."""
    row = rows[index]
    return (
        row.is_italic
        and all(word.is_italic for word in row.words)
        and (row.text[0].isupper() or number_of(row.text) is not None)
        and not row.ends_sentence
        and (layout.is_centred(row) or layout.indent(row) < 4 * row.size)
        and stands_alone(rows, layout, index)
        and not runs_on(rows, layout, index)
        and _is_title([row])
        and _leads_text(rows, layout, index + 1)
    )


def _is_title(block: Sequence[Row]) -> bool:
    """Whether emphasised lines without a number read like a title, not like a citation, a speaker or a lead-in."""
    text = " ".join(row.text for row in block)
    count = len(text.split())
    if len(block) > _LONGEST_UNNUMBERED_ROWS or not text[0].isalpha() or text[0].islower() or _SPEAKER.match(text):
        return False
    if _SPEAKER_ALONE.fullmatch(text):
        return False
    if _CITATION.search(text) or LEADER.search(text) or (count <= 2 and text.endswith(".")):
        return False
    return not text.endswith((",", ";")) and not (text.endswith(":") and count > 5)


def _leads_text(rows: Sequence[Row], layout: TextColumn, last: int) -> bool:
    """Whether running text follows: what tells a heading from the capitals of a caption, form or signature."""
    return any(not row.is_caps and (not layout.is_short(row) or row.ends_sentence) for row in rows[last : last + 3])


def runs_on(rows: Sequence[Row], layout: TextColumn, index: int) -> bool:
    """Whether the line before runs into this one, so that its emphasis lies within a paragraph."""
    row = rows[index]
    above = rows[index - 1] if index else None
    if above is None or row.style:
        return False
    if above.page != row.page:
        is_open = not above.ends_sentence and not layout.is_short(above)
        return is_open and not row.is_caps and number_of(row.text) is None
    if emphasis_of(above, layout) or above.ends_sentence or layout.is_short(above):
        return False
    return row.gap < 1.25 * layout.pitch


def heading_end(
    rows: Sequence[Row],
    layout: TextColumn,
    index: int,
    listed: Container[int],
    *,
    is_label: bool = False,
    inner: float = 0.0,
) -> int:
    """The row behind the last one that goes on, in the same look, with the heading at `index`.

    `inner` is the distance of its lines, in points, where it is known.
    """
    emphasis = emphasis_of(rows[index], layout)
    opening = rows[index]
    if not emphasis or (
        kind_named(opening.text) is not None and (layout.is_short(opening) or layout.is_centred(opening))
    ):
        return index + 1
    last = index + 1
    while last < min(index + _LONGEST_HEADING_ROWS, len(rows)):
        row = rows[last]
        marks = emphasis_of(row, layout)
        if row.page != rows[index].page or last in listed or not marks or not (marks & (emphasis or marks)):
            break
        if "C" in emphasis and "C" not in marks and not is_label:
            break
        widest = 2.6 * layout.pitch if is_label and last == index + 1 else 1.15 * (inner or layout.pitch)
        named = kind_named(row.text)
        is_exhibit_of_line = named is SectionKind.APPENDIX and not layout.is_short(rows[last - 1])
        if row.gap > widest or (named is not None and not is_exhibit_of_line):
            break
        if number_of(row.text) is not None and (is_label or not GOES_ON.search(rows[last - 1].text)):
            break
        if not is_label and layout.is_short(rows[last - 1]) and rows[last - 1].ends_sentence:
            break
        inner = inner if is_label and last == index + 1 else max(inner, row.gap)
        last += 1
    return last


def _is_closed(rows: Sequence[Row], layout: TextColumn, last: int) -> bool:
    """Whether a new paragraph begins at row `last`: the emphasised rows before it are not its opening words."""
    if last >= len(rows) or rows[last].style:
        return True
    row, before = rows[last], rows[last - 1]
    if row.page != before.page or before.ends_sentence or layout.is_short(before):
        return True
    return row.gap > max(1.2 * layout.pitch, 1.3 * before.gap) or row.box.x0 - before.box.x0 > 1.2 * row.size


def _is_speech(rows: Sequence[Row], index: int, number: Number | None) -> bool:
    """Whether an "A." answers a "Q." of testimony beside it."""
    if number is None or number.scheme != "A" or number.value not in (1, 17):
        return False
    if number.value == 17:
        return True
    return any(row.text.startswith(("Q.", "Q:", "Q ")) for row in rows[max(0, index - 4) : index + 5])
