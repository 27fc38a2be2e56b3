"""Reading PDFs: words, fonts, order, and which pages are left to OCR."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import docx
import pytest

from briefbank.errors import DamagedFileError, EmptyFileError, EncryptedFileError, SourceError, TooLargeError
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings
from briefbank.values.page_numbers import cited
from briefbank.values.records import Reading, TextSource

PROSE = (
    "The officer had no reason to believe that the driver was armed, and the search of the car was not incident to "
    "a lawful arrest. It follows that the evidence should have been suppressed by the trial court. "
)


def write_pdf(path: Path, *draw: Callable[[Any], None], **options: Any) -> Path:
    """A PDF of one page for each function in `draw`."""
    import pymupdf

    with pymupdf.open() as document:
        for function in draw:
            function(document.new_page(width=612, height=792))
        document.save(path, **options)
    return path


def prose(page: Any) -> None:
    import pymupdf

    page.insert_textbox(pymupdf.Rect(72, 72, 540, 700), PROSE * 4, fontsize=12)


def picture(page: Any, rect: Any = None, shade: int = 200) -> None:
    import pymupdf

    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 80), 0)
    pixmap.clear_with(shade)
    page.insert_image(rect or page.rect, pixmap=pixmap)


def scan_of(page: Any, text: str) -> None:
    """A picture of the text, where `insert_textbox` would print it."""
    import pymupdf

    with pymupdf.open() as other:
        printed = other.new_page(width=612, height=792)
        printed.insert_textbox(pymupdf.Rect(72, 72, 540, 700), text, fontsize=12)
        page.insert_image(page.rect, pixmap=printed.get_pixmap(dpi=150))


def texts(reading: Reading, number: int = 1) -> list[str]:
    return [line.text for line in reading.pages[number - 1].lines]


def test_words_come_with_boxes_and_styles(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        page.insert_text((72, 100), "POINT I", fontsize=14, fontname="hebo")
        page.insert_text((72, 130), "See Smith for this.", fontsize=12, fontname="tiit")

    lines = read_file(write_pdf(tmp_path / "a.pdf", draw), Settings()).pages[0].lines
    assert [line.text for line in lines] == ["POINT I", "See Smith for this."]
    assert (lines[0].is_bold, lines[0].is_italic, lines[0].size_pt) == (True, False, 14.0)
    assert lines[1].is_italic
    box = lines[1].words[1].box
    assert 72 < box.x0 < box.x1 < 140
    assert box.y0 < 130 < box.y1


def test_a_raised_note_mark_is_a_word_of_its_own(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        page.insert_htmlbox((72, 72, 540, 200), "<p>The court erred.<sup>12</sup> It is plain.</p>")

    words = read_file(write_pdf(tmp_path / "a.pdf", draw), Settings()).pages[0].lines[0].words
    assert [word.text for word in words] == ["The", "court", "erred.", "12", "It", "is", "plain."]
    assert [word.is_superscript for word in words].index(True) == 3


def test_underlined_words_are_seen(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        page.insert_htmlbox((72, 72, 540, 200), "<p><u>The stop was unlawful</u></p><p>It was not brief.</p>")

    lines = read_file(write_pdf(tmp_path / "a.pdf", draw), Settings()).pages[0].lines
    assert [line.is_underlined for line in lines] == [True, False]


def test_columns_drawn_one_after_the_other_are_read_so(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        for column, x in (("left", 72), ("right", 330)):
            for row in range(6):
                page.insert_text((x, 100 + 14 * row), f"{column} {row}")

    expected = [f"{column} {row}" for column in ("left", "right") for row in range(6)]
    assert texts(read_file(write_pdf(tmp_path / "a.pdf", draw), Settings())) == expected


def test_what_stands_side_by_side_is_one_line_and_lines_go_down_the_page_in_whatever_order_they_are_drawn(
    tmp_path: Path,
) -> None:
    def draw(page: Any) -> None:
        page.insert_text((300, 750), "17")
        page.insert_text((72, 100), "POINT I The stop was unlawful")
        page.insert_text((72, 120), "second")
        page.insert_text((520, 100), "12")

    read = texts(read_file(write_pdf(tmp_path / "a.pdf", draw), Settings()))
    assert read == ["POINT I The stop was unlawful 12", "second", "17"]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_boxes_follow_the_rotation_of_the_page(tmp_path: Path, rotation: int) -> None:
    def draw(page: Any) -> None:
        prose(page)
        page.set_rotation(rotation)

    upright = read_file(write_pdf(tmp_path / "a.pdf", prose), Settings()).pages[0]
    page = read_file(write_pdf(tmp_path / "b.pdf", draw), Settings()).pages[0]
    assert (page.rotation_deg, page.width_pt, page.height_pt) == (360 - rotation, 612, 792)
    assert [line.text for line in page.lines] == [line.text for line in upright.lines]
    assert page.lines[0].words[0].box == pytest.approx(upright.lines[0].words[0].box, abs=0.5)


def test_a_blank_page_yields_no_words_and_no_ocr_and_a_file_of_such_pages_holds_no_text(tmp_path: Path) -> None:
    with pytest.raises(EmptyFileError):
        read_file(write_pdf(tmp_path / "blank.pdf", lambda page: None), Settings())
    reading = read_file(write_pdf(tmp_path / "a.pdf", prose, lambda page: None), Settings())
    assert reading.pages[1].lines == ()
    assert reading.pages[1].source is TextSource.NONE
    assert reading.pages_to_ocr == ()


def test_a_scan_under_a_filing_stamp_goes_to_ocr_and_keeps_the_stamp(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        picture(page)
        page.insert_text((200, 20), "FILED, Clerk of the Court, May 05, 2021, A-001234-20")

    reading = read_file(write_pdf(tmp_path / "a.pdf", prose, draw), Settings())
    assert reading.pages_to_ocr == (2,)
    assert "A-001234-20" in texts(reading, 2)[0]


def test_a_small_picture_beside_text_needs_no_ocr(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        prose(page)
        picture(page, (400, 600, 500, 700))

    assert read_file(write_pdf(tmp_path / "a.pdf", draw), Settings()).pages_to_ocr == ()


@pytest.mark.parametrize(
    "debris",
    [
        "~'i1l 7l-;t .,tl\"~ rn::;!l ]l1[ x~v ^^j ",
        "7KH RIILFHU KDG QR UHDVRQ WR EHOLHYH WKDW WKH ",
        "\ue010\ue012\ue013 \ue000\ue021 ",
    ],
)
def test_debris_of_an_earlier_ocr_is_dropped_and_read_again(tmp_path: Path, debris: str) -> None:
    def draw(page: Any) -> None:
        import pymupdf

        picture(page)
        font = pymupdf.Font("helv")
        writer = pymupdf.TextWriter(page.rect)
        writer.fill_textbox(pymupdf.Rect(72, 72, 540, 700), debris * 25, font=font, fontsize=9)
        writer.write_text(page, render_mode=3)

    reading = read_file(write_pdf(tmp_path / "a.pdf", draw), Settings())
    assert reading.pages_to_ocr == (1,)
    assert texts(reading) == []


def test_a_good_unseen_layer_over_a_scan_is_kept(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        import pymupdf

        scan_of(page, PROSE * 2)
        page.insert_textbox(pymupdf.Rect(72, 72, 540, 700), PROSE * 2, fontsize=12, render_mode=3)

    reading = read_file(write_pdf(tmp_path / "a.pdf", draw), Settings())
    assert reading.pages_to_ocr == ()
    assert texts(reading)[0].startswith("The officer")


def test_text_in_form_fields_and_typed_notes_is_read(tmp_path: Path) -> None:
    def draw(page: Any) -> None:
        page.add_freetext_annot((72, 72, 300, 100), "Docket No. A-000777-19")

    assert texts(read_file(write_pdf(tmp_path / "a.pdf", draw), Settings())) == ["Docket No. A-000777-19"]


def test_a_file_that_needs_a_password_is_named_and_one_that_only_restricts_printing_is_read(tmp_path: Path) -> None:
    import pymupdf

    locked: dict[str, Any] = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "y"}
    assert read_file(write_pdf(tmp_path / "printing.pdf", prose, **locked), Settings()).pages[0].lines
    path = write_pdf(tmp_path / "a.pdf", prose, user_pw="x", **locked)
    with pytest.raises(EncryptedFileError, match=r"a\.pdf"):
        read_file(path, Settings())


def test_a_truncated_file_is_repaired_or_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    whole = write_pdf(tmp_path / "a.pdf", *[prose] * 5).read_bytes()
    for share in (0.05, 0.3, 0.6, 0.9, 0.99):
        path = tmp_path / "cut.pdf"
        path.write_bytes(whole[: int(share * len(whole))])
        with suppress(SourceError):
            assert read_file(path, Settings()).pages
    assert capfd.readouterr() == ("", "")


def test_a_file_that_only_claims_to_be_a_pdf_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    with pytest.raises(DamagedFileError):
        read_file(path, Settings())


def test_a_pdf_without_its_suffix_is_known_by_its_content(tmp_path: Path) -> None:
    assert read_file(write_pdf(tmp_path / "a.bin", prose), Settings()).pages[0].lines


def test_limits_of_pages_and_bytes_hold(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", prose, prose)
    with pytest.raises(TooLargeError, match="2 pages"):
        read_file(path, Settings(max_pages=1))
    with pytest.raises(TooLargeError, match="bytes"):
        read_file(path, Settings(max_file_bytes=1_000))


def test_properties_and_outline_are_read(tmp_path: Path) -> None:
    import pymupdf

    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        prose(document.new_page())
        document.set_metadata({"title": " Brief ", "author": "A. Author", "creationDate": "D:20190314101500Z"})
        document.set_toc([[1, "POINT I", 1]])
        document.save(path)
    reading = read_file(path, Settings())
    assert (reading.info_title, reading.info_author, reading.info_created) == ("Brief", "A. Author", "2019-03-14")
    assert reading.bookmarks == ((1, "POINT I", 1),)


def holding(path: Path, *files: tuple[str, bytes], pinned: tuple[str, bytes] = ("pin.txt", b"A pinned elm.")) -> bytes:
    """Write a PDF of a page of prose with files in it, and one pinned to the page."""
    import pymupdf

    with pymupdf.open(write_pdf(path, prose)) as document:
        for number, (name, data) in enumerate(files):
            document.embfile_add(f"{number:04d}", data, filename=name)
        document[0].add_file_annot((300, 740), pinned[1], pinned[0])
        document.saveIncr()
    return path.read_bytes()


def said(words: str) -> Callable[[Any], None]:
    return lambda page: page.insert_text((72, 100), words)


def test_files_in_a_pdf_are_read_with_their_place_or_named(tmp_path: Path) -> None:
    """Those that are PDFs, and the PDFs in these, come first: their pages are filed ones. The others are in order."""
    word = docx.Document()
    word.add_paragraph("An oak casket was pawned.")
    word.save(str(tmp_path / "a.docx"))
    mail = b"From: a@b.c\nSubject: x\n\nA birch flute was heard."
    inner = write_pdf(tmp_path / "i.pdf", said("The larch bowl stood there."), said("The maple desk was gone."))
    nested = holding(tmp_path / "n.pdf", ("deep.pdf", inner.read_bytes()))
    holding(
        tmp_path / "b.pdf",
        ("memo.docx", (tmp_path / "a.docx").read_bytes()),
        ("a/b\\nested.pdf", nested),
        ("plea.eml", mail),
        ("map\u202egnp.png", b"\x89PNG\r\n"),
        ("locked.pdf", inner.read_bytes()[:200]),
    )
    reading = read_file(tmp_path / "b.pdf", Settings())
    assert [(each.place, each.titles[-1], each.first, each.last, each.is_filed) for each in reading.attached] == [
        ("attachment 2", "Attachment 2: a/b\\nested.pdf", 2, 2, True),
        ("attachment 1 in attachment 2", "Attachment 1: deep.pdf", 3, 4, True),
        ("attachment 1", "Attachment 1: memo.docx", 5, 5, False),
        ("attachment 2 in attachment 2", "Attachment 2: pin.txt", 6, 6, False),
        ("attachment 3", "Attachment 3: plea.eml", 7, 7, False),
        ("attachment 6", "Attachment 6: pin.txt", 8, 8, False),
    ]
    assert reading.unread_parts == ("attachment 4 “map\\u202egnp.png”", "attachment 5 “locked.pdf”")
    document = structure(reading)
    (maple,) = (each for each in document.sections if "maple" in document.text[each.span.start : each.span.end])
    assert maple.path == ("Attachment 2: a/b\\nested.pdf", "Attachment 1: deep.pdf")
    assert cited(document.page_runs, 4, 4) == "attachment 1 in attachment 2, p. 2"
    assert cited(document.page_runs, 3, 4) == "attachment 1 in attachment 2, p. 1–2"
    assert (cited(document.page_runs, 5, 5), cited(document.page_runs, 1, 1)) == ("attachment 1, sheet 1", "sheet 1")
    assert [page.number for page in document.pages] == [*range(1, 9)]
    assert "".join(document.text[each.span.start : each.span.end] for each in document.blocks) == document.text
    assert "".join(document.text[each.span.start : each.span.end] for each in document.sections) == document.text
    for word_on, text in ((each, document.text[each.start : each.end]) for each in document.words):
        assert word_on.page > 4 or not word_on.box.x1 or text in str(reading.pages[word_on.page - 1])


def test_a_hostile_nest_of_files_ends_and_keeps_the_brief(tmp_path: Path) -> None:
    """Files very deep in one another, a bomb, and very many."""
    deep = b"An end."
    for _ in range(55):
        deep = holding(tmp_path / "d.pdf", ("next.pdf", deep))
    many = (("one.txt", b"An oak.") for _ in range(2_000))
    holding(tmp_path / "a.pdf", ("deep.pdf", deep), ("bomb.txt", bytes(200_000_000)), *many)
    reading = read_file(tmp_path / "a.pdf", Settings())
    assert reading.pages[0].lines
    assert "attachment 2 “bomb.txt”" in reading.unread_parts
    assert 1_900 < len(reading.attached) < 2_000


_TEMPLATE = b"""<template xmlns='http://www.xfa.org/schema/xfa-template/3.3/'><subform name='form1'>
<draw><value><text>APPLICATION FOR COUNSEL</text></value></draw>
<draw presence='hidden'><value><text>An unseen ash.</text></value></draw>
<subform presence='invisible'><field name='tree'/></subform>
<field name='trade'><caption><value><text>Occupation:</text></value></caption>
  <event><script>var yew = 1;</script></event></field>
<draw><value><exData contentType='text/html'><body xmlns='http://www.w3.org/1999/xhtml'><p>I own no
  <b>larch</b> cart.</p><p>I swear it.</p></body></exData></value></draw>
<field name='town'><value><text>Elmsford</text></value></field></subform></template>"""
_DATA = b"""<xfa:datasets xmlns:xfa='http://www.xfa.org/schema/xfa-data/1.0/'><xfa:data><form1>
<trade>cooper</trade><tree>oak</tree><other>birch</other></form1></xfa:data></xfa:datasets>"""


def with_form(path: Path, *packets: bytes, text: str = "Please wait…") -> Path:
    """A PDF whose page says to wait, with the packets of a form; one alone holds all."""
    import pymupdf

    with pymupdf.open(write_pdf(path, said(text))) as document:
        streams = []
        for packet in packets:
            streams.append(document.get_new_xref())
            document.update_object(streams[-1], "<<>>")
            document.update_stream(streams[-1], packet)
        listed = " ".join(f"(packet) {stream} 0 R" for stream in streams)
        form = f"[{listed}]" if len(packets) > 1 else f"{streams[0]} 0 R"
        document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields [] /XFA {form}>>")
        document.saveIncr()
    return path


def test_a_form_that_another_program_would_draw_is_read(tmp_path: Path) -> None:
    head, end = b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'>", b"</xdp:xdp>"
    for packets in ((head, _TEMPLATE, _DATA, end), (head + _DATA + _TEMPLATE + end,)):
        reading = read_file(with_form(tmp_path / "a.pdf", *packets), Settings())
        assert reading.unread_parts == ()
        assert texts(reading, 2) == [
            "APPLICATION FOR COUNSEL",
            "Occupation: cooper",
            "I own no larch cart.",
            "I swear it.",
            "Elmsford",
            "other: birch",
        ]
        assert cited(structure(reading).page_runs, 2, 2) == "electronic form, sheet 1"
    (inner,) = read_file(with_form(tmp_path / "b.pdf", b"<a><b>", b"<!DOCTYPE"), Settings()).unread_parts
    assert inner == "an electronic form (XFA) that stands in for its pages"
    bomb = b"<!DOCTYPE a [<!ENTITY b 'bbbbbbbbbb'><!ENTITY c '&b;&b;&b;&b;&b;&b;'>]><template><draw><value><text>&c;"
    assert "bbbb" not in str(read_file(with_form(tmp_path / "c.pdf", bomb), Settings()))


def test_every_kind_of_part_of_a_pdf_is_read_or_named_or_no_words_of_the_brief(tmp_path: Path) -> None:
    """Each part holds a tree of its own. What is stated as no words describes, scripts or signs the file."""
    import pymupdf

    path = tmp_path / "a.pdf"
    with pymupdf.open(write_pdf(path, prose, prose)) as document:
        first, second = document[0], document[1]
        first.add_freetext_annot(pymupdf.Rect(72, 500, 300, 530), "an alder note")
        first.add_stamp_annot(pymupdf.Rect(72, 540, 300, 570), stamp=0)
        second.add_text_annot((300, 500), "a beech remark")
        second.add_highlight_annot(second.search_for("officer")[0]).set_info(content="a cedar remark")
        field = pymupdf.Widget()
        field.field_type, field.field_name, field.field_value = pymupdf.PDF_WIDGET_TYPE_TEXT, "f", "an elder value"
        field.rect = pymupdf.Rect(72, 600, 300, 620)
        second.add_widget(field)
        shown, off = document.add_ocg("shown"), document.add_ocg("draft", on=False)
        second.insert_text((72, 650), "a fir layer", oc=shown)
        second.insert_text((72, 670), "a gum layer", oc=off)
        document.embfile_add("h", b"a hazel file", filename="h.txt")
        first.add_file_annot((300, 740), b"an ivy file", "i.txt")
        stream = document.get_new_xref()
        document.update_object(stream, "<<>>")
        document.update_stream(stream, b"a juniper file")
        spec = f"<</Type /Filespec /UF (j.txt) /EF <</F {stream} 0 R>>>>"
        document.xref_set_key(document.page_xref(1), "AF", f"[{spec}]")
        document.set_toc([[1, "a larch title", 1]])
        document.set_metadata({"title": "a maple title", "keywords": "oak words"})
        document.set_xml_metadata("<x>a pine description</x>")
        catalog = document.pdf_catalog()
        document.xref_set_key(catalog, "OpenAction", "<</S /JavaScript /JS (var rowan = 1)>>")
        document.set_page_labels([{"startpage": 0, "prefix": "spruce-", "style": "D"}])
        document.xref_set_key(catalog, "Threads", "[<</I <</Title (a teak article)>>>>]")
        document.saveIncr()
    reading = read_file(path, Settings())
    text = " ".join(line.text for page in reading.pages for line in page.lines)
    told = (text, reading.info_title, str(reading.bookmarks))
    for tree in ("alder", "APPROVED", "elder", "fir", "hazel", "ivy", "juniper", "larch", "maple"):
        assert any(tree in each for each in told), tree
    assert reading.unread_parts == ("remarks on page 2", "a layer of its pages that is not shown")
    for tree in ("beech", "cedar", "gum", "oak", "pine", "rowan", "spruce", "teak"):
        assert not any(tree in each for each in told), tree
