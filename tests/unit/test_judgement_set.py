"""The graded judgements that ship with the project: whole, of the form they claim, put together by their script."""

from __future__ import annotations

import csv
import runpy
import shutil
from pathlib import Path

import msgspec
from program import ROOT

from briefbank.bank.local import Bank
from briefbank.judgements.evaluate.beir import read_beir_qrels, read_corpus, read_queries
from briefbank.judgements.feedback.events import text_sha256

SET = ROOT / "models" / "judgements"
KINDS = {"question", "keywords", "claim", "briefs-on", "facts", "authority", "fine"}


def rows() -> list[dict[str, str]]:
    with (SET / "grades.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_every_query_is_graded_and_every_grade_is_of_a_query() -> None:
    queries = {query.id: query.text for query in read_queries(SET)}
    graded = rows()
    assert {row["query-id"] for row in graded} == set(queries)
    assert len(set(queries.values())) == len(queries)
    assert {row["grade"] for row in graded} == {"0", "1", "2", "3"}
    pairs = [(row["query-id"], row["passage-id"]) for row in graded]
    assert len(pairs) == len(set(pairs))
    for line in (SET / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        about = msgspec.json.decode(line)["metadata"]
        assert about["kind"] in KINDS
        assert about["origin"] in {"topics", "passages"}


def test_no_text_of_a_passage_lies_beside_the_grades() -> None:
    assert set(rows()[0]) == {"query-id", "passage-id", "text-sha256", "grade"}


def test_the_script_finds_passages_by_their_texts_whatever_their_ids(library_bank: Path, tmp_path: Path) -> None:
    bank = Bank.open(library_bank)
    passages = [each for document in bank.documents() for each in bank.passages_of(document.id)]
    judged = tmp_path / "judged"
    judged.mkdir()
    shutil.copy(SET / "queries.jsonl", judged)
    query = read_queries(SET)[0].id
    digests = [text_sha256(each.text)[:16] for each in passages[:2]] + ["0" * 16]
    lines = [f"{query}\told-{at}\t{digest}\t{at + 1}\n" for at, digest in enumerate(digests)]
    (judged / "grades.tsv").write_text("query-id\tpassage-id\ttext-sha256\tgrade\n" + "".join(lines), encoding="utf-8")
    rebuild = runpy.run_path(str(SET / "rebuild.py"))["rebuild"]
    assert rebuild(bank, judged, tmp_path / "out") == (2, 1)
    assert read_beir_qrels(tmp_path / "out", "graded") == {query: {passages[0].id: 1, passages[1].id: 2}}
    assert len(read_corpus(tmp_path / "out")) == len(passages)
