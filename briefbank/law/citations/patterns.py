"""The citation patterns of rules and statutes: the project's, and those an office adds. Knows files and spans only."""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from briefbank.errors import SettingsError
from briefbank.law.citations.citation import AuthorityKind, Taken
from briefbank.law.legal_numbers import SUBDIVISION_MARKS, SUBDIVISION_WORD, constitution_key, folded, number_key
from briefbank.platform.files import TABLE_BYTES, parse_toml, read_bounded
from briefbank.platform.regex import bounded, is_quick, linear
from briefbank.values.records import Span

_LOG = logging.getLogger(__name__)
_SUBDIVISION = rf"(?:(?:{SUBDIVISION_WORD}\(|\s?\()\s?(?:{SUBDIVISION_MARKS}|\d{{1,2}}-[a-z])\s?\))"
_SUBDIVISIONS = f"{_SUBDIVISION}*"
_STATES = (
    r"Ala(?:bama)?|Alaska|Ariz(?:ona)?|Ark(?:ansas)?|Cal(?:ifornia)?|Colo(?:rado)?|Conn|Del|Fla|Florida|Ga|Haw|Idaho|Ill(?:inois)?|"
    r"Ind(?:iana)?|Iowa|Kan(?:sas)?|Ky|Kentucky|La|Me|Md|Maryland|Mass(?:achusetts)?|Mich(?:igan)?|Minn(?:esota)?|Miss(?:issippi)?|"
    r"Mo|Missouri|Mont(?:ana)?|Neb(?:raska)?|Nev(?:ada)?|N\.?\s?[HMYCDJ]|Ohio|Okla(?:homa)?|Or(?:egon)?|Pa|Pennsylvania|R\.?\s?I|S\.?\s?[CD]|"
    r"Tenn(?:essee)?|Tex(?:as)?|Utah|Vt|Va|Virginia|Wash(?:ington)?|W\.?\s?Va|Wis(?:consin)?|Wyo(?:ming)?"
)
_CAPITAL = r"(?-i:(?=[A-Zs\d§]))"
_CLASS = bounded(r"[\w:.-]*\d[A-Z]\b")
"""A number that ends with a capital, which is a class of its own and no subdivision: 1028A."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_WORDS = re.compile(r"\w+\W?")
_LETTERS = re.compile(r"[^\W_]+")
_OWN_LETTERS = re.compile(r"(?:[A-Za-z](?:-[A-Za-z])?)*")
_UNITS = ("a", "A", "1", " ", ".", "a ", "A ", "1 ", "a.", "A. ", "1-", "1.", "a1", "(a)", "§ ")
"""What texts are made of that a pattern is tried against, beside words of its own."""
_TRIED = 3
"""Examples of a pattern that these are taken from."""
_NUMBER = "(?P<number>"
_JOINT = r"\s*(?:[,;]\s*(?:and\b|or\b|&)?|(?:and|or|&|through|to)(?=[\s§])|-(?=\s?[§\d])|(?=-\.\d))\s*"
_RULE_LEAD = r"(?P<lead>(?:(?:Rules?|R\.)\s*)?)"
_STATUTE_LEAD = r"(?P<lead>(?:(?:§+|¶+|arts?\.|Articles?|secs?\.|Sections?|subsections?)\s*)?)"
_PART = rf"(?P<part>-\.?\d[\w.]*{_SUBDIVISIONS}|\.\d[\w.]*{_SUBDIVISIONS}|{_SUBDIVISION}+)"
_GOES_ON = bounded(r"[\s,;]*(?:[,;.)\]\"”\n]|\Z|(?:and|or|to|through)\b|[&-])")
"""Behind a number of a list that is built like any other number: "401, 403, and 404(b)", but no "401, 12 days"."""
_OF_ONE = (("amends.", "amend."), ("mendments", "mendment"), ("§§", "§"), ("ules ", "ule "), ("rts. ", "rt. "),
           ("rticles ", "rticle "), ("ections ", "ection "), ("ecs. ", "ec. "))  # fmt: skip
_MARK = re.compile(r"\((\w+)\)")
_DISTINCT = re.compile(r"\d[.:(-]|\d[a-z](?![a-z])", re.IGNORECASE)


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of a pattern file; `patterns.toml` says what each key means."""

    title: str
    family: str
    regex: str
    examples: list[str]
    names: dict[str, str] = {}
    bare: bool = False
    kind: AuthorityKind = AuthorityKind.STATUTE
    own_letters: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True)
class LawMention:
    """A rule or statute where it is cited; `family` is empty where only its number is given. `head` is printed in front
    of the number as it is `written`, there or in front of the list in which it stands, `tail` behind it.
    """

    span: Span
    family: str
    number: str
    kind: AuthorityKind
    head: str
    written: str
    tail: str = ""

    @property
    def key(self) -> str:
        return f"{self.family} {self.number}"

    @property
    def base(self) -> str:
        """The number without its subdivisions."""
        return self.number.partition("(")[0]

    @property
    def label(self) -> str:
        """It alone as people write it: of "§§ 1, 2" the second is "§ 2"."""
        label = " ".join(f"{self.head}{self.written}{self.tail}".split())
        if self.is_in_words and not self.head:
            return f"U.S. Const. amend. {self.number.upper()}"
        for many, one in _OF_ONE if self.kind is not AuthorityKind.TREATISE else ():
            label = label.replace(many, one)
        return label

    @property
    def is_in_words(self) -> bool:
        """Whether it is a constitution as sentences name it: "the Sixth Amendment"."""
        return self.kind is AuthorityKind.CONSTITUTION and "onst" not in self.head.lower()

    def numbered(self, written: str) -> LawMention:
        """Another number of the same code."""
        written = " ".join(written.split())
        return replace(self, number=number_key(written, _CLASS), written=written)

    def subdivided(self, part: LawMention) -> LawMention:
        """A subdivision of the same number, as "subsection (b)" means it."""
        return replace(self.numbered(_continued(self.written, part.written)), span=part.span)

    def of_code(self, law: LawMention) -> LawMention:
        """The same number of the code that another one belongs to."""
        return replace(self, family=law.family, kind=law.kind, head=law.head, tail=law.tail)


class PatternSet:
    """Patterns ready for use, in their order."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = patterns

    @property
    def regexes(self) -> list[tuple[Pattern, re.Pattern[str]]]:
        """Every pattern with its regular expressions: its own, and that of what stands in a list behind it."""
        return [
            (each.pattern, regex) for each in self._readers for regex in (each.regex, each.list_continuation) if regex
        ]

    @cached_property
    def _readers(self) -> list[_Reader]:
        """Of the patterns, without those that an index of an older program holds and that are too slow."""
        found = []
        for each in self.patterns:
            try:
                found.append(_Reader(each))
            except re.error as error:
                _LOG.warning("the pattern “%s” is left out: %s", each.title, error)
        return found

    def mentions(self, text: str) -> list[LawMention]:
        """The rules and statutes cited in a text, in order; of overlapping ones the earlier pattern's. What stands in a
        list behind one ("§§ 29.02, 29.03", "-5(b)(1)") takes its family.
        """
        text = text.encode("utf-8", "replace").decode()  # a lone surrogate, at which RE2 would stop, becomes one mark
        plain = folded(text)
        lower = plain.lower()
        taken = Taken()
        found: list[LawMention] = []
        for reader in self._readers:
            if reader.needs and not reader.needs.search(lower):
                continue
            whole: list[Span] = []
            for match in reader.regex.finditer(plain if reader.list_continuation else text):
                span = Span(*match.span())
                if taken.is_free(span) and not (whole and span.start < whole[-1].end):
                    mentions = list(reader.mentions(match, text))
                    whole.append(Span(span.start, mentions[-1].span.end))
                    found += mentions
            taken.add(whole)
        return sorted(found, key=lambda mention: mention.span)


class _Reader:
    """One pattern, compiled, and what may stand in a list behind it: of an office's own nothing, which RE2 could not
    look for.
    """

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.regex = compiled(pattern)
        has_sections = pattern.kind not in (AuthorityKind.RULE, AuthorityKind.CONSTITUTION)
        lead = _STATUTE_LEAD if has_sections else _RULE_LEAD
        continuation = rf"{_JOINT}{lead}(?:{_PART}|{_group(pattern.regex)}(?!\w))"
        own = _own(pattern)
        self.list_continuation = bounded(_written(continuation), re.IGNORECASE) if own else None
        self.needs = bounded(own.needs) if own and own.needs else None
        self._own_letters = re.compile(rf"[\w:.-]*\d[{pattern.own_letters}]+\b") if pattern.own_letters else None

    def mentions(self, match: re.Match[str], text: str) -> Iterator[LawMention]:
        """Yield what is cited at a match, and what in a list behind it."""
        pattern, written = self.pattern, match["number"]
        family = "" if pattern.bare else self._family(match)
        at = self.regex.groupindex["number"]  # RE2 knows no places of groups by name
        head, end = text[match.start() : match.start(at)], match.end()
        is_plural = "§§" in head or head.rstrip(" .\n").endswith("s")
        tail = text[match.end(at) : end]
        span = Span(*match.span())
        while True:
            is_constitution = pattern.kind is AuthorityKind.CONSTITUTION
            number = constitution_key(written) if is_constitution else number_key(written, self._own_letters)
            yield LawMention(span, family, number, pattern.kind, head, written, tail)
            continuation = self.list_continuation.match(match.string, end) if self.list_continuation else None
            written = self._next(written, continuation, is_plural=is_plural) if continuation else ""
            if continuation is None or not written:
                return
            end = continuation.end()
            span = Span(continuation.start("part") if continuation["part"] else continuation.start("number"), end)

    def _next(self, written: str, continuation: re.Match[str], *, is_plural: bool) -> str:
        """The next number of a list as it would be written in full; empty where what follows is none of the list."""
        goes_on = _GOES_ON.match(continuation.string, continuation.end()) is not None
        if part := continuation["part"]:
            is_step = part.startswith("(") and part.count("(") == 1
            return _continued(written, part) if goes_on or not is_step else ""
        number: str = continuation["number"]
        is_alike = is_plural or abs(len(number) - len(written.partition("(")[0])) <= 1
        is_sure = continuation["lead"] or _DISTINCT.search(number)
        return number if is_sure or (is_alike and goes_on) else ""

    def _family(self, match: re.Match[str]) -> str:
        def spelt(placeholder: re.Match[str]) -> str:
            letters = "".join(re.findall(r"[a-z0-9]+", match[placeholder[1]].lower()))
            return self.pattern.names.get(letters, letters)

        return _PLACEHOLDER.sub(spelt, self.pattern.family)


def _continued(number: str, part: str) -> str:
    """The number that a part of one means behind a whole one: `-5(b)(1)` or `(b)` behind `2C:39-4(a)`, `-.3` behind
    `4A1.1`; empty where it means none.
    """
    base, bracket, steps = number.partition("(")
    part = part.strip().removeprefix("-") if part.startswith("-.") else part.strip()
    if not part.startswith("("):
        front, mark, _ = base.rpartition(part[0])
        return f"{front}{mark}{part[1:]}" if mark else ""
    marks, first = _MARK.findall(bracket + steps), _MARK.findall(part)[:1]
    level = next((place for place, each in enumerate(marks) if first and _sort(each) == _sort(first[0])), len(marks))
    return base + "".join(f"({each})" for each in marks[:level]) + part


def _sort(mark: str) -> str:
    return "number" if mark.isdigit() else "roman" if len(mark) > 1 else "capital" if mark.isupper() else "letter"


def _group(regex: str) -> str:
    """The group `number` of a regular expression as it is written."""
    start = regex.find(_NUMBER)
    depth = 0
    for bracket in re.finditer(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|[()]", regex[start:]):
        depth += {"(": 1, ")": -1}.get(bracket[0], 0)
        if not depth and bracket[0] == ")":
            return regex[start : start + bracket.end()]
    return regex[start:]


def load_patterns(office_file: Path | None = None) -> PatternSet:
    """The project's patterns and behind them those of `office_file`, where there is one.

    Raises:
        SettingsError: the file is no TOML, or a pattern in it does not work.
    """
    if office_file is None or not office_file.exists():
        return _shipped()
    try:
        text = read_bounded(office_file, TABLE_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SettingsError(f"{office_file} cannot be read: {reason}.", "Mend the file, or remove it.") from error
    # Bare numbers stay last: the office's own forms say more.
    own = _read(text, str(office_file))
    for each in own:
        _try_out(each, str(office_file))
    shipped = _shipped().patterns
    return PatternSet((*(each for each in shipped if not each.bare), *own, *(each for each in shipped if each.bare)))


def _read(text: str, origin: str) -> list[Pattern]:
    try:
        table: Mapping[str, object] = parse_toml(text)
        if unknown := table.keys() - {"pattern"}:
            raise SettingsError(f"{origin} has an unknown part, {min(unknown)}.", "Only [[pattern]] is known.")
        patterns = msgspec.convert(table.get("pattern", []), list[Pattern])
        if wrong := next((each for each in patterns if not _OWN_LETTERS.fullmatch(each.own_letters)), None):
            advice = "Write letters, or ranges of them: A-Z."
            raise SettingsError(f"{origin}: “{wrong.title}” has own_letters = “{wrong.own_letters}”.", advice)
        return patterns
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{origin} is not valid TOML: {error}.", "Mend the file, or remove it.") from error
    except msgspec.ValidationError as error:
        advice = (
            "A pattern has title, family, regex and examples, and may have names, bare, kind, own_letters and needs."
        )
        raise SettingsError(f"{origin}: {error}.", advice) from error


@cache
def _shipped() -> PatternSet:
    """One set for all: its patterns are compiled when it is first asked, which takes 18 ms."""
    text = files("briefbank.law.citations").joinpath("patterns.toml").read_text(encoding="utf-8")
    return PatternSet(tuple(_read(text, "the built-in patterns")))


def _own(pattern: Pattern) -> Pattern | None:
    """The pattern itself where it is one of the project's as it is today."""
    return next(
        (each for each in _shipped().patterns if each.title == pattern.title and each.regex == pattern.regex), None
    )


def compiled(pattern: Pattern, *, is_of_office: bool = False) -> re.Pattern[str]:
    """The regular expression of a pattern: one of the project's own, which its tests hold to linear time, by `re`; an
    office's by RE2, or, where it needs what RE2 lacks, by `re` if it is quick with long words.

    Raises:
        re.error: it is none, or too slow.
    """
    # Looking for a capital first takes a third of the time, where fifty states' names would be tried at every letter.
    capital = _CAPITAL if "{state}" in pattern.regex else ""
    regex = bounded(capital + _written(pattern.regex), re.IGNORECASE)
    if _own(pattern):
        return regex
    is_older = not is_of_office and any(each.title == pattern.title for each in _shipped().patterns)
    found = _of_office(pattern.regex, None if is_older else tuple(pattern.examples))
    if found is None and is_older:  # as an older program had it, whose index holds it; trying it takes a second
        return regex
    if found is None:
        raise re.error("it may take for ever over a long word; without look-around and references back it would not")
    return found


def _written(regex: str) -> str:
    return regex.replace("{sub}", _SUBDIVISIONS).replace("{state}", _STATES)


@lru_cache(maxsize=256)
def _of_office(regex: str, examples: tuple[str, ...] | None) -> re.Pattern[str] | None:
    """What runs a pattern of an office; None where nothing can that is quick, or without examples RE2 cannot."""
    try:
        return linear(_written(regex))
    except re.error:
        if examples is None:
            return None
        backtracking = bounded(_written(regex), re.IGNORECASE)
    heads = {each[:end] for each in examples[:_TRIED] for end in (1, *(word.end() for word in _WORDS.finditer(each)))}
    words = {word for each in examples[:_TRIED] for word in _WORDS.findall(each)} | set(_LETTERS.findall(regex))
    return backtracking if is_quick(backtracking, sorted(heads), (*_UNITS, *sorted(words))) else None


def _try_out(pattern: Pattern, origin: str) -> None:
    advice = "Mend the pattern or remove it; the built-in patterns show the form."
    try:
        regex = compiled(pattern, is_of_office=True)
    except re.error as error:
        message = f"{origin}: the pattern “{pattern.title}” cannot be used: {error}."
        raise SettingsError(message, advice) from error
    named = [] if pattern.bare else _PLACEHOLDER.findall(pattern.family)
    missing = {"number", *named} - regex.groupindex.keys()
    if missing:
        raise SettingsError(f"{origin}: the pattern “{pattern.title}” has no group {min(missing)}.", advice)
    if not pattern.examples or not pattern.family.strip():
        raise SettingsError(f"{origin}: the pattern “{pattern.title}” lacks a family or an example.", advice)
    if regex.search(""):
        raise SettingsError(f"{origin}: the pattern “{pattern.title}” matches where there is nothing.", advice)
    for example in pattern.examples:
        if not regex.search(example):
            raise SettingsError(f"{origin}: the pattern “{pattern.title}” does not find its example {example}.", advice)
