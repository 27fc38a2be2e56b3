"""Packs through the bank's doors: what is packed on one machine is searched on another."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import office
import pytest
import tomli_w
from llm.tiny import write_tiny_gguf
from program import Briefbank
from systems import fsync, is_private

from briefbank.bank.local import Bank
from briefbank.bank.port import EngineNotice, EngineState
from briefbank.bank.remote import RemoteBank
from briefbank.errors import BankMissingError, ExitCode, UsageError
from briefbank.models.installed import Role, add_model, installed_models, verify_models
from briefbank.office.packs import signing_keys
from briefbank.office.packs.read import open_pack
from briefbank.platform.layout import Layout
from briefbank.platform.settings import read_settings
from briefbank.values.records import Query

WAIT_S = 60
QUESTION = Query("may the police search after consent at a prolonged stop", top_k=20)


@pytest.fixture(autouse=True)
def office_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> signing_keys.PublicKey:
    """A key, made and trusted on this machine."""
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    return signing_keys.make_key("Office of the Example")


@pytest.fixture
def pack(library_bank: Path, tmp_path: Path) -> Path:
    """A whole pack of the library."""
    Bank.open(library_bank).pack(tmp_path / "office.bbpack")
    return tmp_path / "office.bbpack"


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def index_files(generation: Path) -> dict[str, bytes]:
    """The files of a generation without the record of the pack and its lists, which are a laptop's alone."""
    found = files(generation).items()
    return {name: content for name, content in found if name != "installed.toml" and not name.startswith("lists-")}


def change_folder(folder: Path) -> None:
    office.write_text(
        folder / "new.txt", office.brief("Ida Fenn", "A-1-24", "May 4, 2024", ("THE LINEUP.", office.LINEUP))
    )


def test_an_installed_bank_answers_as_the_one_that_was_packed(library_bank: Path, pack: Path, tmp_path: Path) -> None:
    report = Bank.install(tmp_path / "laptop", pack)
    here, there = Bank.open(library_bank), Bank.open(tmp_path / "laptop")
    assert there.search(QUESTION).hits == here.search(QUESTION).hits
    assert there.documents() == here.documents()
    assert (report.generation, report.is_new, report.before) == (here.status().generation, True, None)
    came = there.status().installed
    assert came is not None
    assert (came.file, came.generation, came.signed_by) == (pack.name, report.generation, "Office of the Example")
    assert here.status().installed is None
    live = Path("generations") / report.generation
    assert index_files(tmp_path / "laptop" / live) == files(library_bank / live)
    assert there.check() == []
    assert there.status().failures == ()


def test_a_laptop_shows_pages_without_the_source_files(
    folder: Path, empty_bank: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    office.write_pdf(folder / "hale.pdf", office.brief("Corin Hale", "A-2-21", "May 3, 2022", ("X.", office.CHARGE)))
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    Bank.open(empty_bank).pack(tmp_path / "a.bbpack")
    shutil.rmtree(folder)
    Bank.install(tmp_path / "laptop", tmp_path / "a.bbpack")
    bank = Bank.open(tmp_path / "laptop")
    hit = bank.search(Query("purpose or knowledge", top_k=1)).hits[0]
    pages = bank.document_pages(hit.document.id)
    assert "text that was indexed" in pages.warning
    assert bank.page_text(hit.document.id, hit.passage.page_first).words
    assert bank.marks(hit.passage.id, hit.matches).matches
    assert bank.page_image(hit.document.id, 1, 1.0).pixels


def test_the_same_bank_gives_the_same_bytes(library_bank: Path, pack: Path, tmp_path: Path) -> None:
    Bank.open(library_bank).pack(tmp_path / "again.bbpack")
    assert (tmp_path / "again.bbpack").read_bytes() == pack.read_bytes()


def test_a_pack_is_its_owners_alone_and_so_is_what_it_becomes(pack: Path, tmp_path: Path) -> None:
    assert is_private(pack)
    Bank.install(tmp_path / "laptop", pack)
    assert is_private(tmp_path / "laptop")


def test_packing_writes_nothing_into_the_bank(library_bank: Path, tmp_path: Path) -> None:
    before = files(library_bank)
    Bank.open(library_bank).pack(tmp_path / "a.bbpack")
    assert files(library_bank) == before


def test_nothing_is_packed_over_a_file_or_from_an_empty_bank(library_bank: Path, pack: Path, empty_bank: Path) -> None:
    before = pack.read_bytes()
    with pytest.raises(UsageError, match="already"):
        Bank.open(library_bank).pack(pack)
    assert pack.read_bytes() == before
    with pytest.raises(BankMissingError):
        Bank.open(empty_bank).pack(pack.with_name("other.bbpack"))
    assert sorted(path.name for path in pack.parent.glob("*.bbpack*")) == [pack.name]


def test_installing_again_changes_nothing(pack: Path, tmp_path: Path) -> None:
    Bank.install(tmp_path / "laptop", pack)
    before = files(tmp_path / "laptop")
    assert not Bank.install(tmp_path / "laptop", pack).is_new
    assert files(tmp_path / "laptop") == before


def test_the_next_pack_keeps_the_one_before_and_rollback_goes_to_it(
    folder: Path, empty_bank: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    laptop = tmp_path / "laptop"
    generations = []
    for number in range(3):
        office.write_text(folder / f"{number}.txt", office.memo(f"Memo {number}", office.LINEUP))
        briefbank("index", folder, "--bank", empty_bank, "--quiet")
        Bank.open(empty_bank).pack(tmp_path / f"{number}.bbpack")
        generations.append(Bank.install(laptop, tmp_path / f"{number}.bbpack").generation)
    status = Bank.open(laptop).status()
    assert (status.generation, status.other_generations) == (generations[2], (generations[1],))
    assert briefbank("rollback", "--bank", laptop).code == 0
    assert len(Bank.open(laptop).documents()) == 4
    assert Bank.install(laptop, tmp_path / "2.bbpack").is_new
    assert len(Bank.open(laptop).documents()) == 5


def test_settings_are_the_packs_in_a_new_bank_and_stay_in_another(
    own_bank: Path, pack: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    (own_bank / "alerts.csv").write_text("authority,says\n", encoding="utf-8")
    Bank.open(own_bank).pack(tmp_path / "with-alerts.bbpack")
    laptop = tmp_path / "laptop"
    Bank.install(laptop, pack)
    assert read_settings(laptop / "bank.toml") == read_settings(own_bank / "bank.toml")
    changed = (laptop / "bank.toml").read_text(encoding="utf-8") + "max_pages = 500\n"
    (laptop / "bank.toml").write_text(changed, encoding="utf-8")
    Bank.install(laptop, tmp_path / "with-alerts.bbpack")
    assert (laptop / "bank.toml").read_text(encoding="utf-8") == changed


def test_a_list_of_a_day_to_come_is_told_and_makes_no_later_pack_an_old_one(own_bank: Path, tmp_path: Path) -> None:
    """Nor does one that is installed already."""
    alerts, laptop = Layout(own_bank).alerts_file, tmp_path / "laptop"
    alerts.write_text('authority,says\n"State v. Carty, 170 N.J. 632 (2002)",limited\n', encoding="utf-8")
    for number, day in enumerate((4_070_908_800, 2**40)):
        os.utime(alerts, (day, day))
        report = Bank.open(own_bank).pack(tmp_path / f"{number}.bbpack")
        [warning] = report.warnings
        assert "alerts.csv says that it was changed on" in warning
        Bank.install(laptop, tmp_path / f"{number}.bbpack")
    alerts.write_text('authority,says\n"State v. King, 44 N.J. 346 (1965)",overruled\n', encoding="utf-8")
    assert Bank.open(own_bank).pack(tmp_path / "later.bbpack").warnings == ()
    [record] = laptop.glob("generations/*/installed.toml")
    told = tomllib.loads(record.read_text(encoding="utf-8"))
    told["installed"]["updated_at"] = "2099-01-01T00:00:00+00:00"
    record.write_text(tomli_w.dumps(told), encoding="utf-8")
    Bank.install(laptop, tmp_path / "later.bbpack")
    assert "King" in Bank.open(laptop).card("44 N.J. 346").names[0]
    assert Bank.open(laptop).card("44 N.J. 346").alerts


def test_a_bank_is_either_installed_or_indexed_here(
    own_bank: Path, pack: Path, folder: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    refused = briefbank("install", pack, "--bank", own_bank)
    assert refused.code == ExitCode.USAGE
    assert "indexed from folders" in refused.err
    Bank.install(tmp_path / "laptop", pack)
    refused = briefbank("index", folder, "--bank", tmp_path / "laptop", "--quiet")
    assert refused.code == ExitCode.USAGE
    assert "installed from the office's pack" in refused.err


def test_the_command_line_makes_keys_packs_and_installs(
    library_bank: Path, tmp_path: Path, briefbank: Briefbank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "fresh"))
    secret = tmp_path / "secret"
    secret.write_text("a long passphrase\n", encoding="utf-8")
    refused = briefbank("pack", tmp_path / "a.bbpack", "--bank", library_bank, "--quiet")
    assert refused.code == ExitCode.USAGE
    assert "briefbank keys make" in refused.err
    made = briefbank("keys", "make", "Example", "--passphrase-file", secret, "--json").json
    assert briefbank("keys", "list", "--json").json == {"keys": [{k: made[k] for k in ("name", "fingerprint")}]}
    assert "needs a passphrase" in briefbank("pack", tmp_path / "a.bbpack", "--bank", library_bank, "--quiet").err
    packed = briefbank(
        "pack", tmp_path / "a.bbpack", "--bank", library_bank, "--passphrase-file", secret, "--json", "--quiet"
    )
    assert packed.json["bytes"] == (tmp_path / "a.bbpack").stat().st_size
    handed = tmp_path / "handed.pub"
    shutil.copy(made["public_key"], handed)
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "laptop-keys"))
    assert briefbank("install", tmp_path / "a.bbpack", "--bank", tmp_path / "l", "--quiet").code == ExitCode.DAMAGED
    told = briefbank("install", tmp_path / "a.bbpack", "--bank", tmp_path / "l", "--quiet", "--trust", handed)
    assert told.code == 0
    assert "signed by Example" in told.out
    status = briefbank("status", "--bank", tmp_path / "l")
    assert "Files " not in status.out  # they are known where it was indexed
    assert f"From pack   a.bbpack, generation {packed.json['generation']}" in status.out
    assert f"Signed by   Example ({made['fingerprint']})" in status.out
    assert briefbank("status", "--bank", tmp_path / "l", "--json").json["installed"]["file"] == "a.bbpack"
    assert briefbank("keys", "list").out.startswith("No key is trusted")
    assert made["fingerprint"] in briefbank("keys", "trust", handed).out
    assert made["fingerprint"] in briefbank("keys", "show").out
    found = json.loads(briefbank("search", "consent", "--bank", tmp_path / "l", "--json").out)
    assert found["hits"]


def test_a_pack_names_neither_its_time_nor_its_machine(pack: Path) -> None:
    with open_pack(pack) as opened:
        told = opened.manifest
    assert told.made_by.startswith("briefbank ")
    assert {file.path.split("/")[0] for file in told.files} == {"generation", "bank.toml"}


def test_an_open_engine_takes_an_installed_pack_up_by_itself(
    folder: Path, empty_bank: Path, tmp_path: Path, briefbank: Briefbank
) -> None:
    laptop = tmp_path / "laptop"
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    Bank.open(empty_bank).pack(tmp_path / "one.bbpack")
    first = Bank.install(laptop, tmp_path / "one.bbpack").generation
    change_folder(folder)
    briefbank("index", folder, "--bank", empty_bank, "--quiet")
    Bank.open(empty_bank).pack(tmp_path / "two.bbpack")
    told: SimpleQueue[EngineNotice] = SimpleQueue()
    remote = RemoteBank(laptop, on_notice=told.put)
    remote.start()
    try:
        assert ready(told) == first
        plain = Bank.open(laptop)
        assert plain.search(QUESTION).generation == first
        second = Bank.install(laptop, tmp_path / "two.bbpack").generation
        assert ready(told) == second
        assert remote.search(QUESTION).result(WAIT_S).generation == second
        assert plain.search(QUESTION).generation == second
        Bank.open(laptop).rollback()
        assert ready(told) == first
    finally:
        remote.close()


def ready(told: SimpleQueue[EngineNotice]) -> str:
    """The generation of the next notice that an engine is ready."""
    while (notice := told.get(timeout=WAIT_S)).state is not EngineState.READY:
        pass
    return notice.generation


def test_stored_summaries_travel_and_join_those_made_on_the_laptop(own_bank: Path, tmp_path: Path) -> None:
    def store(bank: Path, *ids: str) -> None:
        with closing(sqlite3.connect(bank / "cache" / "summaries.sqlite", isolation_level=None)) as database:
            database.execute("CREATE TABLE IF NOT EXISTS summary (id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT")
            database.executemany("INSERT INTO summary VALUES (?, ?)", ((each, bank.name) for each in ids))

    def stored(bank: Path) -> list[tuple[str, str]]:
        with closing(sqlite3.connect(bank / "cache" / "summaries.sqlite")) as database:
            return database.execute("SELECT id, text FROM summary ORDER BY id").fetchall()

    store(own_bank, "a", "b")
    first = Bank.open(own_bank).pack(tmp_path / "a.bbpack")
    again = Bank.open(own_bank).pack(tmp_path / "again.bbpack")
    assert (tmp_path / "a.bbpack").read_bytes() == (tmp_path / "again.bbpack").read_bytes()
    assert again.generation == first.generation
    laptop = tmp_path / "laptop"
    Bank.install(laptop, tmp_path / "a.bbpack")
    assert stored(laptop) == [("a", "bank"), ("b", "bank")]
    store(laptop, "c")
    store(own_bank, "c", "d")
    Bank.open(own_bank).pack(tmp_path / "b.bbpack")
    Bank.install(laptop, tmp_path / "b.bbpack")
    assert stored(laptop) == [("a", "bank"), ("b", "bank"), ("c", "laptop"), ("d", "bank")]
    Bank.open(own_bank).pack(tmp_path / "none.bbpack", with_summaries=False)
    Bank.install(tmp_path / "bare", tmp_path / "none.bbpack")
    assert not (tmp_path / "bare" / "cache" / "summaries.sqlite").exists()
    assert Bank.open(laptop).check() == []


def test_models_travel_when_asked_for(library_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    write_tiny_gguf(tmp_path / "tiny.gguf")
    added = add_model(tmp_path / "tiny.gguf", [Role.SUMMARY], name="tiny")
    Bank.open(library_bank).pack(tmp_path / "with.bbpack", with_models=True)
    Bank.open(library_bank).pack(tmp_path / "without.bbpack")
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "laptop-models"))
    Bank.install(tmp_path / "without", tmp_path / "without.bbpack")
    assert installed_models() == ()
    for laptop in ("one", "two"):
        Bank.install(tmp_path / laptop, tmp_path / "with.bbpack")
        (model,) = installed_models()
        assert (model.id, model.name, model.roles) == (added.id, "tiny", (Role.SUMMARY,))
        assert list(verify_models()) == []


def test_unusable_summaries_of_a_laptop_make_way_for_those_of_the_pack(own_bank: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(own_bank / "cache" / "summaries.sqlite", isolation_level=None)) as database:
        database.execute("CREATE TABLE summary (id TEXT PRIMARY KEY) STRICT")
    Bank.open(own_bank).pack(tmp_path / "a.bbpack")
    kept = tmp_path / "laptop" / "cache" / "summaries.sqlite"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"no database")
    Bank.install(tmp_path / "laptop", tmp_path / "a.bbpack")
    assert kept.read_bytes().startswith(b"SQLite format 3")
    assert kept.with_name("summaries.sqlite.damaged").read_bytes() == b"no database"


@fsync
def test_the_name_of_summaries_that_an_install_brings_outlives_a_power_cut(
    own_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(own_bank / "cache" / "summaries.sqlite", isolation_level=None)) as database:
        database.execute("CREATE TABLE summary (id TEXT PRIMARY KEY) STRICT")
    Bank.open(own_bank).pack(tmp_path / "a.bbpack")
    Layout(tmp_path / "laptop").create()
    cache, fsync, flushed = tmp_path / "laptop" / "cache", os.fsync, set[str]()

    def followed(descriptor: int) -> None:
        fsync(descriptor)
        if os.path.samestat(os.fstat(descriptor), cache.stat()):
            flushed.update(path.name for path in cache.iterdir())

    monkeypatch.setattr(os, "fsync", followed)
    Bank.install(tmp_path / "laptop", tmp_path / "a.bbpack")
    assert "summaries.sqlite" in flushed


def test_rolling_back_to_a_damaged_index_is_refused_by_name(own_bank: Path, folder: Path, briefbank: Briefbank) -> None:
    first = Bank.open(own_bank).status().generation
    assert first
    Bank.open(own_bank).index(folder)
    live = Bank.open(own_bank).status().generation
    spoilt = max((own_bank / "generations" / first).glob("*.npy"))
    spoilt.write_bytes(b"spoilt")
    told = briefbank("rollback", "--bank", own_bank)
    assert (told.code, first in told.err, spoilt.name in told.err) == (7, True, True)
    assert Bank.open(own_bank).status().generation == live
