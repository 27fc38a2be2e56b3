"""The table of contents as evidence: its entries, and where in the body each of them is a heading.

Knows nothing of section kinds beyond the names that open and close the table.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from briefbank.ingest.structure.kinds import kind_named
from briefbank.ingest.structure.numbering import number_of
from briefbank.ingest.structure.rows import Row, TextColumn, fold, mode
from briefbank.platform.regex import bounded
from briefbank.values.records import SectionKind, TextSource

_PAGE = r"(?:\d{1,3}|[ivxl]{1,7}|cover)"
_PAGES = rf"{_PAGE}(?:\s*(?:[-–,&]|to|and)\s*{_PAGE})*"
_LEADER = r"[.…·_,‥•\-–—\s]"
_ENTRY_END = bounded(rf"(?P<leader>{_LEADER}*)(?<![\w§])(?P<page>{_PAGES})[.\s]*$", re.IGNORECASE)
_DOTS = bounded(r"\s*(?:…{2}|(?:[.…·_‥]\s?){4})(?P<rest>(?:(?![a-zA-Z]{4}|[vV]\.).)*)$")
_FIRST_PAGE = re.compile(r"\d{1,3}|[ivxl]{1,7}", re.IGNORECASE)
GOES_ON = re.compile(r"(?:,|\b(?:a|an|and|by|for|in|of|on|or|that|the|to|under|with))$")
# Chosen on filed briefs (21 November 2026), none by itself. `tests/quality/test_structure_corpus.py` holds that they
# find nine tenths of the headings that tables of contents list.
_LATEST_START = 20
"""The last page on which a table of contents may begin."""
_TABLE_SHARE = 0.2
"""Share of the rows of a table of contents that must end in a page number; entries run over several rows."""
_SCANNED_SHARE = 0.08
"""The same for scans, where OCR loses page numbers at the end of a row of dots."""

_RATIO = 0.82
"""Target (difflib) from which an entry and a heading are the same: one gets reworded, OCR misreads both."""
_LONGEST_ENTRY_ROWS = 16
_NEAR_LENGTH = 1
"""Letters by which a misread label may differ in length."""


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """An entry of the table of contents: its text without leaders, its indent in points, the page it names."""

    text: str
    key: str
    x0: float
    page: str = ""


@dataclass(frozen=True, slots=True)
class EntryMatch:
    """Rows `first` to `last` (half-open) of the body are the heading that entry number `entry` names."""

    entry: int
    first: int
    last: int
    score: float


def split_page(row: Row, right: float) -> tuple[str, str]:
    """The text of a line of a table without its leader and page number, and that number or an empty string."""
    text = row.text
    dots = _DOTS.search(text)
    number = _FIRST_PAGE.search(dots["rest"]) if dots else None
    if dots and (dots.start() > 0 or number):  # dots alone lead from the line above
        return text[: dots.start()].rstrip(), number[0] if number else "?"
    match = _ENTRY_END.search(text)
    if match and match.start() > 0:
        is_led = len(match["leader"].replace(" ", "")) >= 2
        last = row.words[-1].box
        stands_apart = len(row.words) > 1 and last.x0 - row.words[-2].box.x1 > 0.8 * row.size
        if is_led or stands_apart or (last.x1 > 0.94 * right and match["page"][-1].isdecimal()):
            return text[: match.start()].rstrip(), match["page"]
    return text, ""


def find_contents(rows: Sequence[Row], layout: TextColumn) -> tuple[int, int] | None:
    """The rows of the table of contents, heading included, half-open; None where the document has none."""
    if not layout.has_pages:
        return None
    for start, row in enumerate(rows):
        if row.page > _LATEST_START:
            return None
        if kind_named(row.text) is SectionKind.CONTENTS:
            below = [other for other in rows[start + 1 : start + 25] if other.page == row.page]
            if _is_table(below, layout):
                return start, _contents_end(rows, start, layout)
    return None


def _is_table(rows: Sequence[Row], layout: TextColumn) -> bool:
    if not rows:
        return False
    paged = sum(split_page(row, layout.right)[1] != "" for row in rows)
    if rows[0].source is TextSource.OCR:
        return paged >= max(1, _SCANNED_SHARE * len(rows))
    return paged >= max(2, _TABLE_SHARE * len(rows))


def _contents_end(rows: Sequence[Row], start: int, layout: TextColumn) -> int:
    for index in range(start + 1, len(rows)):
        row = rows[index]
        is_page_top = row.page != rows[index - 1].page
        # The name of a part without a page number opens that part, if no more entries follow it on its page.
        kind = kind_named(row.text)
        if kind is not None and (is_page_top or layout.is_centred(row)) and not split_page(row, layout.right)[1]:
            rest = [r for r in rows[index + 1 : index + 12] if r.page == row.page]
            if kind is SectionKind.AUTHORITIES or not _is_table(rest, layout):
                return index
        if is_page_top and not _is_table([r for r in rows[index : index + 60] if r.page == row.page], layout):
            return index
    return len(rows)


def read_entries(rows: Sequence[Row], layout: TextColumn) -> list[tuple[int, ContentsEntry]]:
    """Entries of the table with the index of the row that each begins at; `rows` is the table without its heading."""
    entries: list[tuple[int, ContentsEntry]] = []
    held: list[str] = []
    first = 0
    inner = mode((row.gap for row in rows if row.gap > 0), 1.0)
    for index, row in enumerate(rows):
        text, page = split_page(row, layout.right)
        if held and text and _starts_entry(rows, first, index, inner):
            _add(entries, rows[first], first, held, "")
            held = []
        if not held:
            first = index
        held.append(text)
        if page:
            _add(entries, rows[first], first, held, page)
            held = []
    if held:
        _add(entries, rows[first], first, held, "")
    return entries


def _starts_entry(rows: Sequence[Row], first: int, index: int, inner: float) -> bool:
    row, opening = rows[index], rows[first]
    if GOES_ON.search(rows[index - 1].text):  # "…, and" ends no entry
        return False
    if row.box.x0 < opening.box.x0 - 0.5 * row.size or index - first > _LONGEST_ENTRY_ROWS:
        return True
    # A number begins an entry, but "1" in the midst of one without a number is more likely a part of its text.
    number = number_of(row.text)
    if number is not None and number.scheme != "label" and row.box.x0 <= opening.box.x0 + 3 * row.size:
        return number.value > 1 or number_of(opening.text) is not None
    if number is not None and number.length <= len(row.text) and row.is_caps == opening.is_caps:
        return number.scheme == "label" and row.box.x0 <= opening.box.x0 + 0.5 * row.size
    # Without numbers the space tells: entries are set farther apart than the lines of one.
    smallest = min((r.gap for r in rows[first + 1 : index] if r.gap > 0), default=inner)
    return row.gap > 1.5 * smallest and row.gap > 1.5 * row.size


def _add(entries: list[tuple[int, ContentsEntry]], row: Row, first: int, held: list[str], page: str) -> None:
    text = " ".join(held).strip()
    key = fold(text)
    if len(key) >= 2 and key not in ("page", "pages", "pageno"):
        entries.append((first, ContentsEntry(text, key, row.box.x0, page.lower())))


def pages_by_label(labels: dict[int, str]) -> dict[str, list[int]]:
    """Physical pages by the number printed on them."""
    found: dict[str, list[int]] = {}
    for page, label in labels.items():
        found.setdefault(label, []).append(page)
    return found


def match_entries(
    entries: Sequence[ContentsEntry],
    rows: Sequence[Row],
    start: int,
    labels: dict[int, str],
    *,
    is_page_sure: bool = False,
) -> list[EntryMatch]:
    """Find the heading of each entry among `rows` from `start` on: the best chain in the order of both.

    Tolerates misread characters; where one text is printed several times, the page that the entry names decides. With
    `is_page_sure` headings are looked for on that page and the next alone: long files have many bookmarks.
    """
    by_label = pages_by_label(labels)
    bags = [_bag(row.text) for row in rows]
    candidates: list[EntryMatch] = []
    for number, entry in enumerate(entries):
        pages = by_label.get(re.split(r"[^0-9a-z]", entry.page)[0], []) if entry.page else []
        where = range(start, len(rows))
        if is_page_sure:
            where = _rows_on(rows, pages[0]) if pages else range(0)
        candidates += _candidates(number, entry, rows, bags, where, pages)
    return _best_chain(candidates)


def _rows_on(rows: Sequence[Row], page: int) -> range:
    """The rows on a page and the next one."""
    first = bisect_left(rows, page, key=lambda row: row.page)
    return range(first, bisect_left(rows, page + 2, lo=first, key=lambda row: row.page))


_WORD = re.compile(r"[a-z]{3,}|\d+")


def _bag(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _candidates(
    number: int,
    entry: ContentsEntry,
    rows: Sequence[Row],
    bags: Sequence[frozenset[str]],
    where: range,
    pages: Sequence[int],
) -> list[EntryMatch]:
    wanted = _bag(entry.text)
    mark = number_of(entry.text)
    bare = fold(entry.text[mark.length :]) if mark else entry.key
    keys = (entry.key, bare) if len(bare) >= 4 else (entry.key,)
    found: list[EntryMatch] = []
    for index in where:
        key = rows[index].key
        if not key:
            continue
        opens = any(k.startswith(key) or key.startswith(k) or abs(len(k) - len(key)) <= _NEAR_LENGTH for k in keys)
        bag = bags[index]
        if not opens and (not bag or len(bag & wanted) < max(1.0, 0.7 * len(bag))):
            continue
        last, ratio = _extent(rows, index, keys)
        if ratio >= _RATIO:
            found.append(
                EntryMatch(number, index, last, ratio + _page_score(rows[index], pages) + _shape_score(rows[index]))
            )
    return found


def _extent(rows: Sequence[Row], first: int, keys: Sequence[str]) -> tuple[int, float]:
    """How many rows from `first` on read most like the entry, and how much like it (0 to 1)."""
    best = (first + 1, 0.0)
    for key in keys:
        opening = rows[first].key
        if not (
            key.startswith(opening) or opening.startswith(key) or _likeness(opening, key[: len(opening)]) >= _RATIO
        ):
            continue
        text, last = opening, first + 1
        while last < min(first + _LONGEST_ENTRY_ROWS, len(rows)):
            longer = text + rows[last].key
            if abs(len(longer) - len(key)) >= abs(len(text) - len(key)):
                break
            text, last = longer, last + 1
        ratio = 1.0 if text == key else _likeness(text, key)
        if ratio > best[1]:
            best = (last, ratio)
    return best


def _likeness(one: str, other: str) -> float:
    if abs(len(one) - len(other)) > (1 - _RATIO) * 2 * max(len(one), len(other)):
        return 0.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _RATIO else 0.0


def _page_score(row: Row, pages: Sequence[int]) -> float:
    if not pages:
        return 0.0
    distance = min(abs(row.page - page) for page in pages)
    return 0.5 if distance == 0 else 0.3 if distance == 1 else -0.2


def _shape_score(row: Row) -> float:
    return 0.1 * (row.is_bold + row.is_underlined + row.is_caps)


def _best_chain(candidates: list[EntryMatch]) -> list[EntryMatch]:
    """The heaviest chain of candidates that rises in entry and in place (weighted longest increasing subsequence)."""
    ordered = sorted(candidates, key=lambda m: (m.first, m.last, -m.entry))
    best: list[float] = []
    before: list[int | None] = []
    for index, match in enumerate(ordered):
        top, link = 0.0, None
        for earlier in range(index):
            other = ordered[earlier]
            if other.entry < match.entry and other.last <= match.first and best[earlier] > top:
                top, link = best[earlier], earlier
        best.append(top + match.score)
        before.append(link)
    chain: list[EntryMatch] = []
    at: int | None = max(range(len(best)), key=best.__getitem__) if best else None
    while at is not None:
        chain.append(ordered[at])
        at = before[at]
    return chain[::-1]
