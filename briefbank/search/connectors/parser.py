"""From the text of terms and connectors to an expression, by the order that Westlaw documents. Knows no index.

What binds closest comes first: phrases; `or` and the space; +n; /n; +s; /s; +p; /p; & and `and`; % and `but not`.
Connectors of one rank are read from the left. Brackets come before everything.
"""

from __future__ import annotations

import re
from datetime import date

from briefbank.law.dates import SWAP_DATES, period, why_no_day
from briefbank.platform.regex import bounded
from briefbank.search.connectors.lexer import Lexeme, LexemeKind, tokens, words_of
from briefbank.search.connectors.syntax import (
    Boost,
    Both,
    ButNot,
    Cites,
    ConnectorsError,
    Either,
    Expression,
    Field,
    Filed,
    Known,
    KnownField,
    Near,
    OfKind,
    OfSection,
    Unit,
    has_places,
)
from briefbank.values.records import DocumentKind, SectionKind, Span

MAX_DEPTH = 40
_NEARNESS = tuple(
    (unit, is_ordered) for unit in (Unit.PARAGRAPH, Unit.SENTENCE, Unit.WORDS) for is_ordered in (False, True)
)
"""From what binds least to what binds most."""
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_DATE_TERM = bounded(
    rf"\s*+(?:(?P<bound>after|before|since|until|in)\s*+)?(?P<day>{_DATE.pattern})\s*+(?:&|and\b|,|$)\s*"
)


def parse(text: str) -> Expression:
    """Read an expression.

    Raises:
        ConnectorsError: it breaks the rules; the error says where and what would be right.
    """
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._place = 0
        self._depth = 0

    def _peek(self) -> Lexeme:
        return self._tokens[self._place]

    def _take(self) -> Lexeme:
        token = self._peek()
        self._place += 1
        return token

    def _error(self, problem: str, advice: str, position: int) -> ConnectorsError:
        return ConnectorsError(problem, advice, self._text, position)

    def whole(self) -> Expression:
        if self._peek().kind is LexemeKind.END:
            raise self._error("There is nothing to search for.", "Type a word or a phrase.", 0)
        expression = self._but_not()
        if self._peek().kind is not LexemeKind.END:  # only a closing bracket ends an expression early
            problem = "This bracket closes nothing."
            raise self._error(problem, "Take it out, or put ( where the group begins.", self._peek().span.start)
        return expression

    def _but_not(self) -> Expression:
        wanted = self._both()
        while self._peek().kind is LexemeKind.BUT_NOT:
            self._take()
            wanted = ButNot(wanted, self._both())
        return wanted

    def _both(self) -> Expression:
        parts = [self._near(0)]
        while self._peek().kind is LexemeKind.BOTH:
            self._take()
            parts.append(self._near(0))
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _near(self, rank: int) -> Expression:
        if rank == len(_NEARNESS):
            return self._either()
        start = self._peek().span.start
        left = self._near(rank + 1)
        while self._peek().kind is LexemeKind.NEAR and (self._peek().unit, self._peek().is_ordered) == _NEARNESS[rank]:
            connector = self._take()
            right_start = self._peek().span.start
            right = self._near(rank + 1)
            for side, position in ((left, start), (right, right_start)):
                self._require_places(side, connector, position)
            left = Near(left, right, connector.unit, int(connector.number), connector.is_ordered)
        return left

    def _require_places(self, side: Expression, connector: Lexeme, position: int) -> None:
        if not has_places(side):
            sign = self._text[slice(*connector.span)]
            problem = f"{sign} asks how near two things stand; this has no place in the text."
            advice = f"Beside {sign} put words, phrases, `or` and other distances; join the rest with &."
            raise self._error(problem, advice, position)

    def _either(self) -> Expression:
        parts = [self._single()]
        while self._peek().kind in (
            LexemeKind.EITHER,
            LexemeKind.TERM,
            LexemeKind.OPEN,
            LexemeKind.OPEN_LIST,
            LexemeKind.FIELD,
        ):
            if self._peek().kind is LexemeKind.EITHER:
                self._take()
            else:
                self._refuse_not()
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _refuse_not(self) -> None:
        """Refuse `not` among words joined by a space: whoever writes `a & not b` does not mean `not or b`."""
        for token in self._tokens[self._place - 1 : self._place + 1]:
            if self._text[slice(*token.span)].lower() == "not":
                problem, advice = "`not` by itself joins nothing.", "To leave passages out, write `but not` or %."
                raise self._error(problem, advice, token.span.start)

    def _single(self) -> Expression:
        expression = self._unboosted()
        return Boost(expression, self._take().number) if self._peek().kind is LexemeKind.BOOST else expression

    def _unboosted(self) -> Expression:
        token = self._take()
        if token.value is not None:
            return token.value
        if token.kind is LexemeKind.FIELD:
            return self._field(token)
        if token.kind is LexemeKind.OPEN:
            return self._group(token)
        if token.kind is LexemeKind.OPEN_LIST:
            return self._list(token)
        raise self._missing(token)

    def _list(self, opening: Lexeme) -> Expression:
        """Alternatives in square brackets, between commas; their weights decide the order."""
        self._descend(opening)
        parts = [self._but_not()]
        while self._peek().kind is LexemeKind.COMMA:
            self._take()
            parts.append(self._but_not())
        self._ascend(LexemeKind.CLOSE_LIST, opening, "]", "list")
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _missing(self, token: Lexeme) -> ConnectorsError:
        sign = self._text[slice(*token.span)]
        if token.kind is LexemeKind.END:
            before = self._tokens[self._place - 2]
            sign = self._text[slice(*before.span)]
            return self._error(f"Nothing follows {sign}.", "Put a word behind it, or take it out.", before.span.start)
        if token.kind in (LexemeKind.CLOSE, LexemeKind.CLOSE_LIST):
            return self._error("There is nothing before this bracket.", "Put a word there.", token.span.start)
        if token.kind is LexemeKind.BOOST:
            return self._error("Two weights follow each other.", "Keep one.", token.span.start)
        return self._error(f"Nothing stands before {sign}.", "Put a word there, or take it out.", token.span.start)

    def _group(self, opening: Lexeme) -> Expression:
        self._descend(opening)
        expression = self._but_not()
        self._ascend(LexemeKind.CLOSE, opening, ")", "group")
        return expression

    def _descend(self, opening: Lexeme) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            problem = f"Brackets stand in more than {MAX_DEPTH} others."
            raise self._error(problem, "Take some out.", opening.span.start)

    def _ascend(self, closing: LexemeKind, opening: Lexeme, sign: str, name: str) -> None:
        if self._peek().kind is not closing:
            problem, advice = "This bracket is never closed.", f"Put {sign} where the {name} ends."
            raise self._error(problem, advice, opening.span.start)
        self._take()
        self._depth -= 1

    def _field(self, token: Lexeme) -> Field:
        name, _, inside = token.text.partition("(")
        start = token.span.end - 1 - len(inside)
        if not inside.strip():
            raise self._error(f"{name}() is empty.", "Write what is looked for between the brackets.", start)
        if name == "date":
            return self._filed(inside, start)
        if name == "kind":
            return self._kind(inside, start)
        if name == "section":
            return self._section(inside, start)
        if name == "cites":
            return Cites(inside.strip())
        words = words_of(self._text, Span(start, start + len(inside)))
        if not words:
            raise self._error(f"{name}() holds no word.", "Write a word between the brackets.", start)
        return Known(KnownField(name), words)

    def _section(self, inside: str, start: int) -> OfSection:
        asked = inside.strip().lower()
        for kind in SectionKind:
            if asked == kind.value:
                return OfSection(kind)
        known = ", ".join(f"section({kind.value})" for kind in SectionKind)
        raise self._error("There is no such kind of section.", f"Write one of {known}.", start)

    def _kind(self, inside: str, start: int) -> OfKind:
        asked = inside.strip().lower()
        for kind in DocumentKind:
            if asked in (kind.value, f"{kind.value}s"):
                return OfKind(kind)
        known = ", ".join(f"kind({kind.value})" for kind in DocumentKind)
        raise self._error("There is no such kind of document.", f"Write one of {known}.", start)

    def _filed(self, inside: str, start: int) -> Filed:
        since: date | None = None
        until: date | None = None
        position = 0
        while position < len(inside):
            match = _DATE_TERM.match(inside.lower(), position)
            days = match and _days(match)
            if not match or not days:
                advice = (
                    "Write date(2020), date(after 2020), date(before 2020-06-30) or date(after 2018 and before 2021)."
                )
                raise self._error("This is no date.", advice, start + position)
            since = max(filter(None, (since, days.since)), default=None)
            until = min(filter(None, (until, days.until)), default=None)
            position = match.end()
        if problem := why_no_day(since, until):
            raise self._error(problem, SWAP_DATES, start)
        return Filed(since, until)


def _days(match: re.Match[str]) -> Filed | None:
    """The range that one condition allows; None where there is no such day."""
    found = _DATE.fullmatch(match["day"])
    year, month, day = (int(each) if each else None for each in found.groups()) if found else (0, None, None)
    try:
        first, last = period(year or 0, month, day)
        match match["bound"]:
            case "after":
                return Filed(date.fromordinal(last.toordinal() + 1), None)
            case "before":
                return Filed(None, date.fromordinal(first.toordinal() - 1))
            case "since":
                return Filed(first, None)
            case "until":
                return Filed(None, last)
            case _:
                return Filed(first, last)
    except ValueError:
        return None
