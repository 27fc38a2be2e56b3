"""The folder for Windows and its installer, built twice at different places: the same commit gives the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import file_digest
from pathlib import Path

import pytest
from program import ROOT
from under_wine import BUILT

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]


@pytest.mark.skipif(not (BUILT / "work" / "wheels").is_dir(), reason="nothing was fetched yet: make windows")
def test_two_builds_of_a_commit_give_the_same_bytes(tmp_path: Path) -> None:
    one, two = (build(tmp_path / name) for name in ("one", "a second place"))
    first, second = ((out / "briefbank" / "files.csv").read_text("utf-8").splitlines() for out in (one, two))
    assert sorted(set(first) ^ set(second)) == []
    assert len(first) > 1000
    assert digest_of_installer(one) == digest_of_installer(two)


def build(checkout: Path) -> Path:
    """Build both in a checkout of its own; only the fetched wheels and CPython are taken from what was built before."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
    out = checkout / "build" / "windows"
    (out / "work").mkdir(parents=True)
    for kept in ((BUILT / "work" / "wheels"), *(BUILT / "work").glob("*.tar.gz")):
        (out / "work" / kept.name).symlink_to(kept)
    scripts = checkout / "installer" / "windows"
    for script, words in (("build_folder.py", []), ("setup_program.py", ["--quick"])):
        command = [sys.executable, str(scripts / script), str(out), *words]
        # The checkout's own packages, not those that this environment was set up with.
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        subprocess.run(command, cwd=checkout, env=environment, check=True, stdout=subprocess.DEVNULL)
    return out


def digest_of_installer(out: Path) -> str:
    (installer,) = out.glob("BriefBank-*-setup.exe")
    with installer.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
