"""The list of authorities that IT brings: made of tables, looked up, and refused where it is not as it was made."""

from __future__ import annotations

import bz2
from pathlib import Path
from typing import Any

import office
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from program import Briefbank

from briefbank.errors import BankDamagedError, BankNewerError, BriefBankError, ExitCode, SourceError
from briefbank.law.authority_list import AuthorityList, ListingKind, build_list, listings
from briefbank.law.authority_list.names import SLOTS, may_be, telling_words
from briefbank.office.packs import signing_keys

CITATIONS = """id,volume,reporter,page,type,cluster_id,date_created,date_modified
1,901,N.J.,45,2,7,2024-05-01 12:00:00+00,2024-05-01 12:00:00+00
2,988,A.2d,101,3,7,2024-05-01 12:00:00+00,2024-05-01 12:00:00+00
3,901,N.J.,45,2,8,2024-05-01 12:00:00+00,2024-05-01 12:00:00+00
4,700,F.3d,xii,1,8,2024-05-01 12:00:00+00,2024-05-01 12:00:00+00
5,2031,WL,1234567,6,9,2024-05-01 12:00:00+00,2024-05-01 12:00:00+00
"""
CLUSTERS = r"""id,date_filed,date_filed_is_approximate,case_name_short,case_name,case_name_full,headmatter
7,2011-03-04,f,Quill,State v. Quill,"STATE OF NEW JERSEY, v. ADAM \"Ace\" QUILL","Argued \\
and ""decided"", on papers."
"8","2012-07-09","f","","","IN THE MATTER OF THE ESTATE OF OTTOLINE BRAMBLE, Deceased",""
9,2030-01-02,t,,Fenwick v. Board of Education,,
"""
OWN = """Page,Name,Volume,Reporter,Year,Note
12,Marsh v. Tull Ins. Co.,3,Cal. 5th,2017,

88,Roe v. Poe,4,U. S.,,our own
"""
TERMS = "Free Law Project, public domain"


def made(folder: Path, **tables: str) -> AuthorityList:
    """A list of these tables, of 2031-06."""
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    paths = [folder / f"{name}.csv" for name in tables]
    build_list(paths, folder / "made.list", licence=TERMS, date="2031-06")
    return AuthorityList.open(folder / "made.list")


@pytest.fixture
def listed(tmp_path: Path) -> AuthorityList:
    return made(tmp_path, citations=CITATIONS, clusters=CLUSTERS, own=OWN)


def test_a_list_is_built_of_bulk_data_and_shown(briefbank: Briefbank, tmp_path: Path) -> None:
    packed, clusters, own, out = (tmp_path / name for name in ("c.csv.bz2", "clusters.csv", "own.csv", "x.list"))
    packed.write_bytes(bz2.compress(CITATIONS.encode()))
    clusters.write_text(CLUSTERS, encoding="utf-8")
    own.write_text(OWN, encoding="utf-8-sig")
    call = ("authorities", "build", packed, clusters, own, "--out", out, "--date", "2031-06", "--licence", TERMS)
    built = briefbank(*call)
    assert (built.code, "6 citations in 5 reporters" in built.out) == (0, True), built.err
    assert "1 row, first c.csv.bz2, line 5" in built.err
    assert TERMS in briefbank("authorities", "show", out).out
    head = briefbank("authorities", "show", out, "--json").json
    assert (head["date"], head["licence"], head["rows"]) == ("2031-06", TERMS, 6)
    assert sorted(head["reporters"]) == ["a2d", "cal5th", "nj", "us", "wl"]
    assert briefbank(*call).code == ExitCode.USAGE  # the list is there


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("State v. Quill, 901 N.J. 45, 988 A.2d 101 (2011).", ["as cited", "as cited"]),
        ("STATE OF NEW JERSEY v. ADAM QUILL, 901 N. J. 45, 47 (2011).", ["as cited"]),
        ("In re Estate of Bramble, 901 N.J. 45 (2012).", ["as cited"]),
        ("See Quill, 901 N.J. 45.", ["as cited"]),
        ("State v. Quill, 901 N.J. 46 (2011).", ["not in the list"]),
        ("State v. Quill, 902 N.J. 45 (2011).", ["not in the list"]),
        ("State v. Quill, 901 N.J. 45, 988 A.2d 110 (2011).", ["as cited", "perhaps not listed"]),
        ("State v. Osei, 901 N.J. 45 (2011).", ["another name"]),
        ("State v. Quill, 901 N.J. 45 (2012).", ["another year"]),
        ("See State v. Osei, 12 P.3d 90 (2001).", ["reporter not in the list"]),
        ("State v. Osei, 903 N.J. 2 (2033).", ["newer than the list"]),
        ("State v. Osei, 903 N.J. 2 (2031).", ["perhaps not listed"]),
        ("People v. Osei (2031) 3 Cal.5th 90.", ["perhaps not listed"]),
        ("State v. Osei, 903 N.J. 2, 990 A.2d 5 (2030).", ["not in the list", "not in the list"]),
        ("State v. Osei, 901 N.J. 45 (2031).", ["another name"]),
        ("Fenwick v. Bd. of Educ., 2031 WL 1234567 (App. Div. 2031).", ["as cited"]),
        ("Roe v. Poe, 4 U.S. 88 (1901).", ["as cited"]),
        ("Marsh v. Tull Insurance Company (2017) 3 Cal.5th 12, 15.", ["as cited"]),
        ("N.J.S.A. 2C:11-3; A-1234-12T4; 901 N.J. at 46; 42 Am. Jur. 2d 17", []),
    ],
)  # fmt: skip
def test_a_citation_is_as_the_list_has_it_or_is_not(listed: AuthorityList, text: str, kinds: list[str]) -> None:
    found = list(listings(text, listed))
    assert [each.kind for each in found] == kinds
    for each in found:
        assert ("2031-06" in each.fact) == (each.kind is not ListingKind.AS_CITED)


@pytest.mark.parametrize(
    ("cited", "listed_name", "is_same"),
    [
        ("State v. Quill", "People v. Adam J. Quill", True),
        ("Quill v. Moss", "Moss v. Quill", True),
        ("Nat'l Fire Ins. Co. v. Moss", "National Fire Insurance Company v. Walter Moss", True),
        ("Board of Education v. Department of Health", "Bd. of Educ. v. Dep't of Health", True),
        ("Bd. of Educ. of Elm v. State", "Board of Education v. State", True),
        ("In re J.G.", "State in Interest of J. G.", True),
        ("O’Malley v. Texas", "O'MALLEY v. STATE OF TEXAS", True),
        ("State v. Griﬀith", "State v. Griffith", True),
        ("Texas v. United States", "State of Texas v. U.S.", True),
        ("Arizona v. Fullminate", "Arizona v. Fulminante", True),
        ("State v. Quill", "State v. Moss", False),
        ("Ohio v. Roberts", "Ohio v. Clark", False),
        ("In re J.G.", "In re A.B.", False),
        ("Texas v. United States", "Maine v. United States", False),
        ("City of Elm v. Moss", "City of Ash v. Poe", False),
    ],
)
def test_names_are_compared_by_what_tells_a_case(cited: str, listed_name: str, is_same: bool) -> None:
    assert may_be(telling_words(cited), telling_words(listed_name)[:SLOTS]) is is_same


REPORTERS = {"N.J.": "nj", "A.2d": "a2d", "U.S.": "us", "Ohio St.3d": "ohiost3d"}
PLACES = st.tuples(st.integers(1, 4), st.sampled_from(sorted(REPORTERS)), st.integers(1, 999_999_999))


@settings(max_examples=25, deadline=None)
@given(st.sets(PLACES, min_size=1))
def test_every_row_is_found_and_no_other(
    tmp_path_factory: pytest.TempPathFactory, rows: set[tuple[int, str, int]]
) -> None:
    table = "".join(f"{volume},{reporter},{page},Roe v. Poe,1999\n" for volume, reporter, page in rows)
    listed = made(tmp_path_factory.mktemp("list"), rows=f"volume,reporter,page,name,year\n{table}")
    assert listed.head.rows == len(rows)
    assert set(listed.head.reporters) == {REPORTERS[reporter] for _, reporter, _ in rows}
    for volume, reporter, page in rows:
        for near in (page - 1, page, page + 1):
            found = listed.find(volume, REPORTERS[reporter], near)
            assert found is not None
            assert [year for words, year in found if may_be(telling_words("Poe"), words)] == (
                [1999] if (volume, reporter, near) in rows else []
            )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("volume,reporter,page,name,year\n1,U.S.,2,Roe v. Poe\n", "line 2: it has 4 fields"),
        ("volume,reporter,page,name,year\n1,U.S.,2,Roe v. Poe,1999\n1,U.S.,2,,1999\n", "line 3: it lacks"),
        ("volume,reporter,page,name,year\n1,U.S.,2,Roe v. Poe,May\n", "line 2: what should be a year"),
        ('volume,reporter,page,name,year\n1,U.S.,2,"Roe v. Poe,1999\n', "line 2: unexpected end of data"),
        ('volume,reporter,page,name,year\n1,U.S.,2,"Roe" v. Poe,1999\n', "line 2: ',' expected"),
        (b"volume,reporter,page,name,year\n1,U.S.,2,Ro\xff v. Poe,1999\n", "line 2: this is no UTF-8"),
        (OWN.replace("Marsh", "Márquez").replace("Roe", "Peña").encode("cp1252"), "line 2: this is no UTF-8"),
        (OWN.encode() + b'1,"Ro\xe9 v.\nPoe",2,U.S.,1999\n', "line 5: this is no UTF-8"),
        (OWN.encode("utf-16"), "CSV UTF-8"),
        (OWN.replace(",", ";"), "semicolons between its columns"),
        (CITATIONS.replace(",", "\t"), "tabs between its columns"),
        ('"volume"|"reporter"|"page"|"name"|"year"\n', "vertical bars between its columns"),
        ("volume,reporter,page,title\n1,U.S.,2,Roe v. Poe\n", "names page, reporter, title, volume"),
        ("", "names nothing"),
        ("volume,reporter,page,name,year\n", "no citation in these tables"),
        (CITATIONS.replace("2,7,", "2,seven,", 1), "opinion-clusters"),
        (CITATIONS + CITATIONS.splitlines()[1].replace("2,7,", "2,seven,"), "opinion-clusters"),
        (None, "cannot be read"),
    ],
)  # fmt: skip
def test_a_table_that_is_wrong_is_refused_by_its_line(
    briefbank: Briefbank, tmp_path: Path, text: str | bytes | None, said: str
) -> None:
    table, out = tmp_path / "table.csv", tmp_path / "out.list"
    if text is not None:
        table.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = briefbank("authorities", "build", table, "--out", out, "--date", "2031-06", "--licence", TERMS)
    assert result.code in (ExitCode.SOURCE_UNREADABLE, ExitCode.USAGE)
    assert said in result.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv.bz2", bz2.compress(OWN.encode())[:-9]),
        ("t.csv.bz2", OWN.encode()),
        ("t.csv", bz2.compress(OWN.encode())),
    ],
)
def test_a_damaged_or_misnamed_archive_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=r"t\.csv"):
        build_list([tmp_path / name], tmp_path / "out", licence=TERMS, date="2031-06")


@pytest.mark.parametrize(
    ("date", "licence"),
    [("June 2031", TERMS), ("2031-13", TERMS), ("2031-02-30", TERMS), ("20310201", TERMS), ("2031-06", " ")],
)
def test_a_list_says_of_when_it_is_and_whose(briefbank: Briefbank, tmp_path: Path, date: str, licence: str) -> None:
    (tmp_path / "t.csv").write_text(OWN, encoding="utf-8")
    call = ("authorities", "build", tmp_path / "t.csv", "--out", tmp_path / "out", "--date", date, "--licence", licence)
    assert briefbank(*call).code == ExitCode.USAGE


def test_a_list_with_any_byte_changed_or_lost_is_refused(listed: AuthorityList, tmp_path: Path) -> None:
    whole = (tmp_path / "made.list").read_bytes()
    for place in (*range(0, len(whole), 7), len(whole) - 1):
        file = tmp_path / f"changed-{place}"
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        with pytest.raises(BriefBankError):
            AuthorityList.open(file)
    for cut in (whole[:-1], whole[:60], whole[:20], b"", whole + b"\0"):
        (tmp_path / "cut").write_bytes(cut)
        with pytest.raises((BankDamagedError, SourceError)):
            AuthorityList.open(tmp_path / "cut")


def test_a_newer_list_and_one_that_is_missing_are_refused_by_name(
    briefbank: Briefbank, listed: AuthorityList, tmp_path: Path
) -> None:
    whole = bytearray((tmp_path / "made.list").read_bytes())
    whole[8:10] = (9).to_bytes(2, "little")
    (tmp_path / "newer").write_bytes(whole)
    with pytest.raises(BankNewerError, match=r"newer has format 9\.0"):
        AuthorityList.open(tmp_path / "newer")
    assert briefbank("authorities", "show", tmp_path / "newer").code == ExitCode.NEWER
    missing = briefbank("authorities", "show", tmp_path / "nowhere")
    assert (missing.code, "nowhere" in missing.err) == (ExitCode.SOURCE_UNREADABLE, True)


CITED = """
Consent after a prolonged stop is void. State v. Quill, 901 N.J. 45, 47 (2011). It must be knowing. State v. Osei,
901 N.J. 45 (2011). So too in State v. Brand, 205 N.J. 77 (2011). As Osei, 901 N.J. at 46, holds, and N.J.R.E. 404(b),
doubt is the State's. State v. Brand, 205 N.J. 77, 79 (2011); Cole v. Roe, 12 P.3d 90 (2001). A later case says no
more. State v. Quill, 901 N.J. 45 (2014); State v. Quill, 901 N.J. 45, 988 A.2d 999 (2011). What cannot be is told by
itself. State v. Tarn, 902 N.J. 8 (2031); Roe v. Poe, 310 U.S. 12 (1995).
"""
BY_ANOTHER = "A parallel citation beside it is, as cited."


def drafted(folder: Path) -> Path:
    text = office.brief("Dee Hart", "A-0100-26T1", "", ("THE CONSENT WAS VOID.", CITED.replace("\n", " ")))
    return office.write_text(folder / "draft.txt", text)


def of_lists(report: dict[str, Any]) -> dict[str, str]:
    kinds = {"unlisted-citation", "listed-name", "listed-year"}
    return {each["words"]: each["fact"] for each in report["findings"] if each["kind"] in kinds}


def test_the_check_of_a_draft_tells_what_the_list_has_and_whose_it_is(
    briefbank: Briefbank, own_bank: Path, listed: AuthorityList, tmp_path: Path
) -> None:
    draft, at = drafted(tmp_path), ("--bank", own_bank)
    without = briefbank("draft", draft, "--json", *at).json
    assert not of_lists(without)
    assert "the bank has no list of authorities" in [each["why"] for each in without["unchecked"]]
    assert "no list of authorities" in briefbank("authorities", "show", *at).out
    assert TERMS in briefbank("authorities", "use", tmp_path / "made.list", *at).out
    assert briefbank("authorities", "show", "--json", *at).json["rows"] == 6
    report = briefbank("draft", draft, "--json", *at).json
    assert of_lists(report) == {
        "State v. Osei, 901 N.J. 45": "It bears another name in the list of 2031-06.",
        "State v. Brand, 205 N.J. 77": "It is not in the list of 2031-06, which has nothing of this volume.",
        "State v. Quill, 901 N.J. 45": "In the list of 2031-06 it is of 2011, and the citation is of 2014.",
        "988 A.2d 999": f"It is not in the list of 2031-06. {BY_ANOTHER}",
    }
    told = of_lists(report)
    soft = [each["words"] for each in report["findings"] if each["weight"] == "look" and each["words"] in told]
    assert soft == ["988 A.2d 999"]
    assert {each["text"] for each in report["contradicted_citations"]} >= {"902 N.J. 8", "310 U.S. 12"}
    assert [(each["name"], each["entries"], each["licence"]) for each in report["lists"] if each["licence"]] == [
        ("list of authorities of 2031-06", 6, TERMS)
    ]
    assert ("Cole v. Roe, 12 P.3d 90", "The list of 2031-06 has nothing of its reporter.") in [
        (each["what"], each["why"]) for each in report["unchecked"]
    ]
    told = briefbank("draft", draft, *at).out
    assert all(each in told for each in ("State v. Brand, 205 N.J. 77", "not in the list of 2031-06", TERMS))
    assert "invented" not in told


def test_a_damaged_list_is_named_and_the_rest_of_a_draft_checked(
    briefbank: Briefbank, own_bank: Path, listed: AuthorityList, tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.list"
    whole = (tmp_path / "made.list").read_bytes()
    damaged.write_bytes(whole[:-9] + b"damaged" + whole[-2:])
    assert briefbank("authorities", "use", damaged, "--bank", own_bank).code == ExitCode.DAMAGED
    assert not (own_bank / "authorities.list").exists()
    assert briefbank("authorities", "use", tmp_path / "made.list", "--bank", own_bank).code == 0
    assert briefbank("check", "--bank", own_bank).code == 0
    (own_bank / "authorities.list").write_bytes(damaged.read_bytes())
    report = briefbank("draft", drafted(tmp_path), "--bank", own_bank, "--json").json
    assert not of_lists(report)
    assert any("is damaged" in each["why"] for each in report["unchecked"])
    checked = briefbank("check", "--bank", own_bank)
    assert (checked.code, "briefbank authorities use" in checked.out + checked.err) == (ExitCode.DAMAGED, True)


def test_a_list_goes_along_in_packs(
    briefbank: Briefbank, own_bank: Path, listed: AuthorityList, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    signing_keys.make_key("Office")
    laptop = tmp_path / "laptop"
    for name in ("without", "with"):
        assert briefbank("pack", tmp_path / f"{name}.bbpack", "--bank", own_bank).code == 0
        assert briefbank("install", tmp_path / f"{name}.bbpack", "--bank", laptop).code == 0
        assert (laptop / "authorities.list").exists() == (name == "with")
        briefbank("authorities", "use", tmp_path / "made.list", "--bank", own_bank)
    assert len(of_lists(briefbank("draft", drafted(tmp_path), "--bank", laptop, "--json").json)) == 4
    assert briefbank("authorities", "use", tmp_path / "made.list", "--bank", laptop).code == ExitCode.USAGE
    (laptop / "authorities.list").write_bytes(b"no list")
    assert briefbank("install", tmp_path / "with.bbpack", "--bank", laptop).code == 0  # puts it back
    assert (laptop / "authorities.list").read_bytes() == (tmp_path / "made.list").read_bytes()
    (own_bank / "authorities.list").write_bytes(b"no list")
    refused = briefbank("pack", tmp_path / "damaged.bbpack", "--bank", own_bank)
    assert (refused.code, "authorities.list" in refused.err) == (ExitCode.SOURCE_UNREADABLE, True)
