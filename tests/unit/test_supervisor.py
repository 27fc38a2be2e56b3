"""A child that is kept at work."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from briefbank.platform.processes.child import Child
from briefbank.platform.processes.supervisor import ChildKind, Supervised


def test_a_child_is_not_called_at_rest_while_its_process_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lingers.py").write_text("import os, time\nos.close(1)\ntime.sleep(1)\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    child = Child("lingers")
    supervised = Supervised(ChildKind("lingers", lambda: Child("lingers"), ("", ""), given_up=("It ended.", "")))
    supervised.start(child)
    while supervised.is_at_rest:  # the thread has not begun
        time.sleep(0.01)
    told = []
    while child.is_running:
        is_at_rest = supervised.is_at_rest
        if child.is_running:
            told.append(is_at_rest)
        time.sleep(0.01)
    supervised.close()
    assert told
    assert not any(told)
