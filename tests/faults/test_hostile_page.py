"""A page child that a hostile file has taken over says what it likes to the window, which shows no page for it."""

from __future__ import annotations

import pickle
from pathlib import Path

import guarded
import pytest
from hostile import HOSTILE, Escape, answered, frame

from briefbank.bank.port import ChildRole
from briefbank.bank.remote import RemoteBank, start_child
from briefbank.errors import EngineDiedError
from briefbank.platform.processes.child import Child
from briefbank.values.records import Query

WAIT_S = 60


@pytest.mark.parametrize("name", ["of the wrong type", "an error there is not", "longer than any", "a pickle"])
def test_what_a_hostile_page_says_costs_that_page_alone(
    name: str, library_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pickled = pickle.dumps(Escape(tmp_path / "made by the window"))
    said = HOSTILE[name] if name in HOSTILE else pickled + frame(pickled) + answered(pickled)
    monkeypatch.setattr("briefbank.bank.remote.start_child", lambda role, root: started(role, root, said))
    bank = RemoteBank(library_bank, on_notice=lambda notice: None)
    try:
        bank.start()
        with pytest.raises(EngineDiedError, match="page"):
            bank.page_text("any", 1).result(WAIT_S)
        assert bank.search(Query("consent to search")).result(WAIT_S).hits
    finally:
        bank.close()
    assert list(tmp_path.iterdir()) == []


def started(role: ChildRole, root: Path, said: bytes) -> Child:
    if role is not ChildRole.PAGES:
        return start_child(role, root)
    with guarded.on_the_path():
        return Child("hostile_child", said.hex())
