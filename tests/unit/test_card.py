"""The card of an authority: who cites it, what briefs say of it, and what the office warns of."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.cli.main import main
from briefbank.errors import ExitCode, SettingsError, UsageError
from briefbank.values.authorities import Decision, Standing
from briefbank.values.records import Query

ODE = "State v. Ode, 101 N.J. 5"
OLD = (
    f"Consent must be knowing. {ODE}, 9 (1986) (holding that the State must prove that the driver knew she could "
    "refuse). The rule is settled. Id. at 11. A search that exceeds consent is void. Id. at 12."
)
NEW = (
    f"The State relies on {ODE} (1986), overruled by State v. Penn, 150 N.J. 3 (1997). That reliance is misplaced, for "
    f"Penn controls. See also {ODE}, 9 (1986) (holding that the State must prove that the driver knew she could "
    "refuse)."
)


def bank_with(folder: Path, **briefs: str) -> Path:
    """A new bank of the two briefs above and of some more texts, in a folder `briefs` beside it."""
    office.write_text(
        folder / "briefs/old.txt", office.brief("Ann Ode", "A-0001-90T1", "May 4, 1990", ("CONSENT.", OLD))
    )
    office.write_text(
        folder / "briefs/new.txt", office.brief("Bo Reed", "A-0002-21T1", "May 4, 2021", ("CONSENT.", NEW))
    )
    for name, text in briefs.items():
        office.write_text(folder / f"briefs/{name}.txt", text)
    office.write_text(folder / "briefs/briefbank.csv", "file,kind\nlist.txt,directive\nsecond.txt,directive\n")
    root = office.write_bank(folder / "bank")
    assert main(["index", str(folder / "briefs"), "--bank", str(root), "--quiet"]) == 0
    return root


def later(text: str) -> str:
    return office.brief("Di Lane", "A-0004-22T1", "May 4, 2022", ("CONSENT.", text))


def card(briefbank: Briefbank, bank: Path, text: str) -> dict[str, Any]:
    told = briefbank("card", text, "--bank", bank, "--json")
    assert told.code == 0, told.err
    found: dict[str, Any] = json.loads(told.out)
    return found


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so never changed."""
    return bank_with(tmp_path_factory.mktemp("card"))


def test_a_card_counts_every_mention_and_tells_what_briefs_say_newest_first(briefbank: Briefbank, bank: Path) -> None:
    found = card(briefbank, bank, "101 N.J. 5")
    assert [each["filed"] for each in found["briefs"]] == ["2021-05-04", "1990-05-04"]
    assert (found["mentions"], found["full_mentions"]) == (5, 3), "one full and two Id. cites are three mentions"
    (treated,) = found["treatments"]
    assert treated["text"] == "overruled by State v. Penn, 150 N.J. 3 (1997)"
    assert (treated["kind"], treated["severity"], treated["filed"]) == ("overruled", "stop", "2021-05-04")
    (holding,) = found["holdings"]
    assert holding["text"] == "holding that the State must prove that the driver knew she could refuse"
    assert holding["filed"] == "2021-05-04", "the same words once, from the newest brief"
    assert found["not_checked_after"] == "2021-05-04"


def test_a_case_is_not_called_by_the_number_of_its_line_in_a_list(briefbank: Briefbank, tmp_path: Path) -> None:
    listed = office.directive("2024-1", "Cases", "January 5, 2024", "Check these.") + (
        "\n\n7. Doe v. Roe, 110 N.J. 7 (1988). Still good law. Use it wherever consent is argued in the briefs.\n"
    )
    stop = "A stop that is over may not be drawn out for consent. Doe v. Roe, 110 N.J. 7 (1988). It was, and for long."
    bank = bank_with(tmp_path, **{"a-list": listed, "z": later(stop)})
    names = card(briefbank, bank, "110 N.J. 7")["names"]
    assert names == ["Doe v. Roe, 110 N.J. 7"]


def test_a_card_says_where_the_briefs_are_that_it_does_not_print(
    briefbank: Briefbank, bank: Path, tmp_path: Path
) -> None:
    assert "--json has all" not in briefbank("card", "101 N.J. 5", "--bank", bank).out
    larger = bank_with(tmp_path, later=later(OLD))
    printed = briefbank("card", "101 N.J. 5", "--bank", larger).out
    assert "of 3 documents" in printed
    assert "\nand 1 more (--json has all)\n" in printed


def test_a_search_that_asks_of_one_authority_names_its_card_and_one_of_several_does_not(
    briefbank: Briefbank, bank: Path
) -> None:
    def named(question: str) -> object:
        return json.loads(briefbank("search", question, "--bank", bank, "--json").out)["authority"]

    assert named("is State v. Ode still good law") == "State v. Ode"
    assert named("what became of State v. Ode, 101 N.J. 5") == "State v. Ode"
    assert named("is Ode still good law") == "State v. Ode, 101 N.J. 5"
    assert named("is the rule of Ode good") is None
    assert named("is consent still good law") is None
    assert named("did State v. Penn overrule State v. Ode") is None
    assert named("is 999 N.J. 1 good law") is None, "the bank knows nothing of it"
    assert named("consent to search") is None
    said = briefbank("search", "is State v. Ode still good law", "--bank", bank).out
    assert "What briefs report of it: briefbank card 'State v. Ode'\n" in said


def test_a_case_is_asked_for_by_a_party_alone_and_of_several_each_has_its_call(
    briefbank: Briefbank, bank: Path, tmp_path: Path
) -> None:
    assert card(briefbank, bank, "Penn")["names"] == ["State v. Penn, 150 N.J. 3"]
    other = "Consent was void. State v. Ode, 202 N.J. 7 (2010). See Ode v. Reed, 5 N.J. 1 (1950)."
    bank = bank_with(tmp_path, other=later(other))
    refused = briefbank("card", "ode", "--bank", bank)
    assert refused.code == ExitCode.USAGE
    calls = [shlex.split(each)[1:] for each in refused.err.splitlines() if each.strip().startswith("briefbank card")]
    found = [json.loads(briefbank(*call, "--bank", bank, "--json").out)["names"][0] for call in calls]
    assert found == [ODE, "Ode v. Reed, 5 N.J. 1", "State v. Ode, 202 N.J. 7"], "the most cited first"


def test_a_name_written_as_the_index_keeps_it_makes_no_card_of_two_cases(briefbank: Briefbank, tmp_path: Path) -> None:
    other = (
        "Consent was void. State v. Ode, 202 N.J. 7 (2010). In re Gale, 202 N.J. 90 (2010), overruled by State v. Rex, "
        "210 N.J. 3 (2012). It was asked for after the stop. A waiver is void. In re Gale, 150 N.J. 99 (1997)."
    )
    bank = bank_with(tmp_path, other=later(other))
    for name in ("state v ode", "in re gale"):
        refused = briefbank("card", name, "--bank", bank)
        assert (refused.code, "Several cases bear this name" in refused.err) == (ExitCode.USAGE, True), name


def test_a_brief_that_lists_an_authority_first_is_opened_where_it_argues_from_it(
    briefbank: Briefbank, tmp_path: Path
) -> None:
    listed = f"TABLE OF AUTHORITIES\n\nCases\n\n{ODE} (1986) ........ 3\n\n"
    argued = later(f"Consent was void. {ODE}, 9 (1986).")
    with Bank.open(bank_with(tmp_path, listed=listed + argued)) as opened:
        first = opened.card("101 N.J. 5").citing[0]
        assert first.document.source_path.endswith("listed.txt")
        passage = opened.passage(first.passage_id).passage
    assert "Consent was void." in passage.text
    assert [passage.text[slice(*each)] for each in first.places] == [ODE]


def test_what_became_of_a_case_is_opened_where_a_brief_argues_it_and_not_in_its_table(
    briefbank: Briefbank, tmp_path: Path
) -> None:
    became = f"{ODE}, overruled on other grounds, 150 N.J. 3 (1997)"
    listed = f"TABLE OF AUTHORITIES\n\nCases\n\n{became} ........ 3\n\n"
    argued = f"The consent was void. {became}. The driver did not know that she could refuse."
    with Bank.open(bank_with(tmp_path, listed=listed + later(argued))) as opened:
        (told,) = (each for each in opened.card("101 N.J. 5").treatments if "other grounds" in each.text)
    assert "driver did not know" in told.passage.text


def test_what_is_said_of_one_case_is_not_said_of_its_neighbour(briefbank: Briefbank, bank: Path) -> None:
    found = card(briefbank, bank, "150 N.J. 3")
    assert found["treatments"] == found["holdings"] == []


def test_a_card_is_read_by_people_and_carries_the_offices_alert(briefbank: Briefbank, tmp_path: Path) -> None:
    bank, table = bank_with(tmp_path), tmp_path / "careful.csv"
    table.write_text('authority,says\n"101 N.J. 5",never cite it alone\n', encoding="utf-8")
    assert briefbank("alerts", "--set", table, "--bank", bank).code == 0
    said = briefbank("card", "State", "v.", "Ode", "--bank", bank).out
    assert said.startswith(f"{ODE}\n! 101 N.J. 5: never cite it alone")
    assert "!! overruled by State v. Penn" in said
    assert said.endswith("Nothing here is newer than 2021-05-04, and BriefBank checked nothing itself.\n")


LIST = (
    "1. State v. Ode, 101 N.J. 5 (1986), and State v. J.Q., 130 N.J. 554 (1993). OVERRULED as to consent by "
    "State v. Penn, 150 N.J. 3 (1997). Cite State v. Rill, 160 N.J. 1 (1999), instead.\n\n"
    "2. State v. Roe, 110 N.J. 7 (1988). Not overruled. Do not cite without Wade v. Arno, 602 U.S. 779 (2024).\n\n"
    "State v. Dorn, 120 N.J. 4 (1990) | Limited to its facts | Keep only where yours are the same.\n\n"
    "The trooper in State v. Lind, 115 N.J. 2 (1989), asked for consent, and the motion was denied.\n"
)


@pytest.fixture
def bank_with_directive(tmp_path: Path) -> Path:
    text = (
        office.directive("2024-1", "Cases to be careful with", "January 5, 2024", "Check what you reuse.") + f"\n{LIST}"
    )
    return bank_with(tmp_path, list=text)


def test_what_directives_name_is_listed_and_a_person_makes_the_alert(
    briefbank: Briefbank, bank_with_directive: Path, tmp_path: Path
) -> None:
    table = tmp_path / "careful.csv"
    told = briefbank("alerts", "--propose", table, "--bank", bank_with_directive, "--json").json
    says = {each["authority"]: each["says"] for each in told["proposed"]}
    assert {each["date"] for each in told["proposed"]} == {"2024-01-05"}
    assert says[ODE] == says["State v. J.Q., 130 N.J. 554"]
    assert says[ODE].endswith("OVERRULED as to consent by State v. Penn, 150 N.J. 3 (1997).")
    assert says["State v. Dorn, 120 N.J. 4"].startswith("State v. Dorn, 120 N.J. 4 (1990) | Limited to its facts")
    assert says.keys() >= {"State v. Roe, 110 N.J. 7", "State v. Rill, 160 N.J. 1"}
    assert [each["authority"] for each in told["named"]] == ["State v. Penn, 150 N.J. 3"]
    printed = briefbank("alerts", "--propose", "--bank", bank_with_directive).out
    assert f"\n{ODE}\n    “1. {ODE} (1986), and" in printed
    assert re.search(r"    2024-01-05  .*areful with  .*\[\w+-\d+\]\n", printed)
    assert "is there already" in briefbank("alerts", "--propose", table, "--bank", bank_with_directive).err
    refused = briefbank("alerts", "--set", table, "--bank", bank_with_directive)
    assert "does not say what is to be known of State v. Ode" in refused.err


@pytest.mark.parametrize(
    ("row", "said"), [("", "a directive says “1. "), ("ours alone", "ours alone"), ("no warning", "")]
)
def test_what_a_directive_says_warns_wherever_a_brief_cites_it_until_the_list_says_otherwise(
    briefbank: Briefbank, bank_with_directive: Path, tmp_path: Path, row: str, said: str
) -> None:
    if row:
        table = office.write_text(tmp_path / "careful.csv", f'authority,says\n"101 N.J. 5",{row}\n')
        assert briefbank("alerts", "--set", table, "--bank", bank_with_directive).code == 0
    with Bank.open(bank_with_directive) as bank:
        hits = bank.search(Query("101 N.J. 5", top_k=9)).hits
        passages = [(bank.passage(each.passage.id), each.document.metadata.speaks_for_office) for each in hits]
    cautions = {(" ".join(found.cautions.get(found.passage.id, ())), is_own) for found, is_own in passages}
    assert {is_own for _, is_own in cautions} == {True, False}
    assert all((said in text) if said else "directive says" not in text for text, is_own in cautions if not is_own)
    assert not any("directive says" in text for text, is_own in cautions if is_own)


SECOND = "State v. Ode, 101 N.J. 5 (1986), is limited to cars that were stopped for speeding."


def test_what_is_decided_on_a_sentence_of_a_directive_is_in_force_at_once_and_taken_back(tmp_path: Path) -> None:
    head = office.directive("2024-1", "Cases to be careful with", "January 5, 2024", "Check what you reuse.")
    bank = Bank.open(
        bank_with(tmp_path, list=f"{head}\n{LIST}", second=office.directive("2025-1", "Stops", "May 2, 2025", SECOND))
    )
    ours = office.write_text(tmp_path / "ours.csv", 'authority,says\n"110 N.J. 7",ask the unit\n')
    bank.set_alerts(ours)

    def standing(of: str) -> dict[str, Standing]:
        return {each.words: each.standing for each in bank.said_by_directives() if each.authority.startswith(of)}

    def shown() -> list[str]:
        hits = bank.search(Query("101 N.J. 5", top_k=9)).hits
        return sorted({each for hit in hits for each in hit.warnings if "Ode" in each})

    def decide(words: str, decision: Decision) -> list[Standing]:
        bank.decide_on_directive(ODE, words, decision)
        return [standing("State v. Ode")[each] for each in (first, second)]

    second, first = standing("State v. Ode")
    before = shown()
    assert [standing("State v. Ode")[each] for each in (first, second)] == [Standing.WARNS] * 2
    assert decide(first, Decision.SILENCE) == [Standing.SILENCED, Standing.ACCEPTED]
    (only,) = shown()
    assert SECOND in only
    assert "directive says" not in only
    assert decide(second, Decision.SILENCE) == [Standing.SILENCED] * 2
    assert shown() == []
    assert decide(first, Decision.ACCEPT) == [Standing.ACCEPTED, Standing.SILENCED]
    assert decide(second, Decision.ACCEPT) == [Standing.ACCEPTED] * 2
    assert len(shown()) == 2
    assert decide(first, Decision.UNDO) == [Standing.WARNS] * 2
    assert shown() == before
    (roe,) = standing("State v. Roe")
    assert standing("State v. Roe")[roe] is Standing.REPLACED
    with pytest.raises(UsageError, match="ask the unit"):
        bank.decide_on_directive("State v. Roe, 110 N.J. 7", roe, Decision.SILENCE)
    (penn,) = standing("State v. Penn")
    bank.decide_on_directive("State v. Penn, 150 N.J. 3", penn, Decision.ACCEPT)
    assert standing("State v. Penn") == {penn: Standing.ACCEPTED}
    assert {"ask the unit", penn} == {each.says for each in bank.listed_alerts()}


def test_a_list_with_a_row_that_cannot_be_read_is_not_written_anew(bank_with_directive: Path) -> None:
    bank, kept = Bank.open(bank_with_directive), "authority,says\nnobody,nothing\n"
    said = next(each for each in bank.said_by_directives() if each.standing is Standing.WARNS)
    (bank_with_directive / "alerts.csv").write_text(kept, encoding="utf-8")
    with pytest.raises(SettingsError, match="no citation"):
        bank.decide_on_directive(said.authority, said.words, Decision.ACCEPT)
    assert (bank_with_directive / "alerts.csv").read_text(encoding="utf-8") == kept


def test_what_the_table_of_a_folder_calls_a_directive_is_read_as_one(briefbank: Briefbank, tmp_path: Path) -> None:
    def named() -> set[str]:
        told = briefbank("alerts", "--propose", "--bank", bank, "--json").json
        return {each["authority"] for each in (*told["proposed"], *told["named"])}

    bank = bank_with(tmp_path, memo=office.memo("Cases", "Check these.") + f"\n{LIST}")
    assert named() == set()
    office.write_text(tmp_path / "briefs" / "briefbank.csv", "file,kind\nmemo.txt,directive\n")
    assert briefbank("index", tmp_path / "briefs", "--bank", bank, "--quiet").code == 0
    assert {ODE, "State v. J.Q., 130 N.J. 554", "State v. Roe, 110 N.J. 7", "State v. Dorn, 120 N.J. 4"} <= named()


RECEIVED = """ALERT
June 5, 2025
FROM THE OTHER SIDE

1. State v. Ode, 101 N.J. 5 (1986), was limited by State v. Moss, 170 N.J. 2 (2005), to cars; its holding is reaffirmed.
2. Miranda v. Arizona, 384 U.S. 436 (1966), was overruled by State v. Moss, 170 N.J. 2 (2005). Do not cite it.
"""


@pytest.mark.parametrize("head", ["ALERT", "Guidelines", "PUBLIC BULLETIN", "DIRECTIVE 2025-2"])
@pytest.mark.parametrize("table", ["", "file,kind\npaper.txt,directive\n", "file,kind\n./,directive\n"])
def test_a_received_paper_does_not_speak_for_the_office(
    briefbank: Briefbank, bank_with_directive: Path, tmp_path: Path, head: str, table: str
) -> None:
    received = tmp_path / "briefs/received"
    office.write_text(received / "paper.txt", RECEIVED.replace("ALERT", head))
    if table:
        office.write_text(received / "briefbank.csv", table)
    told = briefbank("index", tmp_path / "briefs", "--bank", bank_with_directive, "--quiet", "--json").json
    assert any("counts as the office's word only" in str(note) for note in told["notes"]) or table
    assert any("Move these rows there. Lines: 2." in str(note) for note in told["notes"]) == bool(table)
    found = card(briefbank, bank_with_directive, ODE)
    assert [each["filed"] for each in found["directives"]] == ["2024-01-05"]
    proposed = briefbank("alerts", "--propose", "--bank", bank_with_directive, "--json").json["proposed"]
    assert {each["date"] for each in proposed} == {"2024-01-05"}
    assert card(briefbank, bank_with_directive, "384 U.S. 436")["directives"] == []


def test_what_a_directive_says_against_an_authority_stands_before_a_newer_one_that_praises_it(
    briefbank: Briefbank, tmp_path: Path
) -> None:
    old = office.directive("2024-1", "Cases", "January 5, 2024", "Check these.") + f"\n{LIST}"
    new = (
        office.directive("2025-1", "Cases", "March 5, 2025", "Use these.")
        + "\nState v. Ode, 101 N.J. 5 (1986), was followed.\n"
    )
    bank = bank_with(tmp_path)
    for name, text in (("old", old), ("new", new)):
        office.write_text(tmp_path / f"briefs/directives/{name}.txt", text)
    office.write_text(tmp_path / "briefs/briefbank.csv", "file,kind\ndirectives/,directive\n")
    assert briefbank("index", tmp_path / "briefs", "--bank", bank, "--quiet").code == 0
    found = card(briefbank, bank, ODE)["directives"]
    assert [each["filed"] for each in found] == ["2024-01-05", "2025-03-05"]
    table = tmp_path / "careful.csv"
    assert briefbank("alerts", "--propose", table, "--bank", bank).code == 0
    dates = [line.split(",")[-2] for line in table.read_text("utf-8").splitlines() if "State v. Ode" in line]
    assert dates == ["2024-01-05", "2025-03-05"]


def test_a_card_quotes_a_directive_until_the_list_has_it(
    briefbank: Briefbank, bank_with_directive: Path, tmp_path: Path
) -> None:
    (quoted,) = card(briefbank, bank_with_directive, ODE)["directives"]
    assert "OVERRULED as to consent" in quoted["text"]
    assert "areful with" in quoted["title"]
    assert "What directives say (no statement of the law):" in briefbank("card", ODE, "--bank", bank_with_directive).out
    assert card(briefbank, bank_with_directive, "150 N.J. 3")["directives"] == []
    table = tmp_path / "careful.csv"
    table.write_text(f'authority,says\n"{ODE}",no longer law on consent\n', encoding="utf-8")
    assert briefbank("alerts", "--set", table, "--bank", bank_with_directive).code == 0
    assert card(briefbank, bank_with_directive, ODE)["directives"] == []


def test_an_authority_that_nobody_cites_has_a_card_that_says_so(briefbank: Briefbank, bank: Path) -> None:
    told = briefbank("card", "999 N.J. 1", "--bank", bank)
    assert (told.code, told.out) == (0, "999 N.J. 1\nNo brief of this bank cites it.\n")


@pytest.mark.parametrize(
    ("text", "said"), [("consent", "names no authority"), ("101 N.J. 5 and 150 N.J. 3", "several")]
)
def test_a_text_that_names_none_or_several_is_refused(briefbank: Briefbank, bank: Path, text: str, said: str) -> None:
    told = briefbank("card", text, "--bank", bank)
    assert told.code == 2
    assert said in told.err


MENTIONS = Path(__file__).resolve().parents[1] / "data" / "mentions.txt"
_MARKED = re.compile(r"\{(?P<case>[A-Z]):(?P<words>[^{}]*)\}")


@pytest.fixture(scope="module")
def marked_briefs() -> list[list[str]]:
    """The paragraphs of each brief, their mentions still marked."""
    _, _, briefs = MENTIONS.read_text(encoding="utf-8").partition("\n\n")
    return [each.strip().split("\n\n") for each in briefs.split("====\n")]


def test_the_card_counts_a_case_in_whatever_form_it_is_mentioned(
    briefbank: Briefbank, tmp_path: Path, marked_briefs: list[list[str]]
) -> None:
    counted = marked = 0
    for number, paragraphs in enumerate(marked_briefs):
        root, folder = office.write_bank(tmp_path / f"bank{number}"), tmp_path / f"briefs{number}"
        points = [(f"POINT OF LAW {at}.", _MARKED.sub(r"\g<words>", each)) for at, each in enumerate(paragraphs)]
        office.write_text(folder / "brief.txt", office.brief("Iva Noone", "A-0001-19T1", "May 4, 2019", *points))
        assert briefbank("index", folder, "--bank", root, "--quiet").code == 0
        cases: dict[str, list[str]] = {}
        for match in _MARKED.finditer("\n".join(paragraphs)):
            cases.setdefault(match["case"], []).append(match["words"])
        for mentions in cases.values():
            told = briefbank("card", mentions[0], "--bank", root, "--json")
            assert told.code == 0, told.err
            found = json.loads(told.out)["mentions"]
            assert found <= len(mentions), mentions[0]
            counted, marked = counted + found, marked + len(mentions)
    assert marked > 60
    assert counted >= 0.95 * marked, (counted, marked)


def test_a_person_of_the_name_of_a_case_is_no_mention_of_it(briefbank: Briefbank, tmp_path: Path) -> None:
    root, folder = office.write_bank(tmp_path / "bank"), tmp_path / "briefs"
    text = (
        "Consent must be knowing. State v. Harrow, 201 N.J. 14 (2010). Officer Harrow testified that it was. Harrow "
        "told the jury so, and Mr. Harrow lives on Harrow Street. State v. Quill, 188 N.J. 1 (2006), and State v. "
        "Quill, 9 N.J. 3 (1952), are of no help to the State, for Quill was decided on other facts. In State v. Noone, "
        "7 N.J. 1 (1951), the panel affirmed. Noone objects to that."
    )
    office.write_text(folder / "brief.txt", office.brief("Iva Noone", "A-0001-19T1", "May 4, 2019", ("CONSENT.", text)))
    assert briefbank("index", folder, "--bank", root, "--quiet").code == 0
    for cited in ("201 N.J. 14", "188 N.J. 1", "7 N.J. 1"):
        assert card(briefbank, root, cited)["mentions"] == 1, cited


def test_a_case_that_is_cited_by_its_docket_has_a_card(briefbank: Briefbank, tmp_path: Path) -> None:
    unpublished = "State v. Vance, No. A-1234-12T4 (App. Div. May 3, 2013)"
    docket = (
        f"A stop may not be drawn out for consent to a search of a car. {unpublished}. It was, and for long. Id. at 3."
    )
    both = (
        "The stop was drawn out. State v. Vance, No. A-1234-12T4, 2013 WL 55 (App. Div. May 3, 2013). So it was here."
    )
    moor = office.brief("Di Moor", "A-0004-23T1", "May 4, 2023", ("STOP.", both))
    lane = office.brief("Cy Lane", "A-0003-22T1", "May 4, 2022", ("STOP.", docket))
    bank = bank_with(tmp_path, a=lane, b=moor)
    for asked in ("A-1234-12", "Docket No. A-1234-12T4", "2013 WL 55", unpublished):
        found = card(briefbank, bank, asked)
        assert [each["filed"] for each in found["briefs"]] == ["2023-05-04", "2022-05-04"], asked
        assert found["mentions"] == 3
    assert briefbank("card", "A-0003-22T1", "--bank", bank).code == ExitCode.USAGE, "a brief's own docket is none"
