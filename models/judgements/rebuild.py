"""Puts the graded judgements and the passages of a bank together again, as a BEIR folder.

    python models/judgements/rebuild.py BANK OUT_FOLDER [headings]

The third word takes the set of that folder in place of the large one.
The judgements name passages by digests of their texts, so that no text of a brief lies beside them.
"""

from __future__ import annotations

import csv
import shutil
import sys
from pathlib import Path

from briefbank.bank.local import Bank
from briefbank.judgements.evaluate.beir import Entry, Qrels, write_beir
from briefbank.judgements.feedback.events import text_sha256

HERE = Path(__file__).resolve().parent
DIGITS = 16
"""Digits of a digest that are kept: enough to tell a million passages apart."""


def rebuild(bank: Bank, judgements: Path, out: Path) -> tuple[int, int]:
    """Write `corpus.jsonl` (every passage of the bank), `queries.jsonl` and `qrels/graded.tsv` into the new folder
    `out`; return how many grades were found again, and how many are gone.
    """
    passages = [passage for document in bank.documents() for passage in bank.passages_of(document.id)]
    digests = {passage.id: text_sha256(passage.text)[:DIGITS] for passage in passages}
    ids = {digest: passage for passage, digest in reversed(digests.items())}  # of the same text, the first
    qrels: Qrels = {}
    gone = 0
    with (judgements / "grades.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            named, digest = row["passage-id"], row["text-sha256"]
            passage = named if digests.get(named) == digest else ids.get(digest)
            if passage is None:
                gone += 1
            else:
                qrels.setdefault(row["query-id"], {})[passage] = int(row["grade"])
    out.mkdir()
    write_beir(out, (Entry(passage.id, passage.text) for passage in passages), (), qrels, "graded")
    shutil.copyfile(judgements / "queries.jsonl", out / "queries.jsonl")
    return sum(map(len, qrels.values())), gone


if __name__ == "__main__":
    found, lost = rebuild(Bank.open(Path(sys.argv[1])), HERE.joinpath(*sys.argv[3:]), Path(sys.argv[2]))
    sys.stdout.write(f"{found} grades put together, {lost} whose passages are not in this bank\n")
