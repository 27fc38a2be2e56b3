"""Structure measured on real filings: what their tables of contents list must be found in the body, and quickly."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings
from briefbank.values.records import BlockRole, Reading, SectionKind, StructuredDocument

BRIEFS = Path(__file__).parents[2] / ".." / "shared" / "corpora" / "briefs"
SAMPLE_STEP = 9
FLOOR_LISTED = 0.90
FLOOR_NUMBERED = 0.92
"""4,246 of the 4,475 pages of all briefs have one; covers and certificates of service bear none."""
MOST_MS_A_PAGE = 12.0
_LISTED = re.compile(r"(?P<title>.*?)(?:[\s.…·_]{2,}|\s)(?:\d{1,3}|[ivxl]+)(?:\s*[-–,]\s*\d{1,3})*\s*$", re.DOTALL)
_TABLES = (SectionKind.CONTENTS, SectionKind.AUTHORITIES, SectionKind.PARTIES)
_FRONT = re.compile(r"(?i)cover|contents|authorities|citations|index|part(y|ies)|counsel|persons")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BRIEFS.is_dir(), reason="the corpus of real briefs is not beside the project"),
]


@pytest.fixture(scope="module")
def sample() -> list[tuple[Reading, StructuredDocument, float]]:
    found = []
    for path in sorted(BRIEFS.glob("*.pdf"))[::SAMPLE_STEP]:
        reading = read_file(path, Settings())
        start = time.process_time()
        structured = structure(reading)
        found.append((reading, structured, 1000 * (time.process_time() - start)))
    return found


def folded(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def listed(structured: StructuredDocument) -> list[str]:
    """The titles that the table of contents lists, front matter left out."""
    titles = []
    for section in structured.sections:
        if section.kind is not SectionKind.CONTENTS:
            continue
        for block in structured.blocks:
            if section.span.start <= block.span.start < section.span.end and block.role is BlockRole.LINE:
                match = _LISTED.match(" ".join(structured.text[block.span.start : block.span.end].split()))
                if match and len(folded(match["title"])) > 3 and not _FRONT.search(match["title"]):
                    titles.append(folded(match["title"]))
    return titles


def test_headings_listed_in_tables_of_contents_are_carried_in_section_paths(
    sample: list[tuple[Reading, StructuredDocument, float]],
) -> None:
    found = wanted = 0
    for _, structured, _ in sample:
        paths = {folded(part) for s in structured.sections if s.kind not in _TABLES for part in s.path}
        titles = listed(structured)
        wanted += len(titles)
        found += sum(any(title in path or (path and path in title) for path in paths) for title in titles)
    assert wanted > 100
    assert found >= FLOOR_LISTED * wanted, f"{found} of {wanted}"


def test_no_paragraph_holds_a_page_number_or_running_head(
    sample: list[tuple[Reading, StructuredDocument, float]],
) -> None:
    for reading, structured, _ in sample:
        ends = {
            (p.number, line.words[-1].box) for p in reading.pages[1:-1] for line in p.lines[-1:] if len(line.words) == 1
        }
        left = [w for w in structured.words if (w.page, w.box) in ends and structured.text[w.start : w.end].isdigit()]
        assert len(left) <= 0.02 * len(reading.pages)


def test_structure_leaves_the_page_rate_within_reach(sample: list[tuple[Reading, StructuredDocument, float]]) -> None:
    pages = sum(len(reading.pages) for reading, _, _ in sample)
    assert sum(ms for _, _, ms in sample) / pages <= MOST_MS_A_PAGE


def test_nearly_all_pages_have_the_number_printed_on_them(
    sample: list[tuple[Reading, StructuredDocument, float]],
) -> None:
    pages = sum(len(reading.pages) for reading, _, _ in sample)
    numbered = sum(run.last - run.first + 1 for _, structured, _ in sample for run in structured.page_runs)
    assert numbered >= FLOOR_NUMBERED * pages, f"{numbered} of {pages}"
