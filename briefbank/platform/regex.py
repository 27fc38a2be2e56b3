"""Regular expressions whose time grows in proportion to the text, whatever a file holds."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+(?:\]|\Z)|(?P<repeat>\{(?:(?P<least>\d*),|\d*,?\d+)\})|.", re.DOTALL)
_SPACES = 120
"""White space within one match: what two columns of a caption may have between them."""
_LETTERS = 60
"""Letters, digits or marks of one kind in a row; the longest words of the sample briefs have 34."""
_TIMES = 40
"""How often a group may come again."""
_ANYTHING = 400
"""What may stand between two words of a pattern: a long sentence."""


def bounded(pattern: str, flags: int = 0) -> re.Pattern[str]:
    r"""Compile a pattern with every open repeat (`*`, `+`, `{2,}`) given an upper bound.

    An open repeat that is tried at every place of a text and fails at its end takes time in the square of the longest
    run that it reads, so that one word of 300,000 letters stops everything. Bounded, it gives up. Characters that
    `\A`, `\Z`, `^` or `$` holds to one place, and possessive repeats, need no bound: use `re.compile` for these.

    Raises:
        re.error: it is no regular expression.
    """
    parts: list[str] = []
    atom = ""  # what a repeat here would repeat; empty behind a repeat, where `?` and `+` only change its kind
    for match in _TOKEN.finditer(pattern):
        part = match[0]
        if atom and (part in ("*", "+") or match["least"] is not None):
            least = match["least"] or int(part == "+")
            parts.append(f"{{{least},{_bound(atom)}}}")
        else:
            parts.append(part)
        is_repeat = part in ("*", "+", "?") or match["repeat"] is not None
        atom = "" if is_repeat and atom not in ("", "(") else part
    try:
        return re.compile("".join(parts), flags)
    except re.error:
        re.compile(pattern, flags)  # so that the error is told in the words of the pattern as it was written
        raise


def _bound(atom: str) -> int:
    """The most times that what stands before a repeat may come."""
    if atom == ")":
        return _TIMES
    if atom == "." or atom.startswith("[^"):
        return _ANYTHING
    return _SPACES if atom in (r"\s", " ") or atom.startswith((r"[\s", "[ ")) else _LETTERS
