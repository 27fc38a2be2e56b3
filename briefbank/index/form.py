"""The two forms of an index: small ones are searched exactly, large ones by LanceDB's own indices. Searching is told
nothing of it: `dense` and `term_index` answer for both.
"""

from __future__ import annotations

from enum import StrEnum


class Form(StrEnum):
    """Small: whole vectors, and words weighed by bm25s, which takes 8 GB of memory per million passages to write.

    Large: vectors of half the precision, grouped by nearness, and words in LanceDB's full text, of which the best are
    scored again; nothing but numbers of documents and ids is held in memory.
    """

    SMALL = "small"
    LARGE = "large"


def form_for(passage_count: int, large_from: int) -> Form:
    """The form of an index of so many passages, where the large one begins at `large_from`."""
    return Form.LARGE if passage_count >= large_from else Form.SMALL
