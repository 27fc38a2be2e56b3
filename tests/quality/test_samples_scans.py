"""A scanned sample read through OCR, against the same document as it was typeset."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest
from systems import tesseract

from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.parse import with_ocr
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings
from briefbank.values.records import BlockRole, Section, StructuredDocument

SAMPLES = Path(__file__).parents[1] / "data" / "samples"
SAMPLE = tomllib.loads((SAMPLES / "truth.toml").read_text(encoding="utf-8"))["dolan-plea-withdrawal"]
TYPESET = SAMPLE["typeset"]
"""What was found in the document before it was scanned."""
LEAST_CARRIED = 0.9
ALIKE = 0.8

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    tesseract,
]


@pytest.fixture(scope="module")
def scan() -> StructuredDocument:
    """The sample as read from its scan."""
    path = SAMPLES / "office" / SAMPLE["file"]
    reading = read_file(path, Settings())
    pages = {number: ocr_page(path, number, Settings()) for number in reading.pages_to_ocr}
    return structure(with_ocr(reading, pages))


def is_alike(typeset: Mapping[str, Any], other: Section) -> bool:
    """Whether two sections have the same kind and depth, and headings that differ by little but misread letters."""
    path: Sequence[str] = typeset["path"]
    if typeset["kind"] != other.kind or len(path) != len(other.path):
        return False
    pairs = zip(path, other.path, strict=True)
    return all(SequenceMatcher(None, a.lower(), b.lower(), autojunk=False).ratio() > ALIKE for a, b in pairs)


def test_a_scanned_brief_has_the_headings_kinds_and_paths_of_the_typeset_one(scan: StructuredDocument) -> None:
    bodies = [section for section in scan.sections if section.path and not section.is_footnotes]
    found = sum(any(is_alike(section, other) for other in bodies) for section in TYPESET["sections"])
    assert found >= LEAST_CARRIED * len(TYPESET["sections"])


def test_a_scanned_brief_has_every_kind_of_section_in_order(scan: StructuredDocument) -> None:
    assert list(dict.fromkeys(section.kind for section in scan.sections)) == TYPESET["kinds"]


def test_footnotes_of_a_scanned_brief_stand_apart_on_their_pages(scan: StructuredDocument) -> None:
    pages = [block.page_first for block in scan.blocks if block.role is BlockRole.FOOTNOTE]
    assert pages == TYPESET["footnote_pages"]
