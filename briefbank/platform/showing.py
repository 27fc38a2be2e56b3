"""How text that others chose (names of files above all) is shown on a terminal, in a window or in a list.

A name may hold a line break, an escape sequence or a mark that turns the direction of writing, so that one file passes
for another or for a line of the program's own.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Control characters, marks of direction, separators of lines, and bytes of a name that are no UTF-8 (which Python
holds as lone surrogates). Joiners stay: Persian and Indic names are spelt with them.
"""


def escaped(text: object) -> str:
    r"""Return a path, or other text for one line, with each character that could disguise it written out: `\x1b`,
    `\u202e`.
    """
    return _UNSAFE.sub(_written_out, str(text))


def json_escaped(document: str) -> str:
    """Return a JSON document with the same characters written as JSON writes them, so that its values stay the same."""
    return _UNSAFE.sub(lambda found: found[0] if found[0] in "\t\n\r" else f"\\u{ord(found[0]):04x}", document)


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
