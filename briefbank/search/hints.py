"""Conditions that people write into a question: kind, years, court, docket, outcome, author. Knows no index.

A hint is followed only where the bank has something for it to choose, and never against a filter set by hand; its words
then carry no weight, nor do those of a date beside dates set by hand. Whoever asks sees each one and can refuse it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain

from briefbank.law.courts import called_in_speech, numbered_courts
from briefbank.law.dates import MONTH_NUMBERS, MONTHS, period
from briefbank.law.dockets import docket_key
from briefbank.law.word_lists import ordinary_words
from briefbank.values.outcomes import Ending, ending_of
from briefbank.values.records import Document, DocumentKind, Filters, Hint, Query, Span

_KIND_WORDS = {
    "directive": DocumentKind.DIRECTIVE,
    **dict.fromkeys(("memo", "memorandum", "memoranda"), DocumentKind.INTERNAL),
}
_KIND_MEANINGS = {DocumentKind.DIRECTIVE: "directives only", DocumentKind.INTERNAL: "internal documents only"}
_KINDS_NAMED = rf"(?:(?:the|a|an|any|all|our) )?(?P<core>(?P<kind>{'|'.join(_KIND_WORDS)})s?)"
_KIND = re.compile(
    rf"\b{_KINDS_NAMED} (?:on|about|regarding|concerning|discussing|addressing|for)\b",
    re.IGNORECASE,
)
_KIND_ALONE = re.compile(rf"\A\W*(?:(?:find|show|list|give) (?:me )?)?{_KINDS_NAMED}\W*\Z", re.IGNORECASE)
"""A kind beside which nothing is asked for but other conditions: “directives since 2020”."""
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
"""A date behind a question for who spoke of something: that of their briefs."""
_ASKS = re.compile(
    r"\A\W*+(?:is|are|was|were|has|have|had|do|does|did|can|may|must|should|whether|if)\b", re.IGNORECASE
)
_OF_FACTS = frozenset(
    "offense offenses offence offences crime crimes conduct act acts event events conviction convictions arrest "
    "arrests sentence sentences abuse law laws statute statutes version versions amendment amendments took made "
    "born done place".split()
)
"""What stands in front of a date of the facts, or of the law: “arrested before 2020”, “offenses after June 2019”."""
# Chosen, not measured: `A-1403-22` is one word, `Ind. No. 12-05-0345` three.
_DOCKET_WORDS = 4
"""The most words that a docket number is written in."""
_BEFORE_DOCKET = re.compile(
    r"(?:\b(?:in|under|for) )?(?:\bdockets?(?: (?:no|nos|number|numbers)\b\.?)? )?$", re.IGNORECASE
)
_FILINGS = r"(?:briefs?|motions?|appeals?|memos?|petitions?)"
_FILING = re.compile(r"(?:briefs?|motions?|memos?|memoranda|filings?)\Z", re.IGNORECASE)
_WON = re.compile(
    rf"\b(?:{_FILINGS} (?P<core>(?:that|which) (?:(?:have |has )?(?P<that>won|succeeded|prevailed|lost|failed(?! to\b))"
    rf"|(?:were |was )(?P<were>successful|unsuccessful))"
    rf"|(?:we )?(?P<short>won|lost)(?= (?:by|on|about|since|from|before|after|in (?:19|20))\b|\W*\Z))"
    rf"|(?P<before>(?P<kind>winning|successful|losing|unsuccessful) {_FILINGS}))\b",
    re.IGNORECASE,
)
_LOSING = frozenset({"lost", "failed", "unsuccessful", "losing"})
_BY = (
    r"\b(?:(?:written|drafted|briefs?|memos?|motions?|filings?) )?"
    r"(?P<core>(?:by|from) (?P<author>{names}))(?!\w)"
)
_BY_SOMEBODY = re.compile(
    r"\b(?:briefs?|memos?|memoranda|motions?|filings?) (?:written |drafted |filed )?"
    r"(?P<core>by (?P<author>[^\W\d_][\w.’'-]*\w(?: (?:[A-Z]\. )*[A-Z][\w’'-]+){0,3}))(?!\w)",
    re.IGNORECASE,
)
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "esq"})
_WORD = re.compile(r"[^\s,;?!]{1,60}(?<![.)])")


@dataclass(frozen=True, slots=True)
class Hinted:
    """What was read out of a query: its text without the hints, the hints, and its filters with them set.

    `is_hints_alone` says that the text asks for nothing besides; it then keeps its words. `notices` say which condition
    no brief is known to meet: it sets none, and its words are left out, unless nothing else is asked for.
    """

    text: str
    hints: tuple[Hint, ...]
    filters: Filters
    is_hints_alone: bool = False
    notices: tuple[str, ...] = ()
    stages: tuple[Filters, ...] = ()
    """The filters after each of the hints, in their order; the last are `filters`."""
    rest: str = ""
    """The text without the words of hints that were refused."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A condition in a text; one that no brief is known to meet has no filters, and its hint says why."""

    span: Span
    hint: Hint
    filters: Filters | None


class HintReader:
    """Reads the hints of queries over one generation's documents."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._kinds = {document.metadata.kind.value for document in documents}
        self._has_dates = any(document.filed for document in documents)
        courts = {document.metadata.court.value for document in documents if document.metadata.court}
        self._courts = _by_part(sorted(courts))
        self._courts.update({called: (court,) for court in sorted(courts) for called in called_in_speech(court)})
        if any(called_in_speech(court) for court in courts):
            self._courts.update({each: () for each in numbered_courts() if each not in self._courts})
        self._outcomes = sorted({each.metadata.outcome.value for each in documents if each.metadata.outcome})
        self._unknown_outcomes = sum(each.metadata.outcome is None for each in documents)
        self._authors = _by_surname({each.metadata.author.value for each in documents if each.metadata.author})
        self._by_author = re.compile(_BY.format(names=_alternatives(self._authors))) if self._authors else None
        self._any_case = {name.casefold(): authors for name, authors in self._authors.items()}
        self._given = _by_given_name({each.metadata.author.value for each in documents if each.metadata.author})
        given = [name.title() for name, authors in self._given.items() if len(authors) == 1]
        self._by_given = re.compile(_BY.format(names=_alternatives(given))) if given else None
        self._dockets = {docket_key(docket): docket for each in documents for docket in each.metadata.dockets}
        self._court = re.compile(
            rf"\b(?:filed )?(?P<core>(?:in|before) (?:the )?(?P<court>{_alternatives(self._courts)}))(?!\w)",
            re.IGNORECASE,
        )

    def read(self, query: Query) -> Hinted:
        """Read the hints that may be followed and are not refused; a text of nothing but hints keeps its words."""
        refused = {text.casefold() for text in query.refused_hints}
        text, filters = query.text, query.filters
        hints: list[Hint] = []
        unmet: list[Hint] = []
        stages: list[Filters] = []
        done: set[Callable[[str, Filters], Iterator[_Found]]] = set()
        # Dates and the kind once more where what stood behind them is read.
        again = self._dates, self._kind
        readers = (*again, self._in_court, self._under_docket, self._won, self._by, *again)
        for reader in readers:
            found = next((each for each in reader(text, filters) if each.hint.text.casefold() not in refused), None)
            if not found or reader in done:
                continue
            text = f"{text[: found.span.start].rstrip()} {text[found.span.end :].lstrip()}".strip()
            done.add(reader)
            if found.filters is None:
                unmet.append(found.hint)
                continue
            hints.append(found.hint)
            filters = found.filters
            stages.append(filters)
        # "directives since 2020" asks for nothing besides: without its words there would be nothing to rank by.
        is_alone = bool(hints) and not re.search(r"\w", text)
        rest = _without(text, refused)
        if not re.search(r"\w", text):
            text = _without(query.text, (each.text for each in unmet)) if hints else query.text
        became = "was searched for as words" if unmet and text == query.text else "sets no condition"
        notices = tuple(f"{each.meaning}: “{each.text}” {became}." for each in unmet)
        return Hinted(text, tuple(hints), filters, is_alone, notices, tuple(stages), rest)

    def _kind(self, text: str, filters: Filters) -> Iterator[_Found]:
        for match in chain(_KIND.finditer(text), _KIND_ALONE.finditer(text)) if not filters.kinds else ():
            kind = _KIND_WORDS[match["kind"].lower()]
            if kind.value in self._kinds:
                hint = Hint(match["core"], _KIND_MEANINGS[kind])
                yield _Found(Span(*match.span()), hint, replace(filters, kinds=(kind,)))

    def _dates(self, text: str, filters: Filters) -> Iterator[_Found]:
        if not self._has_dates:
            return
        at_the_end = (match for match in _AT_THE_END.finditer(text) if _is_of_filing(match))
        for match in chain(_DATES.finditer(text), at_the_end):
            since, until = _limits(match)
            if since is None or until is None or since <= until:
                said = match.groupdict()
                followed, meaning = _beside_filters(since, until, filters)
                hint = Hint(said.get("core") or match["filed"], meaning, "filed")
                yield _Found(Span(*match.span()), hint, followed)

    def _in_court(self, text: str, filters: Filters) -> Iterator[_Found]:
        for match in self._court.finditer(text) if self._courts and not filters.courts else ():
            courts = self._courts[match["court"].casefold()]
            told = f"filed in {' or '.join(courts)}" if courts else "No brief here is known to be filed there"
            hint = Hint(match["core"], told, "court")
            yield _Found(Span(*match.span()), hint, replace(filters, courts=courts) if courts else None)

    def _won(self, text: str, filters: Filters) -> Iterator[_Found]:
        matches = list(_WON.finditer(text)) if not filters.outcomes else []
        for match in matches:
            if outcomes := self._outcomes_meant(match):
                left = f"; {self._unknown_outcomes:,} of unknown outcome left out" if self._unknown_outcomes else ""
                hint = Hint(match["core"] or match["before"], f"outcome {' or '.join(outcomes)}{left}", "outcome")
                yield _Found(Span(*match.span()), hint, replace(filters, outcomes=outcomes))
        for match in matches:
            if not self._outcomes_meant(match):
                hint = Hint(match["core"] or match["before"], "No brief here is known to have ended so", "outcome")
                yield _Found(Span(*match.span()), hint, None)

    def _outcomes_meant(self, match: re.Match[str]) -> tuple[str, ...]:
        """The outcomes of this bank that words such as "that won" mean; there may be none."""
        said = (match["that"] or match["were"] or match["short"] or match["kind"]).lower()
        wanted = Ending.LOST if said in _LOSING else Ending.WON
        return tuple(each for each in self._outcomes if ending_of(each) is wanted)

    def _by(self, text: str, filters: Filters) -> Iterator[_Found]:
        if filters.authors:
            return
        for match in self._by_author.finditer(text) if self._by_author else ():
            yield _written_by(self._authors[match["author"]], match, filters)
        for match in _BY_SOMEBODY.finditer(text):
            if found := self._by_somebody(match, filters):
                yield found
        for match in self._by_given.finditer(text) if self._by_given else ():
            # "by Ines Okafor" is not by Ines Quince.
            is_whole = not text[match.end() :].lstrip()[:1].isupper()
            if is_whole and match["author"].casefold() not in ordinary_words():
                yield _written_by(self._given[match["author"].casefold()], match, filters)

    def _by_somebody(self, match: re.Match[str], filters: Filters) -> _Found | None:
        """Who stands behind “briefs by”: an author in any spelling of letters or by one given name, or nobody known."""
        words = match["author"].split()
        for count in range(len(words), 0, -1):
            name = " ".join(words[:count])
            is_whole = count == len(words) or not words[count][0].isupper()
            given = self._given.get(name.casefold(), ()) if is_whole else ()
            if not (authors := self._any_case.get(name.casefold(), ())):
                if len(given) > 1:
                    return None
                authors = given
            if authors:
                end = match.start("author") + len(name)
                hint = Hint(match.string[match.start("core") : end], f"written by {' or '.join(authors)}", "author")
                return _Found(Span(match.start(), end), hint, replace(filters, authors=authors))
        name = " ".join(words[:1] if words[0].islower() else [word for word in words if word[0].isupper()])
        if all(word.casefold().strip(".") in ordinary_words() for word in name.split()):
            return None
        end = match.start("author") + len(name)
        hint = Hint(match.string[match.start("core") : end], "No brief here is known to be by that author", "author")
        return _Found(Span(match.start(), end), hint, None)

    def _under_docket(self, text: str, filters: Filters) -> Iterator[_Found]:
        if filters.dockets or not any(letter.isdigit() for letter in text):
            return
        words = [match.span() for match in _WORD.finditer(text)]
        for count in range(_DOCKET_WORDS, 0, -1):
            for (start, _), (_, end) in zip(words, words[count - 1 :], strict=False):
                if docket := self._dockets.get(docket_key(text[start:end])):
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


def _written_by(authors: tuple[str, ...], match: re.Match[str], filters: Filters) -> _Found:
    hint = Hint(match["core"], f"written by {' or '.join(authors)}", "author")
    return _Found(Span(*match.span()), hint, replace(filters, authors=authors))


def _is_of_filing(match: re.Match[str]) -> bool:
    """Whether a date at the end of a text is that of briefs: not one of the facts, nor of the law."""
    before = match.string[: match.start()]
    last = before.split()[-1].strip(".,;:") if before.split() else ""
    is_of_facts = last.casefold() in _OF_FACTS or last.casefold().endswith(("ed", "ing"))
    if _ASKS_WHO_SPOKE.match(match.string) or _FILING.match(last):
        return True
    return bool(last) and not (match["within"] or _ASKS.match(before) or is_of_facts)


def _by_given_name(authors: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The authors by each of their names, in lower case; initials are none."""
    return _grouped(
        (name, author)
        for author in sorted(authors)
        for name in {word.casefold() for word in author.split() if len(word.rstrip(".")) > 1 and word[-1].isalpha()}
        if name not in _SUFFIXES
    )


def _by_surname(authors: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The authors by their full names and by their surnames, with the capital that tells a name from a word."""

    def names(author: str) -> Iterator[str]:
        words = [word for word in author.split() if word.strip(".,").casefold() not in _SUFFIXES]
        yield from dict.fromkeys([author, *(word.rstrip(",") for word in words[-1:])])

    return _grouped((name, author) for author in sorted(authors) for name in names(author) if name[:1].isupper())


def _by_part(courts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The courts by their names, and by each part of a name between commas that has more than one word."""
    return _grouped(
        (part, court)
        for court in courts
        for part in dict.fromkeys(part.strip().casefold() for part in [court, *court.split(",")])
        if " " in part
    )


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """All that is called by each name, in the order given."""
    named: dict[str, list[str]] = {}
    for name, called in pairs:
        named.setdefault(name, []).append(called)
    return {name: tuple(each) for name, each in named.items()}


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
    return both, _describe_days(own_since, own_until)


def _period(written: str) -> tuple[date, date]:
    """The first and the last day of a year, or of a month of a year."""
    *month, year = written.lower().split()
    return period(int(year), MONTH_NUMBERS[month[0]] if month else None)


def _describe_days(since: date | None, until: date | None) -> str:
    if since and until:
        return f"filed from {_day(since)} to {_day(until)}"
    return f"filed on or after {_day(since)}" if since else f"filed on or before {_day(until)}"


def _day(day: date | None) -> str:
    return f"{day.day} {MONTHS[day.month - 1].title()} {day.year}" if day else ""
