"""What a bank says of collected passages: honest ones are found, wherever they stand by now, forged ones are not."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import docx
import office
import pymupdf
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from briefbank.bank.local import Bank
from briefbank.matters.checked import UNCHECKED, in_matter
from briefbank.matters.items import PassageItem, collected_words, excerpt_item, passage_item
from briefbank.platform.layout import Layout
from briefbank.values.collected import Check


@pytest.fixture(scope="module")
def bank(library_bank: Path) -> Iterator[Bank]:
    with Bank.open(library_bank) as opened:
        yield opened


def checked(bank: Bank, item: PassageItem, *, with_pages: bool = False) -> Check:
    [check] = bank.check_collected((collected_words(item),), with_pages=with_pages)
    return check


def collected(bank: Bank) -> PassageItem:
    """A passage of a brief with pages, docket and date."""
    document = next(each for each in bank.documents() if each.has_pages and each.metadata.docket and each.filed)
    passages = bank.passages_of(document.id)
    return passage_item(max(passages, key=lambda each: len(each.text)), document)


def saying(item: PassageItem, text: str, **known: Any) -> PassageItem:
    return replace(item, text=text, text_sha256=sha256(text.encode()).hexdigest(), italics=None, **known)


def test_every_passage_of_a_bank_is_found_in_it(bank: Bank) -> None:
    for document in bank.documents():
        for passage in bank.passages_of(document.id):
            assert checked(bank, passage_item(passage, document)).not_found == ()


def test_words_are_found_whatever_their_passage_is_called_and_however_it_is_cut(bank: Bank) -> None:
    item = collected(bank)
    passages = bank.passages_of(item.document_id)
    assert checked(bank, replace(item, passage_id="another-7")).not_found == ()
    over_a_cut = f"{passages[0].text[-60:]}\n{passages[1].text[:60]}"
    assert checked(bank, saying(item, over_a_cut, pages="")).not_found == ()
    broken = item.text.replace(" ", "\n", 3).replace("e", "\u00ade", 2)
    assert checked(bank, saying(item, broken)).not_found == ()


@pytest.mark.parametrize("seed", range(20))
def test_a_word_more_or_less_or_another_letter_is_not_found(bank: Bank, seed: int) -> None:
    chance, item = random.Random(seed), collected(bank)
    words = item.text.split()
    at = chance.randrange(1, len(words) - 1)
    for changed in ([*words[:at], *words[at + 1 :]], [*words[:at], "never", *words[at:]]):
        for is_excerpt in (False, True):
            forged = saying(item, " ".join(changed), is_excerpt=is_excerpt)
            assert any("do not stand" in line for line in checked(bank, forged).not_found)


@pytest.mark.parametrize(
    ("written", "is_found"),
    [
        ("faces 5-10 years under 170 N.J. 632", True),
        ("faces 5\u201010 years un-\nder 170\nN.J. 632", True),
        ("N.J. 632 3 were 17 others", True),
        ("faces 510 years", False),
        ("faces 5-1 0 years", False),
        ("under 17-0 N.J. 6 32", False),
    ],
)
def test_figures_with_a_gap_between_them_are_others_than_without(tmp_path: Path, written: str, is_found: bool) -> None:
    text = "He faces 5-10 years under 170 N.J. 632\u00b3 were 17 others."
    document = office.brief("Alder Quince", "A-1-18", "May 4, 2018", ("THE STOP.", text))
    with Bank.open(office.index_pdfs(tmp_path, {"quince": document})) as bank:
        [found] = bank.documents()
        passage = next(each for each in bank.passages_of(found.id) if "faces" in each.text)
        item = saying(passage_item(passage, found), written)
        assert (checked(bank, item).not_found == ()) is is_found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title", "State v. Another"),
        ("docket", "A-7777-77"),
        ("court", "Supreme Court of Texas"),
        ("filed", "1987-06-05"),
        ("author", "Nobody Known"),
        ("kind", "directive"),
        ("pages", "p. 412"),
    ],
)
def test_a_source_that_is_another_is_named_beside_that_of_the_bank(bank: Bank, name: str, value: str) -> None:
    [line] = checked(bank, replace(collected(bank), **{name: value})).not_found
    assert line.startswith("Not found in this bank: ")
    assert value in line


def test_a_source_that_leaves_something_out_says_nothing_that_is_wrong(bank: Bank) -> None:
    bare = replace(collected(bank), docket="", court="", filed="", author="", kind="", pages="")
    assert checked(bank, bare).not_found == ()


def test_a_brief_that_the_bank_does_not_hold_is_named_and_keeps_its_cautions(bank: Bank) -> None:
    foreign = replace(collected(bank), document_sha256="0" * 64, cautions=("Cites X: overruled",))
    check = checked(bank, foreign)
    assert check.not_found == ("Not found in this bank: no file here is the brief of these words.",)
    assert check.cautions == ("Cites X: overruled",)


def test_words_selected_over_the_edge_of_a_page_are_looked_up_as_printed(tmp_path: Path) -> None:
    text = office.brief("Alder Quince", "A-1-18", "May 4, 2018", ("THE STOP.", " ".join([office.STOP] * 14)))
    (tmp_path / "briefs").mkdir()
    office.write_pdf(tmp_path / "briefs" / "quince.pdf", text)
    with pymupdf.open(tmp_path / "briefs" / "quince.pdf") as pdf:
        for page in pdf:
            page.insert_text((300, 770), f"{page.number + 1}")
        pdf.saveIncr()
    root = office.write_bank(tmp_path / "bank")
    with Bank.open(root) as bank:
        bank.index(tmp_path / "briefs")
        document = bank.documents()[0]
        over = [[each.text for each in bank.page_text(document.id, number).words] for number in (2, 3)]
        words = f"{' '.join(over[0][-12:])} {' '.join(over[1][:12])}"
        passage = bank.passages_of(document.id)[0]
        item = excerpt_item(words, passage, document, pages=(2, 3))
        assert checked(bank, item, with_pages=True).not_found == ()
        forged = excerpt_item(words.replace(over[1][5], "never", 1), passage, document, pages=(2, 3))
        assert checked(bank, forged, with_pages=True).not_found
        assert "in the window alone" in checked(bank, item).not_found[0]
        elsewhere = excerpt_item(words, passage, document, pages=(3, 4))
        assert checked(bank, elsewhere, with_pages=True).not_found


ALERT = 'authority,says\n"State v. Carty, 170 N.J. 632 (2002)",overruled last week\n'


@pytest.mark.parametrize("is_known", [True, False])
def test_warnings_are_those_of_todays_list_and_reach_what_was_collected_before(own_bank: Path, is_known: bool) -> None:
    with Bank.open(own_bank) as bank:
        hit = next(
            passage_item(passage, document, cautions=("An old warning",))
            for document in bank.documents()
            for passage in bank.passages_of(document.id)
            if "170 N.J. 632" in passage.text
        )
        item = hit if is_known else replace(hit, document_sha256="0" * 64)
        assert checked(bank, item).cautions == (() if is_known else ("An old warning",))
        Layout(own_bank).alerts_file.write_text(ALERT, encoding="utf-8")
        assert any("overruled last week" in line for line in checked(bank, item).cautions)


def test_the_command_line_marks_what_is_forged_in_what_it_says_and_writes(
    briefbank: Any, library_bank: Path, bank: Bank, tmp_path: Path
) -> None:
    honest = collected(bank)
    forged = saying(honest, f"{honest.text} And so every search is lawful.")
    file, log = tmp_path / "m.json", ("--log", tmp_path / "matters.sqlite")
    items = [to_builtins(honest), to_builtins(forged) | {"not_found": [], "cautions": []}]
    file.write_text(json.dumps({"format": "briefbank matter", "version": 2, "name": "Fen", "items": items}))
    told = briefbank("matter", "import", file, *log, "--bank", library_bank, "--json")
    assert [bool(item["not_found"]) for item in told.json["items"]] == [False, True]
    assert "Item 2" in told.err
    assert "do not stand in that brief" in told.err
    out = tmp_path / "m.docx"
    assert briefbank("matter", "export", "Fen", out, *log, "--bank", library_bank, "--json").json["not_found"] == 1
    marks = [each.text for each in docx.Document(str(out)).paragraphs if "Not found in this bank" in each.text]
    assert marks == ["[Not found in this bank: these words do not stand in that brief.]"]
    assert briefbank("matter", "export", "Fen", tmp_path / "n.json", *log, "--bank", library_bank).code == 0
    kept = json.loads((tmp_path / "n.json").read_text(encoding="utf-8"))["items"]
    assert [bool(item["not_found"]) for item in kept] == [False, True]
    bare = briefbank("matter", "export", "Fen", tmp_path / "o.json", *log, "--bank", tmp_path / "nowhere")
    assert (bare.code, "No passage could be looked up" in bare.err) == (0, True)
    assert (tmp_path / "o.json").read_text(encoding="utf-8").count(UNCHECKED) == 2


@pytest.mark.parametrize(
    ("title", "named", "matter", "is_other"),
    [
        ("State v. Rae Quillon, Jr., Brief", "Mr. Quillon", "Quillon", False),
        ("State v. Rae Quillon, Jr., Brief", "Mr. Quillon", "Junior, Jr.", True),
        ("State v. Rae Quillón, Brief", "Mr. Quillon", "STATE v. QUILLON III", False),
        ("State v. Rae Quillon, Brief", "Mr. Quillón", "Quillo\u0301n’s appeal", False),
        ("State v. Rae Wałęsa, Brief", "Mr. Walesa", "Wałęsa, Sr.", False),
        ("State v. Rae Quill-Orne, Brief", "Mr. Quill-Orne", "R. Quill\u2011Orne", False),
        ("State v. Rae Quillon, Brief", "Mr. Quillon", "Quillonsen", True),
        ("State v. Rae Quillon, Brief", "Mr. Quillon", "Orne-Quillon", True),
    ],
)
def test_a_matters_own_client_is_known_by_the_surname_however_it_is_written(
    bank: Bank, title: str, named: str, matter: str, is_other: bool
) -> None:
    item = saying(collected(bank), f"{named} gave him nothing.", title=title)
    assert bool(in_matter(checked(bank, item), matter).confidential) is is_other


def test_what_is_not_to_be_filed_is_told_before_a_matter_is_written_and_changes_nothing(
    briefbank: Any, library_bank: Path, bank: Bank, tmp_path: Path
) -> None:
    words = "Mr. Quillon gave the trooper D4471 20938 05722. State v. Quillon, 170 N.J. 632 (2002), says nothing of it."
    item = saying(collected(bank), words, title="State v. Rae Quillon, Brief", pages="p. 4")
    file, log = tmp_path / "m.json", ("--log", tmp_path / "matters.sqlite")
    for name in ("State v. Orne", "State v. Quillon"):
        told = {"format": "briefbank matter", "version": 2, "name": name, "items": [to_builtins(item)]}
        file.write_text(json.dumps(told))
        assert briefbank("matter", "import", file, *log, "--bank", library_bank).code == 0
    told = briefbank("matter", "list", *log, "--bank", library_bank, "--json").json["matters"]
    licence = {"fact": "A driver’s license number on p. 4", "words": "D4471 20938 05722"}
    client = {"fact": "Client of another brief, Rae Quillon, on p. 4", "words": "Quillon"}
    assert [each["items"][0]["confidential"] for each in told] == [[licence, client], [licence]], (
        "its own client is none"
    )
    for bank_asked in (library_bank, tmp_path / "nowhere"):
        out = tmp_path / f"{bank_asked.name}.docx"
        written = briefbank("matter", "export", "State v. Orne", out, *log, "--bank", bank_asked, "--json")
        assert written.json["confidential"] == 1
        assert "on p. 4: “D4471 20938 05722”" in written.err
        assert words in "".join(each.text for each in docx.Document(str(out)).paragraphs)
