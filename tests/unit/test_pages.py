"""Pages as they are looked at: as filed, or set from the bank, and the marks on them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import docx
import numpy as np
import office
import pymupdf
import pytest
from docx.shared import Inches
from hypothesis import given
from hypothesis import strategies as st

from briefbank.bank.local import Bank
from briefbank.errors import UsageError
from briefbank.ingest.cache import Cache, stored_ocr_pages
from briefbank.pages.filed import FiledPages, boxes_of, place_words
from briefbank.platform.settings import Settings
from briefbank.values.pages import PageImage, PageWord, Typography
from briefbank.values.records import Box, Line, Page, PageBox, Passage, SectionKind, Span, TextSource, Word

BRIEF = office.brief(
    "Alder Quince",
    "A-1482-17T4",
    "September 14, 2018",
    ("THE STOP WAS UNLAWFULLY PROLONGED.", office.STOP),
    ("THE CONSENT WAS TAINTED.", office.CONSENT),
    ("THE STATEMENT WAS HEARSAY.", office.HEARSAY),
)


@pytest.fixture(scope="module")
def office_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of a PDF and a Word file, with the files beside it."""
    home = tmp_path_factory.mktemp("pages")
    (home / "files").mkdir()
    office.write_pdf(home / "files" / "quince.pdf", BRIEF)
    office.write_docx(home / "files" / "hale.docx", BRIEF.replace("Alder Quince", "Corin Hale").replace("1482", "2207"))
    Bank.open(office.write_bank(home / "bank")).index(home / "files")
    return home


@pytest.fixture
def bank(office_pages: Path) -> Bank:
    return Bank.open(office_pages / "bank")


@pytest.fixture
def pdf(office_pages: Path, tmp_path: Path) -> Iterator[Path]:
    """The PDF, put back when a test has spoilt it."""
    path = office_pages / "files" / "quince.pdf"
    kept = shutil.copy2(path, tmp_path / "kept.pdf")
    yield path
    shutil.copy2(kept, path)


def document_id(bank: Bank, suffix: str) -> str:
    return next(each.id for each in bank.documents() if each.source_path.endswith(suffix))


def passages(bank: Bank, document: str) -> list[Passage]:
    first = bank.passage(f"{document}-0000", context=10_000)
    return [first.passage, *first.after]


def words_of(text: str) -> list[Span]:
    spans, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        if len(word.strip(".,:;()’'")) > 3:
            spans.append(Span(start, start + len(word)))
        start += len(word)
    return spans


def grey(image: PageImage) -> np.ndarray:
    rows = np.frombuffer(image.pixels, dtype=np.uint8).reshape(image.height_px, image.stride_bytes)
    return rows[:, : 3 * image.width_px].reshape(image.height_px, image.width_px, 3).min(axis=2)


def all_on_ink(image: PageImage, words: Iterable[Word | PageWord]) -> bool:
    pixels = grey(image)
    return all(has_ink(pixels, word.box, image.scale) for word in words)


def has_ink(pixels: np.ndarray, box: Box, scale: float) -> bool:
    x0, y0, x1, y1 = (round(edge * scale) for edge in box)
    inside = pixels[max(y0, 0) : y1 + 1, max(x0, 0) : x1 + 1]
    return inside.size > 0 and bool((inside < 128).any())


def letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def test_a_pdf_has_the_sizes_of_its_own_pages(bank: Bank) -> None:
    shown = bank.document_pages(document_id(bank, ".pdf"))
    assert shown.sizes == ((612.0, 792.0),) * shown.document.page_count
    assert shown.warning == ""
    assert shown.has_own_pages


def test_every_word_of_a_page_stands_on_its_ink(bank: Bank) -> None:
    document = document_id(bank, ".pdf")
    image, text = bank.page_image(document, 1, 2.0), bank.page_text(document, 1)
    assert (image.width_px, image.height_px) == (1224, 1584)
    assert len(text.words) > 100
    assert all_on_ink(image, text.words)


@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
def test_each_match_is_marked_where_it_is_printed(bank: Bank, suffix: str) -> None:
    document = document_id(bank, suffix)
    checked = 0
    pages = range(1, len(bank.document_pages(document).sizes) + 1)
    words = {number: bank.page_text(document, number).words for number in pages}
    for passage in passages(bank, document):
        spans = tuple(words_of(passage.text))
        for span, boxes in zip(spans, bank.marks(passage.id, spans).matches, strict=True):
            on_page = "".join(
                word.text
                for place in boxes
                for word in words[place.page]
                if place.box.x0 <= (word.box.x0 + word.box.x1) / 2 <= place.box.x1
                and place.box.y0 <= (word.box.y0 + word.box.y1) / 2 <= place.box.y1
            )
            assert letters(on_page) == letters(passage.text[slice(*span)])
            checked += 1
    assert checked > 100


def test_the_outline_of_a_passage_is_that_of_its_lines(bank: Bank) -> None:
    passage = passages(bank, document_id(bank, ".pdf"))[2]
    assert bank.marks(passage.id, ()).outline == passage.boxes


@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
def test_the_outline_names_every_heading_where_it_is_printed(bank: Bank, suffix: str) -> None:
    document = document_id(bank, suffix)
    outline = bank.outline(document)
    headings = dict.fromkeys(title for passage in passages(bank, document) for title in passage.section_path)
    assert [entry.title for entry in outline] == list(headings)
    assert [entry.level for entry in outline if "CONSENT" in entry.title] == [2]
    places = [(entry.place.page, entry.place.box.y0) for entry in outline]
    assert places == sorted(places)
    first_at = {entry.place: entry.title for entry in reversed(outline)}  # "LEGAL ARGUMENT" and, below it, "POINT I"
    for place, title in first_at.items():
        words = bank.page_text(document, place.page).words
        printed = [word.text for word in words if abs(word.box.y0 - place.box.y0) < 4]
        assert title.split()[0] == printed[0]


def test_a_file_that_changed_is_never_shown_under_the_old_citation(bank: Bank, pdf: Path) -> None:
    document = document_id(bank, ".pdf")
    before = bank.document_pages(document)
    first_words = [word.text for word in bank.page_text(document, 1).words]
    office.write_pdf(pdf, "ANOTHER TEXT ALTOGETHER\n" * 20)
    shown = bank.document_pages(document)
    assert "has changed" in shown.warning
    assert len(shown.sizes) == len(before.sizes)
    words = [word.text for word in bank.page_text(document, 1).words]
    assert "ALTOGETHER" not in words
    assert words == first_words
    image = bank.page_image(document, 1, 2.0)
    assert all_on_ink(image, bank.page_text(document, 1).words)


def test_a_file_that_is_gone_is_shown_as_indexed_until_it_is_back(bank: Bank, pdf: Path) -> None:
    document = document_id(bank, ".pdf")
    passage = next(each for each in passages(bank, document) if "unequivocal" in each.text)
    at = passage.text.index("unequivocal")
    filed = bank.marks(passage.id, (Span(at, at + 11),))
    away = pdf.rename(pdf.with_suffix(".away"))
    assert "no longer where it was" in bank.document_pages(document).warning
    found = bank.marks(passage.id, (Span(at, at + 11),))
    assert found.outline == filed.outline
    assert [each.page for each in found.matches[0]] == [each.page for each in filed.matches[0]]
    assert abs(found.matches[0][0].box.y0 - filed.matches[0][0].box.y0) < 20
    away.rename(pdf)
    assert bank.document_pages(document).warning == ""


def test_a_document_without_pages_is_set_on_sheets(bank: Bank) -> None:
    document = document_id(bank, ".docx")
    shown = bank.document_pages(document)
    assert not shown.has_own_pages
    assert "no pages of its own" in shown.warning
    set_words = [
        word.text for number in range(1, len(shown.sizes) + 1) for word in bank.page_text(document, number).words
    ]
    assert set_words == [word for passage in passages(bank, document) for word in passage.text.split()]
    image = bank.page_image(document, 1, 2.0)
    text = bank.page_text(document, 1)
    assert all_on_ink(image, text.words)
    assert all(word.box.x1 <= 612 - 71 and word.box.y1 <= 792 - 71 for word in text.words)


def test_what_is_not_there_is_refused(bank: Bank) -> None:
    document = document_id(bank, ".pdf")
    with pytest.raises(UsageError):
        bank.document_pages("0" * 16)
    with pytest.raises(UsageError):
        bank.page_image(document, 0, 1.0)
    with pytest.raises(UsageError):
        bank.page_text(document, 99)
    with pytest.raises(UsageError):
        bank.page_image(document, 1, 1_000.0)
    with pytest.raises(UsageError):
        bank.marks(f"{document}-9999", ())


def written(path: Path, *, rotate: int = 0, page_rotation: int = 0, size: tuple[int, int] = (612, 792)) -> Path:
    with pymupdf.open() as made:
        page = made.new_page(width=size[0], height=size[1])
        for row, text in enumerate(("The consent to search was given", "after the traffic stop had ended.")):
            point = (100 + 20 * row, 600) if rotate == 90 else (100, 100 + 20 * row)
            page.insert_text(point, text, fontsize=12, rotate=rotate)
        page.set_rotation(page_rotation)
        made.save(path)
    return path


@pytest.mark.parametrize(("rotate", "page_rotation"), [(0, 0), (90, 0), (90, 90), (0, 180)])
def test_a_page_is_shown_the_way_up_in_which_it_was_read(tmp_path: Path, rotate: int, page_rotation: int) -> None:
    path = written(tmp_path / "turned.pdf", rotate=rotate, page_rotation=page_rotation)
    shown = FiledPages(path, path.read_bytes(), {}, {1: 650.0} if rotate else {})
    picture, page = shown.picture(1, 2.0), shown.page(1)
    image = PageImage("", 1, *picture)
    assert [line.text for line in page.lines] == [
        "The consent to search was given",
        "after the traffic stop had ended.",
    ]
    assert (picture.width_px, picture.height_px) == (round(2 * page.width_pt), round(2 * page.height_pt))
    assert shown.sizes == ((page.width_pt, page.height_pt),)
    assert all_on_ink(image, (word for line in page.lines for word in line.words))
    shown.close()


def test_a_scan_has_the_words_that_ocr_found_and_its_way_up(tmp_path: Path) -> None:
    upright = office.write_scan(tmp_path / "scan.pdf", BRIEF)
    with pymupdf.open(upright) as source:
        source[0].set_rotation(270)
        data = source.tobytes()
    word = Word("SUPERIOR", Box(72.0, 70.0, 130.0, 84.0), 0.9)
    ocr = Page(1, 612.0, 792.0, (Line((word,), word.box),), TextSource.OCR, 0.9, rotation_deg=90)
    shown = FiledPages(upright, data, {1: ocr}, {})
    assert shown.sizes[0] == (612.0, 792.0)
    assert shown.page(1) == ocr
    image = PageImage("", 1, *shown.picture(1, 1.0))
    assert (image.width_px, image.height_px) == (612, 792)
    assert has_ink(grey(image), word.box, 1.0)
    assert not has_ink(grey(image), Box(20, 20, 60, 770), 1.0)
    shown.close()


def test_a_sheet_of_any_size_is_rendered_within_bounds(tmp_path: Path) -> None:
    path = written(tmp_path / "sheet.pdf", size=(14_000, 14_000))
    shown = FiledPages(path, path.read_bytes(), {}, {})
    picture = shown.picture(1, 20.0)
    assert picture.width_px * picture.height_px <= 16_100_000
    assert picture.scale < 1
    shown.close()


def test_stored_ocr_is_read_without_touching_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    page = Page(3, 612.0, 792.0, (), TextSource.OCR, 0.5, 90)
    with Cache(path) as cache:
        cache.put("ocr:aa:3:tesseract-5:300:eng", page)
        cache.put("ocr:ab:4:tesseract-5:300:eng", page)
    before = path.read_bytes()
    assert stored_ocr_pages(path, "aa") == {3: page}
    assert path.read_bytes() == before
    path.write_bytes(b"no database at all" * 100)
    assert stored_ocr_pages(path, "aa") == {}
    assert path.exists()
    assert stored_ocr_pages(tmp_path / "none.sqlite", "aa") == {}


def test_a_spoilt_row_of_stored_ocr_costs_its_own_page_alone(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    pages = {number: Page(number, 612.0, 792.0, (), TextSource.OCR, 0.5, 90) for number in (1, 2, 3, 4, 5)}
    with Cache(path) as cache:
        for number, page in pages.items():
            cache.put(f"ocr:aa:{number}:tesseract-5:300:eng", pages[5] if number == 3 else page)
    database = sqlite3.connect(path)
    database.execute("UPDATE item SET value = x'00112233' WHERE key LIKE 'ocr:aa:1:%'")
    database.execute("UPDATE item SET key = CAST(x'6f63723a61613a32ff' AS TEXT) WHERE key LIKE 'ocr:aa:2:%'")
    database.commit()
    database.close()
    assert stored_ocr_pages(path, "aa") == {4: pages[4], 5: pages[5]}


def test_of_several_readings_of_a_scan_the_one_of_the_index_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    readings = ("tesseract-5:300:eng", "tesseract-5:200:eng", "tesseract-5:200:eng:olmocr")
    with Cache(path) as cache:
        for confidence, reading in enumerate(readings, start=1):
            cache.put(f"ocr:aa:3:{reading}", Page(3, 612.0, 792.0, (), TextSource.OCR, confidence / 10))
        cache.put(f"ocr:aa:4:{readings[1]}", Page(4, 612.0, 792.0, (), TextSource.OCR, 0.2))
    shown = {
        chosen: {number: page.ocr_confidence for number, page in stored_ocr_pages(path, "aa", chosen).items()}
        for chosen in ((readings[1],), (readings[0],), (readings[2], readings[1]))
    }
    assert list(shown.values()) == [{3: 0.2, 4: 0.2}, {3: 0.1}, {3: 0.3, 4: 0.2}]


def line_of(words: list[str], row: int) -> Line:
    made, x = [], 72.0
    for word in words:
        made.append(Word(word, Box(x, 100.0 + 20 * row, x + 6 * len(word), 112.0 + 20 * row)))
        x += 6 * (len(word) + 1)
    return Line(tuple(made), Box(72.0, 100.0 + 20 * row, x - 6, 112.0 + 20 * row))


def passage_on(lines: list[Line], text: str) -> Passage:
    boxes = tuple(PageBox(1, line.box) for line in lines)
    return Passage("d-0", "d", 0, Span(0, len(text)), text, SectionKind.BODY, (), 1, 1, boxes=boxes)


def test_a_word_broken_over_two_lines_is_marked_on_both() -> None:
    lines = [line_of(["an", "unlawfully", "pro-"], 0), line_of(["longed", "stop"], 1)]
    passage = passage_on(lines, "an unlawfully prolonged stop")
    page = Page(1, 612, 792, tuple(lines), TextSource.TEXT_LAYER)
    placed = place_words(passage, [page])
    boxes = boxes_of(Span(14, 23), passage, placed, passage.boxes)
    assert [box.box.y0 for box in boxes] == [100.0, 120.0]
    assert boxes[1].box == lines[1].words[0].box


def test_words_between_the_lines_of_a_passage_do_not_lead_it_astray() -> None:
    lines = [line_of(["the", "consent", "was"], 0), line_of(["17", "17", "17"], 1), line_of(["was", "tainted"], 2)]
    passage = passage_on(lines, "the consent was was tainted")
    placed = place_words(passage, [Page(1, 612, 792, tuple(lines), TextSource.TEXT_LAYER)])
    assert [passage.text[word.start : word.end] for word in placed] == ["the", "consent", "was", "was", "tainted"]
    assert placed[-1].box == lines[2].words[1].box


def test_a_match_whose_words_are_not_found_gets_its_line() -> None:
    lines = [line_of(["one", "two"], 0), line_of(["three", "four"], 1)]
    passage = passage_on(lines, "one two three four")
    assert boxes_of(Span(8, 13), passage, [], passage.boxes) == (passage.boxes[1],)
    assert boxes_of(Span(0, 3), passage, [], passage.boxes) == (passage.boxes[0],)
    assert boxes_of(Span(0, 3), passage, [], ()) == ()


@given(
    st.lists(st.lists(st.text("abcdé§.,’", min_size=1, max_size=9), min_size=1, max_size=8), min_size=1, max_size=12)
)
def test_every_printed_word_finds_its_letters(rows: list[list[str]]) -> None:
    lines = [line_of(words, row) for row, words in enumerate(rows)]
    text = " ".join(word for words in rows for word in words)
    placed = place_words(passage_on(lines, text), [Page(1, 612, 792, tuple(lines), TextSource.TEXT_LAYER)])
    assert [text[word.start : word.end] for word in placed] == [word for words in rows for word in words]
    assert [word.box for word in placed] == [word.box for line in lines for word in line.words]


@pytest.mark.corpus
def test_real_briefs_are_marked_almost_without_gaps() -> None:
    folder = Path(__file__).parents[3] / "shared" / "corpora" / "briefs"
    files = sorted(folder.glob("*.pdf"))[:1] if folder.is_dir() else []
    if not files:
        pytest.skip("there are no briefs beside the checkout")
    from hashing_encoder import HashingEncoder

    from briefbank.ingest.readers import read_file
    from briefbank.ingest.segment import segment
    from briefbank.ingest.structure import structure

    found = wanted = 0
    for path in files:
        reading = read_file(path, Settings())
        if reading.pages_to_ocr:
            continue
        document = structure(reading)
        shown = FiledPages(path, None, {}, {})
        for passage in segment(document, HashingEncoder(), "d"):
            found += sum(word.end - word.start for word in shown.placed(passage))
            wanted += sum(not letter.isspace() for letter in passage.text)
        shown.close()
    assert found / wanted > 0.995


# --- italics ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def italic_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of one PDF with two case names in italics, with the file beside it."""
    home = tmp_path_factory.mktemp("italics")
    (home / "files").mkdir()
    words = (
        ("The stop was held too long, as", "tiro"), ("State v. Carty, 170 N.J. 632,", "tiit"),
        ("has it. Consent that was asked for without suspicion is no consent, and what it led to is kept out.", "tiro"),
        ("So does", "tiro"), ("State v. Elders", "tiit"), ("where a car has broken down at night.", "tiro"),
    )  # fmt: skip
    with pymupdf.open() as pdf:
        page, x, y = pdf.new_page(), 72.0, 100.0
        for text, face in words:
            width = pymupdf.Font(face).text_length(text + " ", 12)
            if x + width > 540:
                x, y = 72.0, y + 16
            page.insert_text((x, y), text, fontname=face, fontsize=12)
            x += width
        pdf.save(home / "files" / "carty.pdf")
    Bank.open(office.write_bank(home / "bank")).index(home / "files")
    return home


def test_the_italics_of_a_passage_are_those_of_its_page(italic_pages: Path) -> None:
    bank = Bank.open(italic_pages / "bank")
    (passage,) = bank.passages_of(document_id(bank, ".pdf"))
    italics = bank.typography(passage.id, passage.text).italics
    assert italics is not None
    assert [passage.text[slice(*span)] for span in italics] == ["State v. Carty, 170 N.J. 632,", "State v. Elders"]


QUOTED = "Consent, to be valid, has to be knowing; it has to be free of all that would make it anything else. "


@pytest.mark.parametrize("inch", [0, 1])
def test_a_paragraph_that_is_set_in_on_its_page_is_a_quotation(tmp_path: Path, inch: int) -> None:
    own = "The stop was held too long, and nothing that was said at its end could make up for what it had been before. "
    with pymupdf.open() as pdf:
        page, y = pdf.new_page(), 90.0
        for words, left in ((own * 4, 72), (QUOTED * 2, 72 + 72 * inch), (own * 3, 72)):
            page.insert_textbox((left, y, 612 - left, 700), words, fontname="tiro", fontsize=12)
            y += 110
        (tmp_path / "files").mkdir()
        pdf.save(tmp_path / "files" / "quoting.pdf")
    Bank.open(office.write_bank(tmp_path / "bank")).index(tmp_path / "files")
    bank = Bank.open(tmp_path / "bank")
    passages = bank.passages_of(document_id(bank, ".pdf"))
    told = [each.text[slice(*span)] for each in passages for span in bank.typography(each.id, each.text).quotes]
    assert " ".join(" ".join(told).split()) == (QUOTED * 2 * inch).strip()


def test_italics_are_told_of_no_other_text_that_has_the_id_of_a_passage(italic_pages: Path) -> None:
    bank = Bank.open(italic_pages / "bank")
    (passage,) = bank.passages_of(document_id(bank, ".pdf"))
    assert bank.typography(passage.id, passage.text.replace("State v. Carty", "State v. Oakes")) == Typography()


def test_a_word_file_is_set_as_filed_with_its_faces_quotations_and_lists(tmp_path: Path) -> None:
    file = tmp_path / "files" / "carty.docx"
    file.parent.mkdir()
    made = docx.Document()
    made.add_heading("ARGUMENT", 1)
    own = made.add_paragraph("The stop was held too long, as ")
    own.add_run("State v. Carty").italic = True
    own.add_run(" has it, and ").bold = False
    own.add_run("no").bold = own.runs[-1].underline = True
    own.add_run(" reason was given for it at any time of that night. ")
    set_in = made.add_paragraph(QUOTED)
    set_in.paragraph_format.left_indent = Inches(1)
    made.add_paragraph("A consent that was asked for without suspicion is none.", style="Quote")
    made.styles["Quote"].font.italic = False
    item = made.add_paragraph("(1) What is listed is set in too, and no court said it.")
    item.paragraph_format.left_indent = Inches(1)
    for _ in range(3):
        made.add_paragraph("So the words that the driver spoke on that road have to be kept out of the trial.")
    made.save(str(file))
    root = office.write_bank(tmp_path / "bank")
    Bank.open(root).index(file.parent)
    with Bank.open(root) as bank:
        document = document_id(bank, ".docx")
        found: dict[str, list[str]] = {"italics": [], "bold": [], "underlined": [], "quotes": []}
        for passage in bank.passages_of(document):
            printed = bank.typography(passage.id, passage.text)
            for name, words in found.items():
                words += [passage.text[slice(*span)] for span in getattr(printed, name)]
        assert found["italics"] == ["State v. Carty"]
        assert (found["bold"], found["underlined"]) == (["ARGUMENT", "no"], ["no"])
        assert found["quotes"] == [QUOTED.strip(), "A consent that was asked for without suspicion is none."]
        words = bank.page_text(document, 1).words
        assert " ".join(word.text for word in words if word.is_quoted) == " ".join(found["quotes"])
        assert [word.text for word in words if word.is_italic] == ["State", "v.", "Carty"]
        left = {word.text: word.box.x0 for word in words if word.text in ("The", "Consent,", "(1)")}
        assert left == {"The": 72, "Consent,": 144, "(1)": 144}
        picture = bank.page_image(document, 1, 1.0)
    file.write_bytes(file.read_bytes() + b"0")
    with Bank.open(root) as bank:
        assert not any(word.is_italic or word.is_quoted for word in bank.page_text(document, 1).words)
        assert bank.page_image(document, 1, 1.0).pixels != picture.pixels


def test_italics_are_told_of_no_file_that_has_changed(italic_pages: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(italic_pages / "bank", tmp_path / "bank"))
    file = italic_pages / "files" / "carty.pdf"
    before = file.read_bytes()
    file.write_bytes(before + b"%changed")
    try:
        bank = Bank.open(copy)
        (passage,) = bank.passages_of(document_id(bank, ".pdf"))
        assert bank.typography(passage.id, passage.text) == Typography()
    finally:
        file.write_bytes(before)


def test_a_page_tells_what_on_it_leads_to_another_page_and_nothing_that_leads_out(tmp_path: Path) -> None:
    path = office.write_pdf(tmp_path / "linked.pdf", BRIEF)
    with pymupdf.open(path) as drawn:
        there = {
            "kind": pymupdf.LINK_GOTO,
            "from": pymupdf.Rect(72, 100, 300, 112),
            "page": 1,
            "to": pymupdf.Point(0, 0),
        }
        drawn[0].insert_link(there)
        drawn[0].insert_link(
            {"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(72, 200, 300, 212), "uri": "https://a.test"}
        )
        drawn[0].insert_link(
            {"kind": pymupdf.LINK_GOTOR, "from": pymupdf.Rect(72, 300, 300, 312), "page": 1, "file": "other.pdf"}
        )
        data = drawn.tobytes()
    pages = FiledPages(path, data, {}, {})
    (link,) = pages.links(1)
    assert link.page == 2
    assert (round(link.box.x0), round(link.box.y0), round(link.box.x1)) == (72, 100, 300)
    assert pages.links(2) == ()
    pages.close()
