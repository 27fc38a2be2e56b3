"""What an issue profile holds, its form as a file, and the profiles of a bank and of one user, which lie in the user's
own data folder: banks are replaced and may not be written to, and what a user made goes into no pack. Must not know how
one searches.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from briefbank.errors import BankNewerError, BriefBankError, SettingsError, UsageError
from briefbank.platform import versions
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import TABLE_BYTES, make_folder, parse_toml, read_bounded, write_atomic, write_new
from briefbank.platform.layout import PROFILE_SUFFIX, own_place, profile_files
from briefbank.search.profiles.keywords import Keyword, read_keywords, write_keywords
from briefbank.values.profiles import OfferedProfile, ProfilesOffered
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
    return without_empty(msgspec.to_builtins(filters, builtin_types=(date,)))


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
        "sample": [without_empty(msgspec.to_builtins(each)) for each in profile.samples],
    }
    return tomli_w.dumps(without_empty(table), multiline_strings=True).encode()


def without_empty(table: dict[str, Any]) -> dict[str, Any]:
    """A table without what says nothing."""
    return {name: value for name, value in table.items() if value}


@dataclass(frozen=True, slots=True)
class StoredProfiles:
    """The profiles that can be used, by name, and what is wrong with others."""

    profiles: tuple[Profile, ...] = ()
    problems: tuple[BriefBankError, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileStore:
    """Profiles in folders that need not be there. New ones are kept in the first, whose profiles stand before those of
    the same name in the others.
    """

    folders: tuple[Path, ...]

    def all(self) -> StoredProfiles:
        """Every profile; a file that cannot be read costs only itself."""
        profiles: list[Profile] = []
        problems: list[BriefBankError] = []
        for path in self._paths().values():
            try:
                profiles.append(_read(path))
            except BriefBankError as problem:
                problems.append(problem)
        return StoredProfiles(tuple(sorted(profiles, key=lambda each: each.name.casefold())), tuple(problems))

    def named(self, name: str) -> Profile:
        """The profile of that name.

        Raises:
            UsageError: there is none.
            SettingsError, BankNewerError: its file cannot be used.
        """
        path = self._paths().get(file_name_of(name))
        if path is None:
            known = ", ".join(each.name for each in self.all().profiles) or "none yet"
            raise UsageError(f"There is no profile “{name}”.", f"There are: {known}.")
        return _read(path)

    def save(self, profile: Profile, *, may_replace: bool) -> Path:
        """Keep a profile; returns its file.

        Raises:
            UsageError: it says nothing of what is looked for; or there is one of that name and it may not be replaced.
            NoSpaceError: the disk is full.
        """
        require_sensible(profile)
        folder = self.folders[0]
        path = folder / f"{profile.file_name}{PROFILE_SUFFIX}"
        with disk_guard(folder.parent, "keeping the profile"):
            make_folder(folder)
            if may_replace:
                write_atomic(path, write_profile(profile))
            elif not write_new(path, write_profile(profile)):
                raise UsageError(f"There is a profile “{profile.name}” already.", "Use --replace, or another name.")
        return path

    def remove(self, name: str) -> None:
        """Remove a profile from the first folder.

        Raises:
            UsageError: there is none, or it came with the office's pack.
        """
        path = self._paths().get(file_name_of(name))
        if path is None:
            raise UsageError(f"There is no profile “{name}”.", "See them with: briefbank profile list")
        if path.parent != self.folders[0]:
            raise UsageError(f"The profile “{name}” came with the office's pack.", "Only another pack changes it.")
        path.unlink()

    def _paths(self) -> dict[str, Path]:
        """The files by their names without suffix, in the order of names."""
        found: dict[str, Path] = {}
        for folder in reversed(self.folders):
            found |= {path.stem: path for path in profile_files(folder)}
        return dict(sorted(found.items()))


def _read(path: Path) -> Profile:
    try:
        data = read_bounded(path, TABLE_BYTES)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.", "Put a readable file in its place.") from error
    profile = read_profile(data, str(path))
    if profile.file_name != path.stem:
        advice = f"Call the file {profile.file_name}{PROFILE_SUFFIX}, or mend the name in it."
        raise SettingsError(f"{path} holds a profile of another name, “{profile.name}”.", advice)
    return profile


def default_profiles() -> Path:
    """The folder in the user's data folder, or where BRIEFBANK_PROFILES points."""
    return own_place("BRIEFBANK_PROFILES", "profiles")


class OwnProfiles:
    """The user's profiles beside those of a bank, which stand before those of the same name."""

    def __init__(self, of_bank: ProfileStore) -> None:
        """Name the bank's; the user's folder need not be there."""
        self._of_bank, self._own = of_bank, ProfileStore((default_profiles(),))
        self._all = ProfileStore((*of_bank.folders, *self._own.folders))

    def named(self, name: str) -> Profile:
        """Return the profile of that name; raises as `ProfileStore.named`."""
        return self._all.named(name)

    def all(self) -> StoredProfiles:
        """Return every profile that can be run, and what is wrong with others."""
        return self._all.all()

    def is_own(self, name: str) -> bool:
        """Tell whether the profile of that name is the user's own."""
        wanted = file_name_of(name)
        of_bank = (each.file_name for each in self._of_bank.all().profiles)
        return wanted not in of_bank and wanted in (each.file_name for each in self._own.all().profiles)

    def offered(self) -> ProfilesOffered:
        """Return all that can be run."""
        stored = self.all()
        profiles = tuple(_offered(each, is_own=self.is_own(each.name)) for each in stored.profiles)
        return ProfilesOffered(profiles, len(stored.problems))

    def keep(self, profile: Profile) -> OfferedProfile:
        """Keep a profile of the user's own, in the place of one of that name and with the same question.

        Raises:
            UsageError: there is another one of that name.
            NoSpaceError, DiskError, AccessError: it could not be kept.
        """
        known = {each.file_name: each for each in self._of_bank.all().profiles}
        own = {each.file_name: each for each in self._own.all().profiles}
        before = known.get(profile.file_name) or own.get(profile.file_name)
        is_renewed = profile.file_name not in known and before is not None and before.question == profile.question
        if before and not is_renewed:
            raise UsageError(f"There is an issue “{before.name}” already.", "Give it another name.")
        self._own.save(profile, may_replace=is_renewed)
        return _offered(profile, is_own=True)

    def remove(self, name: str) -> None:
        """Remove a profile of the user's own. Raises UsageError where there is none of that name."""
        self._own.remove(name)


def _offered(profile: Profile, *, is_own: bool) -> OfferedProfile:
    return OfferedProfile(profile.name, profile.question, len(profile.samples), profile.filters, is_own)
