"""Where the references of a document lead: each mention of a point, note, page or defined term with its target.

A reference leads only where one place alone can be meant; the rest is left unmarked, as plain words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from briefbank.ingest.structure.numbering import roman_value
from briefbank.ingest.structure.rows import fold
from briefbank.law.legal_numbers import NUMBER_WORDS, ORDINAL_WORDS
from briefbank.pages.references.mentions import SOLE, Mention, is_label, mentions_in
from briefbank.pages.references.sections import NOUNS, Sections
from briefbank.pages.references.terms import definitions_in, uses_of
from briefbank.pages.references.text import DocumentText, PlacedHeading, headings_of
from briefbank.platform.regex import bounded
from briefbank.values.page_numbers import PageRun, is_lacking, sheets_bearing
from briefbank.values.pages import Reference, ReferenceKind
from briefbank.values.records import Passage, SectionKind, Span

_ARGUED = frozenset({SectionKind.ARGUMENT, SectionKind.STANDARD, SectionKind.BODY})
_NOT_READ = frozenset({SectionKind.CAPTION, SectionKind.PARTIES, SectionKind.CONTENTS, SectionKind.AUTHORITIES,
                       SectionKind.SIGNATURE, SectionKind.CERTIFICATE, SectionKind.TABLE})  # fmt: skip
_NO_POINTS = _NOT_READ | {SectionKind.APPENDIX}
_NOT_IN_CONTRACTS = frozenset({SectionKind.SIGNATURE})
"""Of a contract the rest is read: it may be an exhibit itself, and its parties are defined above its first heading."""
_POINT_NOUNS = frozenset({"point", "issue", "ground", "proposition", "assignment"})
_SHOWN_BEFORE = 80
"""Characters before a defined term that are shown of its definition."""
_PAGE_CHARACTERS = 2_500
"""About as much as a page of a brief holds."""
_LONGEST_TITLE = 200
"""Characters that a title of a contract has at most; longer ones in capitals are clauses. Chosen, not measured."""
_NOTES_BACK = 60
"""Among how many notes before it the one is looked for that a note goes on from; bounds the work on hostile files."""
_CALLED_SOLE = bounded(r"\b(?:sole|only) (?:issue|point|ground|proposition)\b", re.IGNORECASE)
_REFERS = bounded(r"\b(?:for|see|to|under) (?:points?|issues?|grounds?|propositions?)\b", re.IGNORECASE)
"""In a heading, which else names itself: “Facts for Issues One and Two”, “Standard of Review: see Point One, supra”."""
_NOTE = re.compile(r"(?:(?<=\n\n)|\A)\W?(\d{1,3})(?=\D)")


def references_in(passages: Sequence[Passage], runs: Sequence[PageRun]) -> list[Reference]:
    """Return the references of a document in the order of its text; `runs` are the numbers printed on its pages.

    A dead one names a point, note or page that the document has not, though it numbers such; a page that may be one of
    those whose numbers could not be read is not among them.
    """
    resolver = _Resolver(DocumentText.of(passages), tuple(runs))
    found: list[Reference] = []
    for reference in sorted(
        resolver.all(), key=lambda each: (each.passage.span.start + each.span.start, -each.span.end)
    ):
        if not found or not _overlaps(found[-1], reference):
            found.append(reference)
    return found


def _overlaps(one: Reference, other: Reference) -> bool:
    return one.passage.id == other.passage.id and one.span.overlaps_any([other.span])


class _Resolver:
    def __init__(self, text: DocumentText, runs: tuple[PageRun, ...]) -> None:
        self.text, self.runs = text, runs
        self.sections = Sections(text)
        self._by_noun: dict[str, list[PlacedHeading]] = {}
        self._by_number: dict[tuple[str, ...], PlacedHeading | None] = {}
        self._numbers: dict[str, list[PlacedHeading]] = {}
        self._is_lacking: dict[tuple[str, ...], bool] = {}
        self._heading_ends: dict[str, int] = {}
        self._by_path: dict[tuple[str, ...], list[PlacedHeading]] = {}

    @cached_property
    def headings(self) -> list[PlacedHeading]:
        return [each for each in headings_of(self.text.passages) if each.passage.section_kind not in _NO_POINTS]

    @cached_property
    def argued(self) -> list[PlacedHeading]:
        return [each for each in self.headings if _is_argued(each)]

    @cached_property
    def labelled(self) -> list[PlacedHeading]:
        return [each for each in self.headings if _is_labelled(each)]

    @cached_property
    def outermost(self) -> list[PlacedHeading]:
        """The numbered headings of what is argued, without those below them."""
        return _outermost(self.argued)

    @cached_property
    def last_page(self) -> int:
        return max(each.page_last for each in self.text.passages)

    @cached_property
    def notes(self) -> dict[int, tuple[Passage, int]]:
        """Where each footnote begins: its passage, and the offset in it."""
        starts = []
        for passage in self.text.passages:
            if passage.is_footnotes:
                opened = self.text.text[max(0, passage.span.start - 2) : passage.span.start]
                starts += [
                    (int(match[1]), passage, match.start())
                    for match in _NOTE.finditer(passage.text)
                    if match.start() or opened in ("\n\n", "")
                ]
        return _rising(starts)

    def all(self) -> Iterator[Reference]:
        for mention in mentions_in(self.text.text, has_sections=self.sections.are_of_contract):
            if self._is_reference(mention) and (found := self._resolved(mention)):
                yield found
        yield from self._terms()

    def _is_reference(self, mention: Mention) -> bool:
        passage = self.text.passage_at(mention.span.start)
        if not self._is_of_text(passage, _NOT_READ) or not self.text.is_inside(mention.span):
            return False
        is_in_text = mention.span.start >= self._heading_end(passage) or self._refers_in_heading(mention, passage)
        return is_in_text and not is_label(self.text.text, mention, passage.span.start)

    def _refers_in_heading(self, mention: Mention, passage: Passage) -> bool:
        opening = self.text.text[passage.span.start : mention.span.end].rpartition("\n\n")[2]
        return not self.sections.are_of_contract and _REFERS.search(opening) is not None

    def _resolved(self, mention: Mention) -> Reference | None:
        if mention.kind is ReferenceKind.PAGE:
            return self._to_page(mention)
        if mention.kind is ReferenceKind.NOTE:
            return self._to_note(mention)
        return self._to_heading(mention)

    def _made(self, mention_span: Span, kind: ReferenceKind, page: int, title: str = "", target: Passage | None = None,
              offset: int = 0) -> Reference:  # fmt: skip
        passage = self.text.passage_at(mention_span.start)
        span = Span(mention_span.start - passage.span.start, mention_span.end - passage.span.start)
        words = " ".join(passage.text[slice(*span)].split())
        return Reference(
            kind, words, passage, span, page_of(passage, span.start), page, " ".join(title.split()), target, offset
        )

    # --- pages and notes ---

    def _to_page(self, mention: Mention) -> Reference | None:
        sheets = sheets_bearing(self.runs, mention.number[0])
        if len(sheets) == 1:
            return self._made(mention.span, mention.kind, sheets[0], f"Page {mention.number[0]}")
        is_dead = is_lacking(self.runs, mention.number[0], self.last_page)
        return self._made(mention.span, mention.kind, 0) if is_dead else None

    def _to_note(self, mention: Mention) -> Reference | None:
        number = int(mention.number[0])
        if number in self.notes:
            passage, offset = self.notes[number]
            opening = passage.text[offset : offset + 120].split("\n\n")[0]
            return self._made(mention.span, mention.kind, page_of(passage, offset), opening, passage, offset)
        is_past = len(self.notes) > 2 and number > max(self.notes) and mention.is_sure
        return self._made(mention.span, mention.kind, 0) if is_past else None

    # --- points ---

    def _to_heading(self, mention: Mention) -> Reference | None:
        if self.sections.divide and mention.noun in NOUNS:
            return self._to_section(mention)
        heading = self._sole() if mention.number == (SOLE,) else self._heading(mention)
        if heading:
            target = heading.passage
            return self._made(mention.span, mention.kind, target.page_first, heading.title, target)
        if mention.number == (SOLE,):
            return None
        is_own = mention.noun in ("point", "issue") or bool(self._named(mention.noun))
        known = (mention.noun, *mention.number)
        if known not in self._is_lacking:
            self._is_lacking[known] = mention.noun in _POINT_NOUNS and is_own and self._lacks(mention)
        return self._made(mention.span, mention.kind, 0) if self._is_lacking[known] else None

    def _to_section(self, mention: Mention) -> Reference | None:
        """To a numbered section of a contract, order or statute, with a title or without."""
        if self.sections.amend and not (mention.is_sure or self._is_this(mention)):
            return None
        section = self.sections.find(mention.noun, mention.number, mention.span.start)
        if section is None or section.start == mention.span.start:  # its own label
            return None
        target = self.text.passage_at(section.start)
        offset = section.start - target.span.start
        heading = target.section_path[-1] if target.section_path and not offset else ""
        title = heading if heading and target.text.startswith(heading) else self.sections.title(section)
        return self._made(mention.span, mention.kind, page_of(target, offset), title, target, offset)

    def _is_this(self, mention: Mention) -> bool:
        """Whether "this" stands before a section, so that it is none of an agreement that is amended."""
        return self.text.text[max(0, mention.span.start - 5) : mention.span.start].lower() == "this "

    def _heading(self, mention: Mention) -> PlacedHeading | None:
        """The heading that is meant; remembered, for most references are made again and again."""
        words = fold(self.text.text[slice(*mention.span)])
        path = () if mention.noun in _POINT_NOUNS else self.text.passage_at(mention.span.start).section_path
        known = (mention.noun, words, str(mention.is_sure), *mention.number, "", *path)
        if known not in self._by_number:
            self._by_number[known] = self._looked_up(mention)
        return self._by_number[known]

    def _sole(self) -> PlacedHeading | None:
        """The one point that is argued: the one that is called so, the only labelled one, or the only numbered one."""
        if called := [each for each in self.argued if _CALLED_SOLE.search(each.title)]:
            return _only(called)
        labelled = list(filter(_is_argued, self.labelled))
        return _only(labelled) if labelled else _only(self.outermost)

    def _looked_up(self, mention: Mention) -> PlacedHeading | None:
        number = mention.number
        if len(number) > 1 and number[0].isdecimal() and number[1].isdecimal():
            decimal = tuple(int(part) for part in number if part.isdecimal())
            return _only([each for each in self.headings if each.decimal == decimal])
        here = self.text.passage_at(mention.span.start)
        for scope in self._scopes(mention, here):
            if best := _best(self._numbered(scope, number), self.text.text[slice(*mention.span)]):
                return best
        return None

    def _numbered(self, scope: Sequence[PlacedHeading], number: Sequence[str]) -> list[PlacedHeading]:
        """The headings of a number, part by part; where the last parts have none, those of the parts before."""
        found = [each for each in scope if _bears(each, number[0])]
        for part in number[1:]:
            below = [each for top in found for each in self._below(top.path) if _bears(each, part)]
            if not below:
                break
            found = below
        return found

    def _scopes(self, mention: Mention, here: Passage) -> Iterator[list[PlacedHeading]]:
        """The numbered headings among which the first part of a number is looked for, the likeliest first."""
        named = self._named(mention.noun)
        if mention.noun in _POINT_NOUNS or mention.noun == "argument":
            yield list(filter(_is_argued, named))
            yield list(filter(_is_argued, self.labelled))
            if not any(map(_is_argued, self.labelled)):
                yield self.outermost
            yield named
            yield self.labelled
            return
        yield named
        if mention.is_sure or len(mention.number) > 1:
            for depth in range(len(here.section_path), 0, -1):
                yield self._below(here.section_path[:depth])
            yield self.outermost

    def _named(self, noun: str) -> list[PlacedHeading]:
        """The headings that begin with a noun, as "SECTION 2" does."""
        if noun not in self._by_noun:
            self._by_noun[noun] = [each for each in self.headings if _begins_with(each, noun)]
        return self._by_noun[noun]

    def _below(self, path: tuple[str, ...]) -> list[PlacedHeading]:
        """The numbered headings right below a heading, whatever has no number between them left out."""
        if path not in self._by_path:
            depth = len(path)
            self._by_path[path] = _outermost(
                each for each in self.headings if each.level > depth and each.path[:depth] == path
            )
        return self._by_path[path]

    def _lacks(self, mention: Mention) -> bool:
        """Whether the document numbers its points, by a label or several in a row, and has none of that number."""
        if mention.noun not in self._numbers:
            scopes = self._scopes(mention, self.text.passages[0])
            self._numbers[mention.noun] = list(
                {each.title: each for scope in scopes for each in scope if each.number}.values()
            )
        numbered = self._numbers[mention.noun]
        counts = len(numbered) > 1 or any(map(_is_labelled, numbered))
        return len(mention.number) == 1 and counts and not any(_bears(each, mention.number[0]) for each in numbered)

    # --- terms ---

    def _terms(self) -> Iterator[Reference]:
        """Uses of defined terms, the first one on each page other than that of the definition."""
        is_contract = self.sections.are_of_contract
        found = definitions_in(self.text.text, has_sections=is_contract)
        defined = [each for each in found if self._is_read(each.span)]
        seen: set[tuple[str, int]] = set()
        for span, definition in uses_of(defined, self.text.text, has_sections=is_contract):
            if not self._is_read(span):
                continue
            target = self.text.passage_at(definition.span.start)
            offset = definition.span.start - target.span.start
            source = self.text.passage_at(span.start)
            page, where = page_of(target, offset), self._leaf(source, span.start)
            if self._leaf(target, definition.span.start) != where and (definition.term, where) not in seen:
                seen.add((definition.term, where))
                title = _words_around(target.text, offset, offset + len(definition.term) + 2)
                yield self._made(span, ReferenceKind.TERM, page, title, target, offset)

    def _heading_end(self, passage: Passage) -> int:
        if passage.id not in self._heading_ends:
            self._heading_ends[passage.id] = self.text.heading_end(
                passage, _LONGEST_TITLE if self.sections.are_of_contract else None
            )
        return self._heading_ends[passage.id]

    def _leaf(self, passage: Passage, offset: int) -> int:
        """What stands together before a reader's eyes: a page, or where the document has none as much text as one."""
        has_pages = any(each.box.y1 > each.box.y0 for each in passage.boxes)
        return page_of(passage, offset - passage.span.start) if has_pages else offset // _PAGE_CHARACTERS

    def _is_of_text(self, passage: Passage, unread: frozenset[SectionKind]) -> bool:
        """Whether a passage is text that refers; of a brief those of `unread` are none."""
        if not self.sections.are_of_contract:
            return passage.section_kind not in unread
        if passage.section_kind is SectionKind.CONTENTS:  # some have its heading on every page
            return passage.span.start > self.sections.first
        return passage.section_kind not in _NOT_IN_CONTRACTS

    def _is_read(self, span: Span) -> bool:
        passage = self.text.passage_at(span.start)
        return (
            self._is_of_text(passage, _NO_POINTS)
            and self.text.is_inside(span)
            and span.start >= self._heading_end(passage)
        )


def page_of(passage: Passage, offset: int) -> int:
    """Return the page on which a place of a passage stands, by its share of the printed lines."""
    if passage.page_first == passage.page_last or not passage.boxes:
        return passage.page_first
    reach, total = [], 0.0
    for each in passage.boxes:
        total += max(each.box.x1 - each.box.x0, 0.0)
        reach.append(total)
    at = bisect_right(reach, offset / max(1, len(passage.text)) * total)
    return passage.boxes[min(at, len(passage.boxes) - 1)].page


def _words_around(text: str, start: int, end: int) -> str:
    """The words before a range and in it, from the sentence's first or as many as a line holds."""
    before = text[max(0, start - _SHOWN_BEFORE) : start]
    sentence = max(before.rfind(". ") + 2, before.rfind("\n") + 1)
    if sentence > 1 or start <= _SHOWN_BEFORE:
        return f"{before[sentence if sentence > 1 else 0 :]}{text[start:end]}"
    return f"… {before.partition(' ')[2]}{text[start:end]}"


def _values(part: str) -> dict[str, int]:
    """What a part of a number may mean, by its figures: "C" is the third letter, "II" two."""
    word = part.lower()
    if part.isdecimal():
        return {"digit": int(part)}
    for words in (NUMBER_WORDS, ORDINAL_WORDS):
        if word in words:
            return {"digit": words.index(word) + 1}
    if roman := roman_value(part) if re.fullmatch("[IVXivx]+", part) else 0:
        return {"roman": roman} | ({"letter": ord(word) - 96} if len(word) == 1 else {})
    return {"letter": ord(word[0]) - 96} if len(word) == 1 else {}


def _is_argued(heading: PlacedHeading) -> bool:
    return heading.passage.section_kind in _ARGUED


def _is_labelled(heading: PlacedHeading) -> bool:
    return heading.number is not None and heading.number.scheme == "label"


def _bears(heading: PlacedHeading, part: str) -> bool:
    """Whether a heading has a number; "Issue One" and "ISSUE 1" are the same, and so is "I." for either."""
    number = heading.number
    if number is None:
        return False
    values = _values(part)
    if number.scheme in ("label", "part"):
        printed = _values(re.findall(r"\w+", heading.title[: number.length])[-1])
        is_letter_alone = "letter" in values and "roman" not in values
        return number.value in values.values() and (not is_letter_alone or bool(printed.keys() & values))
    if number.scheme.startswith("decimal"):
        return False
    readings = [(number.scheme, number.value)] + ([number.other] if number.other else [])
    for scheme, value in readings:
        family = {"1": "digit", "I": "roman", "i": "roman"}.get(scheme[0], "letter")
        if values.get(family) == value or (family == "roman" and values.get("digit") == value):
            return True
    return False


def _outermost(headings: Iterable[PlacedHeading]) -> list[PlacedHeading]:
    """Those of the headings that have a number and stand below no other one that has."""
    kept: dict[tuple[str, ...], PlacedHeading] = {}
    for each in headings:
        if each.number and not any(each.path[:depth] in kept for depth in range(1, each.level)):
            kept.setdefault(each.path, each)
    return list(kept.values())


def _best(found: Sequence[PlacedHeading], words: str) -> PlacedHeading | None:
    """The one heading that is meant: the one that begins with the words themselves, else the only one there is."""
    key = fold(words)
    literal = [each for each in found if _begins_with(each, key)]
    return _only(literal) or _only(found)


def _begins_with(heading: PlacedHeading, words: str) -> bool:
    """Whether a heading begins with some words, before its number or behind it: "2. Issue Two"."""
    behind = heading.title[heading.number.length :] if heading.number else ""
    return fold(heading.title).startswith(words) or fold(behind).startswith(words)


def _only(found: Sequence[PlacedHeading]) -> PlacedHeading | None:
    """The first of headings that are one point, said again; None where several points bear the number."""
    if not found:
        return None
    bare = {fold(each.title[each.number.length :] if each.number else each.title) for each in found} - {""}
    return found[0] if len({each.path for each in found}) == 1 or len(bare) <= 1 else None


def _rising(starts: Sequence[tuple[int, Passage, int]]) -> dict[int, tuple[Passage, int]]:
    """The notes whose numbers rise through the document: the longest such chain, so that a number with which a line of
    a note happens to begin is none.
    """
    best: list[tuple[int, int]] = []
    for at, (number, _, _) in enumerate(starts):
        lower = (other for other in range(max(0, at - _NOTES_BACK), at) if starts[other][0] < number)
        before = max(((best[other][0], other) for other in lower), default=(0, -1))
        best.append((before[0] + 1, before[1]))
    at = max(range(len(best)), key=lambda each: best[each][0], default=-1)
    chain: dict[int, tuple[Passage, int]] = {}
    while at >= 0:
        number, passage, offset = starts[at]
        chain[number] = passage, offset
        at = best[at][1]
    return chain
