"""A scanned sample read through OCR, against the same document as it was typeset."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from systems import tesseract

from briefbank.ingest.ocr.page import ocr_page
from briefbank.ingest.parse import with_ocr
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import StructuredText, structure_text
from briefbank.platform.settings import Settings
from briefbank.values.records import BlockRole, Section, SectionKind

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA))
office = importlib.import_module("samplebuilder.office")
NAME = "dolan-plea-withdrawal"
LEAST_CARRIED = 0.9
ALIKE = 0.8

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    tesseract,
]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[StructuredText, StructuredText]:
    """The sample as typeset, and as read from its scan."""
    sample = next(source for source in office.read_all(DATA / "samples" / "sources") if source.name == NAME)
    folder = tmp_path_factory.mktemp("scan")
    typeset, scan = folder / "typeset.pdf", folder / "scan.pdf"
    typeset.write_bytes(office.render(replace(sample, form="pdf")))
    scan.write_bytes(office.render(sample))
    reading = read_file(scan, Settings())
    pages = {number: ocr_page(scan, number, Settings()) for number in reading.pages_to_ocr}
    return structure_text(read_file(typeset, Settings())), structure_text(with_ocr(reading, pages))


def bodies(result: StructuredText) -> list[Section]:
    return [section for section in result.sections if section.path and not section.is_footnotes]


def is_alike(one: Section, other: Section) -> bool:
    """Whether two sections have the same kind and depth, and headings that differ by little but misread letters."""
    if one.kind is not other.kind or len(one.path) != len(other.path):
        return False
    pairs = zip(one.path, other.path, strict=True)
    return all(SequenceMatcher(None, a.lower(), b.lower(), autojunk=False).ratio() > ALIKE for a, b in pairs)


def test_a_scanned_brief_has_the_headings_kinds_and_paths_of_the_typeset_one(
    both: tuple[StructuredText, StructuredText],
) -> None:
    typeset, scan = map(bodies, both)
    found = sum(any(is_alike(section, other) for other in scan) for section in typeset)
    assert found >= LEAST_CARRIED * len(typeset)


def test_a_scanned_brief_has_every_kind_of_section_in_order(both: tuple[StructuredText, StructuredText]) -> None:
    def kinds(result: StructuredText) -> list[SectionKind]:
        return list(dict.fromkeys(section.kind for section in result.sections))

    typeset, scan = both
    assert kinds(scan) == kinds(typeset)


def test_footnotes_of_a_scanned_brief_stand_apart_on_their_pages(both: tuple[StructuredText, StructuredText]) -> None:
    def pages(result: StructuredText) -> list[int]:
        return [block.page_first for block in result.blocks if block.role is BlockRole.FOOTNOTE]

    typeset, scan = both
    assert pages(scan) == pages(typeset)
