"""Cases that no reporter has are known by their docket; other numbers of courts cite nothing."""

from __future__ import annotations

import pytest
from citing import PATTERNS, asked, cite, keys, told

from briefbank.law.citations import citations_in_query


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
