"""Files that are ZIP archives inside: looked at before anything is unpacked. Knows no format."""

from __future__ import annotations

import zipfile

from briefbank.errors import DamagedFileError, TooLargeError
from briefbank.ingest.beneath import Readable

_MAX_UNPACKED_BYTES = 500_000_000
_MAX_RATIO = 200
"""Unpacked against packed size; Word's XML reaches about 30, a zip bomb 1,000 and more."""

_RATIO_FREE_BYTES = 20_000_000
"""Unpacked size below which the ratio does not matter: short documents of one repeated line are harmless."""


def members(path: Readable) -> frozenset[str]:
    """Return the names of what an archive holds. Unpacking yields no more than it states, which is what is looked at.

    Raises:
        DamagedFileError: it is no whole archive.
        TooLargeError: it would unpack to more than any brief.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            found = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DamagedFileError(
            f"{path.name} is damaged.", "Open it in the program that wrote it and save it again."
        ) from error
    unpacked = sum(member.file_size for member in found)
    packed = max(1, path.stat().st_size)
    if unpacked > _MAX_UNPACKED_BYTES or (unpacked > _RATIO_FREE_BYTES and unpacked > _MAX_RATIO * packed):
        raise TooLargeError(
            f"{path.name} unpacks to {unpacked} bytes, which is not plausible for a brief.",
            "If the file is trusted, print it to PDF and index that.",
        )
    return frozenset(member.filename for member in found)
