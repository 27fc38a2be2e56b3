"""A bank in the form for large banks, through the bank's doors: asked, packed, checked, mended, taught like others."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import office
import pytest
from judged import write_collection
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.cli.main import main
from briefbank.index import manifest
from briefbank.index.generation import Generation
from briefbank.index.manifest import Form, read_info
from briefbank.index.publish import live_generation
from briefbank.office.packs import signing_keys
from briefbank.platform.layout import Layout
from briefbank.search.checklists.checklist import read_checklist
from briefbank.search.profiles.profile import Profile, Sample
from briefbank.values.bands import arranged
from briefbank.values.records import DocumentKind, Filters, Query, SearchResult, SortOrder

QUESTIONS = (
    "may the police search after consent at a prolonged stop",
    "excited utterance of an absent caller",
    "aggravating factor without evidence after 2015",
    "2C:5-2",
    "State v. Henderson",
    "photographic /s array but not sentenc!",
    "blind admnistration of the lineup",
)


Feature = Callable[[Bank, Path], object]
"""Asks something of a bank, with a folder for its own files."""


def form_of(bank: Path) -> Form:
    return read_info(live_generation(Layout(bank))).form


def answers(bank: Path) -> list[object]:
    """What defenders see of some questions, without scores."""
    asked = Bank.open(bank)
    shown = [of(asked.search(Query(text, top_k=8))) for text in QUESTIONS]
    return [shown, asked.authorities(), asked.arguments("the stop"), asked.card("State v. Henderson")]


def index_large(bank: Path, library: Path) -> None:
    """Write the bank's index anew from its cache, in the form that large ones have."""
    (bank / "current").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest, "LARGE_FROM_PASSAGES", 1)
        assert main(["index", str(library), "--bank", str(bank), "--quiet"]) == 12
    assert form_of(bank) is Form.LARGE


@pytest.fixture(scope="module")
def forms(library_bank: Path, library: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[Form, Path]:
    """The library's bank in both forms, never written to."""
    large = Path(shutil.copytree(library_bank, tmp_path_factory.mktemp("forms") / "bank"))
    index_large(large, library)
    return {Form.SMALL: library_bank, Form.LARGE: large}


@pytest.fixture
def large(forms: dict[Form, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library's bank in the large form, in which it is written again."""
    monkeypatch.setattr(manifest, "LARGE_FROM_PASSAGES", 1)
    return Path(shutil.copytree(forms[Form.LARGE], tmp_path / "large"))


def test_the_form_follows_the_number_of_passages_and_answers_stay_the_same(
    forms: dict[Form, Path], large: Path, library: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    assert answers(large) == answers(forms[Form.SMALL])
    folder = Path(shutil.copytree(library, tmp_path / "fewer"))
    (folder / "hale.docx").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest, "LARGE_FROM_PASSAGES", 2_000_000)
        briefbank("index", folder, "--bank", large, "--quiet")
    assert form_of(large) is Form.SMALL


def of(result: SearchResult) -> object:
    """What people see of results; scores differ by what half the precision rounds off."""
    shown = arranged(result.hits, result.query.sort)
    hits = [(each.passage, each.matches, each.siblings, each.warnings, each.band) for each in shown]
    return hits, result.corrections, result.notices


def searches(*texts: str, **asked: Any) -> Feature:
    return lambda bank, _: [of(bank.search(replace(Query(each), **asked))) for each in texts]


def a_draft(bank: Bank, folder: Path) -> object:
    text = office.brief("Nell Brand", "A-9-25", "May 4, 2025", ("THE STOP.", office.STOP), ("HEARSAY.", office.HEARSAY))
    return replace(bank.check_draft(office.write_text(folder / "draft.txt", text)), lists=(), generation="")


def a_checklist(bank: Bank, folder: Path) -> object:
    """One with a question and one with keywords alone, for all documents and for a file in no bank."""
    asked = 'name = "Consent"\nquestion = "Was consent valid?"'
    kept = """name = "Restitution"\nkeywords = '["restitution loss"~5^5]'"""
    checklist = read_checklist(f'name = "Roadside"\n[[item]]\n{asked}\n[[item]]\n{kept}\n'.encode(), "roadside.toml")
    files = bank.open_files([office.write_text(folder / "loose.txt", office.memo("Stops", office.CONSENT))])
    reports = bank.run_checklist(checklist), bank.run_checklist(checklist, files)
    return [
        (document.document, [(answer.item, answer.extracts) for answer in document.answers])
        for report in reports
        for document in report.documents
    ]


def a_profile(bank: Bank, _: Path) -> object:
    """By a question, samples, their keywords and a filter."""
    samples = tuple(Sample(each.passage.text) for each in bank.search(Query("the prolonged stop", top_k=3)).hits)
    profile = Profile("Stops", "was the stop too long", samples, filters=Filters(since=date(2004, 1, 1)))
    mined = bank.with_mined_keywords(profile)
    return mined, of(bank.search_by_profile(bank.prepared_profile(mined), Query("", top_k=8)))


FEATURES: dict[str, Feature] = {
    "addressed": lambda bank, _: bank.addressed(Query("has State v. Carty been addressed since 2004")),
    "alerts": lambda bank, _: (bank.alerts(), bank.directive_sentences()),
    "arguments": lambda bank, _: (bank.arguments("the stop"), bank.arguments()),
    "cards": lambda bank, _: [bank.card(each) for each in ("State v. Carty", "170 N.J. 632", "N.J.R.E. 803(c)(2)")],
    "checklists": a_checklist,
    "connectors": searches(
        "consent /s search", "photographic /s array but not sentenc!", '"excited utterance" % lineup', "wom*n or m*n"
    ),
    "documents": lambda bank, _: (bank.documents(), bank.facets(), bank.unreadable()),
    "drafts": a_draft,
    "filters": searches("the stop", "consent", filters=Filters(since=date(2010, 1, 1), kinds=(DocumentKind.BRIEF,))),
    "hidden and weak": searches("the stop", include_hidden=True, include_weak=True),
    "in document": lambda bank, _: [bank.find_words(each.id, "stop") for each in bank.documents()],
    "orders": searches("consent", sort=SortOrder.RELEVANCE),
    "profiles": a_profile,
    "spelling": searches("blind admnistration of the lineup", "exited uterance", "consnet"),
}


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_answers_in_a_large_bank_as_in_a_small_one(
    forms: dict[Form, Path], tmp_path: Path, feature: str
) -> None:
    ask = FEATURES[feature]
    with Bank.open(forms[Form.SMALL]) as small, Bank.open(forms[Form.LARGE]) as large:
        answer = ask(small, tmp_path)
        assert answer
        assert ask(large, tmp_path) == answer


def test_a_large_bank_is_packed_again_and_again(
    large: Path, library: Path, tmp_path: Path, briefbank: Briefbank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    signing_keys.make_key("Office of the Example")
    bank, laptop = Bank.open(large), tmp_path / "laptop"
    bank.pack(tmp_path / "whole.bbpack")
    Bank.install(laptop, tmp_path / "whole.bbpack")
    assert answers(laptop) == answers(large)
    folder = Path(shutil.copytree(library, tmp_path / "library"))
    office.write_text(folder / "new.txt", office.memo("Kites", office.LINEUP))
    briefbank("index", folder, "--bank", large, "--quiet")
    bank.pack(tmp_path / "next.bbpack")
    Bank.install(laptop, tmp_path / "next.bbpack")
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


def test_a_large_bank_learns_and_its_next_index_run_keeps_what_it_learned(
    large: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    judged = write_collection(tmp_path / "judged")
    before = answers(large)
    told = briefbank("learn", "--bank", large, "--judgements", judged, "--quiet")
    assert (told.code, "Adopted" in told.out, form_of(large)) == (0, True, Form.LARGE)
    assert (answers(large), Bank.open(large).check()) == (before, [])
    learned = read_info(live_generation(Layout(large)))
    folder = tmp_path / "more"
    office.write_text(folder / "new.txt", office.memo("Kites", office.LINEUP))
    briefbank("index", folder, "--bank", large, "--quiet")
    assert read_info(live_generation(Layout(large))).source_digest != learned.source_digest
    assert Generation.open(live_generation(Layout(large))).learned
    assert briefbank("rollback", "--bank", large).code == 0
    assert answers(large) == before


def test_an_evaluation_in_the_large_form_has_the_figures_of_the_small_one(
    tmp_path: Path, briefbank: Briefbank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for ties, which half the precision may decide otherwise."""
    judged, figures = write_collection(tmp_path / "judged"), []
    settings = office.write_bank(tmp_path / "bank") / "bank.toml"
    for large_from in (2_000_000, 1):
        monkeypatch.setattr(manifest, "LARGE_FROM_PASSAGES", large_from)
        told = briefbank("evaluate", judged, "--settings", settings, "--json")
        assert told.code == 0, told.err
        figures.append(told.json["metrics"])
    assert figures[1] == pytest.approx(figures[0], abs=0.01)
