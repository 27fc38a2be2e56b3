"""What a process that shows pages of untrusted files may still do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from briefbank.services.messages import Request, Role
from briefbank.services.process import ChildProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's own")

_TRIES = """
import os, socket, sys
from pathlib import Path
from briefbank.platform.confine import only_read
only_read()
here = Path(sys.argv[1])
tries = (
    lambda: (here / "new").write_text("x"),
    lambda: (here / "old").write_text("x"),
    lambda: (here / "old").unlink(),
    lambda: (here / "old").rename(here / "moved"),
    lambda: (here / "folder").mkdir(),
    lambda: (here / "link").symlink_to("old"),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    lambda: os.system(f"echo x > {here / 'shell'}") and (_ for _ in ()).throw(PermissionError),
)
for attempt in tries:
    try:
        attempt()
    except PermissionError:
        print("refused")
print((here / "old").read_text())
"""


def test_who_may_only_read_changes_nothing_and_reaches_nobody(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("kept", encoding="utf-8")
    ran = subprocess.run([sys.executable, "-c", _TRIES, tmp_path], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["refused"] * 8 + ["kept"]
    assert [each.name for each in tmp_path.iterdir()] == ["old"]


def test_the_child_that_shows_pages_has_given_up_its_rights(library_bank: Path) -> None:
    known = set(psutil.Process().children())
    child = ChildProcess(Role.PAGES, library_bank)
    try:
        child.send(Request("document_pages", ("no such document",)))
        next(child.messages())
        (started,) = set(psutil.Process().children()) - known
        status = Path(f"/proc/{started.pid}/status").read_text(encoding="ascii")
    finally:
        child.tell_to_end()
        child.end(seconds=10)
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status
