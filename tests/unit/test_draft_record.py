"""Cites of the record held against the record: what is told of each, and what bad input costs."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import office
import pytest
from consent_briefs import bank_with
from program import Briefbank
from record_sheets import write_condensed, write_pages

from briefbank.bank.local import Bank
from briefbank.errors import UsageError
from briefbank.law.record_cites import FORMS, RecordPlace, read_cite, read_record_cites, record_cites
from briefbank.search.draft.record_files import RecordFile, called, files_by_name, option_of
from briefbank.values.findings import ComparedKind
from briefbank.values.record import CaseRecord, RecordLine, RecordPage, RecordText
from briefbank.values.records import Span

SAID = (
    "I never asked him to sign a thing. He stood by the",
    "guard rail with both hands in his coat, and I went",
    "through the trunk by my-",
    "self.",
)
"""What the trooper says at 3:4 to 7."""


def transcript(day: str, *, first: int = 1, count: int = 6) -> str:
    """A transcript whose third page has `SAID`, with 25 lines to a page."""
    title = f"SUPERIOR COURT OF NEW JERSEY\n\nTRANSCRIPT OF HEARING\n\nDate: {day}\n"
    pages = [title]
    for number in range(first + 1, first + count):
        rows = [f"Nothing of note was told on this part, {number} {line} of it." for line in range(1, 26)]
        if number == 3:
            rows[3:7] = [f"A.  {SAID[0]}", *SAID[1:]]
        lines = (f"{at:>2}        {row}" for at, row in enumerate(rows, 1))
        pages.append(f"{number:>60}\n\n" + "\n".join(lines))
    return "\f".join(pages)


def draft(*sentences: str) -> str:
    note = "1T refers to the transcript of June 5, 2023; 2T to that of June 6, 2023; Da to the appendix."
    return f"LEGAL ARGUMENT\n\nPOINT I\n\nTHE SEARCH WAS VOID.\n\n{note}\n\n{' '.join(sentences)}\n"


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so never changed."""
    return bank_with(tmp_path_factory.mktemp("office"))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    folder = tmp_path / "record"
    folder.mkdir()
    write_pages(folder / "first.pdf", transcript("June 5, 2023"))
    write_condensed(folder / "second.pdf", transcript("June 6, 2023", count=9).replace("coat", "pockets"))
    office.write_text(folder / "appendix.txt", "Da1\n\nThe report of the trooper.\fDa2\n\nThe grand jury charges.")
    return folder


def told(briefbank: Briefbank, bank: Path, record: Path, *sentences: str, **more: str) -> Any:
    file = office.write_text(record.parent / "desk/draft.txt", draft(*sentences))
    options = [part for name, value in more.items() for part in (f"--{name}", value)]
    found = briefbank("draft", file, "--bank", bank, "--record", record, "--json", *options)
    assert found.code == 0, found.err
    return found.json


HELD = "He “stood by the guard rail with both hands in his {}.” ({})."


@pytest.mark.parametrize(
    ("sentence", "kind", "fact"),
    [
        (HELD.format("coat", "1T3-4 to 5"), "as-quoted", "The record has the quoted words there."),
        (HELD.format("[coat]", "1T3-4"), "as-quoted", "The record"),
        ("“I went\nthrough the trunk by myself,” he said (1T3-5 to 7).", "as-quoted", "The record"),
        (
            HELD.format("jacket", "1T3-4 to 5"),
            "differs",
            "“his coat, and” where the draft has “his jacket”.",
        ),
        (HELD.format("coat", "1T5-4 to 5"), "elsewhere", "stands at first.pdf, 3:4-5, not where the draft cites."),
        (HELD.format("pockets", "1T3-4 to 5"), "elsewhere", "stands at second.pdf, 3:4-5, not"),
        (HELD.format("pockets", "2T3-4 to 5"), "as-quoted", "The record"),
        ("He “asked him to sign a thing.” (1T3-4).", "differs", "Right before these words the record has “never”."),
        ("He swore, “I [once] asked him to sign a thing.” (1T3-4).", "differs", "“I never asked”"),
        ("He swore, “I [] asked him to sign a thing.” (1T3-4).", "differs", "“I never asked”"),
        ("He “[n]ever asked him to sign a thing.” (1T3-4).", "as-quoted", "The record"),
        ("He [stood] “by the [very] guard rail with [] hands in his coat.” (1T3-4 to 5).", "as-quoted", "The record"),
        ("He “stood by the guard rail [in] coat, and I went through” (1T3-4 to 6).", "differs", "stand for more words"),
        ("He did not once “ask[] him to sign a thing.” (1T3-4).", "as-quoted", "The record"),
        ("He denied that he had “asked him to sign a thing.” (1T3-4).", "as-quoted", "The record"),
        ("Nobody signed, and he “asked him to sign a thing.” (1T3-4).", "differs", "Look whether the draft denies"),
        ("It is not disputed that he “asked him to sign a thing.” (1T3-4).", "differs", "Look whether the draft"),
        (
            HELD.format("pockets", "1T3-4 to 5; 2T3-4 to 5"),
            "differs",
            "second.pdf, 3:4-5 has the quoted words. At first",
        ),
        (HELD.format("coat", "1T3-4 to 5; 1T5-1"), "as-quoted", "at first.pdf, 3:4-5; none of them at first.pdf, 5:1."),
        ("“The driver wept and begged to go home.” (1T3-4).", "not-found", "No file of the record that was read has"),
        (
            HELD.format("coat", "1T9-4"),
            "beyond",
            "its last is 6. “stood by the guard rail with both hands in his coat” st",
        ),
        ("“The driver wept and begged to go home.” (1T9-4).", "beyond", "6. No file of the record that was read has"),
        ("He kept his hands in his coat. (1T9-4).", "beyond", "first.pdf has no 9; its last is 6."),
        ("He kept his hands in his coat. (1T3:26).", "beyond", "first.pdf has no 3:26"),
        (
            "With his hands in his coat he stood by the guard rail. (1T5-1).",
            "perhaps-elsewhere",
            "more stand at first.pdf, 3:",
        ),
        ("The trooper made a report. (Da1).", "shown", "The words that stand where the draft cites."),
    ],
)
def test_what_the_record_has_is_told_of_each_cite(
    briefbank: Briefbank, bank: Path, record: Path, sentence: str, kind: str, fact: str
) -> None:
    (found,) = [
        each for each in told(briefbank, bank, record, sentence)["findings"] if each["kind"].startswith("record-")
    ]
    assert (found["kind"], found["weight"] == "know") == (f"record-{kind}", kind in ("as-quoted", "shown"))
    assert fact in found["fact"]
    assert found["words"].endswith(sentence.rpartition("(")[2].rstrip("."))
    assert ".”." not in found["fact"]


def test_ids_lead_to_the_cite_before_and_to_none_behind_an_authority(
    briefbank: Briefbank, bank: Path, record: Path
) -> None:
    held = HELD.format("coat", "1T5-4"), f"The same was said again: {HELD.format('coat', 'Id. at 3-4 to 5')}"
    found = told(briefbank, bank, record, *held, "State v. Ode, 101 N.J. 5, 9 (1986). Id. at 3.")["findings"]
    kinds = [each["kind"] for each in found if each["kind"].startswith("record-")]
    assert sorted(kinds) == ["record-as-quoted", "record-elsewhere"]


def test_a_file_that_nothing_names_is_asked_for_and_can_be_named(
    briefbank: Briefbank, bank: Path, record: Path
) -> None:
    cite = HELD.format("coat", "3T3-4 to 5")
    found = told(briefbank, bank, record, cite)
    (unknown,) = [each for each in found["unchecked"] if each["what"] == "3T (1 cite)"]
    assert "--volume 3T=FILE" in unknown["why"]
    named = told(briefbank, bank, record, cite, volume="3T=first.pdf")
    assert "record-as-quoted" in [each["kind"] for each in named["findings"]]


def test_every_name_that_is_printed_for_a_file_is_accepted() -> None:
    cites = [each for form in FORMS.groups["record"] for each in form.examples]
    names = {read_cite(cite[slice(*span)])[0] for cite in cites for span in record_cites(cite)}
    for name in names:
        assert called(option_of(name), names) == tuple(each for each in names if each.label == name.label)
        assert called(name.label.lower(), names)
    assert {each.label for each in called("RR vol. 3", names)} == {"3RR"}


def test_a_name_that_no_cite_bears_is_told_and_a_record_may_be_named_from_where_one_stands(
    briefbank: Briefbank, bank: Path, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(record.parent)
    cite = HELD.format("coat", "N.T. 3/4/22 at 3")
    found = told(briefbank, bank, Path(record.name), cite, volume="XT=first.pdf")
    why = {each["what"]: each["why"] for each in found["unchecked"]}
    assert "--volume NT2022-03-04=FILE" in why["NT 2022-03-04 (1 cite)"]
    assert "names that it cites by: NT2022-03-04" in why["--volume XT"]
    named = told(briefbank, bank, Path(record.name), cite, volume="NT2022-03-04=first.pdf")
    assert "record-as-quoted" in [each["kind"] for each in named["findings"]]


def test_a_page_is_not_called_missing_where_numbers_of_pages_are_not_known(
    briefbank: Briefbank, bank: Path, record: Path
) -> None:
    office.write_text(record / "papers.txt", "The report of the trooper.")
    found = told(briefbank, bank, record, "The trooper made a report. (JA 9).", volume="JA=papers.txt")
    assert "record-beyond" not in [each["kind"] for each in found["findings"]]
    assert "JA, page 9" in [each["what"] for each in found["unchecked"]]


def test_what_cannot_be_read_is_named_and_the_rest_checked(briefbank: Briefbank, bank: Path, record: Path) -> None:
    import pymupdf

    with pymupdf.open(str(record / "first.pdf")) as document:
        document.save(str(record / "locked.pdf"), encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    (record / "broken.pdf").write_bytes(b"%PDF-1.7 cut off")
    found = told(briefbank, bank, record, HELD.format("coat", "1T3-4 to 5"))
    unread = {each["what"]: each["why"] for each in found["unchecked"] if each["what"].endswith("pdf")}
    assert unread.keys() == {"locked.pdf", "broken.pdf"}
    assert "password" in unread["locked.pdf"]
    assert "record-as-quoted" in [each["kind"] for each in found["findings"]]


def test_a_folder_without_a_record_and_a_draft_without_cites_are_said_so(
    briefbank: Briefbank, bank: Path, record: Path
) -> None:
    empty = record.parent / "none"
    empty.mkdir()
    file = office.write_text(record.parent / "desk/draft.txt", draft("The trooper asked for nothing."))
    printed = briefbank("draft", file, "--bank", bank, "--record", empty)
    assert printed.code == 0
    assert "Not checked: cites of the record: the draft has none" in printed.out
    assert "Not checked: the record: its folder has no file that could be read" in printed.out
    assert briefbank("draft", file, "--bank", bank, "--record", record / "missing").code == 8
    assert briefbank("draft", file, "--bank", bank, "--volume", "3T=first.pdf").code == 2


def file_named(name: str, title: str, *labels: str) -> RecordFile:
    pages = tuple(RecordPage(label, sheet, (RecordLine(1, "Nothing."),)) for sheet, label in enumerate(labels, 1))
    return RecordFile.of(name, RecordText(pages, title))


JUNE = file_named("a.pdf", "TRANSCRIPT OF HEARING\nJune 5, 2023", "1", "2")
JULY = file_named("b.pdf", "TRANSCRIPT OF TRIAL\nVOLUME II\nDate: July 6, 2023", "1", "2")
APPENDIX = file_named("c.pdf", "POLICE REPORT", "Da1", "Da2")
THIRD = file_named("3T.pdf", "PROCEEDINGS", "1")
CLERKS = file_named("e.pdf", "CLERK'S RECORD\nVOLUME 1 OF 1", "1")
FILES = (JUNE, JULY, APPENDIX, THIRD, CLERKS)


@pytest.mark.parametrize(
    ("cite", "text", "file"),
    [
        ("1T1-2", "“1T” designates the transcript of June 5, 2023.", JUNE),
        ("2T1-2", "1T refers to the hearing of June 5, 2023, and 2T to the trial of July 6, 2023.", JULY),
        ("1T1-2", "1T refers to the hearing of June 5, 2023, and 2T to the trial of July 6, 2023.", JUNE),
        ("2T1-2", "The transcripts of 6/5/2023 (“1T”) and of 7/6/2023 (“2T”) are annexed.", JULY),
        ("1T1-2", "The transcript of June 5, 2023 is referred to as 1T.", JUNE),
        ("1T1-2", "TABLE OF TRANSCRIPTS\n\n1T June 5, 2023 (motion)\n\n2T July 6, 2023 (trial)", JUNE),
        ("2T1-2", "TABLE OF TRANSCRIPTS\n\n1T June 5, 2023 (motion)\n\n2T July 6, 2023 (trial)", JULY),
        ("N.T. 7/6/23 at 1", "", JULY),
        ("2 Tr. 1:1", "", JULY),
        ("Da2", "", APPENDIX),
        ("3T1-2", "", THIRD),
        ("CR 1", "", CLERKS),
        ("4T1-2", "", None),
        ("1T1-2", "1T refers to the transcript of August 7, 2023.", None),
        ("JA 4", "", None),
    ],
)
def test_the_file_that_a_name_means_is_found_where_something_tells(
    cite: str, text: str, file: RecordFile | None
) -> None:
    (span,) = record_cites(cite)
    name, places = read_cite(cite[slice(*span)])
    assert files_by_name({name: places}, text, FILES, {}).get(name) == ((file,) if file else None)


PLACES = {
    "3T45-3": ("3T", RecordPlace("45", 3)),
    "2T 13-5 to 14-2": ("2T", RecordPlace("13", 5, "14", 2)),
    "3T45-3 to -8": ("3T", RecordPlace("45", 3, last_line=8)),
    "T45-46": ("T", RecordPlace("45", last_page="46")),
    "Da12": ("DA", RecordPlace("12")),
    "RR vol. 3, p. 45": ("3RR", RecordPlace("45")),
    "RR5:86": ("5RR", RecordPlace("86")),
    "IV RT 345:12-15": ("4RT", RecordPlace("345", 12, last_line=15)),
    "N.T. 3/4/22 at 45": ("NT 2022-03-04", RecordPlace("45")),
    "Tr. II:45": ("2TR", RecordPlace("45")),
    "Tr. 145-47": ("TR", RecordPlace("145", last_page="147")),
    "Tr. p. 45, lines 3-9": ("TR", RecordPlace("45", 3, last_line=9)),
    "ECF No. 12-3, at 3-5": ("ECF 12-3", RecordPlace("3", last_page="5")),
    "1T45-3 to 1T46-5": ("1T", RecordPlace("45", 3, "46", 5)),
    "T. 125-26": ("T", RecordPlace("125", last_page="126")),
    "T. 12-15": ("T", RecordPlace("12", last_page="15")),
    "(A45-46)": ("A", RecordPlace("45", last_page="46")),
    "(Supp. App. 12)": ("SUPPAPP", RecordPlace("12")),
    "Tr. 3/45": ("3TR", RecordPlace("45")),
    "3 Tr. 45:12-46:3": ("3TR", RecordPlace("45", 12, "46", 3)),
    "Tr. 3:145-47": ("3TR", RecordPlace("145", last_page="147")),
    "R.R. 3 at 45": ("3RR", RecordPlace("45")),
    "(R. C45)": ("R", RecordPlace("C45")),
    "June 5, 2023 Tr. 45:3": ("TR 2023-06-05", RecordPlace("45", 3)),
    "N.T. June 5, 2023, at 45-46": ("NT 2023-06-05", RecordPlace("45", last_page="46")),
    "JA45-47": ("JA", RecordPlace("45", last_page="47")),
    "Da12 to Da 15": ("DA", RecordPlace("12", last_page="15")),
    "Def. Ex. B at 3": ("EX B", RecordPlace("3")),
    "3 RR 45:3-7": ("3RR", RecordPlace("45", 3, last_line=7)),
    "3-ER-456": ("3ER", RecordPlace("456")),
    "T.p. 45": ("T", RecordPlace("45")),
    "Pet. App. 12a": ("PETAPP", RecordPlace("12a")),
    "ROA.22-40123.5-7": ("ROA 22-40123", RecordPlace("5", last_page="7")),
    "Vol. 3, 45": ("3", RecordPlace("45")),
    "Tr. XLII:45": ("42TR", RecordPlace("45")),
    "Da45a": ("DA", RecordPlace("45a")),
    "VRP 45-46": ("VRP", RecordPlace("45", last_page="46")),
    "R. C45-46": ("R", RecordPlace("C45", last_page="46")),
    "T. 45-3": ("T", RecordPlace("45", 3)),
}


@pytest.mark.parametrize("cite", PLACES)
def test_a_cite_is_read_into_its_volume_pages_and_lines(cite: str) -> None:
    (span,) = record_cites(cite)
    name, places = read_cite(cite[slice(*span)])
    assert (name.label, places) == (PLACES[cite][0], (PLACES[cite][1],))


@pytest.mark.parametrize("cite", [each for form in FORMS.groups["record"] for each in form.examples])
def test_of_every_form_the_last_number_is_read_as_one(cite: str) -> None:
    """As the last place's page or line, or, where there is no place, as what names the file."""
    (span,) = record_cites(cite)
    name, places = read_cite(cite[slice(*span)])
    ends = (places[-1].page, places[-1].line, places[-1].last_page, places[-1].last_line) if places else ()
    found = "".join(re.findall(r"\d", " ".join(map(str, ends or (name.entry, name.volume)))))
    assert len(places) == bool(places) + cite.count(";")
    assert re.findall(r"\d+", cite)[-1] in found


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("(Tr. at 45, 46, and 47)", "45 46 47"),
        ("(1T5-3 and 8-2)", "5:3 8:2"),
        ("(1T45-3; 8-2 to 9-4, and 11-1)", "45:3 8:2 11:1"),
        ("(T45-3, 46-2, & 47-1)", "45:3 46:2 47:1"),
        ("R. at 45, 47, and 49.", "45 47 49"),
        ("(Ex. 4 at 3, 5, and 7)", "3 5 7"),
        ("(Tr. 45). Id. at 46; 47.", "45 46 47"),
        ("(3T45-3). Ibid. Id. at 46-3 to 47-5; 48-2, and 50-1.", "45:3 45:3 46:3 48:2 50:1"),
        ("(Da12 and 14; 2T46-2 and 47-5)", "12 14 46:2 47:5"),
        ("He ran (Tr. 45), 5 officers saw. Id. at 45; 46 of them fled.", "45 45"),
        ("(Tr. 45; 46 A.2d 5)", "45"),
    ],
)
def test_every_place_of_a_list_is_read(text: str, pages: str) -> None:
    places = [each for cite in read_record_cites(text) for each in cite.places]
    assert " ".join(f"{each.page}:{each.line}" if each.line else each.page for each in places) == pages


def test_a_short_form_is_of_the_record_until_an_authority_is_cited() -> None:
    text = "He ran (3T45-3). Id. at 47-5. Ibid. See Roe v. Doe, 1 N.J. 2. Id. at 3."
    authority = Span(text.index("Roe"), text.index("2. Id") + 1)
    found = [(each.places[0].page, each.is_short) for each in read_record_cites(text, [authority])]
    assert found == [("45", False), ("47", True), ("47", True)]


def test_the_pages_of_draft_and_record_are_shown_with_the_words_that_were_compared(
    bank: Path, record: Path, tmp_path: Path
) -> None:
    file = office.write_text(tmp_path / "desk/draft.txt", draft(HELD.format("pockets", "1T3-4 to 6")))
    with Bank.open(bank) as opened:
        report = opened.check_draft(file, CaseRecord(record))
        opened.show_others(report.shown)
        (held,) = [each for found in report.findings for each in found.compared if each.kind is ComparedKind.RECORD][:1]
        (passage,) = [each for _, passages in report.shown for each in passages if each.id == held.passage_id]
        marks = opened.marks(passage.id, (Span(0, len(passage.text)),))
        assert {place.page for place in marks.matches[0]} == {held.page}
        assert all(place.box.y0 > 1 and place.box.x1 < 600 for place in marks.matches[0]), "where the words stand"
        assert opened.document_pages(passage.document_id).warning == ""
        own, paragraphs = report.shown[0]
        assert opened.document_pages(own.id).sizes
        assert any(opened.marks(each.id, (Span(0, 5),)).matches[0] for each in paragraphs if "pockets" in each.text)
        opened.show_others(())
        with pytest.raises(UsageError):
            opened.document_pages(own.id)


def test_a_check_without_the_record_keeps_what_was_decided_with_it_and_says_against_which_files_that_was(
    briefbank: Briefbank, bank: Path, record: Path, tmp_path: Path
) -> None:
    words = HELD.format("coat", "1T3-4 to 5"), "It is “the report of” a trooper. (Da1)."
    found = told(briefbank, bank, record, *words)
    compared = ("stood by the guard rail with both hands in his coat", "the report of")
    told_of = [each["words"] for each in found["findings"] if not each["kind"].startswith("record-")]
    told_of += [each["what"] for each in found["unchecked"]]
    assert not [each for each in told_of if any(one in each for one in compared)]
    used = {each["name"]: each for each in found["lists"] if each["sha256"]}
    said = "by what the draft says of it"
    assert {name: each["meant"] for name, each in used.items()} == {
        "first.pdf": f"1T, {said}",
        "appendix.txt": f"DA, {said}",
    }
    assert {name: each["sha256"] for name, each in used.items()} == {
        name: hashlib.sha256((record / name).read_bytes()).hexdigest() for name in used
    }
    keys = {each["key"] for each in found["findings"] if each["kind"] == "record-as-quoted"}
    draft, *options = tmp_path / "desk/draft.txt", "--bank", bank, "--json"
    decided = [part for key in keys for part in ("--decide", key, "reviewed")]
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    assert briefbank("draft", draft, *options, "--record", record, "--save-record", first, *decided).code == 0
    without = briefbank("draft", draft, *options, "--earlier", first, "--save-record", second).json["record"]
    assert {each["finding"]["key"] for each in without["gone"] if each["decision"] == "reviewed"} == keys
    assert {each["change"] for each in without["gone"]} == {"not checked this time"}
    again = briefbank("draft", draft, *options, "--record", record, "--earlier", second).json["record"]
    back = {each["finding"]["key"]: (each["decision"], each["change"]) for each in again["findings"]}
    assert {back[key] for key in keys} == {("reviewed", "kept")}
    (record / "first.pdf").unlink()
    lacking = briefbank("draft", draft, *options, "--record", record, "--earlier", first).json["record"]
    assert ("reviewed", "not checked this time") in {(each["decision"], each["change"]) for each in lacking["gone"]}
