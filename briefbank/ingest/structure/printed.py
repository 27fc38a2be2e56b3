"""Which number is printed on which page: numbers at the head and foot of pages, held against their sequence.

A number counts only where it goes on from the numbers of other pages; those that head a list or end a line of a table
do not. A page whose number is at odds with the others has none, since a wrong one would be cited. Must not know what
the numbers are for.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from briefbank.ingest.structure.numbering import roman_value
from briefbank.platform.regex import bounded
from briefbank.values.page_numbers import FoundAt, NumberStyle, PageRun

LONGEST_NUMBER = 20
"""Characters of a line that holds a page number and nothing else (`Page 12 of 45`)."""
ROMAN = r"(?=[ivxl])x{0,3}l?x{0,3}(?:ix|iv|v?i{0,3})"
PAGE_NUMBER = bounded(
    rf"[-–—~|\[(.\s]*+(?:p(?:age|g|\.)?[-–—|.\s]*+)?(\d{{1,4}}|{ROMAN})(?:\s*(?:of|/)\s*\d{{1,4}})?[-–—~|\])._\s]*",
    re.IGNORECASE,
)
"""A line that is a page number and nothing else."""
_MARKED = bounded(
    r"[-–—~|\[({<.*_\s]*+(?:p(?:\s?a\s?g\s?e|g)?(?=[\W\d])[-–—|.:\s]*+)?(?P<n>[0-9a-z|!]{1,7}?)(?P<a>[a-e]?)"
    r"(?:\s*(?:of|/)\s*\d{1,4})?(?:[\s|~-]*+p\s?a\s?g\s?e)?[-–—~|\])}>.*_\s]*",
    re.IGNORECASE,
)
_PREFIXED = re.compile(r"(?P<prefix>(?P<word>[A-Z][A-Za-z]{0,4})\.?[-–\s]?)(?P<n>[1-9]\d{0,3})(?P<a>[a-e]?)", re.ASCII)
_NO_PREFIX = frozenset(
    "p pg page no nos of vol v ch sec art rule tab ex exs exh part point issue count item day step fig table doc dkt "
    "note fn line at in and to rr cr row lot box map car bag jan feb mar apr may jun jul aug sep oct nov dec".split()
)
"""Words before a number that count something else than pages: an exhibit's tab, volumes and records that are cited."""
_LONG_PREFIX = ("app", "supp", "add")
"""How words of four letters and more begin that number an appendix, where a space parts them from the number: others
("Photo 4", "Juror 7", "June 3") count what the page shows, and must not win over the page's own number."""
_ROMAN_NUMBER = re.compile(ROMAN, re.IGNORECASE)
_MISREAD = str.maketrans("1lI|!L", "iiiiii")
_MISREAD_DIGITS = str.maketrans("lI|!O", "11110")
_STAMP = bounded(r"\b(?:filed|entered|received|pageid|page id|entry id|document|ecf|dkt)\b", re.IGNORECASE)
"""Words of the line that a court's system prints over every page, whose number is the sheet's and not the brief's."""
_STAMP_PT = 26.0
"""How near the upper edge courts print their stamps; word processors leave half an inch (36 points) there."""
_OPENS_LIST = bounded(r"\(?[0-9a-z]{1,7}[.)]", re.IGNORECASE)
_NUMBER_WORD = bounded(r"[-–—|\[(.]*([1-9]\d{0,3})[-–—|\]).,]*")
_LEAST_PAGES = 3
"""Pages whose numbers follow on one another, from which they are certain."""
_LEAST_SURE = 2
"""So many of them must be read as they are printed; the others may be misread in a way that fits."""
_MOST_UNPRINTED = 6
"""Pages in a row that may bear no number between two that do."""
_PLACE_STEP_PT = 8.0
"""By how much a page number may stand higher or lower from page to page."""


class PrintedNumber(NamedTuple):
    """A number as it can be read: what stands around it, and whether that is as it is printed (`is_sure`), or one that
    OCR may have misread ("lv").
    """

    number: int
    style: NumberStyle = NumberStyle.ARABIC
    prefix: str = ""
    suffix: str = ""
    is_sure: bool = True


class EdgeNumber(NamedTuple):
    """A number at the edge of a sheet, which may be the page's: where it stands, and whether alone on its line."""

    sheet: int
    printed: PrintedNumber
    found: FoundAt
    y_pt: float
    is_alone: bool

    @property
    def series(self) -> tuple[bool, str, str, int]:
        """What is the same for all pages that are numbered in one count."""
        printed = self.printed
        is_roman = printed.style is not NumberStyle.ARABIC
        return is_roman, printed.prefix.rstrip(" .-–"), printed.suffix, printed.number - self.sheet

    @property
    def place(self) -> tuple[FoundAt, int]:
        """Where on the page it stands, in steps of a line's height."""
        return self.found, round(self.y_pt / _PLACE_STEP_PT)

    def is_placed_like(self, other: EdgeNumber) -> bool:
        """Whether both stand alone at one height of their pages."""
        is_level = self.found is other.found and abs(self.y_pt - other.y_pt) < _PLACE_STEP_PT
        return is_level and self.is_alone and other.is_alone


def number_alone(text: str) -> list[PrintedNumber]:
    """The numbers that a line can be read as which holds nothing else; none where it cannot be a page number."""
    if len(text) > LONGEST_NUMBER:
        return []
    found = _MARKED.fullmatch(text)
    if found and (readings := list(_readings(found["n"], found["a"]))):
        return readings
    found = _PREFIXED.fullmatch(text.strip("-–—~|[]()._ "))
    if found and _numbers_pages(found["word"].lower(), is_joined=found["prefix"] == found["word"]):
        return [PrintedNumber(int(found["n"]), NumberStyle.ARABIC, found["prefix"], found["a"])]
    return []


def _numbers_pages(word: str, *, is_joined: bool) -> bool:
    """Whether a word before a number is the prefix of an appendix; joined to it any may be, as on stamped sheets."""
    return word not in _NO_PREFIX and (len(word) <= 3 or is_joined or word.startswith(_LONG_PREFIX))


def _readings(figures: str, suffix: str) -> Iterator[PrintedNumber]:
    if figures.isdecimal() and len(figures) <= 4 and figures[0] != "0":
        yield PrintedNumber(int(figures), NumberStyle.ARABIC, "", suffix)
    elif suffix:
        return
    is_one_case = figures.islower() or figures.isupper()
    if is_one_case and _ROMAN_NUMBER.fullmatch(figures):
        style = NumberStyle.ROMAN if figures.islower() else NumberStyle.CAPITAL_ROMAN
        yield PrintedNumber(roman_value(figures), style)
    mended = figures.translate(_MISREAD).lower()
    if mended != figures.lower() and figures != "1" and _ROMAN_NUMBER.fullmatch(mended):
        yield PrintedNumber(roman_value(mended), NumberStyle.ROMAN, is_sure=False)
    digits = figures.translate(_MISREAD_DIGITS)
    if digits != figures and digits.isdecimal() and len(digits) <= 3 and digits[0] != "0":
        yield PrintedNumber(int(digits), is_sure=False)


def numbers_within(text: str) -> list[PrintedNumber]:
    """The numbers in a running head or foot, any of which may be the page's; none in a stamp of a court's system."""
    words = text.split()
    if not words or _STAMP.search(text):
        return []
    found = [
        PrintedNumber(int(match[1])) for word in words if (match := _NUMBER_WORD.fullmatch(word)) and match[1][0] != "0"
    ]
    last = words[-1].strip("-–—|[]().")
    if last.islower() and _ROMAN_NUMBER.fullmatch(last):
        found.append(PrintedNumber(roman_value(last), NumberStyle.ROMAN))
    return found


def edge_numbers(
    text: str, sheet: int, y_pt: float, *, is_top: bool, is_apart: bool, is_running: bool
) -> list[EdgeNumber]:
    """The numbers in a line at the head or foot of a sheet, at the height `y_pt`. One that is all of its line counts
    where the line `is_apart` from the text, since footnotes and lists begin with numbers; others count where the line
    comes again on other pages. With a full stop or bracket a number opens a list at the head of a page.
    """
    if is_top and (y_pt < _STAMP_PT or _OPENS_LIST.fullmatch(text)):
        return []
    alone = number_alone(text)
    if alone and not is_apart:
        return []
    found = alone or (numbers_within(text) if is_running else [])
    place = FoundAt.HEAD if is_top else FoundAt.FOOT
    return [EdgeNumber(sheet, printed, place, y_pt, is_alone=bool(alone)) for printed in found]


Chain = list[EdgeNumber]
"""Numbers of one count, at most one for each sheet, in order."""


def page_runs(numbers: Sequence[EdgeNumber]) -> tuple[PageRun, ...]:
    """The numbers that pages certainly bear, as runs of sheets in order."""
    chains = list(_chains(numbers))
    certain = [chain for chain in chains if len(chain) >= _LEAST_PAGES and _sure_count(chain) >= _LEAST_SURE]
    places = frozenset(each.place for chain in certain for each in chain if each.is_alone)
    certain += [chain for chain in chains if _is_short_but_certain(chain, places)]
    won = _won(certain)
    labels = {each.sheet: _label(chain, each.sheet, each.found) for chain in won for each in chain}
    on_sheet: dict[int, list[EdgeNumber]] = defaultdict(list)
    for each in numbers:
        on_sheet[each.sheet].append(each)
    for chain in won:
        for sheet in _unprinted(chain, on_sheet):
            labels.setdefault(sheet, _label(chain, sheet, FoundAt.BETWEEN))
    return tuple(_joined(labels[sheet] for sheet in sorted(labels)))


def _chains(numbers: Sequence[EdgeNumber]) -> Iterator[Chain]:
    """The numbers that one count gives, cut where too many sheets in a row bear none."""
    by_series: dict[tuple[bool, str, str, int], dict[int, EdgeNumber]] = defaultdict(dict)
    for each in numbers:
        known = by_series[each.series].get(each.sheet)
        if known is None or (each.is_alone, each.printed.is_sure) > (known.is_alone, known.printed.is_sure):
            by_series[each.series][each.sheet] = each
    for on_sheet in by_series.values():
        chain: Chain = []
        for _, each in sorted(on_sheet.items()):
            if chain and each.sheet - chain[-1].sheet > _MOST_UNPRINTED + 1:
                yield chain
                chain = []
            chain.append(each)
        yield chain


def _sure_count(chain: Chain) -> int:
    return sum(each.printed.is_sure for each in chain)


def _is_short_but_certain(chain: Chain, places: frozenset[tuple[FoundAt, int]]) -> bool:
    """Whether two neighbouring sheets bear the sheets' own numbers, or stand in the `places` of certain ones: a letter
    of three pages whose first bears none, a table of contents of two.
    """
    if len(chain) != 2 or chain[1].sheet != chain[0].sheet + 1:
        return False
    if _sure_count(chain) < 2 or not all(each.is_alone for each in chain):
        return False
    return chain[0].series == (False, "", "", 0) or all(each.place in places for each in chain)


def _won(certain: Sequence[Chain]) -> list[Chain]:
    """Each chain with the sheets that it gives a number to. Of several on a sheet that is one alone on its line before
    one in a running head; one with a prefix, which was put there for this document, before one of what was copied into
    it; and none where they are equally good.
    """
    claims: dict[int, list[int]] = defaultdict(list)
    for index, chain in enumerate(certain):
        for each in chain:
            claims[each.sheet].append(index)
    worth = [_rank(chain) for chain in certain]
    owners: dict[int, int] = {}
    for sheet, indices in claims.items():
        best, *others = sorted(indices, key=worth.__getitem__, reverse=True)
        if not others or worth[best] > worth[others[0]]:
            owners[sheet] = best
    return [[each for each in chain if owners.get(each.sheet) == index] for index, chain in enumerate(certain)]


def _rank(chain: Chain) -> tuple[bool, bool]:
    return 2 * sum(each.is_alone for each in chain) >= len(chain), bool(chain[0].printed.prefix)


def _unprinted(chain: Chain, on_sheet: Mapping[int, Sequence[EdgeNumber]]) -> Iterator[int]:
    """The sheets between those of a chain, but for one that bears another number in the same place."""
    for before, after in pairwise(chain):
        for sheet in range(before.sheet + 1, after.sheet):
            others = [each for each in on_sheet.get(sheet, ()) if each.printed.is_sure]
            if not any(each.is_placed_like(before) or each.is_placed_like(after) for each in others):
                yield sheet


def _label(chain: Chain, sheet: int, found: FoundAt) -> PageRun:
    """A sheet with its number, in the letters of the chain: small ones where OCR took some for capitals."""
    styles = {each.printed.style for each in chain}
    style = NumberStyle.ROMAN if NumberStyle.ROMAN in styles else chain[0].printed.style
    prefix, _ = Counter(each.printed.prefix for each in chain).most_common(1)[0]
    number = chain[0].printed.number + sheet - chain[0].sheet
    return PageRun(sheet, sheet, number, found, style, prefix, chain[0].printed.suffix)


def _joined(single: Iterable[PageRun]) -> Iterator[PageRun]:
    """Runs of one sheet each, made as long as their numbers rise by one."""
    run: PageRun | None = None
    for each in single:
        if run and each == run._replace(
            first=run.last + 1, last=run.last + 1, number=run.number + run.last + 1 - run.first
        ):
            run = run._replace(last=each.last)
            continue
        if run:
            yield run
        run = each
    if run:
        yield run
