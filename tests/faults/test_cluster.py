"""An index run on a cluster makes the bank that one machine makes, whatever dies meanwhile."""

from __future__ import annotations

import shutil
from pathlib import Path

import office
import pytest
from clusters import content, index_by_cluster, index_here

POINTS = (office.STOP, office.CONSENT, office.HEARSAY, office.CHARGE, office.SENTENCE, office.LINEUP)


@pytest.fixture(scope="module")
def briefs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of twelve briefs, a copy, a scan, and two files that cannot be read."""
    folder = tmp_path_factory.mktemp("cluster") / "briefs"
    for number in range(12):
        one, other = POINTS[number % 6], POINTS[(number + 1 + number // 6) % 6]
        text = office.brief(
            f"Client {number}", f"A-{1000 + number}-20", f"May {number + 1}, 2020", ("ONE.", one), ("TWO.", other)
        )
        office.write_text(folder / f"{number % 3}" / f"brief-{number:02d}.txt", text)
    shutil.copy(folder / "0" / "brief-00.txt", folder / "copy.txt")
    office.write_scan(folder / "scan.pdf", office.memo("Arrays", office.LINEUP), dpi=120)
    (folder / "empty.txt").write_bytes(b"")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    return folder


@pytest.fixture(scope="module")
def alone(briefs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bank that one machine makes of it."""
    bank = office.write_bank(tmp_path_factory.mktemp("alone") / "bank")
    index_here(briefs, bank)
    return bank


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cluster_makes_the_bank_that_one_machine_makes(
    briefs: Path, alone: Path, tmp_path: Path, workers: int
) -> None:
    share = tmp_path / "share"
    bank = office.write_bank(tmp_path / "bank")
    report = index_by_cluster(briefs, bank, workers, share)
    assert content(bank) == content(alone)
    assert (report.indexed, len(report.failures), report.copies) == (14, 2, 1)
    assert not any(share.iterdir()), "no text stays on the share"
    assert not index_here(briefs, bank).published
