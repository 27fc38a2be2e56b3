"""How well it is read out of a sentence that a decision is good law no longer, on sentences that people marked."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from briefbank.errors import SourceError
from briefbank.law.treatment import is_negative
from briefbank.platform.files import TABLE_BYTES, read_bounded

_COLUMNS = ["overruling", "sentence"]
_ADVICE = "It needs the columns overruling (0 or 1) and sentence, parted by tabs, in UTF-8."


@dataclass(frozen=True, slots=True)
class TreatmentFigures:
    """Precision, recall and F1 (0 to 1) over sentences; 0 where nothing was found or nothing was to be found."""

    sentence_count: int
    overruling_count: int
    precision: float
    recall: float
    f1: float


def measure_treatment(table: Path) -> TreatmentFigures:
    """Measure `law.treatment.is_negative` on a table of sentences.

    Raises:
        SourceError: the table cannot be read, or is not of that form.
    """
    found = [(is_marked, is_negative(sentence)) for is_marked, sentence in _read(table)]
    both = sum(is_marked and is_found for is_marked, is_found in found)
    to_find, told = sum(is_marked for is_marked, _ in found), sum(is_found for _, is_found in found)
    return TreatmentFigures(
        sentence_count=len(found),
        overruling_count=to_find,
        precision=both / told if told else 0.0,
        recall=both / to_find if to_find else 0.0,
        f1=2 * both / (told + to_find) if told + to_find else 0.0,
    )


def _read(table: Path) -> list[tuple[bool, str]]:
    try:
        lines = read_bounded(table, TABLE_BYTES).decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{table} cannot be read: {error}.", _ADVICE) from error
    rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or rows[0] != _COLUMNS:
        raise SourceError(f"{table} has other columns.", _ADVICE)
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(_COLUMNS) or row[0] not in ("0", "1"):
            raise SourceError(f"{table}, line {number}, is not of that form.", _ADVICE)
    return [(row[0] == "1", row[1]) for row in rows[1:]]
