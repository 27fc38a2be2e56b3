"""The arguments of a bank: point headings in groups of like ones, from real briefs of the invented office."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import UsageError
from briefbank.values.reading import ArgumentOrder, ArgumentsFound

STOP_2024 = "THE TROOPERS PROLONGED THE ROADSIDE STOP WITHOUT REASONABLE SUSPICION"
STOP_2018 = "THE ROADSIDE STOP WAS PROLONGED WITHOUT REASONABLE SUSPICION."
STOP_UNDATED = "THE PROLONGED ROADSIDE STOP LACKED REASONABLE SUSPICION"
HEARSAY = "THE ABSENT CALLER'S STATEMENT WAS INADMISSIBLE HEARSAY UNDER N.J.R.E. 803(c)(2)"
SENTENCE = "A REMAND FOR RESENTENCING IS REQUIRED BECAUSE YOUTH WAS NOT WEIGHED"
BRIEFS = {
    "quince": ("Alder Quince", "A-1482-17T4", "May 4, 2018", (STOP_2018, office.STOP)),
    "lorne": ("Petra Lorne", "A-0311-04T2", "March 3, 2005", (HEARSAY, office.HEARSAY), (SENTENCE, office.SENTENCE)),
    "renfrew": ("Ada Renfrew", "A-1403-22", "May 6, 2024", (STOP_2024, office.STOP), (HEARSAY, office.HEARSAY)),
    "oakes": ("Ivo Oakes", "A-0009-16", "", (STOP_UNDATED, office.CONSENT), ("STANDARD OF REVIEW", office.CHARGE)),
}


@pytest.fixture(scope="module")
def argued(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of four briefs, three of which argue that a stop was prolonged."""
    root = tmp_path_factory.mktemp("argued")
    for name, (defendant, docket, filed, *points) in BRIEFS.items():
        office.write_text(root / "briefs" / f"{name}.txt", office.brief(defendant, docket, filed, *points))
    with Bank.open(office.write_bank(root / "bank")) as bank:
        assert bank.index(root / "briefs").indexed == len(BRIEFS)
    return root / "bank"


def found(bank: Path, text: str = "", **asked: Any) -> ArgumentsFound:
    with Bank.open(bank) as opened:
        return opened.arguments(text, **asked)


def titles(result: ArgumentsFound) -> list[str]:
    return [group.heading for group in result.groups]


def test_headings_that_argue_the_same_are_one_group_newest_first_and_counted(argued: Path) -> None:
    stop, *_ = found(argued).groups
    assert stop.heading == STOP_2024
    assert str(stop.filed) == "2024-05-06"
    assert (stop.brief_count, stop.argument_count) == (3, 3)
    assert [argument.heading.split(" ", 2)[-1] for argument in stop.arguments] == [STOP_2024, STOP_2018, STOP_UNDATED]
    assert all(argument.path[0] == "LEGAL ARGUMENT" for argument in stop.arguments)


def test_each_argument_names_the_first_passage_below_its_heading(argued: Path) -> None:
    with Bank.open(argued) as bank:
        (argument,) = next(group for group in bank.arguments().groups if group.heading == SENTENCE).arguments
        passage = bank.passage(argument.passage_id).passage
    assert passage.section_path == argument.path
    assert passage.document_id == argument.document.id
    assert passage.page_first == argument.page
    assert SENTENCE in passage.text


@pytest.mark.parametrize(("docket", "briefs"), [("A-1482-17T4", 1), ("A-0311-04T2", 2)])
def test_a_draft_and_its_final_count_as_one_brief(tmp_path: Path, docket: str, briefs: int) -> None:
    for name, number, filed in (("draft", "A-1482-17T4", "May 2, 2018"), ("final", docket, "May 4, 2018")):
        office.write_text(
            tmp_path / "in" / f"{name}.txt", office.brief("Alder Quince", number, filed, (STOP_2018, office.STOP))
        )
    with Bank.open(office.write_bank(tmp_path / "bank")) as bank:
        bank.index(tmp_path / "in")
        (group,) = bank.arguments().groups
    assert (group.brief_count, group.argument_count) == (briefs, 2)


def test_headings_that_only_name_a_part_are_no_arguments(argued: Path) -> None:
    result = found(argued)
    assert not [heading for heading in titles(result) if heading in ("STANDARD OF REVIEW", "LEGAL ARGUMENT")]
    assert (result.found, result.total) == (3, 6)


def test_arguments_come_newest_first_most_argued_first_or_by_the_alphabet(argued: Path) -> None:
    assert titles(found(argued)) == [STOP_2024, HEARSAY, SENTENCE]
    assert [group.brief_count for group in found(argued, order=ArgumentOrder.FREQUENT).groups] == [3, 2, 1]
    # As a catalogue does, by the first word behind the article: absent, remand, troopers.
    assert titles(found(argued, order=ArgumentOrder.ALPHABETICAL)) == [HEARSAY, SENTENCE, STOP_2024]


def test_a_search_finds_arguments_by_the_words_of_their_headings(argued: Path) -> None:
    assert titles(found(argued, "hearsay statement of a caller"))[0] == HEARSAY
    assert titles(found(argued, "803(c)(2)"))[0] == HEARSAY
    assert titles(found(argued, "resentencing of a youth"))[0] == SENTENCE


def test_a_search_finds_arguments_by_what_is_said_below_their_headings(argued: Path) -> None:
    assert titles(found(argued, "excited utterances with time to reflect and deliberate"))[0] == HEARSAY


@pytest.mark.parametrize(
    ("text", "asked"), [("", {"top_k": 0}), ("", {"order": ArgumentOrder.BEST}), ("?!", {})], ids=str
)
def test_what_cannot_be_answered_is_refused(argued: Path, text: str, asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        found(argued, text, **asked)


def test_a_bank_without_arguments_has_none(tmp_path: Path) -> None:
    office.write_text(tmp_path / "briefs" / "memo.txt", office.memo("Parking", office.FACTS))
    with Bank.open(office.write_bank(tmp_path / "bank")) as bank:
        bank.index(tmp_path / "briefs")
        assert bank.arguments() == ArgumentsFound((), 0, 0)
        assert bank.arguments("parking") == ArgumentsFound((), 0, 0)


def test_another_index_run_is_taken_up(argued: Path, tmp_path: Path) -> None:
    office.write_text(tmp_path / "briefs" / "one.txt", office.brief(*BRIEFS["quince"]))
    with Bank.open(office.write_bank(tmp_path / "bank")) as bank:
        bank.index(tmp_path / "briefs")
        assert bank.arguments().total == 1
        office.write_text(tmp_path / "briefs" / "two.txt", office.brief(*BRIEFS["lorne"]))
        bank.index(tmp_path / "briefs")
        assert bank.arguments().total == 3


def test_the_command_lists_arguments_with_where_they_stand(argued: Path, briefbank: Briefbank) -> None:
    told = briefbank("arguments", "roadside", "stop", "--bank", argued)
    assert told.code == 0
    assert f"{STOP_2024}\n    argued in 3 briefs, last 2024-05-06\n" in told.out
    shown = briefbank("arguments", "--order", "frequent", "--top-k", "1", "--json", "--bank", argued).json
    (group,) = shown["groups"]
    assert (group["heading"], group["filed"], group["briefs"]) == (STOP_2024, "2024-05-06", 3)
    assert group["arguments"][0]["section_path"][-1].endswith(STOP_2024)
    assert briefbank("show", group["arguments"][0]["passage_id"], "--bank", argued).code == 0
    assert (shown["found"], shown["headings"]) == (3, 6)


def test_the_command_says_what_to_do_where_nothing_is_argued(argued: Path, briefbank: Briefbank) -> None:
    told = briefbank("arguments", "zymurgy", "--bank", argued)
    assert (told.code, told.err) == (0, "")
    assert told.out == "No brief argues that. Try other words; `briefbank search` looks in all text.\n"


def test_the_command_says_what_a_wrong_order_may_be(argued: Path, briefbank: Briefbank) -> None:
    told = briefbank("arguments", "--order", "best", "--bank", argued)
    assert told.code == 2
    assert "Choose another order." in told.err
