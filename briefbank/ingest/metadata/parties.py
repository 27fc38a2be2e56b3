"""The parties of a caption, as they make a case's name: over several lines and columns, with or without a "v.".

Knows lines of text alone. A name is believed where a caption could have it: beside its "v." and above its role, never
in a sentence that cites a case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from briefbank.ingest.metadata.front import title_case
from briefbank.platform.regex import bounded

# OCR often reads a lone "v." as "Vv.".
_LONE_VERSUS = re.compile(r"^\W*(?:vv?|vs|versus|against)\b\W*$", re.IGNORECASE)
_INLINE_VERSUS = re.compile(
    r"(?:^|\s)(?:[-–—]\s?)?(?:vs?\.[-–—]?|[-–—]\s?(?:against|vs?)\s?[-–—])(?:\s|$)", re.IGNORECASE
)
_ONE_PARTY = re.compile(
    r"^(?P<how>ex\s+parte|in\s+re|(?:in\s+the\s+)?matter\s+of|in\s+(?:the\s+)?interests?\s+of)\b[:\s]*(?P<name>.*)$",
    re.IGNORECASE,
)
_GOVERNMENT = re.compile(
    r"(?:the\s+)?(?:(?P<people>people)|(?P<state>state|commonwealth)|united\s+states)\s+of\s+\w.*", re.IGNORECASE
)
_FOR_ANOTHER = bounded(r",?\s+(?P<how>ex\.?\s+rel\.?|in\s+(?:the\s+)?interests?\s+of)\s+(?P<name>\S.*)$", re.IGNORECASE)
_BEGINNINGS = {
    "ex parte": "Ex parte", "in re": "In re", "ex rel": "ex rel.", "matter of": "Matter of",
    "in the matter of": "In the Matter of",
}  # fmt: skip
"""What stands before a name, as titles have it."""
_ROLE = bounded(
    r"[,.]?\s*(?:\b(?:cross|counter|third)[\s-](?:party[\s-])?)?(?:plaintiff|defendant|appell(?:ant|ee)|petitioner|"
    r"respond[ea]nt|relator|movant|claimant|intervenor|real part(?:y|ies) in interest|\ba minor|"
    r"(?:\ba )?juvenile)s?\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_ROLES = (re.compile(r"plaintiff", re.IGNORECASE), re.compile(r"defendant\W{0,3}(?:appell|$)", re.IGNORECASE))
_BESIDE_NAME = bounded(
    r",?\s*\bet\.?\s*al(?:\b|\.).*$|,\s+as\b.*$|,\s+in (?:his|her|their) (?:official )?capacity\b.*$", re.IGNORECASE
)
_BEFORE_NAME = re.compile(r"^(?:re\s*:\s*|the\s+(?:application|petition)\s+of\s+)", re.IGNORECASE)
_COLUMN = re.compile(r"§|\s[:|*}](?:\s|$)|(?<=,)\s(?:case\s|docket\s|ind\.\s)?no\.\s?\S*\d.*", re.IGNORECASE)
"""What parts the names of a caption from the column beside them."""
_BRACKETS = bounded(r"[^()]*(?=\))")
_INITIAL = re.compile(r"(?<=\w )[av](?=\.? \w)")
"""A small letter inside of one party's name is no article and no "versus" but an initial, with a full stop or without:
"Roger A Doe"."""
_NO_NAME = re.compile(
    r"\b(?:court|cause|docket|appeals?|no|number|indictment|judge|jersey law|oral|honorable|hon|criminal action|"
    r"sat below|brief|judgment|conviction|filed|attorneys? (?:for|at)|counsel|bar|"
    r"(?:appellate|law|chancery|family|criminal|civil)\s+division)\b",
    re.IGNORECASE,
)
_NO_PERSON = re.compile(r"\b(?:county|division|district|department|clerk|texas,?$)\b", re.IGNORECASE)
_BODY = re.compile(
    r"\b(?:division of|department of|board|office|agency|authority|schools?|bureau|commission\w*|services?|township|"
    r"(?:city|county) of|warden|superintendent|director|sheriff|prosecutor|hospital|university|company|society)\b",
    re.IGNORECASE,
)
"""Offices and companies, whose names may hold the words of `_NO_PERSON`."""
_JUDGE_BELOW = re.compile(r"[^,]*,\s*(?:p\.\s?)?j\.\s?[ast]\.\s?[cd]\b", re.IGNORECASE)
"""A judge's name and title at the head of a line ("Quorris, J.S.C., and a Jury."). Initials alone ("J.A.D.") may be a
party's."""
_GOES_ON = re.compile(
    r"(?:\b(?:of|the|and|for|in|by|ex\s+rel\.?|of\s+(?:new|north|south|west|rhode))|&)$", re.IGNORECASE
)
_WENT_ON = re.compile(r"^(?:of|and|for|from|on|in\s+the|in\s+interests?|ex\s+rel|&)\b", re.IGNORECASE)
_PLACE = re.compile(r"^at\s|,\s*[a-z]+(?:\s[a-z]+)?$", re.IGNORECASE)
"""Where a court sits: "At Houston", "Houston, Texas"."""
_ENDED = re.compile(r"[,.;:]$")
_SMALL_WORDS = frozenset("a an and de del der di du ex for la in of on or re rel the to van von".split())
_BEHIND_CASE = re.compile(
    r"\W*(?:$|nos?\b|case|docket|appeal|ind\b|a-\s?\d|\d\d-|et\s+al|[js]r\b|i{1,3}\b|a/?k/?a|on behalf|appell|app\.)",
    re.IGNORECASE,
)
"""What may follow the name of a caption's own case on its line; behind another stands where it is reported."""
_REPORTED = re.compile(r"\b\d+\s[A-Z][\w.]*\s(?:\w+\.?\s)?\d+|\([^)]*\d{4}\)|\b(?:supra|infra)\b")
"""Where a case that is cited is found."""
_GOING_ON = re.compile(r",\s+(?!an?\s|on\s|minor|alleged|deceased)[a-z]")
"""The rest of a sentence behind the name of a case."""
_SENTENCE = re.compile(
    r"^(?:in(?!\s+(?:re|the\s+(?:interest|matter))\b)|see|under|but|cf|compare|as|and|also|accord|thus|e\.g)\b",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"^\W*(?:(?:table|index|list) of\b|contents\W*$|authorities\W*$|cases\W*$|(?:legal\s+)?argument\W*$|"
    r"point\s+(?:i|one|1)\b|(?:preliminary\s+)?statement\b|procedural\s+history|introduction\W*$|questions?\s+presented|issues?\s+presented)",
    re.IGNORECASE,
)
_PROSE_WORDS = 12
"""Words from which a line, most of them in small letters, is a sentence of the text."""
# Chosen on filed briefs.
_REACH = 9
"""Lines above or below a "v." in which the party's name stands, with the empty ones between."""
_NAME_LINES = 4
"""Lines that one name fills at most."""
_NAME_LETTERS = 600
"""Letters of a name that are read: hostile lines name one in another without end."""


def text_start(lines: Sequence[str]) -> int:
    """The number of the line that begins the first section or sentence of the text; that of all lines without one."""
    return next((number for number, line in enumerate(lines) if _SECTION.match(line) or _is_prose(line)), len(lines))


def is_captioned(lines: Sequence[str]) -> bool:
    """Whether any line is one of a case's name."""
    return any(is_lone_versus(line) or _INLINE_VERSUS.search(line) or _ONE_PARTY.match(line) for line in lines)


def is_lone_versus(line: str) -> bool:
    """Whether a line, but for the column beside it, is a caption's "v." and nothing else."""
    return bool(_LONE_VERSUS.match(_own_column(line)))


def parties(lines: Sequence[str], *, is_cover: bool) -> str:
    """The case's name out of the lines of a page, in reading order; empty where they have none. A line with a
    whole name is a caption's on the cover alone: elsewhere it may head a point.
    """
    own = list(map(_own_column, lines))
    # Behind it cases may be cited: only a "v." on a line of its own is a caption's.
    end = text_start(lines) if is_cover else 0
    both = (_around(own, number, is_in_text=number >= end) for number in range(len(own)))
    alone = (_alone(own, number) for number in range(end))
    return next(filter(None, (*both, *alone)), "")


def parties_by_role(lines: Sequence[str]) -> str:
    """The names above "Plaintiff-Respondent" and "Defendant-Appellant": a scan may have lost the "v." between them."""
    own = list(map(_own_column, lines))
    first, second = (next((n for n, line in enumerate(own) if role.search(line)), None) for role in _ROLES)
    if first is None or second is None or second <= first:
        return ""
    return _versus(_above(own[: first + 1]), _above(own[first + 1 : second + 1]))


def _versus(one: str, other: str) -> str:
    return f"{one} v. {other}" if one and other and one != other else ""


def _around(lines: Sequence[str], number: int, *, is_in_text: bool) -> str:
    """The name whose "v." is in a line."""
    line, before, after = lines[number], "", ""
    mark = _INLINE_VERSUS.search(line)
    if mark and not _LONE_VERSUS.match(line):
        before, after = _BEFORE_NAME.sub("", line[: mark.start()].strip()), line[mark.end() :].strip()
        name, _, rest = after.partition(",")
        if (
            is_in_text
            or _SENTENCE.match(before)
            or _REPORTED.search(line)
            or not _may_be_name(before)
            or not _may_be_name(_ROLE.sub("", name))
        ):
            return ""
        if not _BEHIND_CASE.match(rest) and not _ROLE.match(rest):
            return ""
    elif not mark and not _LONE_VERSUS.match(line):
        return ""
    above, below = lines[max(0, number - _REACH) : number], lines[number + 1 : number + 1 + _REACH]
    return _versus(_above([before] if before else above), _below([*filter(None, [after]), *below]))


def _alone(lines: Sequence[str], number: int) -> str:
    """The name that a line with "In re" or the like begins, or the line above: "State of … / in the Interest of …"."""
    another = _FOR_ANOTHER.search(lines[number])
    if another and _GOVERNMENT.match(lines[number]):
        return _below(lines[number : number + _REACH])
    alone = _ONE_PARTY.match(lines[number])
    if not alone or _REPORTED.search(lines[number]) or _GOING_ON.search(alone["name"]):
        return ""
    name = _below([*filter(None, [alone["name"]]), *lines[number + 1 : number + _REACH]])
    if not name:
        return ""
    if number and "interest" in alone["how"].lower() and _GOVERNMENT.fullmatch(lines[number - 1]):
        return f"{_written([lines[number - 1]])} in the Interest of {name}"
    return _begun(alone["how"], name)


def _above(lines: Sequence[str]) -> str:
    """The name that ends above a "v.": above its role, where it has one."""
    roles = [place for place, line in enumerate(lines) if _ROLE.search(line) and not _NO_NAME.search(line)]
    end = roles[-1] + 1 if roles else len(lines)
    for last in reversed(range(end)):
        if _name_in(lines[last]):
            first = last
            while first > 0 and last - first < _NAME_LINES and _continues(lines[first - 1], lines[first]):
                first -= 1
            while first < last and _WENT_ON.match(lines[first]) and not _ONE_PARTY.match(lines[first]):
                first += 1  # the end of what stands above it
            return _written(lines[first : last + 1])
    return ""


def _below(lines: Sequence[str]) -> str:
    """The name that begins below a "v.", up to its comma or its role where it fills several lines."""
    lines = lines[next((place for place, line in enumerate(lines) if line), 0) :]
    role = next((place for place, line in enumerate(lines) if _ROLE.match(line)), 0)
    first = next((place for place, line in enumerate(lines[: role or None]) if _name_in(line)), None)
    if first is None and role and not any(map(str.isdigit, lines[0])):
        return _cased(lines[0].strip(" ,.;"))  # a court or a judge, that a writ is asked against
    if first is None:
        return ""
    last = first
    while last + 1 < len(lines) and last - first < _NAME_LINES and _continues(lines[last], lines[last + 1]):
        last += 1
    behind = next(filter(None, lines[last + 1 :]), "")
    while last > first and not (_ENDED.search(lines[last]) or _ROLE.search(lines[last]) or _ROLE.match(behind)):
        if _GOES_ON.search(lines[last - 1]):
            break
        last -= 1
    return _written(lines[first : last + 1])


def _continues(line: str, below: str) -> bool:
    """Whether a name goes on from one line to the next."""
    if not _name_in(below) or not (_name_in(line) or _ONE_PARTY.match(line)):
        return False
    if _GOES_ON.search(line) or _WENT_ON.match(below):
        return True
    if _PLACE.search(line):
        return False
    is_open = not _ENDED.search(line) and not _ROLE.search(line) and not _GOVERNMENT.fullmatch(line)
    return is_open and line.isupper() == below.isupper()


def _written(lines: Sequence[str]) -> str:
    """A name as titles have it."""
    text = " ".join(lines)[:_NAME_LETTERS]
    alone, another = _ONE_PARTY.match(text), _FOR_ANOTHER.search(text)
    if alone and alone["name"]:
        return _begun(alone["how"], _written([alone["name"]]))
    if another:
        return _begun(another["how"], _written([another["name"]]), _written([text[: another.start()]]))
    if government := _GOVERNMENT.match(text):
        state = government["state"]
        return state.capitalize() if state else "People" if government["people"] else "United States"
    return _cased(_name_in(_BEFORE_NAME.sub("", text)))


def _cased(name: str) -> str:
    name = "".join(
        part if part.isspace() else title_case(part) for part in re.split(r"(?<=,)(\s+(?:on behalf of )?)", name)
    )
    return _INITIAL.sub(lambda match: match[0].upper(), name)


def _begun(how: str, name: str, government: str = "") -> str:
    """A name with what makes it a case's: "In re", "ex rel."."""
    words = " ".join(how.lower().split()).rstrip(".")
    beginning = _BEGINNINGS.get(words.replace(".", ""), "in the Interest of" if government else "In the Interest of")
    name = f"the {name[4:]}" if name.startswith("The ") else name
    return " ".join(filter(None, (government, beginning, name)))


def _own_column(line: str) -> str:
    """A line without the columns beside the names."""
    closing = _BRACKETS.match(line)
    return _COLUMN.split(closing[0] if closing else line)[0].strip(" |§'‘’“_")


def _name_in(line: str) -> str:
    """The party's name in a line, in the letters that it is printed in; empty where there is none."""
    if _JUDGE_BELOW.match(line):
        return ""
    if _GOVERNMENT.match(line):
        return line
    name = _BESIDE_NAME.sub("", _ROLE.sub("", line)).strip(" ,.:;§|'‘’“_")
    first, _, rest = name.partition(", ")
    name = first if _is_no_name(rest) or any(map(str.isdigit, rest)) else name
    name += "." if re.search(r"\.[A-Z]$", name) else ""
    is_name = len(name) > 2 and name[0].isupper() and not _is_no_name(name) and not any(map(str.isdigit, name))
    return name if is_name else ""


def _is_no_name(text: str) -> bool:
    return bool(_NO_NAME.search(text)) or (bool(_NO_PERSON.search(text)) and not _BODY.search(text))


def _may_be_name(text: str) -> bool:
    """Whether all words of a text are such as names are made of."""
    words = [word.strip(".,()").lower() for word in text.split() if word[:1].islower()]
    return all(word in _SMALL_WORDS for word in words)


def _is_prose(line: str) -> bool:
    words = [word for word in line.split() if word[:1].isalpha()]
    return len(words) >= _PROSE_WORDS and sum(word[0].islower() for word in words) > len(words) / 2
