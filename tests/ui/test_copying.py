"""The citation line of what is copied."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hits import hit

from briefbank.values.cautions import cautions_of_hit
from briefbank.values.records import Fact
from ui.wording import copy_passage, source_line

DOCUMENT = hit(1).document


def _known(**facts: str) -> object:
    metadata = replace(DOCUMENT.metadata, **{name: Fact(value, "a test") for name, value in facts.items()})
    return replace(DOCUMENT, metadata=metadata)


def test_the_source_names_title_court_docket_date_and_pages():
    document = _known(court="App. Div.", docket="A-1482-17T4", filed="2018-09-14")
    assert source_line(document, 17, 18) == (
        "State v. Client 1, App. Div., No. A-1482-17T4 (filed 14 Sep 2018), pp. 17–18"
    )


def test_what_is_not_known_is_left_out_and_a_missing_date_said():
    assert source_line(DOCUMENT, 3, 3) == "State v. Client 1 (undated), p. 3"


def test_a_docket_that_says_no_is_not_given_another():
    assert "Nos. 1-23, 1-24" in source_line(_known(docket="Nos. 1-23, 1-24"), 1, 1)


@pytest.mark.parametrize("name", ["/briefs/a.docx", "/briefs/A.TXT", "/briefs/a.md"])
def test_a_file_without_pages_is_not_cited_by_pages_that_it_does_not_have(name: str):
    assert source_line(replace(DOCUMENT, source_path=name), 3, 4) == "State v. Client 1 (undated)"


def test_a_copied_passage_is_its_own_words_and_then_its_source():
    shown = hit(1, text="The stop was prolonged. ")
    copied = copy_passage(shown.passage, shown.document, ())
    assert copied == "The stop was prolonged.\n\n— State v. Client 1 (undated), pp. 2–3\n"


def test_what_is_known_against_a_passage_is_copied_below_its_source():
    shown = hit(1, text="The stop was prolonged.")
    doubtful = replace(shown.passage, ocr_confidence=0.712)
    warned = replace(shown, passage=doubtful, warnings=("cites State v. Old: overruled (office's list)",))
    assert copy_passage(doubtful, shown.document, cautions_of_hit(warned)).splitlines()[-3:] == [
        "— State v. Client 1 (undated), pp. 2–3",
        "[Cites State v. Old: overruled (office's list)]",
        "[Read by OCR, 71 % sure: check against the page]",
    ]


def test_a_scan_that_was_read_surely_is_copied_without_a_word_on_it():
    assert not cautions_of_hit(replace(hit(1), passage=replace(hit(1).passage, ocr_confidence=0.96)))
