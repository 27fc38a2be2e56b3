"""What is marked in a result, and the reason given for it."""

from __future__ import annotations

import pytest

from briefbank.search.parse import understand
from briefbank.search.present import best_sentence, match


def marked(query: str, text: str) -> list[str]:
    spans, _ = match(understand(query), text)
    return [text[span.start : span.end] for span in spans]


def why(query: str, text: str) -> str:
    return match(understand(query), text)[1]


def test_all_forms_of_a_word_are_marked_in_order() -> None:
    assert marked("consent to searches", "He consented. The search, by consent, began.") == [
        "consented",
        "search",
        "consent",
    ]


def test_a_rule_is_marked_however_it_is_spaced_and_at_every_depth() -> None:
    text = "See 404 (b)(2); under 404(b), and 405(a)."
    assert marked("404(b)", text) == ["404 (b)(2)", "404(b)"]


def test_another_section_of_the_same_chapter_is_not_marked() -> None:
    assert marked("2C:11-3", "under 2C:11-4 and 2C: 11-3(b)") == ["2C: 11-3(b)"]


def test_a_case_is_marked_and_counted_as_a_whole_and_its_government_nowhere_else() -> None:
    query, text = (
        "State v. Orme guests",
        "In State of Ohio vs. Orme, 3 U.S. 4, the State lost. Roe v. Poe follows Orme.",
    )
    assert marked(query, text) == ["State of Ohio vs. Orme", "Orme"]
    assert why(query, text) == "holds 1 of your 2 words, not “guests”"
    assert marked(query, "The State, in State v. Vale, called guests.") == ["guests"]


@pytest.mark.parametrize(
    ("query", "text", "reason"),
    [
        ("kite string", "The kite had a string.", "holds both your words in one sentence"),
        ("kite string", "He flew the kite. The string broke.", "holds both your words"),
        ("kite string wind", "The kites flew.", "holds 1 of your 3 words, not “string”, “wind”"),
        ("kites", "A kite and a kite.", "holds “kites” 2 times"),
        ("404(b)", "under 404 only", "holds only a part of “404(b)”"),
        ("kite string", "A balloon rose.", "says it in other words"),
    ],
)
def test_the_reason_says_which_words_were_found(query: str, text: str, reason: str) -> None:
    assert why(query, text) == reason


@pytest.mark.parametrize(
    ("query", "text", "sentence"),
    [
        ("kite string", "A kite, a kite. The kite lost its string.  It fell.", "The kite lost its string."),
        ("kite string", "In Doe v. Roe a kite fell. So it was.", "In Doe v. Roe a kite fell."),
    ],
)
def test_the_sentence_that_answers_holds_the_most_of_the_words(query: str, text: str, sentence: str) -> None:
    spans, _ = match(understand(query), text)
    found = best_sentence(text, spans)
    assert found is not None
    assert text[found.start : found.end] == sentence
