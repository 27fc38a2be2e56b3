"""Programs killed while they hold texts of logs or judged passages in a temporary folder: the next one removes it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from judged import write_collection
from laptops import laptop
from program import ROOT

from briefbank.platform.scratch import scratch_folder

KILLED = {
    "merging": """
from briefbank.judgements.feedback import merge
from briefbank.judgements.feedback.sources import read_source
with merge.log_of(read_source(Path(sys.argv[1])).events):
    os.kill(os.getpid(), signal.SIGKILL)
""",
    "reading a log": """
from briefbank.judgements.feedback import sources
from briefbank.platform.event_log.database import LogFormat
LogFormat.migrate = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
sources.read_source(Path(sys.argv[1]))
""",
    "evaluating": """
from briefbank.judgements.evaluate import run
from briefbank.platform.settings import Settings
run._search_all = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
run.evaluate_folder(Path(sys.argv[2]), "judged", Settings(encoder="hashing"))
""",
}


@pytest.mark.parametrize("work", KILLED)
def test_what_a_killed_program_left_of_the_texts_is_removed_by_the_next(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = laptop(tmp_path / "feedback.sqlite", [("the stop", 1, True)])
    collection = write_collection(tmp_path / "judged")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    program = f"import os, signal, sys\nfrom pathlib import Path\n{KILLED[work]}"
    words = [sys.executable, "-c", program, str(log), str(collection)]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, "TMPDIR": str(temporary)}, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [path for path in temporary.rglob("*") if path.is_file() and path.stat().st_size]
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with scratch_folder():
        pass
    assert list(temporary.iterdir()) == []
