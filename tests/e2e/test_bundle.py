"""The offline folder as `make bundle` builds it: runs by itself, and its banks are those of any other installation."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import office
import pytest
from program import ROOT, Briefbank

BUNDLE = Path(os.environ.get("BRIEFBANK_BUNDLE", ROOT / "build" / "bundle" / "briefbank"))
ASKED = "is consent to search valid if the stop was prolonged"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not (BUNDLE / "briefbank").is_file(), reason="the offline folder is not built: make bundle"),
]


def run(*words: object, home: Path, programs: Path = BUNDLE) -> subprocess.CompletedProcess[str]:
    """Run the folder's command line with an environment as bare as that of a new user."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    command = [str(programs / "briefbank"), *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=900, check=False)


@pytest.fixture
def briefs(tmp_path: Path) -> Path:
    folder = tmp_path / "briefs"
    office.write_text(folder / "consent.txt", office.memo("Consent", office.CONSENT))
    office.write_text(folder / "hearsay.txt", office.memo("Hearsay", office.HEARSAY))
    office.write_scan(folder / "stop.pdf", office.memo("Stops", office.STOP))
    return folder


@pytest.mark.skipif(shutil.which("unshare") is None or sys.platform != "linux", reason="for Linux with namespaces")
def test_the_folder_runs_by_itself_on_a_read_only_system_without_network_or_python(tmp_path: Path) -> None:
    picture = tmp_path / "screen.xwd"
    words = ["sh", str(ROOT / "installer" / "check_bundle"), str(BUNDLE), str(picture)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=1700, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the window opens without a screen" in done.stdout
    if shutil.which("Xvfb"):
        assert picture.stat().st_size > 1280 * 800 * 4


def test_a_bank_of_the_folder_and_one_made_with_torch_answer_each_other_alike(
    briefs: Path, tmp_path: Path, briefbank_process: Briefbank
) -> None:
    made = run("index", briefs, "--bank", tmp_path / "bundled", "--quiet", home=tmp_path)
    assert made.returncode == 0, made.stderr
    assert briefbank_process("index", briefs, "--bank", tmp_path / "torch", "--quiet").code == 0
    answers = []
    for bank in (tmp_path / "bundled", tmp_path / "torch"):
        in_bundle = run("search", ASKED, "--bank", bank, "--json", home=tmp_path)
        assert in_bundle.returncode == 0, in_bundle.stderr
        answers += [json.loads(in_bundle.stdout), briefbank_process("search", ASKED, "--bank", bank, "--json").json]
    found = [[hit["passage_id"] for hit in answer["hits"]] for answer in answers]
    assert found[0]
    assert found == [found[0]] * 4


def test_running_it_again_over_a_bank_made_with_torch_reads_and_encodes_nothing(
    briefs: Path, tmp_path: Path, briefbank_process: Briefbank
) -> None:
    bank = tmp_path / "bank"
    assert briefbank_process("index", briefs, "--bank", bank, "--quiet").code == 0
    again = run("index", briefs, "--bank", bank, "--quiet", "--json", home=tmp_path)
    assert again.returncode == 0, again.stderr
    report = json.loads(again.stdout)
    assert (report["unchanged"], report["indexed"], report["published"]) == (3, 0, False)


def test_the_folder_writes_word_documents_with_comments(tmp_path: Path) -> None:
    """What writes them brings files of its own, and finds some by way of a folder that holds nothing else."""
    passage = {"type": "passage", "text": "The stop.", "text_sha256": sha256(b"The stop.").hexdigest()}
    passage |= {"title": "State v. Quince", "document_id": "d", "document_sha256": "0", "passage_id": "d-1"}
    items = [{**passage, "cautions": ["Read by OCR, 71 % sure: check against the page"]}]
    matter = {"format": "briefbank matter", "version": 1, "name": "Quince", "items": items}
    (tmp_path / "matter.json").write_text(json.dumps(matter), encoding="utf-8")
    log = ("--log", tmp_path / "matters.sqlite")
    assert run("matter", "import", tmp_path / "matter.json", *log, home=tmp_path).returncode == 0
    done = run("matter", "export", "Quince", tmp_path / "quince.docx", *log, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "quince.docx").stat().st_size > 1000


def test_the_folder_holds_what_it_lists_with_licences_and_source_and_no_torch() -> None:
    with (BUNDLE / "files.csv").open(encoding="utf-8", newline="") as file:
        listed = {row["path"]: int(row["bytes"]) for row in csv.DictReader(file)}
    there = {path.relative_to(BUNDLE).as_posix() for path in BUNDLE.rglob("*") if path.is_file()} - {"files.csv"}
    assert there == set(listed)
    assert sum(listed.values()) < 1_000_000_000
    assert not [path for path in listed if "/torch/" in path or "transformers/" in path]
    for name in ("LICENSE", "SOURCE.md", "licences/list.csv", "licences/pymupdf", "licences/LGPL-3.txt", "source"):
        assert (BUNDLE / name).exists(), name


def test_an_installed_folder_is_started_by_its_links(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run(["sh", str(BUNDLE / "install.sh")], env=environment, check=True, capture_output=True)
    done = run("--version", home=tmp_path, programs=tmp_path / ".local" / "bin")
    assert done.stdout.startswith("briefbank "), done.stderr
