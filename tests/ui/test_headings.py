"""Headings that shout, read quietly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.headings import sentence_case


@pytest.mark.parametrize(
    ("filed", "read"),
    [
        ("POINT I: THE STOP WAS ILLEGAL", "Point I: The stop was illegal"),
        ("POINT IV THE CONSENT WAS TAINTED.", "Point IV The consent was tainted."),
        ("ISSUE ONE: DID THE COURT ERR?", "Issue One: Did the court err?"),
        ("LEGAL ARGUMENT", "Legal argument"),
        ("THE TERM OF A SIXTEEN-YEAR-OLD. (RULED ON BELOW)", "The term of a sixteen-year-old. (ruled on below)"),
        ("TEX. CODE CRIM. PROC. ART. 38.23 BARS IT", "Tex. Code Crim. Proc. Art. 38.23 bars it"),
        ("POINT III", "Point III"),
        ("B. THE SEARCH WAS BARRED", "B. The search was barred"),
        ("IV. THE SEARCH WAS BARRED", "IV. The search was barred"),
        ("STATE V. CARTY REQUIRES SUPPRESSION", "State v. Carty requires suppression"),
        ("O'NEILL V. MCCANN IS NOT LAW", "O'Neill v. McCann is not law"),
        ("UNITED STATES v. JONES CONTROLS", "United States v. Jones controls"),
        ("THE DWI STATUTE, N.J.S.A. 39:4-50", "The DWI statute, N.J.S.A. 39:4-50"),
        ("THE STATE'S DNA EVIDENCE", "The State's DNA evidence"),
        ("STATE ACTION IS REQUIRED", "State action is required"),
        ("THE FOURTH AND FOURTEENTH AMENDMENTS FORBID IT", "The Fourth and Fourteenth Amendments forbid it"),
        ("MIRANDA WARNINGS AND COUNT VII", "Miranda warnings and count VII"),
        ("MR. RENFREW’S PLEA IN TEXAS", "Mr. Renfrew’s plea in Texas"),
        ("THE COURT ERRED. THE ERROR WAS HARMFUL", "The court erred. The error was harmful"),
        ("TEX. CODE CRIM. PROC. ART. 35.16", "Tex. Code Crim. Proc. Art. 35.16"),
    ],
)
def test_a_heading_in_capitals_is_read_in_sentence_case(filed: str, read: str):
    assert sentence_case(filed) == read


@pytest.mark.parametrize(
    "filed",
    [
        "Point I: The stop was illegal",
        "A. The DWI of McCann under N.J.S.A. 39:4-50",
        "The Consent Was Tainted, and State v. Carty Controls",
        "",
        "DNA",
    ],
)
def test_a_heading_that_does_not_shout_stays_as_filed(filed: str):
    assert sentence_case(filed) == filed


@given(st.text(alphabet="AVXI.:'’ vbÉSß12(§", max_size=60))
def test_only_the_case_of_letters_and_needless_space_ever_change(filed: str):
    assert sentence_case(filed).casefold() == " ".join(filed.split()).casefold()


def test_what_the_passage_writes_as_a_name_is_one_in_its_heading_and_a_cited_brief_keeps_its_letters() -> None:
    text = "The Miller factors were not weighed in Harris County. A factor is a factor."
    shouted = "POINT I THE MILLER FACTORS AND HARRIS COUNTY’S (SB 17)"
    assert sentence_case(shouted, text) == "Point I The Miller factors and Harris County’s (Sb 17)"
