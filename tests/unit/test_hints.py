"""Conditions that stand in a question itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_index import make_document

from briefbank.search.hints import HintReader
from briefbank.values.records import DocumentKind, Filters, Query

COURTS = ("Superior Court of Nowhere, Appellate Division", "Supreme Court of Nowhere")
READER = HintReader(
    [
        make_document("a", filed="2020-01-31", court=COURTS[0]),
        make_document("b", kind="directive", court=COURTS[1]),
        make_document("c", kind="internal", docket="A-1403-22, A-1404-22"),
    ]
)


@pytest.mark.parametrize(
    ("text", "left", "hint", "filters"),
    [
        ("directive on home visits", "home visits", "directive", Filters(kinds=(DocumentKind.DIRECTIVE,))),
        ("find me the memos about kites", "find me kites", "memos", Filters(kinds=(DocumentKind.INTERNAL,))),
        ("kites since March 2020", "kites", "since March 2020", Filters(since=date(2020, 3, 1))),
        (
            "kites from 2019 to 2021",
            "kites",
            "from 2019 to 2021",
            Filters(since=date(2019, 1, 1), until=date(2021, 12, 31)),
        ),
        (
            "kites filed in February 2020",
            "kites",
            "filed in February 2020",
            Filters(since=date(2020, 2, 1), until=date(2020, 2, 29)),
        ),
        ("kites in the Appellate Division", "kites", "in the Appellate Division", Filters(courts=(COURTS[0],))),
    ],
)
def test_a_hint_becomes_a_filter_and_its_words_carry_no_weight(
    text: str, left: str, hint: str, filters: Filters
) -> None:
    found = READER.read(Query(text))
    assert found.text == left
    assert [each.text for each in found.hints] == [hint]
    assert all(each.meaning for each in found.hints)
    assert found.filters == filters


def test_several_hints_go_together() -> None:
    found = READER.read(Query("directives about kites since 2020 in the Supreme Court of Nowhere"))
    assert found.text == "kites"
    assert found.filters == Filters((DocumentKind.DIRECTIVE,), date(2020, 1, 1), courts=(COURTS[1],))


@pytest.mark.parametrize(
    ("text", "hints", "filters"),
    [
        (
            "Show me all directives filed before 2015",
            ["filed before 2015", "directives"],
            Filters(until=date(2014, 12, 31)),
        ),
        (
            "directives in the Supreme Court of Nowhere?",
            ["in the Supreme Court of Nowhere", "directives"],
            Filters(courts=(COURTS[1],)),
        ),
    ],
)
def test_a_kind_is_a_condition_where_only_conditions_stand_beside_it(
    text: str, hints: list[str], filters: Filters
) -> None:
    found = READER.read(Query(text))
    assert [each.text for each in found.hints] == hints
    assert found.filters == replace(filters, kinds=(DocumentKind.DIRECTIVE,))
    assert found.is_hints_alone
    assert found.text == text


def test_a_filter_set_by_hand_wins_over_a_hint() -> None:
    by_hand = Filters(since=date(2001, 1, 1), kinds=(DocumentKind.BRIEF,))
    assert READER.read(Query("directive on kites since 2020", filters=by_hand)).filters == by_hand


@pytest.mark.parametrize(
    ("text", "by_hand", "meant"),
    [
        ("kites filed before 2015", Filters(since=date(2015, 1, 1)), Filters(since=date(2015, 1, 1))),
        (
            "kites filed before 2015",
            Filters(since=date(2010, 1, 1)),
            Filters(since=date(2010, 1, 1), until=date(2014, 12, 31)),
        ),
        (
            "kites from 2012 to 2018",
            Filters(since=date(2015, 1, 1)),
            Filters(since=date(2015, 1, 1), until=date(2018, 12, 31)),
        ),
    ],
)
def test_the_words_of_a_date_carry_no_weight_beside_dates_set_by_hand_which_hold(
    text: str, by_hand: Filters, meant: Filters
) -> None:
    found = READER.read(Query(text, filters=by_hand))
    assert (found.text, found.filters) == ("kites", meant)
    assert ("not followed" in found.hints[0].meaning) == (meant == by_hand)


@pytest.mark.parametrize(
    "text",
    ["since the stop was illegal", "the directive was ignored", "arrested in 2020", "since 2020-12"],
)
def test_what_only_looks_like_a_hint_stays_words(text: str) -> None:
    assert READER.read(Query(text)).hints == ()


def test_a_bank_without_what_a_hint_names_does_not_follow_it() -> None:
    reader = HintReader([make_document("a")])
    text = "directive on kites since 2020 in the Appellate Division"
    assert reader.read(Query(text)).text == text
    assert reader.read(Query(text)).filters == Filters()


ENDED = HintReader(
    [
        make_document("a", outcome="reversed, remanded", author="Ines Okafor"),
        make_document("b", outcome="affirmed", author="Marisol Teague"),
        make_document("c", outcome="granted", author="Paul Okafor"),
        make_document("d", outcome="reversed, affirmed"),
        make_document("e"),
    ]
)


@pytest.mark.parametrize(
    ("text", "left", "outcomes"),
    [
        ("briefs that won on consent", "on consent", ("granted", "reversed, remanded")),
        ("consent in appeals which were successful", "consent in", ("granted", "reversed, remanded")),
        ("consent, briefs that lost", "consent,", ("affirmed",)),
    ],
)
def test_how_a_case_ended_is_read_out_of_the_question(text: str, left: str, outcomes: tuple[str, ...]) -> None:
    found = ENDED.read(Query(text))
    assert (found.text, found.filters) == (left, Filters(outcomes=outcomes))
    (hint,) = found.hints
    assert hint.meaning.endswith("; 1 of unknown outcome left out")


def test_it_is_said_that_no_brief_is_known_to_have_ended_as_asked() -> None:
    lost = HintReader([make_document("a", outcome="affirmed"), make_document("b")])
    text = "briefs that won on consent"
    told = "No brief here is known to have ended so: “that won” sets no condition."
    for reader in (HintReader([make_document("a")]), lost):
        found = reader.read(Query(text))
        assert (found.text, found.hints, found.notices) == ("on consent", (), (told,))
        (alone,) = reader.read(Query("briefs that won")).notices
        assert alone == told.replace("sets no condition", "was searched for as words")
        assert reader.read(Query(text, refused_hints=("that won",))).notices == ()
        assert reader.read(Query(text, filters=Filters(outcomes=("affirmed",)))).notices == ()
    assert ENDED.read(Query(text)).notices == lost.read(Query("briefs that lost on consent")).notices == ()


@pytest.mark.parametrize(
    ("text", "left", "authors"),
    [
        ("brief by Okafor on consent", "on consent", ("Ines Okafor", "Paul Okafor")),
        ("consent by Marisol Teague", "consent", ("Marisol Teague",)),
    ],
)
def test_an_author_of_the_bank_is_read_out_of_the_question(text: str, left: str, authors: tuple[str, ...]) -> None:
    found = ENDED.read(Query(text))
    assert (found.text, found.filters) == (left, Filters(authors=authors))


@pytest.mark.parametrize(
    "text",
    [
        "the conviction was reversed",
        "search by the police that failed to knock on doors of okafor",
        "a search by Okaforson",
    ],
)
def test_words_about_outcomes_and_names_stay_words_elsewhere(text: str) -> None:
    assert [each.meaning for each in ENDED.read(Query(text)).hints] == []


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    found = READER.read(Query(text))
    assert len(found.hints) <= 6
    assert found.text == text or found.hints or found.notices


@pytest.mark.parametrize(
    ("text", "left"),
    [("kites in docket no. a-1404-22", "kites"), ("kites A-1404-22.", "kites ."), ("A-1404-22 kites", "kites")],
)
def test_a_docket_of_the_bank_names_its_brief(text: str, left: str) -> None:
    found = READER.read(Query(text))
    assert (found.text, found.filters) == (left, Filters(dockets=("A-1404-22",)))
    assert [each.meaning for each in found.hints] == ["docket A-1404-22"]
    assert not found.is_hints_alone


def test_a_docket_alone_keeps_its_words_and_is_known_for_one() -> None:
    found = READER.read(Query("A-1403-22"))
    assert (found.text, found.is_hints_alone) == ("A-1403-22", True)
    assert READER.read(Query("A-1405-22")).hints == ()


TEXAS = HintReader(
    [
        make_document("a", filed="2025-02-10", court="Court of Appeals of Texas, Fourteenth District"),
        make_document("b", filed="2024-02-10", author="Orsolya Mark Linden"),
        make_document("c", author="Paul Teague, Jr."),
        make_document("d", author="Paul Ines Quince"),
    ]
)


@pytest.mark.parametrize(
    ("text", "left", "hints"),
    [
        ("consent briefs we won on kites", "consent on kites", []),
        ("kites briefs won by Linden", "kites", ["by Linden"]),
        ("kites briefs by Okafor", "kites", []),
        ("kites in the Fifth Court of Appeals", "kites", []),
    ],
)
def test_a_condition_that_no_brief_meets_leaves_none_of_its_words_and_is_told(
    text: str, left: str, hints: list[str]
) -> None:
    found = TEXAS.read(Query(text))
    assert (found.text, [each.text for each in found.hints]) == (left, hints)
    (told,) = found.notices
    assert told.startswith("No brief here is known to")
    assert told.endswith("sets no condition.")


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("briefs by mark about kites", ("Orsolya Mark Linden",)),
        ("kites by Teague", ("Paul Teague, Jr.",)),
        ("briefs by quince about kites", ("Paul Ines Quince",)),
    ],
)
def test_a_name_that_one_author_alone_bears_is_enough(text: str, authors: tuple[str, ...]) -> None:
    assert TEXAS.read(Query(text)).filters == Filters(authors=authors)


@pytest.mark.parametrize("text", ["kites by Mark", "search by consent", "briefs by the State"])
def test_a_common_word_is_no_author(text: str) -> None:
    found = TEXAS.read(Query(text))
    assert (found.text, found.hints, found.notices) == (text, (), ())


def test_a_given_name_of_several_authors_is_not_called_unknown() -> None:
    found = TEXAS.read(Query("kites briefs by Paul"))
    assert (found.hints, found.notices) == ((), ())


@pytest.mark.parametrize("called", ["Fourteenth Court of Appeals", "14th Court of Appeals", "14th district"])
def test_a_court_is_known_by_what_people_call_it_and_a_date_behind_it_is_read(called: str) -> None:
    for text in (f"kites in the {called} after January 2025", f"kites after January 2025 in the {called}"):
        found = TEXAS.read(Query(text))
        court = "Court of Appeals of Texas, Fourteenth District"
        assert (found.text, found.filters) == ("kites", Filters(since=date(2025, 2, 1), courts=(court,)))


@pytest.mark.parametrize("text", ["kites before March 2024", "kites briefs before March 2024"])
def test_a_date_at_the_end_is_that_of_the_briefs(text: str) -> None:
    assert TEXAS.read(Query(text)).filters == Filters(until=date(2024, 2, 29))


@pytest.mark.parametrize(
    "text", ["arrested after January 2020", "offenses before 2015", "does the act apply to kites before 2015"]
)
def test_a_date_of_the_facts_or_of_the_law_is_no_condition(text: str) -> None:
    assert TEXAS.read(Query(text)).hints == ()


def test_motions_that_failed_to_do_something_say_nothing_of_an_outcome() -> None:
    assert ENDED.read(Query("motions that failed to state a ground")).hints == ()
