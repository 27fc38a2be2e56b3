"""What a brief says of itself, and what a search can be narrowed to: read out of a bank, word for word and counted."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import office
import pytest

from briefbank.bank.local import Bank
from briefbank.search.in_document import own_words
from briefbank.values.records import DocumentKind, Filters, Passage, Query, SectionKind, Span

QUESTION = "Whether the troopers could prolong the stop without reasonable and articulable suspicion of a crime."
SUMMARY = "The stop was over when the warning was written, and nothing that followed can be used against the driver."


@pytest.fixture(scope="module")
def asked_bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    """A bank of one brief with questions presented and a summary of argument."""
    root = tmp_path_factory.mktemp("own words")
    told = office.brief(
        "Alder Quince",
        "A-1482-17T4",
        "May 4, 2018",
        ("THE STOP WAS UNLAWFULLY PROLONGED.", office.STOP),
        ("THE SENTENCE IS EXCESSIVE.", office.SENTENCE),
    )
    asked = f"QUESTIONS PRESENTED\n\n{QUESTION}\n\nSTATEMENT OF FACTS"
    summed = f"SUMMARY OF ARGUMENT\n\n{SUMMARY}\n\nLEGAL ARGUMENT"
    told = told.replace("STATEMENT OF FACTS", asked, 1).replace("LEGAL ARGUMENT", summed, 1)
    office.write_text(root / "briefs" / "quince.txt", told)
    bank = Bank.create(office.write_bank(root / "bank"))
    assert bank.index(root / "briefs").failures == ()
    return bank


def passage_of(bank: Bank, text: str) -> str:
    return bank.search(Query(text, top_k=1, include_hidden=True)).hits[0].passage.id


def test_a_brief_tells_its_questions_the_heading_over_the_passage_and_its_summary(asked_bank: Bank) -> None:
    told = asked_bank.own_words(passage_of(asked_bank, "aggravating factor three without competent evidence"))
    assert [each.heading for each in told] == ["Questions presented", "Summary of argument", "Point heading"]
    questions, summary, heading = (each.text for each in told)
    assert QUESTION in questions
    assert SUMMARY in summary
    assert "THE SENTENCE IS EXCESSIVE." in heading
    assert "PROLONGED" not in heading
    places = [asked_bank.passage(each.passage_id, context=0).passage for each in told]
    assert [each.order for each in places] == sorted(each.order for each in places)
    assert places[0].section_kind is SectionKind.QUESTIONS


def test_every_word_told_stands_in_the_brief_as_it_is(asked_bank: Bank) -> None:
    passage = passage_of(asked_bank, "the warning was written")
    view = asked_bank.passage(passage, context=1_000)
    whole = [*view.before, view.passage, *view.after]
    printed = " ".join([each.text for each in whole] + [name for each in whole for name in each.section_path])
    for extract in asked_bank.own_words(passage):
        assert " ".join(extract.text.split()) in " ".join(printed.split())


def test_a_document_without_such_parts_tells_no_more_than_its_headings(library_bank: Path) -> None:
    bank = Bank.open(library_bank)
    for document in bank.documents():
        hit = bank.search(Query(document.metadata.title.value, top_k=1, include_hidden=True)).hits[0]
        assert {each.heading for each in bank.own_words(hit.passage.id)} <= {"Point heading"}


def test_facets_count_what_filters_would_return(library_bank: Path) -> None:
    bank = Bank.open(library_bank)
    facets, documents = bank.facets(), bank.documents()
    assert facets.documents == len(documents) == sum(count for _, count in facets.kinds)
    assert facets.undated == sum(each.filed is None for each in documents)
    assert (facets.filed_first, facets.filed_last) == (date(2005, 3, 3), date(2022, 5, 30))
    assert sum(count for _, count in facets.section_kinds) == sum(each.passage_count for each in documents)
    for court, count in facets.courts:
        filters = Filters(courts=(court,))
        query = Query("consent", top_k=500, filters=filters, include_hidden=True, include_weak=True)
        found = bank.search(query).hits
        assert len({hit.document.id for hit in found}) == count
    for counted in (facets.kinds, facets.courts, facets.authors, facets.section_kinds):
        assert list(counted) == sorted(counted, key=lambda item: (-item[1], item[0]))


@pytest.mark.parametrize("text", ["consent after a stop", '"consent" or "stop"', "State v. Carty"])
def test_a_search_counts_what_it_found_by_what_it_can_be_narrowed_to(library_bank: Path, text: str) -> None:
    bank = Bank.open(library_bank)
    result = bank.search(Query(text, top_k=500, include_weak=True))
    assert len(result.hits) == result.found
    assert result.counts is not None
    found = {hit.document.id: hit.document for hit in result.hits}
    copies = {sibling.passage_id.rpartition("-")[0] for hit in result.hits for sibling in hit.siblings}
    found |= {each.id: each for each in bank.documents() if each.id in copies}
    kinds = Counter(each.metadata.kind.value for each in found.values())
    assert dict(result.counts.kinds) == kinds
    courts = Counter(each.metadata.court.value for each in found.values() if each.metadata.court)
    assert dict(result.counts.courts) == courts
    narrowed = bank.search(Query(text, include_weak=True, filters=Filters(kinds=(DocumentKind.BRIEF,))))
    assert narrowed.counts is not None
    assert [value for value, _ in narrowed.counts.kinds] == ["brief"], "what a filter keeps out is not counted"


def test_headings_are_cited_from_the_page_of_the_outermost_to_that_of_the_innermost() -> None:
    def passage(order: int, page: int, *path: str) -> Passage:
        return Passage(f"d-{order}", "d", order, Span(order, order + 1), "x", SectionKind.ARGUMENT, path, page, page)

    brief = [
        passage(0, 2, "FACTS"),
        passage(1, 4, "POINT I"),
        passage(2, 7, "POINT I", "A."),
        passage(3, 9, "POINT I", "B."),
        passage(4, 10, "POINT I", "B."),
    ]
    (told,) = own_words(brief[4], brief, lambda _: ())
    assert (told.text, told.page_first, told.page_last, told.passage_id) == ("POINT I\nB.", 4, 9, "d-3")
