"""Coverage-guided fuzzing of one parser: `python fuzz.py PARSER FOLDER [libFuzzer's options]`; see test_fuzzing.py."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["briefbank", "email", "html", "csv", "tomllib"]):
    import parsers

    for seed in parsers.seeds_of(sys.argv[1]):  # imports what the parser needs, and instruments it
        parsers.feed(sys.argv[1], seed)


def one(data: bytes) -> None:
    parsers.feed(name, data)


name = sys.argv.pop(1)
atheris.Setup(sys.argv, one)
atheris.Fuzz()
