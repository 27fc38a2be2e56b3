"""`briefbank matter`: matters are listed, exported to Word and handed on as files."""

from __future__ import annotations

import argparse
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import docx
import pytest

from briefbank.cli.main import build_parser
from briefbank.matters.events import Event, MatterArchived
from briefbank.matters.log import MatterLog
from briefbank.platform.event_log.log import new_id, utc_now
from briefbank.values.source_format import FIELDS, PRESETS

DOCS = (Path(__file__).parents[2] / "docs" / "using.md").read_text(encoding="utf-8")
TEXT = "The stop was prolonged."
PASSAGE = {
    "type": "passage", "text": TEXT, "text_sha256": sha256(TEXT.encode()).hexdigest(), "title": "State v. Quince",
    "document_id": "d", "document_sha256": "0", "passage_id": "d-1",
}  # fmt: skip
ITEMS = [{"type": "heading", "text": "THE STOP", "level": 1}, PASSAGE, {"type": "note", "text": "Ask for the tape."}]


@pytest.fixture
def matter(briefbank: Any, tmp_path: Path) -> Any:
    """Runs an action on a log of this test's own, which holds the matter Renfrew."""

    def run(*words: object) -> Any:
        return briefbank("matter", *words, "--log", tmp_path / "matters.sqlite")

    file = tmp_path / "renfrew.json"
    told = {"format": "briefbank matter", "version": 1, "name": "Renfrew", "items": ITEMS}
    file.write_text(json.dumps(told), encoding="utf-8")
    assert run("import", file).code == 0
    return run


def actions() -> dict[str, argparse.ArgumentParser]:
    def choices(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
        return next(each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction))

    return choices(choices(build_parser())["matter"])


@pytest.mark.parametrize(
    "asked",
    [["a.txt"], ["a.json", "--format", "docx"], ["a.docx", "--format", "json"]],
)
def test_a_matter_is_not_exported_under_the_name_of_another_kind_of_file(
    matter: Any, tmp_path: Path, asked: list[str]
) -> None:
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


def test_a_matter_is_exported_to_word_the_same_each_time(matter: Any, tmp_path: Path) -> None:
    out, again = tmp_path / "brief.docx", tmp_path / "again.docx"
    for file in (out, again):
        done = matter("export", "renfrew", file, "--source-format", "short", "--date", "2024-05-06")
        assert done.code == 0
    assert "1 passage in" in done.out
    written = [paragraph.text for paragraph in docx.Document(str(out)).paragraphs]
    assert {"Renfrew", "THE STOP", TEXT, "Note: Ask for the tape."} <= set(written)
    assert again.read_bytes() == out.read_bytes()


def test_a_matter_is_handed_on_as_a_file(matter: Any, briefbank: Any, tmp_path: Path) -> None:
    file = tmp_path / "handed-on.json"
    assert matter("export", "Renfrew", file, "--format", "json").code == 0
    other = tmp_path / "colleague.sqlite"
    told = briefbank("matter", "import", file, "--log", other, "--json").json
    assert told["name"] == "Renfrew"
    assert [item["text"] for item in told["items"]] == [item["text"] for item in ITEMS]
    assert matter("export", "Renfrew", file, "--format", "json").code == 2


def test_an_archived_matter_is_listed_only_when_all_are(matter: Any, tmp_path: Path) -> None:
    [listed] = matter("list", "--json").json["matters"]
    with MatterLog(tmp_path / "matters.sqlite") as log:
        log.append([Event(new_id(), utc_now(), MatterArchived(listed["matter_id"], is_archived=True))])
    assert matter("list", "--json").json["matters"] == []
    assert "Renfrew (archived)" in matter("list", "--all").out


def test_what_makes_no_sense_is_told_and_writes_nothing(matter: Any, tmp_path: Path) -> None:
    assert matter("export", "Carty", tmp_path / "x.docx").code == 2
    wrong = matter("export", "Renfrew", tmp_path / "x.docx", "--source-format", "{titel}")
    assert (wrong.code, "{titel}" in wrong.err) == (2, True)
    assert not (tmp_path / "x.docx").exists()
