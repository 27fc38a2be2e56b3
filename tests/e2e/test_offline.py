"""The main job with the real encoder where there is no network, not even an interface."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import office
import pytest
from namespaces import needs_no_network
from program import ROOT, command

SAMPLES = ROOT / "tests" / "data" / "samples" / "office"
QUESTION = "is consent to search valid if the stop was prolonged"
FEW = 4


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A scan, and the smallest sample documents."""
    folder = tmp_path / "briefs"
    folder.mkdir()
    small = (path for path in SAMPLES.rglob("*") if path.suffix in {".docx", ".txt"})
    for path in sorted(small, key=lambda path: path.stat().st_size)[:FEW]:
        shutil.copy(path, folder)
    office.write_scan(folder / "scanned-memo.pdf", office.memo("Consent", office.CONSENT))
    return folder


def run(words: list[str], seconds: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=seconds, check=False)


def index_and_search(folder: Path, bank: Path) -> str:
    index = shlex.join(command("index", folder, "--bank", bank, "--quiet", "--json"))
    search = shlex.join(command("search", QUESTION, "--bank", bank, "--json"))
    return f"{index} && {search}"


def assert_useful(told: str, folder: Path) -> None:
    decoder = json.JSONDecoder()
    report, end = decoder.raw_decode(told)
    assert report["failures"] == []
    assert report["documents"] == len(list(folder.iterdir()))
    result = decoder.raw_decode(told[end:].lstrip())[0]
    assert len(result["hits"]) == 5
    best = next(hit for hit in result["hits"] if hit["rank"] == 1)
    assert re.search("consent|stop", best["text"], re.IGNORECASE)


@needs_no_network
def test_indexing_and_searching_work_without_any_network_interface(few: Path, tmp_path: Path) -> None:
    done = run(["unshare", "-rn", "sh", "-c", index_and_search(few, tmp_path / "bank")], 280)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert_useful(done.stdout, few)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_sample_is_indexed_or_named(tmp_path: Path) -> None:
    done = run(command("index", SAMPLES, "--bank", tmp_path / "bank", "--quiet", "--json"), 1700)
    assert done.returncode == 12, done.stderr
    report = json.loads(done.stdout)
    found = [path for path in SAMPLES.rglob("*") if path.is_file()]
    files = [path for path in found if not path.name.startswith(".") and path.suffix != ".csv"]
    assert report["documents"] + len(report["failures"]) == len(files)
    assert {failure["code"] for failure in report["failures"]} == {"encrypted-file", "damaged-file"}
