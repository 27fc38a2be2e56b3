from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.errors import SettingsError
from briefbank.settings import Settings, parse_settings, read_settings, worker_count


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
        ({"dense_weight": 1.5}, "dense_weight"),
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
    assert set(table) <= set(Settings.__struct_fields__)


def test_workers_are_as_many_as_set_or_as_there_are_cores() -> None:
    assert worker_count(Settings(workers=3)) == 3
    assert worker_count(Settings()) >= 1
