"""Confidential identifiers and other clients' names in filings, in drafts and in what is copied from other briefs.

`tests/data/identifiers` holds fictional filings whose writer never saw this code: where identifiers stand in them, and
what only looks like one.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from briefbank.errors import CancelledError
from briefbank.ingest.texts import file_reader
from briefbank.law.citations import load_patterns
from briefbank.law.identifiers import (
    IdentifierKind,
    Rule,
    clients_of,
    hiding,
    identifiers_in,
    masked,
    mentions_of,
    rule_of_court,
)
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings
from briefbank.values.records import Span, StructuredDocument

SETS = Path(__file__).parents[1] / "data" / "identifiers"
KINDS = {
    IdentifierKind.SOCIAL_SECURITY: "ssn",
    IdentifierKind.TAX: "tax_id",
    IdentifierKind.CARD: "card",
    IdentifierKind.LICENCE: "licence",
    IdentifierKind.PLATE: "plate",
    IdentifierKind.POLICY: "policy",
    IdentifierKind.ACCOUNT: "account",
    IdentifierKind.BIRTH: "birth_date",
    IdentifierKind.MINOR: "minor",
    IdentifierKind.HOME: "home_address",
}


def words_of(text: str, kind: IdentifierKind) -> list[str]:
    return [text[slice(*each.span)] for each in identifiers_in(text) if each.kind is kind]


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        (IdentifierKind.SOCIAL_SECURITY, "SSN: 219-40-7713, later 219 40 7713", ["219-40-7713", "219 40 7713"]),
        (IdentifierKind.SOCIAL_SECURITY, "The sheet says 2l9-4O-7713.", ["2l9-4O-7713"]),
        (IdentifierKind.SOCIAL_SECURITY, "his social ends in 7713; report 900-40-7713", []),
        (IdentifierKind.TAX, "its EIN is 22-3187745", ["22-3187745"]),
        (IdentifierKind.CARD, "He read out 4539 1488 0343 6467 to the clerk.", ["4539 1488 0343 6467"]),
        (IdentifierKind.CARD, "The parcel was 4539148803436468 on the label.", []),
        (IdentifierKind.CARD, "The phone's IMEI is 356938035643809.", []),
        (IdentifierKind.LICENCE, "It read D4471 20938\n    05722 in the log.", ["D4471 20938\n    05722"]),
        (IdentifierKind.LICENCE, "Her Ohio license, RV582019, was expired.", ["RV582019"]),
        (IdentifierKind.LICENCE, "Attorney ID No. 012342005; SBI No. 000418822D", []),
        (IdentifierKind.PLATE, "the blue sedan, U23-KLM, was towed", ["U23-KLM"]),
        (IdentifierKind.PLATE, "the deed, U23-KLM, was filed", []),
        (IdentifierKind.PLATE, "the sedan (3 RR 214) of Exhibit ABC-123", []),
        (IdentifierKind.POLICY, "GEICO insured her under 4410-PQ-88217", ["4410-PQ-88217"]),
        (IdentifierKind.POLICY, "State Farm Mut. Ins. Co., No. 06-CV-1376, 2007 WL 1876511", []),
        (IdentifierKind.ACCOUNT, "her checking, 0073 3891 4406, still open", ["0073 3891 4406"]),
        (IdentifierKind.ACCOUNT, "the account ending in 4406; $4,417.20; call 609-555-0123", []),
        (IdentifierKind.BIRTH, "born on April 3, 1988", ["April 3, 1988"]),
        (IdentifierKind.BIRTH, "born in 1988; arrested on April 3, 1988", []),
        (IdentifierKind.MINOR, "Tessa Marlow, age nine, sat. So did Tessa's dog.", ["Tessa Marlow", "Tessa"]),
        (IdentifierKind.MINOR, "T.M., age nine. Mr. Pell, age 42. In Jeffley, a 15-year-old. Jeffley v. State.", []),
        (IdentifierKind.BIRTH, "NAME  BORN\nPell  9-30-12", ["9-30-12"]),
        (
            IdentifierKind.MINOR,
            "In 2020 came Maisie Orne (DOB 2/17/2010); Al Orne (DOB 2/17/1980) too.",
            ["Maisie Orne"],
        ),
        (IdentifierKind.SOCIAL_SECURITY, "Tax ID: 219 40 7713, or 219/40/7714", ["219 40 7713", "219/40/7714"]),
        (IdentifierKind.HOME, "She lives at 41 Halsey Street with him.", ["41 Halsey Street"]),
        (IdentifierKind.HOME, "Shots were fired at 41 Halsey Street; our office is at 9 Osier Lane.", []),
    ],
)
def test_identifiers_are_told_from_what_looks_like_them(kind: IdentifierKind, text: str, found: list[str]) -> None:
    assert words_of(text, kind) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Begoña Iñíguez, age 7, sat. Her aunt saw Begoña.", ["Begoña Iñíguez", "Begoña"]),
        ("the six-year-old Šárka D'Olivo. She", ["Šárka D'Olivo"]),
        ("Ana de la Peña (age 8), and McKenna O’Dell, a minor.", ["Ana de la Peña", "McKenna O’Dell"]),
        ("The juvenile witness, ODILIA FRÍAS, left. THE CHILD: I'm Noémie.", ["ODILIA FRÍAS", "Noémie"]),
        ("THE MINOR CHILD ODILIA FRIAS TESTIFIED. ODILIA'S TEARS.", ["ODILIA FRIAS", "ODILIA"]),
        ("ODILIA FRIAS, AGE 7. So Frias left, and odilia.", ["ODILIA FRIAS", "Frias"]),
        ("Odilia Frias, age 7. Mrs. Frias knew. Frias left. O. Frias.", ["Odilia Frias"]),
        ("Odilia Frias, age 7. STATE v. BRAM FRIAS. Frias left.", ["Odilia Frias"]),
        ("Maria Young, age 7. Young people saw it. Defendant Frias left.", ["Maria Young"]),
        ("THE MINOR VICTIM WILL TESTIFY BY VIDEO. The minor victim, JDM, and the juvenile ED sat.", []),
    ],
)
def test_a_child_is_found_however_its_name_is_spelt_and_wherever_nobody_else_bears_it(
    text: str, found: list[str]
) -> None:
    assert words_of(text, IdentifierKind.MINOR) == found


def test_each_kind_is_named_by_a_rule_and_a_court_has_its_own() -> None:
    assert {rule for kind in IdentifierKind for rule in kind.rules} == set(Rule)
    assert Rule.NEW_JERSEY not in IdentifierKind.BIRTH.rules
    assert rule_of_court("United States District Court, District of New Jersey") is Rule.FEDERAL
    assert rule_of_court("Superior Court of New Jersey, Appellate Division") is Rule.NEW_JERSEY
    assert rule_of_court("Court of Criminal Appeals of Texas") is None


@pytest.mark.parametrize(
    ("caption", "names"),
    [
        ("State v. Jordan Whitcomb, Brief for Appellant", ["Jordan Whitcomb"]),
        ("Lucius A. Quill, Jr. v. The State of Texas", ["Lucius A. Quill, Jr"]),
        ("State v. Jordan Whitcomb and Dale Orne, Reply", ["Jordan Whitcomb", "Dale Orne"]),
        ("In the Matter of Registrant Q.R., Brief", []),
        ("State in the Interest of Ada Fenn", ["Ada Fenn"]),
        ("In re Expungement of Ottavio Rule", ["Ottavio Rule"]),
        ("United States v. County of Essex", []),
        ("Memorandum on bail", []),
    ],
)
def test_the_people_of_a_caption_are_its_clients(caption: str, names: list[str]) -> None:
    assert [each.name for each in clients_of(caption)] == names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("As JORDAN WHITCOMB told the court, he was at home.", ["JORDAN WHITCOMB"]),
        ("Mr. Whitcomb was stopped. Whitcomb did not consent.", ["Whitcomb", "Whitcomb"]),
        ("State v. Whitcomb, No. A-1234-19 (App. Div. 2021), is alike. In Whitcomb, the panel reversed.", []),
        ("State v. Whitcomb, 240 N.J. 12 (2020). Whitcomb controls.", []),
        ("Officer Dale Whitcomb searched it. Whitcomb wrote a report.", []),
        ("They met in Whitcomb Street. The word “Whitcomb of Essex” is a heading.", []),
        ("State v. Whitcomb, No. A-1234-19. As they say, “Whitcomb was unarmed.”", ["Whitcomb"]),
        ("Sgt. Whitcomb wrote it. Petitioner Whitcomb contends otherwise; Whitcomb had gone.", ["Whitcomb"] * 2),
        ("My head was in the Whitcomb matter.", ["Whitcomb"]),
    ],
)
def test_a_client_is_told_by_name_and_never_where_the_name_is_a_case_or_somebody_elses(
    text: str, found: list[str]
) -> None:
    clients = clients_of("State v. Jordan Whitcomb, Brief")
    told = [text[slice(*each.span)] for each in mentions_of(text, clients, "State v. Rae Pell", load_patterns())]
    assert told == found
    assert list(mentions_of(text, clients, "State v. Jordan Whitcomb", load_patterns())) == []


@pytest.mark.parametrize("name", ["Íñigo Pérez-Ibáñez", "Inigo Perez-Ibanez", "ÍÑIGO PÉREZ-IBÁÑEZ"])
def test_a_client_is_told_with_accents_or_without(name: str) -> None:
    for caption in ("Íñigo Pérez-Ibáñez", "Inigo Perez-Ibanez"):
        clients = clients_of(f"State v. {caption}")
        (told,) = mentions_of(f"As {name} told it.", clients, "", load_patterns())
        assert told.span == Span(3, 3 + len(name))


def test_a_surname_that_many_have_counts_by_itself_only_in_what_was_written_from_the_clients_brief() -> None:
    clients, text = clients_of("State v. Ray Brooks, Brief"), "The trooper told Brooks to step out."
    assert [list(mentions_of(text, clients, "", load_patterns(), is_near=near)) == [] for near in (True, False)] == [
        False,
        True,
    ]


# --- the marked filings -----------------------------------------------------------------------------------------------


class Mark(NamedTuple):
    """What stands in a filing, by its writer: `kind` begins with `lookalike:` where it is no identifier."""

    kind: str
    span: Span


class Rates(NamedTuple):
    """What of the marked identifiers was found, and what else: look-alikes, and what nobody marked."""

    recall: float
    false_a_page: float
    missed: Counter[str]


@cache
def filings(part: str) -> dict[str, StructuredDocument]:
    """The filings of a part, read as drafts are."""
    folder = SETS / part
    with file_reader(Settings(), CancelToken()) as reader:
        read = {path.name: reader.read(path)[1].document for path in sorted(folder.glob("*.txt"))}
    return {name: document for name, document in read.items() if document}


def marks_of(part: str) -> dict[str, list[Mark]]:
    """The marks of each filing; words are looked for on their page, whatever became of the ends of lines."""
    marks = defaultdict(list)
    for each in json.loads((SETS / part / "marks.json").read_text(encoding="utf-8")):
        document = filings(part)[each["file"]]
        starts = [word.start for word in document.words if word.page >= each["page"]]
        spelt = re.compile(r"\s*".join(map(re.escape, "".join(each["words"].split()))))
        found = list(spelt.finditer(document.text, starts[0] if starts else 0)) or list(spelt.finditer(document.text))
        marks[each["file"]].append(Mark(each["kind"], Span(*found[each.get("nth", 1) - 1].span())))
    return marks


def found_in(part: str, name: str) -> Iterator[Mark]:
    document = filings(part)[name]
    court = document.metadata.court
    own = rule_of_court(court.value) if court else None
    for each in identifiers_in(document.text):
        if own is None or own in each.kind.rules:  # what another rule alone names is told apart
            yield Mark(KINDS[each.kind], each.span)
    captions = json.loads((SETS / part / "clients.json").read_text(encoding="utf-8")).get(name, [])
    clients = [client for each in captions for client in clients_of(each["caption"])]
    title = document.metadata.title.value
    for mention in mentions_of(document.text, clients, title, load_patterns()):
        yield Mark("other_client", mention.span)


def rates_of(part: str) -> Rates:
    missed, false, planted = Counter[str](), 0, 0
    for name, marks in marks_of(part).items():
        found = list(found_in(part, name))
        true = [each for each in marks if not each.kind.startswith("lookalike:")]
        planted += len(true)
        missed.update(
            each.kind
            for each in true
            if not any(other.kind == each.kind and other.span.overlaps_any([each.span]) for other in found)
        )
        false += sum(not each.span.overlaps_any(other.span for other in true) for each in found)
    pages = sum(len(document.pages) for document in filings(part).values())
    return Rates(1 - missed.total() / planted, false / pages, missed)


@pytest.mark.parametrize(("part", "recall", "false_a_page"), [("dev", 0.98, 0.05), ("held", 0.97, 0.06)])
def test_identifiers_of_filings_by_another_hand_are_found(part: str, recall: float, false_a_page: float) -> None:
    rates = rates_of(part)
    assert rates.recall >= recall, rates.missed
    assert rates.false_a_page <= false_a_page


@pytest.mark.parametrize(
    ("kind", "words", "kept"),
    [
        (IdentifierKind.SOCIAL_SECURITY, "158 44 7093", "…7093"),
        (IdentifierKind.SOCIAL_SECURITY, "one five eight, forty-four, seventy", "…"),
        (IdentifierKind.PLATE, "U23-KLM", "…LM"),
        (IdentifierKind.BIRTH, "9-30-12", "…12"),
        (IdentifierKind.BIRTH, "30 September 2012", "…2012"),
        (IdentifierKind.BIRTH, "September 30", "…"),
        (IdentifierKind.MINOR, "José O'Dell", "J. O."),
        (IdentifierKind.HOME, "41 Halsey\n Street, Apt. 3B", "H. S. A. B."),
    ],
)
def test_of_an_identifier_that_is_kept_little_is_left(kind: IdentifierKind, words: str, kept: str) -> None:
    assert masked(kind, words) == kept


def test_what_is_masked_is_masked_once_whatever_its_spaces_and_by_itself() -> None:
    hide = hiding({"Tessa Marlow": "T. M.", "Tessa": "T.", "8 Oak Way": "O. W."})
    text = hide("Tessa\n  Marlow and Tessa left 8 Oak Way; SSN 158447093, not 8 Oak Ways.")
    assert text == hide(text) == "T. M. and T. left O. W.; SSN …7093, not 8 Oak Ways."


@pytest.mark.parametrize("calls", [1, 20, 60])
def test_a_search_for_identifiers_ends_when_it_is_asked_to(calls: int) -> None:
    cancel, asked = CancelToken(), 0

    def pause() -> None:
        nonlocal asked
        asked += 1
        if asked == calls:
            cancel.cancel()
        cancel.check()

    with pytest.raises(CancelledError):
        identifiers_in("SSN 158-44-7093; born on May 3, 1991; call 609-555-0123. " * 20, pause)
    assert asked == calls
