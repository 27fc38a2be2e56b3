"""What a document says of itself. Whole front pages are read as text; single rules are tried on lines."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import office
import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st

from briefbank.ingest.metadata.dates import dates_in
from briefbank.ingest.metadata.front import title_case
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings
from briefbank.platform.visible import LONGEST_NAME
from briefbank.values.records import Metadata


def metadata(path: Path) -> Metadata:
    return structure(read_file(path, Settings())).metadata


def of_text(tmp_path: Path, text: str) -> Metadata:
    return metadata(office.write_text(tmp_path / "01.txt", text))


BRIEF = office.brief("Alder Quince", "A-1482-17T4", "September 14, 2018", ("THE STOP WAS UNLAWFUL.", office.STOP))


@pytest.mark.parametrize(
    ("suffix", "write"), [("txt", office.write_text), ("pdf", office.write_pdf), ("docx", office.write_docx)]
)
def test_a_brief_tells_everything_in_every_format(tmp_path: Path, suffix: str, write: object) -> None:
    found = metadata(write(tmp_path / f"01.{suffix}", BRIEF))  # type: ignore[operator]
    assert found.kind.value == "brief"
    assert found.title.value.startswith("State v. Alder Quince")
    assert found.court is not None
    assert found.court.value == "Superior Court of New Jersey, Appellate Division"
    assert found.docket is not None
    assert found.docket.value == "A-1482-17T4"
    assert found.filed is not None
    assert found.filed.value == "2018-09-14"
    assert found.author is not None
    assert found.author.value == "Marisol Teague"
    assert found.outcome is None
    facts = (found.title, found.kind, found.court, found.docket, found.filed, found.author)
    assert all(fact.found_in for fact in facts if fact)


def test_a_paragraph_in_the_place_of_a_name_is_cut(tmp_path: Path) -> None:
    """Every result repeats it: a subject without an end, or a paragraph in the style of a heading."""
    rambling = "the stop and what came of it " * 3_000
    found = of_text(tmp_path, office.memo(rambling, office.STOP))
    assert found.title.value.startswith("the stop and what")
    document = Document()
    document.add_heading(f"The stop. {rambling}", 1)
    document.add_paragraph(office.STOP)
    document.save(str(tmp_path / "02.docx"))
    structured = structure(read_file(tmp_path / "02.docx", Settings()))
    names = [
        found.title.value,
        structured.metadata.title.value,
        *(each for part in structured.sections for each in part.path),
    ]
    assert max(map(len, names)) == LONGEST_NAME
    assert rambling.strip() in structured.text


def test_a_directive_has_its_number_its_subject_and_its_date(tmp_path: Path) -> None:
    found = of_text(tmp_path, office.directive("2021-12", "Consent searches", "November 30, 2021", office.STOP))
    assert (found.kind.value, found.title.value) == ("directive", "Directive 2021-12: Consent searches")
    assert found.filed is not None
    assert found.filed.value == "2021-11-30"
    assert found.court is None


def test_a_memo_is_internal_and_names_its_author(tmp_path: Path) -> None:
    found = of_text(tmp_path, office.memo("Photographic arrays", office.LINEUP, dated="June 8, 2015"))
    assert (found.kind.value, found.title.value) == ("internal", "Photographic arrays")
    assert found.author is not None
    assert found.author.value == "Juniper Ashgrove"
    assert found.filed is not None
    assert found.filed.value == "2015-06-08"


def test_the_docket_is_the_appeals_not_the_indictments(tmp_path: Path) -> None:
    text = BRIEF.replace("DOCKET NO. A-1482-17T4", "INDICTMENT NO. 16-05-00512-I\nDOCKET NO. A-1482-17T4")
    found = of_text(tmp_path, text)
    assert found.docket is not None
    assert found.docket.value == "A-1482-17T4"


def test_a_brief_filed_under_several_dockets_carries_them_all_as_printed(tmp_path: Path) -> None:
    text = BRIEF.replace("DOCKET NO. A-1482-17T4", "DOCKET NOS. A-1482-17T4 & A-1483-17T4\nA-0007-18T4 (CONSOLIDATED)")
    docket = of_text(tmp_path, text).docket
    assert docket is not None
    assert docket.value == "A-1482-17T4, A-1483-17T4, A-0007-18T4"


def test_a_case_cited_on_the_first_page_adds_no_docket(tmp_path: Path) -> None:
    text = BRIEF.replace(
        "DOCKET NO. A-1482-17T4", "DOCKET NO. A-1482-17T4\nState v. Orrin, No. A-0912-15T2 (App. Div. May 2, 2017)"
    )
    docket = of_text(tmp_path, text).docket
    assert docket is not None
    assert docket.value == "A-1482-17T4"


@pytest.mark.parametrize(
    "judge", ["HON. ADELA QUORRIS", "The Honorable Adela Quorris, J.S.C.", "Chief Justice Quorris"]
)  # fmt: skip
@pytest.mark.parametrize("place", ["signature", "submitted", "caption", "bar number"])
def test_a_judge_is_not_taken_for_the_author(tmp_path: Path, judge: str, place: str) -> None:
    text = {
        "signature": BRIEF.replace("Respectfully submitted,", f"So ordered.\n/s/ {judge}\n\nRespectfully submitted,"),
        "submitted": BRIEF.replace("Respectfully submitted,", f"Respectfully submitted to\n{judge}"),
        "caption": BRIEF.replace(
            "STATEMENT OF FACTS", f"Marisol Teague\n{judge}\nOn the Brief\n\nSTATEMENT OF FACTS", 1
        ),
        "bar number": BRIEF.replace("Respectfully submitted,\nMarisol Teague\n", "").replace(
            "STATEMENT OF FACTS",
            f"Marisol Teague\nSat below: {judge}\n{judge}\nState Bar No. 000\n\nSTATEMENT OF FACTS",
            1,
        ),
    }[place]
    author = of_text(tmp_path, text).author
    assert author is not None
    assert author.value == "Marisol Teague"


@pytest.mark.parametrize("name", ["Hon Lee", "Aaron Judge"])
def test_a_name_that_is_also_a_judge_s_title_is_an_author(tmp_path: Path, name: str) -> None:
    author = of_text(tmp_path, BRIEF.replace("Marisol Teague", name)).author
    assert author is not None
    assert author.value == name


def test_an_outcome_is_believed_only_where_the_document_states_it(tmp_path: Path) -> None:
    assert of_text(tmp_path, BRIEF).outcome is None
    found = of_text(
        tmp_path, BRIEF.replace("STATEMENT OF FACTS", "Outcome: reversed and remanded\n\nSTATEMENT OF FACTS")
    )
    assert found.outcome is not None
    assert found.outcome.value == "reversed, remanded"


def test_a_text_that_says_nothing_of_itself_is_an_undated_internal_document(tmp_path: Path) -> None:
    found = of_text(tmp_path, "remember the blind administration point when the array comes up again\n")
    assert found.kind.value == "internal"
    assert (found.court, found.docket, found.filed, found.author, found.outcome) == (None,) * 5


@pytest.mark.parametrize(
    "printed",
    ["March 5, 2019", "MARCH 5, 2019", "Mar. 5, 2019", "5 March 2019", "the 5th day of March, 2019", "March 5th, 2019",
     "3/5/2019", "03/05/19", "2019-03-05"],
)  # fmt: skip
def test_a_date_is_read_however_it_is_printed(printed: str) -> None:
    assert list(dates_in(f"filed on {printed}.")) == [date(2019, 3, 5)]


@pytest.mark.parametrize("printed", ["February 30, 2019", "R. 3:5-7", "1/2/3/2019"])
def test_what_is_no_day_is_no_date(printed: str) -> None:
    assert list(dates_in(printed)) == []


@given(st.dates(date(1960, 1, 1), date(2090, 12, 31)))
def test_every_day_is_found_in_the_ways_of_printing_it(day: date) -> None:
    assert list(dates_in(f"{day:%B} {day.day}, {day.year} and {day.isoformat()}")) == [day, day]


def test_the_parties_are_never_those_of_a_cited_case(tmp_path: Path) -> None:
    cover = "SUPERIOR COURT OF NEW JERSEY\nAPPELLATE DIVISION\nDOCKET NO. A-1482-17T4\nBRIEF ON BEHALF OF DEFENDANT\n"
    table = "\fTABLE OF AUTHORITIES\nCases\nOregon v. Quill, 1 U.S. 2 (1999) 4\n\fARGUMENT\nThe stop was too long.\n"
    assert of_text(tmp_path, cover + table).title.value == "Brief on Behalf of Defendant"


def test_a_versus_that_ocr_doubled_is_one(tmp_path: Path) -> None:
    assert of_text(tmp_path, BRIEF.replace("\nv.", "\nVv.")).title.value.startswith("State v. Alder Quince")


def test_parties_go_by_their_roles_where_ocr_lost_the_versus_and_joined_the_columns(tmp_path: Path) -> None:
    text = BRIEF.replace("\nv.\n", "\nOn Appeal from a Final Judgment of\n").replace("QUINCE,", "QUINCE, County.")
    cited = "\n\nState v. Ardmore, supra.\nState v. Belhaven, supra.\n"
    assert of_text(tmp_path, text + cited).title.value.startswith("State v. Alder Quince")


@pytest.mark.parametrize("judge", ["Quorris, J.S.C., and a Jury,", "Quorris, J. T. C."])
def test_the_judge_below_is_no_party_where_ocr_lost_the_versus(tmp_path: Path, judge: str) -> None:
    text = BRIEF.replace("\nv.\n", "\nOn Appeal from a Final Judgment of\n")
    text = text.replace("QUINCE,", f"QUINCE,\nSat Below:\n{judge}")
    assert of_text(tmp_path, text).title.value.startswith("State v. Alder Quince")


def test_a_party_known_by_initials_like_a_judge_s_title_is_a_party(tmp_path: Path) -> None:
    assert of_text(tmp_path, BRIEF.replace("ALDER QUINCE,", "J.A.D.,")).title.value.startswith("State v. J.A.D.")


@pytest.mark.parametrize(
    ("printed", "name"),
    [("ALDER A QUINCE", "Alder A Quince"), ("ALDER V. QUINCE", "Alder V. Quince")],
)
def test_an_initial_in_a_party_s_name_keeps_its_capital(tmp_path: Path, printed: str, name: str) -> None:
    assert of_text(tmp_path, BRIEF.replace("ALDER QUINCE", printed)).title.value.startswith(f"State v. {name}")


def test_a_year_of_two_figures_is_never_in_the_far_future() -> None:
    assert list(dates_in("Filed 3/4/98; answered 5/6/07.")) == [date(1998, 3, 4), date(2007, 5, 6)]


@given(st.text(max_size=80))
def test_no_text_breaks_the_reading_of_dates_or_titles(text: str) -> None:
    list(dates_in(text))
    title_case(text)


@pytest.mark.parametrize(
    ("printed", "title"),
    [
        ("BRIEF ON BEHALF OF DEFENDANT-APPELLANT", "Brief on Behalf of Defendant-Appellant"),
        ("State v. McKay", "State v. McKay"),
        ("STATE V. MCDONALD", "State v. McDonald"),
        ("PATRICK D’ANGELO’S BRIEF", "Patrick D’Angelo’s Brief"),
        ("DA'QUAN HALE, JR., XI", "Da'Quan Hale, Jr., XI"),
        ("IN THE INTEREST OF J.M.R., A MINOR", "In the Interest of J.M.R., a Minor"),
        ("N.J.S.A. 2C:11-3(A) AND THE 14TH AMENDMENT", "N.J.S.A. 2C:11-3(A) and the 14th Amendment"),
    ],
)
def test_capitals_become_a_title_and_the_rest_stays(printed: str, title: str) -> None:
    assert title_case(printed) == title


BODY = "\n\nBRIEF FOR APPELLANT\n\nARGUMENT\n\nState v. Orrin, No. 19-44, held so.\nIn re Winslade, too.\n"


@pytest.mark.parametrize(
    ("caption", "title"),
    [
        ("THE PEOPLE OF THE STATE OF\nNEW YORK,\n\nRespondent,\n\n-against-\n\nALDO QUINCE,", "People v. Aldo Quince"),
        ("CITY CLINIC OF\nMILLBROOK, ET AL.,\nPlaintiff,\n- v -\nQ.R., et al.,", "City Clinic of Millbrook v. Q.R."),
        ("DIVISION OF CHILD\nCARE AND LEARNING,\nPetitioner,\nv.\nMARIA ESTELA\nQUINCE-OLD,\nRespondent",
         "Division of Child Care and Learning v. Maria Estela Quince-Old"),
        ("HOUSTON, TEXAS\nALDO QUINCE,\nAppellant\nVS.\nTHE STATE OF TEXAS,\nAppellee", "Aldo Quince v. State"),
        ("STATE OF OHIO, EX REL.\nALDO QUINCE,\nRelator,\nv.\nHON. JANE PELL, JUDGE,\nRespondent",
         "State ex rel. Aldo Quince v. Hon. Jane Pell, Judge"),
        ("STATE OF NEW JERSEY\nIN THE INTEREST OF\nA.Q., A JUVENILE.", "State in the Interest of A.Q."),
        ("IN RE:\n\nTHE GUARDIANSHIP OF\nALDO QUINCE,", "In re the Guardianship of Aldo Quince"),
        ("In the Matter of the Application of\nALDO QUINCE,\nPetitioner,\nUnder the Law,\n-against-\nJOEY, as Chair,",
         "In the Matter of Aldo Quince v. Joey"),
        ("UNITED STATES OF AMERICA, ) Case No. 2:20-cr-00417-AB\nPlaintiff, )\nv. ) MOTION\nALDO QUINCE, ) Dept. 3\n",
         "United States v. Aldo Quince"),
        ("".join(f"{number} {line}\n" for number, line in enumerate(
            ("", "Jo Pell", "Attorney for Defendant", "", "SUPERIOR COURT", "PEOPLE OF THE STATE OF CALIFORNIA,",
             "Plaintiff,", "v.", "ALDO", "QUINCE,", "Defendant.", "", ""), 1)), "People v. Aldo Quince"),
        ("RE: State of New Jersey v. Aldo Quince, Docket No. A-1-20", "State v. Aldo Quince"),
        ("Notes on lineups\nSee State v. Orrin, supra.\nState v. Pell, 12 N.J. 44 (1999)", ""),
    ],
)  # fmt: skip
def test_the_parties_are_those_of_the_caption_however_it_names_them(tmp_path: Path, caption: str, title: str) -> None:
    found = of_text(tmp_path, caption + BODY).title.value
    assert found == ", ".join(filter(None, (title, "Brief for Appellant")))


def test_names_in_one_another_without_end_cost_no_file(tmp_path: Path) -> None:
    assert of_text(tmp_path, "IN THE MATTER OF " * 3000 + BODY).title.value.endswith("Brief for Appellant")


@pytest.mark.parametrize(
    ("head", "court", "docket"),
    [
        ("COURT OF APPEALS\nSTATE OF OHIO\nAPL-2019-00417", "Court of Appeals, State of Ohio", "APL-2019-00417"),
        ("SUPREME COURT OF OHIO\nCase Nos. 2019-0417 and 2019-0418\nCase No. 2019-0500", "Supreme Court of Ohio",
         "2019-0417, 2019-0418, 2019-0500"),
        ("UNITED STATES COURT OF APPEALS\nFOR THE NINTH CIRCUIT\nNos. 20-50123, 20-50124",
         "United States Court of Appeals for the Ninth Circuit", "20-50123, 20-50124"),
        ("Case 2:20-cr-00417-AB Document 3\nUnited States District Court", "United States District Court",
         "2:20-CR-00417-AB"),
    ],
)  # fmt: skip
def test_courts_of_any_state_and_all_dockets_are_read(tmp_path: Path, head: str, court: str, docket: str) -> None:
    found = of_text(tmp_path, f"{head}\n\nPEOPLE,\nv.\nALDO QUINCE,\n{BODY}")
    assert (found.court and found.court.value, found.docket and found.docket.value) == (court, docket)
