"""Tells terms and connectors from natural language, by marks that no question carries by chance. Reads nothing else."""

from __future__ import annotations

import re

from briefbank.search.connectors.syntax import FIELDS

_QUOTED = r"[\"“„][^\"“”„]*[\"”“]"
_NEARNESS = r"(?:^|(?<=[\s)\"”]))[/+](?:[sp]|\d{1,3})(?=[\s(\"“]|$)"
_FIELD = rf"(?:^|(?<=[\s(]))(?:{'|'.join(FIELDS)})\((?!(?:s|es|[a-z]|\d+)\))"
_FIELD_ALONE = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}+\([^()]{3,}+\)")
"""Nothing but a word with a bracket at it: a field, known or not."""
_LIST = re.compile(r"\[[^\[\]]*[,\"“][^\[\]]*\]\.?")
"""Keywords in square brackets: `["change control"~5^5, "written notice"]`."""
_NUMBERED = r"(?<=[\"”])[~^]\d|(?<=\w)\^\d|(?<=\))\^\d"
_SURE = re.compile(rf"{_NEARNESS}|{_FIELD}|{_NUMBERED}", re.IGNORECASE)
_LIKELY = re.compile(
    r"(?<=[\w\"”)!*] )[&%](?= [\w\"“(#])"
    r"|(?<![!\w])[^\W\d_]{3,}!(?=[\s)]|$)"
    r"|(?<![\w*])(?=\w*[^\W\d_])\w+\*+\w*(?![\w*])"
    r"|(?:^|(?<=[\s(\"“]))#[^\W\d_]{2,}"
    r"|(?<=[\w\"”)!*] )(?:but not)(?= [\"“(])"
)
_CAPITALS = re.compile(r"(?<=\s)(?:AND|OR|BUT\s+NOT)(?=\s)")
_OPERAND = rf"[(\s]*(?:{_QUOTED}|[^\s()\"“”„]+)[)\s]*"
_JOINED = re.compile(
    rf"(?<![(\s]){_OPERAND}(?:(?<=[\s)\"”])(?:and|or|but\s+not)(?=[\s(\"“]){_OPERAND})*", re.IGNORECASE
)
_CRY = re.compile(r"[^\W_]!$")


def is_connectors(text: str) -> bool:
    """Whether a text is to be read as terms and connectors.

    Distances, fields, weights and a list in square brackets always say so. `&`, `%`, `!`, `*`, `#`, capital AND and OR
    do in a text that does not end as a question, quotes where everything is joined by connectors.
    """
    plain = text.strip()
    if _SURE.search(plain) or _FIELD_ALONE.fullmatch(plain) or _LIST.fullmatch(plain):
        return True
    if plain.endswith("?"):
        return False
    if re.search(_QUOTED, plain) and _JOINED.fullmatch(plain):
        return True
    if _CAPITALS.search(plain) and not plain.isupper():
        return True
    found = list(_LIKELY.finditer(plain))
    is_cry = len(found) == 1 and _CRY.search(plain) and found[0].end() == len(plain) and " " in plain
    return bool(found) and not is_cry
