"""Fictional drafts with their records, in which another hand planted faults: how many are named, and what is named
beside them. Records are read as they are filed: as PDF, one a scan, condensed sheets where the set says so.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import office
import pytest
from consent_briefs import briefs
from record_sheets import write_condensed, write_pages, write_scanned
from systems import tesseract

from briefbank.bank.local import Bank
from briefbank.cli.main import main
from briefbank.values.findings import DraftFinding, Weight
from briefbank.values.record import CaseRecord

SETS = Path(__file__).parents[1] / "data" / "record"
SCANNED = "03"
"""The number of the set whose record is read by OCR."""
LEAST_NAMED, MOST_FALSE = 0.95, 0.03


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("office")
    root = office.write_bank(folder / "bank")
    for name, text in briefs().items():
        office.write_text(folder / f"briefs/{name}.txt", text)
    assert main(["index", str(folder / "briefs"), "--bank", str(root), "--quiet"]) == 0
    return root


@tesseract
@pytest.mark.parametrize("half", ["dev", "held"])
def test_planted_faults_are_named_and_right_cites_are_not(half: str, bank: Path, tmp_path: Path) -> None:
    named, false, counts = 0, 0, {True: 0, False: 0}
    with Bank.open(bank) as opened:
        for each in sorted((SETS / half).iterdir()):
            draft, record = typeset(each, tmp_path / each.name)
            report = opened.check_draft(draft, CaseRecord(record))
            found = [finding for finding in report.findings if finding.kind.startswith("record-")]
            for mark in json.loads((each / "marks.json").read_text(encoding="utf-8")):
                is_fault = mark["verdict"] != "right"
                counts[is_fault] += 1
                is_told = any(finding.weight is not Weight.KNOW for finding in about(mark, found))
                named += is_fault and is_told
                false += is_told and not is_fault
    assert named >= LEAST_NAMED * counts[True]
    assert false <= MOST_FALSE * counts[False]


def typeset(folder: Path, out: Path) -> tuple[Path, Path]:
    """The draft and the folder of the record of a set, as they would be filed."""
    record = out / "record"
    record.mkdir(parents=True)
    for number, file in enumerate(sorted((folder / "record").iterdir())):
        text, name = file.read_text(encoding="utf-8"), file.name.removesuffix(".txt")
        if name.endswith(".condensed"):
            write_condensed(record / f"{name.removesuffix('.condensed')}.pdf", text)
        elif folder.name == SCANNED:
            write_scanned(record / f"{name}.pdf", text)
        elif number % 4 == 3:
            office.write_text(record / file.name, text)
        else:
            write_pages(record / f"{name}.pdf", text)
    return write_pages(out / "draft.pdf", (folder / "draft.txt").read_text(encoding="utf-8")), record


def about(mark: dict[str, Any], found: list[DraftFinding]) -> list[DraftFinding]:
    """The findings whose words end with the cite of a mark and have what is quoted there."""
    cite, quoted = bare(mark["cite"]), bare(mark["quoted"].split(" | ")[0])[:12]
    cited = [each for each in found if re.search(rf"{re.escape(cite)}(?![\d-])", bare(each.words)[-len(cite) - 40 :])]
    return [each for each in cited if quoted in bare(each.words)] or cited


def bare(text: str) -> str:
    return "".join(text.split()).replace("’", "'")
