"""What the program finds out about the sample documents, compared with the truth beside them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from systems import tesseract

from briefbank.errors import DamagedFileError, EmptyFileError, EncryptedFileError
from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.parse import with_ocr
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings

SAMPLES = Path(__file__).parents[1] / "data" / "samples"
TRUTH = tomllib.loads((SAMPLES / "truth.toml").read_text(encoding="utf-8"))
UNREADABLE = [name for name, sample in TRUTH.items() if sample["form"] in ("encrypted-pdf", "truncated-pdf")]
SCANS = [name for name, sample in TRUTH.items() if sample["form"] in ("scan", "rotated-scan")]
BORN_DIGITAL = [name for name in TRUTH if name not in (*UNREADABLE, *SCANS)]
FIELDS = ("title", "kind", "court", "docket", "filed", "author", "outcome")


def path_of(name: str) -> Path:
    return SAMPLES / "office" / TRUTH[name]["file"]


def found(metadata, fields) -> dict[str, str]:
    facts = {field: getattr(metadata, field) for field in fields}
    return {field: str(fact.value) if fact else "" for field, fact in facts.items()}


def true(name: str, fields) -> dict[str, str]:
    return {field: TRUTH[name][field] for field in fields}


@pytest.mark.parametrize("name", BORN_DIGITAL)
def test_all_that_a_born_digital_sample_states_is_found(name):
    document = structure(read_file(path_of(name), Settings()))
    assert found(document.metadata, FIELDS) == true(name, FIELDS)


@pytest.mark.slow
@tesseract
@pytest.mark.parametrize("name", SCANS)
def test_a_scanned_sample_tells_its_docket_date_and_kind(name):
    path = path_of(name)
    reading = read_file(path, Settings())
    ends = {*reading.pages_to_ocr[:3], *reading.pages_to_ocr[-2:]}
    document = structure(with_ocr(reading, {number: ocr_page(path, number, Settings()) for number in ends}))
    fields = ("docket", "filed", "kind")
    assert found(document.metadata, fields) == true(name, fields)


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_sample_ends_as_a_named_failure(name):
    expected = EncryptedFileError if TRUTH[name]["form"] == "encrypted-pdf" else (DamagedFileError, EmptyFileError)
    with pytest.raises(expected):
        read_file(path_of(name), Settings())
