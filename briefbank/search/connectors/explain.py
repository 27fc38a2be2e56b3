"""Says in words how an expression was read, so that nobody has to know the signs to check them. Knows no index."""

from __future__ import annotations

from datetime import date, timedelta

from briefbank.search.connectors.syntax import (
    Boost,
    Both,
    ButNot,
    Cites,
    Either,
    Expression,
    Field,
    Filed,
    Known,
    KnownField,
    Near,
    OfKind,
    OfSection,
    Phrase,
    Unit,
    WordPattern,
    has_places,
    wanted_words,
)

_PARTS = {
    KnownField.TITLE: "title",
    KnownField.COURT: "court’s name",
    KnownField.AUTHOR: "author’s name",
    KnownField.OUTCOME: "outcome",
    KnownField.DOCKET: "docket number",
}
_WITHIN = {Unit.SENTENCE: "within one sentence", Unit.PARAGRAPH: "within one paragraph"}


def explain(expression: Expression) -> str:
    """One sentence for people: what is looked for, and that all of it stands in one passage."""
    words = wanted_words(expression)
    has_forms = any(not (word.is_exact or word.is_root or "*" in word.pattern) for word in words)
    notes = ["All of it stands in one passage"] if _is_joined(expression) else []
    notes += ["Plurals and possessives are found too"] if has_forms else []
    return " ".join(f"{sentence}." for sentence in [f"Looks for {_describe(expression)}", *notes])


def _is_joined(expression: Expression) -> bool:
    """Whether several things have to come together."""
    match expression:
        case Either(parts):
            return any(map(_is_joined, parts))
        case Boost(part):
            return _is_joined(part)
        case Phrase():
            return expression.slop is not None
        case _:
            return isinstance(expression, Near | Both | ButNot)


def _describe(expression: Expression) -> str:
    match expression:
        case WordPattern():
            return _word(expression)
        case Phrase():
            return _phrase(expression)
        case Near():
            return _near(expression)
        case Either(parts):
            return " or ".join(map(_part, parts))
        case Both(parts):
            return _listed([_part(part) for part in parts])
        case ButNot(wanted, unwanted):
            return f"{_part(wanted)}, but not passages with {_part(unwanted)}"
        case Boost(part, factor):
            return f"{_part(part)} (counting {factor:g} times)"
        case _:
            return _field(expression)


def _part(expression: Expression) -> str:
    """A part of something larger, in brackets where it has parts itself."""
    has_parts = isinstance(expression, Both | ButNot | Either)
    is_simple = isinstance(expression, WordPattern | Boost) or not (has_places(expression) or has_parts)
    if is_simple or (isinstance(expression, Phrase) and expression.slop is None):
        return _describe(expression)
    return f"({_describe(expression)})"


def _word(word: WordPattern) -> str:
    if word.is_root:
        return f"words that begin with “{word.pattern}”"
    if "*" in word.pattern:
        return f"“{word.pattern}” (each * any one letter or digit)"
    return f"exactly “{word.pattern}”" if word.is_exact else f"“{word.pattern}”"


def _phrase(phrase: Phrase) -> str:
    if phrase.slop is None:
        signs = " ".join(word.pattern + "!" * word.is_root for word in phrase.words)
        return f"the phrase “{signs}”"
    words = _listed([_word(word) for word in phrase.words])
    others = "no other word" if phrase.slop == 0 else f"at most {phrase.slop} other word{'s' * (phrase.slop > 1)}"
    return f"{words} in any order with {others} among them"


def _near(near: Near) -> str:
    sides = _chain(near) if near.unit is not Unit.WORDS and not near.is_ordered else [near.left, near.right]
    told = [_part(side) for side in sides]
    if near.unit is Unit.WORDS:
        within = f"within {near.distance} word{'s' * (near.distance > 1)} of each other"
    else:
        within = _WITHIN[near.unit]
    if near.is_ordered:
        return f"{told[0]} before {told[1]}, {within}"
    return f"{_listed(told)} {within}, in any order"


def _chain(near: Near) -> list[Expression]:
    """The members of `a /s b /s c`, which say together that all stand in one sentence."""
    left = near.left
    goes_on = isinstance(left, Near) and left.unit is near.unit and not left.is_ordered
    return [*(_chain(left) if goes_on and isinstance(left, Near) else [left]), near.right]


def _field(field: Field) -> str:
    match field:
        case Known(part, words):
            return f"documents with {_listed([_word(word) for word in words])} in the {_PARTS[part]}"
        case OfSection(kind):
            return f"passages in sections of the kind “{kind.value}”"
        case OfKind(kind):
            return {"brief": "briefs", "internal": "internal documents", "directive": "directives"}[kind.value]
        case Cites(authority):
            return f"passages that cite {authority}"
        case Filed(since, until):
            return f"documents filed {_range(since, until)}"


def _range(since: date | None, until: date | None) -> str:
    if since and until:
        return f"on {_day(since)}" if since == until else f"from {_day(since)} to {_day(until)}"
    if since:
        return f"after {_day(since - timedelta(days=1))}"
    return f"before {_day(until + timedelta(days=1))}" if until else "at any time"


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
