"""Counts files and pages of a run, names the file at hand, and estimates the time left: of reading from the bytes, of
writing from the files.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from briefbank.ingest.discover import SourceFile
from briefbank.platform.progress import Progress, Reporter, time_left

# Chosen, not measured: the first files wait for the workers to start, which would make the estimate too long.
_ENOUGH_TO_ESTIMATE_S = 10.0
_SMOOTHING_S = 15.0
"""How long the last estimates count: one large scan among small files makes them leap. Chosen, not measured."""


class Meter:
    """Reports each step of a run to the reporter. `clock` yields seconds that never go back."""

    def __init__(self, reporter: Reporter, clock: Callable[[], float] = time.monotonic) -> None:
        self._reporter = reporter
        self._clock = clock
        self._started = clock()
        self._stage = ""
        self._files_done = self._files_total = self._pages = self._failed = 0
        self._bytes_done = self._bytes_total = 0
        self._stage_began = self._started
        self._reading: dict[SourceFile, None] = {}
        self._left: tuple[float, float] | None = None
        """The last estimate of the seconds left, and when it was made."""

    @property
    def elapsed_s(self) -> float:
        return self._clock() - self._started

    @property
    def pages(self) -> int:
        return self._pages

    def stage(self, name: str, files: int = 0, size_bytes: int = 0) -> None:
        """Say that another part of the work begins, and on how many files, where it goes file by file."""
        self._stage, self._stage_began = name, self._clock()
        self._files_done, self._files_total = 0, files
        self._bytes_done, self._bytes_total = 0, size_bytes
        self._reading, self._left = {}, None
        self._report()

    def expect(self, files: Sequence[SourceFile]) -> None:
        """Say which files will be read."""
        self.stage("reading", len(files), sum(file.size_bytes for file in files))

    def began(self, file: SourceFile) -> None:
        """Say that a file is being read from now on; several are at a time."""
        self._reading[file] = None
        self._report()

    def page(self) -> None:
        """Count a page that came out of OCR, long before its file is done."""
        self._pages += 1
        self._report()

    def written(self) -> None:
        """Count a file whose passages are in the index."""
        self._files_done += 1
        self._report()

    def file(self, file: SourceFile, pages: int, *, is_failed: bool) -> None:
        """Count a file that is done, with those of its `pages` that were not counted yet."""
        self._files_done += 1
        self._pages += pages
        self._failed += is_failed
        self._bytes_done += file.size_bytes
        self._reading.pop(file, None)
        self._report()

    def _report(self) -> None:
        longest = next(iter(self._reading), None)  # the one that people wait for
        self._reporter(
            Progress(
                self._stage,
                files_done=self._files_done,
                files_total=self._files_total or None,
                pages_done=self._pages,
                failed=self._failed,
                elapsed_s=self.elapsed_s,
                seconds_left=self._seconds_left(),
                current=longest.path.name if longest else "",
            )
        )

    def _seconds_left(self) -> float | None:
        spent = self._clock() - self._stage_began
        if spent < _ENOUGH_TO_ESTIMATE_S:
            return None
        if self._bytes_total:
            left = time_left(spent, self._bytes_done, self._bytes_total)
        else:
            left = time_left(spent, self._files_done, self._files_total)
        self._left = None if left is None else (self._smoothed(left), self._clock())
        return self._left[0] if self._left else None

    def _smoothed(self, left: float) -> float:
        """The estimate `left`, drawn to what the last one would be by now; nothing is left where the work is done."""
        if self._left is None or not left:
            return left
        before, at = self._left
        passed = self._clock() - at
        expected = max(before - passed, 0.0)
        return expected + (left - expected) * (1 - math.exp(-passed / _SMOOTHING_S))
