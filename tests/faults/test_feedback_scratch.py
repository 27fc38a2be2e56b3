"""Programs killed while they hold texts of logs or judged passages in a temporary folder: the next one removes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from judged import write_collection
from laptops import laptop
from program import END_BY_KILL, ROOT

from briefbank.platform.scratch import scratch_folder

KILLED = {
    "merging": """
from briefbank.judgements.feedback import merge
from briefbank.judgements.feedback.sources import read_source
with merge.temporary_log(read_source(Path(sys.argv[1])).events):
    psutil.Process().kill()
""",
    "reading a log": """
from briefbank.judgements.feedback import sources
from briefbank.platform.event_log.database import LogFormat
LogFormat.migrate = lambda *_: psutil.Process().kill()
sources.read_source(Path(sys.argv[1]))
""",
    "evaluating": """
from briefbank.judgements.evaluate import run
from briefbank.platform.settings import Settings
run._search_all = lambda *_: psutil.Process().kill()
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
    program = f"import sys\nimport psutil\nfrom pathlib import Path\n{KILLED[work]}"
    words = [sys.executable, "-c", program, str(log), str(collection)]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, "TMPDIR": str(temporary)}, check=False)
    assert done.returncode == END_BY_KILL
    assert [path for path in temporary.rglob("*") if path.is_file() and path.stat().st_size]
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with scratch_folder():
        pass
    assert list(temporary.iterdir()) == []
