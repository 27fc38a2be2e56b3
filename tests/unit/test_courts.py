"""Courts and their dockets: what a caption is read for is what an export takes out."""

from __future__ import annotations

from pathlib import Path

import office
import pytest

from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.law.anonymise.anonymiser import find_personal
from briefbank.law.anonymise.forms import Kind
from briefbank.platform.settings import Settings
from briefbank.values.records import Metadata

DOCKETS = {
    "A-1482-17T4": ["A-1482-17T4", "A- 1482-17T4", "A-1482-17 T4", "a-1482-17t4", "A-1482- 17T4", "A-1482- 17T 4"],
    "01-19-00417-CR": ["01-19-00417-CR", "01-19-00417CR", "01 - 19 - 00417 - CR", "01-19-00417-cr", "01-19- 00417-CR"],
    "PD-1041-19": ["PD-1041-19", "pd-1041-19"],
    "W-2020-000417-0906": ["W-2020-000417-0906", "w-2020-000417-0906"],
}
PRINTED = [(docket, printed) for docket, forms in DOCKETS.items() for printed in forms]


def read(tmp_path: Path, text: str) -> Metadata:
    return structure(read_file(office.write_text(tmp_path / "01.txt", text), Settings())).metadata


def brief_of(docket: str) -> str:
    return office.brief("Alder Quince", docket, "September 14, 2018", ("THE STOP.", office.STOP))


def taken_out(text: str) -> list[str]:
    (found,) = find_personal([text]).found
    return [text[slice(*each.span)] for each in found if each.kind is Kind.DOCKET]


@pytest.mark.parametrize(("docket", "printed"), PRINTED)
def test_a_docket_is_read_and_taken_out_however_a_clerk_or_a_scan_printed_it(
    tmp_path: Path, docket: str, printed: str
) -> None:
    found = read(tmp_path, brief_of(printed)).docket
    assert found is not None
    assert found.value == docket
    assert taken_out(f"She appealed; the file is {printed}, which nobody may see.") == [printed]
    assert taken_out(f"What is filed as {printed}") == [printed]


@pytest.mark.parametrize("label", ["Docket No.", "App. Div. Docket No."])
@pytest.mark.parametrize("number", ["19-45", "AB-12"])
def test_a_number_that_only_its_label_makes_a_docket_is_read_and_taken_out(
    tmp_path: Path, label: str, number: str
) -> None:
    text = brief_of("A-1482-17T4").replace("DOCKET NO. A-1482-17T4", f"{label} {number}")
    found = read(tmp_path, text).docket
    assert found is not None
    assert found.value == number
    assert taken_out(f"It was argued under {label} {number}, last spring.") == [number]


@pytest.mark.parametrize(
    "prose",
    [
        "In this case no 911 call was made.",
        "There was in this case no 21-year-old man.",
        "The clerk filed Case No. 2019 and went home.",
    ],
)
def test_numbers_of_prose_behind_a_word_for_a_docket_stay(prose: str) -> None:
    assert taken_out(prose) == []


def test_short_dockets_are_taken_out_to_the_end_of_their_list() -> None:
    assert taken_out("They were Docket Nos. 19-45, 19-46 and 20-1, all of them.") == ["19-45", "19-46", "20-1"]


@pytest.mark.parametrize("longer", ["A-12-20-CR-00412", "01-19-00417-CR-2", "MON-A-1482-17"])
def test_a_number_that_goes_on_is_taken_out_whole(longer: str) -> None:
    assert taken_out(f"It was filed as {longer}, they say.") == [longer]


@pytest.mark.parametrize(
    ("printed", "court"),
    [
        ("SUPERIOR COURT OF NEW JERSEY\nAPPELLATE DIVISION", "Superior Court of New Jersey, Appellate Division"),
        ("IN THE COURT OF APPEALS\nFOR THE 15TH DISTRICT OF TEXAS", "Court of Appeals of Texas, Fifteenth District"),
        ("THIRD COURT OF APPEALS\nAUSTIN, TEXAS", "Court of Appeals of Texas, Third District"),
    ],
)
def test_a_court_has_one_name_however_it_is_printed(tmp_path: Path, printed: str, court: str) -> None:
    text = brief_of("A-1482-17T4").replace("SUPERIOR COURT OF NEW JERSEY\nAPPELLATE DIVISION", printed)
    found = read(tmp_path, text).court
    assert found is not None
    assert found.value == court
