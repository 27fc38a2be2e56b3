"""Annotated clauses: profiles mined out of them, and how well these find such clauses inside other documents."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from program import Briefbank

from briefbank.errors import ExitCode
from briefbank.judgements.evaluate.spans.metrics import (
    Presence,
    SpanOutcome,
    best_threshold,
    figures_of,
    fitted_thresholds,
    gain,
)

LAWS = ("New Jersey", "Delaware", "Texas", "Ohio", "Oregon", "Maine", "Iowa", "Utah")
FILLER = """The parties met in the spring and agreed on a plan. The goods are stored in a dry place and counted each
month. Deliveries are made on weekdays before noon. The buyer pays within thirty days of the invoice. Pallets are
returned clean. Reports are sent by mail. Prices are fixed for a year. The seller keeps records of each
order and of each return, and shows them when asked. Losses in transit are borne by the carrier. Samples are kept
for two years."""
ENCODER = '[bank]\nformat = "2.0"\n[settings]\nencoder = "hashing"\nworkers = 1\nsettle_s = 0.0\n'


def governing(law: str) -> str:
    return f"The law of {law} governs this contract, which is to be construed by it alone, whoever sues."


def insured(sum_: int) -> str:
    return f"Each party shall maintain commercial general liability insurance of at least {sum_} million dollars."


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path, Path]:
    """A folder of contracts, clauses of one half and of the other, and settings that need no model."""
    place = tmp_path_factory.mktemp("annotated")
    (place / "contracts").mkdir()
    halves: tuple[list[dict[str, str]], list[dict[str, str]]] = ([], [])
    for number, law in enumerate(LAWS):
        name = f"contract-{number}.txt"
        clauses = {"Governing Law": governing(law)} | ({"Insurance": insured(number + 2)} if number % 4 < 2 else {})
        sentences = FILLER.replace("\n", " ").split(". ")
        random.Random(number).shuffle(sentences)
        filler = [". ".join(sentences) + "." for _ in range(12)]
        for clause in clauses.values():
            filler.insert(3 + number, clause.replace(" and ", " and\n"))
        (place / "contracts" / name).write_text(f"{law.upper()} SUPPLY AGREEMENT\n\n" + "\n\n".join(filler) + "\n")
        halves[number % 2].extend([{"file": name, "category": key, "clause": value} for key, value in clauses.items()])
    for name, lines in zip(("mined.jsonl", "measured.jsonl"), halves, strict=True):
        (place / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (place / "bank.toml").write_text(ENCODER)
    return place / "contracts", place / "mined.jsonl", place / "measured.jsonl", place / "bank.toml"


def test_profiles_mined_from_clauses_find_others_of_their_kind(
    annotated: tuple[Path, Path, Path, Path], briefbank: Briefbank, tmp_path: Path
) -> None:
    folder, mined, measured, settings = annotated
    common = ("--cache", tmp_path / "cache", "--settings", settings, "--json")
    out = tmp_path / "profiles"
    made = briefbank("profile", "mine", "--spans", mined, folder, "--out", out, *common).json["profiles"]
    assert [each["name"] for each in made] == ["Governing Law", "Insurance"]
    assert any('governs contract"~5' in each for each in made[0]["keywords"])
    run = tmp_path / "run.txt"
    report = briefbank("evaluate", "--spans", measured, folder, "--profiles", out, "--run", run, *common).json
    assert report["spans"] == 6
    assert report["documents"] == 4
    assert report["missing"] == 0
    assert report["recall@5"] == report["recall@35000"] == 1.0
    assert report["presence_auc"] == 1.0
    assert report["by_category"]["Insurance"]["spans"] == 2
    assert report["by_size"]["0–9"]["spans"] == 6
    assert report["long"]["spans"] == 0
    assert report["long"]["recall@10"] is None
    assert report["over_question"]["recall@5"]["difference"] >= 0
    compared = briefbank("evaluate", "--spans", measured, folder, "--compare", run, run, *common).json
    assert compared["recall@5"] == {"a": 1.0, "b": 1.0, "difference": 0.0, "low": 0.0, "high": 0.0}
    refused = briefbank("evaluate", "--spans", measured, folder, "--profiles", tmp_path, *common)
    assert refused.code == ExitCode.USAGE
    assert "no profile for Governing Law" in refused.err


def test_a_checklist_is_fitted_to_clauses_and_measured_on_others(
    annotated: tuple[Path, Path, Path, Path], briefbank: Briefbank, tmp_path: Path
) -> None:
    contracts, mined, measured, settings = annotated
    folder = contracts / ".." / contracts.name  # a path that is not the shortest is the same folder
    common = ("--cache", tmp_path / "cache", "--settings", settings, "--json")
    both = tmp_path / "both.jsonl"
    both.write_text(mined.read_text() + measured.read_text())
    profiles, out = tmp_path / "profiles", tmp_path / "list.toml"
    briefbank("profile", "mine", "--spans", mined, folder, "--out", profiles, *common)
    made = briefbank("checklist", "fit", folder, "--spans", both, "--out", out, *common)
    assert made.json == {"file": str(out), "items": 2, "unfitted": ["Insurance"]}, "four documents are too few"
    shown = {each["name"]: each for each in briefbank("checklist", "show", out, "--json").json["items"]}
    assert shown["Governing Law"]["is_fitted"]
    assert shown["Governing Law"]["profile"] == "Governing Law"
    asked = ("evaluate", "--spans", measured, folder, "--checklist", out, *common)
    report = briefbank(*asked, "--profiles", profiles).json
    assert report["by_category"]["Governing Law"]["f1"] == 1.0
    assert report["spans"] == 6
    refused = briefbank(*asked)
    assert refused.code == ExitCode.USAGE
    assert "--profiles" in refused.err
    unknown = briefbank(*asked, "--profiles", profiles, "--category", "Audit")
    assert unknown.code == ExitCode.USAGE
    assert "has no item Audit" in unknown.err
    assert briefbank("checklist", "fit", folder, "--out", tmp_path / "b.toml", *common).code == ExitCode.USAGE
    few = ("--spans", mined, "--category", "Insurance", "--out", tmp_path / "c.toml")
    assert briefbank("checklist", "fit", folder, *few, *common).code == ExitCode.USAGE
    assert not (tmp_path / "c.toml").exists()


@pytest.mark.parametrize("line", ["no json", '{"file": "a.txt", "category": "x"}', '{"file": 1, "category": "x"}'])
def test_a_wrong_line_of_annotations_is_named(briefbank: Briefbank, tmp_path: Path, line: str) -> None:
    (tmp_path / "spans.jsonl").write_text(f"\n{line}\n")
    refused = briefbank("evaluate", "--spans", tmp_path / "spans.jsonl", tmp_path)
    assert refused.code == ExitCode.SOURCE_UNREADABLE
    assert "spans.jsonl, line 2" in refused.err


def outcome(file: str, *, hit: bool, is_told: bool = True, category: str = "a") -> SpanOutcome:
    return SpanOutcome(file, category, dict.fromkeys(("recall@5", "recall@10", "recall@35000"), hit), is_told, hit)


def test_figures_are_counted_as_they_are_defined() -> None:
    spans = [outcome("1", hit=True), outcome("1", hit=True), outcome("2", hit=False, is_told=False)]
    presences = [
        Presence("1", "a", 0.9, is_there=True, is_told=True),
        Presence("2", "a", 0.2, is_there=True, is_told=False),
        Presence("3", "a", 0.5, is_there=False, is_told=True),
        Presence("4", "a", 0.2, is_there=False, is_told=False),
    ]
    figures = figures_of(spans, presences, ["1", "2", "3", "4"])
    assert figures.metrics["recall@10"] == pytest.approx(2 / 3)
    assert figures.metrics["presence_auc"] == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert figures.metrics["f1"] == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    low, high = figures.intervals["recall@10"]
    assert low <= 2 / 3 <= high
    assert (low, high) == (0.0, 1.0)  # of two documents, either may be drawn twice


def test_a_gain_is_over_the_same_clauses_and_its_interval_over_documents() -> None:
    before = [outcome(str(number), hit=number % 2 == 0) for number in range(40)]
    after = [outcome(str(number), hit=True) for number in range(40)]
    difference, (low, high) = gain(before, after, "recall@5")
    assert difference == 0.5
    assert 0.3 < low < 0.5 < high < 0.7


def test_a_threshold_is_fitted_on_other_documents_than_it_is_used_on() -> None:
    assert best_threshold([(0.9, True), (0.7, True), (0.4, False), (0.2, False)]) == 0.7
    assert best_threshold([(0.4, False)]) == 0.0
    cases = [(f"{number}.txt", "a", number / 40, number >= 20) for number in range(40)]
    without = fitted_thresholds(cases)
    lied = [
        (file, category, strength, not there if file == "5.txt" else there) for file, category, strength, there in cases
    ]
    assert fitted_thresholds(lied)["5.txt", "a"] == without["5.txt", "a"]
