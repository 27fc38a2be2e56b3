"""Text cut into the terms that are indexed and looked up."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.index.tokens import index_terms, tokenise
from briefbank.law.legal_numbers import case_key, number_key


def own_terms(text: str) -> list[str]:
    return [token.term for token in tokenise(text)]


@pytest.mark.parametrize(
    ("written", "term"),
    [
        ("803 (c) (27)", "803(c)(27)"),
        ("2C:11-3a(1)", "2c:11-3(a)(1)"),
        ("2C:11–3(a)(1)", "2c:11-3(a)(1)"),
        ("3:5-7(d)", "3:5-7(d)"),
        ("404b", "404(b)"),
        ("170 N. J. 632", "170 nj 632"),
        ("12 N.J. Super. 345", "12 njsuper 345"),
        ("A-0123-45", "a-0123-45"),
    ],
)
def test_a_legal_number_is_one_term_however_it_is_spaced(written: str, term: str) -> None:
    assert own_terms(written) == [term]


def test_whoever_asks_for_the_section_finds_its_paragraphs() -> None:
    (token,) = tokenise("2C:11-3(a)(1)")
    assert token.terms == ("2c:11-3(a)(1)", "2c:11-3(a)", "2c:11-3", "2c:11")


def test_abbreviations_lose_their_stops_and_words_their_endings() -> None:
    assert own_terms("N.J.R.E. and N.J.S.A.") == ["njre", "and", "njsa"]
    assert own_terms("stopped the defendant’s stopping") == own_terms("stops the defendants' stop")


def test_accents_ligatures_and_soft_hyphens_are_folded_but_spans_stay() -> None:
    text = "Naïve ﬁnal con­sent"
    tokens = tokenise(text)
    assert [token.term for token in tokens] == own_terms("naive final consent")
    assert [text[slice(*token.span)] for token in tokens] == ["Naïve", "ﬁnal", "con­sent"]


@given(st.text(alphabet=st.sampled_from("abzAZ 019().:-'’§¶ﬁéİß­\u0301\nNJ.,"), max_size=60))
def test_tokens_stand_in_order_within_the_text_and_agree_with_the_index(text: str) -> None:
    tokens = tokenise(text)
    spans = [token.span for token in tokens]
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(before.end <= behind.start for before, behind in pairwise(spans))
    assert [term for token in tokens for term in token.terms] == index_terms(text)
    assert all(token.terms and all(token.terms) for token in tokens)


@pytest.mark.parametrize(
    ("written", "terms"),
    [
        ("Taser™", ["taser"]),
        ("1½", ["1", "1/2"]),
        ("conﬁned", ["confin"]),
        ("CO₂", ["co2"]),
    ],
)
@pytest.mark.parametrize("beside", ["", "’", "ﬁ", "\u0301"])
def test_what_a_word_is_does_not_depend_on_the_signs_elsewhere(written: str, terms: list[str], beside: str) -> None:
    assert index_terms(f"{written} ; {beside}")[: len(terms)] == terms
    assert index_terms(f"{beside} ; {written}")[-len(terms) :] == terms


_PARTS = st.text(st.one_of(st.sampled_from("aZ 019().:-'’§¶ﬁéİß™½²№\u00ad\u0301\nNJ.,"), st.characters()), max_size=30)


@given(_PARTS, _PARTS)
def test_the_terms_of_two_texts_side_by_side_are_those_of_each(one: str, other: str) -> None:
    assert index_terms(f"{one} ; {other}") == index_terms(one) + index_terms(other)


@given(_PARTS, _PARTS)
def test_spans_do_not_depend_on_what_stands_before(before: str, text: str) -> None:
    offset = len(before) + 3
    behind = [token.span for token in tokenise(f"{before} ; {text}") if token.span.start >= offset]
    assert [(span.start - offset, span.end - offset) for span in behind] == [
        (token.span.start, token.span.end) for token in tokenise(text)
    ]


@pytest.mark.parametrize(
    "number", ["2C:11-3a(1)", "2C:35-10 (a)(1)", "404(b)", "803(c)(27)", "3:5-7(d)", "1983", "33.1(a)"]
)
def test_a_rule_is_one_term_in_the_spelling_of_its_citation(number: str) -> None:
    assert tokenise(number)[0].term == number_key(number)


@pytest.mark.parametrize("cite", [("170", "N. J.", "632"), ("547", "F.Supp. 2d", "12"), ("384", "U.S.", "436")])
def test_a_reporter_s_page_is_one_term_in_the_spelling_of_its_citation(cite: tuple[str, str, str]) -> None:
    assert [each.term for each in tokenise(" ".join(cite))] == [case_key(*cite)]


@given(st.text(alphabet="aAb .'§12:-()é½", max_size=60))
def test_the_tokens_among_some_terms_are_those_of_all_that_have_one(text: str) -> None:
    every = tokenise(text)
    wanted = {term for token in every[::3] for term in token.terms[-1:]}
    assert tokenise(text, wanted) == [token for token in every if not wanted.isdisjoint(token.terms)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("objective", "objection"), ("several", "sever"), ("probative", "probation"), ("testimonial", "testimony")),
        *(("informant", "information"), ("department", "depart"), ("executive", "execution"), ("important", "import")),
    ],
)
def test_words_of_two_senses_with_one_stem_are_two_terms(one: str, other: str) -> None:
    assert index_terms(one) != index_terms(other)
    assert index_terms("objectives") == index_terms("objectively") == index_terms("objective")


@given(st.text(max_size=40))
def test_any_text_at_all_can_be_tokenised(text: str) -> None:
    assert all(text[token.span.start : token.span.end] for token in tokenise(text))
