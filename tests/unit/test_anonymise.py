from __future__ import annotations

import csv
import io
import json
import tomllib
from collections import Counter
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laptops import event, search

from briefbank.bank.local import Bank
from briefbank.errors import SourceError
from briefbank.judgements.evaluate.beir import read_corpus, read_queries
from briefbank.judgements.feedback.events import Commented, Judged, Searched, SearchSaved, shown_as
from briefbank.judgements.feedback.log import FeedbackLog
from briefbank.judgements.feedback.merge import merge_files
from briefbank.law.anonymise import Anonymiser, find_personal, read_review, review_table
from briefbank.law.anonymise.citing import KEPT
from briefbank.law.anonymise.classifier import NAMES
from briefbank.law.anonymise.forms import FORMS
from briefbank.law.catalogue import Catalogue, Form, found_in
from briefbank.law.dockets import NUMBERS
from briefbank.law.identifiers import FORMS as IDENTIFIERS
from briefbank.values.records import Filters, Query


def removed(text: str, *, known: tuple[str, ...] = ()) -> list[str]:
    (found,) = find_personal([text], known=known).found
    return [text[slice(*each.span)] for each in found]


# --- what is found --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Officer Dana Whitby stopped Imre Kovalenko's car. Kovalenko waited.",
            ["Dana Whitby", "Imre Kovalenko", "Kovalenko"],
        ),
        (
            'Anselm "Lefty" Varnock testified against Lefty\'s aunt, Mrs. de la Croix-Bell',
            ['Anselm "Lefty" Varnock', "Lefty"],
        ),
        ("The child, J.M.R., told N.T. so in the U.S. and in N.J., under R. 2:11.", ["J.M.R.", "N.T."]),
        (
            "Grant, Marcus T., Jr., appeals; Mr. Grant asks the court to grant a stay.",
            ["Grant, Marcus T., Jr.", "Grant"],
        ),
        ("Alicia Church prayed in Trinity Church on Bergen Street.", ["Alicia Church"]),
        ("POINT II THE SEARCH OF JAMAL WINTERS WAS UNLAWFUL", ["JAMAL WINTERS"]),
        ("He asked Osei. 18 U.S.C. § 922(g). Then Osei left.", ["Osei", "Osei"]),
        ("client: dashawn whitlowe, he says", ["dashawn whitlowe"]),
        ("Mr. Kowal-\nczewski and 0'Hanlon left. Kowalczewski fled.", ["Kowal-\nczewski", "0'Hanlon", "Kowalczewski"]),
        ("Ma. Elena Zarzuela met Pa Houa Thao.", ["Ma. Elena Zarzuela", "Pa Houa Thao"]),
    ],
)
def test_people_are_found_and_what_only_has_a_capital_is_not(text: str, expected: list[str]) -> None:
    assert removed(text)[: len(expected)] == expected
    assert expected or not removed(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 41 Halsey Street, Apt. 3B, Newark, NJ 07102, with", "41 Halsey Street, Apt. 3B, Newark, NJ 07102"),
        ("was born in Newark on April 3, 1988, and was arrested on May 4, 2010", "April 3, 1988"),
        ("D.O.B. 04/03/88", "04/03/88"),
        ("call 973-555-0114 x12 now", "973-555-0114 x12"),
        ("ask d.whitby+pd@opd.example.org.", "d.whitby+pd@opd.example.org"),
        ("DOCKET NO. A-1234-19T3", "A-1234-19T3"),
        ("under FV–13–000912–20 the", "FV–13–000912–20"),
        ("at W142N8840 Main Dr., Apt. 2 when", "W142N8840 Main Dr., Apt. 2"),
        ("before (now DA 22-0311) is", "DA 22-0311"),
    ],
)
def test_what_has_a_form_is_found_whole(text: str, expected: str) -> None:
    assert removed(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "State v. Carty, 170 N.J. 632, 640 (2002), and Carty, 170 N.J. at 647, bind.",
        "See N.J.S.A. 2C:11-3(a)(1); R. 3:5-7(d); 18 U.S.C. § 922(g); 803(c)(27).",
        "State in Interest of A.A., 240 N.J. 341 (2020); State v. R.D., 169 N.J. 551 (2001).",
        "State v. Quillon, No. A-1234-19 (App. Div. May 3, 2021) (slip op. at 4).",
        "He left (Sb 4; Dra12; RP 112; CP 18-21; Dkt. 44 at 3; App. 7a; 2 CT 341; PSR ¶ 14). Aplt. App. 88.",
        "State v. Hill, 199 N.J. 545 (2009); In re J.M.B., 197 N.J. 563 (2009). Hill does not help; J.M.B. does.",
        "Miranda warnings, a Wade hearing, Megan's Law and the Graves Act. (2T 14:3 to 15:2).",
        "Boyd v. United States, 116 U.S. 616, 630 (1886) (Bradley, J.); Tenn. R. 7\n\nThc self-\ndefense claim.",
        "B. Strickland Prong Two: it would have ended otherwise.",
        "How do you get around State v. Quistgaard?",
    ],
)
def test_citations_cases_named_in_talk_terms_of_law_and_other_dates_stay(text: str) -> None:
    assert removed(text) == []


def test_a_defendant_who_shares_a_name_with_a_cited_case_goes_and_the_case_stays() -> None:
    text = "State v. Carty, 170 N.J. 632 (2002), helps Raymond Carty. Under Carty, consent was void. Mr. Carty refused."
    assert removed(text) == ["Raymond Carty", "Carty"]
    assert text.rindex("Carty refused") == find_personal([text]).found[0][-1].span.start


@pytest.mark.parametrize("text", ["The court adopted Nelson.", "Nelson is on point."])
def test_what_is_said_of_cases_only_is_no_person_of_that_name(text: str) -> None:
    known = "Nelson v. State, 274 So. 2d 256 (Fla. 1973). Judge Nelson sat. "
    assert removed(known + text) == ["Nelson"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Quistgaard told the officer that he was cold. Vandermolen, his brother, agreed.", 2),
        ("How do you get around State v. Quistgaard? Knud Quistgaard is my client.", 2),
    ],
)
def test_what_could_be_a_case_goes_where_it_is_somebodys_name(text: str, expected: int) -> None:
    assert len(removed(text)) == expected


def test_a_name_that_a_bank_knows_as_a_cases_needs_less_to_stay() -> None:
    text = "Is there more on this? Vandermolen isn't enough."
    assert removed(text) == ["Vandermolen"]
    (found,) = find_personal([text], case_names=frozenset({"state v vandermolen"})).found
    assert found == ()


def test_a_name_met_in_the_caption_is_known_in_the_whole_document() -> None:
    texts = [
        "STATE OF NEW JERSEY,\nPlaintiff,\nv.\nGRACE MARSH,\nDefendant.",
        "The dog lay down. Marsh fell into the marsh.",
    ]
    first, second = find_personal(texts).found
    assert [texts[0][slice(*each.span)] for each in first] == ["GRACE MARSH"]
    assert [texts[1][slice(*each.span)] for each in second] == ["Marsh"]


@given(st.text(max_size=200))
def test_whatever_is_found_lies_apart_and_inside_the_text(text: str) -> None:
    (found,) = find_personal([text]).found
    spans = [each.span for each in found]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before.end <= behind.start for before, behind in pairwise(spans))


# --- what becomes of it ---------------------------------------------------------------------------------------------


def test_everyone_has_one_pseudonym_in_all_texts_of_an_export() -> None:
    documents = {"a": ["Imre Kovalenko met Dana Whitby.", "Kovalenko ran."], "b": ["Dana Whitby saw Imre Kovalenko."]}
    anonymiser = Anonymiser(documents, ["what did kovalenko say to Dana Whitby", "nobody"])
    assert anonymiser.rewrite(documents["a"][0], "a") == "[Person1] met [Person2]."
    assert anonymiser.rewrite(documents["a"][1], "a") == "[Person1] ran."
    assert anonymiser.rewrite(documents["b"][0], "b") == "[Person2] saw [Person1]."
    assert anonymiser.rewrite("what did kovalenko say to Dana Whitby") == "what did [Person1] say to [Person2]"
    assert anonymiser.rewrite("nobody") == "nobody"


def test_a_pseudonym_is_one_word_to_the_search() -> None:
    from briefbank.index.tokens import index_terms

    assert index_terms("[Person12] ran")[0] == "person12"


def test_a_case_that_a_document_cites_stays_in_a_query_that_only_names_it() -> None:
    notes = ["State v. Carty consent", "carty consent", "State v. Kovalenko"]
    anonymiser = Anonymiser({}, notes, known=["Raymond Carty"], case_names=frozenset({"state v carty"}))
    assert anonymiser.rewrite("State v. Carty consent") == "State v. Carty consent"
    assert anonymiser.rewrite("carty consent") == "carty consent"
    assert anonymiser.rewrite("State v. Kovalenko") == "State v. [Person1]"


def test_a_reviewer_strikes_lines_and_adds_others(tmp_path: Path) -> None:
    text = "Trooper Bruno Falk and the dog Wotan, =SUM(1) at Halfway House Nine."
    first = Anonymiser({}, [text])
    rows = list(csv.DictReader(io.StringIO(review_table(first.review(())).decode("utf-8-sig"))))
    assert {(row["kind"], row["text"]) for row in rows} == {("person", "Bruno Falk"), ("person", "Wotan")}
    path = tmp_path / "review.csv"
    path.write_text(
        "remove,kind,text,stands_for,count,example\n"
        "yes,person,Bruno Falk,[Person1],1,x\nno,person,Wotan,[Person2],1,x\n"
        "yes,address,Halfway  House Nine,,,\n",
        encoding="utf-8-sig",
    )
    second = Anonymiser({}, [text], approval=read_review(path))
    assert second.rewrite(text) == "Trooper [Person1] and the dog Wotan, =SUM(1) at [Address1]."
    assert second.unseen(()) == 0
    path.write_text("remove,kind,text,count\nyes,person,Wotan,1\n", encoding="utf-8")
    third = Anonymiser({}, [text], approval=read_review(path))
    assert "Falk" not in third.rewrite(text)
    assert third.unseen(()) == 1


def test_everyone_is_called_as_the_list_says_whatever_a_person_strikes_or_adds(tmp_path: Path) -> None:
    documents = {"d": ["Trooper Bruno Falk met Wotan at Halfway House Nine.", "Maria Ortega waited for Bruno Falk."]}
    passages = {("d", text) for text in documents["d"]}
    listed = {line.text: line.stands_for for line in Anonymiser(documents, []).review(passages)}
    path = tmp_path / "review.csv"
    path.write_text("remove,kind,text\nno,person,Bruno Falk\nyes,person,Halfway House Nine\n", encoding="utf-8")
    approved = Anonymiser(documents, [], approval=read_review(path))
    assert approved.rewrite(documents["d"][1], "d") == f"{listed['Maria Ortega']} waited for Bruno Falk."


def test_the_list_holds_what_goes_of_the_passages_that_are_exported(tmp_path: Path) -> None:
    documents = {"d": ["Trooper Bruno Falk met nobody.", "Maria Ortega waited for Bruno Falk."]}
    lines = Anonymiser(documents, ["ask Maria Ortega"]).review({("d", documents["d"][0])})
    assert {(line.text, line.count) for line in lines} == {("Bruno Falk", 1), ("Maria Ortega", 1)}


@pytest.mark.parametrize(
    "content", [b"remove,kind,text\nyes,beast,Wotan\n", b"\xff\xfe\x00", b"remove,text\nyes,Wotan\n"]
)
def test_an_approved_list_that_cannot_be_read_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "review.csv").write_bytes(content)
    with pytest.raises(SourceError):
        read_review(tmp_path / "review.csv")


# --- the export -----------------------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library_bank: Path) -> Path:
    path = tmp_path / "feedback.sqlite"
    monkeypatch.setenv("BRIEFBANK_FEEDBACK", str(path))
    monkeypatch.setenv("BRIEFBANK_BANK", str(tmp_path / "no-bank"))
    filters = Filters(authors=("Marisol Teague",))
    query = Query("did alder quince consent under State v. Carty", filters=filters, profile="Harlow's trunk")
    found = Bank.open(library_bank).search(
        Query("consent to search after a prolonged stop", include_hidden=True, top_k=20)
    )
    made = event(Searched(query, found.generation, 1.0, shown_as(found.hits)))
    with FeedbackLog(path) as opened:
        opened.append([made, event(Judged(made.id, found.hits[0].passage.id, is_relevant=True))])
        opened.append(
            [event(Commented(made.id, "Ask Dana Whitby, 973-555-0114.")), event(SearchSaved("for Whitby", query))]
        )
        search(opened, "")
    return path


def test_an_anonymised_export_waits_for_approval_and_then_holds_no_name(
    briefbank: Any, log: Path, library_bank: Path, tmp_path: Path
) -> None:
    out = tmp_path / "beir"
    export = ("feedback", "export", "--format", "beir", out, "--bank", library_bank)
    first = briefbank(*export, "--anonymise")
    assert first.code == 0, first.err
    assert "Nothing is exported yet" in first.out
    assert not out.exists()
    review = tmp_path / "beir.confidential-review.csv"
    assert "alder quince" in review.read_text(encoding="utf-8-sig")
    second = briefbank(*export, "--approved", review, "--json")
    assert second.code == 0, second.err
    assert second.json["removed_unseen"] == 0
    (query,) = read_queries(out)
    assert query.text.startswith("did [Person")
    assert query.text.endswith("consent under State v. Carty")
    texts = "\n".join(entry.text for entry in read_corpus(out))
    assert not [name for name in ("Quince", "QUINCE", "Teague", "Varga", "A-1482-17T4") if name in texts]
    assert "State v. Carty, 170 N.J. 632 (2002)" in texts
    assert briefbank(*export, "--anonymise").code == 2  # the list is not overwritten either


def test_anonymised_lines_hold_no_name_and_can_be_merged(
    briefbank: Any, log: Path, library_bank: Path, tmp_path: Path
) -> None:
    out = tmp_path / "lines.jsonl"
    export = ("feedback", "export", "--format", "jsonl", out, "--bank", library_bank)
    assert briefbank(*export, "--anonymise").code == 0
    assert briefbank(*export, "--approved", tmp_path / "lines.jsonl.confidential-review.csv").code == 0
    told = out.read_text(encoding="utf-8")
    assert not [name for name in ("uince", "Teague", "Whitby", "555-0114", "Harlow") if name in told]
    assert "State v. Carty" in told
    assert '"an issue"' in told
    report = merge_files([out], tmp_path / "merged.sqlite")
    assert (report.events, report.problems) == (5, ())


def test_without_a_bank_names_are_found_by_themselves_and_that_is_said(
    briefbank: Any, log: Path, tmp_path: Path
) -> None:
    told = briefbank("feedback", "export", "--format", "csv", tmp_path / "t.csv", "--anonymise")
    assert told.code == 0
    assert "no bank to learn names from" in told.err
    assert "Dana Whitby" in (tmp_path / "t.csv.confidential-review.csv").read_text(encoding="utf-8-sig")


# --- forms of the catalogues ------------------------------------------------------------------------------------------


CATALOGUES = {
    "anonymise/forms.toml": FORMS,
    "anonymise/kept.toml": KEPT,
    "anonymise/names.toml": NAMES,
    "dockets.toml": NUMBERS,
    "identifiers/forms.toml": IDENTIFIERS,
}
SINGLY = {
    "minor",
    "card",
    "account",
    "birth",
    "born_too",
    "told",
    "initials",
    "told_given",
    "told_rare",
    "told_last_first",
    "told_unknown",
} | IDENTIFIERS.groups.keys()
"""Groups whose forms are read one after the other."""
ENTRIES = [
    pytest.param(catalogue, group, form, id=f"{group}: {form.title}")
    for catalogue in CATALOGUES.values()
    for group, forms in catalogue.groups.items()
    for form in forms
]


def marked(example: str) -> tuple[str, tuple[int, int]]:
    """The text of an example, and what is to be found in it: what is between « and », or all."""
    if "«" not in example:
        return example, (0, len(example))
    before, found, behind = example.replace("»", "«").split("«")
    return before + found + behind, (len(before), len(before + found))


@pytest.mark.parametrize(("catalogue", "group", "form"), ENTRIES)
def test_a_form_finds_its_examples_whole(catalogue: Catalogue, group: str, form: Form) -> None:
    assert len(form.examples) > 1
    for text, span in map(marked, form.examples):
        ways = [catalogue.compiled(group, form).finditer(text), catalogue.matches(group, text)]
        if group not in SINGLY:
            ways.append(catalogue[group].finditer(text))
        for way in ways:
            assert span in map(found_in, way), text


@pytest.mark.parametrize(("catalogue", "group", "form"), ENTRIES)
def test_a_form_does_not_find_what_it_is_not_to(catalogue: Catalogue, group: str, form: Form) -> None:
    pattern = catalogue.compiled(group, form)
    assert [text for text in form.refused if pattern.search(text)] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_fragment_is_idle(name: str) -> None:
    text = files("briefbank.law").joinpath(name).read_text(encoding="utf-8")
    table = tomllib.loads(text)
    assert [fragment for fragment in table["fragments"] if f"{{{fragment}}}" not in text] == []
    assert table.get("starts", {}).keys() <= CATALOGUES[name].groups.keys()


# --- passages marked by hand ------------------------------------------------------------------------------------------


MARKED = Path(__file__).parents[1] / "data" / "anonymise"
FLOORS = {
    "build": (0.99, 0.99, 0.99),
    "more": (0.97, 0.99, 0.95),
    "held_out": (0.97, 0.98, 0.95),
    "rare": (0.94, 0.98, 0.94),
    "office": (0.98, 0.99, 0.95),
    "states": (0.98, 0.99, 0.92),
    "fresh_read": (0.97, 0.99, 0.9),
    "fresh_unread": (0.97, 0.98, 0.92),
}
"""Share of the marked entities found, of the citations kept, of what was found that was marked."""
LARGE = ("office", "states", "more")
"""Hundreds of passages: the quick tests read one in three."""


def measured(half: str, every: int) -> dict[str, float]:
    """Every marked entity counts once, and as found only if each letter of it would go."""
    counts: Counter[str] = Counter()
    for line in (MARKED / f"marked_{half}.jsonl").read_text(encoding="utf-8").splitlines()[every // 2 :: every]:
        passage: dict[str, Any] = json.loads(line)
        text = passage["text"]
        (found,) = find_personal([text]).found
        gone = {place for each in found for place in range(*each.span)}
        for entity in passage["remove"]:
            letters = {place for place in range(entity["start"], entity["end"]) if text[place].isalnum()}
            counts["entities"] += 1
            counts["removed"] += letters <= gone
        for kept in passage["keep"]:
            counts[kept["kind"]] += 1
            counts[f"{kept['kind']} kept"] += gone.isdisjoint(range(kept["start"], kept["end"]))
        marked = {place for entity in passage["remove"] for place in range(entity["start"], entity["end"])}
        counts["found"] += len(found)
        counts["rightly found"] += sum(not marked.isdisjoint(range(*each.span)) for each in found)
    return {
        "recall": counts["removed"] / counts["entities"],
        "citations": counts["citation kept"] / counts["citation"],
        "terms": counts["term kept"] / counts["term"],
        "precision": counts["rightly found"] / counts["found"],
    }


@pytest.mark.parametrize(
    ("half", "every"),
    [(half, 3 if half in LARGE else 1) for half in FLOORS]
    + [pytest.param(half, 1, marks=pytest.mark.slow) for half in LARGE],
)
def test_marked_people_go_and_citations_stay(half: str, every: int) -> None:
    recall, citations, precision = (floor - (0.005 if every > 1 else 0) for floor in FLOORS[half])
    figures = measured(half, every)
    assert figures["recall"] >= recall
    assert figures["citations"] >= citations
    assert figures["precision"] >= precision
