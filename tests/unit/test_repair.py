"""Checking and mending a bank through its doors."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import BriefBankError, ExitCode, SettingsError
from briefbank.index.publish import start_generation
from briefbank.office.packs.signing_keys import make_key
from briefbank.office.provenance import OfficeLists
from briefbank.office.repair.databases import problem_of, save_readable
from briefbank.office.repair.seals import require_lists
from briefbank.platform.layout import Layout
from briefbank.platform.lock import writer_lock
from briefbank.values.records import Query


def flip(path: Path, share: float = 0.5, *, keeps_time: bool = True) -> None:
    """Change one byte, as a disk does: without the file's time changing."""
    stat = path.stat()
    data = bytearray(path.read_bytes())
    data[min(int(len(data) * share), len(data) - 1)] ^= 0x55
    path.write_bytes(data)
    if keeps_time:
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def bank_files(bank: Path) -> list[Path]:
    """Every file that holds something."""
    found = sorted(path.relative_to(bank) for path in bank.rglob("*") if path.is_file() and path.stat().st_size)
    return [path for path in found if path.suffix != ".sqlite-shm"]


def is_damaged(bank: Path) -> bool:
    try:
        return any(finding.is_damage and finding.advice for finding in Bank.open(bank).check())
    except BriefBankError as problem:
        return bool(problem.advice)


@pytest.fixture
def sealed(own_bank: Path) -> Path:
    """A bank that was found sound."""
    assert Bank.open(own_bank).check() == []
    return own_bank


def test_one_changed_byte_in_any_file_of_a_bank_is_found(sealed: Path, tmp_path: Path) -> None:
    names = bank_files(sealed)
    assert {"bank.toml", "current", "ledger.sqlite", "cache.sqlite", "seals.json", "generation.toml"} <= {
        name.name for name in names
    }
    for name in names:
        whole = (sealed / name).read_bytes()
        stat = (sealed / name).stat()
        for share in (0.0, 0.37, 0.5, 0.99):
            flip(sealed / name, share)
            assert is_damaged(sealed), (name, share)
            (sealed / name).write_bytes(whole)
            os.utime(sealed / name, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert Bank.open(sealed).check() == []


def test_seals_with_a_letter_that_is_none_are_told_put_aside_and_made_again(sealed: Path) -> None:
    seals = sealed / "seals.json"
    spoilt = seals.read_bytes().replace(b"ledger", b"led\xe7er")
    seals.write_bytes(spoilt)
    assert [each.where for each in Bank.open(sealed).check()] == ["seals"]
    assert Bank.repair(sealed).findings == ()
    assert (sealed / "seals.json.damaged").read_bytes() == spoilt


def test_a_ledger_with_a_letter_that_is_none_is_told_and_mended(
    sealed: Path, library: Path, briefbank: Briefbank
) -> None:
    before = Bank.open(sealed).documents()
    ledger = sealed / "ledger.sqlite"
    ledger.write_bytes(ledger.read_bytes().replace(b"quince.pdf", b"quin\xe3e.pdf"))
    assert briefbank("index", library, "--bank", sealed, "--quiet").code == ExitCode.DAMAGED
    assert Bank.repair(sealed).findings == ()
    assert briefbank("index", library, "--bank", sealed, "--quiet").code == ExitCode.SOME_FAILED
    assert Bank.open(sealed).documents() == before


def test_one_changed_byte_is_mended_or_named_and_no_text_is_lost(sealed: Path, tmp_path: Path) -> None:
    answer = [hit.passage for hit in Bank.open(sealed).search(Query("consent", top_k=50)).hits]
    for name in bank_files(sealed):
        bank = Path(shutil.copytree(sealed, tmp_path / "spoilt"))
        flip(bank / name)
        report = Bank.repair(bank)
        assert report.done, name
        assert report.findings == (), name
        assert [hit.passage for hit in Bank.open(bank).search(Query("consent", top_k=50)).hits] == answer, name
        shutil.rmtree(bank)


def test_a_sound_bank_is_left_alone(sealed: Path, briefbank: Briefbank) -> None:
    result = briefbank("check", "--repair", "--bank", sealed)
    assert result.code == 0
    assert result.told == "The bank is sound.\n"
    assert Bank.repair(sealed).done == ()


def test_a_damaged_index_is_built_again_without_the_sources(
    folder: Path, empty_bank: Path, briefbank: Briefbank
) -> None:
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    shutil.rmtree(folder)
    before = Bank.open(empty_bank).documents()
    for path in (empty_bank / "generations").rglob("*.npy"):
        path.write_bytes(b"spoilt")
    assert briefbank("check", "--bank", empty_bank).code == ExitCode.DAMAGED
    result = briefbank("check", "--repair", "--bank", empty_bank)
    assert result.code == 0
    assert "Built the index again" in result.out
    assert Bank.open(empty_bank).documents() == before
    assert Bank.open(empty_bank).search(Query("consent")).hits


def test_an_index_that_is_gone_is_built_again(sealed: Path) -> None:
    shutil.rmtree(sealed / "generations")
    (sealed / "generations").mkdir()
    report = Bank.repair(sealed)
    assert report.findings == ()
    assert Bank.open(sealed).search(Query("consent")).hits


def test_a_lost_ledger_is_written_again_from_the_index(sealed: Path, library: Path, briefbank: Briefbank) -> None:
    before = Bank.open(sealed).documents()
    (sealed / "ledger.sqlite").write_bytes(b"no database " * 900)
    report = Bank.repair(sealed)
    assert report.findings == ()
    assert (sealed / "ledger.sqlite.damaged").exists()
    told = briefbank("index", library, "--bank", sealed, "--quiet", "--json").json
    assert told["documents"] == len(before)
    assert Bank.open(sealed).documents() == before


def test_a_damaged_cache_keeps_what_can_be_read(sealed: Path) -> None:
    cache = sealed / "cache" / "cache.sqlite"
    with sqlite3.connect(cache) as database:
        whole = database.execute("SELECT count(*) FROM item").fetchone()[0]
    database.close()
    size = cache.stat().st_size
    with cache.open("r+b") as file:
        file.seek(size // 4096 // 2 * 4096)
        file.write(bytes(range(256)) * 8)
    report = Bank.repair(sealed)
    assert report.findings == ()
    assert list(cache.parent.glob("*.damaged*")) == []  # the text of briefs that leave would stay in it
    with sqlite3.connect(cache) as database:
        saved = database.execute("SELECT count(*) FROM item").fetchone()[0]
    database.close()
    assert 0 < saved <= whole


def test_readable_rows_are_saved_from_both_sides_of_the_damage(tmp_path: Path) -> None:
    path, fresh = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE item (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID")
        rows = [(f"{number:05d}", os.urandom(100)) for number in range(2_000)]
        database.executemany("INSERT INTO item VALUES (?, ?)", rows)
    database.close()
    assert problem_of(path) == ""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)
    assert problem_of(path)
    assert save_readable(path, fresh) >= 1_900
    with sqlite3.connect(fresh) as database:
        saved = set(database.execute("SELECT key, value FROM item"))
        kinds = database.execute("SELECT sql FROM sqlite_schema").fetchone()[0]
    database.close()
    assert saved < set(rows)
    assert "WITHOUT ROWID" in kinds


def test_an_index_and_a_cache_that_are_both_damaged_are_mended_by_indexing(
    folder: Path, empty_bank: Path, briefbank: Briefbank
) -> None:
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    for path in (empty_bank / "generations").rglob("*.npy"):
        path.write_bytes(b"spoilt")
    database = sqlite3.connect(empty_bank / "cache" / "cache.sqlite")
    database.execute("UPDATE item SET value = x'00' WHERE key LIKE 'document:%'")
    database.commit()
    database.close()
    told = briefbank("check", "--repair", "--bank", empty_bank)
    assert told.code == ExitCode.DAMAGED
    assert "could not be built again" in told.out
    assert briefbank("index", folder, "--bank", empty_bank, "--quiet").code == 0
    assert not any(each.is_damage for each in Bank.open(empty_bank).check())  # of the one before is told, and no more
    assert Bank.open(empty_bank).search(Query("consent")).hits


def test_a_flipped_bit_in_a_kept_vector_is_found_and_mended(sealed: Path) -> None:
    (sealed / "seals.json").unlink()  # which would tell of the file as a whole
    database = sqlite3.connect(sealed / "cache" / "cache.sqlite")
    key, vector = database.execute("SELECT key, vector FROM embedding LIMIT 1").fetchone()
    spoilt = bytes([vector[0] ^ 1]) + vector[1:]
    database.execute("UPDATE embedding SET vector = ? WHERE key = ?", (spoilt, key))
    database.commit()
    database.close()
    (finding,) = [each for each in Bank.open(sealed).check() if each.is_damage]
    assert "1 of its entries are not as they were written" in finding.problem
    assert Bank.repair(sealed).findings == ()
    database = sqlite3.connect(sealed / "cache" / "cache.sqlite")
    assert database.execute("SELECT vector FROM embedding WHERE key = ?", (key,)).fetchone() == (vector,)
    database.close()


@pytest.mark.parametrize("value", [None, 7, "a text"])
def test_a_kept_vector_that_is_none_is_not_whole(tmp_path: Path, value: object) -> None:
    database = sqlite3.connect(tmp_path / "cache.sqlite")
    database.execute("CREATE TABLE embedding (key, vector, checksum)")
    database.execute("INSERT INTO embedding VALUES (?, ?, ?)", (b"key", value, b"sum"))
    database.commit()
    database.close()
    assert "1 of its entries" in problem_of(tmp_path / "cache.sqlite")
    assert save_readable(tmp_path / "cache.sqlite", tmp_path / "fresh.sqlite") == 0


def test_what_was_left_behind_is_told_and_removed_and_is_no_damage(sealed: Path, briefbank: Briefbank) -> None:
    from datetime import UTC, datetime

    start_generation(Layout(sealed), datetime.now(UTC))
    (sealed / "encoders" / ("0" * 64)).mkdir()
    (sealed / "installing").mkdir()
    told = briefbank("check", "--bank", sealed)
    assert told.code == 0
    assert told.out.count("not in use") == 3
    with writer_lock(sealed / "writer.lock"):
        assert Bank.open(sealed).check() == []
    assert len(Bank.repair(sealed).done) == 3
    assert briefbank("check", "--bank", sealed).told == "The bank is sound.\n"


def test_a_broken_bank_file_is_put_back_as_it_was(sealed: Path, briefbank: Briefbank) -> None:
    before = (sealed / "bank.toml").read_bytes()
    (sealed / "bank.toml").write_bytes(b"[bank")
    told = briefbank("check", "--bank", sealed)
    assert told.code == ExitCode.SETTINGS
    assert "--repair" in told.err
    assert briefbank("check", "--repair", "--bank", sealed).code == 0
    assert (sealed / "bank.toml").read_bytes() == before
    assert (sealed / "bank.toml.damaged").read_bytes() == b"[bank"


def test_the_repair_is_advised_once(sealed: Path, briefbank: Briefbank) -> None:
    flip(next((sealed / "generations").rglob("places.npy")))
    told = briefbank("check", "--bank", sealed).out
    assert told.count("briefbank check --repair") == told.count("is not as it was written") == 1
    assert "briefbank rollback" in told


def test_a_changed_setting_is_no_damage(sealed: Path) -> None:
    with (sealed / "bank.toml").open("a", encoding="utf-8") as file:
        file.write("max_pages = 500\n")
    assert Bank.open(sealed).check() == []
    assert Bank.repair(sealed).done == ()
    assert "500" in (sealed / "bank.toml").read_text(encoding="utf-8")


def test_a_bank_that_lost_its_list_of_alerts_is_not_called_sound(
    own_bank: Path, library: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    table = office.write_text(tmp_path / "careful.csv", 'authority,says\n"State v. Carty, 170 N.J. 632",overruled\n')
    assert briefbank("alerts", "--set", table, "--bank", own_bank).code == 0
    (own_bank / "alerts.csv").unlink()
    office.write_text(library.parent / "more" / "new.txt", office.memo("New", office.LINEUP))
    assert Bank.open(own_bank).index(library.parent / "more").published  # which seals the bank as it finds it
    told = briefbank("check", "--bank", own_bank)
    assert told.code == ExitCode.DAMAGED
    assert "alerts.csv is missing" in told.out
    assert briefbank("check", "--repair", "--bank", own_bank).code == 0
    assert len(Bank.open(own_bank).alerts()) == 1
    empty = office.write_text(tmp_path / "none.csv", "authority,says\n")
    assert briefbank("alerts", "--set", empty, "--bank", own_bank).code == 0
    assert briefbank("check", "--bank", own_bank).code == 0


def test_who_lost_the_citation_patterns_is_not_told_to_set_alerts(own_bank: Path) -> None:
    office.write_text(own_bank / "citations.toml", "")
    assert Bank.open(own_bank).check() == []
    (own_bank / "citations.toml").unlink()
    (finding,) = Bank.open(own_bank).check()
    assert "citations.toml is missing" in finding.problem
    assert "--repair" in finding.advice
    with pytest.raises(SettingsError, match="is gone") as refused:
        require_lists(Layout(own_bank))
    (own_bank / "citations.toml").mkdir()
    with pytest.raises(SettingsError, match="is no file") as no_file:
        OfficeLists.in_folder(own_bank).files()
    for advice in (finding.advice, refused.value.advice, no_file.value.advice):
        assert "alerts --set" not in advice
        assert "empty file" in advice


def test_a_bank_is_sound_after_a_rollback_and_repair_brings_nothing_back(
    folder: Path, empty_bank: Path, briefbank: Briefbank
) -> None:
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    (folder / "lorne.txt").unlink()
    office.write_text(folder / "new.txt", office.memo("New", office.LINEUP))
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    assert briefbank("rollback", "--bank", empty_bank).code == 0
    assert "The bank is sound." in briefbank("check", "--bank", empty_bank).out
    assert Bank.repair(empty_bank).done == ()
    assert briefbank("index", folder, "--bank", empty_bank, "--quiet").code == 0
    assert {Path(each.source_path).name for each in Bank.open(empty_bank).documents()} == {"quince.txt", "new.txt"}
    assert briefbank("check", "--bank", empty_bank).code == 0


def test_an_interrupted_repair_is_finished_by_the_next(sealed: Path) -> None:
    flip(next((sealed / "generations").rglob("places.npy")))
    (sealed / "cache" / ".cache.sqlite.tmp").write_bytes(b"half")
    assert Bank.repair(sealed).findings == ()
    assert not (sealed / "cache" / ".cache.sqlite.tmp").exists()


def test_a_bank_in_use_is_not_mended(sealed: Path, briefbank: Briefbank) -> None:
    with writer_lock(sealed / "writer.lock"):
        assert briefbank("check", "--repair", "--bank", sealed).code == ExitCode.IN_USE


def test_a_read_only_bank_is_checked(sealed: Path, briefbank: Briefbank) -> None:
    (sealed / "seals.json").unlink()
    sealed.chmod(0o500)
    try:
        assert Bank.open(sealed).check() == []
    finally:
        sealed.chmod(0o700)


def test_a_pointer_to_nothing_goes_back_to_a_sound_index(sealed: Path) -> None:
    name = (sealed / "current").read_text(encoding="utf-8").strip()
    (sealed / "current").write_text("20200101T000000Z\n", encoding="utf-8")
    report = Bank.repair(sealed)
    assert (report.done, report.findings) == ((f"Went back to generation {name}.",), ())


def test_a_damaged_laptop_goes_back_and_says_what_else_to_do(
    folder: Path, empty_bank: Path, tmp_path: Path, briefbank: Briefbank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    make_key("Office")
    for name in ("one", "two"):
        office.write_text(folder / f"{name}.txt", office.memo(name, office.LINEUP))
        briefbank("index", folder, "--bank", empty_bank, "--quiet")
        Bank.open(empty_bank).pack(tmp_path / f"{name}.bbpack")
        Bank.install(tmp_path / "laptop", tmp_path / f"{name}.bbpack")
    laptop = tmp_path / "laptop"
    live, before = Bank.open(laptop).status().generation, Bank.open(laptop).status().other_generations[0]
    flip(next((laptop / "generations" / str(live)).rglob("places.npy")))
    report = Bank.repair(laptop)
    assert report.findings == ()
    assert report.done[0] == f"Went back to generation {before}."
    assert Bank.open(laptop).search(Query("blind administrator")).generation == before
    Bank.install(laptop, tmp_path / "two.bbpack")
    assert Bank.open(laptop).search(Query("blind administrator")).generation == live
