"""Learning curves out of files: how a figure grows with what was learned from. Must not know how it was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from briefbank.errors import SourceError
from briefbank.platform.files import TABLE_BYTES, read_bounded

_COLUMNS = ("size", "figure", "low", "high")
_PATTERN = "learning-curve*.tsv"
_ADVICE = f"Write a line a point, tab-separated: {', '.join(_COLUMNS)}."


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A figure reached with `size` judged queries, or whatever was counted, and its interval."""

    size: float
    figure: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """Points by size, under the name of their file."""

    name: str
    points: tuple[CurvePoint, ...]


def read_learning_curves(files: Sequence[Path], folder: Path) -> tuple[LearningCurve, ...]:
    """Read the files named, or where none is those of the collection's folder, `learning-curve*.tsv`.

    Raises:
        SourceError: a file is missing or cannot be read, or a line is wrong, which is named.
    """
    return tuple(_read(file) for file in files or sorted(folder.glob(_PATTERN)))


def _read(file: Path) -> LearningCurve:
    try:
        text = read_bounded(file, TABLE_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{file} is not UTF-8.", "Save it as UTF-8.") from error
    except OSError as error:
        raise SourceError(f"{file} cannot be read: {error.strerror}.", "Name a file with a learning curve.") from error
    lines = [(number, line.split("\t")) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and lines[0][1] == list(_COLUMNS):
        del lines[0]
    points = [_point(file, number, fields) for number, fields in lines]
    if not points:
        raise SourceError(f"{file} holds no point of a learning curve.", _ADVICE)
    return LearningCurve(file.stem, tuple(sorted(points, key=lambda point: point.size)))


def _point(file: Path, number: int, fields: list[str]) -> CurvePoint:
    try:
        size, figure, low, high = map(float, fields)
    except ValueError as error:
        raise SourceError(f"{file}, line {number}: four numbers are expected.", _ADVICE) from error
    if not all(map(math.isfinite, (size, figure, low, high))) or size <= 0 or not low <= figure <= high:
        what = "the size must be above 0, and the figure from low to high"
        raise SourceError(f"{file}, line {number}: {what}.", _ADVICE)
    return CurvePoint(size, figure, low, high)
