"""Banks that earlier programs wrote, frozen: today's program must read them. They are added to, never rebuilt."""

from __future__ import annotations

import shutil
import zipfile
from datetime import date
from pathlib import Path

import pytest

from briefbank.bank.local import Bank
from briefbank.judgements.feedback.schema import STEPS
from briefbank.law.authority_list import AuthorityList, listings
from briefbank.matters.check_record import Decision
from briefbank.matters.follows import STEPS as FOLLOWS_STEPS
from briefbank.matters.follows import FollowLog, follows_of
from briefbank.matters.log import STEPS as MATTERS_STEPS
from briefbank.matters.record_file import read_check_record
from briefbank.platform import versions
from briefbank.values.records import DocumentKind, Filters, Query

HERE = Path(__file__).parent


@pytest.fixture(params=sorted(HERE.glob("bank-*.zip")), ids=lambda path: path.stem)
def old_bank(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with zipfile.ZipFile(request.param) as archive:
        archive.extractall(tmp_path / "bank")
    return tmp_path / "bank"


def test_an_old_bank_is_sound(old_bank: Path) -> None:
    assert Bank.open(old_bank).check() == []


def test_an_old_bank_tells_its_documents_and_failures(old_bank: Path) -> None:
    bank = Bank.open(old_bank)
    documents = bank.documents()
    assert [document.filed for document in documents] == [date(2022, 5, 30), date(2021, 11, 30), None]
    assert [document.metadata.kind.value for document in documents] == ["brief", "directive", "internal"]
    assert documents[0].metadata.docket is not None
    assert documents[0].metadata.docket.value == "A-2207-21"
    assert [failure.code for failure in bank.status().failures] == ["unsupported-file"]


def test_an_old_bank_is_searched(old_bank: Path) -> None:
    bank = Bank.open(old_bank)
    hit = bank.search(Query("N.J.S.A. 2C:11-3(a)(1)", top_k=1)).hits[0]
    assert "2C:11-3(a)(1)" in hit.passage.text
    assert "CHARGE OMITTED AN ELEMENT" in " ".join(hit.passage.section_path)
    assert bank.passage(hit.passage.id).before
    directives = bank.search(Query("consent", filters=Filters(kinds=(DocumentKind.DIRECTIVE,)))).hits
    assert {hit.document.source_path for hit in directives} == {"/srv/briefs/directive-2021-12.txt"}


def test_an_old_laptop_has_the_lists_and_the_record_of_its_pack(tmp_path: Path) -> None:
    with zipfile.ZipFile(HERE / "laptop-2.0.zip") as archive:
        archive.extractall(tmp_path / "bank")
    bank = Bank.open(tmp_path / "bank")
    assert bank.check() == []
    assert [alert.authority for alert in bank.alerts()] == ["State v. Jordan, 147 N.J. 409 (1997)"]
    installed = bank.status().installed
    assert installed is not None
    assert (installed.file, installed.updated_at) == ("pack-1.1.bbpack", "2026-11-22T22:16:16+00:00")


def test_each_format_of_today_has_a_frozen_sample() -> None:
    """Whoever raises a version freezes what is written with it, so that the next program is tried on that too."""
    assert (HERE / f"laptop-{versions.BANK}.zip").is_file()
    assert (HERE / f"pack-{versions.PACK}.bbpack").is_file()
    assert (HERE / f"feedback-{versions.FEEDBACK}.sqlite").is_file()
    assert len(STEPS) == versions.FEEDBACK
    assert (HERE / f"matters-{versions.MATTERS}.sqlite").is_file()
    assert len(MATTERS_STEPS) == versions.MATTERS
    assert (HERE / f"follows-{versions.FOLLOWS}.sqlite").is_file()
    assert len(FOLLOWS_STEPS) == versions.FOLLOWS
    assert (HERE / f"matter-{versions.MATTER_FILE}.json").is_file()
    assert (HERE / f"check-{versions.CHECK_RECORD}.json").is_file()
    assert (HERE / f"authorities-{versions.AUTHORITY_LIST}.list").is_file()


@pytest.mark.parametrize("sample", sorted(HERE.glob("follows-*.sqlite")), ids=lambda path: path.stem)
def test_an_old_log_of_what_is_followed_says_what_it_said(sample: Path, tmp_path: Path) -> None:
    with FollowLog(Path(shutil.copy(sample, tmp_path / "follows.sqlite"))) as log:
        (follow,) = follows_of(log.events())
    assert (follow.name, follow.query.text, follow.known) == ("consent", "consent at the roadside", b"12345")
    assert follow.query.filters.since == date(2019, 1, 1)


@pytest.mark.parametrize("sample", sorted(HERE.glob("check-*.json")), ids=lambda path: path.stem)
def test_an_old_record_of_a_check_is_as_it_was_written(sample: Path) -> None:
    earlier = read_check_record(sample)
    assert earlier.record
    assert (earlier.notices, earlier.record.count(Decision.REVIEWED)) == ((), 1)


@pytest.mark.parametrize("sample", sorted(HERE.glob("authorities-*.list")), ids=lambda path: path.stem)
def test_an_old_list_of_authorities_answers_as_it_did(sample: Path) -> None:
    cited = (
        "State v. Quill, 901 N.J. 45, 988 A.2d 101 (2011); Marsh v. Tull Ins. Co. (2017) 3 Cal.5th 12; State v. Marsh, "
        "901 N.J. 45 (2011); Fenwick v. Board of Education, 2031 WL 1234567 (2030); Roe v. Poe, 4 U.S. 89 (1901)"
    )
    kinds = ["as cited"] * 3 + ["another name", "as cited", "not in the list"]
    assert [each.kind for each in listings(cited, AuthorityList.open(sample))] == kinds
