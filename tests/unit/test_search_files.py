"""Searching files that are in no bank: found as in it, and nothing of them kept."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import office
import pytest
from program import Briefbank

QUESTION = "was consent to search the car valid after a prolonged stop"


def search(briefbank: Briefbank, bank: Path, *arguments: object) -> dict[str, Any]:
    result = briefbank("search", *arguments, "--bank", bank, "--json")
    assert result.code == 0, result.err
    found: dict[str, Any] = result.json
    return found


def places(found: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (hit["text"], hit["page_first"], hit["section_path"], hit["why"], hit["warnings"], hit["matches"])
        for hit in found["hits"]
    ]


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    """A brief in no bank."""
    (tmp_path / "desk").mkdir()
    points = ("THE STOP WAS PROLONGED.", office.STOP), ("THE CONSENT WAS TAINTED.", office.CONSENT)
    return office.write_docx(
        tmp_path / "desk" / "loose.docx", office.brief("Vera Lindqvist", "A-0100-25", "May 3, 2025", *points)
    )


@pytest.mark.parametrize(
    "asked",
    [
        (QUESTION,),
        ('"prolonged" /s stop', "--sort", "relevance"),
        ("State v. Carty, 170 N.J. 632",),
        ("the fog line", "--section-kind", "facts", "--include-weak"),
    ],
)
def test_a_file_is_found_in_as_the_same_brief_in_the_bank(
    briefbank: Briefbank, library: Path, library_bank: Path, asked: tuple[str, ...]
) -> None:
    file = library / "quince.pdf"
    indexed = search(briefbank, library_bank, *asked, "--document", digest(file)[:16])
    loose = search(briefbank, library_bank, *asked, "--document", file)
    assert places(loose) == places(indexed)
    assert loose["hits"]


def test_nothing_of_a_file_is_kept_and_it_has_no_ids(briefbank: Briefbank, own_bank: Path, loose: Path) -> None:
    before = digests(own_bank.parent)
    found = search(briefbank, own_bank, QUESTION, "--document", loose)
    printed = briefbank("search", QUESTION, "--document", loose, "--bank", own_bank)
    assert found["hits"]
    assert {(hit["passage_id"], hit["document_id"]) for hit in found["hits"]} == {(None, None)}
    assert "State v. Vera Lindqvist" in printed.out
    assert digest(loose)[:16] not in printed.out
    assert digests(own_bank.parent) == before


def test_filters_hold_for_files_too(briefbank: Briefbank, library_bank: Path, loose: Path) -> None:
    def count(*filters: str) -> int:
        return len(search(briefbank, library_bank, QUESTION, "--document", loose, *filters)["hits"])

    assert count("--since", "2025", "--docket", "A-0100-25")
    assert not count("--until", "2024")
    told = briefbank("search", QUESTION, "--document", loose, "--bank", library_bank, "--author", "teague")
    assert "--author teague is taken as: Marisol Teague" in told.err


def test_a_word_that_the_bank_holds_is_not_misspelt_though_the_file_lacks_it(
    briefbank: Briefbank, library_bank: Path, loose: Path
) -> None:
    assert search(briefbank, library_bank, "Fuentes", "--document", loose, "--include-weak")["corrections"] == []
    (corrected,) = search(briefbank, library_bank, "prolonged detntion", "--document", loose)["corrections"]
    assert corrected["corrected"] == "detention"


def test_several_files_are_searched_together(briefbank: Briefbank, library_bank: Path, loose: Path) -> None:
    other = office.write_text(loose.parent / "other.txt", office.memo("Arrays", office.LINEUP))
    found = search(
        briefbank, library_bank, "photographic array, consent", "--document", loose, "--document", other,
        "--document", other, "--include-weak",
    )  # fmt: skip
    assert {Path(hit["source_path"]).name for hit in found["hits"]} == {"loose.docx", "other.txt"}


def test_an_alert_holds_for_a_file_too(briefbank: Briefbank, own_bank: Path, loose: Path) -> None:
    alerts = loose.parent / "careful.csv"
    alerts.write_text("authority,says\n170 N.J. 632,see the memo\n", encoding="utf-8")
    assert briefbank("alerts", "--set", alerts, "--bank", own_bank).code == 0
    found = search(briefbank, own_bank, QUESTION, "--document", loose)
    assert any("see the memo" in line for hit in found["hits"] for line in hit["cautions"])


@pytest.mark.parametrize(
    ("named", "code", "told"),
    [
        ("nothing.pdf", 8, "There is no file"),
        ("scan.pdf", 8, "has no page with text"),
        ("loose.docx --like p-0001", 2, "not of both"),
        ("loose.docx --document 0123456789abcdef", 2, "not of both"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    briefbank: Briefbank, library_bank: Path, loose: Path, named: str, code: int, told: str
) -> None:
    office.write_scan(loose.parent / "scan.pdf", office.STOP)
    name, *more = named.split()
    refused = briefbank("search", QUESTION, "--document", loose.parent / name, *more, "--bank", library_bank)
    assert refused.code == code
    assert told in refused.err


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def digests(folder: Path) -> dict[str, str]:
    return {str(each): digest(each) for each in folder.rglob("*") if each.is_file()}
