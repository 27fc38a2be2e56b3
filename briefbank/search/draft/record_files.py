"""The files of a record: read beside the draft, found by what it calls them, looked up by printed pages and lines.

Nothing of them is kept, indexed or logged.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from briefbank.errors import CancelledError, SourceError, UsageError
from briefbank.ingest.metadata.dates import dates_in
from briefbank.ingest.texts import read_record
from briefbank.law.record_cites import RecordName, RecordPlace, families_of, read_cite, volume_in
from briefbank.platform.files import file_sha256
from briefbank.platform.progress import POLL_S, CancelToken, Progress, Reporter
from briefbank.platform.regex import bounded
from briefbank.platform.settings import Settings
from briefbank.values.findings import ListUsed, Unchecked
from briefbank.values.page_numbers import named_pages
from briefbank.values.record import CaseRecord, RecordText
from briefbank.values.records import Span

_SPEAKER = bounded(
    r"(?:(?<=\s)|\A)(?:[QA][.:](?:\s+|\Z)|(?:BY\s)?(?:[A-Z][A-Z.'’]+\s){0,4}[A-Z#\d][A-Z.'’\d]+:(?:\s+|\Z))"
)
"""What names who speaks in a transcript: "Q.", "THE COURT:", "BY MS. ROE:"."""
_BARE_SPEAKER = bounded(r"\A[QA]\s+(?=[A-Z\d])")
_BARE_QUESTION = bounded(r"\AQ\s+[A-Z]")
_LEAST_BARE = 3
"""Lines that begin with a question's letter without a full stop, from which "A" is an answer's in that file too."""
_CUT_WORD = re.compile(r"[a-z]-\Z")
_FIGURES = bounded(r"([a-z]*?)0*(\d+)([a-z]?)")
_TITLE_LETTERS = 1_500
_WORD = re.compile(r"[a-z]{4,}")
_DEFINES = (
    r"(?:[\s,]*(?:(?:shall|will|also|hereinafter)\s+)*(?:(?:refers?|referring)?\s*to\b|is\b|are\b|denotes?\b"
    r"|designates?\b|means?\b|stands?\s+for\b|[=:–—-])|\s(?=transcript|\d{1,2}/\d|[A-Z][a-z]{2,8}\.?\s\d))\s*"
)
_NEXT_NAME = bounded(
    r"(?:,|\band)\s+(?:and\s+)?[“\"]?(?:\d{0,2}\s?[A-Z]{1,3}|[A-Z][a-z]{1,2})[”\"]?,?\s+(?:to|refers?|is|denotes?|=|[-–—])\s"
)
_LAST_NAME = re.compile(r"[”\"’)]")
"""What ends the words on one name of a list, and on the one before."""
_END = r"(?=;|\.(?:\s|\Z)|\n\n|\Z)"
_MOST_LINES = 1_000
_LEAST, _CERTAIN, _ALIKE = 20, 100, 22
"""What has to speak for a file to be the one that is meant, and to be it although another name means it already; by how
much less may speak for one that is numbered in one count with it."""


@dataclass(frozen=True, eq=False)
class RecordFile:
    """A file of the record as one text: its lines behind one another without speakers; `starts` has where each line
    begins, `lines` the index of its page and its number.
    """

    name: str
    record: RecordText
    text: str
    starts: tuple[int, ...]
    lines: tuple[tuple[int, int], ...]
    sha256: str

    @classmethod
    def of(cls, name: str, record: RecordText, sha256: str = "") -> RecordFile:
        pieces: list[str] = []
        starts: list[int] = []
        lines: list[tuple[int, int]] = []
        length = 0
        every = [line.text for page in record.pages for line in page.lines]
        is_bare = sum(_BARE_QUESTION.match(each) is not None for each in every) >= _LEAST_BARE
        for index, page in enumerate(record.pages):
            for line in page.lines:
                text = without_speakers(_BARE_SPEAKER.sub("", line.text) if is_bare else line.text)
                piece = text if _CUT_WORD.search(text) else f"{text}\n"
                starts.append(length)
                lines.append((index, line.number))
                pieces.append(piece)
                length += len(piece)
        return cls(name, record, "".join(pieces), tuple(starts), tuple(lines), sha256)

    @cached_property
    def title(self) -> str:
        """What its first page says of it."""
        return self.record.title[:_TITLE_LETTERS]

    @cached_property
    def dates(self) -> frozenset[date]:
        return frozenset((*dates_in(self.title), *dates_in(self.name)))

    @cached_property
    def by_label(self) -> Mapping[str, Sequence[int]]:
        """The pages that bear a number, with the letters in front of it and without."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, page in enumerate(self.record.pages):
            if number := _FIGURES.fullmatch(_bare(page.label)):
                keys = {"".join(number.groups()), f"{number[2]}{number[3]}"}
                for key in keys:
                    found[key].append(index)
            elif page.label:
                found[_bare(page.label)].append(index)
        return found

    @cached_property
    def prefixes(self) -> frozenset[str]:
        """The letters before the numbers that its pages bear."""
        found = (_FIGURES.fullmatch(_bare(page.label)) for page in self.record.pages)
        return frozenset(each[1] for each in found if each and each[1])

    @cached_property
    def is_numbered(self) -> bool:
        """Whether it is known of each page which number it bears."""
        return all(page.label for page in self.record.pages)

    @cached_property
    def last_page(self) -> str:
        return next((page.label for page in reversed(self.record.pages) if page.label), "")

    def pages_at(self, place: RecordPlace, letters: str) -> tuple[range, str]:
        """The indices of the pages that a place names, and the number that no page bears, where there is one."""
        first = self._page(place.page, letters)
        last = self._page(place.last_page, letters) if place.last_page else first
        if first is None or last is None:
            return range(0), place.page if first is None else place.last_page
        return range(first, max(first, last) + 1), ""

    def _page(self, label: str, letters: str) -> int | None:
        """The page with a number: with the letters that the record is cited with before any other, and where no page
        bears one the sheet.
        """
        bare = _bare(label)
        for key in (f"{letters.lower()}{bare}", bare):
            if found := self.by_label.get(key):
                return found[0]
        if not self.by_label and label.isdecimal():
            return next((at for at, page in enumerate(self.record.pages) if page.sheet == int(label)), None)
        return None

    def lines_on(self, pages: range, first: int = 0, last: int = 0) -> range:
        """The indices of the lines of pages, from one number on the first to another on the last, where these have
        numbers.
        """
        found = [at for at, (page, _) in enumerate(self.lines) if page in pages]
        if not found:
            return range(0)
        start, behind = found[0], found[-1] + 1
        if first and self.lines[start][1]:
            end = last or (first if len(pages) == 1 else _MOST_LINES)
            inside = [
                at
                for at in found
                if (self.lines[at][0] > pages[0] or self.lines[at][1] >= first)
                and (self.lines[at][0] < pages[-1] or self.lines[at][1] <= end)
            ]
            return range(inside[0], inside[-1] + 1) if inside else range(0)
        return range(start, behind)

    def span_of(self, lines: range) -> Span:
        """The text of some lines, as many of them as there are."""
        first, behind = max(lines.start, 0), min(lines.stop, len(self.starts))
        end = self.starts[behind] if behind < len(self.starts) else len(self.text)
        return Span(self.starts[first] if first < len(self.starts) else end, end)

    def line_at(self, offset: int) -> int:
        """The index of the line that a place of the text is on."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def place_of(self, span: Span) -> str:
        """How a stretch of the text is cited: "45:3-9", "Da12", "45:24-46:2", "sheet 3"."""
        if not self.lines:
            return ""
        (first, line), (last, end) = (
            self.lines[self.line_at(at)] for at in (span.start, max(span.end - 1, span.start))
        )
        one, other = self._label(first), self._label(last)
        if not line:
            return one if one == other else f"{one}-{other}"
        if one != other:
            return f"{one}:{line}-{other}:{end}"
        return f"{one}:{line}" if line == end else f"{one}:{line}-{end}"

    def sheet_of(self, span: Span) -> int:
        return self.record.pages[self.lines[self.line_at(span.start)][0]].sheet if self.lines else 0

    def is_scanned(self, span: Span) -> bool:
        """Whether OCR has read the page on which a stretch begins."""
        return bool(self.lines) and self.record.pages[self.lines[self.line_at(span.start)][0]].is_scanned

    def _label(self, page: int) -> str:
        return self.record.pages[page].label or f"sheet {self.record.pages[page].sheet}"


def without_speakers(text: str) -> str:
    """Return words of a transcript without what names who speaks."""
    return _SPEAKER.sub("", text)


def _bare(label: str) -> str:
    return re.sub(r"[\W_]", "", label).casefold()


class RecordReading:
    """The record of a case that is being read since it was made, by `reading_record`."""

    def __init__(
        self, record: CaseRecord, draft: Path, settings: Settings, cancel: CancelToken, beside: Executor
    ) -> None:
        self.volumes = record.volumes
        self._folder, self._draft, self._settings, self._cancel = record.folder.absolute(), draft, settings, cancel
        self._progress = Progress("record")
        self._is_stopped = False
        self._files = beside.submit(self._read)

    def files(self, reporter: Reporter) -> tuple[tuple[RecordFile, ...], tuple[Unchecked, ...]]:
        """Return the files, by name, and what could not be read of them, and why.

        Raises:
            SourceError: the folder is missing or cannot be read.
            CancelledError: asked to stop.
        """
        while not self._files.done():
            reporter(self._progress)
            wait([self._files], timeout=POLL_S)
        return self._files.result()

    def _read(self) -> tuple[tuple[RecordFile, ...], tuple[Unchecked, ...]]:
        files: list[RecordFile] = []
        unread: list[Unchecked] = []
        own = self._draft.resolve()
        for path, read in read_record(self._folder, self._settings, self._take, self._cancel):
            name = path.relative_to(self._folder).as_posix()
            if path.resolve() == own:
                continue
            if isinstance(read, SourceError) or read.record is None:
                unread.append(Unchecked(name, str(read)))
                continue
            try:
                digest = file_sha256(path)
            except OSError as error:  # it has gone since it was read
                unread.append(Unchecked(name, str(error.strerror)))
                continue
            files.append(RecordFile.of(name, read.record, digest))
            if read.unread_pages:
                unread.append(Unchecked(f"{name}, {named_pages(read.unread_pages)}", "there is no text on them"))
            unread += (Unchecked(name, each) for each in read.remarks)
        return tuple(sorted(files, key=lambda each: each.name)), tuple(sorted(unread, key=lambda each: each.what))

    def _take(self, progress: Progress) -> None:
        self._progress = progress
        if self._is_stopped:
            raise CancelledError("Nobody waits for the record any more.")

    def stop(self) -> None:
        """Read no further, if anything is left to read."""
        self._is_stopped = True


@contextmanager
def reading_record(record: CaseRecord, draft: Path, settings: Settings, cancel: CancelToken) -> Iterator[RecordReading]:
    """Begin to read the record that a draft cites, beside whatever the block does; its end is that of reading."""
    with ThreadPoolExecutor(max_workers=1) as beside:
        reading = RecordReading(record, draft, settings, cancel, beside)
        try:
            yield reading
        finally:
            reading.stop()


def files_by_name(
    cited: Mapping[RecordName, Sequence[RecordPlace]],
    text: str,
    files: Sequence[RecordFile],
    volumes: Mapping[str, str],
) -> dict[RecordName, tuple[RecordFile, ...]]:
    """Return which file each name of the record means, given the places that are `cited` by it, or which files, where
    these are numbered in one count: as `volumes` says, by what the draft says of it in its `text`, or by what the files
    call themselves. What is not certain is left out.

    Raises:
        UsageError: `volumes` names a file that is not there.
    """
    meant = _given(volumes, files, cited)
    scores = {
        name: {each: _score(name, places, text, each) for each in files}
        for name, places in cited.items()
        if name not in meant
    }
    # The surest first: a file that is meant by one name is another's only where much speaks for it.
    for name in sorted(scores, key=lambda each: (-max(scores[each].values(), default=0.0), each.label)):
        taken = {each for others in meant.values() for each in others}
        free = {each: score for each, score in scores[name].items() if score >= _CERTAIN or each not in taken}
        best = max(free.values(), default=0.0)
        fit = tuple(each for each, score in free.items() if best >= _LEAST and score >= best - _ALIKE)
        if fit and _are_counted_together(fit):
            meant[name] = fit
        elif fit and sum(score == best for score in free.values()) == 1:
            meant[name] = tuple(each for each in fit if free[each] == best)
    return meant


def used_files(
    files: Sequence[RecordFile], meant: Mapping[RecordName, Sequence[RecordFile]], text: str, volumes: Mapping[str, str]
) -> tuple[ListUsed, ...]:
    """Return the files that a draft was held against, each with its digest, the names of the record that mean it, and
    how that is known, given those names and the draft's text.
    """
    given = {name for written in volumes for name in called(written, meant)}

    def known(name: RecordName) -> str:
        if name in given:
            return f"{name.label}, as a person named it"
        return f"{name.label}, by {'what the draft says of it' if _said_of(name, text)[0] else 'what the file says'}"

    names: dict[str, list[str]] = defaultdict(list)
    for name, found in meant.items():
        for each in found:
            names[each.name].append(known(name))
    return tuple(
        ListUsed(each.name, None, len(each.record.pages), sha256=each.sha256, meant="; ".join(names[each.name]))
        for each in files
        if each.name in names
    )


def _are_counted_together(files: Sequence[RecordFile]) -> bool:
    """Whether no page of some files bears a number that one of another bears."""
    counts = Counter(label for each in files for label in each.by_label)
    return max(counts.values(), default=1) == 1


def option_of(name: RecordName) -> str:
    """Return what a name is called where a person names its file: "3T", "ECF12", "NT2022-03-04"."""
    return name.label.replace(" ", "").upper()


def called(written: str, cited: Iterable[RecordName]) -> tuple[RecordName, ...]:
    """Return the names among those `cited` that a person means: as `option_of` has them, else as the draft cites them
    ("RR vol. 3", "ECF No. 12").
    """
    by_option: dict[str, list[RecordName]] = defaultdict(list)
    for name in cited:
        by_option[option_of(name)].append(name)
    asked = "".join(written.split()).upper()
    return tuple(by_option.get(asked) or by_option.get(option_of(read_cite(f"{written} 1")[0])) or ())


def _given(
    volumes: Mapping[str, str], files: Sequence[RecordFile], cited: Iterable[RecordName]
) -> dict[RecordName, tuple[RecordFile, ...]]:
    given: dict[RecordName, tuple[RecordFile, ...]] = {}
    for written, file in volumes.items():
        found = [each for each in files if file in (each.name, Path(each.name).name)]
        if not found:
            raise UsageError(
                f"There is no {file} among the files of the record.", "Name it as it stands in the folder."
            )
        given |= dict.fromkeys(called(written, cited), (found[0],))
    return given


def _score(name: RecordName, places: Sequence[RecordPlace], text: str, file: RecordFile) -> float:
    """How much speaks for a file to be what a name means: what the draft says of the name first, then numbers of pages,
    then what the file calls itself.
    """
    said, is_own = _said_of(name, text)
    head = f"{file.title}\n{file.name}".casefold()
    days = {*(dates_in(said) if is_own else ()), *({name.day} if name.day else ())}
    if days and file.dates and not days & file.dates:
        return 0.0
    score = 100.0 if days & file.dates else 0.0
    token = _token(name.letters)
    is_of_kind = bool(token.search(file.name)) or any(re.search(each, head) for each in families_of(name.letters))
    volume = (volume_in(said) if is_own else 0) or (0 if score else name.volume)
    if volume and (own := volume_in(head)):
        if volume != own:
            return 0.0
        score += 60 * is_of_kind
    if name.letters.lower() in file.prefixes:
        score += 80
    if (_token(name.letters, name.volume) if name.volume else token).search(Path(file.name).stem):
        score += 60
    entry = rf"\b(?:document|doc|ecf|dkt|exhibit|ex)[\W_]*(?:no\W*)?0*{re.escape(name.entry)}\b"
    if name.entry and re.search(entry, head):
        score += 60
    if is_of_kind and (score or not name.volume):
        score += 25
    words = {*_WORD.findall(said.casefold()), *_WORD.findall(name.written.casefold())}
    score += min(sum(2 for word in words if word in head), 20) * bool(score or said)
    pages = [file.pages_at(each, name.letters)[1] == "" for each in places]
    return score + 20 * sum(pages) / max(len(pages), 1) * bool(score)


def _token(letters: str, volume: int = 0) -> re.Pattern[str]:
    """What a file's name has where it is named so: "3T", "RR_03", "Da"; not "R" in "Sup R"."""
    spelt = r"[.\s]?".join(map(re.escape, letters))
    before = r"(?<![A-Za-z0-9])(?<!Sup\s)(?<!Supp\s)"
    numbered = rf"(?:0*{volume}[\s_-]?{spelt}|{spelt}[\s_-]?0*{volume})" if volume else rf"{spelt}(?![0-9])"
    return re.compile(rf"{before}{numbered}(?![A-Za-z])", re.IGNORECASE)


def _said_of(name: RecordName, text: str) -> tuple[str, bool]:
    """What a draft says that a name means, as "3T refers to the transcript of June 5, 2023", and whether it says so of
    this volume.
    """
    if not name.letters:
        return "", False
    for volume in dict.fromkeys((str(name.volume or ""), "")):
        label = rf"{volume}\s?" * bool(volume) + r"\.?\s?".join(map(re.escape, name.letters)) + r"\.?"
        before = rf"(?<![\w’'.]){label}(?!\w)[”\"’').]*{_DEFINES}(?P<said>.{{4,250}}?){_END}"
        behind = rf"(?P<said>[^.;]{{4,250}}?)(?:[(,]?[^.;\n]{{0,40}}[“\"(‘]|\b(?:as|by)\s+){label}(?!\w)[.,]?[”\"’)]*"
        is_own = volume == str(name.volume or "")
        if found := bounded(before, re.IGNORECASE | re.DOTALL).search(text):
            return _NEXT_NAME.split(str(found["said"]))[0], is_own
        if found := bounded(behind, re.IGNORECASE | re.DOTALL).search(text):
            return _LAST_NAME.split(str(found["said"]))[-1], is_own
    return "", False
