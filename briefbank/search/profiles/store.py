"""The profiles of a bank, a file each: those of the office, and those that the bank's users keep. Knows files alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from briefbank.errors import BriefBankError, SettingsError, UsageError
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import TABLE_BYTES, make_folder, read_bounded, write_atomic, write_new
from briefbank.platform.layout import PROFILE_SUFFIX, profile_files
from briefbank.search.profiles.profile import Profile, file_name_of, read_profile, require_sensible, write_profile


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
