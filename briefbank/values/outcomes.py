"""How a case ended for the one whose brief it is, read from what a bank says of its outcome. Knows text alone."""

from __future__ import annotations

import re
from enum import StrEnum

_WORD = re.compile(r"[^\W\d_]+")
_WON = ("revers", "vacat", "grant", "acquit", "won", "win", "prevail", "success")
_LOST = ("affirm", "denied", "deny", "denial", "lost", "lose", "loss", "reject", "unsuccess")
_NOT = frozenset({"not", "never"})


class Ending(StrEnum):
    """How a case ended; `IN_PART` where it ended both ways, `UNKNOWN` also in words that may mean either."""

    WON = "won"
    IN_PART = "won in part"
    UNKNOWN = "unknown"
    LOST = "lost"


def ending_of(outcome: str | None) -> Ending:
    """Return how a case ended: "reversed, remanded" is won; "affirmed in part, reversed in part" is won in part, as is
    "affirmed in part, remanded".

    “Dismissed”, “remanded” and “modified” alone may be either.
    """
    words = [word.casefold() for word in _WORD.findall(outcome or "")]
    is_won = any(word.startswith(_WON) for word in words)
    is_lost = any(word.startswith(_LOST) for word in words)
    if not (is_won or is_lost) or not _NOT.isdisjoint(words):
        return Ending.UNKNOWN
    if (is_won and is_lost) or "part" in words or "partly" in words:
        return Ending.IN_PART
    return Ending.WON if is_won else Ending.LOST
