"""Settings read, refused and changed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program import Briefbank

from briefbank.bank import Bank
from briefbank.errors import SettingsError
from briefbank.platform.settings import (
    RETIRED,
    Effect,
    Settings,
    all_settings,
    change_settings,
    parse_settings,
    read_settings,
    retired_settings,
    worker_count,
)


def test_a_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "none.toml") == Settings()


def test_a_file_without_settings_gives_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "bank.toml").write_text('[bank]\nformat = "1.0"\n', encoding="utf-8")
    assert read_settings(tmp_path / "bank.toml") == Settings()


def test_a_setting_is_read_from_its_table(tmp_path: Path) -> None:
    (tmp_path / "bank.toml").write_text("[settings]\nocr_dpi = 200\n", encoding="utf-8")
    assert read_settings(tmp_path / "bank.toml").ocr_dpi == 200


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"ocr_dip": 300}, "ocr_dip"),
        ({"ocr_dpi": "300"}, "ocr_dpi"),
        ({"ocr_dpi": 20}, "ocr_dpi"),
        ({"weak_below": 1.5}, "weak_below"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(table: dict[str, object], named: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings(table, "the file")
    assert "the file" in caught.value.message
    assert named in caught.value.message
    assert "ocr_language" in caught.value.advice


@pytest.mark.parametrize("content", [b"[settings", b"\xff\xfe\x00"])
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bank.toml").write_bytes(content)
    with pytest.raises(SettingsError, match=r"bank\.toml"):
        read_settings(tmp_path / "bank.toml")


@given(
    st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=4) | st.booleans(), min_size=1, max_size=3)
)
def test_nothing_but_a_settings_error_comes_of_any_table(table: dict[str, object]) -> None:
    try:
        parse_settings(table, "a table")
    except SettingsError:
        return
    assert set(table) <= {*Settings.__struct_fields__, *RETIRED}


def test_workers_are_as_many_as_set_or_as_there_are_cores() -> None:
    assert worker_count(Settings(workers=3)) == 3
    assert worker_count(Settings()) >= 1


# --- changing them ----------------------------------------------------------------------------------------------

_VALUES = {
    int: st.integers(-10, 10**10),
    float: st.floats(-10, 10**6, allow_nan=False),
    str: st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8),
}
_CHANGES = st.fixed_dictionaries(
    {}, optional={setting.name: st.none() | _VALUES[setting.type] for setting in all_settings()}
)


@given(_CHANGES)
def test_changes_are_all_written_or_all_refused(changes: dict[str, int | float | str | None]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bank.toml"
        file.write_text('[bank]\nformat = "1.0"\n[settings]\nworkers = 3\n[office]\nname = "East"\n', encoding="utf-8")
        before = file.read_bytes()
        try:
            changed = change_settings(file, changes)
        except SettingsError:
            assert file.read_bytes() == before
            return
        assert read_settings(file) == changed
        defaults = {setting.name: setting.default for setting in all_settings()}
        for name, value in changes.items():
            assert getattr(changed, name) == (defaults[name] if value is None else value)
        assert changed.workers == changes.get("workers", 3) or changes["workers"] is None
        kept = tomllib.loads(file.read_text(encoding="utf-8"))
        assert (kept["bank"], kept["office"]) == ({"format": "1.0"}, {"name": "East"})


def test_a_wrong_value_can_be_mended_by_a_change(tmp_path: Path) -> None:
    (tmp_path / "bank.toml").write_text("[settings]\nocr_dpi = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError):
        read_settings(tmp_path / "bank.toml")
    assert change_settings(tmp_path / "bank.toml", {"ocr_dpi": None}) == Settings()


def test_settings_that_are_no_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bank.toml").write_text("settings = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="not a table"):
        change_settings(tmp_path / "bank.toml", {"ocr_dpi": 300})


def test_a_folder_that_cannot_be_written_to_is_a_settings_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be written") as caught:
        change_settings(tmp_path / "missing" / "bank.toml", {"ocr_dpi": 300})
    assert caught.value.advice


def test_every_setting_has_a_title_a_help_and_an_effect() -> None:
    for setting in all_settings():
        assert setting.title != setting.name
        assert setting.help.endswith(".")
        assert setting.effect in Effect
    assert {each.effect for each in all_settings()} == set(Effect)


def test_a_bank_with_retired_settings_opens_and_status_and_check_name_them(
    empty_bank: Path, folder: Path, briefbank: Briefbank
) -> None:
    Bank.open(empty_bank).index(folder)
    with (empty_bank / "bank.toml").open("a", encoding="utf-8") as file:
        file.write('passage_words = 60\ndense_weight = "half"\n')
    assert Bank.open(empty_bank).status().retired_settings == ("passage_words", "dense_weight")
    told = briefbank("status", "--bank", empty_bank)
    assert (told.code, "passage_words in bank.toml is not used any more" in told.out) == (0, True)
    checked = briefbank("check", "--bank", empty_bank)
    assert (checked.code, "dense_weight in bank.toml is not used any more" in checked.out) == (0, True)
    with (empty_bank / "bank.toml").open("a", encoding="utf-8") as file:
        file.write("dense_wieght = 0.5\n")
    assert briefbank("status", "--bank", empty_bank).code == 3


def test_a_change_of_settings_removes_the_retired_ones(tmp_path: Path) -> None:
    file = tmp_path / "bank.toml"
    file.write_text("[settings]\nocr_dpi = 200\npassage_words_max = 90\n", encoding="utf-8")
    change_settings(file, {"max_pages": 10})
    assert retired_settings(file) == ()
    assert (read_settings(file).ocr_dpi, read_settings(file).max_pages) == (200, 10)
    with pytest.raises(SettingsError, match="dense_weight"):
        change_settings(file, {"dense_weight": 0.5})


def test_an_evaluation_may_vary_what_a_bank_may_not(tmp_path: Path) -> None:
    (tmp_path / "measure.toml").write_text("[settings]\ndense_weight = 0.3\npassage_words = 9\n", encoding="utf-8")
    assert read_settings(tmp_path / "measure.toml").dense_weight == Settings().dense_weight
    assert read_settings(tmp_path / "measure.toml", for_evaluation=True).dense_weight == 0.3
    with pytest.raises(SettingsError, match="dense_weight"):
        parse_settings({"dense_weight": 1.5}, "the file", for_evaluation=True)


def test_no_retired_setting_is_offered() -> None:
    assert not {each.name for each in all_settings()} & set(RETIRED)
