"""Conditions that people write into a question: kind, years, court, docket, outcome, author. Knows no index.

A hint is followed only where the bank has something for it to choose, and never against a filter set by hand; its words
then carry no weight, nor do those of a date beside dates set by hand. Whoever asks sees each one and can refuse it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain

from briefbank.law.dates import MONTH_NUMBERS, MONTHS, period
from briefbank.outcomes import Ending, ending_of
from briefbank.records import Document, DocumentKind, Filters, Hint, Query, Span

_KIND_WORDS = {"directive": DocumentKind.DIRECTIVE, "memo": DocumentKind.INTERNAL, "memorandum": DocumentKind.INTERNAL}
_KIND_MEANINGS = {DocumentKind.DIRECTIVE: "directives only", DocumentKind.INTERNAL: "internal documents only"}
_KIND = re.compile(
    r"\b(?:(?:the|a|an|any|all|our) )?(?P<core>(?P<kind>directive|memo|memorandum)s?)"
    r" (?:on|about|regarding|concerning|discussing|addressing|for)\b",
    re.IGNORECASE,
)
_DATE = rf"(?:(?:{'|'.join(MONTHS)}) )?(?:19|20)\d\d(?![\w-])"
_FILED = r"(?:filed|issued|dated|written)"
_DATES = re.compile(
    rf"\b(?:{_FILED} )?(?P<core>(?:from|between) (?P<first>{_DATE}) (?:to|and|through|until) (?P<last>{_DATE})"
    rf"|since (?P<since>{_DATE}))|\b(?P<filed>{_FILED} (?:in (?P<within>{_DATE})|after (?P<after>{_DATE})"
    rf"|(?:before|until) (?P<before>{_DATE})))",
    re.IGNORECASE,
)
_SPOKEN = r"(?:address|discuss|cit|mention|brief|rais|argu|rel(?:y|i)|invok|cover|litigat)\w*"
_ASKS_WHO_SPOKE = re.compile(
    rf"\A\W*+(?:is|are|was|were|has|have|had|do|does|did|which|what|who|how often)\b.*?\b{_SPOKEN}",
    re.IGNORECASE | re.DOTALL,
)
_AT_THE_END = re.compile(
    rf"\b(?P<filed>in (?P<within>{_DATE})|after (?P<after>{_DATE})|(?:before|until) (?P<before>{_DATE}))(?=\W*\Z)",
    re.IGNORECASE,
)
"""A year behind a question for who spoke of something: that of their briefs. Elsewhere it may be that of the facts."""
# Chosen, not measured: `A-1403-22` is one word, `Ind. No. 12-05-0345` three.
_DOCKET_WORDS = 4
"""The most words that a docket number is written in."""
_BEFORE_DOCKET = re.compile(
    r"(?:\b(?:in|under|for) )?(?:\bdockets?(?: (?:no|nos|number|numbers)\b\.?)? )?$", re.IGNORECASE
)
_FILINGS = r"(?:briefs?|motions?|appeals?|memos?|petitions?)"
_WON = re.compile(
    rf"\b(?:{_FILINGS} (?P<core>(?:that|which) (?:(?:have |has )?(?P<that>won|succeeded|prevailed|lost|failed)"
    rf"|(?:were |was )(?P<were>successful|unsuccessful)))"
    rf"|(?P<before>(?P<kind>winning|successful|losing|unsuccessful) {_FILINGS}))\b",
    re.IGNORECASE,
)
_LOSING = frozenset({"lost", "failed", "unsuccessful", "losing"})
_BY = (
    r"\b(?:(?:written|drafted|briefs?|memos?|motions?) )?"
    r"(?P<core>(?:by|from) (?P<author>{names}))(?!\w)"
)
_WORD = re.compile(r"[^\s,;?!]{1,60}(?<![.)])")


@dataclass(frozen=True, slots=True)
class Hinted:
    """What was read out of a query: its text without the hints, the hints, and its filters with them set.

    `is_hints_alone` says that the text asks for nothing besides; it then keeps its words. `notices` say which condition
    could not be followed.
    """

    text: str
    hints: tuple[Hint, ...]
    filters: Filters
    is_hints_alone: bool = False
    notices: tuple[str, ...] = ()
    stages: tuple[Filters, ...] = ()
    """The filters after each of the hints, in their order; the last are `filters`."""
    unmet: str = ""
    """Words that ask how cases ended as no brief is known to have; they are still in `text`."""
    rest: str = ""
    """The text without these words, and without those of hints that were refused."""

    @property
    def unmet_told(self) -> tuple[str, ...]:
        """What to say of `unmet` where it is left out."""
        told = f"No brief here is known to have ended so: “{self.unmet}” sets no condition."
        return (told,) if self.unmet else ()


@dataclass(frozen=True, slots=True)
class _Found:
    span: Span
    hint: Hint
    filters: Filters


class HintReader:
    """Reads the hints of queries over one generation's documents."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._kinds = {document.metadata.kind.value for document in documents}
        self._has_dates = any(document.filed for document in documents)
        courts = {document.metadata.court.value for document in documents if document.metadata.court}
        self._courts = _by_part(sorted(courts))
        self._outcomes = sorted({each.metadata.outcome.value for each in documents if each.metadata.outcome})
        self._unknown_outcomes = sum(each.metadata.outcome is None for each in documents)
        self._authors = _by_surname({each.metadata.author.value for each in documents if each.metadata.author})
        self._by_author = re.compile(_BY.format(names=_alternatives(self._authors))) if self._authors else None
        self._dockets = {docket.casefold(): docket for each in documents for docket in each.metadata.dockets}
        self._court = re.compile(
            rf"\b(?P<core>(?:in|before) (?:the )?(?P<court>{_alternatives(self._courts)}))(?!\w)", re.IGNORECASE
        )

    def read(self, query: Query) -> Hinted:
        """Read the hints that may be followed and are not refused; a text of nothing but hints keeps its words."""
        refused = {text.casefold() for text in query.refused_hints}
        text, filters = query.text, query.filters
        hints: list[Hint] = []
        stages: list[Filters] = []
        for readers in (self._dates, self._kind, self._in_court, self._under_docket, self._won, self._by):
            found = next((each for each in readers(text, filters) if each.hint.text.casefold() not in refused), None)
            if found:
                text = f"{text[: found.span.start].rstrip()} {text[found.span.end :].lstrip()}".strip()
                hints.append(found.hint)
                filters = found.filters
                stages.append(filters)
        # "directives since 2020" asks for nothing besides: without its words there would be nothing to rank by.
        is_alone = bool(hints) and not re.search(r"\w", text)
        unmet = self._unmet_outcome(text, filters, refused)
        asked = (unmet["core"] or unmet["before"]) if unmet else ""
        said = f"No brief here is known to have ended so: “{asked}” was searched for as words."
        return Hinted(
            query.text if is_alone else text,
            tuple(hints),
            filters,
            is_alone,
            (said,) if unmet else (),
            tuple(stages),
            asked,
            _without(f"{text[: unmet.start()].rstrip()} {text[unmet.end() :].lstrip()}" if unmet else text, refused),
        )

    def _kind(self, text: str, filters: Filters) -> Iterator[_Found]:
        for match in _KIND.finditer(text) if not filters.kinds else ():
            kind = _KIND_WORDS[match["kind"].lower()]
            if kind.value in self._kinds:
                hint = Hint(match["core"], _KIND_MEANINGS[kind])
                yield _Found(Span(*match.span()), hint, replace(filters, kinds=(kind,)))

    def _dates(self, text: str, filters: Filters) -> Iterator[_Found]:
        if not self._has_dates:
            return
        asked = _AT_THE_END.finditer(text) if _ASKS_WHO_SPOKE.match(text) else ()
        for match in chain(_DATES.finditer(text), asked):
            since, until = _limits(match)
            if since is None or until is None or since <= until:
                said = match.groupdict()
                followed, meaning = _beside_filters(since, until, filters)
                hint = Hint(said.get("core") or match["filed"], meaning)
                yield _Found(Span(*match.span()), hint, followed)

    def _in_court(self, text: str, filters: Filters) -> Iterator[_Found]:
        for match in self._court.finditer(text) if self._courts and not filters.courts else ():
            courts = self._courts[match["court"].casefold()]
            hint = Hint(match["core"], f"filed in {' or '.join(courts)}")
            yield _Found(Span(*match.span()), hint, replace(filters, courts=courts))

    def _won(self, text: str, filters: Filters) -> Iterator[_Found]:
        for match in _WON.finditer(text) if not filters.outcomes else ():
            if outcomes := self._outcomes_meant(match):
                left = f"; {self._unknown_outcomes:,} of unknown outcome left out" if self._unknown_outcomes else ""
                hint = Hint(match["core"] or match["before"], f"outcome {' or '.join(outcomes)}{left}")
                yield _Found(Span(*match.span()), hint, replace(filters, outcomes=outcomes))

    def _outcomes_meant(self, match: re.Match[str]) -> tuple[str, ...]:
        """The outcomes of this bank that words such as "that won" mean; there may be none."""
        said = (match["that"] or match["were"] or match["kind"]).lower()
        wanted = Ending.LOST if said in _LOSING else Ending.WON
        return tuple(each for each in self._outcomes if ending_of(each) is wanted)

    def _unmet_outcome(self, text: str, filters: Filters, refused: set[str]) -> re.Match[str] | None:
        """The words that ask how cases ended, where no brief is known to have ended so."""
        matches = _WON.finditer(text) if not filters.outcomes else ()
        unmet = (match for match in matches if not self._outcomes_meant(match))
        return next((each for each in unmet if (each["core"] or each["before"]).casefold() not in refused), None)

    def _by(self, text: str, filters: Filters) -> Iterator[_Found]:
        for match in self._by_author.finditer(text) if self._by_author and not filters.authors else ():
            authors = self._authors[match["author"]]
            hint = Hint(match["core"], f"written by {' or '.join(authors)}")
            yield _Found(Span(*match.span()), hint, replace(filters, authors=authors))

    def _under_docket(self, text: str, filters: Filters) -> Iterator[_Found]:
        if filters.dockets or not any(letter.isdigit() for letter in text):
            return
        words = [match.span() for match in _WORD.finditer(text)]
        for count in range(_DOCKET_WORDS, 0, -1):
            for (start, _), (_, end) in zip(words, words[count - 1 :], strict=False):
                if docket := self._dockets.get(text[start:end].casefold()):
                    before = _BEFORE_DOCKET.search(text[:start])
                    span = Span(before.start() if before else start, end)
                    hint = Hint(text[start:end], f"docket {docket}")
                    yield _Found(span, hint, replace(filters, dockets=(docket,)))


def _without(text: str, refused: Iterable[str]) -> str:
    """A text without the words of refused hints, where these stand as words."""
    for words in filter(None, refused):
        text = re.sub(rf"(?<!\w){re.escape(words)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split()) if re.search(r"\w", text) else ""


def _alternatives(names: Iterable[str]) -> str:
    """Names as a pattern, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))


def _by_surname(authors: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The authors by their full names and by their surnames, with the capital that tells a name from a word."""
    named: dict[str, list[str]] = {}
    for author in sorted(authors):
        words = author.split()
        for name in dict.fromkeys([author, *words[-1:]]):
            if name[:1].isupper():
                named.setdefault(name, []).append(author)
    return {name: tuple(each) for name, each in named.items()}


def _by_part(courts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The courts by their names, and by each part of a name between commas that has more than one word."""
    named: dict[str, list[str]] = {}
    for court in courts:
        parts = [court, *(part.strip() for part in court.split(","))]
        for part in dict.fromkeys(part.casefold() for part in parts if " " in part):
            named.setdefault(part, []).append(court)
    return {part: tuple(each) for part, each in named.items()}


def _limits(match: re.Match[str]) -> tuple[date | None, date | None]:
    said = match.groupdict()
    if said.get("first"):
        return _period(match["first"])[0], _period(match["last"])[1]
    if said.get("since"):
        return _period(match["since"])[0], None
    if match["within"]:
        return _period(match["within"])
    if match["after"]:
        return _period(match["after"])[1] + timedelta(days=1), None
    first, last = _period(match["before"])
    return None, last if "until" in match["filed"].lower() else first - timedelta(days=1)


def _beside_filters(since: date | None, until: date | None, filters: Filters) -> tuple[Filters, str]:
    """The filters with those of two days that none set by hand stands against, and what that means in words."""
    own_since, own_until = (None if filters.since else since), (None if filters.until else until)
    both = replace(filters, since=own_since or filters.since, until=own_until or filters.until)
    is_empty = both.since is not None and both.until is not None and both.since > both.until
    if is_empty or not (own_since or own_until):
        return filters, "not followed: the dates that are set beside the question hold"
    return both, _told(own_since, own_until)


def _period(written: str) -> tuple[date, date]:
    """The first and the last day of a year, or of a month of a year."""
    *month, year = written.lower().split()
    return period(int(year), MONTH_NUMBERS[month[0]] if month else None)


def _told(since: date | None, until: date | None) -> str:
    if since and until:
        return f"filed from {_day(since)} to {_day(until)}"
    return f"filed on or after {_day(since)}" if since else f"filed on or before {_day(until)}"


def _day(day: date | None) -> str:
    return f"{day.day} {MONTHS[day.month - 1].title()} {day.year}" if day else ""
