"""Which pack is older, and which lists of alerts and citation patterns are in force after installing and going back."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import office
import pytest
from program import Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import BankDamagedError, BankMissingError, BankNewerError, ExitCode, SettingsError, UsageError
from briefbank.office.packs import signing_keys
from briefbank.platform.versions import BANK
from briefbank.search.profiles.profile import Profile
from briefbank.values.records import Query

CARTY, KING = "State v. Carty, 170 N.J. 632 (2002)", "State v. King, 44 N.J. 346 (1965)"
PATTERN = """[[pattern]]
title = "office file"
family = "rule"
regex = 'office file (?P<number>\\d+)'
examples = ["office file 12"]
"""


@dataclass(frozen=True, slots=True)
class Office:
    """The bank that is indexed, its folder of briefs, and where its packs go."""

    bank: Path
    briefs: Path
    packs: Path

    def alert(self, *authorities: str) -> None:
        """Take these as the list of cases to be careful with."""
        rows = "".join(f'"{each}",overruled\n' for each in authorities)
        table = office.write_text(self.packs / "careful.csv", f"authority,says\n{rows}")
        Bank.open(self.bank).set_alerts(table)

    def index(self, name: str) -> None:
        """Add a brief and index."""
        office.write_text(self.briefs / f"{name}.txt", office.memo(name, office.STOP))
        Bank.open(self.bank).index(self.briefs)

    def pack(self, name: str, *, at: int = 0) -> Path:
        """Pack; `at` is when the list was last changed, in seconds since 1970."""
        if at:
            os.utime(self.bank / "alerts.csv", (at, at))
        Bank.open(self.bank).pack(self.packs / name)
        return self.packs / name


@pytest.fixture
def at_office(folder: Path, empty_bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    signing_keys.make_key("Office")
    (tmp_path / "packs").mkdir()
    made = Office(empty_bank, folder, tmp_path / "packs")
    made.index("first")
    return made


@pytest.fixture
def two_packs(at_office: Office) -> tuple[Path, Path]:
    """Two packs of one index: with an older list, and with a newer one."""
    soon = _soon()
    at_office.alert(CARTY)
    older = at_office.pack("older.bbpack", at=soon)
    at_office.alert(CARTY, KING)
    return older, at_office.pack("newer.bbpack", at=soon + 60)


def _soon() -> int:
    """A time after every index that a test makes."""
    return int(datetime.now(UTC).timestamp()) + 3_600


def alerted(bank: Path) -> list[str]:
    return [alert.authority for alert in Bank.open(bank).alerts()]


def warned(bank: Bank) -> bool:
    return any(hit.warnings for hit in bank.search(Query("State v. Carty")).hits)


def test_an_older_pack_is_refused_in_words_until_it_is_asked_for(
    two_packs: tuple[Path, Path], tmp_path: Path, briefbank: Briefbank
) -> None:
    older, newer = two_packs
    laptop = tmp_path / "laptop"
    Bank.install(laptop, newer)
    refused = briefbank("install", older, "--bank", laptop, "--quiet")
    assert refused.code == ExitCode.USAGE
    assert "older than what is searched here" in refused.err
    assert "briefbank install --older" in refused.err
    assert "rollback" not in refused.err  # the list alone is newer: there is no index to go back to
    assert alerted(laptop) == [CARTY, KING]
    assert briefbank("install", older, "--older", "--bank", laptop, "--quiet").code == 0
    assert alerted(laptop) == [CARTY]


def test_an_older_index_is_refused_as_an_older_list_is(at_office: Office, tmp_path: Path) -> None:
    earlier = at_office.pack("earlier.bbpack")
    created = int(_created(at_office.bank).timestamp())
    at_office.alert(CARTY)
    later = at_office.pack("later.bbpack", at=created + 1)
    Bank.install(tmp_path / "laptop", later)
    with pytest.raises(UsageError, match="older"):
        Bank.install(tmp_path / "laptop", earlier)


def test_the_same_pack_again_is_said_to_change_nothing(
    two_packs: tuple[Path, Path], tmp_path: Path, briefbank: Briefbank
) -> None:
    for pack in two_packs:
        briefbank("install", pack, "--bank", tmp_path / "laptop", "--quiet")
    again = briefbank("install", two_packs[1], "--bank", tmp_path / "laptop", "--quiet")
    assert again.code == 0
    assert "was installed already, nothing was changed" in again.out


def test_a_newer_list_alone_is_taken_up_by_an_open_bank(two_packs: tuple[Path, Path], tmp_path: Path) -> None:
    older, newer = two_packs
    Bank.install(tmp_path / "laptop", older)
    bank = Bank.open(tmp_path / "laptop", is_pinned=True)
    assert warned(bank)
    assert Bank.install(tmp_path / "laptop", newer).is_new
    assert list(bank.alerts()) == list(Bank.open(tmp_path / "laptop").alerts())
    hits = bank.search(Query("State v. King")).hits
    assert hits == Bank.open(tmp_path / "laptop").search(Query("State v. King")).hits
    assert Bank.open(tmp_path / "laptop").check() == []


def test_a_pack_of_another_trusted_key_that_is_older_is_refused_too(
    two_packs: tuple[Path, Path], at_office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = signing_keys.public_key_file(signing_keys.trusted_keys()[0])
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "new-keys"))
    signing_keys.make_key("The office's new key")
    signing_keys.trust_key(trusted)
    at_office.alert(KING)
    newest = at_office.pack("newest.bbpack", at=_soon() + 120)
    assert Bank.install(tmp_path / "laptop", newest).signed_by == "The office's new key"
    with pytest.raises(UsageError, match="older"):
        Bank.install(tmp_path / "laptop", two_packs[1])


def test_rolling_back_takes_the_list_and_the_record_of_the_pack_along(
    at_office: Office, tmp_path: Path, briefbank: Briefbank
) -> None:
    laptop = tmp_path / "laptop"
    at_office.alert(CARTY)
    office.write_text(at_office.bank / "citations.toml", PATTERN)
    office.write_text(at_office.bank / "statement.toml", "")
    first = Bank.install(laptop, at_office.pack("first.bbpack"))
    at_office.alert(KING)
    for each in ("citations.toml", "statement.toml"):
        (at_office.bank / each).unlink()
    at_office.index("second")
    Bank.install(laptop, at_office.pack("second.bbpack"))
    told = [(alerted(laptop), _pack_file(laptop), _has_patterns(laptop))]
    said = briefbank("rollback", "--bank", laptop).out
    assert "list of cases to be careful with that came with it, in first.bbpack" in said
    told.append((alerted(laptop), _pack_file(laptop), _has_patterns(laptop)))
    Bank.open(laptop).rollback()
    told.append((alerted(laptop), _pack_file(laptop), _has_patterns(laptop)))
    second = ([KING], "second.bbpack", False)
    assert told == [second, ([CARTY], "first.bbpack", True), second]
    assert Bank.open(laptop).check() == []
    assert first.before is None


def test_what_is_packed_again_from_a_laptop_has_the_lists_it_came_with(at_office: Office, tmp_path: Path) -> None:
    at_office.alert(CARTY)
    Bank.install(tmp_path / "laptop", at_office.pack("first.bbpack"))
    Bank.open(tmp_path / "laptop").pack(tmp_path / "again.bbpack")
    Bank.install(tmp_path / "other", tmp_path / "again.bbpack")
    assert alerted(tmp_path / "other") == [CARTY]


def test_where_a_bank_is_indexed_the_list_is_in_force_at_once_and_stays_when_rolling_back(at_office: Office) -> None:
    at_office.alert(CARTY)
    at_office.index("second")
    at_office.alert(KING)
    Bank.open(at_office.bank).rollback()
    assert alerted(at_office.bank) == [KING]


def test_the_list_of_a_laptop_is_changed_by_packs_alone(
    two_packs: tuple[Path, Path], tmp_path: Path, briefbank: Briefbank
) -> None:
    Bank.install(tmp_path / "laptop", two_packs[1])
    table = office.write_text(tmp_path / "own.csv", "authority,says\n")
    refused = briefbank("alerts", "--set", table, "--bank", tmp_path / "laptop")
    assert refused.code == ExitCode.USAGE
    assert alerted(tmp_path / "laptop") == [CARTY, KING]


def test_a_laptop_that_lost_its_list_neither_searches_without_it_nor_is_called_sound(
    two_packs: tuple[Path, Path], tmp_path: Path
) -> None:
    laptop = tmp_path / "laptop"
    Bank.install(laptop, two_packs[1])
    lost = next(laptop.glob("generations/*/lists-*/alerts.csv"))
    lost.unlink()
    with pytest.raises(BankDamagedError, match="alerts"):
        Bank.open(laptop).search(Query("consent"))
    assert [finding for finding in Bank.open(laptop).check() if finding.is_damage]
    assert Bank.repair(laptop).findings == ()
    assert alerted(laptop) == [CARTY, KING]
    shutil.rmtree(lost.parent)
    assert [finding for finding in Bank.open(laptop).check() if finding.is_damage]
    assert Bank.repair(laptop).findings == ()
    next(laptop.glob("generations/*/installed.toml")).unlink()
    assert [finding for finding in Bank.open(laptop).check() if finding.is_damage]
    assert Bank.repair(laptop).findings == ()
    assert alerted(laptop) == [CARTY, KING]


def test_a_damaged_record_is_mended_by_installing_its_pack_again(two_packs: tuple[Path, Path], tmp_path: Path) -> None:
    laptop = tmp_path / "laptop"
    Bank.install(laptop, two_packs[1])
    next(laptop.glob("generations/*/installed.toml")).write_bytes(b"spoilt")
    with pytest.raises(BankDamagedError, match=r"installed\.toml"):
        Bank.open(laptop).search(Query("consent"))
    assert Bank.install(laptop, two_packs[1]).is_new
    assert alerted(laptop) == [CARTY, KING]
    assert Bank.open(laptop).check() == []


def test_a_laptop_installed_by_an_earlier_program_keeps_its_list_and_hands_it_on(
    two_packs: tuple[Path, Path], at_office: Office, tmp_path: Path
) -> None:
    older, _ = two_packs
    laptop = tmp_path / "laptop"
    Bank.install(laptop, older)
    _as_format_1(laptop)
    assert alerted(laptop) == [CARTY]
    assert _pack_file(laptop) == "older.bbpack"
    assert Bank.open(laptop).check() == []
    at_office.index("second")
    at_office.alert(KING)
    Bank.install(laptop, at_office.pack("third.bbpack", at=_soon() + 120))
    assert not (laptop / "alerts.csv").exists()
    assert alerted(laptop) == [KING]
    Bank.open(laptop).rollback()
    assert (alerted(laptop), _pack_file(laptop)) == ([CARTY], "older.bbpack")
    assert Bank.open(laptop).check() == []
    told = tomllib.loads((laptop / "bank.toml").read_text(encoding="utf-8"))
    assert told["bank"]["format"] == Bank.open(laptop).status().format == str(BANK)


def test_a_program_that_would_miss_the_lists_refuses_the_bank(
    two_packs: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Bank.install(tmp_path / "laptop", two_packs[0])
    monkeypatch.setattr("briefbank.platform.versions.BANK", BANK._replace(major=1))
    with pytest.raises(BankNewerError):
        Bank.open(tmp_path / "laptop")


def _as_format_1(laptop: Path) -> None:
    """Lay a laptop's bank out as programs of format 1 did."""
    record = next(laptop.glob("generations/*/installed.toml"))
    for file in (record, *record.parent.glob("lists-*/*")):
        file.replace(laptop / file.name)
    for each in record.parent.glob("lists-*"):
        each.rmdir()
    text = (laptop / "bank.toml").read_text(encoding="utf-8")
    (laptop / "bank.toml").write_text(text.replace(f'"{BANK}"', '"1.0"'), encoding="utf-8")
    told = (laptop / "installed.toml").read_text(encoding="utf-8").partition("[lists]")[0]
    (laptop / "installed.toml").write_text(told, encoding="utf-8")
    (laptop / "seals.json").unlink()


def _created(bank: Path) -> datetime:
    live = (bank / "current").read_text(encoding="utf-8").strip()
    told = tomllib.loads((bank / "generations" / live / "generation.toml").read_text(encoding="utf-8"))
    return datetime.fromisoformat(told["generation"]["created_at"])


def _pack_file(bank: Path) -> str:
    installed = Bank.open(bank).status().installed
    return installed.file if installed else ""


def _has_patterns(bank: Path) -> bool:
    live = (bank / "current").read_text(encoding="utf-8").strip()
    there = {each.name for each in (bank / "generations" / live).glob("lists-*/*.toml")}
    assert there in (set(), {"citations.toml", "statement.toml"})
    return bool(there)


def profiles_of(bank: Path) -> dict[str, str]:
    return {each.name: each.question for each in Bank.open(bank).profiles().profiles}


def test_profiles_travel_with_the_pack_that_has_them(at_office: Office, tmp_path: Path) -> None:
    laptop = tmp_path / "laptop"
    without = at_office.pack("without.bbpack")
    bank = Bank.open(at_office.bank)
    bank.save_profile(Profile("Roadside consent", "is consent valid"))
    os.utime(at_office.bank / "profiles" / "roadside-consent.toml", (_soon(), _soon()))
    with_one = at_office.pack("with.bbpack")
    Bank.install(laptop, without)
    assert profiles_of(laptop) == {}
    Bank.install(laptop, with_one)
    assert profiles_of(laptop) == {"Roadside consent": "is consent valid"}
    assert Bank.open(laptop).check() == []
    Bank.install(laptop, without, allow_older=True)
    assert profiles_of(laptop) == {}


def test_a_profile_under_a_name_that_nobody_could_install_is_refused_by_whoever_packs(at_office: Office) -> None:
    by_hand = at_office.bank / "profiles" / "My Profile.toml"
    office.write_text(by_hand, 'name = "My Profile"\nquestion = "is consent valid"\n')
    with pytest.raises(SettingsError, match=r"My Profile\.toml cannot travel in a pack"):
        at_office.pack("with.bbpack")
    by_hand.unlink()
    assert at_office.pack("without.bbpack").is_file()


def test_own_profiles_of_a_laptop_stay_and_stand_before_the_offices(at_office: Office, tmp_path: Path) -> None:
    laptop = tmp_path / "laptop"
    Bank.open(at_office.bank).save_profile(Profile("Consent", "as the office asks"))
    Bank.install(laptop, at_office.pack("first.bbpack"))
    with pytest.raises(UsageError, match="came with the office's pack"):
        Bank.open(laptop).remove_profile("Consent")
    Bank.open(laptop).save_profile(Profile("Consent", "as I ask"))
    assert profiles_of(laptop) == {"Consent": "as I ask"}
    at_office.index("second")
    Bank.install(laptop, at_office.pack("second.bbpack"), allow_older=True)
    assert profiles_of(laptop) == {"Consent": "as I ask"}
    Bank.open(laptop).remove_profile("Consent")
    assert profiles_of(laptop) == {"Consent": "as the office asks"}


def test_a_changed_profile_of_a_pack_is_found(at_office: Office, tmp_path: Path) -> None:
    laptop = tmp_path / "laptop"
    Bank.open(at_office.bank).save_profile(Profile("Consent", "is consent valid"))
    Bank.install(laptop, at_office.pack("first.bbpack"))
    (changed,) = laptop.glob("generations/*/lists-*/profiles/consent.toml")
    changed.write_bytes(changed.read_bytes().replace(b"valid", b"bread"))
    assert any("consent.toml" in finding.problem for finding in Bank.open(laptop).check())


def test_what_holds_a_generation_warns_as_before_when_it_was_removed_with_its_lists(
    at_office: Office, tmp_path: Path
) -> None:
    """A list that went with its generation is not an empty one."""
    laptop = tmp_path / "laptop"
    at_office.alert(CARTY)
    Bank.install(laptop, at_office.pack("first.bbpack"))
    held, late = (Bank.open(laptop, is_pinned=True) for _ in range(2))
    warned = held.alerts()
    assert [each.authority for each in warned] == [CARTY]
    assert late.documents()
    at_office.alert(KING)
    for name in ("second", "third"):
        at_office.index(name)
        Bank.install(laptop, at_office.pack(f"{name}.bbpack"))
    assert len(list((laptop / "generations").iterdir())) == 2
    assert held.alerts() == warned
    with pytest.raises(BankMissingError, match="replaced while"):
        late.alerts()


def test_a_laptop_touches_no_path_of_the_indexing_machine_unless_its_folder_is_named_there(
    at_office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows a look at \\\\server is a sign-in to whoever answers for that name."""
    office.write_pdf(
        at_office.briefs / "ode.pdf", office.brief("Ann Ode", "A-1-90T1", "May 4, 1990", ("I.", office.STOP))
    )
    at_office.index("more")
    Bank.install(tmp_path / "laptop", at_office.pack("first.bbpack"))
    touched: list[str] = []
    real = {name: getattr(os, name) for name in ("stat", "lstat", "open", "scandir", "listdir")}

    def watching(name: str) -> Callable[..., Any]:
        def watch(path: Any, *given: Any, **named: Any) -> Any:
            if str(path).startswith(str(at_office.briefs)):
                touched.append(str(path))
            return real[name](path, *given, **named)

        return watch

    for name in real:
        monkeypatch.setattr(os, name, watching(name))

    def look() -> tuple[bool, bool]:
        """Whether the file's own pages are shown, and whether anything of its folder was touched."""
        touched.clear()
        with Bank.open(tmp_path / "laptop") as bank:
            (document,) = (each for each in bank.documents() if each.source_path.endswith("ode.pdf"))
            for _ in range(2):
                shown = bank.document_pages(document.id)
                bank.page_image(document.id, 1, 0.5)
                bank.page_text(document.id, 1)
                bank.outline(document.id)
                bank.cited_on(document.id, 1)
                bank.alert_marks(document.id)
                bank.marks(bank.passages_of(document.id)[0].id, ())
            assert bank.may_open(document.source_path) == (not shown.warning)
            bank.search(Query("consent to search"))
            bank.check()
        return not shown.warning, bool(touched)

    assert look() == (False, False)
    monkeypatch.setenv("BRIEFBANK_SOURCES", str(tmp_path / "elsewhere"))
    assert look() == (False, False)
    monkeypatch.setenv("BRIEFBANK_SOURCES", str(at_office.briefs.parent))
    assert look() == (True, True)
