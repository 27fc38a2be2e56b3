"""Packs that earlier programs made, frozen: today's program must install them. They are added to, never made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from briefbank.bank.local import Bank
from briefbank.office.packs.base import Chunker, chunk_digest
from briefbank.office.packs.read import open_pack
from briefbank.office.packs.signing_keys import read_public_key
from briefbank.values.records import Query

HERE = Path(__file__).parent
DELTAS = {"delta-2.0": "pack-1.0", "delta-2.1": "pack-1.1"}
"""Each delta, its blocks with references, and the pack that it was made against."""
CHUNKS, CUTS = 31, "e8e49544d98413a2f5b5895df0ae633e"


@pytest.fixture(params=sorted(HERE.glob("pack-*.bbpack")), ids=lambda path: path.stem)
def installed(request: pytest.FixtureRequest, tmp_path: Path) -> Bank:
    Bank.install(tmp_path / "bank", request.param, trust=request.param.with_suffix(".pub"))
    return Bank.open(tmp_path / "bank")


def test_an_old_pack_is_installed_and_sound(installed: Bank) -> None:
    assert installed.check() == []
    assert [document.metadata.kind.value for document in installed.documents()] == ["brief", "directive", "internal"]


def test_an_old_pack_is_searched(installed: Bank) -> None:
    hit = installed.search(Query("N.J.S.A. 2C:11-3(a)(1)", top_k=1)).hits[0]
    assert "2C:11-3(a)(1)" in hit.passage.text
    assert installed.document_pages(hit.document.id).sizes


def test_an_old_pack_brings_its_profiles(tmp_path: Path) -> None:
    pack = HERE / "pack-3.0.bbpack"
    Bank.install(tmp_path / "bank", pack, trust=pack.with_suffix(".pub"))
    bank = Bank.open(tmp_path / "bank")
    assert [each.name for each in bank.profiles().profiles] == ["Charge on elements"]
    best = bank.search_by_profile(bank.prepared_profile(bank.profile("charge on elements")), Query("")).hits[0]
    assert "The jury was never told" in best.passage.text


def test_an_old_pack_says_how_new_it_is_as_far_as_it_can(tmp_path: Path) -> None:
    """Format 1.0 tells when the index was made, from 1.1 on when the office last changed a list."""
    told = {}
    for pack in sorted(HERE.glob("pack-*.bbpack")):
        with open_pack(pack, read_public_key(pack.with_suffix(".pub"))) as opened:
            told[pack.stem] = opened.manifest.state_of.isoformat()
    assert told == {
        "pack-1.0": "2026-11-21T23:40:02+00:00",
        "pack-1.1": "2026-11-22T22:16:16+00:00",
        "pack-3.0": "2026-11-23T07:23:47+00:00",
    }


@pytest.mark.parametrize("name", DELTAS)
def test_an_old_delta_is_installed_and_sound(tmp_path: Path, name: str) -> None:
    base, delta = HERE / f"{DELTAS[name]}.bbpack", HERE / f"{name}.bbpack"
    Bank.install(tmp_path / "bank", base, trust=base.with_suffix(".pub"))
    Bank.install(tmp_path / "bank", delta, trust=delta.with_suffix(".pub"))
    with open_pack(delta, read_public_key(delta.with_suffix(".pub"))) as opened:
        assert any(each.length for each in opened.manifest.references)
    bank = Bank.open(tmp_path / "bank")
    assert bank.check() == []
    assert "blind administration" in bank.search(Query("photographic array", top_k=1)).hits[0].passage.text


def test_streams_are_cut_where_they_were_cut_before() -> None:
    """Other cuts would make the next delta a whole pack."""
    stream = b"".join(f"{number * number} ".encode() for number in range(30_000))
    chunker = Chunker()
    chunks = [*chunker.feed(stream), *chunker.finish()]
    assert len(chunks) == CHUNKS
    assert chunk_digest(b"".join(map(chunk_digest, chunks))).hex() == CUTS
