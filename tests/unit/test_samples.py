"""The sample builder: what it lays out says what its sources say, on the pages that its tables name."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pymupdf
import pytest

DATA = Path(__file__).parents[1] / "data"
SOURCES = DATA / "samples" / "sources"
sys.path.insert(0, str(DATA))

book = importlib.import_module("samplebuilder.book")
office = importlib.import_module("samplebuilder.office")
pdf = importlib.import_module("samplebuilder.pdf")
source = importlib.import_module("samplebuilder.source")

HEAD = """+++
form = "{form}"
kind = "brief"
title = "State v. Nobody"
court = ""
docket = ""
filed = "2017-01-02"
filed_in = "none"
author = ""
outcome = ""
+++

"""


def written(folder: Path, body: str, form: str = "pdf") -> source.Source:
    path = folder / "nobody.md"
    path.write_text(HEAD.format(form=form) + body, encoding="utf-8")
    return source.read_source(path)


def sample(name: str) -> source.Source:
    return source.read_source(SOURCES / f"{name}.md")


def words_of(document: pymupdf.Document) -> str:
    return " ".join(" ".join(page.get_text() for page in document).split())


def test_the_office_has_all_kinds_of_documents_in_all_forms():
    sources = list(office.read_all(SOURCES))
    assert len(sources) == 30
    assert {each.kind for each in sources} == {"brief", "internal", "directive"}
    assert {each.form for each in sources} == {
        "pdf", "scan", "rotated-scan", "docx", "txt", "encrypted-pdf", "truncated-pdf"
    }  # fmt: skip
    assert len({office.place(each) for each in sources}) == 30


def test_signs_come_out_right_in_the_text_layer(tmp_path):
    made = written(tmp_path, 'He said "no" under § 5 and ¶ 7, didn\'t he — *State v. Ñandú* did.\n')
    text = words_of(pdf.draw(book.make_book(made)))
    assert "He said “no” under § 5 and ¶ 7, didn’t he — State v. Ñandú did." in text


def test_a_footnote_too_long_for_its_page_flows_over(tmp_path):
    note = [f"word{number}" for number in range(900)]
    made = written(tmp_path, f"Text.[^1] More text.\n\nLast words.\n\n[^1]: {' '.join(note)}\n")
    pages = [page.get_text().split() for page in pdf.draw(book.make_book(made))]
    assert [word for page in pages for word in page if word.startswith("word") and word != "words."] == note
    assert "word0" in pages[0]
    assert "word899" in pages[1]


def test_contents_name_the_page_on_which_each_heading_stands():
    made = book.make_book(sample("renfrew-brief-2024"))
    pages = dict(zip(made.labels, (" ".join(sheet.text.split()) for sheet in made.sheets), strict=True))
    assert len(made.entries) > 10
    for entry in made.entries:
        heading = source.plain(source.curly(f"{entry.number} {entry.text}")).strip()
        assert heading in pages[entry.page]


def test_authorities_name_every_page_that_cites_them():
    made = book.make_book(sample("renfrew-brief-2024"))
    pages = [sheet.text for sheet in made.sheets]
    on = [
        label for label, page in zip(made.labels, pages, strict=True) if label.isdecimal() and "State v. Roth" in page
    ]
    assert ", ".join(on) == made.cited["State v. Roth, 95 N.J. 334 (1984)"]
    assert on


def test_every_authority_listed_is_cited():
    made = book.make_book(sample("pell-cell-location-lab-report"))
    assert made.cited
    assert all(made.cited.values())


@pytest.mark.parametrize("name", ["oakhurst-jail-credits", "memo-franks-motion-2022", "memo-torres-preservation"])
def test_the_same_source_gives_the_same_bytes(name):
    assert office.render(sample(name)) == office.render(sample(name))


def test_word_files_carry_real_footnotes_and_headings(tmp_path):
    made = written(tmp_path, "# FACTS\n\nText.[^1]\n\n| a | b |\n| c | d |\n\n[^1]: The *note*.\n", form="docx")
    path = tmp_path / "nobody.docx"
    path.write_bytes(office.render(made))
    docx = importlib.import_module("docx")
    document = docx.Document(str(path))
    part = next(part for part in document.part.package.iter_parts() if part.partname == "/word/footnotes.xml")
    assert b"note" in part.blob
    assert document.paragraphs[0].style.name == "Heading 1"
    assert document.tables[0].cell(1, 1).text == "d"


def test_plain_text_keeps_to_its_columns():
    text = office.render(sample("memo-torres-preservation")).decode()
    assert max(map(len, text.splitlines())) <= 80
    assert "\f" not in text


def test_scans_hold_pictures_only(tmp_path):
    made = written(tmp_path, "Some text.\n", form="scan")
    document = pymupdf.open(stream=office.render(made), filetype="pdf")
    assert not words_of(document)
    assert [len(page.get_images()) for page in document] == [1]


def test_an_encrypted_sample_needs_its_password():
    document = pymupdf.open(stream=office.render(sample("ravenel-wiretap")), filetype="pdf")
    assert document.needs_pass
    assert not document.authenticate("")
    assert document.authenticate(office.PASSWORD)


def test_the_draft_differs_from_the_filed_brief_but_little():
    filed = sample(office.DRAFT_OF)
    draft = office.as_draft(filed)
    pairs = list(zip(filed.blocks, draft.blocks, strict=True))
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    assert 3 < len(changed) < len(pairs) / 3
    assert draft.stamp == ""
