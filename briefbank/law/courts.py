"""The courts that an office files in: how captions print their names, and what judges are called.

A new court is an entry of `_COURTS`, but for the numbered districts of Texas, which `_TEXAS_APPEALS` reads; how courts
number cases is in `dockets`. Must not know captions.
"""

from __future__ import annotations

import re

from briefbank.law.legal_numbers import ORDINAL_WORDS
from briefbank.platform.regex import bounded

_DISTRICTS = ORDINAL_WORDS[:15]
"""Texas had fourteen courts of appeals until 2024, and has fifteen."""
_DISTRICT = rf"{'|'.join(_DISTRICTS)}|\d{{1,2}}\s?(?:st|nd|rd|th)"
_TEXAS_APPEALS = re.compile(
    rf"court\s+of\s+appeals.{{0,80}}?\b(?P<after_court>{_DISTRICT})\b.{{0,30}}?district"
    rf"|\b(?P<before_court>{_DISTRICT})\s+(?:district\s+)?court\s+of\s+appeals",
    re.IGNORECASE | re.DOTALL,
)
_COURTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(printed, re.IGNORECASE | re.DOTALL), name)
    for printed, name in (
        (
            r"(?:superior\s+court\s+of\s+new\s+jersey|new\s+jersey\s+superior\s+court).{0,60}?appellate\s+division",
            "Superior Court of New Jersey, Appellate Division",
        ),
        (r"supreme\s+court\s+of\s+new\s+jersey", "Supreme Court of New Jersey"),
        (r"superior\s+court\s+of\s+new\s+jersey.{0,60}?law\s+division", "Superior Court of New Jersey, Law Division"),
        (r"court\s+of\s+criminal\s+appeals", "Court of Criminal Appeals of Texas"),
        (r"supreme\s+court\s+of\s+the\s+united\s+states", "Supreme Court of the United States"),
    )
)
"""How each is printed, and its one name; the first that fits counts."""
_OTHER_COURT = re.compile(
    r"(?:(?:united states|u\.s\.)\s)?(?:(?:supreme|superior|circuit|district|county|municipal|criminal|family)\scourt|"
    r"court\sof\s(?:\w+\s)?appeals?|appellate\s(?:division|court))\b(?:[ ,]+(?:of|for|the|in|and|state|[a-z]+))*",
    re.IGNORECASE,
)
"""A court at the head of a line."""
_COURT_GOES_ON = bounded(
    r"(?:of|for|state of|in and for|appellate|\w+(?: judicial)? (?:district|circuit|department|division))\b",
    re.IGNORECASE,
)
_JUDGE = re.compile(
    r"\bHon\.|\bHonou?rable\b|^Hon(?:\s+\S+){2}|^(?:the\s+)?(?:(?:presiding\s+)?judge|magistrate|(?:chief|associate)\s+justice)\b",
    re.IGNORECASE,
)
"""`Hon Lee` is a name, as `Justice Porter` may be; `Hon Adela Quince` is a judge whose full stop a scan lost."""


def court_in(text: str, *, is_texan: bool) -> str:
    """The name of the court that a text prints, empty where it is none of those known.

    `is_texan` says that the paper names Texas: other states have numbered districts of appeals too.
    """
    if is_texan and (appeals := _TEXAS_APPEALS.search(text)):
        return f"Court of Appeals of Texas, {_district(appeals['after_court'] or appeals['before_court'])} District"
    return next((name for printed, name in _COURTS if printed.search(text)), "")


def other_court_in(line: str, below: str) -> str:
    """A court that a line in ordinary case begins with and that is none of those known, with what the line below adds;
    empty where it names none.
    """
    found = _OTHER_COURT.match(re.sub(r"^in the\s", "", line, flags=re.IGNORECASE))
    if not found:
        return ""
    name = found[0].strip(" ,")
    if not _COURT_GOES_ON.match(below) or any(map(str.isdigit, below)):
        return name
    joint = " " if below.lower().startswith(("of ", "for ", "in ")) else ", "
    return f"{name}{joint}{below[0].lower() if joint == ' ' else below[0]}{below[1:]}".strip(" ,.")


def called_in_speech(court: str) -> tuple[str, ...]:
    """What people call a numbered court of appeals of Texas, in lower case: “fourteenth court of appeals”, “14th …”."""
    found = re.fullmatch(r"Court of Appeals of Texas, (\w+) District", court)
    if not found or found[1].lower() not in _DISTRICTS:
        return ()
    number = _DISTRICTS.index(found[1].lower()) + 1
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number, "th")
    numbered = (found[1].lower(), f"{number}{ending}")
    behind = tuple(f"{each} {rest}" for each in numbered for rest in ("court of appeals", "district court of appeals"))
    return (*behind, *(f"court of appeals, {each} district" for each in numbered), f"{numbered[1]} district")


def numbered_courts() -> tuple[str, ...]:
    """What people call any of the numbered courts of appeals of Texas."""
    names = (f"Court of Appeals of Texas, {each.title()} District" for each in _DISTRICTS)
    return tuple(called for name in names for called in called_in_speech(name) if called.endswith("court of appeals"))


def names_judge(line: str) -> bool:
    """Whether a line names somebody by a judge's title."""
    return bool(_JUDGE.search(line))


def _district(text: str) -> str:
    digits = re.match(r"\d+", text)
    is_known = digits and 0 < int(digits[0]) <= len(_DISTRICTS)
    return (_DISTRICTS[int(digits[0]) - 1] if digits and is_known else text).title()
