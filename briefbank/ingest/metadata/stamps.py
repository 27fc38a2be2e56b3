"""What courts print over pages that were filed: clerks' stamps, and the line of an electronic docket on every page.

They are no words of the document, so they are taken off its lines wherever they stand; the first page's tell when and
under which number it was filed. Knows no captions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from briefbank.platform.regex import bounded
from briefbank.values.records import Box, Line, Page, Reading, Word

# Chosen on stamps and covers of filed briefs; `tests/quality/test_samples_metadata.py` holds what is found.
_HEAD = re.compile(r"^(?:E-?)?(?P<word>FILED|ACCEPTED|RECEIVED)\b(?! (?:BY|FOR|UNDER|WITH)\b)", re.IGNORECASE)
_MAY_BE_HEAD = re.compile(r"filed|accepted|received", re.IGNORECASE)
_LONE_HEAD = re.compile(r"(?:electronically |e-?)?(?:filed|accepted|received)(?: in)?\W{0,3}", re.IGNORECASE)
_VOID = re.compile(r"^V\s?O\s?I\s?D\b", re.IGNORECASE)
_CLERK = re.compile(r"\bclerk|\bcourt\b|\bdivision\b|\bdeputy\b", re.IGNORECASE)
_MOST_LINES = 7
"""Lines that a stamp has at most, its head included."""
_LONGEST_LINE = 45
_HEIGHT_PT = 80.0
_BESIDE_PT = 72.0
"""How far below its first line, and to the left and right of it, the rest of a stamp stands."""
_SMALL_PT = 13.5
"""Height of a line of type of about 10 points: stamps are smaller than the cover's own "Filed" lines."""
_OTHER_SIZE = 1.3
"""How many times as high words of another size of type are; capitals and small letters of a scan differ by less."""
_COLUMN_GAP = 2.5
"""Space within a line, as a multiple of its letters' size, that parts two columns of a caption."""

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = (
    r"(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d\d-\d\d"
    rf"|{_MONTH}\s\d{{1,2}},?\s\d{{4}}|\d{{1,2}}\s{_MONTH}\s\d{{4}}|\d{{4}}\s{_MONTH}\s\d{{1,2}})"
)
_NUMBER = r"(?P<number>(?=[\w:.-]{0,30}\d\d)\d?[\w:.-]{3,30}(?:\([A-Z]{1,4}\))*)"
_ITEMS = {
    "case": r"(?:usca\d{0,2}\s+|appellate\s+)?(?:case|appeal|docket|cause)(?:\s+(?:no|number|id))?[\s.:#]*" + _NUMBER,
    "own_number": r"(?<![\w-])(?:(?:[a-z]{1,4}-){1,3}\d{3,6}-\d\d(?:t\d)?|\d\d-\d\d-\d{4,5}-c[rv])\b",
    "paper": r"(?:ecf|doc(?:ument|ket)?|dkt\.?(?:entry)?)(?:\s+no)?[\s.:#]*\d[\d-]*",
    "id": r"(?:page\s?id|trans(?:action)?\s+id|entry\s+(?:id|number)|envelope(?:\s+no)?|id|filing|nyscef\s+doc\.?\s+no)"
    r"[\s.:#]*[a-z]{0,5}\d[\d-]*",
    "filed": r"(?:e-?|electronically\s+|date\s+)?(?:filed|entered|received|submitted|accepted|file\s+date)"
    rf"(?:\s+(?:in|on|nyscef))?[\s.:,-]*(?:on\s+)?{_DATE}",
    "page": r"(?:page|pgs?)[\s.:]*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?",
    "clerk": r"(?:(?:filed|received)[\s,:]+)?(?:by\s+)?(?:the\s+)?clerk(?:\s+of\s+(?:the\s+)?(?:[a-z.]+\s){0,4}?"
    r"(?:court|division)\b)?|(?:filed|received):\s[a-z\d .-]{3,40}?(?:clerk|dept|division|court)\b",
    "date": _DATE,
    "time": r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?:\s[ecmp][sd]t\b)?",
}
"""What the line of a court's system says: number, paper, date and page of its docket."""
_ITEM = bounded("|".join(f"(?P<{kind}>{item})" for kind, item in _ITEMS.items()), re.IGNORECASE)
_MAY_BE_LINE = re.compile(r"filed|received|submitted|clerk|doc|dkt|ecf|page|pg|trans", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 240
_MOST_LEFT_OVER = 3
"""Words that a court's line may have besides: "AMENDED", a part of the court's name."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A clerk's stamp: its head in capitals (FILED, ACCEPTED, RECEIVED) and all its text."""

    word: str
    text: str
    is_void: bool = False


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a printed line: one column of a caption, or the words of a stamp that fell into a line of the cover."""

    words: tuple[Word, ...]
    box: Box

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def height(self) -> float:
        return self.box.y1 - self.box.y0


def fragments_of(line: Line) -> Iterator[Fragment]:
    """Part a line at wide gaps and where the type changes its size; a label ("FROM:") keeps what stands behind it.

    On a scan the height of a word is that of its ink and says nothing of its type.
    """
    words: list[Word] = []
    for word in line.words:
        if words and (_is_apart(words[-1], word, line.size_pt) or _is_other_type(words[-1], word)):
            yield _fragment(words)
            words = []
        words.append(word)
    yield _fragment(words)


def _is_apart(before: Word, word: Word, size_pt: float) -> bool:
    return word.box.x0 - before.box.x1 > _COLUMN_GAP * size_pt and not before.text.endswith(":")


def _is_other_type(before: Word, word: Word) -> bool:
    heights = before.box.y1 - before.box.y0, word.box.y1 - word.box.y0
    is_typeset = before.confidence == word.confidence == 1.0
    return is_typeset and min(heights) > 0 and max(heights) > _OTHER_SIZE * min(heights)


def _fragment(words: Sequence[Word]) -> Fragment:
    return Fragment(tuple(words), Box.around(word.box for word in words))


def without_stamps(reading: Reading) -> tuple[Reading, tuple[Stamp, ...]]:
    """The reading without what courts printed over its pages, and the stamps of its first page in the order of trust:
    filed before accepted ones, void ones last, since a voided stamp was replaced by another.
    """
    pages: list[Page] = []
    first: list[Stamp] | None = None
    for page in reading.pages:
        stamps, dropped = _found(page)
        if page.lines and first is None:
            first = stamps
        pages.append(_without(page, dropped) if dropped and reading.has_pages else page)
    order = {"FILED": 0, "RECEIVED": 1, "ACCEPTED": 2}
    stamps = sorted(first or (), key=lambda stamp: (stamp.is_void, order[stamp.word]))
    return replace(reading, pages=tuple(pages)), tuple(stamps)


def _found(page: Page) -> tuple[list[Stamp], set[int]]:
    """The stamps of a page, and which of its words are theirs, by identity."""
    stamps: list[Stamp] = []
    dropped: set[int] = set()
    texts = [line.text for line in page.lines]
    for line, text in zip(page.lines, texts, strict=True):
        for words in _court_lines(line) if _MAY_BE_LINE.search(text) else ():
            dropped.update(map(id, words))
            stamps.append(Stamp("FILED", _said(" ".join(word.text for word in words))))
    if any(map(_MAY_BE_HEAD.search, texts)):
        fragments = [fragment for line in page.lines for fragment in fragments_of(line)]
        for stamp, own in _boxed(fragments):
            stamps.append(stamp)
            dropped.update(id(word) for fragment in _printed_over(own) for word in fragment.words)
    return stamps, dropped


def _without(page: Page, dropped: set[int]) -> Page:
    lines = []
    for line in page.lines:
        words = tuple(word for word in line.words if id(word) not in dropped)
        if len(words) == len(line.words):
            lines.append(line)
        elif words:
            lines.append(replace(line, words=words, box=Box.around(word.box for word in words)))
    return replace(page, lines=tuple(lines))


def _court_lines(line: Line) -> Iterator[tuple[Word, ...]]:
    """The words of a court's line: all of a printed line, or what stands apart from others in it."""
    if _is_court_line(line.text):
        yield line.words
        return
    parts = list(fragments_of(line))
    for count in range(len(parts) - 1, 0, -1):
        for some in (parts[:count], parts[-count:]):
            if _is_court_line(" ".join(part.text for part in some)):
                yield tuple(word for part in some for word in part.words)
                return


def _is_court_line(text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    kinds = {kind for match in _ITEM.finditer(text) for kind in _ITEMS if match[kind]}
    told = kinds - {"date", "time"}
    is_line = (
        len(told) > 2
        or ("id" in told and len(told) > 1)
        or ("clerk" in told and bool(kinds & {"filed", "date"}))
        or {"filed", "time"} <= kinds
        or ("page" in told and len(told) > 1 and " of " in text)
    )
    if not is_line:
        return False
    left = [word for word in _WORDS.findall(_ITEM.sub(" ", text)) if word.lower() not in ("of", "the", "in")]
    return len(left) <= _MOST_LEFT_OVER and all(word[0].isupper() for word in left)


def _said(text: str) -> str:
    """A court's line with its number where captions have one."""
    number = next((match["number"] for match in _ITEM.finditer(text) if match["number"]), "")
    return f"{text} Case No. {number}" if number else text


def _boxed(fragments: Sequence[Fragment]) -> Iterator[tuple[Stamp, list[Fragment]]]:
    """Stamps of several lines, each with its parts."""
    ordered = sorted(fragments, key=lambda fragment: (fragment.box.y0, fragment.box.x0))
    for number, head in enumerate(ordered):
        match = _HEAD.match(head.text)
        if match is None or head.height > _SMALL_PT:
            continue
        own = [head]
        is_void = False
        for fragment in ordered[number + 1 :]:
            if fragment.box.y0 > head.box.y0 + _HEIGHT_PT or len(own) == _MOST_LINES:
                break
            if not _is_beside(fragment, head):
                continue
            if _HEAD.match(fragment.text):
                break
            is_void = is_void or _VOID.match(fragment.text) is not None
            if fragment.height <= _OTHER_SIZE * head.height:
                own.append(fragment)
        text = " ".join(fragment.text for fragment in own)
        if _CLERK.search(text) and re.search(r"\d", text):
            yield Stamp(match["word"].upper(), text, is_void), own


def _printed_over(own: list[Fragment]) -> list[Fragment]:
    """The parts of a stamp that is one beyond doubt, so that its words are not the document's: those that stand in its
    column, up to the last that names the court or its clerk.
    """
    while own and not _CLERK.search(own[-1].text):
        own = own[:-1]
    if not own or not _LONE_HEAD.fullmatch(own[0].text):
        return []
    left, right = min(own[0].box.x0, own[-1].box.x0), max(own[0].box.x1, own[-1].box.x1)
    own = [each for each in own if left <= (each.box.x0 + each.box.x1) / 2 <= right]
    is_dated = any(re.search(_DATE, fragment.text, re.IGNORECASE) for fragment in own)
    return own if is_dated and len(own) > 2 and all(len(each.text) <= _LONGEST_LINE for each in own) else []


def _is_beside(fragment: Fragment, head: Fragment) -> bool:
    return fragment.box.x0 < head.box.x1 + _BESIDE_PT and fragment.box.x1 > head.box.x0 - _BESIDE_PT
