"""Regular expressions whose time grows in proportion to the text, whatever a file holds."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable

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


_CLASSES = {"s": r"\s\p{Z}", "d": r"\p{Nd}", "w": r"\p{L}\p{N}_"}
"""What Python means by these in texts that are not English alone."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SHORT = range(2, 70)
_LONG = tuple(int(70 * 1.1**step) for step in range(36))  # to 2,000
"""Letters of the texts that a pattern is tried against: each so little longer than the one before that a pattern whose
time doubles with a letter or a word shows itself before it is at work for long.
"""
_MOST_S = 0.02
"""Processor time for one of these texts; patterns of this program take a tenth of it."""


def linear(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of an office, in large and small letters, with RE2, which takes time in proportion to the text.

    Its matches can be asked as those of `re`; texts must hold no lone surrogates.

    Raises:
        re.error: it is none, or has what RE2 lacks: look-around, references back, more than 1,000 repeats.
    """
    import re2

    options = re2.Options()
    options.case_sensitive, options.log_errors = False, False
    try:
        compiled: re.Pattern[str] = re2.compile(
            "".join(_as_in_re2(each[0]) for each in _TOKEN.finditer(pattern)), options
        )
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        raise re.error(reason.decode() if isinstance(reason, bytes) else str(reason)) from None
    return compiled


def _as_in_re2(token: str) -> str:
    """A token of Python's syntax as RE2 writes it."""
    if token.startswith("["):
        return _ESCAPED.sub(lambda escaped: _CLASSES.get(escaped[1], escaped[0]), token)
    if token.startswith("{,"):
        return "{0" + token[1:]
    if token[:1] == "\\" and token[1:] in _CLASSES:
        return f"[{_CLASSES[token[1]]}]"
    return token.replace(r"\Z", r"\z")


def is_quick(regex: re.Pattern[str], heads: Iterable[str], units: Collection[str]) -> bool:
    """Whether a pattern is done quickly with texts that are one of some units over and over, and with short ones behind
    each of some heads.
    """
    kinds: list[tuple[str, str, Iterable[int]]] = [(head, unit, _SHORT) for head in heads for unit in units]
    kinds += [("", unit, (*_SHORT, *_LONG)) for unit in units]
    return not any(
        all(_seconds(regex, f"{head}{(unit * length)[:length]}\0") > _MOST_S for _ in range(3))
        for head, unit, lengths in kinds
        for length in lengths
    )


def _seconds(regex: re.Pattern[str], text: str) -> float:
    """The processor time of a search; that of this thread, so that a busy machine changes little."""
    begun = time.thread_time()
    regex.search(text)
    return time.thread_time() - begun
