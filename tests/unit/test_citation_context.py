"""Citations read with what stands around them: lists, later short forms, the record, kinds, how they are printed."""

from __future__ import annotations

import re

import pytest
from citing import PATTERNS, asked, cite, keys, told

from briefbank.law.citations import AuthorityKind
from briefbank.law.citations.contradictions import contradictions
from briefbank.law.citations.patterns import compiled
from briefbank.law.record_cites import FORMS, record_cites


def ids(*texts: str) -> list[str]:
    return [key for kind, key in told(cite(*texts)) if kind == "id"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("N.J.S.A. 2C:12-1(b)(1), -3(a), and -10", ["njsa 2c:12-1(b)(1)", "njsa 2c:12-3(a)", "njsa 2c:12-10"]),
        ("Tex. Penal Code §§ 31.02, 31.07", ["tex penal 31.02", "tex penal 31.07"]),
        ("U.S.S.G. §§ 2B1.1, 3C1.1 and 4B1.1-.3", ["ussg 2b1.1", "ussg 3c1.1", "ussg 4b1.1", "ussg 4b1.3"]),
        ("Section 481.115, Health and Safety Code", ["tex healthsafety 481.115"]),
        ("18 U.S.C. §§ 1341 & 1343", ["18 usc 1341", "18 usc 1343"]),
        ("26 U.S.C. §§ 5841-5861", ["26 usc 5841", "26 usc 5861"]),
        ("Fed. R. Evid. 702, 703, and 705", ["fre 702", "fre 703", "fre 705"]),
        ("Rules 1:7-4 and 2:10-2(a)", ["r 1:7-4", "r 2:10-2(a)"]),
        ("N.J.S.A. 2C:44-1(a)(3) and (b)(7)", ["njsa 2c:44-1(a)(3)", "njsa 2c:44-1(b)(7)"]),
        ("U.S. Const. amends. V, XIV, § 1", ["us const amend v", "us const amend xiv"]),
        ("the Fifth, Ninth and 14th Amendments", ["us const amend v", "us const amend ix", "us const amend xiv"]),
        ("18 U.S.C. § 924(c)(1)(A) and (B)", ["18 usc 924(c)(1)(a)", "18 usc 924(c)(1)(b)"]),
    ],
)
def test_what_stands_in_a_list_takes_the_family_of_the_first(text: str, expected: list[str]) -> None:
    assert keys(f"The counts fall under {text}. Nothing follows.") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("18 U.S.C. § 1341, 12 officers came", ["18 usc 1341"]),
        ("N.J.R.E. 404(b), and (2) the judge erred", ["njre 404(b)"]),
        ("18 U.S.C. § 3553 and Rule 32", ["18 usc 3553"]),
        ("28 U.S.C. § 2254 and 34 F.3d 123", ["34 f3d 123", "28 usc 2254"]),
        ("Tex. Code Crim. Proc. art. 38.22, § 6", ["tex code crim proc 38.22"]),
    ],
)
def test_what_only_follows_is_no_part_of_a_list(text: str, expected: list[str]) -> None:
    assert sorted(keys(f"It rests on {text}.")) == sorted(expected)


@pytest.mark.parametrize(
    ("full", "later", "expected"),
    [
        ("Tex. Code Crim. Proc. art. 38.22", "Article 38.23(a) adds a remedy", "tex code crim proc 38.23(a)"),
        ("18 U.S.C. § 1341", "Under section 1343A the wires count", "18 usc 1343a"),
        ("Voting Rights Act § 2", "So with the Act's § 5", "votingrightsact 5"),
        ("Tex. Penal Code § 31.02", "Section 31.07 is narrower", "tex penal 31.07"),
        ("18 U.S.C. § 924(c)(1)", "a 924(c) count", "18 usc 924(c)"),
        ("18 U.S.C. § 3553(a)(2)(A)", "So does subparagraph (D)", "18 usc 3553(a)(2)(d)"),
        ("18 U.S.C. § 1341, which 85 Harv. L. Rev. 1089 treats", "So does subsection (b)", "18 usc 1341(b)"),
        ("N.J. Const. art. I, ¶ 7", "Under Article I, paragraph 10, he may", "nj const art i,¶10"),
    ],
)
def test_a_section_by_its_number_alone_is_of_the_code_cited_before(full: str, later: str, expected: str) -> None:
    kind, key = told(cite(f"The charge was under {full}. The jury heard it.", f"{later}."))[-1]
    assert (kind, key) == ("name" if "const" in key else "short", expected)


def test_a_section_that_no_code_was_cited_for_is_no_authority() -> None:
    assert keys("Section 31.07 of the lease binds the tenant. Section 8 housing was full.") == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("18 U.S.C. § 1028A(a)(1)", "18 usc 1028a(a)(1)"),
        ("18 U.S.C. § 922g", "18 usc 922(g)"),
        ("42 U.S.C. § 2000e-5(f)(1)", "42 usc 2000e-5(f)(1)"),
        ("42 U.S.C. § 1320a-7b(b)", "42 usc 1320a-7b(b)"),
        ("N.J.S.A. 2C:12–1(b)", "njsa 2c:12-1(b)"),
        ("N.J.S.A. 2C:12\u20111(b)", "njsa 2c:12-1(b)"),
        ("846F.2d746", "846 f2d 746"),
        ("22N.J. 17", "22 nj 17"),
        ("2016-Ohio-771, ¶ 4", "2016 ohio 771"),
        ("2017-NMCA-031", "2017 nmca 31"),
        ("2011 IL App (2d) 100345-U", "2011 ilapp2d 100345"),
        ("2018 WI 12, ¶ 9", "2018 wi 12"),
        ("2021-NCSC-44", "2021 ncsc 44"),
        ("2014 PA Super 8", "2014 pasuper 8"),
        ("U.S. CONST. amend. XIV, § 1", "us const amend xiv"),
        ("U.S. Const. Amend. 6", "us const amend vi"),
        ("SIXTH AMENDMENT", "us const amend vi"),
        ("Ninth Amendment to questions", "us const amend ix"),
        ("TRAP 44.2(b)", "tex r app 44.2(b)"),
        ("Rule 9.4 of the Texas Rules of Appellate Procedure", "tex r app 9.4"),
        ("article I, paragraph 10 of the New Jersey Constitution", "nj const art i,¶10"),
        ("N.J. Const. (1947), art. 1, par. 10", "nj const art i,¶10"),
        ("Section 12, Mass. Gen. Laws ch. 265, § 17", "mgl 265 17"),
    ],
)
def test_however_it_is_printed_it_has_one_key(text: str, key: str) -> None:
    assert keys(f"Held in State v. Roe, {text}, it was.") == [key]
    assert asked(text) == [key]


def test_a_courts_own_number_and_its_parallels_are_one_case() -> None:
    (case,) = cite("State v. Osei, 2018 WI 12, ¶ 9, 380 Wis. 2d 1, 907 N.W.2d 425, holds so.").authorities
    assert case.keys == ("2018 wi 12", "380 wis2d 1", "907 nw2d 425")


@pytest.mark.parametrize(
    ("text", "label", "name"),
    [
        ("He was stopped in 1995. Osei v. Brandt, 1 U.S. 2", "Osei v. Brandt, 1 U.S. 2", "osei v brandt"),
        ("State in Interest of K.L., 1 N.J. 2", "State in Interest of K.L., 1 N.J. 2", "in re kl"),
        ("State ex rel. M.Q., 1 N.J. 2", "State ex rel. M.Q., 1 N.J. 2", "in re mq"),
        ("Matter of Osei, 1 N.Y.3d 2", "Matter of Osei, 1 N.Y.3d 2", "in re osei"),
        ("State v. Łukasz-Sørby, 1 N.J. 2", "State v. Łukasz-Sørby, 1 N.J. 2", "state v lukasz sorby"),
        ("Brandt’s case: State v. Dueñas, 1 N.J. 2", "State v. Dueñas, 1 N.J. 2", "state v duenas"),
        ("art. 44.02. 6 Osei v. State, 1 S.W.3d 2", "Osei v. State, 1 S.W.3d 2", "osei v state"),
        ("103 Id. 104 Osei v. State, 1 S.W.3d 2", "Osei v. State, 1 S.W.3d 2", "osei v state"),
    ],
)
def test_a_name_is_whole_and_no_more(text: str, label: str, name: str) -> None:
    (case,) = cite(f"{text} (2002).").authorities
    assert (case.label, case.names) == (label, (name,))


RECORDS = (
    *("(3T45-3)", "(T. 12:4-9)", "(Da12)", "(2T 13-5 to 14-2)", "(PSR 5)"),
    *("RR vol. 3, p. 45.", "RR V 45-6.", "(2 RR 45)", "(CR 12)", "(RR5:86)", "(Supp. CR 4)"),
    *("(2 C.T. 310)", "(4 RT 512:3)", "(AOB 12)"),
    *("(N.T. 3/4/22 at 45)", "(R.R. 45a)"),
    *("(R. at 45)", "(C. 12)", "(R. C45)", "(T.p. 45)", "(A. 5)", "(Tr. II:45)", "(RA II/123)", "(App. 12)"),
    *("(ROA.45)", "(JA 7)", "(3-ER-456)", "(PSR ¶ 14)", "(Dkt. No. 12 at 3)", "ECF No. 9, at 2.", "(D.E. 34)"),
    *("Brief for Roe as Amicus Curiae in Roe v. Poe, O. T. 2019, p. 13.", "Tr. of Oral Arg. 12."),
    *("Tr. at 45.", "(Compl. ¶ 46)", "(Appellant's Br. at 5)", "(Ex. 4)", "(Exhibit C)", "(Smith Aff. ¶ 4)"),
)


@pytest.mark.parametrize("record", RECORDS)
def test_id_behind_the_record_is_never_the_case_before_it(record: str) -> None:
    assert ids(f"State v. Osei, 1 N.J. 2, 5 (1950), governs. The driver left. {record} Id. at 46.") == []


@pytest.mark.parametrize(
    "text",
    [
        "State v. Osei, 1 N.J. 2 (App. Div. 1950). Id. at 4.",
        "State v. Osei, 1 N.J. 2, certif. denied, 3 N.J. 4 (1950). Id. at 4.",
        "State v. Osei, 1 N.J. 2 (1950) (quoting State v. Roe, 3 N.J. 4 (1949), and State v. Poe, 5 N.J. 6). Id. at 4.",
        "State v. Osei, 1 N.J. 2 (1950), asks what Article 38.22 asks. Id.",
    ],
)
def test_id_is_the_case_behind_its_history_its_quotation_and_its_words(text: str) -> None:
    assert ids(text) == ["1 nj 2"]


@pytest.mark.parametrize("name", ["State in the Interest of K.L.", "State v. M.Q.", "In re Osei"])
def test_a_name_alone_is_marked_to_its_end(name: str) -> None:
    text = f"It was {name}, 1 N.J. 2. Nothing in {name} says so."
    (_, by_name) = cite(text).passages[0]
    assert text[slice(*by_name.span)] == name


@pytest.mark.parametrize("text", ["First Amendment to the Lease", "the Due Process Clause", "a second amendment"])
def test_what_amends_no_constitution_is_none(text: str) -> None:
    assert keys(f"So says {text}.") == []


def test_a_constitution_that_a_sentence_speaks_of_takes_nothing_from_the_case_that_it_cites() -> None:
    alone = cite("The settled common right to counsel is old. State v. Osei, 1 N.J. 2. Id. at 4.").passages[0]
    found = cite("The Sixth Amendment right to counsel is old. State v. Osei, 1 N.J. 2. Id. at 4.").passages[0]
    assert [each.weight for each in found][1:] == [each.weight for each in alone]
    assert ids("State v. Osei, 1 N.J. 2, reads the Sixth Amendment so. Id. at 4.") == ["1 nj 2"]


@pytest.mark.parametrize("blank", ["590 U. S. ___", "— U.S. —", "---- U.S. ----", "590 U.S. ___, ___-___"])
def test_a_case_in_no_volume_yet_is_one_with_its_parallel_and_its_short_forms(blank: str) -> None:
    text = f"Osei v. Brandt, {blank}, 140 S. Ct. 16 (2020). Osei, 590 U. S., at ___. Brandt at 17. Osei, supra, at 18."
    assert [key for _, key in told(cite(text))] == ["140 sct 16"] * 4


def test_a_case_that_no_reporter_printed_is_known_by_its_volume_and_a_party() -> None:
    text = "Osei v. Brandt, 590 U. S. ___ (2020). Poe v. Roe, 590 U. S. ___ (2020). Osei, 590 U.S. at _. 590 U.S. at _."
    assert [key for _, key in told(cite(text))] == ["osei v brandt", "poe v roe", "osei v brandt", "poe v roe"]


@pytest.mark.parametrize(
    "head",
    ["Cite as: 594 U. S. ____ (2021) 7 Opinion of the Court", "8 ROE-MOE v. POE THOMAS, J., concurring in part"],
)
def test_id_reaches_over_the_head_of_a_slip_opinions_page(head: str) -> None:
    assert ids(f"It was Osei v. Brandt, 1 U.S. 2. The rule\n\n{head}\n\nis old. Id., at 3.") == ["1 us 2"]


def test_id_with_a_section_is_another_section_of_the_same_code() -> None:
    assert ids("It is 18 U.S.C. § 1341. Id. § 1343(a).") == ["18 usc 1343(a)"]


def test_id_behind_a_book_is_the_book() -> None:
    assert ids("State v. Osei, 1 N.J. 2. Black's Law Dictionary 12 (10th ed. 2014). Id. at 13.") == [
        "blackslawdictionary 12"
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Roe v. Poe, 1 U.S. 2", AuthorityKind.CASE),
        ("18 Pa.C.S. § 2702", AuthorityKind.STATUTE),
        ("720 ILCS 5/9-1", AuthorityKind.STATUTE),
        ("R. 3:22-2", AuthorityKind.RULE),
        ("28 C.F.R. § 50.10", AuthorityKind.REGULATION),
        ("N.J.A.C. 10A:71-3.11", AuthorityKind.REGULATION),
        ("Pa. Const. art. I, § 8", AuthorityKind.CONSTITUTION),
        ("U.S.S.G. § 3E1.1", AuthorityKind.GUIDELINE),
        ("Ninth Amendment", AuthorityKind.CONSTITUTION),
        ("85 Harv. L. Rev. 1089", AuthorityKind.TREATISE),
        ("R. Osei & L. Brandt et al., Pleading 21-22, 40 (3d ed. 2001)", AuthorityKind.TREATISE),
        ("Ada Osei, Handbook of Evidence (2009 ed.)", AuthorityKind.TREATISE),
        ("Restatement (Third) of Trusts: Duties § 8.1(2)", AuthorityKind.TREATISE),
        ("Restatement (Second) of Torts § 402A", AuthorityKind.TREATISE),
    ],
)
def test_the_reader_says_what_an_authority_is(text: str, kind: AuthorityKind) -> None:
    assert [each.kind for each in cite(f"So says {text}.").authorities] == [kind]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Roe v. Poe, 999 U.S. 12 (1995)", "U.S. has no volume 999 yet."),
        ("Roe v. Poe, 310 U.S. 12, 14-15 (1995)", "U.S. had no volume 310 in 1995."),
        ("Roe v. Poe, 12 F.4th 34 (3d Cir. 1999)", "F.4th began in 2021, and the citation is of 1999."),
        ("Roe v. State, 999 S.W.2d 34 (Tex. App. 2015)", "S.W.2d ended in 1999, and the citation is of 2015."),
        ("Roe v. State, 582 S.W. 7 (Tex. Crim. App. 1979)", "S.W. ended with volume 300."),
        ("State v. Roe, 170 N.J. 6320, 790 A.2d 903 (2002)", "No volume of N.J. has a page 6,320."),
        ("State v. Roe, 12 N.J.L. 34 (1990)", "N.J.L. ended in 1948, and the citation is of 1990."),
        ("Roe v. State, 12 S.W.3d 34 (N.J. Super. 2000)", "S.W.3d prints no decisions of “N.J. Super.”."),
        ("Roe v. Poe, 300 F.3d 34 (N.D. Tex. 2002)", "F.3d prints no decisions of “N.D. Tex.”."),
        ("Roe v. Poe, 2014 WL 123, at *3 (Tex. App. June 3, 2016)", "The citation is of 2014, the brackets say 2016."),
        ("State v. Roe, 1987 WI 12", "Decisions are numbered as “WI” since 2000, and the citation is of 1987."),
        ("People v. Roe, 2014 IL App (1st) 123", "Illinois gives its decisions numbers of six digits, no 123."),
        ("State v. Roe, 250 N.J. 5 (2031)", "The year 2031 has not come."),
    ],
)  # fmt: skip
def test_a_citation_that_cannot_be_is_told_with_the_fact(text: str, fact: str) -> None:
    assert [each.fact for each in contradictions(f"See {text}.", 2026)][:1] == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Strickland v. Washington, 466 U.S. 668, 687, 104 S. Ct. 2052, 80 L. Ed. 2d 674 (1984)",
        "State v. Dominguez, 425 S.W.3d 411, 423 (Tex. App.—Houston [1st Dist.] 2011)",
        "Kahn v. Roe, 337 F. Supp. 3d 66 (Mass. 2018)",
        "Gonzales v. Johnson, 994 F. Supp. 759 (N.D. Tex. 1997)",
        "Prince v. Massachusetts, 321 U. S. 158, 64 S. Ct. 438, 88 L. Ed. 645 [*1914] (1944)",
        "Healy v. Roe, 491 U. S. 324, 109 S. Ct. 2491 (quoting a source of 1790)",
        "State v. Carty, 170 N.J. 632, 790 A.2d 903 (2002)",
        "Roe v. Poe, 2015 WL 123, at *3 (Tex. App. Dec. 31, 2014)",
    ],
)
def test_a_citation_that_may_be_is_not_told(text: str) -> None:
    assert list(contradictions(f"See {text}.", 2026)) == []


def test_no_series_ends_because_its_table_grows_old() -> None:
    for year in (2026, 2040):
        assert (
            list(contradictions("People v. Roe, 8 Cal. 5th 12 (2019); Roe v. Doe, 350 S.W.3d 2 (Tex. 2011).", year))
            == []
        )
    assert not any("ended" in each.fact for each in contradictions("Roe v. Doe, 640 U.S. 2 (2035).", 2040))


def test_what_a_pattern_needs_hides_nothing_that_it_finds() -> None:
    for pattern in PATTERNS.patterns:
        for text in (*pattern.examples, *map(str.upper, pattern.examples)):
            assert not pattern.needs or not compiled(pattern).search(text) or re.search(pattern.needs, text.lower())


def test_every_form_of_the_record_finds_its_examples_and_not_what_it_is_not_to() -> None:
    for form in FORMS.groups["record"]:
        for example in form.examples:
            assert list(record_cites(example)), example
        for refused in form.refused:
            assert not FORMS.compiled("record", form).search(refused), refused
