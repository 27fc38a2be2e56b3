"""Word documents as this program writes them, and what python-docx 1.2 does not write by itself: footnotes, bookmarks,
fields, and a package that depends on no clock.

The footnotes follow ECMA-376 part 1, 17.11: a part of their own with the two separators, references in the text, and
styles for both. Must not know what is written.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from html import unescape
from io import BytesIO
from typing import Any

from briefbank.platform.visible import visible

FONT_PT = 12.0
_FONT = "Times New Roman"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_FOOTNOTES_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_FOOTNOTES_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
_SEPARATORS = (
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:pPr><w:spacing w:after="0" w:line="240" '
    'w:lineRule="auto"/></w:pPr>'
    "<w:r><w:separator/></w:r></w:p></w:footnote>"
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:pPr><w:spacing w:after="0" w:line="240" '
    'w:lineRule="auto"/></w:pPr><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'
)
_TEXT_STYLE, _REFERENCE_STYLE = "footnote text", "footnote reference"
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_TEXT = re.compile(
    r"<w:t(?: [^>]*)?>([^<]*)</w:t>"
    r"|<w:(?:(vanish|webHidden|specVanish|strike|dstrike|hidden)(?![^>]*\bw:val=\"(?:0|false|off)\")"
    r"|(del|moveFrom|drawing|pict|object)(?=[ />])|(color)(?=[^>]*\bw:val=\"(?i:FFFFFF)\")"
    r"|(sz)(?=[^>]*\bw:val=\"[1-9]\")|(trHeight)(?=[^>]*\bw:hRule=\"exact\"))[ />]"
)
"""Text, and what hides it, strikes it out or lays a picture over it."""
_ATTACHED = re.compile(r"customXml/item\d+\.xml")
_READ = re.compile(r"word/(?:document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml")
_MOST_PART_BYTES, _MOST_PARTS = 64 << 20, 20
_LONGEST_PROPERTY = 255
"""Characters of a title among a document's properties; python-docx refuses more."""


def new_document() -> Any:
    """Return an empty document of letter pages with margins of an inch, in type as courts want it."""
    import docx
    from docx.shared import Inches

    document = docx.Document()
    _set_type(document)
    section = document.sections[0]
    section.page_width, section.page_height = Inches(8.5), Inches(11)
    section.left_margin = section.right_margin = Inches(1)
    return document


def shown(text: str) -> str:
    """Text as it may stand in a document: control and direction characters as codes, which no file format takes."""
    return visible(text).replace("\t", " ")


def add_leader(paragraph: Any) -> None:
    """Lead from a tab to the right margin with dots, as tables of authorities do."""
    from docx.enum.text import WD_TAB_ALIGNMENT, WD_TAB_LEADER
    from docx.shared import Inches

    paragraph.paragraph_format.tab_stops.add_tab_stop(Inches(6.5), WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)


def add_table(document: Any, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Add a table with lines, its head in bold."""
    table = document.add_table(rows=1, cols=len(heads), style="Table Grid")
    for cell, head in zip(table.rows[0].cells, heads, strict=True):
        cell.paragraphs[0].add_run(head).bold = True
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = shown(text)


class Footnotes:
    """The footnotes of one document, numbered from 1."""

    def __init__(self, document: Any) -> None:
        """Add their part and their styles to a document that has none."""
        from docx.enum.style import WD_STYLE_TYPE
        from docx.opc.packuri import PackURI
        from docx.opc.part import XmlPart
        from docx.oxml import parse_xml
        from docx.shared import Pt

        styles = document.styles
        text = styles.add_style(_TEXT_STYLE, WD_STYLE_TYPE.PARAGRAPH)
        text.base_style, text.font.size = styles["Normal"], Pt(10)
        text.paragraph_format.space_after = Pt(0)
        reference = styles.add_style(_REFERENCE_STYLE, WD_STYLE_TYPE.CHARACTER)
        reference.font.superscript = True
        self._ids = (text.style_id, reference.style_id)
        self._root = parse_xml(f'<w:footnotes xmlns:w="{_W}">{_SEPARATORS}</w:footnotes>')
        name = PackURI("/word/footnotes.xml")
        part = XmlPart(name, _FOOTNOTES_TYPE, self._root, document.part.package)
        document.part.relate_to(part, _FOOTNOTES_RELATION)
        self._count = 0

    def add(self, paragraph: Any, text: str) -> None:
        """Put a footnote at the end of a paragraph."""
        self._count += 1
        of_text, of_reference = self._ids
        note = _element("footnote", id=self._count)
        body = _child(note, "p")
        _child(_child(body, "pPr"), "pStyle", val=of_text)
        _marked(body, of_reference, "footnoteRef")
        words = _child(_child(body, "r"), "t")
        words.text = f" {text}"
        words.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        self._root.append(note)
        _marked(_xml(paragraph), of_reference, "footnoteReference", id=self._count)


def _xml(paragraph: Any) -> Any:
    """A paragraph's element, for what python-docx does not write: footnotes, bookmarks and fields."""
    return paragraph.paragraph_format.element


def _marked(parent: Any, style: str, tag: str, **attributes: object) -> None:
    run = _child(parent, "r")
    _child(_child(run, "rPr"), "rStyle", val=style)
    _child(run, tag, **attributes)


def bookmark(paragraph: Any, number: int, name: str) -> None:
    """Name the beginning of a paragraph, for `add_page_reference`."""
    start, end = _element("bookmarkStart", id=number, name=name), _element("bookmarkEnd", id=number)
    element = _xml(paragraph)
    at = 0 if element.pPr is None else 1
    element.insert(at, start)
    element.insert(at + 1, end)


def add_page_reference(paragraph: Any, name: str) -> None:
    """Add a field that shows the page on which a bookmark stands; Word and LibreOffice work it out."""
    for kind in ("begin", None, "separate", "text", "end"):
        run = _child(_xml(paragraph), "r")
        if kind is None:
            instruction = _child(run, "instrText")
            instruction.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            instruction.text = f" PAGEREF {name} \\h "
        elif kind == "text":
            _child(run, "t").text = "…"
        else:
            _child(run, "fldChar", fldCharType=kind, **({"dirty": "true"} if kind == "begin" else {}))


def attach(document: Any, data: bytes) -> None:
    """Keep data in XML beside a document's text, where Word and LibreOffice leave it when they save the document anew
    (ECMA-376 part 1, 15.2.4).
    """
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    package = document.part.package
    name = package.next_partname("/customXml/item%d.xml")
    document.part.relate_to(Part(PackURI(name), "application/xml", data, package), RELATIONSHIP_TYPE.CUSTOM_XML)


def attached(data: bytes) -> list[str]:
    """Return what is kept beside the text of a document; nothing of what is none, or no sound one."""
    return list(_parts(data, _ATTACHED).values())


def words_of(data: bytes) -> str:
    """Return the words that a reader of a document meets, in headers, notes and comments too, without what stands
    between them, which each program saves otherwise, and with a mark for what is hidden, struck out or a picture; none
    of what is no document.
    """
    parts = sorted(_parts(data, _READ).items())
    texts = (
        found[1] if found[1] is not None else f"<{found[found.lastindex or 0]}>"
        for _, part in parts
        for found in _TEXT.finditer(part)
    )
    return "".join(unescape("".join(texts)).split())


def _parts(data: bytes, wanted: re.Pattern[str]) -> dict[str, str]:
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            found = [each for each in package.infolist() if wanted.fullmatch(each.filename)]
            small = [each for each in found if each.file_size <= _MOST_PART_BYTES][:_MOST_PARTS]
            return {each.filename: package.read(each).decode("utf-8", "replace") for each in small}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return {}


def _set_type(document: Any) -> None:
    """Set text and headings as courts want them: one type, black, headings bold."""
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    for name in ("Normal", "Title", "Heading 1", "Heading 2", "Heading 3"):
        style = document.styles[name]
        style.font.name, style.font.size = _FONT, Pt(FONT_PT + (2 if name == "Title" else 0))
        fonts = style.element.rPr.rFonts
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
        if name != "Normal":
            style.font.color.rgb, style.font.bold = RGBColor(0, 0, 0), True
            for border in style.element.findall(f".//{qn('w:pBdr')}"):
                border.getparent().remove(border)


def saved(document: Any, title: str, day: date) -> bytes:
    """Return the bytes of a document: the same for the same content and day, whoever saves it whenever."""
    made = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - a document's time has no zone
    known = document.core_properties
    known.title, known.author, known.last_modified_by, known.comments = title[:_LONGEST_PROPERTY], "", "", ""
    known.created = known.modified = made
    known.revision = 1
    for comment in document.comments:
        _xml(comment.paragraphs[0]).getparent().date = made  # python-docx writes the time of the clock
    written = BytesIO()
    document.save(written)
    fixed = BytesIO()
    with zipfile.ZipFile(written) as before, zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            after.writestr(entry, before.read(name))
    return fixed.getvalue()


def _element(tag: str, **attributes: object) -> Any:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    return OxmlElement(f"w:{tag}", attrs={qn(f"w:{name}"): str(value) for name, value in attributes.items()})


def _child(parent: Any, tag: str, **attributes: object) -> Any:
    made = _element(tag, **attributes)
    parent.append(made)
    return made
