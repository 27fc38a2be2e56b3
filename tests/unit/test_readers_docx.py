"""Reading Word files: text as it stands, styles, notes, numbers, pages; and files made to do harm."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.text import WD_BREAK
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor

from briefbank.errors import DamagedFileError, SourceError, TooLargeError, UnsupportedFileError
from briefbank.ingest.readers import read_file
from briefbank.platform.settings import Settings
from briefbank.values.records import Reading

W = nsdecls("w")


def read(path: Path, *build: Callable[[Any], None]) -> Reading:
    document = docx.Document()
    for function in build:
        function(document)
    document.save(str(path))
    return read_file(path, Settings())


def texts(reading: Reading) -> list[list[str]]:
    return [[line.text for line in page.lines] for page in reading.pages]


def appended(document: Any, xml: str) -> None:
    document.add_paragraph("kept ")._p.append(parse_xml(xml))


def test_paragraphs_carry_their_style_and_look(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        document.add_heading("The Stop Was Unlawful", 1)
        document.add_paragraph("A quoted passage.", style="Quote")
        paragraph = document.add_paragraph("indented")
        paragraph.paragraph_format.left_indent = Pt(36)
        paragraph.runs[0].underline = True

    reading = read(tmp_path / "a.docx", build)
    heading, quote, indented = reading.pages[0].lines
    assert reading.styles == ((1, 0, "Heading 1"), (1, 1, "Quote"), (1, 2, "Normal"))
    assert (heading.is_bold, quote.is_italic, indented.is_underlined) == (True, True, True)
    assert indented.box.x0 - heading.box.x0 == 36
    assert not reading.has_pages


def test_insertions_are_kept_and_deletions_left_out(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        appended(document, f'<w:ins {W} w:id="1" w:author="x"><w:r><w:t>inserted</w:t></w:r></w:ins>')
        appended(document, f'<w:del {W} w:id="2" w:author="x"><w:r><w:delText>deleted</w:delText></w:r></w:del>')
        appended(document, f'<w:moveFrom {W} w:id="3" w:author="x"><w:r><w:t>moved</w:t></w:r></w:moveFrom>')
        appended(document, f"<w:r {W}><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>")

    assert texts(read(tmp_path / "a.docx", build)) == [["kept inserted", "kept", "kept", "kept"]]


def test_page_breaks_start_pages(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        document.add_paragraph("one").add_run().add_break(WD_BREAK.PAGE)
        document.add_paragraph("two")
        appended(document, f"<w:r {W}><w:lastRenderedPageBreak/><w:t>three</w:t></w:r>")

    assert texts(read(tmp_path / "a.docx", build)) == [["one"], ["two", "kept"], ["three"]]


def test_automatic_numbers_are_written_out(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        for text in ("first", "second"):
            document.add_paragraph(text, style="List Number")
        document.add_paragraph("bullet", style="List Bullet")

    assert texts(read(tmp_path / "a.docx", build)) == [["1. first", "2. second", "bullet"]]


def test_headers_and_footers_are_read_where_they_say_more_and_comments_are_told(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        paragraph = document.add_paragraph("State v. Quince, brief")
        section = document.sections[0]
        section.header.paragraphs[0].text = "Quince brief"
        section.footer.paragraphs[0].text = "Privileged: not for filing. Page 3 of 4"
        section.first_page_header.paragraphs[0].text = "Marlinspike"
        section.different_first_page_header_footer = False
        document.add_comment(paragraph.runs, "Marlinspike, says the State.", author="Jo")

    reading = read(tmp_path / "a.docx", build)
    assert texts(reading) == [
        ["State v. Quince, brief", "Headers and footers", "Privileged: not for filing. Page 3 of 4"]
    ]
    assert (reading.unread_parts, reading.styles[1]) == (("a comment",), (1, 1, "Heading 1"))


def test_a_word_over_two_runs_is_one_cells_are_read_in_order(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        document.add_paragraph("The auth").add_run("orities agree").italic = True
        table = document.add_table(1, 2)
        table.cell(0, 0).text, table.cell(0, 1).text = "STATE OF NEW JERSEY", "Docket No. A-1-20"

    assert texts(read(tmp_path / "a.docx", build)) == [
        ["The authorities agree", "STATE OF NEW JERSEY", "Docket No. A-1-20"]
    ]


def test_footnotes_follow_the_page_that_calls_them_under_their_mark(tmp_path: Path) -> None:
    notes = (
        f'<w:footnotes {W}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> See below.</w:t></w:r>'
        "</w:p></w:footnote></w:footnotes>"
    )

    def build(document: Any) -> None:
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
        part = Part(PackURI("/word/footnotes.xml"), kind, notes.encode(), document.part.package)
        document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        paragraph = document.add_paragraph("The court erred.")
        paragraph._p.append(parse_xml(f'<w:r {W}><w:footnoteReference w:id="2"/></w:r>'))
        paragraph.add_run(" It did.").add_break(WD_BREAK.PAGE)
        document.add_paragraph("next")

    reading = read(tmp_path / "a.docx", build)
    assert texts(reading) == [["The court erred. 1 It did.", "1 See below."], ["next"]]
    assert [word.is_superscript for word in reading.pages[0].lines[1].words] == [True, False, False]
    assert (1, 1, "Footnote") in reading.styles


@pytest.mark.parametrize(
    ("member", "data", "expected"),
    [("word/document.xml", b" " * 30_000_000, TooLargeError), ("xl/workbook.xml", b"<x/>", UnsupportedFileError)],
    ids=["bomb", "spreadsheet"],
)
def test_a_zip_bomb_is_refused_before_it_is_unpacked_and_so_is_another_kind_of_zip_file(
    tmp_path: Path, member: str, data: bytes, expected: type[SourceError]
) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, data)
    with pytest.raises(expected):
        read_file(path, Settings())


@pytest.mark.parametrize(
    "member", ["word/document.xml", "word/styles.xml", "[Content_Types].xml", "word/numbering.xml"]
)
def test_a_file_with_a_broken_part_is_damaged(tmp_path: Path, member: str) -> None:
    docx.Document().save(str(tmp_path / "whole.docx"))
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(tmp_path / "whole.docx") as whole, zipfile.ZipFile(path, "w") as broken:
        for name in whole.namelist():
            broken.writestr(name, b"<broken" if name == member else whole.read(name))
    with pytest.raises(DamagedFileError):
        read_file(path, Settings())


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    read(tmp_path / "whole.docx", lambda document: document.add_paragraph("text"))
    data = (tmp_path / "whole.docx").read_bytes()
    for share in (0.1, 0.5, 0.95):
        path = tmp_path / "a.docx"
        path.write_bytes(data[: int(share * len(data))])
        with pytest.raises(SourceError, match=r"a\.docx"):
            read_file(path, Settings())


def _hidden_by_style(document: Any) -> None:
    style = document.styles.add_style("Unseen", 2)
    style.font.hidden = True
    document.add_paragraph("kept ").add_run("Marlinspike", style="Unseen")


def _in_white(document: Any) -> None:
    document.add_paragraph("kept ").add_run("Marlinspike").font.color.rgb = RGBColor(255, 255, 255)


def _of_its_cell(document: Any) -> None:
    cell = document.add_table(1, 1).cell(0, 0)
    cell._tc.get_or_add_tcPr().append(parse_xml(f'<w:shd {W} w:val="clear" w:fill="1F3864"/>'))
    cell.paragraphs[0].add_run("kept ").font.color.rgb = RGBColor(255, 255, 255)
    cell.paragraphs[0].add_run("Marlinspike").font.color.rgb = RGBColor(0x1F, 0x38, 0x64)


def _tiny(document: Any) -> None:
    document.add_paragraph("kept ").add_run("Marlinspike").font.size = Pt(1)


def _in_a_hidden_row(document: Any) -> None:
    table = document.add_table(2, 1)
    table.cell(0, 0).text, table.cell(1, 0).text = "kept ", "Marlinspike"
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:hidden {W}/>"))


@pytest.mark.parametrize("hide", [_hidden_by_style, _in_white, _of_its_cell, _tiny, _in_a_hidden_row])
def test_words_that_word_does_not_show_are_left_out(tmp_path: Path, hide: Callable[[Any], None]) -> None:
    reading = read(tmp_path / "a.docx", hide)
    assert "Marlinspike" not in str(reading.pages)
    assert "kept" in str(reading.pages)
    assert reading.pages[0].left_out == 1


NAMES = (
    f'{nsdecls("w", "wp", "a")} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:x="urn:nobody" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def _run(look: str, words: str = "Marlinspike") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve"> {words}</w:t></w:r>'


def _box(words: str, attributes: str = "", place: str = ">") -> str:
    shape = f"<wps:txbx>{_held(words)}</wps:txbx>"
    at = f'<wp:positionH {place}</wp:posOffset></wp:positionH><wp:extent cx="99" cy="99"/>' if place != ">" else ""
    return f'<w:drawing><wp:inline>{at}<wp:docPr id="1" name="a" {attributes}/>{shape}</wp:inline></w:drawing>'


def _either(choice: str, fallback: str, needs: str) -> str:
    return (
        f'<mc:AlternateContent><mc:Choice Requires="{needs}">{choice}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


def _field(code: str, result: str) -> str:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    return f"{begin}{code}{separate}{result}{end}"


def _table(cell: str, *, table: str = "", row: str = "", look: str = "", words: str = "Marlinspike") -> str:
    return (
        f"<w:tbl><w:tblPr>{table}</w:tblPr><w:tr><w:trPr>{row}</w:trPr><w:tc><w:tcPr>{cell}</w:tcPr>"
        f"<w:p>{_run(look, words)}</w:p></w:tc></w:tr></w:tbl>"
    )


def _filled(colour: str) -> str:
    return _run(f"<w14:textFill><w14:solidFill>{colour}</w14:solidFill></w14:textFill>")


def _held(words: str) -> str:
    return f"<w:txbxContent><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:txbxContent>"


UNSEEN = {
    "style based on a hidden one": _run('<w:rStyle w:val="Deeper"/>'),
    "white by theme": _run('<w:color w:val="000000" w:themeColor="background1"/>'),
    "on a ground made by a pattern": _run('<w:color w:val="000000"/><w:shd w:val="solid" w:color="000000"/>'),
    "black marker": _run('<w:color w:val="000000"/><w:highlight w:val="black"/>'),
    "squeezed": _run('<w:w w:val="1"/>'),
    "fitted into nothing": _run('<w:fitText w:val="1"/>'),
    "without fill": _run("<w14:textFill><w14:noFill/></w14:textFill>"),
    "filled white": _filled('<w14:srgbClr w14:val="FFFFFF"/>'),
    "filled with glass": _filled('<w14:srgbClr w14:val="000000"><w14:alpha w14:val="100000"/></w14:srgbClr>'),
    "box in a hidden run": f"<w:r><w:rPr><w:vanish/></w:rPr>{_box('Marlinspike')}</w:r>",
    "hidden box": "<w:r>" + _box("Marlinspike", 'hidden="1"') + "</w:r>",
    "box left of the page": "<w:r>"
    + _box("Marlinspike", place='relativeFrom="page"><wp:posOffset>-9000000')
    + "</w:r>",
    "shape above the page": (
        '<w:r><w:pict><v:shape style="margin-top:-999pt;height:20pt"><v:textbox>'
        f"{_held('Marlinspike')}</v:textbox></v:shape></w:pict></w:r>"
    ),
    "hidden shape": (
        f'<w:r><w:pict><v:shape style="visibility:hidden"><v:textbox>{_held("Marlinspike")}</v:textbox></v:shape>'
        "</w:pict></w:r>"
    ),
    "code of a field": _field(_run(""), _run("", "shown")),
    "result within the code of a field": _field(_field("<w:r/>", _run("")), _run("", "shown")),
}
PASSED_OVER = {
    "alternative that Word does not know": _either(_run(""), _run("", "shown"), "x"),
    "the same in a run": f"<w:r>{_either('<w:t> Marlinspike</w:t>', '<w:t> shown</w:t>', 'w14 x')}</w:r>",
    "the same around a box": f"<w:r>{_either(_box('Marlinspike'), _box('shown'), 'x')}</w:r>",
    "alternative for old programs": _either(_run("", "shown"), _run(""), "wps"),
    "element that Word does not know": f"<x:any>{_run('')}</x:any>{_run('', 'shown')}",
}
UNSEEN_BLOCKS = {
    "table of a hidden style": _table("", table='<w:tblStyle w:val="Table"/>'),
    "row without height": _table("", row='<w:trHeight w:val="1" w:hRule="exact"/>'),
    "white by a table's style": _table("", table='<w:tblStyle w:val="White"/>'),
    "white by the style of its first row": _table("", table='<w:tblStyle w:val="Head"/><w:tblLook w:val="0020"/>'),
    "black on the ground of its table": _table("", table='<w:shd w:fill="000000"/>', look='<w:color w:val="000000"/>'),
    "black on the ground of a style": _table("", table='<w:tblStyle w:val="Dark"/>', look='<w:color w:val="000000"/>'),
    "merged with the cell above": _table("<w:vMerge/>"),
    "frame left of the page": (
        f'<w:p><w:pPr><w:framePr w:w="2000" w:x="-9000" w:hAnchor="page"/></w:pPr>{_run("")}</w:p>'
    ),
    "frame below the page": f'<w:p><w:pPr><w:framePr w:y="16500" w:vAnchor="page"/></w:pPr>{_run("")}</w:p>',
    "indented off the page": f'<w:p><w:pPr><w:ind w:left="15000"/></w:pPr>{_run("")}</w:p>',
    "white by a paragraph's style based on one": f'<w:p><w:pPr><w:pStyle w:val="Pale"/></w:pPr>{_run("")}</w:p>',
    "line without height": (f'<w:p><w:pPr><w:spacing w:line="1" w:lineRule="exact"/></w:pPr>{_run("")}</w:p>'),
}


def _read_with(path: Path, xml: str, *, is_block: bool = False) -> Reading:
    head, end = '<w:tblStylePr w:type="firstRow">', "</w:tblStylePr></w:style>"
    blue = '<w:shd w:fill="4472C4"/>'

    def build(document: Any) -> None:
        for style in (
            '<w:style w:type="character" w:styleId="Deep"><w:rPr><w:vanish/></w:rPr></w:style>',
            '<w:style w:type="character" w:styleId="Deeper"><w:basedOn w:val="Deep"/></w:style>',
            '<w:style w:type="table" w:styleId="Table"><w:rPr><w:vanish/></w:rPr></w:style>',
            '<w:style w:type="table" w:styleId="White"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>',
            '<w:style w:type="table" w:styleId="Dark"><w:tcPr><w:shd w:fill="101010"/></w:tcPr></w:style>',
            f'<w:style w:type="table" w:styleId="Head">{head}<w:rPr><w:color w:val="FFFFFF"/></w:rPr>{end}',
            f'<w:style w:type="table" w:styleId="Grid"><w:basedOn w:val="Head"/>{head}<w:tcPr>{blue}</w:tcPr>{end}',
            '<w:style w:type="paragraph" w:styleId="Faint"><w:rPr><w:color w:val="FEFEFE"/></w:rPr></w:style>',
            '<w:style w:type="paragraph" w:styleId="Pale"><w:basedOn w:val="Faint"/></w:style>',
        ):
            document.styles.element.append(parse_xml(style.replace("<w:style", f"<w:style {NAMES}", 1)))
        paragraph = document.add_paragraph("kept ")._p
        for each in parse_xml(f"<w:p {NAMES}>{xml}</w:p>"):
            paragraph.addnext(each) if is_block else paragraph.append(each)

    return read(path, build)


@pytest.mark.parametrize("xml", [*UNSEEN.values(), *UNSEEN_BLOCKS.values()], ids=[*UNSEEN, *UNSEEN_BLOCKS])
def test_words_that_word_hides_by_any_means_are_left_out_and_told(tmp_path: Path, xml: str) -> None:
    reading = _read_with(tmp_path / "a.docx", xml, is_block=xml in UNSEEN_BLOCKS.values())
    assert "Marlinspike" not in str(reading.pages)
    assert "kept" in str(reading.pages)
    assert ("shown" in str(reading.pages)) is (">shown" in xml or " shown" in xml)
    assert reading.pages[0].left_out == 1


@pytest.mark.parametrize(("style", "is_read"), [("width:9pt", True), ("visibility:hidden", False)])
def test_words_of_word_art_are_read_where_they_are_shown(tmp_path: Path, style: str, is_read: bool) -> None:
    art = f'<w:r><w:pict><v:shape style="{style}"><v:textpath string="Marlinspike"/></v:shape></w:pict></w:r>'
    assert ("Marlinspike" in str(_read_with(tmp_path / "a.docx", art).pages)) is is_read


@pytest.mark.parametrize("xml", PASSED_OVER.values(), ids=PASSED_OVER)
def test_of_alternatives_the_one_that_word_shows_is_read(tmp_path: Path, xml: str) -> None:
    reading = _read_with(tmp_path / "a.docx", xml)
    assert "Marlinspike" not in str(reading.pages)
    assert "shown" in str(reading.pages)


SEEN = {
    "yellow marker": _run('<w:highlight w:val="yellow"/>'),
    "chosen colour on black": _run('<w:shd w:val="solid" w:color="000000"/>'),
    "white by theme on black": _run('<w:color w:val="FFFFFF" w:themeColor="background1"/><w:highlight w:val="black"/>'),
    "grey by theme": _run('<w:color w:val="A6A6A6" w:themeColor="background1" w:themeShade="A6"/>'),
    "narrow": _run('<w:w w:val="66"/>'),
    "after a field that never ends": f'<w:r><w:fldChar w:fldCharType="begin"/></w:r>{_run("")}',
    "result of a field": _field("<w:r><w:instrText>PAGE</w:instrText></w:r>", _run("")),
    "beneath its reading": f"<w:r><w:ruby><w:rt/><w:rubyBase>{_run('')}</w:rubyBase></w:ruby></w:r>",
    "in a box": f"<w:r>{_box('Marlinspike')}</w:r>",
    "box on the page": "<w:r>" + _box("Marlinspike", place='relativeFrom="page"><wp:posOffset>900000') + "</w:r>",
}
SEEN_BLOCKS = {
    "white by style on the style's ground": _table("", table='<w:tblStyle w:val="Grid"/><w:tblLook w:firstRow="1"/>'),
    "part of a style that the table does not take": _table(
        "", table='<w:tblStyle w:val="Head"/><w:tblLook w:val="0600"/>'
    ),
    "white on the ground of its table": _table("", table='<w:shd w:fill="000000"/>', look='<w:color w:val="FFFFFF"/>'),
    "its own colour in a table of a white style": _table(
        "", table='<w:tblStyle w:val="White"/>', look='<w:color w:val="112233"/>'
    ),
    "frame in the margin": f'<w:p><w:pPr><w:framePr w:w="1400" w:x="-1300"/></w:pPr>{_run("")}</w:p>',
}


@pytest.mark.parametrize("xml", [*SEEN.values(), *SEEN_BLOCKS.values()], ids=[*SEEN, *SEEN_BLOCKS])
def test_words_that_word_shows_are_read_however_they_look(tmp_path: Path, xml: str) -> None:
    reading = _read_with(tmp_path / "a.docx", xml, is_block=xml in SEEN_BLOCKS.values())
    assert "Marlinspike" in str(reading.pages)
    assert reading.pages[0].left_out == 0


def test_paragraphs_in_alternatives_are_read_and_formulas_named(tmp_path: Path) -> None:
    blocks = _either(f"<w:p>{_run('', 'shown')}</w:p>", f"<w:p>{_run('')}</w:p>", "w14")
    assert texts(_read_with(tmp_path / "a.docx", blocks, is_block=True)) == [["kept", "shown"]]
    formula = "<m:oMath><m:r><m:t>1</m:t></m:r></m:oMath>" * 2
    assert _read_with(tmp_path / "b.docx", formula).unread_parts == ("a formula",)


def test_white_words_on_a_dark_ground_are_read(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        run = document.add_paragraph().add_run("A heading in white")
        run.font.color.rgb = RGBColor(255, 255, 255)
        run._r.get_or_add_rPr().append(parse_xml(f'<w:shd {W} w:val="clear" w:fill="000000"/>'))

    assert texts(read(tmp_path / "a.docx", build)) == [["A heading in white"]]


def test_rows_and_cells_in_content_controls_and_tables_in_notes_are_read(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        table = document.add_table(2, 1)
        table.cell(0, 0).text, table.cell(1, 0).text = "walnut", "maple"
        for row, wrapped in ((table.rows[0]._tr, True), (table.rows[1]._tr, False)):
            inner = row if wrapped else row.tc_lst[0]
            control = parse_xml(f"<w:sdt {W}><w:sdtContent/></w:sdt>")
            inner.addprevious(control)
            control[0].append(inner)

    assert texts(read(tmp_path / "a.docx", build)) == [["walnut", "maple"]]


def _put_in(document: Any, name: str, kind: str, data: bytes, relation: str) -> str:
    part = Part(PackURI(name), kind, data, document.part.package)
    return str(document.part.relate_to(part, f"{RELATIONSHIPS}/{relation}"))


RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
R = f'xmlns:r="{RELATIONSHIPS}"'


def test_every_part_of_a_word_file_is_read_furniture_or_named(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        chunks = {
            "/word/c1.html": ("text/html", b"<p>A quince was sold.</p>"),
            "/word/c2.txt": ("text/plain", b"A medlar was kept."),
            "/word/c3.rtf": ("application/rtf", b"{\\rtf1 A sorb.}"),
        }
        for name, (kind, data) in chunks.items():
            chunk = _put_in(document, name, kind, data, "aFChunk")
            document.element.body.insert(0, parse_xml(f'<w:altChunk {W} {R} r:id="{chunk}"/>'))
        document.add_paragraph("The body of it.")
        _put_in(document, "/word/embeddings/a.xlsx", "application/x-sheet", b"x", "package")
        _put_in(document, "/word/charts/chart1.xml", "application/x-chart", b"<a/>", "chart")
        _put_in(document, "/word/new.bin", "application/x-new", b"x", "somethingNew")
        _put_in(document, "/word/media/large.png", "image/png", b"x", "image")

    reading = read(tmp_path / "a.docx", build)
    text = str(texts(reading))
    assert "quince" in text
    assert "medlar" in text
    assert set(reading.unread_parts) == {
        "a part put in from another file",
        "an embedded file",
        "a chart",
        "a picture",
        "a part of the kind “somethingNew”",
    }


def test_a_plain_word_file_holds_nothing_that_is_not_read(tmp_path: Path) -> None:
    assert read(tmp_path / "a.docx", lambda document: document.add_paragraph("Text.")).unread_parts == ()


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [
        ('w:font="WP TypographicSymbols" w:char="0027"', "§"),
        ('w:font="WP TypographicSymbols" w:char="F026"', "¶"),
        ('w:font="Times New Roman" w:char="F0A7"', "§"),
        ('w:font="Wingdings" w:char="F0FE"', "▪"),
    ],
)
def test_symbols_of_fonts_are_read(tmp_path: Path, symbol: str, shown: str) -> None:
    def build(document: Any) -> None:
        appended(document, f"<w:r {W}><w:sym {symbol}/></w:r>")

    assert texts(read(tmp_path / "a.docx", build)) == [[f"kept {shown}"]]


def test_text_in_wordperfects_signs_is_read_as_it_looks(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        run = document.add_paragraph("See ").add_run("'")
        run.font.name = "WP TypographicSymbols"

    assert texts(read(tmp_path / "a.docx", build)) == [["See §"]]


def test_a_strict_file_and_one_whose_main_part_has_another_name_are_read(tmp_path: Path) -> None:
    read(tmp_path / "a.docx", lambda document: document.add_paragraph("A copper ladle."))
    names = {
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main": b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships": (
            b"http://purl.oclc.org/ooxml/officeDocument/relationships"
        ),
        b"word/document.xml": b"word/anything.xml",
    }
    with (
        zipfile.ZipFile(tmp_path / "a.docx") as usual,
        zipfile.ZipFile(tmp_path / "b.docx", "w") as strict,
    ):
        for name in usual.namelist():
            data = usual.read(name)
            for old, new in names.items():
                data = data.replace(old, new)
            strict.writestr(name.replace("document.xml", "anything.xml"), data)
    assert texts(read_file(tmp_path / "b.docx", Settings())) == [["A copper ladle."]]


def test_a_paragraph_whose_mark_is_deleted_goes_on_in_the_next(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        first = document.add_paragraph("The wait was short, ")
        mark = f'<w:pPr {W}><w:rPr><w:del w:id="1" w:author="x"/></w:rPr></w:pPr>'
        first._p.insert(0, parse_xml(mark))
        document.add_paragraph("and nobody came.")

    assert texts(read(tmp_path / "a.docx", build)) == [["The wait was short, and nobody came."]]
