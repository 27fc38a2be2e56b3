"""Citations of the record of a case: transcripts, clerks' papers, appendices, exhibits, pleadings, briefs. Their forms
are those of `record_cites.toml`; which volume, pages and lines one names is read here. Pure functions over text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate, zip_longest

from briefbank.law.catalogue import Catalogue
from briefbank.law.dates import MONTH_NUMBERS, full_year
from briefbank.law.legal_numbers import folded
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

FORMS = Catalogue("record_cites.toml")
ID = re.compile(r"(?<![\w.])(?:(?:Id|Ibid|ibid)\b[.,]?(?=[\s,;)]|\Z)|id\.(?=,?\s+at\b|[,;)]|\s+[§¶(]|\Z))")
"""A word that means what was cited last."""
_PLACE = re.compile(r"\(?\d{0,3}(?:S?C\.?R|R\.?R)\.?[\d:.,;–()-]{0,40}")
"""A whole word that is a place of a Texan record, as columns of notes have it: `RR5:86`, `CR`, `2RR`."""
_BESIDE_PLACE = re.compile(r"[\d:.,;–()-]{1,40}|[Ii]d\.,?|[Ss]ee|at|&|and|pp?\.")
_DAY = bounded(
    r"(?P<m>\d{1,2})[/-](?P<d>\d{1,2})[/-](?P<y>\d{4}|\d{2})(?!\d)"
    rf"|(?P<month>{'|'.join(sorted(MONTH_NUMBERS, key=len, reverse=True))})\.?\s(?P<day>\d{{1,2}}),?\s"
    r"(?P<year>\d{4})",
    re.IGNORECASE,
)
_VOLUME = r"\d{1,3}|[IVXL]{1,7}"
_VOLUME_OF = bounded(rf"\bvol(?:ume|\.)?\s*(?:no\.\s*)?({_VOLUME})\b", re.IGNORECASE)
_ENTRY = bounded(
    r"(?:R\.\s?)?(?P<letters>(?:CM/)?ECF|Dkt|Doc(?:ument|s)?|D\.?\s?E|D\.?\s?I|Docket\sEntry|Filing)\.?\s?"
    r"(?:Nos?\.?\s?|\#\s?|Entry\s(?:Nos?\.\s)?)?(?P<entry>\d{1,4}(?:-\d{1,3})*)(?P<places>.*)",
    re.DOTALL,
)
_DOCKETED = bounded(r"(?:ROA|R\.O\.A\.?)\.(?P<entry>\d{2}-\d{3,6})(?P<places>\..*)", re.DOTALL)
"""The docket stands before the page: "ROA.22-40123.5"."""
_EXHIBIT = bounded(
    r"(?:(?:[\w'’.]+\s){0,3}?(?P<letters>Ex|Exh|Exhibit)s?\.?\s?(?:Nos?\.?\s?)?(?P<entry>[A-Z]{0,2}-?\d{0,4}[A-Z]?)\b"
    r"|(?P<side>[A-Z])(?:X[-\s]?|-)(?P<number>\d{1,4}[A-Z]?))(?P<places>(?:,?\s(?:at|pp?\.).*)?)",
    re.DOTALL,
)
_NAMED = bounded(
    rf"(?:(?P<before>{_VOLUME})(?:[\s-]|(?<=\d))(?=[A-Z]))?(?P<letters>(?=Vol)|[^\d]*?[A-Za-z][^\d]*?)"
    rf"(?:[\s.,]*(?P<volume>[Vv]ol(?:ume|s)?\.?\s?(?:{_VOLUME})\b,?\s?[:/]?\s?|(?<=[\s.,])(?:[IVXL]{{1,7}})\b\s?[:/,]\s?"
    r"|\d{1,3}/(?=\d)|(?<=R)\d{1,3}:\s?(?=\d)|\d{1,2}:(?=(?:29|[3-9]\d|\d{3,})\b)|(?<=R\.\s)\d{1,2}\s(?=at\s)))?"
    r"(?P<places>\W*(?:\b(?:at|pp?|[Pp]ages?|pgs?)\b\W*)*(?:(?:(?<=[\s.])[A-Z]{1,2}-?)?\d.*)?)",
    re.DOTALL,
)
_NUMBER = bounded(
    r"(?P<between>\W*(?:(?:at|to|through|and|pp?|[Pp]ages?|pgs?|[Ll]l?|[Ll]ines?)\b\W*)*)"
    r"(?P<prefix>[A-Z][A-Za-z]{0,3}[.-]?\s?)?(?P<digits>\d{1,6})(?P<suffix>[a-z](?![a-z]))?"
)
_SAID_AGAIN = re.compile(r"(\s(?:to|through)\s)\d{0,2}T(?=\d)")
"""The volume once more before the last page: "1T45-3 to 1T46-5"."""
_OF_LINE = re.compile(r"\b(?:[Ll]l?|[Ll]ines?)\b")
_TO = re.compile(r"\b(?:to|through)\b|[-–]")
_AT_PLACE = bounded(
    r",?\s+(?:at\s+)?(?:pp?\.\s?)?(?=[A-Z]{0,2}\d)[\dA-Za-z:–-]{1,20}(?:\s(?:to|through)\s-?[\d:-]{1,9})?"
)
"""Behind *Id.*"""
_ONE_PLACE = r"(?:pp?\.\s|ll?\.\s)?-?[A-Z]{0,2}\d{1,5}[a-z]?(?:[:./-]\d{1,5}[a-z]?)*\b"
_MORE_PLACES = bounded(
    rf"(?:(?:[,;]\s?(?:(?:and|&)\s)?|\s(?:and|&)\s){_ONE_PLACE}(?:\s(?:to|through)\s{_ONE_PLACE})?){{1,12}}"
    r"(?=\s?[)\],;.]|\s?\Z|\s(?:and|&)\s)"
)
"""Behind the first place: ", 46-2, and 47"."""
_MOST_LINE, _MOST_DASHED_LINE = 28, 25
"""A line of a higher number is no line of a transcript; of one that is cited as in New Jersey."""


@dataclass(frozen=True, slots=True)
class RecordName:
    """What names a file of the record: letters ("T", "RR", "DA", "ECF"), a volume (0 for none), a day ("N.T. 3/4/22"),
    an entry or exhibit ("12", "B").
    """

    letters: str
    volume: int = 0
    day: date | None = None
    entry: str = ""
    written: str = field(default="", compare=False)
    """The letters as they stand ("Sent. Tr.")."""

    @property
    def label(self) -> str:
        """How people write it, more or less: "3T", "RR", "NT 2022-03-04", "ECF 12"."""
        behind = " ".join(filter(None, (self.entry, self.day.isoformat() if self.day else "")))
        return f"{self.volume or ''}{self.letters}{' ' if behind else ''}{behind}"


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Pages as they are printed ("45", "C12", "iv"), and lines, 0 where none are named; `last_page` may be the same."""

    page: str
    line: int = 0
    last_page: str = ""
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class RecordCite:
    """A citation of the record: where it stands, what names the file, the places; whether it is *Id.* and no more."""

    span: Span
    name: RecordName
    places: tuple[RecordPlace, ...]
    is_short: bool = False


def record_cites(text: str) -> Iterator[Span]:
    """Yield where a text cites the record, in order."""
    yield from (Span(*match.span()) for match in FORMS["record"].finditer(folded(text)))


def is_column_of_record_cites(text: str) -> bool:
    """Whether a text is nothing but notes that name places of the record: "56 RR5:86", "57 3 CR 12", "58 Id. at 90"."""
    words = text.split()
    return any(map(_PLACE.fullmatch, words)) and all(
        _PLACE.fullmatch(each) or _BESIDE_PLACE.fullmatch(each) for each in words
    )


def read_record_cites(text: str, authorities: Sequence[Span] = ()) -> Iterator[RecordCite]:
    """Yield the citations of the record in a text with their places, *Id.* for that before it: `authorities` are where
    other things are cited, in any order, after which *Id.* means these.
    """
    plain = folded(text)
    others = set(authorities)
    starts = sorted(each.start for each in others)
    ends = list(accumulate((each.end for each in sorted(others)), max))

    def is_free(span: Span) -> bool:
        before = bisect_left(starts, span.end)
        return not before or ends[before - 1] <= span.start

    ids = {Span(*each.span()) for each in ID.finditer(plain)}
    order = sorted({*filter(is_free, record_cites(text)), *ids, *others})
    last: RecordCite | None = None
    for span, following in zip_longest(order, order[1:]):
        until = following.start if following else len(plain)
        if span in ids:
            if last:
                last = _after_id(plain, span, last, until)
                yield last
        elif span in others:
            last = None
        else:
            name, places = read_cite(plain[slice(*span)])
            if places:
                whole = Span(span.start, _end_of_places(plain, span.end, until))
                last = RecordCite(whole, name, read_cite(plain[slice(*whole)])[1])
                yield last
            elif name.entry:
                last = RecordCite(span, name, ())
                yield last


def _after_id(text: str, span: Span, before: RecordCite, until: int) -> RecordCite:
    behind = _AT_PLACE.match(text, span.end)
    if not behind:
        return replace(before, span=span, is_short=True)
    end = _end_of_places(text, behind.end(), until)
    places = _places(text[span.end : end], before.name)
    return RecordCite(Span(span.start, end), before.name, places or before.places, is_short=True)


def _end_of_places(text: str, start: int, until: int) -> int:
    more = _MORE_PLACES.match(text, start, until)
    return more.end() if more else start


def read_cite(text: str) -> tuple[RecordName, tuple[RecordPlace, ...]]:
    """Return what a citation of the record names, and the places; no places where it names a volume alone."""
    day = _day_in(text)
    plain = _DAY.sub(" ", text, count=1) if day else text
    plain = _SAID_AGAIN.sub(r"\1", plain)
    if found := _ENTRY.fullmatch(plain):
        name = RecordName("ECF", entry=found["entry"], day=day)
        return name, _places(re.sub(r"PageID\S*\s?\S*", "", found["places"]), name)
    if found := _DOCKETED.fullmatch(plain):
        name = RecordName("ROA", entry=found["entry"], day=day)
        return name, _places(found["places"], name)
    if found := _EXHIBIT.fullmatch(plain):
        entry = found["entry"] or f"{found['side'] or ''}{found['number'] or ''}"
        name = RecordName("EX", entry=entry.replace("-", "").upper(), day=day)
        return name, _places(found["places"], name)
    found = _NAMED.fullmatch(plain)
    if not found:
        return RecordName(_letters(plain), day=day), ()
    volume = re.search(_VOLUME, (found["volume"] or "").removeprefix("V").removeprefix("v"))
    number = _value(found["before"] or (volume[0] if volume else ""))
    name = RecordName(_letters(found["letters"]), number, day, written=found["letters"].strip(" .,"))
    return name, _places(found["places"], name)


def families_of(letters: str) -> tuple[str, ...]:
    """Return what files of a kind that is cited with these letters call themselves, as regular expressions."""
    named = [form.regex for form in FORMS.groups["family"] if letters in form.title.split()]
    for ends, kind in ((("APP", "APPX"), "APP"), (("T", "TR", "TRANS"), "TR")):
        if not named and letters.endswith(ends):
            named = [form.regex for form in FORMS.groups["family"] if kind in form.title.split()]
    return tuple(named)


def volume_in(text: str) -> int:
    """Return the number of the volume that the first page of a file names ("VOLUME III OF V"), 0 where none."""
    found = _VOLUME_OF.search(text)
    return _value(found[1].upper()) if found else 0


def _letters(text: str) -> str:
    return re.sub(r"[^A-Z]", "", re.sub(r"\b(?:at|[Vv]ol(?:ume|s)?|of)\b", "", text).upper())


def _value(volume: str) -> int:
    """The number of a volume, in figures or roman letters."""
    if not volume or volume.isdecimal():
        return int(volume or 0)
    values = [{"I": 1, "V": 5, "X": 10, "L": 50}[letter] for letter in volume]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def _day_in(text: str) -> date | None:
    if found := _DAY.search(text):
        month = MONTH_NUMBERS[found["month"].lower()] if found["month"] else found["m"]
        with suppress(ValueError):
            return date(full_year(found["y"] or found["year"]), int(month), int(found["d"] or found["day"]))
    return None


def _places(text: str, name: RecordName) -> tuple[RecordPlace, ...]:
    """The places in what stands behind a name. A hyphen leads to a line where transcripts are cited as in New Jersey
    ("3T45-3"), elsewhere to a page ("45-47"); a number too high for a line is a page in either case.
    """
    is_as_in_new_jersey = re.fullmatch(r"[A-Z]{0,2}T", name.letters) and name.letters not in ("NT", "RT", "CT")
    has_dashed_lines = bool(is_as_in_new_jersey and (name.volume or name.letters != "T" or text[:1].isdecimal()))
    places: list[RecordPlace] = []
    is_end = False
    for found in _NUMBER.finditer(text):
        between, number = found["between"], int(found["digits"])
        page = f"{_prefix(found['prefix'], name)}{number}{found['suffix'] or ''}"
        most = _MOST_DASHED_LINE if has_dashed_lines and ":" not in between else _MOST_LINE
        is_page = bool(found["suffix"] or page[0].isalpha()) or number > most
        has_line = re.match(r"[:/]\d" if not has_dashed_lines else r"[:/-]\d", text[found.end() :]) is not None
        at = places[-1] if places else None
        if at is None:
            places.append(RecordPlace(page))
        elif _OF_LINE.search(between) or (re.fullmatch(r"[:/.]", between) and not is_page):
            places[-1] = replace(at, last_line=number) if is_end and at.line else replace(at, line=number)
        elif _TO.search(between):
            is_line = not is_page and not has_line
            if is_line and (at.line or re.search(r"(?:to|through)\s?-", between)):
                places[-1] = replace(at, last_line=number)
            elif is_line and not at.line and (has_dashed_lines or _whole(page, at.page) < at.page):
                places[-1] = replace(at, line=number)
                continue
            else:
                places[-1] = replace(at, last_page=_whole(page, at.page))
                is_end = True
                continue
        elif at.line and not is_page and not has_line and max(at.line, at.last_line) < number < _page_number(at.page):
            places.append(replace(at, line=number, last_line=0, last_page=""))
        else:
            places.append(RecordPlace(page))
        is_end = False
    return tuple(places)


def _page_number(page: str) -> int:
    return int(page) if page.isdecimal() else 0


def _prefix(prefix: str | None, name: RecordName) -> str:
    letters = re.sub(r"\W", "", prefix or "")
    return "" if letters.upper() == name.letters else letters


def _whole(last: str, first: str) -> str:
    """The last page of a range in full: 47 of "145-47" is 147."""
    if last.isdecimal() and first.isdecimal() and int(last) < int(first) and len(last) < len(first):
        return first[: len(first) - len(last)] + last
    return last
