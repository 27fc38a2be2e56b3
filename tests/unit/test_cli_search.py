"""What `search` and `evaluate` print."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from judged import collection
from program import Briefbank

from briefbank.search.rank import SIGNALS, Calibration


def found(briefbank: Briefbank, bank: Path, *arguments: str) -> dict[str, object]:
    result = briefbank("search", *arguments, "--bank", bank, "--json")
    assert result.code == 0
    answer: dict[str, object] = json.loads(result.out)
    return answer


def test_more_like_a_passage_shows_other_briefs_only(briefbank: Briefbank, library_bank: Path) -> None:
    hits = found(briefbank, library_bank, "consent to search a car")["hits"]
    assert isinstance(hits, list)
    like = found(briefbank, library_bank, "--like", hits[0]["passage_id"])["hits"]
    assert isinstance(like, list)
    assert like
    assert hits[0]["document_id"] not in {hit["document_id"] for hit in like}
    assert all(hit["why"].startswith("like it in meaning") for hit in like)


def test_bands_are_printed_as_headings_and_told_in_json(
    briefbank: Briefbank, library_bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = dict.fromkeys(SIGNALS, 0.0) | {"score": 8.0, "best_score": -7.0}
    calibration = Calibration("any", 0.5, 0.0, 0.0, weights)
    plain = found(briefbank, library_bank, "consent to search a car")["hits"]
    assert isinstance(plain, list)
    assert all(hit["band"] is None and hit["probability"] is None for hit in plain)
    monkeypatch.setattr("briefbank.search.engine.calibration_for", lambda _: calibration)
    hits = found(briefbank, library_bank, "consent to search a car")["hits"]
    assert isinstance(hits, list)
    assert [hit["band"] for hit in hits] == sorted(hit["band"] for hit in hits)
    assert {hit["band"] for hit in hits} == {"on point", "related"}
    printed = briefbank("search", "consent to search a car", "--bank", library_bank).out
    assert printed.index("On point\n") < printed.index("Related\n") < printed.index("newest first within each")
    inexact = briefbank("search", "zzyzx consent to search a car", "--bank", library_bank).out
    assert "No passage holds all these words.\n" in inexact
    assert "closest in meaning" not in inexact


def test_cases_that_were_won_come_first_and_it_is_said_of_how_many_that_is_unknown(
    briefbank: Briefbank, decided_bank: Path
) -> None:
    told = found(briefbank, decided_bank, "stop", "--sort", "outcome", "--top-k", "20")
    assert isinstance(told["hits"], list)
    shown = dict.fromkeys(hit["outcome"] for hit in told["hits"])
    assert list(shown) == ["reversed and remanded", None, "affirmed"]
    note = told["order_note"]
    assert isinstance(note, str)
    assert note.startswith("How the case of 1 of these 3 briefs ended is not known;")
    printed = briefbank("search", "stop", "--bank", decided_bank, "--sort", "outcome", "--top-k", "20").out
    assert "cases won first" in printed
    assert note in printed
    assert found(briefbank, decided_bank, "stop")["order_note"] == ""


def test_a_correction_is_told_and_undone(briefbank: Briefbank, library_bank: Path) -> None:
    printed = briefbank("search", "reasonable suspicoin", "--bank", library_bank).out
    assert printed.startswith("Searched for suspicion. Search for suspicoin instead with --as-typed.\n")
    told = found(briefbank, library_bank, "reasonable suspicoin")
    right = found(briefbank, library_bank, "reasonable suspicion")
    assert told["corrections"] == [{"typed": "suspicoin", "corrected": "suspicion"}]
    assert (told["query"], told["hits"]) == ("reasonable suspicoin", right["hits"])
    as_typed = found(briefbank, library_bank, "reasonable suspicoin", "--as-typed", "--include-weak")
    assert (as_typed["corrections"], as_typed["has_exact"]) == ([], False)


def test_a_passage_that_is_not_there_cannot_be_the_model(briefbank: Briefbank, library_bank: Path) -> None:
    assert briefbank("search", "--like", "nowhere-1", "--bank", library_bank).code == 2


@pytest.fixture
def strict_bank(own_bank: Path) -> Path:
    """A bank that leaves weak matches out."""
    file = own_bank / "bank.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("weak_below = 0.0", "weak_below = 0.3"), encoding="utf-8")
    return own_bank


def test_a_search_tells_how_much_more_there_is_and_what_was_cut(briefbank: Briefbank, strict_bank: Path) -> None:
    answer = found(briefbank, strict_bank, "consent to search a car", "--top-k", "1")
    everything = found(briefbank, strict_bank, "consent to search a car", "--include-weak", "--top-k", "500")
    assert isinstance(everything["hits"], list)
    assert isinstance(answer["found"], int)
    assert isinstance(answer["weak"], int)
    assert answer["found"] + answer["weak"] == everything["found"] == len(everything["hits"])
    assert everything["weak"] == 0


def test_a_question_that_nothing_answers_says_how_to_see_what_comes_closest(
    briefbank: Briefbank, strict_bank: Path
) -> None:
    result = briefbank("search", "quantum chromodynamics of purple marmalade", "--bank", strict_bank)
    assert result.code == 0
    assert "--include-weak" in result.out


def test_settings_that_are_not_there_are_not_measured_as_if_they_were_the_delivered_ones(
    briefbank: Briefbank, tmp_path: Path
) -> None:
    refused = briefbank("evaluate", collection(tmp_path), "--settings", tmp_path / "mistyped.toml")
    assert refused.code == 2
    assert "mistyped.toml" in refused.err


def test_an_evaluation_counts_passages_and_queries_and_tells_the_time_left(
    briefbank: Briefbank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.cli.output._PLAIN_EVERY_S", 0.0)
    settings = tmp_path / "bank.toml"
    settings.write_text('[settings]\nencoder = "hashing"\n', encoding="utf-8")
    result = briefbank("evaluate", collection(tmp_path), "--settings", settings)
    assert result.code == 0, result.err
    assert re.search(r"encoding · 0 of \d+ passages\n", result.err)
    assert re.search(r"searching · 1 of \d+ queries · about \d+ s left\n", result.err)
    assert "files" not in result.err


def test_two_runs_are_compared(briefbank: Briefbank, tmp_path: Path) -> None:
    folder = collection(tmp_path)
    (tmp_path / "a.run").write_text("q%201 Q0 p2 1 1.0 a\nq2 Q0 p3 1 1.0 a\n", encoding="utf-8")
    (tmp_path / "b.run").write_text("q%201 Q0 p0 1 1.0 b\nq2 Q0 p3 1 1.0 b\n", encoding="utf-8")
    arguments = ("evaluate", folder, "--compare", tmp_path / "a.run", tmp_path / "b.run")
    answer = json.loads(briefbank(*arguments, "--json").out)
    assert answer["Recall@1"]["difference"] == 0.5
    assert answer["Recall@1"]["gained"] == ["q 1"]
    told = briefbank(*arguments).out
    assert "gained most (NDCG@10): q 1" in told
    assert "lost most (NDCG@10): none" in told


def test_a_docket_alone_shows_its_brief_and_says_that_it_was_found_by_it(
    briefbank: Briefbank, library_bank: Path
) -> None:
    hits = found(briefbank, library_bank, "A-1482-17T4")["hits"]
    assert isinstance(hits, list)
    assert {(hit["docket"], hit["why"]) for hit in hits} == {("A-1482-17T4", "docket A-1482-17T4")}


def test_a_docket_is_a_filter_too(briefbank: Briefbank, library_bank: Path) -> None:
    hits = found(briefbank, library_bank, "the officer", "--docket", "A-1482-17T4", "--include-weak")["hits"]
    assert isinstance(hits, list)
    assert {hit["docket"] for hit in hits} == {"A-1482-17T4"}


def test_a_search_can_be_kept_to_one_document(briefbank: Briefbank, library_bank: Path) -> None:
    everywhere = found(briefbank, library_bank, "the officer", "--include-weak", "--top-k", "50")["hits"]
    assert isinstance(everywhere, list)
    (first, *_) = sorted({hit["document_id"] for hit in everywhere})
    hits = found(briefbank, library_bank, "the officer", "--document", first, "--include-weak")["hits"]
    assert isinstance(hits, list)
    assert {hit["document_id"] for hit in hits} == {first}


def test_a_document_that_is_not_there_is_named(briefbank: Briefbank, library_bank: Path) -> None:
    refused = briefbank("search", "the officer", "--document", "nowhere", "--bank", library_bank)
    assert refused.code == 2
    assert "There is no document nowhere" in refused.err
