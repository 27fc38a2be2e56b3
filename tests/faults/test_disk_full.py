"""A disk that fills while a bank is written: the old generation searches on, and the error says what to do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import office
import pytest
from judged import collection
from namespaces import needs_small_disk
from program import ROOT, command

from briefbank.errors import ExitCode

SCRIPT = """
mount -t tmpfs -o size={size_kb}k tmpfs {disk} && cp -r {bank}/. {disk}/ || exit 99
{index} 2>&1; echo "exit $?"
ls {disk}/generations
{search}
"""


pytestmark = needs_small_disk


def kilobytes(bank: Path) -> int:
    return sum(-(-path.stat().st_size // 4096) * 4 + 4 for path in bank.rglob("*"))


@pytest.mark.parametrize(
    "spare_kb", [8, 170, pytest.param(60, marks=pytest.mark.slow), pytest.param(250, marks=pytest.mark.slow)]
)
def test_a_full_disk_ends_with_11_and_the_old_index_searches(
    library_bank: Path, folder: Path, tmp_path: Path, spare_kb: int
) -> None:
    for number in range(8):
        text = office.brief(
            f"Client {number}", f"A-{number}-20", "May 4, 2020", ("THE CHARGE.", office.CHARGE), ("X.", office.STOP)
        )
        office.write_text(folder / f"{number}.txt", text)
    disk = tmp_path / "disk"
    disk.mkdir()
    script = SCRIPT.format(
        size_kb=kilobytes(library_bank) + spare_kb,
        disk=disk,
        bank=library_bank,
        index=" ".join(command("index", folder, "--bank", disk, "--quiet")),
        search=" ".join(command("search", "consent", "--bank", disk, "--json")),
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=200, check=True
    )
    told, _, found = done.stdout.partition("{")
    assert f"exit {int(ExitCode.NO_SPACE)}" in told
    assert "No space left" in told
    assert "run the same command again" in told
    generation = (library_bank / "current").read_text(encoding="utf-8").strip()
    assert told.split()[-1] == generation  # nothing half-built is left to fill the disk
    result = json.loads("{" + found)
    assert result["generation"] == generation
    assert result["hits"]


def test_a_page_that_finds_no_space_ends_with_11_behind_its_figures_and_leaves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the page is drawn with the extra 'report'")
    (tmp_path / "judged").mkdir()
    folder, disk, settings = collection(tmp_path / "judged"), tmp_path / "disk", tmp_path / "hashing.toml"
    disk.mkdir()
    settings.write_text('[settings]\nencoder = "hashing"\n', encoding="utf-8")
    evaluation = " ".join(command("evaluate", folder, "--settings", settings, "--report", disk / "page.html"))
    script = f"mount -t tmpfs -o size=16k tmpfs {disk} || exit 99\n{evaluation} 2>&1; echo exit $?; ls -A {disk}"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=200, check=True
    )
    assert "2 queries, 4 passages" in done.stdout
    assert "No space is left on the disk" in done.stdout
    assert str(disk) in done.stdout
    assert done.stdout.endswith(f"exit {int(ExitCode.NO_SPACE)}\n")


def test_the_disk_that_is_full_is_named_and_never_the_banks(library_bank: Path, tmp_path: Path) -> None:
    """A report's disk by the report; where only the output goes, none."""
    disk, draft = tmp_path / "disk", office.write_text(tmp_path / "draft.txt", office.memo("Consent", office.CONSENT))
    disk.mkdir()
    matter = tmp_path / "matter.json"
    note = {"type": "note", "text": "Ask for the recording. " * 1_000}
    matter.write_text(json.dumps({"format": "briefbank matter", "version": 1, "name": "Fen", "items": [note]}))
    log, bank = ("--log", tmp_path / "matters.sqlite"), ("--bank", library_bank)
    out = {name: disk / name for name in ("draft.docx", "matter.docx", "matter.json")}
    asked = [
        command("draft", draft, "--out", out["draft.docx"], *bank),
        command("matter", "export", "Fen", out["matter.docx"], *log),
        command("matter", "export", "Fen", out["matter.json"], *log),
        [*command("documents", *bank), "2>&1", ">", "/dev/full"],
    ]
    lines = [" ".join(words) for words in (command("matter", "import", matter, *log), *asked)]
    script = f"{lines[0]}; mount -t tmpfs -o size=4k tmpfs {disk}; {'; '.join(lines[1:])}"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f"exec 2>&1; {script}"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=250,
        check=False,
    )
    said = [line for line in done.stdout.splitlines() if "No space is left on the disk" in line]
    assert done.returncode == ExitCode.NO_SPACE
    ends = [f"on the disk of {path}." for path in out.values()]
    assert [line.partition("is left ")[2] for line in said] == [*ends, "on the disk."], done.stdout
