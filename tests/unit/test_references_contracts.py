"""References within contracts: articles in words, exhibits, amendments, terms defined later."""

from __future__ import annotations

from briefbank.pages.references.resolve import references_in
from briefbank.values.records import Passage, SectionKind, Span

AGREED = "The company keeps a truck at hand and tells the office each day where it stands. " * 32
CALLED = "This Towing Agreement is made by the office and the firm."


def passages(*texts: tuple[str, SectionKind, str]) -> list[Passage]:
    """Passages one below the other: the words, what they are, their heading."""
    made: list[Passage] = []
    start = 0
    for number, (text, kind, heading) in enumerate(texts):
        path = (heading,) if heading else ()
        made.append(Passage(str(number), "d", number, Span(start, start + len(text)), text, kind, path, 1, 1))
        start += len(text) + 2
    return made


def led(*paragraphs: str) -> list[tuple[str, str]]:
    """What the references of a contract are, and the words that each leads to."""
    text = "\n\n".join(paragraphs)
    return [(each.text, each.title[:24]) for each in references_in(passages((text, SectionKind.BODY, "")), ())]


def sections(*titles: str) -> list[str]:
    return [f"{title} {AGREED}" for title in titles]


OWN = sections("1. Cars.", "2. Trucks.", "3. Vans.", "4. Keys.", "5. Fees.")


def test_articles_that_are_counted_in_words_are_led_to() -> None:
    articles = sections(*(f"ARTICLE {number}\n\nIt is agreed." for number in ("ONE", "TWO", "THREE", "FOUR", "FIVE")))
    assert led(*articles, "It is done as Article Two and Article 4 say.") == [
        ("Article Two", "ARTICLE TWO It is agreed"),
        ("Article 4", "ARTICLE FOUR It is agree"),
    ]


def test_the_exhibit_number_on_every_page_divides_nothing() -> None:
    head = "Exhibit 10.1"
    pages = [part for each in OWN for part in (head, each)]
    assert led(*pages, head, "6. It is done as Section 2 says.") == [("Section 2", "2. Trucks. The company k")]


def test_a_section_of_a_schedule_or_of_letters_leads_to_no_other_one() -> None:
    said = "6. It is paid as Section 2 of Schedule B says, under clause (ii) and Section 3A."
    assert led(*OWN, said, "SCHEDULE B\n\n1. Days.\n\n2. Nights.\n\n3. Snow.") == []


def test_sections_that_an_amendment_names_are_those_of_what_it_amends() -> None:
    made = "This First Amendment changes the lease of the yard."
    said = "5. Section 2 is deleted; this Section 5 and Section 3 above remain."
    assert [words for words, _ in led(made, *OWN[:4], said)] == ["Section 5", "Section 3"]


def test_a_contract_of_three_sections_is_divided_by_them() -> None:
    assert led(CALLED, *OWN[:3], "It is done as Section 2 says.") == [("Section 2", "2. Trucks. The company k")]
    assert led(*OWN[:3], "It is done as Section 2 says.") == []


def test_an_item_of_a_list_is_no_section_that_has_parts() -> None:
    parts = sections("4.1 Keys.", "4.2 Locks.")
    listed = "5.3 They tow:\n\n1. cars,\n\n2. trucks,\n\n3. vans,\n\n4. bicycles."
    said = "5.4 It is done as Section 4 says."
    assert led(*OWN[:3], *parts, *sections("5.1 Fees.", "5.2 Rates."), listed, said) == []


def test_a_section_of_something_with_a_name_is_none_of_the_contract() -> None:
    assert led(*OWN, "6. It follows paragraph 3 of Statement No. 72 and Section 2 of Directive 2001.") == []


def test_a_term_is_led_to_from_before_the_only_place_that_says_what_it_means() -> None:
    meant = '6. "Roxbury Fee" means the sum that is owed for a car.'
    early = "A Roxbury Fee is due in May."
    assert [words for words, _ in led(early, *OWN, meant)] == ["Roxbury Fee"]
    assert led(early, *OWN, meant, AGREED, meant) == [], "two definitions"
    assert led(early, *OWN, "6. They pay a sum (the “Roxbury Fee”).") == [], "named where it is first spoken of"


def test_a_term_within_another_one_that_is_defined_is_no_use_of_it() -> None:
    meant = '6. "Change of Control" means a sale.'
    assert [words for words, _ in led('1. "Control" means power.', *OWN[1:], meant)] == []
