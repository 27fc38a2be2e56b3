"""How an index gets to a Windows laptop and back: packs, rollback, and what a flipped byte does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from under_wine import Ended, briefbank, windows_path

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]
ASKED = "is consent to search valid if the stop was prolonged"


def test_an_index_travels_as_a_pack_and_is_taken_back(installed: Path, bank: Path, data: Path) -> None:
    keys = {"BRIEFBANK_KEYS": windows_path(data / "keys")}
    laptop = data / "laptop"
    made = ok(briefbank("keys", "make", "Office", "--json", **keys))
    ok(briefbank("keys", "trust", made.json["public_key"], **keys))
    ok(briefbank("pack", data / "one.bbpack", "--bank", bank, "--quiet", **keys))
    ok(briefbank("install", data / "one.bbpack", "--bank", laptop, "--quiet", **keys))
    assert passages(laptop) == passages(bank)

    briefs = data / "more"
    shutil.copytree(installed / "samples", briefs)
    (briefs / "note.txt").write_text("MEMORANDUM\n\nThe zebra crossing was lit.\n" * 5, encoding="utf-8")
    grown = data / "grown"
    shutil.copytree(bank, grown)
    done = briefbank("index", briefs, "--bank", grown, "--quiet", seconds=1500)
    assert done.code == 12, done.said
    ok(briefbank("pack", data / "two.bbpack", "--bank", grown, "--quiet", **keys))
    ok(briefbank("install", data / "two.bbpack", "--bank", laptop, "--quiet", **keys))
    assert "zebra" in ok(briefbank("search", "zebra crossing", "--bank", laptop)).out
    ok(briefbank("rollback", "--bank", laptop))
    assert passages(laptop) == passages(bank)
    ok(briefbank("check", "--bank", laptop))


def test_a_flipped_byte_is_named_and_refused(bank: Path, data: Path) -> None:
    damaged = data / "damaged"
    shutil.copytree(bank, damaged)
    largest = max(
        (path for path in (damaged / "generations").rglob("*") if path.is_file()), key=lambda p: p.stat().st_size
    )
    content = bytearray(largest.read_bytes())
    content[len(content) // 2] ^= 1
    largest.write_bytes(content)
    told = briefbank("check", "--bank", damaged)
    assert told.code == 7, told.said
    assert largest.name in told.out + told.said


def ok(ended: Ended) -> Ended:
    assert ended.code == 0, ended.said
    return ended


def passages(bank: Path) -> list[str]:
    return [hit["passage_id"] for hit in ok(briefbank("search", ASKED, "--bank", bank, "--json")).json["hits"]]
