"""A draft held against the bank: what is told of it, and that nothing of it is kept."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import docx
import office
import pytest
from consent_briefs import DRAFT, HELD, bank_with, draft_of
from docx.shared import Pt
from hypothesis import given
from hypothesis import strategies as st
from program import Briefbank
from systems import tesseract

from briefbank.bank.local import Bank
from briefbank.ingest.readers.mupdf import import_pymupdf
from briefbank.search.draft.quotations import TOO_SHORT, compared, quotations
from briefbank.search.draft.quoting import NOT_CLOSED, quoted_in
from briefbank.values.findings import Weight
from briefbank.values.records import Passage, SectionKind, Span


def later(text: str, docket: str = "A-0009-20T1") -> str:
    return office.brief("Di Fenn", docket, "May 9, 2020", ("THE CONSENT WAS VOID.", text))


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so never changed."""
    return bank_with(tmp_path_factory.mktemp("office"))


@pytest.fixture(scope="module")
def bank_of_fenn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a brief of another client; shared, so never changed."""
    told = later("The consent was void for the reasons that were told.")
    return bank_with(tmp_path_factory.mktemp("office"), later=told)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return draft_of(DRAFT, tmp_path)


def report(briefbank: Briefbank, bank: Path, draft: Path) -> dict[str, Any]:
    told = briefbank("draft", draft, "--bank", bank, "--json")
    assert told.code == 0, told.err
    found: dict[str, Any] = json.loads(told.out)
    return found


def test_a_point_is_told_what_the_office_wrote_and_cited_on_it(briefbank: Briefbank, bank: Path, draft: Path) -> None:
    (point,) = [each for each in report(briefbank, bank, draft)["points"] if "CONSENT" in each["section_path"][-1]]
    assert point["nearest"][0]["title"].startswith("State v.")
    missing = {each["authority"]: each["briefs"] for each in point["missing"]}
    assert {"State v. Ode, 101 N.J. 5", "State v. Penn, 150 N.J. 3"} <= missing.keys()
    assert not any("Rill" in each for each in missing), "what the draft cites is not missing"


def test_a_draft_is_named_by_its_file_and_its_points_that_are_too_short_are_told(
    briefbank: Briefbank, bank: Path, tmp_path: Path
) -> None:
    short = "The court weighed no mitigating factor."
    text = office.brief("", "", "", ("THE CONSENT WAS VOID.", DRAFT), ("THE SENTENCE IS EXCESSIVE.", short))
    draft = office.write_text(tmp_path / "desk" / "my motion.txt", text[text.index("LEGAL ARGUMENT") :])
    found = report(briefbank, bank, draft)
    assert found["title"] == "my motion.txt"
    assert ["CONSENT" in each["section_path"][-1] for each in found["points"]] == [True]
    assert ["SENTENCE" in each["section_path"][-1] for each in found["too_short"]] == [True]
    told = briefbank("draft", draft, "--bank", bank).out
    assert "my motion.txt" in told
    assert "Not checked, too short: " in told
    out = tmp_path / "check.docx"
    assert briefbank("draft", draft, "--bank", bank, "--out", out).code == 0
    lines = [each.text for each in docx.Document(str(out)).paragraphs]
    assert lines[0] == "Draft check: my motion.txt"
    assert "SENTENCE" in lines[lines.index("Not checked: too short") + 1]


@tesseract
def test_what_ocr_alone_has_read_is_said_so_and_no_authority_of_the_draft_under_another_number(
    briefbank: Briefbank, draft: Path, tmp_path: Path
) -> None:
    scanned = (
        "No suspicion of anything had been told to the driver whose trunk was searched. State v. Lund, 133 N.J. 4 "
        "(1993). A trooper who asks every driver for consent has none. State v. Rill, 160 N.J. 7 (1999)."
    )
    (tmp_path / "briefs").mkdir()
    office.write_scan(tmp_path / "briefs" / "scan.pdf", later(scanned), dpi=200)
    bank = bank_with(tmp_path)
    (point,) = [each for each in report(briefbank, bank, draft)["points"] if "CONSENT" in each["section_path"][-1]]
    missing = {each["authority"]: each["read_by_ocr"] for each in point["missing"]}
    assert missing == {
        "State v. Ode, 101 N.J. 5": False,
        "State v. Penn, 150 N.J. 3": False,
        "State v. Lund, 133 N.J. 4": True,
    }
    assert "(1 brief, newest 2020-05-09, read by OCR)" in briefbank("draft", draft, "--bank", bank).out
    cards = [json.loads(briefbank("card", each, "--bank", bank, "--json").out) for each in ("133 N.J. 4", "150 N.J. 3")]
    assert [each["read_by_ocr"] for each in cards] == [True, False]
    assert "read by OCR" in briefbank("card", "133 N.J. 4", "--bank", bank).out


def test_what_directives_say_against_an_authority_of_the_draft_is_told_with_it(
    briefbank: Briefbank, draft: Path, tmp_path: Path
) -> None:
    listed = office.directive("2024-1", "Cases", "January 5, 2024", "Check these.") + (
        "\n\n1. State v. Rill, 160 N.J. 1 (1999). OVERRULED by State v. Moss, 170 N.J. 2 (2005).\n"
    )
    bank = bank_with(tmp_path, alert="", list=listed)
    (rill,) = [each for each in report(briefbank, bank, draft)["authorities"] if "Rill" in each["authority"]]
    (said,) = rill["treatments"]
    assert said["text"] == "1. State v. Rill, 160 N.J. 1 (1999). OVERRULED by State v. Moss, 170 N.J. 2 (2005)."


def test_no_authority_to_consider_is_one_that_is_warned_of_or_that_directives_alone_name(
    briefbank: Briefbank, draft: Path, tmp_path: Path
) -> None:
    words = (
        "No motorist whose consent was asked beside the road, and whose trunk a trooper searched, was free to refuse. "
    )
    listed = office.directive("2024-1", "Cases", "January 5, 2024", "Check these.") + (
        f"\n\n1. State v. Penn, 150 N.J. 3 (1997). OVERRULED by State v. Moss, 170 N.J. 2 (2005). {words}"
        f"\n\n2. State v. Gone, 99 N.J. 8 (1985). OVERRULED by State v. Moss, 170 N.J. 2 (2005). {words}\n"
    )
    bank = bank_with(tmp_path, list=listed)

    def missing() -> list[str]:
        (point,) = [p for p in report(briefbank, bank, draft)["points"] if "CONSENT" in p["section_path"][-1]]
        return [each["authority"] for each in point["missing"]]

    assert missing() == ["State v. Ode, 101 N.J. 5"]
    table = office.write_text(tmp_path / "careful.csv", "authority,says\n101 N.J. 5,limited\n150 N.J. 3,no warning\n")
    assert briefbank("alerts", "--set", table, "--bank", bank).code == 0
    assert missing() == ["State v. Penn, 150 N.J. 3"]


def test_a_short_form_is_the_one_authority_of_the_bank_that_its_volume_page_and_name_fit(
    briefbank: Briefbank, bank: Path, tmp_path: Path
) -> None:
    words = f"{DRAFT} See Penn, 150 N.J. at 7. But see Ode, 101 N.J. at 3; Moss, 150 N.J. at 9."
    found = report(briefbank, bank, draft_of(words, tmp_path))
    cited = {each["authority"]: each["in_bank"] for each in found["authorities"]}
    assert cited == {"State v. Penn, 150 N.J. 3": True, "State v. Rill, 160 N.J. 1": False}
    (point,) = [each for each in found["points"] if "CONSENT" in each["section_path"][-1]]
    assert [each["authority"] for each in point["missing"]] == ["State v. Ode, 101 N.J. 5"], (
        "its page is before the case"
    )


def test_what_a_brief_says_against_a_case_by_a_partys_name_alone_is_told_of_a_draft_too(
    briefbank: Briefbank, draft: Path, tmp_path: Path
) -> None:
    points = (
        ("THE CONSENT WAS VOID.", "The State relies on State v. Rill, 160 N.J. 1 (1999), and on nothing besides it."),
        ("THE SEARCH WAS VOID.", "Nothing else speaks for it. Last year the Court disavowed Rill. It must fall."),
    )
    text = office.brief("Di Fenn", "A-0009-20T1", "May 9, 2020", *points)
    bank = bank_with(tmp_path, later=text)
    card = json.loads(briefbank("card", "160 N.J. 1", "--bank", bank, "--json").out)
    (rill,) = [each for each in report(briefbank, bank, draft)["authorities"] if "Rill" in each["authority"]]
    assert [each["text"] for each in rill["treatments"]] == ["disavowed Rill"]
    assert [each["text"] for each in card["treatments"]] == ["disavowed Rill"]


def test_of_an_authority_a_draft_is_told_the_same_bad_treatment_as_its_card_tells_in_whatever_words(
    briefbank: Briefbank, draft: Path, tmp_path: Path
) -> None:
    fates = (
        *("overruled by", "abrogated in part by", "superseded by", "disapproved by", "repudiated by", "rev’d by"),
        *("reversed by", "vacated by", "quashed by", "withdrawn by", "repealed by", "no longer good law under"),
        *("not good law after", "receded from in", "which the panel declined\nto follow in", "limited by"),
    )
    said = [f"It cites State v. Rill, 160 N.J. 1 (1999), {each} State v. Moss, 170 N.J. 2 (2005)." for each in fates]
    said += ["Overruling State v. Rill, 160 N.J. 1 (1999), it went on.", "The reversal in State v. Rill, 160 N.J. 1."]
    told = {f"later{number}": later(each, f"A-00{number + 20}-20T1") for number, each in enumerate(said)}
    bank = bank_with(tmp_path, **told)
    card = briefbank("card", "160 N.J. 1", "--bank", bank, "--json").json["treatments"]
    (rill,) = [each for each in report(briefbank, bank, draft)["authorities"] if "Rill" in each["authority"]]
    bad = [(each["text"], each["passage_id"]) for each in card if each["severity"] in ("stop", "warning")]
    assert [(each["text"], each["passage_id"]) for each in rill["treatments"]] == bad
    assert len(bad) >= len(fates) - 2


def test_what_briefs_cite_beside_the_drafts_own_authorities_comes_before_what_merely_stands_in_like_words(
    briefbank: Briefbank, tmp_path: Path
) -> None:
    words = "trooper asked motorist consent trunk search suspicion roadside warning refuse written form signed".split()
    folder, root = tmp_path / "briefs", office.write_bank(tmp_path / "bank")
    for number in range(12):
        other = " ".join(f"matter{number}x{each}" for each in range(25))
        text = f"The {' '.join(words)} {other} as the court said. State v. Alike{number}, {200 + number} N.J. 7 (1999)."
        brief = office.brief(f"Client {number}", f"A-00{number + 10}-19T1", "May 4, 2019", ("THE CONSENT.", text))
        office.write_text(folder / f"{number}.txt", brief)
    text = (
        f"State v. Ode, 101 N.J. 5 (1986), and State v. Penn, 150 N.J. 3 (1997), speak of {' '.join(words[:4])} alone."
    )
    office.write_text(folder / "p.txt", office.brief("Pia", "A-0099-19T1", "May 4, 2019", ("ANOTHER POINT.", text)))
    assert briefbank("index", folder, "--bank", root, "--quiet").code == 0
    own = f"The {' '.join(words)} is the point here. {' '.join(words)} once more. State v. Ode, 101 N.J. 5 (1986)."
    draft = office.write_text(tmp_path / "d.txt", office.brief("Dee Hart", "A-0100-26T1", "", ("CONSENT.", own * 2)))
    (point,) = [each for each in report(briefbank, root, draft)["points"] if "CONSENT." in each["section_path"][-1]]
    missing = [each["authority"] for each in point["missing"]]
    assert (len(missing), point["missing_count"]) == (5, 13)
    assert "State v. Penn, 150 N.J. 3" in missing


def test_alerted_authorities_altered_words_and_dead_references_are_told(
    briefbank: Briefbank, bank: Path, draft: Path
) -> None:
    found = report(briefbank, bank, draft)
    (rill,) = [each for each in found["authorities"] if "Rill" in each["authority"]]
    assert (rill["in_bank"], rill["alerts"]) == (False, ["160 N.J. 1: overruled in part (office's list)"])
    (altered,) = found["quotations"]
    assert (altered["here"], altered["there"]) == ("may refuse", "may not refuse")
    assert [each["text"] for each in found["dead_references"]] == ["Point IV"]
    printed = briefbank("draft", draft, "--bank", bank).out
    assert "here “may refuse”, there “may not refuse”" in printed
    assert "There is no Point IV in this draft." in printed
    assert printed.index("overruled in part") < printed.index("here “may refuse”") < printed.index("most similar")


def test_every_check_gives_its_findings_in_one_shape_and_their_keys_outlive_a_changed_draft(
    briefbank: Briefbank, bank: Path, tmp_path: Path
) -> None:
    words = f"{DRAFT} As Point IV says once more, so is Roe v. Poe, 310 U.S. 12 (1995)."
    found = report(briefbank, bank, draft_of(words, tmp_path))["findings"]
    told = {each["kind"]: each for each in found}
    assert [each["weight"] for each in found] == sorted((each["weight"] for each in found), key=list(Weight).index)
    assert told["altered-quotation"]["fact"] == "The bank has “may not refuse” where the draft has “may refuse”."
    (there,) = told["altered-quotation"]["compared"]
    assert (there["kind"], there["words"]) == ("passage", "may not refuse")
    assert there["passage_id"]
    assert told["warned-authority"]["compared"][0]["kind"] == "list"
    assert told["impossible-citation"]["fact"] == "U.S. had no volume 310 in 1995."
    assert told["missing-authority"]["weight"] == "know"
    dead = [each["key"] for each in found if each["kind"] == "dead-reference"]
    assert len(set(dead)) == 2, "the same words stand in two places"
    again = words.replace("may refuse", "MAY  refuse").replace("may not", "may\nnot")
    changed = draft_of(f"A sentence more.\n\n{again}", tmp_path)
    assert {each["key"] for each in found} <= {each["key"] for each in report(briefbank, bank, changed)["findings"]}


def test_identifiers_and_other_clients_are_found_with_the_rule_that_names_them(
    briefbank: Briefbank, bank_of_fenn: Path, tmp_path: Path
) -> None:
    words = (
        f"{DRAFT} Ms. Fenn, born on May 3, 1991, showed D4471 20938 05722 from her car. The trooper wrote down D4471 "
        "20938 05722 again. Mr. Hart is the defendant here."
    )
    told = {each["kind"]: each for each in report(briefbank, bank_of_fenn, draft_of(words, tmp_path))["findings"]}
    licence, birth, client = (told[kind] for kind in ("identifier", "other-identifier", "other-client"))
    assert (licence["words"], licence["weight"]) == ("D4471 20938 05722", "mend")
    assert licence["fact"].startswith("A driver’s license number, which N.J. R. 1:38-7(a) keeps")
    assert (birth["words"], birth["weight"]) == ("May 3, 1991", "know")
    assert birth["compared"][0]["name"] == "Fed. R. Crim. P. 49.1(a)"
    assert (client["words"], client["weight"]) == ("Fenn", "look")
    assert client["compared"][0]["passage_id"]
    assert "Hart" not in client["fact"]
    elsewhere = draft_of(words, tmp_path).read_text(encoding="utf-8")
    for court, weight in (("COURT OF CRIMINAL APPEALS OF TEXAS", "look"), ("", "mend")):
        text = re.sub(r"(?i)superior court of new jersey|appellate division", court, elsewhere)
        found = report(briefbank, bank_of_fenn, office.write_text(tmp_path / "desk" / "other.txt", text))["findings"]
        identifiers = [each for each in found if each["kind"] == "identifier"]
        assert {each["weight"] for each in identifiers} == {weight}
        assert all(each["fact"].endswith("; which rule this court has is not known.") for each in identifiers)


@pytest.mark.parametrize(
    ("said", "words", "weight", "fact"),
    [
        ("Tessa Marlow, age eleven, saw it.", "Tessa Marlow", "look",
         "49.1(a) names it, N.J. R. 1:38-7(a) does not; other law of the court may protect the child."),
        ("He lives at 41 Halsey Street.", "41 Halsey Street", "know", "other law of the court may keep it out too."),
        ("His account number 004417720193 was closed.", "004417720193", "mend",
         "A financial account number, which N.J. R. 1:38-7(a) keeps out of public filings if active."),
        ("His Visa card 4539 1488 0343 6467 had ended.", "4539 1488 0343 6467", "mend", "public filings if active."),
    ],
)  # fmt: skip
def test_of_an_identifier_no_more_is_said_than_its_rule_does(
    briefbank: Briefbank, bank: Path, tmp_path: Path, said: str, words: str, weight: str, fact: str
) -> None:
    found = report(briefbank, bank, draft_of(f"{DRAFT} {said}", tmp_path))["findings"]
    (told,) = [each for each in found if each["words"] == words]
    assert told["weight"] == weight
    assert told["fact"].endswith(fact)


def test_a_citation_that_cannot_be_is_told(briefbank: Briefbank, bank: Path, tmp_path: Path) -> None:
    draft = draft_of(f"{DRAFT} So is Roe v. Poe, 310 U.S. 12 (1995).", tmp_path)
    (cited,) = report(briefbank, bank, draft)["contradicted_citations"]
    assert (cited["text"], cited["fact"]) == ("310 U.S. 12", "U.S. had no volume 310 in 1995.")
    assert "310 U.S. 12: U.S. had no volume 310 in 1995." in briefbank("draft", draft, "--bank", bank).out


def test_all_that_is_told_of_a_draft_stands_in_a_word_document(
    briefbank: Briefbank, bank: Path, draft: Path, tmp_path: Path
) -> None:
    out = tmp_path / "check.docx"
    told = briefbank("draft", draft, "--bank", bank, "--out", out, "--date", "2026-03-02", "--json")
    assert told.code == 0, told.err
    found = json.loads(told.out)
    document = docx.Document(str(out))
    lines = [paragraph.text for paragraph in document.paragraphs]
    headings = [each.text for each in document.paragraphs if each.style and each.style.name == "Heading 1"]
    assert headings == [
        "Authorities to look at again", "Quotations that differ", "References that lead nowhere", "Point by point",
        "Table of authorities", "What could not be checked", "Lists and files that the draft was held against",
    ]  # fmt: skip
    assert "160 N.J. 1: overruled in part (office's list)" in lines
    (table,) = document.tables
    assert [cell.text for cell in table.rows[1].cells][:2] == ["“may refuse”", "“may not refuse”"]
    assert "There is no Point IV in the draft." in lines
    for point in found["points"]:
        assert " › ".join(point["section_path"]) in lines
        for each in point["missing"]:
            assert any(line.startswith(f"{each['authority']}: {each['briefs']} brief") for line in lines)
        for each in point["nearest"]:
            assert any(line.endswith(f"[{each['passage_id']}]") for line in lines)
    table_of_authorities = lines[lines.index("Table of authorities") + 1 : lines.index("What could not be checked")]
    assert [line.partition(" (no brief")[0] for line in table_of_authorities] == [
        each["authority"] for each in found["authorities"]
    ]
    again = tmp_path / "again.docx"
    assert briefbank("draft", draft, "--bank", bank, "--out", again, "--date", "2026-03-02").code == 0
    assert again.read_bytes() == out.read_bytes()


def test_the_word_document_has_what_every_check_found_could_not_check_and_asked(
    briefbank: Briefbank, bank_of_fenn: Path, tmp_path: Path
) -> None:
    record, out = tmp_path / "record", tmp_path / "check.docx"
    office.write_text(record / "appendix.txt", "Da1\n\nNobody sat beside him.\fDa2\n\nThe grand jury charges.")
    words = (
        f"{DRAFT} He sat alone (Da1; 9T1-4). Di Fenn showed 219-40-7713, and Mr. Fenn said no more. So is "
        "Quill v. Roe, 901 N.J. 45 (2031). Da is the appendix."
    )
    asked = ("--bank", bank_of_fenn, "--record", record, "--out", out)
    told = briefbank("draft", draft_of(words, tmp_path), *asked, "--json")
    assert told.code == 0, told.err
    document = docx.Document(str(out))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    lines = [each.text for each in document.paragraphs]
    kinds = {each["kind"] for each in told.json["findings"]}
    assert {"identifier", "other-client"} < kinds
    assert any(each.startswith("record-") for each in kinds)
    others = [each for each in told.json["findings"] if each["kind"].startswith(("identifier", "other-", "record-"))]
    for each in others:
        assert each["title"] in lines
        assert f"“{each['masked'] or each['words']}”" in cells
        assert any(cell.startswith(each["fact"]) for cell in cells)
    assert "219-40-7713" not in "".join(cells)
    assert any("Nobody sat beside him." in cell for cell in cells)
    for each in told.json["unchecked"]:
        if "list of authorities" in each["why"] or each["what"].startswith("9T"):
            assert f"{each['what']}: {each['why']}" in lines
    for used in told.json["lists"]:
        assert any(line.startswith(f"{used['name']}, ") for line in lines)


@pytest.mark.parametrize("name", ["draft.txt", "taken.docx"])
def test_a_report_is_written_under_a_new_name_of_a_word_document_alone(
    briefbank: Briefbank, bank: Path, draft: Path, name: str
) -> None:
    (draft.parent / "taken.docx").write_bytes(b"mine")
    refused = briefbank("draft", draft, "--bank", bank, "--out", draft.parent / name)
    assert refused.code == 2
    assert name in refused.err
    assert {each.name for each in draft.parent.iterdir()} == {"draft.txt", "taken.docx"}


def test_nothing_of_a_draft_is_kept(briefbank: Briefbank, bank: Path, draft: Path) -> None:
    before = digests(bank.parent)
    report(briefbank, bank, draft)
    assert digests(bank.parent) == before


def test_a_brief_of_the_bank_is_not_held_against_itself(briefbank: Briefbank, bank: Path) -> None:
    own = next((bank.parent / "briefs").glob("0.txt"))
    ids = {hashlib.sha256(own.read_bytes()).hexdigest()[:16]}
    points = report(briefbank, bank, own)["points"]
    assert points
    assert ids.isdisjoint(each["document_id"] for point in points for each in point["nearest"])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.docx", "There is no file"),
        ("sheet.xls", "kind that is not read"),
        ("locked.pdf", "protected by a password"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nobody_is_told_to_index_it(
    briefbank: Briefbank, bank: Path, tmp_path: Path, name: str, said: str
) -> None:
    if name == "sheet.xls":
        (tmp_path / name).write_bytes(b"cells")
    if name == "locked.pdf":
        pymupdf = import_pymupdf()
        with pymupdf.open(office.write_pdf(tmp_path / "open.pdf", DRAFT)) as pdf:
            pdf.save(tmp_path / name, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    told = briefbank("draft", tmp_path / name, "--bank", bank)
    assert told.code == 8
    assert said in told.err
    assert "index" not in told.err


@pytest.mark.parametrize(
    ("written", "differs"),
    [
        ("[A] motorist who may not refuse has given the [prosecutor] nothing", False),
        ("a motorist who must not refuse has given the State nothing", True),
        ("a motorist who may never [refuse] has given the State nothing", True),
        ("a motorist who may not refuse has given the State almost nothing", True),
        ("a motorist who may not re-fuse has given the State noth\u2010ing", False),
        ("an officer who cannot be found has taken the county by storm", False),
    ],
)
def test_only_words_that_the_writer_does_not_mark_as_changed_are_told(written: str, differs: bool) -> None:
    passage = passage_of(0, f"The court said: {HELD}. It went on.")
    (quotation,) = quotations(f"As was said, “{written}.” So it is.")
    assert (compared(quotation, [passage]).difference is not None) is differs


@pytest.mark.parametrize(
    ("there", "written", "differs"),
    [
        ("2.5 grams", "25 grams", True), ("20-30 years", "2030 years", True), ("7C:46-1", "7C:4-61", True),
        ("51: 2-7", "51:2-7", False),
        ("[had] not seen it", "had seen it", True), ("[had] seen it", "did see it", True),
        ("2,500 grams, 20 - 30 years", "2500 grams, 20–30 years", False), ("the co-owner", "the coowner", False),
    ],
)  # fmt: skip
def test_numbers_and_what_stands_beside_brackets_are_compared(there: str, written: str, differs: bool) -> None:
    (quotation,) = quotations(f"“The witness who drove the van said {written} at the second hearing of all.”")
    passage = passage_of(0, f"The witness who drove the van said {there} at the second hearing of all.")
    assert (compared(quotation, [passage]).difference is not None) is differs


def passage_of(at: int, text: str) -> Passage:
    return Passage(f"p-{at}", f"p{at}", 0, Span(0, len(text)), text, SectionKind.ARGUMENT, (), 1, 1)


SAID = f"The court has often said: {HELD}. It went on."
EVERYTHING = "a motorist who may not refuse has given the State everything"


@pytest.mark.parametrize(
    ("texts", "written", "there"),
    [
        ([SAID], EVERYTHING, "State nothing that"),
        (
            ["a motorist who may not refuse has given the State nothing. He left. [Emphasis added.]"],
            EVERYTHING,
            "State nothing. He",
        ),
        (
            [
                "a motorist who may not refuse has given the State [anything]",
                "a motorist who may not refuse has given the State nothing that counts",
            ],
            EVERYTHING,
            "State nothing that",
        ),
    ],
)
def test_of_the_bank_is_told_what_stands_in_the_place_of_altered_words_whatever_its_brackets_hide(
    texts: list[str], written: str, there: str
) -> None:
    (quotation,) = quotations(f"As was said, “{written}.” So it is.")
    difference = compared(quotation, [passage_of(at, text) for at, text in enumerate(texts)]).difference
    assert difference
    assert difference.there == there


def test_a_quotation_that_runs_over_the_end_of_a_passage_is_held_against_both(
    briefbank: Briefbank, tmp_path: Path
) -> None:
    quoted = " ".join(
        f"On day {day} the driver of car {day * 7} was asked to wait at gate {day + 3}." for day in range(9, 60)
    )
    whole = office.brief("Ann Ode", "A-0001-90T1", "May 4, 1990", ("CONSENT.", quoted))
    office.write_text(tmp_path / "briefs" / "old.txt", whole)
    root = office.write_bank(tmp_path / "bank")
    assert briefbank("index", tmp_path / "briefs", "--bank", root, "--quiet").code == 0
    with Bank.open(root) as opened:
        parts = opened.passages_of(opened.documents()[0].id)
    first, second = [each for each in parts if "was asked to wait" in each.text][:2]
    words = first.text.split()[-20:], second.text.split()[:20]
    told = f"It was said, “{' '.join([*words[0], *words[1]]).replace('was asked', 'was told', 1)}” and nobody went."
    found = report(briefbank, root, draft_of(f"{DRAFT} {told}", tmp_path))["quotations"]
    assert [(each["here"], each["passage_id"]) for each in found] == [("was told to", first.id)]


def test_pages_of_a_draft_are_named_as_sheets_of_its_file(briefbank: Briefbank, bank: Path, tmp_path: Path) -> None:
    lines = office.brief("Dee Hart", "A-0100-26T1", "", ("THE CONSENT WAS VOID.", DRAFT))
    printed = briefbank("draft", office.write_pdf(tmp_path / "draft.pdf", lines), "--bank", bank).out
    assert "    your sheet 1\n" in printed
    assert "    State v. Rill, 160 N.J. 1, sheet 1  (no brief" in printed
    assert "There is no Point IV in this draft, sheet 1." in printed


def test_a_quotation_that_the_bank_does_not_have_is_told_as_such_and_not_as_held_against_it(
    briefbank: Briefbank, bank: Path, tmp_path: Path
) -> None:
    invented = "purple elephants shall never be detained by the roadside without a written invitation"
    point = f"The court held “{HELD}.” It also held “{invented}.” State v. Ode, 101 N.J. 5 (1986). " * 2
    draft = draft_of(point.strip(), tmp_path)
    found = report(briefbank, bank, draft)
    assert [each["text"].rstrip(".") for each in found["unknown_quotations"]] == [invented] * 2
    assert (found["quotation_count"], found["quotations"]) == (4, [])
    printed = briefbank("draft", draft, "--bank", bank).out
    assert "4 quotations: 2 as the bank has them, 2 not in the bank" in printed
    out = tmp_path / "check.docx"
    assert briefbank("draft", draft, "--bank", bank, "--out", out).code == 0
    lines = [each.text for each in docx.Document(str(out)).paragraphs]
    assert invented in lines[lines.index("Quotations that the bank does not have") + 2]


def test_words_of_a_draft_that_nobody_sees_are_told(bank: Path, tmp_path: Path, briefbank: Briefbank) -> None:
    document = docx.Document()
    document.add_paragraph("The consent was void. ").add_run(f"“{HELD}.”").font.hidden = True
    document.save(str(tmp_path / "draft.docx"))
    said = "Some words that the page does not show were left out."
    assert report(briefbank, bank, tmp_path / "draft.docx")["remarks"] == [said]
    assert said in briefbank("draft", tmp_path / "draft.docx", "--bank", bank).err
    assert briefbank("draft", tmp_path / "draft.docx", "--bank", bank, "--out", tmp_path / "out.docx").code == 0
    assert said in [each.text for each in docx.Document(str(tmp_path / "out.docx")).paragraphs]


def test_a_quotation_is_compared_piece_by_piece_where_words_are_left_out() -> None:
    found = list(
        quotations("“a motorist who may not refuse has given . . . nothing that deserves the name of consent”")
    )
    assert [each.text.split()[0] for each in found] == ["a", "nothing"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('He said "no" and then a motorist who may refuse has given nothing, "freely".', ["no", "freely"]),
        ("‘The officers’ car was their own.’ It’s the drivers’ view.", ["The officers’ car was their own."]),
        ("'Tis so: 'don't stop here', the boys' dog's owner said in the '90s.", ["don't stop here"]),
        ("«Go on» and “he said ‘no’ to “that” then”.", ["Go on", "he said ‘no’ to “that” then"]),
        ("It’s his ‘own car, the driver’s.", []),
        ("He said \u201fgo on” and \uff02stay here\uff02 and \u2033now\u2033.", ["go on", "stay here", "now"]),
        ("He held “the stop was void. Later “they agreed” so.", ["!the stop was void. Later ", "they agreed"]),
        ('A 5\'10" man said ("so."), “and\n\nleft.', ["so.", "!and"]),
    ],
)
def test_quotations_are_read_in_marks_of_every_kind_and_apostrophes_are_none(text: str, found: list[str]) -> None:
    told = [("!" if each.fault == NOT_CLOSED else "") + text[slice(*each.span)] for each in quoted_in(text)]
    assert told == found
    assert all(each.fault for each in quotations(text))


@given(st.text("“”«»‘’'\" as.\n", max_size=60))
def test_no_marks_break_the_reading_of_quotations(text: str) -> None:
    spans = [each.span for each in quoted_in(text)]
    assert spans == sorted(spans)
    assert all(one.end <= two.start for one, two in pairwise(spans))


@pytest.mark.parametrize("kind", ["docx", "txt"])
def test_paragraphs_set_in_are_quotations_and_what_is_not_compared_is_told_by_place(
    briefbank: Briefbank, bank: Path, tmp_path: Path, kind: str
) -> None:
    altered = HELD.replace("nothing", "something")
    rows = ["POINT I", "THE CONSENT WAS VOID.", "The court stated:", f"> {altered}. Id. at 7.",
            "He ‘went off’, and “never came back to the car."]  # fmt: skip
    draft = tmp_path / f"draft.{kind}"
    if kind == "txt":
        draft.write_text("\n\n".join(rows).replace("> ", "        "), encoding="utf-8")
    else:
        document = docx.Document()
        for row in rows:
            document.add_paragraph(row.removeprefix("> ")).paragraph_format.left_indent = Pt(36 if row[0] == ">" else 0)
        document.save(str(draft))
    found = report(briefbank, bank, draft)
    assert [each["there"] for each in found["quotations"]] == ["State nothing that"]
    told = [(each["text"], each["fault"]) for each in found["uncompared_quotations"]]
    assert told == [("went off", TOO_SHORT), ("never came back to the car.", NOT_CLOSED)]
    printed = briefbank("draft", draft, "--bank", bank).out
    assert "1 quotation: 1 in other words there; 2 more not compared" in printed
    assert "    “never came back to the car.” has no closing mark" in printed


@pytest.mark.parametrize("marks", ["“”", '""'])
def test_a_quotation_of_two_paragraphs_closes_the_last_alone(marks: str) -> None:
    begin, end = marks
    found = quotations(f"He held: {begin}{HELD} and so on.\n\n{begin}{HELD} once more.{end} That is all.")
    assert [each.text.strip() for each in found] == [f"{HELD} and so on.", f"{HELD} once more."]


def test_a_long_quotation_is_held_against_the_bank_in_runs_of_sentences() -> None:
    text = " ".join(f"{HELD}, said witness {number}." for number in range(40))
    found = list(quotations(f"He held: “{text}” That is all."))
    assert len(text) > 2400
    assert " ".join(each.text for each in found) == text
    assert max(len(each.text) for each in found) < 1200


def test_a_quotation_behind_the_sign_of_an_inch_is_found() -> None:
    (found,) = quotations(f'He stood 5\'10" tall. The court held ("{HELD}."). That is all.')
    assert found.text == f"{HELD}."


def digests(folder: Path) -> dict[str, str]:
    files = [each for each in folder.rglob("*") if each.is_file()]
    return {str(each): hashlib.sha256(each.read_bytes()).hexdigest() for each in files}
