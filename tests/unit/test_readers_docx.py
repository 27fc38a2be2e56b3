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
from docx.shared import Pt

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
