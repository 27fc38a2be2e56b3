"""The issue profiles of one user: those of the bank, and those that the user made, which lie in the user's own data
folder. Banks are replaced and may not be written to; and what a user made goes into no pack.
"""

from __future__ import annotations

from pathlib import Path

from briefbank.errors import UsageError
from briefbank.platform.layout import own_place
from briefbank.reports import OfferedProfile, ProfilesOffered
from briefbank.search.profiles.profile import Profile
from briefbank.search.profiles.store import ProfileStore


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

    def offered(self) -> ProfilesOffered:
        """Return all that can be run."""
        stored = self._all.all()
        of_bank = {each.file_name for each in self._of_bank.all().profiles}
        return ProfilesOffered(
            tuple(_offered(each, is_own=each.file_name not in of_bank) for each in stored.profiles),
            len(stored.problems),
        )

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
