"""Reading terms and connectors: what counts as an expression, how it is understood, explained, and refused."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.search.connectors import ConnectorsError, explain, parse
from briefbank.search.connectors.fields import forms
from briefbank.search.connectors.syntax import (
    Boost,
    Both,
    ButNot,
    Cites,
    Either,
    Known,
    KnownField,
    Near,
    OfKind,
    Phrase,
    Unit,
    WordPattern,
)
from briefbank.search.parse import is_connectors
from briefbank.values.records import DocumentKind

BRIEFS = OfKind(DocumentKind.BRIEF)
A, B, C, D = (WordPattern(letter) for letter in "abcd")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a b & c", Both((Either((A, B)), C))),
        ("a & b or c", Both((A, Either((B, C))))),
        ("a /3 b +3 c", Near(A, Near(B, C, Unit.WORDS, 3, is_ordered=True), Unit.WORDS, 3)),
        ("a /s b /s c", Near(Near(A, B, Unit.SENTENCE), C, Unit.SENTENCE)),
        ("a % b & c", ButNot(A, Both((B, C)))),
        ("a but not b but not c", ButNot(ButNot(A, B), C)),
        ('"a b"~5^2.5 or c^3', Either((Boost(Phrase((A, B), 5), 2.5), Boost(C, 3)))),
        ("404(b)(2) & a", Both((Phrase((WordPattern("404"), WordPattern("b"), WordPattern("2"))), A))),
        ("cites(State v. Carty (2002)) & a", Both((Cites("State v. Carty (2002)"), A))),
        ("defendant’s", WordPattern("defendant's")),
        ("author(Teague) & a", Both((Known(KnownField.AUTHOR, (WordPattern("teague"),)), A))),
        ("outcome(reversed!)", Known(KnownField.OUTCOME, (WordPattern("reversed", is_root=True),))),
        (
            "[a & b, 1,250] & kind(brief)",
            Both((Either((Both((A, B)), Phrase((WordPattern("1"), WordPattern("250"))))), BRIEFS)),
        ),
    ],
)
def test_an_expression_is_read_in_the_order_that_the_services_document(text: str, meant: object) -> None:
    assert parse(text) == meant


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("stop (search", 5),
        ("a & & b", 4),
        ('ab "cd', 3),
        ("date(soon)", 5),
        ("a /s (b & c)", 5),
        ("a & not b", 4),
        ("a /300 b", 2),
        ("a /0 b", 2),
        ("date(after 2020 and before 2019)", 5),
        ("a & —", 4),
        ("", 0),
        ("judge(Smith)", 0),
        ('["a", , "b"]', 6),
    ],
)
def test_an_error_points_at_its_character(text: str, position: int) -> None:
    with pytest.raises(ConnectorsError) as caught:
        parse(text)
    assert caught.value.position == position
    lines = caught.value.advice.splitlines()
    assert lines[: 2 * bool(text)] == [text, f"{' ' * position}^"] * bool(text)
    assert lines[-1]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.message, again.advice, again.position) == (caught.value.message, caught.value.advice, position)


PIECES = st.sampled_from(
    '( ) [ ] , ["a", author( section( judge(Smith) " “ ” & % ! * # /s /p /5 '
    "+s +9 ~ ^ ~3 ^2 or and but not title( date( cites( kind( after 2020 2020-02-30 a car "
    "wom*n supp! 404(b) § — ’ ' \u0301 \u200d ß İ ﬁ /999 +x".split(" ")
)


@given(
    st.one_of(
        st.text(max_size=60), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES, max_size=9).map("".join)
    )
)
def test_reading_raises_nothing_but_its_own_error(text: str) -> None:
    is_connectors(text)
    with contextlib.suppress(ConnectorsError):
        assert explain(parse(text)).endswith(".")


def test_a_field_that_does_not_exist_is_refused_by_name_with_those_that_do() -> None:
    with pytest.raises(ConnectorsError, match=r"no field judge\(\)") as caught:
        parse("judge(Smith) & consent")
    for name in ("title", "court", "author", "outcome", "docket", "kind", "section", "date", "cites"):
        assert f"{name}()" in caught.value.advice


def test_deep_nesting_and_long_texts_are_refused() -> None:
    for text in ("(" * 5_000, "(" * 900 + "a" + ")" * 900, "a " * 2_000):
        with pytest.raises(ConnectorsError):
            parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "consent /s search",
        "suppress!",
        "stop & frisk",
        '"reasonable suspicion"',
        '("plain view" or search) and warrant',
        "cites(State v. Carty)",
        "author(Teague)",
        "docket(A-1482-17T4)",
        "judge(Smith)",
        '["change control"~5^5, "written notice"~5]',
    ],
)
def test_marks_of_connectors_are_recognised(text: str) -> None:
    assert is_connectors(text)


@pytest.mark.parametrize(
    "text",
    [
        "can an officer ask for consent once the stop is over?",
        "what is the “totality of the circumstances”?",
        '"plain view" doctrine or consent',
        "is State v. Carty still good law",
        "search and seizure or consent",
        "N.J.S.A. 2C:11-3(a)(1)",
        "help me find this!",
        "did 50% of the jury agree",
        "the defendant(s) and the section(s) of the brief(s)",
        "section(a) of the act",
        "standard of review (plain error)",
        "is it 'plain view' if he's on the porch?",
    ],
)
def test_natural_language_is_left_alone(text: str) -> None:
    assert not is_connectors(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "consent /s search",
            "Looks for “consent” and “search” within one sentence, in any order. All of it stands in one",
        ),
        ("a b & c", "Looks for (“a” or “b”) and “c”."),
        (
            "supp! % wom*n",
            "Looks for words that begin with “supp”, but not passages with “wom*n” (each * any one letter",
        ),
        ('"change control"~5^5', "in any order with at most 5 other words among them) (counting 5 times)."),
        ("date(2020) & kind(briefs)", "documents filed from 1 January 2020 to 31 December 2020 and briefs"),
    ],
)
def test_an_expression_is_explained_in_words(text: str, told: str) -> None:
    assert told in explain(parse(text))


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("party", {"parties", "parties's", "party's"}),
        ("knife", {"knives"}),
        ("policeman", {"policemen"}),
        ("analysis", {"analyses"}),
        ("memorandum", {"memoranda", "memorandums"}),
    ],
)
def test_a_word_brings_its_plural_and_possessive(word: str, others: set[str]) -> None:
    assert others <= set(forms(word))
    assert word in forms(word)


def test_short_words_and_numbers_bring_no_plural() -> None:
    assert set(forms("a")) == {"a", "a's"}
    assert "404s" not in forms("404")
