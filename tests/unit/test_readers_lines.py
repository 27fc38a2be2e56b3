"""Printed lines out of fragments in the order in which a layout engine found them."""

from __future__ import annotations

from briefbank.ingest.readers.lines import Fragment, join_fragments
from briefbank.values.records import Box, Word


def fragment(text: str, x0: float, y: float) -> Fragment:
    box = Box(x0, y - 10, x0 + 6 * len(text), y + 2)
    return Fragment((Word(text, box),), box, 12.0, y, len(text))


def texts(fragments: list[Fragment], column_em: float) -> list[str]:
    return [line.text for line in join_fragments(fragments, column_em=column_em)]


def test_the_labels_and_pages_of_a_table_found_as_columns_join_their_titles() -> None:
    heights = [100.0 + 20 * row for row in range(5)]
    labels = [fragment(f"POINT {row}", 72, y) for row, y in enumerate(heights)]
    titles = [fragment(f"THE STOP WAS UNLAWFUL {row}", 150, y) for row, y in enumerate(heights)]
    pages = [fragment(str(row), 530, y) for row, y in enumerate(heights)]
    expected = [f"POINT {row} THE STOP WAS UNLAWFUL {row} {row}" for row in range(5)]
    assert texts([*labels, *pages, *titles], column_em=6.0) == expected


def test_columns_of_running_text_are_read_one_after_the_other() -> None:
    heights = [100.0 + 20 * row for row in range(5)]
    left = [fragment(f"the officer asked once more {row}", 72, y) for row, y in enumerate(heights)]
    right = [fragment(f"the driver did not answer him {row}", 320, y) for row, y in enumerate(heights)]
    expected = [item.words[0].text for item in [*left, *right]]
    assert texts([*left, *right], column_em=6.0) == expected
