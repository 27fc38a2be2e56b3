"""Misspelt words of a question: which are corrected, to what, and which are left alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.index.generation import Generation
from briefbank.index.notes import Annotator
from briefbank.ingest.annotate import annotate
from briefbank.law.citations import load_patterns
from briefbank.law.word_lists import name_words, ordinary_words, rare_words
from briefbank.platform.settings import Settings
from briefbank.search.engine import SearchEngine
from briefbank.values.records import Correction, Fact, Query, SearchResult

TEXTS = (
    "The suppression hearing turned on inevitable discovery, and the officer lacked probable cause for the arrest.",
    "Suppression follows where discovery was neither inevitable nor lawful and probable cause was missing.",
    "The officer made contact with the driver before any warrant had issued.",
    "The officer in question lost contact with the informant.",
    "The statute must be read in context, as State v. Renfrew, 201 N.J. 44 (2010), did.",
    "That context of the statute is told in State v. Renfrew, 201 N.J. at 50, filed in January; see Renfrew.",
    "The State cites State v. Renfrew, supra, for probable cause, and no case besides.",
    "The witness sang gospel songs; the gospel choir had left in January.",
    "Counsel named Rosemonde wrote it, and Rosemonde signed it; Rosemonde filed it and Rosemonde argued it.",
    "A forfieture of the bail was ordered once.",
    "The court spoke of an inevitible finding, once, and of the Contectt and Warrentt families.",
)
OFTEN = "An inevitable finding needs a warrant."


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Generation:
    brief = make_document("brief", filed="2021-05-01")
    document = replace(brief, metadata=replace(brief.metadata, author=Fact("Adaeze Okafor", "invented")))
    texts = (*TEXTS, *[OFTEN] * 20)
    passages = [make_passage("brief", order, text) for order, text in enumerate(texts)]
    patterns = load_patterns()
    notes = Annotator(lambda each: annotate(each, patterns), patterns)
    return build(tmp_path_factory.mktemp("bank") / "g1", [document], passages, annotator=notes)


@pytest.fixture(scope="module")
def engine(generation: Generation) -> SearchEngine:
    return SearchEngine(generation, ENCODER, Settings())


def corrections(result: SearchResult) -> list[tuple[str, str]]:
    return [(each.typed, each.corrected) for each in result.corrections]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("supression", "suppression"),
        ("supprression", "suppression"),
        ("Suppresison", "Suppression"),
        ("SUPPRESSIOM", "SUPPRESSION"),
        ("discovry", "discovery"),
        ("suppresion's", "suppression's"),
        ("usppression", "suppression"),
        ("supresion", "suppression"),
        ("renfrw", "renfrew"),
        ("okafr", "okafor"),
        ("probablecause", "probable cause"),
        ("sup pression", "suppression"),
    ],
)
def test_a_misspelt_word_finds_what_the_right_one_finds(engine: SearchEngine, typed: str, meant: str) -> None:
    misspelt = engine.search(Query(f"{typed} in this matter", include_weak=True))
    right = engine.search(Query(f"{meant} in this matter", include_weak=True))
    assert corrections(misspelt) == [(typed, meant)]
    assert misspelt.query.text == f"{typed} in this matter"
    assert [(hit.passage.id, hit.matches) for hit in misspelt.hits] == [
        (hit.passage.id, hit.matches) for hit in right.hits
    ]
    assert right.corrections == ()


def test_a_word_in_front_of_a_rule_is_corrected(engine: SearchEngine) -> None:
    assert corrections(engine.search(Query("supression, 2C:35-10a"))) == [("supression", "suppression")]
    assert corrections(engine.search(Query("as a matter of discovry"))) == [("discovry", "discovery")]


def test_several_words_are_corrected_in_their_order(engine: SearchEngine) -> None:
    result = engine.search(Query("inevitible discovry at the supression hearing"))
    assert corrections(result) == [
        ("inevitible", "inevitable"),
        ("discovry", "discovery"),
        ("supression", "suppression"),
    ]


def test_a_query_asked_as_typed_is_left_alone(engine: SearchEngine) -> None:
    result = engine.search(Query("supression", as_typed=True, include_weak=True))
    assert result.corrections == ()
    assert not result.has_exact
    assert engine.search(Query("supression", include_weak=True)).has_exact


@pytest.mark.parametrize(
    "text",
    [
        'what is a "supression" hearing',
        "supression & hearing",
        "supression /s hearing",
        "201 N.J. 44",
        "2C:35-10a and R. 3:5-7",
        "docket A-1403-22",
        "State v. Renfrw",
        "state versus renfrw",
        "Supression v. the State",
        "in re renfrw",
        "in re the estate of renfrw",
        "in the matter of renfrw",
        "renfrw, 201 N.J. 44",
        "see renfrw, 201 N.J. at 50",
        "SUPR hearing",
        "the N.J.S.A. discovery",
    ],
)
def test_quotes_connectors_numbers_and_abbreviations_are_left_alone(engine: SearchEngine, text: str) -> None:
    assert engine.search(Query(text, include_weak=True)).corrections == ()


@pytest.mark.parametrize("word", ["estoppel", "gospels", "contracts", "laches", "unsuppressed", "context", "warranter"])
def test_a_right_word_that_the_bank_lacks_is_left_alone(engine: SearchEngine, word: str) -> None:
    assert engine.search(Query(f"{word} of the statute", include_weak=True)).corrections == ()


@pytest.mark.parametrize(
    "text",
    [
        "the Rosemund affair",
        "rosmnde affair",
        "State v. Ransrew",
        "brief of a Mr. Contaxt",
        "Okaforde wrote it",
        "wrrt",
        "by Mr. Probablecause",
    ],
)
def test_a_name_that_the_bank_lacks_is_not_turned_into_another(engine: SearchEngine, text: str) -> None:
    assert engine.search(Query(text, include_weak=True)).corrections == ()


def test_no_word_is_corrected_to_one_that_stands_once(engine: SearchEngine) -> None:
    assert engine.search(Query("forfietures of bail", include_weak=True)).corrections == ()


def test_an_error_of_the_bank_is_taken_for_an_error_but_a_rare_name_is_not(engine: SearchEngine) -> None:
    assert corrections(engine.search(Query("an inevitible finding"))) == [("inevitible", "inevitable")]
    assert engine.search(Query("the warrentt family")).corrections == ()


def test_the_other_words_decide_between_two_that_are_equally_near(engine: SearchEngine) -> None:
    assert corrections(engine.search(Query("contect by an officer"))) == [("contect", "contact")]
    assert corrections(engine.search(Query("contect of a statute"))) == [("contect", "context")]
    assert engine.search(Query("contect", include_weak=True)).corrections == ()


def test_a_condition_is_read_out_of_corrected_words(engine: SearchEngine) -> None:
    result = engine.search(Query("suppression since janury 2020"))
    assert corrections(result) == [("janury", "january")]
    assert [hint.text for hint in result.hints] == ["since january 2020"]


def test_a_word_of_an_expression_that_no_document_holds_is_named_and_not_corrected(engine: SearchEngine) -> None:
    result = engine.search(Query("supression /s discovery"))
    assert (result.hits, result.corrections) == ((), ())
    assert result.notices == ("No brief holds “supression”. Did you mean “suppression”?",)
    assert engine.search(Query("zyxwvut OR discovery")).notices == ("No brief holds “zyxwvut”.",)
    assert engine.search(Query('disc! & "the officer" % zyxwvut')).notices == ()


def test_a_pasted_text_and_a_passage_as_the_query_are_left_alone(engine: SearchEngine) -> None:
    pasted = " ".join(["supression"] * 40)
    assert engine.search(Query(pasted, include_weak=True)).corrections == ()
    assert engine.search(Query("supression", like_passage="brief-000", include_weak=True)).corrections == ()


@pytest.mark.parametrize("letters", [127, 256, 32_768, 70_000])
def test_a_pasted_word_without_end_is_searched_as_it_stands(engine: SearchEngine, letters: int) -> None:
    for typed in ("s" * letters, "suppress" + "x" * letters, f"consent {'q' * letters}!"):
        assert corrections(engine.search(Query(typed, include_weak=True))) == []


def test_a_generation_without_the_places_of_words_corrects_nothing(tmp_path: Path) -> None:
    old = build(tmp_path / "g", [make_document("brief")], [make_passage("brief", n, TEXTS[0]) for n in range(3)])
    result = SearchEngine(old, ENCODER, Settings()).search(Query("supression", include_weak=True))
    assert result.corrections == ()


WORDS = sorted({word.strip(".,;()") for text in TEXTS[:8] for word in text.split()})


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_words_of_the_bank_are_never_corrected(engine: SearchEngine, words: list[str]) -> None:
    result = engine.search(Query(" ".join(["the", *words]), include_weak=True))
    assert result.corrections == ()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.sampled_from("supresion dcvyéß'’-.\"A1 "), min_size=1, max_size=30))
def test_whatever_is_typed_the_words_corrected_stand_in_it(engine: SearchEngine, typed: str) -> None:
    result = engine.search(Query(f"x {typed}", include_weak=True))
    assert all(isinstance(each, Correction) and each.typed in result.query.text for each in result.corrections)


def test_the_shipped_lists_are_read_as_words_in_small_letters() -> None:
    listed = ordinary_words() | name_words() | rare_words()
    assert all(word.isalpha() and word == word.lower() for word in listed)
    assert {"suppression", "aardvark", "winston", "hernandez"} <= listed
