"""Turns the blocks of a sample into lines; must not know pages beyond the labels it is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from samplebuilder.pages import BREAK
from samplebuilder.source import (
    Authorities,
    Block,
    Caption,
    Contents,
    Heading,
    PageBreak,
    Paragraph,
    Run,
    Signature,
    Source,
    Table,
    plain,
)
from samplebuilder.typeset import Line, Piece, Style, font_name, gap, moved, set_text, text_width

WIDTH_PT = 468.0
_POINT_COLUMN_PT = 72.0
_CELL_PAD_PT = 4.0
_BOX_PT = 228.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a table of contents or authorities."""

    text: str
    page: str
    level: int = 1
    number: str = ""


class Composer:
    """Sets one sample's blocks. A brief is double-spaced with indented paragraphs, anything else single-spaced."""

    def __init__(self, source: Source, marks: dict[str, str]) -> None:
        self._source = source
        self._marks = marks
        self._is_brief = source.kind == "brief"
        family = "mono" if source.is_typewritten else "serif"
        align = "justify" if source.year % 2 == 0 and family == "serif" else "left"
        self._single = Style(leading=14, family=family)
        self._body = (
            Style(leading=24, first=36, align=align, family=family)
            if self._is_brief
            else Style(leading=15, align=align, family=family)
        )

    def lines(self, blocks: Sequence[Block], entries: Sequence[Entry], cited: dict[str, str], start: int) -> list[Line]:
        """Set blocks, numbered from `start`; `entries` fill the contents, `cited` gives the pages of an authority."""
        lines: list[Line] = []
        for at, block in enumerate(blocks):
            before = blocks[at - 1] if at else None
            lines += [replace(line, anchor=start + at) if line.anchor == 0 else line for line in
                      self._block(block, before, entries, cited)]  # fmt: skip
        return lines

    def note(self, label: str, text: str) -> list[Line]:
        """Set a footnote."""
        style = replace(self._single, size=10, leading=12)
        return set_text(f"[^{label}] {text}", WIDTH_PT, style, self._marks)

    def _block(self, block: Block, before: Block | None, entries: Sequence[Entry], cited: dict[str, str]) -> list[Line]:
        if isinstance(block, PageBreak):
            return [BREAK]
        if isinstance(block, Caption):
            return self._caption(block)
        if isinstance(block, Heading):
            return self._heading(block)
        if isinstance(block, Table):
            return self._table(block)
        if isinstance(block, Signature):
            return self._signature(block)
        if isinstance(block, Contents):
            return self._contents(entries, before)
        if isinstance(block, Authorities):
            return self._authorities(block, cited, before)
        return self._paragraph(block)

    def _paragraph(self, block: Paragraph) -> list[Line]:
        style = self._body
        if block.role == "quote":
            style = replace(style, leading=14, left=50, right=50, first=0)
        if block.role == "item":
            style = replace(style, leading=min(style.leading, 16), left=22, first=0, align="left")
            lines = _hanging("•", block.text, style, 14, self._marks)
        else:
            lines = set_text(block.text, WIDTH_PT, style, self._marks)
        return [*lines, gap(10 if block.role != "body" or not self._is_brief else 0)]

    def _heading(self, block: Heading) -> list[Line]:
        style = replace(self._single, bold=self._source.is_typewritten is False)
        if block.number:
            column = _POINT_COLUMN_PT if block.level == 2 else 30.0
            indent = 0 if block.level == 2 else 36.0 * (block.level - 2)
            text = block.text.upper() if block.level == 2 else block.text
            lines = _hanging(block.number, text, replace(style, left=indent, right=36), column, self._marks)
        elif block.level == 1:
            align = "centre" if self._is_brief else "left"
            text = f"_{block.text}_" if self._source.is_typewritten else block.text
            lines = set_text(text, WIDTH_PT, replace(style, align=align), self._marks)
        else:
            lines = set_text(block.text, WIDTH_PT, replace(style, left=18.0 * (block.level - 2)), self._marks)
        lines = [replace(line, together=True) for line in lines]
        lines[0] = replace(lines[0], anchor=0)
        return [
            gap(12 if self._is_brief else 6, together=True),
            *lines,
            gap(12 if self._is_brief else 4, together=True),
        ]

    def _signature(self, block: Signature) -> list[Line]:
        lines = [gap(18, together=True)]
        for text in block.lines:
            left = 0 if text.startswith(("Dated", "c:", "cc:")) else WIDTH_PT / 2
            lines += set_text(text, WIDTH_PT, replace(self._single, left=left), self._marks)
            if text.startswith("Respectfully"):
                lines.append(gap(12))
        return [replace(line, together=True) for line in lines[:-1]] + lines[-1:]

    def _title(self, words: str, before: Block | None) -> list[Line]:
        if isinstance(before, Heading):
            return []
        return [BREAK, *[replace(line, anchor=-1) for line in self._heading(Heading(1, "", words))]]

    def _contents(self, entries: Sequence[Entry], before: Block | None) -> list[Line]:
        lines = self._title("TABLE OF CONTENTS", before)
        lines += set_text("_PAGE_", WIDTH_PT, replace(self._single, left=WIDTH_PT - 32))
        for entry in entries:
            indent = 28.0 * max(0, entry.level - 2) + (28 if entry.level > 2 else 0)
            lines += [gap(8), *self._entry(entry, replace(self._single, left=indent))]
        return lines

    def _authorities(self, block: Authorities, cited: dict[str, str], before: Block | None) -> list[Line]:
        lines = self._title("TABLE OF AUTHORITIES", before)
        lines += set_text("_PAGE(S)_", WIDTH_PT, replace(self._single, left=WIDTH_PT - 54))
        for title, entries in block.groups:
            lines += [gap(10, together=True)]
            heading = set_text(title, WIDTH_PT, replace(self._single, bold=not self._source.is_typewritten))
            lines += [replace(line, together=True) for line in heading]
            for text in entries:
                name, comma, rest = text.partition(",")
                shown = f"*{name}*{comma}{rest}" if " v. " in name or name.startswith("In re") else text
                lines += [gap(6), *self._entry(Entry(shown, cited.get(text, "")), self._single)]
        return lines

    def _entry(self, entry: Entry, style: Style) -> list[Line]:
        """Set a text, dotted leaders, and the page at the right margin."""
        wrapped = replace(style, right=80)
        if entry.number:
            lines = _hanging(entry.number, entry.text, wrapped, _POINT_COLUMN_PT if entry.level == 2 else 28, {})
        else:
            lines = set_text(entry.text, WIDTH_PT, replace(wrapped, left=style.left + 14, first=-14), {})
        last = lines[-1]
        name = font_name(style, Run(""))
        page_x = WIDTH_PT - text_width(entry.page, name, style.size)
        end = last.pieces[-1]
        from_x = end.x + text_width(end.text, end.font, end.size) + 3
        dots = "." * int((page_x - 3 - from_x) / text_width(".", name, style.size))
        dots_x = page_x - 3 - text_width(dots, name, style.size)
        leaders = Piece(dots_x, dots, name, style.size), Piece(page_x, entry.page, name, style.size)
        lines[-1] = replace(last, pieces=(*last.pieces, *leaders))
        return [replace(line, together=line is not lines[-1]) for line in lines]

    def _caption(self, block: Caption) -> list[Line]:
        lines: list[Line] = []
        box: list[tuple[str, str]] = []
        for text in [*block.lines, ""]:
            left, bar, right = text.partition("|")
            if bar:
                box.append((left.rstrip(), right.strip()))
                continue
            lines += self._caption_box(box) if box else []
            box = []
            lines += self._caption_line(text)
        return lines

    def _caption_line(self, text: str) -> list[Line]:
        style = replace(self._single, leading=15)
        if not text.strip():
            return [gap(26 if self._is_brief else 12)]
        if text.startswith("^"):
            bold = not self._source.is_typewritten
            return set_text(text[1:], WIDTH_PT, replace(style, align="centre", bold=bold), {})
        indent = 4.0 * (len(text) - len(text.lstrip()))
        return set_text(text.strip(), WIDTH_PT, replace(style, left=indent), {})

    def _caption_box(self, rows: list[tuple[str, str]]) -> list[Line]:
        """Set a brief's parties left and the proceedings right, as cells of a table; a memo's head as tabbed rows."""
        style = replace(self._single, leading=15)
        if self._is_brief:
            box = self._side_by_side(rows, _BOX_PT, style)
            return [replace(box, rules=((_BOX_PT, 0.0, _BOX_PT, box.height), (0.0, box.height, _BOX_PT, box.height)))]
        widest = max(text_width(left, font_name(style, Run("")), style.size) for left, _ in rows)
        middle = min(widest + 24, 0.62 * WIDTH_PT)
        return [self._side_by_side([row], middle, style) for row in rows]

    def _side_by_side(self, rows: list[tuple[str, str]], middle: float, style: Style) -> Line:
        """Set two columns, drawn one after the other."""
        pieces: list[Piece] = []
        heights = []
        for at, (x, width) in enumerate(((0.0, middle - 6), (middle + 14, WIDTH_PT - middle - 14))):
            column = [line for row in rows for line in self._cell_lines(row[at], width, style)]
            pieces += [piece for n, line in enumerate(column) for piece in moved(line, x, n * style.leading).pieces]
            heights.append(len(column) * style.leading)
        text = " ".join(f"{left} {right}" for left, right in rows)
        return Line(max(heights), tuple(pieces), (), text, baseline=style.leading - 0.28 * style.size)

    @staticmethod
    def _cell_lines(text: str, width: float, style: Style) -> list[Line]:
        indent = 5.0 * (len(text) - len(text.lstrip()))
        return set_text(text.strip(), width, replace(style, left=indent), {}) if text.strip() else [gap(style.leading)]

    def _table(self, block: Table) -> list[Line]:
        columns = max(len(row) for row in block.rows)
        rows = [(*row, *[""] * (columns - len(row))) for row in block.rows]
        style = replace(self._single, size=11, leading=13)
        widths = _column_widths(rows, style)
        lines = [gap(6)]
        for at, row in enumerate(rows):
            cell_style = replace(style, bold=at == 0 and not self._source.is_typewritten)
            cells = [
                set_text(cell, width - 2 * _CELL_PAD_PT, cell_style, self._marks) if cell else []
                for cell, width in zip(row, widths, strict=True)
            ]
            lines.append(_row(cells, widths, style.leading, is_first=at == 0))
        return [*lines, gap(12)]


def _row(cells: Sequence[Sequence[Line]], widths: Sequence[float], leading: float, *, is_first: bool) -> Line:
    height = leading * max(len(cell) for cell in cells) + 2 * _CELL_PAD_PT
    pieces: list[Piece] = []
    rules = [(0.0, 0.0, sum(widths), 0.0)] if is_first else []
    rules += [(0.0, height, sum(widths), height), (0.0, 0.0, 0.0, height)]
    x = 0.0
    for cell, width in zip(cells, widths, strict=True):
        for n, line in enumerate(cell):
            pieces += moved(line, x + _CELL_PAD_PT, _CELL_PAD_PT + n * leading).pieces
        x += width
        rules.append((x, 0.0, x, height))
    text = " ".join(line.text for cell in cells for line in cell)
    notes = tuple(note for cell in cells for line in cell for note in line.notes)
    return Line(height, tuple(pieces), tuple(rules), text, notes, together=is_first, baseline=leading - 3)


def _column_widths(rows: Sequence[Sequence[str]], style: Style) -> list[float]:
    """Give each column what it needs where the page has it, and otherwise a share by its longest cell."""

    def measure(text: str) -> float:
        return text_width(plain(text), font_name(style, Run("", bold=True)), style.size) + 2 * _CELL_PAD_PT + 2

    wanted = [max(measure(cell) for cell in column) for column in zip(*rows, strict=True)]
    least = [
        max(measure(word) for cell in column for word in (cell or " ").split(" ")) for column in zip(*rows, strict=True)
    ]
    if sum(wanted) <= WIDTH_PT:
        return wanted
    wanted = [min(width, 0.6 * WIDTH_PT) for width in wanted]
    spare = WIDTH_PT - sum(least)
    over = [width - low for width, low in zip(wanted, least, strict=True)]
    return [low + spare * part / sum(over) for low, part in zip(least, over, strict=True)]


def _hanging(number: str, text: str, style: Style, column: float, marks: dict[str, str]) -> list[Line]:
    """Set a number with its text beside it, hanging."""
    lines = set_text(text, WIDTH_PT, replace(style, left=style.left + column), marks)
    head = set_text(number, WIDTH_PT, style)[0]
    first = lines[0]
    lines[0] = replace(first, pieces=(*head.pieces, *first.pieces), text=f"{number} {first.text}")
    return lines


def headings(blocks: Sequence[Block]) -> Iterator[tuple[int, Heading]]:
    """Yield the headings with their block numbers."""
    for at, block in enumerate(blocks):
        if isinstance(block, Heading):
            yield at, block
