"""Collections, runs and judgements survive their files, and what is wrong in one is named."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import collection, read_trec_qrels

from briefbank.errors import SourceError, UsageError
from briefbank.judgements.evaluate.beir import (
    read_beir_qrels,
    read_corpus,
    read_trec_run,
    write_beir,
    write_trec_qrels,
    write_trec_run,
)
from briefbank.judgements.evaluate.run import evaluate_folder
from briefbank.platform.settings import Settings

identifiers = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n\0", exclude_categories=["Cs", "Cc"]), min_size=1
)
qrels = st.dictionaries(
    identifiers, st.dictionaries(identifiers, st.integers(0, 4), min_size=1, max_size=4), max_size=4
)
runs = st.dictionaries(
    identifiers,
    st.lists(st.tuples(identifiers, st.floats(-1e6, 1e6)), min_size=1, max_size=4, unique_by=lambda hit: hit[0]),
    max_size=4,
)


@settings(deadline=None)
@given(qrels)
def test_qrels_survive_both_formats(judged: dict[str, dict[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_beir(folder, (), (), judged, "dev")
        assert read_beir_qrels(folder, "dev") == judged
        write_trec_qrels(judged, folder / "dev.qrels")
        assert read_trec_qrels(folder / "dev.qrels") == judged


def test_no_line_of_a_run_or_of_judgements_begins_like_a_formula(tmp_path: Path) -> None:
    for sign in "=+-@":
        write_trec_run({f"{sign}q": [(f"{sign}p", -1.0)]}, tmp_path / "run.trec", "tag")
        write_trec_qrels({f"{sign}q": {f"{sign}p": 1}}, tmp_path / "dev.qrels")
        for name in ("run.trec", "dev.qrels"):
            assert f" {sign}p" not in (line := (tmp_path / name).read_text(encoding="utf-8"))
            assert line.startswith("%")
        assert read_trec_qrels(tmp_path / "dev.qrels") == {f"{sign}q": {f"{sign}p": 1}}
        assert read_trec_run(tmp_path / "run.trec") == {f"{sign}q": [(f"{sign}p", -1.0)]}


@settings(deadline=None)
@given(runs)
def test_a_run_survives_its_file(run: dict[str, list[tuple[str, float]]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "run.trec"
        write_trec_run(run, path, "a tag")
        assert read_trec_run(path) == run


@pytest.mark.parametrize("line", ["{", '{"_id": 3, "text": "x"}', '{"_id":"p0","text":"x"}'])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    folder = collection(tmp_path)
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    with pytest.raises(SourceError, match="line 5"):
        read_corpus(folder)


@pytest.mark.parametrize("line", ["q2\tp3", "q2\tp3\thigh"])
def test_a_bad_judgement_is_named(tmp_path: Path, line: str) -> None:
    folder = collection(tmp_path)
    (folder / "qrels" / "dev.tsv").write_text(f"q2\tp3\t1\n{line}\n", encoding="utf-8")
    with pytest.raises(SourceError, match="line 2"):
        read_beir_qrels(folder, "dev")


def test_missing_files_are_named_with_what_there_is(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    with pytest.raises(SourceError) as caught:
        read_beir_qrels(folder, "test")
    assert "dev" in caught.value.advice
    with pytest.raises(SourceError, match=r"corpus\.jsonl"):
        read_corpus(tmp_path / "nowhere")


def test_a_collection_runs_through_the_engine_and_its_run_is_written(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    hashing = Settings(encoder="hashing")
    report = evaluate_folder(folder, "dev", hashing, run_file=tmp_path / "run.trec", cache_folder=tmp_path / "cache")
    assert report.passage_count == 4
    assert report.query_count == 2
    assert report.metrics["Recall@5"] == 1.0
    assert report.metrics["MRR@10"] == 1.0
    assert set(report.parts) == {"bm25", "dense", "rrf"}
    run = read_trec_run(tmp_path / "run.trec")
    assert run["q 1"][0][0] == "p0"
    assert all(first > second for hits in run.values() for (_, first), (_, second) in pairwise(hits))
    again = evaluate_folder(folder, "dev", hashing, judged_only=True, cache_folder=tmp_path / "cache")
    assert again.judged_share_5 == 1.0
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".npy"]


def test_a_query_without_a_word_counts_as_found_nothing(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    with (folder / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"_id": "q3", "text": "???"}\n')
    with (folder / "qrels" / "dev.tsv").open("a", encoding="utf-8") as file:
        file.write("q3\tp0\t1\n")
    report = evaluate_folder(folder, "dev", Settings(encoder="hashing"), judged_only=True)
    assert report.metrics["Recall@5"] == pytest.approx(2 / 3)


def test_what_cannot_be_scored_is_refused(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    with pytest.raises(UsageError):
        evaluate_folder(folder, "dev", Settings(encoder="hashing"), relevant_from=0)
    (folder / "qrels" / "empty.tsv").write_text("query-id\tcorpus-id\tscore\n", encoding="utf-8")
    with pytest.raises(SourceError):
        evaluate_folder(folder, "empty", Settings(encoder="hashing"))


def test_judgements_of_unknown_queries_are_refused(tmp_path: Path) -> None:
    folder = collection(tmp_path)
    with (folder / "qrels" / "dev.tsv").open("a", encoding="utf-8") as file:
        file.write("q9\tp0\t1\n")
    with pytest.raises(SourceError):
        evaluate_folder(folder, "dev", Settings(encoder="hashing"))
