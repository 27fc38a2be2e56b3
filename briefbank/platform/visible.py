"""How text that anybody may have written is shown, on a terminal and in the window: nothing in it acts, nothing hides.

A title, a file's name or a passage may hold characters that colour a terminal, move its cursor or turn the direction
of writing, so that `exe.pdf` reads `fdp.exe`. These are shown as their codes. Knows neither terminal nor window.
"""

from __future__ import annotations

import re

_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks, embeddings, overrides and isolates of direction (Unicode Standard Annex 9, section 2)."""
_LINE_ENDS = "\u2028\u2029"
_LONE_SURROGATES = "\ud800-\udfff"
"""What Python reads of a file's name that is no UTF-8."""
_SPECIAL = rf"\x7f-\x9f{_DIRECTIONS}{_LINE_ENDS}{_LONE_SURROGATES}"
_IN_TEXT = re.compile(rf"[\x00-\x08\x0b-\x1f{_SPECIAL}]")
_IN_NAME = re.compile(rf"[\x00-\x1f{_SPECIAL}]")


def visible(text: str) -> str:
    r"""Return a text with control and direction characters as codes (`\x1b`, `\u202e`); tabs and line feeds stay."""
    return _IN_TEXT.sub(_code, text)


def visible_name(name: object) -> str:
    """Return a name or path on one line, with control and direction characters as codes, tabs and line feeds too."""
    return _IN_NAME.sub(_code, str(name))


def visible_json(document: str) -> str:
    r"""Return a JSON document with these characters as JSON writes them (`\u009b`): it still says the same."""
    return _IN_TEXT.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def _code(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
