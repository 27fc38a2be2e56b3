"""A matter as a Word document, read back with python-docx, and as LibreOffice sets it."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from dataclasses import replace
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from hits import hit

from briefbank.errors import UsageError
from briefbank.law.citations import load_patterns
from briefbank.matters.checked import UNCHECKED, Checks, checks_of
from briefbank.matters.items import HeadingItem, Item, NoteItem, PassageItem, passage_item
from briefbank.matters.state import Entry, Matter
from briefbank.matters.word.authorities import AuthorityPart, authorities_of
from briefbank.matters.word.export import PassageForm, SourcePlace, WordOptions, export_to_word, word_document
from briefbank.values.collected import Check
from briefbank.values.pages import Typography
from briefbank.values.records import Fact, Span
from briefbank.values.source_format import SourceFormat

DAY = date(2024, 5, 6)
STOP = (
    "The stop was unlawful. State v. Carty, 170 N.J. 632 (2002).\n\n"
    "See N.J.S.A. 2C:11-3(a)(1); R. 3:5-7(d); N.J. Const. art. I, ¶ 7."
)
OTHER = "As Carty holds, State v. Carty, 170 N.J. 632, 640 (2002), and State v. Smith, consent needs more. Id. at 641."
ITALIC = Span(STOP.index("State"), STOP.index(", 170"))
BOLD = Span(ITALIC.start, ITALIC.start + 5)


def passage(number: int, text: str, **known: Any) -> PassageItem:
    found = hit(number, text=text)
    metadata = replace(
        found.document.metadata,
        court=Fact("Appellate Division", "p. 1"),
        docket=Fact(f"A-{number}-22", "p. 1"),
        filed=Fact("2024-02-27", "p. 1"),
    )
    return passage_item(found.passage, replace(found.document, metadata=metadata), **known)


ITEMS: tuple[Item, ...] = (
    HeadingItem("POINT I: the stop"),
    NoteItem("Lead with the newest brief."),
    passage(
        1,
        STOP,
        printed=Typography((ITALIC,), bold=(BOLD,), underlined=(BOLD,)),
        cautions=("Cites State v. Carty: limited (office's list, 3 Jan 2023)",),
    ),
    HeadingItem("Consent", 2),
    passage(2, OTHER, cautions=("Read by OCR, 71 % sure: check against the page",)),
)


def matter(*items: Item) -> Matter:
    entries = tuple(Entry(f"e{number}", item) for number, item in enumerate(items or ITEMS))
    return Matter("m", "Renfrew II", entries, is_archived=False, made_at="", changed_at="")


def found(each: Matter) -> Checks:
    """Every passage as the bank has it, with the cautions that it was collected with."""
    return checks_of(each, lambda asked: [Check(cautions=words.cautions) for words in asked])


def written(each: Matter, options: WordOptions) -> bytes:
    return word_document(each, options, found(each))


def opened(options: WordOptions, *items: Item) -> Any:
    return docx.Document(BytesIO(written(matter(*items), options)))


def texts(document: Any) -> list[str]:
    return [paragraph.text for paragraph in document.paragraphs]


def test_everything_stands_in_the_matters_order_with_its_source() -> None:
    document = opened(WordOptions(DAY, with_authorities=False))
    first, second = STOP.split("\n\n")
    source = "(filed 27 Feb 2024), pp. 2–3"
    assert texts(document) == [
        "Renfrew II",
        "POINT I: the stop",
        "Note: Lead with the newest brief.",
        first,
        second,
        f"— State v. Client 1, Appellate Division, No. A-1-22 {source}",
        "Consent",
        OTHER,
        f"— State v. Client 2, Appellate Division, No. A-2-22 {source}",
    ]
    assert [each.style.name for each in document.paragraphs][:4] == [
        "Title", "Heading 1", "BriefBank note", "BriefBank passage",
    ]  # fmt: skip
    assert document.paragraphs[6].style.name == "Heading 2"


def test_italics_stay_as_filed_and_nothing_else_becomes_italic() -> None:
    document = opened(WordOptions(DAY))
    runs = [run for paragraph in document.paragraphs for run in paragraph.runs]
    assert "".join(run.text for run in runs if run.italic) == "State v. Carty"
    assert [run.text for run in runs if run.underline] == ["State"]
    assert "State" in [run.text for run in runs if run.bold]


@pytest.mark.parametrize("form", PassageForm)
def test_a_quotation_in_a_passage_stays_one_its_heading_is_one_and_notes_left_out_are_named(form: PassageForm) -> None:
    text = "A. The stop\n\nAs Carty has it:\n\nConsent must be knowing.¹²\n\nSo it must.³"
    quote = Span(text.index("Consent"), text.index("\n\nSo"))
    item = replace(hit(1, text=text).passage, section_path=("POINT I", "A. THE STOP"))
    found = passage_item(item, hit(1).document, printed=Typography(quotes=(quote,)))
    document = opened(WordOptions(DAY, form, with_authorities=False), found)
    style = {each.text: each.style for each in document.paragraphs}
    assert style["A. The stop"].font.bold
    own, quoted = style["So it must.³"].paragraph_format, style["Consent must be knowing.¹²"].paragraph_format
    assert quoted.left_indent - own.left_indent == quoted.right_indent - own.right_indent == 457200
    assert document.paragraphs[-1].text.endswith("[Footnotes 12 and 3 of the brief are left out.]")


def test_what_must_stay_with_a_passage_is_a_comment_on_it() -> None:
    document = opened(WordOptions(DAY))
    assert [comment.text for comment in document.comments] == [
        "Cites State v. Carty: limited (office's list, 3 Jan 2023)",
        "Read by OCR, 71 % sure: check against the page",
    ]
    assert {comment.timestamp.date() for comment in document.comments} == {DAY}
    assert "commentRangeStart" in document.paragraphs[3]._p.xml


@pytest.mark.parametrize("sources", SourcePlace)
def test_what_the_bank_does_not_have_stands_in_the_text_below_the_words(sources: SourcePlace) -> None:
    each = matter(passage(1, STOP, cautions=("As the file has it",)), passage(2, OTHER), passage(3, "Unasked."))
    checks = {"e0": Check(("Not found in this bank: p. 97.",), ("Cites Carty: overruled",)), "e1": Check()}
    data = word_document(each, WordOptions(DAY, sources=sources, with_authorities=False), checks)
    document = docx.Document(BytesIO(data))
    told = texts(document)
    assert told.index("[Not found in this bank: p. 97.]") == told.index(STOP.split("\n\n")[1]) + 1
    assert [text for text in told if text.startswith("[Not checked")] == [f"[{UNCHECKED}.]"]
    warned = [comment.text for comment in document.comments] or re.findall(r"\[(Cites.*?)\]", footnotes_of(data))
    assert warned == ["Cites Carty: overruled"]


def test_notes_and_authorities_are_left_out_where_nobody_wants_them() -> None:
    written = texts(opened(WordOptions(DAY, with_notes=False, with_authorities=False)))
    assert not any("Lead with the newest brief." in each for each in written)
    assert "Table of authorities" not in written
    assert "Table of authorities" in texts(opened(WordOptions(DAY)))


def test_a_source_is_written_in_the_offices_own_format() -> None:
    own = SourceFormat.of("{title} at {at} ({year})")
    assert "— State v. Client 1 at 2–3 (2024)" in texts(opened(WordOptions(DAY, source_format=own)))


def footnotes_of(data: bytes) -> str:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return archive.read("word/footnotes.xml").decode()


def test_sources_are_footnotes_where_that_is_chosen() -> None:
    data = written(matter(), WordOptions(DAY, sources=SourcePlace.FOOTNOTE))
    document = docx.Document(BytesIO(data))
    assert not any(text.startswith("—") for text in texts(document))
    references = [each for each in document.paragraphs if "footnoteReference" in each._p.xml]
    assert [each.text for each in references] == [STOP.split("\n\n")[1], OTHER]
    assert "State v. Client 1, Appellate Division, No. A-1-22" in footnotes_of(data)
    assert footnotes_of(data).count("<w:footnoteRef/>") == 2


def test_what_must_stay_with_a_passage_stands_in_its_footnote() -> None:
    notes = footnotes_of(written(matter(), WordOptions(DAY, sources=SourcePlace.FOOTNOTE)))
    assert "pp. 2–3 [Cites State v. Carty: limited (office's list, 3 Jan 2023)]" in notes
    assert "pp. 2–3 [Read by OCR, 71 % sure: check against the page]" in notes


def test_the_same_matter_gives_the_same_bytes() -> None:
    for options in (WordOptions(DAY), WordOptions(DAY, sources=SourcePlace.FOOTNOTE)):
        assert written(matter(), options) == written(matter(), options)
    assert written(matter(), WordOptions(DAY)) != written(matter(), WordOptions(date(2024, 5, 7)))


def test_characters_that_no_document_can_hold_are_shown_as_codes() -> None:
    document = opened(WordOptions(DAY), passage(1, "a\x00b\u202ec"), NoteItem("x\x1by"), HeadingItem("h\x07"))
    assert texts(document)[1] == r"a\x00b\u202ec"
    assert r"Note: x\x1by" in texts(document)


@pytest.mark.parametrize("sources", SourcePlace)
def test_what_is_no_character_of_xml_does_not_stop_an_export(sources: SourcePlace) -> None:
    document = opened(WordOptions(DAY, sources=sources), passage(1, "a\ufffeb"), NoteItem("x\uffffy"))
    assert [each for each in texts(document) if "uff" in each] == [r"a\ufffeb", r"Note: x\uffffy"]


def test_a_matter_with_a_long_name_is_exported() -> None:
    name = "Renfrew " * 50
    document = docx.Document(BytesIO(written(replace(matter(), name=name), WordOptions(DAY))))
    assert document.paragraphs[0].text == name
    assert name.startswith(document.core_properties.title)


def test_a_document_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "brief.docx"
    export_to_word(matter(), out, WordOptions(DAY), {})
    before = out.read_bytes()
    with pytest.raises(UsageError):
        export_to_word(matter(), out, WordOptions(DAY), {})
    assert out.read_bytes() == before
    export_to_word(matter(), out, WordOptions(date(2025, 1, 1)), {}, may_replace=True)
    assert out.read_bytes() != before


# --- the table of authorities -----------------------------------------------------------------------------------


def cited(*items: Item) -> dict[str, tuple[AuthorityPart, tuple[str, ...], bool]]:
    found = authorities_of(matter(*items).entries, load_patterns())
    return {each.label: (each.part, each.entries, each.by_name_only) for each in found}


def test_authorities_are_told_by_kind_with_the_passages_that_cite_them() -> None:
    assert cited() == {
        "State v. Carty, 170 N.J. 632": (AuthorityPart.CASES, ("e2", "e4"), False),
        "State v. Smith": (AuthorityPart.CASES, ("e4",), True),
        "N.J.S.A. 2C:11-3(a)(1)": (AuthorityPart.STATUTES, ("e2",), False),
        "R. 3:5-7(d)": (AuthorityPart.RULES, ("e2",), False),
        "N.J. Const. art. I, ¶ 7": (AuthorityPart.OTHER, ("e2",), False),
    }


def test_a_case_known_by_its_name_alone_is_not_taken_for_that_of_another_brief() -> None:
    found = cited(passage(1, "State v. Smith, 12 N.J. 34 (1950), controls."), passage(2, "State v. Smith settles it."))
    assert found == {
        "State v. Smith, 12 N.J. 34": (AuthorityPart.CASES, ("e0",), False),
        "State v. Smith": (AuthorityPart.CASES, ("e1",), True),
    }


def test_a_short_form_without_its_full_citation_stands_as_written_and_is_no_case_dropped() -> None:
    document = opened(
        WordOptions(DAY), passage(1, "So it was held. Cosio, 353 S.W.3d at 777. And Cosio, 353 S.W.3d at 774.")
    )
    table = texts(document)[texts(document).index("Table of authorities") :]
    assert [each.partition("\t")[0] for each in table[2:]] == ["Cosio, 353 S.W.3d at 777 (short form only)"]


def test_a_short_form_is_the_case_of_the_matter_that_its_volume_page_and_name_fit() -> None:
    short = "So it was held. Cosio, 353 S.W.3d at 777. But see Ngo, 175 S.W.3d at 700."
    full = "See Cosio v. State, 353 S.W.3d 766 (2011). Ngo v. State, 175 S.W.3d 738 (2005), agrees."
    assert {label: entries for label, (_, entries, _) in cited(passage(1, short), passage(2, full)).items()} == {
        "Cosio v. State, 353 S.W.3d 766": ("e0", "e1"),
        "Ngo v. State, 175 S.W.3d 738": ("e1",),
        "Ngo, 175 S.W.3d at 700": ("e0",),
    }


def test_an_id_at_the_beginning_of_a_passage_refers_to_nothing_in_the_one_before() -> None:
    one, other = "So State v. Carty, 170 N.J. 632 (2002).", "Id. at 640. The officer asked again."
    assert cited(passage(1, one), passage(1, other)) == {
        "State v. Carty, 170 N.J. 632": (AuthorityPart.CASES, ("e0",), False)
    }


def test_statutes_and_rules_of_other_places_stand_under_their_kind() -> None:
    text = "See 18 U.S.C. § 3501; Fed. R. Crim. P. 41(b); U.S. Const. amend. IV; N.J.R.E. 803(c)(27)."
    assert {label: kind for label, (kind, _, _) in cited(passage(1, text)).items()} == {
        "18 U.S.C. § 3501": AuthorityPart.STATUTES,
        "Fed. R. Crim. P. 41(b)": AuthorityPart.RULES,
        "N.J.R.E. 803(c)(27)": AuthorityPart.RULES,
        "U.S. Const. amend. IV": AuthorityPart.OTHER,
    }


@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")
@pytest.mark.parametrize("sources", SourcePlace)
def test_libreoffice_opens_it_and_finds_the_pages_of_the_authorities(sources: SourcePlace, tmp_path: Path) -> None:
    import pymupdf

    out = tmp_path / "brief.docx"
    far = (NoteItem("\n".join("A line of my own." for _ in range(90))),)
    whole = matter(*ITEMS[:3], *far, *ITEMS[3:])
    export_to_word(whole, out, WordOptions(DAY, sources=sources), found(whole))
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    words = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(out)]
    subprocess.run(words, check=True, capture_output=True, timeout=200)
    with pymupdf.open(tmp_path / "brief.pdf") as pdf:
        pages = [" ".join(page.get_text().split()) for page in pdf]
    assert "The stop was unlawful. State v. Carty, 170 N.J. 632 (2002)." in pages[0]
    assert "State v. Client 1, Appellate Division, No. A-1-22 (filed 27 Feb 2024), pp. 2–3" in pages[0]
    assert not any("State v. Client 1," in page for page in pages[1:])
    at = 1 + next(number for number, page in enumerate(pages) if "consent needs more" in page)
    assert at > 1
    assert "State v. Client 2, Appellate Division, No. A-2-22 (filed 27 Feb 2024), pp. 2–3" in pages[at - 1]
    table = next(page for page in pages if "Table of authorities" in page)
    assert f"1, {at}" in table.partition("State v. Carty, 170 N.J. 632")[2].partition("State v. Smith")[0]


def test_nobody_takes_a_note_for_text_of_the_brief() -> None:
    document = opened(WordOptions(DAY), NoteItem("Ask for the tape.\n\nCall Dr. Roe."), passage(1, STOP))
    notes = [each for each in document.paragraphs if each.style.name == "BriefBank note"]
    assert [each.text for each in notes] == ["Note: Ask for the tape.", "Note: Call Dr. Roe."]
    style = document.styles["BriefBank note"]
    assert style.font.italic
    assert style.paragraph_format.left_indent > 0
