"""Holds back files that were changed a moment ago: somebody may still be copying them, and a share does not tell.

A file is taken to be whole once its size and time have stayed the same for `settle_s` seconds. Knows no more of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from briefbank.errors import ChangingFileError
from briefbank.ingest.discover import SourceFile
from briefbank.platform.progress import CancelToken

_NANOSECONDS = 1e9


def require_unchanged(file: SourceFile) -> None:
    """Check that a file is as it was listed.

    Raises:
        ChangingFileError: it is not, or not there any more.
    """
    try:
        now = file.path.stat()
    except OSError as error:
        advice = "If it was moved, it is read at its new place by the next run."
        raise ChangingFileError("The file went away while the folder was being read.", advice) from error
    if (now.st_size, now.st_mtime_ns) != (file.size_bytes, file.mtime_ns):
        advice = "It is probably still being copied; the next run reads it."
        raise ChangingFileError("The file changed while it was being read.", advice)


def split_young(
    files: Sequence[SourceFile], settle_s: float, listed_at: float
) -> tuple[list[SourceFile], list[SourceFile]]:
    """Return the files that may be read at once, and those changed less than `settle_s` seconds before the folder was
    listed, by the clock of whoever wrote them. `listed_at` is when the listing began (of `time.time`): a walk may take
    minutes, and of the time since a file was looked at nothing is known.
    """
    youngest_ns = (listed_at - settle_s) * _NANOSECONDS
    ready = [file for file in files if file.mtime_ns < youngest_ns or not settle_s]
    return ready, [file for file in files if settle_s and file.mtime_ns >= youngest_ns]


def settled(
    young: Iterable[SourceFile],
    until: float,
    cancel: CancelToken,
    on_unsettled: Callable[[SourceFile, ChangingFileError], None],
) -> Iterator[SourceFile]:
    """Wait until the moment `until` (of `time.monotonic`), then yield the files that stayed as they were listed."""
    for file in young:
        cancel.wait(max(0.0, until - time.monotonic()))
        cancel.check()
        try:
            require_unchanged(file)
        except ChangingFileError as error:
            on_unsettled(file, error)
        else:
            yield file
