"""Postings on the disk: what is written is what is read, and nothing of it depends on how much comes at once."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from briefbank.bank.local import Bank
from briefbank.errors import BankDamagedError, UsageError
from briefbank.index import surface as surface_module
from briefbank.index.authorities import AuthoritiesBuilder, AuthorityPostings
from briefbank.index.surface import SurfaceBuilder, SurfacePostings, surface_words
from briefbank.law.citations import PassageText, cite_document, load_patterns
from briefbank.values.records import Query

PATTERNS = load_patterns()
TEXTS = st.lists(
    st.lists(st.sampled_from("the Stop STOP stops ’s don’t é ﬁle 404(b) — \n\n .".split(" ")), max_size=12).map(
        " ".join
    ),
    max_size=8,
)


@settings(max_examples=80)
@given(texts=TEXTS, chunk=st.sampled_from([1, 3, 1 << 20]))
def test_places_are_those_of_the_words(tmp_path_factory: pytest.TempPathFactory, texts: list[str], chunk: int) -> None:
    folder = tmp_path_factory.mktemp("postings") / "surface"
    builder = SurfaceBuilder()
    for text in texts:
        builder.add(text, [len(text) // 2])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(surface_module, "_CHUNK", chunk)
        builder.write(folder)
    postings = SurfacePostings(folder)
    words = [[each.word for each in surface_words(text)] for text in texts]
    assert postings.words == sorted({word for row in words for word in row})
    for word in [*postings.words, "absent"]:
        places = postings.places(word).astype(np.int64)
        rows = postings.rows(places)
        found = list(zip(rows.tolist(), (places - postings.passages[rows]).tolist(), strict=True))
        assert found == [
            (row, at) for row, row_words in enumerate(words) for at, each in enumerate(row_words) if each == word
        ]
    for starts in (postings.paragraphs, postings.sentences):
        assert set(postings.passages.tolist()) <= set(starts.tolist())
        assert all(before < after for before, after in pairwise(starts.tolist()))


def written(folder: Path, *documents: list[str]) -> AuthorityPostings:
    builder = AuthoritiesBuilder(PATTERNS)
    for texts in documents:
        builder.add(cite_document([PassageText(text, [0]) for text in texts], PATTERNS))
    builder.write(folder)
    return AuthorityPostings(folder)


def test_documents_share_an_authority_by_any_of_its_reporters(tmp_path: Path) -> None:
    postings = written(
        tmp_path / "cited",
        ["State v. Carty, 170 N.J. 632, 790 A.2d 903 (2002).", "Nothing here.", "Id. at 640."],
        ["State v. Carty, 790 A.2d 903 (2002)."],
        ["As State v. Carty Holds, no."],
        ["State v. Smith, 1 N.J. 1 (1950)."],
        ["State v. Smith, 2 N.J. 2 (1951)."],
        ["State v. Smith was right."],
    )
    for key in ("170 nj 632", "790 a2d 903", "state v carty"):
        assert postings.rows([key])[0].tolist() == [0, 2, 3, 4]
    assert postings.rows(["1 nj 1"])[0].tolist() == [5]
    assert postings.rows(["state v smith"])[0].tolist() == [5, 6, 7]
    assert postings.labels(["170 nj 632"]) == ["State v. Carty, 170 N.J. 632"]
    assert postings.rows(["9 nj 9"])[0].tolist() == []


def test_an_authority_is_not_called_by_the_number_in_front_of_its_name(tmp_path: Path) -> None:
    postings = written(
        tmp_path / "cited",
        ["State v. Carty, 170 N.J. 632 (2002) 8\n4 New York v. Belton, 453 U.S. 454 (1981) 9"],
        ["New York v. Belton, 453 U.S. 454 (1981), is good law no longer."],
        ["2. New York v. Belton, 453 U.S. 454 (1981)."],
    )
    assert postings.labels(["453 us 454"]) == ["New York v. Belton, 453 U.S. 454"]
    assert postings.labels(["170 nj 632"]) == ["State v. Carty, 170 N.J. 632"]


def test_an_authority_is_not_called_by_the_capitals_of_a_heading_nor_as_several_cited_together(tmp_path: Path) -> None:
    postings = written(
        tmp_path / "cited",
        ["THE ROBBERY WAS BARRED BY N.J.R.E. 404(B)."],
        ["THE ROBBERY WAS BARRED BY N.J.R.E. 404(B)."],
        ["It was barred by N.J.R.E. 404(b). So U.S. Const. amends. IV, XIV."],
    )
    assert postings.labels(["404(b)"]) == ["N.J.R.E. 404(b)"]
    (amendment,) = postings.labels(["us const amend iv"])
    assert amendment == "U.S. Const. amend. IV"


def test_a_part_of_a_constitution_is_known_by_any_of_its_keys_and_no_company_is_one(tmp_path: Path) -> None:
    postings = written(
        tmp_path / "cited",
        ["U.S. Const. amend. XIV, § 1; U.S. Const. amends. V, VI. The Fourteenth Amendment, N.J. Const. art. I, ¶ 7."],
        ["Roe v. ABC Const. Co., 12 N.J. 5 (1950), and N.J.S.A. 2C:14-2."],
    )
    amendments = ["us const amend xiv", "us const amend v", "us const amend vi", "nj const art i,¶7"]
    assert all(map(postings.is_constitution, postings.numbers(amendments)))
    others = postings.numbers(["12 nj 5", "njsa 2c:14-2", "roe v abc const"])
    assert [*map(postings.is_constitution, others)] == [False] * 3


def test_a_section_brings_its_subdivisions_and_not_its_neighbours(tmp_path: Path) -> None:
    postings = written(
        tmp_path / "cited", ["N.J.S.A. 2C:11-3(a)(1)", "N.J.S.A. 2C:11-3", "N.J.S.A. 2C:11-31", "R. 3:5-7(d)"]
    )
    assert postings.known("njsa 2c:11-3") == ["njsa 2c:11-3", "njsa 2c:11-3(a)(1)"]
    assert postings.rows(postings.known("njsa 2c:11-3"))[0].tolist() == [0, 1]
    assert postings.known("njsa 2c:11") == ["njsa 2c:11-3", "njsa 2c:11-3(a)(1)", "njsa 2c:11-31"]
    assert postings.known("3:5-7") == ["3:5-7(d)"]


def test_an_index_without_postings_searches_and_says_what_to_do(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(Path(__file__).parents[1] / "formats" / "bank-1.0.zip") as archive:
        archive.extractall(tmp_path / "bank")
    bank = Bank.open(tmp_path / "bank")
    assert bank.search(Query("N.J.S.A. 2C:11-3(a)(1)")).hits
    for text in ("consent /s search", "cites(State v. Carty)"):
        with pytest.raises(UsageError, match="older program") as caught:
            bank.search(Query(text))
        assert "Index the folder again" in caught.value.advice


def test_a_part_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "surface").mkdir()
    (tmp_path / "surface" / "words.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(BankDamagedError):
        SurfacePostings(tmp_path / "surface").places("a")
    (tmp_path / "cited").mkdir()
    no_letters = msgspec.msgpack.encode(
        {"patterns": [], "labels": [], "terms": ["170 nj 632"], "authorities_of": [[]]}
    ).replace(b"nj", b"\xffj")
    for data in (b"\x01\x02", no_letters):
        (tmp_path / "cited" / "authorities.msgpack").write_bytes(data)
        with pytest.raises(BankDamagedError):
            AuthorityPostings(tmp_path / "cited").known("170 nj 632")


def test_an_authority_is_called_as_most_documents_write_it_and_by_a_bare_name_only_where_none_cites_it(
    tmp_path: Path,
) -> None:
    postings = written(
        tmp_path / "cited",
        ["CASES New York v. Belton, 453 U.S. 454 (1981)"],
        ["New York v. Belton, 453 U.S. 454 (1981), is good law no longer."],
        ["See New York v. Belton, 453 U.S. 454 (1981)."],
        ["As State v. Carty Holds, no."],
        ["State v. Carty was right."],
        ["State v. Carty, 170 N.J. 632 (2002)."],
    )
    assert postings.labels(["453 us 454"]) == ["New York v. Belton, 453 U.S. 454"]
    assert postings.labels(["170 nj 632"]) == ["State v. Carty, 170 N.J. 632"]
