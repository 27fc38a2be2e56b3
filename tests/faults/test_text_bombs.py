"""Texts over which the search for sentences and citations takes too long: they cost their file, never the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import office
import pytest
from hashing_encoder import HashingEncoder

from briefbank.ingest.annotate import annotate
from briefbank.ingest.readers import read_file
from briefbank.ingest.segment import segment
from briefbank.ingest.structure import structure
from briefbank.law.citations import load_patterns
from briefbank.platform.settings import Settings

ENDLESS = """
[[pattern]]
# written so that the words it is tried against do not show it
title = "Takes twice as long for every letter more"
family = "endless"
regex = '''\\bb(?P<number>1|(?:\\x7a|\\x7a\\x7a)+c)(?!x)'''
examples = ["b1"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "briefs"
    brief = office.brief("Petra Lorne", "A-0311-04T2", "March 3, 2005", ("HEARSAY.", office.HEARSAY))
    office.write_text(made / "lorne.txt", brief)
    office.write_text(made / "bomb.txt", f"A brief that never ends. It says b{'z' * 57} and stops there.\n")
    return made


@pytest.mark.timeout(120)
def test_a_text_over_which_a_pattern_never_ends_fails_alone(briefbank: Any, folder: Path, tmp_path: Path) -> None:
    bank = office.write_bank(tmp_path / "bank", read_timeout_s=5.0, ocr_page_timeout_s=1.0)
    (bank / "citations.toml").write_text(ENDLESS, encoding="utf-8")
    told = briefbank("index", folder, "--bank", bank, "--quiet", "--json")
    assert told.code == 12, told.err
    (failure,) = told.json["failures"]
    assert failure["path"].endswith("bomb.txt")
    assert briefbank("search", "hearsay excited utterance", "--bank", bank, "--json").json["hits"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("letter", ["a", "A", "1", ".", "("])
def test_a_file_that_is_one_word_of_300_kilobytes_is_read_within_seconds(tmp_path: Path, letter: str) -> None:
    path = tmp_path / "word.txt"
    path.write_text(f"The word follows.\n\n{letter * 300_000}\n", encoding="utf-8")
    document = structure(read_file(path, Settings()))
    passages = segment(document, HashingEncoder(), "d")
    assert annotate(passages, load_patterns()).sentence_starts
