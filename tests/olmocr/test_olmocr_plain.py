"""olmOCR's markdown as printed words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.ingest.ocr.olmocr.plain import PrintedWord, tokens_of


def printed(markdown: str) -> str:
    return " ".join(token.text for token in tokens_of(markdown))


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("# POINT I\n\nThe stop was long.", "POINT I The stop was long."),
        ("The *State v. Lorne* rule is **not** _dicta_.", "The State v. Lorne rule is not dicta."),
        ("the order * * * is reversed", "the order * * * is reversed"),
        ("signed ________ on ____", "signed ________ on ____"),
        ("snake_case_name and 3*4*5", "snake_case_name and 3*4*5"),
        ("under \\(\\S\\) 2C:11\\-3, at \\$5 and 50\\%", "under § 2C:11-3, at $5 and 50%"),
        ("it cost $5 and then $10 more", "it cost $5 and then $10 more"),
        ("at \\(\\frac{1}{2}\\) of \\(90^{\\circ}\\)", "at 1/2 of 90°"),
        ("see [the rule](https://example.org/r) and [A]ll (the) rest", "see the rule and [A]ll (the) rest"),
        ("![A seal of the court](page_10_20_30_40.png)\nFiled", "Filed"),
        ("<table><tr><th>Count</th><td>Term</td></tr><tr><td>5 &amp; 3</td></tr></table>", "Count Term 5 & 3"),
        ("| Count | Term |\n|---|---|\n| One | 5 |", "Count Term One 5"),
        ("above\n\n---\n\nbelow\n***", "above below"),
        ("- item\n> quoted\n1. first", "item quoted 1. first"),
        ("Rule 3:5 . . . . . . . . . . . . . . 12", "Rule 3:5 ........ 12"),
        ("if a < b and b > c", "if a < b and b > c"),
    ],
)  # fmt: skip
def test_marks_go_and_words_stay(markdown: str, words: str) -> None:
    assert printed(markdown) == words


@pytest.mark.parametrize("call", ["<sup>12</sup>", "\\(^{12}\\)", "$^{12}$", "[^12]", "¹²"])
def test_a_footnote_call_is_a_raised_word_of_its_own(call: str) -> None:
    tokens = tokens_of(f"suppressed.{call} The")
    assert [(token.text, token.is_superscript) for token in tokens] == [
        ("suppressed.", False), ("12", True), ("The", False),
    ]  # fmt: skip


def test_looks_are_kept_as_hints() -> None:
    tokens = tokens_of("## POINT I\nsee *State v. Lorne* **here**")
    assert [token.text for token in tokens if token.is_bold] == ["POINT", "I", "here"]
    assert [token.text for token in tokens if token.is_italic] == ["State", "v.", "Lorne"]
    assert [token.text for token in tokens if token.starts_line] == ["POINT", "see"]


_WORDS = st.lists(st.text(st.sampled_from("abcXYZ019§.,;:()'’-"), min_size=1, max_size=9), max_size=30)


@given(_WORDS)
def test_plain_words_come_back_as_they_are(words: list[str]) -> None:
    words = [word for word in words if any(map(str.isalnum, word))]
    text = " ".join(["x", *words])
    assert [token.text for token in tokens_of(text)] == ["x", *words]


@given(st.text(max_size=300))
def test_any_text_gives_words_without_spaces(text: str) -> None:
    for token in tokens_of(text):
        assert isinstance(token, PrintedWord)
        assert token.text
        assert not any(map(str.isspace, token.text))
