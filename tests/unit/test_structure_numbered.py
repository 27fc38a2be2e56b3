"""Numbered sections of contracts, orders and statutes, whose titles run into the text, on pages made up here."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up_pages import BODY, END, FULL, HEAD, L, structured

from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings
from briefbank.values.records import SectionKind, StructuredDocument

TERMS = "The towing company shall keep a truck ready at all hours and bring every stopped car to the yard in Marlow."
LEASE = f"""EXHIBIT 10.2

TOWING AGREEMENT

This agreement is made by the Borough of Marlow and Roxbury Towing.

ARTICLE I. SERVICES 1.1 Scope. {TERMS} 1.2 Hours and Response. {TERMS} As Section 2.1 says, no fee is due.

ARTICLE II. FEES 2.1 Schedule of Fees. {TERMS}

2.2 Late Payment. {TERMS}

ARTICLE III. TERM

3.1 Termination {TERMS}
"""


def read(folder: Path, text: str) -> StructuredDocument:
    path = folder / "text.txt"
    path.write_text(text, encoding="utf-8")
    return structure(read_file(path, Settings()))


def paths(result: StructuredDocument) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(section.path for section in result.sections))


def test_sections_are_found_where_their_titles_run_into_the_text(tmp_path: Path) -> None:
    result = read(tmp_path, LEASE)
    assert paths(result)[-5:] == [
        ("ARTICLE I. SERVICES", "1.1 Scope."),
        ("ARTICLE I. SERVICES", "1.2 Hours and Response."),
        ("ARTICLE II. FEES", "2.1 Schedule of Fees."),
        ("ARTICLE II. FEES", "2.2 Late Payment."),
        ("ARTICLE III. TERM", "3.1 Termination"),
    ]
    (hours,) = [each for each in result.sections if each.path[-1].startswith("1.2")]
    assert (
        result.text[slice(*hours.span)].strip()
        == f"1.2 Hours and Response. {TERMS} As Section 2.1 says, no fee is due."
    )


def test_an_exhibit_that_is_a_whole_contract_is_no_appendix(tmp_path: Path) -> None:
    assert {each.kind for each in read(tmp_path, LEASE).sections} <= {SectionKind.BODY, SectionKind.CAPTION}


def test_sections_of_a_statute_need_no_title(tmp_path: Path) -> None:
    text = "\n\n".join(
        f"§ {number}. The clerk shall keep a book of every motion that is filed." for number in (1, 2, 3)
    )
    assert paths(read(tmp_path, text)) == [("§ 1.",), ("§ 2.",), ("§ 3.",)]


@pytest.mark.parametrize(
    "text",
    [
        "\n\n".join(f"{number}. the {word} was towed." for number, word in ((1, "car"), (2, "van"), (3, "bus"))),
        "Ask first. See Section 1. The stop, Section 2. The search, and Section 3. The seizure, which are all gone.",
    ],
)
def test_lists_and_references_are_no_sections(tmp_path: Path, text: str) -> None:
    assert paths(read(tmp_path, text)) == [()]


def test_entries_of_a_table_of_contents_are_no_sections(tmp_path: Path) -> None:
    contents = "1. Services 2\n\n2. Fees 4\n\n3. Term 9\n\n"
    sections = "\n\n".join(f"{n}. {title}. {TERMS}" for n, title in ((1, "Services"), (2, "Fees"), (3, "Term")))
    assert paths(read(tmp_path, contents + sections))[-3:] == [("1. Services.",), ("2. Fees.",), ("3. Term.",)]


def test_numbered_paragraphs_of_a_brief_open_no_sections() -> None:
    numbered = [L(f"{number}. {word}. {FULL[:70]}", gap=44.0) for number, word in ((1, "Stop"), (2, "Car"), (3, "Key"))]
    result = structured([HEAD, *BODY, *numbered, END])
    assert paths(result) == [("ARGUMENT",)]
