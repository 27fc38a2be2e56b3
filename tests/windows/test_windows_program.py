"""What a defender and IT do with the program on Windows, from installing it to taking it away, under Wine.

Wine is not Windows: docs/installing.md lists what this cannot show.
"""

from __future__ import annotations

import csv
import json
from hashlib import sha256
from pathlib import Path

import pytest
from under_wine import DRIVE, briefbank

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]
ASKED = "is consent to search valid if the stop was prolonged"


def test_the_silent_installer_puts_every_listed_file_there_unharmed(installed: Path) -> None:
    with (installed / "files.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 1000
    for row in rows:
        assert sha256((installed / row["path"]).read_bytes()).hexdigest() == row["sha256"], row["path"]
    menu = DRIVE / "users/root/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/BriefBank/BriefBank.lnk"
    assert menu.is_file()


def test_the_program_starts_and_says_which_it_is(installed: Path) -> None:
    assert briefbank("--version").out.startswith("briefbank ")


def test_words_with_stars_and_quotation_marks_reach_the_program_as_they_are(bank: Path) -> None:
    found = briefbank("search", 'search* /s "consent"', "--bank", bank, "--json")
    assert found.code == 0, found.said
    assert "consent" in found.out


def test_no_interpreter_is_installed(installed: Path) -> None:
    assert sorted(path.name for path in installed.rglob("*.exe")) == [
        "briefbank-ui.exe",
        "briefbank.exe",
        "uninstall.exe",
    ]
    refused = briefbank("-m", "http.server")
    assert refused.code == 2


def test_the_samples_are_indexed_by_the_shipped_encoder_and_found(bank: Path) -> None:
    found = briefbank("search", ASKED, "--bank", bank, "--json")
    assert found.code == 0, found.said
    assert len(found.json["hits"]) >= 3
    assert briefbank("check", "--bank", bank).code == 0


def test_a_citation_is_found_and_its_authority_known(bank: Path) -> None:
    found = briefbank("search", "State v. Carty, 170 N.J. 632", "--bank", bank, "--json")
    assert found.code == 0, found.said
    assert any("Carty" in hit["text"] for hit in found.json["hits"])
    card = briefbank("card", "170 N.J. 632", "--bank", bank)
    assert card.code == 0, card.said
    assert "Carty" in card.out


def test_scanned_pages_are_read_by_what_is_shipped(bank: Path) -> None:
    told = briefbank("status", "--bank", bank, "--json")
    assert told.code == 0, told.said
    assert "ocr-missing" not in told.out
    found = briefbank("search", "withdraw his guilty plea", "--bank", bank, "--json")
    assert found.code == 0, found.said
    assert any("dolan" in hit["source_path"] for hit in found.json["hits"])


def test_a_matter_is_exported_to_word(data: Path) -> None:
    items = [{"type": "note", "text": "Ask for the tape."}]
    matter = {"format": "briefbank matter", "version": 1, "name": "Quince, Mär §3", "items": items}
    (data / "quince.json").write_text(json.dumps(matter), encoding="utf-8")
    log = ("--log", data / "matters.sqlite")
    assert briefbank("matter", "import", data / "quince.json", *log).code == 0
    done = briefbank("matter", "export", "Quince, Mär §3", data / "quince.docx", *log)
    assert done.code == 0, done.said
    assert (data / "quince.docx").read_bytes()[:2] == b"PK"
