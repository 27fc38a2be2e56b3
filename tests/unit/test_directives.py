"""What directives name beside a verb of treatment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from briefbank.ingest.sentences import sentence_spans
from briefbank.law.citations import CitationKind, PassageText, cite_document, load_patterns
from briefbank.search.directives import treated_in

AMES, BOND = "State v. Ames, 101 N.J. 5 (1986)", "State v. Bond, 102 N.J. 6 (1987)"
OTHERS = Path(__file__).parents[1] / "data" / "directives" / "others.txt"
PATTERNS = load_patterns()


def named(text: str) -> dict[str, set[str]]:
    """The authorities that a text cites in full, each with what is said beside a verb of treatment."""
    cited = cite_document([PassageText(text, [each.start for each in sentence_spans(text)])], PATTERNS)
    found: dict[str, set[str]] = {}
    for each in cited.passages[0]:
        said = treated_in(text, each.span)
        label = cited.authorities[each.authority].label
        if each.kind is CitationKind.FULL:
            found.setdefault(label, set())
        if said:
            found.setdefault(label, set()).add(text[slice(*said.span)].strip())
    return found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"1. {AMES}, was limited to its facts. Ask the unit.", f"1. {AMES}, was limited to its facts."),
        (f"Of note is {AMES}.\n\nIt was overruled in 2020.", f"Of note is {AMES}.\n\nIt was overruled in 2020."),
        (f"OVERRULED:\n\n{AMES}, among others.", f"OVERRULED:\n\n{AMES}, among others."),
        ("R. 7:4-9. Amended. Ask the unit.", "R. 7:4-9. Amended."),
        (f"{AMES}, came down on Monday. It is long. It limits much.", None),
        (f"Files are closed after ten years, see {AMES}.", None),
    ],
)
def test_a_verb_of_treatment_in_the_sentence_or_beside_it_is_told_with_its_words(text: str, says: str | None) -> None:
    (said,) = named(text).values()
    assert said == ({says} if says else set())


def test_the_authority_that_overrules_is_not_told_as_overruled() -> None:
    found = named(f"{AMES}, was overruled in part by {BOND}.")
    assert [bool(each) for each in found.values()] == [True, False]


def test_nine_in_ten_authorities_that_directives_warn_of_are_named_and_a_third_beside_a_verb() -> None:
    warned = in_list = beside = 0
    for directive in OTHERS.read_text(encoding="utf-8").split("\n====\n"):
        marked = [re.sub(r"\W", "", each) for each in re.findall(r"\{(.+?)\}", directive)]
        found = {re.sub(r"\W", "", label): bool(said) for label, said in named(re.sub(r"[{}]", "", directive)).items()}
        warned += len(marked)
        in_list += sum(any(each in label for label in found) for each in marked)
        beside += sum(any(each in label for label, is_treated in found.items() if is_treated) for each in marked)
    assert (warned, in_list >= 99, beside >= 40) == (108, True, True), (in_list, beside)
