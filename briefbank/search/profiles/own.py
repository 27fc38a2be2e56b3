"""The issue profiles of one user: those of the bank, and those that the user made, which lie in the user's own data
folder. Banks are replaced and may not be written to; and what a user made goes into no pack.
"""

from __future__ import annotations

from pathlib import Path

from briefbank.errors import UsageError
from briefbank.platform.layout import own_place
from briefbank.search.profiles.profile import Profile, file_name_of
from briefbank.search.profiles.store import ProfileStore, StoredProfiles
from briefbank.values import OfferedProfile, ProfilesOffered


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
