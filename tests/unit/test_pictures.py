"""Pictures of text on pages of typed text: which pictures are looked at, and what becomes of their words."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_readers_pdf import holding, prose, scan_of, write_pdf

from briefbank.ingest.parse import FileRead, How, Scans, Step, read_whole
from briefbank.ingest.readers.pictures import Grey, is_of_text
from briefbank.platform.settings import Settings
from briefbank.values.page_numbers import named_in
from briefbank.values.records import BlockRole, TextSource

REPORT = "INCIDENT REPORT\nThe deputy found a copper lantern and two\nspools of thread under the porch, and took\nboth."


def drawn(draw: Callable[[Any], None], turn: float = 0.0, dpi: int = 72, size: tuple[int, int] = (300, 120)) -> Any:
    """A picture (PIL) of what a function draws on a sheet."""
    import pymupdf
    from PIL import Image

    with pymupdf.open() as document:
        page = document.new_page(width=size[0], height=size[1])
        draw(page)
        made = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
        picture = Image.frombytes("L", (made.width, made.height), made.samples)
    return picture.rotate(turn, expand=True, fillcolor=255)


def report(page: Any) -> None:
    page.insert_textbox((10, 10, 295, 115), REPORT, fontsize=11)


def scrawl(page: Any) -> None:
    page.draw_bezier((20, 100), (120, -60), (90, 160), (280, 20), width=2)


def photograph() -> Grey:
    """Soft spots of all shades."""
    from PIL import Image, ImageFilter

    spots = np.random.default_rng(3).integers(0, 255, (120, 300), dtype=np.uint8)
    made = np.asarray(Image.fromarray(spots).filter(ImageFilter.GaussianBlur(6))).astype(np.float64)
    return ((made - made.min()) / np.ptp(made) * 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "is_text"),
    [
        (drawn(report), True),
        (drawn(report, turn=2.5), True),
        (drawn(report, turn=90), True),
        (drawn(report).point(lambda shade: 255 - shade), True),  # as on a dark screen
        (drawn(report).point(lambda shade: 90 + shade // 2), True),  # as a pale copy
        (drawn(scrawl), False),
        (photograph(), False),
        (np.full((120, 300), 255, np.uint8), False),
        (np.zeros((0, 10), np.uint8), False),
    ],
)
def test_pictures_of_text_are_told_from_others_cheaply(picture: Any, is_text: bool) -> None:
    assert is_of_text(np.asarray(picture)) is is_text


def with_picture(path: Path, picture: Any, place: tuple[float, float, float, float] = (80, 300, 530, 480)) -> Path:
    """A page of prose with a picture in its middle."""
    import io

    import pymupdf

    data = io.BytesIO()
    picture.save(data, "PNG")

    def draw(page: Any) -> None:
        prose(page)
        page.insert_textbox((72, 500, 540, 700), "Nothing in the report bears on the stop itself, as we said below.")
        page.insert_image(pymupdf.Rect(place), stream=data.getvalue())

    return write_pdf(path, draw)


def read(path: Path, scans: Scans = Scans.RECOGNISE) -> tuple[FileRead, list[int]]:
    """What became of a file, and the pages that OCR looked at."""
    steps: list[Step] = []
    found = read_whole(path, How(Settings(), scans=scans, is_cut=False), steps.append, converts=False)
    assert isinstance(found, FileRead)
    return found, [step.number for step in steps if step.number and step.page is None]


def test_words_of_a_picture_join_the_page_where_it_stands(tmp_path: Path) -> None:
    found, looked_at = read(with_picture(tmp_path / "a.pdf", drawn(report, dpi=200)))
    document = found.document
    assert document
    text = document.text
    assert text.index("lawful arrest") < text.index("copper lantern") < text.index("Nothing in the report")
    assert (looked_at, found.unread_parts, found.ocr_page_count) == ([1], (), 1)
    assert document.pages[0].source is TextSource.TEXT_LAYER
    assert (found.ocr_confidence or 0.0) > 0.8
    (pasted,) = (each for each in document.blocks if "lantern" in text[each.span.start : each.span.end])
    assert pasted.role is BlockRole.QUOTE
    assert not any("INCIDENT" in heading for section in document.sections for heading in section.path)
    (word,) = (each for each in document.words if text[each.start : each.end] == "lantern")
    assert 300 < word.box.y0 < word.box.y1 < 480


def test_a_picture_of_text_that_is_not_read_is_named(tmp_path: Path) -> None:
    path = with_picture(tmp_path / "a.pdf", drawn(report, dpi=200))
    assert read(path, Scans.LEAVE)[0].unread_parts == ("a picture of text on page 1",)
    faint = drawn(report, dpi=30).resize((900, 360))
    assert read(with_picture(tmp_path / "b.pdf", faint))[0].unread_parts == ("a picture of text on page 1",)


def test_photographs_and_small_pictures_cost_no_ocr(tmp_path: Path) -> None:
    from PIL import Image

    assert read(with_picture(tmp_path / "a.pdf", Image.fromarray(photograph())))[1] == []
    assert read(with_picture(tmp_path / "b.pdf", drawn(report), (80, 300, 200, 348)))[1] == []


def test_scans_and_pictures_in_a_pdf_in_a_pdf_are_read_or_told_by_their_place(tmp_path: Path) -> None:
    pasted = with_picture(tmp_path / "p.pdf", drawn(report, dpi=200)).read_bytes()
    scanned = write_pdf(
        tmp_path / "s.pdf", prose, lambda page: scan_of(page, "A walnut easel stood in the hall.")
    ).read_bytes()
    holding(tmp_path / "a.pdf", ("pasted.pdf", pasted), ("scanned.pdf", scanned))
    found, looked_at = read(tmp_path / "a.pdf")
    assert (sorted(looked_at), found.unread_parts) == ([2, 4], ())
    assert found.document
    assert "copper lantern" in found.document.text
    assert "walnut easel" in found.document.text
    unread, _ = read(tmp_path / "a.pdf", Scans.LEAVE)
    assert unread.unread_parts == ("a picture of text on page 1 of attachment 1",)
    assert [named_in(unread.page_runs, page) for page in unread.unread_pages] == ["2 of attachment 2"]
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "a@b.example", "Two files"
    mail.set_content("See below.")
    for name, data in (("pasted.pdf", pasted), ("scanned.pdf", scanned)):
        mail.add_attachment(data, maintype="application", subtype="pdf", filename=name)
    (tmp_path / "a.eml").write_bytes(bytes(mail))
    found, looked_at = read(tmp_path / "a.eml")
    assert (looked_at, found.unread_pages) == ([], ())
    assert found.unread_parts == (
        "pictures of text in attachment 1 “pasted.pdf”",
        "the scanned pages of attachment 2 “scanned.pdf”",
    )


def test_a_huge_picture_costs_no_more_memory_than_its_page(tmp_path: Path) -> None:
    """20,000 by 20,000 pixels, of which a page shows as many as it has room for."""
    import pymupdf

    with pymupdf.open(write_pdf(tmp_path / "a.pdf", prose)) as document:
        picture = document.get_new_xref()
        head = "/Type /XObject /Subtype /Image /Width 20000 /Height 20000 /ColorSpace /DeviceGray /BitsPerComponent 1"
        document.update_object(picture, f"<<{head}>>")
        document.update_stream(picture, bytes(2_500 * 20_000))
        page = document[0]
        page.insert_image(pymupdf.Rect(80, 300, 530, 480), xref=picture)
        document.saveIncr()
    assert read(tmp_path / "a.pdf")[0].unread_parts == ()


def test_pictures_of_text_in_a_word_file_are_read_where_they_stand_or_named(tmp_path: Path) -> None:
    import docx
    from docx.shared import Pt
    from PIL import Image

    document = docx.Document()
    document.add_paragraph("The stop was prolonged.")
    for number, picture in enumerate((drawn(report, dpi=200), Image.fromarray(photograph()))):
        picture.save(tmp_path / f"{number}.png")
        document.add_picture(str(tmp_path / f"{number}.png"), width=Pt(400))
    document.add_paragraph("Nothing in it bears on that.")
    document.save(str(tmp_path / "a.docx"))
    found, _ = read(tmp_path / "a.docx")
    assert found.document
    text = found.document.text
    assert text.index("prolonged") < text.index("copper lantern") < text.index("Nothing in it")
    assert (found.unread_parts, found.ocr_page_count) == ((), 1)
    drawn(report, dpi=30).resize((900, 360)).save(tmp_path / "0.png")
    document = docx.Document()
    document.add_picture(str(tmp_path / "0.png"), width=Pt(400))
    document.add_picture(str(tmp_path / "1.png"), width=Pt(90_000), height=Pt(90_000))
    document.add_paragraph("The stop was prolonged.")
    document.save(str(tmp_path / "b.docx"))
    assert read(tmp_path / "b.docx")[0].unread_parts == ("a picture (2 times)",)
