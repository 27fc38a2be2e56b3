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
    OfSection,
    Phrase,
    Unit,
    WordPattern,
)
from briefbank.search.parse import is_connectors
from briefbank.values.records import DocumentKind, SectionKind

BRIEFS = OfKind(DocumentKind.BRIEF)
A, B, C, D = (WordPattern(letter) for letter in "abcd")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a b & c", Both((Either((A, B)), C))),
        ("a & b or c", Both((A, Either((B, C))))),
        ("a /s b & c", Both((Near(A, B, Unit.SENTENCE), C))),
        ("a /s b /3 c", Near(A, Near(B, C, Unit.WORDS, 3), Unit.SENTENCE)),
        ("a /3 b +3 c", Near(A, Near(B, C, Unit.WORDS, 3, is_ordered=True), Unit.WORDS, 3)),
        ("a /p b +s c", Near(A, Near(B, C, Unit.SENTENCE, is_ordered=True), Unit.PARAGRAPH)),
        ("a /s b /s c", Near(Near(A, B, Unit.SENTENCE), C, Unit.SENTENCE)),
        ("a % b & c", ButNot(A, Both((B, C)))),
        ("not /5 a", Near(WordPattern("not"), A, Unit.WORDS, 5)),
        ("a but not b but not c", ButNot(ButNot(A, B), C)),
        ("a AND b OR c", Both((A, Either((B, C))))),
        ("(a & b) or (c & d)", Either((Both((A, B)), Both((C, D))))),
        ('"a b"~5^2.5 or c^3', Either((Boost(Phrase((A, B), 5), 2.5), Boost(C, 3)))),
        ("“a b” & c", Both((Phrase((A, B)), C))),
        ("404(b)(2) & a", Both((Phrase((WordPattern("404"), WordPattern("b"), WordPattern("2"))), A))),
        ("2C:11-3(a)(1)", Phrase(tuple(map(WordPattern, "2c 11 3 a 1".split())))),
        (
            "#Rights or suppress! or wom*n",
            Either((WordPattern("rights", is_exact=True), WordPattern("suppress", is_root=True), WordPattern("wom*n"))),
        ),
        ("cites(State v. Carty (2002)) & a", Both((Cites("State v. Carty (2002)"), A))),
        ("defendant’s", WordPattern("defendant's")),
        ("author(Teague) & a", Both((Known(KnownField.AUTHOR, (WordPattern("teague"),)), A))),
        ("outcome(reversed!)", Known(KnownField.OUTCOME, (WordPattern("reversed", is_root=True),))),
        ("docket(A-1482-17T4)", Known(KnownField.DOCKET, tuple(map(WordPattern, "a 1482 17t4".split())))),
        ("section(facts) & a", Both((OfSection(SectionKind.FACTS), A))),
        (
            '[“change control”~5^5, “control changed”~5^5, "a b"~10^2, “written\n notice”~5, c].',
            Either(
                (
                    Boost(Phrase((WordPattern("change"), WordPattern("control")), 5), 5),
                    Boost(Phrase((WordPattern("control"), WordPattern("changed")), 5), 5),
                    Boost(Phrase((A, B), 10), 2),
                    Phrase((WordPattern("written"), WordPattern("notice")), 5),
                    C,
                )
            ),
        ),
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
        ("stop /x b", 5),
        ('ab "cd', 3),
        ("a )", 2),
        ("^5 x", 0),
        ("a ~5", 2),
        ("date(soon)", 5),
        ("kind(poem)", 5),
        ("title()", 6),
        ("a /s (b & c)", 5),
        ("(b % c) /s a", 0),
        ("a & ab!", 4),
        ("a & not b", 4),
        ("a /s", 2),
        ("a /300 b", 2),
        ("a /0 b", 2),
        ('""', 0),
        ("date(after 2020 and before 2019)", 5),
        ("a^0", 1),
        ("a & *a", 4),
        ("a & —", 4),
        ('"a b"~', 5),
        ("", 0),
        ("date(2020-13)", 5),
        ("judge(Smith)", 0),
        ("a & judge(Smith)", 4),
        ("section(poem)", 8),
        ('["a", , "b"]', 6),
        ('["a", "b"', 0),
        ('["a", "b" & ]', 12),
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
        "consent +3 search",
        "suppress!",
        "stop & frisk",
        "wom*n",
        '"reasonable suspicion"',
        "#rights",
        '"plain view" or "open fields"',
        '"excited utterance" or hearsay',
        '("plain view" or search) and warrant',
        "stop AND frisk",
        "cites(State v. Carty)",
        '"change control"~5^5',
        "consent % search",
        '"plain view" but not "open fields"',
        "title(suppression) & consent",
        "author(Teague)",
        "docket(A-1482-17T4)",
        "outcome(reversed)",
        "section(facts)",
        "judge(Smith)",
        '["change control"~5^5, "written notice"~5]',
        "[“change control”, “control changed”]",
    ],
)
def test_marks_of_connectors_are_recognised(text: str) -> None:
    assert is_connectors(text)


@pytest.mark.parametrize(
    "text",
    [
        "can an officer ask for consent once the stop is over?",
        "what is the “totality of the circumstances”?",
        "the defendant's right to counsel",
        '"plain view" doctrine or consent',
        "is State v. Carty still good law",
        'find briefs about "excited utterance"',
        "search and seizure or consent",
        "R. 3:5-7(d)",
        "N.J.S.A. 2C:11-3(a)(1)",
        "803(c)(27)",
        "170 N.J. 632",
        "and/or",
        "help me find this!",
        "UNLAWFUL STOP AND SEARCH",
        "did 50% of the jury agree",
        "Tex. Code § 19.02",
        "A&P grocery",
        "the defendant(s) and the section(s) of the brief(s)",
        "section(a) of the act",
        "the court [sic] said so",
        "did the officer(the driver said) ask first",
        "standard of review (plain error)",
        "is it 'plain view' if he's on the porch?",
        "was the blood alcohol 0.08 * or more",
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
        ("a +5 b", "Looks for “a” before “b”, within 5 words of each other."),
        ("a b & c", "Looks for (“a” or “b”) and “c”."),
        ('"stop and frisk"', "Looks for the phrase “stop and frisk”. Plurals and possessives are found too."),
        ("#stop", "Looks for exactly “stop”."),
        (
            "supp! % wom*n",
            "Looks for words that begin with “supp”, but not passages with “wom*n” (each * any one letter",
        ),
        ('"change control"~5^5', "in any order with at most 5 other words among them) (counting 5 times)."),
        ("date(after 2020)", "Looks for documents filed after 31 December 2020."),
        ("date(2020) & kind(briefs)", "documents filed from 1 January 2020 to 31 December 2020 and briefs"),
        ("a /p b /p c", "Looks for “a”, “b” and “c” within one paragraph, in any order."),
    ],
)
def test_an_expression_is_explained_in_words(text: str, told: str) -> None:
    assert told in explain(parse(text))


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("stop", {"stops", "stop's"}),
        ("party", {"parties", "parties's", "party's"}),
        ("search", {"searches"}),
        ("knife", {"knives"}),
        ("policeman", {"policemen"}),
        ("child", {"children", "children's"}),
        ("analysis", {"analyses"}),
        ("memorandum", {"memoranda", "memorandums"}),
        ("attorney", {"attorneys"}),
        ("witness", {"witnesses"}),
    ],
)
def test_a_word_brings_its_plural_and_possessive(word: str, others: set[str]) -> None:
    assert others <= set(forms(word))
    assert word in forms(word)


def test_short_words_and_numbers_bring_no_plural() -> None:
    assert set(forms("a")) == {"a", "a's"}
    assert "404s" not in forms("404")
