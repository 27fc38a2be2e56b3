"""Packs of earlier programs, frozen: those of today's format are installed, those of before refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from briefbank.bank.local import Bank
from briefbank.errors import PackError
from briefbank.office.packs.read import open_pack
from briefbank.office.packs.signing_keys import read_public_key
from briefbank.values.records import Query

HERE = Path(__file__).parent
PACK = HERE / "pack-4.0.bbpack"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    root = tmp_path_factory.mktemp("frozen") / "bank"
    Bank.install(root, PACK, trust=PACK.with_suffix(".pub"))
    return Bank.open(root)


def test_an_old_pack_is_installed_and_sound(installed: Bank) -> None:
    assert installed.check() == []
    assert [document.metadata.kind.value for document in installed.documents()] == ["brief", "directive", "internal"]


def test_an_old_pack_is_searched(installed: Bank) -> None:
    hit = installed.search(Query("N.J.S.A. 2C:11-3(a)(1)", top_k=1)).hits[0]
    assert "2C:11-3(a)(1)" in hit.passage.text
    assert installed.document_pages(hit.document.id).sizes


def test_an_old_pack_brings_its_lists_and_profiles(installed: Bank) -> None:
    assert [each.name for each in installed.profiles().profiles] == ["Charge on elements"]
    best = installed.search_by_profile(installed.prepared_profile(installed.profile("charge on elements")), Query(""))
    assert "The jury was never told" in best.hits[0].passage.text


def test_an_old_pack_says_how_new_it_is() -> None:
    with open_pack(PACK, read_public_key(PACK.with_suffix(".pub"))) as opened:
        assert opened.manifest.updated.isoformat() == "2026-11-23T07:23:47+00:00"


def test_a_pack_from_before_format_4_is_refused_by_name(tmp_path: Path) -> None:
    pack = HERE / "pack-1.1.bbpack"
    with pytest.raises(PackError, match=r"format 1\.1, of an earlier BriefBank") as caught:
        Bank.install(tmp_path / "bank", pack)
    assert "anew" in caught.value.advice
    assert not (tmp_path / "bank").exists()
