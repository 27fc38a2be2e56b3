"""Cuts an expression into words, phrases, connectors, brackets and fields. Knows no precedence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from briefbank.index.surface import surface_words
from briefbank.search.connectors.syntax import FIELDS, ConnectorsError, Phrase, Unit, WordPattern
from briefbank.values.records import Span

MAX_LENGTH = 2_000
MAX_DISTANCE = 255
MAX_BOOST = 100.0
_ROOT_LETTERS = 3
_OPENING, _CLOSING = '"“„', '"”“'
_HYPHENS = frozenset("-\u2010\u2011")
_MEANT = re.compile(r"[^\W_*](?:[^\W_]|\*|['’](?=[^\W_]))*\*?!?|\*+(?:[^\W_]|\*)+!?")
_END = r"(?=[\s()\"“]|$)"
_PATTERN = (
    rf"(?P<field>(?:{'|'.join(FIELDS)})\()"
    r"|(?P<no_field>(?!(?:and|not)\()[a-z]{3,}\((?=[^()]{3,}\)))"
    rf"|(?P<near>[/+](?P<unit>[sp]|\d+){_END})"
    rf"|(?P<both>&|and{_END})"
    rf"|(?P<but_not>%|but\s+not{_END})"
    rf"|(?P<either>or{_END})"
    r"|(?P<open>\()|(?P<close>\))"
    rf"|(?P<phrase>[{_OPENING}])"
    r"|(?P<slop>~(?P<slop_number>\d*))|(?P<boost>\^(?P<boost_number>\d*\.?\d*))"
)
_WORD_CHARACTER = r"[^\s()\"“”„&%^~]"
_IN_LIST = rf"(?:(?![\],]){_WORD_CHARACTER}|,(?=\d))"


def _token_pattern(character: str, more: str) -> re.Pattern[str]:
    word = rf"(?P<word>{character}+(?:(?:(?<=\d)|(?<=\d[a-z])|(?<=\)))\([0-9a-z]{{1,4}}\)|{character}+)*)"
    return re.compile(rf"{_PATTERN}|{more}|{word}", re.IGNORECASE)


_TOKEN = _token_pattern(_WORD_CHARACTER, r"(?P<open_list>\[(?=[^\[\]]*[,\"“][^\[\]]*\]))")
_TOKEN_IN_LIST = _token_pattern(_IN_LIST, r"(?P<comma>,)|(?P<close_list>\]\.?)")


class LexemeKind(StrEnum):
    """What a token is; the connectors bear the names of what they make."""

    TERM = "term"
    FIELD = "field"
    NEAR = "near"
    BOTH = "both"
    EITHER = "either"
    BUT_NOT = "but_not"
    OPEN = "open"
    CLOSE = "close"
    OPEN_LIST = "open_list"
    COMMA = "comma"
    CLOSE_LIST = "close_list"
    BOOST = "boost"
    END = "end"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One token; `text` is what a field holds, and which of `value` and the rest are set depends on the kind."""

    kind: LexemeKind
    span: Span
    text: str = ""
    value: WordPattern | Phrase | None = None
    unit: Unit = Unit.WORDS
    number: float = 0
    is_ordered: bool = False


def tokens(text: str) -> list[Lexeme]:
    """The tokens of an expression in order, and one that marks its end.

    Raises:
        ConnectorsError: some character cannot be understood.
    """
    if len(text) > MAX_LENGTH:
        problem = f"The expression has more than {MAX_LENGTH:,} characters."
        raise ConnectorsError(problem, "Shorten it.", "", 0)
    found: list[Lexeme] = []
    position = 0
    while match := re.compile(r"\s*").match(text, position):
        position = match.end()
        if position == len(text):
            break
        token = _token(text, position, found)
        found.append(token)
        position = token.span.end
    return [*found, Lexeme(LexemeKind.END, Span(len(text), len(text)))]


def _token(text: str, start: int, before: list[Lexeme]) -> Lexeme:
    match = (_TOKEN_IN_LIST if _is_in_list(before) else _TOKEN).match(text, start)
    if match is None:
        raise ConnectorsError("This bracket or quote stands alone.", "Take it out, or complete the pair.", text, start)
    span = Span(*match.span())
    match match.lastgroup:
        case "field":
            return _field(text, match)
        case "no_field":
            name, fields = match.group().rstrip("("), ", ".join(f"{each}()" for each in FIELDS)
            advice = f"The fields are {fields}. If no field was meant, put a space before the bracket."
            raise ConnectorsError(f"There is no field {name}().", advice, text, start)
        case "near" | "unit":
            return _near(text, match)
        case "phrase":
            return _phrase(text, start)
        case "word":
            return Lexeme(LexemeKind.TERM, span, value=_term(text, span))
        case "boost" | "boost_number":
            return _boost(text, match, before)
        case "slop" | "slop_number":
            advice = 'Write "…"~5 with the quote right before it.'
            raise ConnectorsError("~ must follow a phrase in quotes.", advice, text, start)
        case name:
            return Lexeme(LexemeKind(str(name)), span)


def _is_in_list(before: list[Lexeme]) -> bool:
    sides = (token.kind for token in reversed(before) if token.kind in (LexemeKind.OPEN_LIST, LexemeKind.CLOSE_LIST))
    return next(sides, LexemeKind.CLOSE_LIST) is LexemeKind.OPEN_LIST


def _near(text: str, match: re.Match[str]) -> Lexeme:
    unit, is_ordered = match["unit"].lower(), match["near"].startswith("+")
    if not unit.isdigit():
        return Lexeme(LexemeKind.NEAR, Span(*match.span()), unit=Unit(unit), is_ordered=is_ordered)
    if not 1 <= len(unit.lstrip("0")) <= len(str(MAX_DISTANCE)) or int(unit) > MAX_DISTANCE:
        advice = f"Write a number from 1 to {MAX_DISTANCE}, or /s for one sentence, /p for one paragraph."
        raise ConnectorsError(f"{match['near']} is no distance in words.", advice, text, match.start())
    return Lexeme(LexemeKind.NEAR, Span(*match.span()), number=int(unit), is_ordered=is_ordered)


def _boost(text: str, match: re.Match[str], before: list[Lexeme]) -> Lexeme:
    follows = (
        bool(before)
        and before[-1].kind in (LexemeKind.TERM, LexemeKind.CLOSE, LexemeKind.CLOSE_LIST)
        and before[-1].span.end == match.start()
    )
    number = match["boost_number"]
    factor = float(number) if number.strip(".") else 0.0
    if not follows or not 0 < factor <= MAX_BOOST:
        advice = f'Write it right behind a word, a phrase or a bracket, as in "…"^5; up to {MAX_BOOST:.0f}.'
        raise ConnectorsError("^ must give a weight to what stands before it.", advice, text, match.start())
    return Lexeme(LexemeKind.BOOST, Span(*match.span()), number=factor)


def _field(text: str, match: re.Match[str]) -> Lexeme:
    depth = 0
    for place in range(match.end() - 1, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            name, inside = text[match.start() : match.end() - 1].lower(), text[match.end() : place]
            return Lexeme(LexemeKind.FIELD, Span(match.start(), place + 1), text=f"{name}({inside}")
    problem, advice = "This bracket is never closed.", "Put ) where it ends."
    raise ConnectorsError(problem, advice, text, match.end() - 1)


def _phrase(text: str, start: int) -> Lexeme:
    end = next((place for place in range(start + 1, len(text)) if text[place] in _CLOSING), None)
    if end is None:
        raise ConnectorsError("This quote is never closed.", "Put a quote where the phrase ends.", text, start)
    words = words_of(text, Span(start + 1, end))
    if not words:
        raise ConnectorsError("There is no word between these quotes.", "Put a word there.", text, start)
    slop = re.compile(r"~(\d*)").match(text, end + 1)
    if slop is None:
        return Lexeme(LexemeKind.TERM, Span(start, end + 1), value=_side_by_side(text, Span(start + 1, end), words))
    if not slop[1] or len(slop[1]) > len(str(MAX_DISTANCE)) or int(slop[1]) > MAX_DISTANCE:
        advice = f'Write "…"~5: up to {MAX_DISTANCE} other words may stand among those of the phrase.'
        raise ConnectorsError("~ must be followed by a number of words.", advice, text, slop.start())
    return Lexeme(LexemeKind.TERM, Span(start, slop.end()), value=Phrase(words, int(slop[1])))


def _term(text: str, span: Span) -> WordPattern | Phrase:
    raw = text[span.start : span.end]
    if raw[0] in "/+" and len(raw) > 1:
        advice = "The connectors are /s /p /5 and, where the order counts, +s +p +5 (any number)."
        raise ConnectorsError(f"There is no connector {raw}.", advice, text, span.start)
    words = words_of(text, span)
    if not words:
        raise ConnectorsError("There is no letter or digit here.", "Take it out, or write a word.", text, span.start)
    return words[0] if len(words) == 1 else _side_by_side(text, span, words)


def _side_by_side(text: str, span: Span, words: tuple[WordPattern, ...]) -> Phrase:
    places = [match.span() for match in _MEANT.finditer(text, span.start, span.end)]
    between = (text[before[1] : after[0]] for before, after in pairwise(places))
    return Phrase(words, None, frozenset(place for place, sign in enumerate(between) if sign in _HYPHENS))


def words_of(text: str, span: Span) -> tuple[WordPattern, ...]:
    """The words within a span of an expression.

    Raises:
        ConnectorsError: `!` or `*` stands where it leaves too little of a word.
    """
    return tuple(
        _word(text, match, is_exact=text[match.start() - 1 : match.start()] == "#" and match.start() > span.start)
        for match in _MEANT.finditer(text, span.start, span.end)
    )


def _word(text: str, match: re.Match[str], *, is_exact: bool) -> WordPattern:
    meant = match.group()
    is_root, pattern = meant.endswith("!"), meant.rstrip("!")
    # Stars pass through as letters that no word is folded to.
    plain = surface_words(pattern.replace("*", "\u02c0"))
    word = plain[0].word.replace("\u02c0", "*") if len(plain) == 1 else ""
    letters = len(word.replace("*", ""))
    if is_root and (letters < _ROOT_LETTERS or "*" in word):
        problem, advice = "! needs the beginning of a word.", f"Write at least {_ROOT_LETTERS} letters, without *."
        raise ConnectorsError(problem, advice, text, match.start())
    if not letters or ("*" in word and letters < 2):
        problem, advice = "* leaves too little of this word.", "Write at least two letters beside it."
        raise ConnectorsError(problem, advice, text, match.start())
    return WordPattern(word, is_exact, is_root)
