"""The bank that a cluster makes of real briefs is the one that one machine makes, with workers killed meanwhile.

CLUSTER_STEP takes every so manieth brief, by size (default 9; 1: all), CLUSTER_ENCODER another encoder than the one
that BriefBank brings (`hashing` needs no model).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import office
import pyarrow as pa
import pytest
from clusters import content, index_here, index_with, kills, rows_of

from briefbank.bank.local import Bank
from briefbank.errors import ReaderKilledError
from briefbank.ingest.cluster.machines import local_cluster
from briefbank.platform.progress import Progress
from briefbank.values.records import Query

ROOT = Path(__file__).parents[2]
BRIEFS = ROOT.parent / "shared" / "corpora" / "briefs"
QUESTIONS = (ROOT / "tests" / "bench" / "queries.txt").read_text(encoding="utf-8").splitlines()[:40]
STEP = int(os.environ.get("CLUSTER_STEP", "9"))
SETTINGS = {
    "encoder": os.environ.get("CLUSTER_ENCODER", ""),
    "read_timeout_s": 600.0,
    "ocr_page_timeout_s": 600.0,
}
"""Time limits are of clocks: on a machine that four workers fill, no file or page may fail by one in one run alone."""
TOLERANCE = 1e-5
"""Between the numbers of vectors that were encoded in other company."""

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.skipif(not BRIEFS.is_dir(), reason="the real briefs are not beside the checkout"),
]
pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")


def ranking(bank: Path) -> list[list[str]]:
    """The ids of the passages found, best first, for each question."""
    opened = Bank.open(bank)
    found = [opened.search(Query(question, include_weak=True)).hits for question in QUESTIONS]
    return [[hit.passage.id for hit in sorted(hits, key=lambda hit: hit.rank)] for hits in found]


def assert_alike(bank: Path, other: Path) -> float:
    """See that two banks are the same but for the last digits of their vectors; returns the greatest difference."""
    one, two = content(bank), content(other)
    assert {name for name in one.keys() | two.keys() if one.get(name) != two.get(name)} <= {"passages"}
    (rows, vectors), (other_rows, other_vectors) = (_apart(rows_of(each, "passages")) for each in (bank, other))
    assert rows.equals(other_rows)
    assert np.allclose(vectors, other_vectors, rtol=0, atol=TOLERANCE)
    assert ranking(bank) == ranking(other)
    return float(np.abs(vectors - other_vectors).max())


def _apart(passages: pa.Table) -> tuple[pa.Table, np.ndarray]:
    vectors = np.array(passages["vector"].to_pylist(), dtype=np.float32)
    return passages.drop_columns(["vector"]), vectors


def nothing(_: Progress) -> None:
    return


@pytest.mark.parametrize("times", [0, 6])
def test_a_cluster_makes_the_bank_of_one_machine(
    tmp_path: Path, record_property: Callable[[str, object], None], times: int
) -> None:
    briefs = tmp_path / "briefs"
    briefs.mkdir()
    for file in sorted(BRIEFS.glob("*.pdf"), key=lambda file: (file.stat().st_size, file.name))[::STEP]:
        shutil.copy2(file, briefs)
    alone = office.write_bank(tmp_path / "alone", workers=0, **SETTINGS)
    assert not index_here(briefs, alone).failures
    bank = office.write_bank(tmp_path / "bank", **SETTINGS)
    with local_cluster(briefs, 2) as local:
        with kills(local, times, seed=1, pause_s=30.0) if times else nullcontext(nothing) as on_progress:
            report = index_with(local, briefs, bank, on_progress)
        if report.failures:  # files over which workers died again and again
            assert {each.code for each in report.failures} == {ReaderKilledError.code}
            index_with(local, briefs, bank)
    record_property("greatest difference between vectors", assert_alike(bank, alone))
    record_property("passages", rows_of(bank, "passages").num_rows)
