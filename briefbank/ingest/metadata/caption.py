"""Reads a caption: docket number, court, the title, and which kind of document it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from briefbank.ingest.metadata.front import Front, title_case
from briefbank.ingest.metadata.parties import is_captioned, is_lone_versus, parties, parties_by_role, text_start
from briefbank.law.courts import court_in, other_court_in
from briefbank.law.dockets import COMPLAINT, DOCKET, is_same_docket, labelled_dockets, normal_docket
from briefbank.law.legal_numbers import folded
from briefbank.values.records import DocumentKind, Fact, Reading, Section, SectionKind

_DOCKET_LINE = re.compile(
    r"(?:\W|\b(?:appeals?|appellate|app|div|division|case|cause|docket|nos?|numbers?|consolidated|with|and)\b)*",
    re.IGNORECASE,
)
"""What stands beside the numbers on a caption's docket lines; a line that cites another case says more."""
_BELOW = re.compile(
    r"\b(?:trial|cause|indictment|accusation|below|law division|complaint|ind\.|warrant)\b", re.IGNORECASE
)

_LIST_PAGE = re.compile(r"^\W*(?:(?:table|index|list) of\b|contents\W*$|authorities\W*$|cases\W*$)", re.IGNORECASE)
"""Heads of tables, whose "v." are those of other cases."""
_BRIEF_LINE = re.compile(
    r"^(?:amended\s+|supplemental\s+|corrected\s+|opening\s+|first\s+amended\s+)*"
    r"(?:(?:reply\s+)?brief\b.*|letter\s+brief\b.*|(?!.*\bon the\b).{0,40}\b(?:reply\s+)?brief"
    r"|memorandum\s+of\s+law\b.*|(?:letter\s+)?memorandum\s+in\s+support\b.*|petition\s+for\b.*|appellant.s\s+(?:appeal|brief)\b.*)$",
    re.IGNORECASE,
)
_END = re.compile(r"(?<!\.\w)\.$")
"""A full stop that ends no initials."""
_UNFINISHED = re.compile(r"\b(?:and|behalf|for|in|of|on|support|to)$", re.IGNORECASE)
_CONTINUED = re.compile(r"(?:(?:and|for|in|of|to)\s|on behalf\b).*(?<!\bbrief)$", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"^\W*(?:office\s+|administrative\s+|public\s+)?(?:directive|guideline|bulletin|alert)s?\b", re.IGNORECASE
)
_MEMO = re.compile(
    r"^\W*(?:internal\s+|office\s+|research\s+|legal\s+)*memorandum\b|^\W*memo\b|^(?:to|from|re|subject)\s*:",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^(?:re|subject|title)\s*:\s*(?P<text>.+)$", re.IGNORECASE)
_PROGRAM_TITLE = re.compile(r"^Microsoft Word - |\.(?:docx?|wpd|pdf|rtf)$", re.IGNORECASE)
# Chosen on filed briefs and office memoranda, as is the next.
_HEAD_LINES = 14
"""Lines from the top within which a memorandum or directive says that it is one."""


def find_docket(front: Front) -> Fact | None:
    """The appellate docket number; all of them, as the caption orders them, where a brief is filed under several.

    Where a stamp agrees with the caption the caption's numbers hold, else the stamp's alone.
    """
    stamped = [number for stamp in front.stamps for number in _dockets((stamp.text,))]
    printed = _printed_dockets(front, stamped)
    if stamped:
        agrees = any(is_same_docket(number, stamped[0]) for number in printed)
        return Fact(_listed(printed if agrees else stamped[:1]), "clerk's stamp, page 1")
    printed = printed or [match[0].upper() for line in front.cover for match in COMPLAINT.finditer(line)][:1]
    return Fact(_listed(printed), "caption") if printed else None


def _printed_dockets(front: Front, stamped: Sequence[str]) -> list[str]:
    """The first number of the cover and those of its other docket lines; failing that, the first of a later page."""
    lines = list(map(folded, front.cover))
    for number in stamped:  # a stamp's lines are among the cover's
        own = next((line for line in lines if line.upper() == number), None)
        if own is not None:
            lines.remove(own)
    first = next(_dockets(lines), None)
    if first is None:
        return [number for page in front.pages[1:] for number in _dockets(map(folded, page))][:1]
    listing = [line for line in lines if _DOCKET_LINE.fullmatch(DOCKET.sub(" ", line))]
    known = [normal_docket(match) for line in listing for match in DOCKET.finditer(line)]
    return [first, *known] if any(map(DOCKET.search, lines)) else list(_dockets(lines[: text_start(lines)])) or [first]


def _listed(numbers: Sequence[str]) -> str:
    """The numbers in order; one that is printed in two forms counts in its first."""
    listed: list[str] = []
    for number in numbers:
        if not any(is_same_docket(number, other) for other in listed):
            listed.append(number)
    return ", ".join(listed)


def _dockets(lines: Iterable[str]) -> Iterator[str]:
    lines = list(lines)
    known = [match for line in lines for match in DOCKET.finditer(line)]
    for match in known:
        yield normal_docket(match)
    if not known:
        for line in lines:
            if not _BELOW.search(line):
                yield from labelled_dockets(line)


def find_court(front: Front) -> Fact | None:
    """The court that the document was filed in, under one name however it is printed."""
    is_texan = re.search(r"\btex", "\n".join(front.cover), re.IGNORECASE) is not None
    stamped = [stamp.text for stamp in front.stamps]
    for found_in, lines in (("clerk's stamp, page 1", stamped), ("caption", front.cover)):
        if name := court_in("\n".join(lines), is_texan=is_texan):
            return Fact(name, found_in)
    head = ["" if _BELOW.search(line) else title_case(line) for line in front.cover[: text_start(front.cover)]]
    other = next(filter(None, map(other_court_in, head, [*head[1:], ""])), "")
    return Fact(other, "caption") if other else None


def find_kind(front: Front, sections: Sequence[Section]) -> Fact:
    """Brief, internal document or directive, from the head of the first page, else from the sections."""
    head = front.cover[:_HEAD_LINES]
    if any(_DIRECTIVE.match(line) for line in head):
        return Fact(DocumentKind.DIRECTIVE, "head of page 1")
    is_named = bool(find_docket(front) or find_court(front)) or any(_BRIEF_LINE.match(line) for line in front.cover)
    if front.stamps or (is_named and is_captioned(front.cover)):
        return Fact(DocumentKind.BRIEF, "caption")
    if any(_MEMO.match(line) for line in head):
        return Fact(DocumentKind.INTERNAL, "head of page 1")
    kinds = {section.kind for section in sections}
    if kinds & {SectionKind.ARGUMENT, SectionKind.AUTHORITIES, SectionKind.QUESTIONS}:
        return Fact(DocumentKind.BRIEF, "sections")
    return Fact(DocumentKind.INTERNAL, "no caption, no directive's head")


def find_title(front: Front, reading: Reading, *, is_brief: bool) -> Fact:
    """A brief's parties and what it is; else the subject line, the largest line, or the file's own title."""
    if is_brief:
        tabled = {number for number, page in enumerate(front.pages) if number and any(map(_LIST_PAGE.match, page))}
        captions = [each for number, each in enumerate(front.captions, -1) if number not in tabled]
        by_role = "" if any(map(is_lone_versus, front.cover)) else parties_by_role(front.cover)
        named = (parties(each, is_cover=number < len(front.captions[:2])) for number, each in enumerate(captions))
        case = next(filter(None, chain([by_role], named)), "") or parties_by_role(captions[0])
        what = next(filter(None, map(_brief_name, front.pages)), "")
        title = ", ".join(filter(None, (case, title_case(_END.sub("", what.strip(" ,:"))))))
        if title:
            return Fact(title, "caption")
    subject = next((found for line in front.cover[:_HEAD_LINES] if (found := _SUBJECT.match(line))), None)
    head = next((line for line in front.cover[:_HEAD_LINES] if _DIRECTIVE.match(line)), "")
    if subject or head:
        topic = subject["text"].strip() if subject else title_case(_line_below(head, front.cover))
        return Fact(": ".join(filter(None, (title_case(head.strip(" .:")), topic))), "head of page 1")
    if 8 <= len(front.largest) <= 160:
        return Fact(title_case(front.largest), "largest line, page 1")
    return Fact(_PROGRAM_TITLE.sub("", reading.info_title).strip(), "file properties")


def _line_below(head: str, lines: Sequence[str]) -> str:
    """The line in capitals right below a directive's number, which names its subject where no label does."""
    below = next((after for line, after in pairwise(lines) if line == head), "")
    return below if below.isupper() else ""


def _brief_name(lines: Sequence[str]) -> str:
    """What the brief calls itself, with the next line where it is not at its end yet."""
    for line, after in zip(lines, (*lines[1:], ""), strict=True):
        if _BRIEF_LINE.match(line):
            return f"{line} {after}" if _UNFINISHED.search(line) or _CONTINUED.match(after) else line
    return ""
