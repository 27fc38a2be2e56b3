"""Names of files as Windows takes them: names of devices, ends that it drops, paths longer than it takes, any letters.

Tried on every system.
"""

from __future__ import annotations

import ntpath
import os
import re
from pathlib import Path, PureWindowsPath

_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE)
_LONGEST = 247
"""Characters of a path that programs without Windows' long paths take: 260, less a name of 8.3 in a folder."""
_AS_WRITTEN = "\\\\?\\"
_SHARE = f"{_AS_WRITTEN}UNC\\"


def is_device(name: str) -> bool:
    """Whether Windows takes a file's name for a device, whatever stands after its first dot."""
    return bool(_DEVICE.fullmatch(name))


def is_taken_as_written(name: str) -> bool:
    """Whether Windows takes a name for what is written: no device, no dot or space at its end that it drops."""
    return name in {"", ".", ".."} or not (is_device(name) or name.endswith((".", " ")))


def as_written(path: str) -> str:
    r"""Return an absolute path of Windows in the form that it takes as it is written and at any length, where it would
    not in the usual one: `\\?\D:\aux.pdf`.
    """
    parts = PureWindowsPath(path)
    if ".." in parts.parts:  # a name like any other in that form
        parts = PureWindowsPath(ntpath.normpath(path))
    is_usual = len(path) <= _LONGEST and all(map(is_taken_as_written, parts.parts[1:]))
    if is_usual or path.startswith(_AS_WRITTEN) or not parts.is_absolute():
        return path
    share = parts.drive.startswith("\\\\")
    return f"{_SHARE}{str(parts)[2:]}" if share else f"{_AS_WRITTEN}{parts}"


def plain(path: str) -> str:
    """Return a path as people write it: without what `as_written` puts before it."""
    if path.startswith(_SHARE):
        return f"\\\\{path.removeprefix(_SHARE)}"
    return path.removeprefix(_AS_WRITTEN)


def as_listed(path: Path) -> Path:
    """Return an absolute path in the letters by which its folders list it: Windows takes any for the same.

    A part that is not there, or whose folder may not be listed, keeps its letters, and so do names of shares.
    """
    found = Path(path.anchor.upper() if len(path.drive) == len("C:") else path.anchor)
    for part in path.parts[1:]:
        listed = _names_in(found)
        alike = (name for name in listed if name.casefold() == part.casefold())
        found /= part if part in listed else next(alike, part)
    return found


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(openable(folder)))  # noqa: PTH208 - names are all that is needed
    except OSError:
        return []


def is_on_share(path: Path) -> bool:
    """Whether a path leads to a share of another machine: by its name, a letter that stands for it, or a link."""
    if os.name != "nt":
        return False
    return any(plain(each).startswith("\\\\") for each in (str(path), os.path.realpath(openable(path))))


def openable(path: Path) -> Path:
    """The path by which to open a file or folder that others have named; on other systems the path itself."""
    return Path(as_written(str(path.absolute()))) if os.name == "nt" else path
