"""The child processes of a bank. Knows how one is started for its role, and nothing of what is said."""

from __future__ import annotations

from pathlib import Path

from briefbank.platform import pipes
from briefbank.services.messages import Role


class ChildProcess(pipes.ChildProcess):
    """A child that answers calls of the bank at `root`."""

    def __init__(self, role: Role, root: Path) -> None:
        """Start it.

        Raises:
            OSError: the system starts no more processes.
        """
        super().__init__("briefbank.services.child", role, str(root))
