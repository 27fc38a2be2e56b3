"""What tests may do in Linux namespaces of their own: mount a small disk, and be without a network."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest


def _can(*words: str) -> bool:
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", *words], capture_output=True, check=False).returncode == 0


needs_small_disk = pytest.mark.skipif(
    not _can("-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"), reason="no small disk can be mounted here"
)
needs_no_network = pytest.mark.skipif(
    not _can("-rn", "true"), reason="this machine lets nobody make a network namespace"
)
