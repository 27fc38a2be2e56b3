"""What the program finds out about the sample documents, compared with the truth in their sources."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from systems import tesseract

from briefbank.errors import DamagedFileError, EmptyFileError, EncryptedFileError
from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.parse import structure, with_ocr
from briefbank.ingest.readers import read_file
from briefbank.platform.settings import Settings

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA))
office = importlib.import_module("samplebuilder.office")

SOURCES = {source.name: source for source in office.read_all(DATA / "samples" / "sources")}
UNREADABLE = [name for name, source in SOURCES.items() if source.form in office.UNREADABLE]
SCANS = [name for name, source in SOURCES.items() if source.form in office.SCANS]
BORN_DIGITAL = [name for name in SOURCES if name not in (*UNREADABLE, *SCANS)]
FIELDS = ("title", "kind", "court", "docket", "filed", "author", "outcome")


def built(folder: Path, name: str) -> Path:
    path = folder / office.place(SOURCES[name]).name
    path.write_bytes(office.render(SOURCES[name]))
    return path


def found(metadata, fields) -> dict[str, str]:
    facts = {field: getattr(metadata, field) for field in fields}
    return {field: str(fact.value) if fact else "" for field, fact in facts.items()}


def true(name: str, fields) -> dict[str, str]:
    return {field: getattr(SOURCES[name], field) for field in fields}


@pytest.mark.parametrize("name", BORN_DIGITAL)
def test_all_that_a_born_digital_sample_states_is_found(tmp_path, name):
    document = structure(read_file(built(tmp_path, name), Settings()))
    assert found(document.metadata, FIELDS) == true(name, FIELDS)


@pytest.mark.slow
@tesseract
@pytest.mark.parametrize("name", SCANS)
def test_a_scanned_sample_tells_its_docket_date_and_kind(tmp_path, name):
    path = built(tmp_path, name)
    reading = read_file(path, Settings())
    ends = {*reading.pages_to_ocr[:3], *reading.pages_to_ocr[-2:]}
    document = structure(with_ocr(reading, {number: ocr_page(path, number, Settings()) for number in ends}))
    fields = ("docket", "filed", "kind")
    assert found(document.metadata, fields) == true(name, fields)


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_sample_ends_as_a_named_failure(tmp_path, name):
    expected = EncryptedFileError if SOURCES[name].form == "encrypted-pdf" else (DamagedFileError, EmptyFileError)
    with pytest.raises(expected):
        read_file(built(tmp_path, name), Settings())
