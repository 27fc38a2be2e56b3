"""What an office does with the program on Windows beside searching, and what the program refuses, by exit code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from judged import write_collection
from laptops import laptop
from under_wine import briefbank

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1800)]
ASKED = "is consent to search valid if the stop was prolonged"


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("consent /s search", "consent"),
        ("(car or vehicle) /p consent & cites(State v. Carty)", "Carty"),
        ('"consent to search" % zebra', "consent"),
    ],
)
def test_connectors_are_read_as_everywhere_else(bank: Path, question: str, word: str) -> None:
    found = briefbank("search", question, "--bank", bank, "--json")
    assert found.code == 0, found.said
    hits = found.json["hits"]
    assert hits
    assert all(word.lower() in hit["text"].lower() for hit in hits)


def test_marks_of_laptops_are_merged_counted_and_exported(bank: Path, data: Path) -> None:
    folder = data / "marks"
    folder.mkdir()
    logs = [
        laptop(folder / "one.sqlite", [("the stop", 1, True), ("the stop", 2, False)]),
        laptop(folder / "two.sqlite", [("the stop", 1, False), ("the array", 3, True)]),
    ]
    merged = folder / "merged.sqlite"
    done = briefbank("feedback", "merge", *logs, "--out", merged, "--json")
    assert done.code == 0, done.said
    told = briefbank("feedback", "report", "--log", merged, "--json")
    assert told.json["total"]["judged"] == 4
    written = briefbank("feedback", "export", folder / "marks.csv", "--format", "csv", "--log", merged, "--bank", bank)
    assert written.code == 0, written.said
    assert len((folder / "marks.csv").read_text("utf-8-sig").splitlines()) > 4


def test_what_judgements_teach_is_weighed_on_others_and_can_be_taken_back(bank: Path, data: Path) -> None:
    learning = data / "learning"
    shutil.copytree(bank, learning)
    collection = write_collection(data / "judged")
    told = briefbank("learn", "--judgements", collection, "--bank", learning, "--quiet", "--json", seconds=1500)
    assert told.code == 0, told.said
    report = told.json
    assert report["is_better"] == (report["generation"] is not None)
    assert briefbank("check", "--bank", learning).code == 0
    measured = briefbank("evaluate", collection, "--json", seconds=1500)
    assert measured.code == 0, measured.said
    if report["is_better"]:
        assert briefbank("rollback", "--bank", learning).code == 0
    hits = [briefbank("search", ASKED, "--bank", place, "--json").json["hits"] for place in (bank, learning)]
    assert [hit["passage_id"] for hit in hits[0]] == [hit["passage_id"] for hit in hits[1]]


def test_a_draft_is_held_against_the_bank(bank: Path, data: Path) -> None:
    draft = data / "draft.txt"
    draft.write_text(
        "POINT I\n\nThe search was unlawful. State v. Carty, 170 N.J. 632 (2002).\nSee State v. Nobody, 999 N.J. 1.\n",
        encoding="utf-8",
    )
    done = briefbank("draft", draft, "--bank", bank, "--json")
    assert done.code == 0, done.said
    assert "170 N.J. 632" in done.out
    assert "999 N.J. 1" in done.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("search", "stop", "--no-such-option"), 2),
        (("search", "stop", "--bank", r"C:\tried\none"), 4),
        (("rollback", "--bank", r"C:\tried\bank"), 4),
        (("install", r"C:\Windows\System32\kernel32.dll", "--bank", r"C:\tried\refused"), 7),
        (("summarize", "--all", "--bank", r"C:\tried\bank", "--quiet"), 9),
        (("index", r"C:\no\such\folder", "--bank", r"C:\tried\unread"), 8),
    ],
)
def test_what_is_refused_has_its_exit_code_and_says_why(bank: Path, words: tuple[str, ...], code: int) -> None:
    ended = briefbank(*words)
    assert ended.code == code, ended.said
    assert ended.said.strip()
    assert "Traceback" not in ended.said
