"""Parsers under bytes that nobody would write: each answers, or says in words what is wrong.

Method: coverage-guided fuzzing (libFuzzer through Atheris) of every parser of ours, from small seeds in `parsers.py`.
The short runs change the seeds at random, by a fixed seed and without coverage; what was ever found lies in `finds/`
and is tried each time. The slow runs are Atheris itself, in processes of their own.

Longer: `make test-slow` with TRUST_FUZZ_S, the seconds a parser (default 20); or `python tests/trust/fuzz.py PARSER
FOLDER`, which goes on until it finds something. A find is written to crash-…: put it into `finds/` as PARSER.NAME, with
`-` for spaces, and mend what it found.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from parsers import PARSERS, feed, seeds_of
from program import ROOT, python_path

SECONDS = int(os.environ.get("TRUST_FUZZ_S", "20"))
ROUNDS = 60


def changed(chance: random.Random, data: bytes, words: tuple[bytes, ...]) -> bytes:
    """One to four changes: a byte, a stretch left out, doubled or repeated, a word put in."""
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + 40)
        data = chance.choice(
            (
                data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
                data[:at] + data[to:],
                data[:to] + data[at:],
                data[:at] + data[at:to] * chance.choice((3, 60)) + data[to:],
                data[:at] + chance.choice(words or (b"\xff",)) + data[at:],
            )
        )
    return data


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_answers_or_says_what_is_wrong(name: str) -> None:
    chance = random.Random(name)  # a seed, so that a failure can be repeated
    for seed in seeds_of(name):
        feed(name, seed)
        for _ in range(ROUNDS):
            feed(name, changed(chance, seed, PARSERS[name].words))


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 300)
@pytest.mark.parametrize("name", PARSERS)
def test_coverage_guided_fuzzing_finds_nothing(name: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="Atheris has no wheel for this Python or system")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(seeds_of(name)):
        (corpus / f"{number}").write_bytes(seed)
    words = [sys.executable, str(Path(__file__).parent / "fuzz.py"), name, str(corpus)]
    limits = [f"-max_total_time={SECONDS}", "-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1"]
    done = subprocess.run(
        [*words, *limits, f"-artifact_prefix={tmp_path}/"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": python_path(ROOT)},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS + 200,
        check=False,
    )
    found = [(path.name, path.read_bytes()) for path in tmp_path.iterdir() if path.is_file()]
    assert done.returncode == 0, f"{found}\n{done.stderr[-4000:]}"
    print(name, *(line for line in done.stderr.splitlines() if "number_of_executed_units" in line))
