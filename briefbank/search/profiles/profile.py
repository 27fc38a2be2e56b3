"""What an issue profile holds, and its form as a file. Must not know where profiles lie, nor how one searches."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any

import msgspec
import tomli_w

from briefbank.errors import BankNewerError, SettingsError, UsageError
from briefbank.platform import versions
from briefbank.platform.files import parse_toml
from briefbank.search.profiles.keywords import Keyword, read_keywords, write_keywords
from briefbank.values.records import Filters

_NAME_LETTERS = 60
"""Of the file's name: short enough for every file system, with the folder and the suffix."""
_NO_LETTERS = re.compile(r"[^0-9a-z]+")
_RESERVED = re.compile(r"con|prn|aux|nul|(?:com|lpt)\d")
"""Names that Windows gives to no file."""
_NO_FILTERS = Filters()
_ADVICE = "Mend the file, or remove it: briefbank profile remove NAME"


@dataclass(frozen=True, slots=True)
class Sample:
    """A good answer: its words, and the passage of the bank that they come from where they come from one. A sample
    without words is the passage as the bank has it now. Where some samples are marked as `central`, these are searched
    with and none need be chosen; the words of all are used.
    """

    text: str = ""
    passage: str = ""
    central: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """An issue: a question, samples of what answers it, keywords that lift what holds them, and filters that every
    result meets. Any of them may be missing, but not the question, the samples and the keywords together.
    """

    name: str
    question: str = ""
    samples: tuple[Sample, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    filters: Filters = _NO_FILTERS

    @property
    def file_name(self) -> str:
        """What its file is called, without the suffix: the same for names that differ in capitals or signs alone."""
        return file_name_of(self.name)


class _File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The tables of a file."""

    name: str
    format: int = versions.PROFILE
    question: str = ""
    keywords: str = ""
    filters: dict[str, Any] = msgspec.field(default_factory=dict)
    sample: list[Sample] = msgspec.field(default_factory=list)


def file_name_of(name: str) -> str:
    """What the file of a profile of that name is called, without the suffix.

    Raises:
        UsageError: the name has no letter or digit that a file's name could have.
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    made = _NO_LETTERS.sub("-", plain).strip("-")[:_NAME_LETTERS].strip("-")
    if not made:
        raise UsageError(f"A profile cannot be called “{name}”.", "Give it a name of letters and digits.")
    return f"{made}-profile" if _RESERVED.fullmatch(made) else made


def require_sensible(profile: Profile) -> None:
    """Refuse a profile that finds nothing.

    Raises:
        UsageError: it has neither question nor sample nor keyword.
    """
    if not (profile.question.strip() or profile.samples or profile.keywords):
        advice = "Give it a question, samples or keywords."
        raise UsageError(f"The profile “{profile.name}” says nothing of what is looked for.", advice)


def set_filters(filters: Filters) -> dict[str, Any]:
    """The filters that set a condition, by field: lists of texts, and days."""
    return _without_empty(msgspec.to_builtins(filters, builtin_types=(date,)))


def narrowed(own: Filters, given: Filters) -> Filters:
    """The filters of a profile, each field replaced where another one is given."""
    set_fields = {each.name: value for each in fields(Filters) if (value := getattr(given, each.name))}
    return replace(own, **set_fields)


def read_profile(data: bytes, called: str) -> Profile:
    """Read the file of a profile; `called` names it in errors.

    Raises:
        SettingsError: it is not of that form.
        BankNewerError: a newer program wrote it.
    """
    try:
        table = parse_toml(data.decode())
        if isinstance(table.get("format"), int) and table["format"] > versions.PROFILE:
            message = f"{called} has format {table['format']}; this program reads up to {versions.PROFILE}."
            raise BankNewerError(message, "Install the newer BriefBank that wrote it.")
        read = msgspec.convert(table, _File)
        if unknown := set(read.filters) - {each.name for each in fields(Filters)}:
            raise SettingsError(f"{called} has filters that are not known: {', '.join(sorted(unknown))}.", _ADVICE)
        samples = tuple(each for each in read.sample if each.text.strip() or each.passage)
        filters = msgspec.convert(read.filters, Filters)
        profile = Profile(read.name, read.question, samples, read_keywords(read.keywords), filters)
        require_sensible(profile)
        file_name_of(profile.name)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError, UsageError) as error:
        raise SettingsError(f"{called} is no profile: {str(error).removesuffix('.')}.", _ADVICE) from error
    return profile


def write_profile(profile: Profile) -> bytes:
    """The file of a profile."""
    table: dict[str, Any] = {
        "format": versions.PROFILE,
        "name": profile.name,
        "question": profile.question,
        "keywords": write_keywords(profile.keywords) if profile.keywords else "",
        "filters": set_filters(profile.filters),
        "sample": [_without_empty(msgspec.to_builtins(each)) for each in profile.samples],
    }
    return tomli_w.dumps(_without_empty(table), multiline_strings=True).encode()


def _without_empty(table: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if value}
