"""Searching to the letter, from the bank's door: terms and connectors, and citations in every form."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.cli.main import main
from briefbank.values.records import DocumentKind, Filters, Query, SearchResult, SectionKind, SortOrder

SHORT_FORMS = """The State relies on State v. Carty, 170 N.J. 632, 635 (2002), for the rule that consent needs a
suspicion.

That reliance is misplaced, because the rule of the case looks to what the officer knew before asking. Id. at 647. It
was never meant to excuse a stop that should have been over.

Nor does the later decision help. In Carty, supra, the driver was free to go, and this one was not. The trooper kept his
papers for half an hour.

Consent was first examined in other settings. State v. King, 44 N.J. 346 (1965); Carty, 170 N.J. at 640; State v.
Johnson, 68 N.J. 349 (1975)."""


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    folder = tmp_path_factory.mktemp("exact") / "briefs"
    office.write_library(folder)
    first, second, later, others = SHORT_FORMS.split("\n\n")  # three points, a passage each
    points = (
        ("CONSENT WAS NOT GIVEN.", f"{first}\n\n{second}"),
        ("A LATER DECISION.", later),
        ("OTHER SETTINGS.", others),
    )
    office.write_text(folder / "marsh.txt", office.brief("Tobin Marsh", "A-0102-22", "June 1, 2023", *points))
    root = office.write_bank(folder.parent / "bank")
    assert main(["index", str(folder), "--bank", str(root), "--quiet"]) == 12
    return Bank.open(root)


def search(bank: Bank, text: str, **more: object) -> SearchResult:
    return bank.search(Query(text, top_k=50, sort=SortOrder.RELEVANCE, **more))  # type: ignore[arg-type]


def marked(result: SearchResult) -> set[str]:
    return {hit.passage.text[start:end].lower() for hit in result.hits for start, end in hit.matches}


@pytest.mark.parametrize("asked", ["State v. Carty", "state of new jersey vs carty", "170 N. J. 632"])
def test_a_case_is_found_in_all_its_forms(bank: Bank, asked: str) -> None:
    result = search(bank, asked)
    ways = {hit.why.partition(": ")[2] for hit in result.hits if "Marsh" in hit.document.metadata.title.value}
    assert {"in full", "id.", "supra", "in short form"} <= {way for each in ways for way in each.split(", ")}
    assert all("Carty" in hit.passage.text or "Id." in hit.passage.text for hit in result.hits)
    assert result.has_exact
    assert "cite" in result.explanation


@pytest.mark.parametrize(
    ("asked", "cited"),
    [
        ("2C:11-3", "2C:11-3(a)(1)"),
        ("803(c)(2)", "N.J.R.E. 803(c)(2)"),
        ("briefs citing State v. Branch", "State v. Branch"),
    ],
)
def test_a_rule_is_found_by_any_of_its_spellings(bank: Bank, asked: str, cited: str) -> None:
    result = search(bank, asked)
    assert result.hits
    assert all(cited in hit.passage.text for hit in result.hits)


def test_filters_hold_for_citations_and_connectors(bank: Bank) -> None:
    only = Filters(kinds=(DocumentKind.DIRECTIVE,))
    for text in ("State v. Carty", "consent /s search"):
        result = search(bank, text, filters=only)
        assert {hit.document.metadata.kind.value for hit in result.hits} == {"directive"}


def test_a_citation_in_a_question_lifts_what_cites_it(bank: Bank) -> None:
    citing = {hit.passage.id for hit in search(bank, "State v. Carty").hits}
    hits = search(bank, "what does State v. Carty say about the papers of a driver").hits
    assert citing <= {hit.passage.id for hit in hits}
    assert {hit.passage.id for hit in hits[:3]} <= citing


def test_connectors_find_what_meets_them_and_nothing_else(bank: Bank) -> None:
    result = search(bank, "consent! /s (search or warrant)")
    assert result.hits
    assert {"consent", "search"} <= marked(result) <= {"consent", "search", "searches", "warrant"}
    assert all("consent" in hit.passage.text.lower() and hit.why.startswith("meets") for hit in result.hits)
    everything = search(bank, "kind(brief) or kind(internal) or kind(directive)").hits
    left_out = {hit.passage.text for hit in everything} - {hit.passage.text for hit in result.hits}
    assert not any("consent to search a" in text for text in left_out)
    assert result.explanation.startswith("Looks for words that begin with “consent”")
    assert result.found == len(result.hits)


def test_fields_narrow_an_expression(bank: Bank) -> None:
    assert {hit.document.filed for hit in search(bank, "consent & date(after 2019 & before 2022)").hits} == {
        date(2021, 11, 30)
    }
    assert {hit.document.metadata.kind.value for hit in search(bank, "consent & kind(directive)").hits} == {"directive"}
    found = search(bank, "driver & cites(State v. Carty)").hits
    assert found
    assert {hit.passage.id for hit in found} < {hit.passage.id for hit in search(bank, "State v. Carty").hits}
    titles = {hit.document.metadata.title.value for hit in search(bank, "title(arrays) & kind(internal)").hits}
    assert titles == {"Photographic arrays"}


def test_author_outcome_docket_and_section_narrow_an_expression(bank: Bank) -> None:
    by_author = search(bank, "author(Teague) & consent").hits
    assert by_author
    assert {hit.document.metadata.author.value for hit in by_author if hit.document.metadata.author} == {
        "Marisol Teague"
    }
    assert {hit.document.metadata.docket.value for hit in search(bank, "docket(A-0102-22)").hits} == {"A-0102-22"}
    assert {hit.passage.section_kind for hit in search(bank, "driver & section(facts)").hits} == {SectionKind.FACTS}
    assert {hit.passage.section_kind for hit in search(bank, "section(caption)").hits} == {SectionKind.CAPTION}
    assert not search(bank, "outcome(reversed) % outcome(reversed)").hits


def test_what_cites_an_authority_is_ranked_by_how_much_it_says_and_marked(bank: Bank) -> None:
    hits = search(bank, "cites(State v. Carty)").hits
    by_name = search(bank, "State v. Carty").hits
    assert [hit.passage.id for hit in hits] == [hit.passage.id for hit in by_name]
    assert all(hit.score > 0 for hit in hits)
    assert len({hit.score for hit in hits}) > 1
    assert all("cites it" in hit.why and hit.matches for hit in hits)
    assert {"in johnson" not in hit.passage.text.lower() for hit in hits[:1]} == {True}


def test_a_list_of_keywords_finds_any_of_them_and_its_weights_decide_the_order(bank: Bank) -> None:
    listed = search(bank, "[“excited utterances”~2^9, “consent unequivocal”~5, “never in any brief”~3]")
    assert {hit.passage.id for hit in listed.hits} == {
        hit.passage.id
        for text in ('"excited utterances"~2', '"consent unequivocal"~5')
        for hit in search(bank, text).hits
    }
    assert "excited" in listed.hits[0].passage.text
    turned = search(bank, "[“excited utterances”~2, “consent unequivocal”~5^9]")
    assert "unequivocal" in turned.hits[0].passage.text


@pytest.mark.parametrize("asked", ["is State v. Carty still good law?", "Has State v. Carty been addressed since 1990"])
def test_a_question_whether_a_case_still_holds_is_answered_by_what_cites_it(bank: Bank, asked: str) -> None:
    assert {hit.passage.id for hit in search(bank, asked).hits} <= {
        hit.passage.id for hit in search(bank, "State v. Carty").hits
    }
    assert "cite State v. Carty" in search(bank, asked).explanation


def test_the_command_line_tells_how_it_read_an_expression(library_bank: Path, briefbank: Briefbank) -> None:
    told = briefbank("search", "consent /s search", "--bank", library_bank)
    assert told.code == 0
    assert "“consent” and “search” within one sentence, in any order" in told.out
    wrong = briefbank("search", "(consent /s search", "--bank", library_bank)
    assert wrong.code == 2
    assert "  ^\n" in wrong.err


OFFICE_PATTERN = """
[[pattern]]
title = "Attorney General directives"
family = "ag directive"
regex = "AG Directive (?P<number>[0-9]{4}-[0-9]+)"
examples = ["AG Directive 2021-5"]
"""


def test_an_office_s_own_citations_are_found_once_the_folder_is_indexed_again(
    folder: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    text = "The array broke AG Directive 2021-5, and nobody said why."
    office.write_text(folder / "memo.txt", office.memo("Arrays", text, dated="June 8, 2015"))
    bank = office.write_bank(tmp_path / "bank")
    assert briefbank("index", folder, "--bank", bank).code == 0
    assert not briefbank("search", "AG Directive 2021-5", "--bank", bank, "--json").json["explanation"]
    patterns = bank / "citations.toml"
    patterns.write_text(OFFICE_PATTERN.replace("[0-9]+)", "[0-9]+"), encoding="utf-8")
    assert briefbank("index", folder, "--bank", bank).code == 3
    patterns.write_text(OFFICE_PATTERN, encoding="utf-8")
    assert briefbank("index", folder, "--bank", bank).code == 0
    found = briefbank("search", "AG Directive 2021-5", "--bank", bank, "--json").json
    assert [text in hit["text"] for hit in found["hits"]] == [True]
    assert "cite" in found["explanation"]


def test_a_newer_near_copy_that_lacks_the_word_does_not_stand_for_the_one_that_has_it(
    tmp_path: Path, briefbank: Briefbank
) -> None:
    older = office.brief("Nils Arbor", "A-0001-10", "May 3, 2010", ("THE STOP.", office.STOP))
    newer = office.brief("Nils Arbor", "A-0002-20", "May 3, 2020", ("THE STOP.", office.STOP))
    folder = tmp_path / "briefs"
    office.write_text(folder / "older.txt", older.replace("thirty-one minutes", "thirty-one endless minutes"))
    office.write_text(folder / "newer.txt", newer)
    bank = office.write_bank(tmp_path / "bank")
    assert briefbank("index", folder, "--bank", bank).code == 0
    found = briefbank("search", '"endless minutes"', "--bank", bank, "--json").json
    assert ["endless" in hit["text"] for hit in found["hits"]] == [True]
    assert len(briefbank("search", "thirty /s minutes", "--bank", bank, "--json").json["hits"]) == 1


# --- what no reader knows for a citation, and dockets with zeros -----------------------------------------------------

ODD_FORMS = """The count rests on Tex. Penal Code § 31.07, and on nothing else that the State has named.

The clerk's form has the count as PC-31.07/F2, under a stamp of the county, and nobody had corrected the form by then.

The bond was set at thirty-one dollars and seven cents, which is no statute of any kind."""


@pytest.fixture(scope="module")
def odd_bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    folder = tmp_path_factory.mktemp("odd") / "briefs"
    names = ("FIRST.", "SECOND.", "THIRD.")
    points = zip(names, ODD_FORMS.split("\n\n"), strict=True)
    office.write_text(folder / "quill.txt", office.brief("Ansel Quill", "A-0417-22", "June 1, 2023", *points))
    root = office.write_bank(folder.parent / "bank")
    assert main(["index", str(folder), "--bank", str(root), "--quiet"]) == 0
    return Bank.open(root)


def test_a_passage_that_holds_the_number_in_no_known_form_is_found_last_and_said_so(odd_bank: Bank) -> None:
    result = search(odd_bank, "Tex. Penal Code § 31.07")
    assert [hit.why.partition(" ")[0] for hit in result.hits] == ["cites", "holds"]
    assert "1 more holds “31.07”; they stand last." in result.explanation
    assert "31.07" in marked(result)


def test_what_too_many_hold_to_be_looked_through_is_told(odd_bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("briefbank.search.asked_authority.MOST_HOLDING", 0)
    assert (
        "Too many have these words to look through all of them: 2 were not."
        in search(odd_bank, "Tex. Penal Code § 31.07").explanation
    )


def test_a_number_that_nobody_holds_is_said_to_be_held_by_none(odd_bank: Bank) -> None:
    assert "hold" not in search(odd_bank, "Tex. Penal Code § 31.08").explanation


@pytest.mark.parametrize("asked", ["A-417-22", "A-000417-22", "A–0417–22", "a-417-22t2"])
def test_a_briefs_own_docket_is_found_with_any_zeros(odd_bank: Bank, asked: str) -> None:
    assert {hit.document.metadata.dockets for hit in search(odd_bank, f"count docket {asked}").hits} == {("A-0417-22",)}
    if "t2" not in asked:
        assert search(odd_bank, f"docket({asked})").hits
