"""Numbered sections of contracts, orders, statutes and policies: "ARTICLE IV. TERM", "§ 2.", "4.1 Notices. Any notice".

Their titles run into the text, where shape tells nothing; that their numbers go on one from another does. Knows rows
and their order. Briefs are left alone: their points are found by shape and name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from briefbank.ingest.structure.headings import Heading
from briefbank.ingest.structure.kinds import kind_named
from briefbank.ingest.structure.numbering import number_of, roman_value
from briefbank.ingest.structure.rows import Row, TextColumn, fold, looks_capital
from briefbank.platform.regex import bounded
from briefbank.values.records import Box, SectionKind

_NUMBER = bounded(
    r"(?P<noun>(?i:article|section|sec\.|clause|part)\s|§\s?)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,3}|[IVXL]{1,7}(?=[.:\s]))(?P<mark>\s?[.):]|\s[-–—]{1,2}(?=\s))?(?:\s|$)"
)
_WORD = r"[A-Za-z0-9&/'’“”\"$%\-–]{1,30}"
_TITLE = bounded(
    rf"(?P<title>[A-Z“\"]{_WORD}(?:[,;]? {_WORD}){{0,13}}?)(?:[.:](?=\s|$)|(?=\s[-–—]{{1,2}}\s|\s\((?:a|A|i|1)\)\s))"
)
_SHOUTED = bounded(r"(?P<title>[A-Z][A-Z&/'’,;-]+(?: [A-Z&/'’,;-]{2,}){0,11})(?=\s[A-Z]?[a-z(]|\s\d|[.:]?$)")
_OPENING = bounded(
    r"(?P<title>[A-Z][\w’'&/-]*(?:,? (?:and|of|to|for|the|or|in|on|by|with|[A-Z][\w’'&/-]*)){0,8}) "
    r"(?=(?:The|Each|Any|If|This|In|All|No|Neither|Either|Upon|During|Except|Notwithstanding|Subject|For|It|Nothing|Both"
    r"|At|An?|These|Such|Unless|Every|On|Should|Where|When) [a-z])"
)
_PAGE_AT_END = re.compile(r"(?:\s|(?<=[A-Za-z\]]))\d{1,3}\Z")
_WITHIN = bounded(
    r"(?<=[.;:)] )(?=(?:(?i:article|section|sec\.) |§ ?)?(?:\d{1,3}(?:\.\d{1,3}){1,3}|\d{1,3}[.)]|[IVXL]{1,7}\.) [A-Z])"
)
"""Where a section may begin within a line: texts that lost their line breaks hold whole pages in one."""
_CITATION = re.compile(r"\bv\.|§|\d (?:U\.S|S\.W|S\. ?Ct|F\.|N\.J|Tex)")
_FEW_WORDS = 3
_SMALL = frozenset("a an and as at by for from in into nor not of on or per than the to under upon with within".split())
# Chosen on contracts as filed (23 November 2026), none by itself.
_FEWEST = 3
"""Sections of one count that a document must have; fewer are the items of a list."""
_MOST_SKIPPED = 2
"""Numbers that may be missing between two sections: reserved ones, and those without a title."""
_REACH = 80
"""Among how many candidates before it the one is looked for that a section goes on from."""
_KNOWN_SHARE = 0.8
"""Share of the sections that are headings by name and shape already, from which nothing needs to be added."""
_LONGEST_TITLE = 90
_WINDOW = 400
"""Characters in which a number and its title must stand; bounds the work on a line that holds a whole document."""
_LONG_ROW = 200
"""Characters from which a line of a file without pages may hold several sections."""
_OF_BRIEFS = frozenset({SectionKind.ARGUMENT, SectionKind.AUTHORITIES, SectionKind.QUESTIONS, SectionKind.SUMMARY})
_ARTICLES = frozenset({"article", "part"})


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place that may open a section: its row and the offset there, its number part by part, the heading as printed.

    `is_alone` where nothing but number and title stands on the row, `row_count` how many rows these take.
    """

    row: int
    offset: int
    number: tuple[int, ...]
    noun: str
    text: str
    is_alone: bool
    row_count: int = 1


def split_sections(rows: Sequence[Row], layout: TextColumn) -> list[Row]:
    """Cut the rows of a file without pages where a numbered section begins within one; a brief comes back as it is."""
    if layout.has_pages or any(kind_named(row.text) in _OF_BRIEFS for row in rows):
        return list(rows)
    cuts: dict[int, list[int]] = {}
    for each in _chosen(list(_candidates(rows, layout, None))):
        if each.offset:
            cuts.setdefault(each.row, []).append(each.offset)
    return [part for at, row in enumerate(rows) for part in _cut(row, frozenset(cuts.get(at, ())))]


def with_numbered(
    headings: Sequence[Heading], rows: Sequence[Row], layout: TextColumn, contents: tuple[int, int] | None
) -> list[Heading]:
    """Add the numbered sections to the headings of a document; those of a brief come back as they are, and those of a
    document whose headings are known well without: where most sections are, or the numbers are those of a list.
    """
    if any(each.kind in _OF_BRIEFS for each in headings):
        return list(headings)
    chosen = [each for each in _chosen(list(_candidates(rows, layout, contents))) if not each.offset]
    known = {each.first for each in headings}
    if len(chosen) < _FEWEST or sum(each.row in known for each in chosen) >= _KNOWN_SHARE * len(chosen):
        return list(headings)
    start = chosen[0].row
    others = [each for each in headings if each.first > start and each.number is None and not each.is_major]
    if len(others) >= len(chosen):
        return list(headings)
    found = _headings(chosen)
    taken = {row for each in found for row in range(each.first, max(each.last, each.first + 1))}
    kept = [_as_title(each) if each.first < start else each for each in headings if each.first not in taken]
    return sorted([*kept, *found], key=lambda each: each.first)


def _as_title(heading: Heading) -> Heading:
    """A heading above the first section names the document or its recitals ("EXHIBIT 10.2", "BACKGROUND"), no part of a
    brief, unless it is that of a table of contents.
    """
    return heading if heading.kind is SectionKind.CONTENTS else replace(heading, kind=None, is_major=False)


def _candidates(rows: Sequence[Row], layout: TextColumn, contents: tuple[int, int] | None) -> Iterator[_Candidate]:
    for index, row in enumerate(rows):
        if contents and contents[0] <= index < contents[1]:
            continue
        places = {0} if _opens(rows, index, layout) else set[int]()
        if not layout.has_pages and len(row.text) > _LONG_ROW:
            places |= {place.start() for place in _WITHIN.finditer(row.text)}
        for place in sorted(places):
            # "ARTICLE I. FEES 1.1 Tariff." opens two, the second without a full stop before it.
            at: int | None = place
            while at is not None and (found := _read(rows, index, at)):
                yield found
                behind = at + len(found.text) + 1
                at = None if layout.has_pages or behind in places or behind >= len(row.text) else behind


def _opens(rows: Sequence[Row], index: int, layout: TextColumn) -> bool:
    """Whether a paragraph may begin at a row."""
    row, above = rows[index], rows[index - 1] if index else None
    if above is None or above.ends_sentence or row.style or layout.is_short(above):
        return True
    return above.page == row.page and row.gap > 1.3 * layout.pitch


def _read(rows: Sequence[Row], index: int, offset: int) -> _Candidate | None:
    """The section that begins at a place of a row, if one does."""
    text = rows[index].text[offset : offset + _WINDOW]
    match = _NUMBER.match(text)
    if match is None or not (match["noun"] or match["mark"] or "." in match["number"]):
        return None
    number, noun = _parts(match["number"]), (match["noun"] or "").lower().strip(" .")
    rest = text[match.end() :]
    title = _title(rest)
    is_entry = len(text) < 2 * _LONGEST_TITLE and _PAGE_AT_END.search(text)  # of a table of contents
    if not number or is_entry or not (title or noun):
        return None
    printed = f"{match[0]}{title}".strip()
    is_alone = not offset and not rest[len(title) :].strip(" .:")
    below = _title_alone(rows[index + 1]) if not rest and index + 1 < len(rows) else ""
    if below:
        return _Candidate(index, offset, number, noun, f"{printed} {below}", is_alone, 2)
    return _Candidate(index, offset, number, noun, printed, is_alone)


def _parts(printed: str) -> tuple[int, ...]:
    if printed[0].isdecimal():
        return tuple(map(int, printed.split(".")))
    return (roman_value(printed),) if number_of(f"{printed}. X") else ()


def _title(text: str) -> str:
    """The title that a text begins with, as printed; empty where it begins with a sentence."""
    shouted = _SHOUTED.match(text)
    if shouted and len(shouted["title"]) >= 4:
        return shouted["title"] + (text[shouted.end()] if text[shouted.end() :].startswith((".", ":")) else "")
    if len(text) <= _LONGEST_TITLE and _is_titled(text):
        return text.rstrip()
    match = _TITLE.match(text)
    if match and not _CITATION.search(match[0]) and _may_be_title(match["title"]):
        return match[0]
    opening = _OPENING.match(text)
    return opening["title"] if opening and _is_titled(opening["title"]) else ""


def _may_be_title(text: str) -> bool:
    """Whether words that a full stop or colon ends are a title: few, or written as one."""
    return len(text) <= _LONGEST_TITLE and (text.count(" ") < _FEW_WORDS or _is_titled(text))


def _is_titled(text: str) -> bool:
    """Whether the words are written as those of a title: all but the small ones with a capital."""
    words = [word for word in re.findall(r"[A-Za-z][\w’']{0,30}", text) if word.lower() not in _SMALL]
    if _CITATION.search(text):
        return False
    return bool(words) and sum(word[0].isupper() for word in words) >= 0.75 * len(words)


def _title_alone(row: Row) -> str:
    """The title that stands on the row below a number."""
    return row.text if len(row.text) <= _LONGEST_TITLE and _is_titled(row.text) and not number_of(row.text) else ""


def _chosen(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Those of the candidates whose numbers go on from one another, articles and sections counted apart."""
    articles = _rising([each for each in candidates if each.noun in _ARTICLES])
    tops = _rising([each for each in candidates if len(each.number) == 1 and each.noun not in _ARTICLES])
    below = _rising([each for each in candidates if len(each.number) > 1])
    kept = [*(articles if len(articles) > 1 else ()), *(tops if len(tops) >= _FEWEST else ()), *below]
    return sorted(kept, key=lambda each: (each.row, each.offset)) if len(kept) >= _FEWEST else []


def _rising(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The longest run of candidates in the order of the document whose numbers rise, none skipping many."""
    best: list[tuple[int, int]] = []
    for at, each in enumerate(candidates):
        earlier = (other for other in range(max(0, at - _REACH), at) if _follows(candidates[other], each))
        before = max(((best[other][0], other) for other in earlier), default=(0, -1))
        best.append((before[0] + 1, before[1]))
    # Of runs as long the last: the first may be that of a table of contents.
    at = max(range(len(best)), key=lambda each: (best[each][0], each), default=-1)
    chain = []
    while at >= 0:
        chain.append(candidates[at])
        at = best[at][1]
    return chain[::-1]


def _follows(before: _Candidate, here: _Candidate) -> bool:
    """Whether a number may come next: 3 behind 2, 2.4 or 3.1 behind 2.3, 2.3.1 behind it."""
    if before.number >= here.number:
        return False
    differs = (at for at, (one, other) in enumerate(zip(before.number, here.number, strict=False)) if one != other)
    common = next(differs, len(before.number))
    step = here.number[common] - (before.number[common] if common < len(before.number) else 0)
    return step <= 1 + _MOST_SKIPPED and all(part <= 1 + _MOST_SKIPPED for part in here.number[common + 1 :])


def _headings(chosen: Sequence[_Candidate]) -> list[Heading]:
    """The sections as headings, each as deep as those that its number goes through and that are there: 4.1 below 4."""
    articles = {each.number[0] for each in chosen if each.noun in _ARTICLES}
    numbers = {each.number for each in chosen if each.noun not in _ARTICLES}
    found = []
    for each in chosen:
        above = sum(each.number[:depth] in numbers for depth in range(1, len(each.number)))
        is_in_article = each.number[0] in articles if len(each.number) > 1 else bool(articles)
        level = 1 if each.noun in _ARTICLES else 1 + above + is_in_article
        last = each.row + (each.row_count if each.is_alone else 0)
        found.append(Heading(each.row, last, each.text, None, False, number_of(each.text), "", None, level))  # noqa: FBT003
    return found


def _cut(row: Row, offsets: frozenset[int]) -> Iterator[Row]:
    """The parts of a row, each a row of its own."""
    starts, at = [0], 0
    for number, word in enumerate(row.words):
        if at in offsets:
            starts.append(number)
        at += len(word.text) + 1
    for first, last in zip(starts, [*starts[1:], len(row.words)], strict=True):
        words = row.words[first:last]
        text = " ".join(word.text for word in words)
        box = row.box if len(starts) == 1 else Box.around(word.box for word in words)
        yield replace(row, words=words, box=box, text=text, key=fold(text), is_caps=looks_capital(text))
