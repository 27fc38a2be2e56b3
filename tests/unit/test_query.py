"""What is understood of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.errors import UsageError
from briefbank.law.citations import QueryCitation
from briefbank.law.citations.citation import AuthorityKind
from briefbank.search.parse import understand
from briefbank.values.records import Span


@pytest.mark.parametrize(
    "asked",
    [
        "{}",
        "find me briefs about {}",
        "could you pull up some recent memos regarding {}",
        "I'm looking for briefs about {}",
        "What is the standard for {}?",
    ],
)
def test_words_of_asking_carry_no_weight(asked: str) -> None:
    plain = understand("tethered balloons")
    assert understand(asked.format("tethered balloons")).own_terms == plain.own_terms


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("search of a parked car", "search"),
        ("show cause order", "show"),
        ("motion for a new trial", "motion"),
    ],
)
def test_legal_phrases_that_begin_like_a_request_stay_whole(query: str, kept: str) -> None:
    assert kept in understand(query).surfaces


def test_words_of_grammar_are_left_out_of_the_words_but_not_of_the_meaning() -> None:
    found = understand("can an officer search a car without a warrant")
    assert found.surfaces == ("officer", "search", "car", "warrant")
    assert found.meaning == "can an officer search a car without a warrant"


def test_a_rule_is_looked_up_with_its_prefixes_and_without_its_designator() -> None:
    found = understand("R. 3:5-7(d)")
    assert found.own_terms == ("3:5-7(d)",)
    assert found.terms == ("3:5-7(d)", "3:5-7", "3:5")
    assert found.legal_number_share == 1.0
    assert understand("reverse 404(b)").legal_number_share == 0.5


ROE = "Roe v. State, 14 S.W.3d 1, 3-4 (Tex. App.—Houston [14th Dist.] 2000, pet. ref’d)"
"""As a citation goes on behind its reporter: pages, court, year, what became of it."""


@pytest.mark.parametrize(
    ("query", "surfaces", "terms"),
    [
        ("does State v. Orme apply to guests", ("State v. Orme", "apply", "guests"), ("orm", "appli", "guest")),
        ("is people v vale-orton good law?", ("people v vale-orton",), ("orton", "vale")),
        ("Vale v. Ohio, 12 U.S. 345 stop", ("Vale v. Ohio, 12 U.S. 345", "stop"), ("vale", "12 us 345", "stop")),
        (f"{ROE} delay", (ROE, "delay"), ("roe", "14 sw3d 1", "delay")),
        ("stop 47 Cal.4th 310, 312", ("stop", "47 Cal.4th 310, 312"), ("stop", "47 cal4th 310")),
        ("People v. Vale (2009) 47 Cal.4th 310", ("People v. Vale (2009) 47 Cal.4th 310",), ("vale", "47 cal4th 310")),
        (
            "Vale v. Ohio, 12 U.S. 345, 3 stops",
            ("Vale v. Ohio, 12 U.S. 345", "3", "stops"),
            ("vale", "12 us 345", "3", "stop"),
        ),
        ("N.J.R.E. 803, 804", ("N.J.R.E. 803", "804"), ("803", "804")),
        ("orme v. north dakota's rule", ("orme v. north dakota", "rule"), ("orm", "rule")),
        ("In re Quill and Ex parte Orme", ("In re Quill", "Ex parte Orme"), ("quill", "orm")),
        ("Tex. Code Crim. Proc. art. 38.07 age", ("Tex. Code Crim. Proc. art. 38.07", "age"), ("38.07", "age")),
        ("reason v. intuition", ("reason", "v", "intuition"), ("reason", "v", "intuit")),
        ("interest of justice", ("interest", "justice"), ("interest", "justic")),
    ],
)
def test_a_citation_is_one_word(query: str, surfaces: tuple[str, ...], terms: tuple[str, ...]) -> None:
    found = understand(query)
    assert (found.surfaces, found.terms) == (surfaces, terms)


def test_a_case_between_governments_keeps_its_words() -> None:
    known = QueryCitation(Span(0, 22), ("united states v texas",), AuthorityKind.CASE)
    assert understand("United States v. Texas", [known]).own_terms == ("unit", "state", "v", "texa")


@pytest.mark.parametrize("query", ["find me briefs", "what is the law on"])
def test_a_query_of_nothing_but_request_words_still_looks_for_them(query: str) -> None:
    assert understand(query).words


@pytest.mark.parametrize("query", ["", "   ", "?!", "\n"])
def test_a_query_without_a_word_is_refused(query: str) -> None:
    with pytest.raises(UsageError):
        understand(query)


@given(st.text(max_size=60))
def test_nothing_but_its_own_error_comes_out_of_any_text(text: str) -> None:
    try:
        found = understand(text)
    except UsageError:
        return
    assert found.words
    assert len(found.surfaces) == len(found.words)


@pytest.mark.parametrize(
    "asked",
    [
        "is the barker standard good law?",
        "whether the barker standard is no longer good law",
        "has the barker standard been addressed",
    ],
)
def test_words_that_ask_whether_something_holds_or_was_treated_are_no_content(asked: str) -> None:
    assert set(understand(asked).own_terms) - {"remain"} == {"barker", "standard"}


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ('is Carty "still good law"', {"still", "good", "law"}),
        ("still photographs of the lineup", {"still"}),
        ("remarks addressed to the jury", {"address"}),
    ],
)
def test_the_same_words_count_where_they_are_quoted_or_are_what_is_asked_about(asked: str, kept: set[str]) -> None:
    assert kept <= set(understand(asked).own_terms)


@pytest.mark.parametrize("asked", ["tethered balloons briefs", "tethered balloons brief", "tethered balloons filings."])
def test_a_word_for_what_is_looked_for_is_no_content_at_the_end(asked: str) -> None:
    found = understand(asked)
    assert found.own_terms == understand("tethered balloons").own_terms
    assert found.meaning.strip(" .") == "tethered balloons"


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("Anders briefs", "briefs"),
        ("the timely filing of briefs", "briefs"),
        ("briefs", "briefs"),
    ],
)
def test_a_filing_that_is_asked_about_is_content(asked: str, kept: str) -> None:
    assert kept in understand(asked).surfaces
