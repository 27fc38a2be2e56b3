"""Where a text refers to another place of its own document: "Point II.A, supra", "note 4, supra", "at 12 above".

Finds words alone; where they lead, and whether they lead anywhere, is found in `resolve`. What names a place of
something else is left out as far as its words tell: a case or its footnote, a statute, the record, another brief.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from briefbank.law.legal_numbers import NUMBER_WORDS, ORDINAL_WORDS
from briefbank.pages.references.sections import NOUNS
from briefbank.platform.regex import bounded
from briefbank.values.pages import ReferenceKind
from briefbank.values.records import Span

SOLE = "sole"
"""The number of a mention that means the one point there is."""
_S = r"(?:[ \u00a0]|\n(?!\n))"
_WORDS = "|".join(NUMBER_WORDS[:12])
_COMPONENT = rf"(?:[IVX]{{1,5}}|[A-H]|\d{{1,3}}(?:[A-H](?!\w))?|(?i:{_WORDS}))"
_BELOW = r"(?:[. ]?\((?:[IVXivx]{1,5}|[A-Za-z]|\d{1,2})\)|\.?[-–.](?:[IVX]{1,5}|[A-H]|\d{1,2}))"
_NUMBER = (
    rf"(?:\d{{1,3}}(?:\.\d{{1,3}}){{1,3}}(?:\([a-z0-9]{{1,4}}\)){{0,3}}|{_COMPONENT}{_BELOW}{{0,3}})(?![\w(]|\.\w|:\d)"
)
_AND = rf"(?:,{_S}?(?:and|or|&)?|{_S}(?:and|or|&|through|to)|{_S}?[-–]){_S}?"
_OF_ERROR = rf"(?:{_S}(?i:of{_S}(?:error|law)|for{_S}review|on{_S}appeal))?"
_NOUN = (
    rf"(?P<strong>(?i:points?|issues?){_OF_ERROR}|(?i:grounds?|propositions?|assignments?){_OF_ERROR})"
    r"|(?P<weak>(?i:(?:sub-?)?(?:sections?|parts?|points?|issues?)|arguments?|claims?|articles?|clauses?|sec\.|"
    r"(?:sub-?)?(?:paragraphs?|clauses?))|§{1,2})"
)
_POINT = bounded(
    rf"(?<![\w$])(?:{_NOUN})(?:(?<=[.§]){_S}?|{_S})(?i:(?:nos?\.?|numbers?|\#){_S}?)?(?P<numbers>{_NUMBER}(?:{_AND}{_NUMBER}){{0,6}})"
    rf"(?!{_S}?(?:%|percent\b))"
)
_OF_A_NAME = bounded(
    rf"(?:\([a-z0-9]{{1,4}}\)){{0,4}},?{_S}of{_S}(?:the{_S})?"
    rf"(?!(?i:articles?|sections?|clauses?|paragraphs?|parts?){_S})[A-Z][a-z]"
)
"""Behind a section of a contract: that of something with a name of its own, "of Statement No. 72"."""
_ORDINAL = rf"(?i:{'|'.join(ORDINAL_WORDS[:12])})"
_ORDINALS = bounded(
    rf"(?<!\w)(?P<whose>(?i:his|her|their|its|our|appellants?[’']?s?[’']?|defendant[’']?s?|the|this)){_S}"
    rf"(?P<numbers>{_ORDINAL}(?:(?:,{_S}|{_S})(?:(?:and|or){_S})?{_ORDINAL}){{0,5}}){_S}"
    rf"(?P<strong>(?i:issues?|points?|grounds?|propositions?)(?P<full>{_S}(?i:of{_S}error|for{_S}review))?)(?!\w)"
)
_SOLE = bounded(
    rf"(?<!\w)(?i:his|her|their|its|our|the|this|appellants?[’']?s?[’']?|defendants?[’']?s?){_S}"
    rf"(?P<numbers>(?i:sole|only)){_S}(?P<strong>(?i:issue|point|ground|proposition)(?P<full>{_S}(?i:of{_S}error|for{_S}review|presented|on{_S}appeal))?)(?!\w)"
)
"""The one point of a brief that has no other: "his sole issue", "the only point of error"."""
_RULED = bounded(
    rf"\b(?:sustain|overrul|reach|grant|address|incorporat)\w*{_S}\Z|{_S}(?:should|must|has|have|is|are){_S}(?:be{_S})?(?:sustain|overrul|meritorious)",
    re.IGNORECASE,
)
"""Around a point of the brief: "sustain the first issue", "the sole issue should be sustained"."""
_RANGE = re.compile(r"([IVX]{1,5}|[A-H]|\d{1,2})[-–]([IVX]{1,5}|[A-H]|\d{1,2})")
_ONE = bounded(rf"{_NUMBER}|{_ORDINAL}")
_DIRECTION = r"(?:supra|infra|above|below|ante|post)"
_PAGES = rf"\d{{1,3}}(?:{_S}?[-–]{_S}?\d{{1,3}})?(?!\d)"
_LIST = rf"(?P<numbers>{_PAGES}(?:{_AND}{_PAGES}){{0,8}})"
_OF_CONTRACTS = NOUNS - {"section", "article", "clause"}
"""What briefs refer to in other documents: "paragraph 4" of an affidavit."""
_NOTE_NOUN = r"(?P<noun>(?i:(?:foot)?notes?)|nn?\.|fns?\.)"
_NOTES = tuple(
    bounded(pattern)
    for pattern in (
        rf"(?<![\w.]){_NOTE_NOUN}{_S}?{_LIST}(?:,{_S}?|{_S})\(?(?i:{_DIRECTION})\b",
        rf"\b(?i:{_DIRECTION}),?{_S}(?:at{_S})?{_NOTE_NOUN}{_S}?{_LIST}",
        rf"(?P<see>\b[Ss]ee(?:{_S}also)?{_S}|\((?:see{_S})?){_NOTE_NOUN}{_S}?{_LIST}(?!{_S}?(?:of|in|to|\(|,{_S}\d))",
    )
)
_PAGE_NOUN = r"(?P<noun>(?:[Pp]p?\.|[Pp]ages?))"
_PAGE_NOTES = rf"(?:{_S}(?:and|&){_S}(?:notes?|nn?\.){_S}?{_PAGES})?"
_PAGE_LISTED = re.compile(_PAGES)
_PART = re.compile(r"[A-Za-z]+|\d+")
_OF_THIS = rf"(?:of|in){_S}this{_S}(?:brief|memorandum|memo|petition)\b"
_IS_OF_THIS = bounded(rf"{_OF_THIS}\Z")
_PAGE_REFERENCES = tuple(
    bounded(pattern)
    for pattern in (
        rf"(?<![\w.]){_PAGE_NOUN}{_S}?{_LIST}{_PAGE_NOTES}(?:,{_S}?|{_S})\(?(?:(?i:{_DIRECTION})\b|{_OF_THIS})",
        rf"\b(?i:supra|infra),?{_S}(?:at{_S})?{_PAGE_NOUN}{_S}?{_LIST}",
        rf"(?:\b[Ss]ee|\(){_S}?(?i:supra|infra),?{_S}at{_S}(?P<noun>){_LIST}",
        rf"\b(?P<noun>)at{_S}{_LIST}(?:,{_S}?|{_S})(?:supra|infra|above|below)\b",
    )
)
_ANCHOR_BEHIND = bounded(
    rf"[.,;]{{0,2}}{_S}?\(?(?:(?:supra|infra|above|below|ante|post|hereof|herein|hereto|hereunder)\b"
    rf"|of{_S}(?:this|the{_S}present){_S}(?:brief|issue|point|argument|section|memorandum|memo|agreement|contract|order|"
    r"directive|policy|lease|article|exhibit|schedule|act|chapter|title|plan|license|note))",
    re.IGNORECASE,
)
_ANCHOR_BEFORE = bounded(
    rf"\b(?:supra|infra|above|below)(?:,|{_S}(?:in|at|under))?{_S}\(?(?:(?:issue|point){_S}\w{{1,6}},{_S})?\Z",
    re.IGNORECASE,
)
_OF_OTHERS_BEFORE = bounded(
    r"(?:\b(?:State|Government|People|Commonwealth|Appellee|Respondent|Prosecutor|Prosecution|Plaintiff|Intervenor)"
    r"[’']?s?[’']?|\b(?:[Ii]d\.|[Ss]tat\.|[Cc]ode|[Cc]h\.|[Cc]hapter|[Tt]itle|[Aa]rt\.|[Rr]ules?|[Aa]ct|U\.S\.C\.|Const\.|"
    r"[Aa]mend\.|Ann\.|Proc\.|Gov\.|Crim\.|App\.|P\.)|\bv\.)(?:,)?(?: |\n|\u00a0)\(?\Z"
)
_OF_OTHERS_BEHIND = bounded(
    rf"(?:\([a-z0-9]{{1,4}}\)){{0,4}},?{_S}(?:of|in|to|from|under){_S}(?!th(?:is|ese)\b|the{_S}present\b)"
    rf"(?:(?:the|his|her|their|its|a|an|that|such|said|[A-Z][\w.]*[’']s?){_S})?(?:[\w.’']+{_S}){{0,5}}"
    r"(?:Code|Conditions|Constitution|Convention|Treaty|Charter|Regulations?|Ordinance|Deed|Act|Amendment|Agreement|License|Lease|Contract|Exhibit|Schedule|Annex|Appendix|Attachment|Addendum|Plan|Indenture|Policy|Bylaws|Statutes?|Rules?|Law|Title|Chapter|[Ii]ndictment|[Ii]nformation|[Pp]etition|"
    r"[Aa]pplication|[Ww]rit|[Mm]otion|[Cc]omplaint|[Cc]harge|[Vv]erdict|State[’']s|Appellee[’']s|[Aa]ppellee|[Rr]espondent)\b"
)
_OTHER_SIDE = (
    r"(?:State|Government|People|Commonwealth|Appellee|Respondent|Prosecutor|Prosecution|Plaintiff|Intervenor)s?"
    rf"(?:[’']s?{_S}(?:\w+{_S})?(?:brief|letter|response|answer))?,?{_S}(?:(?:\w+ly|also|next|then|now|again|further){_S})?"
    r"(?:argu|contend|assert|claim|maintain|sa(?:y|id)|conced|submit|insist|urg|suggest|respon|repl|rel[yi]|rais|stat|"
    r"acknowledg|address|answer|devot|complain|tak|tell|told|writ|wrote)(?:[a-z]{0,4})"
)
_ARGUED_BY_OTHERS = bounded(
    rf"\b{_OTHER_SIDE}(?:,?{_S}(?!(?:as|see|we|shown|set|reasons?|[a-z]+ed|our|this)\b)[\w’'-]{{1,24}}){{0,8}}?,?{_S}"
    rf"(?:in|at|under|through|with){_S}(?:(?:its|their){_S})?\Z",
    re.IGNORECASE,
)
"""In front of a point of the other side's brief: "the State argues in Point III". Not where the writer leads back to a
point of his own in between: "the State argues, as shown in Point III"."""
_ARGUED_BEHIND = bounded(
    rf",{_S}(?:the{_S})?{_OTHER_SIDE}\b|{_S}(?:of|in|to){_S}(?:its|their){_S}(?:\w+{_S})?(?:brief|letter|response|answer|memorandum)\b",
    re.IGNORECASE,
)
"""Behind one: "In Point III, the State argues", "Point III of its brief"."""
_OPENS_SENTENCE = re.compile(r"(?:\A|[.;”\"]\s|\n)In\s\Z")
_CASE_BEFORE = bounded(r"(?:[A-Z][\w.’'-]*\*?|v\.|U\.S\.|\d|\)|&)[,*]?(?: |\n|\u00a0)*\Z")
_A_POINT_BEFORE = bounded(rf"(?i:{_COMPONENT}|issue|point|section|part),?(?: |\n)\Z")
_INTRODUCED = bounded(r"(?:\A|[.;:(]|\b(?:[Ss]ee|also|[Cc]f\.|e\.g\.),?)(?: |\n|\u00a0)*\Z")
_REACH_BEFORE = 160
"""Characters in front of a point in which its brief may be named: the other side, a verb and up to eight words."""
_LABEL_END = bounded(r"(?:[ \u00a0]*\((?i:restated)\))?[ \u00a0]*(?:[:.–—-]|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that refer to one place: their range in the document's text, what kind of place, and its number as written,
    part by part ("II", "A"). `noun` says what the place is called, in lower case and singular ("point", "section").

    `is_sure` where the words can only mean the same document: "supra" stands beside them, or "of this brief".
    """

    kind: ReferenceKind
    span: Span
    noun: str
    number: tuple[str, ...]
    is_sure: bool


def mentions_in(text: str, *, has_sections: bool = False) -> Iterator[Mention]:
    """Yield what the text may refer to, by kind; places in its own headings and labels are among them. Where the
    document `has_sections`, as a contract, "Article 32" is one of its own; in a brief it is one of a statute.
    """
    yield from _points(text, has_sections=has_sections)
    for pattern in _NOTES:
        for match in pattern.finditer(text):
            is_foreign = match["noun"].startswith(("n", "f")) and _CASE_BEFORE.search(_before(text, match.start()))
            if not is_foreign or match["noun"].lower().startswith(("note", "foot")):
                yield from _listed(ReferenceKind.NOTE, match, "note", is_sure="see" not in match.groupdict())
    for pattern in _PAGE_REFERENCES:
        for match in pattern.finditer(text):
            if _IS_OF_THIS.search(match[0]) or not _is_of_a_case(text, match.start()):
                yield from _listed(ReferenceKind.PAGE, match, "page", is_sure=True)


def is_label(text: str, mention: Mention, start: int) -> bool:
    """Whether the words are no reference but a label: they open a paragraph, and end it or what they name follows.
    `start` is where their passage begins.
    """
    before = text[max(start, mention.span.start - 8) : mention.span.start].rstrip(" ")
    return (not before or before.endswith("\n")) and _LABEL_END.match(text, mention.span.end) is not None


def _points(text: str, *, has_sections: bool) -> Iterator[Mention]:
    for match in _POINT.finditer(text):
        before = _before(text, match.start())
        if _OF_OTHERS_BEFORE.search(before) or _OF_OTHERS_BEHIND.match(text, match.end()):
            continue
        if has_sections and _OF_A_NAME.match(text, match.end()):
            continue
        is_sure = _is_anchored(text, match)
        if not is_sure and _is_argued_by_others(text, match):
            continue
        noun = _singular(match["strong"] or match["weak"])
        if noun in _OF_CONTRACTS and not has_sections:
            continue
        is_own = has_sections and noun in NOUNS and not match[0].startswith("§")
        if not is_sure and not is_own and (_is_ambiguous(match) or _is_shouted(text, match)):
            continue
        yield from _listed(ReferenceKind.POINT, match, noun, is_sure=is_sure)
    for match in _ORDINALS.finditer(text):
        is_named = match["full"] or match["strong"][0].isupper()
        is_own = match["whose"].lower().startswith(("his", "her", "their", "our", "appellant", "defendant"))
        is_ruled = _is_ruled(text, match)
        if (is_named or is_own or is_ruled) and not _OF_OTHERS_BEHIND.match(text, match.end()):
            is_sure = _is_anchored(text, match)
            yield from _listed(ReferenceKind.POINT, match, _singular(match["strong"]), is_sure=is_sure)

    for match in _SOLE.finditer(text):
        is_own = not match[0].lower().startswith(("the", "this"))
        is_named = match["strong"][0].isupper() and not _is_shouted(text, match)
        if (is_own or is_named or match["full"] or _is_ruled(text, match)) and not match[0].isupper():
            span = Span(match.start("numbers"), match.end())
            yield Mention(ReferenceKind.POINT, span, _singular(match["strong"]), (SOLE,), is_sure=False)


def _is_ruled(text: str, match: re.Match[str]) -> bool:
    """Whether the court is asked to rule on what the words name, which only a point of the brief can be."""
    return bool(_RULED.search(_before(text, match.start())) or _RULED.match(text, match.end()))


def _is_argued_by_others(text: str, match: re.Match[str]) -> bool:
    """Whether the point is one of the other side's brief, of which it is said what that side argues there."""
    before = text[max(0, match.start() - _REACH_BEFORE) : match.start()]
    if _ARGUED_BY_OTHERS.search(before):
        return True
    behind = _ARGUED_BEHIND.match(text, match.end())
    return behind is not None and (text[match.end()] != "," or _OPENS_SENTENCE.search(before) is not None)


def _is_anchored(text: str, match: re.Match[str]) -> bool:
    """Whether words beside the match say that this document is meant."""
    return bool(_ANCHOR_BEHIND.match(text, match.end()) or _ANCHOR_BEFORE.search(_before(text, match.start())))


def _is_ambiguous(match: re.Match[str]) -> bool:
    """Whether only "supra" could tell that this document is meant: "the issue I raise", "§ 3(b)", "sections 8, 9"."""
    if match["strong"]:
        return match[0][0].islower() and re.fullmatch("[IA]", match["numbers"]) is not None
    return match["weak"].startswith("§") or re.match(r"\d{1,2}(?![.\d])", match["numbers"]) is not None


def _is_shouted(text: str, match: re.Match[str]) -> bool:
    """Whether the words stand in a line of capitals: a heading, or a list of the points."""
    line = match[0] + text[match.end() : match.end() + 40].split("\n", maxsplit=1)[0]
    return line.isupper()


def _listed(
    kind: ReferenceKind,
    match: re.Match[str],
    noun: str,
    *,
    is_sure: bool,
) -> Iterator[Mention]:
    """One mention for each number of a list; the noun belongs to the one beside it."""
    start, (first, last) = match.start(), match.span("numbers")
    if kind is not ReferenceKind.POINT:
        start = match.start("noun") if match["noun"] else first
    elif "whose" in match.groupdict():
        start = first
    pattern = _ONE if kind is ReferenceKind.POINT else _PAGE_LISTED
    for each in pattern.finditer(match.string, first, last):
        for at, end in _ends(each) if kind is ReferenceKind.POINT else [each.span()]:
            number = tuple(_PART.findall(match.string[at:end]))
            span = Span(start if at == first else at, end)
            if kind is not ReferenceKind.POINT:
                number = number[:1]
            elif end == last:
                span = Span(span.start, match.end())  # "second issue" has its noun behind
            yield Mention(kind, span, noun, number, is_sure)


def _ends(number: re.Match[str]) -> list[tuple[int, int]]:
    """Where a number stands, or both ends of a range: "A-C" are two, "I-A" is one below the other."""
    ends = _RANGE.fullmatch(number[0])
    if ends is None or _figures(ends[1]) != _figures(ends[2]):
        return [number.span()]
    middle = number.start() + ends.start(2)
    return [(number.start(), number.start() + ends.end(1)), (middle, number.end())]


def _figures(part: str) -> str:
    return "digits" if part.isdecimal() else "letter" if part.strip("IVX") else "roman"


def _is_of_a_case(text: str, start: int) -> bool:
    """Whether the name of a case stands before "supra", or a number before "at": its page is meant."""
    before = _before(text, start)
    if _INTRODUCED.search(before) or _A_POINT_BEFORE.search(before):
        return False
    return _CASE_BEFORE.search(before) is not None


def _before(text: str, start: int) -> str:
    return text[max(0, start - 60) : start]


_SINGULAR = {"sec.": "section"}


def _singular(noun: str) -> str:
    first = re.split(r"\s", noun.lower())[0].replace("sub-", "sub")
    return "section" if first.startswith("§") else _SINGULAR.get(first, first.removesuffix("s"))
