"""One page out of two readings: where olmOCR's words stand, what stays of Tesseract's, and where they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.ingest.ocr.olmocr.merge import ALONE, Ink, disagrees, merge
from briefbank.values.records import Box, Line, Page, TextSource, Word

PLENTY = Ink(0.2, 0.1, 0.1, 0.9, 0.9)
LETTER_PT, HEIGHT_PT, PITCH_PT = 6.0, 12.0, 24.0


def line(number: int, text: str, confidence: float = 0.9) -> Line:
    """A line of evenly spaced words, the first line at the top of the page."""
    words, x = [], 72.0
    y = 72.0 + number * PITCH_PT
    for each in text.split():
        words.append(Word(each, Box(x, y, x + LETTER_PT * len(each), y + HEIGHT_PT), confidence))
        x += LETTER_PT * (len(each) + 1)
    return Line(tuple(words), Box(72.0, y, x - LETTER_PT, y + HEIGHT_PT))


def page(*lines: str | Line, confidence: float = 0.9) -> Page:
    made = tuple(each if isinstance(each, Line) else line(number, each) for number, each in enumerate(lines))
    source = TextSource.OCR if made else TextSource.NONE
    return Page(7, 612.0, 792.0, made, source, confidence if made else None, 0)


def merged(own: Page, markdown: str, ink: Ink = PLENTY) -> Page:
    made, reason = merge(own, markdown, ink)
    assert reason == ""
    return made


def texts(made: Page) -> list[str]:
    return [each.text for each in made.lines]


def word(made: Page, text: str) -> Word:
    return next(each for every in made.lines for each in every.words if each.text == text)


OWN = page("STATE v. LORNE", "the 0fficer asked tbe driver for consent", "to search and waited ten minutes")


def test_misread_words_are_mended_and_keep_their_boxes() -> None:
    made = merged(OWN, "STATE v. LORNE\n\nthe officer asked the driver for consent to search and waited ten minutes")
    assert texts(made) == [
        "STATE v. LORNE",
        "the officer asked the driver for consent",
        "to search and waited ten minutes",
    ]
    assert word(made, "officer").box == OWN.lines[1].words[1].box
    assert [each.box for each in made.lines] == [each.box for each in OWN.lines]
    assert made.source is TextSource.OCR


ASKED = "the officer asked the driver for consent"
STAMP = line(0, "FILED May 4, 2018 A-001482-17", 1.0)
CAPTION = page("STATE OF NEW JERSEY SUPERIOR COURT", "Plaintiff-Respondent APPELLATE DIVISION")
BROKEN = page("the court denied the appli-", "cation for leave to appeal")


@pytest.mark.parametrize(
    ("own", "markdown", "expected"),
    [
        pytest.param(BROKEN, "the court denied the application for leave to appeal", texts(BROKEN), id="broken word"),
        pytest.param(
            page("Brief of Appellant 12", ASKED, line(20, "17", 0.95)),
            ASKED,
            ["Brief of Appellant 12", ASKED, "17"],
            id="running head and page number that olmOCR leaves out",
        ),
        pytest.param(page(ASKED, line(5, "~ ,; ii", 0.35)), ASKED, [ASKED], id="unsure, and olmOCR has nothing"),
        pytest.param(
            page(STAMP, ASKED), f"FILED May 4, 2016 A-001482-11\n\n{ASKED}", [STAMP.text, ASKED], id="stamp's own text"
        ),
        pytest.param(
            CAPTION,
            "STATE OF NEW JERSEY\nPlaintiff-Respondent\n\nSUPERIOR COURT\nAPPELLATE DIVISION",
            texts(CAPTION),
            id="columns in the rows of the page",
        ),
    ],
)
def test_the_lines_of_a_page_stay_what_is_printed(own: Page, markdown: str, expected: list[str]) -> None:
    assert texts(merged(own, markdown)) == expected


def test_a_page_without_print_stays_blank_or_the_text_of_its_stamp() -> None:
    assert merged(page(), "").source is TextSource.NONE
    own = replace(page(STAMP), source=TextSource.TEXT_LAYER, ocr_confidence=None)
    assert merged(own, "") == own


def test_words_that_both_engines_read_are_surer_than_those_of_one() -> None:
    made = merged(
        OWN, "STATE v. LORNE the officer asked the driver for written consent to search and waited ten minutes"
    )
    assert word(made, "LORNE").confidence > 0.9
    assert word(made, "written").confidence == ALONE
    assert ALONE < word(made, "officer").confidence < word(made, "LORNE").confidence
    assert made.ocr_confidence is not None
    assert not disagrees(made)


def test_a_word_that_only_olmocr_has_stands_between_its_neighbours() -> None:
    made = merged(OWN, "STATE v. LORNE the officer asked the young driver for consent to search and waited ten minutes")
    assert texts(made)[1] == "the officer asked the young driver for consent"
    young, before, after = (word(made, each).box for each in ("young", "the", "driver"))
    assert before.y0 == young.y0 == after.y0
    assert before.x0 < young.x0 < young.x1 <= after.x0 + 1


def test_a_line_that_only_olmocr_has_gets_a_line_in_the_gap() -> None:
    own = page("the motion was denied", line(3, "the officer asked for consent"))
    made = merged(own, "the motion was denied\n\n## THE FACTS\n\nthe officer asked for consent")
    assert texts(made) == ["the motion was denied", "THE FACTS", "the officer asked for consent"]
    assert made.lines[1].is_bold
    assert own.lines[0].box.y1 <= made.lines[1].box.y0 < made.lines[1].box.y1 <= own.lines[1].box.y0


def test_a_footnote_call_is_raised() -> None:
    own = page("the motion was denied.3 The order stands")
    made = merged(own, "the motion was denied.<sup>3</sup> The order stands")
    assert texts(made) == ["the motion was denied. 3 The order stands"]
    assert word(made, "3").is_superscript


def test_engines_that_read_different_things_disagree() -> None:
    own = page("lhe 0ff1cer 4sked tbe dr1ver", "f0r c0n5ent t0 se4rch", confidence=0.5)
    made = merged(own, "Nothing here is like that at all, quite another page speaks")
    assert disagrees(made)
    assert "Nothing" in texts(made)[0]


def test_where_they_disagree_a_sure_tesseract_stands() -> None:
    own = page("the officer asked the driver for consent", "and waited ten minutes", confidence=0.95)
    made = merged(own, "In this brief we show that no warrant could ever have issued against anybody")
    assert texts(made) == texts(own)
    assert disagrees(made)


def test_a_page_that_olmocr_finds_empty_keeps_what_tesseract_read() -> None:
    made = merged(OWN, "")
    assert texts(made) == texts(OWN)
    assert disagrees(made)


def test_more_text_than_there_is_ink_for_is_not_believed() -> None:
    specks = Ink(2e-5, 0.1, 0.1, 0.9, 0.9)
    made, reason = merge(page(), "The defendant respectfully submits that the order be reversed.", specks)
    assert (made.lines, made.source) == ((), TextSource.NONE)
    assert "printed" in reason


def test_a_page_that_only_olmocr_reads_stands_where_its_ink_is() -> None:
    made = merged(page(), "Dear Ms. Lorne,\n\nI have read your letter.", Ink(0.05, 0.25, 0.25, 0.75, 0.5))
    assert texts(made) == ["Dear Ms. Lorne,", "I have read your letter."]
    assert made.ocr_confidence == ALONE
    for each in made.lines:
        assert each.box.x0 >= 0.25 * 612 - 1
        assert 0.25 * 792 - 1 <= each.box.y0 < each.box.y1 <= 0.5 * 792 + 1


def test_a_page_read_sideways_by_olmocr_alone_is_turned() -> None:
    made = merged(page(), "Dear Ms. Lorne,", Ink(0.05, 0.2, 0.2, 0.8, 0.8, turn_deg=90))
    assert (made.width_pt, made.height_pt, made.rotation_deg) == (792.0, 612.0, 90)


_LINES = st.lists(st.text(st.sampled_from("abcXY1., \n#*"), max_size=40), max_size=6)


@pytest.mark.filterwarnings("error")
@given(_LINES, _LINES)
def test_whatever_is_read_every_word_has_a_box_on_the_page(own: Sequence[str], markdown: Sequence[str]) -> None:
    made, _ = merge(page(*(each for each in own if each.split())), "\n".join(markdown), PLENTY)
    for each in made.lines:
        assert each.words
        for one in each.words:
            assert 0 <= one.box.x0 <= one.box.x1 <= made.width_pt
            assert 0 <= one.box.y0 < one.box.y1 <= made.height_pt
            assert 0.0 <= one.confidence < 1.0
