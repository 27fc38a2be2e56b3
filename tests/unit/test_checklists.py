"""Checklists: every item answered with a document's own words, with their place, or with "Not found"."""

from __future__ import annotations

import csv
import hashlib
import re
import zipfile
from pathlib import Path
from typing import Any

import docx
import office
import pytest
from program import Briefbank

from briefbank.errors import InvalidAnswerError
from briefbank.search.checklists.checklist import bundled

LIST = """
name = "Roadside"
description = "What is asked of a search of a car."

[[item]]
name = "Consent"
question = "Was consent valid?"
definition = "Whether whoever consented was free to refuse."
keywords = '["consent detention"~20^5, "unequivocal and specific"^5]'

[[item]]
name = "Restitution"
question = "Was restitution ordered?"
keywords = '["restitution loss"~5^5]'
"""


@pytest.fixture
def roadside(tmp_path: Path) -> Path:
    return office.write_text(tmp_path / "lists" / "roadside.toml", LIST)


def run(briefbank: Briefbank, bank: Path, *arguments: object) -> list[dict[str, Any]]:
    result = briefbank("checklist", "run", *arguments, "--bank", bank, "--json")
    assert result.code == 0, result.err
    documents: list[dict[str, Any]] = result.json["documents"]
    return documents


def answers(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["item"]: each for each in document["answers"]}


def quince(library: Path) -> str:
    return digest(library / "quince.pdf")[:16]


def test_an_item_is_answered_with_the_words_of_the_brief_and_their_place(
    briefbank: Briefbank, library: Path, library_bank: Path, roadside: Path
) -> None:
    (document,) = run(briefbank, library_bank, roadside, "--document", quince(library))
    found = answers(document)
    assert found["Consent"]["found"]
    extracts = found["Consent"]["extracts"]
    assert any("unequivocal and specific" in " ".join(each["text"].split()) for each in extracts)
    for each in extracts:
        shown = briefbank("show", each["passage_id"], "--bank", library_bank, "--json").json
        assert each["text"] == shown["passage"]["text"]
    assert [each["span"][0] for each in extracts] == sorted(each["span"][0] for each in extracts)
    assert any("CONSENT" in each["section_path"][-1] for each in extracts)
    assert not found["Restitution"]["found"]
    printed = briefbank("checklist", "run", roadside, "--document", quince(library), "--bank", library_bank)
    assert "Restitution  Not found" in printed.out
    assert re.search(r"— LEGAL ARGUMENT › POINT II .*p\. \d|sheet \d", printed.out)


def test_a_file_in_no_bank_is_answered_for_and_nothing_of_it_kept(
    briefbank: Briefbank, own_bank: Path, roadside: Path, tmp_path: Path
) -> None:
    points = ("THE CONSENT WAS TAINTED.", office.CONSENT)
    file = office.write_text(tmp_path / "desk" / "loose.txt", office.brief("Vera Lind", "A-0100-25", "", points))
    before = digests(own_bank)
    (document,) = run(briefbank, own_bank, roadside, "--document", file)
    assert document["document_id"] is None
    assert {each["passage_id"] for each in answers(document)["Consent"]["extracts"]} == {None}
    assert digests(own_bank) == before


def test_all_documents_are_answered_for_newest_first(briefbank: Briefbank, library_bank: Path, roadside: Path) -> None:
    documents = run(briefbank, library_bank, roadside, "--all")
    filed = [each["filed"] or "" for each in documents]
    assert filed == sorted(filed, reverse=True)
    assert len(documents) == 6
    by_title = {each["title"]: answers(each)["Consent"]["found"] for each in documents}
    assert sum(by_title.values()) < len(by_title), "a hearsay brief says nothing of consent"
    printed = briefbank("checklist", "run", roadside, "--all", "--bank", library_bank).out
    assert printed.count("Restitution: Not found") == 6


def test_table_and_word_document_hold_every_answer_and_no_formula(
    briefbank: Briefbank, library: Path, library_bank: Path, tmp_path: Path
) -> None:
    file = office.write_text(tmp_path / "list.toml", LIST.replace('name = "Restitution"', 'name = "=1+1"'))
    out, word = tmp_path / "answers.csv", tmp_path / "answers.docx"
    arguments = ("checklist", "run", file, "--document", quince(library), "--bank", library_bank)
    assert briefbank(*arguments, "--csv", out, "--word", word).code == 0
    rows = list(csv.DictReader(out.read_text(encoding="utf-8-sig").splitlines(keepends=True)))
    assert rows[-1]["item"] == "'=1+1"
    assert rows[-1]["found"] == "Not found"
    assert any("unequivocal" in row["text"] for row in rows)
    assert all(row["section"] and row["pages"] for row in rows if row["found"] == "found")
    with zipfile.ZipFile(word) as archive:
        text = re.sub("<[^>]+>", "", archive.read("word/document.xml").decode())
    assert "unequivocal" in text
    assert "Not found" in text
    runs = [run for paragraph in docx.Document(str(word)).paragraphs for run in paragraph.runs]
    told = " ".join(" ".join(run.text for run in runs if run.bold).split())
    assert "Consent obtained during an unlawful detention is tainted by it." in told
    assert "unequivocal" not in told
    assert "POINT II" not in told
    assert briefbank(*arguments, "--csv", out).code == 2, "a file is never replaced"


def test_an_item_is_looked_for_in_its_parts_of_the_brief_alone(
    briefbank: Briefbank, library: Path, library_bank: Path, tmp_path: Path
) -> None:
    text = LIST.replace('name = "Consent"', 'name = "Consent"\nsections = ["facts"]')
    (document,) = run(briefbank, library_bank, office.write_text(tmp_path / "a.toml", text), "--all")[:1]
    documents = run(briefbank, library_bank, tmp_path / "a.toml", "--document", quince(library))
    kinds = {each["section_kind"] for each in answers(documents[0])["Consent"]["extracts"]}
    assert kinds <= {"facts"}
    assert document["answers"]


def test_a_profile_lends_its_keywords(briefbank: Briefbank, library: Path, own_bank: Path, tmp_path: Path) -> None:
    item = '[[item]]\nname = "Dogs"\nprofile = "canine"\n'
    file = office.write_text(tmp_path / "dogs.toml", f'name = "Dogs"\n{item}')
    refused = briefbank("checklist", "run", file, "--all", "--bank", own_bank)
    assert refused.code == 2
    assert "canine" in refused.err
    made = briefbank("profile", "new", "canine", "--keywords", '"dog way"~6^5', "--bank", own_bank)
    assert made.code == 0, made.err
    (document,) = run(briefbank, own_bank, file, "--document", quince(library))
    assert "dog was on its way" in " ".join(answers(document)["Dogs"]["extracts"][0]["text"].split())


def test_samples_that_the_index_has_no_more_are_told_of_beside_what_is_not_found(
    briefbank: Briefbank, library: Path, own_bank: Path, tmp_path: Path
) -> None:
    profile = 'name = "Dogs"\nkeywords = "dog"\n[[sample]]\npassage = "nowhere-000"\n'
    office.write_text(own_bank / "profiles" / "dogs.toml", profile)
    file = office.write_text(tmp_path / "one.toml", 'name = "One"\n[[item]]\nname = "K-9"\nprofile = "Dogs"\n')
    told = briefbank("checklist", "run", file, "--document", quince(library), "--bank", own_bank, "--json").json
    (notice,) = told["notices"]
    assert notice.startswith("K-9: 1 sample is a passage that the index has no more")


@pytest.mark.parametrize(
    "looked_for",
    [
        'question = "was the consent unequivocal and specific, signed on the hood of the patrol car"',
        """keywords = '["unequivocal and specific"^5]'""",
        'profile = "consent"',
    ],
)
def test_a_question_a_keyword_or_samples_are_enough(
    briefbank: Briefbank, own_bank: Path, tmp_path: Path, looked_for: str
) -> None:
    made = briefbank("profile", "new", "consent", "--text", office.paragraph(office.CONSENT), "--bank", own_bank)
    assert made.code == 0, made.err
    file = office.write_text(tmp_path / "one.toml", f'name = "One"\n[[item]]\nname = "Consent"\n{looked_for}\n')
    found = {each["title"]: answers(each)["Consent"]["found"] for each in run(briefbank, own_bank, file, "--all")}
    assert found["State v. Alder Quince, Brief on Behalf of Defendant-Appellant"]
    assert not found["State v. Petra Lorne, Brief on Behalf of Defendant-Appellant"]


def test_what_was_fitted_with_another_encoder_is_not_used(
    briefbank: Briefbank, library: Path, library_bank: Path, tmp_path: Path
) -> None:
    fitted = """keywords = '["unequivocal and specific"^5]'
[item.evidence]
constant = -20.0
meaning = 0.0
words = 0.0
keywords = 0.0
threshold = 0.5
"""
    text = f'name = "One"\nencoder = "another"\n[[item]]\nname = "Consent"\n{fitted}'
    file = office.write_text(tmp_path / "one.toml", text)
    told = briefbank("checklist", "run", file, "--document", quince(library), "--bank", library_bank, "--json").json
    assert "another encoder" in told["notices"][0]
    assert answers(told["documents"][0])["Consent"]["found"]
    file.write_text(text.replace('encoder = "another"\n', ""), encoding="utf-8")
    (document,) = run(briefbank, library_bank, file, "--document", quince(library))
    assert not answers(document)["Consent"]["found"]


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        (LIST.replace('"Restitution"', '"Consent"'), 3, "several items are called “Consent”"),
        (LIST.replace("~20^5", "~x"), 3, "This is no keyword"),
        (f"format = 99\n{LIST}", 6, "format 99"),
        (None, 8, "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(
    briefbank: Briefbank, library_bank: Path, tmp_path: Path, text: str | None, code: int, told: str
) -> None:
    file = tmp_path / "bad.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    refused = briefbank("checklist", "run", file, "--all", "--bank", library_bank)
    assert refused.code == code
    assert told in refused.err


def test_the_lists_of_the_program_are_told_and_shown(briefbank: Briefbank) -> None:
    told = briefbank("checklist", "list", "--json").json["checklists"]
    assert {"direct-appeal", "sentencing", "suppression"} <= {each["list"] for each in told}
    for each in told:
        shown = briefbank("checklist", "show", each["list"], "--json").json
        assert len(shown["items"]) == each["items"]
        assert all(item["question"] and item["definition"] and item["keywords"] for item in shown["items"])
    assert briefbank("checklist", "show", "nonesuch").code == 2


@pytest.mark.parametrize(
    ("name", "item", "text"),
    [
        ("suppression", "Consent", office.CONSENT),
        ("sentencing", "Aggravating factors", office.SENTENCE),
        ("direct-appeal", "Hearsay and confrontation", office.HEARSAY),
    ],
)
def test_a_list_of_the_program_finds_its_items(
    briefbank: Briefbank, library_bank: Path, tmp_path: Path, name: str, item: str, text: str
) -> None:
    assert item in {each.name for each in bundled()[name].items}
    file = office.write_text(tmp_path / "a.txt", office.brief("Vera Lind", "A-0100-25", "", ("THE POINT.", text)))
    (document,) = run(briefbank, library_bank, name, "--document", file)
    said = [" ".join(each["text"].split()) for each in answers(document)[item]["extracts"]]
    assert any(" ".join(text.split()[:6]) in each for each in said)


_ON_THE_STOP = (
    "Findings of fact are accepted where sufficient credible evidence in the record supports them, and the law is "
    "reviewed afresh. Nothing that the trooper named was a reasonable and objective basis for the stop; nervousness "
    "and a quiet street are objective facts that fit every driver, and counsel said so with an objective measure."
)
_PRAYER = "The defendant prays that the conviction be reversed and a judgment of acquittal be entered."


@pytest.mark.parametrize(
    ("item", "words"),
    [("Remedy", "prays that the conviction be reversed"), ("Sufficiency of the evidence", ""), ("Preservation", "")],
)
def test_what_is_asked_for_answers_for_the_remedy_alone_and_an_objective_basis_is_no_objection(
    briefbank: Briefbank, library_bank: Path, tmp_path: Path, item: str, words: str
) -> None:
    text = office.brief("Vera Lind", "A-0100-25", "", ("THE EVIDENCE SHOULD HAVE BEEN SUPPRESSED.", _ON_THE_STOP))
    text = text.replace("For these reasons the judgment of conviction should be reversed.", _PRAYER)
    file = office.write_text(tmp_path / "a.txt", text)
    (document,) = run(briefbank, library_bank, "direct-appeal", "--document", file)
    said = [" ".join(each["text"].split()) for each in answers(document)[item]["extracts"]]
    assert any(words in each for each in said) if words else said == []


def test_a_language_model_chooses_sentences_and_is_asked_what_it_missed(
    briefbank: Briefbank, library: Path, library_bank: Path, roadside: Path, install
) -> None:
    model = install('{"sentences": [2, 3]}', '{"sentences": [3, 5]}', '{"sentences": []}', '{"sentences": []}')
    (document,) = run(briefbank, library_bank, roadside, "--document", quince(library), "--with-model")
    found = answers(document)
    assert found["Consent"]["by_model"]
    assert not found["Restitution"]["found"]
    prompt = model.requests[0].messages[-1].text
    numbered = dict(re.findall(r"^\[(\d+)\] (.+)$", prompt, re.MULTILINE))
    assert prompt.index("Whether whoever consented") < prompt.index("Was consent valid?") < prompt.index("“consent")
    said = " ".join(" ".join(each["text"] for each in found["Consent"]["extracts"]).split())
    assert said == " ".join(numbered[number] for number in "235")
    assert "You have missed" in model.requests[1].messages[-1].text
    assert model.is_closed


def test_passages_stand_where_the_model_gives_no_usable_answer(
    briefbank: Briefbank, library: Path, library_bank: Path, roadside: Path, install
) -> None:
    (plain,) = run(briefbank, library_bank, roadside, "--document", quince(library))
    install(InvalidAnswerError("no"))
    (document,) = run(briefbank, library_bank, roadside, "--document", quince(library), "--with-model")
    consent = answers(document)["Consent"]
    assert not consent["by_model"]
    assert "no usable answer" in consent["note"]
    assert consent["extracts"] == answers(plain)["Consent"]["extracts"]


def test_without_a_model_it_is_said_what_to_install(
    briefbank: Briefbank, library_bank: Path, roadside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "none"))
    refused = briefbank("checklist", "run", roadside, "--all", "--with-model", "--bank", library_bank)
    assert refused.code == 9
    assert "--role extract" in refused.err


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def digests(folder: Path) -> dict[str, str]:
    return {str(each): digest(each) for each in folder.rglob("*") if each.is_file()}
