"""`briefbank matter`: a matter from its first passage to a Word document, and what is told on the way."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import docx
import pytest

from briefbank.cli.main import build_parser
from briefbank.values.source_format import FIELDS, PRESETS

DOCS = (Path(__file__).parents[2] / "docs" / "using.md").read_text(encoding="utf-8")


@pytest.fixture
def matter(briefbank: Any, tmp_path: Path) -> Any:
    """Runs an action on a log of this test's own."""

    def run(*words: object) -> Any:
        return briefbank("matter", *words, "--log", tmp_path / "matters.sqlite")

    return run


def passage_ids(briefbank: Any, bank: Path) -> list[str]:
    return [hit["passage_id"] for hit in briefbank("search", "consent", "--bank", bank, "--json").json["hits"]]


def actions() -> dict[str, argparse.ArgumentParser]:
    def choices(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
        return next(each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction))

    return choices(choices(build_parser())["matter"])


def test_a_matter_is_exported_as_the_name_of_the_file_says(matter: Any, tmp_path: Path) -> None:
    matter("new", "Renfrew")
    assert matter("export", "Renfrew", tmp_path / "a.json").code == 0
    assert matter("import", tmp_path / "a.json").code == 0
    first = matter("list", "--json").json["matters"][0]["matter_id"]
    assert matter("export", first, tmp_path / "b.docx").code == 0
    assert docx.Document(str(tmp_path / "b.docx")).paragraphs


@pytest.mark.parametrize(
    "asked",
    [
        ["a.txt"],
        ["a.pdf"],
        ["a.txt", "--format", "docx"],
        ["a.json", "--format", "docx"],
        ["a.docx", "--format", "json"],
    ],
)
def test_a_matter_is_not_exported_under_the_name_of_another_kind_of_file(
    matter: Any, tmp_path: Path, asked: list[str]
) -> None:
    matter("new", "Renfrew")
    refused = matter("export", "Renfrew", tmp_path / asked[0], *asked[1:])
    assert (refused.code, "End the name with" in refused.err) == (2, True)
    assert list(tmp_path.glob("a.*")) == []


@pytest.mark.parametrize("action", actions())
def test_every_action_is_documented_and_answers_in_json(action: str) -> None:
    assert f"briefbank matter {action}" in DOCS
    assert "--json" in actions()[action].format_help()


def test_every_field_and_ready_format_of_sources_is_documented() -> None:
    told = re.search(r"How sources are written.*?\n\n", DOCS, re.DOTALL)
    assert told
    assert [name for name in (*FIELDS, *PRESETS) if f"`{name}`" not in told[0]] == []


def test_a_matter_is_made_filled_and_exported_to_word(
    matter: Any, briefbank: Any, library_bank: Path, tmp_path: Path
) -> None:
    assert matter("new", "Renfrew II").code == 0
    assert matter("note", "Renfrew II", "THE STOP", "--heading", "1").code == 0
    first, second, *_ = passage_ids(briefbank, library_bank)
    assert matter("add", "renfrew ii", first, second, "--bank", library_bank).code == 0
    assert matter("note", "Renfrew II", "Ask for the tape.").code == 0
    told = matter("show", "Renfrew II", "--json").json
    assert [item["type"] for item in told["items"]] == ["heading", "passage", "passage", "note"]
    shown = briefbank("show", first, "--bank", library_bank, "--json").json
    assert told["items"][1]["text"] == shown["passage"]["text"]
    assert told["items"][1]["document_sha256"] == shown["document"]["sha256"]
    out = tmp_path / "brief.docx"
    done = matter("export", "Renfrew II", out, "--source-format", "short", "--date", "2024-05-06")
    assert (done.code, done.err) == (0, "")
    written = [paragraph.text for paragraph in docx.Document(str(out)).paragraphs]
    assert {"Renfrew II", "THE STOP", "Note: Ask for the tape.", "Table of authorities"} <= set(written)
    assert shown["passage"]["text"].splitlines()[0] in written
    again = tmp_path / "again.docx"
    matter("export", "Renfrew II", again, "--source-format", "short", "--date", "2024-05-06")
    assert again.read_bytes() == out.read_bytes()


def test_people_read_the_words_with_their_source(matter: Any, briefbank: Any, library_bank: Path) -> None:
    matter("new", "Renfrew")
    matter("add", "Renfrew", passage_ids(briefbank, library_bank)[0], "--bank", library_bank)
    told = matter("show", "Renfrew").out
    assert "1 passage" in told
    assert re.search(r"^    — State v\. .*\(filed ", told, re.MULTILINE)


def test_what_the_office_warns_of_is_collected_with_the_passage(matter: Any, briefbank: Any, own_bank: Path) -> None:
    first = passage_ids(briefbank, own_bank)[0]
    text = briefbank("show", first, "--bank", own_bank, "--json").json["passage"]["text"]
    cited = re.search(r"State v\. \w+, \d+ N\.J\.(?: Super\.)? \d+", text)
    assert cited, text
    (own_bank / "alerts.csv").write_text(f'authority,says\n"{cited[0]}",limited since\n', encoding="utf-8")
    matter("new", "Renfrew")
    matter("add", "Renfrew", first, "--bank", own_bank)
    (item,) = matter("show", "Renfrew", "--json").json["items"]
    assert "limited since" in item["cautions"][0]


def test_items_are_taken_out_and_put_back(matter: Any) -> None:
    matter("new", "Renfrew")
    for text in ("one", "two", "three"):
        matter("note", "Renfrew", text)
    items = matter("show", "Renfrew", "--json").json["items"]
    left = matter("remove", "Renfrew", items[1]["item_id"][:8], "--json").json["items"]
    assert [item["text"] for item in left] == ["one", "three"]
    assert matter("remove", "Renfrew", items[1]["item_id"], "--undo", "--json").json["items"] == items
    assert matter("remove", "Renfrew", "nosuch").code == 2


def test_a_matter_is_handed_on_as_a_file(matter: Any, briefbank: Any, tmp_path: Path) -> None:
    matter("new", "Renfrew")
    matter("note", "Renfrew", "Ask for the tape.")
    file = tmp_path / "renfrew.json"
    assert matter("export", "Renfrew", file, "--format", "json").code == 0
    other = tmp_path / "colleague.sqlite"
    told = briefbank("matter", "import", file, "--log", other, "--json").json
    assert (told["name"], [item["text"] for item in told["items"]]) == ("Renfrew", ["Ask for the tape."])
    assert matter("export", "Renfrew", file, "--format", "json").code == 2


def test_an_archived_matter_is_listed_only_when_all_are(matter: Any) -> None:
    matter("new", "Renfrew")
    matter("archive", "Renfrew")
    assert matter("list", "--json").json["matters"] == []
    assert "Renfrew (archived)" in matter("list", "--all").out
    matter("archive", "Renfrew", "--undo")
    assert [each["name"] for each in matter("list", "--json").json["matters"]] == ["Renfrew"]


def test_what_makes_no_sense_is_told_and_changes_nothing(
    matter: Any, briefbank: Any, library_bank: Path, tmp_path: Path
) -> None:
    matter("new", "Renfrew")
    before = matter("show", "Renfrew", "--json").json
    good = passage_ids(briefbank, library_bank)[0]
    assert matter("show", "Carty").code == 2
    assert matter("new", "  ").code == 2
    assert matter("note", "Renfrew", " ").code == 2
    assert matter("add", "Renfrew", good, "no-such", "--bank", library_bank).code == 2
    wrong = matter("export", "Renfrew", tmp_path / "x.docx", "--source-format", "{titel}")
    assert (wrong.code, "{titel}" in wrong.err) == (2, True)
    assert not (tmp_path / "x.docx").exists()
    assert matter("show", "Renfrew", "--json").json == before
