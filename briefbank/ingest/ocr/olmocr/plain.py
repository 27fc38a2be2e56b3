"""olmOCR's markdown as the plain words that are printed on the page; what it says of their look is kept as a hint.

Tables come as HTML, formulas and footnote calls as LaTeX or HTML, pictures as links: none of that stands on the page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from briefbank.values.printed_words import AS_DIGITS, SUPERSCRIPTS

_BOLD, _ITALIC, _RAISED = ("\ue000", "\ue001"), ("\ue002", "\ue003"), ("\ue004", "\ue005")
"""Characters of no script, put where a look begins and ends."""

_LOOKS = "".join((*_BOLD, *_ITALIC, *_RAISED))
_BEGINNINGS = _BOLD[0] + _ITALIC[0] + _RAISED[0]

_FIGURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LEADER = re.compile(r"(?:[.…·]\s?){4,}")
_LEADER_DOTS = 8
_LINK = re.compile(r"\[([^\]\n]{1,400})\]\((?:https?:|mailto:|#|/|www\.)[^)\s]*\)")
_FORMULA = re.compile(
    r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$|\$((?:[^$\n]{0,80}?[\\^_{][^$\n]{0,200}?))\$", re.DOTALL
)
_NOTE_CALL = re.compile(r"\[\^([\w*†‡]{1,4})\]:?")
_NEW_LINE = re.compile(r"</(?:tr|p|li|div|h[1-6]|caption)>|<br\s*/?>", re.IGNORECASE)
_CELL = re.compile(r"</t[dh]>", re.IGNORECASE)
_LOOK_TAG = re.compile(r"<(/?)(b|strong|i|em|sup)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_RULE = re.compile(r"(?:[-*_]\s*){3,}|```\w*")
_TABLE_RULE = re.compile(r"(?<![-\s:|])\|?(?:\s*+:?-{2,}+:?\s*+\|)++(?:\s*+:?-{2,}+:?\s*+)?")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_LINE_START = re.compile(r"(?:>\s?)+|[*+-]\s+(?=\S)")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|>$&%~])")
_EMPHASIS = re.compile(
    r"(?<![\w*\\])(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*\\])\1(?!\*)"
    r"|(?<![\w_\\])(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_\\])\3(?![\w_])"
)

_SYMBOLS = {
    "S": "§", "P": "¶", "times": "×", "div": "÷", "pm": "±", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠",
    "ne": "≠", "approx": "≈", "sim": "~", "cdot": "·", "bullet": "•", "ldots": "…", "dots": "…", "cdots": "…",
    "circ": "°", "degree": "°", "rightarrow": "→", "to": "→", "leftarrow": "←", "dagger": "†", "ddagger": "‡",
    "prime": "′", "checkmark": "✓", "square": "☐", "Box": "☐", "copyright": "©", "pounds": "£", "euro": "€",
    "quad": " ", "qquad": " ",
}  # fmt: skip
_STYLES = frozenset("text textit textbf textrm textsc mathrm mathbf underline emph left right big displaystyle".split())


@dataclass(frozen=True, slots=True)
class PrintedWord:
    """A word as olmOCR prints it; `starts_line` where a line of its text begins, which is a paragraph of the page."""

    text: str
    starts_line: bool = False
    is_bold: bool = False
    is_italic: bool = False
    is_superscript: bool = False


def tokens_of(markdown: str) -> list[PrintedWord]:
    """Return the printed words in olmOCR's order."""
    text = re.sub(f"[{_LOOKS}\x00-\x08\x0b-\x1f]", "", markdown.replace("\r\n", "\n"))
    text = _LEADER.sub(f" {'.' * _LEADER_DOTS} ", _FIGURE.sub(" ", text))
    text = _FORMULA.sub(lambda match: _formula(next(filter(None, match.groups()), "")), text)
    text = _NOTE_CALL.sub(lambda match: _raised(match[1]) + " ", text)
    text = _LINK.sub(r"\1", text)
    text = _CELL.sub(" ", _NEW_LINE.sub("\n", text))
    text = _TAG.sub(" ", _LOOK_TAG.sub(_look, text))
    return [token for line in text.split("\n") for token in _line_tokens(line.strip())]


def _line_tokens(line: str) -> Iterator[PrintedWord]:
    if _RULE.fullmatch(line) or _TABLE_RULE.fullmatch(line):
        return
    if line.startswith("|") and line.endswith("|"):
        line = line.replace("|", " ")
    line = _LINE_START.sub("", line, count=1) if _LINE_START.match(line) else line
    if heading := _HEADING.fullmatch(line):
        line = f"{_BOLD[0]}{heading[1]}{_BOLD[1]}"
    line = html.unescape(_ESCAPE.sub(r"\1", _emphasised(line)))
    line = re.sub(f"([{SUPERSCRIPTS}]+)", lambda match: _raised(match[1].translate(AS_DIGITS)), line)
    yield from _words(line)


def _words(line: str) -> Iterator[PrintedWord]:
    """Cut a line at its spaces, and where a raised mark hangs on a word; a word looks as it begins."""
    looks: set[str] = set()
    starts_line = True
    for piece in re.split(f"(\\s+|[{''.join(_RAISED)}])", line):
        look: frozenset[str] = frozenset()
        text = ""
        for letter in piece:
            if letter in _BEGINNINGS:
                looks.add(letter)
            elif letter in _LOOKS:
                looks.discard(_LOOKS[_LOOKS.index(letter) - 1])
            elif not letter.isspace():
                look = look if text else frozenset(looks)
                text += letter
        if text:
            yield PrintedWord(text, starts_line, _BOLD[0] in look, _ITALIC[0] in look, _RAISED[0] in look)
            starts_line = False


def _emphasised(line: str) -> str:
    """Emphasis marks as looks; stars among spaces (an omission in a quotation) and blanks to be filled in stay."""

    def mark(match: re.Match[str]) -> str:
        stars, inner = match[1] or match[3], match[2] or match[4]
        inner = _emphasised(inner)
        if len(stars) != 2:
            inner = f"{_ITALIC[0]}{inner}{_ITALIC[1]}"
        return inner if len(stars) == 1 else f"{_BOLD[0]}{inner}{_BOLD[1]}"

    return _EMPHASIS.sub(mark, line)


def _look(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    look = _RAISED if name == "sup" else _BOLD if name in ("b", "strong") else _ITALIC
    return look[1 if tag[1] else 0]


def _raised(text: str) -> str:
    return f"{_RAISED[0]}{text}{_RAISED[1]}"


def _formula(latex: str) -> str:
    """What a formula prints, as far as it can be told in one line."""
    text = re.sub(r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2", latex)
    text = re.sub(r"\\(?:begin|end)\s*\{[^{}]*\}", " ", text)
    text = re.sub(r"\^\s*\{?\s*\\(?:circ|degree)\s*\}?", "°", text)
    text = re.sub(r"\^\s*(?:\{([^{}]*)\}|(\w))", lambda match: _raised(match[1] or match[2]), text)
    text = re.sub(
        r"\\([A-Za-z]+)\s?", lambda match: "" if match[1] in _STYLES else _SYMBOLS.get(match[1], match[1]), text
    )
    text = re.sub(r"\\[,;:! ]|~", " ", text)
    text = re.sub(r"\\\\", "\n", text)
    return re.sub(r"\\([%$&#_{}])|[{}]|(?<!\d)_(?=\w)", r"\1", text)
