"""The record of a draft's check: decisions that outlive a second check, edits by hand, and the statement on AI."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import docx
import office
import pytest
from consent_briefs import DRAFT, bank_with, briefs, draft_of
from docx.enum.table import WD_ROW_HEIGHT_RULE
from hits import result
from hypothesis import given
from hypothesis import strategies as st
from program import Briefbank

from briefbank.judgements.feedback.events import Event, Searched, SummaryOpened, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.matters.check_record import Change, CheckRecord, DecidedFinding, Decision, carried_over
from briefbank.matters.events import Event as MatterEvent
from briefbank.matters.events import MatterMade
from briefbank.matters.log import MatterLog
from briefbank.matters.record_file import read_check_record, write_check_record
from briefbank.matters.statement import SummaryUse
from briefbank.platform.event_log.log import new_id
from briefbank.search.draft.findings import with_keys
from briefbank.values.findings import Compared, ComparedKind, DraftFinding, Weight
from briefbank.values.records import Query

WORDS = f"{DRAFT} As Point VII says, so is Roe v. Poe, 310 U.S. 12 (1995)."
WORDING = """[[statement]]
name = "ours"
title = "On AI, for {draft}"
used = "{summaries} of {models} since {since}.\\n\\nNothing else, in {matter}, on {day}."
unused = "No AI, says {program}."
"""


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so never changed."""
    root = bank_with(tmp_path_factory.mktemp("office"))
    office.write_text(root / "statement.toml", WORDING)
    return root


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for each in ("feedback", "matters"):
        monkeypatch.setenv(f"BRIEFBANK_{each.upper()}", str(tmp_path / "own" / f"{each}.sqlite"))
    return tmp_path / "own"


def checked(briefbank: Briefbank, bank: Path, draft: Path, *more: object) -> dict[str, Any]:
    told = briefbank("draft", draft, "--bank", bank, "--json", "--date", "2026-11-28", *more)
    assert told.code == 0, told.err
    record: dict[str, Any] = told.json["record"]
    return record


def by_kind(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["finding"]["kind"]: each for each in record["findings"]}


def opened(log: Path, *entries: tuple[str, str]) -> None:
    """Note summaries that were opened: the day and the model of each."""
    search = new_id()
    found = Searched(Query("the stop"), "G", 1.0, shown_as(result("x", 1, 2, 3).hits))
    events = [Event(search, datetime(2026, 5, 12, 12, tzinfo=UTC), found)]
    for day, model in entries:
        at = datetime.fromisoformat(f"{day}T12:00:00+00:00")
        events.append(Event(new_id(), at, SummaryOpened(search, "doc1-3", model)))
    log.parent.mkdir(exist_ok=True)
    with FeedbackLog(log) as kept:
        kept.append(events)


@pytest.mark.parametrize("name", ["record.docx", "record.json"])
def test_a_second_check_takes_decisions_over_and_says_what_changed(
    briefbank: Briefbank, bank: Path, tmp_path: Path, name: str
) -> None:
    first, out = checked(briefbank, bank, draft_of(WORDS, tmp_path), "--earlier", write(tmp_path)), tmp_path / name
    keys = {kind: each["finding"]["key"] for kind, each in by_kind(first).items()}
    decisions = ["--initials", "DH", "--decide", keys["warned-authority"], "reviewed", "Part one", "only."]
    decisions += ["--decide", keys["impossible-citation"], "mended", "--decide", keys["altered-quotation"], "mended"]
    written = checked(briefbank, bank, tmp_path / "desk/draft.txt", "--save-record", out, *decisions)
    assert out.is_file()
    assert {each["decision"] for each in written["findings"]} == {"open", "mended", "reviewed"}
    same = checked(briefbank, bank, tmp_path / "desk/draft.txt", "--earlier", out)
    assert [each | {"change": None} for each in same["findings"]] == written["findings"]
    assert {each["change"] for each in same["findings"]} == {"kept"}

    again = draft_of(f"One sentence more.\n\n{WORDS.replace('(1995)', '(1940)')} See Point IX.", tmp_path)
    second = checked(briefbank, bank, again, "--earlier", out)
    told = by_kind(second)
    assert (told["warned-authority"]["decision"], told["warned-authority"]["change"]) == ("reviewed", "kept")
    assert (told["warned-authority"]["initials"], told["warned-authority"]["note"]) == ("DH", "Part one only.")
    assert (told["altered-quotation"]["decision"], told["altered-quotation"]["change"]) == ("open", "reopened")
    assert [each["finding"]["key"] for each in second["gone"]] == [keys["impossible-citation"]]
    (new,) = [each["finding"]["words"] for each in second["findings"] if each["change"] == "new"]
    assert new == "Point IX"
    printed = briefbank("draft", again, "--bank", bank, "--earlier", out).out
    assert "new: Point IX" in printed
    assert "gone: 310 U.S. 12" in printed


@pytest.mark.parametrize(
    ("more", "decision", "initials"),
    [
        (("reviewed",), "reviewed", "DH"),
        (("reviewed", "A note."), "reviewed", "DH"),
        (("mended", "--initials", "QZ"), "mended", "QZ"),
        (("open",), "open", ""),
        (("mended",), "", "DH decided otherwise"),
    ],
)
def test_initials_stay_with_what_their_bearer_decided(
    briefbank: Briefbank, bank: Path, tmp_path: Path, more: tuple[str, ...], decision: str, initials: str
) -> None:
    draft, out, at = draft_of(WORDS, tmp_path), tmp_path / "first.json", ("--bank", bank, "--json")
    key = next(each["key"] for each in briefbank("draft", draft, *at).json["findings"] if each["weight"] == "mend")
    checked(briefbank, bank, draft, "--save-record", out, "--decide", key, "reviewed", "--initials", "DH")
    told = briefbank("draft", draft, *at, "--earlier", out, "--decide", key, *more)
    if not decision:
        assert (told.code, initials in told.err) == (2, True)
        return
    (again,) = [each for each in told.json["record"]["findings"] if each["finding"]["key"] == key]
    assert (again["decision"], again["initials"]) == (decision, initials)


def write(folder: Path) -> Path:
    """An empty record of a draft of that name."""
    day, out = date(2026, 11, 1), folder / "empty.json"
    record = CheckRecord("draft.txt", "0" * 64, day, day, "G", "P", (), (), (), SummaryUse(day), ("T",))
    write_check_record(record, out)
    return out


def test_the_word_document_says_all_that_the_json_says(briefbank: Briefbank, bank: Path, tmp_path: Path) -> None:
    draft, out = draft_of(WORDS, tmp_path), tmp_path / "record.docx"
    record = checked(briefbank, bank, draft, "--save-record", out)
    document = docx.Document(str(out))
    words = "\n".join([*(each.text for each in document.paragraphs), *(
        cell.text for table in document.tables for row in table.rows for cell in row.cells)])  # fmt: skip
    for each in record["findings"]:
        assert each["finding"]["words"] in words
        assert each["finding"]["fact"] in words
    for each in record["unchecked"]:
        assert f"{each['what']}: {each['why']}" in words
    (listed,) = record["lists"]
    assert f"{listed['name']}, of {listed['dated']}, 1 entry" in words
    for each in (record["sha256"], record["generation"], "last changed", *record["statement"]):
        assert each in words
    again = tmp_path / "again.docx"
    checked(briefbank, bank, draft, "--save-record", again)
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize(
    ("name", "before", "after", "is_taken"),
    [
        ("record.json", '"decision": "open"', '"decision": "reviewed"', False),
        ("record.json", '"note": ""', '"note": "", "more": 1', False),
        ("record.docx", "word/document.xml: open<", "reviewed<", True),
        ("record.docx", 'customXml/: &quot;open&quot;|"open"', '"reviewed"', False),
    ],
)
def test_a_record_that_was_edited_by_hand_is_told(
    briefbank: Briefbank, bank: Path, tmp_path: Path, name: str, before: str, after: str, is_taken: bool
) -> None:
    draft, out = draft_of(WORDS, tmp_path), tmp_path / name
    key = by_kind(checked(briefbank, bank, draft, "--earlier", write(tmp_path)))["dead-reference"]["finding"]["key"]
    checked(briefbank, bank, draft, "--save-record", out, "--decide", key, "reviewed")
    edit(out, before, after)
    record = checked(briefbank, bank, draft, "--earlier", out)
    (notice,) = record["notices"]
    assert "by hand" in notice
    assert bool(record["earlier"]) == is_taken
    assert {each["change"] for each in record["findings"]} == ({"kept"} if is_taken else {None})
    assert by_kind(record)["dead-reference"]["decision"] == ("reviewed" if is_taken else "open")


NUMBERS = ("219-40-7713", "4539 1488 0343 6467", "D4471 20938 05722", "Tessa Marlow", "May 3, 1991", "41 Halsey Street")


@pytest.mark.parametrize("name", ["record.docx", "record.json"])
def test_a_record_masks_what_identifies_somebody_wherever_it_is_quoted_and_its_keys_do_not_tell_it(
    briefbank: Briefbank, bank: Path, tmp_path: Path, name: str
) -> None:
    words = (
        f"{DRAFT} He told them “my number is 219-40-7713 and I have always said so” and gave 4539 1488 0343 6467 and "
        "D4471 20938 05722. Tessa Marlow, age nine, was born on May 3, 1991, and lives at 41 Halsey Street with him."
    )
    draft, out = draft_of(words, tmp_path), tmp_path / name
    told = briefbank("draft", draft, "--bank", bank, "--json", "--save-record", out)
    found = [each for each in told.json["findings"] if each["masked"]]
    assert {each["words"] for each in found} == set(NUMBERS), "who asks is told in full"
    with zipfile.ZipFile(out) if name.endswith("x") else nullcontext() as package:
        parts = list(map(package.read, package.namelist())) if package else [out.read_bytes()]
    written = "\n".join(re.sub(r"\s+", " ", each.decode("utf-8", "replace")) for each in parts)
    for each in (*NUMBERS, *(hashlib.sha256(each.casefold().encode()).hexdigest()[:16] for each in NUMBERS)):
        assert each not in written + json.dumps(told.json["record"])
    assert "my number is …7713 and" in written
    for each in ("…6467", "…22", "T. M.", "…1991", "H. S."):
        assert each in written
    again = draft_of(f"A sentence more. {words}", tmp_path)
    assert {each["change"] for each in checked(briefbank, bank, again, "--earlier", out)["findings"]} == {"kept"}


def edit(path: Path, before: str, after: str) -> None:
    """Change a file, or the part of a Word document that `before` names first, as a person does."""
    if path.suffix == ".json":
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after, 1), encoding="utf-8")
        return
    part, _, before = before.partition(": ")
    with zipfile.ZipFile(path) as package:
        contents = {each: package.read(each).decode("latin-1") for each in package.namelist()}
    with zipfile.ZipFile(path, "w") as package:
        for each, content in contents.items():
            changed = re.sub(before, after, content) if each.startswith(part) else content
            package.writestr(each, changed.encode("latin-1"))
    assert any(re.search(before, each) for each in contents.values())


def test_a_record_that_word_saves_anew_is_as_it_was(briefbank: Briefbank, bank: Path, tmp_path: Path) -> None:
    draft, out = draft_of(WORDS, tmp_path), tmp_path / "record.docx"
    checked(briefbank, bank, draft, "--save-record", out)
    document = docx.Document(str(out))
    for run in document.paragraphs[0].runs:  # as a spelling checker parts words
        first, rest = run.text[:4], run.text[4:]
        run.text = first
        document.paragraphs[0].add_run(rest)
    document.save(str(out))
    record = checked(briefbank, bank, draft, "--earlier", out)
    assert (record["notices"], {each["change"] for each in record["findings"]}) == ([], {"kept"})


def hide_row(document: Any) -> None:
    for cell in document.tables[1].rows[1].cells:
        cell.paragraphs[0].runs[0].font.hidden = True


def strike(document: Any) -> None:
    document.paragraphs[1].runs[0].font.strike = True


def whiten(document: Any) -> None:
    document.tables[0].rows[1].cells[1].paragraphs[0].runs[0].font.color.rgb = docx.shared.RGBColor(255, 255, 255)


def shrink(document: Any) -> None:
    document.tables[0].rows[1].height_rule, document.tables[0].rows[1].height = WD_ROW_HEIGHT_RULE.EXACTLY, 1


def head(document: Any) -> None:
    document.sections[0].header.paragraphs[0].text = "All findings reviewed by KP"


def foot(document: Any) -> None:
    document.sections[0].footer.paragraphs[0].text = "Approved"


def comment(document: Any) -> None:
    document.add_comment(document.paragraphs[0].runs, "All is well.", "KP")


@pytest.mark.parametrize("change", [hide_row, strike, whiten, shrink, head, foot, comment])
def test_an_edit_of_what_a_reader_of_the_word_record_meets_is_told(tmp_path: Path, change: Any) -> None:
    out, day = tmp_path / "record.docx", date(2026, 11, 1)
    (finding,) = found("record-shown", ("5.pdf", "he left"))
    each = (DecidedFinding(finding),)
    write_check_record(CheckRecord("d", "0", day, day, "G", "P", (), each, (), SummaryUse(day), ("T", "U")), out)
    document = docx.Document(str(out))
    document.save(str(out))
    assert read_check_record(out).notices == ()
    change(document)
    document.save(str(out))
    assert "by hand" in read_check_record(out).notices[0]


NO_RECORD = '{"format":"briefbank check","version":1,"record":{},"sha256":"","words_sha256":""}'


@pytest.mark.parametrize(
    ("content", "code"), [("", 8), ("{}", 8), ("[" * 10_000, 8), (NO_RECORD, 0), (NO_RECORD.replace("1", "9"), 6)]
)
def test_what_is_no_record_is_refused_before_the_draft_is_read(
    briefbank: Briefbank, bank: Path, tmp_path: Path, content: str, code: int
) -> None:
    record = office.write_text(tmp_path / "r.json", content)
    told = briefbank("draft", draft_of(DRAFT, tmp_path), "--bank", bank, "--earlier", record)
    assert told.code == code
    assert "r.json" in told.err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--save-record", "r.txt"), "neither a .docx nor a .json"),
        (("--save-record", "r.json", "--decide", "dead-reference:0:1", "done"), "“done” is no decision"),
        (("--save-record", "r.json", "--decide", "dead-reference:0:1"), "No decision is said on dead-reference:0:1"),
        (("--save-record", "r.json", "--decide", "dead-reference:0:1", "mended"), "no finding"),
        (("--save-record", "r.json", *("--decide", "x:0:1", "mended") * 2), "x:0:1 is decided twice"),
        (("--decide", "dead-reference:0:1", "mended"), "--save-record"),
        (("--save-record", "r.json", "--initials", "DH"), "--decide"),
        (("--matter", "Hart"), "--save-record"),
        (("--statement", "theirs"), "--save-record"),
        (("--save-record", "r.json", "--statement", "theirs"), "no statement “theirs”"),
        (("--save-record", "r.json", "--matter", "Hart"), "no matter “Hart”"),
    ],
)
def test_what_cannot_be_recorded_is_refused(
    briefbank: Briefbank, bank: Path, tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    named = [tmp_path / each if each.startswith("r.") else each for each in more]
    told = briefbank("draft", draft_of(DRAFT, tmp_path), "--bank", bank, *named)
    assert told.code == 2
    assert said in told.err
    assert not list(tmp_path.glob("r.*"))


@pytest.mark.parametrize(
    ("entries", "statement", "fact"),
    [
        ((), "No AI, says BriefBank", "since 2026-06-01: 0"),
        ((("2026-05-20", "Old 1B"),), "No AI, says BriefBank", "since 2026-06-01: 0"),
        ((("2026-06-20", "Quill 3B"), ("2026-06-21", "Quill 3B"), ("2026-06-22", "")),
         "3 summaries of Quill 3B, a model that was not recorded since 2026-06-01.", "(2 by Quill 3B; 1 noted by"),
    ],
)  # fmt: skip
def test_the_statement_follows_from_what_the_user_opened_while_the_matter_was_written(
    briefbank: Briefbank, bank: Path, tmp_path: Path, own_data: Path,
    entries: tuple[tuple[str, str], ...], statement: str, fact: str,
) -> None:  # fmt: skip
    opened(own_data / "feedback.sqlite", *entries)
    with MatterLog(own_data / "matters.sqlite") as log:
        log.append([MatterEvent(new_id(), datetime(2026, 6, 1, 12, tzinfo=UTC), MatterMade("m1", "State v. Hart"))])
    out = tmp_path / "record.docx"
    draft = draft_of(DRAFT, tmp_path)
    record = checked(briefbank, bank, draft, "--save-record", out, "--matter", "State v. Hart")
    title, *paragraphs = record["statement"]
    assert title == "On AI, for draft.txt"
    assert paragraphs[0].startswith(statement)
    paragraphs_written = [each.text for each in docx.Document(str(out)).paragraphs]
    assert any(fact in each for each in paragraphs_written)
    assert any(each.startswith("Not to be filed as it stands") for each in paragraphs_written)
    if entries and entries[-1][0] > "2026-06-01":
        assert paragraphs[1] == "Nothing else, in State v. Hart, on 2026-11-28."


def test_without_a_log_nothing_is_claimed(briefbank: Briefbank, bank: Path, tmp_path: Path) -> None:
    record = checked(briefbank, bank, draft_of(DRAFT, tmp_path), "--save-record", tmp_path / "record.json")
    assert "is not known" in record["statement"][1]
    assert json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))["record"] == record


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WORDING.replace("{models}", "{model}"), "nothing stands for {model}"),
        (WORDING.replace("used = ", "usedd = ", 1), "statement.toml"),
        ("".join(line for line in WORDING.splitlines(keepends=True) if not line.startswith("used")), "`used`"),
        ("statement = []", "statement.toml"),
        ("[[statement", "statement.toml"),
    ],
)
def test_a_wording_that_cannot_be_used_is_named(briefbank: Briefbank, tmp_path: Path, text: str, said: str) -> None:
    root = office.write_bank(tmp_path / "bank")
    office.write_text(tmp_path / "briefs/0.txt", briefs()["0"])
    assert briefbank("index", tmp_path / "briefs", "--bank", root, "--quiet").code == 0
    office.write_text(root / "statement.toml", text)
    told = briefbank("draft", draft_of(DRAFT, tmp_path), "--bank", root, "--save-record", tmp_path / "r.json")
    assert told.code == 3
    assert said in told.err


@pytest.mark.parametrize("name", ["tool and use", "certificate", "none used"])
def test_the_statements_that_come_with_the_program_say_either_thing(
    briefbank: Briefbank, tmp_path: Path, own_data: Path, name: str
) -> None:
    root = office.write_bank(tmp_path / "bank")
    office.write_text(tmp_path / "briefs/0.txt", briefs()["0"])
    assert briefbank("index", tmp_path / "briefs", "--bank", root, "--quiet").code == 0
    draft = draft_of(DRAFT, tmp_path)
    opened(own_data / "feedback.sqlite")
    at = (briefbank, root, draft, "--statement", name, "--save-record")
    unused = " ".join(checked(*at, tmp_path / "a.json")["statement"])
    opened(own_data / "feedback.sqlite", ("2026-06-20", "Quill 3B"))
    used = " ".join(checked(*at, tmp_path / "b.json")["statement"])
    assert "1 summary" in used
    assert "Quill 3B" in used
    assert "Quill 3B" not in unused
    assert "{" not in used + unused
    for each in (used, unused):  # of what the program cannot know, it leaves the words to a person
        said, _, left = each.partition("[Whoever signs: ")
        assert left
        assert "since" in said.casefold()
        assert not re.search(r"\bI\b|counsel|certify|checked|was used|drafted", said)


FINDINGS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["x", "X ", "y"]), st.sampled_from("12")), max_size=8
)


@given(FINDINGS, FINDINGS, st.lists(st.sampled_from(Decision), min_size=8, max_size=8))
def test_a_decision_holds_only_for_the_same_words_and_fact(
    before: list[tuple[str, str, str]], now: list[tuple[str, str, str]], decisions: list[Decision]
) -> None:
    was, found = (
        with_keys(DraftFinding(kind, "T", Weight.LOOK, (), words, fact) for kind, words, fact in each)
        for each in (before, now)
    )
    earlier = tuple(DecidedFinding(*each, "DH", "n") for each in zip(was, decisions, strict=False))
    same, none = carried_over(was, "s", earlier, "s")
    assert [(each.finding, each.decision, each.initials) for each in same] == [
        (each.finding, each.decision, each.initials) for each in earlier
    ]
    assert none == ()
    decided, gone = carried_over(found, "other", earlier, "s")
    kept = {each.finding.key: each for each in earlier}
    assert tuple(each.finding for each in decided) == found
    assert {each.finding.key for each in gone} == kept.keys() - {each.key for each in found}
    for each in decided:
        assert (each.change is Change.NEW) == (each.finding.key not in kept)
        if each.decision is not Decision.OPEN:
            assert each.decision is Decision.REVIEWED, "what is mended and still there is open"
            assert kept[each.finding.key].finding.fact == each.finding.fact


def found(kind: str, *places: tuple[str, str]) -> tuple[DraftFinding, ...]:
    compared = tuple(Compared(ComparedKind.RECORD, name, words, place="45:3") for name, words in places)
    return with_keys([DraftFinding(kind, "T", Weight.KNOW, (), "He left (3T45-3)", "What stands there.", compared)])


@pytest.mark.parametrize("decision", [Decision.REVIEWED, Decision.MENDED])
@pytest.mark.parametrize("now", [(("6.pdf", "he left"),), (("5.pdf", "he stayed"),), (), (("5.pdf", "he left"),) * 2])
def test_a_decision_is_asked_for_again_where_something_else_was_compared(
    now: tuple[tuple[str, str], ...], decision: Decision
) -> None:
    was = tuple(DecidedFinding(each, decision, "DH", "n") for each in found("record-shown", ("5.pdf", "he left")))
    (same,), _ = carried_over(found("record-shown", ("5.pdf", "he  left")), "s", was, "s")
    (other,), _ = carried_over(found("record-shown", *now), "s", was, "s")
    assert (same.decision, same.change) == (decision, Change.KEPT)
    assert (other.decision, other.initials, other.note, other.change) == (Decision.OPEN, "", "n", Change.REOPENED)


@pytest.mark.parametrize(("is_looked_for", "change"), [(True, Change.GONE), (False, Change.UNCHECKED)])
@pytest.mark.parametrize("times", [1, 3])
def test_what_was_gone_or_not_looked_for_comes_back_with_what_was_decided(
    is_looked_for: bool, change: Change, times: int
) -> None:
    there = found("record-shown", ("5.pdf", "he left"))
    was = tuple(DecidedFinding(each, Decision.REVIEWED, "DH", "n") for each in there)
    for _ in range(times):
        decided, was = carried_over((), "s", was, "s", lambda _: is_looked_for)
        assert (decided, [each.change for each in was]) == ((), [change])
    (back,), gone = carried_over(there, "s", was, "s")
    assert (back.decision, back.initials, back.note, back.change, gone) == (
        Decision.REVIEWED, "DH", "n", Change.KEPT, ())  # fmt: skip
    mended = tuple(replace(each, decision=Decision.MENDED) for each in was)
    assert carried_over(there, "s", mended, "s")[0][0].change is Change.REOPENED, (
        "the draft may have been changed since"
    )
