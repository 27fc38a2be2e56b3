"""One spelling for the name of each case, however a brief writes it. Pure functions over strings."""

from __future__ import annotations

import re

_PUNCTUATION = re.compile(r"[^\w\s]+")
_DOTTED = re.compile(r"(?<=\b\w)\.\s?(?=\w\b)")
_STATES = r"(?:new|north|south|west|rhode) \w+|\w+"
_PARTIES = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"\b(?:et al|et ux|jr|sr|esq|inc|corp|co|llc|ltd)\b", ""),
        (r"\b(?:com|commw|cmwlth)\b(?= |\Z)", "commonwealth"),
        (r"\A(?:the )?(?:us|u s|usa|united states)(?: of america)?\Z", "united states"),
        (r"\A(?:the )?(?:st|state)(?: of (?:" + _STATES + r"))?\Z", "state"),
        (r"\A(?:the )?people(?: of .+)?\Z", "people"),
        (r"\A(?:the )?commonwealth(?: of .+)?\Z", "commonwealth"),
        (r"\bdept?t?\b", "department"),
    )
)  # fmt: skip
_GOVERNMENT = frozenset({"state", "people", "commonwealth", "united states"})


def party_key(party: str) -> str:
    """One side of a case: lower case, no punctuation, governments by one name."""
    plain = _DOTTED.sub("", party.lower().replace("’", "'").replace("'", ""))
    plain = " ".join(_PUNCTUATION.sub(" ", plain).split())
    for pattern, replacement in _PARTIES:
        plain = pattern.sub(replacement, plain)
    return " ".join(plain.split())


def name_key(first: str, second: str) -> str:
    """The name of a case: `State of New Jersey v. Carty` and `St. vs. CARTY` are both `state v carty`."""
    return f"{party_key(first)} v {party_key(second)}"


def short_names(name: str) -> tuple[str, ...]:
    """What a case may be called after its first citation: either party that is no government, `carty`."""
    parties = (re.sub(r"\A(?:in re|ex parte|matter of|in interest of) ", "", each) for each in name.split(" v "))
    return tuple(party for party in parties if party and party not in _GOVERNMENT)
