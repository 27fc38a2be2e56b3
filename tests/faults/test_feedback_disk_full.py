"""A disk that fills while feedback is written: nothing is lost, and all of it is written once there is space."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from namespaces import needs_small_disk
from program import ROOT

PROGRAM = """
import sys, time
from pathlib import Path
sys.path.insert(0, "tests")
from briefbank.errors import NoSpaceError
from briefbank.judgements.feedback.events import Event, Judged, Searched, shown_as
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.platform.event_log.writer import Writer
from briefbank.values.records import Query
from hits import result

disk = Path(sys.argv[1])

def fill():
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass

filler = disk / "filler"
if sys.argv[2] == "opened":
    fill()
written, failures = [], []
writer = Writer(
    lambda: FeedbackLog(disk / "feedback.sqlite"),
    on_opened=lambda log: None, on_written=written.extend, on_failed=failures.append, retry_s=0.05,
)

def put(content):
    event = Event(new_id(), utc_now(), content)
    writer.put(event)
    return event.id

def until(holds):
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)

search_id = put(Searched(Query("the stop"), "G", 1.0, shown_as(result("x", 1, 2, 3).hits)))
if sys.argv[2] == "written":
    until(lambda: written)
    fill()
ids = [search_id, *(put(Judged(search_id, "doc1-3", is_relevant=True)) for _ in range(3000))]
until(lambda: failures)
assert type(failures[0]) is NoSpaceError, failures
assert "Free some space" in failures[0].advice
assert writer.unwritten
filler.unlink()
until(lambda: not writer.unwritten)
assert writer.close() == 0
assert len(failures) == 1, failures
with FeedbackLog(disk / "feedback.sqlite") as log:
    assert log.event_ids() == ids
print("all written")
"""


@needs_small_disk
@pytest.mark.parametrize("moment", ["opened", "written"])
def test_feedback_outlasts_a_disk_that_is_full_when_the_log_is(tmp_path: Path, moment: str) -> None:
    disk, program = tmp_path / "disk", tmp_path / "program.py"
    disk.mkdir()
    program.write_text(PROGRAM, encoding="utf-8")
    script = f"mount -t tmpfs -o size=8m tmpfs {disk} && {sys.executable} {program} {disk} {moment}"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.stdout == "all written\n", done.stderr
