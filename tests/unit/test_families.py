"""Near-copies: which passages are one family, and how a family is shown."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sample_index import ENCODER, build, make_document, make_passage

from briefbank.errors import BankDamagedError
from briefbank.index.families import Families, find_families
from briefbank.platform.settings import Settings
from briefbank.search.engine import SearchEngine
from briefbank.values.records import Filters, Query

WORDS = (
    "The tethered kite was seized at the harbour without a permit, although the statute asks for a permit only where a "
    "kite crosses the harbour untethered, and nobody had claimed that it ever left the string on which it was flown."
)
OTHER = (
    "Balloons are governed by another chapter altogether, which says nothing of strings or of harbours, but requires "
    "that whoever fills one with gas keep a record of its size, of its colour and of the day on which it was released."
)


def numbered(*texts: str) -> list[npt.NDArray[np.int32]]:
    vocabulary: dict[str, int] = {}
    rows = [[vocabulary.setdefault(word, len(vocabulary)) for word in text.lower().split()] for text in texts]
    return [np.array(row, dtype=np.int32) for row in rows]


def families(texts: list[str], documents: list[int]) -> list[list[int]]:
    found = find_families(numbered(*texts), np.array(documents, dtype=np.int32))
    return [found.members(row).tolist() for row in range(len(texts))]


def test_a_draft_and_the_brief_as_filed_are_one_family() -> None:
    draft = WORDS.replace("nobody had claimed", "no one had claimed")
    assert families([WORDS, OTHER, draft], [0, 0, 1]) == [[0, 2], [1], [0, 2]]


def test_copies_within_one_document_are_none() -> None:
    assert families([WORDS, WORDS, OTHER], [0, 0, 1]) == [[0], [1], [2]]


def test_passages_that_share_a_quotation_only_are_none() -> None:
    quotation = " ".join(WORDS.split()[:12])
    assert families([f"{quotation} {OTHER}", WORDS], [0, 1]) == [[0], [1]]


def test_short_passages_are_left_alone() -> None:
    assert families(["respectfully submitted by the defender"] * 2, [0, 1]) == [[0], [1]]


def test_a_text_that_stands_in_every_brief_is_one_family() -> None:
    assert families([WORDS] * 30, list(range(30)))[17] == list(range(30))


rows = st.lists(
    st.lists(st.integers(0, 6), max_size=60).map(lambda each: np.array(each, dtype=np.int32)), min_size=1, max_size=8
)


@hypothesis_settings(max_examples=40, deadline=None)
@given(rows, st.integers(1, 4))
def test_families_part_the_passages_whatever_these_are(given_rows: list[npt.NDArray[np.int32]], size: int) -> None:
    documents = np.arange(len(given_rows), dtype=np.int32) // size
    found = find_families(given_rows, documents)
    for row in range(len(given_rows)):
        members = found.members(row).tolist()
        assert row in members
        assert members == sorted(members)
        assert found.root(row) == members[0]
        assert found.have_copies([row]) == [len(members) > 1]
        assert all(found.members(other).tolist() == members for other in members)


def test_families_come_back_as_written_and_a_generation_without_them_has_none(tmp_path: Path) -> None:
    file = tmp_path / "families.npy"
    assert Families.read(file, 3).members(1).tolist() == [1]
    find_families(numbered(WORDS, OTHER, WORDS), np.array([0, 1, 2], dtype=np.int32)).write(file)
    assert Families.read(file, 3).members(2).tolist() == [0, 2]
    with pytest.raises(BankDamagedError):
        Families.read(file, 4)
    file.write_bytes(b"no array")
    with pytest.raises(BankDamagedError):
        Families.read(file, 3)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    documents = [
        make_document("draft"),
        make_document("old", filed="2011-05-01"),
        make_document("new", filed="2020-01-31"),
    ]
    passages = [
        make_passage("draft", 0, WORDS),
        make_passage("old", 0, WORDS),
        make_passage("new", 0, WORDS.replace("nobody", "no one")),
        make_passage("new", 1, OTHER),
    ]
    return SearchEngine(build(tmp_path_factory.mktemp("bank") / "g", documents, passages), ENCODER, Settings())


def test_a_family_is_shown_once_under_the_newest_which_names_the_others(engine: SearchEngine) -> None:
    result = engine.search(Query("kite seized at the harbour"))
    assert [hit.passage.id for hit in result.hits] == ["new-000"]
    assert result.found == 1
    siblings = result.hits[0].siblings
    assert [sibling.passage_id for sibling in siblings] == ["old-000", "draft-000"]
    assert [sibling.title for sibling in siblings] == ["Title of old", "Title of draft"]
    assert siblings[1].filed is None


def test_the_newest_that_the_filters_allow_is_shown(engine: SearchEngine) -> None:
    from datetime import date

    result = engine.search(Query("kite seized at the harbour", filters=Filters(until=date(2015, 1, 1))))
    assert [hit.passage.id for hit in result.hits] == ["old-000"]


def test_more_like_a_passage_leaves_out_its_own_brief_and_its_family(engine: SearchEngine) -> None:
    assert [hit.passage.id for hit in engine.search(Query("", like_passage="old-000")).hits] == ["new-001"]
    assert engine.search(Query("", like_passage="new-001")).hits[0].passage.id == "old-000"


def test_pasted_text_finds_its_like_and_not_itself(engine: SearchEngine) -> None:
    from_the_bank = engine.search(Query(f"{WORDS} {WORDS}"))
    assert [hit.passage.id for hit in from_the_bank.hits] in (["new-001"], ["new-001", "new-000"])
    new = engine.search(Query(f"{OTHER} Nor does the chapter on kites say anything else of harbours or of permits."))
    assert new.hits
    assert new.hits[0].why.startswith("like it in meaning; ")
