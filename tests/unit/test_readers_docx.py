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


def test_a_word_over_two_runs_is_one_cells_are_read_in_order_and_headers_left_out(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        document.add_paragraph("The auth").add_run("orities agree").italic = True
        document.sections[0].header.paragraphs[0].text = "running head"
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
    assert (reading.pages[0].left_out > 0) is (hide is not _in_a_hidden_row)


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
