"""What a text says of how decisions are treated, sentence by sentence and beside their citations."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from briefbank.law.behind_citation import Saying, sayings
from briefbank.law.treatment import VERBS, Severity, TreatmentPattern, treatment_patterns, treatments
from briefbank.values.records import Span


def _is_negative(sentence: str) -> bool:
    return any(each.severity in (Severity.STOP, Severity.WARNING) for each in treatments(sentence))


OVERRULING = Path(__file__).parents[2] / ".." / "shared" / "corpora" / "overruling-sentences.tsv"


@pytest.mark.parametrize("pattern", treatment_patterns().treatment, ids=lambda each: each.kind)
def test_every_pattern_finds_its_examples(pattern: TreatmentPattern) -> None:
    for example in pattern.examples:
        assert (pattern.kind, pattern.severity) in {(each.kind, each.severity) for each in treatments(example)}, example


@pytest.mark.parametrize("sentence", treatment_patterns().counters)
def test_what_courts_overrule_every_day_is_no_treatment(sentence: str) -> None:
    assert treatments(sentence) == ()


def test_words_found_twice_count_once_and_a_plain_sentence_has_none() -> None:
    (only,) = treatments("To the extent that Harrow conflicts with this opinion, it is overruled.")[1:]
    assert only.kind == "overruled"
    assert not _is_negative("The trooper asked the driver for consent, and Harrow controls.")


def test_an_objection_overruled_beside_a_case_overruled_hides_nothing() -> None:
    assert _is_negative("The court overruled the objection, and State v. Tanner has since been overruled.")


@pytest.mark.parametrize(
    ("text", "cited", "expected"),
    [
        (
            "See State v. Ode, 101 N.J. 5, 9 (1986), overruled by State v. Penn, 150 N.J. 3 (1997).",
            "State v. Ode, 101 N.J. 5",
            [("overruled by State v. Penn, 150 N.J. 3 (1997)", "overruled", Severity.STOP)],
        ),
        (
            "State v. Ode, 101 N.J. 5 (1986), rev'd on other grounds, 104 N.J. 1 (1988)",
            "State v. Ode, 101 N.J. 5",
            [("rev'd on other grounds, 104 N.J. 1 (1988)", "reversed on other grounds", Severity.CAUTION)],
        ),
        (
            "State v. Ode, 101 N.J. 5, 9-10 (1986) (holding that consent (given in custody) was void).",
            "State v. Ode, 101 N.J. 5",
            [("holding that consent (given in custody) was void", "holding", None)],
        ),
        (
            "State v. Penn, 150 N.J. 3 (1997) (overruling State v. Ode, 101 N.J. 5 (1986)).",
            "State v. Ode, 101 N.J. 5",
            [("overruling State v. Ode, 101 N.J. 5", "overruled", Severity.STOP)],
        ),
        ("State v. Ode, 101 N.J. 5 (1986) (App. Div.). The court overruled him.", "State v. Ode, 101 N.J. 5", []),
        ("State v. Ode, 101 N.J. 5 (1986), aff'd, 103 N.J. 2 (1987)", "State v. Ode, 101 N.J. 5",
         [("aff'd, 103 N.J. 2 (1987)", "aff'd", Severity.NEUTRAL)]),
        ("State v. Ode, 101 N.J. 5 (1986), certif. denied, 102 N.J. 1 (1987), overruled by Penn, 150 N.J. 3 (1997)",
         "State v. Ode, 101 N.J. 5", [("overruled by Penn, 150 N.J. 3 (1997)", "overruled", Severity.STOP)]),
        ("State v. Ode, 101 N.J. Super. 5 (App. Div.), certif. denied, 52 N.J. 1, overruled by Penn, 150 N.J. 3 (1997)",
         "State v. Ode, 101 N.J. Super. 5", [("overruled by Penn, 150 N.J. 3 (1997)", "overruled", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5, cert. denied, 479 U.S. 98, 107 S. Ct. 5, 93 L. Ed. 2d 5 (1986), overruled in Penn.",
         "State v. Ode, 101 N.J. 5", [("overruled in Penn", "overruled", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5 (1986) (overruled on other grounds by State v. Penn, 150 N.J. 3 (1997)).",
         "State v. Ode, 101 N.J. 5",
         [("overruled on other grounds by State v. Penn, 150 N.J. 3 (1997)", "overruled on other grounds",
           Severity.CAUTION)]),
        ("State v. Ode, 101 N.J. 5 (1986) (overruled on other grounds). He was", "State v. Ode, 101 N.J. 5",
         [("overruled on other grounds", "overruled on other grounds", Severity.CAUTION)]),
        ("State v. Ode, 101 N.J. 5 (1986), rev'd other grounds, 104 N.J. 1 (1988).", "State v. Ode, 101 N.J. 5",
         [("rev'd other grounds, 104 N.J. 1 (1988)", "reversed on other grounds", Severity.CAUTION)]),
        ("State v. Ode, 101 N.J. 5 (1986), rev'd, 104 N.J. 1 (1988) (on other grounds).", "State v. Ode, 101 N.J. 5",
         [("rev'd, 104 N.J. 1 (1988) (on other grounds)", "reversed on other grounds", Severity.CAUTION)]),
        ("State v. Ode, 101 N.J. 5 (App. Div. 1986, vacated and remanded).", "State v. Ode, 101 N.J. 5",
         [("vacated and remanded", "vacated", Severity.STOP)]),
        ("Ode v. State, 201 S.W.3d 5 (Tex. App. 2006, pet. ref’d) (not designated; overruled as to venue).",
         "Ode v. State, 201 S.W.3d 5", [("overruled as to venue", "overruled in part", Severity.CAUTION)]),
        ("State v. Ode, 101 N.J. 5, 9 (App.Div.1986; overruled on other grounds). He", "State v. Ode, 101 N.J. 5",
         [("overruled on other grounds", "overruled on other grounds", Severity.CAUTION)]),
        ("State v. Ode, 101 N.J. 5 (1986; overruled by State v. Penn)", "State v. Ode, 101 N.J. 5",
         [("overruled by State v. Penn", "overruled", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5 (1986) (overruled).", "State v. Ode, 101 N.J. 5",
         [("overruled", "overruled", Severity.STOP)]),
        ("He leans on State v. Ode, 101 N.J. 5 (1986), which the Supreme Court has since disapproved.",
         "State v. Ode, 101 N.J. 5", [("disapproved", "disapproved", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5 (1986), overruled State v. Rill, 90 N.J. 2 (1982).", "State v. Ode, 101 N.J. 5", []),
        ("We rest on State v. Ode, 101 N.J. 5 (1986). The State asks this Court to overrule it.",
         "State v. Ode, 101 N.J. 5", []),
        ("We rest on State v. Ode, 101 N.J. 5 (1986). This Court has now overruled it in terms.",
         "State v. Ode, 101 N.J. 5", [("overruled it", "overruled", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5 (1986), rev'd in part, aff'd in part, 104 N.J. 1 (1988)", "State v. Ode, 101 N.J. 5",
         [("rev'd in part, aff'd in part, 104 N.J. 1 (1988)", "reversed in part", Severity.CAUTION)]),
        ("State v. Ode, 101 N.J. 5 (1986), vacated and remanded, 104 N.J. 1 (1988)", "State v. Ode, 101 N.J. 5",
         [("vacated and remanded, 104 N.J. 1 (1988)", "vacated", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5 (1986), which was later abrogated by statute.", "State v. Ode, 101 N.J. 5",
         [("abrogated by statute", "abrogated", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5 (1986); Ode was later abrogated by statute.", "State v. Ode, 101 N.J. 5",
         [("abrogated by statute", "abrogated", Severity.STOP)]),
        ("State v. Ode, 101 N.J. 5 (1986), limited to its facts.", "State v. Ode, 101 N.J. 5",
         [("limited to its facts", "limited", Severity.CAUTION)]),
        ("In Penn the panel declined to follow State v. Ode, 101 N.J. 5 (1986), on that point.",
         "State v. Ode, 101 N.J. 5",
         [("declined to follow State v. Ode, 101 N.J. 5", "not followed", Severity.WARNING)]),
        ("State v. Ode, 101 N.J. 5 (1986), which the Court refused to follow.", "State v. Ode, 101 N.J. 5",
         [("refused to follow", "not followed", Severity.WARNING)]),
        ("The Court was limiting State v. Ode, 101 N.J. 5 (1986), to its facts.", "State v. Ode, 101 N.J. 5",
         [("limiting State v. Ode, 101 N.J. 5", "limited", Severity.CAUTION)]),
        ("The conviction in State v. Ode, 101 N.J. 5 (1986), was reversed by State v. Penn, 150 N.J. 3 (1997).",
         "State v. Ode, 101 N.J. 5",
         [("reversed by State v. Penn, 150 N.J. 3 (1997)", "reversed", Severity.STOP)]),
    ],
)  # fmt: skip
def test_what_is_said_beside_a_citation_is_said_of_that_authority(
    text: str, cited: str, expected: list[tuple[str, str, Severity | None]]
) -> None:
    at = text.index(cited)
    found: tuple[Saying, ...] = sayings(text, Span(at, at + len(cited)))
    assert [(text[slice(*each.span)], each.kind, each.severity) for each in found] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Crawford v. Washington, 541 U.S. 36 (2004), overruled Ohio v. Roberts, 448 U.S. 56 (1980).",
        "Crawford v. Washington, 541 U.S. 36 (2004), which overruled Ohio v. Roberts, 448 U.S. 56 (1980).",
        "Crawford v. Washington, 541 U.S. 36 (2004), modified the test of reliability.",
        "The panel, citing Crawford v. Washington, 541 U.S. 36 (2004), reversed the conviction.",
        "The panel, citing Crawford v. Washington, 541 U.S. 36 (2004), reversed.",
        "The panel cited Crawford v. Washington, 541 U.S. 36 (2004), and followed State v. Ode, 101 N.J. 5 (1986).",
        "No court has ever done so; the Court has never overruled Crawford v. Washington, 541 U.S. 36 (2004).",
        "No court has yet overruled Crawford v. Washington, 541 U.S. 36 (2004).",
        "Nothing here overrules Crawford v. Washington, 541 U.S. 36 (2004).",
        "The Court answered that without overruling Crawford v. Washington, 541 U.S. 36 (2004).",
        "The State asks the Court to consider overruling Crawford v. Washington, 541 U.S. 36 (2004).",
        "We rely on Crawford v. Washington, 541 U.S. 36 (2004), but Roberts was overruled by it.",
        "See Ohio v. Roberts and Crawford v. Washington, 541 U.S. 36 (2004). The Court has overruled Roberts.",
        "See Crawford v. Washington, 541 U.S. 36 (2004). The judge denied it; the panel reversed that decision.",
        "See Crawford v. Washington, 541 U.S. 36 (2004), and the order was reversed.",
        "The Court hasn’t limited Crawford v. Washington, 541 U.S. 36 (2004).",
        "The conviction in Crawford v. Washington, 541 U.S. 36 (2004), was reversed because the wife never testified.",
        "The conviction in Crawford v. Washington, 541 U.S. 36 (2004), was reversed. See Lee v. Roe, 5 U.S. 3 (2009).",
        "The plea in Crawford v. Washington, 541 U.S. 36 (2004), was vacated for it. In Lee v. Roe, 5 U.S. 3 (2009).",
        "The panel declined to follow Roberts, and Crawford v. Washington, 541 U.S. 36 (2004), tells why.",
    ],
)
def test_what_an_authority_or_a_court_did_is_not_said_to_have_befallen_the_authority(text: str) -> None:
    at = text.index("Crawford")
    assert sayings(text, Span(at, text.index("36") + 2)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Under Ode, limited searches of a glove box are lawful.",
        "Under Ode, the limited search was void.",
        "Under Ode, amended pleadings relate back.",
        "The judge held a limited Ode hearing.",
        "They asked for the modified Ode instruction.",
    ],
)
def test_a_participle_that_goes_with_a_noun_is_no_treatment_of_the_case_beside_it(text: str) -> None:
    at = text.index("Ode")
    assert sayings(text, Span(at, at + len("Ode"))) == ()


@pytest.mark.parametrize(
    "text",
    [
        "See Ode, limited sharply by Penn.",
        "See Ode, reversed after remand.",
        "See Ode, rev'd other grounds, 104 N.J. 1 (1988).",
        "The Court has limited Ode to its facts.",
        "He relies on the overruled Ode decision.",
    ],
)
def test_a_participle_of_the_case_itself_is_read_by_its_name_alone(text: str) -> None:
    at = text.index("Ode")
    assert len(sayings(text, Span(at, at + len("Ode")))) == 1


@pytest.mark.parametrize("cited", ["121 N.J. 1", "577 A.2d 12", "64 L. Ed. 2d 8"])
def test_what_became_of_a_case_is_not_said_of_an_order_that_denied_its_review(cited: str) -> None:
    order = "certif. denied, 121 N.J. 1, 577 A.2d 12, 64 L. Ed. 2d 8 (1986)"
    text = f"State v. Ode, 99 N.J. 2 (1985), {order}, overruled by Penn, 150 N.J. 3 (1997)."
    at = text.index(cited)
    assert sayings(text, Span(at, at + len(cited))) == ()


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_of_history_is_read_behind_a_citation(verb: str) -> None:
    text = f"State v. Ode, 101 N.J. 5 (1986), {verb} in 1997."
    (said,) = sayings(text, Span(0, len("State v. Ode, 101 N.J. 5")))
    assert said.severity is VERBS[verb]


@pytest.mark.corpus
@pytest.mark.skipif(not OVERRULING.is_file(), reason="the marked sentences are not beside the project")
def test_overruling_sentences_of_real_opinions_are_found() -> None:
    lines = OVERRULING.read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    marked, found = ([row["overruling"] == "1" for row in rows], [_is_negative(row["sentence"]) for row in rows])
    both = sum(one and other for one, other in zip(marked, found, strict=True))
    assert both / sum(found) >= 0.97
    assert 2 * both / (sum(marked) + sum(found)) >= 0.94
