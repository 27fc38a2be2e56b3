"""The evaluator of terms and connectors against one that reads the raw text of every passage, word by word."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from briefbank.index.surface import SurfaceBuilder, SurfacePostings
from briefbank.ingest.sentences import sentence_spans
from briefbank.search.connectors import Evaluated, Evaluator, parse
from briefbank.search.connectors.evaluate import BLOCK_ROWS

PLURALS = {
    "stop": "stops", "search": "searches", "party": "parties", "policeman": "policemen", "witness": "witnesses",
    "defendant": "defendants", "court": "courts", "knife": "knives", "analysis": "analyses", "consent": "consents",
}  # fmt: skip
FILLERS = tuple("the of a was not and or unlawfully suppressed suppression suppress warrant".split())
_CITED = " State v. Quince, 170 N.J. 632 (2002). ", " § 404(b)(2) "
ENDS = (". ", ". ", ", ", "; ", "? ", ".\n\n", " (", ") ", "—", *_CITED)
RANKS = {"or": 6, "+n": 5, "/n": 4, "+s": 3, "/s": 2, "+p": 1, "/p": 0, "&": -1, "%": -2}


def make_passage(random_: random.Random) -> str:
    parts = []
    for _ in range(random_.randint(0, 45)):
        singular, plural = random_.choice(list(PLURALS.items()))
        word = random_.choice((singular, singular, plural, f"{singular}'s", f"{singular}’s", f"{plural}'"))
        word = random_.choice(FILLERS) if random_.random() < 0.4 else word
        parts += [random_.choice((str.lower, str.lower, str.capitalize, str.upper))(word)]
        parts += [random_.choice(ENDS) if random_.random() < 0.2 else " "]
    return "".join(parts)


class RawText:
    """One passage as the brute-force evaluator sees it: words, the sentence and the paragraph of each."""

    def __init__(self, text: str) -> None:
        found = list(re.finditer(r"[A-Za-z0-9]+(?:['’][A-Za-z]+)*", text))
        self.words = [each.group().lower().replace("’", "'") for each in found]
        ends = [span.end for span in sentence_spans(text)]
        breaks = [each.end() for each in re.finditer(r"\n\n", text)]
        self.paragraph = [sum(each.start() >= place for place in breaks) for each in found]
        sentence = [sum(each.start() >= end for end in ends) for each in found]
        self.sentence = list(zip(sentence, self.paragraph, strict=True))

    def holds(self, tree: Any) -> bool:
        match tree:
            case ("&", left, right):
                return self.holds(left) and self.holds(right)
            case ("%", left, right):
                return self.holds(left) and not self.holds(right)
            case ("or", left, right):
                return self.holds(left) or self.holds(right)
            case _:
                return bool(self.matches(tree))

    def matches(self, tree: Any) -> set[tuple[int, int]]:
        match tree:
            case ("word", spec):
                return {(n, n) for n, word in enumerate(self.words) if fits(spec, word)}
            case ("phrase", specs, None):
                ends = range(len(self.words) - len(specs) + 1)
                is_at = [all(fits(spec, self.words[n + k]) for k, spec in enumerate(specs)) for n in ends]
                return {(n, n + len(specs) - 1) for n in ends if is_at[n]}
            case ("phrase", specs, slop):
                return {found for last in range(len(self.words)) for found in self.windows(specs, last, slop)}
            case ("or", left, right):
                return self.matches(left) | self.matches(right)
            case (sign, left, right):
                return self.pairs(sign, self.matches(left), self.matches(right))
        raise AssertionError(tree)

    def windows(self, specs: tuple[str, ...], last: int, slop: int) -> set[tuple[int, int]]:
        if not any(fits(spec, self.words[last]) for spec in specs):
            return set()
        for first in range(last, -1, -1):
            inside = self.words[first : last + 1]
            if all(sum(fits(spec, word) for word in inside) >= specs.count(spec) for spec in specs):
                return {(first, last)} if len(inside) <= len(specs) + slop else set()
        return set()

    def pairs(self, sign: str, left: set[tuple[int, int]], right: set[tuple[int, int]]) -> set[tuple[int, int]]:
        kept = set()
        for one in left:
            for other in right:
                forward = self.near(sign[1:], one, other)
                if forward or (sign[0] == "/" and self.near(sign[1:], other, one)):
                    kept |= {one, other}
        return kept

    def near(self, unit: str, before: tuple[int, int], after: tuple[int, int]) -> bool:
        if after[0] <= before[1]:
            return False
        if unit.isdigit():
            return after[0] - before[1] <= int(unit)
        numbers = self.sentence if unit == "s" else self.paragraph
        return len({numbers[place] for place in (*before, *after)}) == 1


def fits(spec: str, word: str) -> bool:
    if spec.startswith("#"):
        return word == spec[1:]
    if spec.endswith("!"):
        return word.startswith(spec[:-1])
    if "*" in spec:
        return re.fullmatch(spec.replace("*", "[a-z0-9]"), word) is not None
    return word in {form + end for form in (spec, PLURALS.get(spec, spec)) for end in ("", "'s")}


SPECS = st.one_of(
    st.sampled_from([*PLURALS, *FILLERS[:4], *FILLERS[7:]]),
    st.sampled_from(
        ["suppress!", "stop!", "sto*", "*top*", "wit**ss", "kni*es", "#stop", "#stops", "#court", "part!", "404"]
    ),
)
PHRASES = st.builds(
    lambda specs, slop: ("phrase", tuple(specs), slop),
    st.lists(SPECS, min_size=2, max_size=3),
    st.one_of(st.none(), st.integers(0, 6)),
)
SIGNS = st.sampled_from(["/s", "+s", "/p", "+p", "/1", "/3", "+3", "+1", "/12", "+12", "or"])
PLACED = st.recursive(
    st.one_of(st.builds(lambda spec: ("word", spec), SPECS), PHRASES),
    lambda parts: st.tuples(SIGNS, parts, parts),
    max_leaves=5,
)
TREES = st.recursive(PLACED, lambda parts: st.tuples(st.sampled_from(["&", "%", "or"]), parts, parts), max_leaves=4)


def rank(tree: Any) -> int:
    sign = tree[0]
    return 7 if sign in ("word", "phrase") else RANKS[re.sub(r"\d+", "n", sign)]


def written(tree: Any) -> str:
    """An expression as it is typed, with brackets only where the order of the connectors asks for them."""
    match tree:
        case ("word", spec):
            return str(spec)
        case ("phrase", specs, slop):
            return f'"{" ".join(specs)}"' + ("" if slop is None else f"~{slop}")
        case (sign, left, right):
            sides = [written(left), written(right)]
            # What is on the right needs them at the same rank too, since equals are read from the left.
            needs = (rank(left) < rank(tree), rank(right) <= rank(tree))
            sides = [f"({side})" if needed else side for side, needed in zip(sides, needs, strict=True)]
            return f"{sides[0]} {sign} {sides[1]}"
    raise AssertionError(tree)


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[RawText], SurfacePostings]:
    return build(11, tmp_path_factory.mktemp("surface") / "surface")


def build(seed: int, folder: Path, count: int = 10) -> tuple[list[RawText], SurfacePostings]:
    random_ = random.Random(seed)
    texts = [make_passage(random_) for _ in range(count)]
    builder = SurfaceBuilder()
    for text in texts:
        builder.add(text, [span.start for span in sentence_spans(text)])
    builder.write(folder)
    return [RawText(text) for text in texts], SurfacePostings(folder)


def check(tree: Any, raw: list[RawText], postings: SurfacePostings) -> None:
    text = written(tree)
    expected = [row for row, passage in enumerate(raw) if passage.holds(tree)]
    whole, in_blocks = (
        Evaluator(parse(text), postings, lambda field: np.arange(len(raw)), block_rows).found()
        for block_rows in (BLOCK_ROWS, 3)
    )
    assert whole.rows.tolist() == expected, text
    assert told(in_blocks) == told(whole), text


def told(found: Evaluated) -> object:
    times = {part: each.tolist() for part, each in found.times.items()}
    return found.rows.tolist(), times, {part: found.holders[part] for part in times}


@settings(max_examples=120)
@given(tree=TREES)
def test_what_is_found_is_what_reading_every_passage_finds(
    passages: tuple[list[RawText], SurfacePostings], tree: Any
) -> None:
    check(tree, *passages)


@pytest.mark.parametrize(("asked", "rows"), [
    ('"cross-examination"', [0, 1, 2]), ("cross\u2010examination", [0, 1, 2]), ('"cross examination"', [0, 1]),
    ('"the cross-examination of"', [0, 2]), ('"twenty-four-hour rule"', [3]), ('"may-be" % cross', [4]),
])  # fmt: skip
def test_words_that_a_hyphen_joins_are_found_where_they_are_one(tmp_path: Path, asked: str, rows: list[int]) -> None:
    builder = SurfaceBuilder()
    for text in ("The cross-examination of", "cross examinations", "the crossexamination of", "twentyfour-hour rule",
                 "may be"):  # fmt: skip
        builder.add(text, [0])
    builder.write(tmp_path / "surface")
    found = Evaluator(parse(asked), SurfacePostings(tmp_path / "surface"), lambda field: np.arange(5)).found()
    assert found.rows.tolist() == rows
