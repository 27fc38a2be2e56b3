"""The citation patterns of rules and statutes: the project's, and those an office adds. Knows files and spans only."""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from briefbank.errors import SettingsError
from briefbank.law.legal_numbers import SUBDIVISION_MARKS, SUBDIVISION_WORD, number_key
from briefbank.platform.files import TABLE_BYTES, parse_toml, read_bounded
from briefbank.platform.regex import bounded, is_quick, linear
from briefbank.values.records import Span

_LOG = logging.getLogger(__name__)
_SUBDIVISIONS = rf"(?:(?:{SUBDIVISION_WORD}\(|\s?\()\s?(?:{SUBDIVISION_MARKS}|\d{{1,2}}-[a-z])\s?\))*"
_STATES = (
    r"Ala(?:bama)?|Alaska|Ariz(?:ona)?|Ark(?:ansas)?|Cal(?:ifornia)?|Colo(?:rado)?|Conn|Del|Fla|Florida|Ga|Haw|Idaho|Ill(?:inois)?|"
    r"Ind(?:iana)?|Iowa|Kan(?:sas)?|Ky|Kentucky|La|Me|Md|Maryland|Mass(?:achusetts)?|Mich(?:igan)?|Minn(?:esota)?|Miss(?:issippi)?|"
    r"Mo|Missouri|Mont(?:ana)?|Neb(?:raska)?|Nev(?:ada)?|N\.?\s?[HMYCDJ]|Ohio|Okla(?:homa)?|Or(?:egon)?|Pa|Pennsylvania|R\.?\s?I|S\.?\s?[CD]|"
    r"Tenn(?:essee)?|Utah|Vt|Va|Virginia|Wash(?:ington)?|W\.?\s?Va|Wis(?:consin)?|Wyo(?:ming)?"
)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_WORDS = re.compile(r"\w+\W?")
_LETTERS = re.compile(r"[^\W_]+")
_UNITS = ("a", "A", "1", " ", ".", "a ", "A ", "1 ", "a.", "A. ", "1-", "1.", "a1", "(a)", "§ ")
"""What texts are made of that a pattern is tried against, beside words of its own."""
_TRIED = 3
"""Examples of a pattern that these are taken from."""


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of a pattern file; `patterns.toml` says what each key means."""

    title: str
    family: str
    regex: str
    examples: list[str]
    names: dict[str, str] = {}
    bare: bool = False


@dataclass(frozen=True, slots=True)
class RuleMention:
    """A rule or statute where it is cited; `family` is empty where only its number is given."""

    span: Span
    family: str
    number: str

    @property
    def key(self) -> str:
        return f"{self.family} {self.number}"


class PatternSet:
    """Patterns ready for use, in their order."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = patterns

    @cached_property
    def regexes(self) -> list[tuple[Pattern, re.Pattern[str]]]:
        """The patterns, each compiled; without those that an index of an older program holds and that are too slow."""
        found = []
        for each in self.patterns:
            try:
                found.append((each, compiled(each)))
            except re.error as error:
                _LOG.warning("the pattern “%s” is left out: %s", each.title, error)
        return found

    def mentions(self, text: str) -> list[RuleMention]:
        """The rules and statutes cited in a text, in order; of overlapping ones the earlier pattern's."""
        found: list[RuleMention] = []
        text = text.encode("utf-8", "replace").decode()  # a lone surrogate, at which RE2 would stop, becomes one mark
        for pattern, regex in self.regexes:
            for match in regex.finditer(text):
                span = Span(*match.span())
                if not span.overlaps_any(each.span for each in found):
                    found.append(RuleMention(span, _family(pattern, match), number_key(match["number"])))
        return sorted(found, key=lambda mention: mention.span)


def _family(pattern: Pattern, match: re.Match[str]) -> str:
    if pattern.bare:
        return ""

    def spelt(placeholder: re.Match[str]) -> str:
        letters = "".join(re.findall(r"[a-z0-9]+", match[placeholder[1]].lower()))
        return pattern.names.get(letters, letters)

    return _PLACEHOLDER.sub(spelt, pattern.family)


def load_patterns(office_file: Path | None = None) -> PatternSet:
    """The project's patterns and behind them those of `office_file`, where there is one.

    Raises:
        SettingsError: the file is no TOML, or a pattern in it does not work.
    """
    patterns = list(_shipped())
    if office_file is not None and office_file.exists():
        try:
            text = read_bounded(office_file, TABLE_BYTES).decode()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise SettingsError(f"{office_file} cannot be read: {reason}.", "Mend the file, or remove it.") from error
        # Bare numbers stay last: the office's own forms say more.
        own = _read(text, str(office_file))
        for each in own:
            _try_out(each, str(office_file))
        patterns = [each for each in patterns if not each.bare] + own + [each for each in patterns if each.bare]
    return PatternSet(tuple(patterns))


def _read(text: str, origin: str) -> list[Pattern]:
    try:
        table: Mapping[str, object] = parse_toml(text)
        if unknown := table.keys() - {"pattern"}:
            raise SettingsError(f"{origin} has an unknown part, {min(unknown)}.", "Only [[pattern]] is known.")
        return msgspec.convert(table.get("pattern", []), list[Pattern])
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{origin} is not valid TOML: {error}.", "Mend the file, or remove it.") from error
    except msgspec.ValidationError as error:
        advice = "A pattern has title, family, regex and examples, and may have names and bare."
        raise SettingsError(f"{origin}: {error}.", advice) from error


@cache
def _shipped() -> tuple[Pattern, ...]:
    text = files("briefbank.law.citations").joinpath("patterns.toml").read_text(encoding="utf-8")
    return tuple(_read(text, "the built-in patterns"))


def compiled(pattern: Pattern, *, is_of_office: bool = False) -> re.Pattern[str]:
    """The regular expression of a pattern: one of the project's own, which its tests hold to linear time, by `re`; an
    office's by RE2, or, where it needs what RE2 lacks, by `re` if it is quick with long words.

    Raises:
        re.error: it is none, or too slow.
    """
    own = {each.title: each.regex for each in _shipped()}
    regex = bounded(_written(pattern.regex), re.IGNORECASE)
    if own.get(pattern.title) == pattern.regex:
        return regex
    found = _of_office(pattern.regex, tuple(pattern.examples))
    if found is None and pattern.title in own and not is_of_office:  # as an older program had it, whose index holds it
        return regex
    if found is None:
        message = "it may take for ever over a long word; without look-around (?<!…) and references back it would not"
        raise re.error(message)
    return found


def _written(regex: str) -> str:
    return regex.replace("{sub}", _SUBDIVISIONS).replace("{state}", _STATES)


@lru_cache(maxsize=256)
def _of_office(regex: str, examples: tuple[str, ...]) -> re.Pattern[str] | None:
    """What runs a pattern of an office; None where nothing can that is quick."""
    try:
        return linear(_written(regex))
    except re.error:
        compiled = bounded(_written(regex), re.IGNORECASE)
    heads = {each[:end] for each in examples[:_TRIED] for end in (1, *(word.end() for word in _WORDS.finditer(each)))}
    words = {word for each in examples[:_TRIED] for word in _WORDS.findall(each)} | set(_LETTERS.findall(regex))
    return compiled if is_quick(compiled, sorted(heads), (*_UNITS, *sorted(words))) else None


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
