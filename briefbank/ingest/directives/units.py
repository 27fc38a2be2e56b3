"""The entries of a directive: which paragraphs, lines, fields and cells of a table belong to one, and its heading.

Lists of cases to be careful with are numbered paragraphs, bare lines under a heading ("Do not cite:"), fields ("Status:
overruled") or rows of a table. Pure functions over text; what an entry says is read by `entries`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from briefbank.platform.regex import bounded

_HEADING_WORDS, _LEAD_IN_WORDS = 14, 45
"""The longest heading, and the longest sentence that leads in a list by a colon."""
_CITATION = bounded(
    r"\d{1,4}\s+[A-Z][\w.’' ]{0,24}\d|§\s?\d|\bv\.\s|\d[A-Za-z]?:\d|\b[A-Z]\.\s?[A-Z]\.\s?[A-Z]?\.?\s?(?:§\s?)?\d"
    r"|\b[A-Z][\w.]*\s?(?:§\s?)?\d\w*[.:(/-]\w|\b(?:art|sec|ch)\.\s?\d|\d{4}-[A-Z][a-z]+-\d|\d\sIL\sApp\b"
)
_BEGINS_WITH_ONE = bounded(
    r"\s*(?:(?:[A-Z][\w.’'&-]*\s+){1,6}v\.?\s+[A-Z]|(?:In\s+re|Ex\s+parte|Matter\s+of)\s+[A-Z]|"
    r"(?:\d{1,3}\s)?(?:[A-Z][A-Za-z.]*\s){1,5}(?:§+\s?)?\d[\w]*[.:(/-]\w)"
)
"""A line that begins with an authority: a list of them may have no marks at all."""
_BAD = (
    r"(?:never|no-?cite|do\s+not|don['’]t|not\s+(?:to\s+be|citable|good\s+law)|(?:must|may|should|"
    r"can)\s*not|no\s+longer|overruled|"
    r"overturned|abrogated|superseded|repealed|withdrawn|reversed|vacated|depublished|disapproved|"
    r"bad\s+law|dead|avoid|retired|"
    r"(?:adverse|negative)\s+(?:history|treatment)|limited|narrowed|caution|careful|with\s+care|"
    r"restricted|ask\s+first|check\s+first|"
    r"with\s+(?:the\s+)?(?:approval|permission|consent|leave)|doubtful|questioned|amended|removed|"
    r"deleted|gone|displaced|rejected|modified|changed|renumbered|recodified|rescinded|struck\s+down|"
    r"kills?|killed|replaced|obsolete|outdated|invalid(?:ated)?)"
)
_AGAINST = bounded(rf"\b{_BAD}\b", re.IGNORECASE)
_OF_LAW = bounded(
    r"\b(?:cases?|decisions?|opinions?|authorit(?:y|ies)|precedents?|rulings?|rules?|statutes?|"
    r"provisions?|sections?|cit\w+|rel(?:y|ied)|law|"
    r"entries|list|following)\b",
    re.IGNORECASE,
)
_STATUS_ALONE = bounded(
    rf"\W*(?:(?:part|section|list|group|category|table)\s+\w+\W+)?(?:[IVX\d]{{1,4}}[.)]\s*)?{_BAD}"
    rf"(?:\W+(?:and|or|in|part|by|statute|rule|entirely|first|law|cite|use|rely|on|{_BAD}))*\W*",
    re.IGNORECASE,
)
"""A heading that is nothing but what became of the authorities below it: "PART ONE. NEVER.", "Overruled or limited"."""
_FOR = bounded(
    r"\b(?:(?<!longer\s)(?<!not\s)good\s+law|may\s+(?:still\s+)?be\s+(?:cited|used|"
    r"relied)\b(?!\s+(?:only|with))|still|remain\w*|safe|unaffected|"
    r"not\s+(?:overruled|affected|limited|on\s+(?:either|this|any))|cite\s+(?:instead|these|freely)|"
    r"use\s+(?:instead|these)|"
    r"instead|replacements?|sound|fine|unchanged|untouched|not\s+changed|approved|preferred|keep|"
    r"clear(?:ed)?|ok(?:ay)?|reinstated|reliable|controlling|current)\b",
    re.IGNORECASE,
)
_FROM_A_LIST = bounded(r"\b(?:from|off)\s+(?:the|our)\s+[\w\s-]{0,40}?list\b", re.IGNORECASE)
_MARK = bounded(r"\A\s*(?:\(?\d{1,3}[.)]|\([a-z]{1,4}\)|[a-z][.)]|[IVX]{1,5}\.|[-–—•*·▪◦¶])\s+(?=\S)")
_LABEL = bounded(r"\s*(?P<label>[A-Z][A-Za-z]{1,14}(?:\s[A-Za-z]{1,12}){0,2}):\s")
_FIELD = bounded(
    r"\A\s*(?P<label>(?:current\s+|present\s+)?(?:(?:overruling|replacing|superseding|"
    r"controlling)\s+\w+|status|history|treatment|disposition|effect|outcome|action|advice|note|notes|"
    r"comment|reason|"
    r"why|what\s+happened|what\s+to\s+do|instead|replacement|replaced\s+by|superseded\s+by|"
    r"overruled\s+by|use|use\s+instead|cite|"
    r"cite\s+instead|see|see\s+now|see\s+instead|now|new|current|successor|authority|by)):\s*",
    re.IGNORECASE,
)
_INLINE = bounded(
    r"\s(?=(?:Status|STATUS|History|HISTORY|Treatment|TREATMENT|Disposition|Authority|AUTHORITY|"
    r"Instead|INSTEAD|Replacement|"
    r"REPLACEMENT|Replaced\s+by|Superseded\s+by|Action|ACTION|Note|NOTE|Comment|Reason|What\s+happened|"
    r"What\s+to\s+do|Use\s+instead|"
    r"Cite\s+instead|See\s+instead|See\s+now|Successor):\s)"
)
_SUCCESSOR = bounded(
    r"\A\s*(?:(?:overruling|replacing|superseding|controlling)\s+\w+|instead|replacement|replaced\s+by|"
    r"superseded\s+by|overruled\s+by|use|use\s+instead|cite|cite\s+instead|see|see\s+now|"
    r"see\s+instead|now|new|current|successor|authority|by)\b(?:\s+(?:authority|case|law|rule|decision|"
    r"statute|citation))?\s*:?",
    re.IGNORECASE,
)
_LED_IN = bounded(r"\b(?:following|below|these|listed)\b[^.]*\.?\s*\Z", re.IGNORECASE)
_STATUS = bounded(
    r"\W*(?:\w+ly\s+|now\s+|since\s+|partly\s+)?(?:status|overruled|overturned|abrogated|superseded|"
    r"repealed|withdrawn|reversed|rev['’]d|vacated|"
    r"quashed|depublished|disapproved|limited|narrowed|questioned|criticized|amended|modified|replaced|"
    r"do\s+not|never|no\s+longer|not\s+good|"
    r"bad\s+law|dead|receded|in\s+conflict|invalid\w*|unconstitutional|obsolete|caution|use\s+with|"
    r"cite\s+only|good\s+law|still|none|clear)\b",
    re.IGNORECASE,
)
_OLD = bounded(
    r"\W*(?:old|former|previous|outdated|retired|out|was|instead\s+of|"
    r"in\s+place\s+of)(?:\s+(?:authority|case|cite|citation|law|rule|number))?\W*",
    re.IGNORECASE,
)
_BRACKETS = bounded(r"\([^()]*\)|\[[^\[\]]*\]")
_PROSE = bounded(r"(?:\b[a-z]{3,}\b\s+){3,}|[a-z]{4,}\.\s+[A-Z][a-z]")
_CELLS = bounded(r"\s*(?:\||\t|→|=>|\.{5,}|(?<=\S) {3,}(?=\S))\s*")


@dataclass(frozen=True, slots=True)
class Unit:
    """One entry: its text without number and successors, the passages that it stands in, and the heading that speaks
    against whatever stands below it, empty where there is none.
    """

    text: str
    passage_ids: tuple[str, ...]
    heading: str = ""


@dataclass(slots=True)
class _State:
    """What was read so far: the heading in force, whether one says how the law below it stands, the columns of a table,
    and the entry that is being put together.
    """

    heading: str = ""
    is_headed: bool = False
    columns: tuple[str, ...] = ()
    has_entries: bool = False
    parts: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def finished(self) -> Iterator[Unit]:
        """The entry at hand, if there is one."""
        if self.parts:
            self.has_entries = True
            heading = self.heading or next((each for each in self.columns[:1] if _is_of_the_old(each)), "")
            yield Unit(" | ".join(self.parts), tuple(dict.fromkeys(self.ids)), heading)
        self.parts, self.ids = [], []

    def goes_on_with(self, line: str) -> bool:
        """Whether a line is a field of the entry at hand, which does not begin with a field of that name; or the cell
        of a table beside that of an authority, where cells are paragraphs of their own.
        """
        is_cell = (
            not self.is_headed
            and len(self.parts) == 1
            and not line.rstrip().endswith(":")
            and not _CITATION.search(line)
            and _STATUS.match(line)
        )
        if is_cell and _is_bare(self.parts[0]):
            return True
        label = _FIELD.match(line)
        first = _LABEL.match(self.parts[0]) if self.parts else None
        return bool(self.parts and label and not (first and first["label"].lower() == label["label"].lower()))


def units(paragraphs: Iterable[tuple[Sequence[str], str]]) -> Iterator[Unit]:
    """Yield the entries of a directive, given its paragraphs in order, each with the ids of its passages."""
    state = _State()
    for number, (ids, paragraph) in enumerate(paragraphs):
        if not number and _is_title(paragraph):
            state.is_headed = _FOR.search(paragraph) is not None
            continue
        for line in _lines(paragraph):
            yield from _read(line, ids, state)
    yield from state.finished()


def _is_title(paragraph: str) -> bool:
    """Whether the first paragraph names the office and its list, of which some entries may be good law."""
    is_heading = (
        paragraph.rstrip().endswith(":")
        or len(_CELLS.split(paragraph)) > 1
        or _STATUS_ALONE.fullmatch(paragraph)
        or _LED_IN.search(paragraph)
    )
    return not is_heading and _is_heading(paragraph)


def _read(line: str, ids: Sequence[str], state: _State) -> Iterator[Unit]:
    """Take the next line: a field of the entry at hand, a heading, the head of a table, or an entry of its own."""
    if state.goes_on_with(line):
        if not _SUCCESSOR.match(line):
            state.parts.append(line)
            state.ids += ids
        return
    yield from state.finished()
    cells = [each for each in _CELLS.split(line) if each]
    if not _CITATION.search(line) and len(cells) > 1:
        state.columns = tuple(cells)
    elif _is_heading(line):
        state.heading = line if _speaks_against(line) else ""
        state.is_headed = bool(state.heading or _FOR.search(line))
        state.has_entries, state.columns = False, ()
    elif not any(map(str.isdigit, line)):
        if state.has_entries:
            state.heading, state.is_headed = "", False  # prose behind a list ends it
        state.parts, state.ids = [line], list(ids)  # it may call by name what is cited elsewhere
    else:
        state.parts, state.ids = _row(cells, state.columns), list(ids)


def _speaks_against(heading: str) -> bool:
    """Whether a heading says of the law below it that it is not to be relied on; "Limited searches" does not."""
    heading = _FROM_A_LIST.sub("", heading)
    is_of_law = _STATUS_ALONE.fullmatch(heading) or (_AGAINST.search(heading) and _OF_LAW.search(heading))
    return bool(is_of_law) and not _FOR.search(heading)


def _is_of_the_old(column: str) -> bool:
    """Whether the first column of a table is of authorities that others stand for now: "Do not cite", "Old"."""
    return _speaks_against(column) or _OLD.fullmatch(column) is not None


def _is_heading(line: str) -> bool:
    """Whether a line without a citation stands above others: short and no sentence, in capitals, or with a colon."""
    if _CITATION.search(line):
        return False
    words = line.split()
    if line.rstrip().endswith(":") or (_LED_IN.search(line) and _AGAINST.search(line)):
        return len(words) <= _LEAD_IN_WORDS
    return len(words) <= _HEADING_WORDS and (line.isupper() or not line.rstrip().endswith((".", ";", ",")))


def _is_bare(text: str) -> bool:
    """Whether a text is an authority and nothing more."""
    return _PROSE.search(_BRACKETS.sub(" ", text)) is None


def _lines(paragraph: str) -> Iterator[str]:
    """The lines of a paragraph that are entries or fields of their own; others belong together."""
    lines = paragraph.split("\n")
    listed = [_BEGINS_WITH_ONE.match(line) is not None for line in lines]
    is_list = sum(listed) >= max(2, len(lines) // 2)
    text = ""
    for line, is_entry in zip(lines, listed, strict=True):
        for place, part in enumerate(_INLINE.split(line)):
            begins = (
                place
                or (is_list and is_entry)
                or _MARK.match(part)
                or _FIELD.match(part)
                or _LABEL.match(part)
                or len(_CELLS.split(part)) > 2
            )
            if text and begins:
                yield text
                text = ""
            text = f"{text} {part}" if text else part
    if text:
        yield text


def _row(cells: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The cells of a row that speak of its authority: not those of a column of successors."""
    if len(cells) != len(columns):
        return [
            each for place, each in enumerate(cells) if not (place and _FIELD.match(each) and _SUCCESSOR.match(each))
        ]
    return [
        cell
        for place, (cell, column) in enumerate(zip(cells, columns, strict=True))
        if not place or not (_SUCCESSOR.match(column) and _CITATION.search(cell))
    ]
