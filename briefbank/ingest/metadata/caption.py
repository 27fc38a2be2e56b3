"""Reads a caption: docket number, court, the parties that make the title, and which kind of document it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from briefbank.ingest.metadata.front import Front, title_case
from briefbank.law.courts import court_in, other_court_in
from briefbank.law.dockets import COMPLAINT, DOCKET, LABELLED_DOCKET, is_same_docket, normal_docket
from briefbank.law.legal_numbers import folded
from briefbank.platform.regex import bounded
from briefbank.values.records import DocumentKind, Fact, Reading, Section, SectionKind

_DOCKET_LINE = re.compile(
    r"(?:\W|\b(?:appeals?|appellate|app|div|division|case|cause|docket|nos?|numbers?|consolidated|with|and)\b)*",
    re.IGNORECASE,
)
"""What stands beside the numbers on a caption's docket lines; a line that cites another case says more."""
_BELOW = re.compile(
    r"\b(?:trial|cause|indictment|accusation|below|law division|complaint|ind\.|warrant)\b", re.IGNORECASE
)

# OCR often reads a lone "v." as "Vv.".
_VERSUS = re.compile(r"^\W*(?:vv?|vs|versus)\b\W*$|\s(?:v|vs)\.\s", re.IGNORECASE)
_VERSUS_SPLIT = re.compile(r"(?:^|\s)(?:vv?|vs|versus)\b\.?(?:\s|$)", re.IGNORECASE)
_LIST_PAGE = re.compile(r"^\W*(?:(?:table|index|list) of\b|contents\W*$|authorities\W*$|cases\W*$)", re.IGNORECASE)
"""Heads of tables, whose "v." are those of other cases."""
_ONE_PARTY = re.compile(
    r"^(?P<how>ex\s+parte|in\s+re|in\s+the\s+(?:interest|matter)\s+of)\b[:\s]*(?P<name>.*)$", re.IGNORECASE
)
_STATE = re.compile(
    r"\b(?:the\s+)?(?:state|people|commonwealth)\s+of\s+(?:the\s+)?(?P<name>[A-Z][A-Za-z]+(?:\s[A-Z][A-Za-z]+)?)",
    re.IGNORECASE,
)
_ROLE = bounded(
    r"[,.]?\s*(?:plaintiff|defendant|appell(?:ant|ee)|petitioner|respond[ea]nt|relator|movant|a minor|juvenile)s?\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_ROLES = (re.compile(r"plaintiff", re.IGNORECASE), re.compile(r"defendant\W{0,3}(?:appell|$)", re.IGNORECASE))
_INITIAL = re.compile(r"(?<=\w )[av](?=\.? \w)")
"""A small letter inside of one party's name is no article and no "versus" but an initial, with a full stop or without:
"Roger A Doe"."""
_NOT_A_PARTY = re.compile(
    r"\b(?:court|county|cause|docket|appeals?|division|district|no|number|indictment|judge|jersey law|oral|honorable|"
    r"hon|criminal action|sat below|brief|judgment|conviction|filed|clerk|texas,?$)\b",
    re.IGNORECASE,
)
_JUDGE_BELOW = re.compile(r"[^,]*,\s*(?:p\.\s?)?j\.\s?[ast]\.\s?[cd]\b", re.IGNORECASE)
"""A judge's name and title at the head of a line ("Quorris, J.S.C., and a Jury."). Initials alone ("J.A.D.") may be a
party's."""
_BRIEF_LINE = re.compile(
    r"^(?:amended\s+|supplemental\s+|corrected\s+|opening\s+|first\s+amended\s+)*"
    r"(?:(?:reply\s+)?brief\b.*|letter\s+brief\b.*|(?!.*\bon the\b).{0,40}\b(?:reply\s+)?brief"
    r"|memorandum\s+of\s+law\b.*|(?:letter\s+)?memorandum\s+in\s+support\b.*|petition\s+for\b.*|appellant.s\s+(?:appeal|brief)\b.*)$",
    re.IGNORECASE,
)
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
_LONE_VERSUS = 8
"""Letters of a line that holds a caption's "v." and nothing else."""


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
    return [first, *(normal_docket(match) for line in listing for match in DOCKET.finditer(line))]


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
            labelled = LABELLED_DOCKET.search(line)
            if labelled and not _BELOW.search(line):
                yield labelled["number"].upper()


def find_court(front: Front) -> Fact | None:
    """The court that the document was filed in, under one name however it is printed."""
    is_texan = re.search(r"\btex", "\n".join(front.cover), re.IGNORECASE) is not None
    stamped = [stamp.text for stamp in front.stamps]
    for found_in, lines in (("caption", front.cover), ("clerk's stamp, page 1", stamped)):
        if name := court_in("\n".join(lines), is_texan=is_texan):
            return Fact(name, found_in)
    titled = (title_case(line) for line in front.cover if not _BELOW.search(line))
    other = next(filter(None, map(other_court_in, titled)), "")
    return Fact(other, "caption") if other else None


def find_kind(front: Front, sections: Sequence[Section]) -> Fact:
    """Brief, internal document or directive, from the head of the first page, else from the sections."""
    head = front.cover[:_HEAD_LINES]
    if any(_DIRECTIVE.match(line) for line in head):
        return Fact(DocumentKind.DIRECTIVE, "head of page 1")
    is_captioned = any(_VERSUS.search(line) or _ONE_PARTY.match(line) for line in front.cover)
    is_named = find_docket(front) is not None or any(_BRIEF_LINE.match(line) for line in front.cover)
    if front.stamps or (is_captioned and is_named):
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
        captions = [page for page in front.pages[1:] if not any(map(_LIST_PAGE.match, page))]
        has_versus = any(_VERSUS.search(line) and len(line) < _LONE_VERSUS for line in front.cover)
        by_role = "" if has_versus else _parties_by_role(front.cover)
        by_versus = map(_parties, (front.caption, front.cover, *captions))
        parties = next(filter(None, chain([by_role], by_versus)), "") or _parties_by_role(front.caption)
        what = next(filter(None, map(_brief_name, front.pages)), "")
        title = ", ".join(filter(None, (parties, title_case(what.strip(" .,:")))))
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


def _parties(lines: Sequence[str]) -> str:
    for number, line in enumerate(lines):
        if not _VERSUS.search(line):
            continue
        before, after = [*_VERSUS_SPLIT.split(line, maxsplit=1), ""][:2]
        one = _party([*lines[max(0, number - 5) : number], before], from_end=True)
        other = _party([after, *lines[number + 1 : number + 6]], from_end=False)
        if one and other and one != other:
            return f"{one} v. {other}"
    for number, line in enumerate(lines):
        alone = _ONE_PARTY.match(line)
        if alone and (name := _party([alone["name"], *lines[number + 1 : number + 4]], from_end=False)):
            return f"{alone['how'].capitalize()} {name}"
    return ""


def _parties_by_role(lines: Sequence[str]) -> str:
    """The names above "Plaintiff-Respondent" and "Defendant-Appellant": a scan may have lost the "v." between them."""
    roles = [next((n for n, line in enumerate(lines) if role.search(line)), None) for role in _ROLES]
    first, second = roles
    if first is None or second is None or second <= first:
        return ""
    one = _party(lines[: first + 1], from_end=True)
    other = _party(lines[first + 1 : second + 1], from_end=True)
    return f"{one} v. {other}" if one and other and one != other else ""


def _party(lines: Sequence[str], *, from_end: bool) -> str:
    """The party's name among the lines above or below the "v."."""
    ordered = list(reversed(lines)) if from_end else list(lines)
    for line in ordered:
        if _JUDGE_BELOW.match(line):
            continue
        state = _STATE.search(line)
        if state:
            return "State" if "state" in state[0].lower() else title_case(state[0])
        name = _ROLE.sub("", line.split("§")[0].split(" : ")[0].split(")")[0]).strip(" ,.:;§|'‘’“_")
        first, _, rest = name.partition(", ")
        name = first if _NOT_A_PARTY.search(rest) else name  # the other column of the caption
        name += "." if re.search(r"\.[A-Z]$", name) else ""
        if len(name) > 2 and name[0].isupper() and not _NOT_A_PARTY.search(name) and not any(map(str.isdigit, name)):
            return _INITIAL.sub(lambda match: match[0].upper(), title_case(name))
    return ""
