"""What learning from judgements is worth on a judged collection: by hand, `python tests/bench/learning.py FOLDER`.

Every recipe alone, and the choice among them, on questions that they had not seen: dealt out at random, and with all
questions of one kind held out together (a field of `metadata` in `queries.jsonl`).
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from briefbank.judgements.evaluate.beir import read_beir_qrels, read_corpus
from briefbank.judgements.evaluate.compare import Comparison, compare
from briefbank.judgements.evaluate.run import index_entries, queries_of
from briefbank.judgements.learn.collection import METRIC, JudgedCollection, prepare
from briefbank.judgements.learn.run import Groups, held_out, judge, random_groups
from briefbank.models.encoders import load_passage_encoder
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings


def main() -> None:
    args = _arguments()
    encoder = load_passage_encoder(Settings())
    entries = read_corpus(args.folder)
    texts = [f"{entry.title}\n{entry.text}".strip() for entry in entries]
    vectors = _vectors(args.cache, encoder, texts)
    qrels = read_beir_qrels(args.folder, args.qrels)
    with tempfile.TemporaryDirectory(prefix="briefbank-") as place:
        generation = index_entries(Path(place) / "collection", entries, texts, vectors, encoder)
        prepared = prepare(generation, Settings(), queries_of(args.folder, qrels), qrels, encoder, CancelToken())
        ids = [topic.id for topic in prepared.topics]
        for seed in range(args.seeds):
            _tell(f"five groups, seed {seed}", prepared, random_groups(ids, seed))
        if args.hold_out:
            _tell(f"{args.hold_out} held out", prepared, _by_kind(args.folder, args.hold_out, ids))


def _tell(title: str, prepared: JudgedCollection, groups: Groups) -> None:
    started = time.perf_counter()
    values = held_out(prepared, groups, CancelToken())
    nothing, *tried = values
    print(f"\n{title}: {len(prepared.topics)} questions, {METRIC}, {time.perf_counter() - started:.0f} s")
    for recipe in tried:
        print(_line(recipe.name, compare({METRIC: values[nothing]}, {METRIC: values[recipe]})[METRIC]))
    verdict = judge(values, groups)
    print(_line("chosen", verdict.gain), "adopted" if verdict.is_better else "not adopted", flush=True)


def _line(name: str, gain: Comparison) -> str:
    interval = f"[{100 * gain.low:+.1f}, {100 * gain.high:+.1f}]"
    return f"  {name:26}{100 * gain.a:6.1f} → {100 * gain.b:5.1f}  {100 * gain.difference:+.1f} {interval}"


def _by_kind(folder: Path, field: str, ids: list[str]) -> list[list[str]]:
    kinds = defaultdict(list)
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        if query["_id"] in ids:
            kinds[query["metadata"][field]].append(query["_id"])
    return list(kinds.values())


def _vectors(cache: Path | None, encoder: object, texts: list[str]) -> np.ndarray:
    if cache and cache.is_file():
        return np.load(cache)
    vectors = encoder.encode_passages(texts)
    if cache:
        np.save(cache, vectors)
    return vectors


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure what learning from a judged collection is worth.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a BEIR folder")
    parser.add_argument("--qrels", required=True, metavar="NAME", help="judgements: qrels/NAME.tsv")
    parser.add_argument("--seeds", type=int, default=2, metavar="N", help="deal the questions out so many times")
    parser.add_argument("--hold-out", metavar="FIELD", help="hold out questions together whose metadata have it alike")
    parser.add_argument("--cache", type=Path, metavar="FILE.npy", help="keep the passages' vectors for the next time")
    return parser.parse_args()


if __name__ == "__main__":
    main()
