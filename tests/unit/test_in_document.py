"""Words found in one document, as somebody finds them who reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_index import make_passage

from briefbank.bank.local import Bank
from briefbank.errors import UsageError
from briefbank.search.in_document import DocumentWords
from briefbank.values.records import Passage

TEXTS = (
    "The driver gave his consent to the search. Consents given in the dark are no consents.",
    "Nothing was searched at first. The motor vehicle",
    "stop was over, and the stop of the motor was not. See N.J.R.E. 404(b)(2).",
)
PASSAGES = [make_passage("d", order, text) for order, text in enumerate(TEXTS)]


def told(text: str, passages: list[Passage] = PASSAGES) -> list[str]:
    """What is found, as it is printed; parts in two passages are joined by a stroke."""
    by_id = {passage.id: passage.text for passage in passages}
    found = DocumentWords("d", passages).find(text)
    return [" / ".join(by_id[name][slice(*span)] for name, span in hit.parts) for hit in found.hits]


def test_a_word_is_found_in_every_form_of_it() -> None:
    assert told("consenting") == ["consent", "Consents", "consents"]


def test_a_phrase_in_quotation_marks_is_found_as_it_is_written() -> None:
    assert told('"The Stop"') == ["the stop"]
    assert told('"the stops"') == []
    assert told("“consent to the search”") == ["consent to the search"]
    assert told('"con-sent to the"') == ["consent to the"]


def test_a_phrase_is_found_while_its_second_mark_is_still_to_come() -> None:
    assert told('"gave his con') == []
    assert told('"gave his') == ["gave his"]


def test_a_phrase_that_runs_into_the_next_passage_is_found_whole() -> None:
    assert told('"motor vehicle stop was over"') == ["motor vehicle / stop was over"]


def test_of_several_words_the_passages_count_that_hold_all_of_them() -> None:
    found = DocumentWords("d", PASSAGES).find("motor stop")
    assert {name for hit in found.hits for name, _ in hit.parts} == {PASSAGES[2].id}
    assert not found.is_apart


def test_words_that_no_passage_holds_together_are_found_apart_and_said_to_be() -> None:
    found = DocumentWords("d", PASSAGES).find("dark vehicle")
    assert [name for hit in found.hits for name, _ in hit.parts] == [PASSAGES[0].id, PASSAGES[1].id]
    assert (found.is_apart, found.missing) == (True, ())


def test_a_word_that_stands_nowhere_is_named() -> None:
    found = DocumentWords("d", PASSAGES).find("Zymurgical consent")
    assert [name for hit in found.hits for name, _ in hit.parts] == [PASSAGES[0].id] * 3
    assert (found.is_apart, found.missing) == (True, ("Zymurgical",))


def test_words_side_by_side_are_one_place_to_go_to() -> None:
    assert told("consent search")[0] == "consent to the search"


def test_a_rule_is_found_where_a_paragraph_of_it_is_cited() -> None:
    assert told("404(b)") == ["404(b)(2)"]
    assert told("404(a)") == []


@pytest.mark.parametrize("text", ["State v. Ferrow, 171 N.J. 2, 9 (2002)", "State v. Ferrow (2002) 171 N.J. 2"])
def test_a_case_in_full_is_found_by_its_name_and_by_where_it_is_reported(text: str) -> None:
    cited = ["As 171 N.J. 2 has it, filed in 2002.", "State v. Ferrow, 171 N.J. 2 (2002).", "The State held Ferrow."]
    passages = [make_passage("d", order, each) for order, each in enumerate(cited)]
    assert told(text, passages) == ["171 N.J. 2", "Ferrow, 171 N.J. 2", "Ferrow"]


def test_each_place_names_the_page_on_which_its_passage_begins() -> None:
    assert [hit.page for hit in DocumentWords("d", PASSAGES).find("motor").hits] == [2, 3]


@pytest.mark.parametrize("text", ["", "…", '""'])
def test_a_text_without_a_word_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        DocumentWords("d", PASSAGES).find(text)


def test_words_are_found_in_a_document_of_the_bank_and_in_no_other(library_bank: Path) -> None:
    with Bank.open(library_bank) as bank:
        for document in bank.documents():
            found = bank.find_words(document.id, "officer")
            expected = sum("officer" in passage.text.casefold() for passage in bank.passages_of(document.id))
            assert len({name for hit in found.hits for name, _ in hit.parts}) == expected
            assert all(name.startswith(document.id) for hit in found.hits for name, _ in hit.parts)
        with pytest.raises(UsageError, match="nowhere"):
            bank.find_words("nowhere", "officer")
