"""Two readings of one page, word for word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from briefbank.ingest.ocr.olmocr.align import align


def stands_on(tokens: str, words: str) -> dict[str, list[str]]:
    """For each token, the words that it stands on."""
    placed = words.split()
    matches = align(tokens.split(), placed)
    return {
        token: [placed[each.word] for each in match.places]
        for token, match in zip(tokens.split(), matches, strict=True)
    }


def test_joined_split_and_misread_words_find_their_partners() -> None:
    found = stands_on(
        "The record of the investigation was at § 12 entirely silent on consent",
        "Tbe record ofthe inves- tigation was at 8 12 entire ly silent on consent",
    )
    assert found["The"] == ["Tbe"]
    assert found["of"] == found["the"] == ["ofthe"]
    assert found["investigation"] == ["inves-", "tigation"]
    assert found["§"] == ["8"]
    assert found["entirely"] == ["entire", "ly"]


def test_a_word_shared_by_two_is_cut_between_them() -> None:
    first, second = align(["of", "the"], ["ofthe"])
    assert (first.places[0].start, first.places[0].end) == (0.0, 0.4)
    assert (second.places[0].start, second.places[0].end) == (0.4, 1.0)


def test_columns_read_in_another_order_are_found() -> None:
    tokens = "STATE OF NEW JERSEY Plaintiff-Respondent SUPERIOR COURT APPELLATE DIVISION"
    words = "STATE OF SUPERIOR COURT NEW JERSEY APPELLATE DIVISION Plaintiff-Respondent"
    assert stands_on(tokens, words) == {word: [word] for word in tokens.split()}


def test_what_only_one_reading_has_stands_nowhere() -> None:
    found = stands_on("an entirely new sentence. The order stands", "The order stands 17")
    assert found["entirely"] == []
    assert found["order"] == ["order"]


_TEXTS = st.lists(st.text(st.sampled_from("abcdeXY1.-—’"), min_size=1, max_size=7), max_size=40)


@given(_TEXTS)
def test_a_reading_stands_on_itself(words: list[str]) -> None:
    for number, match in enumerate(align(words, words)):
        assert match.agreed == 1.0
        assert [words[each.word] for each in match.places] == [words[number]]


@given(_TEXTS, _TEXTS)
def test_any_two_readings_share_whole_boxes_at_most(tokens: list[str], words: list[str]) -> None:
    matches = align(tokens, words)
    assert len(matches) == len(tokens)
    for token, match in zip(tokens, matches, strict=True):
        assert 0.0 <= match.agreed <= 1.0
        for place in match.places:
            assert 0 <= place.word < len(words)
            assert 0.0 <= place.start <= place.end <= 1.0
            assert 0 <= place.cut <= len(token)
