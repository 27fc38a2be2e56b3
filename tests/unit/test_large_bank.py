"""A bank in the form for large banks, through the bank's doors: asked, packed, checked and mended like any other."""

from __future__ import annotations

import shutil
from pathlib import Path

import office
import pytest
from program import Briefbank

from briefbank.bank import Bank
from briefbank.index.form import Form
from briefbank.index.manifest import read_info
from briefbank.index.publish import live_generation
from briefbank.office.packs import signing_keys
from briefbank.platform.layout import Layout
from briefbank.records import Query

QUESTIONS = (
    "may the police search after consent at a prolonged stop",
    "excited utterance of an absent caller",
    "aggravating factor without evidence after 2015",
    "2C:5-2",
    "State v. Henderson",
    "photographic /s array but not sentenc!",
    "blind admnistration of the lineup",
)


def form_of(bank: Path) -> Form:
    return read_info(live_generation(Layout(bank))).form


def answers(bank: Path) -> list[object]:
    """What defenders see of some questions, without scores."""
    asked = Bank.open(bank)
    results = [asked.search(Query(text, top_k=8)) for text in QUESTIONS]
    shown = [
        ([(hit.passage, hit.matches, hit.siblings, hit.warnings) for hit in each.hits], each.corrections, each.notices)
        for each in results
    ]
    return [shown, asked.authorities(), asked.arguments("the stop"), asked.card("State v. Henderson")]


@pytest.fixture
def large(own_bank: Path, library: Path, briefbank: Briefbank) -> Path:
    """The library's bank, written in the large form."""
    office.change_settings(own_bank, large_from_passages=1)
    assert briefbank("index", library, "--bank", own_bank, "--quiet").code == 12
    return own_bank


def test_the_form_follows_the_setting_and_answers_stay_the_same(
    library_bank: Path, large: Path, library: Path, briefbank: Briefbank
) -> None:
    assert (form_of(library_bank), form_of(large)) == (Form.SMALL, Form.LARGE)
    assert answers(large) == answers(library_bank)
    live = live_generation(Layout(large)).name
    briefbank("index", library, "--bank", large, "--quiet")
    assert live_generation(Layout(large)).name == live
    office.change_settings(large, large_from_passages=2_000_000)
    briefbank("index", library, "--bank", large, "--quiet")
    assert form_of(large) is Form.SMALL


def test_a_draft_is_checked_in_a_large_bank_as_in_a_small_one(library_bank: Path, large: Path) -> None:
    drafts = [Bank.open(bank).check_draft(_draft(large.parent)) for bank in (library_bank, large)]
    assert drafts[0] == drafts[1]
    for bank in (library_bank, large):
        hit = Bank.open(bank).search(Query(QUESTIONS[0])).hits[0]
        assert Bank.open(bank).search(Query("", like_passage=hit.passage.id)).hits


def _draft(folder: Path) -> Path:
    text = office.brief("Nell Brand", "A-9-25", "May 4, 2025", ("THE STOP.", office.STOP), ("HEARSAY.", office.HEARSAY))
    return office.write_text(folder / "draft.txt", text)


def test_a_large_bank_is_packed_and_followed_by_deltas(
    large: Path, library: Path, tmp_path: Path, briefbank: Briefbank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    signing_keys.make_key("Office of the Example")
    bank, laptop = Bank.open(large), tmp_path / "laptop"
    whole = bank.pack(tmp_path / "whole.bbpack")
    Bank.install(laptop, tmp_path / "whole.bbpack")
    assert answers(laptop) == answers(large)
    folder = Path(shutil.copytree(library, tmp_path / "library"))
    office.write_text(folder / "new.txt", office.memo("Kites", office.LINEUP))
    briefbank("index", folder, "--bank", large, "--quiet")
    bank.pack(tmp_path / "delta.bbpack", since=whole.generation)
    Bank.install(laptop, tmp_path / "delta.bbpack")
    assert form_of(laptop) is Form.LARGE
    assert Bank.open(laptop).check() == []
    assert answers(laptop) == answers(large)


def test_a_damaged_large_bank_is_found_and_mended(large: Path) -> None:
    before = answers(large)
    assert Bank.open(large).check() == []
    for name in ("lexical/words.npy", "lexical/passages.bin", "surface/word-ends.npy"):
        file = live_generation(Layout(large)) / name
        file.write_bytes(file.read_bytes()[:-1])
        assert any(name in each.problem for each in Bank.open(large).check() if each.is_damage)
        Bank.repair(large)
        assert (form_of(large), Bank.open(large).check()) == (Form.LARGE, [])
    assert answers(large) == before
