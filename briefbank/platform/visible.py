"""How text that anybody may have written is shown, on a terminal, in the window and in spreadsheets: nothing in it
acts, nothing hides.

A title, a file's name or a passage may hold characters that colour a terminal, move its cursor or turn the direction of
writing, so that `exe.pdf` reads `fdp.exe`, or characters that nobody sees: two names then look like one, and a text
carries words beside those that are read. These are shown as their codes. A cell of a table that a spreadsheet would
take for a formula gets an apostrophe. Knows neither terminal nor window.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

LONGEST_NAME = 1_000
"""Characters of a field or heading of a document. A caption with a dozen parties has a few hundred, a missing quotation
mark or a paragraph in the style of headings makes thousands, which every result would repeat.
"""
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks, embeddings, overrides and isolates of direction (Unicode Standard Annex 9, section 2)."""
_LINE_ENDS = "\u2028\u2029"
_LONE_SURROGATES = "\ud800-\udfff"
"""What Python reads of a file's name that is no UTF-8."""
_UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What leaves no ink, also where it takes room, as the Hangul fillers do: Default_Ignorable_Code_Point of Unicode, and
the marks of annotations (U+FFF9 to U+FFFB); U+FFFE and U+FFFF too, which are no characters and which no XML holds.

The selectors of Mongolian letters (U+180B to U+180F), and those of U+E0100 and above, are among them. Without the
variation selectors below U+FE10, which choose how the sign before them looks, and without the soft hyphen, of which
texts set for print hold many; in a name it is shown.
"""
_SOFT_HYPHEN = "\u00ad"
_SPECIAL = rf"\x7f-\x9f{_DIRECTIONS}{_LINE_ENDS}{_LONE_SURROGATES}{_UNSEEN}"
_IN_TEXT = re.compile(rf"[\x00-\x08\x0b-\x1f{_SPECIAL}]")
_IN_NAME = re.compile(rf"[\x00-\x1f{_SOFT_HYPHEN}{_SPECIAL}]")

_FORMULA = re.compile(r"(?<!')'*[=+\-@\t\r\n＝＋－＠]")  # noqa: RUF001 - spreadsheets take the wide ones for the narrow ones
"""What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), behind apostrophes or not.

The lookbehind changes nothing for `match`, which begins at the start: a search would else try a row of apostrophes from
each of them, in time that grows with the square of their number.
"""


def visible(text: str) -> str:
    r"""Return a text with control, direction and unseen characters as codes (`\x1b`, `\u202e`).

    Tabs and line feeds stay.
    """
    return _IN_TEXT.sub(_code, text)


def visible_name(name: object) -> str:
    """Return a name or path on one line, with the same characters as codes, tabs, line feeds and soft hyphens too."""
    return _IN_NAME.sub(_code, str(name))


def shorten(text: str) -> str:
    """Return a title, a person or a heading as it is kept: whole up to `LONGEST_NAME` characters."""
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def visible_json(document: str) -> str:
    r"""Return a JSON document with these characters as JSON writes them (`\u009b`): it still says the same."""
    return _IN_TEXT.sub(lambda match: json.dumps(match[0])[1:-1], document)


def _code(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def cell(value: object) -> object:
    """Return a value as a cell: a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def text_of_cell(text: str) -> str:
    """Return the text that `cell` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def table(rows: Iterable[Sequence[object]], *, separator: str = ",", line_end: str = "\r\n") -> str:
    """Return rows as a table, each value as a `cell`."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=separator, lineterminator=line_end)
    writer.writerows([cell(value) for value in row] for row in rows)
    return written.getvalue()
