"""Judged collections as files: BEIR folders, TREC runs and qrels. Knows nothing of search."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from briefbank.errors import SourceError
from briefbank.platform.files import COLLECTION_BYTES, read_bounded

Qrels = dict[str, dict[str, int]]
"""Grades by query id and passage id; what is absent was not judged."""
Run = dict[str, list[tuple[str, float]]]
"""Passage ids with their scores by query id, best first."""

_UNSAFE = re.compile(r"[\s%]|^[=+\-@]")
"""What would end a field, or be taken for a formula by a spreadsheet."""

_HEADER = ("query-id", "corpus-id", "score")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of `corpus.jsonl` or `queries.jsonl`."""

    id: str
    text: str
    title: str = ""


def read_corpus(folder: Path) -> list[Entry]:
    """The passages of a BEIR folder, in the order of the file. Raises SourceError, naming the line that is wrong."""
    return read_entries(folder / "corpus.jsonl")


def read_queries(folder: Path) -> list[Entry]:
    """The queries of a BEIR folder, in the order of the file. Raises SourceError, naming the line that is wrong."""
    return read_entries(folder / "queries.jsonl")


def read_entries(path: Path) -> list[Entry]:
    """The entries of a file of that form, in its order. Raises SourceError, naming the line that is wrong."""
    entries: dict[str, Entry] = {}
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for number, line in _lines(path):
        try:
            table = decode(line)
            entry = msgspec.convert({**table, "id": table.get("_id")}, Entry)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise _wrong(path, number, f"{error}") from error
        if entry.id in entries:
            raise _wrong(path, number, f"the id '{entry.id}' stands there twice")
        entries[entry.id] = entry
    return list(entries.values())


def read_query_labels(folder: Path) -> dict[str, dict[str, str]]:
    """Labels of queries: by field of `metadata` in `queries.jsonl`, the value of each query that has one.

    Values that are lists or tables are left out. Raises SourceError, naming the line that is wrong.
    """
    labels: dict[str, dict[str, str]] = {}
    path = folder / "queries.jsonl"
    for number, line in _lines(path):
        try:
            table = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise _wrong(path, number, f"{error}") from error
        metadata = table.get("metadata")
        for field, value in metadata.items() if isinstance(metadata, dict) else ():
            if isinstance(value, str | int | float):
                labels.setdefault(field, {})[str(table.get("_id"))] = str(value)
    return labels


def write_entries(path: Path, entries: Iterable[Entry]) -> None:
    """Write `corpus.jsonl` or `queries.jsonl`, line by line."""
    encode = msgspec.json.encode
    with path.open("wb") as file:
        file.writelines(encode({"_id": each.id, "title": each.title, "text": each.text}) + b"\n" for each in entries)


def write_beir(folder: Path, corpus: Iterable[Entry], queries: Iterable[Entry], qrels: Qrels, name: str) -> None:
    """Write passages, queries and `qrels/NAME.tsv` into a folder that is there; judgements of grade 0 are kept."""
    write_entries(folder / "corpus.jsonl", corpus)
    write_entries(folder / "queries.jsonl", queries)
    (folder / "qrels").mkdir(mode=0o700)
    with (folder / "qrels" / f"{name}.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerows([_HEADER, *_flat(qrels)])


def read_beir_qrels(folder: Path, name: str) -> Qrels:
    """Read `qrels/NAME.tsv`: query, passage and grade, tab-separated, with or without a header.

    Raises:
        SourceError: the file is missing (the message lists what there is), or a line is wrong.
    """
    path = folder / "qrels" / f"{name}.tsv"
    if not path.is_file():
        known = ", ".join(sorted(each.stem for each in path.parent.glob("*.tsv"))) or "none"
        raise SourceError(f"There are no judgements at {path}.", f"Judgements in this folder: {known}.")
    qrels: Qrels = {}
    for number, fields in _rows(path):
        if number == 1 and tuple(fields) == _HEADER:
            continue
        if len(fields) != len(_HEADER):
            raise _wrong(path, number, f"{len(fields)} fields stand where {len(_HEADER)} should")
        query, passage, grade = fields
        try:
            qrels.setdefault(query, {})[passage] = int(grade)
        except ValueError as error:
            raise _wrong(path, number, "the grade must be a whole number") from error
    return qrels


def write_trec_qrels(qrels: Qrels, path: Path) -> None:
    """Write `QUERY 0 PASSAGE GRADE` lines; white space, `%` and a formula's start in ids are percent-encoded."""
    lines = [f"{_safe(query)} 0 {_safe(passage)} {grade}\n" for query, passage, grade in _flat(qrels)]
    path.write_text("".join(lines), encoding="utf-8", newline="")


def read_trec_run(path: Path) -> Run:
    """Read `QUERY Q0 PASSAGE RANK SCORE TAG` lines; passages are ordered by rank. Raises SourceError."""
    ranked: dict[str, list[tuple[int, str, float]]] = {}
    for number, line in _lines(path):
        fields = line.split()
        if len(fields) != 6:
            raise _wrong(path, number, f"{len(fields)} fields stand where 6 should")
        query, _, passage, rank, score, _ = fields
        try:
            ranked.setdefault(unquote(query), []).append((int(rank), unquote(passage), float(score)))
        except ValueError as error:
            raise _wrong(path, number, "rank and score must be numbers") from error
    return {query: [(passage, score) for _, passage, score in sorted(hits)] for query, hits in ranked.items()}


def write_trec_run(run: Mapping[str, Sequence[tuple[str, float]]], path: Path, tag: str) -> None:
    """Write `QUERY Q0 PASSAGE RANK SCORE TAG` lines, with ids as `write_trec_qrels` writes them."""
    lines = [
        f"{_safe(query)} Q0 {_safe(passage)} {rank} {score!r} {_safe(tag)}\n"
        for query, hits in run.items()
        for rank, (passage, score) in enumerate(hits, start=1)
    ]
    path.write_text("".join(lines), encoding="utf-8", newline="")


def _flat(qrels: Qrels) -> Iterator[tuple[str, str, int]]:
    for query, grades in qrels.items():
        for passage, grade in grades.items():
            yield query, passage, grade


def _safe(identifier: str) -> str:
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), identifier)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The fields of the lines that are not blank, which may be quoted as spreadsheets do."""
    lines = list(_lines(path))
    rows = csv.reader((line for _, line in lines), delimiter="\t")
    try:
        yield from zip((number for number, _ in lines), rows, strict=False)
    except csv.Error as error:
        raise _wrong(path, lines[rows.line_num - 1][0], f"{error}") from error


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, numbered from 1."""
    text = read_text(path, "A collection has corpus.jsonl, queries.jsonl and qrels/, all of them in UTF-8.")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line.rstrip("\r")


def _wrong(path: Path, number: int, what: str) -> SourceError:
    return SourceError(f"{path}, line {number}: {what}.", "Mend the line.")


def read_text(file: Path, advice: str) -> str:
    """Read a text file that people made. Raises SourceError with that advice where it cannot be read as UTF-8."""
    try:
        return read_bounded(file, COLLECTION_BYTES).decode("utf-8-sig")
    except FileNotFoundError as error:
        raise SourceError(f"There is no file {file}.", advice) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{file} is not UTF-8.", advice) from error
    except OSError as error:
        raise SourceError(f"{file} cannot be read: {error.strerror}.", advice) from error
