"""An invented judged collection in which questions and passages name the same matters in different words.

Words alone find nothing in it, so whatever ranks well has learned which words go together. No text of it is real.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote

MATTERS = (
    ("motorist", "driver"), ("cop", "trooper"), ("lawyer", "counsel"), ("sobbing", "crying"), ("gun", "firearm"),
    ("booze", "alcohol"), ("kid", "minor"), ("liar", "perjurer"), ("jail", "custody"), ("deal", "plea"),
)  # fmt: skip
"""The word of a question and that of a passage for each matter."""
_FILLER = "shade willow copper lantern meadow harbour pebble thicket ribbon saddle orchard marble".split()


def write_collection(
    folder: Path,
    *,
    is_noise: bool = False,
    questions: int = 36,
    seed: int = 7,
    matters: Sequence[tuple[str, str]] = MATTERS,
) -> Path:
    """Write a BEIR folder with `qrels/judged.tsv`: grades count the matters of a question in a passage.

    With `is_noise` the same grades are dealt out at random.
    """
    chance = random.Random(seed)
    passages = {}
    for number, (one, other) in enumerate(combinations(range(len(matters)), 2)):
        filler = chance.sample(_FILLER, 6)
        passages[f"p{number:02d}"] = ({one, other}, f"{matters[one][1]} {matters[other][1]} {' '.join(filler)}")
    asked = chance.sample(list(combinations(range(len(matters)), 3)), questions)
    lines = []
    for number, wanted in enumerate(asked):
        grades = [len(told & set(wanted)) for told, _ in passages.values()]
        if is_noise:
            chance.shuffle(grades)
        lines += [f"q{number:02d}\t{name}\t{grade}" for name, grade in zip(passages, grades, strict=True)]
    (folder / "qrels").mkdir(parents=True)
    _write_lines(folder / "corpus.jsonl", [{"_id": name, "text": text} for name, (_, text) in passages.items()])
    texts = [" ".join(matters[each][0] for each in wanted) for wanted in asked]
    _write_lines(folder / "queries.jsonl", [{"_id": f"q{n:02d}", "text": text} for n, text in enumerate(texts)])
    header = "query-id\tcorpus-id\tscore"
    (folder / "qrels" / "judged.tsv").write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return folder


def collection(folder: Path) -> Path:
    """Write a BEIR folder of two questions and four passages, with `qrels/dev.tsv`, into one that is there."""
    corpus = ["the kite flew over the harbour", "a string of lights", "balloons rise when heated", "harbour lights"]
    lines = [json.dumps({"_id": f"p{n}", "title": "", "text": text}) for n, text in enumerate(corpus)]
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    queries = [{"_id": "q 1", "text": "find me briefs about kites"}, {"_id": "q2", "text": "harbour lights"}]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    (folder / "qrels").mkdir()
    judged = "query-id\tcorpus-id\tscore\nq 1\tp0\t1\nq 1\tp2\t0\nq2\tp3\t3\nq2\tp1\t1\n"
    (folder / "qrels" / "dev.tsv").write_text(judged, encoding="utf-8")
    return folder


def read_trec_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read `QUERY 0 PASSAGE GRADE` lines, whose ids are percent-encoded."""
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, passage, grade = line.split(" ")
        qrels.setdefault(unquote(query), {})[unquote(passage)] = int(grade)
    return qrels


def _write_lines(path: Path, entries: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
