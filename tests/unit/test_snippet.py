"""What is marked in a result, and the reason given for it."""

from __future__ import annotations

import pytest

from briefbank.search.query import understand
from briefbank.search.snippet import match


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


@pytest.mark.parametrize(
    ("query", "text", "reason"),
    [
        ("kite string", "The kite had a string.", "both words within one sentence"),
        ("kite string", "He flew the kite. The string broke.", "both words"),
        ("kite string", "In Doe v. Roe, App. Div., the kite lost its string.", "both words within one sentence"),
        ("kite string wind", "Wind took the kite by its string.", "all 3 words within one sentence"),
        ("kite string wind", "The kites flew.", "1 of 3 words; missing: string, wind"),
        ("kites", "A kite and a kite.", "kites, 2 times"),
        ("404(b)", "under 404(b)", "404(b), once"),
        ("404(b)", "under 404 only", "only part of 404(b)"),
        ("kite 404(b)", "a kite under 404", "1 of 2 words; missing: 404(b)"),
        ("kite string", "A balloon rose.", "meaning only, none of the words"),
    ],
)
def test_the_reason_says_which_words_were_found(query: str, text: str, reason: str) -> None:
    assert why(query, text) == reason
