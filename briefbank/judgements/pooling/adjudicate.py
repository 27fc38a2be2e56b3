"""What several readers' grades of one pool become: their agreement, what a third reader must settle, and judgements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median_low

from briefbank.errors import UsageError
from briefbank.judgements.evaluate.beir import Qrels
from briefbank.judgements.feedback.agreement import Agreement, cohens_kappa, quadratic_kappa
from briefbank.judgements.pooling.sheet import GRADES, Pair

USEFUL_FROM = 2
"""Grades from this on count as useful."""
ENOUGH_KAPPA = 0.7
"""Quadratic kappa from which two readers are taken to follow the same guide; below it the guide is to be revised."""


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
