"""Writes a sample as a Word file with heading styles, real footnotes and tables; must not know the PDF's looks."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from xml.sax.saxutils import escape

import docx
from docx.document import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_LINE_SPACING, WD_TAB_ALIGNMENT, WD_TAB_LEADER
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Inches, Pt, RGBColor
from docx.table import Table as WordTable
from docx.text.paragraph import Paragraph as WordParagraph

from samplebuilder.book import Book
from samplebuilder.compose import Entry
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
    Table,
    curly,
    front_length,
    runs,
)

_NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_FOOTNOTES_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_ZIP_TIME = (2026, 1, 1, 0, 0, 0)
_TAB = Inches(6.5)


def to_docx(book: Book) -> bytes:
    """Return the sample as a Word file, the same bytes for the same source."""
    writer = _Writer(book)
    packed = io.BytesIO()
    writer.write().save(packed)
    return _repacked(packed.getvalue())


class _Writer:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._source = book.source
        self._is_brief = book.source.kind == "brief"
        self._document: Document = docx.Document()
        self._notes: list[str] = []

    def write(self) -> Document:
        self._prepare()
        front = front_length(self._source)
        for at, block in enumerate(self._source.blocks):
            if at and at == front:
                self._document.add_page_break()
            self._add(block, self._source.blocks[at - 1] if at else None)
        self._attach_notes()
        return self._document

    def _prepare(self) -> None:
        document, properties = self._document, self._document.core_properties
        filed = datetime.fromisoformat(self._source.filed + "T09:00:00")
        properties.created = properties.modified = filed
        properties.author = properties.title = properties.comments = properties.last_modified_by = ""
        for edge in ("left_margin", "right_margin", "top_margin", "bottom_margin"):
            setattr(document.sections[0], edge, Inches(1))
        for name in ("Normal", "Heading 1", "Heading 2", "Heading 3", "Heading 4", "List Bullet", "Quote"):
            style = document.styles[name]
            style.font.name, style.font.size = "Times New Roman", Pt(12)
            style.font.color.rgb, style.font.italic = RGBColor(0, 0, 0), False
            fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
            for key in [key for key in fonts.attrib if "Theme" in key]:
                del fonts.attrib[key]
        footer = document.sections[0].footer.paragraphs[0]
        footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
        field = OxmlElement("w:fldSimple")
        field.set(qn("w:instr"), "PAGE")
        footer._p.append(field)

    def _add(self, block: Block, before: Block | None) -> None:
        if isinstance(block, PageBreak):
            self._document.add_page_break()
        elif isinstance(block, Caption):
            self._caption(block)
        elif isinstance(block, Heading):
            self._heading(block)
        elif isinstance(block, Table):
            self._table(block.rows, grid=True)
        elif isinstance(block, Signature):
            for line in block.lines:
                self._text(line).paragraph_format.left_indent = Inches(0 if line.startswith(("Dated", "c:")) else 3.25)
        elif isinstance(block, Contents):
            self._contents(before)
        elif isinstance(block, Authorities):
            self._authorities(block, before)
        else:
            self._paragraph(block)

    def _paragraph(self, block: Paragraph) -> None:
        style = {"quote": "Quote", "item": "List Bullet"}.get(block.role, "Normal")
        paragraph = self._text(block.text, style)
        layout = paragraph.paragraph_format
        if block.role == "quote":
            layout.left_indent = layout.right_indent = Inches(0.7)
        elif block.role == "body" and self._is_brief:
            layout.first_line_indent = Inches(0.5)
            layout.line_spacing_rule = WD_LINE_SPACING.DOUBLE

    def _heading(self, block: Heading) -> None:
        text = block.text.upper() if block.level == 2 and block.number else block.text
        if block.number:
            text = f"{block.number}\t{text}"
        paragraph = self._text(text, f"Heading {block.level}")
        if block.level == 1 and self._is_brief:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER

    def _caption(self, block: Caption) -> None:
        box: list[tuple[str, ...]] = []
        for line in [*block.lines, ""]:
            left, bar, right = line.partition("|")
            if bar:
                box.append((left.strip(), right.strip()))
                continue
            if box:
                self._table([tuple("\n".join(cells) for cells in zip(*box, strict=True))], grid=False)
                box = []
            paragraph = self._text(line.removeprefix("^"))
            if line.startswith("^"):
                paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER

    def _contents(self, before: Block | None) -> None:
        if not isinstance(before, Heading):
            self._document.add_page_break()
            self._heading(Heading(1, "", "TABLE OF CONTENTS"))
        for entry in self._book.entries:
            self._entry(entry)

    def _authorities(self, block: Authorities, before: Block | None) -> None:
        if not isinstance(before, Heading):
            self._document.add_page_break()
            self._heading(Heading(1, "", "TABLE OF AUTHORITIES"))
        for title, entries in block.groups:
            self._text(f"**{title}**")
            for text in entries:
                self._entry(Entry(text, self._book.cited.get(text, "")))

    def _entry(self, entry: Entry) -> None:
        text = f"{entry.number} {entry.text}" if entry.number else entry.text
        paragraph = self._text(f"{text}\t{entry.page}")
        paragraph.paragraph_format.left_indent = Inches(0.3 * max(0, entry.level - 2))
        paragraph.paragraph_format.tab_stops.add_tab_stop(_TAB, WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)

    def _table(self, rows: tuple[tuple[str, ...], ...] | list[tuple[str, ...]], *, grid: bool) -> None:
        columns = max(map(len, rows))
        table: WordTable = self._document.add_table(rows=0, cols=columns, style="Table Grid" if grid else None)
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=False):
                lines = text.split("\n")
                self._fill(cell.paragraphs[0], lines[0])
                for line in lines[1:]:
                    self._fill(cell.add_paragraph(), line)
        self._document.add_paragraph()

    def _text(self, text: str, style: str = "Normal") -> WordParagraph:
        return self._fill(self._document.add_paragraph(style=style), text)

    def _fill(self, paragraph: WordParagraph, text: str) -> WordParagraph:
        paragraph.paragraph_format.space_after = Pt(6)
        for part in runs(curly(text)):
            if part.note:
                self._mark(paragraph, part.note)
                continue
            run = paragraph.add_run(part.text)
            run.bold, run.italic, run.underline = part.bold or None, part.italic or None, part.underlined or None
        return paragraph

    def _mark(self, paragraph: WordParagraph, label: str) -> None:
        self._notes.append(self._source.notes[label])
        run = paragraph.add_run()
        run.font.superscript = True
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), str(len(self._notes)))
        run._r.append(reference)

    def _attach_notes(self) -> None:
        """Write the part for footnotes; python-docx has none."""
        if not self._notes:
            return
        notes = [
            f'<w:footnote w:type="{kind}" w:id="{at}"><w:p><w:r><w:{tag}/></w:r></w:p></w:footnote>'
            for at, kind, tag in ((-1, "separator", "separator"), (0, "continuationSeparator", "continuationSeparator"))
        ]
        for at, text in enumerate(self._notes, start=1):
            body = "".join(map(_run_xml, runs(curly(text))))
            mark = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r>'
            space = '<w:r><w:t xml:space="preserve"> </w:t></w:r>'
            notes.append(f'<w:footnote w:id="{at}"><w:p>{mark}{space}{body}</w:p></w:footnote>')
        content = f'<?xml version="1.0" encoding="UTF-8"?><w:footnotes {_NAMESPACE}>{"".join(notes)}</w:footnotes>'
        package = self._document.part.package
        part = Part(PackURI("/word/footnotes.xml"), _FOOTNOTES_TYPE, content.encode(), package)
        self._document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def _run_xml(run: Run) -> str:
    marks = (run.bold, "<w:b/>"), (run.italic, "<w:i/>"), (run.underlined, '<w:u w:val="single"/>')
    style = "".join(tag for on, tag in marks if on)
    return f'<w:r><w:rPr>{style}</w:rPr><w:t xml:space="preserve">{escape(run.text)}</w:t></w:r>'


def _repacked(content: bytes) -> bytes:
    """Return the archive with fixed times."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            new.writestr(zipfile.ZipInfo(member.filename, _ZIP_TIME), old.read(member), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
