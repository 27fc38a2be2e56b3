"""How the children of a bank are started, and what people are told when one dies. Knows nothing of what is said."""

from __future__ import annotations

from pathlib import Path

from briefbank.platform.processes.child import Child
from briefbank.services.calls import ChildRole, EngineNotice

DIED = {
    ChildRole.ENGINE: ("The search engine stopped unexpectedly.", "It is being started again; then search once more."),
    ChildRole.PAGES: (
        "This page could not be shown: showing it failed or took too long.",
        "Open the original instead.",
    ),
    ChildRole.INDEX: (
        "The index run ended unexpectedly.",
        "Start it again: what was read is kept, the old index stays in use.",
    ),
    ChildRole.SUMMARIES: (
        "Summaries are off because what writes them stopped unexpectedly.",
        "Try again. If that does not help, tell IT staff: memory may be short.",
    ),
}
GIVEN_UP = (
    "The search engine stopped 3 times in a row and is not started again.",
    "Try again. If that does not help, tell IT staff: memory may be short, or the bank damaged (briefbank check).",
)


def start_child(role: ChildRole, root: Path) -> Child:
    """Start the child that answers calls of that role, of the bank at `root`.

    Raises:
        OSError: the system starts no more processes.
    """
    return Child("briefbank.services.child", role, str(root), notice=EngineNotice if role is ChildRole.ENGINE else None)
