"""The ledger gives back what was recorded, and refuses what it cannot read."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from briefbank.errors import BankDamagedError, BankNewerError
from briefbank.ingest.ledger import Ledger, LedgerEntry, below

READ = LedgerEntry("/briefs/a.pdf", 100, 5, "aa" * 32, read_at="2024-01-01T00:00:00+00:00")
FAILED = LedgerEntry("/briefs/b.pdf", 7, 6, None, "encrypted-file", "It is locked.", "Unlock it.", read_at="2024")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite"


def test_what_is_recorded_is_found_after_reopening(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.record(FAILED)
        ledger.record(READ)
    with Ledger(path) as ledger:
        assert list(ledger.entries().values()) == [READ, FAILED]
    assert FAILED.is_failed
    assert not READ.is_failed


def test_a_record_is_there_without_closing(path: Path) -> None:
    with Ledger(path) as ledger, Ledger(path) as reader:
        ledger.record(READ)
        assert reader.entries() == {READ.path: READ}


def test_recording_a_file_again_replaces_its_entry(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.record(FAILED)
        mended = replace(FAILED, sha256="bb" * 32, error_code=None, error=None, advice=None)
        ledger.record(mended)
        assert ledger.entries() == {FAILED.path: mended}


def test_entries_below_a_folder_are_those_below_it_only(path: Path) -> None:
    inside, beside = replace(READ, path="/briefs/deep/a.pdf"), replace(READ, path="/briefs-old/a.pdf")
    with Ledger(path) as ledger:
        for entry in (inside, beside):
            ledger.record(entry)
        assert list(below(ledger.entries(), Path("/briefs"))) == [inside.path]


def test_forgotten_files_are_gone(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.record(READ)
        ledger.record(FAILED)
        ledger.forget([READ.path, "/never/there"])
        assert list(ledger.entries()) == [FAILED.path]


names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    name=names,
    overrides=st.dictionaries(names, names, max_size=3),
    note=st.text(max_size=9).filter(lambda t: "\0" not in t),
)
def test_any_entry_comes_back_as_it_was(path: Path, name: str, overrides: dict[str, str], note: str) -> None:
    entry = replace(READ, path=f"/briefs/{name}", overrides=overrides, note=note)
    with Ledger(path) as ledger:
        ledger.record(entry)
        assert ledger.entries()[entry.path] == entry


def test_a_damaged_ledger_is_named_with_advice(path: Path) -> None:
    path.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(BankDamagedError) as caught:
        Ledger(path)
    assert "index" in caught.value.advice


def test_a_ledger_damaged_while_it_is_open_is_named(path: Path) -> None:
    with Ledger(path) as ledger:
        for number in range(300):
            ledger._db.execute("BEGIN") if not ledger._db.in_transaction else None
            ledger.record(replace(READ, path=f"/briefs/{number}.pdf"))
        ledger._db.execute("COMMIT")
    data = bytearray(path.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 200] = b"\xff" * 200
    path.write_bytes(data)
    with Ledger(path) as ledger:
        for act in (ledger.entries, lambda: ledger.record(READ), lambda: ledger.forget(["/briefs/7.pdf"])):
            with pytest.raises(BankDamagedError, match=re.escape(str(path))):
                act()
        assert not ledger._db.in_transaction


@pytest.mark.parametrize(("was", "is_now"), [(b"quince.pdf", b"quin\xe3e.pdf"), (b"size_bytes", b"size_\xe2ytes")])
def test_letters_in_a_ledger_that_are_none_are_named_as_damage_and_not_repeated(
    path: Path, was: bytes, is_now: bytes
) -> None:
    with Ledger(path) as ledger:
        ledger.record(replace(READ, path="/briefs/quince.pdf"))
    path.write_bytes(path.read_bytes().replace(was, is_now))
    with pytest.raises(BankDamagedError) as caught, Ledger(path) as ledger:
        ledger.entries()
    assert "check --repair" in caught.value.advice
    assert "quin" not in caught.value.message


def test_a_newer_ledger_is_refused(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 9")
    database.close()
    with pytest.raises(BankNewerError):
        Ledger(path)
