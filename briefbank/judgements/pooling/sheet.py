"""Pools and grades as files that people and programs fill in: CSV for a spreadsheet, JSON lines for the rest.

Both begin with the guide. A sheet is blind: it does not say which ranking brought a passage, nor at which rank.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

import msgspec

from briefbank.errors import SourceError
from briefbank.judgements.feedback.events import text_sha256
from briefbank.platform.files import COLLECTION_BYTES, read_bounded, write_atomic
from briefbank.platform.visible import table, text_of_cell

GRADES = range(4)
"""0 not useful, 1 marginal, 2 useful, 3 squarely useful, as the guide explains them."""

_COLUMNS = ("query_id", "query", "heading", "text", "grade", "note", "passage_id", "text_sha256")
_EMPTY_GRADE = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A passage to be graded for a query; `grade` is None until somebody has.

    `heading` is the path of headings above the passage. `text_sha256` tells whether the passage still reads as it did.
    """

    query_id: str
    query: str
    passage_id: str
    text_sha256: str
    heading: str
    text: str
    grade: int | None = None
    note: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What names the pair: query and passage."""
        return self.query_id, self.passage_id


class _Line(msgspec.Struct, frozen=True):
    """A line of a JSONL sheet as others may have written it: they may leave out what they need not repeat."""

    query_id: str
    passage_id: str
    query: str = ""
    text_sha256: str = ""
    heading: str = ""
    text: str = ""
    grade: int | str | None = None
    note: str = ""


def read_guide() -> str:
    """The guide that is put on top of every sheet, unless the caller has one of their own."""
    return files("briefbank.judgements.pooling").joinpath("guide.txt").read_text(encoding="utf-8").strip()


def write_sheet(pairs: Sequence[Pair], file: Path, guide: str) -> None:
    """Write a sheet; `.csv` for a spreadsheet, anything else as JSON lines. The file is for its owner alone.

    Raises:
        NoSpaceError, AccessError: it cannot be written.
    """
    lines = _csv(pairs, guide) if file.suffix.lower() == ".csv" else "".join(_json_lines(pairs, guide))
    write_atomic(file, lines.encode())


def read_sheet(file: Path) -> list[Pair]:
    """Read a sheet that `write_sheet` made, with whatever grades were filled in; pairs keep the order of the file.

    Raises:
        SourceError: the file is missing, is no sheet, repeats a pair, or holds a grade other than 0 to 3.
    """
    text = read_text(file, "Name a sheet that `briefbank feedback pool` made, saved in UTF-8.")
    lines = _read_csv(text, file) if file.suffix.lower() == ".csv" else _read_json(text, file)
    pairs: dict[tuple[str, str], Pair] = {}
    for number, line in lines:
        pair = _pair(line, file, number)
        if pair.key in pairs:
            raise _wrong(file, number, f"{pair.query_id} and {pair.passage_id} stand there twice")
        pairs[pair.key] = pair
    if not pairs:
        raise SourceError(f"{file} holds no pair to grade.", "Name a sheet that `briefbank feedback pool` made.")
    return list(pairs.values())


def _csv(pairs: Iterable[Pair], guide: str) -> str:
    filled = ({**asdict(pair), "grade": _EMPTY_GRADE if pair.grade is None else pair.grade} for pair in pairs)
    rows = ([each[name] for name in _COLUMNS] for each in filled)
    return table([*((line,) for line in guide.splitlines()), _COLUMNS, *rows], line_end="\n")


def _json_lines(pairs: Iterable[Pair], guide: str) -> Iterator[str]:
    yield json.dumps({"guide": guide}, ensure_ascii=False) + "\n"
    for pair in pairs:
        yield json.dumps(asdict(pair), ensure_ascii=False) + "\n"


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


def _read_csv(text: str, file: Path) -> Iterator[tuple[int, _Line]]:
    """The rows below the header; what stands above it is the guide."""
    reader = csv.reader(io.StringIO(text, newline=""))
    header: list[str] = []
    try:
        for row in reader:
            if not header:
                header = [name.strip().lower() for name in row] if "passage_id" in row else []
            elif any(row):
                cells = dict(zip(header, map(text_of_cell, row), strict=False))
                known = {name: cells[name] for name in _Line.__struct_fields__ if name in cells}
                yield reader.line_num, msgspec.convert({"query_id": "", "passage_id": "", **known}, _Line)
    except csv.Error as error:
        raise _wrong(file, reader.line_num, str(error)) from error


def _read_json(text: str, file: Path) -> Iterator[tuple[int, _Line]]:
    decoder = msgspec.json.Decoder(_Line)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not (number == 1 and line.lstrip().startswith('{"guide"')):
            try:
                yield number, decoder.decode(line)
            except msgspec.MsgspecError as error:
                raise _wrong(file, number, str(error)) from error


def _pair(line: _Line, file: Path, number: int) -> Pair:
    if not line.query_id or not line.passage_id:
        raise _wrong(file, number, "query_id or passage_id is missing")
    digest = line.text_sha256 or (text_sha256(line.text) if line.text else "")
    grade = _grade(line.grade, file, number)
    return Pair(line.query_id, line.query, line.passage_id, digest, line.heading, line.text, grade, line.note)


def _grade(value: int | str | None, file: Path, number: int) -> int | None:
    text = str(value if value is not None else _EMPTY_GRADE).strip()
    if text == _EMPTY_GRADE:
        return None
    if not text.isascii() or not text.isdigit() or int(text) not in GRADES:
        raise _wrong(file, number, f"the grade '{text[:20]}' is none of 0, 1, 2, 3")
    return int(text)


def _wrong(file: Path, number: int, what: str) -> SourceError:
    return SourceError(f"{file}, line {number}: {what}.", "Mend the line.")
