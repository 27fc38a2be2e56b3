"""Pipes, devices and folders in the place of lists, keys, packs and logs: named at once, nothing missing unsaid."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import BriefBankError, ExitCode, ModelError
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.models.encoders.onnx import CARD_NAME, read_card
from briefbank.office.repair.seals import Seal, is_broken

LIST = 'authority,says,date,source\n"State v. Carty, 170 N.J. 632 (2002)",modified,2026-01-05,\n'

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pipes and devices of Linux")


@pytest.fixture
def keys(briefbank: Briefbank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    assert briefbank("keys", "make", "office").code == 0
    return tmp_path / "keys"


@pytest.fixture
def listed(briefbank: Briefbank, own_bank: Path, tmp_path: Path) -> Path:
    (tmp_path / "careful.csv").write_text(LIST, encoding="utf-8")
    assert briefbank("alerts", "--set", tmp_path / "careful.csv", "--bank", own_bank).code == 0
    return own_bank


def lose(alerts: Path, how: str) -> None:
    """Take the list away, or put in its place what is no list."""
    alerts.unlink()
    if how == "pipe":
        os.mkfifo(alerts)
    elif how == "folder":
        alerts.mkdir()
    elif how == "dangling":
        alerts.symlink_to(alerts.parent / "nowhere.csv")


def index_a_new_brief(bank: Path, folder: Path) -> None:
    """Have a run publish another generation."""
    office.write_text(folder / "new.txt", office.memo("The hood of the car", office.CONSENT))
    assert Bank.open(bank).index(folder).published


@pytest.mark.parametrize("how", ["gone", "pipe", "folder", "dangling"])
def test_an_index_run_does_not_make_a_bank_forget_that_its_list_was_lost(
    listed: Path, tmp_path: Path, how: str
) -> None:
    alerts = listed / "alerts.csv"
    whole = alerts.read_bytes()
    lose(alerts, how)
    index_a_new_brief(listed, tmp_path / "briefs")
    for _ in range(2):  # the first check would seal what it finds sound
        assert any("alerts.csv is missing" in each.problem for each in Bank.open(listed).check())
    if how == "folder":
        alerts.rmdir()
    elif how != "gone":
        alerts.unlink()
    assert any("alerts.csv is missing" in each.problem for each in Bank.open(listed).check())
    assert Bank.repair(listed).findings == ()
    assert alerts.read_bytes() == whole


def test_an_index_run_does_not_make_a_bank_forget_that_the_disk_changed_its_list(listed: Path, tmp_path: Path) -> None:
    alerts = listed / "alerts.csv"
    whole, stat = alerts.read_bytes(), alerts.stat()
    alerts.write_bytes(whole.replace(b"170", b"171"))
    os.utime(alerts, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    index_a_new_brief(listed, tmp_path / "briefs")
    assert any("alerts.csv is not as it was" in each.problem for each in Bank.open(listed).check())
    assert Bank.repair(listed).findings == ()
    assert alerts.read_bytes() == whole


def test_seals_that_are_damaged_when_a_list_is_lost_stay_named_until_they_are_mended(
    briefbank: Briefbank, listed: Path, keys: Path, tmp_path: Path
) -> None:
    (listed / "alerts.csv").unlink()
    (listed / "seals.json").write_bytes(b"spoilt")
    index_a_new_brief(listed, tmp_path / "briefs")
    assert any("seals.json is damaged" in each.problem for each in Bank.open(listed).check())
    assert briefbank("pack", tmp_path / "out.bbpack", "--bank", listed).code == ExitCode.DAMAGED
    (told,) = Bank.repair(listed).done
    assert "alerts.csv" in told


@pytest.mark.parametrize("how", ["gone", "pipe", "folder", "dangling"])
def test_a_pack_is_not_made_without_the_list_of_cases_that_the_bank_had(
    briefbank: Briefbank, listed: Path, keys: Path, tmp_path: Path, how: str
) -> None:
    lose(listed / "alerts.csv", how)
    refused = briefbank("pack", tmp_path / "out.bbpack", "--bank", listed)
    assert refused.code == 3, refused.err
    assert "alerts.csv" in refused.err
    assert not (tmp_path / "out.bbpack").exists()


def no_file(path: Path, what: str) -> Path:
    """A pipe, or a device that never ends."""
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    return path


@pytest.mark.parametrize("what", ["pipe", "device"])
def test_a_pack_or_key_that_is_no_file_is_refused_at_once(
    briefbank_process: Briefbank, tmp_path: Path, what: str
) -> None:
    odd = no_file(tmp_path / "odd", what)
    for call in (("install", odd, "--bank", tmp_path / "bank"), ("keys", "trust", odd)):
        told = briefbank_process(*call)
        assert told.code not in (0, 130)
        assert "fault in BriefBank" not in told.err
        assert "a pipe or a device" in told.err


@pytest.mark.parametrize("name", ["feedback.sqlite", "feedback.journal.jsonl"])
@pytest.mark.parametrize("what", ["pipe", "device"])
def test_a_feedback_log_that_is_no_file_is_refused_at_once(tmp_path: Path, name: str, what: str) -> None:
    if name != "feedback.sqlite":
        FeedbackLog(tmp_path / "feedback.sqlite").close()
        (tmp_path / name).unlink()
    no_file(tmp_path / name, what)
    with pytest.raises(BriefBankError, match="pipe or a device"):
        FeedbackLog(tmp_path / "feedback.sqlite")


def test_a_sheet_queries_or_a_guide_that_is_a_pipe_is_refused_at_once(
    briefbank_process: Briefbank, library_bank: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "queries.txt").write_text("consent\n", encoding="utf-8")
    pool = ("feedback", "pool", "--bank", library_bank, "--quiet")
    calls = (
        ("feedback", "adjudicate", tmp_path / "pipe", "--out", tmp_path / "judged"),
        (*pool, tmp_path / "pipe", tmp_path / "pool"),
        (*pool, tmp_path / "queries.txt", tmp_path / "pool", "--guide", tmp_path / "pipe"),
    )
    for call in calls:
        told = briefbank_process(*call)
        assert told.code == 8
        assert "a pipe or a device" in told.err


@pytest.mark.parametrize("what", ["pipe", "device"])
def test_a_matter_of_a_colleague_that_is_no_file_is_refused_at_once(
    briefbank_process: Briefbank, tmp_path: Path, what: str
) -> None:
    odd = no_file(tmp_path / "matter.json", what)
    told = briefbank_process("matter", "import", odd, "--log", tmp_path / "matters.sqlite")
    assert told.code == ExitCode.SOURCE_UNREADABLE
    assert "a pipe or a device" in told.err


@pytest.mark.parametrize("what", ["pipe", "folder"])
@pytest.mark.parametrize("name", ["seals.json", "ledger.sqlite", "cache/cache.sqlite", "generations/*/generation.toml"])
def test_what_is_no_file_in_the_place_of_a_file_of_the_bank_is_told_at_once_and_mended(
    own_bank: Path, name: str, what: str
) -> None:
    assert Bank.open(own_bank).check() == []
    (path,) = own_bank.glob(name)
    replace(path, what)
    assert any(each.is_damage and each.advice for each in Bank.open(own_bank).check())
    assert not [each for each in Bank.repair(own_bank).findings if each.is_damage]
    assert path.is_file()


@pytest.mark.parametrize("what", ["pipe", "folder"])
def test_what_is_no_file_in_the_place_of_one_that_is_written_once_is_broken(tmp_path: Path, what: str) -> None:
    listed = tmp_path / "lists-1" / "alerts.csv"
    for path in (listed, tmp_path / CARD_NAME):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"{}")
        replace(path, what)
        assert is_broken(path, Seal(2, 0, "0", b"{}"))
    with pytest.raises(ModelError, match=CARD_NAME):
        read_card(tmp_path)


def replace(path: Path, what: str) -> None:
    """Put a pipe or a folder in the place of a file."""
    path.unlink()
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
