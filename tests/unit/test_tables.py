"""Cells of tables: no formula for a spreadsheet, and read back as they were."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.platform.visible import cell, table, text_of_cell


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "'=", "''@"])  # noqa: RUF001
def test_no_cell_begins_like_a_formula(start: str) -> None:
    (row,) = csv.reader(io.StringIO(table([[f"{start}cmd|' /C calc'!A0", "-7"]]), newline=""))
    assert row == [f"'{start}cmd|' /C calc'!A0", "'-7"]


def test_numbers_and_plain_texts_stay_as_they_are() -> None:
    assert table([["State v. Renfrew", -7, 0.5, "'tis", ""]]) == "State v. Renfrew,-7,0.5,'tis,\r\n"


@given(st.text(st.sampled_from("'=+-@\t\r\n a")) | st.text())
def test_every_text_is_read_back_as_it_was(text: str) -> None:
    written = cell(text)
    assert isinstance(written, str)
    assert text_of_cell(written) == text
