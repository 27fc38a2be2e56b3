"""Pools and grades as files that people and programs fill in: CSV for a spreadsheet, JSON lines for the rest.

Both begin with the guide. A sheet is blind: it does not say which ranking brought a passage, nor at which rank.
Of several readers' sheets of one pool: their agreement, what a third reader must settle, and the judgements.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from statistics import median_low

import msgspec

from briefbank.errors import SourceError, UsageError
from briefbank.judgements.evaluate.beir import Qrels, read_text
from briefbank.judgements.feedback.agreement import Agreement, cohens_kappa, quadratic_kappa
from briefbank.judgements.feedback.events import text_sha256
from briefbank.platform.files import write_atomic
from briefbank.platform.visible import table, text_of_cell

GRADES = range(4)
"""0 not useful, 1 marginal, 2 useful, 3 squarely useful, as the guide explains them."""

_COLUMNS = ("query_id", "query", "heading", "text", "grade", "note", "passage_id", "text_sha256")
_EMPTY_GRADE = ""

USEFUL_FROM = 2
"""Grades from this on count as useful."""
ENOUGH_KAPPA = 0.7
"""Quadratic kappa from which two readers are taken to follow the same guide; below it the guide is to be revised."""


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
    if file.suffix.lower() == ".csv":
        filled = ({**asdict(pair), "grade": _EMPTY_GRADE if pair.grade is None else pair.grade} for pair in pairs)
        rows = ([each[name] for name in _COLUMNS] for each in filled)
        text = table([*((line,) for line in guide.splitlines()), _COLUMNS, *rows], line_end="\n")
    else:
        lines = ({"guide": guide}, *map(asdict, pairs))
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_atomic(file, text.encode())


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


@dataclass(frozen=True, slots=True)
class Compared:
    """Two readers over what both graded. `quadratic` weighs a difference of two grades four times one of one grade;
    None where it is not defined. `useful` is their agreement on useful or not.
    """

    first: str
    second: str
    pairs: int
    quadratic: float | None
    useful: Agreement


@dataclass(frozen=True, slots=True)
class Adjudication:
    """`settled` holds a grade for every pair on which the readers agree, or which enough of them have read; `disputed`
    the pairs that another reader must see, without grades; `ungraded` counts pairs that nobody has graded.
    """

    compared: tuple[Compared, ...]
    settled: tuple[Pair, ...]
    disputed: tuple[Pair, ...]
    ungraded: int


def adjudicate(sheets: Mapping[str, Sequence[Pair]]) -> Adjudication:
    """Compare the readers of a pool, one sheet each by name, and settle what can be settled.

    A pair that one reader graded has that grade. Two who differ by one grade on the same side of useful are settled by
    the lower one; two who differ more, or on whether it is useful, want a third. Three or more: their median, the lower
    of two middle ones.

    Raises:
        UsageError: there is no sheet, or sheets of different pools: a passage reads differently in two of them.
    """
    if not sheets:
        raise UsageError("No sheet was named.", "Name the graded sheets of one pool.")
    pairs = _pairs(sheets.values())
    grades: dict[tuple[str, str], list[int]] = {key: [] for key in pairs}
    for sheet in sheets.values():
        for pair in sheet:
            if pair.grade is not None:
                grades[pair.key].append(pair.grade)
    disputed = {key for key, given in grades.items() if _is_disputed(given)}
    settled = tuple(
        replace(pairs[key], grade=median_low(given), note="")
        for key, given in grades.items()
        if given and key not in disputed
    )
    return Adjudication(
        tuple(_compare(one, other, sheets) for one, other in combinations(sheets, 2)),
        settled,
        tuple(replace(pairs[key], grade=None, note="") for key in pairs if key in disputed),
        sum(not given for given in grades.values()),
    )


def qrels_of(pairs: Iterable[Pair]) -> Qrels:
    """The grades as judgements, explicit zeros included."""
    qrels: Qrels = {}
    for pair in pairs:
        if pair.grade is not None:
            qrels.setdefault(pair.query_id, {})[pair.passage_id] = pair.grade
    return qrels


def _pairs(sheets: Iterable[Sequence[Pair]]) -> dict[tuple[str, str], Pair]:
    """Every pair once, as the sheet that says most of it has it."""
    pairs: dict[tuple[str, str], Pair] = {}
    for sheet in sheets:
        for pair in sheet:
            known = pairs.setdefault(pair.key, pair)
            if known.text_sha256 and pair.text_sha256 and known.text_sha256 != pair.text_sha256:
                message = f"Passage {pair.passage_id} reads differently in two of the sheets."
                raise UsageError(message, "Name sheets of one pool.")
            if not known.text and pair.text:
                pairs[pair.key] = pair
    return pairs


def _is_disputed(grades: Sequence[int]) -> bool:
    if len(grades) != 2:
        return False
    low, high = sorted(grades)
    return high - low > 1 or (low < USEFUL_FROM <= high)


def _compare(one: str, other: str, sheets: Mapping[str, Sequence[Pair]]) -> Compared:
    first = {pair.key: pair.grade for pair in sheets[one] if pair.grade is not None}
    second = {pair.key: pair.grade for pair in sheets[other] if pair.grade is not None}
    both = [(first[key], second[key]) for key in first if key in second]
    useful = cohens_kappa([(a >= USEFUL_FROM, b >= USEFUL_FROM) for a, b in both])
    return Compared(one, other, len(both), quadratic_kappa(both, len(GRADES)), useful)
