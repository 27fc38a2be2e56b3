"""Files of a bank that are cut short, changed or gone: told as damage, with what to do, never as a crash."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from briefbank.bank.local import Bank
from briefbank.errors import BankDamagedError, ExitCode
from briefbank.values.records import Query


def generation_files(bank: Path) -> list[Path]:
    return sorted(path for path in (bank / "generations").rglob("*") if path.is_file())


def flip_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x55
    path.write_bytes(data)


def test_check_finds_one_changed_byte_in_any_file(library_bank: Path, tmp_path: Path) -> None:
    count = len(generation_files(library_bank))
    assert count > 8
    for number in range(count):
        bank = Path(shutil.copytree(library_bank, tmp_path / f"bank{number}"))
        spoilt = generation_files(bank)[number]
        flip_a_byte(spoilt)
        findings = Bank.open(bank).check()
        assert findings, spoilt.name
        assert all(finding.advice for finding in findings)
        shutil.rmtree(bank)


def test_check_ends_with_7_and_names_the_file(briefbank: Any, own_bank: Path) -> None:
    spoilt = next(path for path in generation_files(own_bank) if path.suffix == ".lance")
    flip_a_byte(spoilt)
    result = briefbank("check", "--bank", own_bank)
    assert result.code == ExitCode.DAMAGED
    assert spoilt.name in result.out
    assert "rollback" in result.out
    (finding,) = briefbank("check", "--bank", own_bank, "--json").json["findings"]
    assert finding.keys() == {"where", "problem", "advice", "is_damage"}


def test_an_index_with_a_changed_byte_is_mended_by_indexing(briefbank: Any, own_bank: Path, library: Path) -> None:
    flip_a_byte(next(path for path in generation_files(own_bank) if path.suffix == ".npy"))
    result = briefbank("index", library, "--bank", own_bank, "--quiet", "--json")
    assert result.json["published"]
    assert briefbank("check", "--bank", own_bank).code == 0


@pytest.mark.parametrize("keep", [0.0, 0.5])
def test_a_file_cut_short_or_gone_is_damage_for_search_and_found_by_check(
    library_bank: Path, tmp_path: Path, keep: float
) -> None:
    names = [path.relative_to(library_bank) for path in generation_files(library_bank)]
    for number, name in enumerate(names):
        bank = Path(shutil.copytree(library_bank, tmp_path / f"bank{number}"))
        data = (bank / name).read_bytes()
        if keep:
            (bank / name).write_bytes(data[: int(len(data) * keep)])
        else:
            (bank / name).unlink()
        opened = Bank.open(bank)
        assert opened.check(), name
        with pytest.raises(BankDamagedError) as caught:
            opened.search(Query("consent"))
        assert "rollback" in caught.value.advice, name
        shutil.rmtree(bank, ignore_errors=True)  # on Windows what the opened bank maps stays


def test_a_live_generation_that_is_missing_ends_with_7(briefbank: Any, own_bank: Path) -> None:
    (own_bank / "current").write_text("20200101T000000Z\n", encoding="utf-8")
    for verb in (("search", "consent"), ("documents",), ("check",)):
        assert briefbank(*verb, "--bank", own_bank).code == ExitCode.DAMAGED
    assert "20200101T000000Z" in briefbank("search", "consent", "--bank", own_bank).err
    assert briefbank("rollback", "--bank", own_bank).code == 0
    assert briefbank("search", "consent", "--bank", own_bank).code == 0


@pytest.mark.parametrize("name", ["../generations/{live}", "{live}/.", "2020\x01", "nul:", "a\nb"])
def test_a_name_of_the_live_generation_that_is_none_is_damage_wherever_it_leads(
    briefbank: Any, own_bank: Path, name: str
) -> None:
    live = (own_bank / "current").read_text(encoding="utf-8").strip()
    (own_bank / "current").write_text(name.format(live=live), encoding="utf-8")
    for verb in (("search", "consent"), ("check",)):
        assert briefbank(*verb, "--bank", own_bank).code == ExitCode.DAMAGED, verb
    assert briefbank("rollback", "--bank", own_bank).code == 0
    assert (own_bank / "current").read_text(encoding="utf-8").strip() == live


def test_a_live_generation_that_is_missing_is_mended_by_indexing(briefbank: Any, own_bank: Path, library: Path) -> None:
    (own_bank / "current").write_text("20200101T000000Z\n", encoding="utf-8")
    assert briefbank("index", library, "--bank", own_bank, "--quiet").code == ExitCode.SOME_FAILED
    assert briefbank("check", "--bank", own_bank).code == 0


def test_a_damaged_manifest_is_mended_by_indexing(briefbank: Any, own_bank: Path, library: Path) -> None:
    next(own_bank.glob("generations/*/generation.toml")).write_bytes(b"\xff")
    assert briefbank("search", "consent", "--bank", own_bank).code == ExitCode.DAMAGED
    assert briefbank("index", library, "--bank", own_bank, "--quiet").code == ExitCode.SOME_FAILED
    assert briefbank("check", "--bank", own_bank).code == 0


@pytest.mark.parametrize("verb", ["status", "index"])
def test_a_damaged_ledger_ends_with_7_and_is_mended_as_advised(
    briefbank: Any, own_bank: Path, library: Path, verb: str
) -> None:
    ledger = own_bank / "ledger.sqlite"
    ledger.write_bytes(b"no database " * 900)
    result = briefbank(verb, *([library] if verb == "index" else []), "--bank", own_bank)
    assert result.code == ExitCode.DAMAGED
    assert "Remove that file" in result.err
    assert briefbank("check", "--bank", own_bank).code == ExitCode.DAMAGED
    assert briefbank("search", "consent", "--bank", own_bank).code == 0
    ledger.unlink()
    briefbank("index", library, "--bank", own_bank, "--quiet")
    assert briefbank("check", "--bank", own_bank).code == 0


def test_a_damaged_bank_file_ends_with_7(briefbank: Any, own_bank: Path) -> None:
    (own_bank / "bank.toml").write_bytes(b"\xff\xfe\x00")
    result = briefbank("search", "consent", "--bank", own_bank)
    assert result.code == ExitCode.DAMAGED
    assert "bank.toml" in result.err
