"""Citations in briefs: every form found, one spelling for each authority, short forms resolved within the document."""

from __future__ import annotations

import time
from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest
from citing import PATTERNS, asked, cite, keys, told
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from systems import links

from briefbank.errors import SettingsError
from briefbank.law.citations import (
    CitationKind,
    PassageText,
    PatternSet,
    citations_in_query,
    cite_document,
    load_patterns,
)
from briefbank.law.citations.names import case_names, name_key
from briefbank.law.citations.patterns import Pattern
from briefbank.law.citations.reporters import reporters
from briefbank.law.legal_numbers import reporter_key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("R. 3:5-7(d)", "r 3:5-7(d)"),
        ("Rule 2:10-2", "r 2:10-2"),
        ("N.J.R.E. 404(b)", "njre 404(b)"),
        ("N.J.S.A. 2C:11-3(a)(1)", "njsa 2c:11-3(a)(1)"),
        ("NJSA 2C:44-1", "njsa 2c:44-1"),
        ("2C:11-3", "njsa 2c:11-3"),
        ("N.J. Stat. Ann. § 2A:4A-26", "njsa 2a:4a-26"),
        ("803(c)(27)", "rule 803(c)(27)"),
        ("Fed. R. Evid. 404(b)", "fre 404(b)"),
        ("18 U.S.C. § 922(g)", "18 usc 922(g)"),
        ("U.S. Const. amend. IV", "us const amend iv"),
        ("N.J. Const. art. I, ¶ 7", "nj const art i,¶7"),
        ("N.J.A.C. 10A:71-3.11(b)", "njac 10a:71-3.11(b)"),
        ("U.S.S.G. § 2D1.1(b)(1)", "ussg 2d1.1(b)(1)"),
        ("O.C.G.A. § 16-5-1", "ocga 16-5-1"),
        ("G. L. c. 277, § 14A", "mgl 277 14a"),
        ("Ill. S. Ct. R. 604(d)", "ill ct r 604(d)"),
        ("People v. Roe, 2021 IL App (1st) 190221", "2021 ilapp1st 190221"),
        ("People v Roe, 488 Mich 210", "488 mich 210"),
        ("Model Penal Code § 2.02", "model penal code 2.02"),
        ("170 N. J. 632", "170 nj 632"),
        ("214 S.W. 3d 9", "214 sw3d 9"),
        ("2002 WL 31051989", "2002 wl 31051989"),
    ],
)
def test_an_authority_has_one_key_however_it_is_written(text: str, key: str) -> None:
    assert key in keys(f"The question is governed by {text}, which was not followed.")


@pytest.mark.parametrize(
    "text",
    [
        "He was seen at 10:30 on 4 May 2019.",
        "(3T 5-7 to 12)",
        "Exhibit 12 MS 13 was shown.",
        "He v. her, said the note.",
    ],
)
def test_what_is_no_citation_is_left_alone(text: str) -> None:
    assert [each for each in told(cite(text)) if each[0] != "name"] == []


@pytest.mark.parametrize(
    "name",
    ["State v. Carty", "State of New Jersey v. Carty", "St. vs. CARTY", "State v. Carty, et al."],
)
def test_the_name_of_a_case_has_one_spelling(name: str) -> None:
    first, _, second = name.replace(" vs. ", " v. ").partition(" v. ")
    assert name_key(first, second) == "state v carty"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("See also State v. Carty, 170 N.J. 632 (2002).", "state v carty"),
        ("Under Hooper v. State, 214 S.W.3d 9 (Tex. Crim. App. 2007).", "hooper v state"),
        ("before January 12th.95 Cotton v. State, 472 S.W.2d 526.", "cotton v state"),
        ("Ex parte Moon, 649 S.W.3d 700", "ex parte moon"),
        ("In re Winship, 397 U.S. 358", "in re winship"),
    ],
)
def test_a_citation_takes_the_name_before_it(text: str, name: str) -> None:
    assert name in [each for authority in cite(text).authorities for each in authority.names]


@pytest.mark.parametrize(
    "cited",
    [
        "Renfrew v. Dep't of Corr., 512 U.S. 101, 104 (2011)",
        "Renfrew v. Quince, Inc., 512 U.S. 101",
        "State v. D.G., 512 U.S. 101",
    ],
)
def test_a_case_whose_name_ends_with_a_full_stop_is_one_authority_with_its_citation(cited: str) -> None:
    (authority,) = cite(f"See {cited}.").authorities
    assert "512 us 101" in authority.keys


@pytest.mark.parametrize(
    "heading",
    ["TABLE OF CITATIONS CASES PAGE", "40, 41, 42 State Cases", "LIST OF AUTHORITIES CONTINUED CASE PAGE"],
)
def test_the_heading_of_a_table_is_no_part_of_its_first_case(heading: str) -> None:
    (authority,) = cite(f"{heading} Renfrew v. Quince, 512 U.S. 101").authorities
    assert (authority.label, authority.names) == ("Renfrew v. Quince, 512 U.S. 101", ("renfrew v quince",))


@pytest.mark.parametrize("number", ["6. ", "9. 272 ", "EXPERTS\n\n6. "])
def test_the_number_of_a_list_is_no_part_of_its_case(number: str) -> None:
    (authority,) = cite(f"{number}Renfrew v. Quince, 512 U.S. 101").authorities
    assert (authority.label, authority.names) == ("Renfrew v. Quince, 512 U.S. 101", ("renfrew v quince",))


def test_of_two_reporters_of_one_abbreviation_every_run_takes_the_same() -> None:
    assert "505 wash 12" in keys("The office at 505 W. 12 was closed.")


def test_a_party_named_page_keeps_its_name() -> None:
    assert cite("See Page v. State, 213 S.W.3d 337.").authorities[0].label == "Page v. State, 213 S.W.3d 337"


def test_a_citation_takes_no_name_out_of_the_sentence_before_it() -> None:
    (authority,) = cite("The State relies on Renfrew v. Quince. 512 U.S. 101 is to the contrary.").authorities
    assert authority.names == ()


def test_parallel_citations_are_one_authority() -> None:
    found = cite("State v. Carty, 170 N.J. 632, 639-40, 790 A.2d 903 (2002). Later: 790 A.2d at 905.")
    assert {each.authority for each in found.passages[0]} == {0}
    assert {"170 nj 632", "790 a2d 903"} <= set(found.authorities[0].keys)


def test_a_string_of_cases_is_no_parallel_citation() -> None:
    found = cite(
        "State v. Carty, 170 N.J. 632 (2002), modified, 174 N.J. 351 (2002); State v. King, 44 N.J. 346 (1965)."
    )
    assert len({each.authority for each in found.passages[0]}) == 3


def test_short_forms_are_resolved_across_passages() -> None:
    found = cite(
        "State v. Carty, 170 N.J. 632 (2002), set the rule. State v. King, 44 N.J. 346 (1965), did not.",
        "In Carty, supra, the stop was over. Carty, 170 N.J. at 640. State v. Carty came first.",
    )
    assert told(found)[2:] == [("supra", "170 nj 632"), ("short", "170 nj 632"), ("name", "170 nj 632")]


def test_a_short_form_in_another_reporter_is_tied_by_the_name_before_it() -> None:
    found = cite(
        "Renfrew v. Quince, 104 S. Ct. 2052 (1984). Marsh v. Roe, 44 N.J. 346 (1965).",
        "Renfrew, 466 U.S. at 694. Then 466 U.S. at 700. Quince, 51 N.J. at 3, and 77 N.J. at 8.",
    )
    assert told(found)[2:] == [("short", "104 sct 2052")] * 3


@pytest.mark.parametrize(
    "cited",
    [
        "Renfrew v. Quince, 466 U.S. 668 (1984). See Renfrew, 500 U.S. at 12.",
        "Renfrew v. Quince, 104 S. Ct. 2052 (1984). Renfrew v. Roe, 90 S. Ct. 1 (1970). See Renfrew, 466 U.S. at 694.",
        "Renfrew v. Quince, 104 S. Ct. 2052 (1984). See Marsh, 466 U.S. at 694.",
    ],
)
def test_a_short_form_is_not_tied_to_a_case_that_it_need_not_mean(cited: str) -> None:
    assert "short" not in [kind for kind, _ in told(cite(cited))]


def test_id_means_the_last_authority_but_none_within_a_parenthesis() -> None:
    found = cite(
        "State v. Carty, 170 N.J. 632 (2002) (quoting State v. King, 44 N.J. 346 (1965)).", "Id. at 640. Ibid."
    )
    assert told(found)[2:] == [("id", "170 nj 632")] * 2


@pytest.mark.parametrize("record", ["(2T 13-5)", "(3 RR 45)", "(Da 4)"])
def test_id_after_the_record_means_the_record(record: str) -> None:
    assert told(cite(f"State v. Carty, 170 N.J. 632 (2002). He said so. {record}. Id. at 14."))[1:] == []


def test_id_does_not_reach_over_a_heading() -> None:
    assert told(cite("State v. Carty, 170 N.J. 632 (2002).", "Id. at 640.", sections=(0, 1)))[1:] == []


def test_id_with_a_page_means_the_last_case_not_a_rule_named_since() -> None:
    found = cite("State v. Carty, 170 N.J. 632 (2002), read N.J.S.A. 2C:11-3 narrowly. Id. at 640. Id.")
    assert [key for kind, key in told(found) if kind == "id"] == ["170 nj 632"] * 2


def test_a_bare_rule_belongs_to_the_rules_that_the_document_cites() -> None:
    found = cite(
        "N.J.R.E. 404(b) bars it.", "Under Rule 404(b)(2) nothing else follows, and 803(c)(1) is another matter."
    )
    assert told(found) == [("full", "njre 404(b)"), ("short", "njre 404(b)(2)"), ("short", "rule 803(c)(1)")]


def test_what_is_discussed_weighs_more_than_what_is_listed() -> None:
    found = cite(
        "Consent given after the warning was written is tainted by the detention that came before it, and a form "
        "signed in the dark does not change that. State v. Carty, 170 N.J. 632 (2002). See also State v. King, 44 N.J. "
        "346 (1965); State v. Johnson, 68 N.J. 349 (1975); State v. Elders, 192 N.J. 224 (2007)."
    )
    weights = [each.weight for each in found.passages[0]]
    assert weights[0] > max(weights[1:])
    assert min(weights) > 0


LEGAL = st.sampled_from(
    "State v. Carty , 170 N.J. 632 790 A.2d 903 at (2002) Id. id. supra ; § 2C:11-3 R. 3:5-7 Rule 404(b) (quoting ) "
    "In re Ex parte U.S. \n\n 12 “ ” Tex. Penal Code App. 45 WL v. vs. No. -".split(" ")
)


@given(st.lists(st.lists(LEGAL, max_size=25).map(" ".join), max_size=4))
def test_any_text_yields_citations_within_it(texts: list[str]) -> None:
    found = cite_document([PassageText(text, [0]) for text in texts], PATTERNS)
    assert len(found.passages) == len(texts)
    for text, passage in zip(texts, found.passages, strict=True):
        for each in passage:
            assert 0 <= each.span.start < each.span.end <= len(text)
            assert each.authority < len(found.authorities)
            assert each.weight > 0
            assert isinstance(each.kind, CitationKind)


def test_hostile_texts_take_no_long_time() -> None:
    started = time.process_time()
    for unit in ("State v. ", "A. B. ", "1 U.S. ", "(quoting ", "Id. ", "§ 2C:1", "In re In re ", "A, B & ", "(a)"):
        cite_document([PassageText(unit * 700, [0])], PATTERNS)
    assert time.process_time() - started < 30


OFFICE = """
[[pattern]]
title = "Attorney General directives"
family = "ag directive"
regex = '''(?:AG|Attorney\\s+General)\\s+Directive\\s+(?:No\\.\\s+)?(?P<number>\\d{4}-\\d+)'''
examples = ["AG Directive 2021-5", "Attorney General Directive No. 2019-4"]
"""


def test_an_office_adds_its_own_patterns(tmp_path: Path) -> None:
    (tmp_path / "citations.toml").write_text(OFFICE, encoding="utf-8")
    patterns = load_patterns(tmp_path / "citations.toml")
    found = cite_document([PassageText("As AG Directive 2021-5 says, and R. 3:5-7 too.", [0])], patterns)
    assert [authority.keys[0] for authority in found.authorities] == ["ag directive 2021-5", "r 3:5-7"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("'''(?:AG", "'''(?:AG("), "cannot be used"),
        (("AG Directive 2021-5", "Directive five"), "does not find its example Directive five"),
        (("title", "heading"), "unknown field"),
        (("family =", 'own_letters = "["\nfamily ='), "has own_letters = “[”"),
        (("'''\n", "''\n"), "not valid TOML"),
    ],
)
def test_a_pattern_that_does_not_work_is_refused(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    file = tmp_path / "citations.toml"
    file.write_text(OFFICE.replace(*change, 1), encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_patterns(file)
    assert reason in caught.value.message
    assert str(file) in caught.value.message
    assert caught.value.advice


CARELESS = [
    (r"(?:[A-Z][a-z]*\s?)+Ord\.\s(?P<number>\d+)", "Town Ord. 12"),
    (r"(?P<number>(?:\d+[.:-]?)+)\sRegs", "12:3-4 Regs"),
    (r"Manual(?:,|\s|the|\w)*?¶(?P<number>\d+)", "Manual, the ¶3"),
]


def of_an_office(folder: Path, regex: str, example: str) -> Path:
    file = folder / "citations.toml"
    file.write_text(f"[[pattern]]\ntitle='Ours'\nfamily='ours'\nregex='''{regex}'''\nexamples=['{example}']\n", "utf-8")
    return file


@pytest.mark.parametrize(("regex", "example"), CARELESS)
def test_a_careless_pattern_of_an_office_takes_time_in_proportion_to_the_text(
    tmp_path: Path, regex: str, example: str
) -> None:
    patterns = load_patterns(of_an_office(tmp_path, regex, example))
    assert [each.family for each in patterns.mentions(f"see {example}, é")] == ["ours"]
    started = time.thread_time()
    for unit in ("a", "Ab ", "12", "1.", "Manual the "):
        assert not patterns.mentions(f"Manual {unit * (20_000 // len(unit))}!")
    assert time.thread_time() - started < 20


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("regex", "example"), CARELESS)
def test_a_careless_pattern_that_only_a_backtracking_engine_can_run_is_refused_by_name(
    tmp_path: Path, regex: str, example: str
) -> None:
    with pytest.raises(SettingsError, match=r"“Ours” cannot be used: it may take for ever"):
        load_patterns(of_an_office(tmp_path, f"{regex}(?!\\w)", example))


def test_a_pattern_with_look_around_that_is_quick_serves(tmp_path: Path) -> None:
    patterns = load_patterns(
        of_an_office(tmp_path, r"(?<![\w.])Local\s+Rule\s+(?P<number>\d+{sub})(?!-)", "Local Rule 4(a)")
    )
    assert [each.key for each in patterns.mentions("by Local\xa0Rule 12(b), not Local Rule 7- or NonLocal Rule 3")] == [
        "ours 12(b)"
    ]


def test_what_an_index_of_an_older_program_holds_is_run_as_safely(tmp_path: Path) -> None:
    """Its table of authorities keeps the patterns that its citations were found with."""
    pattern = Pattern("Ours", "ours", CARELESS[0][0] + r"(?!\w)", [CARELESS[0][1]])
    assert PatternSet((pattern,)).mentions("town " * 40) == []


def test_our_own_patterns_of_an_older_index_are_not_tried_at_each_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("briefbank.law.citations.patterns.is_quick")  # by which they would be tried
    older = tuple(structs.replace(each, regex=f"{each.regex}(?!older)") for each in load_patterns().patterns)
    assert len(PatternSet(older).mentions("N.J.S.A. 2C:11-3 and Tex. Penal Code § 29.03")) == 2


def test_letters_and_spaces_of_any_language_are_letters_and_spaces(tmp_path: Path) -> None:
    patterns = load_patterns(of_an_office(tmp_path, r"Señor\s+[\w\s]+Act\s{,3}(?P<number>\d+)", "Señor Núñez Act 3"))
    (found,) = patterns.mentions("\ud800 SEÑOR\xa0Núñez\u2009y Peña Act\xa04")
    assert (found.key, found.span) == ("ours 4", (2, 26))


def test_the_built_in_patterns_find_their_examples() -> None:
    for pattern in PATTERNS.patterns:
        assert pattern.examples
        for example in pattern.examples:
            assert PATTERNS.mentions(example), example


@links
def test_a_file_of_patterns_that_never_ends_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "citations.toml").symlink_to("/dev/zero")
    with pytest.raises(SettingsError, match=r"citations\.toml.*device"):
        load_patterns(tmp_path / "citations.toml")


@pytest.mark.parametrize(
    ("query", "key"),
    [("170 N.J. 632", "170 nj 632"), ("347 N.J. Super. 44", "347 njsuper 44"), ("see 400 U.S. 25", "400 us 25")],
)
def test_a_query_that_cites_a_reporter_cites_it_though_no_passage_does(query: str, key: str) -> None:
    assert asked(query) == [key]


@pytest.mark.parametrize(
    "query",
    ["search at 12 p.m. 5 officers", "stopped at 5 Main St. 3 blocks away", "held for 5 min. 3 officers watching"],
)
def test_a_time_an_address_or_a_measure_in_a_query_is_no_citation(query: str) -> None:
    assert asked(query) == []


def test_the_reporters_are_those_of_reporters_db_with_a_few_of_our_own() -> None:
    reporters_db = pytest.importorskip("reporters_db")
    spelt: dict[str, set[str]] = defaultdict(set)
    for reporter in chain.from_iterable(reporters_db.REPORTERS.values()):
        for name in reporter["editions"]:
            spelt[reporter_key(name)].add(reporter_key(name))
        for name, edition in reporter["variations"].items():
            spelt[reporter_key(name)].add(reporter_key(edition))
    expected = {key: key if key in editions else min(editions) for key, editions in spelt.items() if key}
    assert {key: known.key for key, known in reporters().items()} == expected | {"ncsc": "ncsc", "nccoa": "nccoa"}


@pytest.mark.parametrize("before", ["He drove.117 See", "late.\n117. See, e.g.,"])
def test_a_notes_number_keeps_no_signal_in_the_name_of_a_case(before: str) -> None:
    (name,) = case_names(f"{before} Mata v. State, 46 S.W.3d 902")
    assert name.key == "mata v state"


def test_a_heading_above_a_paragraph_is_not_taken_into_the_name_of_its_first_case() -> None:
    text = "THE EVIDENCE IS LEGALLY INSUFFICIENT\nUnder Clewis v. State, 922 S.W.2d 126, it is."
    assert [each.key for each in case_names(text)] == ["clewis v state"]


@pytest.mark.parametrize(
    "text",
    ["In 2020 MS 13 gang members were seen", "see 12 Or 15 days"],
)
def test_a_number_beside_a_word_is_no_case_of_a_reporter_without_stops(text: str) -> None:
    assert keys(text) == []


def test_the_year_or_a_bracket_may_stand_between_a_name_and_its_reporter() -> None:
    for text in ("People v. Roe (2009) 47 Cal.4th 310 is settled.", "People v Roe (31 NY3d 110 [2018]) is settled."):
        (authority,) = cite(text).authorities
        assert authority.names == ("people v roe",)
        assert authority.label.count("(") == authority.label.count(")")


def test_reporters_of_michigan_are_one_case_behind_a_semicolon() -> None:
    found = cite("People v Roe, 488 Mich 210; 793 NW2d 110 (2010), is settled.")
    assert len({each.authority for each in found.passages[0]}) == 1
    assert found.authorities[0].keys == ("488 mich 210", "793 nw2d 110")


@pytest.mark.parametrize("text", ["People v Roe, 488 Mich 210", "2014 CO 63", "2021 IL App (1st) 190221"])
def test_a_citation_without_stops_is_one_in_a_query_too(text: str) -> None:
    assert [each.keys for each in citations_in_query(text, PATTERNS, lambda _: ())]


@pytest.mark.parametrize(
    "before",
    ["66, 72 ", "53, 57 & 60 ", "The United States Supreme Court in "],
)
def test_pages_of_a_table_and_the_court_are_no_part_of_a_name(before: str) -> None:
    found = cite(f"{before}Roe v. State, 200 S.W.3d 10 (Tex. Crim. App. 2006).")
    assert [(each.label, each.names) for each in found.authorities] == [
        ("Roe v. State, 200 S.W.3d 10", ("roe v state",))
    ]


# --- cases that no reporter has ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("State v. Vance, No. A-1234-12T4 (App. Div. May 3, 2013)", "docket a-1234-12"),
        ("State v. Vance, Docket No. A–1234–12T4, slip op. at 4", "docket a-1234-12"),
        ("State in the Interest of V.D., No. A-0034-12T4 (App. Div. 2013)", "docket a-34-12"),
        ("Vance v. State, No. 05-19-00123-CR (Tex. App.—Dallas Jan. 5, 2020, no pet.)", "docket 5-19-123-cr"),
        ("Vance v. State, ___ S.W.3d ___, No. PD-0907-31 (Tex. Crim. App. Feb. 5, 2032)", "docket pd-907-31"),
        ("Ex parte Vance, No. WR-85,833-01 (Tex. Crim. App. June 12, 2019)", "docket wr-85833-1"),
        ("United States v. Vance, No. 2:19-cr-00123-ABC (D.N.J. Mar. 3, 2020)", "docket 19-cr-123 vance"),
        ("the court held in A-1234-12 (App. Div. May 3, 2013)", "docket a-1234-12"),
    ],
)
def test_a_case_in_no_reporter_is_known_by_its_docket(text: str, key: str) -> None:
    assert keys(f"The point was decided. {text}. It was not appealed.") == [key]


@pytest.mark.parametrize(
    "text",
    [
        "STATE OF NEW JERSEY, Plaintiff, v. JOHN VANCE, Defendant. Docket No. A-1234-12T4",
        "State v. Vance, Ind. No. 12-03-0456 (May 3, 2013)",
        "No. 05-19-00123-CR (filed May 3, 2013)",
        "Complaint in Vance v. Roe, No. 1:19-cv-00123 (D.N.J. 2019)",
        "State v. Vance, 56 CR 12 (2013)",
    ],
)
def test_a_docket_that_cites_no_case_is_no_authority(text: str) -> None:
    assert keys(f"This is said. {text}. So it is.") == []


def test_a_docket_beside_a_reporter_joins_what_cites_by_the_docket_alone() -> None:
    (vance,) = cite(
        "State v. Vance, No. A-1234-12T4 (App. Div. May 3, 2013).",
        "State v. Vance, A-1234-12, 2013 WL 55 (App. Div. May 3, 2013).",
        "State v. Vance, No. A-1234-12, 2013 N.J. Super. Unpub. LEXIS 77 (App. Div. 2013).",
    ).authorities[:1]
    assert set(vance.keys) == {"docket a-1234-12", "2013 wl 55", "2013 njsuperunpublexis 77"}
    assert vance.names == ("state v vance",)


def test_short_forms_mean_the_case_of_the_docket() -> None:
    text = (
        "State v. Vance, No. A-1234-12T4 (App. Div. 2013). Id. at 5. The State relies on it. See Vance, slip op. at 4."
    )
    found = cite(
        text, "Vance, No. A-1234-12, at 6, held otherwise. Vance, supra, slip op. at 7. State v. Vance held so."
    )
    assert told(found) == [
        (kind, "docket a-1234-12") for kind in ("full", "id", "short", "short", "supra", "name")
    ]  # fmt: skip
    assert found.authorities[0].label == "State v. Vance, No. A-1234-12T4"


def test_one_number_of_two_courts_is_two_cases() -> None:
    found = cite("United States v. Vance, No. 19-123 (2d Cir. 2020).", "Roe v. Penn, No. 19-123 (3d Cir. 2021).")
    assert [each.keys for each in found.authorities] == [("docket 19-123 vance",), ("docket 19-123 penn",)]
    assert all("docket 19-123" in each.names for each in found.authorities)


@pytest.mark.parametrize("text", ["A-1234-12", "Docket No. A-1234-12T4", "what did State v. Vance, No. A-1234-12 hold"])
def test_a_question_may_name_a_case_by_its_docket(text: str) -> None:
    found = citations_in_query(text, PATTERNS, lambda key: [key] if key == "docket a-1234-12" else [])
    assert [key for each in found for key in each.keys] == ["docket a-1234-12"]


def test_a_docket_in_a_question_counts_where_it_is_cited_or_names_its_case() -> None:
    assert asked("A-1234-12") == []
    assert asked("State v. Vance, No. A-1234-12") == ["docket a-1234-12"]
