"""Cites of the record held against the record: the words at the pages and lines that each names, and whether what the
draft quotes or tells beside it stands there.

Facts alone: where words stand. Of a sentence that quotes nothing only this can be said: that its telling words are not
where it cites, and are elsewhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from briefbank.index.dense import Rows
from briefbank.index.tokens import index_terms, is_telling
from briefbank.ingest.sentences import sentence_spans
from briefbank.law.citations import CitationKind, DocumentCitations
from briefbank.law.record_cites import RecordCite, RecordName, RecordPlace, read_record_cites
from briefbank.platform.progress import CancelToken, Reporter
from briefbank.platform.regex import bounded
from briefbank.search.draft.quotations import (
    DENIAL,
    TOO_SHORT,
    Comparison,
    Quotation,
    compared,
    quotations,
    words_of,
)
from briefbank.search.draft.reading import DraftText
from briefbank.search.draft.record_files import (
    RecordFile,
    RecordReading,
    called,
    files_by_name,
    option_of,
    used_files,
    without_speakers,
)
from briefbank.values.findings import CheckPart, Compared, ComparedKind, DraftFinding, Unchecked, Weight
from briefbank.values.records import Passage, SectionKind, Span

_TOGETHER = bounded(r"[\s;,()\[\]&.]*(?:(?:and|to|see|also|accord|cf)[\s.,]*)*")
"""Between cites that stand for one sentence."""
_CLOSED = bounded(r"[^()\n]*\)")
"""What else stands in the brackets of a cite: "(3T45-3, emphasis added)"."""
_BLANK = bounded(r"[\s(\[\]).,]*")
_DIALOGUE = bounded(r"\s*[QA][.:]\s")
_PAGE_END = bounded(r"\n\n(?:\d{1,3}\s[^\n]+(?:\n[^\n]+)*\n\n){0,3}?\d{1,3}\s(?=[A-Za-z“\"‘\[(])(?!(?:of|and|to)\b)")
"""What a text without pages has between the end of one and the beginning of the next: notes, and its number."""
_NEAR_LINES = 2
"""Lines before and behind those cited that a quotation may reach into: counts of lines differ by one or two between a
transcript and its copies.
"""
_DENIES = bounded(r"(?:\b(?:not|never|no|nor|neither|cannot)|n['’]t)(?:\s(?:\w+ly|ever|even))?\s{1,2}\Z", re.IGNORECASE)
"""What denies the words behind it, by the same speaker."""
_DENIED = bounded(DENIAL, re.IGNORECASE)
_DENYING = bounded(rf"(?:{DENIAL}(?:\s+(?!that\b)\w+){{0,2}}|\b(?:den|disput)\w+(?:\s+\w+){{0,4}})\s*\Z", re.IGNORECASE)
_CLAUSE_END = bounded(
    r"[,.;:()“”\"—]|\b(?:and|but|or|as|because|although|though|while|when|after|only|merely|just)\b", re.IGNORECASE
)
_BEFORE_QUOTED = bounded(r"[\s“\"‘']*(?:(?:\.\s?){3,4}|…)?[\s“\"‘']*\Z")
_BRACKETS = bounded(r"\[[^\]]{0,40}\][\w’']*")
_BEFORE = 90
"""Characters before a quotation in which the draft may say itself what it denies."""
_MORE_IN_BRACKETS = 3
"""Words more that the record has than the draft with all that its brackets hold, above which they are looked at."""
_DEPTH = 8
"""Pages that a quotation is held against where it is not at its place."""
_FEWEST_LINES, _MOST_PAGE_LINES = 5, 25
_TELLING, _FEW_TELLING = 2, 4
"""Words of a sentence that tell places apart, below which nothing can be said of where it comes from, and few."""
_ABSENT, _PRESENT, _TIMES, _ALL = 0.25, 0.33, 3, 0.8
"""Shares of a sentence's telling words, weighed by how rare they are: at most so much where it cites, and at least so
much in as many lines elsewhere, for the other place to be named; of few words none there, and nearly all elsewhere.
On the 200 cites of the marked drafts right ones have .53 to .68 where they lead, wrong ones .00 to .32."""
_ENDED = bounded(r"[.?!:][”\"’')\]]*\Z")
_MOST_SHOWN = 600
_OVERLAP_LINES = 8
"""Lines of the next page that a quotation may run on to."""
_PAGE_LINES = 25
_LEAST_QUOTED = 3
"""Words of a quotation; fewer stand in many places."""
RECORD_KINDS = ("record-",)
"""How the kinds of its findings begin."""
_BY_WORDS = ("differs", "not-found")
_BEYOND = "record-beyond"
_NOT_HERE = frozenset({"record-elsewhere", "record-not-found"})
"""What is one fault with a page that is not there."""
_STOPS = ".,;:"
"""The sentence's as a rule at a quotation's end: left out where its words stand in a sentence of ours."""
_TITLES = {
    "as-quoted": "Quotation as the record has it",
    "differs": "Quotation whose words differ in the record",
    "elsewhere": "Quotation that stands elsewhere in the record",
    "not-found": "Quotation that the record does not have",
    "beyond": "Cite of a page or line that the record does not have",
    "perhaps-elsewhere": "Cite whose sentence has its words elsewhere in the record",
    "shown": "Cite of the record",
}


@dataclass(frozen=True, slots=True)
class _Cited:
    """Cites that stand together, with the sentence before them and what is quoted there: all of one part's text."""

    part: Passage
    cites: tuple[RecordCite, ...]
    sentence: Span
    quoted: tuple[Quotation, ...]

    @property
    def words(self) -> str:
        text, end = self.part.text, self.cites[-1].span.end
        words = text[self.sentence.start : end]
        closing = _CLOSED.match(text, end) if words.count("(") > words.count(")") else None
        return " ".join(f"{words}{closing[0] if closing else ''}".split())


@dataclass(frozen=True, slots=True)
class _Shown:
    """What stands where a cite leads: the lines, and the same with some around them."""

    cite: RecordCite
    file: RecordFile
    lines: range
    near: range
    lacking: str = ""

    @property
    def span(self) -> Span:
        return self.file.span_of(self.lines)


def record_part(
    text: DraftText, citations: DocumentCitations, reading: RecordReading, reporter: Reporter, cancel: CancelToken
) -> CheckPart:
    """Hold each cite of the record that a draft has against the files that are read.

    Raises:
        SourceError: the folder of the record is missing or cannot be read.
        UsageError: a file that was named for a volume is not there.
        CancelledError: asked to stop.
    """
    cited = list(_cited(text, citations))
    files, unread = reading.files(reporter)
    unchecked = list(unread)
    if not cited:
        unchecked.append(Unchecked("cites of the record", "the draft has none"))
    if not files:
        unchecked.append(Unchecked("the record", "its folder has no file that could be read"))
    places: dict[RecordName, list[RecordPlace]] = defaultdict(list)
    for each in (cite for group in cited for cite in group.cites):
        places[each.name] += each.places
    meant = files_by_name(places, text.document.text, files, reading.volumes)
    if files:
        unchecked += _unknown(cited, meant)
    names = ", ".join(sorted(map(option_of, places))) or "none"
    unchecked += (
        Unchecked(f"--volume {written}", f"the draft cites nothing by that name; names that it cites by: {names}")
        for written in reading.volumes
        if not called(written, places)
    )
    index = RecordIndex(files)
    findings: list[DraftFinding] = []
    quoted: list[tuple[int, str]] = []
    for group in cited:
        cancel.check()
        shown = [each for cite in group.cites if cite.name in meant for each in _shown(cite, meant[cite.name])]
        if shown:
            pages = (text.page_of(group.part, group.cites[0].span.start),) if text.document.has_pages else ()
            held = _Held(group, shown, index, pages)
            findings += held.findings()
            unchecked += held.unchecked()
            if any(not each.lacking or each.file.is_numbered for each in shown):
                quoted += ((text.page_of(group.part, each.span.start), " ".join(each.text.split()))
                           for each in group.quoted)  # fmt: skip
    used = used_files(files, meant, text.document.text, reading.volumes)
    not_run = () if files else RECORD_KINDS
    return CheckPart("cites of the record", tuple(findings), tuple(unchecked), used, not_run, tuple(quoted))


def _cited(text: DraftText, citations: DocumentCitations) -> Iterator[_Cited]:
    """The cites of a draft in order, those that stand together as one."""
    for part, found in zip(text.parts, citations.passages, strict=True):
        words = part.text if text.document.has_pages else _PAGE_END.sub(_blank, part.text)
        others = sorted(each.span for each in found if each.kind is not CitationKind.ID)
        cites = list(read_record_cites(words, others))
        quoted = [each for each in quotations(words, text.set_in(part)) if each.fault in ("", TOO_SHORT)]
        yield from _grouped(replace(part, text=words), cites, others, quoted)


def _blank(page_end: re.Match[str]) -> str:
    """Spaces in the place of what stands between two pages, and a paragraph's end behind a sentence's."""
    before = page_end.string[: page_end.start()]
    end = "\n\n" if _ENDED.search(before[-3:]) else ""
    return end.ljust(len(page_end[0]))


def _grouped(
    part: Passage, cites: Sequence[RecordCite], others: Sequence[Span], quoted: Sequence[Quotation]
) -> Iterator[_Cited]:
    text = part.text
    groups: list[list[RecordCite]] = []
    for cite in cites:
        if groups and _TOGETHER.fullmatch(text, groups[-1][-1].span.end, cite.span.start):
            groups[-1].append(cite)
        else:
            groups.append([cite])
    sentences = sentence_spans(text) if groups else []
    ends = [0, *(group[-1].span.end for group in groups)]
    starts = [*(group[0].span.start for group in groups), len(text)]
    for number, group in enumerate(groups):
        start, end = starts[number], ends[number + 1]
        after = max((ends[number], *(each.end for each in others if each.end <= start)))
        until = min((starts[number + 1], *(each.start for each in others if each.start >= end)))
        paragraph = _paragraph(text, start)
        sentence = next(
            each for each in reversed(sentences) if each.start <= start and not _opens(text, each.start, start)
        )
        # What stands between two cites of one sentence belongs to the second.
        behind = 0 if _BLANK.fullmatch(text, sentence.end, until) or until < sentence.end else sentence.end
        own = [
            each
            for each in quoted
            if max(after, paragraph) <= each.span.start < start or end <= each.span.start < behind
        ]
        first = min([max(sentence.start, after), *(each.span.start - 1 for each in own)])
        yield _Cited(part, tuple(group), Span(max(first, 0), start), tuple(own))


def _opens(text: str, start: int, end: int) -> bool:
    """Whether nothing but brackets and spaces stands between two places."""
    return start > 0 and _BLANK.fullmatch(text, start, end) is not None


def _paragraph(text: str, at: int) -> int:
    """Where the paragraph begins that a cite stands in, or, where it opens one, those before that may be quoted."""
    start = text.rfind("\n\n", 0, at) + 1
    while start > 1 and (_opens(text, start, at) or _DIALOGUE.match(text, start)):
        at, start = start, text.rfind("\n\n", 0, max(start - 2, 0)) + 1
    return start


def _unknown(cited: Sequence[_Cited], meant: Mapping[RecordName, object]) -> Iterator[Unchecked]:
    counts = Counter(each.name for group in cited for each in group.cites if each.name not in meant)
    for name, count in counts.items():
        what = f"{name.label} ({count} cite{'' if count == 1 else 's'})"
        why = f"nothing says which file of the record it is; name it: --volume {option_of(name)}=FILE"
        yield Unchecked(what, why)


def _shown(cite: RecordCite, files: Sequence[RecordFile]) -> Iterator[_Shown]:
    for place in cite.places:
        found = [_shown_in(cite, place, each) for each in files]
        # Of files that are numbered in one count the last says how far it goes.
        yield next((each for each in found if not each.lacking), found[-1])


def _shown_in(cite: RecordCite, place: RecordPlace, file: RecordFile) -> _Shown:
    pages, lacking = file.pages_at(place, cite.name.letters)
    lines = file.lines_on(pages, place.line, place.last_line)
    if not lacking and not lines:
        lacking = f"{place.page}:{place.line}" if place.line else place.page
    near = range(lines.start - _NEAR_LINES, lines.stop + _NEAR_LINES) if lines else lines
    return _Shown(cite, file, lines, near, lacking)


class RecordIndex:
    """The files of a record by the words of their pages and lines: where a quotation, or a sentence's words, stand."""

    def __init__(self, files: Sequence[RecordFile]) -> None:
        self._files = files
        self._pages: list[Passage] = []
        self._by_word: dict[str, list[int]] = defaultdict(list)
        by_term: dict[str, list[int]] = defaultdict(list)
        self._first_line: list[int] = []
        count = 0
        for number, file in enumerate(files):
            self._first_line.append(count)
            for page in range(len(file.record.pages)):
                if lines := file.lines_on(range(page, page + 1)):
                    self._add(number, page, file.span_of(range(lines.start, lines.stop + _OVERLAP_LINES)))
            for at in range(len(file.starts)):
                for term in {
                    each for each in index_terms(file.text[slice(*file.span_of(range(at, at + 1)))]) if is_telling(each)
                }:
                    by_term[term].append(count + at)
            count += len(file.starts)
        self._line_count = count
        self._by_term = {term: np.array(lines, dtype=np.int64) for term, lines in by_term.items()}

    def _add(self, number: int, page: int, span: Span) -> None:
        passage = _passage(self._files[number], number, page, span)
        for word in {word for word, _ in words_of(passage.text)}:
            self._by_word[word].append(len(self._pages))
        self._pages.append(passage)

    def like(self, quotation: Quotation, file: RecordFile) -> Comparison:
        """Where a quotation stands, or what is most like it; in the file that is cited before others."""
        scores: dict[int, float] = defaultdict(float)
        for word in {word for word, _ in words_of(quotation.text)}:
            pages = self._by_word.get(word, ())
            for page in pages:
                scores[page] += math.log(1 + len(self._pages) / len(pages))
        own = self._files.index(file)
        best = sorted(scores, key=lambda page: (-scores[page], self._pages[page].document_id != str(own), page))
        return compared(quotation, [self._pages[page] for page in best[:_DEPTH]])

    def place_of(self, found: Comparison) -> tuple[RecordFile, Span]:
        """The file and the stretch of its text that a comparison found."""
        assert found.passage  # noqa: S101  # it is known
        assert found.place  # noqa: S101
        at = found.passage.span.start
        return self._files[int(found.passage.document_id)], Span(at + found.place.start, at + found.place.end)

    def telling(self, sentence: str) -> dict[str, float]:
        """The words of a sentence by which places of the record can be told apart, and how rare each is there."""
        found = {}
        for term in {each for each in index_terms(sentence) if is_telling(each)} & self._by_term.keys():
            pages = len(set((self._by_term[term] // _PAGE_LINES).tolist()))
            rarity = math.log(1 + (self._line_count / _PAGE_LINES + 0.5) / (pages + 0.5))
            found[term] = rarity
        return found

    def share_in(self, terms: Mapping[str, float], file: RecordFile, lines: range) -> float:
        """How much of some words stands on lines of a file."""
        first = self._first_line[self._files.index(file)]
        inside = (
            weight
            for term, weight in terms.items()
            if _has(self._by_term[term], first + lines.start, first + lines.stop)
        )
        return sum(inside) / max(sum(terms.values()), 1e-9)

    def strongest(
        self, terms: Mapping[str, float], but: Sequence[_Shown], count: int
    ) -> tuple[float, RecordFile, range]:
        """The lines, about `count` of them, where most of some words stand, outside of what is shown."""
        count = min(max(count, _FEWEST_LINES), _MOST_PAGE_LINES)
        scores = np.zeros(self._line_count + 1)
        for term, weight in terms.items():
            marks = np.zeros(self._line_count + 1)
            for step in range(count):
                marks[np.maximum(self._by_term[term] - step, 0)] = weight
            scores += marks
        for each in but:
            first = self._first_line[self._files.index(each.file)]
            scores[max(first + each.near.start - count, 0) : first + each.near.stop] = 0
        best = int(scores.argmax())
        number = max(n for n, first in enumerate(self._first_line) if first <= best)
        start = best - self._first_line[number]
        share = float(scores[best]) / max(sum(terms.values()), 1e-9)
        return share, self._files[number], range(start, start + count)


def _has(sorted_lines: Rows, first: int, behind: int) -> bool:
    place = int(np.searchsorted(sorted_lines, first))
    return place < len(sorted_lines) and int(sorted_lines[place]) < behind


def _passage(file: RecordFile, number: int, page: int, span: Span) -> Passage:
    sheet = file.sheet_of(span)
    text = file.text[slice(*span)]
    return Passage(f"{number}-{page}", str(number), page, span, text, SectionKind.BODY, (), sheet, sheet)


class _Held:
    """Cites that stand together, held against the places that they name."""

    def __init__(self, group: _Cited, shown: Sequence[_Shown], index: RecordIndex, pages: tuple[int, ...]) -> None:
        self._group, self._shown, self._index, self._pages = group, shown, index, pages
        self._here = [each for each in shown if not each.lacking]
        self._compared = tuple(_compared(each.file, each.span) for each in self._here)
        self._has_words: set[int] = set()
        """Which of the places have quoted words."""

    def findings(self) -> Iterator[DraftFinding]:
        """Yield what stands against them, or, where nothing does, what stands where they lead."""
        found = [self._beyond(each) for each in self._shown if each.lacking and each.file.is_numbered]
        for against in filter(None, map(self._quoted, self._group.quoted)):
            if found and found[0].kind == _BEYOND and against.kind in _NOT_HERE:
                compared_with = dict.fromkeys((*against.compared, *found[0].compared))
                found[0] = replace(found[0], fact=f"{found[0].fact} {against.fact}", compared=tuple(compared_with))
            else:
                found.append(against)
        if self._group.quoted and not found and self._here:
            found.append(self._finding("as-quoted", Weight.KNOW, self._where_quoted()))
        elif not found and self._here:
            found.append(self._told())
        yield from found

    def unchecked(self) -> Iterator[Unchecked]:
        """Yield the pages that nobody can tell are not there, for the numbers of some could not be read."""
        for each in self._shown:
            if each.lacking and not each.file.is_numbered:
                place = f"{each.cite.name.label}, page {each.lacking}"
                yield Unchecked(
                    place, f"no page of {each.file.name} was found that bears it; not all numbers were read"
                )

    def _beyond(self, shown: _Shown) -> DraftFinding:
        name, last = shown.file.name, shown.file.last_page
        return self._finding(
            "beyond", Weight.MEND, f"{name} has no {shown.lacking}{f'; its last is {last}' if last else ''}."
        )

    def _quoted(self, quotation: Quotation) -> DraftFinding | None:
        """What differs between quoted words and the record; None where nothing does."""
        quotation = replace(quotation, text=without_speakers(quotation.text))
        words = " ".join(quotation.text.split())
        shown = words.rstrip(_STOPS)
        if not words.strip("QA.: "):
            return None  # it names nothing but who speaks
        texts = [_passage(each.file, number, 0, each.file.span_of(each.near)) for number, each in enumerate(self._here)]
        each_held = [compared(quotation, [each]) for each in texts]
        having = {number for number, each in enumerate(each_held) if each.is_known and each.difference is None}
        if having:
            self._has_words |= having
            return self._had(quotation, each_held, having)
        here = compared(quotation, texts)
        weight = Weight.MEND if len(words.split()) >= _LEAST_QUOTED else Weight.LOOK
        there = self._index.like(quotation, self._shown[0].file)
        unread = [each.file for each in self._shown if each.lacking and not each.file.is_numbered]
        if there.is_known and there.difference is None and self._index.place_of(there)[0] in unread:
            return None  # it may well be the page that is cited
        if there.is_known and (there.difference is None or not here.is_known):
            place = _compared(*self._index.place_of(there))
            differs = there.difference and f", with “{there.difference.there}” for “{there.difference.here}”"
            fact = f"“{shown}” stands at {place.name}, {place.place}{differs or ''}, not where the draft cites."
            return self._finding("elsewhere", weight, fact, place)
        if difference := here.difference:
            stop = "" if difference.here.endswith((".", "?", "!")) else "."
            fact = f"The record has “{difference.there}” where the draft has “{difference.here}”{stop}"
            return self._finding("differs", weight, fact)
        return self._finding("not-found", weight, f"No file of the record that was read has “{shown}”.")

    def _had(self, quotation: Quotation, held: Sequence[Comparison], having: set[int]) -> DraftFinding | None:
        """What has to be said of words that one of the places has at least: which denies them, or has others."""
        against = {number: self._against(quotation, each) for number, each in enumerate(held)}
        facts = [(number, *told) for number, told in against.items() if told]
        clear = sorted(having - {number for number, *_ in facts})
        is_short = len(words_of(quotation.text)) < _LEAST_QUOTED
        if not facts or (clear and is_short):
            return None
        weight = max((weight for _, weight, _ in facts), key=lambda each: each is Weight.MEND)
        if len(held) == 1:
            return self._finding("differs", weight, facts[0][2])
        has = f"{self._place(clear[0])} has the quoted words. " if clear else ""
        fact = " ".join(f"At {self._place(number)}: {fact}" for number, _, fact in facts)
        return self._finding("differs", Weight.LOOK if clear else weight, f"{has}{fact}")

    def _against(self, quotation: Quotation, held: Comparison) -> tuple[Weight, str] | None:
        """What one place has against quoted words: a "not" before them, other words, more than brackets stand for."""
        if not held.passage or not held.place:
            return None
        if held.difference:
            there, here = held.difference.there, held.difference.here
            return Weight.MEND, f"The record has “{there}” where the draft has “{here}”."
        place, passage = held.place, held.passage
        more = len(words_of(passage.text[slice(*place)])) - len(words_of(re.sub(r"[\[\]]", " ", quotation.text)))
        if "[" in quotation.text and more > _MORE_IN_BRACKETS:
            has = " ".join(passage.text[slice(*place)].split())
            return Weight.LOOK, f"Brackets of the draft stand for more words: the record has “{has}”."
        text = self._here[int(passage.document_id)].file.text
        start = passage.span.start + place.start
        denied = _DENIES.search(text, max(start - _BEFORE, 0), start)
        if not denied:
            return None
        before = self._group.part.text[max(quotation.span.start - _BEFORE, 0) : quotation.span.start]
        fact = f"Right before these words the record has “{denied[0].strip()}”."
        if _is_governed(before, quotation.text):
            return None
        if _DENIED.search(before):
            return Weight.LOOK, f"{fact} Look whether the draft denies them too."
        return Weight.MEND, fact

    def _where_quoted(self) -> str:
        if len(self._here) == 1 or not self._has_words:
            return "The record has the quoted words there."
        having = ", ".join(map(self._place, sorted(self._has_words)))
        lacking = ", ".join(self._place(each) for each in range(len(self._here)) if each not in self._has_words)
        return f"The record has the quoted words at {having}{f'; none of them at {lacking}' if lacking else ''}."

    def _place(self, number: int) -> str:
        return f"{self._compared[number].name}, {self._compared[number].place}"

    def _told(self) -> DraftFinding:
        """What can be said of a sentence that quotes nothing."""
        terms = self._index.telling(self._group.part.text[slice(*self._group.sentence)])
        if len(terms) >= _TELLING:
            count = max(len(each.near) for each in self._here) - 2 * _NEAR_LINES
            here = max(self._index.share_in(terms, each.file, each.near) for each in self._here)
            there, file, lines = self._index.strongest(terms, self._here, count)
            is_few = len(terms) <= _FEW_TELLING
            least = _ALL if is_few else max(_PRESENT, _TIMES * here if count <= _FEWEST_LINES else 2 * here)
            if here <= (0.0 if is_few else _ABSENT) and there >= least:
                place = _compared(file, file.span_of(lines))
                fact = f"Few words of this sentence stand where it cites; more stand at {place.name}, {place.place}."
                return self._finding("perhaps-elsewhere", Weight.LOOK, fact, place)
        return self._finding("shown", Weight.KNOW, "The words that stand where the draft cites.")

    def _finding(self, kind: str, weight: Weight, fact: str, *places: Compared) -> DraftFinding:
        compared_with = (*places, *self._compared)
        title = _TITLES[kind]
        if kind in _BY_WORDS and any(each.file.is_scanned(each.span) for each in self._here):
            fact = f"{fact} The page is a scan, read by OCR: look whether it misread a word."
        return DraftFinding(f"record-{kind}", title, weight, self._pages, self._group.words, fact, compared_with)


def _is_governed(before: str, quoted: str) -> bool:
    """Whether the draft denies what it quotes: in the same clause, right before the words, once; or in brackets at
    their head.
    """
    head = _BRACKETS.match(quoted)
    if head and _DENIED.search(head[0]):
        return True
    clause = _CLAUSE_END.split(_BEFORE_QUOTED.sub("", before))[-1]
    return len(_DENIED.findall(clause)) == 1 and _DENYING.search(clause) is not None


def _compared(file: RecordFile, span: Span) -> Compared:
    words = " ".join(file.text[slice(*span)].split())
    shown = words if len(words) <= _MOST_SHOWN else f"{words[:_MOST_SHOWN]} …"
    return Compared(ComparedKind.RECORD, file.name, shown, place=file.place_of(span), page=file.sheet_of(span))
