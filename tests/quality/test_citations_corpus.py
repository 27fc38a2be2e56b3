"""Citation search on real filings, held against an exhaustive reading of every passage by rules of its own.

The rules below were checked by reading what they find. They know no eyecite and no code of the program: a passage cites
a case where it has its volume, reporter and page; volume and reporter with a page of that case; its name, not followed
by another citation; its name with *supra*; or *id.* right after any of these, with no other citation or record cite
between them.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from briefbank.index.authorities import AuthoritiesBuilder, AuthorityPostings
from briefbank.ingest.readers import read_file
from briefbank.ingest.structure import structure
from briefbank.law.citations import PassageText, citations_in_query, cite_document, load_patterns
from briefbank.platform.settings import Settings
from briefbank.values.records import BlockRole

BRIEFS = Path(__file__).parents[2] / ".." / "shared" / "corpora" / "briefs"
AUTHORITIES = 200
SEED = 2024
LEAST_RECALL, LEAST_PRECISION = 0.985, 0.98
"""Recall is 0.99 where every difference is judged by reading; a few of the differences are faults of the rules here."""

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not BRIEFS.is_dir(), reason="the corpus of real briefs is not beside the project"),
]

_REPORTERS = {
    "sw3d": ("S.W.3d", r"S\.?\s?W\.?\s?3d"), "sw2d": ("S.W.2d", r"S\.?\s?W\.?\s?2d"), "us": ("U.S.", r"U\.?\s?S\.?"),
    "sct": ("S. Ct.", r"S\.\s?Ct\.?"), "f3d": ("F.3d", r"F\.?\s?3d"), "f2d": ("F.2d", r"F\.?\s?2d"), "wl": ("WL", "WL"),
}  # fmt: skip
_FULL = re.compile(
    rf"(?<![\d-])(\d{{1,4}})\s+({'|'.join(form for _, form in _REPORTERS.values())}),?\s+(\d{{1,8}})\b(?!\s+[SUF]\.)"
)
_RECORD = r"\b\d*\s?R\.?R\.?\s?\d*[:.,\s]+\d|\bC\.?R\.?[:.,\s]+\d|\bTr\.|\bVol\.\s?\d|\bEx\."
_ANY = re.compile(
    r"(?<![\d-])(?P<v>\d{1,4})\s+(?P<r>[A-Z][A-Za-z.]*\.?(?:\s?[A-Z][A-Za-z.]*\.?){0,2}\s?(?:2d|3d|4th)?|WL)\.?,?\s+"
    rf"(?P<at>at\s+)?(?P<p>\d{{1,8}})\b|(?P<id>\bId\b[.,]|\bid\.)|(?P<url>https?:)|(?P<record>{_RECORD})"
    r"|(?P<law>§+\s*\d|\b[Aa]rt(?:\.|icle)\s*\d|\bRules?\s+\d|Evid\.\s+\d|P\.\s+\d+\.\d)"
    r"|(?P<name>[A-Z][\w'’.-]+,?\s+vs?\.\s+[A-Z][\w'’.-]+(?!,?\s+(?:\d+\s+[A-Z]|No\.)))"
)
_NAMED = re.compile(
    r"([A-Z][\w'’.-]+(?:\s+[A-Z][\w'’.-]+)?)\s+vs?\.\s+([A-Z][\w'’.-]+(?:\s+[A-Z&][\w'’.-]*)*),\s*(?:\d+\s+\S+\s+\d+,\s*)?\Z"
)
_PARENTHESIS = re.compile(r"\(\s*(?:[\w,. ]*\b)?(?:quoting|citing|discussing|relying|see|cf)", re.IGNORECASE)

Case = tuple[str, str, str]


class Page(NamedTuple):
    """A passage of the check: the number of its document, its section and its text."""

    document: int
    section: object
    text: str


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    """All blocks of a section that lie on one page make a passage; no encoder is needed for that."""
    found = []
    for number, path in enumerate(sorted(BRIEFS.glob("*.pdf"))):
        structured = structure(read_file(path, Settings()))
        for place, section in enumerate(structured.sections):
            blocks = [block for block in structured.blocks if section.span.start <= block.span.start < section.span.end]
            by_page: dict[int, list[str]] = defaultdict(list)
            for block in blocks:
                is_note = block.role is BlockRole.FOOTNOTE
                by_page[block.page_first].append(structured.text[slice(*block.span)].rstrip() + "\n\n" * is_note)
            found += [Page(number, place, "\n\n".join(texts).strip()) for texts in by_page.values()]
    return found


def case(match: re.Match[str], volume: str | int = 1, reporter: str | int = 2, page: str | int = 3) -> Case:
    return match[volume], re.sub(r"[^a-z0-9]", "", match[reporter].lower()), match[page]


class Check:
    """The exhaustive reading."""

    def __init__(self, pages: list[Page]) -> None:
        self.pages = pages
        self.by_document: dict[int, list[int]] = defaultdict(list)
        self.cited: dict[Case, set[int]] = defaultdict(set)
        for row, page in enumerate(pages):
            self.by_document[page.document].append(row)
            for match in _FULL.finditer(page.text):
                self.cited[case(match)].add(row)

    def parallels(self, asked: Case) -> set[Case]:
        same = {asked}
        for row in self.cited[asked]:
            text = self.pages[row].text
            for one, other in pairwise(_FULL.finditer(text)):
                gap = text[one.end() : other.start()]
                both = {case(one), case(other)}
                if len(gap) < 60 and re.fullmatch(r"[\s,\d\-–&n.*]*", gap) and both & same and one[2] != other[2]:
                    same |= both
        return same

    def citing(self, asked: Case) -> set[int]:
        """The rows of the passages that cite a case."""
        same = self.parallels(asked)
        found = set().union(*(self.cited[each] for each in same))
        for document in {self.pages[row].document for row in found}:
            found |= set(self._in_document(document, same))
        return found

    def _in_document(self, document: int, same: set[Case]) -> Iterator[int]:
        rows = self.by_document[document]
        names = {name for row in rows for name in self._names(self.pages[row].text, same)}
        is_last, section = False, None
        for row in rows:
            page = self.pages[row]
            is_last = is_last and page.section == section
            section = page.section
            if any(self._is_named(page.text, *name, same) for name in names):
                yield row
            for match in _ANY.finditer(page.text):
                is_it = self._is_it(match, same, names, document, was_last=is_last)
                if is_it and (match["id"] or match["at"]):
                    yield row
                if match["id"] is None and not _is_nested(page.text, match.start()):
                    is_last = is_it

    def _is_it(
        self, match: re.Match[str], same: set[Case], names: set[tuple[str, str]], document: int, *, was_last: bool
    ) -> bool:
        if match["id"]:
            return was_last
        if match["name"]:
            return any(first in match["name"] and match["name"].endswith(second) for first, second in names)
        if not match["v"]:
            return False
        found = case(match, "v", "r", "p")
        return found in same if not match["at"] else any(self._begins(found, each, document) for each in same)

    def _begins(self, short: Case, full: Case, document: int) -> bool:
        """Whether a page lies in a case: in its volume, behind its beginning, before the next one that is cited."""
        begins = [
            int(other[2])
            for other, rows in self.cited.items()
            if other[:2] == short[:2] == full[:2] and any(self.pages[row].document == document for row in rows)
        ]
        return int(full[2]) == max((begin for begin in begins if begin <= int(short[2])), default=-1)

    def _names(self, text: str, same: set[Case]) -> Iterator[tuple[str, str]]:
        for match in _FULL.finditer(text):
            named = _NAMED.search(text[max(0, match.start() - 90) : match.start()])
            if case(match) in same and named:
                yield named[1].split()[-1], named[2].split()[0]

    def _is_named(self, text: str, first: str, second: str, same: set[Case]) -> bool:
        called = first if second in ("State", "United", "Texas") else second
        if re.search(rf"{re.escape(called)},?\s+\(?supra", text):
            return True
        volumes = {each[0] for each in same}
        for match in re.finditer(rf"{re.escape(first)},?\s+vs?\.\s+{re.escape(second)}(?:\s+[A-Z][\w.]*)*", text):
            other = re.match(
                r",?\s*(?:No\.[^;]{0,60},\s*)?(\d{1,4})\s+(?:S\.?\s?W|U\.|F\.|S\.|WL|Tex)", text[match.end() :]
            )
            if other is None or other[1] in volumes:
                return True
        return False


def _is_nested(text: str, start: int) -> bool:
    opening = text.rfind("(", max(0, start - 300), start)
    return opening >= 0 and ")" not in text[opening:start] and bool(_PARENTHESIS.match(text, opening))


def test_every_passage_that_cites_a_case_is_found(pages: list[Page], tmp_path: Path) -> None:
    patterns = load_patterns()
    builder = AuthoritiesBuilder(patterns)
    check = Check(pages)
    for rows in check.by_document.values():
        builder.add(cite_document([PassageText(pages[row].text, [0], pages[row].section) for row in rows], patterns))
    builder.write(tmp_path / "cited")
    postings = AuthorityPostings(tmp_path / "cited")
    right = missed = wrong = 0
    for asked in random.Random(SEED).sample(sorted(check.cited), AUTHORITIES):
        written = f"{asked[0]} {_REPORTERS[asked[1]][0]} {asked[2]}"
        keys = [key for each in citations_in_query(written, patterns, postings.known) for key in each.keys]
        found, expected = set(postings.rows(keys)[0].tolist()), check.citing(asked)
        right += len(found & expected)
        missed += len(expected - found)
        wrong += len(found - expected)
    recall, precision = right / (right + missed), right / (right + wrong)
    print(f"{right} found, {missed} missed, {wrong} wrong: recall {recall:.4f}, precision {precision:.4f}")
    assert recall >= LEAST_RECALL
    assert precision >= LEAST_PRECISION
