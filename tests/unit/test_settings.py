"""Settings read, refused and retired."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from program import ROOT, Briefbank

from briefbank.bank.local import Bank
from briefbank.errors import SettingsError
from briefbank.platform.settings import (
    RETIRED,
    Settings,
    parse_settings,
    read_settings,
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


def test_settings_that_are_no_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bank.toml").write_text("settings = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="not a table"):
        read_settings(tmp_path / "bank.toml")


def written(value: object) -> str:
    """A default as the guide writes it."""
    return f"{value:g}" if isinstance(value, float) else str(value) or "empty"


def test_every_setting_of_a_bank_is_documented_with_its_default() -> None:
    guide = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").partition("\n## Settings\n")[2]
    told = {}
    for names, defaults in re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", guide.partition("\n## ")[0], re.MULTILINE):
        told |= zip(names.replace("`", "").split(", "), defaults.replace("`", "").split(", "), strict=True)
    fields = set(Settings.__struct_fields__) - set(RETIRED)
    assert told == {name: written(getattr(Settings(), name)) for name in fields}


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


def test_an_evaluation_may_vary_what_a_bank_may_not(tmp_path: Path) -> None:
    (tmp_path / "measure.toml").write_text("[settings]\ndense_weight = 0.3\npassage_words = 9\n", encoding="utf-8")
    assert read_settings(tmp_path / "measure.toml").dense_weight == Settings().dense_weight
    assert read_settings(tmp_path / "measure.toml", for_evaluation=True).dense_weight == 0.3
    with pytest.raises(SettingsError, match="dense_weight"):
        parse_settings({"dense_weight": 1.5}, "the file", for_evaluation=True)
