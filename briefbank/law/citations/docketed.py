"""Finds the dockets of cases that are cited by them: "State v. Roe, No. A-1234-12T4 (App. Div. May 3, 2013)".

Captions, headers, indictments and filings bear such numbers too. A docket is a citation only with the name of the case
in front and the year or "slip op." behind, or, of a form that one court alone uses, with court and year behind. Knows
single texts only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from briefbank.law.citations.names import CaseName, short_names
from briefbank.law.dockets import ANY_CITED, CITED, cited_dockets
from briefbank.law.legal_numbers import docketed_key
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_LABEL = (
    r"(?:(?:Docket|Case|Appeal|Civ(?:il|\.)?|Crim(?:inal|\.)?|App\.\s?Div\.)\s+(?:Action\s+|Docket\s+)?)?(?:Nos?\.\s*+)"
)
_ALSO = r"\s{0,3}(?:,|&|;|\band\b)\s{0,3}(?:(?:&|and)\s{1,3})?(?:Nos?\.\s{0,3})?"
_BEHIND_NAME = bounded(
    r"(?:,?\s(?:Inc|Co|Corp|Ltd|LLC|LLP)\b)?+\.?+,?\s*+"
    r"(?:_{2,9}\s?[A-Z][\w. ]{0,14}\s?_{2,9},?\s*+)?+"  # the place of a reporter that has not printed it yet
    rf"\(?(?P<dockets>(?:{_LABEL}{ANY_CITED}|{CITED})(?:{_ALSO}{CITED}){{0,5}})",
    re.IGNORECASE,
)
_IN_FRONT = bounded(rf"(?P<dockets>{CITED}(?:{_ALSO}{CITED}){{0,5}}),\s*\Z", re.IGNORECASE)
"""In front of a citation to a reporter."""
_NUMBERED = ("No.", "Nos.", "NO.")
_OF_ONE_COURT = ("-CR", "-cr", "–CR", "A-", "A–", "PD-", "AP-", "WR-")
"""One of these every docket has before it or in it; looking for them is quick."""
_DASHED = re.compile(r"[-–‑]|\b(?i:NO)s?\.")
_ALONE = bounded(rf"{CITED}(?:{_ALSO}{CITED}){{0,5}}", re.IGNORECASE)
_ASKED = bounded(rf"(?:{_LABEL}{ANY_CITED}|{CITED})", re.IGNORECASE)
_NO = bounded(rf"{_LABEL}\Z", re.IGNORECASE)
_PIN = r"(?:,?\s{1,3}(?:at\s{1,3})?(?:pp?\.\s?)?\*?\s?\d{1,4}(?:[-–]\d{1,4})?(?!\d))?+"
_CITED_SO = bounded(
    r"(?:\s\([A-Z/]{2,8}\))?+"  # the judges' letters behind a federal docket
    r"(?:,?\s\d{4}\s(?:WL|Westlaw)\s\d{1,9})?+"
    rf"{_PIN}(?P<slip>[,;]?\s{{1,3}}\(?(?:slip\s+op(?:inion\b|\.)|(?:unpublished|unreported)\b))?+{_PIN}\)?"
    r"(?:,?\s{0,3}(?P<court>\((?=[^()]*\b(?:19|20)\d\d\b)[^()]{4,120}\)))?+",
    re.IGNORECASE,
)
_OF_COURT = re.compile(r"\b(?:App|Div|Ct|Cir|Crim|Super|Sup|Law|Ch|Dist)\b", re.IGNORECASE)
_FILED = bounded(
    r"\s{0,3}[,;]?\s{0,3}\(?(?:ECF|Doc(?:ket|s)?\b|Dkt|App\.\sto\sPet|Pet\.|Tr\.|Brief|Br\.)", re.IGNORECASE
)
"""Behind the docket of a paper that was filed, which is no opinion."""
_PAPER_OF = bounded(
    r"\b(?:brief|br\.|complaint|record|tr(?:\.|anscript)|arg\.|argument|pet\.|cert\.|petition|motion|order|judgment|report|"
    r"recommendation|answer|discovery|app\.|sheet|rehearing|mandate|memorandum)\s+(?:for\s+(?:\w+\s+){1,4})?(?:\d[\d–-]*\s+)?(?:in|of)\s",
    re.IGNORECASE,
)
"""Such a paper in front of the case that it was filed in."""
# Chosen on filed briefs and opinions, not measured.
_REACH = 90
"""Characters from the name of a case to its reporter, of which the dockets between are a part."""
_LEAD = 40
"""Characters in front of a case in which a paper is named that was filed in it."""
_NEXT = 5
"""Characters from a docket to the reporter that the same case is cited by: a comma and white space."""


@dataclass(frozen=True, slots=True)
class DocketMention:
    """A case cited by its docket: the range with the name in front, its keys, and the dockets that other cases may have
    too; `is_full` says that the court or year tells it to be a citation, and no mere repetition.
    """

    span: Span
    keys: tuple[str, ...]
    shared: tuple[str, ...]
    name: CaseName | None = None
    is_full: bool = True


def docket_mentions(text: str, names: Sequence[CaseName], taken: Sequence[Span]) -> Iterator[DocketMention]:
    """Yield the cases that a text cites by their docket; `taken` are those cited by a reporter, with their names."""
    has_own_form = any(each in text for each in _OF_ONE_COURT)
    found: list[Span] = []
    for name in names if has_own_form or any(each in text for each in _NUMBERED) else ():
        behind = _BEHIND_NAME.match(text, name.span.end)
        if not behind or name.span.overlaps_any(taken):
            continue
        span = Span(name.span.start, behind.end())
        if _is_cited(text, span) and (mention := _mention(text, Span(*behind.span("dockets")), span, name)):
            found.append(span)
            yield mention
    for alone in _ALONE.finditer(text) if has_own_form else ():
        dockets = Span(*alone.span())
        if dockets.overlaps_any([*taken, *found]) or any(0 <= each.start - dockets.end < _NEXT for each in taken):
            continue
        cited = _CITED_SO.match(text, dockets.end)
        end = cited.end() if cited else dockets.end
        is_full = bool(cited and cited["court"] and _OF_COURT.search(cited["court"])) and not _FILED.match(text, end)
        number = _NO.search(text, max(0, dockets.start - _REACH), dockets.start)
        span = Span(number.start() if number else dockets.start, dockets.end)
        if (is_full or end > dockets.end) and (mention := _mention(text, dockets, span, None, is_full=is_full)):
            yield mention


def dockets_of(text: str, name: CaseName | None, reporter: Span) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys of the dockets in front of a citation to a reporter, and the dockets that other cases may have too."""
    start = name.span.end if name else max(0, reporter.start - _REACH)
    if not _DASHED.search(text, start, reporter.start):
        return (), ()
    behind = _BEHIND_NAME.match(text, start, reporter.start) if name else None
    behind = behind or _IN_FRONT.search(text, max(0, reporter.start - _REACH), reporter.start)
    mention = _mention(text, Span(*behind.span("dockets")), reporter, name) if behind else None
    return (mention.keys, mention.shared) if mention else ((), ())


def has_dockets_between(text: str, name: CaseName, reporter: Span) -> bool:
    """Whether nothing but dockets stands between the name of a case and its reporter."""
    if reporter.start - name.span.end > _REACH:
        return False
    behind = _BEHIND_NAME.match(text, name.span.end, reporter.start)
    return behind is not None and not text[behind.end() : reporter.start].strip(", \n")


def dockets_in(text: str, names: Sequence[CaseName]) -> Iterator[DocketMention]:
    """Yield every docket in a question, whoever's it is; the range holds no name."""
    found: list[Span] = []
    for name in names:
        if behind := _BEHIND_NAME.match(text, name.span.end):
            dockets = Span(*behind.span("dockets"))
            found.append(dockets)
            if mention := _mention(text, dockets, dockets, name):
                yield mention
    for match in _ASKED.finditer(text):
        dockets = Span(*match.span())
        keys = [docketed_key(docket.key) for docket in cited_dockets(text, *dockets)]
        if keys and not dockets.overlaps_any(found):
            yield DocketMention(dockets, tuple(keys), ())


def _mention(
    text: str, dockets: Span, span: Span, name: CaseName | None, *, is_full: bool = True
) -> DocketMention | None:
    party = short_names(name.key)[-1:] if name else ()
    keys, shared = [], []
    for docket in cited_dockets(text, *dockets):
        if docket.is_of_one_court:
            keys.append(docketed_key(docket.key))
        elif party:
            keys.append(docketed_key(docket.key, party[0].rpartition(" ")[2]))
            shared.append(docketed_key(docket.key))
    return DocketMention(span, tuple(keys), tuple(shared), name, is_full) if keys else None


def _is_cited(text: str, span: Span) -> bool:
    """Whether what follows a docket says that the case is cited by it."""
    cited = _CITED_SO.match(text, span.end)
    if not cited or not (cited["slip"] or cited["court"]):
        return False
    papers = _PAPER_OF.finditer(text, max(0, span.start - _LEAD), span.end)
    is_filed = any(paper.end() == span.start or paper.start() >= span.start for paper in papers)
    return not (is_filed or _FILED.match(text, cited.end()))
