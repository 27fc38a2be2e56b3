"""What directives say against authorities, in the forms that lists, tables and letters of an office take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from briefbank.ingest.directives.entries import entries
from briefbank.ingest.directives.units import units
from briefbank.law.citations import load_patterns

AMES, BOND, COE, DORN = (
    "State v. Ames, 101 N.J. 5",
    "State v. Bond, 102 N.J. 6",
    "State v. Coe, 103 N.J. 7",
    "State v. Dorn, 104 N.J. 8",
)
CASES = {"AMES": AMES, "BOND": BOND, "COE": COE, "DORN": DORN}
PATTERNS = load_patterns()


def told(text: str) -> dict[str, str]:
    """The authorities that a directive speaks against, each with its words."""
    paragraphs = [([f"p-{number}"], each) for number, each in enumerate(text.split("\n\n"))]
    return {each.authority: each.says for each in entries(list(units(paragraphs)), PATTERNS)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"1. {AMES} (1986). OVERRULED by {DORN} (1989).", {AMES: f"OVERRULED by {DORN} (1989)."}),
        (
            f"OVERRULED: {AMES} (1986); {BOND} (1987).\n\nGOOD LAW: {DORN} (1989).",
            {AMES: "OVERRULED", BOND: "OVERRULED"},
        ),
        (
            (
                f"The following may not be cited:\n\n1. {AMES} (1986)\n\n2. {BOND} (1987). Cite {DORN} (1989), instead."
                f"\n\n3. {COE} (1988), still good law on venue."
            ),
            dict.fromkeys((AMES, BOND), "The following may not be cited"),
        ),
        (f"PART ONE. NEVER.\n\n{AMES} (1986).\n\nPART TWO. FREELY.\n\n{BOND} (1987).", {AMES: "PART ONE. NEVER."}),
        (
            f"Case | Status | Use instead\n\n{AMES} (1986) | Overruled | {DORN} (1989)\n\n{BOND} (1987) | None | None",
            {AMES: "Overruled"},
        ),
        (f"Do not cite | Cite instead\n\n{AMES} (1986) | {DORN} (1989)", {AMES: "Do not cite"}),
        (
            f"Case\n\nStatus\n\n{AMES} (1986)\n\nLimited to its facts\n\n{BOND} (1987)\n\nGood law",
            {AMES: "Limited to its facts"},
        ),
        (
            (
                f"Decision: {AMES} (1986)\n\nHistory: overruled\n\nAuthority: {DORN} (1989)\n\nDecision: {BOND} (1987)"
                "\n\nHistory: none"
            ),
            {AMES: "overruled"},
        ),
        (f"Authority: {AMES} (1986) Status: withdrawn\nAuthority: {BOND} (1987) Status: clear", {AMES: "withdrawn"}),
        (f"- {AMES} (1986) (overruled)\n- {BOND} (1987) (not overruled)", {AMES: "overruled"}),
        (
            f"Please stop citing {AMES} (1986), and {BOND} (1987).",
            dict.fromkeys((AMES, BOND), f"Please stop citing {AMES} (1986), and {BOND} (1987)."),
        ),
        (f"Cite {DORN} (1989), instead of {AMES} (1986).", {AMES: f"Cite {DORN} (1989), instead of {AMES} (1986)."}),
        (f"Use {AMES} (1986), with caution.", {AMES: "with caution."}),
        (f"{AMES} (1986), did not survive {DORN} (1989).", {AMES: f"did not survive {DORN} (1989)."}),
        (
            f"6. {AMES} (1986), and all cases that rest on it, among them {BOND} (1987). No longer good law.",
            dict.fromkeys((AMES, BOND), "No longer good law."),
        ),
        ("R. 7:4-9. Amended. Ask the unit.", {"R. 7:4-9": "Amended."}),
        ("N.J.R.E. 404(b): text changed in 2020.", {"N.J.R.E. 404(b)": "text changed in 2020."}),
        (f"Overruled. {AMES} (1986), and {BOND} (1987).", dict.fromkeys((AMES, BOND), "Overruled.")),
        (f"Q. May we still cite {AMES} (1986)?\nA. No. The Court has spoken.", {AMES: "A. No."}),
        (
            f"{DORN} (1989), came down on Monday. It abrogates {AMES} (1986). The court also narrowed {BOND} (1987).",
            {AMES: f"It abrogates {AMES} (1986).", BOND: f"The court also narrowed {BOND} (1987)."},
        ),
        (
            f"Never:\n- {AMES} (1986)\n\nAmes is the oldest of them. Bond was overruled as well.\n\n1. {BOND} (1987).",
            {AMES: "Never", BOND: "was overruled as well."},
        ),
        (
            f"OVERRULED OR LIMITED\n{AMES} (1986)\n{BOND} (1987)\nR. 7:4-9(a)",
            dict.fromkeys((AMES, BOND, "R. 7:4-9(a)"), "OVERRULED OR LIMITED"),
        ),
        (
            "Entry: RCW 69.50.4013\nStatus: Void in part\nOverruling case: State v. Poe, 9 Wn.2d 1",
            {"RCW 69.50.4013": "Void in part"},
        ),
        (
            f"{AMES} (1986), is settled. The companion case, {BOND} (1987), is to be used only with a footnote.",
            {BOND: "is to be used only with a footnote."},
        ),
    ],
)
def test_what_a_directive_says_against_an_authority_is_read_in_any_form(text: str, expected: dict[str, str]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"The conviction in {AMES} (1986), was reversed because the jury was misled. It is the case to cite.",
        f"In {AMES} (1986), the Court held that the search was unconstitutional.",
        f"{AMES} (1986): the prosecutor will say that this was overruled. It was not.",
        f"{AMES} (1986). Penn was itself overruled, and need not trouble anybody.",
        f"{AMES} (1986), remains the rule. Older opinions that follow it alone may no longer be cited.",
        "File the notice within 45 days under R. 2:4-1(a). Do not use the old form.",
        "Cite the record as R. 2:6-8 requires. Never cite unpublished opinions without notice.",
        f"Limited searches\n\n{AMES} (1986)",
        f"Motion for sanctions, including an adverse inference\n\n{AMES} (1986)",
        f"Q. Is it true that {AMES} (1986), was overruled?\nA. It was not. A concurrence asked for it.",
        f"{AMES} (1986). It is good law. The opinions that call it into question bind nobody.",
        f"The State will tell you that {DORN} (1989), overruled {AMES} (1986). It did not.",
        f"There is no reason to avoid {AMES} (1986).",
        f"The following remain good law:\n\n{AMES} (1986)",
        f"{AMES} (1986), may be cited without qualification.",
        "Minn. R. Crim. P. 26.01 has not changed.",
        f"{AMES} (1986), has lost nothing of its force.",
        f"{AMES} (1986), is not only good law but the leading case.",
        f"{AMES} (1986). Questioned in a dissent only.",
        f"{AMES} (1986). Reversed for failure to charge self-defense.",
        f"{AMES} (1986), rejected the claim that N.J.S.A. 2C:33-10 is vague.",
        f"The statement that {AMES} (1986), had been reversed was wrong.",
        f"{AMES} (1986). Neither opinion limits it.",
        "A bill to repeal N.J.S.A. 2C:33-10 is pending.",
        f"See {AMES} (1986). Remove page 41.",
        f"Good law\n\n{AMES} (1986)\n\nBad law",
    ],
)
def test_what_is_said_of_something_else_or_denied_is_not_told_of_an_authority(text: str) -> None:
    assert told(text) == {}


SENTENCES = (Path(__file__).parents[1] / "data" / "directives" / "directive-sentences.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("sentence", SENTENCES.split("\n\n", 1)[1].splitlines())
def test_a_sentence_speaks_against_what_it_is_said_of_and_nothing_else(sentence: str) -> None:
    meant = {CASES.get(each, each) for each in re.findall(r"\{(.+?)\}", sentence)}
    text = re.sub(r"AMES|BOND|COE|DORN", lambda name: f"{CASES[name[0]]} (1986)", re.sub(r"[{}]", "", sentence))
    assert set(told(text)) == meant


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Status: Overruled.\n{AMES} (1986)\nBy: {DORN} (1989)", {AMES}),
        (f"Old | New\n\n{AMES} (1986) | {DORN} (1989)", {AMES}),
        (f"{AMES} (1986) -- delete -- no use to anybody\n{BOND} (1987) -- keep -- followed last year", {AMES}),
        (f"{BOND} (1987), is the case. Ames will not do: see {AMES} (1986).", {AMES}),
        (f"{AMES} (1986), and {BOND} (1987), were of one panel. Both are gone.", {AMES, BOND}),
        (f"{AMES} (1986), which narrowed {BOND} (1987), has been vacated.", {AMES}),
        (f"The prison cases are of no use, notably {AMES} (1986).", {AMES}),
        (
            "Iowa Code § 901.5(10) and Wis. Stat. § 343.305(3)(b) were rewritten.",
            {"Iowa Code § 901.5(10)", "Wis. Stat. § 343.305(3)(b)"},
        ),
        (f"In light of {DORN} (1989), {AMES} (1986), is questionable.", {AMES}),
        (f"Case | Disposition\n\n{AMES} (1986) | Overruled, {DORN} (1989)", {AMES}),
        (f"{BOND} (1987), is cited there.\n\nUJI 9. See {BOND} (1987). La. Const. art. I, § 17(A): amended.", set()),
        (f"The Unit's caution list\nSecond edition\n\n{AMES} (1986). Sound.\n\n{BOND} (1987). Withdrawn.", {BOND}),
    ],
)
def test_who_is_meant_is_told_by_the_sentences_around_and_the_form_of_an_entry(text: str, expected: set[str]) -> None:
    assert set(told(text)) == expected


def test_a_table_and_its_heading_end_with_the_prose_behind_them() -> None:
    text = f"Do not cite:\n\n{AMES} (1986)\n\nAsk the training unit where in doubt about any of these.\n\n{BOND} (1987)"
    assert told(text) == {AMES: "Do not cite"}


DIRECTIVES = Path(__file__).parents[1] / "data" / "directives"
FLOORS = {
    "offices": (94, 0.9, 0.98),
    "manners/*": (309, 0.33, 0.92),
    "later": (43, 0.76, 0.9),
    "others": (108, 0.3, 0.8),
    "sentences/*": (337, 0.32, 0.95),
}
"""By the names of files: how many authorities are warned of, and of recall and precision less than measured there."""


def directives(names: str) -> Iterator[str]:
    """The directives of files, those of a sentence each among them."""
    for file in sorted(DIRECTIVES.glob(f"{names}.txt")):
        text = file.read_text(encoding="utf-8")
        if file.parent.name != "sentences":
            yield from text.split("\n====\n")[file.stem == "offices" :]
            continue
        for line in text.splitlines():
            named = re.sub(r"({?)\b(AMES|BOND|COE|DORN)\b(}?)", _in_full, line)
            yield named.replace(" ¶ ", "\n\n")


def _in_full(name: re.Match[str]) -> str:
    case, cited = CASES[name[2]].split(", ")
    return f"{case}, {name[1]}{cited}{name[3]} ({1986 + 'ABCD'.index(name[2][0])})"


@pytest.mark.parametrize("names", FLOORS)
def test_directives_in_many_manners_are_read(names: str) -> None:
    warned, recall, precision = FLOORS[names]
    meant = right = said = 0
    for directive in directives(names):
        marked = [re.sub(r"\W", "", each) for each in re.findall(r"\{(.+?)\}", directive)]
        labels = {re.sub(r"\W", "", each) for each in told(directive.translate({ord("{"): "", ord("}"): ""}))}
        found = [each for each in marked if any(each in label for label in labels)]
        meant, right, said = meant + len(marked), right + len(found), said + len(labels)
    assert (meant, right / meant >= recall, right / said >= precision) == (warned, True, True), (right, said)


def test_the_sample_list_is_told_without_successors_and_other_directives_tell_nothing() -> None:
    samples = Path(__file__).parents[1] / "data" / "samples" / "sources"
    found = {each.stem: told(each.read_text(encoding="utf-8")) for each in samples.glob("directive-*.md")}
    listed = found.pop("directive-authorities-alert-list-2026")
    assert (len(listed), any(found.values())) == (17, False)
    assert not any("Gant" in each or "Witt" in each or "Patel" in each or "Andujar" in each for each in listed)
