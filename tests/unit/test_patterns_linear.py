"""Every regular expression of the program takes time in proportion to the text, whatever stands in it.

The patterns are collected from the modules, from calls within functions and from the files of patterns, so that a new
one is tried without being named here. The clock is the processor time of this thread, and what is held against a bound
is how time grows, so that a busy machine changes nothing.
"""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import systems

import briefbank
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.behind_citation import _forms
from briefbank.law.catalogue import Catalogue
from briefbank.law.citations import PassageText, cite_document, load_patterns
from briefbank.law.grounding import Source
from briefbank.law.treatment import _left_out, _regexes
from briefbank.platform.regex import bounded

SHORT, LONG = 1_000, 4_000
HOPELESS_S = 2.0
"""At 4,000 letters; a file may have a hundred times as many."""
MOST_GROWTH = 9.0
"""Four times the text may take so many times as long; a square takes 16 times, a cube 64 times."""
AT_ONE_PLACE = "born_too:"
"""A group of forms that are tried only where a date of birth was just found, and never twice over the same words."""
UNITS = (
    "a|A|1|.|-| |(|)|[|\"|'|’|,|:|;|&|/|_|§|\n|\t|\xa0|…|*|ab |Ab |AB |A. |a. |A.|1 |12 |1.|1-|1,|1:|, |. |- |a-|A'|A,"
    "|A.\n|A |v. |In re |170 N.J. 632 |170 N.J. |State v. Carty, |(a)|(1)|(()|[]|a1|1a|\"a\" |'a' |see, |and |of the "
    "|the |et al. |at 1, |1 & |n. 1|Id. at 1 |¶ |§ 1|No. 1|Mr. A|A&|a@|@a|a.a|J.|one |one hundred |twenty-|March 1|3/3/"
    "|IV|I|X |.. |--|– |“a” |A-\n|\n\n| \n|1\n|a:|Points I, |$1|1:1|a, and |Tex. |New Jersey |,.|(quoting |see, |a(|(A"
).split("|")
EDGES = (
    ("a", "a", "!"),
    ("(", "A", ""),
    ('"', "a ", ""),
    ("(quoting ", "a ", ""),
    ("A", " ", "A"),
    ("1", " ", "!"),
    ("a", ".", "a"),
)


THINNED = [pytest.param(1, marks=pytest.mark.slow), 12]
"""Over all texts when there is time, else over one in twelve, which the plainest are among."""


def seeds(length: int) -> list[str]:
    """Texts that are one thing over and over, and the same between edges that make a match begin and fail."""
    plain = [unit * (length // len(unit)) for unit in UNITS]
    return plain + [left + unit * (length // len(unit)) + right for left, unit, right in EDGES]


def _modules() -> Iterator[Any]:
    for info in pkgutil.walk_packages(briefbank.__path__, "briefbank."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def _held(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The patterns that a value holds, in containers of any kind."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, (dict, list, tuple, set, frozenset)):
        for each in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _held(each, depth + 1)


def _in_functions(path: str) -> Iterator[tuple[int, re.Pattern[Any]]]:
    """The patterns that are written out in calls of `re`, with the flags given there."""
    compiling = frozenset({"compile", "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn"})
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in compiling):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.args):
            continue
        if isinstance(node.args[0], ast.Constant):
            flags = [each for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr.isupper()]
            yield node.lineno, re.compile(node.args[0].value, sum(getattr(re, each.attr) for each in flags))


@cache
def every_pattern() -> dict[str, re.Pattern[str]]:
    """All patterns of the program over text, by where they stand."""
    found: dict[str, re.Pattern[Any]] = {}
    for module in _modules():
        for name, value in vars(module).items():
            found.update({f"{module.__name__}.{name} {n}": each for n, each in enumerate(_held(value))})
        found.update({f"{module.__name__}:{line}": each for line, each in _in_functions(module.__file__ or "")})
    found.update({f"patterns.toml: {entry.title}": each for entry, each in load_patterns().regexes})
    found.update(
        {f"treatment.toml: {n}": each for n, each in enumerate([*(regex for _, regex in _regexes()), *_left_out()])}
    )
    found.update({f"treatment.py: {verb}": form for verb, _, form in _forms()})
    for name in (
        "anonymise/forms.toml",
        "anonymise/kept.toml",
        "anonymise/names.toml",
        "dockets.toml",
        "identifiers/forms.toml",
        "record_cites.toml",
    ):
        forms = Catalogue(name)
        for group, entries in forms.groups.items():
            found.update({f"{group}: {form.title}": forms.compiled(group, form) for form in entries})
            found.update({f"{group}: {form.title}, needs": re.compile(form.needs) for form in entries if form.needs})
    once = {(each.pattern, each.flags): where for where, each in reversed(found.items())}
    return {where: found[where] for (pattern, _), where in once.items() if isinstance(pattern, str)}


@cache
def free_s() -> float:
    """What costs no more is not looked at further: half of what the cheapest square costs on this machine."""
    return min(seconds(_all_matches(re.compile(r"\w+!")), "a" * LONG) for _ in range(3)) / 2


def seconds(work: Callable[[str], object], text: str) -> float:
    begin = time.thread_time()
    work(text)
    return time.thread_time() - begin


def grows_too_fast(work: Callable[[str], object], short: str, long: str) -> bool:
    """Whether four times the text takes much more than four times as long, each at its best of three."""
    once = seconds(work, long)
    if once <= free_s() or once > HOPELESS_S:
        return once > HOPELESS_S
    longer = min(once, seconds(work, long), seconds(work, long))
    return longer > free_s() and longer > MOST_GROWTH * min(seconds(work, short) for _ in range(3))


def _all_matches(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: sum(1 for _ in pattern.finditer(text))


def test_all_kinds_of_patterns_are_collected() -> None:
    where = " ".join(every_pattern())
    assert len(every_pattern()) > 500
    for known in ("citations.names._VERSUS", "structure.headings", "United States Code", "E-mail addresses", "front:"):
        assert known in where


def test_patterns_are_the_same_in_every_process() -> None:
    """Alternatives in the order of a set would find one thing today and another tomorrow."""
    script = "import test_patterns_linear as t; print(sorted(each.pattern for each in t.every_pattern().values()))"
    path = os.pathsep.join(filter(None, sys.path))
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    told = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path, "PYTHONUTF8": "1"},
        capture_output=True, encoding="utf-8", check=True,
    ).stdout  # fmt: skip
    assert told.strip() == str(sorted(each.pattern for each in every_pattern().values()))


@systems.clock
@pytest.mark.timeout(900)
@pytest.mark.parametrize("every", THINNED)
def test_every_pattern_takes_time_in_proportion_to_the_text(every: int) -> None:
    pairs = list(zip(seeds(SHORT), seeds(LONG), strict=True))[::every]
    slow = [
        f"{where} on {long[:12]!r}"
        for where, pattern in every_pattern().items()
        if not where.startswith(AT_ONE_PLACE)
        for short, long in pairs
        if grows_too_fast(_all_matches(pattern), short, long)
    ]
    assert slow == []


@systems.clock
def test_a_pattern_in_the_square_of_its_text_would_be_noticed() -> None:
    short, long = "a" * SHORT, "a" * LONG
    assert grows_too_fast(_all_matches(re.compile(r"\w+!")), short, long)
    assert not grows_too_fast(_all_matches(bounded(r"\w+!")), short, long)


@pytest.mark.parametrize(
    ("written", "compiled"),
    [
        (r"\s*a+[^\"]*?", r"\s{0,120}a{1,60}[^\"]{0,400}?"),
        (r"(?:ab)*.+", r"(?:ab){0,40}.{1,400}"),
        (r"a{2,}b{3}c{1,4}+", r"a{2,60}b{3}c{1,4}+"),
        (r"\++\}*[+*]x?+", r"\+{1,60}\}{0,60}[+*]x?+"),
        (r"a*+(?P<b>b)", r"a{0,60}+(?P<b>b)"),
    ],
)
def test_open_repeats_are_bounded_and_nothing_else_changes(written: str, compiled: str) -> None:
    assert bounded(written).pattern == compiled


def _cited(text: str) -> object:
    starts = [span.start for span in sentence_spans(text)]
    return cite_document([PassageText(text, starts)], load_patterns())


def _doubted(text: str) -> object:
    return Source(text).doubts(text[:400])


@systems.clock
@pytest.mark.parametrize("every", THINNED)
@pytest.mark.parametrize("work", [sentence_spans, _cited, _doubted])
def test_what_reads_a_passage_takes_time_in_proportion_to_it(work: Callable[[str], object], every: int) -> None:
    work("State v. Carty, 170 N.J. 632 (2002).")  # loads tables
    pairs = list(zip(seeds(SHORT), seeds(LONG), strict=True))[:: min(every, 4)]
    slow = [long[:12] for short, long in pairs if grows_too_fast(work, short, long)]
    assert slow == []


@pytest.mark.parametrize("work", [sentence_spans, _cited])
def test_a_word_of_300_000_letters_is_done_within_seconds(work: Callable[[str], object]) -> None:
    for letter in "aA":
        assert seconds(work, letter * 300_000) < 20
