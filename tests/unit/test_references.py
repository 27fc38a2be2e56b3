"""The outline of a brief, and where what refers to another place of it leads: points, notes, pages, defined terms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import office
import pytest
import references_brief
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.pages.references.resolve import references_in
from briefbank.values.page_numbers import NumberStyle, PageRun
from briefbank.values.pages import PageLink, ReferenceKind
from briefbank.values.records import Document, Passage, SectionKind, Span


@pytest.fixture(scope="module")
def bank_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return references_brief.write_bank(tmp_path_factory.mktemp("references"))


@pytest.fixture
def outline(bank_folder: Path, briefbank: Briefbank) -> Any:
    """What `briefbank outline --json` tells of the brief."""
    (document,) = briefbank("documents", "--bank", bank_folder, "--json").json["documents"]
    return briefbank("outline", document["document_id"], "--bank", bank_folder, "--json").json


def leads(outline: Any) -> dict[str, tuple[str | None, str]]:
    """By the words that refer, the printed page that they lead to and what is found there."""
    found = [(each["text"], each["leads_to"]) for each in outline["references"]]
    return {text: (to["page_label"], to["title"]) for text, to in found if to}


def test_the_outline_lists_headings_with_the_pages_printed_on_them(outline: Any) -> None:
    rows = [(each["level"], each["heading"], each["page_label"]) for each in outline["headings"]]
    assert (1, "LEGAL ARGUMENT", "2") in rows
    assert (2, "POINT I THE STOP WAS UNLAWFULLY PROLONGED.", "2") in rows
    assert (3, "B. The form was not read to him.", "4") in rows
    assert [page for _, _, page in rows if page] == ["1", "2", "2", "3", "3", "4", "5"]


def test_references_to_points_lead_to_their_headings(outline: Any) -> None:
    found = leads(outline)
    assert found["Point II.B"] == ("4", "B. The form was not read to him.")
    assert found["Point I"] == ("2", "POINT I THE STOP WAS UNLAWFULLY PROLONGED.")


def test_both_ends_of_a_range_lead_and_a_part_without_a_heading_leads_to_what_it_is_in(outline: Any) -> None:
    found = leads(outline)
    assert (found["sections A"][1], found["B"][1]) == ("A. He had no free choice.", "B. The form was not read to him.")
    assert found["Point II.A.3"][1] == "A. He had no free choice."


def test_references_to_notes_and_pages_lead_there(outline: Any) -> None:
    found = leads(outline)
    assert found["note 2"] == ("3", "2 See Point I.A and the second issue of the petition for certification.")
    assert (found["pages 4"][0], found["5"][0], found["2"][0]) == ("4", "5", "2")


def test_a_defined_term_leads_from_other_pages_to_its_definition(outline: Any) -> None:
    found = leads(outline)
    assert found["Roxbury"][0] == found["Stop Report"][0] == found["Yard"][0] == "1"
    assert "Motor Vehicle Stop Report" in found["Stop Report"][1]


def test_what_names_a_place_of_something_else_leads_nowhere(outline: Any) -> None:
    texts = " | ".join(each["text"] for each in outline["references"])
    for foreign in ("n.4", "640", "Section 2", "second issue", "Yes", "grounds2", "point I", "Da 12", "Point two"):
        assert foreign not in texts
    assert [each["text"] for each in outline["references"]].count("Point I") == 1, "not that of the State's brief"


def test_a_reference_to_a_point_or_page_that_is_not_there_is_told(outline: Any) -> None:
    assert [each["text"] for each in outline["references"] if not each["leads_to"]] == ["Point IV", "p. 40"]


def test_the_printed_outline_names_what_a_reference_leads_to(bank_folder: Path, briefbank: Briefbank) -> None:
    (document,) = briefbank("documents", "--bank", bank_folder, "--json").json["documents"]
    printed = briefbank("outline", document["document_id"], "--references", "--bank", bank_folder).out
    assert "    POINT II THE CONSENT WAS TAINTED.  p. 3 (sheet 4)" in printed
    assert "p. 2 (sheet 3): “Point II.B” → p. 4 (sheet 5) · B. The form was not read to him." in printed
    assert "“Point IV” → nothing in this brief" in printed


def test_the_outline_of_a_document_that_is_not_there_is_refused(bank_folder: Path, briefbank: Briefbank) -> None:
    assert briefbank("outline", "0" * 16, "--bank", bank_folder).code == 2


def references_on(bank: Bank, document: Document, number: int) -> list[PageLink]:
    return [each for each in bank.page_text(document.id, number).links if each.reference]


def test_references_on_a_page_have_their_place_there_and_where_they_lead(bank_folder: Path) -> None:
    with Bank.open(bank_folder) as bank:
        (document,) = bank.documents()
        links = references_on(bank, document, 3)
        point = next(each for each in links if each.title.startswith("B. The form"))
        assert (point.page, point.reference) == (5, ReferenceKind.POINT)
        words = [each for each in bank.page_text(document.id, 3).words if each.text.startswith(("Point", "II.B"))]
        assert (point.box.y0, point.box.x1) == pytest.approx((words[0].box.y0, words[1].box.x1), abs=1)
        heading = next(each for each in bank.page_text(document.id, 5).words if each.text == "form")
        assert point.down_pt == pytest.approx(heading.box.y0, abs=3)
        note = next(each for each in links if each.reference is ReferenceKind.NOTE)
        assert note.page == 4
        assert note.down_pt > 600, "footnotes stand at the foot of the page"


def test_references_are_found_where_the_file_is_gone(bank_folder: Path, tmp_path: Path) -> None:
    source = bank_folder.parent / "files" / "quince.pdf"
    kept = source.rename(tmp_path / "quince.pdf")
    try:
        with Bank.open(bank_folder) as bank:
            (document,) = bank.documents()
            assert any(each.title.startswith("B. The form") for each in references_on(bank, document, 3))
    finally:
        kept.rename(source)


TOWING = "The company keeps a truck ready at all hours, and brings every stopped car to its yard. "
CONTRACT = f"""TOWING AGREEMENT

1. Services. {TOWING * 12} It is paid under Section 2.1, not under Section 1.2 of the Yard Lease.

1.2 Keys. {TOWING * 12} The State Police Storage Yard (the "Yard") is locked.

2. Fees. {TOWING * 12}

2.1 Tariff. {TOWING * 12} Cars in the Yard cost a fee as this Section 2.1(b) and Section 1 above say.

3. Term. {TOWING}
"""


def test_sections_and_terms_of_a_contract_without_pages_are_referred_to(tmp_path: Path, briefbank: Briefbank) -> None:
    office.write_text(tmp_path / "files" / "towing.txt", CONTRACT)
    root = office.write_bank(tmp_path / "bank")
    assert briefbank("index", tmp_path / "files", "--bank", root, "--quiet").code == 0
    (document,) = briefbank("documents", "--bank", root, "--json").json["documents"]
    found = briefbank("outline", document["document_id"], "--bank", root, "--json").json
    titles = [each["heading"] for each in found["headings"]]
    assert titles[-5:] == ["1. Services.", "1.2 Keys.", "2. Fees.", "2.1 Tariff.", "3. Term."]
    assert [(each["text"], each["leads_to"]["title"]) for each in found["references"]] == [
        ("Section 2.1", "2.1 Tariff."),
        ("Yard", 'The State Police Storage Yard (the "Yard")'),
        ("Section 2.1(b)", "2.1 Tariff."),
        ("Section 1", "1. Services."),
    ]


@pytest.mark.parametrize(
    ("runs", "dead"),
    [
        ((PageRun(1, 6, 1),), ["page 9"]),
        ((PageRun(1, 3, 1),), ["page 9"]),
        ((PageRun(1, 2, 1, style=NumberStyle.ROMAN),), []),
        ((PageRun(1, 2, 1, style=NumberStyle.ROMAN), PageRun(3, 6, 1)), ["page 5", "page 9"]),
        ((), []),
    ],
)
def test_a_page_is_lacking_only_where_none_whose_number_was_not_read_can_be_it(
    runs: tuple[PageRun, ...], dead: list[str]
) -> None:
    text = "It was void, as page 5, supra, shows. It was not mended, as page 9, infra, shows."
    brief = Passage(
        "p", "d", 0, Span(0, len(text)), text, SectionKind.ARGUMENT, ("ARGUMENT",), page_first=1, page_last=6
    )
    assert [each.text for each in references_in([brief], runs) if each.is_dead] == dead


@pytest.mark.parametrize(
    ("said", "leads"),
    [
        ("The State argues in Point II that he signed it.", False),
        ("In Point II, the State contends that he signed it.", False),
        ("The State replies in its Point II that he signed it.", False),
        ("Point II of its brief says that he signed it.", False),
        ("The State argues, as shown in Point II, that he signed it.", True),
        ("The State argues in Point II, infra, that he signed it.", True),
        ("The State argues that it was signed. In Point II we show why it was not.", True),
    ],
)
def test_a_point_of_the_other_sides_brief_is_none_of_this_one(said: str, leads: bool) -> None:
    points = "POINT I THE STOP WAS UNLAWFUL.", "POINT II THE CONSENT WAS TAINTED."
    texts = [f"{points[0]}\n\n{said}", f"{points[1]}\n\nHe had no free choice."]
    starts = 0, len(texts[0]) + 2
    brief = [
        Passage(str(at), "d", at, Span(start, start + len(text)), text, SectionKind.ARGUMENT, (point,), 1, 1)
        for at, (text, point, start) in enumerate(zip(texts, points, starts, strict=True))
    ]
    assert [each.title for each in references_in(brief, ())] == ([points[1]] if leads else [])


AGREED = "The company keeps a truck at hand and tells the office each day where it stands. " * 32


def led(text: str, kind: SectionKind = SectionKind.BODY) -> list[tuple[str, str]]:
    """What the references of a text of one passage are, and the words that each leads to."""
    passage = Passage("p", "d", 0, Span(0, len(text)), text, kind, (), 1, 1)
    return [(each.text, each.title[:28]) for each in references_in([passage], ())]


def agreement(*clauses: str) -> str:
    """A contract of five numbered clauses without titles, with others below them."""
    own = [f"{number} It is agreed that the company does its part. {AGREED}" for number in ("1.", "2.", "3.", "4.")]
    return "\n\n".join(["TOWING AGREEMENT", *own, "4.1 The yard is locked.", "5. It ends with the year.", *clauses])


@pytest.mark.parametrize(
    "defined",
    [
        '6. "Roxbury Fee" means the sum that is owed for a car.',
        "6. “Roxbury Fee” shall mean the sum that is owed.",
        '6. "Roxbury Fee" and "Fees" have the meaning given here.',
        'DEFINITIONS\n\n"Roxbury Fee": the sum that is owed for a car.',
        'The sum is paid to the firm by the office each month ("Roxbury Fee").',
        "6. The sums are paid each month (whether late or not, each such sum, a “Roxbury Fee”).",
        "6. They pay (each a “Payer” and jointly, the “Payers”) a sum (any such sum being called the “Roxbury Fee”).",
        "6. The sum is hereinafter referred to as the “Roxbury Fee.” It is paid each month.",
        "6. “Roxbury Fee” of a car means the sum that is owed.",
    ],
)
def test_a_term_that_a_contract_says_the_meaning_of_leads_there(defined: str) -> None:
    text = agreement(defined, AGREED, "Each Roxbury Fee is due in May.")
    assert [words for words, _ in led(text)] == ["Roxbury Fee"]


def test_the_plural_of_a_term_leads_to_it_in_a_contract() -> None:
    text = agreement(
        '6. "Roxbury Fee" means the sum that is owed for a car.', AGREED, "All Roxbury Fees are due in May."
    )
    assert [words for words, _ in led(text)] == ["Roxbury Fees"]


def test_a_contract_without_numbered_clauses_defines_its_terms_too() -> None:
    made = "This Towing Agreement (the “Agreement”) is made with Roxbury Cars Inc. (“Company”)."
    text = f"{made} {AGREED} The Company pays."
    assert [words for words, _ in led(text)] == ["Company"]


def test_clauses_without_titles_and_articles_are_found_by_their_numbers() -> None:
    text = agreement("6. It is paid as Clause 4.1, Section 2(b) hereof and Article 3 say. It follows Clause 4.2.")
    assert led(text) == [
        ("Clause 4.1", "4.1 The yard is locked."),
        ("Section 2(b)", "2. It is agreed that the com"),
        ("Article 3", "3. It is agreed that the com"),
    ]


def test_what_a_contract_says_of_other_laws_and_agreements_leads_nowhere() -> None:
    said = "Section 2 of the Yard Lease, Article 3 of the Convention, Section 4 of that Agreement and § 5 bind no one."
    assert led(agreement(f"6. {said}")) == []


def test_sections_of_a_text_that_lost_its_lines_are_found_and_its_contents_are_none() -> None:
    contents = "It is agreed: 1. Cars. 2. Trucks. 3. Vans. 4. Keys. 5. Fees."
    own = [f"{number}. {title} {AGREED}" for number, title in enumerate(("Cars", "Trucks", "Vans", "Keys", "Fees"), 1)]
    text = " ".join(
        ["TOWING AGREEMENT", contents, *own, f"FEES AND RATES 5.1 Rates. {AGREED} See Section 5.1 and Section 3."]
    )
    assert [title[:8] for _, title in led(text)] == ["5.1 Rate", "3. Vans "]


def test_a_section_whose_number_ends_with_nought_is_that_section() -> None:
    assert led(agreement("6.0 Secrets. None is told.", "7.0 Ends. Section 6 outlives it.")) == [
        ("Section 6", "6.0 Secrets. None is told.")
    ]


def test_a_section_in_an_exhibit_is_none_of_the_contract() -> None:
    exhibit = "EXHIBIT A\n\n1. Cars are towed.\n\n2. Trucks are not.\n\n3. It is done as Section 2 and Section 5 say."
    assert led(agreement("6. It is done as Section 2 says.", exhibit)) == [
        ("Section 2", "2. It is agreed that the com")
    ]


def test_what_a_statute_means_by_a_word_is_no_term_of_the_brief_that_quotes_it() -> None:
    brief = f"The Code says it. “Possession” means actual care. {AGREED} Possession was not shown."
    assert led(brief, SectionKind.ARGUMENT) == []


def argued(*parts: tuple[str, str]) -> list[Passage]:
    """Passages of an argument: the heading of each, and its words."""
    made: list[Passage] = []
    start = 0
    for number, (heading, words) in enumerate(parts):
        text = f"{heading}\n\n{words}"
        span = Span(start, start + len(text))
        made.append(Passage(str(number), "d", number, span, text, SectionKind.ARGUMENT, (heading,), 1, 9))
        start = span.end + 2
    return made


@pytest.mark.parametrize(
    ("said", "leads"),
    [
        ("Mr. Quince’s appeal rests on it. His sole issue is that the stop was long.", True),
        ("This Court should sustain the sole issue.", True),
        ("The sole point of error was preserved.", True),
        ("The sole issue at trial was who drove.", False),
    ],
)
def test_the_sole_issue_leads_to_the_one_that_is_argued(said: str, leads: bool) -> None:
    issue = "APPELLANT’S SOLE ISSUE"
    brief = argued((issue, "The stop was long."), ("ARGUMENT", said))
    assert [each.title for each in references_in(brief, ())] == ([issue] if leads else [])


def test_the_sole_issue_leads_nowhere_in_a_brief_of_two() -> None:
    brief = argued(
        ("ISSUE ONE THE STOP WAS LONG.", "It was."), ("ISSUE TWO THE SEARCH WAS WIDE.", "His sole issue is it.")
    )
    assert [each for each in references_in(brief, ()) if "sole" in each.text] == []


@pytest.mark.parametrize(
    ("said", "leads"),
    [("Should this Court overrule the first issue, it is void.", True), ("The first issue was who drove.", False)],
)
def test_an_issue_that_the_court_is_asked_to_rule_on_is_one_of_the_brief(said: str, leads: bool) -> None:
    first = "ISSUE ONE THE STOP WAS LONG."
    brief = argued((first, "It was."), ("ISSUE TWO THE SEARCH WAS WIDE.", said))
    assert [each.title for each in references_in(brief, ())] == ([first] if leads else [])


@pytest.mark.parametrize(
    ("heading", "leads"),
    [
        ("Standard of Review: see Point One, supra.", True),
        ("A. Facts for Point One", True),
        ("POINT ONE (RESTATED)", False),
    ],
)
def test_a_heading_refers_where_it_names_another_one(heading: str, leads: bool) -> None:
    first = "POINT ONE THE STOP WAS LONG."
    brief = argued((first, "It was."), (heading, "He was stopped for an hour."))
    assert [each.title for each in references_in(brief, ())] == ([first] if leads else [])


def test_pages_of_this_brief_are_its_own_though_a_name_stands_before() -> None:
    brief = argued(("ARGUMENT", "It was found by Quince, pages 4 and 5 of this brief."))
    assert [each.title for each in references_in(brief, (PageRun(1, 9, 1),))] == ["Page 4", "Page 5"]
